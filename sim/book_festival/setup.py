"""Setup of a game of Book Festival: the deck, hands, animals, empty booths."""

from __future__ import annotations

from sim.book_festival import events
from sim.book_festival.cards import give, next_card
from sim.book_festival.state import (
    ANIMALS,
    BASE_ANIMALS,
    DEAL_ANIMALS,
    DECK,
    GENRES,
    MAX_SLOTS,
    NO_GENRE,
    NO_POP,
    POPS,
    RANDOM_ANIMAL,
    TURNS,
)
from sim.jit import jit
from sim.rng import shuffle


@jit
def set_up(rules, state, row, desk):
    """Shuffle the deck, empty the booths, deal the animals and the hands."""
    table = state.table
    build_deck(rules, state)
    for genre in range(len(GENRES)):
        table.pile[genre] = 0
        table.discards[genre] = 0
        table.gone[genre] = 0
        for filed in range(len(GENRES)):
            table.filed[genre, filed] = 0
    for pop in range(POPS):
        table.pop_left[pop] = rules.pop_copies
    for seat in range(rules.players):
        open_booth(rules, state, seat)
    deal_animals(rules, state)
    for seat in range(rules.players):
        for _ in range(rules.starting_hand):
            give(state, seat, next_card(state))
    state.hidden.stalled = 0
    table.start = 0
    table.buyer = 0
    table.at_booth = 0
    table.at_slot = 0
    events.tell_setup(rules, state, desk)
    open_round(rules, state, desk, 1)


@jit
def build_deck(rules, state):
    """Every genre's books, shuffled."""
    count = 0
    for genre in range(len(GENRES)):
        for _ in range(rules.books_per_genre):
            state.hidden.deck[count] = genre
            count += 1
    shuffle(state.hidden.streams[DECK], state.hidden.deck, count)
    state.table.deck_size = count


@jit
def open_booth(rules, state, seat):
    """An empty main shelf, a full supply, an empty hand."""
    booth, own = state.table.booths[seat], state.owns[seat]
    booth.slots = rules.main_shelf_slots
    for slot in range(MAX_SLOTS):
        booth.genre[slot] = NO_GENRE
        booth.books[slot] = 0
        booth.mix[slot] = 0
        booth.pop[slot] = NO_POP
    booth.end_shelves = 0
    booth.hand_size = 0
    booth.supply = rules.stars_per_player
    booth.stars = 0
    own.seat = seat
    for genre in range(len(GENRES)):
        own.hand[genre] = 0


@jit
def deal_animals(rules, state):
    """Each seat gets a different animal, which starts on the first slot of its own booth."""
    animals = len(ANIMALS) if rules.extension else BASE_ANIMALS
    deal = state.hidden.sold_slot
    for animal in range(animals):
        deal[animal] = animal
    shuffle(state.hidden.streams[DEAL_ANIMALS], deal, animals)
    for seat in range(rules.players):
        booth = state.table.booths[seat]
        booth.animal = rules.animals[seat] if rules.animals[seat] != RANDOM_ANIMAL else deal[seat]
        booth.at_booth = seat
        booth.at_slot = 0


@jit
def open_round(rules, state, desk, number):
    """The start player's turn comes first."""
    table = state.table
    table.round_number = number
    table.phase = TURNS
    table.place = 0
    table.actions = 0
    for seat in range(rules.players):
        table.roll[seat] = 0
    events.tell_round(state, desk)
