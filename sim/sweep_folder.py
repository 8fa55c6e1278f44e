"""A sweep on disk: what it varies, and a run directory for each cell, named by a hash of what the cell plays.

    sweep.json     all that determines the sweep: base, line-ups, what is varied, cells; its goal, once it has ended
    cells/HASH/    each cell's run directory, see `sim.store`

Since a cell's folder does not depend on the sweep around it, a sweep is extended by playing the cells that are new.
One with fewer cells is another sweep: a folder only grows. The files after an extension are those of a sweep that had
all its cells from the first. What another sweep differs by is told in the words of the command line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from sim.batch import Batch
from sim.compare import Change, of_runs
from sim.design import Design
from sim.errors import BadInput, RunFailed, printable, shortened
from sim.files import as_struct, is_temporary, read_struct, remove, write_json
from sim.folder import own
from sim.played import FORMAT, Games, Manifest, Mode, Played, Text, Version, manifest
from sim.rules import value_text
from sim.store import Writer, check_new, read
from sim.sweep import Goal, Swept
from sim.vary import MOST

_NAME = "sweep.json"
#: A value of what is varied; a list of line-ups is as long as the file that it came from.
_Value: TypeAlias = bool | int | float | str | tuple[int | str, ...]
_Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
#: How much of a list of values a line shows.
_SHOWN = 100


class _Cell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell: its folder's name, its values of what is varied, and who plays."""

    folder: _Hash
    set: Mapping[str, _Value]
    line_up: str


class _Axis(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one --vary says, see `sim.vary.Axis.told`."""

    keys: str
    values: tuple[str, ...]


class _Goal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the last command to end asked for: a number of games of each cell, or a precision."""

    games: Games
    half_width: Annotated[float, Meta(ge=0, le=1e15)]


class _Format(msgspec.Struct):
    """All that a sweep.json of any format holds."""

    format: Version


class _Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What sweep.json holds; `rules` and `name` are the base's before anything is varied."""

    format: Version = FORMAT
    game: Text
    rules: Mapping[str, _Value]
    name: Text
    seats: Mode
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    rows: bool
    design: Text
    vary: Annotated[tuple[_Axis, ...], Meta(max_length=1000)]
    line_ups: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MOST)]
    keys: Annotated[tuple[str, ...], Meta(min_length=1, max_length=1000)]
    base: Annotated[int, Meta(ge=0, le=MOST)]
    cells: Annotated[tuple[_Cell, ...], Meta(min_length=1, max_length=MOST + 1)]
    goal: _Goal | None = None


def is_sweep(folder: Path) -> bool:
    """Tell whether a folder is a sweep's."""
    return own(folder, _NAME).is_file()


def cell_folders(folder: Path, design: Design, batches: Sequence[Batch], goal: Goal, has_rows: bool) -> list[Path]:
    """Begin a sweep's folder, go on with it, or extend it by the cells that are new; return its run directories.

    All that can be refused is refused before anything is written. Raises BadInput when the folder holds something
    else, is damaged or cannot be written; RunFailed when it holds another sweep, saying what differs, or more games
    than are asked for.
    """
    wanted = _head(design, batches, has_rows)
    folders = [_cell_folder(folder, cell) for cell in wanted.cells]
    if not is_sweep(folder):
        check_new(folder)
        _write(folder, wanted)
        _tidy(folder)
        return folders
    found = _read(folder)
    _refuse_other(folder, found, wanted)
    held = {cell.folder for cell in found.cells}
    for path, cell, batch in zip(folders, wanted.cells, batches, strict=True):
        if cell.folder not in held or not (path / "manifest.json").exists():
            continue
        _refuse_other_cell(folder, path, batch, has_rows)
        writer = Writer(path, batch, has_rows)
        if goal.games:
            writer.refuse_fewer(goal.games)
    _tidy(folder)
    if msgspec.structs.replace(found, goal=None) != wanted:
        _write(folder, wanted)
    return folders


def keep_goal(folder: Path, goal: Goal) -> None:
    """Keep what was asked for, once every cell's totals are on disk."""
    told = _Goal(games=goal.games, half_width=goal.half_width)
    _write(folder, msgspec.structs.replace(_read(folder), goal=told))


