"""Everything about a game in play that is not in its rule book: who answers, who watches, who writes down.

The desk is one record, handed through the engine beside the rules, the state and the row. The engine asks
every decision through `ask`; the main thread reads and sets its fields while a kernel runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.jit import jit
from sim.pointers import call_at, words

#: A pool holds at most this many policies, and a row at most this many seats.
MAX_POOL = 16
MAX_SEATS = 6

#: `desk.left` of a game that is to be played to its end.
NO_HALT = int(np.iinfo(np.int64).max)

#: `desk.fault` while no rule is broken, and when a policy changed what it may only read.
NO_FAULT, WROTE_RECORDS = range(2)

#: The records that a policy may only read, the scratch of `own` excepted.
READ_ONLY = ("rules", "table", "own")


def desk_record(records: Mapping[str, np.dtype[Any]], decisions: int, log_size: int) -> np.dtype[Any]:
    """Return a desk's dtype for a game with these records, so many decisions and events of so many numbers.

    stop: set from outside to end after the block in play; is_busy: while a call runs.
    game, seat, decision: whose policy is asked; is_asking: while it is.
    fault, limit: the broken rule and the number that it was broken against. left: decisions until the game
    is to be left standing. decisions: of the game. entries: which of the pool plays each seat.
    policies: addresses (pool x decisions). choice: what the policy answers in. is_checked, words, kept: look
    whether policies write what they may only read; how many words `rules`, `table` and `own` (without its
    scratch, the last field) have, and a copy of them. is_told, written, log: the events' numbers, when
    somebody wants to read them, and how many there are.
    """
    readable = sum(records[name].itemsize // 8 for name in READ_ONLY)
    return np.dtype(
        [
            ("stop", "i8"),
            ("is_busy", "i8"),
            ("game", "i8"),
            ("seat", "i8"),
            ("decision", "i8"),
            ("is_asking", "i8"),
            ("fault", "i8"),
            ("limit", "i8"),
            ("left", "i8"),
            ("decisions", "i8"),
            ("entries", "i8", MAX_SEATS),
            ("policies", "i8", MAX_POOL * decisions),
            ("choice", records["choice"]),
            ("is_checked", "i8"),
            ("words", "i8", len(READ_ONLY)),
            ("kept", "i8", readable),
            ("is_told", "i8"),
            ("written", "i8"),
            ("log", "i8", log_size),
        ]
    )


@jit
def ask(desk, decision, seat, rules, table, own, rng):
    """Ask a seat's policy for a decision; its answer is then in `desk.choice`. False when it wrote elsewhere."""
    desk.seat = seat
    desk.decision = decision
    policy = desk.policies[desk.entries[seat] * desk.decisions + decision]
    if not desk.is_checked:
        answer(desk, policy, rules, table, own, rng)
        return True
    in_rules, in_table, in_own = desk.words[0], desk.words[1], desk.words[2]
    keep(desk.kept[:in_rules], words(rules, in_rules))
    keep(desk.kept[in_rules : in_rules + in_table], words(table, in_table))
    keep(desk.kept[in_rules + in_table :], words(own, in_own))
    answer(desk, policy, rules, table, own, rng)
    return (
        is_kept(desk.kept[:in_rules], words(rules, in_rules))
        and is_kept(desk.kept[in_rules : in_rules + in_table], words(table, in_table))
        and is_kept(desk.kept[in_rules + in_table :], words(own, in_own))
    ) or fault(desk, WROTE_RECORDS, 0)


@jit
def answer(desk, policy, rules, table, own, rng):
    """Let a policy answer in `desk.choice`; an exception leaves `is_asking` set, which tells whose it is."""
    desk.is_asking = 1
    call_at(policy, rules, table, own, rng, desk.choice)
    desk.is_asking = 0


@jit
def keep(copy, record_words):
    """Copy a record's words."""
    for k in range(len(record_words)):
        copy[k] = record_words[k]


@jit
def is_kept(copy, record_words):
    """Tell whether a record's words are as they were copied."""
    for k in range(len(record_words)):
        if copy[k] != record_words[k]:
            return False
    return True


@jit
def is_due(desk, decision, seat):
    """Count a decision; False when the game is to be left standing before it: the desk then says whose it is."""
    desk.seat = seat
    desk.decision = decision
    desk.left -= 1
    return desk.left >= 0


@jit
def fault(desk, rule, limit):
    """Write down that the seat just asked broke a rule; always False."""
    desk.fault = rule
    desk.limit = limit
    return False


@jit
def is_whole(answer, low, high):
    """Tell whether an answer is a whole number from low to high (NaN and infinities are not)."""
    return low <= answer <= high and answer == np.floor(answer)


@jit
def write(desk, number):
    """Add a number to the log; a reader sees by `written` when it was too short."""
    if desk.written < len(desk.log):
        desk.log[desk.written] = number
    desk.written += 1


@jit
def tell(desk, event, *numbers):
    """Write an event of so many numbers, when somebody listens."""
    if desk.is_told:
        write(desk, event)
        write(desk, len(numbers))
        for number in numbers:
            write(desk, number)


@jit
def begin(desk, event):
    """Write an event's code and leave a place for its length, which `close` fills in."""
    write(desk, event)
    write(desk, 0)
    return desk.written


@jit
def close(desk, first):
    """Fill in how many numbers an event took that began before number `first`."""
    if first <= len(desk.log):
        desk.log[first - 1] = desk.written - first
