"""Book Festival, a game after the rule book: rounds of an action phase and a sales phase, then the MVP draw."""

from __future__ import annotations

from sim.book_festival import events, faults
from sim.book_festival.cards import can_discard, discard, draw_card, has_room
from sim.book_festival.finish import finish
from sim.book_festival.sales import sales_phase
from sim.book_festival.setup import open_round
from sim.book_festival.shelves import add_end_shelf, put_on, take_off
from sim.book_festival.state import (
    ACT,
    ANY_GENRE,
    BOOKLET,
    BUY,
    DRAW,
    END_SHELF,
    GENRES,
    NO_POP,
    OF_SHELF,
    OVER,
    PASS,
    PLACE,
    RETRIEVE,
    SALES,
    SEAT_STREAM,
    START_ROTATES,
    TURNS,
    WHY_ACTION,
    WHY_BONUS,
    WHY_BOOKLET,
)
from sim.book_festival.view import books_on, copies, is_barred, main_start, retrieval
from sim.desk import ask, fault, is_due, is_whole
from sim.jit import jit
from sim.pointers import clear


@jit
def play(rules, state, row, desk):
    """Play on from where the game stands to its end; False when it was stopped before."""
    table = state.table
    while table.phase != OVER:
        if table.phase == TURNS and not action_phase(rules, state, row, desk):
            return False
        if not sales_phase(rules, state, row, desk):
            return False
        end_of_round(rules, state, row, desk)
    return True


# --- 1. Action phase ---------------------------------------------------------------------------------


@jit
def action_phase(rules, state, row, desk):
    """Clockwise from the start player, each draws their bonus cards and takes their actions."""
    table = state.table
    while table.place < rules.players:
        seat = (table.start + table.place) % rules.players
        while table.actions < rules.actions_per_turn:
            if not is_due(desk, ACT, seat):
                return False
            if table.actions == 0:
                start_of_turn(rules, state, row, desk, seat)
            if not act(rules, state, row, desk, seat):
                return False
            table.actions += 1
        table.actions = 0
        table.place += 1
    table.phase = SALES
    return True


@jit
def start_of_turn(rules, state, row, desk, seat):
    """A card for a full main shelf, one for each full end shelf, one for each With Booklet."""
    booth = state.table.booths[seat]
    main = main_start(rules, booth)
    is_main_full = is_filled(booth, main, rules.main_shelf_slots)
    if is_main_full:
        draw_free(rules, state, row, desk, seat, WHY_BONUS)
    for shelf in range(booth.end_shelves):
        first = (0 if main > 0 else rules.main_shelf_slots) + shelf * rules.end_shelf_slots
        if (is_main_full or not rules.end_bonus_needs_main) and is_filled(booth, first, rules.end_shelf_slots):
            draw_free(rules, state, row, desk, seat, WHY_BONUS)
    for slot in range(booth.slots):
        if booth.pop[slot] == BOOKLET:
            draw_free(rules, state, row, desk, seat, WHY_BOOKLET)


@jit
def is_filled(booth, first, slots):
    """Tell whether every slot of a shelf holds books."""
    for slot in range(first, first + slots):
        if booth.books[slot] == 0:
            return False
    return True


@jit
def draw_free(rules, state, row, desk, seat, why):
    """A free draw lapses with a full hand."""
    if has_room(rules, state, seat, 1):
        draw_card(state, row, desk, seat, why)


@jit
def act(rules, state, row, desk, seat):
    """Ask for one action and do it."""
    choice = desk.choice
    clear(choice)
    choice.action = PASS
    if not ask(desk, ACT, seat, rules, state.table, state.owns[seat], state.hidden.streams[SEAT_STREAM + seat]):
        return False
    if not is_whole(choice.action, PASS, DRAW):
        return fault(desk, faults.ACTION, 0)
    action = int(choice.action)
    row.seats[seat].actions[action] += 1
    if action == PLACE:
        return place_books(rules, state, row, desk, seat)
    if action == BUY:
        return buy(rules, state, row, desk, seat)
    if action == RETRIEVE:
        return retrieve(rules, state, desk, seat)
    if action == DRAW:
        return draw_action(rules, state, row, desk, seat)
    events.tell_pass(desk, seat)
    return True


@jit
def is_own_slot(state, desk, seat):
    """Tell whether the answer names a slot of the seat's booth."""
    last = state.table.booths[seat].slots - 1
    return is_whole(desk.choice.slot, 0, last) or fault(desk, faults.SLOT, last)


@jit
def place_books(rules, state, row, desk, seat):
    """One or more cards of one genre onto one slot that is empty or already holds that genre, or by a switch any."""
    choice, booth, own = desk.choice, state.table.booths[seat], state.owns[seat]
    if not is_own_slot(state, desk, seat):
        return False
    if not is_whole(choice.genre, 0, len(GENRES) - 1):
        return fault(desk, faults.GENRE, len(GENRES) - 1)
    slot, genre = int(choice.slot), int(choice.genre)
    if not is_whole(choice.count, 1, own.hand[genre]):
        return fault(desk, faults.PLACE_COUNT, own.hand[genre])
    count = int(choice.count)
    if is_barred(rules, booth, slot, genre):
        return fault(desk, faults.SLOT_GENRE, booth.genre[slot])
    if rules.slot_capacity > 0 and booth.books[slot] + count > rules.slot_capacity:
        return fault(desk, faults.SLOT_FULL, rules.slot_capacity - booth.books[slot])
    own.hand[genre] -= count
    booth.hand_size -= count
    put_on(rules, booth, slot, genre, count)
    row.seats[seat].placed += count
    events.tell_place(desk, seat, genre, count, slot)
    return True


