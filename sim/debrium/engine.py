"""Debrium: Treasure, a game after the rule book from the first bid on: rounds of six phases, then the score.

Plain scalar code in the order and words of the book (docs name the source of each rule). Every function
takes the same four things: `rules`, the whole `state`, the `row` of outcomes being filled, and the `desk`
at which policies are asked. Functions that ask return False when the game was stopped there.
"""

from __future__ import annotations

from sim.debrium import events, faults
from sim.debrium.score import final_score, keep_standings
from sim.debrium.setup import open_round, show_coins, top_level
from sim.debrium.state import (
    ACTION,
    BID,
    BIDDING,
    BLUE,
    BLUE_MAY,
    COINS_FIRST,
    COLUMN,
    EXTRA,
    FALL_COLUMN,
    FALL_ROW,
    FUNDS,
    GREEN,
    LEVELS,
    MAX_WORKERS,
    MINE,
    NO_COMPANY,
    NO_SPACE,
    NOBODY,
    OVER,
    ROW,
    SEAT_STREAM,
    TURN,
    YELLOW,
)
from sim.debrium.view import hiring_price, workers_needed
from sim.desk import ask, fault, is_due, is_whole
from sim.jit import jit
from sim.pointers import clear
from sim.rng import below


@jit
def play(rules, state, row, desk):
    """Play on from where the game stands to its end; False when it was stopped before."""
    table = state.table
    while table.phase != OVER:
        if table.phase == BIDDING and not bidding(rules, state, row, desk):
            return False
        if not actions(rules, state, row, desk):
            return False
        additional_funds(rules, state, row, desk)
        debris_fall(rules, state, row, desk)
        if not mining(rules, state, row, desk):
            return False
        end_of_round(rules, state, row, desk)
    return True


# --- 1. Bidding for turn order -----------------------------------------------------------------------


@jit
def bidding(rules, state, row, desk):
    """All bid secretly; bids are revealed and paid, the order is made new, the last takes a debt card."""
    table, hidden = state.table, state.hidden
    while table.place < rules.players:
        seat = table.order[table.place]
        if not (is_due(desk, BID, seat) and bid(rules, state, desk, seat)):
            return False
        table.place += 1
    pay_bids(rules, state, row)
    order_by_bids(rules, state)
    last = table.order[rules.players - 1]
    table.seats[last].debt_cards += 1
    first = table.order[0]
    outcome = row.rounds[table.round_number - 1]
    outcome.last_seat = last
    outcome.first_bid = hidden.bid[first] + hidden.skill_bid[first]
    outcome.first_bid_size = min(outcome.first_bid, len(row.seats[first].bids) - 1)
    row.seats[first].times_first += 1
    events.tell_bids(rules, state, desk)
    table.phase = ACTION
    table.place = 0
    return True


@jit
def bid(rules, state, desk, seat):
    """Bid any number of one's coins, 0 included; with the expansion any number of skill coins as well."""
    own, choice = state.owns[seat], desk.choice
    clear(choice)
    if not ask(desk, BID, seat, rules, state.table, own, state.hidden.streams[SEAT_STREAM + seat]):
        return False
    if not is_whole(choice.coins, 0, own.coins):
        return fault(desk, faults.BID_COINS, own.coins)
    if not is_whole(choice.skill_coins, 0, own.skill_coins):
        return fault(desk, faults.BID_SKILL_COINS, own.skill_coins)
    state.hidden.bid[seat] = int(choice.coins)
    state.hidden.skill_bid[seat] = int(choice.skill_coins)
    return True


@jit
def pay_bids(rules, state, row):
    """Coins bid go to the coin pool, skill coins to the skill pool, and all see them."""
    table, hidden = state.table, state.hidden
    for seat in range(rules.players):
        coins, skill_coins = hidden.bid[seat], hidden.skill_bid[seat]
        state.owns[seat].coins -= coins
        state.owns[seat].skill_coins -= skill_coins
        table.pool += coins
        table.skill_pool += skill_coins
        table.seats[seat].bid = coins
        table.seats[seat].skill_bid = skill_coins
        show_coins(rules, state, seat)
        row.seats[seat].coins_bid += coins
        row.seats[seat].skill_coins_bid += skill_coins
        row.seats[seat].bids[min(coins + skill_coins, len(row.seats[seat].bids) - 1)] += 1


