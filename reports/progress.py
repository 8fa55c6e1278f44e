"""What is said on standard error while one waits, and what a note says: nothing of it with --quiet.

A terminal gets a bar, or a line that is written over each second; anything else, such as a log, a line every ten
seconds. Colours are another matter: FORCE_COLOR draws no bar into a log. Imports nothing heavy.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

import click

from sim.errors import bounded, visible

#: Seconds between two lines in a log, and between two states of a terminal's line.
LOG_SECONDS, LINE_SECONDS = 10.0, 1.0
#: A rate is of the last so many seconds, and none before so many: the first games say nothing of the next million.
RATE_SECONDS, FIRST_SECONDS = 30.0, 3.0
#: What takes long to import, on a machine that has not done so before.
HEAVY = ("numpy", "pandas", "scipy", "numba", "boost_histogram")
_QUIET = "steelyard.quiet"
_ERASE = "\r\x1b[K"

#: Whether the terminal's last line is one that will be written over.
_is_written_over = threading.Event()


def _be_quiet(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Keep for the whole command that nothing but its answer and its failures is to be said."""
    if value:
        context.meta[_QUIET] = True


def quiet_option() -> click.Option:
    """Return the option that every command has."""
    return click.Option(
        ["-q", "--quiet"], is_flag=True, is_eager=True, expose_value=False, callback=_be_quiet,
        help="No notes and no progress.",
    )  # fmt: skip


def is_quiet() -> bool:
    """Tell whether nothing but the answer and failures is to be said."""
    return _is_quiet(click.get_current_context(silent=True))


def _is_quiet(context: click.Context | None) -> bool:
    """Tell it of a command, whose options are read after those of the program."""
    return bool(context and context.meta.get(_QUIET))


def is_terminal() -> bool:
    """Tell whether standard error is a terminal that can write over a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def tell(text: str) -> None:
    """Say something in a line on standard error, unless nothing is to be said."""
    if not is_quiet():
        erase()
        click.echo(bounded(visible(text)), err=True)


def erase() -> None:
    """Take away the line that would be written over."""
    if _is_written_over.is_set():
        _is_written_over.clear()
        sys.stderr.write(_ERASE)
        sys.stderr.flush()


@contextlib.contextmanager
def ticking(text: Callable[[float], str]) -> Iterator[None]:
    """While the body runs, say what `text` returns for the seconds that have gone by; "" says nothing."""
    ended, started, on_terminal = threading.Event(), time.monotonic(), is_terminal()
    context = click.get_current_context(silent=True)

    def tick() -> None:
        while not ended.wait(LINE_SECONDS if on_terminal else LOG_SECONDS):
            line = "" if _is_quiet(context) else visible(text(time.monotonic() - started))
            with contextlib.suppress(OSError, ValueError):  # the reader has left
                if line and on_terminal:
                    sys.stderr.write(_ERASE + line[: shutil.get_terminal_size().columns - 1])
                    sys.stderr.flush()
                    _is_written_over.set()
                elif line:
                    click.echo(line, err=True)

    teller = threading.Thread(target=tick, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
        erase()


def loading() -> contextlib.AbstractContextManager[None]:
    """Say which of the large libraries are being imported, as long as some are not."""

    def text(seconds: float) -> str:
        found = [name for name in HEAVY if name in sys.modules]
        if not found or len(found) == len(HEAVY):
            return ""
        return f"loading {found[-1]}, {len(found)} of {len(HEAVY)}, {seconds:.0f} s"

    return ticking(text)


def compiling(to_compile: Callable[[], list[str]]) -> contextlib.AbstractContextManager[None]:
    """Say what is being compiled, which of how many; `to_compile` lists what is still to be."""
    wanted = len(to_compile())

    def text(seconds: float) -> str:
        left = to_compile()
        now = left[: 2 if left[:1] and left[0].endswith(" engine") else 1]  # an engine beside the policies
        done = wanted - len(left)
        return f"compiling {' and '.join(now)}, {done} of {wanted} done, {seconds:.0f} s" if left else ""

    return ticking(text)


class Step(Protocol):
    """What is told of a step that begins."""

    def __call__(self, number: int, of: int, name: str) -> None:
        """Say that step `number` (from 1), of so many, begins."""


@contextlib.contextmanager
def steps(title: str) -> Iterator[Step]:
    """Say which step is at work; yield what is told when one begins."""
    now = [""]

    def began(number: int, of: int, name: str) -> None:
        now[0] = f"{title}: {name}, {number} of {of}"

    with ticking(lambda seconds: now[0] and f"{now[0]}, {seconds:.0f} s"):
        yield began


class Told(Protocol):
    """What is told of games: how many more are counted, how many there will be, how many were played in all."""

    def __call__(self, games: int, total: int | None = None, played: int | None = None) -> None:
        """Move on. Games that are counted and not played were on disk."""


class Pace:
    """How far a run is, how fast, and how long it will take."""

    def __init__(self, total: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin now; `total` games are expected, None where nothing is known of it."""
        self.done, self.total = 0, total
        self._clock, self._played = clock, 0
        self._seen = deque([(clock(), 0)])

    def add(self, games: int, total: int | None = None, played: int | None = None) -> None:
        """Count games, as `Told` says."""
        self.done += games
        self.total = self.total if total is None else total
        self._played = self._played + games if played is None else played
        now = self._clock()
        self._seen.append((now, self._played))
        while now - self._seen[1][0] > RATE_SECONDS:
            self._seen.popleft()

    def rate(self) -> float | None:
        """Return games a second; None while there is too little to say."""
        (first, before), (last, played) = self._seen[0], self._seen[-1]
        return (played - before) / (last - first) if last - first >= FIRST_SECONDS and played > before else None

    def parts(self) -> list[str]:
        """Return what there is to say: games, rate, time left."""
        known = self.total and self.done <= self.total
        said = [f"{self.done:,} of {self.total:,} games" if known else f"{self.done:,} games"]
        if rate := self.rate():
            said.append(f"{rate:,.0f}/s")
            if known and self.total:
                said.append(f"{duration((self.total - self.done) / rate)} left")
        return said


def duration(seconds: float) -> str:
    """Return a time in words, such as "35 s", "4 min" or "2 h 10 min"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60:,} h {minutes % 60} min"


@contextlib.contextmanager
def progress(title: str, games: int | None) -> Iterator[Told]:
    """Show how far a run is; yield what is told of games."""
    pace = Pace(games)
    if is_quiet() or not is_terminal():
        with ticking(lambda _: ", ".join([f"{title}: {pace.parts()[0]}", *pace.parts()[1:]])):
            yield pace.add
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[said]}"))
    erase()
    with Progress(*columns, console=Console(stderr=True, force_terminal=True), transient=True) as bar:
        task = bar.add_task(title, total=games, said="")

        def told(games: int, total: int | None = None, played: int | None = None) -> None:
            pace.add(games, total, played)
            bar.update(task, completed=pace.done, total=pace.total, said=" · ".join(pace.parts()))

        yield told
