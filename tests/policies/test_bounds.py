"""A policy from outside reads and writes nothing beyond what it was handed, not through helpers either."""

from __future__ import annotations

import types

import pytest

from policies.imports import importable, value_of
from sim.batch import Batch, LineUp
from sim.bounds import is_jitted, with_bounds
from sim.game import load_game
from sim.jit import is_disabled
from sim.policy import compile_policy, import_source
from sim.rules import games, load
from sim.run import play
from sim.task import PolicyFault
from tests.support import outside

TOP = "from sim.debrium.view import draw_chance, mine_at\nfrom sim.rng import shuffle\n"
ASTRAY = {
    "reads through a helper": "choice.coins = draw_chance(rules, own.chip_values, 1, 400) > 0.5",
    "writes through a helper": "choice.placements = 4000\n    mine_at(choice, 3)",
    "shuffles more than there is": "shuffle(rng, own.memory, 5000)",
    "reads through a helper of a helper": "own.memory[0] = loss_chance(rules, table, 10**6)",
}


@pytest.mark.parametrize("what", ASTRAY)
def test_an_index_astray_in_a_helper_is_an_error_with_a_name(what):
    """Unchecked they told what nobody sees, and wrote into the engine's records."""
    top = TOP.replace("mine_at", "loss_chance, mine_at")
    policy = outside(f"{top}\n\ndef bid(rules, table, own, rng, choice):\n    {ASTRAY[what]}\n")
    of = Batch("debrium", load("debrium"), LineUp((policy,) * 4, "fixed"), 1)
    with pytest.raises(
        PolicyFault, match=r"^policy 'mine' \(game 0, round 1, seat \d, decision 'bid', seed 1\): Index"
    ):
        play(of, 10, 1)


def unchecked(function: object) -> set[str]:
    """The jitted functions that one calls, itself included, and that have no bounds checks."""
    if not hasattr(function, "py_func"):
        return set()
    plain = function.py_func
    names = [*plain.__code__.co_names]
    for part in plain.__code__.co_consts:
        names += part.co_names if isinstance(part, types.CodeType) else ()
    found = set().union(*(unchecked(plain.__globals__.get(name)) for name in names))
    return found | ({plain.__qualname__} if not function.targetoptions.get("boundscheck") else set())


@pytest.mark.skipif(is_disabled(), reason="plain Python checks its indices itself")
@pytest.mark.parametrize("name", games())
def test_all_that_a_policy_from_outside_can_call_is_checked(name):
    game = load_game(name)
    modules = [module for module in importable(name) if module.startswith("sim.")]
    imports = "\n".join(f"from {module} import {', '.join(sorted(importable(name)[module]))}" for module in modules)
    policy = outside(
        f"{imports}\n\n\ndef {game.decisions[0].name}(rules, table, own, rng, choice):\n    pass\n", "all"
    )
    compile_policy(game, policy)
    module = import_source(policy)
    helpers = [value for value in vars(module).values() if hasattr(value, "py_func")]
    assert len(helpers) > 15
    assert set().union(*map(unchecked, helpers)) == set()
    assert not any(map(is_jitted, helpers))


@pytest.mark.skipif(is_disabled(), reason="plain Python checks its indices itself")
def test_helpers_of_the_package_stay_as_fast_as_they_were():
    helper = value_of("sim.debrium.view.loss_chance")
    assert is_jitted(helper)
    assert with_bounds(helper) is with_bounds(helper)
    assert is_jitted(value_of("sim.debrium.view.loss_chance"))
