"""The designer's questions and the MVP lottery on the command line."""

from __future__ import annotations

import functools

import pytest

from policies import load
from reports.answers import answer_text
from reports.questions import QUESTIONS, answer
from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.rules import load as load_rules
from sim.run import play
from sim.store import Played, played
from tests.cli.runner import answer as said
from tests.cli.runner import document, refusal

FEW = ("--games", "1k", "--policies", "random_legal")


@functools.cache
def games(game: str) -> Played:
    """A short run of random_legal in the game's fullest variant."""
    settings = ["expansion=true"] if game == "debrium" else ["extension=true"]
    policy = load(load_game(game), "random_legal")
    batch = Batch(game, load_rules(game, sets=settings), LineUp((policy,) * 4, "fixed"), 5)
    return played(batch, play(batch, 2000, 2))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{q.game}-{q.name}")
def test_every_question_is_answered_in_a_sentence_with_intervals(question):
    found = answer(question, games(question.game))
    assert found.sentence.endswith(".")
    assert found.sentence.count("±") == question.sentence.count("{")
    assert found.half_width >= 0
    for key, _, _ in question.tables:
        assert len(found.tables[key]) > 0, key
    assert any("Measured on 2,000 games" in str(part) for part in answer_text(found, []))


def test_without_a_name_the_questions_are_listed():
    text = said("ask")
    assert [row["question"] for row in document("ask")] == [question.name for question in QUESTIONS]
    assert all(question.name in text for question in QUESTIONS)


def test_leader_loss_has_the_promised_keys():
    found = document("ask", "leader-loss", *FEW)
    promised = {"question", "answer", "value", "half_width", "games", "by_margin", "method"}
    assert promised <= set(found)
    assert found["method"] == "exact-lottery"
    assert all(set(row) >= {"margin", "games", "loses"} for row in found["by_margin"])
    assert sum(row["games"] for row in found["by_margin"]) == found["games"] == 1000
    assert [row["mvp_draws"] for row in found["by_draws"]] == [1, 3, 5, 10, 20, 30]
    losses = [row["value"] for row in found["by_draws"]]
    assert losses[0] > losses[-1]


def test_a_question_of_both_games_is_asked_with_the_game():
    assert "--game" in refusal("ask", "seat-advantage")
    assert document("ask", "seat-advantage", "--game", "debrium", *FEW)["game"] == "debrium"


def test_a_misspelt_question_gets_the_nearest():
    assert "did you mean 'leader-loss'" in refusal("ask", "leader-los")


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_an_answer_is_drawn(tmp_path, ending):
    file = tmp_path / f"seats{ending}"
    said("ask", "burst-rate", *FEW, "--plot", str(file))
    assert file.stat().st_size > 1000


def test_a_drawing_needs_a_known_ending(tmp_path):
    assert "--plot" in refusal("ask", "burst-rate", *FEW, "--plot", str(tmp_path / "seats.gif"))


def test_the_lottery_is_told_with_the_promised_keys():
    found = document("odds", "--stars", "20,16,12,8", "--draws", "5", "--tie", "redraw")
    keys = {"stars", "draws", "tie", "chances", "leader_loses", "tied_for_first", "leader_tied_for_first"}
    assert keys <= set(found)
    assert sum(found["chances"]) == pytest.approx(1)
    assert found["tied_for_first"] == pytest.approx(0.341, abs=5e-4)
    assert found["leader_tied_for_first"] == pytest.approx(0.237, abs=5e-4)


def test_the_lottery_of_a_run_takes_its_mean_stars_and_rules(tmp_path):
    run = str(tmp_path / "run")
    said("run", "book_festival", *FEW, "--set", "mvp_draws=7", "--set", "mvp_tie=shared", "--out", run)
    found = document("odds", "--from-run", run)
    assert (found["draws"], found["tie"], len(found["stars"])) == (7, "shared", 4)
    assert found["stars"] == sorted(found["stars"], reverse=True)
    assert document("odds", "--from-run", run, "--draws", "3")["draws"] == 3


def test_odds_are_of_one_kind():
    assert "say which odds" in refusal("odds", "--stars", "1,2", "--bursts")
    assert "--stars" in refusal("odds", "--stars", "3,-1")
