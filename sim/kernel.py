"""The jitted loop that plays and reduces block after block, the same for every game.

One call plays a run of consecutive blocks with one thread and without Python. Each game fills one row of
outcomes, which is counted at once: means of every column, ratios, spreads (see `sim.blocks` for what the
tables of numbers mean). Whole numbers only, so that sums do not depend on order.
"""

from __future__ import annotations

import functools
import types as python_types
from typing import Any, NamedTuple

import numba
import numpy as np

from sim.desk import desk_record
from sim.game import Game
from sim.jit import cache_folder, compile_to, is_disabled, jit
from sim.rng import shuffle, start

# How a pool becomes a line-up, game by game.
FIXED, SHUFFLED, DRAWN = range(3)

# Columns of the table of ratios; -1 stands for no column. An operand of -1 counts as 1.
SCOPE, NUM_A, NUM_B, DEN_A, DEN_B, BY, FIRST, CATEGORIES, IS_SHARE, SLOT = range(10)
RATIO_FIELDS = 10
BY_UNIT = -2

# Columns of the table of spreads, up to three axes of (column, lowest, size).
SPREAD_SCOPE, SPREAD_AXES, SPREAD_CELL = range(3)
SPREAD_FIELDS = 3 + 9

GAME_SCOPE, SEAT_SCOPE, ROUND_SCOPE = range(3)

# Columns of sums.
SUM_N, SUM_D, SUM_NN, SUM_ND, SUM_DD = range(5)


class Plan(NamedTuple):
    """What is counted: the row's layout and the tables of ratios and spreads.

    game, seat, round: columns of each scope; max_seats: seats in a row; seats, rounds: of this variant;
    ratios: int64 (r, RATIO_FIELDS); spreads: int64 (s, SPREAD_FIELDS).
    """

    game: Any
    seat: Any
    round: Any
    max_seats: Any
    seats: Any
    rounds: Any
    ratios: Any
    spreads: Any


class Counts(NamedTuple):
    """Where it is counted, all int64.

    block: (slots, 5) sums of the block in play; means: (columns, 2) its sums and sums of squares; n, d: (slots,)
    of the game in play; extremes: (slots, 2) lowest and highest; cells: (all spreads' cells,).
    """

    block: Any
    means: Any
    n: Any
    d: Any
    extremes: Any
    cells: Any


@jit
def deal_line_up(mode, pool, seats, entries, chance, scratch):
    """Say which of the pool plays which seat in this game: as listed, shuffled, or drawn from the pool."""
    if mode == FIXED:
        for seat in range(seats):
            entries[seat] = seat % pool
        return
    for k in range(pool):
        scratch[k] = k
    shuffle(chance, scratch, pool)
    for seat in range(seats):
        entries[seat] = scratch[seat % pool]


@jit
def count_row(row, plan, counts):
    """Count a game's row: `row` is its record as int32 words."""
    count_means(row, plan, counts)
    count_ratios(row, plan, counts)
    count_spreads(row, plan, counts)


@jit
def count_means(row, plan, counts):
    """Add every column to its sums: a game's number, a seat column's total over seats, each round's number."""
    means, extremes = counts.means, counts.extremes
    for k in range(plan.game):
        count_one(means, extremes, k, row[k])
    for k in range(plan.seat):
        at = plan.game + k
        total = np.int64(0)
        for seat in range(plan.seats):
            value = np.int64(row[at + seat * plan.seat])
            total += value
            extremes[at, 0] = min(extremes[at, 0], value)
            extremes[at, 1] = max(extremes[at, 1], value)
        means[at, 0] += total
        means[at, 1] += total * total
    slot = plan.game + plan.seat
    first = plan.game + plan.max_seats * plan.seat
    for k in range(plan.round * plan.rounds):
        count_one(means, extremes, slot + k, row[first + k])


@jit
def count_one(means, extremes, slot, number):
    """Add one number to a column's sums and extremes."""
    value = np.int64(number)
    means[slot, 0] += value
    means[slot, 1] += value * value
    extremes[slot, 0] = min(extremes[slot, 0], value)
    extremes[slot, 1] = max(extremes[slot, 1], value)


