"""A policy is a file: found by its name, listed with its first sentence and its parameters."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

import policies
from policies import entry, load, load_file, names, param_of, pool, with_params
from sim.batch import LineUp
from sim.design import make_design
from sim.errors import BadInput
from sim.rules import load as load_rules
from tests.support import DEBRIUM

FOLDER = Path(policies.__file__).parent / "debrium"


def test_the_policies_are_the_files_of_the_folder():
    assert set(names(DEBRIUM)) == {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "_template"}
    assert list(names(DEBRIUM)) == sorted(names(DEBRIUM))
    assert "random_legal" in names(DEBRIUM)


def test_an_entry_is_what_the_file_says(tmp_path):
    source = '''"""Bids one coin
whenever it can.

And more of it.
"""

from policies import Param

PARAMS = (Param("a", 1.0, 0.0, 2.0, "what a is"),)


def turn(rules, table, own, rng, choice):
    pass


def bid(rules, table, own, rng, choice):
    pass
'''
    (tmp_path / "mine.py").write_text(source)
    found = entry(DEBRIUM, load_file(DEBRIUM, tmp_path / "mine.py"))
    assert found.name == "mine"
    assert found.summary == "Bids one coin whenever it can."
    assert found.doc.endswith("And more of it.")
    assert found.decisions == ("bid", "turn")
    assert [(p.name, p.default, p.low, p.high, p.meaning) for p in found.params] == [
        ("a", 1.0, 0.0, 2.0, "what a is")
    ]


def test_a_file_without_a_docstring_is_listed_without_a_summary(tmp_path):
    (tmp_path / "mine.py").write_text("def bid(rules, table, own, rng, choice):\n    pass\n")
    assert entry(DEBRIUM, load_file(DEBRIUM, tmp_path / "mine.py")).summary == ""


def test_a_digest_is_that_of_the_text():
    assert load(DEBRIUM, "greedy").digest == load(DEBRIUM, "greedy").digest != load(DEBRIUM, "prospector").digest


# Parameters that a sweep varies.


def labels(players):
    return [player.label for player in players]


def value(policy, name):
    """A policy's value of a parameter."""
    return policy.params[[param.name for param in entry(DEBRIUM, policy).params].index(name)]


def test_a_parameter_has_the_line_ups_value_as_default():
    plain = param_of(DEBRIUM, [pool(DEBRIUM, "mixed", 4)], "never_bids", "patience")
    assert plain == entry(DEBRIUM, load(DEBRIUM, "never_bids")).params[0]
    pools = [pool(DEBRIUM, "never_bids:patience=7,greedy,greedy", 3), pool(DEBRIUM, "never_bids", 3)]
    changed = param_of(DEBRIUM, pools, "never_bids", "patience")
    assert (changed.default, changed.low, changed.high) == (7, plain.low, plain.high)


def test_parameters_are_set_wherever_the_policy_plays():
    players = pool(DEBRIUM, "never_bids,greedy,never_bids", 3)
    found = with_params(DEBRIUM, players, {("never_bids", "patience"): 7.0, ("greedy", "thrift"): 0.5})
    assert [value(found[k], name) for k, name in enumerate(("patience", "thrift", "patience"))] == [7, 0.5, 7]
    assert value(found[0], "thrift") == value(players[0], "thrift")
    assert labels(found) == labels(players)
    drawn = pool(DEBRIUM, "mixed", 4)
    changed = with_params(DEBRIUM, drawn, {("never_bids", "patience"): 7.0})
    assert [one.name for one, other in zip(drawn, changed, strict=True) if one != other] == ["never_bids"]
    assert labels(changed) == labels(drawn)
    assert with_params(DEBRIUM, drawn, {}) == drawn


def test_a_label_keeps_what_the_line_up_sets_but_not_what_is_varied():
    players = pool(DEBRIUM, "never_bids:patience=7:thrift=0.5,never_bids:patience=7,greedy", 3)
    assert labels(players)[0] == "never_bids:patience=7:thrift=0.5"
    for patience in (5.0, 7.0, param_of(DEBRIUM, [pool(DEBRIUM, "mixed", 3)], "never_bids", "patience").default):
        found = with_params(DEBRIUM, players, {("never_bids", "patience"): patience})
        assert labels(found) == ["never_bids:thrift=0.5", "never_bids", "greedy"]
        assert [value(player, "patience") for player in found[:2]] == [patience, patience]


