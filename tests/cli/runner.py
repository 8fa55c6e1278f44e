"""Running the command: in this process for what it says, in one of its own for how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from cli import main
from tests.support import ROOT

COMMAND = [sys.executable, str(ROOT / "cli.py")]


def steelyard(*arguments: str, env: Mapping[str, str | None] | None = None) -> Result:
    """Run a command in this process; its result has exit_code, stdout and stderr."""
    unset = {name: None for name in os.environ if name.startswith("STEELYARD_") and name != "STEELYARD_CACHE_DIR"}
    return CliRunner().invoke(main, arguments, prog_name="steelyard", env={**unset, **(env or {})})


def answer(*arguments: str, env: Mapping[str, str | None] | None = None) -> str:
    """What a command answers on standard output; it must succeed."""
    result = steelyard(*arguments, env=env)
    assert result.exit_code == 0, result.output
    return result.stdout


def document(*arguments: str, env: Mapping[str, str | None] | None = None) -> Any:
    """What a command answers with --json."""
    return json.loads(answer(*arguments, "--json", env=env))


def without_progress(lines: Sequence[str]) -> list[str]:
    """Lines of standard error without those of progress, of which a busy machine has some."""
    waiting = re.compile(
        r"(playing|comparing|sweeping): [\d,]+ .*games.*|(loading|compiling) .*, \d+ s|writing the page: .*"
    )
    return [line for line in lines if not waiting.fullmatch(line)]


def refusal(*arguments: str, code: int = 2, env: Mapping[str, str | None] | None = None) -> str:
    """The one line with which a command refuses; nothing is on standard output."""
    result = steelyard(*arguments, env=env)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    *notes, line = result.stderr.splitlines()
    assert all(note.startswith(("note: ", "compiling ", "compiled ")) for note in without_progress(notes))
    assert line.startswith("steelyard: ")
    return line.removeprefix("steelyard: ")


def spawned(*arguments: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    env = {**os.environ, **variables}
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, cwd=cwd, env=env, check=False)


def interrupted(
    *arguments: str, warm: Sequence[str], after: float = 2.0
) -> tuple[subprocess.CompletedProcess[str], float]:
    """Run a command and press Ctrl-C `after` seconds once it plays; return it and how long it then took to end.

    `warm` is a command of the same policies that is over soon: it is run twice first, to compile and to see how
    long it takes to begin.
    """
    spawned(*warm)
    started = time.monotonic()
    assert spawned(*warm).returncode == 0
    ready = time.monotonic() - started
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    time.sleep(ready + after)
    assert process.poll() is None
    pressed = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    taken = time.monotonic() - pressed
    return subprocess.CompletedProcess(process.args, process.returncode, out, err), taken


def read_terminal(terminal: int) -> bytes:
    """What is written on a terminal until nobody has its other end open any more; it is then closed."""
    shown = b""
    try:
        while more := os.read(terminal, 65536):
            shown += more
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(terminal)
    return shown
