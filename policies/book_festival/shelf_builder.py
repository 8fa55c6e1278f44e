"""Buys end shelves first and keeps every slot filled: free cards each turn, and more slots to be stopped at."""

from policies import Param
from sim.book_festival.planning import arrivals, fill_empty_slot, place_or_draw, try_to_buy
from sim.book_festival.state import END_SHELF, NO_GENRE

PARAMS = (
    Param("shelves", 2.0, 0.0, 10.0, "end shelves that it wants"),
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.1, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it adds to a slot"),
)
SHELVES, CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    is_building = booth.end_shelves < min(own.param[SHELVES], rules.end_shelves_max)
    if is_building and try_to_buy(rules, table, own, choice, END_SHELF, 0, 1):
        return
    if fill_empty_slot(rules, table, own, choice, 1, NO_GENRE):
        return
    chances = arrivals(rules, table, own.seat)
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], own.param[EAGER])
