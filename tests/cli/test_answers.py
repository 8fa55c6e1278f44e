"""What commands answer: JSON documents with the promised keys, tables of at most 100 columns, CSV, nothing else."""

from __future__ import annotations

import io
import json
import math
import re
from fractions import Fraction

import pandas as pd
import pytest

from sim.debrium.exact import loss_chance
from sim.precision import LEAST_COUNTED
from sim.run import play
from tests.cli.runner import answer, document, refusal, steelyard
from tests.support import MIXED, batch, tuned, value

FEW = ("--games", "2k", "--seed", "3")
FOUR = ("--policies", "prospector,greedy,never_bids,random_legal")

#: Key by key what docs promise of `run --json`.
RUN_KEYS = {
    "game", "rules_version", "players", "games", "seed", "seconds", "games_per_second", "policies", "seats",
    "companies", "metrics", "assumptions", "stalled",
}  # fmt: skip


@pytest.fixture(scope="module")
def run() -> dict:
    return document("run", "debrium", *FEW, *FOUR, "--set", "expansion=true")


INTERVAL = ("half_width", "low", "high", "counted")


def test_a_run_has_the_promised_keys(run):
    assert set(run) >= RUN_KEYS
    assert set(run) - RUN_KEYS == {"name", "rules", "line_up", "has_precision", "versions", "readings"}
    assert all(
        set(row) == {"policy", "win_rate", *INTERVAL, "mean_score", "mean_score_half_width"}
        for row in run["policies"]
    )
    assert all(set(row) == {"seat", "win_rate", *INTERVAL} for row in run["seats"])
    assert all(set(row) == {"name", "win_rate", *INTERVAL} for row in run["companies"])
    assert all(set(row) == {"mean", *INTERVAL, "min", "max"} for row in run["metrics"].values())


def test_a_run_says_what_was_played(run):
    assert (run["game"], run["players"], run["games"], run["seed"], run["stalled"]) == ("debrium", 4, 2000, 3, 0)
    assert [row["policy"] for row in run["policies"]] == FOUR[1].split(",")
    assert [row["seat"] for row in run["seats"]] == [0, 1, 2, 3]
    assert {row["name"] for row in run["companies"]} == {"red", "blue", "yellow", "green"}
    assert run["rules"]["expansion"] is True
    assert run["assumptions"] == batch(sets=["expansion=true"]).rules.assumptions()
    assert run["readings"] == batch(sets=["expansion=true"]).rules.readings()


def test_a_run_counts_what_the_simulator_counts(run):
    totals = play(batch(FOUR[1].split(","), sets=["expansion=true"], seed=3), 2000)
    for row in run["policies"]:
        assert row["win_rate"] == pytest.approx(value(totals, f"win_rate_by_policy[{row['policy']}]"))
        assert row["mean_score"] == pytest.approx(value(totals, f"score_by_policy[{row['policy']}]"))
        assert 0 < row["half_width"] < 0.05
    assert sum(row["win_rate"] for row in run["policies"]) == pytest.approx(1)
    assert sum(row["win_rate"] for row in run["seats"]) == pytest.approx(1)
    listed = zip(totals.layout.metrics, totals.sums, strict=True)
    counted = {metric.name for metric, sums in listed if not metric.is_label and sums[1]}
    assert run["metrics"].keys() == counted
    for name, row in run["metrics"].items():
        if row["mean"] is None:
            assert row["counted"] < LEAST_COUNTED
            assert row["half_width"] is row["low"] is row["high"] is None
        else:
            assert row["mean"] == pytest.approx(value(totals, name))


def test_a_run_without_companies_lists_none():
    assert document("run", "debrium", "--games", "50", "--policies", "random_legal")["companies"] == []


def test_the_same_seed_gives_the_same_document_but_for_time():
    documents = [document("run", "debrium", "--games", "1500", "--threads", threads) for threads in ("1", "2")]
    for each in documents:
        assert each.pop("seconds") > 0
        assert each.pop("games_per_second") > 0
    assert documents[0] == documents[1]
    assert [row["policy"] for row in documents[0]["policies"]] == list(MIXED)


def test_one_game_is_answered_without_an_interval():
    found = document("run", "debrium", "--games", "1", "--policies", "random_legal")
    assert found["games"] == 1
    assert found["metrics"]["score"]["half_width"] is None
    assert " 1 game ·" in answer("run", "debrium", "--games", "1", "--policies", "random_legal")


