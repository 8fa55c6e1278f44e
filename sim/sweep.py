"""Cells of rule values, line-ups or parameters over common blocks; a single run is a sweep of one cell.

Every cell plays the same blocks, and each is paired with the base cell block by block. A sweep ends after a number
of games, or once what is watched is known to a stated precision; a cell that needs no more blocks gets none.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim.batch import Batch
from sim.blocks import Layout, TaskResult, Totals
from sim.compare import Change, Comparison, Pairs
from sim.errors import BadInput, RunFailed
from sim.played import Played, played
from sim.precision import games_for
from sim.run import AHEAD, AHEAD_WITH_ROWS, Run
from sim.store import Writer
from sim.workers import Workers

if TYPE_CHECKING:
    from sim.design import Design

#: A run to a precision ends here in any case.
MOST_GAMES = 10**12
#: The first groups say how many games to plan for, and nothing is judged by them.
LEAST_GROUPS = 2


@dataclass(frozen=True)
class Goal:
    """When a cell is finished: after `games` games, or (games 0) once each watched metric is within `half_width`.

    `watched` are metrics or families of them (win_rate_by_company); of those a cell counts, each must be known.
    """

    games: int = 0
    half_width: float = 0.0
    watched: tuple[str, ...] = ()

    @property
    def most(self) -> int:
        """How many games a cell may play."""
        return self.games or MOST_GAMES

    @property
    def planned(self) -> int:
        """The games for which confidence sequences are narrowest; 0 when a number of games is the goal."""
        return 0 if self.games else games_for(self.half_width)

    def is_watched(self, name: str, of: str) -> bool:
        """Tell whether a metric of this name and family is."""
        return name in self.watched or of in self.watched


class CellRun:
    """A batch of a sweep, what it has counted so far, and its differences to the base."""

    def __init__(self, batch: Batch, layout: Layout, base: Layout, goal: Goal, writer: Writer | None) -> None:
        self.batch, self.goal, self.writer = batch, goal, writer
        self.totals = Totals(layout, planned=goal.planned)
        self.pairs = Pairs((base, layout), goal.planned)
        self.blocks = 0
        self.width = float("inf")
        self.is_finished = False
        metrics = enumerate(layout.metrics)
        self._watched = [s for s, m in metrics if not m.is_label and goal.is_watched(m.name, m.of)]
        assert goal.games or self._watched, f"a precision is about metrics that there are, not {goal.watched}"
        self._watched_pairs = [p for p, m in enumerate(self.pairs.metrics) if goal.is_watched(m.name, m.of)]

    def add(self, part: TaskResult, base: npt.NDArray[np.int64] | None) -> None:
        """Count blocks that follow on the cell's, and their pairs among the base's; look whether they will do."""
        self.totals.add(part)
        self.blocks += len(part.sums)
        if base is not None:
            sizes = self.batch.schedule.sizes(part.first_block, len(part.sums), part.games)
            self.pairs.add(base, part.sums, sizes)
        groups, beyond = divmod(self.totals.games, self.batch.schedule.group_games)
        if self.goal.games:
            self.is_finished = self.totals.games >= self.goal.games
        elif beyond == 0 and groups == LEAST_GROUPS:
            self._plan()
        elif beyond == 0 and groups > LEAST_GROUPS and not self.is_finished:
            self.width = self.half_width()
            self.is_finished = self.width <= self.goal.half_width

    def _plan(self) -> None:
        """Plan for as many games as the spread of these first ones, which are no look, lets one expect."""
        games = self.totals.planned = self.pairs.planned = self.totals.games
        self.width = self.half_width()
        ratio = self.width / self.goal.half_width
        planned = max(games, round(games * ratio**2)) if math.isfinite(ratio) else self.goal.planned
        self.totals.planned = self.pairs.planned = planned

    @property
    def expected(self) -> float:
        """About how many games the cell will have played in the end; infinite before the first look."""
        if self.is_finished:
            return self.totals.games
        return self.totals.games * max(1.0, self.width / self.goal.half_width) ** 2

    def half_width(self) -> float:
        """Return the widest half-width of what is watched and counted, differences to the base included."""
        totals, widths = self.totals, [0.0]
        for slot in self._watched:
            if totals.sums[slot, 1]:
                found = totals.estimate(slot)
                # What never varied is known; what hardly ever happened is not.
                widths.append(math.inf if math.isnan(found.value) else found.half_width)
        for _, pair in self.pairs.of(self._watched_pairs):
            widths.append(math.inf if math.isnan(pair.half_width) and pair.units else pair.half_width)
        return max(width for width in widths if not math.isnan(width))


@dataclass(frozen=True)
class Swept:
    """What a sweep has found, as tables and charts take it.

    keys are what is varied; settings each cell's values of them; differences, by cell, every metric's paired
    difference to the base cell, whose own are empty; precision is 0 where `wanted` games of each were asked for;
    folders are the names of the cells' folders where they are kept.
    """

    keys: tuple[str, ...]
    settings: tuple[Mapping[str, Any], ...]
    base: int
    played: tuple[Played, ...]
    differences: tuple[tuple[Change, ...], ...]
    precision: float
    wanted: int
    folders: tuple[str, ...] = ()


@dataclass
class Sweep:
    """Batches that play the same blocks of one seed, `base` being the one that the others are paired with.

    Raises RunFailed when a writer's folder holds more games than are asked for.
    """

    batches: Sequence[Batch]
    goal: Goal
    base: int = 0
    writers: Sequence[Writer] = ()
    cells: list[CellRun] = field(init=False)
    new_games: int = 0
    run: Run | None = None
    is_stopped: bool = False

    def __post_init__(self) -> None:
        layouts = [batch.layout() for batch in self.batches]
        writers: Sequence[Writer | None] = self.writers or [None] * len(layouts)
        self.cells = [
            CellRun(batch, layout, layouts[self.base], self.goal, writer)
            for batch, layout, writer in zip(self.batches, layouts, writers, strict=True)
        ]
        for writer in self.writers if self.goal.games else ():
            writer.refuse_fewer(self.goal.games)
        self._order = sorted(range(len(layouts)), key=lambda number: number != self.base)
        self._group: list[npt.NDArray[np.int64]] = []

    @property
    def is_finished(self) -> bool:
        """Whether every cell has reached the goal."""
        return all(cell.is_finished for cell in self.cells)

    @property
    def expected(self) -> int | None:
        """About how many games all cells will have played in the end; None where nothing is known of it."""
        if self.goal.games:
            return self.goal.games * len(self.cells)
        games = sum(cell.expected for cell in self.cells)
        return int(games) if math.isfinite(games) else None

    def play(
        self, workers: Workers, on_games: Callable[[int], None], on_finished: Callable[[int], None] | None = None
    ) -> None:
        """Play what is not on disk until the goal or a stop.

        `on_games` is told how many games there are more, `on_finished` the number of a cell that reached its goal.
        Raises PolicyFault for a policy's fault and RunFailed when the workers fail; what is finished is kept.
        """
        ahead = AHEAD_WITH_ROWS if any(writer.has_rows for writer in self.writers) else AHEAD
        self.run = Run(self.batches, self.goal.most, workers, self._order, self._kept, self._wants, ahead=ahead)
        self.run.is_stopped = self.is_stopped
        try:
            for part in self.run.parts():
                cell = self.cells[part.batch]
                was_finished = cell.is_finished
                self._take(part.batch, part.result)
                if not part.is_kept:
                    self.new_games += part.result.games
                    if cell.writer is not None:
                        cell.writer.add(part.result)
                on_games(part.result.games)
                if on_finished is not None and cell.is_finished and not was_finished:
                    on_finished(part.batch)
        except (RunFailed, BadInput):
            for writer in self.writers:
                with contextlib.suppress(RunFailed, BadInput):  # where one cannot be written the next one may be
                    writer.flush()
            raise

    def stop(self) -> None:
        """End with the blocks that are finished."""
        self.is_stopped = True
        if self.run is not None:
            self.run.stop()

    def finish(self) -> tuple[Played, ...]:
        """Return every cell's results, and keep their totals where blocks are kept.

        Raises RunFailed when a cell's folder holds more games than the precision takes.
        """
        for cell in self.cells:
            if cell.writer is not None:
                cell.writer.finish(cell.totals, self.goal.games, cell.is_finished)
        return tuple(played(cell.batch, cell.totals, self.goal.games, cell.is_finished) for cell in self.cells)

    def differences(self, number: int) -> tuple[Change, ...]:
        """Return every metric's paired difference of a cell to the base; none for the base itself."""
        return () if number == self.base else self.cells[number].pairs.differences()

    def swept(self, design: Design) -> Swept:
        """Return what was found, and keep every cell's totals where blocks are kept."""
        return Swept(
            design.keys,
            tuple(cell.settings for cell in design.cells),
            design.base,
            self.finish(),
            tuple(self.differences(number) for number in range(len(self.cells))),
            self.goal.half_width,
            self.goal.games,
            tuple(cell.folder for cell in design.cells) if self.writers else (),
        )

    def comparison(self) -> Comparison:
        """Return what the second of two cells differs by from the first."""
        base, variant = self.finish()
        games = min(base.totals.games, variant.totals.games)
        return Comparison(base, variant, self.differences(1), self.cells[1].pairs.blocks, games)

    def _kept(self, number: int, group: int) -> TaskResult | None:
        """Return the finished blocks of a cell's group that are on disk."""
        writer = self.cells[number].writer
        return None if writer is None else writer.kept(group, self.goal.games)

    def _wants(self, number: int) -> bool:
        """Tell whether a cell wants more blocks: its own goal is not reached, or others need it as their base."""
        return not (self.is_finished if number == self.base else self.cells[number].is_finished)

    def _take(self, number: int, part: TaskResult) -> None:
        """Count a part. The base has the first turn in every group, so that its blocks are there to be paired."""
        blocks = self.batches[number].schedule
        at = part.first_block - blocks.group_start(blocks.group_of(part.first_block))
        if number != self.base:
            group = np.concatenate(self._group)
            self.cells[number].add(part, group[at : at + len(part.sums)])
            return
        if at == 0:
            self._group = []
        if len(self.cells) > 1:
            self._group.append(part.sums)
        self.cells[number].add(part, None)
