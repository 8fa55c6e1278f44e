"""What `--vary` texts mean, and how wrong ones are refused."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.design import Design
from sim.errors import BadInput
from sim.rules import load
from sim.vary import read_axes
from tests.cells import BASE, column, complaint, design, param_of

# Values of one key.


def test_listed_values_are_cells_in_their_order():
    of = design("mining_king_bonus=5,25,10")
    assert of.keys == ("mining_king_bonus",)
    assert column(of, "mining_king_bonus") == [5, 25, 10]
    assert [cell.rules.values["mining_king_bonus"] for cell in of.cells] == [15, 5, 25, 10]
    assert [cell.rules.name for cell in of.cells[1:]] == [f"mining_king_bonus={bonus}" for bonus in (5, 25, 10)]
    assert all(cell.params == {} and cell.line_up == "mixed" for cell in of.cells)


def test_a_cell_has_the_rules_that_set_would_give():
    for cell in design("players=3", "tie=order", "hire_cost=2,4,6|0,1,2").cells[1:]:
        costs = ",".join(map(str, cell.settings["hire_cost"]))
        assert cell.rules == load("debrium", sets=["players=3", "tie=order", f"hire_cost={costs}"])


def test_switches_are_varied_by_their_words():
    of = design("tie=order,shared", "expansion=true, false")
    assert [dict(cell.settings) for cell in of.cells] == [
        {"tie": tie, "expansion": expansion} for tie in ("order", "shared") for expansion in (True, False)
    ]


def test_bars_separate_single_values_too():
    assert column(design("mining_king_bonus=5|10"), "mining_king_bonus") == [5, 10]
    assert column(design("mining_king_bonus+=-5|5"), "mining_king_bonus") == [10, 20]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("0:10:5", [0, 5, 10]),
        ("0:11:5", [0, 5, 10]),
        ("-2 : 2 : 2", [-2, 0, 2]),
        ("7:7:3", [7]),
        ("7:9:100", [7]),
    ],
)
def test_a_range_includes_its_high_end_when_the_step_meets_it(said, values):
    assert column(design(f"mining_king_bonus={said}"), "mining_king_bonus") == values


def test_real_ranges_have_no_dust():
    assert column(design("miner.greed=0:1:0.1"), "miner.greed") == [0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1]
    assert column(design("miner.reach=-.3:0.3:1e-1"), "miner.reach") == [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]
    assert column(design("miner.greed+=-0.4,.2"), "miner.greed") == [0.1, 0.7]
    assert column(design("miner.reach+=0.1:0.3:0.1"), "miner.reach") == [3.1, 3.2, 3.3]


def test_whole_values_of_a_list_stand_between_bars():
    of = design("debt_penalty=0,1,2|0,2,4,8|[7]|3")
    assert column(of, "debt_penalty") == [[0, 1, 2], [0, 2, 4, 8], [7], [3]]
    assert of.cells[1].rules.values["debt_penalty"] == (0, 1, 2)
    words = design("companies=red,blue,green,yellow|random", base=load("debrium", sets=["expansion=true"]))
    assert words.base == 1
    assert words.cells[0].settings == {"companies": ["red", "blue", "green", "yellow"]}


def test_a_shift_moves_every_entry_of_a_list():
    of = design("debt_penalty+=-1:1:1")
    assert [cell.settings["debt_penalty"] for cell in of.cells] == [
        [0, 2, 5, 11, 14], [1, 3, 6, 12, 15], [2, 4, 7, 13, 16],
    ]  # fmt: skip
    assert of.base == 1
    assert column(design("debt_penalty += 5"), "debt_penalty") == [[6, 8, 11, 17, 20]]


def test_a_shift_of_a_number_counts_from_the_base():
    base = load("debrium", sets=["mining_king_bonus=20"])
    of = design("mining_king_bonus+=-5,0,5", base=base)
    assert [cell.settings["mining_king_bonus"] for cell in of.cells] == [15, 20, 25]
    assert of.base == 1


def test_a_list_is_shifted_after_it_is_fitted_to_the_other_values():
    """The values of a level have the length that the cell's number of chips asks for."""
    of = design("values_level_4+=1", "chips_level_4=8,12")
    assert column(of, "values_level_4") == [
        [11, 12, 13, 13, 14, 14, 15, 16],
        [11, 12, 13, 13, 14, 14, 15, 16, 16, 17, 11, 12],
    ]


