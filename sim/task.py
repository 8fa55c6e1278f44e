"""One kernel call: its records, the task that it plays, and who is to blame when a policy fails.

A *task* is a run of consecutive blocks of one group, played by one kernel call without Python's lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.batch import Batch
from sim.blocks import Layout, TaskResult, new_counts
from sim.desk import NO_FAULT, NO_HALT, READ_ONLY
from sim.errors import RunFailed
from sim.game import Game, load_game
from sim.kernel import MODES, call_records, kernel_of
from sim.memory import apart
from sim.pointers import addresses
from sim.policy import Policy, compile_policy


class PolicyFault(RunFailed):
    """A policy's answer broke a rule, or the policy itself failed; says who, where and which rule.

    `batch` is the number of its batch where several are played.
    """

    def __init__(self, text: str, policy: Policy, game: int) -> None:
        super().__init__(text)
        self.policy = policy
        self.game = game
        self.batch = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes whole; exceptions keep only their text by themselves."""
        return PolicyFault, (str(self), self.policy, self.game)


@dataclass
class Call:
    """One kernel call's records; the main thread looks at `desk` while the call runs."""

    batch: Batch
    game: Game
    rules: Any
    state: Any
    row: Any
    desk: Any
    functions: tuple[Any, ...]

    def arguments(self) -> tuple[Any, ...]:
        """Return what a kernel call begins with."""
        pool = self.batch.line_up.pool
        labels = self.batch.line_up.labels
        params = np.zeros((len(pool), self.game.max_params))
        for line, policy in zip(params, pool, strict=True):
            line[: len(policy.params)] = policy.params
        numbers = np.array([labels.index(policy.label) for policy in pool], np.int64)
        return params, numbers, MODES.index(self.batch.line_up.mode), self.rules, self.state, self.row, self.desk


def new_call(batch: Batch, is_told: bool = False) -> Call:
    """Prepare a kernel call: compile what is not compiled, lay out the records."""
    game = load_game(batch.game)
    functions = tuple(f for policy in batch.line_up.pool for f in compile_policy(game, policy))
    rules = game.rules_record(batch.rules.values)
    _, state, row, desk = (apart(1, record).view(np.recarray) for record in call_records(game))
    desk.left[0] = NO_HALT
    desk.decisions[0] = len(game.decisions)
    desk.policies[0, : len(functions)] = addresses(functions)
    desk.is_told[0] = is_told
    desk.is_checked[0] = not all(policy.is_trusted for policy in batch.line_up.pool)
    scratch = game.records["own"]["memory"].itemsize
    desk.words[0] = [(game.records[name].itemsize - (name == "own") * scratch) // 8 for name in READ_ONLY]
    return Call(batch, game, rules, state, row, desk, functions)


def play_task(
    call: Call, plan: Layout, first_block: int, blocks: int, games: int = 0, is_kept: bool = False
) -> TaskResult:
    """Play blocks `first_block` .. `first_block + blocks - 1`; fewer when the call was told to stop.

    `games` is how many they have in all where the last one is not whole: the last block of a run. With `is_kept` the
    result has every game's row.

    Raises PolicyFault when a policy broke a rule or raised an exception.
    """
    batch = call.batch
    slots, sizes = len(plan.metrics), batch.schedule.sizes(first_block, blocks, games)
    counts = new_counts(plan)
    sums = np.zeros((blocks, slots, 2), np.int64)
    totals = np.zeros((slots, 5), np.int64)
    rows = np.zeros((sizes.sum() if is_kept else 0, len(plan.plan.blank)), np.int32)
    try:
        with np.errstate(over="ignore"):
            done = kernel_of(batch.game)(
                *call.arguments(),
                batch.seed,
                batch.schedule.first_game(first_block),
                sizes,
                plan.plan,
                counts,
                sums,
                totals,
                rows,
            )
    except Exception as error:
        if not call.desk.is_asking[0]:
            raise  # the engine's own
        raise _policy_fault(call, f"{type(error).__name__}: {error}") from None
    if call.desk.fault[0] != NO_FAULT:
        sentence = call.game.sentences[int(call.desk.fault[0])]
        limit = int(call.desk.limit[0])
        named = {key: words[limit] for key, words in call.game.names.items() if 0 <= limit < len(words)}
        text = sentence.format(choice=call.desk.choice[0], limit=limit, **named)
        raise _policy_fault(call, text)
    played = int(sizes[:done].sum())
    return TaskResult(first_block, played, sums[:done], totals, counts.low, counts.high, counts.cells, rows[:played])


def culprit(call: Call) -> tuple[Policy, str]:
    """Return the policy that a call asked last, and where in which game."""
    desk = call.desk[0]
    policy = call.batch.line_up.pool[int(desk.entries[int(desk.seat)])]
    decision = call.game.decisions[int(desk.decision)].name
    where = f"game {int(desk.game)}, round {int(call.state.table.round_number[0])}, seat {int(desk.seat)}"
    return policy, f"policy {policy.label!r} ({where}, decision {decision!r}, seed {call.batch.seed})"


def _policy_fault(call: Call, what: str) -> PolicyFault:
    """Word a fault: policy, seat, game, seed, decision and the rule it broke."""
    policy, who = culprit(call)
    return PolicyFault(f"{who}: {what}", policy, int(call.desk.game[0]))
