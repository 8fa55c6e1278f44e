"""The sales phase of Book Festival: dice, the animals' way along the slots, and what they buy."""

from __future__ import annotations

from sim.book_festival import events, faults
from sim.book_festival.cards import can_discard, discard
from sim.book_festival.shelves import take_off
from sim.book_festival.state import (
    AT_STOP,
    BY_CAMEL,
    BY_CHAMELEON,
    BY_RECOMMENDED,
    CAMEL,
    CAMEL_ALL,
    CHAMELEON,
    DICE,
    FACES,
    FAVOURITE,
    FILE,
    FROM_STOCK,
    GENRES,
    LIMITED,
    NOBODY,
    PER_BOOK,
    RECOMMENDED,
    RELATED,
    SEAT_STREAM,
    SINGLE,
    STOP,
    TO_DISCARDS,
    TRIAL,
)
from sim.book_festival.view import bought_at, copies, is_on_main, next_space
from sim.desk import ask, fault, is_whole
from sim.jit import jit
from sim.pointers import clear
from sim.rng import below

# What came of asking an owner about a passing animal.
_PASSES, _STOPPED, _FAULT = range(3)


@jit
def sales_phase(rules, state, row, desk):
    """All dice are rolled at once; then in start-player order each animal moves and buys."""
    table = state.table
    for seat in range(rules.players):
        face = below(state.hidden.streams[DICE + seat], FACES)
        table.roll[seat] = rules.die[table.booths[seat].animal, face]
    events.tell_roll(rules, state, desk)
    for place in range(rules.players):
        if not move(rules, state, row, desk, (table.start + place) % rules.players):
            return False
    return True


# --- Moving ------------------------------------------------------------------------------------------


@jit
def move(rules, state, row, desk, buyer):
    """An animal moves its roll, slot by slot, clockwise; a Trial Read that it passes may stop it."""
    table = state.table
    home = table.booths[buyer]
    booth, slot = home.at_booth, home.at_slot
    is_stopped = False
    if table.roll[buyer] == 0:
        events.tell_move(desk, buyer, booth, slot)
        return True
    for step in range(1, table.roll[buyer] + 1):
        booth, slot = next_space(rules, table, home.animal, booth, slot, NOBODY)
        if booth < 0:
            events.tell_move(desk, buyer, home.at_booth, home.at_slot)
            return True
        if step < table.roll[buyer] and is_trial(rules, table, booth, slot):
            answer = ask_to_stop(rules, state, row, desk, buyer, booth, slot)
            if answer == _FAULT:
                return False
            if answer == _STOPPED:
                is_stopped = True
                break
    home.at_booth = booth
    home.at_slot = slot
    events.tell_move(desk, buyer, booth, slot)
    before = row.seats[buyer].bought_books
    if not visit(rules, state, row, desk, buyer, booth, slot):
        return False
    if is_stopped:
        row.seats[booth].trial_sales += row.seats[buyer].bought_books - before
    return True


@jit
def is_trial(rules, table, booth, slot):
    """Tell whether a passed slot has a Trial Read with books (or by a switch without), its owner the cards for it."""
    owner = table.booths[booth]
    if owner.pop[slot] != TRIAL or owner.hand_size < rules.trial_discard:
        return False
    return owner.books[slot] > 0 or not rules.trial_needs_books


@jit
def ask_to_stop(rules, state, row, desk, buyer, owner, slot):
    """Trial Read: the owner may discard cards to stop the animal there."""
    table, choice = state.table, desk.choice
    table.buyer, table.at_booth, table.at_slot = buyer, owner, slot
    clear(choice)
    if not ask(desk, STOP, owner, rules, table, state.owns[owner], state.hidden.streams[SEAT_STREAM + owner]):
        return _FAULT
    if not is_whole(choice.stop, 0, 1):
        fault(desk, faults.STOP_ANSWER, 0)
        return _FAULT
    if choice.stop == 0:
        return _PASSES
    if not can_discard(state, owner, choice.discards, rules.trial_discard):
        fault(desk, faults.DISCARDS, rules.trial_discard)
        return _FAULT
    discard(state, owner, choice.discards)
    row.seats[owner].trials += 1
    row.seats[owner].spent[TRIAL] += rules.trial_discard
    events.tell_trial(desk, owner, buyer, slot)
    return _STOPPED


# --- Buying ------------------------------------------------------------------------------------------


@jit
def visit(rules, state, row, desk, buyer, owner, slot):
    """An animal stops on a slot: it buys there, the camel beside it, then Recommended Series does its work."""
    booth = state.table.booths[owner]
    animal = state.table.booths[buyer].animal
    state.hidden.sold_count = 0
    genre, count = bought_at(rules, booth, slot, animal)
    if count == 0:
        return True
    if animal == CHAMELEON:
        if not sell_all(rules, state, row, desk, buyer, owner, slot):
            return False
    elif not sell(
        rules, state, row, desk, buyer, owner, slot, genre, count, FAVOURITE if animal == genre else SINGLE
    ):
        return False
    if animal == CAMEL and (rules.camel_at == AT_STOP or owner == buyer):
        if not sell_beside(rules, state, row, desk, buyer, owner, slot, genre, BY_CAMEL):
            return False
    return recommend(rules, state, row, desk, buyer, owner)


