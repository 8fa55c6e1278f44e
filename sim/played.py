"""What was played and all that its results rest on: as a run's manifest keeps it, and as reports take it."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Annotated, Any, Literal, TypeAlias, cast

import msgspec
import numba
import numpy as np
from msgspec import Meta

from sim.batch import Batch
from sim.blocks import Totals
from sim.desk import MAX_POOL
from sim.jit import source_hash
from sim.rules import Rules

#: Rises when a run's files change.
FORMAT = 4

#: How the pool is seated, see `sim.batch.LineUp`.
Mode: TypeAlias = Literal["fixed", "shuffled", "drawn"]
#: A label tells up to sixteen parameters; all are printable, see `sim.files.read_json`.
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=2000)]
#: Of a file's format, of a game's rules.
Version: TypeAlias = Annotated[int, Meta(ge=0, le=10**6)]
#: A number of games.
Games: TypeAlias = Annotated[int, Meta(ge=0, le=10**15)]


class Player(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A policy of a line-up: `source` is the hash of its text, `outside` whether it is none of the package's."""

    name: Text
    label: Text
    params: Annotated[tuple[float, ...], Meta(max_length=100)]
    source: Text
    outside: bool


class Merged(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the runs that were joined: its seed, of which it had games 0 to `games` - 1."""

    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    games: Annotated[int, Meta(ge=1, le=10**15)]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run's manifest.json holds: all that determines its results, and whether every game's row is kept.

    One that was read is of these types and within these bounds; `rules` are for `sim.rules.restore` to check. Where
    runs were joined, `merged` has each of them by its seed, and `seed` is the first one's.
    """

    format: Version = FORMAT
    game: Text
    rules_version: Version
    rules: Mapping[str, Any]
    name: Text
    policies: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=MAX_POOL)]
    line_up: Mode
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    block_games: Annotated[int, Meta(ge=0, le=10**15)]
    versions: Mapping[str, Text]
    rows: bool
    merged: Annotated[tuple[Merged, ...], Meta(min_length=2, max_length=10_000)] | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True, kw_only=True)
class Played:
    """A run's results with all that they rest on: what `run` and `report` show, played now or read back.

    `wanted` games were asked for, 0 where a precision was; a run that `is_cut_short` was interrupted before it had
    played what was asked for. `merged` are the runs that were joined, none for a run that was played as one.
    """

    rules: Rules
    seed: int
    block_games: int
    line_up: Mode
    policies: tuple[Player, ...]
    versions: Mapping[str, str]
    totals: Totals
    wanted: int = 0
    is_cut_short: bool = False
    merged: tuple[Merged, ...] = ()

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that were played: one, or that of each run that was joined."""
        return tuple(run.seed for run in self.merged) or (self.seed,)

    @property
    def labels(self) -> tuple[str, ...]:
        """The different policies, in the order in which they were named."""
        return labels_of(self.policies)


def labels_of(policies: Sequence[Player]) -> tuple[str, ...]:
    """Return the different labels of some policies, in their order."""
    return tuple(dict.fromkeys(policy.label for policy in policies))


def versions() -> dict[str, str]:
    """Return what produced a result: this toolkit, its sources, numba, numpy and Python."""
    try:
        own = metadata.version("steelyard")
    except metadata.PackageNotFoundError:
        own = "not installed"
    return {
        "steelyard": own,
        "sources": source_hash(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def manifest(batch: Batch, has_rows: bool = False) -> Manifest:
    """Return everything that determines a batch's results, and whether every game's row is kept."""
    return Manifest(
        game=batch.game,
        rules_version=batch.rules.version,
        rules=dict(batch.rules.values),
        name=batch.rules.name,
        policies=_players(batch),
        line_up=_mode(batch),
        seed=batch.seed,
        block_games=batch.block_games,
        versions=versions(),
        rows=has_rows,
    )


def played(batch: Batch, totals: Totals, wanted: int = 0, is_finished: bool = True) -> Played:
    """Return a batch's results with all that they rest on."""
    return Played(
        rules=batch.rules,
        seed=batch.seed,
        block_games=batch.block_games,
        line_up=_mode(batch),
        policies=_players(batch),
        versions=versions(),
        totals=totals,
        wanted=wanted,
        is_cut_short=not is_finished,
    )


def _players(batch: Batch) -> tuple[Player, ...]:
    return tuple(
        Player(
            name=policy.name,
            label=policy.label,
            params=policy.params,
            source=policy.digest,
            outside=not policy.is_trusted,
        )
        for policy in batch.line_up.pool
    )


def _mode(batch: Batch) -> Mode:
    return cast(Mode, batch.line_up.mode)
