"""Every kind of wrong policy file is refused in one line with the file, where known its line, and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from policies import entry, load, load_file
from policies.source import MAX_BYTES
from sim.errors import BadInput
from sim.policy import compile_policy
from tests.support import DEBRIUM

ARGUMENTS = "rules, table, own, rng, choice"


def decision(*lines: str, name: str = "bid", arguments: str = ARGUMENTS) -> str:
    """A decision with these lines; the first is the second of the file."""
    return "\n".join([f"def {name}({arguments}):", *(f"    {line}" for line in lines)]) + "\n"


def written(folder: Path, source: str) -> Path:
    path = folder / "mine.py"
    path.write_text(source, encoding="utf-8")
    return path


def complaint(path: Path) -> str:
    """The line with which loading or compiling a file is refused; it begins with the file's name."""
    with pytest.raises(BadInput) as caught:
        compile_policy(DEBRIUM, load_file(DEBRIUM, path))
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(str(path))
    return line.removeprefix(str(path))


WELL = decision("choice.coins = 0")

FILES = {
    "not Python": ("x = 1\ndef bid(:\n", ":2: not Python"),
    "a forgotten colon": (f"def bid({ARGUMENTS})\n    pass\n", ":1: not Python: expected ':'"),
    "a zero byte": ("x = 1\0\n", ":1: not Python"),
    "nesting without end": ("x = " + "(" * 5000 + ")" * 5000, "not"),
    "nothing": ("", ": no decision; a policy of debrium has at least one of: bid, turn, extra"),
    "helpers alone": (decision("pass", name="_help"), ": no decision"),
    "a class": ("class Mine:\n    " + WELL.replace("\n", "\n    "), ": no decision"),
    "a misspelt decision": (
        decision("pass", name="tern"),
        ":1: 'tern' is no decision of debrium (did you mean 'turn'?)",
    ),
    "a public helper": (
        WELL + decision("pass", name="help_me"),
        ":3: 'help_me' is no decision of debrium; decisions",
    ),
    "an asynchronous decision": (f"async {WELL}", ":1: 'bid' is async; a decision is a plain function"),
    "too few arguments": (
        decision("pass", arguments="rules, table, own"),
        f":1: 'bid' takes the arguments ({ARGUMENTS})",
    ),
    "too many arguments": (decision("pass", arguments=f"{ARGUMENTS}, more"), ":1: 'bid' takes"),
    "any number of arguments": (decision("pass", arguments="*all"), ":1: 'bid' takes"),
    "arguments by name": (decision("pass", arguments=f"{ARGUMENTS}, *, more=1"), ":1: 'bid' takes"),
    "an argument with a default": (decision("pass", arguments=f"{ARGUMENTS}=0"), ":1: 'bid' takes"),
}

FIELDS = {
    "read from the table": (("pass", "x = table.pol"), ":3: 'table.pol': no such field (did you mean 'pool'?)"),
    "read from the rules": (("x = rules.starting_coin",), ":2: 'rules.starting_coin': no such field (did you mean"),
    "read from own": (("x = own.parameters[0]",), ":2: 'own.parameters': no such field (did you mean 'param'?)"),
    "written in the choice": (("choice.coin = 1",), ":2: 'choice.coin': no such field (did you mean 'coins'?)"),
    "added to in the choice": (("choice.coin += 1",), ":2: 'choice.coin': no such field"),
    "of a seat": (("x = table.seats[own.seat].coin",), ":2: 'table.seats[own.seat].coin': no such field"),
    "of an alias": (
        ("me = table.seats[own.seat]", "x = me.coin"),
        ":3: 'me.coin': no such field (did you mean 'coins'?)",
    ),
    "of an alias of an alias": (("all = table.seats", "me = all[0]", "x = me.coin"), ":4: 'me.coin': no such field"),
    "of one alias of two": (("me, it = table.seats[0], own", "x = it.coin"), ":3: 'it.coin': no such field"),
    "in a condition": (("if table.pol > 3:", "    pass"), ":2: 'table.pol': no such field"),
    "hidden": (("x = table.hidden",), ":2: 'table.hidden': no such field"),
}

HELPERS = {
    "a helper": "def _help(table):\n    return table.pol\n",
    "a helper's alias": "def _help(own):\n    it = own\n    return it.coin\n",
}