@jit
def sell_all(rules, state, row, desk, buyer, owner, slot):
    """The chameleon buys every book of any genre, genre by genre where there are several."""
    for genre in range(len(GENRES)):
        count = copies(rules, state.table.booths[owner], slot, genre)
        if count > 0 and not sell(rules, state, row, desk, buyer, owner, slot, genre, count, BY_CHAMELEON):
            return False
    return True


@jit
def recommend(rules, state, row, desk, buyer, owner):
    """For each slot that sold, in order: with Recommended Series the adjacent books of its genre are bought too."""
    hidden, booth = state.hidden, state.table.booths[owner]
    last = hidden.sold_count
    at = 0
    while at < (hidden.sold_count if rules.recommended_chain else last):
        slot, genre = hidden.sold_slot[at], hidden.sold_genre[at]
        if booth.pop[slot] == RECOMMENDED and not sell_beside(
            rules, state, row, desk, buyer, owner, slot, genre, BY_RECOMMENDED
        ):
            return False
        at += 1
    return True


@jit
def sell_beside(rules, state, row, desk, buyer, owner, slot, genre, cause):
    """Sell from the left, then the right neighbour of the same genre: one book to a camel, else all."""
    booth = state.table.booths[owner]
    for beside in (slot - 1, slot + 1):
        count = copies(rules, booth, beside, genre) if 0 <= beside < booth.slots else 0
        if count > 0:
            is_single = cause == BY_CAMEL and rules.camel_adjacent != CAMEL_ALL
            if is_single:
                count = 1
            if not sell(rules, state, row, desk, buyer, owner, beside, genre, count, cause):
                return False
    return True


@jit
def sell(rules, state, row, desk, buyer, owner, slot, genre, count, cause):
    """Sell books of a slot one at a time: a star each, Limited Edition's extra, and the genre pile."""
    hidden, booth = state.hidden, state.table.booths[owner]
    is_end_slot = not is_on_main(rules, booth, slot)
    is_first_here = True
    for at in range(hidden.sold_count):
        is_first_here = is_first_here and hidden.sold_slot[at] != slot
    hidden.sold_slot[hidden.sold_count] = slot
    hidden.sold_genre[hidden.sold_count] = genre
    hidden.sold_count += 1
    for number in range(count):
        pile = genre
        if booth.pop[slot] == RELATED:
            pile = ask_where_to_file(rules, state, desk, buyer, owner, slot, genre)
            if pile < 0:
                return False
        take_off(rules, booth, slot, genre, 1)
        has_extra = rules.limited_per == PER_BOOK or (number == 0 and is_first_here)
        star = send_stars(booth, 1)
        limited = (
            send_extra(rules, booth, rules.limited_extra_stars) if booth.pop[slot] == LIMITED and has_extra else 0
        )
        bonus, is_cleared = file_book(rules, state, row, owner, genre, pile)
        outcome = row.seats[owner]
        outcome.sales[cause] += 1
        outcome.stars_by[0] += star
        outcome.stars_by[1] += limited
        outcome.stars_by[2] += bonus
        if pile != genre:
            outcome.related_bonus += bonus
        outcome.own_sales += buyer == owner
        outcome.shelf_sales += is_end_slot
        row.seats[buyer].bought_books += 1
        events.tell_sale(desk, owner, slot, genre, buyer, cause, pile, star, limited, bonus, is_cleared)
    return True


@jit
def send_stars(booth, wanted):
    """Move stars from a supply to the vote bag; a short supply gives what it has."""
    sent = min(wanted, booth.supply)
    booth.supply -= sent
    booth.stars += sent
    return sent


@jit
def send_extra(rules, booth, wanted):
    """Stars of a Limited Edition or a genre bonus come from the supply too, or by a switch from a common stock."""
    if rules.extra_stars_from == FROM_STOCK:
        booth.stars += wanted
        return wanted
    return send_stars(booth, wanted)


@jit
def ask_where_to_file(rules, state, desk, buyer, owner, slot, genre):
    """Related Books: the owner files the book under any genre; -1 for a fault."""
    table, choice = state.table, desk.choice
    table.buyer, table.at_booth, table.at_slot = buyer, owner, slot
    clear(choice)
    choice.genre = genre
    if not ask(desk, FILE, owner, rules, table, state.owns[owner], state.hidden.streams[SEAT_STREAM + owner]):
        return -1
    if not is_whole(choice.genre, 0, len(GENRES) - 1):
        fault(desk, faults.FILE_GENRE, len(GENRES) - 1)
        return -1
    return int(choice.genre)


@jit
def file_book(rules, state, row, owner, genre, pile):
    """The book goes to a pile; a full pile gives its owner the genre bonus and is discarded, or by a switch out."""
    table = state.table
    table.pile[pile] += 1
    table.filed[pile, genre] += 1
    if table.pile[pile] < rules.genre_pile_size:
        return 0, False
    bonus = send_extra(rules, table.booths[owner], rules.genre_bonus_stars)
    for filed in range(len(GENRES)):
        if rules.cleared_piles == TO_DISCARDS:
            table.discards[filed] += table.filed[pile, filed]
        else:
            table.gone[filed] += table.filed[pile, filed]
        table.filed[pile, filed] = 0
    table.pile[pile] = 0
    row.seats[owner].piles += 1
    row.piles[pile] += 1
    return bonus, True
