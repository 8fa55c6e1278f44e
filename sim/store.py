"""A run on disk: what was played, the totals, and every block's sums, in files that are safe to open.

    manifest.json   what determines the results: game, rules, policies, seed, block size, versions
    blocks/         what each group of blocks counted, a file each, named by its first block
    totals.json     the sums over all games, as whole numbers, once the run has ended
    policies/       the source of every policy from outside the package, for reading; opening never runs it
    rows/           every game as Parquet, where it was asked for (see `sim.rows`)

Blocks are on disk seconds after they are played (with rows, once their group is whole), so a run that was ended in
any way goes on from them, and its files are then the same as those of a run that never ended. A folder only grows:
it is never gone on with to fewer games than it holds. Every file is written under a temporary name and renamed.
Nothing is pickled, and sizes are checked before memory is asked for.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from sim.batch import GROUP_BLOCKS, Batch
from sim.blocks import Layout, TaskResult, Totals, layout, merged
from sim.errors import BadInput, RunFailed, shortened
from sim.files import is_temporary, read_json, remove, write_json, write_whole
from sim.game import load_game
from sim.groups import group_file, groups, read_group, write_group
from sim.jit import source_hash
from sim.rules import Rules
from sim.rules import restore as restore_rules

if TYPE_CHECKING:
    from sim.rows import Rows

FORMAT = 2
#: How often the blocks of a group in play are written.
FLUSH_SECONDS = 2.0
#: What a run or a sweep leaves that is killed while it writes the first of its files begins so.
_BEGUN = (".manifest.json.", ".sweep.json.")
_MOST_LABELS = 16
_MOST_GAMES = 10**15
#: More than any metric's square, or product, in one game.
_MOST_SQUARE = 2**60
_MOST_INT = 2**63 - 1
_LEAST_SHORT, _MOST_SHORT = -(2**31), 2**31 - 1


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


def manifest(batch: Batch) -> dict[str, Any]:
    """Return everything that determines a batch's results, as JSON data."""
    return {
        "format": FORMAT,
        "game": batch.game,
        "rules_version": batch.rules.version,
        "rules": dict(batch.rules.values),
        "name": batch.rules.name,
        "policies": [
            {
                "name": policy.name,
                "label": policy.label,
                "params": list(policy.params),
                "source": policy.digest,
                "outside": not policy.is_trusted,
            }
            for policy in batch.line_up.pool
        ],
        "line_up": batch.line_up.mode,
        "seed": batch.seed,
        "block_games": batch.block_games,
        "versions": versions(),
    }


