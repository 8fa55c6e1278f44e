"""A command whose process is killed, again and again, ends with the files of one that never was, byte for byte."""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from sim.store import read
from tests.cli.runner import COMMAND, spawned
from tests.interruptions import files

#: Commands that keep what they play in --out. Each plays for a second or so.
RANDOM = ("debrium", "--policies", "random_legal")
COMMANDS = {
    "run": ["run", *RANDOM, "--games", "200500"],
    "sweep": ["sweep", *RANDOM, "--vary", "mining_king_bonus=0,30", "--games", "64500"],
    "run with rows": ["run", *RANDOM, "--games", "100500", "--rows"],
}
KILLS = 4
SOON = 60.0


def groups_in(folder: Path) -> int:
    """How many groups of blocks are on disk, of all run directories in the folder."""
    return len(list(folder.rglob("blocks/*.npy")))


def killed(words: Sequence[str], folder: Path, groups: int, after: float) -> bool:
    """Run a command and kill it `after` seconds when so many groups are on disk; tell whether it was still at it."""
    process = subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ)
    )
    try:
        ends = time.monotonic() + SOON
        while process.poll() is None and (not folder.exists() or groups_in(folder) < groups):
            assert time.monotonic() < ends, "nothing was kept"
            time.sleep(0.002)
        time.sleep(after)
        return process.poll() is None
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("what", COMMANDS)
def test_a_killed_command_goes_on_to_the_same_files(tmp_path, what):
    """SIGKILL leaves no time to put anything in order: whatever is on disk at that moment must do."""
    words, chance = COMMANDS[what], random.Random(what)
    whole, folder = tmp_path / "whole", tmp_path / "killed"
    done = spawned(*words, "--out", str(whole))
    assert done.returncode == 0, done.stderr
    kills = 0
    for number in range(KILLS):
        groups = groups_in(folder) + chance.randrange(3) if number else 0
        kills += killed([*words, "--out", str(folder)], folder, groups, chance.uniform(0, 0.05))
        for run in {path.parent.parent for path in folder.rglob("blocks/*.npy")}:
            assert 0 < read(run).totals.games <= read(whole / run.relative_to(folder)).totals.games
    assert kills > 1, "a machine this fast needs more games"
    done = spawned(*words, "--out", str(folder))
    assert done.returncode == 0, done.stderr
    assert files(folder) == files(whole)


def test_a_killed_extension_goes_on_to_the_files_of_a_sweep_played_at_once(tmp_path):
    """Killed while it plays the new cells of a sweep that was whole."""
    narrow = ["sweep", *RANDOM, "--vary", "mining_king_bonus=0", "--games", "64500"]
    wide = ["sweep", *RANDOM, "--vary", "mining_king_bonus=0:30:10", "--games", "64500"]
    whole, folder, chance = tmp_path / "whole", tmp_path / "grown", random.Random(1)
    for words, out in ((wide, whole), (narrow, folder)):
        done = spawned(*words, "--out", str(out))
        assert done.returncode == 0, done.stderr
    kills = 0
    for _ in range(KILLS):
        kills += killed([*wide, "--out", str(folder)], folder, groups_in(folder) + 1, chance.uniform(0, 0.05))
    assert kills > 1, "a machine this fast needs more games"
    done = spawned(*wide, "--out", str(folder))
    assert done.returncode == 0, done.stderr
    assert files(folder) == files(whole)