@pytest.mark.parametrize("what", FILES)
def test_a_wrong_file_is_refused(tmp_path, what):
    source, says = FILES[what]
    assert says in complaint(written(tmp_path, source))


@pytest.mark.parametrize("what", FIELDS)
def test_an_unknown_field_is_refused_with_its_line_and_the_fields(tmp_path, what):
    lines, says = FIELDS[what]
    said = complaint(written(tmp_path, decision(*lines)))
    assert said.startswith(says)
    assert "fields: " in said


@pytest.mark.parametrize("what", HELPERS)
def test_an_unknown_field_in_a_helper_is_refused(tmp_path, what):
    said = complaint(written(tmp_path, WELL + "\n\n" + HELPERS[what]))
    line = 2 + WELL.count("\n") + HELPERS[what].count("\n")
    assert said.startswith(f":{line}: ")
    assert "no such field" in said


def test_other_names_for_the_arguments_are_fine_and_their_fields_checked(tmp_path):
    source = decision("c.coins = min(1, o.coins)", arguments="r, t, o, g, c")
    compile_policy(DEBRIUM, load_file(DEBRIUM, written(tmp_path, source)))
    assert "'c.coin': no such field" in complaint(
        written(tmp_path, decision("c.coin = 1", arguments="r, t, o, g, c"))
    )


def test_a_name_that_is_given_something_else_is_no_record_any_more(tmp_path):
    """What is not plain to see is left to the compiler: nothing right may be refused."""
    source = """
import numpy as np


def bid(rules, table, own, rng, choice):
    me = table.seats[own.seat]
    coins = me.coins
    me = np.zeros(3)
    if me.size + len(table.order) + table.shown.size > coins:
        choice.coins = 0
"""
    compile_policy(DEBRIUM, load_file(DEBRIUM, written(tmp_path, source)))


def param(*values: object) -> str:
    return f"Param({', '.join(map(repr, values))}, 'what it means')"


PARAMS = {
    "a list": (f"[{param('a', 1.0, 0.0, 2.0)}]", "PARAMS is a tuple of Param"),
    "one Param": (param("a", 1.0, 0.0, 2.0), "PARAMS is a tuple of Param"),
    "numbers": ("(1.0, 2.0)", "PARAMS is a tuple of Param"),
    "a default below": (f"({param('a', -1.0, 0.0, 2.0)},)", "'a': needs numbers low <= default <= high"),
    "a default above": (f"({param('a', 3.0, 0.0, 2.0)},)", "'a': needs numbers low <= default <= high"),
    "bounds the wrong way": (f"({param('a', 1.0, 2.0, 0.0)},)", "'a': needs numbers low <= default <= high"),
    "text": (f"({param('a', 'x', 0.0, 2.0)},)", "'a': needs numbers"),
    "not a number": ("(Param('a', float('nan'), 0.0, 2.0, ''),)", "'a': needs numbers"),
    "infinite": ("(Param('a', 1.0, 0.0, float('inf'), ''),)", "'a': needs numbers"),
    "twice the same": (f"({param('a', 1.0, 0.0, 2.0)}, {param('a', 1.0, 0.0, 2.0)})", "names a parameter twice"),
    "a switch": ("(Param('x', True, False, 10**400, ''),)", "'x': needs numbers low <= default <= high"),
    "beyond all floats": ("(Param('x', 1.0, 0.0, 10**400, ''),)", "'x': needs numbers low <= default <= high"),
    "longer than can be shown": ("(Param('x', 1.0, 0.0, 10**9000, ''),)", "'x': needs numbers"),
    "of numpy": ("(Param('x', np.array([1.0]), 0.0, 2.0, ''),)", "'x': needs numbers"),
    "a name that cannot be set": (
        "(Param('a=b', 1.0, 0.0, 2.0, ''),)",
        "Param: the name of a parameter is letters, digits and underscores, not a=b",
    ),
    "a name that moves the cursor": ("(Param('\\x1b[2J', 1.0, 0.0, 2.0, ''),)", "not '\\x1b[2J'"),
    "a name that is a number": ("(Param(1, 1.0, 0.0, 2.0, ''),)", "not a value of type int"),
    "a meaning that is a number": ("(Param('x', 1.0, 0.0, 2.0, 3),)", "parameter 'x': its meaning is a text"),
    "too few of a Param": ("(Param('x', 1.0),)", "TypeError: Param.__init__() missing 3 required"),
    "too many": (f"({param('a', 1.0, 0.0, 2.0)},) * 17", "17 parameters; a policy has at most 16"),
}