@jit
def order_by_bids(rules, state):
    """By bid, highest first; ties keep their current relative order. A bid counts both kinds of coins."""
    order, hidden = state.table.order, state.hidden
    for place in range(1, rules.players):
        seat = order[place]
        offer = hidden.bid[seat] + hidden.skill_bid[seat]
        before = place - 1
        while before >= 0 and hidden.bid[order[before]] + hidden.skill_bid[order[before]] < offer:
            order[before + 1] = order[before]
            before -= 1
        order[before + 1] = seat


# --- 2. Action selection -----------------------------------------------------------------------------


@jit
def actions(rules, state, row, desk):
    """In turn order each player mines or takes additional funds."""
    table = state.table
    while table.place < rules.players:
        seat = table.order[table.place]
        if not (is_due(desk, TURN, seat) and turn(rules, state, row, desk, seat)):
            return False
        table.place += 1
    return True


@jit
def turn(rules, state, row, desk, seat):
    """Choose an action, and whether to use the skill that a skill coin in the bid has paid for."""
    table, own, choice = state.table, state.owns[seat], desk.choice
    most = min(rules.yellow_take, table.pool)
    clear(choice)
    choice.action = FUNDS
    choice.taken = most
    choice.pay_skill_coins = COINS_FIRST
    if not ask(desk, TURN, seat, rules, table, own, state.hidden.streams[SEAT_STREAM + seat]):
        return False
    if not is_whole(choice.action, FUNDS, MINE):
        return fault(desk, faults.ACTION, 0)
    if not is_whole(choice.skill, 0, 1):
        return fault(desk, faults.SKILL, 0)
    if choice.skill == 1 and not use_skill(rules, state, row, desk, seat, most):
        return False
    table.seats[seat].action = int(choice.action)
    if choice.action == MINE:
        if not mining_preparation(rules, state, row, desk, seat):
            return False
    else:
        row.seats[seat].funds += 1
        events.tell_funds(desk, seat)
    if table.seats[seat].skill_used and table.seats[seat].company == GREEN:
        table.surcharge += rules.green_surcharge
    return True


@jit
def use_skill(rules, state, row, desk, seat, most):
    """At the start of the turn, once: only who bid a skill coin, and a company is needed."""
    table, choice = state.table, desk.choice
    public = table.seats[seat]
    if public.skill_bid == 0 or public.company == NO_COMPANY:
        return fault(desk, faults.SKILL_UNPAID, public.skill_bid)
    if choice.action == FUNDS and not rules.skill_with_funds:
        return fault(desk, faults.SKILL_WITH_FUNDS, 0)
    public.skill_used = 1
    row.seats[seat].skills += 1
    taken = 0
    if public.company == YELLOW:
        if not is_whole(choice.taken, 0, most):
            return fault(desk, faults.YELLOW_TAKE, most)
        taken = int(choice.taken)
        table.pool -= taken
        state.owns[seat].coins += taken
        show_coins(rules, state, seat)
        row.seats[seat].coins_taken += taken
    events.tell_skill(desk, seat, public.company, taken)
    return True


# --- 3. Mining preparation ---------------------------------------------------------------------------


@jit
def mining_preparation(rules, state, row, desk, seat):
    """Place workers on spaces at once, hiring the extra workers that they need."""
    table, choice = state.table, desk.choice
    if not is_whole(choice.placements, 0, MAX_WORKERS):
        return fault(desk, faults.PLACEMENTS, MAX_WORKERS)
    workers = 0
    for k in range(int(choice.placements)):
        if not place(rules, state, desk, seat, choice.spaces[k]):
            return False
        workers += workers_needed(rules, table, seat, int(choice.spaces[k]), table.seats[seat].skill_used)
    if workers > rules.max_workers:
        return fault(desk, faults.WORKERS, rules.max_workers)
    if not hire(rules, state, row, desk, seat, workers):
        return False
    row.seats[seat].mines += 1
    row.seats[seat].placements += state.hidden.placements[seat]
    if state.hidden.placements[seat] == 0:
        row.seats[seat].idle_mines += 1
    return True


@jit
def place(rules, state, desk, seat, answer):
    """A space with a chip on it and nobody's workers."""
    table, hidden = state.table, state.hidden
    if not is_whole(answer, 0, rules.spaces - 1):
        return fault(desk, faults.SPACE, rules.spaces - 1)
    space = int(answer)
    if table.stack[space] == 0:
        return fault(desk, faults.SPACE_EMPTY, space)
    if table.holder[space] != NOBODY:
        return fault(desk, faults.SPACE_OCCUPIED, space)
    table.holder[space] = seat
    hidden.placed[seat, hidden.placements[seat]] = space
    hidden.placements[seat] += 1
    return True


