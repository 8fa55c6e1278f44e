"""The additive result of games: what is counted in which slot, and totals that merge exactly.

A *slot* is one metric's numerator and denominator: first the mean of each column of a game's row (a seat
column's total over the seats, a round column once for each round), then the win rates of those seat columns
that have one, then every ratio's categories. Sums are int64 within a task and Python ints across tasks, so that
merging is exact and in any order the same.
Spreads are boost-histograms with integer storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypedDict

import boost_histogram as bh
import numpy as np
import numpy.typing as npt

from sim import kernel
from sim.game import FIXED_FIELDS, GAME, POLICY, ROUND, SEAT, UNIT, Column, Outcomes, Ratio, Spread
from sim.memory import apart
from sim.precision import LEVEL, Estimate, estimate

#: A histogram of whole numbers.
Histogram: TypeAlias = "bh.Histogram[bh.storage.Int64]"

_SCOPES = {GAME: kernel.GAME_SCOPE, SEAT: kernel.SEAT_SCOPE, ROUND: kernel.ROUND_SCOPE}
_LOWEST, _HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max


@dataclass(frozen=True)
class Metric:
    """One slot as results name it; `of` and `category` take a name like win_rate_by_policy[miner] apart.

    is_label marks the mean of a column that only sorts, which no result shows. A share's numerator never
    exceeds its denominator, a number that is not `is_signed` is never below 0, and no unit's is more than `most`,
    which decides how the intervals of few games are found.
    """

    name: str
    unit: str
    meaning: str
    scale: float
    of: str
    category: str | None = None
    is_label: bool = False
    most: float | None = None
    is_signed: bool = False

    @property
    def is_share(self) -> bool:
        """Whether it is a share of something, between 0 and 1."""
        return self.unit.startswith("share")


@dataclass(frozen=True)
class Layout:
    """Which slot is which metric, and the kernel's tables, for one variant and line-up."""

    metrics: tuple[Metric, ...]
    plan: kernel.Plan
    spreads: tuple[Spread, ...]
    means: int
    cells: int

    def index(self) -> dict[str, int]:
        """Return each metric's slot by its name."""
        return {metric.name: slot for slot, metric in enumerate(self.metrics)}


def layout(outcomes: Outcomes, labels: Sequence[str], seats: int, rounds: int) -> Layout:
    """Return the layout of a variant with these seats and rounds, played by policies of these labels."""
    metrics = [
        *_field_metrics(outcomes.game),
        *_field_metrics(outcomes.seat),
        *(m for number in range(1, rounds + 1) for m in _field_metrics(outcomes.round, str(number))),
    ]
    means = len(metrics)
    metrics += _win_rates(outcomes)
    table = np.zeros((len(outcomes.ratios), kernel.RATIO_FIELDS), np.int64)
    for line, ratio in zip(table, outcomes.ratios, strict=True):
        categories = _categories(ratio, labels, seats, rounds)
        line[:] = _ratio_line(ratio, outcomes, len(categories) if ratio.by else 1, slot=len(metrics) - means)
        metrics += _ratio_metrics(ratio, outcomes, categories)
    spreads, cells = _spread_table(outcomes)
    plan = kernel.Plan(
        game=len(outcomes.fields(GAME)),
        seat=len(outcomes.fields(SEAT)),
        round=len(outcomes.fields(ROUND)),
        max_seats=outcomes.max_seats,
        seats=seats,
        rounds=rounds,
        win=outcomes.fields(SEAT).index(outcomes.win),
        won=sum(column.width for column in outcomes.won()),
        blank=outcomes.blank_row(),
        ratios=table,
        spreads=spreads,
    )
    return Layout(tuple(metrics), plan, outcomes.spreads, means, cells)