def test_all_cells_of_a_design_call_a_policy_the_same():
    line_up = "never_bids:patience=7,greedy,never_bids:patience=7:thrift=0.5,random_legal"
    players = pool(DEBRIUM, line_up, 4)
    of = make_design(
        load_rules("debrium"), [line_up], ["never_bids.patience+=-1,0,1", "greedy.thrift=0.5,0.6"], "grid", 1,
        functools.partial(param_of, DEBRIUM, [players]),
    )  # fmt: skip
    assert of.cells[of.base].params[("never_bids", "patience")] == 7
    played = [with_params(DEBRIUM, players, cell.params) for cell in of.cells]
    assert {LineUp(found, "shuffled").labels for found in played} == {
        ("never_bids", "greedy", "never_bids:thrift=0.5", "random_legal")
    }
    assert [found.params for found in played[of.base]] == [player.params for player in players]
    assert len(set(played)) == len(of.cells) == 7


@pytest.mark.parametrize(
    ("line_up", "policy", "name", "said"),
    [
        ("greedy", "gredy", "thrift", "no policy 'gredy' in the line-up (did you mean 'greedy'?); in it: greedy"),
        ("greedy,prospector,greedy", "never_bids", "patience", "no policy 'never_bids' in the line-up; in it: gree"),
        ("mixed", "random_legal", "thrift", "no policy 'random_legal' in the line-up"),
        ("greedy", "greedy", "thirft", "policy greedy: unknown parameter 'thirft' (did you mean 'thrift'?); param"),
        ("random_legal", "random_legal", "thrift", "policy random_legal: unknown parameter 'thrift'; parameters: it"),
        (
            "greedy,greedy:thrift=0.5,prospector", "greedy", "thrift",
            "policy 'greedy' plays with different values of thrift at once (greedy, greedy:thrift=0.5)",
        ),
    ],
)  # fmt: skip
def test_a_parameter_that_the_line_up_lacks_is_refused(line_up, policy, name, said):
    with pytest.raises(BadInput) as caught:
        param_of(DEBRIUM, [pool(DEBRIUM, line_up, 3)], policy, name)
    assert str(caught.value).startswith(said)


def test_a_parameter_is_one_of_every_line_up():
    pools = [pool(DEBRIUM, "greedy", 3), pool(DEBRIUM, "prospector", 3)]
    with pytest.raises(BadInput, match=r"^no policy 'greedy' in the line-up; in it: prospector$"):
        param_of(DEBRIUM, pools, "greedy", "thrift")


def test_a_parameter_is_set_within_its_bounds_and_only_where_there_is_one():
    players = pool(DEBRIUM, "greedy", 3)
    for params, said in (
        ({("greedy", "thrift"): 1e6}, "policy greedy:thrift: 1e+06 is not a number from 0"),
        ({("greedy", "thrift"): float("nan")}, "policy greedy:thrift: nan is not a number from 0"),
        ({("greedy", "luck"): 1.0}, "policy greedy: unknown parameter 'luck'"),
        ({("prospector", "thrift"): 1.0}, "no policy 'prospector' in the line-up"),
    ):
        with pytest.raises(BadInput) as caught:
            with_params(DEBRIUM, players, params)
        assert str(caught.value).startswith(said)


def test_different_policies_of_one_name_are_refused(tmp_path):
    """Their results would be counted together."""
    mine = tmp_path / "greedy.py"
    mine.write_text((FOLDER / "greedy.py").read_text() + "\n# mine\n")
    with pytest.raises(BadInput, match=r"greedy\.py and greedy differ and are both called 'greedy'"):
        pool(DEBRIUM, f"{mine},greedy,greedy,greedy", 4)
    assert len({policy.digest for policy in pool(DEBRIUM, f"{mine},{mine},high_bidder,never_bids", 4)}) == 3


def test_a_spec_gives_the_same_policy_again():
    """With every value in full, even where the label is silent."""
    name, param = "prospector", entry(DEBRIUM, load(DEBRIUM, "prospector")).params[0]
    value = param.low + (param.high - param.low) / 3
    (policy,) = set(with_params(DEBRIUM, pool(DEBRIUM, name, 4), {(name, param.name): value}))
    assert policy.label == name
    again = load(DEBRIUM, policy.spec)
    assert again.params == policy.params
    assert again.spec == policy.spec
