"""Sweeps that end before they are finished: told to stop, abandoned, or killed while a file is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from sim.batch import Batch
from sim.store import Writer
from sim.sweep import Goal, Sweep
from sim.workers import Threads


class Killed(BaseException):
    """The process is no more. Nothing that handles errors handles it."""


#: How a sweep ends; the first two after so many games, the others at so many files.
ENDINGS = ("stopped", "abandoned", "killed in a write", "killed after a write")


@dataclass
class Interruption:
    """What ends a sweep, and when: `kind` is one of ENDINGS, `after` how many games or files."""

    kind: str
    after: int
    sweep: Sweep | None = None

    def see_games(self, games: int) -> None:
        """Be told of every part that was played or read."""
        if self.kind in ENDINGS[:2]:
            self.after -= games
            if self.after <= 0 and self.kind == "abandoned":
                raise Killed
            if self.after <= 0 and self.sweep is not None:
                self.sweep.stop()

    def see_files(self, patch: pytest.MonkeyPatch) -> None:
        """See every file that is renamed to the name that it is to have."""
        rename = Path.replace

        def watched(path: Path, target: Path) -> Path:
            self.after -= self.kind in ENDINGS[2:]
            if self.after == 0 and self.kind == "killed in a write":
                raise Killed
            found = rename(path, target)
            if self.after == 0 and self.kind == "killed after a write":
                raise Killed
            return found

        patch.setattr(Path, "replace", watched)


def play(
    batches: Sequence[Batch], goal: Goal, folders: Sequence[Path], threads: int = 2, rows: bool = False,
    ending: Interruption | None = None,
) -> Sweep | None:  # fmt: skip
    """Play a sweep on from what is on disk, as a command does; None when it was ended before it could tell."""
    ending = ending or Interruption("never", 1)
    with pytest.MonkeyPatch.context() as patch:
        ending.see_files(patch)
        try:
            writers = [Writer(folder, batch, rows) for folder, batch in zip(folders, batches, strict=True)]
            ending.sweep = sweep = Sweep(batches, goal, writers=writers)
            with Threads(batches, threads, rows) as workers:
                sweep.play(workers, ending.see_games)
            sweep.finish()
        except Killed:
            return None
    return sweep


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, byte for byte."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