def test_lists_that_follow_are_fitted_anew_to_each_cell():
    """A base of fewer chips has a shorter list; a cell of more chips does not repeat that, but the default."""
    of = design("chips_level_4=9,12", base=load("debrium", sets=["chips_level_4=8"]))
    for cell in of.cells:
        assert cell.rules == load("debrium", sets=[f"chips_level_4={cell.settings['chips_level_4']}"])


# Several keys.


def test_the_first_key_changes_slowest():
    of = design("players=3,4", "mining_king_bonus=1,2,3", "tie=order")
    assert of.keys == ("players", "mining_king_bonus", "tie")
    assert [tuple(cell.settings.values()) for cell in of.cells[1:]] == list(
        itertools.product((3, 4), (1, 2, 3), ("order",))
    )


def test_keys_move_together():
    of = design("chips_level_1, chips_level_2,chips_level_3=16,10,6 / 10,12,10", "tie=order,shared")
    assert of.keys == ("chips_level_1", "chips_level_2", "chips_level_3", "tie")
    assert [tuple(cell.settings.values()) for cell in of.cells[1:]] == [
        (16, 10, 6, "order"), (16, 10, 6, "shared"), (10, 12, 10, "order"), (10, 12, 10, "shared"),
    ]  # fmt: skip


def test_lists_and_parameters_of_policies_move_together_with_others():
    of = design("max_workers,hire_cost,miner.greed=4,[1,3],0.1/6,[1,3,5,8],0.9")
    assert [tuple(cell.settings.values()) for cell in of.cells[1:]] == [(4, [1, 3], 0.1), (6, [1, 3, 5, 8], 0.9)]
    assert [cell.params for cell in of.cells[1:]] == [{("miner", "greed"): 0.1}, {("miner", "greed"): 0.9}]


def test_parameters_of_policies_are_real_numbers():
    of = design("miner.reach=1,2", "my.own.fear=.5")
    assert of.keys == ("miner.reach", "my.own.fear")
    assert of.cells[1].params == {("miner", "reach"): 1.0, ("my.own", "fear"): 0.5}
    assert json.dumps(of.cells[1].settings) == '{"miner.reach": 1.0, "my.own.fear": 0.5}'
    assert of.cells[1].rules == BASE


