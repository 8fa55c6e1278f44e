"""A policy that breaks a rule ends the run with 1 and one line: who, where, which rule, and what shows the game."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.runner import interrupted, refusal, spawned, steelyard
from tests.support import tuned

HEAD = "def {}(rules, table, own, rng, choice):\n    if table.round_number == 2:\n"

WRONG = {
    "more coins than it holds": ("bid", "choice.coins = own.coins + 1", "; a bid is a whole number from 0 to "),
    "less than nothing": ("bid", "choice.coins = -1", "answers coins -1;"),
    "half a coin": ("bid", "choice.coins = 2.5", "answers coins 2.5;"),
    "no number": ("bid", "choice.coins = 1e308 * 10 - 1e308 * 10", "answers coins nan;"),
    "no end": ("bid", "choice.coins = 1e308 * 10", "answers coins inf;"),
    "another action": ("turn", "choice.action = 2", "chooses action 2"),
    "an occupied space": (
        "turn",
        "choice.action = 1; choice.placements = 2; choice.spaces[0] = 5; choice.spaces[1] = 5",
        "places on space 5, where workers stand already",
    ),
    "off the board": (
        "turn", "choice.action = 1; choice.placements = 1; choice.spaces[0] = 16", "a space that is not on the board",
    ),
    "a skill without a company": ("turn", "choice.skill = 1", "uses a skill without a company"),
    "more placements than can be": ("turn", "choice.action = 1; choice.placements = 13", "answers placements 13;"),
    "an index beyond": ("turn", "choice.spaces[table.round_number * 50] = 1", "IndexError"),
    "an index before": ("turn", "own.memory[-table.round_number * 500] = 1", "IndexError"),
    "a changed table": ("bid", "table.pool += 1", "changes a record that it may only read"),
    "changed rules": ("bid", "rules.mining_king_bonus = 99", "changes a record that it may only read"),
    "changed coins": ("bid", "own.coins = 99", "changes a record that it may only read"),
    "a division by zero": ("bid", "choice.coins = 1 / (table.round_number - 2)", "ZeroDivisionError: division"),
    "an exception of its own": ("bid", "raise ValueError('tea is out')", "ValueError: tea is out"),
}  # fmt: skip


def written(folder: Path, decision: str, line: str, name: str = "wrong.py") -> Path:
    path = folder / name
    path.write_text(HEAD.format(decision) + f"        {line}\n")
    return path


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_answer_ends_the_run_with_the_trace_that_shows_it(what, tmp_path):
    decision, line, rule = WRONG[what]
    path = written(tmp_path, decision, line)
    line_up = f"{path},random_legal,random_legal,random_legal"
    said = refusal("run", "debrium", "--policies", line_up, "--games", "3000", "--seed", "5", code=1)
    fault, _, hint = said.partition("; see it with: steelyard ")
    found = re.match(r"policy 'wrong' \(game (\d+), round 2, seat [0-3], decision '(\w+)', seed 5\): ", fault)
    assert found
    assert found[2] == decision
    assert rule in fault
    shown = steelyard(*shlex.split(hint), "--json")
    assert shown.exit_code == 1
    assert shown.stderr.splitlines()[-1] == f"steelyard: {fault}"
    events = [json.loads(event) for event in shown.stdout.splitlines()]
    assert events[0]["index"] == int(found[1])
    assert events[-1]["event"] != "end"


@pytest.mark.parametrize("name", ["mine.py", "my own.py"])
def test_the_hint_leads_to_the_same_game_whatever_was_set(tmp_path, name):
    path = written(tmp_path, "bid", "choice.coins = 99", name=name)
    words = ["--policies", f"{path},greedy,{tuned('prospector', 2)}", "--players", "3", "--set", "starting_coins=4"]
    words += ["--set", "expansion=true", "--set", "companies=red,blue,green", "--seats", "fixed"]
    said = refusal("run", "debrium", *words, "--games", "10", code=1)
    fault, _, hint = said.partition("; see it with: steelyard ")
    shown = steelyard(*shlex.split(hint))
    assert shown.exit_code == 1
    assert shown.stderr.splitlines()[-1] == f"steelyard: {fault}"


def test_the_first_game_with_a_fault_is_told_for_any_number_of_threads(tmp_path):
    source = "def bid(rules, table, own, rng, choice):\n    if table.level[0] == 4 and table.level[1] == 4:\n"
    path = tmp_path / "wrong.py"
    path.write_text(source + "        choice.coins = 99\n")
    said = {
        refusal("run", "debrium", "--policies", str(path), "--games", "20k", "--threads", threads, code=1)
        for threads in ("1", "2", "4")
    }
    assert len(said) == 1


def test_a_comparison_names_the_game_of_the_variant_that_failed(tmp_path):
    path = written(tmp_path, "bid", "choice.coins = 99 if rules.mining_king_bonus == 3 else 0")
    words = ("--policies", str(path), "--set", "mining_king_bonus=3", "--games", "100")
    fault, _, hint = refusal("compare", "debrium", *words, code=1).partition("; see it with: steelyard ")
    assert "--set mining_king_bonus=3" in hint
    assert steelyard(*shlex.split(hint)).stderr.splitlines()[-1] == f"steelyard: {fault}"


PICKY = """
from policies import Param

