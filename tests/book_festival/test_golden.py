"""Golden games come out the same line by line, compiled and with JIT off, and no index runs out of bounds.

After a change of the rules or of random_legal: `python -m tests.book_festival.golden_games --write`.
"""

import json

import pytest

from sim.jit import is_disabled
from sim.run import play
from tests.book_festival.golden_games import GAMES, kept, lines
from tests.book_festival.script import random_batch, referee_judges
from tests.debrium.test_golden import run_python, sums_text


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_comes_out_the_same(name: str) -> None:
    assert lines(name) == kept(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_referee_finds_nothing_in_a_golden_game(name: str) -> None:
    referee_judges([json.loads(line) for line in kept(name)])


def test_golden_games_come_out_the_same_with_jit_off() -> None:
    assert run_python("-m", "tests.book_festival.golden_games", NUMBA_DISABLE_JIT="1") == ""


STRAYING = """
def act(rules, table, own, rng, choice):
    choice.slot = table.roll[int(own.param[0])]
"""

CHECKED_VARIANTS = ("base_6", "extension_4", "odd")
CHECKED_GAMES = 2000
CHECKED = f"""
from sim.run import play
from sim.policy import Policy
from tests.book_festival.script import fault_of, random_batch
from tests.book_festival.test_golden import CHECKED_GAMES, CHECKED_VARIANTS, GAMES, sums_text

# Bounds are checked in this process: even a trusted policy that strays is told.
assert "IndexError" in str(fault_of([], Policy("straying", "straying", "straying.py", {STRAYING!r}, (6.0,))))
for name in CHECKED_VARIANTS:
    print(sums_text(play(random_batch(*GAMES[name]), CHECKED_GAMES, threads=1)))
"""


@pytest.mark.slow
@pytest.mark.skipif(is_disabled(), reason="plain Python checks its indices itself")
def test_no_index_runs_out_of_bounds_in_a_few_thousand_games() -> None:
    """numba keeps what it compiles with bounds checks apart, so only the first run compiles."""
    printed = run_python("-c", CHECKED, NUMBA_BOUNDSCHECK="1", NUMBA_DISABLE_JIT="0").splitlines()
    assert printed == [sums_text(play(random_batch(*GAMES[name]), CHECKED_GAMES)) for name in CHECKED_VARIANTS]
