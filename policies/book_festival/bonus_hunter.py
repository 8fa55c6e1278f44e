"""Lives off the genre piles: sells under Related Books and files each book where it completes a pile."""

from policies import Param
from sim.book_festival.planning import arrivals, best_pile, busiest_slot, count_pops, place_or_draw, try_to_buy
from sim.book_festival.state import NO_GENRE, RELATED

PARAMS = (
    Param("card", 0.25, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.0, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
    Param("displays", 2.0, 0.0, 20.0, "Related Books POPs that it wants"),
)
CARD, EAGER, DISPLAYS = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    chances = arrivals(rules, table, own.seat)
    booth = table.booths[own.seat]
    if count_pops(booth, RELATED) < own.param[DISPLAYS]:
        slot = busiest_slot(rules, table, chances, own.seat, True)
        if try_to_buy(rules, table, own, choice, RELATED, slot, 1):
            return
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], own.param[EAGER])


def file(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    is_favourite = table.booths[table.buyer].animal == booth.genre[table.at_slot]
    choice.genre = best_pile(rules, table, booth.books[table.at_slot] if is_favourite else 1)
