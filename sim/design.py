"""The cells of a sweep: every combination of what is varied, or a sample of ranges, and the base among them.

A cell is one variant, one line-up and parameters of its policies. All cells are made, and so checked, before the
first game of any of them is played.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sim.errors import BadInput, printable, shortened
from sim.rules import Parameter, Rules, with_values
from sim.rules_text import Value, read_text
from sim.vary import MOST, Axis, ParamOf, Setting, Varied, read_axes, settings_text

LINE_UP = "line_up"
"""The key of the line-up in a cell's settings, where there are several."""

Point: TypeAlias = tuple[tuple[Setting, ...], ...]
"""The values of all axes, one tuple an axis."""

Choice: TypeAlias = tuple[Varied, Setting]
"""A key and its value in one cell."""

_COMMENT = re.compile(r"(?:^|\s)#.*")


@dataclass(frozen=True)
class Cell:
    """One variant and line-up to play.

    settings: what the design varies as JSON shows it, `Design.keys` in order: a rule's value, a policy's
    parameter as "policy.param", "line_up"; the base that was added has its own values. params: values by
    (policy, parameter), to be set wherever the policy stands in the line-up. line_up: text for `--policies`.
    """

    settings: Mapping[str, Any]
    rules: Rules
    params: Mapping[tuple[str, str], float]
    line_up: str

    @property
    def folder(self) -> str:
        """The name of the cell's folder: a hash of what it plays, so the same in every sweep that has the cell."""
        params = {f"{policy}.{name}": value for (policy, name), value in self.params.items()}
        played = {"rules": dict(self.rules.values), "params": params, "line_up": self.line_up}
        return hashlib.sha256(json.dumps(played, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Design:
    """What a sweep plays: the keys that are varied, the cells, and which of them is the base.

    kind, axes (keys and the texts of their values, see `Axis.told`) and line_ups say how the cells came about;
    own is the rules that the cells vary.
    """

    keys: tuple[str, ...]
    cells: tuple[Cell, ...]
    base: int
    kind: str
    axes: tuple[tuple[str, tuple[str, ...]], ...]
    line_ups: tuple[str, ...]
    own: Rules


def make_design(
    base: Rules, line_ups: Sequence[str], varies: Sequence[str], kind: str, seed: int, param_of: ParamOf
) -> Design:
    """Return the cells that `--vary` texts, line-ups and `--design` ask for.

    kind: "grid" (all combinations; line-ups, then the first text, change slowest) or "latin:N" or "sobol:N" (N
    points of the ranges, the same for every line-up, drawn from `seed`). Cells that play the same are kept once.
    The base, `base` with the first line-up and the parameters' own values, is put first where no cell equals it.

    Raises `BadInput`, in one line that names `--vary` and its text, for what cannot be played or is too much.
    """
    axes = read_axes(base, varies, param_of)
    if not axes and len(line_ups) < 2:
        raise BadInput("sweep: nothing is varied; give --vary key=a,b,c, or --lineups with several line-ups")
    points = _grid(axes, len(line_ups)) if kind == "grid" else _sample(axes, len(line_ups), kind, seed)
    made = [(_rules(base, axes, chosen), chosen) for chosen in (_chosen(axes, point) for point in points)]
    are_many = len(line_ups) > 1
    own = _cell(base, [(each, each.base) for axis in axes for each in axis.varied], line_ups[0], are_many)
    cells: dict[Hashable, Cell] = {}
    for line_up in line_ups:
        for rules, chosen in made:
            cell = _cell(rules, chosen, line_up, are_many)
            cells.setdefault(_play(cell), cell)
    if _play(own) not in cells:
        cells = {_play(own): own} | cells
    told = tuple(axis.told() for axis in axes)
    place = list(cells).index(_play(own))
    return Design(tuple(own.settings), tuple(cells.values()), place, kind, told, tuple(line_ups), base)


def read_line_ups(path: str | Path) -> list[str]:
    """Return the line-ups of a file for `--lineups`: one a line, without empty lines and # comments.

    Raises `BadInput`, in one line that names the file and the line's number, for a file that is no text, too
    large, empty or not to be read, and for a line-up that is there twice.
    """
    shown = printable(str(path))
    found: dict[str, int] = {}
    for number, line in enumerate(read_text(path, "line-up file").split("\n"), start=1):
        # Without spaces, so that equal line-ups look equal.
        line_up = ",".join(part.strip() for part in _COMMENT.sub("", line).split(","))
        if not line_up.isprintable():
            raise BadInput(f"{shown}: line {number} is no line-up; write the policies as --policies takes them")
        if line_up in found:
            raise BadInput(f"{shown}: line {number} repeats line {found[line_up]}; list each line-up once")
        if line_up:
            found[line_up] = number
    if not found:
        raise BadInput(f"{shown}: no line-up in it; write one a line, as --policies takes them")
    return list(found)


def _grid(axes: Sequence[Axis], line_ups: int) -> list[Point]:
    """Return all combinations of the axes' values, the first axis changing slowest."""
    for axis in axes:
        if axis.is_open:
            raise BadInput(
                f"{axis.where}: {axis.varied[0].key}: a range without a step is sampled; write lo:hi:step, "
                "or add --design latin:N or sobol:N"
            )
    sizes = [len(axis.values) for axis in axes]
    _check_count(axes, sizes, line_ups)
    return list(itertools.product(*(axis.values for axis in axes)))


def _sample(axes: Sequence[Axis], line_ups: int, kind: str, seed: int) -> list[Point]:
    """Return N points spread over the axes' ranges."""
    shape, _, text = kind.partition(":")
    number = int(text) if re.fullmatch("[0-9]{1,9}", text) else 0
    if shape not in ("latin", "sobol") or not 1 <= number <= MOST:
        raise BadInput(f"--design {printable(kind, 60)}: must be grid, latin:N or sobol:N with N from 1 to {MOST}")
    if not axes:
        raise BadInput(f"--design {kind}: samples ranges, and there is none; give --vary key=lo:hi")
    for axis in axes:
        if not axis.is_range:
            raise BadInput(f"{axis.where}: {axis.varied[0].key}: --design {kind} samples ranges; write it as lo:hi")
    _check_count(axes, [number], line_ups)
    shares = _shares(shape, number, len(axes), seed)
    return [tuple(axis.at(share) for axis, share in zip(axes, row, strict=True)) for row in shares]


def _shares(shape: str, number: int, dimensions: int, seed: int) -> list[list[float]]:
    """Return points of a Latin hypercube or a scrambled Sobol sequence: (number, dimensions) within 0..1."""
    import numpy as np
    from scipy.stats import qmc  # more than a second to import

    chance = np.random.default_rng(seed)
    if shape == "latin":
        drawn = qmc.LatinHypercube(dimensions, rng=chance).random(number)
    else:
        # The first of a power of two, the only number that scipy draws without a warning.
        drawn = qmc.Sobol(dimensions, rng=chance).random_base2((number - 1).bit_length())[:number]
    rows: list[list[float]] = drawn.tolist()
    return rows


def _check_count(axes: Sequence[Axis], sizes: Sequence[int], line_ups: int) -> None:
    """Refuse a design of too many cells, before any is made."""
    count = math.prod(sizes) * line_ups
    if count > MOST:
        factors = " x ".join(map(str, [*([line_ups] if line_ups > 1 else []), *sizes]))
        where = [*(["--lineups"] if line_ups > 1 else []), *(axis.where for axis in axes)]
        raise BadInput(f"{_joined(where)}: {factors} = {count} cells; a sweep plays at most {MOST}")


def _chosen(axes: Sequence[Axis], point: Point) -> list[Choice]:
    """Return each key with its value at a point."""
    return [
        choice for axis, values in zip(axes, point, strict=True) for choice in zip(axis.varied, values, strict=True)
    ]


def _rules(base: Rules, axes: Sequence[Axis], chosen: Sequence[Choice]) -> Rules:
    """Return the rules of a cell: what is set is set together, then lists, by now of their length, are shifted."""
    where = f"{_joined([axis.where for axis in axes])}: with {shortened(settings_text(chosen), 200)}"
    of_rules = [(each, value) for each, value in chosen if isinstance(each.of, Parameter)]
    rules = with_values(base, {each.key: value for each, value in of_rules if not each.is_list_shift}, where)
    shifts = {each.key: value for each, value in of_rules if each.is_list_shift}
    if not shifts:
        return rules
    return with_values(rules, {key: _shifted(rules.values[key], by) for key, by in shifts.items()}, where)


def _shifted(numbers: Value, by: Setting) -> list[int]:
    """Return a list with the same number added to every entry."""
    assert isinstance(numbers, tuple)
    assert isinstance(by, int)
    return [entry + by for entry in numbers if isinstance(entry, int)]


def _cell(rules: Rules, chosen: Sequence[Choice], line_up: str, is_one_of_many: bool) -> Cell:
    """Return a cell, told by the values that are played: those of the rules are theirs."""
    settings: dict[str, Any] = {LINE_UP: line_up} if is_one_of_many else {}
    params = {}
    for each, value in chosen:
        if isinstance(each.of, Parameter):
            played = rules.values[each.key]
            settings[each.key] = list(played) if isinstance(played, tuple) else played
        elif isinstance(value, float):
            policy, _, name = each.key.rpartition(".")
            settings[each.key] = params[policy, name] = value
    return Cell(settings, rules, params, line_up)


def _play(cell: Cell) -> Hashable:
    """Return what a cell plays: equal for equal play, whatever it is called."""
    return tuple(cell.rules.values.values()), tuple(cell.params.items()), cell.line_up


def _joined(where: Sequence[str]) -> str:
    """Return what begins an error line about several texts."""
    return shortened(" ".join(where), 300)