def _field_metrics(columns: Sequence[Column], category: str | None = None) -> list[Metric]:
    """Return the metrics of a scope's means, fixed fields first; those of a round have its number as category."""
    found = [Metric(name, "", "", 1.0, name, category, is_label=True) for name in FIXED_FIELDS]
    for column in columns:
        for name, entry in zip(column.names(), column.entries or ("",), strict=True):
            full = f"{name}_by_round[{category}]" if category else name
            of = f"{name}_by_round" if category else name
            meaning = f"{column.meaning} {entry}".strip()
            found.append(
                Metric(full, column.unit, meaning, column.scale, of, category, column.is_label, **_bounds(column))
            )
    return found


class _Bounds(TypedDict):
    """What a metric's units can be at most, and whether they can be below 0."""

    most: float | None
    is_signed: bool


def _bounds(column: Column) -> _Bounds:
    """Return the bounds that a column declares."""
    return _Bounds(most=column.most, is_signed=column.is_signed)


_NO_BOUNDS = _Bounds(most=None, is_signed=False)


def _win_rates(outcomes: Outcomes) -> list[Metric]:
    """Return the metrics of the win share of those who did something, one for each field that has one."""
    found = []
    scale = next(column.scale for column in outcomes.seat if column.name == outcomes.win)
    for column in outcomes.won():
        for entry in column.entries or ("",):
            name = "_".join(filter(None, (column.win_rate, entry)))
            meaning = f"win share, seats counted by {column.meaning} {entry}".strip()
            found.append(Metric(name, "share of games", meaning, scale, name))
    return found


def _ratio_metrics(ratio: Ratio, outcomes: Outcomes, categories: Sequence[str]) -> list[Metric]:
    """Return a ratio's metrics, one for each category; the mean of one column is bounded as the column is."""
    columns = {name: column for column in outcomes.columns(ratio.scope) for name in column.names()}
    factors = [columns[name] for name in ratio.numerator if name in columns]
    bounds = _bounds(factors[0]) if len(factors) == 1 and not ratio.denominator else _NO_BOUNDS
    if not categories:
        return [Metric(ratio.name, ratio.unit, ratio.meaning, ratio.scale, ratio.name, **bounds)]
    return [
        Metric(f"{ratio.name}[{name}]", ratio.unit, ratio.meaning, ratio.scale, ratio.name, name, **bounds)
        for name in categories
    ]


def _categories(ratio: Ratio, labels: Sequence[str], seats: int, rounds: int) -> Sequence[str]:
    """Return the categories that a variant has: its own policies, no seat or round too many."""
    if ratio.by == POLICY:
        return labels
    if ratio.by == UNIT:
        return ratio.categories[: {SEAT: seats, ROUND: rounds}[ratio.scope]]
    return ratio.categories


def _ratio_line(ratio: Ratio, outcomes: Outcomes, categories: int, slot: int) -> list[int]:
    """Return a ratio's line in the kernel's table."""
    fields = outcomes.fields(ratio.scope)
    factors = [(*names, "one", "one")[:2] for names in (ratio.numerator, ratio.denominator)]
    return [
        _SCOPES[ratio.scope],
        *(fields.index(name) for pair in factors for name in pair),
        fields.index(ratio.by or "zero"),
        ratio.first,
        categories,
        int(ratio.is_share),
        slot,
    ]


def _spread_table(outcomes: Outcomes) -> tuple[npt.NDArray[np.int64], int]:
    """Return the kernel's table of spreads and how many cells they have together."""
    table = np.zeros((len(outcomes.spreads), kernel.SPREAD_FIELDS), np.int64)
    cells = 0
    for line, spread in zip(table, outcomes.spreads, strict=True):
        fields = outcomes.fields(spread.scope)
        axes = [(fields.index(name), low, high - low + 1) for name, low, high in spread.axes]
        line[: 3 + 3 * len(axes)] = [_SCOPES[spread.scope], len(axes), cells, *np.ravel(axes)]
        cells += int(np.prod([size + 2 for _, _, size in axes]))
    return table, cells