PARAMS = (Param("pick", 1.0, 0.0, 9.0, "what it does not like"),)


def bid(rules, table, own, rng, choice):
    if own.param[0] > 5:
        choice.coins = 99
"""


def test_a_sweep_names_the_game_of_the_cell_that_failed(tmp_path):
    path = tmp_path / "picky.py"
    path.write_text(PICKY)
    words = ("--vary", "picky.pick=2,7.125,8", "--policies", str(path), "--games", "100")
    said = refusal("sweep", "debrium", *words, code=1)
    fault, _, hint = said.partition("; see it with: steelyard ")
    assert hint.count("picky.py:pick=7.125") == 4
    shown = steelyard(*shlex.split(hint))
    assert shown.exit_code == 1
    assert shown.stderr.splitlines()[-1] == f"steelyard: {fault}".replace("'picky'", "'picky:pick=7.125'")


def test_a_check_names_the_clause_that_is_broken(tmp_path):
    path = written(tmp_path, "bid", "choice.coins = 99")
    result = steelyard("policies", "debrium", "--check", str(path), "--seed", "7")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["wrong: compiles; its decisions are the game's and its fields exist"]
    fault = result.stderr.splitlines()[-1]
    assert re.match(r"steelyard: policy 'wrong' \(game 0, round \d, seat \d, decision 'bid', seed 7\)", fault)


def test_a_process_ends_with_1_and_no_traceback(tmp_path):
    path = written(tmp_path, "bid", "choice.coins = 99")
    done = spawned("run", "debrium", "--policies", str(path), "--games", "100")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("steelyard: policy 'wrong'")


# Policies that never return.

STUCK = """
def bid(rules, table, own, rng, choice):
    while table.level[0] == 3 and table.level[1] == 3 and table.level[2] == 3:
        choice.coins = 0
"""


def test_a_check_of_a_policy_that_never_returns_gives_up(tmp_path):
    (tmp_path / "stuck.py").write_text(STUCK)
    done = spawned("policies", "debrium", "--check", str(tmp_path / "stuck.py"), "--seconds", "8")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert re.search(
        r"^steelyard: policy 'stuck' \(game \d+, .*\): was still at it when the time was over; given up$",
        done.stderr,
        re.MULTILINE,
    )


def test_ctrl_c_ends_a_run_that_never_returns(tmp_path):
    path = tmp_path / "stuck.py"
    path.write_text(STUCK)
    words = ["run", "debrium", "--policies", str(path), "--games"]
    done, taken = interrupted(*words, "100M", warm=[*words, "1"])
    assert done.returncode == 130
    assert taken < 5
    assert "Traceback" not in done.stderr
    assert "stuck" in done.stderr
