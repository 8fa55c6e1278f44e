"""Every game of a run as Parquet, for pandas, DuckDB, Polars or a spreadsheet.

    rows/games/    a line a game
    rows/seats/    a line a game and seat
    rows/rounds/   a line a game and round, where a game counts its rounds

Each folder has a part for every group of blocks, named by its first block. Numbers are in their units; what only
sorts (policies, companies) is a word. Every column's meaning and unit, and what was played, are in the schema.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from sim.batch import Batch
from sim.blocks import TaskResult
from sim.files import write_whole
from sim.game import FIXED_FIELDS, POLICY, Column, Outcomes, load_game

#: What comes before a table's own columns: name, unit, meaning.
_GAME = ("game", "", "number of the game in the run, as `steelyard trace --game` takes it")
_SEAT = ("seat", "", "number of the seat, from 0")
_ROUND = ("round", "", "number of the round, from 1")


class Rows:
    """The Parquet parts of a run's games."""

    def __init__(self, folder: Path, batch: Batch, told: Mapping[str, Any]) -> None:
        """Lay out the tables; `told` goes into every part's schema, as JSON."""
        outcomes = load_game(batch.game).outcomes
        plan = batch.layout().plan
        self._folder, self._block_games = folder, batch.block_games
        self._told = {b"steelyard": json.dumps(told).encode()}
        seats_at = plan.game
        at = plan.game + plan.max_seats * plan.seat
        labels = batch.line_up.labels
        self._tables = [
            _Table("games", (_GAME,), outcomes.game, outcomes, labels, 0, plan.game, 1),
            _Table("seats", (_GAME, _SEAT), outcomes.seat, outcomes, labels, seats_at, plan.seat, plan.seats),
        ]
        if outcomes.round:
            self._tables.append(
                _Table("rounds", (_GAME, _ROUND), outcomes.round, outcomes, labels, at, plan.round, plan.rounds)
            )

    def has(self, first_block: int) -> bool:
        """Tell whether the part of the group that begins with this block is on disk."""
        return all(self._path(table.name, first_block).exists() for table in self._tables)

    def write(self, part: TaskResult) -> None:
        """Write the part of a group of blocks; raise BadInput when that fails."""
        first_game = part.first_block * self._block_games
        for table in self._tables:
            buffer = io.BytesIO()
            filled = table.fill(part.rows, first_game).replace_schema_metadata(self._told)
            pq.write_table(filled, buffer, compression="zstd")
            write_whole(self._path(table.name, part.first_block), buffer.getvalue())

    def _path(self, table: str, first_block: int) -> Path:
        return self._folder / table / f"{first_block:012d}.parquet"


class _Table:
    """One table: its columns, and where its units lie in a game's row."""

    def __init__(
        self,
        name: str,
        keys: Sequence[tuple[str, str, str]],
        columns: Sequence[Column],
        outcomes: Outcomes,
        labels: Sequence[str],
        first: int,
        stride: int,
        units: int,
    ) -> None:
        self.name = name
        self._keys, self._columns = keys, list(_entries(columns))
        self._words = {column.name: _words(column, outcomes, labels) for column in columns if column.is_label}
        self._first, self._stride, self._units = first, stride, units

    def fill(self, rows: npt.NDArray[np.int32], first_game: int) -> pa.Table:
        """Return the table of some games' rows: int32 (games, words)."""
        games = len(rows)
        span = rows[:, self._first : self._first + self._units * self._stride]
        numbers = span.reshape(games * self._units, self._stride)[:, len(FIXED_FIELDS) :]
        arrays: list[Any] = [pa.array(np.repeat(np.arange(first_game, first_game + games), self._units))]
        if len(self._keys) > 1:
            unit = np.tile(np.arange(self._units, dtype=np.int32), games)
            arrays.append(pa.array(unit + (self._keys[1] == _ROUND)))
        fields = [_field(*key, array) for key, array in zip(self._keys, arrays, strict=True)]
        for place, (name, column, meaning) in enumerate(self._columns):
            array = _array(np.ascontiguousarray(numbers[:, place]), column, self._words.get(column.name))
            arrays.append(array)
            fields.append(_field(name, column.unit, meaning, array))
        return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _entries(columns: Sequence[Column]) -> Iterator[tuple[str, Column, str]]:
    """Yield (name, column, meaning) of every number of the columns."""
    for column in columns:
        for name, entry in zip(column.names(), column.entries or ("",), strict=True):
            yield name, column, f"{column.meaning} {entry}".strip()


def _words(column: Column, outcomes: Outcomes, labels: Sequence[str]) -> tuple[int, tuple[str, ...]] | None:
    """Return the words of a column that only sorts and the value of the first; None when it has none."""
    if column.name == POLICY:
        return 0, tuple(labels)
    for ratio in outcomes.ratios:
        if ratio.by == column.name and ratio.categories:
            return ratio.first, ratio.categories
    return None


def _array(numbers: npt.NDArray[np.int32], column: Column, words: tuple[int, tuple[str, ...]] | None) -> Any:
    """Return a column in its unit; of one that only sorts, the words, and nothing where there is none."""
    if words is not None:
        places = numbers - words[0]
        is_none = (places < 0) | (places >= len(words[1]))
        return pa.DictionaryArray.from_arrays(pa.array(np.where(is_none, 0, places), mask=is_none), list(words[1]))
    return pa.array(numbers if column.scale == 1.0 else numbers * column.scale)


def _field(name: str, unit: str, meaning: str, array: Any) -> Any:
    """Return a column's field, its unit and meaning with it."""
    return pa.field(name, array.type, metadata={"unit": unit, "meaning": meaning})
