"""A run on disk: what was played, the totals, and every block's sums, in files that are safe to open.

    manifest.json   what determines the results: game, rules, policies, seed, block size, versions
    blocks/         what each group of blocks counted, a file each, named by its first block
    totals.json     the sums over all games, as whole numbers, once the run has ended
    policies/       the source of every policy from outside the package, for reading; opening never runs it
    rows/           every game as Parquet, where it was asked for (see `sim.rows`)

Blocks are on disk seconds after they are played (with rows, once their group is whole), so a run that was ended in
any way goes on from them, and its files are then the same as those of a run that never ended. A folder only grows:
it is never gone on with to fewer games than it holds. Every file is written under a temporary name and renamed.
Nothing is pickled, and sizes are checked before memory is asked for. Each file carries its own SHA-256, totals and
blocks that of their manifest as well, so that damage, or a file in another's place, gives no other number; see
`sim.files` and `sim.groups`. Links, pipes and devices in the folder are refused, see `sim.folder`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta

from sim.batch import Batch
from sim.blocks import Layout, TaskResult, Totals, layout, merged
from sim.errors import BadInput, RunFailed, printable, shortened
from sim.files import as_struct, digest, is_temporary, read_json, read_struct, remove, seal, write_json, write_whole
from sim.folder import own, tree
from sim.game import load_game
from sim.groups import Group, group_file, groups, read_group, write_group
from sim.played import FORMAT, Games, Manifest, Merged, Played, Text, Version, labels_of, manifest
from sim.rules import Rules
from sim.rules import restore as restore_rules
from sim.schedule import Schedule, schedule

if TYPE_CHECKING:
    from sim.rows import Rows

#: How often the blocks of a group in play are written.
FLUSH_SECONDS = 2.0
#: What a run or a sweep leaves that is killed while it writes the first of its files begins so.
_BEGUN = (".manifest.json.", ".sweep.json.")
#: More than any metric's square, or product, in one game.
_MOST_SQUARE = 2**60
_Short: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
_Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Format(msgspec.Struct):
    """All that a manifest of any format holds."""

    format: Version


class Writer:
    """A run directory being written: blocks as they come, totals at the end or at an interruption."""

    def __init__(self, folder: Path, batch: Batch, is_kept: bool = False) -> None:
        """Begin a run directory, or go on with one of the same run; `is_kept` keeps every game's row as well.

        Raises BadInput when the folder holds something else or cannot be written, RunFailed when it holds another
        run, saying what differs.
        """
        self.folder = folder
        self._layout = batch.layout()
        self._schedule = batch.schedule
        self._open: TaskResult | None = None
        self._wanted = 0
        self._begun: dict[int, TaskResult] = {}
        self._on_disk: dict[int, int] = {}
        self._written = time.monotonic()
        path, head = own(folder, "manifest.json"), msgspec.to_builtins(manifest(batch, is_kept))
        as_struct(head, Manifest, path)  # what could not be read again is refused now, not after hours of play
        self._run = digest(head)
        self._rows = rows_of(own(folder, "rows"), batch, head) if is_kept else None
        if path.exists():
            refuse_other(folder, read_json(path), head)
        else:
            check_new(folder)
        for left in filter(is_temporary, list(tree(folder) if folder.exists() else ())):
            remove(left)
        write_json(path, head)
        for policy in batch.line_up.pool:
            if not policy.is_trusted:
                write_whole(own(folder, f"policies/{policy.name}.py.txt"), policy.source.encode())

    @property
    def has_rows(self) -> bool:
        """Whether every game's row is kept."""
        return self._rows is not None

    def games(self) -> int:
        """Return how many games are on disk, those of a gap counted; raise BadInput when the last file is damaged."""
        last = max(own(self.folder, "blocks").glob("*.npy"), default=None)
        if last is None:
            return 0
        if (group := _group_of(last, self._schedule)) is None:
            raise BadInput(f"{last}: is no group of this run's blocks; remove the file and run again")
        part = self._read(group).counted
        return self._schedule.first_game(part.first_block) + part.games

    def _read(self, group: int) -> Group:
        """Return what a group's file holds; raise BadInput when it is damaged or of another run."""
        path = group_file(self.folder, self._schedule, group)
        return read_group(path, self._layout, self._schedule, group, self._run)

    def refuse_fewer(self, games: int) -> None:
        """Raise RunFailed when more than so many games are on disk."""
        if (held := self.games()) > games:
            raise RunFailed(
                f"{self.folder} holds {held} games, more than --games {games}; ask for at least {held}, "
                "or name another folder"
            )

    def kept(self, group: int, games: int) -> TaskResult | None:
        """Return the blocks of a group that an earlier run has finished, None when there are none.

        `games` are asked for in all (0: a precision is): a short last block is only good for as many games as
        that run had. A group with rows is good when it is whole.
        """
        self._wanted = games
        if not group_file(self.folder, self._schedule, group).exists():
            return None
        found = self._read(group)
        part = found.counted
        self._on_disk[group] = part.games
        is_whole = self._is_whole(part)
        if part.games < self._schedule.games(part.first_block, len(part.sums)) and not is_whole:
            return None
        if self._rows and not (is_whole and self._rows.has(part.first_block, found.rows)):
            return None
        if not is_whole:
            self._begun[group] = part
        return part

    def _is_whole(self, part: TaskResult) -> bool:
        """Tell whether a group has all its blocks, or all games up to the last that is asked for."""
        last = self._schedule.first_game(part.first_block) + part.games
        return last == self._wanted or last % self._schedule.group_games == 0

    def add(self, part: TaskResult) -> None:
        """Keep blocks that follow on those before; a group is written when it is whole, and every few seconds.

        With rows it is written when it is whole alone, as nothing could go on from the rows of a part of it.
        """
        before = self._open or self._begun.pop(self._schedule.group_of(part.first_block), None)
        self._open = merged(before, part) if before else part
        if self._rows:
            self._rows.add(part)
        is_due = not self._rows and time.monotonic() - self._written > FLUSH_SECONDS
        if is_due or self._is_whole(self._open):
            self.flush()

    def flush(self) -> None:
        """Write the blocks of the group in play, unless more of it is on disk; the totals there are then outdated."""
        if self._open is None:
            return
        group = self._schedule.group_of(self._open.first_block)
        if self._open.games >= self._on_disk.get(group, 0):
            remove(own(self.folder, "totals.json"))
            hashes = self._rows.write(self._open.first_block) if self._rows else ()
            write_group(group_file(self.folder, self._schedule, group), self._open, self._run, hashes)
        self._written = time.monotonic()
        if self._is_whole(self._open):
            self._open = None
            if self._rows:
                self._rows.clear()

    def finish(self, totals: Totals, wanted: int = 0, is_finished: bool = True) -> None:
        """Keep the totals of all that was played; `wanted` games were asked for (0: a precision).

        Raises RunFailed when the precision takes fewer games than are on disk. A run that was stopped before it
        had read all of them leaves the folder as it is.
        """
        self.flush()
        if (held := self.games()) <= totals.games:
            kept = _kept_of(self._run, totals, wanted, is_finished)
            write_json(own(self.folder, "totals.json"), msgspec.to_builtins(kept))
        elif is_finished:
            raise RunFailed(
                f"{self.folder} holds {held} games, more than the {totals.games} that this precision takes; "
                "name another folder"
            )


