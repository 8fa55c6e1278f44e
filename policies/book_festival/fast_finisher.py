"""Hurries to the end: puts everything out at once, stops whoever passes a stack, and so drives its supply out."""

from policies import Param
from sim.book_festival.planning import arrivals, place_or_draw, stop_if_worth, try_to_buy
from sim.book_festival.state import NO_GENRE, TRIAL

PARAMS = (
    Param("haste", 1.0, 0.0, 1.0, "1: a card in hand is worth nothing to it; 0: as much as to a patient player"),
)
(HASTE,) = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    card = 0.3 * (1.0 - own.param[HASTE])
    if table.round_number == 1 and try_to_buy(rules, table, own, choice, TRIAL, 0, 1):
        return
    chances = arrivals(rules, table, own.seat)
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, card, 0.0)


def stop(rules, table, own, rng, choice):
    stop_if_worth(rules, table, own, choice, 0.1)
