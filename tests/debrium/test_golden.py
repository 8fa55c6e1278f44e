"""Golden games come out the same line by line, compiled and with JIT off, and no index runs out of bounds.

After a change of the rules or of random_legal: `python -m tests.debrium.golden_games --write`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.blocks import Totals
from sim.jit import is_disabled
from sim.run import play
from tests.debrium.golden_games import GAMES, kept, lines
from tests.debrium.script import random_batch, referee_judges

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_comes_out_the_same(name: str) -> None:
    assert lines(name) == kept(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_referee_finds_nothing_in_a_golden_game(name: str) -> None:
    referee_judges([json.loads(line) for line in kept(name)])


def run_python(*arguments: str, **variables: str) -> str:
    """What another Python prints, with these variables in its environment; it must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_golden_games_come_out_the_same_with_jit_off() -> None:
    assert run_python("-m", "tests.debrium.golden_games", NUMBA_DISABLE_JIT="1") == ""


def sums_text(totals: Totals) -> str:
    """All sums of a run as text."""
    return json.dumps(totals.sums.tolist())


STRAYING = """
def bid(rules, table, own, rng, choice):
    choice.coins = table.stack[int(own.param[0])]
"""

CHECKED = f"""
from sim.run import play
from sim.policy import Policy
from tests.debrium.script import fault_of, random_batch
from tests.debrium.test_golden import CHECKED_GAMES, GAMES, sums_text

# Bounds are checked in this process: even a trusted policy that strays is told.
assert "IndexError" in str(fault_of([], Policy("straying", "straying", "straying.py", {STRAYING!r}, (36.0,))))
for name in ("expansion_4", "odd"):
    print(sums_text(play(random_batch(*GAMES[name]), CHECKED_GAMES, threads=1)))
"""
CHECKED_GAMES = 3000


@pytest.mark.slow
@pytest.mark.skipif(is_disabled(), reason="plain Python checks its indices itself")
def test_no_index_runs_out_of_bounds_in_a_few_thousand_games() -> None:
    """numba keeps what it compiles with bounds checks apart, so only the first run compiles."""
    printed = run_python("-c", CHECKED, NUMBA_BOUNDSCHECK="1", NUMBA_DISABLE_JIT="0").splitlines()
    assert printed == [sums_text(play(random_batch(*GAMES[name]), CHECKED_GAMES)) for name in ("expansion_4", "odd")]
