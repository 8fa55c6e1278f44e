"""Two variants on common random numbers: what a rule change did to every metric, paired block by block.

Both play the same games of the same seed, so what chance they share cancels in the differences. Each
stretch of blocks is played by the one, then by the other, and only products of sums are kept, so that
memory does not grow with the number of games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.batch import Batch, Run
from sim.blocks import Metric, Totals
from sim.precision import PAIR_FIELDS, Difference, difference, pair_sums

#: How many blocks one variant plays before the other has its turn.
STRETCH = 400


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
            stretches = [
                self._stretch(batch, totals, slots, Run(batch, here, threads, first), on_games)
                for batch, totals, slots in zip((self.base, self.variant), self.totals, self._slots, strict=True)
            ]
            common = min(len(stretch) for stretch in stretches)
            self.sums = self.sums + pair_sums(*(stretch[:common] for stretch in stretches))
            self.blocks += common

    def _stretch(
        self, batch: Batch, totals: Totals, slots: list[int], run: Run, on_games: Callable[[int], None] | None
    ) -> Any:
        """Play one stretch of one variant; return the sums of its first blocks without a gap."""
        self.run = run
        run.is_stopped = self.is_stopped
        parts = []
        for part in run.parts():
            totals.add(part)
            parts.append(part)
            if on_games is not None:
                on_games(part.games)
        parts.sort(key=lambda part: part.first_block)
        following, whole = run.first_block, []
        for part in parts:
            if part.first_block == following:
                whole.append(part.sums[:, slots])
                following += len(part.sums)
        return np.concatenate(whole) if whole else np.zeros((0, len(slots), 2), np.int64)

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
