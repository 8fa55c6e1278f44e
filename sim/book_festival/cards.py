"""Cards of Book Festival: from the deck to hands, from hands to the discards, and the refill."""

from __future__ import annotations

from sim.book_festival import events
from sim.book_festival.state import GENRES, NO_GENRE, REFILL
from sim.desk import is_whole
from sim.jit import jit
from sim.rng import shuffle


@jit
def next_card(state):
    """Take the next card off the deck."""
    state.table.deck_size -= 1
    return state.hidden.deck[state.table.deck_size]


@jit
def give(state, seat, genre):
    """A card goes to a hand."""
    state.owns[seat].hand[genre] += 1
    state.table.booths[seat].hand_size += 1


@jit
def has_room(rules, state, seat, cards):
    """Tell whether a hand may take so many cards more."""
    return rules.hand_limit == 0 or state.table.booths[seat].hand_size + cards <= rules.hand_limit


@jit
def draw_card(state, row, desk, seat, why):
    """Draw one card; an empty deck is refilled from the discards first; when both are empty nothing is drawn."""
    if state.table.deck_size == 0:
        refill_deck(state, desk)
    genre = NO_GENRE
    if state.table.deck_size > 0:
        genre = next_card(state)
        give(state, seat, genre)
        row.seats[seat].drawn[why] += 1
    events.tell_draw(desk, seat, genre, why)


@jit
def refill_deck(state, desk):
    """Shuffle the discards; they are the new deck."""
    table, deck = state.table, state.hidden.deck
    count = 0
    for genre in range(len(GENRES)):
        for _ in range(table.discards[genre]):
            deck[count] = genre
            count += 1
        table.discards[genre] = 0
    shuffle(state.hidden.streams[REFILL], deck, count)
    table.deck_size = count
    if count > 0:
        events.tell_shuffle(state, desk)


@jit
def can_discard(state, seat, discards, cost):
    """Tell whether an answer's discards are whole cards of the hand and exactly `cost` of them."""
    total = 0
    for genre in range(len(GENRES)):
        if not is_whole(discards[genre], 0, state.owns[seat].hand[genre]):
            return False
        total += int(discards[genre])
    return total == cost


@jit
def discard(state, seat, discards):
    """Cards go from a hand to the discards."""
    for genre in range(len(GENRES)):
        count = int(discards[genre])
        state.owns[seat].hand[genre] -= count
        state.table.booths[seat].hand_size -= count
        state.table.discards[genre] += count