class Writer:
    """A run directory being written: blocks as they come, totals at the end or at an interruption."""

    def __init__(self, folder: Path, batch: Batch, is_kept: bool = False) -> None:
        """Begin a run directory, or go on with one of the same run; `is_kept` keeps every game's row as well.

        Raises BadInput when the folder holds something else or cannot be written, RunFailed when it holds another
        run, saying what differs.
        """
        self.folder = folder
        self._layout = batch.layout()
        self._block_games = batch.block_games
        self._open: TaskResult | None = None
        self._begun: dict[int, TaskResult] = {}
        self._on_disk: dict[int, int] = {}
        self._written = time.monotonic()
        head = {**manifest(batch), "rows": is_kept}
        self._rows = rows_of(folder / "rows", batch, head) if is_kept else None
        if (folder / "manifest.json").exists():
            refuse_other(folder, read_json(folder / "manifest.json"), head)
        else:
            check_new(folder)
        for path in filter(is_temporary, list(folder.rglob("*"))):
            remove(path)
        write_json(folder / "manifest.json", head)
        for policy in batch.line_up.pool:
            if not policy.is_trusted:
                write_whole(folder / "policies" / f"{policy.name}.py.txt", policy.source.encode())

    @property
    def has_rows(self) -> bool:
        """Whether every game's row is kept."""
        return self._rows is not None

    def games(self) -> int:
        """Return how many games are on disk, those of a gap counted; raise BadInput when the last file is damaged."""
        last = max((self.folder / "blocks").glob("*.npy"), default=None)
        if last is None:
            return 0
        part = read_group(last, self._layout, self._block_games)
        return part.first_block * self._block_games + part.games

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
        path = group_file(self.folder, group)
        if not path.exists():
            return None
        part = read_group(path, self._layout, self._block_games)
        self._on_disk[group] = part.games
        is_last = part.first_block * self._block_games + part.games == games
        is_whole = is_last or len(part.sums) == GROUP_BLOCKS
        if part.games % self._block_games and not is_last:
            return None
        if self._rows and not (is_whole and self._rows.has(part)):
            return None
        if not is_whole:
            self._begun[group] = part
        return part

    def add(self, part: TaskResult) -> None:
        """Keep blocks that follow on those before; a group is written when it is whole, and every few seconds.

        With rows it is written when it is whole alone, as nothing could go on from the rows of a part of it.
        """
        before = self._open or self._begun.pop(part.first_block // GROUP_BLOCKS, None)
        self._open = merged(before, part) if before else part
        if self._rows:
            self._rows.add(part)
        is_due = not self._rows and time.monotonic() - self._written > FLUSH_SECONDS
        if is_due or len(self._open.sums) == GROUP_BLOCKS:
            self.flush()

    def flush(self) -> None:
        """Write the blocks of the group in play, unless more of it is on disk; the totals there are then outdated."""
        if self._open is None:
            return
        group = self._open.first_block // GROUP_BLOCKS
        if self._open.games >= self._on_disk.get(group, 0):
            remove(self.folder / "totals.json")
            if self._rows:
                self._rows.write(self._open.first_block)
            write_group(group_file(self.folder, group), self._open)
        self._written = time.monotonic()
        if len(self._open.sums) == GROUP_BLOCKS:
            self._open = None

    def finish(self, totals: Totals, wanted: int = 0, is_finished: bool = True) -> None:
        """Keep the totals of all that was played; `wanted` games were asked for (0: a precision).

        Raises RunFailed when the precision takes fewer games than are on disk. A run that was stopped before it
        had read all of them leaves the folder as it is.
        """
        self.flush()
        if (held := self.games()) <= totals.games:
            write_json(
                self.folder / "totals.json", {**totals_data(totals), "wanted": wanted, "is_finished": is_finished}
            )
        elif is_finished:
            raise RunFailed(
                f"{self.folder} holds {held} games, more than the {totals.games} that this precision takes; "
                "name another folder"
            )


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


def totals_data(totals: Totals) -> dict[str, Any]:
    """Return totals as JSON data: whole numbers only, so that it is exact."""
    return {
        "games": totals.games,
        "planned": totals.planned,
        "metrics": [metric.name for metric in totals.layout.metrics],
        "sums": [[int(number) for number in line] for line in totals.sums],
        "low": totals.low.tolist(),
        "high": totals.high.tolist(),
        "spreads": {name: spread.view(flow=True).ravel().tolist() for name, spread in totals.spreads.items()},
    }


@dataclass(frozen=True)
class Played:
    """A run's results with all that they rest on: what `run` and `report` show, played now or read back.

    `wanted` games were asked for, 0 where a precision was.
    """

    rules: Rules
    seed: int
    block_games: int
    labels: tuple[str, ...]
    line_up: str
    policies: tuple[Mapping[str, Any], ...]
    versions: Mapping[str, str]
    totals: Totals
    wanted: int = 0
    is_finished: bool = True

    @property
    def is_cut_short(self) -> bool:
        """Whether the run was interrupted before it had played what was asked for."""
        return not self.is_finished


def played(batch: Batch, totals: Totals, wanted: int = 0, is_finished: bool = True) -> Played:
    """Return a batch's results with all that they rest on."""
    head = manifest(batch)
    return Played(
        batch.rules,
        batch.seed,
        batch.block_games,
        batch.line_up.labels,
        batch.line_up.mode,
        tuple(head["policies"]),
        head["versions"],
        totals,
        wanted,
        is_finished,
    )


def read(folder: Path) -> Played:
    """Read a run directory; raise BadInput naming the file that is missing, damaged or of another format."""
    path = folder / "manifest.json"
    if not path.exists():
        raise BadInput(f"{path}: no such file; a run directory is what `steelyard run --out DIR` writes")
    head = read_json(path)
    try:
        if head["format"] != FORMAT:
            raise BadInput(f"{folder / 'manifest.json'}: format {head['format']!r}; this version reads {FORMAT}")
        rules = restore_rules(str(head["game"]), head["rules"], str(head["name"]))
        labels = tuple(dict.fromkeys(str(policy["label"]) for policy in head["policies"]))
        if not 1 <= len(labels) <= _MOST_LABELS:
            raise BadInput(f"{folder / 'manifest.json'}: {len(labels)} policies; a run has 1 to {_MOST_LABELS}")
        game = load_game(rules.game)
        plan = layout(game.outcomes, labels, *game.shape(rules.values))
        block_games = _whole(head["block_games"], 1, _MOST_INT)
        if not (folder / "totals.json").exists() and (folder / "blocks").is_dir():
            body, totals = {"wanted": 0, "is_finished": False}, _from_blocks(folder, plan, block_games)
        else:
            body = read_json(folder / "totals.json")
            totals = _read_totals(body, plan, folder / "totals.json")
        return Played(
            rules,
            _whole(head["seed"], 0, _MOST_INT),
            block_games,
            labels,
            str(head["line_up"]),
            tuple(head["policies"]),
            {str(key): str(value) for key, value in head["versions"].items()},
            totals,
            _whole(body["wanted"], 0, _MOST_GAMES),
            bool(body["is_finished"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{folder}: not a run directory of this version ({type(error).__name__}: {error})") from None


def _from_blocks(folder: Path, plan: Layout, block_games: int) -> Totals:
    """Return the totals of a run that was ended before it wrote them."""
    totals = Totals(plan)
    for part in groups(folder, plan, block_games):
        totals.add(part)
    return totals


def _read_totals(body: Mapping[str, Any], plan: Layout, path: Path) -> Totals:
    """Return totals from their JSON data, whose metrics must be those of the layout and whose numbers can be."""
    if body["metrics"] != [metric.name for metric in plan.metrics]:
        raise BadInput(f"{path}: counts other metrics than this version does")
    totals = Totals(plan, _whole(body["games"], 0, _MOST_GAMES), _whole(body["planned"], 0, _MOST_GAMES))
    most = max(1, totals.games) * _MOST_SQUARE
    sums = np.array([[_whole(number, -most, most) for number in line] for line in body["sums"]], dtype=object)
    low, high = (
        np.array([_whole(number, _LEAST_SHORT, _MOST_SHORT) for number in body[key]], np.int32)
        for key in ("low", "high")
    )
    if sums.shape != totals.sums.shape or low.shape != totals.low.shape or high.shape != totals.high.shape:
        raise BadInput(f"{path}: sums of the wrong shape")
    if totals.games == 0 and sums.any():
        raise BadInput(f"{path}: sums of no games")
    totals.sums, totals.low, totals.high = sums, low, high
    for name, spread in totals.spreads.items():
        view = spread.view(flow=True)
        counts = [_whole(number, 0, _MOST_INT) for number in body["spreads"][name]]
        view[...] = np.array(counts, np.int64).reshape(view.shape)
    return totals


def _whole(number: Any, least: int, most: int) -> int:
    """Return a whole number of JSON within bounds; raise ValueError for anything else."""
    if type(number) is not int or not least <= number <= most:
        raise ValueError(f"{str(number)[:40]} is not a whole number from {least} to {most}")
    return number
