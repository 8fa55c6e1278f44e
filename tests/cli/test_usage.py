"""Bad usage and bad input end with 2 and one line that names what is wrong and what is allowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sim.rules import to_toml
from tests.cli.runner import answer, document, refusal, spawned, steelyard
from tests.support import DEBRIUM, batch

FEW = ("--policies", "random_legal", "--games", "20")


@pytest.mark.parametrize(
    ("text", "count"),
    [("7", 7), ("0.2k", 200), ("2k", 2000), ("1e3", 1000), ("1.5e3", 1500), ("1_000", 1000), ("2K", 2000)],
)
def test_counts_are_numbers_with_or_without_a_unit(text, count):
    assert document("run", "debrium", "--policies", "random_legal", "--games", text)["games"] == count


def test_counts_take_200000_200k_2m_and_1e6():
    from reports.terminal import Count

    known = {"200000": 200_000, "200k": 200_000, "2M": 2_000_000, "1e6": 1_000_000, "1g": 10**9, "1e12": 10**12}
    assert {text: Count().convert(text, None, None) for text in known} == known


@pytest.mark.parametrize(
    "text", ["0", "-5", "", "x", "1.5", "2T", "1e13", "1e99", "nan", "inf", "0x10", "1 000", "k", "1e-3", "9" * 400]
)
def test_a_count_that_is_none_is_refused(text):
    said = refusal("run", "debrium", f"--games={text}")
    assert "--games" in said
    assert "is not a count from 1 to 1e12, such as 200000, 200k, 2M or 1e6" in said


@pytest.mark.parametrize("players", ["2", "5", "0", "-1", "1000000000000000000000"])
def test_players_that_a_game_does_not_seat_are_refused(players):
    said = refusal("run", "debrium", f"--players={players}", *FEW)
    assert "players" in said
    assert "3 to 4" in said


@pytest.mark.parametrize("line_up", ["greedy,greedy", "greedy,greedy,greedy", ",".join(["greedy"] * 5)])
def test_as_many_policies_as_players_or_one(line_up):
    """An unknown or missing player is never dropped silently."""
    said = refusal("run", "debrium", "--policies", line_up)
    assert said == f"--policies: {line_up.count(',') + 1} given for 4 players; give 4, or one for all seats"


@pytest.mark.parametrize("line_up", ["", ",,,", "greedy,,greedy,greedy"])
def test_an_empty_word_among_policies_is_refused(line_up):
    assert "unknown policy of debrium" in refusal("run", "debrium", "--policies", line_up)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run"], "GAME"),
        (["run", "debrium", "more"], "more"),
        (["run", "debrium", "--games"], "--games"),
        (["run", "debrium", "--seed", "x"], "--seed"),
        (["run", "debrium", "--seed", "-1"], "--seed"),
        (["run", "debrium", "--seed", str(2**63)], "--seed"),
        (["run", "debrium", "--threads", "0"], "--threads"),
        (["run", "debrium", "--seats", "round"], "shuffled"),
        (["run", "debrium", "--set", "mining_king_bonus"], "write it as key=value"),
        (["run", "debrium", "--set", "mining_king_bonus=ten"], "mining_king_bonus"),
        (["run", "debrium", "--set", "tie=both"], "tie"),
        (["run", "debrium", "--set", "tie=order", "--set", "tie=shared"], "tie is given twice"),
        (["run", "debrium", "--players", "3", "--set", "players=4"], "give it once"),
        (["run", "debrium", "--rules", "no-such-file.toml"], "no-such-file.toml"),
        (["run", "debrium", "--name", "a\nb"], "--name"),
        (["trace", "debrium", "--game", "-1"], "--game"),
        (["trace", "debrium", "--game", "x"], "--game"),
        (["odds"], "say which odds"),
        (["odds", "--bursts", "--labels", "0"], "--labels"),
        (["odds", "--bursts", "--copies", "1"], "--copies"),
        (["odds", "--bursts", "--shown", "5"], "'5' is no column (1 to 4) and no row (A to D)"),
        (["odds", "--bursts", "--shown", "2,2"], "a chip stands twice"),
        (["compare", "debrium"], "have the same rules"),
        (["compare", "debrium", "--set", "mining_king_bonus=15"], "have the same rules"),
        (["report", "no/such/run"], "neither a game (book_festival, debrium"),
        (["policies", "debrium", "--new", "mine.txt"], "--new mine.txt"),
        (["policies", "debrium", "--check", "no-such-file.py"], "no-such-file.py"),
        (["rules", "debrium", "--check", "no-such-file.toml"], "no-such-file.toml"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(arguments, says):
    assert says in refusal(*arguments)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["odds", "--stars", "3,2", "--labels", "9"], "--labels: does not apply to the MVP lottery"),
        (["odds", "--stars", "3,2", "--rounds", "10"], "--rounds: does not apply to the MVP lottery"),
        (["odds", "--stars", "3,2", "--shown", "2"], "--shown: does not apply to the MVP lottery"),
        (["odds", "--from-run", "somewhere", "--copies", "2"], "--copies: does not apply to the MVP lottery"),
        (["odds", "--bursts", "--draws", "5"], "--draws: does not apply to --bursts"),
        (["odds", "--bursts", "--tie", "redraw"], "--tie: does not apply to --bursts"),
        (["rules", "debrium", "--toml", "--json"], "--json: does not apply to --toml"),
        (["rules", "debrium", "--rules", "a.toml", "--check", "b.toml"], "--rules: does not apply to --check"),
        (["policies", "debrium", "prospector", "--new", "mine.py"], "policy: does not apply to --new"),
        (["policies", "debrium", "--new", "a.py", "--check", "b.py"], "--check: does not apply to --new"),
        (["policies", "debrium", "prospector", "--check", "mine.py"], "policy: does not apply to --check"),
        (["policies", "debrium", "--check", "mine.py", "--json"], "--json: does not apply to --check"),
        (["policies", "debrium", "--seconds", "5"], "--seconds: does not apply to showing policies"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(arguments, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal(*arguments) == says
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["run", "compare", "rules", "trace", "report"])
def test_a_rules_file_that_is_wrong_is_named_with_its_key(command, tmp_path):
    file = tmp_path / "wrong.toml"
    file.write_text("mining_king_bonus = 2.5\n")
    said = refusal(command, "debrium", "--rules", str(file))
    assert "wrong.toml" in said
    assert "mining_king_bonus" in said


def test_out_is_refused_before_anything_is_played(tmp_path):
    (tmp_path / "old.txt").write_text("mine")
    said = refusal("run", "debrium", "--games", "1e12", "--out", str(tmp_path))
    assert "is neither empty nor holds a run to go on with" in said


def test_a_folder_is_gone_on_with_to_more_games_and_not_to_fewer(tmp_path):
    words = ("run", "debrium", "--policies", "random_legal", "--out", str(tmp_path / "run"), "--games")
    assert "1,500 games" in answer(*words, "1500")
    assert "2,500 games · seed 1" in answer(*words, "2500")
    said = refusal(*words, "2k", code=1)
    assert said == (
        f"{tmp_path / 'run'} holds 2500 games, more than --games 2000; ask for at least 2500, or name another folder"
    )
    assert "(2,500 were on disk)" in answer(*words, "2500")


def test_a_csv_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path, tmp_path / "file" / "table.csv"):
        assert str(path) in refusal("run", "debrium", *FEW, "--csv", str(path))


def test_a_process_ends_with_2_and_no_traceback(tmp_path):
    (tmp_path / "file").write_text("mine")
    for arguments in (
        ["run", "debriun"],
        ["run", "debrium", "--games", "0"],
        ["run", "debrium", "--policies", "greedy,greedy"],
        ["run", "debrium", "--out", str(tmp_path)],
        ["run", "debrium", "--out", str(tmp_path / "file" / "run"), *FEW],
    ):
        done = spawned(*arguments)
        assert done.returncode == 2, done.stderr
        assert done.stdout == ""
        assert done.stderr.startswith("steelyard: ")
        assert done.stderr.count("\n") == 1


def test_what_a_stranger_wrote_cannot_move_the_cursor(tmp_path):
    """Control characters of a wrong word are shown, not sent."""
    file = tmp_path / "a\x1b[2Jb.toml"
    file.write_text("x = 1\n")
    for arguments in (
        ["run", "debrium", "--set", "\x1b[2Jking=1"],
        ["run", "debrium", "--rules", str(file)],
        ["run", "debrium", "--policies", "\x1b[2J"],
        ["run", "\x1b[2J"],
        ["\x1b[2J"],
        ["run", "debrium", "--policies", str(tmp_path / "\x1b[2J.py")],
        ["report", "\x1b[2J"],
    ):
        result = steelyard(*arguments)
        assert result.exit_code == 2
        assert "\x1b" not in result.stderr, arguments


# Rules.


def test_a_setting_wins_over_the_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("mining_king_bonus = 5\nstarting_coins = 7\n")
    shown = document("rules", "debrium", "--rules", str(file), "--set", "mining_king_bonus=9")["rules"]
    assert shown["mining_king_bonus"]["value"] == 9
    assert shown["starting_coins"]["value"] == 7
    assert shown["mining_king_bonus"]["provenance"] == "changed"


def test_toml_goes_round(tmp_path):
    """What `--toml` prints is a rules file with the same rules."""
    settings = ["--set", "mining_king_bonus=9", "--set", "expansion=true", "--players", "3", "--name", "Mine"]
    text = answer("rules", "debrium", *settings, "--toml")
    file = tmp_path / "mine.toml"
    file.write_text(text)
    assert answer("rules", "debrium", "--rules", str(file), "--toml") == text
    expected = document("rules", "debrium", *settings)
    assert document("rules", "debrium", "--rules", str(file)) == expected
    assert answer("rules", "debrium", "--toml") == to_toml(batch().rules)


def test_a_rules_file_is_checked_and_its_changes_are_told(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("mining_king_bonus = 9\n")
    assert answer("rules", "debrium", "--check", str(file)) == f"{file}: good; changes mining_king_bonus = 9\n"


def test_rules_say_value_source_range_and_meaning_of_every_key():
    shown = answer("rules", "debrium")
    data = document("rules", "debrium")["rules"]
    assert set(data) == set(batch().rules.values)
    assert document("rules", "debrium")["readings"] == batch().rules.readings()
    assert all(line in " ".join(shown.split()) for line in batch().rules.readings())
    for key, rule in data.items():
        assert key in shown
        assert rule["provenance"] in ("rulebook", "assumed", "reading")
        assert set(rule) == {"value", "default", "provenance", "plausible", "allowed", "unit", "meaning"}


def test_notes_are_on_standard_error_and_stop_nothing():
    """A value outside its plausible range is accepted with a note."""
    result = steelyard("run", "debrium", "--set", "mining_king_bonus=99", *FEW, "--json")
    assert result.exit_code == 0
    assert result.stderr.startswith("note: mining_king_bonus = 99 is outside its plausible range")
    assert "note" not in result.stdout


@pytest.mark.parametrize(
    ("variable", "text", "key", "expected"),
    [
        ("STEELYARD_GAMES", "1.2k", "games", 1200),
        ("STEELYARD_PLAYERS", "3", "players", 3),
        ("STEELYARD_SEED", "42", "seed", 42),
        ("STEELYARD_SEATS", "fixed", "line_up", "fixed"),
    ],
)
def test_environment_variables_set_defaults(variable, text, key, expected):
    base = {"STEELYARD_GAMES": "20", "STEELYARD_POLICIES": "random_legal", "STEELYARD_THREADS": "1"}
    found = document("run", "debrium", env={**base, variable: text})
    assert found[key] == expected
    assert [policy["policy"] for policy in found["policies"]] == ["random_legal"]


def test_an_option_wins_over_the_environment():
    assert document("run", "debrium", *FEW, env={"STEELYARD_GAMES": "50"})["games"] == 20


def test_what_is_typed_wins_over_the_environment():
    assert document("run", "debrium", *FEW, "--set", "players=4", env={"STEELYARD_PLAYERS": "3"})["players"] == 4
    said = refusal("run", "debrium", *FEW, "--dask", "udp://nowhere", env={"STEELYARD_THREADS": "2"})
    assert "--dask udp://nowhere" in said
    words = ("run", "debrium", *FEW, "--threads", "1")
    assert document(*words, env={"STEELYARD_DASK": "nowhere:1"})["games"] == 20
    assert "--threads, --dask: give one" in refusal(*words, "--dask", "nowhere:1")
    assert "--set: players is given by --players as well" in refusal(
        "run", "debrium", *FEW, "--players", "3", "--set", "players=4"
    )


def test_a_reports_command_tells_what_the_environment_has_set(tmp_path):
    env = {"STEELYARD_GAMES": "40", "STEELYARD_SEED": "9", "STEELYARD_PLAYERS": "3", "STEELYARD_THREADS": "2"}
    words = ("report", "debrium", "--policies", "random_legal", "--set", "players=4", "--out", str(tmp_path))
    steelyard(*words, env=env)
    page = (tmp_path / "report.md").read_text()
    assert "--seed 9" in page
    assert "--games 40" in page
    assert "--players 3" not in page
    assert "--threads" not in page


@pytest.mark.parametrize(("setting", "runs"), [("expansion=false", 2), ("players=4", 2), ("tie=shared", 4)])
def test_a_report_plays_no_variant_twice(setting, runs, tmp_path):
    answer(
        "report", "debrium", "--policies", "random_legal", "--games", "40", "--set", setting, "--out", str(tmp_path)
    )
    assert len((tmp_path / "tables" / "runs.csv").read_text().splitlines()) == 1 + runs


def test_a_report_leaves_nothing_of_another_in_its_folder(tmp_path):
    words = ("report", "debrium", "--policies", "random_legal", "--games", "40")
    answer(*words, "--out", str(tmp_path / "used"))
    mine = tmp_path / "used" / "charts" / "mine.svg"
    mine.write_text("kept")
    listed = tmp_path / "used" / "files.txt"
    listed.write_text(f"{listed.read_text()}../../mine.svg\nrules/../../mine.svg\n")
    (tmp_path.parent / "mine.svg").write_text("kept")
    for folder in ("used", "new"):
        answer(*words, "--set", "expansion=false", "--players", "3", "--out", str(tmp_path / folder))
    used, new = ({path.relative_to(f) for path in f.rglob("*.*")} for f in (tmp_path / "used", tmp_path / "new"))
    assert used == new | {Path("charts/mine.svg")}
    assert (tmp_path.parent / "mine.svg").exists()


def test_a_wrong_environment_variable_is_refused():
    assert "--games" in refusal("run", "debrium", env={"STEELYARD_GAMES": "many"})


def test_all_policies_are_listed():
    from policies import names

    assert [policy["policy"] for policy in document("policies", "debrium")] == list(names(DEBRIUM))


def test_control_characters_of_a_file_name_do_not_reach_the_terminal():
    done = spawned("compare", "no\x1b[31m", "such")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert "no\\x1b[31m" in done.stderr


def test_the_list_of_questions_refuses_what_says_nothing_to_it():
    assert "--plot: does not apply to the list of questions" in refusal("ask", "--plot", "x.svg")


def test_a_parameter_that_is_given_twice_is_refused():
    assert "thrift is given twice" in refusal("run", "debrium", "--policies", "greedy:thrift=0.5:thrift=0.6")


def test_parts_of_a_whole_have_their_extremes_in_per_cent():
    text = answer("run", "book_festival", "--policies", "random_legal", "--games", "200", "--all")
    lines = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert lines["win"].split()[-7:-3] == ["0", "%", "100", "%"]
    assert re.search(r"share +25\.0 \([\d.]+ to [\d.]+\) % +[\d.]+ % +[\d.]+ %  share of stars", lines["share"])
    assert "nan" not in text
