"""What a player can work out from the rules and the table, and ways to word an answer.

Every policy's helpers, and the engine's where it asks the same: a rule stands once.
"""

from __future__ import annotations

from sim.book_festival.state import (
    ANY_GENRE,
    AT_LEFT,
    BUY,
    CHAMELEON,
    COUNTS_SLOT,
    DRAW,
    END_SHELF,
    GENRES,
    MAX_SLOTS,
    MIX_BITS,
    NO_POP,
    OF_SLOT,
    ONE_GENRE,
    PLACE,
    RETRIEVE,
    SKIP_PASS_OVER,
)
from sim.jit import jit


@jit
def place(choice, slot, genre, count):
    """Answer: put books of a genre on a slot."""
    choice.action = PLACE
    choice.slot = slot
    choice.genre = genre
    choice.count = count


@jit
def retrieve(choice, slot, count):
    """Answer: take books of a slot back to hand.

    Where one action may take from a whole shelf, books beyond the slot's come from the next slots of its shelf to
    the right, then from the leftmost on (see `retrievable`); from a slot with several genres, those of
    `choice.genre` come first, then the most plentiful.
    """
    choice.action = RETRIEVE
    choice.slot = slot
    choice.count = count


@jit
def draw(choice):
    """Answer: draw a card."""
    choice.action = DRAW


@jit
def buy(choice, bought, slot):
    """Answer: buy a POP for a slot, or an end shelf; the discards are the caller's (see `pay`)."""
    choice.action = BUY
    choice.bought = bought
    choice.slot = slot


@jit
def price(rules, bought):
    """The cards that a POP or an end shelf costs."""
    return rules.end_shelf_cost if bought == END_SHELF else rules.pop_cost[bought]


@jit
def can_draw(rules, table, seat):
    """Tell whether the hand limit allows another card."""
    return rules.hand_limit == 0 or table.booths[seat].hand_size < rules.hand_limit


@jit
def can_buy(rules, table, seat, bought):
    """Tell whether a copy, room in the booth and the cards for it are there."""
    booth = table.booths[seat]
    if booth.hand_size < price(rules, bought):
        return False
    if bought == END_SHELF:
        return booth.end_shelves < rules.end_shelves_max
    return table.pop_left[bought] > 0 and free_display(booth) >= 0


@jit
def free_display(booth):
    """The leftmost slot without a POP, -1 when every slot has one."""
    for slot in range(booth.slots):
        if booth.pop[slot] == NO_POP:
            return slot
    return -1


@jit
def room(rules, booth, slot, genre):
    """How many books of a genre a slot can take more; without a capacity, more than there are."""
    if is_barred(rules, booth, slot, genre):
        return 0
    if rules.slot_capacity == 0:
        return rules.books_per_genre * len(GENRES)
    return rules.slot_capacity - booth.books[slot]


@jit
def is_barred(rules, booth, slot, genre):
    """Tell whether books of another genre keep a genre off a slot."""
    return booth.books[slot] > 0 and booth.genre[slot] != genre and rules.slot_genres == ONE_GENRE


@jit
def copies(rules, booth, slot, genre):
    """How many books of a genre a slot holds."""
    if rules.slot_genres == ANY_GENRE:
        return booth.mix[slot] >> MIX_BITS * genre & (1 << MIX_BITS) - 1
    return booth.books[slot] if booth.genre[slot] == genre else 0


@jit
def main_start(rules, booth):
    """The first slot of the main shelf: end shelves stand to its right, or by a switch to its left."""
    return booth.end_shelves * rules.end_shelf_slots if rules.end_shelf_side == AT_LEFT else 0


@jit
def is_on_main(rules, booth, slot):
    """Tell whether a slot is one of the main shelf."""
    return 0 <= slot - main_start(rules, booth) < rules.main_shelf_slots


@jit
def shelf_of(rules, booth, slot):
    """The first slot of the shelf that a slot is on, and how many slots the shelf has."""
    main = main_start(rules, booth)
    if is_on_main(rules, booth, slot):
        return main, rules.main_shelf_slots
    before = 0 if slot < main else main + rules.main_shelf_slots
    return slot - (slot - before) % rules.end_shelf_slots, rules.end_shelf_slots


@jit
def books_on(booth, first, slots):
    """How many books so many slots of a booth hold together."""
    books = 0
    for slot in range(first, first + slots):
        books += booth.books[slot]
    return books


@jit
def retrieval(rules, booth, slot):
    """The slots that one action takes back from with such a slot named: the first, and how many."""
    if rules.retrieve_from == OF_SLOT:
        return slot, 1
    return shelf_of(rules, booth, slot)


@jit
def retrievable(rules, booth, slot):
    """How many books one action may take back with such a slot named: the slot's, or by a switch its shelf's."""
    first, slots = retrieval(rules, booth, slot)
    return books_on(booth, first, slots)


@jit
def pay(choice, own, cards, worth):
    """Discard so many cards, those of the least worth by genre first; False when the hand is too small."""
    left = cards
    for genre in range(len(GENRES)):
        choice.discards[genre] = 0
    while left > 0:
        cheapest = -1
        for genre in range(len(GENRES)):
            if own.hand[genre] > choice.discards[genre] and (cheapest < 0 or worth[genre] < worth[cheapest]):
                cheapest = genre
        if cheapest < 0:
            return False
        choice.discards[cheapest] += 1
        left -= 1
    return True


@jit
def bought_at(rules, booth, slot, animal):
    """The genre and the number of the books that an animal buys of a slot where it stops, its neighbours not counted.

    Of a slot with several genres it takes its favourite's, else one of the most plentiful; the chameleon takes all,
    and the most plentiful one's name stands for them.
    """
    genre, books = booth.genre[slot], booth.books[slot]
    if books > 0 and animal == CHAMELEON:
        return genre, books if chameleon_count(rules, booth, slot) < rules.chameleon_limit else 0
    if animal < len(GENRES) and copies(rules, booth, slot, animal) > 0:
        return animal, copies(rules, booth, slot, animal)
    return genre, min(books, 1)


@jit
def chameleon_count(rules, booth, slot):
    """The books that count for the chameleon's limit at a slot: those there, or by a switch those of its shelf."""
    if rules.chameleon_counts == COUNTS_SLOT:
        return booth.books[slot]
    first, slots = shelf_of(rules, booth, slot)
    return books_on(booth, first, slots)


@jit
def next_space(rules, table, animal, booth, slot, filler):
    """The next space on an animal's way: along the slots left to right, then the next booth; -1 when a lap has none.

    filler: a seat whose empty slots count as spaces, for it may still fill them; NOBODY for the way as it lies.
    """
    for _ in range(rules.players * MAX_SLOTS):
        slot += 1
        if slot >= table.booths[booth].slots:
            slot = 0
            booth = (booth + 1) % rules.players
        if is_space(rules, table.booths[booth], slot, animal, booth == filler):
            return booth, slot
    return -1, -1


@jit
def is_space(rules, booth, slot, animal, is_to_be_filled):
    """Every slot is a space; by a switch empty ones are not, and the chameleon's overfull ones are not for it."""
    if animal == CHAMELEON and rules.chameleon_skip == SKIP_PASS_OVER:
        if chameleon_count(rules, booth, slot) >= rules.chameleon_limit:
            return False
    return booth.books[slot] > 0 or rules.empty_slots_count != 0 or is_to_be_filled