@jit
def unit_span(scope, plan):
    """Return where a scope's units begin in a row, how far apart they are, and how many there are."""
    if scope == GAME_SCOPE:
        return 0, 0, 1
    if scope == SEAT_SCOPE:
        return plan.game, plan.seat, plan.seats
    return plan.game + plan.max_seats * plan.seat, plan.round, plan.rounds


@jit
def product(row, at, a, b):
    """Multiply up to two columns of the unit that begins at `at`."""
    value = np.int64(1)
    if a >= 0:
        value = np.int64(row[at + a])
        if b >= 0:
            value *= np.int64(row[at + b])
    return value


@jit
def count_ratios(row, plan, counts):
    """Add every ratio's numerator and denominator of this game, category by category."""
    ratios, n, d, extremes = plan.ratios, counts.n, counts.d, counts.extremes
    for r in range(len(ratios)):
        first, stride, units = unit_span(ratios[r, SCOPE], plan)
        slot, categories, by = ratios[r, SLOT], ratios[r, CATEGORIES], ratios[r, BY]
        for unit in range(units):
            at = first + unit * stride
            category = np.int64(0)
            if by == BY_UNIT:
                category = unit - ratios[r, FIRST]
            elif by >= 0:
                category = np.int64(row[at + by]) - ratios[r, FIRST]
            if ratios[r, IS_SHARE]:
                for k in range(categories):
                    d[slot + k] += 1
            if not 0 <= category < categories:
                continue
            top = product(row, at, ratios[r, NUM_A], ratios[r, NUM_B])
            n[slot + category] += top
            if not ratios[r, IS_SHARE]:
                bottom = product(row, at, ratios[r, DEN_A], ratios[r, DEN_B])
                d[slot + category] += bottom
                if bottom == 1:
                    extremes[slot + category, 0] = min(extremes[slot + category, 0], top)
                    extremes[slot + category, 1] = max(extremes[slot + category, 1], top)
        for k in range(slot, slot + categories):
            if d[k] != 0:
                add_game(counts.block, k, n[k], d[k])
                n[k] = 0
                d[k] = 0


@jit
def add_game(block, slot, n, d):
    """Add a game's numerator and denominator to a slot's five sums."""
    block[slot, SUM_N] += n
    block[slot, SUM_D] += d
    block[slot, SUM_NN] += n * n
    block[slot, SUM_ND] += n * d
    block[slot, SUM_DD] += d * d


@jit
def count_spreads(row, plan, counts):
    """Count every unit in its cell of each spread; values beyond an axis go to its end cells."""
    spreads = plan.spreads
    for s in range(len(spreads)):
        first, stride, units = unit_span(spreads[s, SPREAD_SCOPE], plan)
        for unit in range(units):
            at = first + unit * stride
            cell = np.int64(0)
            for axis in range(spreads[s, SPREAD_AXES]):
                field = SPREAD_CELL + 1 + 3 * axis
                size = spreads[s, field + 2]
                value = np.int64(row[at + spreads[s, field]]) - spreads[s, field + 1] + 1
                cell = cell * (size + 2) + min(max(value, 0), size + 1)
            counts.cells[spreads[s, SPREAD_CELL] + cell] += 1


@jit
def close_block(plan, counts, games, sums, totals):
    """Put the means beside the ratios, keep the block's n and d, add all to the totals, and clear."""
    block, means = counts.block, counts.means
    for slot in range(len(means)):
        units = plan.seats if plan.game <= slot < plan.game + plan.seat else 1
        block[slot, SUM_N] = means[slot, 0]
        block[slot, SUM_NN] = means[slot, 1]
        block[slot, SUM_D] = units * games
        block[slot, SUM_ND] = units * means[slot, 0]
        block[slot, SUM_DD] = units * units * games
    means[:] = 0
    for slot in range(len(block)):
        sums[slot, SUM_N] = block[slot, SUM_N]
        sums[slot, SUM_D] = block[slot, SUM_D]
        for k in range(5):
            totals[slot, k] += block[slot, k]
            block[slot, k] = 0


