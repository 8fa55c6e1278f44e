"""The same text gives the same bytes, whatever was compiled before and whatever the environment holds."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support import ROOT

MUCH = """
import math

import numpy as np

from policies import Param
from sim.debrium.state import LEVELS, MAX_SPACES
from sim.debrium.view import loss_chance
from sim.rng import below

PARAMS = (Param("a", 0.25, 0.0, 1.0, "a share"),)
WEIGHTS = np.array([math.pi, 1 / 3, 2.0**0.5, LEVELS], dtype=np.float64)
NAMED = (("x", 3), ("y", MAX_SPACES))


def bid(rules, table, own, rng, choice):
    worth = 0.0
    for k in range(len(WEIGHTS)):
        worth += WEIGHTS[k] * _weigh(rules, table, k)
    own.memory[0] = worth
    choice.coins = below(rng, 1000) + NAMED[1][1]


def _weigh(rules, table, space):
    return loss_chance(rules, table, space) * own_share(space)
""".replace("own_share(space)", "(space + WEIGHTS[0])")

ASK = """
import sys
import numpy as np
from policies.contract import _answer
from policies.catalogue import load_file
from pathlib import Path
from sim.game import load_game
from sim.policy import compile_policy
from sim.rules import load

game = load_game("debrium")
policy = load_file(game, Path(sys.argv[1]))
functions = compile_policy(game, policy)
state = np.zeros(1, game.records["state"]).view(np.recarray)
state.table.shown[0] = 1
print(policy.params, _answer(game, game.rules_record(load("debrium").values), state, functions[0], 2).hex())
"""


def test_the_same_text_gives_the_same_bytes_with_a_fresh_and_an_old_cache(tmp_path):
    (tmp_path / "mine.py").write_text(MUCH)

    def asked(cache: str, **variables: str) -> str:
        env = {**os.environ, "STEELYARD_CACHE_DIR": str(tmp_path / cache), **variables}
        done = subprocess.run(
            [sys.executable, "-c", ASK, str(tmp_path / "mine.py")],
            cwd=ROOT, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    fresh = asked("one")
    assert len(fresh) > 500
    assert asked("one", AGGR="9", TZ="Asia/Tokyo", PYTHONHASHSEED="7") == fresh
    assert asked("two", AGGR="3", PYTHONHASHSEED="8", LC_ALL="C") == fresh
    assert asked("three", NUMBA_DISABLE_JIT="1") == fresh
