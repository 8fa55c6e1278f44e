"""The installed command finds its own files first, whatever the user's are called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

#: What an installed script does, and `python -m steelyard`.
STARTS = (["-c", "import sys; from steelyard import main; sys.argv[0] = 'steelyard'; main()"], ["-m", "steelyard"])


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A user's folder with files called like every part of ours."""
    for name in ("policies", "sim", "reports"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the user\\'s own')\n")
    (tmp_path / "cli.py").write_text("raise SystemExit('the user\\'s own')\n")
    return tmp_path


@pytest.mark.parametrize("start", STARTS, ids=["script", "module"])
@pytest.mark.parametrize("words", [["--version"], ["rules", "debrium"], ["policies", "debrium"]], ids=" ".join)
def test_the_command_finds_its_own_files_first(mine, start, words):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([".", str(ROOT)])}
    done = subprocess.run(
        [sys.executable, *start, *words], cwd=mine, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "the user's own" not in done.stdout
    assert done.stdout


def test_a_users_policy_lies_where_the_user_says(mine):
    """A path on the command line is one of the current folder, as ever."""
    (mine / "policies" / "own.py").write_text("def bid(rules, table, own, rng, choice):\n    choice.coins = 'x'\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([".", str(ROOT)])}
    words = ["run", "debrium", "--games", "1", "--policies", "policies/own.py"]
    done = subprocess.run(
        [sys.executable, *STARTS[1], *words], cwd=mine, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "policies/own.py" in done.stderr
