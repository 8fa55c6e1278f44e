"""What a line of words means: options with and without values, files by their endings, policies, completion."""

from __future__ import annotations

import io
import re
from pathlib import Path

import click
import pandas as pd
import pytest

from cli import main
from policies import names
from reports.metric_list import families
from reports.questions import of_game
from sim.game import load_game
from sim.rules import load
from tests.cli.runner import answer, document, refusal, steelyard
from tests.cli.test_help import complete
from tests.support import DEBRIUM, MIXED

FEW = ("--policies", "random_legal", "--games", "20")

BOOK_FESTIVAL = load_game("book_festival")

#: Every option of every command that takes a value.
VALUED = [
    (name, option.opts[0])
    for name, command in main.commands.items()
    for option in command.params
    if isinstance(option, click.Option) and not option.is_flag
]


# An option without its value.


def test_the_options_that_take_a_value_are_many():
    assert len(VALUED) > 60
    assert {("run", "--out"), ("sweep", "--vary"), ("ask", "--plot"), ("odds", "--stars")} <= set(VALUED)


@pytest.mark.parametrize(("command", "option"), VALUED)
@pytest.mark.parametrize("after", ["--json", "--no-such", "-q"])
def test_an_option_never_takes_the_next_one_as_its_value(command, option, after, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refusal(command, option, after)
    assert said == f"{option}: has no value: {after} follows; write {option}={after} if that is the value"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("command", "option"), VALUED)
def test_an_option_at_the_end_of_the_line_has_no_value(command, option):
    assert option in refusal(command, option)


def test_a_value_may_begin_with_a_hyphen_when_it_is_written_so():
    assert document("run", "debrium", *FEW, "--name=-x")["name"] == "-x"
    assert "is not in the range" in refusal("run", "debrium", "--seed", "-1")
    assert "starting_coins" in refusal("run", "debrium", "--set", "starting_coins=-1")


# Where a table goes.


def test_csv_to_standard_output_is_the_table_alone():
    words = ("run", "debrium", *FEW)
    frame = pd.read_csv(io.StringIO(answer(*words, "--csv", "-"))).set_index("metric")
    found = document(*words)["metrics"]
    assert set(frame.index) == set(found)
    assert frame.loc["score", "value"] == pytest.approx(found["score"]["mean"])


