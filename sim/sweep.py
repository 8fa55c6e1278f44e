"""Cells of rule values over common blocks: what a sweep has played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.blocks import Metric
from sim.precision import Difference
from sim.store import Played


@dataclass(frozen=True)
class Swept:
    """What a sweep found, cell by cell.

    keys: what is varied, in order: rule keys, "policy.param", "line_up"; settings: each cell's values of them.
    base: which cell is the base; differences: each cell's paired differences to it, none for the base itself.
    precision: what was asked for, 0 where a number of games was; wanted: games wanted of each cell, 0 with precision.
    """

    keys: tuple[str, ...]
    settings: tuple[Mapping[str, Any], ...]
    base: int
    played: tuple[Played, ...]
    differences: tuple[tuple[tuple[Metric, Difference], ...], ...]
    precision: float
    wanted: int
