"""Folders of ours: runs, sweeps and reports, which a stranger may have made.

The folder that a user names may be a link. Inside it nothing but files and folders counts: what is written, deleted
or read through a link would lie elsewhere, and a pipe or a device waits for ever or has no end. They are refused
before anything is opened. (This looks at a folder as it is found, and does not guard against somebody who changes it
at the same time.)
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from sim.errors import BadInput, printable


def own(folder: Path, name: str) -> Path:
    """Return the path of a file or folder inside a folder of ours, whether there is one or not.

    `name` goes by way of folders, as in "charts/wins.svg". Raises BadInput when it, or a folder on the way, is a
    link, a pipe or a device.
    """
    path = folder
    for part in name.split("/"):
        path = path / part
        try:
            mode = path.lstat().st_mode
        except (OSError, ValueError):  # not there, or not to be had: who uses the path says so
            break
        _check(path, mode)
    return folder / name


def tree(folder: Path) -> Iterator[Path]:
    """Yield every file below a folder of ours; raise BadInput at the first link, pipe or device."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            path = Path(entry.path)
            _check(path, entry.stat(follow_symlinks=False).st_mode)
            if entry.is_dir(follow_symlinks=False):
                yield from tree(path)
            else:
                yield path


def _check(path: Path, mode: int) -> None:
    """Raise BadInput for what is neither a file nor a folder."""
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        what = "a link" if stat.S_ISLNK(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device"
        raise BadInput(
            f"{printable(str(path))}: is {what}; inside a folder of steelyard's there are files and folders only"
        )
