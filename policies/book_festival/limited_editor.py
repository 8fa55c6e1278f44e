"""Limited Edition on the slot where it sells most, and its books for that slot: every book there counts double."""

from policies import Param
from sim.book_festival.planning import arrivals, busiest_slot, count_pops, place_or_draw, try_to_buy
from sim.book_festival.state import LIMITED, NO_GENRE

PARAMS = (
    Param("displays", 1.0, 0.0, 20.0, "Limited Edition POPs that it wants"),
    Param("card", 0.2, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.1, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
)
DISPLAYS, CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    chances = arrivals(rules, table, own.seat)
    if count_pops(table.booths[own.seat], LIMITED) < own.param[DISPLAYS]:
        slot = busiest_slot(table, chances, own.seat, True)
        if try_to_buy(rules, table, own, choice, LIMITED, slot, 0):
            return
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], own.param[EAGER])