@jit
def hire(rules, state, row, desk, seat, workers):
    """Pay for the workers beyond the free ones, in coins and skill coins, into the matching pools.

    Exactly those that are placed, or with `hire_idle` some that stand idle as well.
    """
    table, own, choice = state.table, state.owns[seat], desk.choice
    most_idle = rules.max_workers - max(workers, rules.free_workers) if rules.hire_idle else 0
    if not is_whole(choice.idle_workers, 0, most_idle):
        return fault(desk, faults.IDLE_WORKERS, most_idle)
    hired = max(0, workers - rules.free_workers) + int(choice.idle_workers)
    price = hiring_price(rules, table, seat, hired, table.seats[seat].skill_used)
    if price > own.coins + own.skill_coins:
        return fault(desk, faults.HIRE_PRICE, price)
    skill_coins = max(0, price - own.coins)
    if choice.pay_skill_coins != COINS_FIRST:
        if not is_whole(choice.pay_skill_coins, skill_coins, min(price, own.skill_coins)):
            return fault(desk, faults.PAY_SKILL_COINS, min(price, own.skill_coins))
        skill_coins = int(choice.pay_skill_coins)
    coins = price - skill_coins
    own.coins -= coins
    own.skill_coins -= skill_coins
    table.pool += coins
    table.skill_pool += skill_coins
    show_coins(rules, state, seat)
    outcome = row.seats[seat]
    outcome.hired += hired
    outcome.hire_coins += coins
    outcome.hire_skill_coins += skill_coins
    outcome.hires[min(hired, len(outcome.hires) - 1)] += 1
    events.tell_mine(state, desk, seat, workers, hired, coins, skill_coins)
    return True


# --- 4. Additional funds -----------------------------------------------------------------------------


@jit
def additional_funds(rules, state, row, desk):
    """Split the coin pool, then the skill pool, evenly among those who took funds; the rest stays."""
    table = state.table
    takers = 0
    for seat in range(rules.players):
        if table.seats[seat].action == FUNDS:
            takers += 1
    outcome = row.rounds[table.round_number - 1]
    outcome.pool = table.pool
    outcome.takers = takers
    coins = table.pool // takers if takers > 0 else 0
    skill_coins = table.skill_pool // takers if takers > 0 else 0
    for seat in range(rules.players):
        if table.seats[seat].action == FUNDS:
            state.owns[seat].coins += coins
            state.owns[seat].skill_coins += skill_coins
            row.seats[seat].funds_coins += coins
            row.seats[seat].funds_skill_coins += skill_coins
            show_coins(rules, state, seat)
    table.pool -= coins * takers
    table.skill_pool -= skill_coins * takers
    outcome.paid = coins * takers
    events.tell_payout(rules, state, desk, coins, skill_coins)


# --- 5. Debris fall ----------------------------------------------------------------------------------


@jit
def debris_fall(rules, state, row, desk):
    """Draw a column and a row chip: the impact, the bursts, the workers lost, the fallen chip."""
    table, hidden = state.table, state.hidden
    column = draw_coordinate(rules, table.shown[COLUMN], rules.columns, hidden.streams[FALL_COLUMN])
    line = draw_coordinate(rules, table.shown[ROW], rules.rows, hidden.streams[FALL_ROW])
    is_column_burst = table.shown[COLUMN, column] > 0
    is_row_burst = table.shown[ROW, line] > 0
    impact = line * rules.columns + column
    number = table.round_number - 1
    value = hidden.pile[number]
    events.tell_fall(desk, column, line, is_column_burst, is_row_burst, impact, value)
    for seat in range(rules.players):
        for k in range(hidden.placements[seat]):
            space = hidden.placed[seat, k]
            is_in_burst = (is_column_burst and space % rules.columns == column) or (
                is_row_burst and space // rules.columns == line
            )
            row.rounds[number].placements += 1
            if space == impact or is_in_burst:
                table.holder[space] = NOBODY
                row.rounds[number].lost += 1
                if space == impact:
                    row.seats[seat].lost_impact += 1
                else:
                    row.seats[seat].lost_burst += 1
                events.tell_lost(desk, seat, space)
    show_coordinate(table.shown[COLUMN], rules.columns, column, is_column_burst)
    show_coordinate(table.shown[ROW], rules.rows, line, is_row_burst)
    row.rounds[number].burst_column = is_column_burst
    row.rounds[number].burst_row = is_row_burst
    row.bursts_column += is_column_burst
    row.bursts_row += is_row_burst
    put_on_stack(state, impact, LEVELS, value)