def play_blocks(params, labels, mode, rules, state, row, desk, seed, first_game, games, plan, counts, sums, totals):
    """Play `len(sums)` blocks of `games` games from game `first_game` on; return how many blocks are whole.

    It stops between blocks when `desk.stop` is set, so that a counted block is a whole one, and within a game
    at a halt (`desk.left`) or when a policy broke a rule (`desk.fault`). params: float64 (pool, PARAMS);
    labels: int64 (pool,), the number that `row.seats[].policy` gets; rules, state, row, desk: (1,) records;
    sums: int64 (blocks, slots, 2) and totals: int64 (slots, 5), filled here.
    """
    play_by, now, outcome, at_desk = rules[0], state[0], row[0], desk[0]
    scratch = np.zeros(len(labels), np.int64)
    words = row.view(np.int32)
    for block in range(len(sums)):
        if at_desk.stop != 0:
            return block
        for k in range(games):
            at_desk.game = first_game + block * games + k
            words[:] = 0
            start(now.hidden.streams, seed, at_desk.game)
            chance = now.hidden.streams[LINE_UP_STREAM]  # noqa: F821
            deal_line_up(mode, len(labels), plan.seats, at_desk.entries, chance, scratch)
            for seat in range(plan.seats):
                outcome.seats[seat].policy = labels[at_desk.entries[seat]]
                now.owns[seat].param[:] = params[at_desk.entries[seat]]
                now.owns[seat].memory[:] = 0.0
            set_up(play_by, now, outcome, at_desk)  # noqa: F821
            if not play(play_by, now, outcome, at_desk):  # noqa: F821
                return block
            count_row(words, plan, counts)
        close_block(plan, counts, games, sums[block], totals)
    return len(sums)


@functools.cache
def kernel_of(game_name: str) -> Any:
    """Return `play_blocks` for a game: compiled for its records, or the plain function with JIT off.

    The loop is one text for all games; what differs, the engine's two functions, it finds by their names
    among its globals. (Passed as arguments they would be compiled once for each pairing and never cached.)
    """
    from sim.game import load_game

    game = load_game(game_name)
    names = {**globals(), "set_up": game.set_up, "play": game.play, "LINE_UP_STREAM": game.line_up_stream}
    function = python_types.FunctionType(play_blocks.__code__, names, f"play_blocks_{game_name}")
    function.__qualname__ = f"play_blocks_{game_name}"
    if is_disabled():
        return function
    return compile_to(cache_folder(False), function, _signature(game), error_model="numpy")


def policy_signature(game: Game) -> Any:
    """Return the one signature of a game's policies: (rules, table, own, rng, choice) -> nothing."""
    from sim.rng import STREAM

    records = [game.records[name] for name in ("rules", "table", "own")]
    return numba.void(*(numba.from_dtype(r) for r in (*records, STREAM, game.records["choice"])))


def _signature(game: Game) -> Any:
    """Return the types of `play_blocks`' arguments."""

    def array(of: Any, dimensions: int = 1) -> Any:
        return numba.types.Array(of, dimensions, "C")

    whole = numba.int64
    list_, table = array(whole), array(whole, 2)
    rules, state, row, desk = (array(numba.from_dtype(record)) for record in call_records(game))
    plan = numba.types.NamedTuple((whole,) * 6 + (table, table), Plan)
    counts = numba.types.NamedTuple((table, table, list_, list_, table, list_), Counts)
    return whole(
        array(numba.float64, 2), list_, whole, rules, state, row, desk, whole, whole, whole, plan, counts,
        array(whole, 3), table,
    )  # fmt: skip


def call_records(game: Game) -> tuple[np.dtype[Any], ...]:
    """Return the dtypes of a kernel call's records: rules, state, row, desk."""
    desk = desk_record(game.records, len(game.decisions), game.log_size)
    return game.records["rules"], game.records["state"], game.outcomes.row(), desk
