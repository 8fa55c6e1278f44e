"""Golden games come out the same line by line, compiled and with JIT off, and no index runs out of bounds.

After a change of the rules or of random_legal: `python -m tests.games.golden --write GAME`.
"""

import json
import os
import subprocess
import sys

import pytest

from sim.jit import is_disabled
from tests.games.bounds import counted
from tests.games.every import every_case, every_game
from tests.games.golden import kept, lines
from tests.games.kit import Kit
from tests.support import ROOT


@every_case("name", lambda kit: kit.golden)
def test_a_golden_game_comes_out_the_same(kit: Kit, name: str) -> None:
    assert lines(kit, name) == kept(kit, name)


@every_case("name", lambda kit: kit.golden)
def test_the_referee_finds_nothing_in_a_golden_game(kit: Kit, name: str) -> None:
    kit.stage.referee_judges([json.loads(line) for line in kept(kit, name)])


def run_module(name: str, *arguments: str, **variables: str) -> str:
    """What a module prints in another Python with these variables in its environment; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        env=os.environ | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@every_game
def test_golden_games_come_out_the_same_with_jit_off(kit: Kit) -> None:
    assert run_module("tests.games.golden", kit.game, NUMBA_DISABLE_JIT="1") == ""


@pytest.mark.slow
@pytest.mark.skipif(is_disabled(), reason="plain Python checks its indices itself")
@every_game
def test_no_index_runs_out_of_bounds_in_a_few_thousand_games(kit: Kit) -> None:
    """numba keeps what it compiles with bounds checks apart, so only the first run compiles."""
    printed = run_module("tests.games.bounds", kit.game, NUMBA_BOUNDSCHECK="1", NUMBA_DISABLE_JIT="0")
    assert printed.splitlines() == counted(kit, threads=0)
