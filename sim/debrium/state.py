"""The records of a game of Debrium, one for each who may see it, and the names of their codes.

`rules` and `table` are everybody's, `own` is one seat's, `hidden` is the engine's alone. Every field is
int64 or float64 (a narrower one would overflow differently compiled and uncompiled), and none has the
name of an attribute of numpy's records. A space is `row * columns + column`; a level is 1..4.
"""

from __future__ import annotations

import numpy as np

from sim.rng import STREAM

# What the engine can hold; `rules.toml` says the same key by key.
MAX_SEATS = 4
MAX_SIDE = 6
MAX_SPACES = MAX_SIDE * MAX_SIDE
MAX_ROUNDS = 14
MAX_STACK = 3 + MAX_ROUNDS
MAX_DEALT = 3 * MAX_SPACES
MAX_CHIPS = MAX_DEALT + MAX_ROUNDS
MAX_WORKERS = 12
LEVELS = 4

# Sizes of what a policy has to itself.
PARAMS = 16
MEMORY = 128

# Decisions, in the order of the round.
BID, TURN, EXTRA = range(3)

# Phases in which the game can stand before a decision.
BIDDING, ACTION, OVER = range(3)

# `table.seats[i].action` and `choice.action`.
FUNDS, MINE = range(2)
UNDECIDED = -1

# Companies; NO_COMPANY in the base game.
RED, BLUE, YELLOW, GREEN = range(4)
NO_COMPANY = -1
COMPANIES = ("red", "blue", "yellow", "green")

# Shapes of coordinate chips, the first index of `table.shown`.
COLUMN, ROW = range(2)

# Switches.
ORDER_RANDOM, ORDER_SEAT = range(2)
TIE_SHARED, TIE_ORDER = range(2)
BLUE_MUST, BLUE_MAY = range(2)
RED_MOST, RED_EXACTLY = range(2)
GREEN_PER_TURN, GREEN_PER_WORKER = range(2)

NOBODY = -1
UNSEEN = -1
COINS_FIRST = -1
NO_SPACE = -1

# Streams of chance; each seat's policy has its own from SEAT_STREAM on.
CHIPS, PILE, FALL_COLUMN, FALL_ROW, FIRST_ORDER, DEAL_COMPANIES, LINE_UP = range(7)
SEAT_STREAM = 7
STREAMS = SEAT_STREAM + MAX_SEATS

#: Every number and switch of a variant. Index 0 of lists by count or level is the count or level 0.
RULES = np.dtype(
    [
        ("players", "i8"),
        ("expansion", "i8"),
        ("rows", "i8"),
        ("columns", "i8"),
        ("spaces", "i8"),
        ("rounds", "i8"),
        ("stack_height", "i8"),
        ("chips", "i8", LEVELS + 1),
        ("values", "i8", (LEVELS + 1, MAX_DEALT)),
        ("coordinate_copies", "i8"),
        ("starting_coins", "i8"),
        ("starting_pool", "i8"),
        ("free_workers", "i8"),
        ("max_workers", "i8"),
        ("hire_cost", "i8", MAX_WORKERS + 1),
        ("debt_penalty", "i8", MAX_ROUNDS + 1),
        ("mining_king_bonus", "i8"),
        ("starting_skill_coins", "i8"),
        ("yellow_take", "i8"),
        ("red_workers", "i8"),
        ("green_discount", "i8"),
        ("green_surcharge", "i8"),
        ("initial_order", "i8"),
        ("companies", "i8", MAX_SEATS),
        ("coins_public", "i8"),
        ("skill_with_funds", "i8"),
        ("tie", "i8"),
        ("blue_takes", "i8"),
        ("red_needs", "i8"),
        ("green_per", "i8"),
        ("coin_points", "i8"),
        ("skill_coin_points", "i8"),
        ("king_needs_chip", "i8"),
        ("hire_idle", "i8"),
    ]
)

#: What everybody knows of a seat. Coins are UNSEEN when `coins_public` is off.
SEAT = np.dtype(
    [
        ("coins", "i8"),
        ("skill_coins", "i8"),
        ("debt_cards", "i8"),
        ("chip_count", "i8"),
        ("chips", "i8", LEVELS + 1),
        ("company", "i8"),
        ("bid", "i8"),
        ("skill_bid", "i8"),
        ("action", "i8"),
        ("skill_used", "i8"),
    ]
)

#: What everybody sees. `order[place]` is a seat; `shown[shape, label]` counts chips on display;
#: `level[space]` is the top chip's (0 where none lies), `holder[space]` the seat with workers there.
TABLE = np.dtype(
    [
        ("round_number", "i8"),
        ("phase", "i8"),
        ("place", "i8"),
        ("order", "i8", MAX_SEATS),
        ("pool", "i8"),
        ("skill_pool", "i8"),
        ("surcharge", "i8"),
        ("shown", "i8", (2, MAX_SIDE)),
        ("stack", "i8", MAX_SPACES),
        ("level", "i8", MAX_SPACES),
        ("holder", "i8", MAX_SPACES),
        ("seats", SEAT, MAX_SEATS),
    ]
)

#: What one seat alone knows: its holdings, its chips' values (the first `chip_count`, in the order of
#: collecting), its policy's parameters and the policy's own scratch.
OWN = np.dtype(
    [
        ("seat", "i8"),
        ("coins", "i8"),
        ("skill_coins", "i8"),
        ("chip_points", "i8"),
        ("chip_values", "i8", MAX_CHIPS),
        ("param", "f8", PARAMS),
        ("memory", "f8", MEMORY),
    ]
)

#: A policy's answer; it starts as the safe legal one. Whole numbers only.
CHOICE = np.dtype(
    [
        ("coins", "f8"),
        ("skill_coins", "f8"),
        ("action", "f8"),
        ("skill", "f8"),
        ("taken", "f8"),
        ("pay_skill_coins", "f8"),
        ("placements", "f8"),
        ("spaces", "f8", MAX_WORKERS),
        ("idle_workers", "f8"),
        ("space", "f8"),
    ]
)

#: What nobody sees: what lies in the stacks and the pile, the bids so far, where each placed, chance.
HIDDEN = np.dtype(
    [
        ("chip_level", "i8", MAX_DEALT),
        ("chip_value", "i8", MAX_DEALT),
        ("stack_level", "i8", (MAX_SPACES, MAX_STACK)),
        ("stack_value", "i8", (MAX_SPACES, MAX_STACK)),
        ("pile", "i8", MAX_ROUNDS),
        ("bid", "i8", MAX_SEATS),
        ("skill_bid", "i8", MAX_SEATS),
        ("placements", "i8", MAX_SEATS),
        ("placed", "i8", (MAX_SEATS, MAX_WORKERS)),
        ("leaders", "i8"),
        ("streams", STREAM, STREAMS),
    ]
)

#: A whole game in the middle of play; a copy of it can be played on.
STATE = np.dtype([("table", TABLE), ("owns", OWN, MAX_SEATS), ("hidden", HIDDEN)])
