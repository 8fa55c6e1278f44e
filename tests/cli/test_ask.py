"""The designer's questions and the MVP lottery on the command line."""

from __future__ import annotations

import functools
import re

import pytest

from policies import load
from reports.answers import answer_text
from reports.console import with_interval
from reports.questions import Question, answer, find, of_game
from reports.ranking import joint_level
from reports.tables import group, metrics
from sim.batch import Batch, LineUp
from sim.book_festival.state import ITEMS
from sim.errors import BadInput
from sim.game import load_game
from sim.played import Played, played
from sim.rules import load as load_rules
from sim.run import play
from tests.cli.runner import answer as said
from tests.cli.runner import document, refusal, steelyard

FEW = ("--games", "1k", "--policies", "random_legal")


@functools.cache
def games(game: str, *sets: str) -> Played:
    """A short run of random_legal in the game's fullest variant."""
    settings = ["expansion=true" if game == "debrium" else "extension=true", *sets]
    policy = load(load_game(game), "random_legal")
    batch = Batch(game, load_rules(game, sets=settings), LineUp((policy,) * 4, "fixed"), 5)
    return played(batch, play(batch, 2000, 2))


@pytest.mark.parametrize("question", of_game(None), ids=lambda q: f"{q.game}-{q.name}")
def test_every_question_is_answered_in_a_sentence_with_intervals(question):
    found = answer(question, games(question.game))
    assert found.sentence.endswith(".")
    told = set(re.findall(r"{\d}", question.sentence))
    assert len(told) == (0 if question.sentence == "{ends}." else len(question.metrics))
    assert len(re.findall(r"±|\d to \d", found.sentence)) >= len(question.metrics)
    assert not re.search("[{}]", found.sentence)
    assert found.half_width >= 0
    for listed in question.tables:
        assert len(found.tables[listed.key]) > 0, listed.key
    assert any("Measured on 2,000 games" in str(part) for part in answer_text(found, []))


def test_without_a_name_the_questions_are_listed():
    text = said("ask")
    assert [row["question"] for row in document("ask")] == [question.name for question in of_game(None)]
    assert all(question.name in text for question in of_game(None))


def test_leader_loss_has_the_promised_keys():
    found = document("ask", "leader-loss", *FEW)
    promised = {"question", "answer", "value", "half_width", "games", "by_margin", "method"}
    promised |= {"game", "unit", "about", "players", "seed", "name", "assumptions", "readings", "by_draws"}
    assert promised <= set(found)
    assert found["method"] == "exact-lottery"
    assert all(set(row) >= {"margin", "games", "loses"} for row in found["by_margin"])
    assert (found["unit"], found["about"]) == ("share of games", None)
    assert sum(row["games"] for row in found["by_margin"]) == found["games"] == 1000
    assert [row["mvp_draws"] for row in found["by_draws"]] == [1, 3, 5, 10, 20, 30]
    losses = [row["value"] for row in found["by_draws"]]
    assert losses[0] > losses[-1]


def test_the_drawn_check_stands_beside_each_lead():
    frame = metrics(games("book_festival").totals)
    (table,) = answer(find("leader-loss", None), games("book_festival")).tables.values()
    for row in table.to_dict("records"):
        drawn = frame.loc[f"leader_lost_by_margin[{row['category']}]"]
        assert row["drawn"] == pytest.approx(drawn["value"], nan_ok=True)
        assert row["drawn_half_width"] == pytest.approx(drawn["half_width"], nan_ok=True)
    for row in document("ask", "leader-loss", *FEW)["by_margin"]:
        assert row["drawn"] is None or 0 <= row["drawn"] <= 1
        assert row["drawn_half_width"] is None or row["drawn_half_width"] > 0


def test_pop_value_tells_win_chances_and_what_a_card_brings():
    """With the keys that docs/first-steps.md names, for every item, and the sentence about the one most bought."""
    found = document("ask", "pop-value", *FEW)
    assert [row["category"] for row in found["brought_per_card"]] == list(ITEMS)
    assert [row["unit"].partition(" ")[0] for row in found["brought_per_card"]] == [
        "books", "books", "stars", "cards", "stars", "books",
    ]  # fmt: skip
    for item in ITEMS:
        assert {"0", "1"} <= {row["category"] for row in found[f"chance_by_{item}"]}
    (row,) = [row for row in found["brought_per_card"] if row["category"] == found["about"]]
    assert (found["value"], found["half_width"], found["unit"]) == (row["value"], row["half_width"], row["unit"])


