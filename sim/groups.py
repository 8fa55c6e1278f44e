"""What each group of a run's blocks counted: a file each, one record of whole numbers, named by its first block."""

from __future__ import annotations

import functools
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from sim.blocks import Layout, TaskResult
from sim.errors import BadInput
from sim.files import write_whole
from sim.schedule import Schedule


def group_file(folder: Path, schedule: Schedule, group: int) -> Path:
    """Return the file of a run's group of blocks."""
    return folder / "blocks" / f"{schedule.group_start(group):012d}.npy"


def groups(folder: Path, plan: Layout, schedule: Schedule) -> Iterator[TaskResult]:
    """Yield what a run's groups counted, from the first on; raise BadInput when a file is damaged."""
    for group in itertools.count():
        if not (path := group_file(folder, schedule, group)).exists():
            return
        yield read_group(path, plan, schedule, group)


def write_group(path: Path, part: TaskResult) -> None:
    """Write what a group of blocks counted: one record of whole numbers in an .npy file."""
    blocks, slots, _ = part.sums.shape
    header, record = _group_form(blocks, slots, len(part.low), len(part.cells))
    counted = (part.first_block, part.games, part.sums, part.totals, part.low, part.high, part.cells)
    write_whole(path, header + np.array(counted, record).tobytes())


def read_group(path: Path, layout: Layout, schedule: Schedule, group: int) -> TaskResult:
    """Return what a group of blocks counted; raise BadInput when the file is damaged or of another layout.

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
    found = np.frombuffer(data, record, offset=len(header))[0]
    first_block, games, blocks = int(found["first_block"]), int(found["games"]), len(found["sums"])
    whole = schedule.games(first_block, blocks - 1) if first_block == schedule.group_start(group) else games
    if not whole < games <= schedule.games(first_block, blocks):
        what = f"{games} games in {blocks} blocks from {first_block} on"
        raise BadInput(f"{path}: claims to hold {what}; remove the file and run again")
    rows = np.zeros((0, len(layout.plan.blank)), np.int32)
    sums, totals, low, high, cells = (found[key] for key in ("sums", "totals", "low", "high", "cells"))
    return TaskResult(first_block, games, sums, totals, low, high, cells, rows)


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
        ]
    )
    header = io.BytesIO()
    npy.write_array_header_1_0(header, {"descr": record.descr, "fortran_order": False, "shape": (1,)})
    return header.getvalue(), record