def new_spread(spread: Spread) -> Histogram:
    """Return an empty histogram of a spread, with integer storage and both end cells on every axis."""
    axes = [bh.axis.Integer(low, high + 1, metadata=name) for name, low, high in spread.axes]
    return bh.Histogram(*axes, storage=bh.storage.Int64())


@dataclass
class TaskResult:
    """What was counted in consecutive whole blocks from `first_block` on, `games` games in all.

    sums: (blocks, slots, 2); totals: (slots, 5); low, high: (means,); cells: the spreads', one after the other;
    rows: int32 (games, words) where they are kept, else (0, words).
    """

    first_block: int
    games: int
    sums: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]
    cells: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]


def merged(first: TaskResult, second: TaskResult) -> TaskResult:
    """Return two results of blocks that follow each other as one, without their games' rows."""
    assert second.first_block == first.first_block + len(first.sums), "blocks that follow each other"
    return TaskResult(
        first.first_block,
        first.games + second.games,
        np.concatenate([first.sums, second.sums]),
        first.totals + second.totals,
        np.minimum(first.low, second.low),
        np.maximum(first.high, second.high),
        first.cells + second.cells,
        first.rows[:0],
    )


@dataclass
class Totals:
    """The sums of all games of a run: object arrays of Python ints, which do not overflow.

    sums: (slots, 5), see `sim.kernel.SUM_N` and on; low, high: int32 (means,), each column's extremes. `planned`
    is 0 where the number of games was fixed beforehand, and else makes every interval one that stays valid
    however often it is looked at (see `sim.precision.critical_value`).
    """

    layout: Layout
    games: int = 0
    planned: int = 0
    sums: npt.NDArray[Any] = field(init=False)
    low: npt.NDArray[np.int32] = field(init=False)
    high: npt.NDArray[np.int32] = field(init=False)
    spreads: dict[str, Histogram] = field(init=False)

    def __post_init__(self) -> None:
        self.sums = np.zeros((len(self.layout.metrics), 5), dtype=object)
        self.low = np.full(self.layout.means, _HIGHEST, np.int32)
        self.high = np.full(self.layout.means, _LOWEST, np.int32)
        self.spreads = {spread.name: new_spread(spread) for spread in self.layout.spreads}

    def add(self, part: TaskResult) -> None:
        """Merge a task's counts."""
        self.games += part.games
        self.sums += part.totals.astype(object)
        np.minimum(self.low, part.low, out=self.low)
        np.maximum(self.high, part.high, out=self.high)
        at = 0
        for spread in self.spreads.values():
            view = spread.view(flow=True)
            view += part.cells[at : at + view.size].reshape(view.shape)
            at += view.size

    def estimate(self, slot: int, level: float = LEVEL) -> Estimate:
        """Return a metric's value and interval in its own unit (a share between 0 and 1); NaN when not counted."""
        metric = self.layout.metrics[slot]
        return estimate(
            self.sums[slot], self.games, metric.scale, metric.is_share, level, self.planned, metric.most,
            metric.is_signed,
        )  # fmt: skip


def new_counts(plan_of: Layout) -> kernel.Counts:
    """Return cleared counters for a kernel call."""
    slots, means = len(plan_of.metrics), plan_of.means
    rates = slots - means

    def zeros(*shape: int) -> npt.NDArray[np.int64]:
        return apart(shape, np.int64)

    low, high = apart(means, np.int32), apart(means, np.int32)
    low.fill(_HIGHEST)
    high.fill(_LOWEST)
    return kernel.Counts(
        total=zeros(means),
        squares=zeros(means),
        low=low,
        high=high,
        seat_total=apart(plan_of.plan.seat, np.int32),
        n=zeros(rates + 1),
        d=zeros(rates + 1),
        rates=zeros(5, rates),
        sums=zeros(slots, 5),
        cells=zeros(max(1, plan_of.cells)),
    )
