"""Builds one deep stack of the genre it has most of, and waits for the animal that will buy it all at once."""

from policies import Param
from sim.book_festival.planning import draw_or_pass, has_fan, place_all
from sim.book_festival.state import GENRES, NO_GENRE
from sim.book_festival.view import can_draw

PARAMS = (Param("depth", 3.0, 1.0, 10.0, "cards of a genre with which it begins a stack"),)
(DEPTH,) = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    if table.actions == rules.actions_per_turn - 1 or not can_draw(rules, table, own.seat):
        for slot in range(booth.slots):
            if booth.books[slot] > 0 and place_all(rules, table, own, choice, slot, booth.genre[slot]):
                return
        genre = _largest_set(rules, table, own)
        if genre != NO_GENRE and (own.hand[genre] >= own.param[DEPTH] or not can_draw(rules, table, own.seat)):
            for slot in range(booth.slots):
                if place_all(rules, table, own, choice, slot, genre):
                    return
    draw_or_pass(rules, table, own, choice)


def _largest_set(rules, table, own):
    """The genre with most cards in hand, among those that an animal in the game loves."""
    best = NO_GENRE
    for genre in range(len(GENRES)):
        if own.hand[genre] > (own.hand[best] if best != NO_GENRE else 0) and has_fan(rules, table, genre):
            best = genre
    return best