# What is refused.


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mining_king=5", "unknown parameter 'mining_king' (did you mean 'mining_king_bonus'?); known: players, "),
        ("miner.greet=5", "miner.greet: no 'greet' of 'miner'"),
        (".greed=5", ".greed: no 'greed' of ''"),
        ("mining_king_bonus", "write it as key=a,b,c, key=lo:hi:step, key+=a,b,c or key,key=a,b / c,d"),
        ("=5", "write it as key=a,b,c"),
        ("+=5", "write it as key=a,b,c"),
        ("rows,,columns=3,3,3", "write it as key=a,b,c"),
        ("mining_king_bonus=", "a value is empty; mining_king_bonus must be a whole number from -200 to 200"),
        ("mining_king_bonus=5,,10", "a value is empty; mining_king_bonus must be"),
        ("debt_penalty=1,2|", "a value is empty; debt_penalty must be a list of 1 to 14 whole numbers"),
        ("debt_penalty+=1,", "a value is empty; debt_penalty must be"),
        ("debt_penalty=1,,2", "debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, entry 2 is ''"),
        ("mining_king_bonus=5,ten", "mining_king_bonus must be a whole number from -200 to 200, not 'ten'"),
        ("mining_king_bonus=5|6,7", "mining_king_bonus must be a whole number from -200 to 200, not a list"),
        ("mining_king_bonus=nan", "mining_king_bonus must be a whole number from -200 to 200, not 'nan'"),
        ("mining_king_bonus=201", "mining_king_bonus must be a whole number from -200 to 200, not 201"),
        ("mining_king_bonus+=5,186", "mining_king_bonus must be a whole number from -200 to 200, not 201"),
        ("mining_king_bonus=190:210:10", "mining_king_bonus must be a whole number from -200 to 200, not 210"),
        ("mining_king_bonus=5,10,5", "mining_king_bonus=5 is listed twice; list each value once"),
        ("miner.greed=.5,0.50", "miner.greed=0.5 is listed twice; list each value once"),
        ("debt_penalty=1,2|[1, 2]", "debt_penalty=1,2 is listed twice; list each value once"),
        ("rows,columns=3,4/3,4", "rows=3, columns=4 is listed twice; list each value once"),
        ("tie=sharde", "tie must be shared or order, not 'sharde' (did you mean 'shared'?)"),
        ("expansion=yes", "expansion must be true or false, not 'yes'"),
        ("expansion=0:1:1", "a range needs a key that takes single numbers; expansion must be true or false"),
        ("debt_penalty=0:3:1", "a range needs a key that takes single numbers; debt_penalty must be a list of"),
        ("expansion+=1", "+= shifts numbers and lists of numbers; expansion must be true or false"),
        ("companies+=1", "+= shifts numbers and lists of numbers; companies must be random, or a list by seat of"),
        ("rows,columns+=1,1", "rows and columns: += shifts one key; give each its own --vary"),
        ("debt_penalty+=one", "'one' is not a whole number; debt_penalty must be"),
        ("debt_penalty+=0,200", "with debt_penalty+=200: debt_penalty must be a list of 1 to 14 whole numbers"),
        ("values_level_4=1,2,3", "with values_level_4=1,2,3: values_level_4 lists 3 values, but chips_level_4 = 10"),
        ("mining_king_bonus=0:10:0", "a step must be above 0, not 0; mining_king_bonus must be"),
        ("mining_king_bonus=10:0:-5", "a range goes up from its low end, not from 10 to 0; mining_king_bonus must"),
        ("mining_king_bonus=0:10:-5", "a step must be above 0, not -5; mining_king_bonus must be"),
        ("miner.greed=0:1:-0.5", "a step must be above 0, not -0.5; miner.greed must be a number from 0 to 1"),
        ("mining_king_bonus+=0:10:-15", "a step must be above 0, not -15; mining_king_bonus must be"),
        ("mining_king_bonus=0:10:2.5", "'2.5' is not a whole number; mining_king_bonus must be"),
        ("mining_king_bonus=:10:5", "'' is not a whole number; mining_king_bonus must be"),
        ("mining_king_bonus=0:10:5,20", "'5,20' is not a whole number; mining_king_bonus must be"),
        ("mining_king_bonus=0:1:2:3", "write a range as lo:hi:step, or lo:hi to sample it; mining_king_bonus must"),
        ("mining_king_bonus=0:10", "mining_king_bonus: a range without a step is sampled; write lo:hi:step, or add "),
        ("mining_king_bonus=0:9999999:1", "the range has more than 10000 values; mining_king_bonus must be"),
        ("miner.reach=0:1:1e-9", "the range has more than 10000 values; miner.reach must be"),
        ("miner.greed=1.01", "miner.greed must be a number from 0 to 1, not 1.01"),
        ("miner.greed+=0.6", "miner.greed must be a number from 0 to 1, not 1.1"),
        ("miner.greed=0:2:1", "miner.greed must be a number from 0 to 1, not 2"),
        ("miner.greed=nan", "'nan' is not a number; miner.greed must be a number from 0 to 1"),
        ("miner.greed=0:inf:1", "'inf' is not a number; miner.greed must be a number from 0 to 1"),
        ("miner.greed=1e999", "'1e999' is not a number; miner.greed must be"),
        ("miner.greed=1/2", "'1/2' is not a number; miner.greed must be"),
        ("rows,columns=3,4 / 5", "'5' gives 1 for the 2 keys rows,columns; write one value for each, with / between"),
        ("rows,columns=3,", "a value is empty; columns must be a whole number from 1 to 6"),
        ("rows,columns=3,3:5:1", "columns must be a whole number from 1 to 6, not '3:5:1'"),
        ("rows,rows=3,3", "rows is varied twice; vary each key once"),
        ("chips_level_1=10", "with chips_level_1=10: chips_level_1 + chips_level_2 + chips_level_3 = 10 + 12 + 8"),
    ],
)  # fmt: skip
def test_a_wrong_text_is_refused_in_one_line_that_says_what_is_allowed(text, said):
    assert complaint(text).startswith(f"--vary {text}: {said}")


