"""What a user gives: rules files and `--set` texts, taken or refused in one line that says what is allowed."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import BadInput
from sim.rules import load
from sim.rules_text import LARGEST_FILE, LONGEST_LINE, from_text, value_text


def complaint(game: str = "debrium", **options: object) -> str:
    """Return the line with which `load` refuses."""
    with pytest.raises(BadInput) as caught:
        load(game, **options)  # type: ignore[arg-type]
    line = str(caught.value)
    assert line.isprintable()
    assert len(line) < 1500
    return line


def said(game: str, file: Path | None = None, sets: list[str] | None = None) -> str:
    """Return the variant's name, or the line with which `load` refuses."""
    try:
        return load(game, file, sets or []).name
    except BadInput as error:
        return str(error)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes `my.toml` in the working folder and gives its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(text: str | bytes) -> str:
        Path("my.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return "my.toml"

    return write_file


# A rules file.


def test_a_rules_file_may_be_partial(write):
    rules = load("debrium", write("mining_king_bonus = 10\n"))
    assert rules.values == load("debrium").values | {"mining_king_bonus": 10}
    assert rules.changed == {"mining_king_bonus"}
    assert rules.name == "mining_king_bonus=10"


def test_a_set_wins_over_the_file(write):
    rules = load("debrium", write("players = 3\nmining_king_bonus = 10\n"), ["mining_king_bonus=12"])
    assert (rules.values["players"], rules.values["mining_king_bonus"]) == (3, 12)


def test_a_file_may_name_the_variant_and_say_game_and_version(write):
    file = write('name = "No king"\ngame = "debrium"\nrules_version = 1\nmining_king_bonus = 0\n')
    assert load("debrium", file).name == "No king"
    assert load("debrium", file, name="Mine").name == "Mine"
    assert load("debrium", file, ["players=3"]).name == "No king, players=3"
    assert load("debrium", file, ["mining_king_bonus=0"]).name == "No king"


def test_a_file_with_a_byte_order_mark_and_windows_lines_is_read(write):
    assert load("debrium", write(b"\xef\xbb\xbfplayers = 3\r\nrows = 4\r\n")).values["players"] == 3


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('game = "chess"', "my.toml: game must be 'debrium' here, not 'chess'"),
        ("game = 3", "my.toml: game must be 'debrium' here, not 3"),
        ("rules_version = 99", "my.toml: rules_version 99 is newer than 2, the one played here"),
        ("rules_version = true", "my.toml: rules_version must be a whole number from 1, not true"),
        ('name = ""', "my.toml: name must be 1 to 80 printable characters in one line"),
        ('name = "\\u001b[31m"', "my.toml: name must be 1 to 80 printable characters in one line"),
        ("name = 3", "my.toml: name must be 1 to 80 printable characters in one line"),
        ("players = true", "my.toml: players must be a whole number from 3 to 4, not true"),
        ("players = 2.5", "my.toml: players must be a whole number from 3 to 4, not 2.5"),
        ("players = 3.0", "my.toml: players must be a whole number from 3 to 4, not 3.0"),
        ("players = nan", "my.toml: players must be a whole number from 3 to 4, not nan"),
        ('players = "ten"', "my.toml: players must be a whole number from 3 to 4, not 'ten'"),
        ("players = 5", "my.toml: players must be a whole number from 3 to 4, not 5"),
        ("players = [3]", "my.toml: players must be a whole number from 3 to 4, not a list"),
        ("players = 2024-01-01", "my.toml: players must be a whole number from 3 to 4, not a date or time"),
        ("[players]\nvalue = 3", "my.toml: players must be a whole number from 3 to 4, not a table"),
        (f"players = {'9' * 1500}", "my.toml: players must be a whole number from 3 to 4, not a number that large"),
        ("expansion = 1", "my.toml: expansion must be true or false, not 1"),
        ("tie = 'ordre'", "my.toml: tie must be shared or order, not 'ordre' (did you mean 'order'?)"),
        ("tie = ['order']", "my.toml: tie must be shared or order, not a list"),
        (
            "debt_penalty = 3",
            "my.toml: debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, not 3",
        ),
        (
            "debt_penalty = []",
            "my.toml: debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, not a list of 0",
        ),
        (
            "debt_penalty = [1, 2.5]",
            "my.toml: debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, entry 2 is 2.5",
        ),
        (
            "debt_penalty = [1, 2, 201]",
            "my.toml: debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, entry 3 is 201",
        ),
        ("\ntie = order\n", "my.toml: not TOML: Invalid value (at line 2, column 7): tie = order"),
        ("tie =", "my.toml: not TOML: Invalid value (at line 1, the end of the file): tie ="),
        (
            "players = 3\nplayers = 4\n",
            "my.toml: not TOML: Cannot overwrite a value (at line 2, column 12): players = 4",
        ),
        ("# \n" + "#" * (LONGEST_LINE + 1), "my.toml: line 2 is longer than 2000 characters"),
        (
            "x = " + "[\n" * 100_000,
            "my.toml: not a rules file: a number too long or lists nested too deep",
        ),
        (b"players = 3\n# caf\xe9\n", "my.toml: a rules file must be UTF-8 text, and line 2 is not"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line_that_says_what_is_allowed(write, text, line):
    assert complaint(file=write(text)) == line


def test_an_unknown_key_gets_the_nearest_known_one(write):
    line = complaint(file=write("mining_king = 3"))
    assert line.startswith(
        "my.toml: unknown parameter 'mining_king' (did you mean 'mining_king_bonus'?); known: players, expansion"
    )
    assert "unknown parameter 'a\\nb'" in complaint(file=write('"a\\nb" = 3'))


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert complaint(file="none.toml") == "none.toml: cannot read the rules file: No such file or directory"
    assert complaint(file=".") == ".: is a folder; a rules file is needed"
    assert complaint(file="a\0b") == "'a\\x00b': not a file's name"
    assert complaint(file="a\nb").startswith("'a\\nb': cannot read")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(write):
    Path(write("")).chmod(0)
    assert complaint(file="my.toml") == "my.toml: cannot read the rules file: Permission denied"


def test_a_file_of_absurd_size_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open("huge.toml", "wb") as stream:
        stream.truncate(50 * 2**30)  # a hole: it takes no space, but reading it would take all memory
    assert complaint(file="huge.toml") == "huge.toml: too large for a rules file (at most 1 MB)"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device here")
def test_an_endless_device_is_not_read():
    assert complaint(file="/dev/zero") == "/dev/zero: is a device; a rules file is needed"


def test_a_file_just_within_the_limit_is_read(write):
    text = "#\n" * (LARGEST_FILE // 2 - 10) + "players = 3\n"
    assert load("debrium", write(text)).values["players"] == 3


# --set.


@pytest.mark.parametrize(
    ("item", "value"),
    [
        ("mining_king_bonus=10", 10),
        ("mining_king_bonus=-10", -10),
        ("mining_king_bonus = +7 ", 7),
        ("expansion=true", True),
        ("coins_public=false", False),
        ("tie=order", "order"),
        ('tie="order"', "order"),
        ("debt_penalty=0,1,2,4,8", (0, 1, 2, 4, 8)),
        ("debt_penalty=[0, 1, 2, 4, 8]", (0, 1, 2, 4, 8)),
        ("debt_penalty=3", (3,)),
        ("companies=red,blue,green,yellow", ("red", "blue", "green", "yellow")),
        ("companies=['red', \"blue\", green, yellow]", ("red", "blue", "green", "yellow")),
        ("companies=random", "random"),
    ],
)
def test_a_set_takes_numbers_switches_words_and_lists(item, value):
    assert load("debrium", sets=[item]).values[item.split("=")[0].strip()] == value


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ("players", "--set players: write it as key=value"),
        ("=3", "--set =3: write it as key=value"),
        ("", "--set '': write it as key=value"),
        ("\x1b[31m", "--set '\\x1b[31m': write it as key=value"),
        ("players=", "--set: players must be a whole number from 3 to 4, not ''"),
        ("players=ten", "--set: players must be a whole number from 3 to 4, not 'ten'"),
        ("players=2.5", "--set: players must be a whole number from 3 to 4, not '2.5'"),
        ("players=NaN", "--set: players must be a whole number from 3 to 4, not 'NaN'"),
        ("players=true", "--set: players must be a whole number from 3 to 4, not true"),
        ("players=٣", "--set: players must be a whole number from 3 to 4, not '٣'"),
        ("players=3,4", "--set: players must be a whole number from 3 to 4, not a list"),
        ("players=1_0", "--set: players must be a whole number from 3 to 4, not '1_0'"),
        ("expansion=yes", "--set: expansion must be true or false, not 'yes'"),
        ("tie=ordr", "--set: tie must be shared or order, not 'ordr' (did you mean 'order'?)"),
        (
            "debt_penalty=1,,3",
            "--set: debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, entry 2 is ''",
        ),
        (
            "debt_penalty=",
            "--set: debt_penalty must be a list of 1 to 14 whole numbers from -99 to 200, not ''",
        ),
        (
            "companies=red",
            "--set: companies must be random, or a list by seat of red, blue, yellow or green, not 'red'",
        ),
    ],
)
def test_a_wrong_set_is_refused_in_one_line_that_says_what_is_allowed(item, line):
    assert complaint(sets=[item]) == line


def test_a_key_set_twice_is_refused():
    assert complaint(sets=["players=3", "players=4"]) == "--set: players is given twice; give each key once"


def test_a_long_wrong_value_is_cut():
    assert len(complaint(sets=["players=" + "9" * 100_000])) < 150
    assert len(complaint(sets=["x" * 100_000 + "=3"])) < 1000


def test_an_unknown_set_key_gets_the_nearest_known_one():
    line = complaint(sets=["player=3"])
    assert line.startswith("--set: unknown parameter 'player' (did you mean 'players'?); known: ")


@given(st.text(max_size=40))
def test_any_text_as_a_set_is_taken_or_refused_in_one_line(text):
    for item in (text, f"debt_penalty={text}", f"companies={text}", f"tie={text}", f"players={text}"):
        assert said("debrium", sets=[item]).isprintable()


@given(st.binary(max_size=60))
@settings(deadline=None)
def test_any_bytes_as_a_file_are_taken_or_refused_in_one_line(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("rules") / "my.toml"
    file.write_bytes(content)
    assert said("debrium", file).isprintable()


@given(st.lists(st.integers(-99, 99), max_size=8).map(tuple) | st.integers(-999, 999) | st.booleans())
def test_what_value_text_shows_is_what_a_set_reads(value):
    read = from_text(value_text(value), is_list=isinstance(value, tuple))
    assert (tuple(read) if isinstance(read, list) else read) == value
