"""Every game of a run as Parquet, for pandas, DuckDB, Polars or a spreadsheet.

    rows/games/    a line a game
    rows/seats/    a line a game and seat
    rows/rounds/   a line a game and round, where a game counts its rounds

Each folder has a part for every group of blocks, named by its first block. Numbers are in their units; what only
sorts (policies, companies) is a word. Every part's metadata says as JSON what was played (`steelyard`) and what its
columns mean (`columns`); pyarrow finds a column's unit and meaning at its field as well.

A column's type follows from what it is, never from the numbers of a part, so that all parts fit together. Counts are
int32: narrower ones take no less room on disk, and would overflow in a reader's arithmetic. Numbers counted in
fractions of their unit are float64.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from sim.batch import Batch
from sim.blocks import TaskResult
from sim.files import write_whole
from sim.folder import own
from sim.game import FIXED_FIELDS, POLICY, UNIT, Column, Outcomes, load_game

_GAME = "game"
_GAME_MEANING = "number of the game in the run, as `steelyard trace --game` takes it"


@dataclass(frozen=True)
class _Field:
    """A column of a table: which number of its unit it is, and what becomes of that.

    Number `first` becomes the first of the words, and one beyond them nothing; without words it becomes 0.
    """

    name: str
    unit: str
    meaning: str
    place: int
    scale: float = 1.0
    first: int = 0
    words: tuple[str, ...] = ()

    def array(self, numbers: npt.NDArray[np.int32]) -> Any:
        """Return the column of some units' numbers."""
        counted = numbers - np.int32(self.first)
        if self.words:
            is_none = (counted < 0) | (counted >= len(self.words))
            places = pa.array(np.where(is_none, 0, counted).astype(np.int8), mask=is_none)
            return pa.DictionaryArray.from_arrays(places, list(self.words))
        return pa.array(counted if self.scale == 1.0 else counted * self.scale)

    def field(self) -> Any:
        """Return the column's name, type, unit and meaning."""
        of = self.array(np.zeros(0, np.int32)).type
        return pa.field(self.name, of, metadata={"unit": self.unit, "meaning": self.meaning})


#: What a line is about, beside its game: fields that the kernel gives every unit.
_SEAT = _Field("seat", "", "number of the seat, from 0", FIXED_FIELDS.index(UNIT))
_ROUND = _Field("round", "", "number of the round, from 1", FIXED_FIELDS.index(UNIT), first=-1)


@dataclass(frozen=True)
class _Table:
    """A table, and where its units lie in a game's row: from word `first` on, each of `stride` words."""

    name: str
    fields: tuple[_Field, ...]
    first: int
    stride: int
    units: int

    def schema(self, told: Mapping[str, Any]) -> Any:
        """Return the table's columns; `told` is what was played."""
        game = pa.field(_GAME, pa.int64(), metadata={"unit": "", "meaning": _GAME_MEANING})
        columns = {_GAME: {"unit": "", "meaning": _GAME_MEANING}}
        columns |= {field.name: {"unit": field.unit, "meaning": field.meaning} for field in self.fields}
        metadata = {"steelyard": json.dumps(told), "columns": json.dumps(columns)}
        return pa.schema([game, *(field.field() for field in self.fields)], metadata)

    def fill(self, rows: npt.NDArray[np.int32], first_game: int, schema: Any) -> Any:
        """Return the table of consecutive games' rows: int32 (games, words)."""
        span = rows[:, self.first : self.first + self.units * self.stride]
        numbers = span.reshape(len(rows) * self.units, self.stride)
        games = np.repeat(np.arange(first_game, first_game + len(rows)), self.units)
        arrays = [field.array(numbers[:, field.place]) for field in self.fields]
        return pa.Table.from_arrays([pa.array(games), *arrays], schema=schema)


class Rows:
    """The Parquet parts of a run's games, written group by group."""

    def __init__(self, folder: Path, batch: Batch, told: Mapping[str, Any]) -> None:
        """Lay out the tables; `told` goes into every part's metadata, as JSON."""
        self._folder, self._schedule = folder, batch.schedule
        self._tables = [(table, table.schema(told)) for table in _tables(batch)]
        self._group: list[npt.NDArray[np.int32]] = []

    def has(self, first_block: int, hashes: Sequence[bytes]) -> bool:
        """Tell whether the parts of the group that begins with this block are on disk, byte for byte.

        hashes: the SHA-256 of each, as `write` returned them.
        """
        parts = zip(self._tables, hashes, strict=False)
        return all(_hash(self._path(table, first_block)) == one for (table, _), one in parts)

    def add(self, part: TaskResult) -> None:
        """Take the games of blocks that follow on those before."""
        self._group.append(part.rows)

    def clear(self) -> None:
        """Let go of the games of a group that is whole and written: a sweep has the rows of many runs open."""
        self._group = []

    def write(self, first_block: int) -> list[bytes]:
        """Write the parts of the group in play, which begins with this block, and return the SHA-256 of each.

        Raises BadInput or RunFailed when that fails.
        """
        rows = np.concatenate(self._group)
        hashes = []
        for table, schema in self._tables:
            filled = table.fill(rows, self._schedule.first_game(first_block), schema)
            # Games are whole numbers that rise by one or not at all, which their differences say in a bit.
            others = [field.name for field in table.fields]
            buffer = io.BytesIO()
            pq.write_table(
                filled,
                buffer,
                compression="zstd",
                use_dictionary=others,
                column_encoding={_GAME: "DELTA_BINARY_PACKED"},
            )
            write_whole(self._path(table, first_block), buffer.getvalue())
            hashes.append(hashlib.sha256(buffer.getbuffer()).digest())
        return hashes

    def _path(self, table: _Table, first_block: int) -> Path:
        return own(self._folder, f"{table.name}/{first_block:012d}.parquet")


def _hash(path: Path) -> bytes:
    """Return a part's SHA-256; nothing when it is missing."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").digest()
    except OSError:
        return b""


def _tables(batch: Batch) -> Iterator[_Table]:
    """Yield the tables of a batch's games."""
    outcomes, plan = load_game(batch.game).outcomes, batch.layout().plan
    labels = batch.line_up.labels
    seats, rounds = plan.game, plan.game + plan.max_seats * plan.seat
    yield _Table("games", tuple(_fields(outcomes.game, outcomes, labels)), 0, plan.game, 1)
    yield _Table("seats", (_SEAT, *_fields(outcomes.seat, outcomes, labels)), seats, plan.seat, plan.seats)
    if outcomes.round:
        yield _Table("rounds", (_ROUND, *_fields(outcomes.round, outcomes, labels)), rounds, plan.round, plan.rounds)


def _fields(columns: Sequence[Column], outcomes: Outcomes, labels: Sequence[str]) -> Iterator[_Field]:
    """Yield what a scope's columns become, entry by entry."""
    place = len(FIXED_FIELDS)
    for column in columns:
        first, words = _words(column, outcomes, labels)
        for name, entry in zip(column.names(), column.entries or ("",), strict=True):
            # A label with a scale is another column once more, coarser, for the kernel to weigh with.
            if not (column.is_label and column.scale != 1.0):
                meaning = f"{column.meaning} {entry}".strip()
                yield _Field(name, column.unit, meaning, place, column.scale, first, words)
            place += 1


def _words(column: Column, outcomes: Outcomes, labels: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Return the words of a column that only sorts, none where it has none, and the number of the first."""
    if column.name == POLICY:
        return 0, tuple(labels)
    for ratio in outcomes.ratios:
        if column.is_label and ratio.by == column.name and ratio.categories:
            return ratio.first, ratio.categories
    return 0, ()