def test_pop_value_is_about_the_item_bought_most_among_those_that_cost_cards():
    question = find("pop-value", None)
    frame = metrics(games("book_festival").totals)
    bought = {item: frame["value"][f"bought_{item}"] for item in ITEMS}
    most = max(bought, key=bought.__getitem__)
    told = answer(question, games("book_festival"))
    assert told.about == most
    assert with_interval(*frame.loc[f"bought_{most}", ["value", "half_width", "unit"]]) in told.sentence
    cost = "end_shelf_cost" if most == "end_shelf" else f"pop_cost_{most}"
    free = games("book_festival", f"{cost}=0", "trial_discard=0")
    values = metrics(free.totals)["value"]
    assert values[f"bought_{most}"] == max(values[f"bought_{item}"] for item in ITEMS)
    assert answer(question, free).about != most


def test_a_question_about_nothing_that_was_seen_is_refused():
    with pytest.raises(BadInput, match="pop-value: these games never showed brought_per_card"):
        answer(find("pop-value", None), games("book_festival", "pop_copies=0", "end_shelves_max=0"))


def test_first_place_is_priced_by_bid_size():
    found = document("ask", "bid-price", *FEW)
    assert all(set(row) >= {"bid", "points", "half_width", "rounds", "rounds_half_width"} for row in found["by_bid"])
    assert sum(row["rounds"] for row in found["by_bid"]) == pytest.approx(1)
    most = max(found["by_bid"], key=lambda row: row["rounds"])
    assert found["about"] == most["bid"]
    assert f"{100 * most['rounds']:.1f}" in found["answer"] or f"{100 * most['rounds']:.2f}" in found["answer"]


@pytest.mark.parametrize(
    ("name", "metric"), [("animal-strength", "win_rate_by_animal"), ("company-strength", "win_rate_by_company")]
)
def test_both_ends_are_told_and_named_only_where_they_are_clear(name, metric):
    question: Question = find(name, None)
    run = games(question.game)
    frame = group(metrics(run.totals), metric)
    told = answer(question, run)
    assert told.value == frame["value"].max()
    assert told.about == told.highest[0] == frame["category"].iloc[frame["value"].argmax()]
    assert told.lowest[0] == frame["category"].iloc[frame["value"].argmin()]
    places, level = run.totals.layout.index(), joint_level(len(frame))
    found = {of: run.totals.estimate(places[f"{metric}[{of}]"], level) for of in frame["category"]}
    surely = max(of.low for of in found.values())
    assert set(told.highest) == {of for of, one in found.items() if one.high >= surely}
    if set(told.highest) == set(found):
        assert "is clearly ahead of another: from" in told.sentence
    for end in (told.highest, told.lowest):
        if set(told.highest) != set(found) and len(end) <= 3:
            assert all(of in told.sentence.lower() for of in end)


def test_what_is_not_clear_of_the_next_is_not_named_alone():
    few, many = (document("ask", "company-strength", *FEW[2:], "--games", of) for of in ("300", "20k"))
    assert len(few["highest"]) > 1
    assert "No company is clearly ahead" in few["answer"] or " or " in few["answer"] or "one of" in few["answer"]
    assert set(many["highest"]) <= {"red", "blue", "yellow", "green"}


def test_a_note_is_said_once_however_many_variants_it_holds_for():
    asked = steelyard("ask", "leader-loss", *FEW, "--set", "pop_copies=9", "--json")
    assert asked.exit_code == 0
    assert asked.stderr.count("note: pop_copies = 9") == 1


def test_a_varied_rule_is_varied_whatever_the_user_sets():
    found = document("ask", "leader-loss", *FEW, "--set", "mvp_draws=7")
    losses = [row["value"] for row in found["by_draws"]]
    assert [row["mvp_draws"] for row in found["by_draws"]] == [1, 3, 5, 10, 20, 30]
    assert len(set(losses)) == 6
    assert losses[2] > losses[3]  # 7 lies between 5 and 10
    plain = document("ask", "leader-loss", *FEW)
    own = plain["by_draws"].pop(2)
    assert plain["by_draws"] == [*found["by_draws"][:2], *found["by_draws"][3:]]
    # What the rules draw is told once, of all games: not 50.9 % in the sentence and 50.65 % in the table.
    assert (own["mvp_draws"], own["value"], own["half_width"]) == (5, plain["value"], plain["half_width"])
    assert own["games"] == plain["games"]


@pytest.mark.parametrize("question", of_game(None), ids=lambda q: f"{q.game}-{q.name}")
def test_a_precision_is_about_what_the_answer_is(question):
    layout = games(question.game).totals.layout
    watched = [metric for metric in layout.metrics if question.watched in (metric.name, metric.of)]
    assert watched
    assert answer(question, games(question.game)).unit in {metric.unit for metric in watched}


def test_a_precision_waits_for_an_answer_that_is_about_the_best_of_several():
    found = document("ask", "animal-strength", "--policies", "random_legal", "--precision", "0.002")
    assert found["half_width"] <= 0.002
    assert found["games"] > 32_000


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