def test_values_that_do_not_go_together_name_the_texts_and_the_combination():
    line = complaint("rows=4,3", "tie=order")
    assert line.startswith("--vary rows=4,3 --vary tie=order: with rows=3, tie=order: chips_level_1 + chips_level_2")
    assert "rows x columns x stack_height = 3 x 4 x 2 = 24" in line
    given = load("debrium", sets=["hire_cost=1,3,5"])
    assert "hire_cost lists 3 totals, but max_workers" in complaint("max_workers=4", base=given)
    assert column(design("max_workers=4"), "max_workers") == [4]  # a default list is cut instead


def test_too_many_values_are_refused():
    line = complaint(f"miner.reach={','.join(map(str, range(10_001)))}")
    assert line.endswith(": miner.reach has 10001 values, and at most 10000 can be varied")
    assert len(line) < 300


def test_a_key_that_two_texts_vary_is_refused():
    assert complaint("rows=4", "rows+=0") == "--vary rows+=0: rows is varied twice; vary each key once"


# Any text.

_whole = st.integers(-200, 200)


@st.composite
def _axes(draw: st.DrawFn) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Well-formed texts over different keys, each with the settings that it asks for."""
    made = []
    for form in draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=4, unique=True)):
        made.append(draw(form()))
    return made


def _bonus() -> st.SearchStrategy[tuple[str, list[Mapping[str, Any]]]]:
    def said(values: list[int], comma: str) -> tuple[str, list[Mapping[str, Any]]]:
        return f"mining_king_bonus={comma.join(map(str, values))}", [{"mining_king_bonus": value} for value in values]

    return st.builds(said, st.lists(_whole, min_size=1, max_size=4, unique=True), st.sampled_from([",", " , ", "|"]))


def _coins() -> st.SearchStrategy[tuple[str, list[Mapping[str, Any]]]]:
    def said(low: int, step: int, count: int, rest: int) -> tuple[str, list[Mapping[str, Any]]]:
        high = low + step * (count - 1) + rest % step
        return f"starting_coins={low}:{high}:{step}", [{"starting_coins": low + k * step} for k in range(count)]

    return st.builds(said, st.integers(0, 100), st.integers(1, 20), st.integers(1, 4), st.integers(0, 19))


def _reach() -> st.SearchStrategy[tuple[str, list[Mapping[str, Any]]]]:
    def said(low: int, step: int, count: int, digits: int) -> tuple[str, list[Mapping[str, Any]]]:
        texts = [f"{low + k * step}e-{digits}" for k in range(count)]
        text = f"miner.reach={texts[0]}:{texts[-1]}:{step}e-{digits}"
        return text, [{"miner.reach": float(value)} for value in texts]

    return st.builds(said, st.integers(-9, 10**4), st.integers(1, 10**4), st.integers(1, 4), st.integers(0, 9))


def _debts() -> st.SearchStrategy[tuple[str, list[Mapping[str, Any]]]]:
    def listed(lists: list[list[int]]) -> tuple[str, list[Mapping[str, Any]]]:
        texts = [",".join(map(str, entries)) for entries in lists]
        return f"debt_penalty={'|'.join(texts)}", [{"debt_penalty": entries} for entries in lists]

    def shifted(shifts: list[int]) -> tuple[str, list[Mapping[str, Any]]]:
        cells = [{"debt_penalty": [entry + by for entry in (1, 3, 6, 12, 15)]} for by in shifts]
        return f"debt_penalty+={','.join(map(str, shifts))}", cells

    entries = st.lists(st.integers(-99, 200), min_size=1, max_size=5)
    return st.builds(listed, st.lists(entries, min_size=1, max_size=3, unique_by=tuple)) | st.builds(
        shifted, st.lists(st.integers(-100, 185), min_size=1, max_size=3, unique=True)
    )


def _together() -> st.SearchStrategy[tuple[str, list[Mapping[str, Any]]]]:
    def said(pairs: list[tuple[int, bool]]) -> tuple[str, list[Mapping[str, Any]]]:
        texts = [f"{taken},{str(public).lower()}" for taken, public in pairs]
        cells = [{"yellow_take": taken, "coins_public": public} for taken, public in pairs]
        return f"yellow_take,coins_public={' / '.join(texts)}", cells

    return st.builds(
        said, st.lists(st.tuples(st.integers(0, 200), st.booleans()), min_size=1, max_size=3, unique=True)
    )


FORMS = (_bonus, _coins, _reach, _debts, _together)


@given(_axes())
def test_well_formed_texts_give_exactly_their_product(axes):
    of = design(*(text for text, _ in axes))
    expected = [
        {key: value for part in parts for key, value in part.items()}
        for parts in itertools.product(*(cells for _, cells in axes))
    ]
    own = {"mining_king_bonus": 15, "starting_coins": 10, "miner.reach": 3.0, "debt_penalty": [1, 3, 6, 12, 15]}
    own |= {"yellow_take": 5, "coins_public": True}
    base = {key: own[key] for key in expected[0]}
    if base not in expected:
        expected.insert(0, base)
    assert json.dumps([cell.settings for cell in of.cells]) == json.dumps(expected)
    assert of.base == expected.index(base)
    assert of.cells[of.base].rules == BASE
    for cell, wanted in zip(of.cells, expected, strict=True):
        rules = {
            key: tuple(value) if isinstance(value, list) else value for key, value in wanted.items() if "." not in key
        }
        assert cell.rules.values == BASE.values | rules


_keys = ["rows", "debt_penalty", "tie", "companies", "values_level_4", "players", "miner.greed", "miner.reach", "x.y"]
_words = [*_keys, "true", "shared", "nan", "inf", "+=", "0", "1", "9", "0.1", "1e9", "9" * 30]
_token = st.sampled_from([*"=+,:|/[]-. \n\x00é٣\"'", *_words])
_junk = st.text(max_size=20) | st.lists(_token, max_size=12).map("".join)


def answer(*texts: str, **options: Any) -> Design | str:
    """The design that texts make, or the line with which they are refused."""
    try:
        return design(*texts, **options)
    except BadInput as error:
        return str(error)


@given(
    st.lists(_junk, max_size=3),
    st.sampled_from(["grid", "latin:3", "sobol:3"]) | st.text(max_size=10),
    st.sampled_from([("mixed",), ("a", "b")]),
)
@settings(max_examples=400)
def test_any_text_is_refused_in_one_line_or_makes_a_design(texts, kind, line_ups):
    of = answer(*texts, kind=kind, line_ups=line_ups)
    if isinstance(of, str):
        assert of.isprintable()
        return
    assert all(tuple(cell.settings) == of.keys for cell in of.cells)
    assert of.cells[of.base].rules == BASE
    assert json.loads(json.dumps([cell.settings for cell in of.cells])) == [cell.settings for cell in of.cells]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mining_king_bonus=0:10:5", ("mining_king_bonus", ("0", "5", "10"))),
        (" mining_king_bonus = 0, 5 ,10", ("mining_king_bonus", ("0", "5", "10"))),
        ("mining_king_bonus+=-5,0", ("mining_king_bonus", ("10", "15"))),
        ("debt_penalty+=-1:1:1", ("debt_penalty+", ("-1", "0", "1"))),
        ("values_level_1=1,2|3", ("values_level_1", ("1,2", "3"))),
        ("tie=order,shared", ("tie", ("order", "shared"))),
        ("expansion=true", ("expansion", ("true",))),
        ("miner.reach=0.5:2:0.5", ("miner.reach", ("0.5", "1", "1.5", "2"))),
        ("players,hire_cost=3,[1,3] / 4,[2]", ("players,hire_cost", ("3,[1,3]", "4,[2]"))),
        ("mining_king_bonus=1:30", ("mining_king_bonus", ("1:30",))),
        ("miner.greed=0.25:1", ("miner.greed", ("0.25:1",))),
    ],
)
def test_an_axis_is_told_as_it_is_typed_in_one_way(text, told):
    (axis,) = read_axes(BASE, [text], param_of)
    assert axis.told() == told
