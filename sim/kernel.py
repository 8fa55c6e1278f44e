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
from sim.game import Game, load_game
from sim.jit import cache_folder, compile_to, is_disabled, jit
from sim.rng import STREAM, shuffle, start

#: How a pool becomes a line-up, game by game; a call gets the position.
MODES = ("fixed", "shuffled", "drawn")
FIXED = MODES.index("fixed")

# Columns of the table of ratios: all are positions within a unit of the scope. Every unit has fixed fields
# beside its columns (see `sim.game.Outcomes.row`), so that a ratio without a second factor multiplies by `one`.
SCOPE, NUM_A, NUM_B, DEN_A, DEN_B, BY, FIRST, CATEGORIES, IS_SHARE, SLOT = range(10)
RATIO_FIELDS = 10

# Columns of the table of spreads, up to three axes of (column, lowest, size).
SPREAD_SCOPE, SPREAD_AXES, SPREAD_CELL = range(3)
SPREAD_FIELDS = 3 + 9

GAME_SCOPE, SEAT_SCOPE, ROUND_SCOPE = range(3)

# Columns of sums.
SUM_N, SUM_D, SUM_NN, SUM_ND, SUM_DD = range(5)


class Plan(NamedTuple):
    """What is counted: the row's layout and the tables of ratios and spreads.

    game, seat, round: fields of each scope; max_seats: seats in a row; seats, rounds: of this variant; win: the
    seat's field that holds its share of the win; won: how many seat fields, the last ones, have a win rate;
    blank: int32, a row before the game, with the fixed fields;
    ratios: int64 (r, RATIO_FIELDS); spreads: int64 (s, SPREAD_FIELDS).

    Slots are the means (game fields, seat fields, round fields round by round), then the win rates, then the
    ratios' categories. A ratio's SLOT counts from the first win rate on.
    """

    game: Any
    seat: Any
    round: Any
    max_seats: Any
    seats: Any
    rounds: Any
    win: Any
    won: Any
    blank: Any
    ratios: Any
    spreads: Any


class Counts(NamedTuple):
    """Where it is counted, all int64 and all of the block in play unless said otherwise.

    total, squares: (means,) sums of each mean's numbers and of their squares; low, high: int32 (means,), over
    the whole call; seat_total: int32 (seat fields,) of the game in play; n, d: (rates + 1,) of the game in play,
    for the slots after the means and, last, for units of no category; rates: (5, rates) sums of these n and d;
    sums: (slots, 5) of a block that is whole; cells: (all spreads' cells,) over the whole call.
    """

    total: Any
    squares: Any
    low: Any
    high: Any
    seat_total: Any
    n: Any
    d: Any
    rates: Any
    sums: Any
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
    if pool < seats:
        # Some are seated twice: without a deal of their own it would always be the first and the last seat.
        shuffle(chance, entries, seats)


@jit
def hand_over(own, params, entry):
    """Give a seat its policy's parameters and an empty scratch."""
    for k in range(len(own.param)):
        own.param[k] = params[entry, k]
    for k in range(len(own.memory)):
        own.memory[k] = 0.0


# Indexes are unsigned where it matters: a signed one may be negative and then counts from the end, which keeps
# LLVM from counting eight columns at a time. (A signed and an unsigned number together would be a float.)


@jit
def count_row(row, plan, counts):
    """Count a game's row: `row` is its record as int32 words."""
    count_numbers(row, 0, plan.game, counts, 0)
    count_seats(row, plan, counts)
    count_win_rates(row, plan, counts)
    first = plan.game + plan.max_seats * plan.seat
    count_numbers(row, first, plan.round * plan.rounds, counts, plan.game + plan.seat)
    count_ratios(row, plan, counts)
    add_game(counts)
    count_spreads(row, plan, counts)


@jit
def count_numbers(row, first, fields, counts, slot):
    """Add `fields` numbers of the row, from `first` on, to the means from `slot` on."""
    at, to = np.uint64(first), np.uint64(slot)
    for k in range(np.uint64(fields)):
        value = np.int64(row[at + k])
        counts.total[to + k] += value
        counts.squares[to + k] += value * value
    widen(row, first, fields, counts, slot)


@jit
def widen(row, first, fields, counts, slot):
    """Widen the extremes from `slot` on by `fields` numbers of the row."""
    at, to = np.uint64(first), np.uint64(slot)
    for k in range(np.uint64(fields)):
        value = row[at + k]
        counts.low[to + k] = min(counts.low[to + k], value)
        counts.high[to + k] = max(counts.high[to + k], value)