@pytest.mark.parametrize(
    ("words", "column"),
    [
        (["compare", "debrium", *FEW, "--set", "mining_king_bonus=0"], "difference"),
        (["sweep", "debrium", *FEW, "--vary", "mining_king_bonus=0,10"], "mining_king_bonus"),
    ],
)
def test_every_command_writes_its_table_to_standard_output(words, column, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.read_csv(io.StringIO(answer(*words, "--csv", "-")))
    assert column in frame.columns
    assert len(frame) > 50
    assert list(tmp_path.iterdir()) == []


def test_two_answers_on_standard_output_are_refused():
    for words in (("--csv", "-", "--json"), ("--json", "--csv", "-")):
        said = refusal("run", "debrium", *FEW, *words)
        assert said == "--json, --csv -: both are standard output; give one, or name a file"


@pytest.mark.parametrize("file", ["x.png", "x.CSVX", "x.json", "a.csv/x.svg", "x.csv.gz"])
def test_a_table_in_a_file_of_another_kind_is_refused(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refusal("run", "debrium", *FEW, "--csv", file)
    assert said.endswith(f"'--csv': {file}: name a file that ends in .csv, or - for standard output")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", ["x.csv", "-.svgz", "x", "x.svg.csv"])
def test_a_drawing_in_a_file_of_another_kind_is_refused(file):
    said = refusal("ask", "king-decides", *FEW, f"--plot={file}")
    assert said == f"--plot {file}: name a file that ends in .svg or .png"


def test_endings_are_the_same_in_capitals(tmp_path):
    table, vector, picture = (tmp_path / name for name in ("A.CSV", "b.SVG", "c.PNG"))
    answer("run", "debrium", *FEW, "--csv", str(table))
    answer("ask", "king-decides", *FEW, "--plot", str(vector))
    answer("ask", "king-decides", *FEW, "--plot", str(picture))
    assert table.read_text().startswith("metric,")
    assert "<svg" in vector.read_text()
    assert picture.read_bytes().startswith(b"\x89PNG")


# Long values.


@pytest.mark.parametrize(
    "words",
    [
        ["run", "debrium", "--set", "x" * 100_000],
        ["run", "debrium", "--set", "mining_king_bonus=" + "9" * 100_000],
        ["run", "debrium", "--policies", "x" * 100_000],
        ["run", "debrium", "--policies", "greedy," * 20_000],
        ["run", "debrium", "--games", "9" * 100_000],
        ["run", "debrium", "--seed", "x " * 50_000],
        ["run", "debrium", "--rules", "x" * 100_000],
        ["run", "debrium", "--csv", "x" * 100_000 + ".png"],
        ["run", "debrium", "--name", "x" * 100_000],
        ["run", "debrium", "--out", "--" + "x" * 100_000],
        ["run", "x" * 100_000],
        ["x" * 100_000],
        ["ask", "x" * 100_000],
        ["report", "x" * 100_000],
        ["sweep", "debrium", "--vary", "x" * 100_000],
    ],
)
def test_a_long_value_is_not_echoed_whole(words):
    assert len(refusal(*words)) < 3500


# The mixed policies and one's own.


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "with, commas" / "mine_own.py"
    file.parent.mkdir()
    answer("policies", "debrium", "--new", str(file))
    return file


def test_one_s_own_policy_is_drawn_among_the_mixed_ones(mine):
    found = document("run", "debrium", "--policies", f"mixed,{mine},random_legal", "--games", "300")
    assert [row["policy"] for row in found["policies"]] == [*MIXED, "mine_own", "random_legal"]
    assert found["line_up"] == "drawn"
    assert sum(row["win_rate"] > 0 for row in found["policies"]) > 8


def test_a_path_with_a_comma_is_one_policy(mine):
    found = document("run", "debrium", "--policies", f"greedy, {mine},greedy,{mine}", "--games", "20")
    assert [row["policy"] for row in found["policies"]] == ["greedy", "mine_own"]
    assert len(document("run", "debrium", "--policies", str(mine), "--games", "20")["policies"]) == 1


def test_what_mixed_cannot_be_joined_with_is_refused():
    assert refusal("run", "debrium", "--policies", "greedy,greedy,greedy,mixed") == (
        "--policies: mixed stands first: mixed,./mine.py adds to the policies that it draws from"
    )
    assert refusal("run", "debrium", "--policies", "mixed,greedy") == (
        "--policies: mixed has greedy already; each of its policies is drawn as often"
    )
    assert "unknown policy of debrium 'gredy'" in refusal("run", "debrium", "--policies", "mixed,gredy")
    assert "1 to 16 policies, not" in refusal(
        "run",
        "debrium",
        "--policies",
        "mixed," + ",".join(f"greedy:thrift={k}" for k in (0.5, 1.5, 2, 2.5, 3, 3.5, 4)),
    )


# Quiet.


def test_quiet_says_neither_notes_nor_progress(tmp_path):
    words = ("run", "debrium", *FEW, "--set", "mining_king_bonus=99")
    assert "note: mining_king_bonus = 99" in steelyard(*words).stderr
    for option in ("-q", "--quiet"):
        done = steelyard(*words, option)
        assert (done.exit_code, done.stderr) == (0, "")
        assert "random_legal" in done.stdout
    assert steelyard("policies", "debrium", "--new", str(tmp_path / "mine.py"), "-q").stderr == ""
    assert "--games" in refusal("run", "debrium", "--games", "0", "-q")


@pytest.mark.parametrize("command", main.commands)
def test_every_command_can_be_quiet(command):
    assert "-q, --quiet" in answer(command, "--help")


# Questions.


def test_a_question_of_the_other_game_is_told_as_such():
    said = refusal("ask", "leader-loss", "--game", "debrium")
    assert said.startswith("ask leader-loss: is a question of book_festival, not of debrium; of debrium: ")
    assert "unknown question" in refusal("ask", "leader-los", "--game", "debrium")


# Completion.


def test_a_shell_completes_policies_of_the_game_that_is_typed(tmp_path):
    assert set(complete("run", "book_festival", "--policies")) == {*names(BOOK_FESTIVAL), "mixed"}
    assert set(complete("run", "debrium", "--policies")) == {*names(DEBRIUM), "mixed"}
    assert complete("run", "book_festival", "--policies", incomplete="mixed,books") == ["mixed,bookseller"]
    assert complete("run", "--policies", incomplete="books") == ["bookseller"]
    assert complete("policies", "book_festival", incomplete="books") == ["bookseller"]
    assert complete("run", "book_festival", "--games", "20", "--set", incomplete="mvp_d") == ["mvp_draws="]
    (tmp_path / "own").mkdir()
    (tmp_path / "own.py").touch()
    (tmp_path / "own.txt").touch()
    assert complete("run", "debrium", "--policies", incomplete=f"greedy,{tmp_path}/ow") == [
        f"greedy,{tmp_path}/own/", f"greedy,{tmp_path}/own.py",
    ]  # fmt: skip
    assert complete("run", "debrium", "--policies", incomplete=f"{tmp_path}/none/x") == []


def test_a_shell_completes_questions_and_what_can_be_varied_and_shown():
    assert complete("ask", incomplete="leader") == ["leader-loss"]
    assert set(complete("ask", "--game", "debrium")) == {question.name for question in of_game("debrium")}
    assert complete("sweep", "debrium", "--vary", incomplete="mining_king") == ["mining_king_bonus="]
    assert complete("sweep", "debrium", "--vary", incomplete="debt_pen") == ["debt_penalty=", "debt_penalty+="]
    assert {f"{key}=" for key in load("book_festival").values} <= set(complete("sweep", "book_festival", "--vary"))
    known = {family.name for family in families("debrium")}
    assert set(complete("sweep", "debrium", "--metric")) == known
    assert "win_rate_by_policy" in known


def kinds(*arguments: str, incomplete: str = "") -> list[str]:
    """Of what kind a shell is told that its words are."""
    return [kind for _, kind in complete_items(*arguments, incomplete=incomplete)]


def complete_items(*arguments: str, incomplete: str = "") -> list[tuple[str, str]]:
    from click.shell_completion import ShellComplete

    found = ShellComplete(main, {}, "steelyard", "_X").get_completions(list(arguments), incomplete)
    return [(item.value, item.type) for item in found]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["run", "debrium", "--rules"], "file"),
        (["run", "debrium", "--csv"], "file"),
        (["run", "debrium", "--out"], "dir"),
        (["ask", "king-decides", "--plot"], "file"),
        (["sweep", "debrium", "--lineups"], "file"),
        (["policies", "debrium", "--check"], "file"),
        (["compare", "debrium", "--base"], "file"),
        (["compare", "runs/a"], "dir"),
        (["odds", "--from-run"], "dir"),
        (["report", "debrium", "--out"], "dir"),
    ],
)
def test_a_shell_is_left_to_complete_files_and_folders(words, kind):
    assert kinds(*words, incomplete="ru") == [kind]


def test_a_shell_offers_games_before_folders():
    assert complete_items("report", incomplete="deb") == [("debrium", "plain")]
    assert complete_items("report", incomplete="runs/") == [("runs/", "dir")]
    assert complete_items("run", incomplete="runs/") == []


def test_a_shell_is_told_nothing_of_what_is_wrong_so_far():
    """A completion that fails writes a traceback into the line that is being typed."""
    assert complete("rnu", "debrium") == complete()
    assert complete("run", "debrium", "--out", "--rows", "--policies", incomplete="gree") == ["greedy"]


def test_an_unknown_option_still_names_the_nearest():
    assert re.search(r"--quie.*--quiet", refusal("run", "debrium", "--quie"))