@jit
def draw_coordinate(rules, shown, labels, chance):
    """Draw a chip from its bag: each label's copies less those on display."""
    in_bag = labels * rules.coordinate_copies
    for label in range(labels):
        in_bag -= shown[label]
    chip = below(chance, in_bag)
    label = 0
    while chip >= rules.coordinate_copies - shown[label]:
        chip -= rules.coordinate_copies - shown[label]
        label += 1
    return label


@jit
def show_coordinate(shown, labels, label, is_burst):
    """The drawn chip stays on display; after a burst all chips of its shape go back to their bag."""
    if is_burst:
        for other in range(labels):
            shown[other] = 0
    else:
        shown[label] += 1


@jit
def put_on_stack(state, space, level, value):
    """Put a chip face down on a space's stack; an empty space starts a new one."""
    height = state.table.stack[space]
    state.hidden.stack_level[space, height] = level
    state.hidden.stack_value[space, height] = value
    state.table.stack[space] = height + 1
    state.table.level[space] = level


# --- 6. Mining ---------------------------------------------------------------------------------------


@jit
def mining(rules, state, row, desk):
    """In turn order the workers still standing collect the top chip of their space."""
    table, hidden = state.table, state.hidden
    for place_in_order in range(rules.players):
        seat = table.order[place_in_order]
        before = state.owns[seat].chip_points
        standing = 0
        for k in range(hidden.placements[seat]):
            space = hidden.placed[seat, k]
            if table.holder[space] == seat:
                hidden.placed[seat, standing] = space
                standing += 1
                collect(rules, state, row, desk, seat, space, False)
        hidden.placements[seat] = standing
        if table.seats[seat].skill_used and table.seats[seat].company == BLUE:
            if not extra_chip(rules, state, row, desk, seat):
                return False
        if place_in_order == 0:
            row.rounds[table.round_number - 1].first_points = state.owns[seat].chip_points - before
    return True


@jit
def collect(rules, state, row, desk, seat, space, is_extra):
    """Take a space's top chip; only its owner sees the value, and the next level becomes visible."""
    table, hidden, own = state.table, state.hidden, state.owns[seat]
    public = table.seats[seat]
    height = table.stack[space] - 1
    level, value = hidden.stack_level[space, height], hidden.stack_value[space, height]
    table.stack[space] = height
    table.level[space] = top_level(state, space)
    own.chip_values[public.chip_count] = value
    own.chip_points += value
    public.chip_count += 1
    public.chips[level] += 1
    row.seats[seat].extra_chips += is_extra
    events.tell_collect(desk, seat, space, level, value, is_extra)


@jit
def extra_chip(rules, state, row, desk, seat):
    """Blue: if a chip remains beneath a space just mined, it is, or may be, taken too; of several, choose one."""
    table, hidden, choice = state.table, state.hidden, desk.choice
    clear(choice)
    count = 0
    for k in range(hidden.placements[seat]):
        space = hidden.placed[seat, k]
        if table.stack[space] > 0:
            choice.spaces[count] = space
            count += 1
    if count == 0:
        return True
    choice.placements = count
    choice.space = choice.spaces[0]
    may_decline = rules.blue_takes == BLUE_MAY
    if count > 1 or may_decline:
        own, chance = state.owns[seat], hidden.streams[SEAT_STREAM + seat]
        if not ask(desk, EXTRA, seat, rules, table, own, chance):
            return False
        if may_decline and choice.space == NO_SPACE:
            return True
        if not is_whole(choice.space, 0, rules.spaces - 1) or not can_take_extra(state, seat, int(choice.space)):
            return fault(desk, faults.EXTRA_SPACE, count)
    collect(rules, state, row, desk, seat, int(choice.space), True)
    return True


@jit
def can_take_extra(state, seat, space):
    """Tell whether a seat has just mined a space beneath which a chip remains."""
    hidden = state.hidden
    for k in range(hidden.placements[seat]):
        if hidden.placed[seat, k] == space:
            return state.table.stack[space] > 0
    return False


@jit
def end_of_round(rules, state, row, desk):
    """All workers go home; the game ends after the round in which the pile ran out."""
    table = state.table
    held = 0
    for seat in range(rules.players):
        held += state.owns[seat].coins
    row.rounds[table.round_number - 1].coins = held
    keep_standings(rules, state, row)
    if table.round_number < rules.rounds:
        open_round(rules, state, table.round_number + 1)
        events.tell_round(state, desk)
    else:
        table.phase = OVER
        final_score(rules, state, row, desk)