@pytest.mark.parametrize("what", PARAMS)
def test_wrong_parameters_are_refused(tmp_path, what):
    text, says = PARAMS[what]
    source = f"import numpy as np\n\nfrom policies import Param\n\nPARAMS = {text}\n\n\n{WELL}"
    assert says in complaint(written(tmp_path, source))


def test_whole_numbers_become_floats(tmp_path):
    """A number of 300 digits fits a float and no file format's whole number."""
    source = f"from policies import Param\n\nPARAMS = ({param('a', 1, 0, 10**300)},)\n\n\n{WELL}"
    (found,) = entry(DEBRIUM, load_file(DEBRIUM, written(tmp_path, source))).params
    assert [type(bound) for bound in (found.default, found.low, found.high)] == [float] * 3
    assert found.high == 1e300


def test_defaults_become_the_values_to_play_with(tmp_path):
    source = f"from policies import Param\n\nPARAMS = ({param('a', 1.5, 0, 2)}, {param('b', 0, -1, 2)})\n\n\n{WELL}"
    assert load_file(DEBRIUM, written(tmp_path, source)).params == (1.5, 0)


# Parameters on the command line.

TUNED = f"""
from policies import Param

PARAMS = (Param("coin", 1.0, 0.3, 2.0, "what a coin is worth"), Param("debt", 1, 0, 3, "what debt costs"))


{WELL}"""


def spec_complaint(spec: str) -> str:
    with pytest.raises(BadInput) as caught:
        load(DEBRIUM, spec)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("prospectr", "unknown policy of debrium 'prospectr' (did you mean 'prospector'?); known: "),
        ("_template", "unknown policy of debrium '_template'"),
        ("", "unknown policy of debrium ''"),
        ("random_legal:coin=1", "unknown parameter 'coin'; parameters: it has none"),
    ],
)
def test_a_wrong_name_is_refused(word, says):
    assert says in spec_complaint(word)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("coins=1", "unknown parameter 'coins' (did you mean 'coin'?); parameters: coin, debt"),
        ("coin", "--policies mine:coin: '' is not a number from 0.3 to 2"),
        ("coin=", "'' is not a number from 0.3 to 2"),
        ("coin=much", "'much' is not a number from 0.3 to 2"),
        ("coin=2.01", "'2.01' is not a number from 0.3 to 2"),
        ("coin=nan", "'nan' is not a number from 0.3 to 2"),
        ("coin=-inf", "'-inf' is not a number from 0.3 to 2"),
        ("debt=1:coin=3", "'3' is not a number from 0.3 to 2"),
    ],
)
def test_a_wrong_setting_is_refused(tmp_path, setting, says):
    assert says in spec_complaint(f"{written(tmp_path, TUNED)}:{setting}")


def test_set_parameters_are_played_and_shown_in_the_label(tmp_path):
    path = written(tmp_path, TUNED)
    changed = load(DEBRIUM, f"{path}:debt=2:coin=0.5")
    assert (changed.name, changed.label, changed.params) == ("mine", "mine:coin=0.5:debt=2", (0.5, 2))
    for word in (str(path), f"{path}:coin=1"):
        assert (load(DEBRIUM, word).label, load(DEBRIUM, word).params) == ("mine", (1, 1))


def test_a_path_is_from_outside_and_a_name_is_not(tmp_path):
    assert not load(DEBRIUM, str(written(tmp_path, WELL))).is_trusted
    assert load(DEBRIUM, "greedy").is_trusted


# Files.


def test_a_missing_file_is_named(tmp_path):
    assert "cannot read the policy file" in complaint(tmp_path / "missing.py")


def test_a_folder_is_no_policy(tmp_path):
    (tmp_path / "mine.py").mkdir()
    assert "is a folder; a policy file is needed" in complaint(tmp_path / "mine.py")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = written(tmp_path, WELL)
    with path.open("r+b") as file:
        file.truncate(1 << 40)  # without taking a byte of the disk
    assert f"too large for a policy file (at most {MAX_BYTES // 1_000_000} MB)" in complaint(path)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "mine.py"
    path.write_bytes(bytes(range(256)))
    assert "not text in UTF-8" in complaint(path)


