"""The numbers and switches of Debrium: Treasure, and what must hang together in them."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.debrium.rules import resolve
from sim.errors import BadInput
from sim.rules import load, to_toml, value_text

DEFAULTS = {
    "players": 4,
    "expansion": False,
    "rows": 4,
    "columns": 4,
    "stack_height": 2,
    "chips_level_1": 12,
    "chips_level_2": 12,
    "chips_level_3": 8,
    "chips_level_4": 10,
    "values_level_1": (1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4),
    "values_level_2": (3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 8),
    "values_level_3": (6, 7, 8, 8, 9, 9, 10, 11),
    "values_level_4": (10, 11, 12, 12, 13, 13, 14, 15, 15, 16),
    "coordinate_copies": 2,
    "starting_coins": 10,
    "starting_pool": 0,
    "free_workers": 2,
    "max_workers": 5,
    "hire_cost": (1, 3, 5),
    "debt_penalty": (1, 3, 6, 12, 15),
    "mining_king_bonus": 15,
    "starting_skill_coins": 1,
    "yellow_take": 5,
    "red_workers": 2,
    "green_discount": 3,
    "green_surcharge": 3,
    "initial_order": "random",
    "companies": "random",
    "coins_public": True,
    "skill_with_funds": True,
    "tie": "shared",
    "blue_takes": "must",
    "red_needs": "most",
    "green_per": "turn",
    "coin_points": 1,
    "skill_coin_points": 1,
    "king_needs_chip": True,
    "hire_idle": False,
}

READINGS = {
    "blue_takes", "red_needs", "green_per", "coin_points", "skill_coin_points", "king_needs_chip", "hire_idle",
}  # fmt: skip

ASSUMED = {
    "chips_level_1",
    "chips_level_2",
    "chips_level_3",
    "values_level_1",
    "values_level_2",
    "values_level_3",
    "values_level_4",
    "starting_coins",
    "starting_pool",
    "initial_order",
    "companies",
    "coins_public",
    "skill_with_funds",
    "tie",
}

PLAUSIBLE = {
    "players": (3, 4),
    "rows": (3, 6),
    "columns": (3, 6),
    "stack_height": (1, 3),
    "chips_level_4": (6, 14),
    "coordinate_copies": (2, 3),
    "starting_coins": (5, 15),
    "starting_pool": (0, 10),
    "mining_king_bonus": (0, 25),
    "starting_skill_coins": (0, 3),
    "coin_points": (0, 2),
    "skill_coin_points": (0, 2),
}

SHIFTS = {
    "values_level_1": (-1, 2),
    "values_level_2": (-1, 3),
    "values_level_3": (-2, 4),
    "values_level_4": (-3, 5),
}

HOLDS = {
    "players": (3, 4),
    "rows": (1, 6),
    "columns": (1, 6),
    "stack_height": (0, 3),
    "chips_level_1": (0, 108),
    "chips_level_2": (0, 108),
    "chips_level_3": (0, 108),
    "chips_level_4": (1, 14),
    "values_level_1": (-99, 99),
    "values_level_2": (-99, 99),
    "values_level_3": (-99, 99),
    "values_level_4": (-99, 99),
    "coordinate_copies": (2, 4),
    "starting_coins": (0, 200),
    "starting_pool": (0, 200),
    "free_workers": (0, 12),
    "max_workers": (0, 12),
    "hire_cost": (0, 200),
    "debt_penalty": (-99, 200),
    "mining_king_bonus": (-200, 200),
    "starting_skill_coins": (0, 50),
    "yellow_take": (0, 200),
    "red_workers": (1, 12),
    "green_discount": (0, 200),
    "green_surcharge": (0, 200),
    "coin_points": (0, 10),
    "skill_coin_points": (0, 10),
}


def complaint(*sets: str) -> str:
    """Return the line with which `load` refuses these `--set` texts."""
    with pytest.raises(BadInput) as caught:
        load("debrium", sets=sets)
    line = str(caught.value)
    assert line.isprintable()
    return line


# The table of parameters.


def test_defaults_are_the_rulebooks_and_the_stand_ins_in_their_order():
    assert load("debrium").values == DEFAULTS
    assert list(load("debrium").values) == list(DEFAULTS)


def test_provenance_tells_the_stand_ins_from_what_a_source_states():
    parameters = load("debrium").parameters
    assert {key for key, parameter in parameters.items() if parameter.provenance == "assumed"} == ASSUMED
    assert {key for key, parameter in parameters.items() if parameter.provenance == "reading"} == READINGS


def test_readings_are_among_what_a_result_rests_on_where_they_are_in_play():
    with_expansion = {"blue_takes", "red_needs", "green_per", "skill_coin_points"}
    assert READINGS - set(load("debrium").assumptions()) == with_expansion
    assert set(load("debrium", sets=["expansion=true", "coin_points=0"]).assumptions()) >= READINGS


def test_plausible_ranges():
    parameters = load("debrium").parameters
    ranges = {key: p.plausible for key, p in parameters.items() if p.plausible and not p.plausible_with}
    assert ranges == PLAUSIBLE
    assert {key: p.plausible_shift for key, p in parameters.items() if p.plausible_shift} == SHIFTS


def test_plausible_numbers_of_chips_belong_together():
    chips = [load("debrium").parameters[f"chips_level_{level}"] for level in (1, 2, 3)]
    together = list(zip(*(parameter.plausible for parameter in chips), strict=True))
    assert together == [(12, 12, 8), (16, 10, 6), (10, 12, 10), (8, 12, 12)]
    for numbers in together:
        sets = [f"{p.key}={count}" for p, count in zip(chips, numbers, strict=True)]
        assert load("debrium", sets=sets).notes() == []


@pytest.mark.parametrize("key", HOLDS)
def test_each_number_is_taken_up_to_what_the_engine_holds(key):
    parameter = load("debrium").parameters[key]
    low, high = HOLDS[key]
    is_list = parameter.kind == "ints"
    for value in (low, high):
        given = [value] * max(1, parameter.length[0]) if is_list else value
        assert parameter.check(given, key) == (tuple(given) if is_list else value)
    for value in (low - 1, high + 1):
        with pytest.raises(BadInput, match=f"^{key} must be"):
            parameter.check([value] if is_list else value, key)


def test_every_number_has_a_tested_limit():
    parameters = load("debrium").parameters
    assert {key for key, parameter in parameters.items() if parameter.kind in ("int", "ints")} == HOLDS.keys()


@pytest.mark.parametrize(
    ("key", "words"),
    [("initial_order", ("random", "seat")), ("companies", ("random",)), ("tie", ("shared", "order"))],
)
def test_switches_take_their_words(key, words):
    assert load("debrium").parameters[key].options == words
    for word in words:
        assert load("debrium", sets=[f"{key}={word}"]).values[key] == word


@pytest.mark.parametrize("key", ["expansion", "coins_public", "skill_with_funds"])
def test_on_off_switches(key):
    assert load("debrium", sets=[f"{key}=true"]).values[key] is True
    assert load("debrium", sets=[f"{key}=false"]).values[key] is False


# The board.


def test_chips_must_fill_the_board():
    assert complaint("chips_level_1=13") == (
        "--set: chips_level_1 + chips_level_2 + chips_level_3 = 13 + 12 + 8 = 33, but they must fill the board: "
        "rows x columns x stack_height = 4 x 4 x 2 = 32"
    )
    assert complaint("stack_height=3").endswith("rows x columns x stack_height = 4 x 4 x 3 = 48")


def test_the_largest_board_can_be_held():
    sets = ["rows=6", "columns=6", "stack_height=3"]
    full = load("debrium", sets=[*sets, "chips_level_1=108", "chips_level_2=0", "chips_level_3=0"])
    assert len(full.values["values_level_1"]) == 108
    assert full.values["values_level_2"] == full.values["values_level_3"] == ()


def test_an_empty_board_of_two_spaces_is_the_smallest():
    empty = ["stack_height=0", "chips_level_1=0", "chips_level_2=0", "chips_level_3=0", "rows=1"]
    assert load("debrium", sets=[*empty, "columns=2"]).values["values_level_1"] == ()
    assert complaint(*empty, "columns=1") == ("--set: rows and columns are 1 and 1; a board needs at least 2 spaces")


# Values.


def test_a_changed_number_of_chips_cycles_the_listed_values_in_order():
    rules = load("debrium", sets=["chips_level_1=8", "chips_level_2=14", "chips_level_3=10"])
    assert rules.values["values_level_1"] == (1, 1, 1, 2, 2, 2, 2, 3)
    assert rules.values["values_level_2"] == (3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 8, 3, 3)
    assert rules.values["values_level_3"] == (6, 7, 8, 8, 9, 9, 10, 11, 6, 7)
    assert rules.provenance("values_level_1") == "changed"
    assert rules.notes() == ["chips_level_2 = 14 is outside its plausible range: 10 or 12"]


def test_a_longer_game_cycles_the_piles_values():
    values = load("debrium", sets=["chips_level_4=12"]).values["values_level_4"]
    assert values == (10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 10, 11)


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_list_of_the_wrong_length_names_the_parameter(level):
    key, count = f"values_level_{level}", DEFAULTS[f"chips_level_{level}"]
    assert complaint(f"{key}=1,2") == (
        f"--set: {key} lists 2 values, but chips_level_{level} = {count}; list {count} values, or leave {key} out"
    )


def test_a_list_that_was_given_is_not_cycled_even_if_it_is_the_default():
    same = f"values_level_4={value_text(DEFAULTS['values_level_4'])}"
    assert complaint("chips_level_4=12", same).startswith("--set: values_level_4 lists 10 values")
    assert load("debrium", sets=[same]).changed == frozenset()


# Workers.


def test_max_workers_is_at_least_free_workers():
    assert complaint("max_workers=1") == "--set: max_workers = 1 must be at least free_workers = 2"
    assert complaint("free_workers=6").endswith("max_workers = 5 must be at least free_workers = 6")


def test_fewer_workers_to_hire_cut_the_default_costs():
    assert load("debrium", sets=["max_workers=4"]).values["hire_cost"] == (1, 3)
    assert load("debrium", sets=["free_workers=5"]).values["hire_cost"] == ()


def test_more_workers_to_hire_need_costs():
    assert complaint("max_workers=7") == (
        "--set: hire_cost lists 3 totals, but max_workers - free_workers = 7 - 2 = 5; list 5"
    )
    rules = load("debrium", sets=["max_workers=7", "hire_cost=1,3,5,5,0"])
    assert rules.values["hire_cost"] == (1, 3, 5, 5, 0)  # not necessarily increasing


@pytest.mark.parametrize("costs", ["1,2", "1,2,3,4", "[]"])
def test_costs_that_were_given_are_exactly_one_for_each_worker_to_hire(costs):
    assert complaint(f"hire_cost={costs}").startswith("--set: hire_cost lists ")


def test_no_worker_can_be_hired_with_an_empty_list():
    assert load("debrium", sets=["max_workers=2", "hire_cost=[]"]).values["hire_cost"] == ()


# Companies.


def test_companies_are_one_for_each_seat_all_different():
    assert complaint("companies=red,blue,green") == (
        "--set: companies lists 3, but players = 4; list one for each seat"
    )
    assert complaint("companies=red,blue,green,red") == (
        "--set: companies lists one twice (red, blue, green, red); all must be different"
    )
    rules = load("debrium", sets=["companies=red,blue,green", "players=3", "expansion=true"])
    assert rules.values["companies"] == ("red", "blue", "green")
    assert rules.notes() == []


def test_companies_without_the_expansion_are_accepted_with_a_note():
    rules = load("debrium", sets=["companies=red,blue,green,yellow"])
    assert rules.notes() == ["companies = red,blue,green,yellow has no effect while expansion = false"]


# Where a complaint comes from.


def test_a_complaint_about_several_values_names_file_and_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text("max_workers = 3\n")
    with pytest.raises(BadInput) as caught:
        load("debrium", "my.toml", ["free_workers=4"])
    assert str(caught.value) == "my.toml with --set: max_workers = 3 must be at least free_workers = 4"


# There and back.


@st.composite
def variants(draw):
    """Draw values that hang together; a list is sometimes left to be fitted."""
    values = {
        key: draw(st.integers(*HOLDS[key]))
        for key in ("players", "rows", "columns", "stack_height", "chips_level_4", "free_workers")
    }
    if values["rows"] * values["columns"] == 1:
        values["columns"] = 2
    places = values["rows"] * values["columns"] * values["stack_height"]
    values["chips_level_1"] = draw(st.integers(0, places))
    values["chips_level_2"] = draw(st.integers(0, places - values["chips_level_1"]))
    values["chips_level_3"] = places - values["chips_level_1"] - values["chips_level_2"]
    for level in (1, 2, 3, 4):
        if draw(st.booleans()):
            count = values[f"chips_level_{level}"]
            entries = st.integers(*HOLDS[f"values_level_{level}"])
            values[f"values_level_{level}"] = draw(st.lists(entries, min_size=count, max_size=count))
    values["max_workers"] = draw(st.integers(values["free_workers"], 12))
    hired = values["max_workers"] - values["free_workers"]
    if hired > 3 or draw(st.booleans()):
        values["hire_cost"] = draw(st.lists(st.integers(0, 200), min_size=hired, max_size=hired))
    values["debt_penalty"] = draw(st.lists(st.integers(-99, 200), min_size=1, max_size=14))
    values["tie"] = draw(st.sampled_from(["shared", "order"]))
    values["expansion"] = draw(st.booleans())
    if draw(st.booleans()):
        seats = values["players"]
        names = st.sampled_from(["red", "blue", "yellow", "green"])
        values["companies"] = draw(st.lists(names, min_size=seats, max_size=seats, unique=True))
    return values


@given(variants())
@settings(deadline=None)
def test_rules_written_as_toml_are_read_back_equal(values):
    texts = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    rules = load("debrium", sets=[f"{key}={value_text(value)}" for key, value in texts.items()])
    for key, value in texts.items():
        assert rules.values[key] == value
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rules.toml"
        file.write_text(to_toml(rules), encoding="utf-8")
        again = load("debrium", file)
    assert again == rules
    assert again.identity() == rules.identity()


@given(variants())
def test_resolving_twice_changes_nothing(values):
    listed = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    once = resolve(DEFAULTS | listed, set(listed))
    assert resolve(once, set(once)) == once