def _group_of(path: Path, blocks: Schedule) -> int | None:
    """Return which group's file one is, None when it is none's."""
    if not path.stem.isdecimal():
        return None
    group = blocks.group_of(int(path.stem))
    return group if path.stem == f"{blocks.group_start(group):012d}" else None


def check_new(folder: Path) -> None:
    """Raise BadInput when a folder holds something already: results never overwrite."""
    if folder.exists() and not (folder.is_dir() and all(map(_is_begun, folder.iterdir()))):
        raise BadInput(f"--out {folder}: is neither empty nor holds a run to go on with; results never overwrite")


def _is_begun(path: Path) -> bool:
    """Tell whether a file is the first of a run's or a sweep's, which was ended in writing it."""
    return is_temporary(path) and path.name.startswith(_BEGUN)


def rows_of(folder: Path, batch: Batch, told: Mapping[str, Any]) -> Rows:
    """Return a run's rows; what writes them takes a while to import and is rarely asked for."""
    from sim.rows import Rows

    return Rows(folder, batch, told)


def refuse_other(folder: Path, found: Any, wanted: Mapping[str, Any]) -> None:
    """Raise RunFailed, saying what differs, when a folder's manifest is not the one wanted."""
    if isinstance(found, dict) and found.get("merged"):
        raise RunFailed(f"{folder} holds merged runs, which cannot be gone on with; name another folder")
    for place, old, new in _differing(found, json.loads(json.dumps(wanted))):
        if place == "rows":
            told = "with --rows; give it again" if old else "without --rows; leave it out"
            raise RunFailed(f"{folder} was played {told}, or name another folder to begin anew")
        raise RunFailed(
            f"{folder} holds another run: {place or 'the whole'} is {shortened(json.dumps(old))} there and "
            f"{shortened(json.dumps(new))} here; name another folder to begin anew"
        )


