"""Files written whole and read with care: results, JSON documents, what a group of blocks counted."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap

from sim.batch import GROUP_BLOCKS
from sim.blocks import Layout, TaskResult
from sim.errors import BadInput

_MOST_BYTES = 64 << 20
#: How the name of a file in writing ends.
_PART = ".part"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name in its folder, then rename it; raise BadInput when that fails."""
    temporary = path.with_name(f".{path.name}{_PART}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise BadInput(f"{path}: cannot write: {error.strerror}") from None


def is_temporary(path: Path) -> bool:
    """Tell whether a file is one that `write_whole` was ended in writing."""
    return path.name.startswith(".") and path.name.endswith(_PART)


def remove(path: Path) -> None:
    """Remove a file if there is one; raise BadInput when that fails."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot remove: {error.strerror}") from None


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


def read_json(path: Path) -> Any:
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


def write_group(path: Path, part: TaskResult) -> None:
    """Write what a group of blocks counted: one record of whole numbers in an .npy file."""
    record = _group_record(part.sums.shape, len(part.low), len(part.cells))
    data = np.array([(part.first_block, part.games, part.sums, part.totals, part.low, part.high, part.cells)], record)
    buffer = io.BytesIO()
    np.save(buffer, data, allow_pickle=False)
    write_whole(path, buffer.getvalue())


def read_group(path: Path, layout: Layout, block_games: int) -> TaskResult:
    """Return what a group of blocks counted; raise BadInput when the file is damaged or of another layout."""
    slots = len(layout.metrics)
    try:
        # Mapped, so that no memory is asked for before the header is known to be one of ours.
        (found,) = open_memmap(path, mode="r")
        blocks = len(found["sums"])
        if found.dtype != _group_record((blocks, slots, 2), layout.means, max(1, layout.cells)):
            raise ValueError("counts other metrics than this version does")
        if not 1 <= blocks <= GROUP_BLOCKS:
            raise ValueError(f"{blocks} blocks")
        first_block, games = int(found["first_block"]), int(found["games"])
        if first_block != int(path.stem) or not (blocks - 1) * block_games < games <= blocks * block_games:
            raise ValueError(f"holds {games} games in {blocks} blocks from {first_block} on")
        sums, totals, low, high, cells = (np.array(found[key]) for key in ("sums", "totals", "low", "high", "cells"))
    except OSError as error:
        raise BadInput(f"{path}: cannot read: {error.strerror}") from None
    except (ValueError, IndexError, TypeError, EOFError) as error:
        raise BadInput(f"{path}: not a group of blocks ({error}); remove the file and run again") from None
    rows = np.zeros((0, len(layout.plan.blank)), np.int32)
    return TaskResult(first_block, games, sums, totals, low, high, cells, rows)


def _group_record(sums: tuple[int, ...], means: int, cells: int) -> np.dtype[Any]:
    """The record of a group's file; sums: (blocks, slots, 2)."""
    return np.dtype(
        [
            ("first_block", "<i8"),
            ("games", "<i8"),
            ("sums", "<i8", sums),
            ("totals", "<i8", (sums[1], 5)),
            ("low", "<i4", (means,)),
            ("high", "<i4", (means,)),
            ("cells", "<i8", (cells,)),
        ]
    )
