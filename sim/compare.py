"""Two variants on common random numbers: what a rule change did to every metric, paired block by block.

Both play the same games of the same seed, so what chance they share cancels in the differences. Each
stretch of blocks is played by the one, then, cut into the same tasks, by the other, and only products of sums
are kept, so that memory does not grow with the number of games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.batch import Batch, Run
from sim.blocks import Metric, TaskResult, Totals
from sim.precision import PAIR_FIELDS, Difference, difference, pair_sums

#: How many blocks one variant plays before the other has its turn: a second or less, so that a stop keeps pairs.
STRETCH = 64


@dataclass
class Comparison:
    """Two variants' totals and the sums over common blocks: object (metrics, PAIR_FIELDS).

    Metrics that only one of the variants has (a seat or a round too many) are left out.
    """

    base: Batch
    variant: Batch
    totals: tuple[Totals, Totals] = field(init=False)
    metrics: tuple[Metric, ...] = field(init=False)
    sums: Any = field(init=False)
    blocks: int = 0
    is_stopped: bool = False
    run: Run | None = None
    pace: float = 0.0

    def __post_init__(self) -> None:
        self.totals = Totals(self.base.layout()), Totals(self.variant.layout())
        first, second = (totals.layout.index() for totals in self.totals)
        names = [metric.name for metric in self.totals[0].layout.metrics if not metric.is_label]
        names = [name for name in names if name in second]
        self.metrics = tuple(self.totals[0].layout.metrics[first[name]] for name in names)
        self._slots = [first[name] for name in names], [second[name] for name in names]
        self.sums = np.zeros((len(names), PAIR_FIELDS), dtype=object)

    def play(self, games: int, threads: int = 0, on_games: Callable[[int], None] | None = None) -> None:
        """Play `games` games of both; `on_games` is told how many were added. A stop ends it early."""
        size = self.base.block_games
        for first in range(0, -(-games // size), STRETCH):
            here = min(games - first * size, STRETCH * size)
            base = list(self._parts(Run(self.base, here, threads, first, pace=self.pace), on_games))
            if not base or self.is_stopped:
                return
            of_base = {part.first_block: part for part in base}
            tasks = [(part.first_block, len(part.sums), part.games // len(part.sums)) for part in base]
            for part in self._parts(Run(self.variant, here, threads, tasks=tasks), on_games):
                self._pair(of_base[part.first_block], part)

    def _parts(self, run: Run, on_games: Callable[[int], None] | None) -> Iterator[TaskResult]:
        """Play a stretch of one variant."""
        self.run = run
        run.is_stopped = self.is_stopped
        for part in run.parts():
            self.pace = run.pace
            yield part
            if on_games is not None:
                on_games(part.games)

    def _pair(self, base: TaskResult, variant: TaskResult) -> None:
        """Count a task that both have played; one cut short by a stop has no pair."""
        if len(base.sums) != len(variant.sums):
            return
        for totals, part in zip(self.totals, (base, variant), strict=True):
            totals.add(part)
        slots = self._slots
        self.sums = self.sums + pair_sums(base.sums[:, slots[0]], variant.sums[:, slots[1]])
        self.blocks += len(base.sums)

    def stop(self) -> None:
        """End with the blocks that both have played."""
        self.is_stopped = True
        if self.run is not None:
            self.run.stop()

    def differences(self) -> list[tuple[Metric, Difference]]:
        """Return every metric's paired difference, those that neither variant counted left out."""
        pairs = (
            (metric, difference(sums, self.blocks, metric.scale))
            for metric, sums in zip(self.metrics, self.sums, strict=True)
        )
        return [(metric, paired) for metric, paired in pairs if paired is not None]
