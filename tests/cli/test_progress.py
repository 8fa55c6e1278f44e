"""What is said while one waits: rates that mean something, lines in a log, nothing twice on a terminal."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from reports.progress import Pace, duration
from tests.cli.runner import COMMAND, read_terminal, spawned
from tests.support import ROOT

RANDOM = ("--policies", "random_legal")


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_is_told_once_it_means_something():
    """The first games of a run come at once, from a disk or a first task, and say nothing of the next million."""
    clock = Clock()
    pace = Pace(1_000_000, clock)
    for seconds in (0.001, 0.5, 2.9):
        clock.now = seconds
        pace.add(1000)
        assert pace.rate() is None
    assert pace.parts() == ["3,000 of 1,000,000 games"]
    clock.now = 4.0
    pace.add(1000)
    assert pace.rate() == 1000
    assert pace.parts() == ["4,000 of 1,000,000 games", "1,000/s", "17 min left"]


def test_games_that_were_on_disk_are_counted_and_not_timed():
    clock = Clock()
    pace = Pace(2_000_000, clock)
    pace.add(1_000_000, played=0)
    clock.now = 10.0
    pace.add(5_000, played=5_000)
    assert pace.parts() == ["1,005,000 of 2,000,000 games", "500/s", "33 min left"]


def test_a_rate_is_of_the_last_half_minute():
    clock = Clock()
    pace = Pace(None, clock)
    for second in range(1, 101):
        clock.now = float(second)
        pace.add(100 if second <= 50 else 900)
    assert pace.rate() == 900
    assert pace.parts() == ["50,000 games", "900/s"]


def test_more_games_than_expected_have_no_time_left():
    clock = Clock()
    pace = Pace(10, clock)
    clock.now = 5.0
    pace.add(50)
    assert pace.parts() == ["50 games", "10/s"]
    pace.add(0, total=100)
    assert pace.parts() == ["50 of 100 games", "10/s", "5 s left"]


def test_times_are_told_in_words():
    known = {0.4: "0 s", 99: "99 s", 100: "2 min", 5000: "83 min", 7800: "2 h 10 min", 360_000: "100 h 0 min"}
    assert {seconds: duration(seconds) for seconds in known} == known


def on_a_terminal(script: str, **variables: str) -> tuple[bytes, bytes]:
    """What a script writes on a terminal that is its standard error, and on standard output."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT), **variables}
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=theirs, env=env)
    os.close(theirs)
    shown = read_terminal(ours)
    out, _ = process.communicate()
    return shown, out


STEPS = textwrap.dedent(
    """
    import time
    from reports import progress
    progress.LOG_SECONDS, progress.LINE_SECONDS = 0.2, 0.1
    with progress.steps("writing the page") as began:
        began(1, 3, "findings")
        time.sleep(0.5)
        progress.tell("note: this")
        began(2, 3, "seats")
        time.sleep(0.5)
    progress.tell("done")
    left = [["debrium engine", "greedy", "mine"], ["debrium engine", "mine"], ["mine"], []]
    with progress.compiling(lambda: left[0] if len(left) == 1 else left.pop(0)):
        time.sleep(1.0)
    """
)


def test_a_terminal_has_one_line_that_is_written_over():
    shown, _ = on_a_terminal(STEPS)
    text = shown.decode()
    assert "\r\x1b[Kwriting the page: findings, 1 of 3, 0 s" in text
    assert "\r\x1b[Knote: this\r\n" in text
    assert "\r\x1b[Kwriting the page: seats, 2 of 3, 1 s" in text
    assert "\r\x1b[Kdone\r\n" in text
    assert "compiling debrium engine and mine, 1 of 3 done, 0 s" in text
    assert "compiling mine, 2 of 3 done, 0 s" in text
    assert text.endswith("\r\x1b[K")
    assert text.count("\n") == 2


@pytest.mark.parametrize("variables", [{}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}])
def test_a_log_has_lines(variables):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    done = subprocess.run([sys.executable, "-c", STEPS], capture_output=True, text=True, env=env, check=True)
    lines = done.stderr.splitlines()
    assert lines.count("writing the page: findings, 1 of 3, 0 s") >= 1
    assert lines.count("note: this") == lines.count("done") == 1
    assert "compiling mine, 2 of 3 done, 0 s" in lines
    assert "\x1b" not in done.stderr
    assert "\r" not in done.stderr


PLAY = textwrap.dedent(
    """
    import sys, time
    from reports import progress
    progress.LOG_SECONDS = 0.2
    with progress.progress("playing", 1000) as told:
        for _ in range(5):
            told(100)
            time.sleep(0.1)
    """
)


@pytest.mark.parametrize("variables", [{}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}, {"TTY_COMPATIBLE": "1"}])
def test_no_bar_is_drawn_into_a_log(variables):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, env=env, check=True)
    lines = done.stderr.splitlines()
    assert 1 <= len(lines) <= 4
    for line in lines:
        assert line.startswith("playing: ")
        assert line.endswith(" of 1,000 games")
    assert "\x1b" not in done.stderr


def test_a_terminal_that_cannot_write_over_a_line_has_none():
    shown, _ = on_a_terminal(PLAY, TERM="dumb")
    assert b"\x1b" not in shown
    assert b"playing: " in shown


def test_no_color_draws_a_bar_without_colours():
    coloured, _ = on_a_terminal(PLAY)
    plain, _ = on_a_terminal(PLAY, NO_COLOR="1")
    assert b"of 1,000 games" in plain
    colours = re.compile(rb"\x1b\[(3|4|9)\d[;m]")
    assert colours.search(coloured)
    assert not colours.search(plain)


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "NO_COLOR"])
def test_colours_change_no_text(variable):
    words = ("policies", "debrium")
    plain, other = spawned(*words), spawned(*words, **{variable: "1"})
    bare = other.stdout.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert bare == plain.stdout
    assert ("\x1b" in other.stdout) == (variable == "FORCE_COLOR")


# SIGTERM.


@pytest.mark.parametrize("kept", [True, False])
def test_sigterm_shows_and_keeps_what_is_finished(kept, tmp_path):
    spawned("run", "debrium", *RANDOM, "--games", "1")  # compiles
    out = ["--out", str(tmp_path / "run")] if kept else []
    process = subprocess.Popen(
        [*COMMAND, "run", "debrium", *RANDOM, "--games", "100M", *out],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for_play(process, tmp_path / "run" if kept else None)
        process.send_signal(signal.SIGTERM)
        text, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 143
    assert err.splitlines()[-1] == "steelyard: terminated; what was finished is kept"
    assert "random_legal" in text
    assert " games · seed 1" in text
    if kept:
        from sim.store import read

        assert f"{read(tmp_path / 'run').totals.games:,} games" in text


def wait_for_play(process: subprocess.Popen[str], folder: Path | None) -> None:
    """Wait until a run has begun to play: its first blocks are kept, or long enough for that."""
    ends = time.monotonic() + (60 if folder else 15)
    while time.monotonic() < ends and not (folder and list(folder.rglob("blocks/*.npy"))):
        assert process.poll() is None
        time.sleep(0.1)


def test_sigterm_outside_a_run_ends_at_once():
    script = "import os, signal\nfrom cli import main\nimport click\n" + textwrap.dedent(
        """
        @main.command("wait")
        def wait():
            os.kill(os.getpid(), signal.SIGTERM)
            click.echo("never")

        main(["wait"])
        """
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "steelyard: terminated\n")
