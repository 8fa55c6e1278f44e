"""What the tests of the simulator share: batches in one line, and what it means that two results are the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from policies import entry, names
from policies import load as load_policy
from sim.batch import Batch, LineUp
from sim.blocks import TaskResult, Totals
from sim.game import load_game
from sim.policy import Policy
from sim.rules import load
from sim.task import new_call, play_task

ROOT = Path(__file__).parent.parent
DEBRIUM = load_game("debrium")

#: All built-in policies but the yardstick: what `--policies mixed` draws from.
MIXED = tuple(name for name in names(DEBRIUM) if name != "random_legal")


def batch(
    policies: Sequence[str] = ("random_legal",),
    mode: str = "shuffled",
    sets: Iterable[str] = (),
    seed: int = 1,
    block_games: int = 1000,
) -> Batch:
    """A batch of Debrium: policies by name, a single one at every seat unless the pool is drawn from."""
    rules = load("debrium", sets=list(sets))
    pool = tuple(load_policy(DEBRIUM, name) for name in policies)
    if len(pool) == 1 and mode != "drawn":
        pool *= rules.values["players"]
    return Batch("debrium", rules, LineUp(pool, mode), seed, block_games)


def tuned(name: str, count: int) -> str:
    """The word for a policy with its first `count` parameters at their upper bounds."""
    params = entry(DEBRIUM, load_policy(DEBRIUM, name)).params
    assert len(params) >= count
    return ":".join([name, *(f"{param.name}={param.high:g}" for param in params[:count])])


def outside(source: str, name: str = "mine", params: tuple[float, ...] = ()) -> Policy:
    """A policy from outside the package, whose text is given."""
    return Policy(name, name, f"{name}.py", source, params, is_trusted=False)


def parts_of(of: Batch, *tasks: tuple[int, int]) -> list[TaskResult]:
    """Play tasks of (first block, blocks) one after the other on this thread."""
    call, plan = new_call(of), of.layout()
    return [play_task(call, plan, first, blocks) for first, blocks in tasks]


def totals_of(of: Batch, parts: Iterable[TaskResult]) -> Totals:
    """Merge parts in the order in which they come."""
    totals = Totals(of.layout())
    for part in parts:
        totals.add(part)
    return totals


def assert_same(one: Totals, other: Totals) -> None:
    """Two totals are equal in every number."""
    assert one.games == other.games
    assert [m.name for m in one.layout.metrics] == [m.name for m in other.layout.metrics]
    assert (one.sums == other.sums).all()
    np.testing.assert_array_equal(one.low, other.low)
    np.testing.assert_array_equal(one.high, other.high)
    assert one.spreads.keys() == other.spreads.keys()
    for name, spread in one.spreads.items():
        np.testing.assert_array_equal(spread.view(flow=True), other.spreads[name].view(flow=True))


def sums(totals: Totals, name: str) -> tuple[int, ...]:
    """A metric's five sums by its name."""
    return tuple(totals.sums[totals.layout.index()[name]])


def value(totals: Totals, name: str) -> float:
    """A metric's plain ratio in its unit."""
    slot = totals.layout.index()[name]
    n, d = totals.sums[slot, :2]
    return n / d * totals.layout.metrics[slot].scale