JSON_COMMANDS = {
    "games": ["games"],
    "rules": ["rules", "debrium"],
    "policies": ["policies", "debrium"],
    "a policy": ["policies", "debrium", "prospector"],
    "metrics": ["metrics", "debrium"],
    "run": ["run", "debrium", *FEW],
    "compare": ["compare", "debrium", *FEW, "--set", "mining_king_bonus=10"],
    "odds": ["odds", "--bursts"],
    "bench": ["bench", "debrium", "--games", "1k"],
}


@pytest.mark.parametrize("command", JSON_COMMANDS)
def test_json_is_one_document_and_no_other_text(command):
    text = answer(*JSON_COMMANDS[command], "--json")
    data = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert data


TABLES = {
    **{name: words for name, words in JSON_COMMANDS.items() if name != "bench"},
    "changed rules": ["rules", "debrium", "--set", "values_level_4=" + ",".join("5" * 10), "--set", "tie=order"],
    "compare much": ["compare", "debrium", *FEW, "--set", "expansion=true", "--set", "tie=order", "--most", "200"],
    "run of parameters": ["run", "debrium", *FEW, "--policies", tuned("prospector", 4)],
    "all of a run": ["run", "debrium", *FEW, "--all", "--assumptions"],
    "trace": ["trace", "debrium", "--set", "expansion=true"],
    "long name": ["run", "debrium", *FEW, "--name", "N" * 80],
    "odds of a board": ["odds", "--bursts", "--labels", "6", "--copies", "3", "--shown", "1,3,6,A,F"],
    "bench": ["bench", "debrium", "--games", "1k", "--threads", "4"],
    **{f"policy {name}": ["policies", "debrium", name] for name in MIXED},
}  # fmt: skip


@pytest.mark.parametrize("command", TABLES)
def test_no_line_is_wider_than_100_columns(command):
    text = answer(*TABLES[command])
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_table_cuts_no_name_short():
    """Every policy and every metric that ever happens stands in `run`'s tables in full."""
    text = answer("run", "debrium", *FEW, "--all")
    for name in (*MIXED, "bursts_column", "pool_left", "king_decided_if_king"):
        assert re.search(rf"^{name}\b", text, re.MULTILINE), name
    assert not re.search(r"^skill_pool_left\b", text, re.MULTILINE)
    assert "…" not in text


ASSUMING = {
    "run": ["run", "debrium", "--games", "50"],
    "ask": ["ask", "king-decides", "--games", "50"],
    "compare": ["compare", "debrium", "--games", "50", "--set", "mining_king_bonus=10"],
    "sweep": ["sweep", "debrium", "--games", "50", "--vary", "mining_king_bonus=5,10"],
}


@pytest.mark.parametrize("command", ASSUMING)
def test_a_result_names_what_it_rests_on_and_tells_the_values_when_asked(command):
    words = ASSUMING[command]
    keys = document(*words)["assumptions"]
    text, told = answer(*words), answer(*words, "--assumptions")
    assert all(line in " ".join(text.split()) for line in batch().rules.readings())
    said = f"Rests on {len(keys)} values that no source states beyond doubt (--assumptions lists them): "
    said += f"{', '.join(keys)}."
    assert said in " ".join(text.split())
    assert "How many coins each seat starts with." not in text
    lines = [line.split()[:2] for line in told.splitlines() if line.strip()]
    for key in keys:
        assert key in [line[0] for line in lines]
    assert ["starting_coins", "10"] in lines
    assert "How many coins each seat starts with." in told


def test_what_would_not_be_printed_is_refused():
    for option in ("--all", "--assumptions"):
        for beside in (["--json"], ["--csv", "-"]):
            for words in ([option, *beside], [*beside, option]):
                said = refusal("run", "debrium", "--games", "50", *words)
                assert said.startswith(f"{option}: does not apply to {' '.join(beside)};")


def test_a_run_begins_with_who_wins_and_tells_the_rest_when_asked():
    text, told = answer("run", "debrium", *FEW), answer("run", "debrium", *FEW, "--all")
    found = document("run", "debrium", *FEW)
    for rows, key in ((found["policies"], "policy"), (found["seats"], "seat")):
        order = [str(row[key]) for row in sorted(rows, key=lambda row: -row["win_rate"])]
        at = text.index(f"\n{key} ")
        assert [line.split()[0] for line in text[at:].splitlines()[2 : 2 + len(order)]] == order
    assert text.index("Policies") < text.index("Seats") < text.index("A game in numbers (")
    assert f"of {len(found['metrics'])} metrics; --all)" in text
    assert len(text.splitlines()) < 40 < len(told.splitlines())
    assert re.search(r"^king_decided ", text, re.MULTILINE)
    for only in ("What winners do", "pool_left", "king_margin"):
        assert only in told
        assert only not in text


