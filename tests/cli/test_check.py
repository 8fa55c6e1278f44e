"""`policies --check`: under a fresh seed that can be given again, and whatever stands at the top of the file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policies.trial import try_import
from sim.errors import BadInput, RunFailed
from tests.cli.runner import refusal, steelyard
from tests.support import ROOT, outside

BID = "def bid(rules, table, own, rng, choice):\n    choice.coins = 0\n"
#: Bids too much in a game that depends on chance.
RARE = """
from sim.rng import below


def bid(rules, table, own, rng, choice):
    if below(rng, 50) == 0:
        choice.coins = own.coins + 1
"""
CASES = ROOT / "tests" / "policies" / "cases"


def written(folder: Path, source: str) -> str:
    path = folder / "mine.py"
    path.write_text(source)
    return str(path)


def checked(file: str, *words: str) -> tuple[int, str, str]:
    """The seed that a check tells, what it says of it, and its last line."""
    result = steelyard("policies", "debrium", "--check", file, *words)
    note = re.search(r"^note: its games are those of seed (\d+); --seed \1 plays them again$", result.stderr, re.M)
    assert note
    assert result.exit_code == 1
    return int(note[1]), note[0], result.stderr.splitlines()[-1]


def test_a_check_plays_under_a_fresh_seed_that_it_tells(tmp_path):
    file = written(tmp_path, RARE)
    first, second = checked(file), checked(file)
    assert first[0] != second[0]
    for seed, _, fault in (first, second):
        assert f"seed {seed})" in fault
    assert first[2] != second[2]
    assert checked(file, "--seed", str(first[0])) == first


def test_the_seed_of_a_check_is_for_checks():
    assert "--seed: does not apply to showing policies" in refusal("policies", "debrium", "--seed", "3")


@pytest.mark.parametrize("case", ["peeker", "envconst"])
def test_what_once_passed_is_refused_in_one_line(case):
    file = str(CASES / f"{case}.py")
    said = refusal("policies", "debrium", "--check", file)
    assert said.startswith(f"{file}:")
    assert refusal("run", "debrium", "--policies", file, "--games", "10") == said


@pytest.mark.parametrize(
    ("top", "says"),
    [
        (
            "from policies import Param\n\nPARAMS = (Param('x', True, False, 10**400, ''),)",
            "parameter 'x': needs numbers",
        ),
        (
            "from policies import Param\n\nPARAMS = (Param('x'),)",
            ":3: TypeError: Param.__init__() missing 4 required",
        ),
        ("X = 1 / 0", ":1: ZeroDivisionError: division by zero"),
        ("X = (0,) * 10**12", ":1: MemoryError"),
    ],
)
def test_constants_that_cannot_be_made_are_told_in_one_line(tmp_path, top, says):
    file = written(tmp_path, f"{top}\n\n\n{BID}")
    said = refusal("policies", "debrium", "--check", file)
    assert said.startswith(file)
    assert says in said


def test_constants_that_take_for_ever_are_given_up(tmp_path):
    file = written(tmp_path, f"X = 10**10**10\n\n\n{BID}")
    said = refusal("policies", "debrium", "--check", file, "--seconds", "3", code=1)
    assert said.startswith("policy 'mine': its constants were not worked out when the time was over; ")


def test_a_name_that_moves_the_cursor_is_shown(tmp_path):
    path = tmp_path / "m\x1b[2J.py"
    path.write_text(BID.replace("= 0", "= 99"))
    result = steelyard("policies", "debrium", "--check", str(path))
    assert result.exit_code == 1
    assert "\x1b" not in result.output + result.stderr
    assert result.stdout.startswith("m\\x1b[2J: compiles")


# The process of its own.


def test_a_folder_of_the_users_own_is_not_taken_for_ours(tmp_path, monkeypatch):
    for name in ("policies", "sim", "numpy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('not ours')")
    monkeypatch.chdir(tmp_path)
    try_import(outside(BID), 60)
    with pytest.raises(BadInput, match=r"^mine\.py:1: ZeroDivisionError: division by zero$"):
        try_import(outside(f"X = 1 / 0\n{BID}"), 60)


def test_what_ends_the_process_is_told():
    with pytest.raises(RunFailed, match=r"^policy 'mine': working out its constants ended Python \(code 7\)$"):
        try_import(outside(f"import os\nos._exit(7)\n{BID}"), 60)
