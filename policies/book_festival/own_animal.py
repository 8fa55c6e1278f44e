"""Serves its own animal: keeps that one's favourite in hand for its way home, and stops it before the stack.

The camel and the chameleon have no favourite: for them any book will do.
"""

from policies import Param
from sim.book_festival.planning import COMES, arrivals, place_all, place_or_draw, stop_if_worth, try_to_buy
from sim.book_festival.state import GENRES, NO_GENRE, TRIAL
from sim.book_festival.view import can_draw, retrieve

PARAMS = (
    Param(
        "near", 0.6, 0.0, 1.0, "chance that its animal reaches the first slot from which it sets out the favourite"
    ),
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.1, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places other books"),
)
NEAR, CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    favourite = booth.animal if booth.animal < len(GENRES) else NO_GENRE
    if try_to_buy(rules, table, own, choice, TRIAL, 0, 1):
        return
    chances = arrivals(rules, table, own.seat)
    if favourite != NO_GENRE and own.hand[favourite] > 0 and chances[COMES, 0, favourite] >= own.param[NEAR]:
        if place_all(rules, table, own, choice, 0, favourite):
            return
        if booth.genre[0] != favourite and can_draw(rules, table, own.seat):
            retrieve(choice, 0, 1)
            return
    place_or_draw(rules, table, own, choice, chances, favourite, own.param[CARD], own.param[EAGER])


def stop(rules, table, own, rng, choice):
    stop_if_worth(rules, table, own, choice, own.param[CARD])