@jit
def count_seats(row, plan, counts):
    """Add every seat field's total over the seats."""
    total, to = counts.seat_total, np.uint64(plan.game)
    fields = np.uint64(plan.seat)
    for k in range(fields):
        total[k] = 0
    for seat in range(plan.seats):
        at = np.uint64(plan.game + seat * plan.seat)
        for k in range(fields):
            total[k] += row[at + k]
        widen(row, plan.game + seat * plan.seat, plan.seat, counts, plan.game)
    for k in range(fields):
        value = np.int64(total[k])
        counts.total[to + k] += value
        counts.squares[to + k] += value * value


@jit
def count_win_rates(row, plan, counts):
    """Note the totals of the last `won` seat fields, and the same weighted by the seats' share of the win."""
    n, d, total = counts.n, counts.d, counts.seat_total
    fields, last = np.uint64(plan.won), np.uint64(plan.seat - plan.won)
    for seat in range(plan.seats):
        first = plan.game + seat * plan.seat
        win = np.int64(row[first + plan.win])
        at = np.uint64(first) + last
        for k in range(fields):
            n[k] += win * row[at + k]
    for k in range(fields):
        d[k] = np.int64(total[last + k])


@jit
def unit_span(scope, plan):
    """Return where a scope's units begin in a row, how far apart they are, and how many there are."""
    if scope == GAME_SCOPE:
        return 0, 0, 1
    if scope == SEAT_SCOPE:
        return plan.game, plan.seat, plan.seats
    return plan.game + plan.max_seats * plan.seat, plan.round, plan.rounds


@jit
def count_ratios(row, plan, counts):
    """Note every ratio's numerator and denominator of this game, category by category."""
    ratios, n, d = plan.ratios, counts.n, counts.d
    nowhere = np.uint64(len(n) - 1)
    for r in range(np.uint64(len(ratios))):
        first, stride, units = unit_span(ratios[r, SCOPE], plan)
        num_a, num_b = np.uint64(ratios[r, NUM_A]), np.uint64(ratios[r, NUM_B])
        den_a, den_b = np.uint64(ratios[r, DEN_A]), np.uint64(ratios[r, DEN_B])
        by, slot = np.uint64(ratios[r, BY]), np.uint64(ratios[r, SLOT])
        lowest, categories = ratios[r, FIRST], ratios[r, CATEGORIES]
        at, step = np.uint64(first), np.uint64(stride)
        for _ in range(units):
            category = np.int64(row[at + by]) - lowest
            to = slot + np.uint64(category) if 0 <= category < categories else nowhere
            n[to] += np.int64(row[at + num_a]) * row[at + num_b]
            d[to] += np.int64(row[at + den_a]) * row[at + den_b]
            at += step


@jit
def add_game(counts):
    """Add this game's numerators and denominators, of all slots at once: most are 0, but no branch is missed."""
    n, d, rates = counts.n, counts.d, counts.rates
    for slot in range(np.uint64(rates.shape[1])):
        a, b = n[slot], d[slot]
        rates[SUM_N, slot] += a
        rates[SUM_D, slot] += b
        rates[SUM_NN, slot] += a * a
        rates[SUM_ND, slot] += a * b
        rates[SUM_DD, slot] += b * b
        n[slot] = 0
        d[slot] = 0


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
    """Bring the block's sums together slot by slot, keep its n and d, add all to the totals, and clear."""
    gather_means(plan, counts, games)
    gather_rates(plan, counts, games)
    for slot in range(len(totals)):
        sums[slot, SUM_N] = counts.sums[slot, SUM_N]
        sums[slot, SUM_D] = counts.sums[slot, SUM_D]
        for kind in range(5):
            totals[slot, kind] += counts.sums[slot, kind]


@jit
def gather_means(plan, counts, games):
    """A mean's denominator is the same in every game: how many seats there are, or 1."""
    for slot in range(len(counts.total)):
        units = plan.seats if plan.game <= slot < plan.game + plan.seat else 1
        counts.sums[slot, SUM_N] = counts.total[slot]
        counts.sums[slot, SUM_NN] = counts.squares[slot]
        fix_denominator(counts.sums[slot], units, games)
        counts.total[slot] = 0
        counts.squares[slot] = 0


@jit
def gather_rates(plan, counts, games):
    """Win rates and ratios; a share's denominator is every unit of every game, whatever its category."""
    ratios, rates, means = plan.ratios, counts.rates, len(counts.total)
    for k in range(rates.shape[1]):
        for kind in range(5):
            counts.sums[means + k, kind] = rates[kind, k]
            rates[kind, k] = 0
    for r in range(len(ratios)):
        if ratios[r, IS_SHARE]:
            _, _, units = unit_span(ratios[r, SCOPE], plan)
            first = means + ratios[r, SLOT]
            for slot in range(first, first + ratios[r, CATEGORIES]):
                fix_denominator(counts.sums[slot], units, games)


