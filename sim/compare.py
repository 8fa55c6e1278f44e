"""Two variants on common random numbers: what a change did to every metric, paired block by block.

Both play the same games of the same seed, so what chance they share cancels in the differences. Only products of
sums are kept, so that memory does not grow with the number of games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.blocks import Layout, Metric
from sim.errors import BadInput
from sim.groups import groups
from sim.played import Played
from sim.precision import LEVEL, PAIR_FIELDS, Difference, difference, pair_sums, unpaired_difference
from sim.schedule import schedule
from sim.store import read

#: One metric and what a change did to it.
Change = tuple[Metric, Difference]


@dataclass
class Pairs:
    """The sums over the blocks that two variants have in common: object (metrics, PAIR_FIELDS).

    Metrics that only one of the variants has (a seat or a round too many) are left out. `planned` games make
    the differences' intervals those of a confidence sequence, see `sim.precision.critical_value`. squares: the sum
    of the squares of the blocks' games.
    """

    layouts: tuple[Layout, Layout]
    planned: int = 0
    metrics: tuple[Metric, ...] = field(init=False)
    sums: Any = field(init=False)
    blocks: int = 0
    games: int = 0
    squares: int = 0

    def __post_init__(self) -> None:
        first, second = (layout.index() for layout in self.layouts)
        names = [metric.name for metric in self.layouts[0].metrics if not metric.is_label and metric.name in second]
        self.metrics = tuple(self.layouts[0].metrics[first[name]] for name in names)
        self._slots = [first[name] for name in names], [second[name] for name in names]
        self.sums = np.zeros((len(names), PAIR_FIELDS), dtype=object)

    def add(self, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]) -> None:
        """Count the sums of the same blocks, (blocks, slots, 2) of each variant; at most a group's at once.

        sizes: int64 (blocks,), how many games they have.
        """
        assert len(first) == len(second) == len(sizes), "the same blocks of both"
        self.sums = self.sums + pair_sums(first[:, self._slots[0]], second[:, self._slots[1]])
        self.blocks += len(first)
        self.games += int(sizes.sum())
        self.squares += int((sizes * sizes).sum())

    @property
    def units(self) -> float:
        """How many blocks of one size tell as much of their spread."""
        return self.games**2 / self.squares if self.squares else 0.0

    def differences(self) -> tuple[Change, ...]:
        """Return every metric's paired difference, those that neither variant counted left out."""
        return self.of(range(len(self.metrics)))

    def of(self, places: Sequence[int]) -> tuple[Change, ...]:
        """Return the paired differences of some metrics, by their places in `metrics`."""
        pairs = (
            (metric, difference(self.sums[place], self.units, metric.scale, LEVEL, self.planned, self.games))
            for place, metric in ((place, self.metrics[place]) for place in places)
        )
        return tuple((metric, paired) for metric, paired in pairs if paired is not None)


@dataclass(frozen=True)
class Comparison:
    """Two variants' results and every metric's difference.

    `games` of each are compared, in `blocks` that are paired; 0 blocks when they share none.
    """

    base: Played
    variant: Played
    changes: tuple[Change, ...]
    blocks: int
    games: int


def is_same_seed(base: Played, variant: Played) -> bool:
    """Tell whether two runs played the games of one seed in blocks of one size; runs that were merged did not."""
    if base.merged or variant.merged:
        return False
    return (base.seed, base.block_games) == (variant.seed, variant.block_games)


def of_runs(first: Path, second: Path) -> Comparison:
    """Compare two run directories, block by block where they played the same games of the same seed.

    Raises BadInput when one is damaged, or when they are of different games.
    """
    base, variant = read(first), read(second)
    if base.rules.game != variant.rules.game:
        raise BadInput(f"compare: {first} is of {base.rules.game} and {second} of {variant.rules.game}")
    if is_same_seed(base, variant):
        games, pairs = _paired((first, second), base, variant)
        if games:
            return Comparison(base, variant, pairs.differences(), pairs.blocks, games)
    fewer = min(base.totals.games, variant.totals.games)
    return Comparison(base, variant, _unpaired(base, variant), 0, fewer)


def _paired(folders: tuple[Path, Path], base: Played, variant: Played) -> tuple[int, Pairs]:
    """Return how many games two runs of one seed have in blocks in common, and the pairs of these blocks."""
    layouts, blocks = (base.totals.layout, variant.totals.layout), schedule(base.block_games)
    pairs = Pairs(layouts, max(base.totals.planned, variant.totals.planned))
    kept = (groups(folder, layout, blocks) for folder, layout in zip(folders, layouts, strict=True))
    for one, other in zip(*kept, strict=False):
        # A last block of fewer games pairs with one of as many.
        first, games = one.first_block, min(one.games, other.games)
        start = blocks.first_game(first)
        common = blocks.blocks_for(start + games) - first
        if one.games != other.games and blocks.first_game(first + common) > start + games:
            common, games = common - 1, blocks.games(first, common - 1)
        if common:
            pairs.add(one.sums[:common], other.sums[:common], blocks.sizes(first, common, games))
    return pairs.games, pairs


def _unpaired(base: Played, variant: Played) -> tuple[Change, ...]:
    """Return the differences of two runs that share no games."""
    places = variant.totals.layout.index()
    changes = []
    for slot, metric in enumerate(base.totals.layout.metrics):
        if metric.is_label or metric.name not in places:
            continue
        both = base.totals.estimate(slot), variant.totals.estimate(places[metric.name])
        if not any(np.isnan(found.value) for found in both):
            changes.append((metric, unpaired_difference(*both)))
    return tuple(changes)
