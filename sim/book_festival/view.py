"""What a player can work out from the rules and the table, and ways to word an answer.

Every policy's helpers, and the engine's where it asks the same: a rule stands once.
"""

from __future__ import annotations

from sim.book_festival.state import (
    BUY,
    CAMEL,
    CHAMELEON,
    DRAW,
    END_SHELF,
    GENRES,
    MAX_SLOTS,
    NO_POP,
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
    """Answer: take books of a slot back to hand."""
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
    if booth.books[slot] > 0 and booth.genre[slot] != genre:
        return 0
    if rules.slot_capacity == 0:
        return rules.books_per_genre * len(GENRES)
    return rules.slot_capacity - booth.books[slot]


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
def books_bought(rules, animal, genre, books):
    """How many books of a slot an animal buys that stops there, its neighbours not counted."""
    if books == 0:
        return 0
    if animal == CHAMELEON:
        return books if books < rules.chameleon_limit else 0
    if animal == CAMEL:
        return 1
    return books if animal == genre else 1


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
        is_filled = booth == filler and table.booths[booth].books[slot] == 0
        if is_filled or is_space(rules, table.booths[booth], slot, animal):
            return booth, slot
    return -1, -1


@jit
def is_space(rules, booth, slot, animal):
    """Every slot is a space; by a switch empty ones are not, and the chameleon's overfull ones are not for it."""
    if booth.books[slot] == 0:
        return rules.empty_slots_count != 0
    is_over_limit = animal == CHAMELEON and booth.books[slot] >= rules.chameleon_limit
    return not (is_over_limit and rules.chameleon_skip == SKIP_PASS_OVER)
