"""Files written whole and read with care: results, JSON documents, what a group of blocks counted."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

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


def write_json(path: Path, data: Any) -> None:
    """Write a JSON document as `write_whole` does."""
    write_whole(path, (json.dumps(data, indent=1) + "\n").encode())


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
    blocks, slots, _ = part.sums.shape
    header, record = _group_form(blocks, slots, len(part.low), len(part.cells))
    counted = (part.first_block, part.games, part.sums, part.totals, part.low, part.high, part.cells)
    write_whole(path, header + np.array(counted, record).tobytes())


def read_group(path: Path, layout: Layout, block_games: int) -> TaskResult:
    """Return what a group of blocks counted; raise BadInput when the file is damaged or of another layout.

    The header is compared with what it must be and never interpreted, whatever a stranger wrote there.
    """
    forms = _group_forms(len(layout.metrics), layout.means, max(1, layout.cells))
    try:
        data = path.read_bytes() if path.stat().st_size in forms else b""
    except OSError as error:
        raise BadInput(f"{path}: cannot read: {error.strerror}") from None
    header, record = forms.get(len(data), (b"", None))
    if record is None or not data.startswith(header):
        raise BadInput(f"{path}: not a group of blocks as this version counts them; remove the file and run again")
    found = np.frombuffer(data, record, offset=len(header))[0]
    first_block, games, blocks = int(found["first_block"]), int(found["games"]), len(found["sums"])
    if f"{first_block:012d}" != path.stem or not (blocks - 1) * block_games < games <= blocks * block_games:
        what = f"{games} games in {blocks} blocks from {first_block} on"
        raise BadInput(f"{path}: claims to hold {what}; remove the file and run again")
    rows = np.zeros((0, len(layout.plan.blank)), np.int32)
    sums, totals, low, high, cells = (found[key] for key in ("sums", "totals", "low", "high", "cells"))
    return TaskResult(first_block, games, sums, totals, low, high, cells, rows)


@functools.cache
def _group_forms(slots: int, means: int, cells: int) -> dict[int, tuple[bytes, np.dtype[Any]]]:
    """Return the forms of a group's file of so many slots, by its size in bytes: one for each number of blocks."""
    forms = (_group_form(blocks, slots, means, cells) for blocks in range(1, GROUP_BLOCKS + 1))
    return {len(header) + record.itemsize: (header, record) for header, record in forms}


def _group_form(blocks: int, slots: int, means: int, cells: int) -> tuple[bytes, np.dtype[Any]]:
    """Return the header of a group's file and the record that follows it."""
    record = np.dtype(
        [
            ("first_block", "<i8"),
            ("games", "<i8"),
            ("sums", "<i8", (blocks, slots, 2)),
            ("totals", "<i8", (slots, 5)),
            ("low", "<i4", (means,)),
            ("high", "<i4", (means,)),
            ("cells", "<i8", (cells,)),
        ]
    )
    header = io.BytesIO()
    npy.write_array_header_1_0(header, {"descr": record.descr, "fortran_order": False, "shape": (1,)})
    return header.getvalue(), record
