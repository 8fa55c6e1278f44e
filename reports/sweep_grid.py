"""The shape of a sweep: along which axes its cells lie, and whether they fill the whole grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reports.sweeps import setting_text
from sim.sweep import Swept

#: Of keys that never take a value twice, more cells than this are a sample, fewer are keys moved together.
_MOST_TOGETHER = 6


@dataclass(frozen=True)
class Axis:
    """A direction in which cells lie: one key, or several that move together.

    labels: its values as text, numbers in order; numbers: the same as numbers, empty when they are none; places:
    which value each cell of the shape has.
    """

    name: str
    labels: tuple[str, ...]
    numbers: tuple[float, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Shape:
    """The cells that lie along axes: every combination once when it is a grid, else a sample of them.

    A base that is no combination of the varied values is not among the cells of a grid.
    """

    axes: tuple[Axis, ...]
    cells: tuple[int, ...]
    is_grid: bool


def shape_of(swept: Swept) -> Shape:
    """Return the shape of a sweep: a grid of its keys, of keys that move together, or a sample."""
    everyone = range(len(swept.settings))
    varied = _varied(swept, everyone)
    others = [cell for cell in everyone if cell != swept.base]
    ways: list[Sequence[int]] = (
        [everyone, others] if len(others) > 1 and _varied(swept, others) == varied else [everyone]
    )
    for cells in ways:
        if (shape := _grid(swept, varied, cells)) is not None:
            return shape
    for cells in ways:
        groups = _together(swept, varied, cells)
        is_sample = len(groups) == 1 and len(cells) > _MOST_TOGETHER
        if not is_sample and (shape := _grid(swept, groups, cells)) is not None:
            return shape
    return Shape(tuple(_axis(swept, group, everyone) for group in varied), tuple(everyone), False)


def _grid(swept: Swept, groups: Sequence[Sequence[str]], cells: Sequence[int]) -> Shape | None:
    """Return the grid of the groups of keys when the cells are every combination, each once."""
    axes = tuple(_axis(swept, group, cells) for group in groups)
    combinations = set(zip(*(axis.places for axis in axes), strict=True))
    is_full = len(combinations) == len(cells) == math.prod(len(axis.labels) for axis in axes)
    return Shape(axes, tuple(cells), True) if is_full else None


def _varied(swept: Swept, cells: Sequence[int]) -> list[list[str]]:
    """Return the keys that take more than one value, each as a group of its own; the first when none does."""
    found = [[key] for key in swept.keys if len({_text(swept, cell, [key]) for cell in cells}) > 1]
    return found or [[swept.keys[0]]]


def _together(swept: Swept, groups: list[list[str]], cells: Sequence[int]) -> list[list[str]]:
    """Return the groups with those joined whose values go one to one with each other."""
    found: list[list[str]] = []
    for group in groups:
        for other in found:
            texts = [{_text(swept, cell, keys) for cell in cells} for keys in (group, other, group + other)]
            if len({len(values) for values in texts}) == 1:
                other += group
                break
        else:
            found.append(list(group))
    return found


def _text(swept: Swept, cell: int, keys: Sequence[str]) -> str:
    """Return a cell's values of some keys."""
    return " / ".join(setting_text(swept.settings[cell][key]) for key in keys)


def _axis(swept: Swept, keys: Sequence[str], cells: Sequence[int]) -> Axis:
    """Return the axis along which some keys lie, numbers in order, else as they come."""
    name, texts = ", ".join(keys), [_text(swept, cell, keys) for cell in cells]
    values = [swept.settings[cell][keys[0]] for cell in cells]
    numbers = _all_numbers([_number(value) for value in values]) if len(keys) == 1 else []
    if len(keys) == 1 and not numbers:
        base = swept.settings[swept.base][keys[0]]
        numbers = _all_numbers([_shift(value, base) for value in values])
        if numbers:
            name, texts = f"shift of {name}", [f"{number:+g}" for number in numbers]
    if not numbers:
        labels = tuple(dict.fromkeys(texts))
        return Axis(name, labels, (), tuple(labels.index(text) for text in texts))
    labels_of = dict(sorted(zip(numbers, texts, strict=True)))
    order = tuple(labels_of)
    return Axis(name, tuple(labels_of.values()), order, tuple(order.index(number) for number in numbers))


def _all_numbers(numbers: Sequence[float | None]) -> list[float]:
    """Return the numbers when there is one for each, else none."""
    listed = [number for number in numbers if number is not None]
    return listed if len(listed) == len(numbers) else []


def _number(value: Any) -> float | None:
    """Return a setting that is a number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _shift(value: Any, base: Any) -> float | None:
    """Return by how much every entry of a list of numbers lies above the base's list; None for anything else."""
    if not (isinstance(value, list | tuple) and isinstance(base, list | tuple) and len(value) == len(base) > 0):
        return None
    if not all(isinstance(entry, int | float) for entry in itertools.chain(value, base)):
        return None
    shifts = {mine - other for mine, other in zip(value, base, strict=True)}
    return float(shifts.pop()) if len(shifts) == 1 else None
