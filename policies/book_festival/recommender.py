"""Recommended Series in the middle and one genre around it: any stop there sells the neighbours' stacks as well."""

from policies import Param
from sim.book_festival.planning import arrivals, place_all, place_or_draw, try_to_buy
from sim.book_festival.state import GENRES, NO_GENRE, RECOMMENDED
from sim.book_festival.view import place

PARAMS = (
    Param("bait", 2.0, 1.0, 10.0, "cards of a genre with which it begins a series"),
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.0, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
)
BAIT, CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    middle = 1 if booth.slots > 2 else 0
    if try_to_buy(rules, table, own, choice, RECOMMENDED, middle, 0):
        return
    if booth.books[middle] == 0:
        genre = _series(own, booth, middle)
        if genre != NO_GENRE:
            place(choice, middle, genre, 1)
            return
    genre = booth.genre[middle]
    if booth.books[middle] > 0 and own.hand[genre] > 0:
        for beside in (middle - 1, middle + 1):
            if 0 <= beside < booth.slots and place_all(rules, table, own, choice, beside, genre):
                return
    place_or_draw(
        rules, table, own, choice, arrivals(rules, table, own.seat), NO_GENRE, own.param[CARD], own.param[EAGER]
    )


def _series(own, booth, middle):
    """The genre for the middle: of what is in hand, the one of which most books are in hand and beside it."""
    best, most = NO_GENRE, int(own.param[BAIT]) - 1
    for genre in range(len(GENRES)):
        books = own.hand[genre]
        for beside in (middle - 1, middle + 1):
            if 0 <= beside < booth.slots and booth.genre[beside] == genre:
                books += booth.books[beside]
        if own.hand[genre] > 0 and books > most:
            best, most = genre, books
    return best