def read_sweep(folder: Path) -> Swept:
    """Return what a sweep's folder holds, paired anew from its blocks, as the sweep itself tells it.

    Raises BadInput for what is damaged, and for a sweep that was ended before each cell had games.
    """
    if not is_sweep(folder):
        raise BadInput(f"{folder}: is no sweep's folder, which is what `steelyard sweep --out DIR` writes")
    head = _read(folder)
    folders = [_cell_folder(folder, cell) for cell in head.cells]
    for path, cell in zip(folders, head.cells, strict=True):
        if not ((path / "totals.json").exists() or (path / "blocks").is_dir()):
            raise BadInput(f"{folder}: has no games of {_told(head, cell)} yet; its command goes on with it")
    runs = tuple(map(read, folders))
    for path, cell, played in zip(folders, head.cells, runs, strict=True):
        _check_cell(path, head, cell, played)
    differences: list[tuple[Change, ...]] = []
    for number, path in enumerate(folders):
        found = None if number == head.base else of_runs(folders[head.base], path)
        differences.append(found.changes if found and found.blocks else ())
    return Swept(
        head.keys,
        tuple({key: _setting(cell.set[key]) for key in head.keys} for cell in head.cells),
        head.base,
        runs,
        tuple(differences),
        head.goal.half_width if head.goal else 0.0,
        head.goal.games if head.goal else max(played.wanted for played in runs),
        tuple(cell.folder for cell in head.cells),
    )


def _head(design: Design, batches: Sequence[Batch], has_rows: bool) -> _Head:
    """Return what a design's sweep.json holds before the sweep has ended, as it is read back."""
    first = manifest(batches[design.base], has_rows)
    data = {
        "format": FORMAT,
        "game": first.game,
        "rules": dict(design.own.values),
        "name": design.own.name,
        "seats": first.line_up,
        "seed": first.seed,
        "rows": has_rows,
        "design": design.kind,
        "vary": [{"keys": keys, "values": list(values)} for keys, values in design.axes],
        "line_ups": list(design.line_ups),
        "keys": list(design.keys),
        "base": design.base,
        "cells": [
            {"folder": cell.folder, "set": dict(cell.settings), "line_up": cell.line_up} for cell in design.cells
        ],
    }
    # What could not be read again is refused now, not after hours of play.
    return as_struct(json.loads(json.dumps(data)), _Head, Path(_NAME))


def _write(folder: Path, head: _Head) -> None:
    """Write sweep.json; a goal that is not known yet is left out."""
    data = msgspec.to_builtins(head)
    if head.goal is None:
        del data["goal"]
    write_json(own(folder, _NAME), data)


def _tidy(folder: Path) -> None:
    """Remove what a command left that was killed while it wrote sweep.json."""
    for left in filter(is_temporary, list(folder.iterdir())):
        remove(left)


def _read(folder: Path) -> _Head:
    """Read sweep.json; raise BadInput when it is damaged or of another format."""
    path = own(folder, _NAME)
    found = read_struct(path, _Format, is_sealed=False).format
    if found != FORMAT:
        raise BadInput(f"{path}: format {found}; this version reads {FORMAT}")
    head = read_struct(path, _Head)
    if head.base >= len(head.cells):
        raise BadInput(f"{path}: `base` is {head.base}, and there are {len(head.cells)} cells")
    if len({cell.folder for cell in head.cells}) < len(head.cells):
        raise BadInput(f"{path}: `cells` has a folder twice")
    for number, cell in enumerate(head.cells):
        if tuple(cell.set) != head.keys:
            raise BadInput(f"{path}: `cells[{number}].set` must have just the `keys`")
    return head


def _cell_folder(folder: Path, cell: _Cell) -> Path:
    """Return a cell's run directory."""
    return own(folder, f"cells/{cell.folder}")


def _check_cell(path: Path, head: _Head, cell: _Cell, played: Played) -> None:
    """Raise BadInput when a cell's run is not the one that sweep.json tells of."""
    rules = played.rules
    told = {"game": (head.game, rules.game), "seed": (head.seed, played.seed)}
    told |= {key: (_setting(cell.set[key]), rules.values[key]) for key in head.keys if key in rules.values}
    for key, (mine, theirs) in told.items():
        if mine != theirs or type(mine) is not type(theirs):
            raise BadInput(f"{path}: {key} is {_text(theirs)} there and {_text(mine)} in the sweep's {_NAME}")


def _setting(value: Any) -> Any:
    """Return a setting as rules have it: lists as tuples."""
    return tuple(value) if isinstance(value, list | tuple) else value


def _text(value: Any) -> str:
    """Return a value as a line shows it."""
    value = _setting(value)
    text = value_text(value) if isinstance(value, bool | int | tuple) else str(value)
    return shortened(printable(text), _SHOWN)


def _told(head: _Head, cell: _Cell) -> str:
    """Return a cell by its settings."""
    return ", ".join(f"{key}={_text(cell.set[key])}" for key in head.keys)


