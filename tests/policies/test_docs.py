"""docs/write-a-policy.md: its policies play, and the fields and names that it tells exist."""

from __future__ import annotations

import re

import pytest

from policies.bodies import ATTRIBUTES, BUILTINS
from policies.imports import NUMPY, importable
from policies.source import check_source
from sim.batch import Batch, LineUp
from sim.debrium.planning import SCRATCH
from sim.game import Game, load_game
from sim.rules import games, load
from sim.run import play
from tests.support import ROOT, outside

TEXT = (ROOT / "docs" / "write-a-policy.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
POLICIES = [block for block in BLOCKS if "def " in block]


def game_of(source: str) -> Game:
    (name,) = (name for name in games() if f"sim.{name}." in source)
    return load_game(name)


@pytest.mark.parametrize("source", POLICIES, ids=lambda source: game_of(source).name)
def test_a_policy_of_the_page_plays(source):
    game, policy = game_of(source), outside(source)
    check_source(game, source, "mine.py")
    rules = load(game.name)
    assert play(Batch(game.name, rules, LineUp((policy,) * rules.values["players"], "fixed"), 1), 200).games == 200


def test_there_is_one_for_every_game():
    assert sorted(game_of(source).name for source in POLICIES) == sorted(games())


@pytest.mark.parametrize("name", games())
def test_every_decision_and_every_field_of_an_answer_is_told(name):
    game = load_game(name)
    for decision in game.decisions:
        assert f"| `{decision.name}` |" in TEXT
    for field in game.records["choice"].names:
        assert re.search(rf"`{field}(\[\w+\])?`", TEXT), field


@pytest.mark.parametrize(("name", "column"), [("debrium", 1), ("book_festival", 2)])
def test_every_field_that_the_page_names_exists(name, column):
    records = load_game(name).records
    known = {*records["table"].names, *records["own"].names}
    for field in ("seats", "booths"):
        if field in known:
            known |= set(records["table"][field].base.names)
    table = TEXT[TEXT.index("| | Debrium | Book Festival |") :].split("\n\n")[0]
    for line in table.splitlines()[2:]:
        for told in re.findall(r"`([a-z_.]+)", line.strip("|").split("|")[column]):
            field = told.removeprefix("table.")
            assert field.partition("[")[0] in known, told


def test_the_page_tells_what_a_policy_may_name():
    table = TEXT[TEXT.index("| from | names |") :].split("\n\n")[0]
    rows = dict(line.strip("| ").split(" | ", 1) for line in table.splitlines()[2:])
    assert set(re.findall(r"`(\w+)`", rows["Python"])) == BUILTINS
    assert set(re.findall(r"`(\w+)`", rows["`sim.rng`"])) == importable("debrium")["sim.rng"]
    assert {f"np.{name}" for name in NUMPY} >= set(re.findall(r"`(np\.\w+)`", rows["`numpy`"])) - {"np.empty"}
    assert set(re.findall(r"`(\w+)`", rows["after a dot"])) <= ATTRIBUTES


def test_the_numbers_of_the_page_are_the_codes():
    sizes = [load_game(name).records["own"]["memory"].shape[0] for name in ("debrium", "book_festival")]
    assert f"| `own.memory` | {sizes[0]} numbers | {sizes[1]} numbers |" in TEXT
    assert f"the first {SCRATCH}, are left to the policy" in TEXT
    assert {load_game(name).max_params for name in games()} == {16}
    assert "A policy has 16 parameters at most" in TEXT
