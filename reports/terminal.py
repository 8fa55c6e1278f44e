"""What every command shares on a terminal: one-line failures, counts of games, how it ends, what it prints.

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
from click.shell_completion import CompletionItem

from reports.progress import erase, loading, quiet_option
from sim.errors import BadInput, RunFailed, bounded, nearest, printable, shortened, visible

Result = TypeVar("Result")

FAILED, REFUSED, INTERRUPTED, TERMINATED = 1, 2, 130, 143
#: Signals that end a run with what is finished: the exit code, and what is said.
_ENDINGS = {signal.SIGINT: (INTERRUPTED, "interrupted"), signal.SIGTERM: (TERMINATED, "terminated")}
#: A file's name that means standard output.
STDOUT = "-"
#: What may follow an option as its value though it begins with a hyphen: standard output, a negative number.
_NEGATIVE = re.compile(r"-(\.?\d.*)?")


class Commands(click.Group):
    """The commands, with every failure told in one line: exit 1 for a failed run, 2 for what cannot be."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Be the whole program, as its script calls it: Ctrl-C and failures end it at once.

        A policy that never returns still holds a thread, for which an ordinary exit would wait for ever.
        """
        for ending in _ENDINGS:
            signal.signal(ending, _leave)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # an old terminal has no ±
        try:
            return super().__call__(*args, **kwargs)
        except SystemExit as done:
            if done.code in (FAILED, INTERRUPTED, TERMINATED):
                with contextlib.suppress(OSError):
                    sys.stdout.flush()
                os._exit(int(done.code))
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

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, with the option that every command has."""
        cmd.params.append(quiet_option())
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and say what is being imported when that takes long."""
        with loading():
            return super().invoke(ctx)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a command; name the nearest when there is none, and refuse an option without its value."""
        if ctx.resilient_parsing:  # a shell asks what could come next
            return super().resolve_command(ctx, args)
        if args and args[0] in self.commands:
            refuse_options_as_values(self.commands[args[0]], args[1:])
        elif args and not args[0].startswith("-"):
            known = ", ".join(sorted(self.commands))
            raise click.UsageError(
                f"unknown command {args[0]!r}{nearest(args[0], self.commands)}; commands: {known}", ctx
            )
        return super().resolve_command(ctx, args)


def refuse_options_as_values(command: click.Command, words: Sequence[str]) -> None:
    """Raise BadInput for an option whose value would be the next option, as `--out $UNSET --rows` makes it."""
    takes = {
        name
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag and not option.count
        for name in option.opts
    }
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            return
        value = next(waiting, None) if word in takes else None
        if value is not None and value.startswith("-") and not _NEGATIVE.fullmatch(value):
            shown = shortened(value)
            raise BadInput(f"{word}: has no value: {shown} follows; write {word}={shown} if that is the value")


def _check_words(words: Sequence[str]) -> None:
    """Raise BadInput for a word that is no text, such as a file's name in another encoding than UTF-8.

    It could be opened, but not written into a report, a manifest or a table, which would be found out in the end.
    """
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadInput(f"{printable(word)}: is not UTF-8; a name must be text") from None


def _leave(received: int, _frame: Any) -> None:
    """Ctrl-C or SIGTERM outside a run: end at once, whatever a compiler or a policy does; files are written whole."""
    code, said = _ENDINGS[signal.Signals(received)]
    erase()
    click.echo(f"steelyard: {said}", err=True)
    os._exit(code)


def complain(text: str, code: int) -> NoReturn:
    """Say in one line what is wrong and end."""
    erase()
    click.echo(f"steelyard: {bounded(visible(' '.join(text.split())))}", err=True)
    sys.exit(code)


class Filled(click.ParamType[str]):
    """A text that is not empty, as an unset variable of a shell would make it; a shell completes files and folders.

    Which of the two is said by what help shows for it: FILE, or DIR and RUN.
    """

    name = "text"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Let the shell offer its files or its folders."""
        shown = param.metavar or ""
        kind = "file" if "FILE" in shown else "dir" if "DIR" in shown or "RUN" in shown else None
        return [CompletionItem(incomplete, type=kind)] if kind else []

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text."""
        if not str(value).strip():
            self.fail("is empty", param, ctx)
        return str(value)


class CsvFile(Filled):
    """Where a table is written: a file that does not say it is of another kind, or - for standard output."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name."""
        file = super().convert(value, param, ctx)
        if Path(file).suffix.lower() not in ("", ".csv"):
            self.fail(f"{shortened(file)}: name a file that ends in .csv, or - for standard output", param, ctx)
        return file


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


#: What has ended runs of this process; the last one says how the program ends.
_stopped_by: list[signal.Signals] = []


class Stoppable(Protocol):
    """What can be told to end with what is finished."""

    is_stopped: bool

    def stop(self) -> None:
        """End with what is finished."""


@contextlib.contextmanager
def stopping(run: Stoppable) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end a run with what is finished; a second one ends the program at once."""

    def on_signal(received: int, _frame: Any) -> None:
        ending = signal.Signals(received)
        if run.is_stopped:
            os._exit(_ENDINGS[ending][0])
        _stopped_by.append(ending)
        run.stop()

    before = {ending: signal.signal(ending, on_signal) for ending in _ENDINGS}
    try:
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)


def beside(work: Callable[[], Result]) -> Result:
    """Return what work gives, done beside the main thread, which stays free for Ctrl-C: a policy may never return."""
    from concurrent.futures import ThreadPoolExecutor, wait

    working = ThreadPoolExecutor(1).submit(work)
    while not working.done():
        wait([working], timeout=0.1)
    return working.result()


def print_json(data: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(data, indent=1, allow_nan=False))


def check_csv(file: str | None) -> None:
    """Raise BadInput when a table could not be written: before hours of play, not after."""
    from sim.files import check_writable

    if file != STDOUT:
        check_writable("--csv", file)


def write_csv(file: str | None, frame: Callable[[], Any]) -> None:
    """Write a frame as CSV when a file was asked for, or standard output."""
    from sim.files import write_whole

    if file:
        from reports.spreadsheet import as_csv

        table = as_csv(frame())
        click.echo(table, nl=False) if file == STDOUT else write_whole(Path(file), table)


def show(*parts: Any) -> None:
    """Print tables and lines."""
    from reports.console import console

    for part in parts:
        console().print(part)


def end_interrupted() -> None:
    """End as what stopped the run says, without waiting for a policy that never returns."""
    code, said = _ENDINGS[_stopped_by[-1] if _stopped_by else signal.SIGINT]
    complain(f"{said}; what was finished is kept", code)
