"""How commands end: 0, and 130 on Ctrl-C with everything finished kept; nothing but the answer on standard output."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sim.groups import groups
from sim.schedule import schedule
from sim.store import read
from tests.cli.runner import COMMAND, document, interrupted, read_terminal, spawned, without_progress
from tests.support import assert_same, batch, parts_of, totals_of

RANDOM = ("--policies", "random_legal")


def test_a_run_that_is_done_ends_with_0_and_says_nothing_beside_its_answer():
    """No progress bar where standard error is no terminal."""
    spawned("run", "debrium", *RANDOM, "--games", "1")  # compiles
    done = spawned("run", "debrium", *RANDOM, "--games", "200k", "--json")
    assert done.returncode == 0
    assert without_progress(done.stderr.splitlines()) == []
    assert json.loads(done.stdout)["games"] == 200_000


def test_progress_is_shown_on_a_terminal_and_the_answer_stays_clean():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "run", "debrium", *RANDOM, "--games", "400k", "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = read_terminal(ours)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert b"playing" in shown
    assert b"games" in shown
    assert json.loads(out)["games"] == 400_000


@pytest.mark.parametrize("command", [["rules", "debrium"], ["run", "debrium", *RANDOM, "--games", "1k"]])
def test_a_reader_that_leaves_is_no_error(command):
    """As `| head -1` does."""
    process = subprocess.Popen([*COMMAND, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate()
    assert err == b""
    assert process.returncode == 0


def test_head_gets_its_line():
    script = f"{' '.join(map(repr, COMMAND))} trace debrium --json | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["event"] == "game"
    assert done.stderr == ""


# Ctrl-C.


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], float, Path]:
    """A run of a hundred million games, interrupted."""
    folder = tmp_path_factory.mktemp("stopped") / "run"
    words = ["run", "debrium", *RANDOM, "--seed", "4", "--json", "--games"]
    done, taken = interrupted(*words, "100M", "--out", str(folder), warm=[*words, "1"])
    return done, taken, folder


def test_ctrl_c_ends_with_130_soon(stopped):
    done, taken, _ = stopped
    assert done.returncode == 130
    assert without_progress(done.stderr.splitlines()) == ["steelyard: interrupted; what was finished is kept"]
    assert taken < 5


def test_ctrl_c_answers_with_what_is_finished(stopped):
    done, _, _ = stopped
    found = json.loads(done.stdout)
    assert 0 < found["games"] < 100_000_000
    assert found["games"] % 1000 == 0


def test_ctrl_c_keeps_what_is_finished(stopped):
    """The folder reads as a run of the games that were answered, and its blocks add up to it."""
    done, _, folder = stopped
    kept = read(folder)
    assert kept.totals.games == json.loads(done.stdout)["games"]
    assert (kept.seed, kept.labels) == (4, ("random_legal",))
    parts = list(groups(folder, kept.totals.layout, schedule(0)))
    assert sum(part.games for part in parts) == kept.totals.games
    assert_same(totals_of(batch(seed=4), parts), kept.totals)
    (first,) = parts_of(batch(seed=4), (0, 1))
    np.testing.assert_array_equal(parts[0].sums[:100].sum(axis=0), first.sums[0])


def test_a_report_reads_what_is_kept(stopped, tmp_path):
    _, _, folder = stopped
    done = spawned("report", str(folder), "--out", str(tmp_path / "page"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page" / "index.html").stat().st_size > 10_000


def test_ctrl_c_ends_a_comparison_with_130():
    words = ["compare", "debrium", *RANDOM, "--set", "mining_king_bonus=0", "--json", "--games"]
    done, taken = interrupted(*words, "100M", warm=[*words, "1"], after=4)
    assert done.returncode == 130
    assert taken < 5
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    assert found["games"] == schedule(0).first_game(found["blocks"]) > 0


# A run that is kept.


def test_a_kept_run_reads_as_it_was_answered(tmp_path):
    folder = tmp_path / "run"
    found = document("run", "debrium", "--games", "2500", "--seed", "9", "--out", str(folder))
    kept = read(folder)
    assert kept.totals.games == found["games"] == 2500
    assert [row["policy"] for row in found["policies"]] == list(kept.labels)
    again = document("run", "debrium", "--games", "2500", "--seed", "9", "--out", str(tmp_path / "again"))
    assert again["metrics"] == found["metrics"]
    assert_same(read(tmp_path / "again").totals, kept.totals)
    for name in ("totals.json", "manifest.json"):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_trace_of_a_policy_that_never_returns_ends_with_ctrl_c(tmp_path):
    stuck = tmp_path / "stuck.py"
    stuck.write_text("def bid(rules, table, own, rng, choice):\n    while True:\n        choice.coins = 0\n")
    warm = ("trace", "debrium", "--policies", "random_legal")
    done, taken = interrupted("trace", "debrium", "--policies", str(stuck), warm=warm, after=8.0)
    assert done.returncode == 130
    assert taken < 5


def test_an_output_that_knows_no_plus_minus_gets_something_else():
    done = spawned("run", "debrium", "--policies", "random_legal", "--games", "20", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "?" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs a full device")
def test_a_file_that_cannot_be_written_costs_no_answer():
    done = spawned("run", "debrium", "--policies", "random_legal", "--games", "20", "--csv", "/dev/full")
    assert done.returncode == 1
    assert "A game in numbers" in done.stdout
    assert done.stderr.splitlines()[-1] == "steelyard: /dev/full: cannot write: No space left on device"
    assert Path("/dev/full").is_char_device()


def test_a_reader_who_leaves_costs_no_file(tmp_path):
    words = ["sweep", "debrium", "--policies", "random_legal", "--games", "20", "--vary", "starting_coins=8,10"]
    files = ["--plot", str(tmp_path / "coins.svg"), "--csv", str(tmp_path / "coins.csv")]
    script = f"{' '.join(map(repr, [*COMMAND, *words, *files]))} | head -1"
    subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    assert (tmp_path / "coins.svg").stat().st_size > 1000
    assert (tmp_path / "coins.csv").stat().st_size > 1000
