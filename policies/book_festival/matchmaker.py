"""Keeps its books in hand until the animal that loves them is about to arrive, then puts them in its way."""

from policies import Param
from sim.book_festival.planning import arrivals, place_or_draw
from sim.book_festival.state import NO_GENRE

PARAMS = (
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.1, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
)
CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    chances = arrivals(rules, table, own.seat)
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], own.param[EAGER])