@jit
def buy(rules, state, row, desk, seat):
    """Discard the cost in cards of any genre for a POP or an end shelf."""
    choice = desk.choice
    if not is_whole(choice.bought, 0, END_SHELF):
        return fault(desk, faults.ITEM, END_SHELF)
    item = int(choice.bought)
    if item == END_SHELF:
        return buy_end_shelf(rules, state, row, desk, seat)
    return buy_pop(rules, state, row, desk, seat, item)


@jit
def buy_pop(rules, state, row, desk, seat, pop):
    """A POP is put on a slot of the own booth that has none; it stays."""
    table, choice = state.table, desk.choice
    booth = table.booths[seat]
    if table.pop_left[pop] == 0:
        return fault(desk, faults.POPS_GONE, 0)
    if not is_own_slot(state, desk, seat):
        return False
    slot = int(choice.slot)
    if booth.pop[slot] != NO_POP:
        return fault(desk, faults.POP_THERE, slot)
    if not can_discard(state, seat, choice.discards, rules.pop_cost[pop]):
        return fault(desk, faults.DISCARDS, rules.pop_cost[pop])
    discard(state, seat, choice.discards)
    booth.pop[slot] = pop
    table.pop_left[pop] -= 1
    row.seats[seat].bought[pop] += 1
    row.seats[seat].spent[pop] += rules.pop_cost[pop]
    events.tell_buy(desk, seat, pop, slot)
    return True


@jit
def buy_end_shelf(rules, state, row, desk, seat):
    """An end shelf adds its slots at an end of the booth."""
    choice, booth = desk.choice, state.table.booths[seat]
    if booth.end_shelves >= rules.end_shelves_max:
        return fault(desk, faults.SHELVES_FULL, rules.end_shelves_max)
    if not can_discard(state, seat, choice.discards, rules.end_shelf_cost):
        return fault(desk, faults.DISCARDS, rules.end_shelf_cost)
    discard(state, seat, choice.discards)
    add_end_shelf(rules, state.table, seat)
    row.seats[seat].bought[END_SHELF] += 1
    row.seats[seat].spent[END_SHELF] += rules.end_shelf_cost
    events.tell_buy(desk, seat, END_SHELF, -1)
    return True


@jit
def retrieve(rules, state, desk, seat):
    """Take any number of books from one slot back to hand, at least one; by a switch from one shelf."""
    choice, booth = desk.choice, state.table.booths[seat]
    if not is_own_slot(state, desk, seat):
        return False
    slot = int(choice.slot)
    if rules.slot_genres == ANY_GENRE and not is_whole(choice.genre, 0, len(GENRES) - 1):
        return fault(desk, faults.GENRE, len(GENRES) - 1)
    first, slots = retrieval(rules, booth, slot)
    there = books_on(booth, first, slots)
    if not is_whole(choice.count, 1, there):
        return fault(desk, faults.SHELF_COUNT if rules.retrieve_from == OF_SHELF else faults.RETRIEVE_COUNT, there)
    count = int(choice.count)
    if not has_room(rules, state, seat, count):
        return fault(desk, faults.HAND_LIMIT, rules.hand_limit)
    left = count
    for k in range(slots):  # from the named slot on to the right, then from the shelf's leftmost on
        at = first + (slot - first + k) % slots
        while left > 0 and booth.books[at] > 0:
            left -= take_back(rules, state, desk, seat, at, left, left < count)
    return True


@jit
def take_back(rules, state, desk, seat, slot, wanted, is_more):
    """Take books of one genre off a slot, at most so many: those of the genre named first; return how many."""
    booth, own = state.table.booths[seat], state.owns[seat]
    genre = booth.genre[slot]
    if rules.slot_genres == ANY_GENRE and copies(rules, booth, slot, int(desk.choice.genre)) > 0:
        genre = int(desk.choice.genre)
    count = min(wanted, copies(rules, booth, slot, genre))
    own.hand[genre] += count
    booth.hand_size += count
    take_off(rules, booth, slot, genre, count)
    events.tell_retrieve(desk, seat, genre, count, slot, is_more)
    return count


@jit
def draw_action(rules, state, row, desk, seat):
    """Draw one card from the deck."""
    if not has_room(rules, state, seat, 1):
        return fault(desk, faults.HAND_LIMIT, rules.hand_limit)
    draw_card(state, row, desk, seat, WHY_ACTION)
    return True


# --- End of the round --------------------------------------------------------------------------------


@jit
def end_of_round(rules, state, row, desk):
    """The game ends with the round in which a supply is empty; a guard ends one that never gets there."""
    table = state.table
    is_empty = False
    for seat in range(rules.players):
        is_empty = is_empty or table.booths[seat].supply == 0
    if is_empty or table.round_number == rules.max_rounds:
        state.hidden.stalled = not is_empty
        table.phase = OVER
        finish(rules, state, row, desk)
        return
    if rules.start_player == START_ROTATES:
        table.start = (table.start + 1) % rules.players
    open_round(rules, state, desk, table.round_number + 1)