def test_companies_come_before_seats_by_who_wins():
    words = ("run", "debrium", *FEW, "--set", "expansion=true")
    text, found = answer(*words), document(*words)["companies"]
    order = [row["name"] for row in sorted(found, key=lambda row: -row["win_rate"])]
    assert text.index("Policies") < text.index("Companies") < text.index("Seats")
    lines = [line.split()[0] for line in text[text.index("Companies") :].splitlines()[2:6]]
    assert lines == order


# Metrics.


@pytest.mark.parametrize("game", ["debrium", "book_festival"])
def test_metrics_are_listed_by_family_with_unit_and_meaning(game):
    found = document("metrics", game)
    text = answer("metrics", game)
    assert all(set(row) == {"name", "unit", "meaning", "metrics"} for row in found)
    assert all(row["unit"] and row["meaning"] for row in found)
    named = [name for row in found for name in row["metrics"]]
    assert len(named) == len(set(named))
    for row in found:
        assert re.search(rf"^{re.escape(row['name'])}(\[|  )", text, re.MULTILINE), row["name"]
    played = document("run", game, "--policies", "random_legal", "--games", "200")["metrics"]
    assert {name.replace("random_legal", "POLICY") for name in played} <= set(named)


def test_the_variants_name_is_in_the_output():
    assert "Tea Time" in answer("run", "debrium", "--games", "50", "--name", "Tea Time")
    assert document("run", "debrium", "--games", "50", "--name", "Tea Time")["name"] == "Tea Time"
    assert "mining_king_bonus=9" in answer("run", "debrium", "--games", "50", "--set", "mining_king_bonus=9")


def test_csv_holds_every_metric(tmp_path, run):
    file = tmp_path / "sub" / "metrics.csv"
    text = answer("run", "debrium", *FEW, *FOUR, "--set", "expansion=true", "--csv", str(file))
    assert "A game in numbers" in text
    frame = pd.read_csv(io.BytesIO(file.read_bytes())).set_index("metric")
    assert set(frame.index) == set(run["metrics"])
    for name, row in run["metrics"].items():
        mean = math.nan if row["mean"] is None else row["mean"]
        assert frame.loc[name, "value"] == pytest.approx(mean, nan_ok=True)
    assert not frame["unit"].isna().any()


def test_csv_of_a_comparison_holds_every_difference(tmp_path):
    words = ["compare", "debrium", *FEW, "--set", "mining_king_bonus=10"]
    file = tmp_path / "differences.csv"
    answer(*words, "--csv", str(file))
    frame = pd.read_csv(file)
    assert list(frame["metric"]) == [row["metric"] for row in document(*words)["differences"]]


def test_a_comparison_has_its_keys():
    found = document("compare", "debrium", *FEW, "--set", "mining_king_bonus=10", "--base-set", "expansion=true")
    assert set(found) == {
        "game", "rules_version", "base", "variant", "changed", "games", "blocks", "seed", "seconds", "differences",
        "assumptions", "readings",
    }  # fmt: skip
    assert found["changed"] == {"mining_king_bonus": {"base": 15, "variant": 10}}
    assert (found["games"], found["blocks"]) == (2000, 200)
    keys = {
        "metric", "base", "base_half_width", "variant", "difference", "half_width", "effect", "saved", "is_sure",
        "unit",
    }  # fmt: skip
    for row in found["differences"]:
        assert set(row) == keys
        assert row["difference"] == pytest.approx(row["variant"] - row["base"], abs=1e-9)


def test_a_comparison_shows_as_many_rows_as_asked():
    words = ["compare", "debrium", "--games", "20k", "--policies", "random_legal", "--set", "mining_king_bonus=0"]
    table = answer(*words, "--most", "3").split("What changed, biggest first\n")[1].split("\n\n")[0]
    assert len(table.splitlines()) == 1 + 3


# Traces.


