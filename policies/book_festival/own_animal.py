"""Serves its own animal: keeps that one's favourite for its way home, and stops it before the stack.

The other slots hold a single book each, for the free card of a full shelf. The camel and the chameleon have no
favourite: for them any genre will do.
"""

from policies import Param
from sim.book_festival.planning import (
    COMES,
    arrivals,
    draw_or_pass,
    fill_empty_slot,
    place_all,
    place_or_draw,
    stop_if_worth,
    try_to_buy,
)
from sim.book_festival.state import GENRES, NO_GENRE, TRIAL

PARAMS = (
    Param(
        "near", 0.6, 0.0, 1.0, "chance that its animal comes to the first slot from which it lays out its favourite"
    ),
    Param("card", 0.3, 0.0, 1.0, "stars that a card is worth in hand"),
)
NEAR, CARD = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    chances = arrivals(rules, table, own.seat)
    booth = table.booths[own.seat]
    favourite = booth.animal
    if try_to_buy(rules, table, own, choice, TRIAL, 0, 1):
        return
    if favourite >= len(GENRES):
        place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], 0.0)
        return
    is_near = chances[COMES, 0, favourite] >= own.param[NEAR]
    if is_near and place_all(rules, table, own, choice, 0, favourite):
        return
    if booth.books[0] > 0 and fill_empty_slot(rules, table, own, choice, 1, favourite):
        return
    draw_or_pass(rules, table, own, choice)


def stop(rules, table, own, rng, choice):
    stop_if_worth(rules, table, own, choice, own.param[CARD])
