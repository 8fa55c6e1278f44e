"""The contract that a game fills: what its policies decide and what its games are measured by.

A game is a folder `sim/<name>/` whose `game.py` builds one `Game`. Batches, blocks, results, reports and
the command line know games by this alone.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.errors import unknown

#: Scopes of an outcome: one number a game, one a seat, one a round.
GAME, SEAT, ROUND = "game", "seat", "round"

#: A whole win: shares of it are counted in sixtieths, which every number of sharing seats divides.
WHOLE_WIN = 60

#: What every unit of a row holds beside its columns: 1, 0, and its own number (seat, round from 0).
FIXED_FIELDS = ("one", "zero", "number")
#: `Ratio.by`: the number of the seat or round itself.
UNIT = "number"
#: `Ratio.by`: which policy plays the seat; its categories are the run's own policies.
POLICY = "policy"


@dataclass(frozen=True)
class Decision:
    """A question that the engine asks a policy."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Column:
    """One outcome of a game, a whole number: `width` > 1 makes it a list, with a name for each entry.

    `scale` turns the counted whole number into the unit (win shares are counted in parts of WHOLE_WIN); a label
    only sorts, its mean says nothing. `win_rate` names the metric of the win share of the seats that had
    it, each counted as often as it did ("" for none); a list's names get the entry appended. `most` is the
    most a unit can have, where that is known whatever the rules; only an `is_signed` one can be below 0.
    """

    name: str
    unit: str
    meaning: str
    entries: tuple[str, ...] = ()
    scale: float = 1.0
    is_label: bool = False
    win_rate: str = ""
    most: float | None = None
    is_signed: bool = False

    @property
    def width(self) -> int:
        """How many whole numbers the column takes in a row."""
        return max(1, len(self.entries))

    def names(self) -> tuple[str, ...]:
        """The names of its metrics: the column's own, or one for each entry."""
        return tuple(f"{self.name}_{entry}" for entry in self.entries) if self.entries else (self.name,)


@dataclass(frozen=True)
class Ratio:
    """A metric beyond the plain mean of a column: a sum of products over a sum of products.

    `numerator` and `denominator` name one or two columns each (of `scope`), multiplied; an empty one is 1.
    `by` names a column whose value picks the category that a unit counts in (UNIT: its own number), and
    `categories` names them, from value `first` on; a value that is none of them counts nowhere. With
    `is_share` every unit counts in every category's denominator, and the numerator counts the units. Without `by`
    every unit counts; a single category then makes the ratio one of a list, whose ratios share a name.
    """

    name: str
    unit: str
    meaning: str
    scope: str
    numerator: tuple[str, ...]
    denominator: tuple[str, ...] = ()
    by: str | None = None
    categories: tuple[str, ...] = ()
    first: int = 0
    is_share: bool = False
    scale: float = 1.0


@dataclass(frozen=True)
class Spread:
    """A distribution or cross-table to count: integer axes, each a column with its lowest and highest value."""

    name: str
    meaning: str
    scope: str
    axes: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Outcomes:
    """Everything a game's row holds and what is measured from it; `win` names the seat's share of the win.

    Seat columns with a win rate come last, so that they can be counted in one sweep.
    """

    game: tuple[Column, ...]
    seat: tuple[Column, ...]
    round: tuple[Column, ...]
    win: str
    ratios: tuple[Ratio, ...]
    spreads: tuple[Spread, ...]
    max_seats: int
    max_rounds: int

    def fields(self, scope: str) -> tuple[str, ...]:
        """Return the names of a scope's whole numbers, the fixed ones first, in the order of its record."""
        return (*FIXED_FIELDS, *(name for column in self.columns(scope) for name in column.names()))

    def columns(self, scope: str) -> tuple[Column, ...]:
        """Return a scope's columns."""
        return {GAME: self.game, SEAT: self.seat, ROUND: self.round}[scope]

    def __post_init__(self) -> None:
        assert self.seat[len(self.seat) - len(self.won()) :] == self.won(), "columns with a win rate come last"

    def won(self) -> tuple[Column, ...]:
        """Return the seat columns that have a win rate."""
        return tuple(column for column in self.seat if column.win_rate)

    def row(self) -> np.dtype[Any]:
        """The record of one game: every field int32, game columns, then seats, then rounds."""

        def record(columns: tuple[Column, ...]) -> list[tuple[Any, ...]]:
            fixed = [(name, "i4") for name in FIXED_FIELDS]
            return fixed + [(c.name, "i4", c.width) if c.entries else (c.name, "i4") for c in columns]

        return np.dtype(
            [
                *record(self.game),
                ("seats", np.dtype(record(self.seat)), self.max_seats),
                ("rounds", np.dtype(record(self.round)), self.max_rounds),
            ]
        )

    def blank_row(self) -> npt.NDArray[np.int32]:
        """A row before its game, as words: zeros, and the fixed fields."""
        row = np.zeros(1, self.row())
        for units in (row, row["seats"][0], row["rounds"][0]):
            units["one"] = 1
            units["number"] = np.arange(len(units))
        return row.view(np.int32)


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the rest of the toolkit sees it.

    records: the dtypes "rules", "table", "own", "choice" and "state"; a state's fields are table, owns and
    hidden, in this order, and hidden has `streams`: one deals the line-up, those of the seats' policies are the last,
    from seat_stream on. set_up and play are the engine's jitted functions.
    rules_record turns resolved rule values into a (1,) recarray; shape gives (seats, rounds) of a variant;
    decode turns a log of events into dicts; sentences words the broken rules by their code, in which
    names say what a number stands for, each under the name that a sentence has for it.
    side and sides name what a seat plays ("company", "companies"), its metric being win_rate_by_<side>; headline are
    the metrics, or families of them such as win_rate_by_seat, that a designer wants to see first, best first;
    bench are the line-ups whose speed is measured, report the variants that a report plays side by side, odd some
    that strain the engine, as key=value texts.
    """

    name: str
    title: str
    seats: tuple[int, ...]
    decisions: tuple[Decision, ...]
    records: Mapping[str, np.dtype[Any]]

    line_up_stream: int
    seat_stream: int
    max_params: int
    outcomes: Outcomes
    set_up: Any
    play: Any
    rules_record: Callable[[Mapping[str, Any]], Any]
    shape: Callable[[Mapping[str, Any]], tuple[int, int]]
    log_size: int
    decode: Callable[[Mapping[str, Any], Any], list[dict[str, Any]]]
    sentences: Mapping[int, str]
    side: str
    sides: str
    headline: tuple[str, ...]
    bench: tuple[str, ...]
    report: tuple[tuple[str, ...], ...]
    odd: tuple[tuple[str, ...], ...]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def variants(self, given: Collection[str]) -> list[tuple[str, ...]]:
        """Return the variants of the game's report as key=value texts, without those keys that are given."""
        kept = (tuple(text for text in texts if text.partition("=")[0] not in given) for texts in self.report)
        return list(dict.fromkeys(kept))


def fill_numbers(rules: Any, values: Mapping[str, Any]) -> None:
    """Fill each field of a rules record that has a parameter's name, where that is a number or an on/off switch."""
    for key in rules.dtype.names:
        if isinstance(value := values.get(key), int):
            rules[key] = value


def load_game(name: str) -> Game:
    """Return the game of that name; raise BadInput, with the nearest known one, when there is none."""
    from sim.rules import games

    if name not in games():
        raise unknown("game", name, games())
    game: Game = importlib.import_module(f"sim.{name}.game").GAME
    return game