def _differing(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield where two pieces of JSON data differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*new, *old)):
            yield from _differing(old.get(key), new.get(key), f"{place}.{key}" if place else str(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            name = one.get("label", number) if isinstance(one, dict) else number
            yield from _differing(one, other, f"{place}[{name}]")
    elif type(old) is not type(new) or old != new:
        yield place, old, new


class _Kept(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What totals.json holds: totals as whole numbers only, so that it is exact, and what was asked for.

    `manifest` is the SHA-256 of the manifest that they are of.
    """

    manifest: Text
    games: Games
    planned: Games
    metrics: tuple[str, ...]
    sums: tuple[Annotated[tuple[int, ...], Meta(min_length=5, max_length=5)], ...]
    low: tuple[_Short, ...]
    high: tuple[_Short, ...]
    spreads: Mapping[str, tuple[_Count, ...]]
    wanted: Games
    is_finished: bool


def _kept_of(run: str, totals: Totals, wanted: int, is_finished: bool) -> _Kept:
    """Return what totals.json holds of some totals; `run` is the SHA-256 of the manifest."""
    return _Kept(
        manifest=run,
        games=totals.games,
        planned=totals.planned,
        metrics=tuple(metric.name for metric in totals.layout.metrics),
        sums=tuple(tuple(map(int, line)) for line in totals.sums),
        low=tuple(totals.low.tolist()),
        high=tuple(totals.high.tolist()),
        spreads={name: tuple(spread.view(flow=True).ravel().tolist()) for name, spread in totals.spreads.items()},
        wanted=wanted,
        is_finished=is_finished,
    )


def _check_merged(folder: Path, joined: Sequence[Merged], totals: Totals) -> None:
    """Raise BadInput unless the runs that were joined have as many games as the totals, each a seed of its own."""
    if not joined:
        return
    games = sum(run.games for run in joined)
    if games != totals.games:
        raise BadInput(f"{folder}: `merged` has {games} games in the manifest, and the totals have {totals.games}")
    if len({run.seed for run in joined}) < len(joined):
        raise BadInput(f"{folder}: `merged` has a seed twice in the manifest")


def write_merged(folder: Path, head: Manifest, totals: Totals, wanted: int, is_finished: bool) -> None:
    """Write a run directory of joined runs: totals alone, since their blocks are none of one seed."""
    told = msgspec.to_builtins(head)
    as_struct(told, Manifest, folder / "manifest.json")
    write_json(folder / "totals.json", msgspec.to_builtins(_kept_of(digest(told), totals, wanted, is_finished)))
    write_json(folder / "manifest.json", told)


def read(folder: Path) -> Played:
    """Read a run directory; raise BadInput naming the file that is missing, damaged or of another format."""
    head, rules = _read_manifest(own(folder, "manifest.json"))
    game = load_game(rules.game)
    plan = layout(game.outcomes, labels_of(head.policies), *game.shape(rules.values))
    path = own(folder, "totals.json")
    if not path.exists() and own(folder, "blocks").is_dir():
        totals, wanted, is_finished = _from_blocks(folder, plan, schedule(head.block_games)), 0, False
    else:
        kept = _read_kept(path, seal(own(folder, "manifest.json")))
        totals, wanted, is_finished = _from_kept(kept, plan, path), kept.wanted, kept.is_finished
    joined = () if head.merged is msgspec.UNSET else head.merged
    _check_merged(folder, joined, totals)
    return Played(
        rules=rules,
        seed=head.seed,
        block_games=head.block_games,
        line_up=head.line_up,
        policies=head.policies,
        versions=head.versions,
        totals=totals,
        wanted=wanted,
        is_cut_short=not is_finished,
        merged=joined,
    )


def _read_kept(path: Path, run: str) -> _Kept:
    """Return what totals.json holds; raise BadInput when it is damaged or of another run."""
    kept = read_struct(path, _Kept)
    if kept.manifest != run:
        raise BadInput(f"{path}: is of another run than its manifest.json; the run's own command makes it anew")
    return kept


def _read_manifest(path: Path) -> tuple[Manifest, Rules]:
    """Return a run's manifest and the rules that it was played by, every value checked like a user's."""
    if not path.exists() and (path.parent / "sweep.json").is_file():
        raise BadInput(f"{path.parent}: is a sweep's folder; its runs are the folders in {path.parent / 'cells'}")
    if not path.exists():
        raise BadInput(f"{path}: no such file; a run directory is what `steelyard run --out DIR` writes")
    found = read_struct(path, _Format, is_sealed=False).format
    if found != FORMAT:
        raise BadInput(f"{path}: format {found}; this version reads {FORMAT}")
    head = read_struct(path, Manifest)
    try:
        rules = replace(restore_rules(head.game, head.rules, head.name), version=head.rules_version)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    seats, _ = load_game(rules.game).shape(rules.values)
    if head.line_up != "drawn" and len(head.policies) != seats:
        raise BadInput(f"{path}: {len(head.policies)} policies for {seats} seats")
    return head, rules


def _from_blocks(folder: Path, plan: Layout, blocks: Schedule) -> Totals:
    """Return the totals of a run that was ended before it wrote them."""
    totals = Totals(plan)
    for part in groups(folder, plan, blocks):
        totals.add(part)
    return totals


def _from_kept(kept: _Kept, plan: Layout, path: Path) -> Totals:
    """Return the totals that totals.json holds; its metrics must be those of the layout, its numbers can be."""
    if list(kept.metrics) != [metric.name for metric in plan.metrics]:
        raise BadInput(f"{path}: `metrics` are others than this version counts")
    totals = Totals(plan, kept.games, kept.planned)
    views = {name: spread.view(flow=True) for name, spread in totals.spreads.items()}
    wanted = {"sums": len(totals.sums), "low": len(totals.low), "high": len(totals.high)}
    wanted |= {f"spreads.{name}": view.size for name, view in views.items()}
    found = {"sums": len(kept.sums), "low": len(kept.low), "high": len(kept.high)}
    found |= {f"spreads.{name}": len(counts) for name, counts in kept.spreads.items()}
    for key in {**wanted, **found}:
        if wanted.get(key) != found.get(key):
            counted = f"{found.get(key, 0)} entries; this version counts {wanted.get(key, 0)}"
            raise BadInput(f"{path}: `{printable(key)}` has {counted}")
    most = kept.games * _MOST_SQUARE
    if not all(-most <= number <= most for line in kept.sums for number in line):
        raise BadInput(f"{path}: `sums` has one larger than {kept.games} games can give")
    totals.sums = np.array(kept.sums, dtype=object)
    totals.low, totals.high = np.array(kept.low, np.int32), np.array(kept.high, np.int32)
    for name, view in views.items():
        view[...] = np.array(kept.spreads[name], np.int64).reshape(view.shape)
    return totals
