"""With Booklet first: a free card every turn, and so the fullest hand when the right animal is about to arrive."""

from policies import Param
from sim.book_festival.planning import arrivals, count_pops, place_or_draw, try_to_buy
from sim.book_festival.state import BOOKLET, NO_GENRE

PARAMS = (
    Param("displays", 2.0, 0.0, 20.0, "With Booklet POPs that it wants"),
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.1, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
)
DISPLAYS, CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    if count_pops(booth, BOOKLET) < min(own.param[DISPLAYS], booth.slots):
        for slot in range(booth.slots):
            if try_to_buy(rules, table, own, choice, BOOKLET, slot, 0):
                return
    chances = arrivals(rules, table, own.seat)
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], own.param[EAGER])
