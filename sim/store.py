"""A run on disk: what was played, the totals, and every block's sums, in files that are safe to open.

    manifest.json   what determines the results: game, rules, policies, seed, block size, versions
    totals.json     the sums over all games, as whole numbers
    blocks/         int64 arrays (blocks, slots, 2), one file a task, named by first block and block size
    policies/       the source of every policy from outside the package, for reading; opening never runs it

Every file is written under a temporary name and renamed. Nothing is pickled, and sizes are checked before
memory is asked for.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numba
import numpy as np

from sim.batch import Batch
from sim.blocks import Layout, TaskResult, Totals, layout
from sim.errors import BadInput
from sim.game import load_game
from sim.jit import source_hash
from sim.rules import Rules
from sim.rules import restore as restore_rules

FORMAT = 1
_MOST_BYTES = 64 << 20
_MOST_LABELS = 16
_MOST_GAMES = 10**15
#: More than any metric's square, or product, in one game.
_MOST_SQUARE = 2**60
_LEAST_INT, _MOST_INT = -(2**63), 2**63 - 1


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name in its folder, then rename it; raise BadInput when that fails."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise BadInput(f"{path}: cannot write: {error.strerror}") from None


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
        "name": batch.rules.name,
        "rules": dict(batch.rules.values),
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


def check_writable(option: str, file: str | None) -> None:
    """Raise BadInput, naming the option, when a file could not be written: before hours of play, not after."""
    if file is None:
        return
    path = Path(file)
    if path.is_dir():
        raise BadInput(f"{option} {file}: is a folder; name a file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{option} {file}: cannot make the folder {path.parent}: {error.strerror}") from None
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(f"{option} {file}: cannot be written")


def check_folder(option: str, folder: str) -> None:
    """Raise BadInput when a folder cannot be made or written to, or holds a page that is not ours."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{option} {folder}: cannot make the folder: {error.strerror}") from None
    if not os.access(path, os.W_OK):
        raise BadInput(f"{option} {folder}: cannot be written to")
    page = path / "index.html"
    if page.is_file() and b"steelyard" not in page.read_bytes()[:1_000_000]:
        raise BadInput(f"{option} {folder}: holds an index.html that is no report; name another folder")


class Writer:
    """A run directory being written: blocks as they come, totals at the end or at an interruption."""

    def __init__(self, folder: Path, batch: Batch) -> None:
        """Begin a run directory; raise BadInput when the folder holds something or cannot be written."""
        self.folder = folder
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"--out {folder}: is not an empty folder; results never overwrite")
        self._write("manifest.json", manifest(batch))
        for policy in batch.line_up.pool:
            if not policy.is_trusted:
                write_whole(folder / "policies" / f"{policy.name}.py.txt", policy.source.encode())

    def add(self, part: TaskResult) -> None:
        """Keep a task's block sums."""
        path = self.folder / "blocks" / f"{part.first_block:012d}.npy"
        write_whole(path, _npy(part.sums))

    def finish(self, totals: Totals, wanted: int = 0) -> None:
        """Keep the totals of all that was played; `wanted` games were asked for (0: just those)."""
        self._write("totals.json", {**totals_data(totals), "wanted": wanted})

    def _write(self, name: str, data: Any) -> None:
        write_whole(self.folder / name, (json.dumps(data, indent=1) + "\n").encode())


def _npy(array: np.ndarray[Any, Any]) -> bytes:
    """Return an array as the bytes of an .npy file."""
    import io

    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def totals_data(totals: Totals) -> dict[str, Any]:
    """Return totals as JSON data: whole numbers only, so that it is exact."""
    return {
        "games": totals.games,
        "metrics": [metric.name for metric in totals.layout.metrics],
        "sums": [[int(number) for number in line] for line in totals.sums],
        "low": totals.low.tolist(),
        "high": totals.high.tolist(),
        "spreads": {name: spread.view(flow=True).ravel().tolist() for name, spread in totals.spreads.items()},
    }


@dataclass(frozen=True)
class Played:
    """A run's results with all that they rest on: what `run` and `report` show, played now or read back."""

    rules: Rules
    seed: int
    labels: tuple[str, ...]
    line_up: str
    policies: tuple[Mapping[str, Any], ...]
    versions: Mapping[str, str]
    totals: Totals
    wanted: int = 0

    @property
    def is_cut_short(self) -> bool:
        """Whether the run was interrupted before it had played what was asked for."""
        return self.totals.games < self.wanted


def played(batch: Batch, totals: Totals, wanted: int = 0) -> Played:
    """Return a batch's results with all that they rest on."""
    head = manifest(batch)
    return Played(
        batch.rules,
        batch.seed,
        batch.line_up.labels,
        batch.line_up.mode,
        tuple(head["policies"]),
        head["versions"],
        totals,
        wanted,
    )


def read(folder: Path) -> Played:
    """Read a run directory; raise BadInput naming the file that is missing, damaged or of another format."""
    head = _read_json(folder / "manifest.json")
    body = _read_json(folder / "totals.json")
    try:
        if head["format"] != FORMAT:
            raise BadInput(f"{folder / 'manifest.json'}: format {head['format']!r}; this version reads {FORMAT}")
        rules = restore_rules(str(head["game"]), head["rules"], str(head["name"]))
        labels = tuple(dict.fromkeys(str(policy["label"]) for policy in head["policies"]))
        if not 1 <= len(labels) <= _MOST_LABELS:
            raise BadInput(f"{folder / 'manifest.json'}: {len(labels)} policies; a run has 1 to {_MOST_LABELS}")
        game = load_game(rules.game)
        plan = layout(game.outcomes, labels, *game.shape(rules.values))
        totals = _read_totals(body, plan, folder / "totals.json")
        return Played(
            rules,
            _whole(head["seed"], 0, _MOST_INT),
            labels,
            str(head["line_up"]),
            tuple(head["policies"]),
            {str(key): str(value) for key, value in head["versions"].items()},
            totals,
            _whole(body.get("wanted", 0), 0, _MOST_GAMES),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{folder}: not a run directory of this version ({type(error).__name__}: {error})") from None


def _read_json(path: Path) -> Any:
    """Return a JSON file's data."""
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: cannot read: is not an ordinary file")
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadInput(f"{path}: larger than a run's file can be ({_MOST_BYTES >> 20} MiB)")
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file; a run directory is what `steelyard run --out DIR` writes") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: not JSON: {error}") from None


def _read_totals(body: Mapping[str, Any], plan: Layout, path: Path) -> Totals:
    """Return totals from their JSON data, whose metrics must be those of the layout and whose numbers can be."""
    if body["metrics"] != [metric.name for metric in plan.metrics]:
        raise BadInput(f"{path}: counts other metrics than this version does")
    totals = Totals(plan, _whole(body["games"], 0, _MOST_GAMES))
    most = max(1, totals.games) * _MOST_SQUARE
    sums = np.array([[_whole(number, -most, most) for number in line] for line in body["sums"]], dtype=object)
    low, high = (
        np.array([_whole(number, _LEAST_INT, _MOST_INT) for number in body[key]], np.int64) for key in ("low", "high")
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
