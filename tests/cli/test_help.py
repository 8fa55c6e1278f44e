"""Every command has --help with examples that work as printed; names get the nearest known one; --help is quick."""

from __future__ import annotations

import itertools
import re
import shlex
import time
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from cli import main
from policies import names
from sim.rules import load
from tests.cli.runner import answer, refusal, spawned, steelyard
from tests.support import DEBRIUM

COMMANDS = tuple(main.commands)


def examples(command: str) -> list[list[str]]:
    """The lines of a command's help that are commands, as words without the first."""
    text = answer(command, "--help") if command else answer("--help")
    found = [line.strip() for line in text.splitlines() if line.strip().startswith("steelyard ")]
    return [shlex.split(line)[1:] for line in found]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_an_example(command):
    assert examples(command)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_every_option_does(command):
    for param in main.commands[command].params:
        if isinstance(param, click.Option) and param.name != "help":
            assert param.help, param.name


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_terminal(command):
    assert max(map(len, answer(*filter(None, [command]), "--help").splitlines())) <= 100


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_shows_only_what_works(command):
    """A command is not shown before it works."""
    for words in examples(command):
        assert words[0] in COMMANDS


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_example_works_as_printed(command, tmp_path, monkeypatch):
    """In their order, in one folder; only the numbers of games are made small."""
    monkeypatch.chdir(tmp_path)
    few = {"STEELYARD_GAMES": "200"}
    for words in examples(command):
        for folder in (
            word for before, word in itertools.pairwise(words) if word[:5] == "runs/" and before != "--out"
        ):
            if not Path(folder).exists():  # by an earlier example
                answer("run", "debrium", "--out", folder, env=few)
        if words[0] == "bench" and "--games" not in words:
            words = [*words, "--games", "200"]
        small = ["200" if before == "--games" else word for before, word in zip(["", *words], words, strict=False)]
        result = steelyard(*small, env=few)
        assert result.exit_code == 0, (words, result.output)
        assert result.output


def test_help_answers_at_once():
    """The promise is 0.2 s; the bound leaves room for a busy machine, and the quickest of five counts."""
    taken = []
    for _ in range(5):
        started = time.perf_counter()
        done = spawned("run", "--help")
        taken.append(time.perf_counter() - started)
        assert done.returncode == 0
    assert min(taken) < 0.5


def test_without_a_command_help_is_shown():
    assert "Commands:" in steelyard().output


def test_the_version_is_told():
    assert re.fullmatch(r"steelyard, version \d+\.\d+\.\d+\n", answer("--version"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rnu", "debrium"], "unknown command 'rnu' (did you mean 'run'?); commands: ask, bench, compare"),
        (["compair"], "unknown command 'compair' (did you mean 'compare'?)"),
        (["run", "debriun"], "unknown game 'debriun' (did you mean 'debrium'?); known: book_festival, debrium"),
        (["rules", "chess"], "unknown game 'chess'; known: "),
        (["run", "debrium", "--polices", "greedy"], "--policies"),
        (["run", "debrium", "--policies", "gredy"], "unknown policy of debrium 'gredy' (did you mean 'greedy'?)"),
        (["run", "debrium", "--set", "mining_king_bonu=1"], "(did you mean 'mining_king_bonus'?)"),
        (["policies", "debrium", "prospectr"], "(did you mean 'prospector'?)"),
        (["report", "debriun"], "'debriun' is neither a game"),
        (["bench", "debriun"], "unknown game 'debriun' (did you mean 'debrium'?)"),
    ],
)
def test_a_misspelt_name_gets_the_nearest(arguments, says):
    assert says in refusal(*arguments)


def complete(*arguments: str, incomplete: str = "") -> list[str]:
    """What a shell offers."""
    found = ShellComplete(main, {}, "steelyard", "_STEELYARD_COMPLETE").get_completions(list(arguments), incomplete)
    return [item.value for item in found]


def test_a_shell_knows_commands_games_policies_and_rules():
    assert complete(incomplete="ru") == ["rules", "run"]
    assert "debrium" in complete("run", incomplete="deb")
    assert complete("run", "debrium", "--policies", incomplete="pro") == ["prospector"]
    assert complete("run", "debrium", "--policies", incomplete="greedy,ki") == ["greedy,king_racer"]
    assert complete("run", "debrium", "--set", incomplete="mining") == ["mining_king_bonus="]
    assert set(complete("policies", "debrium")) >= set(names(DEBRIUM))
    assert complete("report", incomplete="deb") == ["debrium"]
    assert complete("run", "debrium", "--seats") == ["shuffled", "fixed"]
    assert complete("run", "debrium", "--set") == [f"{key}=" for key in load("debrium").values]


def test_help_of_the_files_written_names_them(tmp_path):
    file = Path(tmp_path / "mine.py")
    result = steelyard("policies", "debrium", "--new", str(file))
    assert result.exit_code == 0
    assert str(file) in result.stderr
    assert file.is_file()
