"""What every command shares on a terminal: one-line failures, counts of games, a progress bar, Ctrl-C.

Imports nothing heavy, so that `--help` answers at once.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NoReturn, Protocol, TypeVar

import click

from sim.errors import BadInput, RunFailed, nearest, printable, visible

Result = TypeVar("Result")

FAILED, REFUSED, INTERRUPTED = 1, 2, 130


class Commands(click.Group):
    """The commands, with every failure told in one line: exit 1 for a failed run, 2 for what cannot be."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Be the whole program, as its script calls it: Ctrl-C and failures end it at once.

        A policy that never returns still holds a thread, for which an ordinary exit would wait for ever.
        """
        signal.signal(signal.SIGINT, _leave)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # an old terminal has no ±
        try:
            return super().__call__(*args, **kwargs)
        except SystemExit as ending:
            if ending.code in (FAILED, INTERRUPTED):
                with contextlib.suppress(OSError):
                    sys.stdout.flush()
                os._exit(int(ending.code))
            raise

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; `standalone_mode=False` lets exceptions out, for tests."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            _check_words(sys.argv[1:] if args is None else args)
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(REFUSED)
        except click.ClickException as error:
            complain(error.format_message(), REFUSED)
        except BadInput as error:
            complain(str(error), REFUSED)
        except RunFailed as error:
            complain(str(error), FAILED)
        except (KeyboardInterrupt, click.Abort):
            complain("interrupted", INTERRUPTED)
        except MemoryError:
            complain("not enough memory; fewer --threads take less", FAILED)
        except OSError as error:
            why = error.strerror or str(error) or "no reason is given"
            if error.filename is None:
                complain(f"cannot write the output: {why}", FAILED)
            complain(f"{error.filename}: {why}", REFUSED)
        except SystemExit:
            # The reader has left, as `| head` does: click puts this wrapper there and wants to exit with 1.
            if type(sys.stdout).__name__.endswith("PacifyFlushWrapper"):
                sys.exit(0)
            raise
        sys.exit(code if isinstance(code, int) else 0)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a command; name the nearest when there is none of that name."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            known = ", ".join(sorted(self.commands))
            raise click.UsageError(
                f"unknown command {args[0]!r}{nearest(args[0], self.commands)}; commands: {known}", ctx
            )
        return super().resolve_command(ctx, args)


def _check_words(words: Sequence[str]) -> None:
    """Raise BadInput for a word that is no text, such as a file's name in another encoding than UTF-8.

    It could be opened, but not written into a report, a manifest or a table, which would be found out in the end.
    """
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadInput(f"{printable(word)}: is not UTF-8; a name must be text") from None


def _leave(_signal: int, _frame: Any) -> None:
    """Ctrl-C outside a run: end at once, whatever a compiler or a policy is doing; files are written whole."""
    click.echo("steelyard: interrupted", err=True)
    os._exit(INTERRUPTED)


def complain(text: str, code: int) -> NoReturn:
    """Say in one line what is wrong and end."""
    click.echo(f"steelyard: {visible(' '.join(text.split()))}", err=True)
    sys.exit(code)


class Filled(click.ParamType[str]):
    """A text that is not empty, as an unset variable of a shell would make it."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text."""
        if not str(value).strip():
            self.fail("is empty", param, ctx)
        return str(value)


class Count(click.ParamType[int]):
    """A number of games: 200000, 200k, 2M, 1e6."""

    name = "count"
    _UNITS: ClassVar = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the whole number that a text says, from 1 to 10^12."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?(?:e\d\d?)?)([kmg]?)", str(value).strip().lower().replace("_", ""))
        count = float(found[1]) * self._UNITS[found[2]] if found else 0.0
        if not 1 <= count <= 1e12 or count != int(count):
            self.fail(f"{value!r} is not a count from 1 to 1e12, such as 200000, 200k, 2M or 1e6", param, ctx)
        return int(count)


class Precision(click.ParamType[float]):
    """How narrow an interval is to be: 0.002, or 0.2% of a share."""

    name = "precision"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the half-width that a text says, more than 0."""
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            found = 0.0
        if not 1e-6 <= found <= 1e6:
            self.fail(f"{value!r} is not a half-width from 1e-6 on, such as 0.002 or 0.2%", param, ctx)
        return found


class Stoppable(Protocol):
    """What can be told to end with what is finished."""

    is_stopped: bool

    def stop(self) -> None:
        """End with what is finished."""


@contextlib.contextmanager
def stopping(run: Stoppable) -> Iterator[None]:
    """Let Ctrl-C end a run with what is finished; a second one ends the program at once."""

    def on_interrupt(_signal: int, _frame: Any) -> None:
        if run.is_stopped:
            os._exit(INTERRUPTED)
        run.stop()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def beside(work: Callable[[], Result]) -> Result:
    """Return what work gives, done beside the main thread, which stays free for Ctrl-C: a policy may never return."""
    from concurrent.futures import ThreadPoolExecutor, wait

    working = ThreadPoolExecutor(1).submit(work)
    while not working.done():
        wait([working], timeout=0.1)
    return working.result()


class Told(Protocol):
    """What is told of games played; `total` when more or fewer are expected than before."""

    def __call__(self, games: int, total: int | None = None) -> None:
        """Move the bar on."""


@contextlib.contextmanager
def progress(title: str, games: int | None) -> Iterator[Told]:
    """Show a bar with rate and time left on a terminal; yield what is told of games played."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} games"),
        TextColumn("{task.fields[pace]}"),
        TimeRemainingColumn(),
    )
    shown = Console(stderr=True)
    with Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal) as bar:
        task = bar.add_task(title, total=games, pace="")

        def told(games: int, total: int | None = None) -> None:
            pace = bar.tasks[task].finished_speed or bar.tasks[task].speed
            bar.update(task, advance=games, total=total, pace=f"{pace:,.0f}/s" if pace else "")

        yield told


def print_json(data: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(data, indent=1, allow_nan=False))


def write_csv(file: str | None, frame: Callable[[], Any]) -> None:
    """Write a frame as CSV when a file was asked for."""
    from sim.files import write_whole

    if file:
        from reports.spreadsheet import as_csv

        write_whole(Path(file), as_csv(frame()))


def show(*parts: Any) -> None:
    """Print tables and lines."""
    from reports.console import console

    for part in parts:
        console().print(part)


def end_interrupted() -> None:
    """End as interrupted, without waiting for a policy that never returns."""
    complain("interrupted; what was finished is kept", INTERRUPTED)
