"""How fast a machine plays: games a second by line-up, against the same loop without counting, over threads.

All figures of one call are taken in turn, round after round, and reported as medians and ratios within the
same run, because a machine's speed drifts by more than what is to be told apart.
"""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sim.batch import Batch
from sim.blocks import Layout
from sim.run import play
from sim.task import new_call, play_task

_ROUNDS = 5
#: Games played to get warm, or to see about how fast it is.
_FEW = 3000


@dataclass(frozen=True)
class Speed:
    """A line-up's speed: games a second by threads; `bare` without counting, on one thread."""

    game: str
    line_up: str
    bare: float
    by_threads: dict[int, float]

    @property
    def counting(self) -> float:
        """The share of one thread's time that counting outcomes takes."""
        return 1 - self.by_threads[1] / self.bare

    def scaling(self, threads: int) -> float:
        """How many times one thread's speed so many threads reach."""
        return self.by_threads[threads] / self.by_threads[1]


def games_a_second(batch: Batch) -> int:
    """Return about how many games one thread plays in a second, in thousands."""
    _play_bare(batch, _FEW)
    return max(1, round(_play_bare(batch, _FEW) / 1000)) * 1000


def measures(threads: int) -> int:
    """Return how often `measure` plays its games."""
    return _ROUNDS * (1 + len(_thread_counts(threads)))


def measure(line_up: str, batch: Batch, games: int, threads: int, told: Callable[[int], None]) -> Speed:
    """Return a batch's speed over `games` games a measure, for 1, 2, 4 ... `threads` threads.

    `line_up` names it; `told` is told the games of every measure.
    """
    counts = _thread_counts(threads)
    bare: list[float] = []
    taken: dict[int, list[float]] = {count: [] for count in counts}
    _play_bare(batch, min(games, _FEW))
    for _ in range(_ROUNDS):
        bare.append(_play_bare(batch, games))
        told(games)
        for count in counts:
            taken[count].append(_play_counted(batch, games, count))
            told(games)
    medians = {count: statistics.median(paces) for count, paces in taken.items()}
    return Speed(batch.game, line_up, statistics.median(bare), medians)


def _thread_counts(threads: int) -> list[int]:
    """Return 1, 2, 4 ... and last `threads`."""
    return [1 << k for k in range(threads.bit_length()) if 1 << k < threads] + [threads]


def _play_counted(batch: Batch, games: int, threads: int) -> float:
    """Play as `run` does; return games a second."""
    started = time.perf_counter()
    play(batch, games, threads)
    return games / (time.perf_counter() - started)


def _play_bare(batch: Batch, games: int) -> float:
    """Play the same games on this thread without counting anything; return games a second."""
    plan = _nothing_counted(batch.layout())
    call = new_call(batch)
    started = time.perf_counter()
    play_task(call, plan, 0, batch.schedule.blocks_for(games), games)
    return games / (time.perf_counter() - started)


def _nothing_counted(full: Layout) -> Layout:
    """Return a layout that counts no column, no ratio and no spread."""
    plan = full.plan._replace(
        game=0, seat=0, round=0, won=0, ratios=np.zeros((0, full.plan.ratios.shape[1]), np.int64),
        spreads=np.zeros((0, full.plan.spreads.shape[1]), np.int64),
    )  # fmt: skip
    return dataclasses.replace(full, metrics=(), plan=plan, means=0, cells=0, spreads=())
