"""Setup of a game of Debrium, and of each of its rounds: what lies where before anyone decides."""

from __future__ import annotations

from sim.debrium import events
from sim.debrium.state import (
    BIDDING,
    CHIPS,
    COLUMN,
    COMPANIES,
    DEAL_COMPANIES,
    FIRST_ORDER,
    LEVELS,
    MAX_SIDE,
    NO_COMPANY,
    NOBODY,
    ORDER_RANDOM,
    PILE,
    ROW,
    UNDECIDED,
    UNSEEN,
)
from sim.jit import jit
from sim.rng import below, shuffle


@jit
def set_up(rules, state, row, desk):
    """Deal the stacks, shuffle the pile, give out coins and companies, draw the first order."""
    clear_displays(state)
    deal_stacks(rules, state)
    shuffle_pile(rules, state)
    hand_out(rules, state)
    draw_first_order(rules, state)
    state.hidden.leaders = 0
    open_round(rules, state, 1)
    for place in range(rules.players):
        row.seats[state.table.order[place]].start_place = place
    events.tell_setup(rules, state, desk)
    events.tell_round(state, desk)


@jit
def clear_displays(state):
    """Both bags of coordinate chips are full, nothing is on display."""
    for label in range(MAX_SIDE):
        state.table.shown[COLUMN, label] = 0
        state.table.shown[ROW, label] = 0


@jit
def deal_stacks(rules, state):
    """Shuffle the level 1-3 chips and deal `stack_height` to each space, the level showing on the top."""
    hidden, table = state.hidden, state.table
    count = 0
    for level in range(1, LEVELS):
        for k in range(rules.chips[level]):
            hidden.chip_level[count] = level
            hidden.chip_value[count] = rules.values[level, k]
            count += 1
    chance = hidden.streams[CHIPS]
    for last in range(count - 1, 0, -1):
        other = below(chance, last + 1)
        level, value = hidden.chip_level[last], hidden.chip_value[last]
        hidden.chip_level[last], hidden.chip_value[last] = hidden.chip_level[other], hidden.chip_value[other]
        hidden.chip_level[other], hidden.chip_value[other] = level, value
    chip = 0
    for space in range(rules.spaces):
        for height in range(rules.stack_height):
            hidden.stack_level[space, height] = hidden.chip_level[chip]
            hidden.stack_value[space, height] = hidden.chip_value[chip]
            chip += 1
        table.stack[space] = rules.stack_height
        table.level[space] = top_level(state, space)


@jit
def top_level(state, space):
    """Return the level on the back of a stack's top chip, 0 where none lies."""
    height = state.table.stack[space]
    return state.hidden.stack_level[space, height - 1] if height > 0 else 0


@jit
def shuffle_pile(rules, state):
    """Shuffle the level-4 chips into the debris pile; one falls each round."""
    for k in range(rules.rounds):
        state.hidden.pile[k] = rules.values[LEVELS, k]
    shuffle(state.hidden.streams[PILE], state.hidden.pile, rules.rounds)


@jit
def hand_out(rules, state):
    """Give every seat its coins, with the expansion skill coins and a company, and fill the pool."""
    table, hidden = state.table, state.hidden
    table.pool = rules.starting_pool
    table.skill_pool = 0
    # All companies are shuffled and the first dealt, so that with 3 players each may be left out.
    deal = hidden.placed[0]
    for company in range(len(COMPANIES)):
        deal[company] = company
    shuffle(hidden.streams[DEAL_COMPANIES], deal, len(COMPANIES))
    for seat in range(rules.players):
        own, public = state.owns[seat], table.seats[seat]
        own.seat = seat
        own.coins = rules.starting_coins
        own.skill_coins = rules.starting_skill_coins if rules.expansion else 0
        own.chip_points = 0
        public.debt_cards = 0
        for chip in range(public.chip_count):
            own.chip_values[chip] = 0
        public.chip_count = 0
        for level in range(LEVELS + 1):
            public.chips[level] = 0
        public.company = NO_COMPANY
        if rules.expansion:
            public.company = rules.companies[seat] if rules.companies[seat] != NO_COMPANY else deal[seat]
        show_coins(rules, state, seat)


@jit
def draw_first_order(rules, state):
    """The order at the start: a random permutation of the seats, or as they sit."""
    for seat in range(rules.players):
        state.table.order[seat] = seat
    if rules.initial_order == ORDER_RANDOM:
        shuffle(state.hidden.streams[FIRST_ORDER], state.table.order, rules.players)


@jit
def show_coins(rules, state, seat):
    """Show a seat's coins to all, or with `coins_public` off to nobody."""
    public, own = state.table.seats[seat], state.owns[seat]
    public.coins = own.coins if rules.coins_public else UNSEEN
    public.skill_coins = own.skill_coins if rules.coins_public else UNSEEN


@jit
def open_round(rules, state, number):
    """Everyone is back to their free workers, undecided, before a new bid."""
    table = state.table
    table.round_number = number
    table.phase = BIDDING
    table.place = 0
    table.surcharge = 0
    for space in range(rules.spaces):
        table.holder[space] = NOBODY
    for seat in range(rules.players):
        public = table.seats[seat]
        public.bid = UNSEEN
        public.skill_bid = UNSEEN
        public.action = UNDECIDED
        public.skill_used = 0
        state.hidden.placements[seat] = 0