@jit
def fix_denominator(sums, units, games):
    """Make the denominator `units` in each of the games."""
    sums[SUM_D] = units * games
    sums[SUM_ND] = units * sums[SUM_N]
    sums[SUM_DD] = units * units * games


@jit
def keep_row(row, kept, line):
    """Keep a game's row as it is."""
    for k in range(len(row)):
        kept[line, k] = row[k]


def play_blocks(
    params, labels, mode, rules, state, row, desk, seed, first_game, sizes, plan, counts, sums, totals, kept
):
    """Play blocks of `sizes` games, the first from game `first_game` on; return how many blocks are whole.

    It stops between blocks when `desk.stop` is set, so that a counted block is a whole one, and within a game
    at a halt (`desk.left`) or when a policy broke a rule (`desk.fault`). sizes: int64 (blocks,);
    params: float64 (pool, PARAMS);
    labels: int64 (pool,), the number that `row.seats[].policy` gets; rules, state, row, desk: (1,) records;
    sums: int64 (blocks, slots, 2) and totals: int64 (slots, 5), filled here; kept: int32 (games of all blocks,
    words), filled with the rows where it is not empty.
    """
    play_by, now, outcome, at_desk = rules[0], state[0], row[0], desk[0]
    scratch = np.zeros(len(labels), np.int64)
    words = row.view(np.int32)
    line = 0
    for block in range(len(sizes)):
        if at_desk.stop != 0:
            return block
        for _ in range(sizes[block]):
            at_desk.game = first_game + line
            for k in range(len(words)):
                words[k] = plan.blank[k]
            start(now.hidden.streams, seed, at_desk.game, SEAT_STREAM)  # noqa: F821
            chance = now.hidden.streams[LINE_UP_STREAM]  # noqa: F821
            deal_line_up(mode, len(labels), plan.seats, at_desk.entries, chance, scratch)
            for seat in range(plan.seats):
                outcome.seats[seat].policy = labels[at_desk.entries[seat]]
                hand_over(now.owns[seat], params, at_desk.entries[seat])
            set_up(play_by, now, outcome, at_desk)  # noqa: F821
            if not play(play_by, now, outcome, at_desk):  # noqa: F821
                return block
            count_row(words, plan, counts)
            if len(kept) > 0:
                keep_row(words, kept, line)
            line += 1
        close_block(plan, counts, sizes[block], sums[block], totals)
    return len(sizes)


@functools.cache
def kernel_of(game_name: str) -> Any:
    """Return `play_blocks` for a game: compiled for its records, or the plain function with JIT off.

    The loop is one text for all games; what differs, the engine's two functions and which streams are whose, it finds
    by their names among its globals. (Passed as arguments they would be compiled once for each pairing and never
    cached.)
    """
    game = load_game(game_name)
    streams = {"LINE_UP_STREAM": game.line_up_stream, "SEAT_STREAM": game.seat_stream}
    names = {**globals(), "set_up": game.set_up, "play": game.play, **streams}
    function = python_types.FunctionType(play_blocks.__code__, names, f"play_blocks_{game_name}")
    function.__qualname__ = f"play_blocks_{game_name}"
    if is_disabled():
        return function
    return compile_to(cache_folder(False, game_name), function, _signature(game), error_model="numpy")


def policy_signature(game: Game) -> Any:
    """Return the one signature of a game's policies: (rules, table, own, rng, choice) -> nothing."""
    records = [game.records[name] for name in ("rules", "table", "own")]
    return numba.void(*(numba.from_dtype(r) for r in (*records, STREAM, game.records["choice"])))


def _signature(game: Game) -> Any:
    """Return the types of `play_blocks`' arguments."""

    def array(of: Any, dimensions: int = 1) -> Any:
        return numba.types.Array(of, dimensions, "C")

    whole = numba.int64
    short, list_, table = array(numba.int32), array(whole), array(whole, 2)
    rules, state, row, desk = (array(numba.from_dtype(record)) for record in call_records(game))
    plan = numba.types.NamedTuple((whole,) * 8 + (short, table, table), Plan)
    counts = numba.types.NamedTuple((list_, list_, short, short, short, list_, list_, table, table, list_), Counts)
    return whole(
        array(numba.float64, 2), list_, whole, rules, state, row, desk, whole, whole, list_, plan, counts,
        array(whole, 3), table, array(numba.int32, 2),
    )  # fmt: skip


def call_records(game: Game) -> tuple[np.dtype[Any], ...]:
    """Return the dtypes of a kernel call's records: rules, state, row, desk."""
    desk = desk_record(game.records, len(game.decisions), game.log_size)
    return game.records["rules"], game.records["state"], game.outcomes.row(), desk