def test_a_policy_is_the_same_whatever_ends_its_lines(tmp_path):
    paths = [tmp_path / name for name in ("unix.py", "windows.py")]
    for path, end in zip(paths, ("\n", "\r\n"), strict=True):
        path.write_bytes(WELL.replace("\n", end).encode())
    unix, windows = (load(DEBRIUM, str(path)) for path in paths)
    assert unix.digest == windows.digest


# What shows only when the file is imported or compiled.


@pytest.mark.parametrize(
    ("first", "says"),
    [
        ("import no_such_module", "no_such_module"),
        ("x = 1 / 0", "ZeroDivisionError: division by zero"),
        ("from policies import Parm", "Parm"),
        ("raise SystemExit", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_imported_is_refused(tmp_path, first, says):
    assert says in complaint(written(tmp_path, f"{first}\n\n\n{WELL}"))


def test_a_file_that_cannot_be_imported_is_refused_with_its_line(tmp_path):
    said = complaint(written(tmp_path, f"x = 0\ny = 1 / x\n\n\n{WELL}"))
    assert said == ":2: ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    "line",
    [
        "choice.coins = nothing_of_that_name",
        "choice.coins = {'a': 1}",
        "choice.coins = [k for k in table.seats]",
        "choice.coins = _no_such_helper(table)",
        "choice.coins = 'two'",
        "choice.coins = sum(seat.coins for seat in table.seats) + 'a'",
    ],
)
def test_what_cannot_be_compiled_is_refused_with_the_decision(tmp_path, line):
    said = complaint(written(tmp_path, decision("pass", line)))
    assert "cannot compile `bid`: " in said
    assert len(said) < 400


def test_a_policy_prints_nothing(tmp_path):
    """What it printed would stand in the middle of an answer."""
    assert complaint(written(tmp_path, decision("print(1)"))).startswith(":2: a policy prints nothing")


@pytest.mark.parametrize(
    "head",
    [
        "import random",
        "from random import random",
        "import numpy.random",
        "from numpy import random",
        "import secrets",
        "from secrets import randbelow",
        "import numpy.random as chance",
        "from numpy.random import randint",
    ],
)
def test_chance_comes_from_rng_alone(tmp_path, head):
    said = complaint(written(tmp_path, head + "\n" + decision("pass")))
    assert "chance comes from `rng` alone" in said


def test_numpys_chance_is_refused_as_well(tmp_path):
    said = complaint(written(tmp_path, decision("choice.coins = np.random.randint(2)")))
    assert "chance comes from `rng` alone" in said


def test_what_cannot_be_compiled_is_refused_with_its_line(tmp_path):
    said = complaint(written(tmp_path, decision("pass", "choice.coins = nothing_of_that_name")))
    assert said.startswith(":3: cannot compile `bid`: ")
    assert "nothing_of_that_name" in said


def test_an_unknown_field_of_a_seat_in_a_loop_is_refused_with_its_line(tmp_path):
    said = complaint(written(tmp_path, decision("for seat in table.seats:", "    choice.coins += seat.coin")))
    assert said.startswith(":3: ")
    assert "coin" in said


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (decision("yield 1"), "'bid' yields; a policy's functions answer in one go"),
        (decision("choice.coins = (yield)"), "'bid' yields"),
        (decision("yield from ()"), "'bid' yields"),
        (f"async {decision('pass')}", "'bid' is async; a decision is a plain function"),
        (
            f"def _f(n):\n    return 0 if n < 1 else _f(n - 1)\n\n\n{decision('choice.coins = _f(3)')}",
            "'_f' calls itself",
        ),
        (
            f"def _f(n):\n    return _g(n)\n\n\ndef _g(n):\n    return _f(n)\n\n\n{decision('_f(3)')}",
            "'_f' calls itself",
        ),
        (decision("bid(rules, table, own, rng, choice)"), "'bid' calls itself"),
    ],
)
def test_functions_that_do_not_end_in_one_go_are_refused(source, says, tmp_path):
    """Compiled they would crash the process."""
    assert says in complaint(written(tmp_path, source))


def test_helpers_may_call_each_other(tmp_path):
    helpers = "def _f(n):\n    return _g(n) + _g(n)\n\n\ndef _g(n):\n    return n\n\n\n"
    file = written(tmp_path, helpers + decision("choice.coins = _f(0)"))
    assert compile_policy(DEBRIUM, load_file(DEBRIUM, file))
