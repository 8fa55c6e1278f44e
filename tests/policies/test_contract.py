"""The contract that every policy passes, and that it finds out what breaks it."""

from __future__ import annotations

import time

import pytest

from policies import entry, load, names
from policies.contract import _random_variants, check
from policies.template import write
from sim.errors import BadInput, RunFailed
from sim.game import load_game
from sim.policy import Policy, compile_policy
from sim.rules import games
from sim.run import play
from tests.support import DEBRIUM, batch, outside

#: More than any policy takes, compiling included.
SECONDS = 300


SEED = 20


def passes(policy: Policy, random_variants: int = 2, seconds: float = SECONDS) -> list[str]:
    return list(check(DEBRIUM, policy, seconds, SEED, random_variants))


ALL = [(load_game(game), name) for game in games() for name in names(load_game(game))]


@pytest.mark.parametrize(("game", "name"), ALL, ids=lambda part: getattr(part, "name", part))
def test_every_policy_of_the_package_passes(game, name):
    lines = list(check(game, load(game, name), SECONDS, SEED, random_variants=2))
    assert len(lines) == 4
    assert lines[0].startswith(f"{name}: compiles")
    variants = len(game.report) + len(game.odd) + 2
    assert lines[1].startswith(f"legal in {2000 * variants:,} games of {variants} variants")


@pytest.mark.parametrize("game", games())
def test_the_random_variants_draw_every_switch(game):
    """Words as well as numbers and what is on or off: each value of a switch is in some variant."""
    variants = list(_random_variants(load_game(game), 60, 1))
    for key, parameter in variants[0].parameters.items():
        values = {"bool": {True, False}, "word": {*parameter.options}}.get(parameter.kind, set())
        assert values <= {rules.values[key] for rules in variants}, key


@pytest.mark.parametrize(("game", "name"), ALL, ids=lambda part: getattr(part, "name", part))
def test_every_policy_of_the_package_says_what_it_is(game, name):
    """Its docstring's first sentence is its line in lists; every parameter has bounds, a default and a meaning."""
    found = entry(game, load(game, name))
    assert found.summary.endswith((".", ")"))
    assert found.decisions
    assert len({param.name for param in found.params}) == len(found.params)
    for param in found.params:
        assert param.name.isidentifier()
        assert param.low <= param.default <= param.high
        assert param.low < param.high
        assert len(param.meaning) > 5


@pytest.mark.parametrize("name", names(DEBRIUM))
@pytest.mark.parametrize("end", ["low", "high"])
def test_every_policy_is_legal_at_the_ends_of_its_parameters(name, end):
    """A tuner walks to the bounds, so what the command line accepts must play."""
    params = entry(DEBRIUM, load(DEBRIUM, name)).params
    spec = ":".join([name, *(f"{param.name}={getattr(param, end)}" for param in params)])
    for settings in (["players=3"], ["expansion=true", "starting_skill_coins=3"]):
        assert play(batch([spec], sets=settings), 500).games == 500


def test_the_template_passes(tmp_path):
    write(DEBRIUM, tmp_path / "mine.py")
    policy = load(DEBRIUM, str(tmp_path / "mine.py"))
    assert not policy.is_trusted
    assert len(passes(policy)) == 4


def test_a_template_overwrites_nothing_and_is_named_like_a_module(tmp_path):
    write(DEBRIUM, tmp_path / "mine.py")
    for name in ("mine.py", "mine.txt", "my-own.py", "1st.py", ".py"):
        with pytest.raises(BadInput, match="--new"):
            write(DEBRIUM, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def broken(source: str, seconds: float = SECONDS) -> str:
    """The line with which the contract refuses a policy."""
    with pytest.raises(RunFailed) as caught:
        passes(outside(source), seconds=seconds)
    assert "'mine'" in str(caught.value)
    return str(caught.value)


BEYOND_THE_LAST_ROW = """
def turn(rules, table, own, rng, choice):
    if table.stack[14] > 0 and table.holder[14] < 0 and table.level[14] <= rules.free_workers:
        choice.action = 1
        choice.placements = 1
        choice.spaces[0] = 14
    elif rules.spaces < 14:
        choice.action = 1
        choice.placements = 1
        choice.spaces[0] = 14
"""

WRITES = """
def bid(rules, table, own, rng, choice):
    if table.round_number == 4:
        own.coins += 1
"""

FORGETS_THE_SEED = """
import numpy as np


def bid(rules, table, own, rng, choice):
    choice.coins = np.random.randint(0, own.coins + 1)
"""

#: Reads beyond the ends of `own`: bids the first chip of the debris pile, which nobody sees.
PEEKS = """
from numpy.lib.stride_tricks import as_strided

from sim.debrium.state import OWN, STATE

HIDDEN, HIDDEN_AT = STATE.fields["hidden"]
VALUES_AT = STATE.fields["owns"][1] + OWN.fields["chip_values"][1]
PILE = (HIDDEN_AT + HIDDEN.fields["pile"][1] - VALUES_AT) // 8
OWN_WORDS = OWN.itemsize // 8


def bid(rules, table, own, rng, choice):
    beyond = as_strided(own.chip_values, (PILE + 1,), (8,))
    choice.coins = min(own.coins, beyond[PILE - OWN_WORDS * own.seat] % 2)
"""

#: The same for the points of the seat after its own.
PEEKS_AT_A_SEAT = """
from numpy.lib.stride_tricks import as_strided

from sim.debrium.state import OWN

POINTS = (OWN.itemsize + OWN.fields["chip_points"][1] - OWN.fields["chip_values"][1]) // 8


def bid(rules, table, own, rng, choice):
    if own.seat == 0:
        choice.coins = min(own.coins, as_strided(own.chip_values, (POINTS + 1,), (8,))[POINTS])
"""

NO_SUCH_FIELD = """
def bid(rules, table, own, rng, choice):
    choice.coins = own.coin
"""

SLOW = """
def bid(rules, table, own, rng, choice):
    for k in range(4_000):
        own.memory[0] += k
"""


def test_a_policy_that_is_illegal_on_an_odd_board_is_found():
    said = broken(BEYOND_THE_LAST_ROW)
    assert "decision 'turn'" in said
    assert "not on the board" in said


def test_a_policy_that_writes_what_it_may_only_read_is_found():
    said = broken(WRITES)
    assert "round 4" in said
    assert "changes a record that it may only read" in said


def test_a_policy_with_chance_of_its_own_is_found():
    assert "the same seed gave other games" in broken(FORGETS_THE_SEED)


@pytest.mark.parametrize("source", [PEEKS, PEEKS_AT_A_SEAT])
def test_a_policy_that_sees_what_its_seat_may_not_is_found(source):
    assert "its 'bid' depends on what its seat may not see" in broken(source)


def test_a_policy_that_does_not_compile_is_found():
    with pytest.raises(BadInput, match=r"^mine\.py: cannot compile `bid`"):
        passes(outside(NO_SUCH_FIELD))


def test_a_policy_that_takes_too_long_is_told_so():
    compile_policy(DEBRIUM, outside(SLOW))
    started = time.monotonic()
    assert "the check ran out of time; allow more with --seconds" in broken(SLOW, seconds=1)
    assert time.monotonic() - started < 10