# What differs.


def _refuse_other(folder: Path, found: _Head, wanted: _Head) -> None:
    """Raise RunFailed when a folder's sweep has other games, or a cell that the one wanted has not."""
    if found.rows != wanted.rows:
        told = "with --rows; give it again" if found.rows else "without --rows; leave it out"
        raise RunFailed(f"{folder} was played {told}, or name another folder to begin anew")
    if what := next(_differing(found, wanted), None):
        raise RunFailed(f"{folder} holds another sweep: {what}; name another folder to begin anew")
    kinds = {head.design.partition(":")[0] for head in (found, wanted)}
    if found.design != wanted.design and "latin" in kinds:
        raise RunFailed(
            f"{folder} holds another sweep: design {found.design} there, {wanted.design} here. A Latin hypercube "
            "does not grow, since all its points change with their number; sobol:N grows. Name another folder"
        )
    if not {cell.folder for cell in found.cells} <= {cell.folder for cell in wanted.cells}:
        raise RunFailed(
            f"{folder} holds another sweep: {_variation(found, wanted)}. A sweep's folder only grows: ask for all "
            "that it has and more, or name another folder to begin anew"
        )


def _differing(found: _Head, wanted: _Head) -> Iterator[str]:
    """Yield what differs of all that must be the same, in the words of the command line."""
    if found.game != wanted.game:
        yield f"{found.game} there, {wanted.game} here"
        return
    for key in dict.fromkeys((*wanted.rules, *found.rules)):
        mine, theirs = (_setting(head.rules.get(key)) for head in (found, wanted))
        if mine != theirs:
            yield f"the base has {key}={_text(mine)} there, {_text(theirs)} here"
    if found.line_ups[0] != wanted.line_ups[0]:
        mine, theirs = (_text(head.line_ups[0]) for head in (found, wanted))
        yield f"policies {mine} there, {theirs} here"
    for what, mine, theirs in (
        ("seats", found.seats, wanted.seats),
        ("seed", found.seed, wanted.seed),
        ("name", found.name, wanted.name),
    ):
        if mine != theirs:
            yield f"{what} {_text(mine)} there, {_text(theirs)} here"


def _variation(found: _Head, wanted: _Head) -> str:
    """Return how what is varied differs."""
    axes = [{axis.keys: axis.values for axis in head.vary} for head in (found, wanted)]
    if found.line_ups != wanted.line_ups and axes[0] == axes[1]:
        mine, theirs = (shortened(" | ".join(map(_text, head.line_ups)), _SHOWN) for head in (found, wanted))
        return f"line-ups {mine} there, {theirs} here"
    if found.design != wanted.design and axes[0] == axes[1]:
        return f"design {found.design} there, {wanted.design} here"
    if axes[0].keys() != axes[1].keys():
        mine, theirs = (", ".join(_axis_text(*axis) for axis in each.items()) or "nothing" for each in axes)
        return f"varies {shortened(mine, 2 * _SHOWN)} there, {shortened(theirs, 2 * _SHOWN)} here"
    others = [key for key in axes[0] if axes[0][key] != axes[1][key]] or list(axes[0])
    return "; ".join(
        f"varies {_axis_text(key, axes[0][key])} there, {_values(key, axes[1][key])} here" for key in others
    )


def _axis_text(keys: str, values: Sequence[str]) -> str:
    return f"{printable(keys, _SHOWN)}={_values(keys, values)}"


def _values(keys: str, values: Sequence[str]) -> str:
    """Return an axis' values as `--vary` takes them."""
    between = " / " if "," in keys else "|" if any("," in value for value in values) else ","
    return shortened(between.join(values), _SHOWN)


def _refuse_other_cell(folder: Path, path: Path, batch: Batch, has_rows: bool) -> None:
    """Raise RunFailed when a cell was played by another policy or by other versions."""
    wanted, found = manifest(batch, has_rows), read_struct(own(path, "manifest.json"), Manifest)
    for policy, other in zip(found.policies, wanted.policies, strict=False):
        if policy.name == other.name and policy.source != other.source:
            raise RunFailed(
                f"{folder} holds another sweep: the policy {other.name} has another text there than here; "
                "name another folder to begin anew"
            )
    for what in dict.fromkeys((*wanted.versions, *found.versions)):
        if found.versions.get(what) != wanted.versions.get(what):
            raise RunFailed(
                f"{folder} was played by another version: {what} {found.versions.get(what)} there, "
                f"{wanted.versions.get(what)} here; name another folder to begin anew"
            )
