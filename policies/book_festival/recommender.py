"""Recommended Series between two slots of one genre: a stop in the middle sells the neighbours' stacks as well."""

from policies import Param
from sim.book_festival.planning import draw_or_pass, place_all, try_to_buy
from sim.book_festival.state import GENRES, RECOMMENDED
from sim.book_festival.view import place

PARAMS = (Param("bait", 2.0, 1.0, 10.0, "books that it keeps in the middle for animals to stop at"),)
(BAIT,) = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    middle = 1 if booth.slots > 2 else 0
    if try_to_buy(rules, table, own, choice, RECOMMENDED, middle, 0):
        return
    genre = booth.genre[middle]
    if booth.books[middle] == 0:
        genre = _series(own, booth, middle)
    if own.hand[genre] > 0:
        lacking = int(own.param[BAIT]) - booth.books[middle]
        if rules.slot_capacity > 0:
            lacking = min(lacking, rules.slot_capacity - booth.books[middle])
        if lacking > 0:
            place(choice, middle, genre, min(lacking, own.hand[genre]))
            return
        for beside in (middle - 1, middle + 1):
            if 0 <= beside < booth.slots and place_all(rules, table, own, choice, beside, genre):
                return
    draw_or_pass(rules, table, own, choice)


def _series(own, booth, middle):
    """The genre of which most books are in hand and beside the middle."""
    best, most = 0, -1
    for genre in range(len(GENRES)):
        books = own.hand[genre]
        for beside in (middle - 1, middle + 1):
            if 0 <= beside < booth.slots and booth.genre[beside] == genre:
                books += booth.books[beside]
        if books > most:
            best, most = genre, books
    return best
