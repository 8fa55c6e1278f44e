"""Books and slots of a booth in Book Festival: what is put on a slot, what leaves it, and a new end shelf."""

from __future__ import annotations

from sim.book_festival.state import ANY_GENRE, AT_LEFT, GENRES, MIX_BITS, NO_GENRE, NO_POP
from sim.book_festival.view import copies
from sim.jit import jit


@jit
def put_on(rules, booth, slot, genre, count):
    """Books of a genre come onto a slot."""
    booth.books[slot] += count
    if rules.slot_genres == ANY_GENRE:
        booth.mix[slot] += count << MIX_BITS * genre
        name_slot(rules, booth, slot)
    else:
        booth.genre[slot] = genre


@jit
def take_off(rules, booth, slot, genre, count):
    """Books of a genre leave a slot, which has no genre without books."""
    booth.books[slot] -= count
    if rules.slot_genres == ANY_GENRE:
        booth.mix[slot] -= count << MIX_BITS * genre
        name_slot(rules, booth, slot)
    elif booth.books[slot] == 0:
        booth.genre[slot] = NO_GENRE


@jit
def name_slot(rules, booth, slot):
    """A slot with several genres goes by the one with most books there, the first of equals."""
    most = 0
    booth.genre[slot] = NO_GENRE
    for genre in range(len(GENRES)):
        count = copies(rules, booth, slot, genre)
        if count > most:
            most = count
            booth.genre[slot] = genre


@jit
def add_end_shelf(rules, table, seat):
    """An end shelf adds its slots at the right-hand end of a booth, or by a switch at the left."""
    booth, wide = table.booths[seat], rules.end_shelf_slots
    booth.end_shelves += 1
    booth.slots += wide
    if rules.end_shelf_side != AT_LEFT:
        return
    for slot in range(booth.slots - 1, wide - 1, -1):  # all others count higher now
        booth.genre[slot] = booth.genre[slot - wide]
        booth.books[slot] = booth.books[slot - wide]
        booth.mix[slot] = booth.mix[slot - wide]
        booth.pop[slot] = booth.pop[slot - wide]
    for slot in range(wide):
        booth.genre[slot] = NO_GENRE
        booth.books[slot] = 0
        booth.mix[slot] = 0
        booth.pop[slot] = NO_POP
    for other in range(rules.players):  # whoever stands in that booth stays on the slot where it is
        if table.booths[other].at_booth == seat:
            table.booths[other].at_slot += wide
