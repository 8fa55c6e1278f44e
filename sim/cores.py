"""How many threads this process may keep busy: its cores, and what a container's quota leaves of them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_ROOT = Path("/")


def cores() -> int:
    """Return how many cores this process can use: by its affinity and by the CPU quota of its control groups.

    A part of a core counts as one: a thread that is held back now and then is better than a core that idles.
    """
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([count, *(math.ceil(share) for share in _quotas())]))


def _quotas() -> Iterator[float]:
    """Yield the quotas, in cores, of the control groups that this process is in, version 2 and 1, and of those above.

    Within a container the path of its own group may not exist; the folders above it then are the container's.
    """
    for line in _read(_ROOT / "proc" / "self" / "cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if not controllers:
            for folder in _up(_ROOT / "sys" / "fs" / "cgroup", group):
                yield from _share(*_read(folder / "cpu.max").split())
        elif "cpu" in controllers.split(","):
            for mounted in dict.fromkeys((controllers, "cpu", "cpu,cpuacct", "cpuacct,cpu")):
                for folder in _up(_ROOT / "sys" / "fs" / "cgroup" / mounted, group):
                    quota, period = (_read(folder / f"cpu.cfs_{name}_us").strip() for name in ("quota", "period"))
                    yield from _share(quota, period)


def _up(mounted: Path, group: str) -> Iterator[Path]:
    """Yield a group's folder and those above it."""
    inner = PurePosixPath(group.lstrip("/"))
    if ".." not in inner.parts:
        yield from (mounted / part for part in (inner, *inner.parents))
    else:
        yield mounted


def _share(*words: str) -> Iterator[float]:
    """Yield what a quota and its period, both in microseconds, come to; nothing where there is none ("max", -1)."""
    if len(words) == 2 and all(word.isdecimal() for word in words) and int(words[1]) > 0 and int(words[0]) > 0:
        yield int(words[0]) / int(words[1])


def _read(path: Path) -> str:
    """Return a file's text, "" where there is none to read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
