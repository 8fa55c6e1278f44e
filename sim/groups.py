"""What each group of a run's blocks counted: a file each, one record of whole numbers, named by its first block.

A record holds the SHA-256 of the run's manifest, those of the group's Parquet parts, and last its file's own, of all
before it. A file that was damaged, or put in another's place, is refused; so is one whose blocks do not add up to
their totals, or whose win shares do not add up to its games. All of it follows from what was counted: the bytes stay
a function of the seed. It guards against damage, not against who forges a file.
"""

from __future__ import annotations

import functools
import hashlib
import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from sim.blocks import Layout, TaskResult
from sim.errors import BadInput
from sim.files import seal, write_whole
from sim.folder import own
from sim.schedule import Schedule

#: Bytes of a SHA-256.
_HASH = 32
#: Tables of which a group may have a Parquet part: games, seats, rounds.
_TABLES = 3


@dataclass(frozen=True)
class Group:
    """What a group's file holds: what its blocks counted, and the SHA-256 of each Parquet part, zeros for none."""

    counted: TaskResult
    rows: tuple[bytes, ...]


def group_file(folder: Path, schedule: Schedule, group: int) -> Path:
    """Return the file of a run's group of blocks; raise BadInput when it is a link, a pipe or a device."""
    return own(folder, f"blocks/{schedule.group_start(group):012d}.npy")


def groups(folder: Path, plan: Layout, schedule: Schedule) -> Iterator[TaskResult]:
    """Yield what a run's groups counted, from the first on; raise BadInput when a file is damaged."""
    run = ""
    for group in itertools.count():
        if not (path := group_file(folder, schedule, group)).exists():
            return
        run = run or seal(own(folder, "manifest.json"))
        yield read_group(path, plan, schedule, group, run).counted


def write_group(path: Path, part: TaskResult, run: str, rows: Sequence[bytes] = ()) -> None:
    """Write what a group of blocks counted: one record of whole numbers in an .npy file.

    `run` is the SHA-256 (hex) of the run's manifest, `rows` are those of the group's Parquet parts.
    """
    blocks, slots, _ = part.sums.shape
    header, record = _group_form(blocks, slots, len(part.low), len(part.cells))
    hashes = np.zeros((_TABLES, _HASH), np.uint8)
    for line, one in zip(hashes, rows, strict=False):
        line[:] = np.frombuffer(one, np.uint8)
    counted = (part.first_block, part.games, part.sums, part.totals, part.low, part.high, part.cells)
    of_run = np.frombuffer(bytes.fromhex(run), np.uint8)
    data = header + np.array((*counted, of_run, hashes, np.zeros(_HASH, np.uint8)), record).tobytes()[:-_HASH]
    write_whole(path, data + hashlib.sha256(data).digest())


def read_group(path: Path, layout: Layout, schedule: Schedule, group: int, run: str) -> Group:
    """Return what a group of blocks counted; raise BadInput when the file is damaged or of another layout or run.

    The header is compared with what it must be and never interpreted, whatever a stranger wrote there.
    """
    most = schedule.group_size(group)
    forms = _group_forms(most, len(layout.metrics), layout.means, max(1, layout.cells))
    try:
        data = path.read_bytes() if path.stat().st_size in forms else b""
    except OSError as error:
        raise BadInput(f"{path}: cannot read: {error.strerror}") from None
    header, record = forms.get(len(data), (b"", None))
    if record is None or not data.startswith(header):
        raise BadInput(f"{path}: not a group of blocks as this version counts them; remove the file and run again")
    if hashlib.sha256(data[:-_HASH]).digest() != data[-_HASH:]:
        raise BadInput(f"{path}: damaged: its numbers are not those of its SHA-256; remove the file and run again")
    found = np.frombuffer(data, record, offset=len(header))[0]
    if found["run"].tobytes().hex() != run:
        raise BadInput(f"{path}: is of another run than its manifest.json; remove the file and run again")
    first_block, games, blocks = int(found["first_block"]), int(found["games"]), len(found["sums"])
    whole = schedule.games(first_block, blocks - 1) if first_block == schedule.group_start(group) else games
    if not whole < games <= schedule.games(first_block, blocks):
        what = f"{games} games in {blocks} blocks from {first_block} on"
        raise BadInput(f"{path}: claims to hold {what}; remove the file and run again")
    rows = np.zeros((0, len(layout.plan.blank)), np.int32)
    sums, totals, low, high, cells = (found[key] for key in ("sums", "totals", "low", "high", "cells"))
    counted = TaskResult(first_block, games, sums, totals, low, high, cells, rows)
    if not _adds_up(counted, layout, schedule):
        raise BadInput(f"{path}: damaged: its blocks do not add up; remove the file and run again")
    return Group(counted, tuple(line.tobytes() for line in found["rows"]))


def _adds_up(part: TaskResult, layout: Layout, schedule: Schedule) -> bool:
    """Tell whether blocks sum to their totals, and the seats' win shares, or exact chances, to one a game."""
    seats = [slot for slot, metric in enumerate(layout.metrics) if metric.of == "win_rate_by_seat"]
    whole = round(1 / layout.metrics[seats[0]].scale)
    won = part.sums[:, seats, 0].sum(axis=1)
    sizes = schedule.sizes(part.first_block, len(part.sums), part.games)
    return bool((part.sums.sum(axis=0) == part.totals[:, :2]).all() and (won == whole * sizes).all())


@functools.cache
def _group_forms(most: int, slots: int, means: int, cells: int) -> dict[int, tuple[bytes, np.dtype[Any]]]:
    """Return the forms of a group's file by its size in bytes: one for each number of blocks, up to `most`."""
    forms = (_group_form(blocks, slots, means, cells) for blocks in range(1, most + 1))
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
            ("run", "|u1", (_HASH,)),
            ("rows", "|u1", (_TABLES, _HASH)),
            ("sha256", "|u1", (_HASH,)),
        ]
    )
    header = io.BytesIO()
    npy.write_array_header_1_0(header, {"descr": record.descr, "fortran_order": False, "shape": (1,)})
    return header.getvalue(), record