def test_a_trace_is_json_lines_from_game_to_end():
    lines = answer("trace", "debrium", "--seed", "7", "--game", "812", "--json").splitlines()
    events = [json.loads(line) for line in lines]
    assert events[0]["event"] == "game"
    assert (events[0]["seed"], events[0]["index"], events[0]["players"]) == (7, 812, 4)
    assert events[-1]["event"] == "end"
    assert [event["round"] for event in events if event["event"] == "round"] == list(range(1, 11))


def test_a_trace_is_told_with_its_game_and_winner():
    words = ["trace", "debrium", *FOUR, "--seed", "7", "--game", "5"]
    text = answer(*words)
    end = json.loads(answer(*words, "--json").splitlines()[-1])
    assert "game 5" in text
    assert "seed 7" in text
    for policy in FOUR[1].split(","):
        assert policy in text
    for score in end["score"]:
        assert str(score) in text


def test_the_trace_of_game_k_is_game_k_of_the_run():
    """A run of three games is the three traces together."""
    scores = [
        json.loads(answer("trace", "debrium", *FOUR, "--game", str(k), "--json").splitlines()[-1])["score"]
        for k in range(3)
    ]
    found = document("run", "debrium", *FOUR, "--games", "3")
    assert found["metrics"]["score"]["mean"] == pytest.approx(sum(map(sum, scores)) / 12)
    assert found["metrics"]["score"]["min"] == min(map(min, scores))
    assert found["metrics"]["score"]["max"] == max(map(max, scores))


# Odds.


def test_burst_odds_are_the_chain_by_hand():
    """Four labels, two chips of each: no burst, 1/7, then from one or two on display, and so on."""
    found = document("odds", "--bursts", "--rounds", "3")
    assert found["by_round_exact"] == ["0", "1/7", "2/7"]
    assert found["expected_exact"] == "3/7"
    assert found["distribution"] == pytest.approx([4 / 7, 3 / 7])


def test_burst_odds_of_a_game_are_told_as_number_and_fraction():
    text = answer("odds", "--bursts")
    assert "1010853/420175" in text
    assert f"{1010853 / 420175:.6f}" in text
    found = document("odds", "--bursts")
    assert set(found) == {
        "labels", "copies", "rounds", "by_round", "by_round_exact", "expected", "expected_exact", "distribution",
    }  # fmt: skip
    assert found["expected_exact"] == "1010853/420175"
    assert [float(Fraction(x)) for x in found["by_round_exact"]] == pytest.approx(found["by_round"])
    assert sum(found["distribution"]) == pytest.approx(1)
    assert math.fsum(k * p for k, p in enumerate(found["distribution"])) == pytest.approx(found["expected"])


def test_a_boards_chances_follow_what_is_on_display():
    found = document("odds", "--bursts", "--shown", "2, 4,b")
    expected = [
        [float(loss_chance([0, 1, 0, 1], [0, 1, 0, 0], column, row, 2)) for column in range(4)] for row in range(4)
    ]
    assert found["loss"] == [pytest.approx(row) for row in expected]
    assert "Chance that workers there are lost" in answer("odds", "--bursts", "--shown", "2,4,B")


def test_nothing_on_display_is_a_board_as_well():
    assert document("odds", "--bursts", "--shown", "")["loss"] == [pytest.approx([1 / 16] * 4)] * 4


# Policies.


def test_a_policy_is_told_in_words_and_as_data():
    text = " ".join(answer("policies", "debrium", "prospector").split())
    found = document("policies", "debrium", "prospector")
    assert set(found) == {"policy", "summary", "decisions", "params"}
    for param in found["params"]:
        assert param["name"] in text
        assert param["meaning"] in text
    assert f"--policies {tuned('prospector', 1)}" in text


def test_a_new_policy_works_at_once(tmp_path):
    file = tmp_path / "mine.py"
    answer("policies", "debrium", "--new", str(file))
    found = steelyard("run", "debrium", "--policies", f"{file},greedy,greedy,greedy", "--games", "200", "--json")
    assert found.exit_code == 0
    assert json.loads(found.stdout)["policies"][0]["policy"] == "mine"
    assert "is code from outside the package and runs with your rights" in found.stderr
    assert "exists already" in refusal("policies", "debrium", "--new", str(file))


def test_games_are_listed_with_seats_and_decisions():
    (found,) = [each for each in document("games") if each["game"] == "debrium"]
    assert found["players"] == [3, 4]
    assert list(found["decisions"]) == ["bid", "turn", "extra"]
    text = answer("games")
    assert "debrium" in text
    assert "3 to 4 players" in text
