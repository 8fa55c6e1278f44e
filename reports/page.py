"""The designer report of any game: finds the game's own choice of what to show."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from sim.played import Played


def write_report(runs: Sequence[Played], folder: Path, command: str) -> Path:
    """Write the page, its charts and tables into `folder`; return the page's path.

    `runs` are of one game; `command` is told as how to reproduce it. A game's report is the function `write`
    of `reports/<game>.py`.
    """
    write = importlib.import_module(f"reports.{runs[0].rules.game}").write
    page: Path = write(runs, folder, command)
    return page
