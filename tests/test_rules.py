"""Rules of any game: what `rules.toml` says, what `--rules` and `--set` change, and what comes back as TOML."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from sim import rules as module
from sim.errors import BadInput
from sim.rules import Parameter, Rules, games, load, restore, to_toml, with_values
from sim.rules_text import LONGEST_LINE

GAMES = games()


def complaint(game: str = "debrium", **options: object) -> str:
    """Return the line with which `load` refuses."""
    with pytest.raises(BadInput) as caught:
        load(game, **options)  # type: ignore[arg-type]
    line = str(caught.value)
    assert line.isprintable()
    assert len(line) < 1500
    return line


def number(**fields: object) -> Parameter:
    known = {"key": "n", "value": 3, "provenance": "assumed", "unit": "coins", "meaning": "Coins.", "holds": [0, 9]}
    return msgspec.convert(known | fields, Parameter)


# What a game's rules.toml says.


def test_games_are_the_folders_with_a_rules_file():
    assert "debrium" in GAMES
    assert list(GAMES) == sorted(GAMES)
    for game in GAMES:
        assert (Path(module.__file__).parent / game / "rules.toml").is_file()


@pytest.mark.parametrize("game", GAMES)
def test_every_parameter_has_unit_meaning_and_provenance(game):
    for key, parameter in load(game).parameters.items():
        assert parameter.key == key
        assert parameter.unit.strip()
        assert parameter.meaning.endswith(".")
        assert parameter.provenance in ("rulebook", "assumed", "reading")
        assert parameter.meaning.isprintable()


@pytest.mark.parametrize("game", GAMES)
def test_defaults_are_plausible_and_need_no_note(game):
    rules = load(game)
    assert rules.notes() == []
    assert rules.changed == frozenset()
    assert rules.name == "base"
    assert rules.game == game
    assert rules.version >= 1


@pytest.mark.parametrize("game", GAMES)
def test_parameters_name_only_parameters_that_exist(game):
    parameters = load(game).parameters
    for parameter in parameters.values():
        assert set(parameter.plausible_with) <= parameters.keys()
        if parameter.only_with:
            assert parameters[parameter.only_with].kind == "bool"
        for other in parameter.plausible_with:
            assert len(parameters[other].plausible) == len(parameter.plausible)
            assert parameter.key in parameters[other].plausible_with


@pytest.mark.parametrize("game", GAMES)
def test_plausible_ranges_are_within_what_the_engine_holds(game):
    for parameter in load(game).parameters.values():
        for value in parameter.plausible or ():
            assert parameter.holds[0] <= value <= parameter.holds[1]
        for shift in parameter.plausible_shift or ():
            assert parameter.check([entry + shift for entry in parameter.value], "")


@pytest.mark.parametrize("game", GAMES)
def test_parameter_keys_are_safe_field_names(game):
    keys = load(game).parameters.keys()
    assert all(key.isidentifier() for key in keys)
    assert not keys & {"name", "game", "rules_version"}


def test_import_is_light():
    code = (
        "import sys, sim.rules; sim.rules.load('debrium');"
        "print(*sorted({'numba', 'pandas', 'numpy'} & set(sys.modules)))"
    )
    root = Path(module.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_parameter_that_does_not_say_enough_is_refused():
    for fields, missing in (
        ({"meaning": ""}, "meaning"),
        ({"unit": ""}, "unit"),
        ({"provenance": "guessed"}, "provenance"),
        ({"holds": None}, "holds"),
        ({"value": "a word"}, "options"),
        ({"value": 2.5}, "value"),
        ({"plausible": [1]}, "plausible"),
        ({"meaning": "two\nlines"}, "meaning"),
        ({"sense": 1}, "sense"),
    ):
        with pytest.raises(msgspec.ValidationError, match=missing):
            number(**fields)


def test_a_broken_rules_toml_names_file_and_table(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "__file__", str(tmp_path / "rules.py"))
    (tmp_path / "chess").mkdir()
    toml = tmp_path / "chess" / "rules.toml"
    table = '[pawns]\nvalue = 8\nprovenance = "rulebook"\nholds = [0, 9]\nunit = "pawns"\n'
    for content, said in (
        ('game = "chess"\nrules_version = 1\n' + table, "pawns: Object missing required field `meaning`"),
        ('game = "go"\nrules_version = 1\n', "game must be 'chess'"),
        ('game = "chess"\n', "rules_version: Expected `int`, got `null`"),
        (
            'game = "chess"\nrules_version = 1\n' + table.replace("8", "10") + 'meaning = "Pawns."\n',
            "pawns must be a whole number from 0 to 9, not 10",
        ),
        (
            'game = "chess"\nrules_version = 1\n[[readings]]\ntext = "No full stop"\n',
            "readings: `text` is a sentence",
        ),
        ('game = "chess"\nrules_version = 1\n[[readings]]\nwhen = "always"\n', "readings: Object contains unknown"),
        ('game = "chess"\nrules_version = 1\nreadings = 3\n', "readings: Expected `array`, got `int`"),
        (
            'game = "chess"\nrules_version = 1\n[[readings]]\ntext = "So."\nonly_with = "castling"\n',
            "readings: unknown parameter 'castling'",
        ),
    ):
        toml.write_text(content)
        module._read_defaults.cache_clear()
        assert games() == ("chess",)
        line = complaint("chess")
        assert str(toml) in line
        assert said in line
    module._read_defaults.cache_clear()


# Kinds of values.


def test_kind_follows_the_default():
    assert number().kind == "int"
    assert number(value=True).kind == "bool"
    assert number(value=[1, 2]).kind == "ints"
    assert number(value="all", options=["all", "one"]).kind == "word"
    assert number(value="random", options=["random"], entries=["owl", "panda"]).kind == "words"


def test_a_list_of_fixed_length_such_as_a_die():
    die = number(key="die", value=[1, 2, 2, 3, 3, 4], length=[6, 6])
    assert die.check([1, 1, 1, 1, 1, 9], "die") == (1, 1, 1, 1, 1, 9)
    with pytest.raises(BadInput, match=r"^die must be a list of 6 whole numbers from 0 to 9, not a list of 5$"):
        die.check([1, 1, 1, 1, 1], "die")


def test_a_list_by_seat_of_words():
    animals = number(value="random", options=["random"], entries=["owl", "panda"])
    assert animals.check("random", "animals") == "random"
    assert animals.check(["owl", "panda", "owl"], "animals") == ("owl", "panda", "owl")
    said = "animals must be random, or a list by seat of owl or panda, entry 2 is 'pand' (did you mean 'panda'?)"
    with pytest.raises(BadInput) as caught:
        animals.check(["owl", "pand"], "animals")
    assert str(caught.value) == said


def test_two_plausible_values_are_a_range_and_more_are_a_list():
    assert number(plausible=[2, 5]).is_plausible(4)
    assert not number(plausible=[2, 5]).is_plausible(6)
    limit = number(plausible=[0, 7, 8])
    assert limit.is_plausible(0)
    assert not limit.is_plausible(3)
    assert limit.plausible_text() == "0, 7 or 8"
    assert number().plausible_text() == ""


def test_a_list_is_plausible_when_each_chip_is_shifted_within_the_range():
    values = number(value=[1, 2, 4], plausible_shift=[-1, 2])
    assert values.is_plausible((3, 4, 6))
    assert values.is_plausible((6, 4, 3))  # the order of the chips says nothing
    assert not values.is_plausible((4, 4, 6))
    assert values.is_plausible((1, 2, 4, 1))  # cycled to four chips
    assert values.is_plausible(())


# Names.


def test_an_unknown_game_gets_the_nearest_known_one():
    assert complaint("debrum").startswith("unknown game 'debrum' (did you mean 'debrium'?); known: ")
    assert complaint("../debrium").startswith("unknown game '../debrium'")


def test_a_variant_is_called_by_what_changed():
    assert load("debrium", sets=["mining_king_bonus=15"]).name == "base"
    assert load("debrium", sets=["mining_king_bonus=10", "players=3"]).name == "players=3, mining_king_bonus=10"
    assert load("debrium", sets=["players=3"], name=" My variant ").name == "My variant"


def test_variants_with_many_changes_have_short_names_that_differ():
    many = ["rows=3", "stack_height=2", "chips_level_1=8", "chips_level_2=8", "chips_level_3=8"]
    names = {load("debrium", sets=[*many, f"starting_pool={pool}"]).name for pool in range(20)}
    assert len(names) == 20
    for name in names:
        assert name.startswith("rows=3, chips_level_1=8, ")
        assert len(name) <= module.LONGEST_NAME


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\nb", "a\x1bb"])
def test_a_name_that_cannot_be_shown_in_one_line_is_refused(name):
    assert complaint(name=name) == "--name must be 1 to 80 printable characters in one line"


# What rules say of themselves.


def test_provenance_says_changed_only_where_the_value_differs():
    rules = load("debrium", sets=["mining_king_bonus=10", "starting_coins=10"])
    assert rules.provenance("mining_king_bonus") == "changed"
    assert rules.provenance("starting_coins") == "assumed"
    assert rules.provenance("players") == "rulebook"


def test_assumptions_are_what_no_source_states_changed_stand_ins_included():
    changed = load("debrium", sets=["starting_coins=8", "mining_king_bonus=10"]).assumptions()
    assert changed == load("debrium").assumptions()
    assert "starting_coins" in changed
    assert "mining_king_bonus" not in changed


def test_assumptions_leave_out_what_is_not_in_play():
    assert not {"companies", "skill_with_funds"} & set(load("debrium").assumptions())
    assert {"companies", "skill_with_funds"} <= set(load("debrium", sets=["expansion=true"]).assumptions())


def test_readings_without_a_parameter_are_told_where_they_are_in_play():
    green = "Green's discount stops at 0, and the players after Green pay the surcharge only if they hire."
    base, extended = load("debrium"), load("debrium", sets=["expansion=true"])
    assert green not in base.readings()
    assert set(extended.readings()) == {*base.readings(), green}
    assert "Debt cards never run out." in base.readings()
    for rules in (base, extended):
        text = to_toml(rules).replace("\n#   ", " ")
        assert all(f"# {line}\n" in text for line in rules.readings())


@pytest.mark.parametrize("game", GAMES)
def test_readings_are_sentences_of_one_line(game):
    rules = load(game)
    for line in rules.lines:
        assert line.text.endswith(".")
        assert not line.only_with or rules.parameters[line.only_with].kind == "bool"


def test_a_value_outside_its_plausible_range_is_a_note_and_no_error():
    rules = load("debrium", sets=["mining_king_bonus=40", "starting_coins=15"])
    assert rules.notes() == ["mining_king_bonus = 40 is outside its plausible range: 0 to 25"]


def test_a_change_without_effect_is_a_note():
    sets = ["starting_skill_coins=9"]
    assert load("debrium", sets=sets).notes() == ["starting_skill_coins = 9 has no effect while expansion = false"]
    assert load("debrium", sets=[*sets, "expansion=true"]).notes() == [
        "starting_skill_coins = 9 is outside its plausible range: 0 to 3"
    ]


def test_identity_depends_on_the_values_alone():
    rules = load("debrium", sets=["players=3"])
    same = load("debrium", sets=["rows=4", "players=3"], name="other")
    assert rules.identity() == same.identity()
    assert rules.identity() != load("debrium").identity()
    content = json.loads(rules.identity())
    assert content["game"] == "debrium"
    assert content["version"] == rules.version
    assert content["values"].keys() == rules.values.keys()
    assert list(content["values"]) == sorted(content["values"])


def test_diff_gives_mine_and_theirs():
    base, other = load("debrium"), load("debrium", sets=["players=3", "hire_cost=2,4,6"])
    assert base.diff(other) == {"players": (4, 3), "hire_cost": ((1, 3, 5), (2, 4, 6))}
    assert base.diff(base) == {}
    foreign = Rules("chess", 1, base.parameters, base.values, base.changed, "base")
    with pytest.raises(BadInput, match=r"^rules of debrium and of chess cannot be compared$"):
        base.diff(foreign)


def test_rules_travel_to_other_processes():
    rules = load("debrium", sets=["players=3"])
    assert pickle.loads(pickle.dumps(rules)) == rules


# Rules changed once more.


def changed(rules: Rules, values: dict[str, object]) -> Rules:
    return with_values(rules, values, "here")


def test_changed_values_are_as_if_given_at_once():
    base = load("debrium", sets=["players=3", "chips_level_4=8"])
    found = changed(base, {"chips_level_4": 12, "mining_king_bonus": 5})
    assert found == load("debrium", sets=["players=3", "chips_level_4=12", "mining_king_bonus=5"])
    assert found.given == {"players", "chips_level_4", "mining_king_bonus"}
    assert changed(base, {}) == base
    assert changed(base, {"players": 4, "chips_level_4": 10}) == load("debrium")


def test_a_list_that_was_given_is_not_fitted():
    for base in (load("debrium", sets=["hire_cost=1,3,5"]), restore("debrium", load("debrium").values, "stored")):
        assert "hire_cost" in base.given
        with pytest.raises(BadInput, match=r"^here: hire_cost lists 3 totals, but max_workers"):
            changed(base, {"max_workers": 4})
    assert changed(load("debrium"), {"max_workers": 4}).values["hire_cost"] == (1, 3)


def test_what_is_changed_is_told_after_a_name_that_was_given():
    named = load("debrium", sets=["players=3"], name="Mine")
    assert changed(named, {"mining_king_bonus": 5}).name == "Mine, mining_king_bonus=5"
    assert changed(named, {"players": 3}).name == "Mine"
    assert changed(load("debrium", sets=["players=3"]), {"mining_king_bonus": 5}).name == (
        "players=3, mining_king_bonus=5"
    )
    long = changed(load("debrium", name="x" * 80), {"mining_king_bonus": 5}).name
    assert long.startswith("x" * 40)
    assert len(long) <= module.LONGEST_NAME
    assert long != changed(load("debrium", name="x" * 80), {"mining_king_bonus": 6}).name


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"mining_king": 5}, "here: unknown parameter 'mining_king' (did you mean 'mining_king_bonus'?); known: "),
        ({"mining_king_bonus": "5"}, "here: mining_king_bonus must be a whole number from -200 to 200, not '5'"),
        (
            {"chips_level_1": 10},
            "here: chips_level_1 + chips_level_2 + chips_level_3 = 10 + 12 + 8 = 30, but they must",
        ),
        (
            {"debt_penalty": []},
            "here: debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, not a list",
        ),
    ],
)
def test_a_wrong_change_is_refused_in_one_line(values, line):
    with pytest.raises(BadInput) as caught:
        changed(load("debrium"), values)
    assert str(caught.value).startswith(line)


# TOML out.


@pytest.mark.parametrize("game", GAMES)
def test_toml_of_the_defaults_reads_as_the_defaults(game, tmp_path):
    file = tmp_path / "all.toml"
    file.write_text(to_toml(load(game)), encoding="utf-8")
    assert load(game, file) == load(game)


@pytest.mark.parametrize("game", GAMES)
def test_toml_explains_every_parameter(game):
    rules = load(game)
    text = to_toml(rules).replace("\n#   ", " ")
    for key, parameter in rules.parameters.items():
        block = next(block for block in text.split("\n\n") if f"\n{key} = " in block)
        assert f"# {parameter.meaning}\n" in block
        assert f"unit: {parameter.unit}; {parameter.provenance}" in block
        assert parameter.plausible_text() in block
        assert parameter.allowed_text() in block
    assert max(map(len, to_toml(rules).splitlines())) <= LONGEST_LINE


def test_toml_says_what_was_changed_from_what():
    assert "changed from 15 (rulebook)" in to_toml(load("debrium", sets=["mining_king_bonus=10"]))


def test_toml_keeps_a_given_name_and_comments_out_one_that_says_what_changed(tmp_path):
    derived = to_toml(load("debrium", sets=["players=3"]))
    assert '\n# name = "players=3"\n' in derived
    rules = load("debrium", sets=["players=3"], name='A "quoted" \\ näme')
    file = tmp_path / "named.toml"
    file.write_text(to_toml(rules), encoding="utf-8")
    assert load("debrium", file) == rules
