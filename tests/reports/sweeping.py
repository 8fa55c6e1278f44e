"""Small sweeps that were really played: each cell against the base on the same seeds, every seat at random."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from policies import load as load_policy
from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.rules import load, value_text
from sim.sweep import Goal, Sweep, Swept
from sim.workers import Threads

Cell = Mapping[str, Any]


def grid(**values: Sequence[Any]) -> list[Cell]:
    """Every combination of the keys' values."""
    return [dict(zip(values, cell, strict=True)) for cell in itertools.product(*values.values())]


def batch(game: str, cell: Cell, sets: Iterable[str] = (), block_games: int = 10) -> Batch:
    """A cell's batch; what is a rule of its settings changes the rules, `line_up` who plays."""
    of = load_game(game)
    texts = [
        f"{key}={value_text(tuple(v) if isinstance(v, list) else v)}" for key, v in cell.items() if key != "line_up"
    ]
    rules = load(game, sets=[*sets, *texts])
    names = cell.get("line_up", ["random_legal"])
    return Batch(game, rules, LineUp(tuple(load_policy(of, name) for name in names), "drawn"), 1, block_games)


def sweep(
    game: str, cells: Sequence[Cell], base: int, sets: Iterable[str] = (), games: int = 200, **more: Any
) -> Swept:
    """Play the cells; `more` are fields of Swept other than those that follow from play."""
    batches = [batch(game, cell, sets) for cell in cells]
    found = Sweep(batches, Goal(games), base)
    with Threads(batches, 1) as workers:
        found.play(workers, lambda games: None)
    differences = tuple(found.differences(cell) for cell in range(len(cells)))
    given = {"precision": 0.0, "wanted": games, **more}
    return Swept(tuple(cells[0]), tuple(cells), base, found.finish(), differences, **given)


def arranged(of: Swept, cells: Sequence[Cell], base: int) -> Swept:
    """Results of a sweep that was played dealt out in turn to other settings, of any number."""
    others = [k for k in range(len(of.played)) if k != of.base]
    picked = [of.base if cell == base else others[cell % len(others)] for cell in range(len(cells))]
    results, differences = (tuple(known[k] for k in picked) for known in (of.played, of.differences))
    return Swept(tuple(cells[0]), tuple(cells), base, results, differences, of.precision, of.wanted)
