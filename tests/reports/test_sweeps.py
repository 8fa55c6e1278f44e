"""What a sweep prints and writes: every cell and metric once, with differences, and nothing wider than a terminal."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from reports.comparison import deviation_of
from reports.console import WIDTH
from reports.sweeps import (
    biggest,
    cell_text,
    choose,
    find,
    frame,
    games_text,
    setting_text,
    sweep_data,
    sweep_text,
)
from reports.tables import metrics
from sim.blocks import Metric, layout
from sim.errors import BadInput
from sim.game import load_game
from sim.precision import Difference
from sim.rules import games, load
from sim.sweep import Swept
from tests.reports.sweeping import arranged, grid, sweep

KING = [0, 15, 25]


@pytest.fixture(scope="module")
def king() -> Swept:
    """The bonus of the Mining King, the middle one being the base; random seats do not look at it."""
    return sweep("debrium", grid(mining_king_bonus=KING), base=1)


@pytest.fixture(scope="module")
def companies() -> Swept:
    """With and without the expansion, so that the base lacks metrics which the other has; and a list."""
    return sweep("debrium", grid(expansion=[False, True], hire_cost=[[1, 3, 5]]), base=0)


def told(swept: Swept, names: list[str], most: int = 30) -> str:
    """What `sweep_text` shows on a terminal."""
    out = Console(file=io.StringIO(), width=WIDTH, highlight=False, markup=False, emoji=False)
    for part in sweep_text(swept, names, most):
        out.print(part)
    return out.file.getvalue()  # type: ignore[attr-defined]


# The frame.


def test_the_frame_has_a_row_for_each_cell_and_metric(king):
    found = frame(king)
    for cell, played in enumerate(king.played):
        own = found[found["cell"] == cell]
        table = metrics(played.totals)
        assert list(own["metric"]) == list(table["metric"])
        assert np.array_equal(own["value"], table["value"], equal_nan=True)
        assert np.array_equal(own["high"], table["high"], equal_nan=True)
        assert set(own["mining_king_bonus"]) == {KING[cell]}
        assert set(own["games"]) == {200}


def test_the_frame_has_the_paired_differences_and_none_for_the_base(king):
    found = frame(king).set_index(["metric", "cell"])
    for cell, pairs in enumerate(king.differences):
        for metric, difference in pairs:
            row = found.loc[(metric.name, cell)]
            assert row["difference"] == difference.value
            assert row["difference_half_width"] == pytest.approx(difference.half_width, nan_ok=True)
            assert row["saved"] == pytest.approx(difference.saved, nan_ok=True)
    of_base = frame(king).query("cell == 1")
    assert of_base[["difference", "difference_half_width", "saved"]].isna().all(axis=None)
    assert found.loc[("king_decided", 2), "difference"] > 0


def test_a_metric_that_only_one_cell_counts_is_absent_elsewhere_and_has_no_difference(companies):
    found = frame(companies)
    rows = found[found["of"] == "win_rate_by_company"]
    assert set(rows["cell"]) == {1}
    assert len(rows) == 4
    assert rows["difference"].isna().all()


def test_settings_stand_in_columns_as_the_command_line_takes_them(companies):
    found = frame(companies)
    assert set(found["hire_cost"]) == {"1,3,5"}
    assert list(found.groupby("cell")["expansion"].first()) == ["false", "true"]
    read = pd.read_csv(io.StringIO(found.to_csv(index=False)))
    assert list(read.columns) == list(found.columns)
    assert len(read) == len(found)


@pytest.mark.parametrize("game", games())
def test_no_key_is_called_like_another_column(game, king):
    columns = set(frame(king, ()).columns) - set(king.keys)
    assert columns
    assert not columns & {*load(game).values, "line_up"}


def test_a_frame_of_some_metrics_is_that_part_of_all(king):
    every, some = frame(king), frame(king, {"margin", "score"})
    part = every[every["metric"].isin(["margin", "score"])].reset_index(drop=True)
    assert some.to_csv() == part.to_csv()
    assert len(some) == 6


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (15, "15"), (0.1 + 0.2, "0.3"), ("order", "order"), ([1, 3, 5], "1,3,5"), ((), "[]")],
)
def test_settings_are_written_as_they_are_given(value, text):
    assert setting_text(value) == text


# Which metrics.


@pytest.mark.parametrize("game", games())
def test_headlines_are_metrics_that_the_game_has(game):
    of = load_game(game)
    known = [layout(of.outcomes, ("a",), *of.shape(load(game).values))]
    assert len(find(of.headline, known)) >= len(of.headline) > 2


def test_what_is_asked_for_is_shown_by_name_or_family(king):
    asked = ["margin", "win_rate_by_seat", "win_rate_by_seat[2]"]
    assert choose(king, asked, load_game("debrium")) == [
        "margin",
        *(f"win_rate_by_seat[{seat}]" for seat in range(4)),
    ]


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("margn", "margin"),
        ("win_rate_by_set", "win_rate_by_seat"),
        ("win_rate_by_company[bleu]", "win_rate_by_company[blue]"),
    ],
)
def test_an_unknown_metric_gets_the_nearest(king, asked, near):
    with pytest.raises(BadInput, match=f"did you mean '{near}'".replace("[", r"\[")):
        choose(king, [asked], load_game("debrium"))


def test_a_family_shows_what_was_counted_of_it(king):
    """Eight and more debt cards are never taken; without the expansion nothing at all is counted by company."""
    cards = choose(king, ["win_rate_by_debt_cards"], load_game("debrium"))
    assert "win_rate_by_debt_cards[0]" in cards
    assert "win_rate_by_debt_cards[14]" not in cards
    assert len(choose(king, ["win_rate_by_company"], load_game("debrium"))) == 4


def test_the_headline_comes_first_and_then_what_moved_most(king):
    game = load_game("debrium")
    names = choose(king, [], game)
    assert names[:5] == ["king_decided", "debt_decided", "bursts_column", "margin", "lead_changes"]
    assert 5 < len(names) <= 8
    families = [name.partition("[")[0] for name in names[5:]]
    assert len(set(families)) == len(families)
    base = king.played[1].totals
    slots = base.layout.index()
    effects = [
        max(
            abs(difference.value) / deviation_of(base, slots[name])
            for pairs in king.differences
            for metric, difference in pairs
            if metric.name == name
        )
        for name in names[5:]
    ]
    assert effects == sorted(effects, reverse=True)


def changed(swept: Swept, of: Sequence[str], value: float, half_width: float) -> Swept:
    """A sweep in which the metrics of some families differ by so much in every cell."""

    def pair(metric: Metric, found: Difference) -> tuple[Metric, Difference]:
        new = dataclasses.replace(found, value=value, half_width=half_width, units=10)
        return metric, new if metric.of in of else found

    differences = (tuple(pair(*known) for known in pairs) for pairs in swept.differences)
    return dataclasses.replace(swept, differences=tuple(differences))


def test_what_moved_is_shown_once_a_family(king):
    """Were all seats' win rates to move more than anything else, one of them would be shown, and nothing twice."""
    much = changed(king, ["win_rate_by_seat", "margin"], 1e6, 1.0)
    names = choose(much, [], load_game("debrium"))
    assert names[3] == "margin"
    assert names[5].startswith("win_rate_by_seat[")
    assert sum(name.startswith("win_rate_by_seat[") for name in names) == 1
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("half_width", "is_sure"), [(2e6, False), (0.8e6, False), (0.1e6, True)])
def test_what_is_not_sure_when_all_are_judged_together_did_not_move(king, half_width, is_sure):
    """Ten blocks of each cell, and hundreds of differences: an interval that leaves out zero alone is not enough."""
    names = choose(changed(king, ["chips"], 1e6, half_width), [], load_game("debrium"))
    assert ("chips" in names) == is_sure


def test_a_family_of_the_headline_is_shown_whole(companies):
    names = choose(companies, [], load_game("debrium"))
    assert names[:6] == [*(n for n in names if n.startswith("win_rate_by_company")), "king_decided", "debt_decided"]
    assert len(names) <= 8


def test_a_policys_win_rate_comes_first_when_its_parameters_are_varied(king):
    cells = [{"random_legal.patience": value} for value in (1.0, 2.0, 3.0)]
    names = choose(arranged(king, cells, 1), [], load_game("debrium"))
    assert names[:2] == ["win_rate_by_policy[random_legal]", "king_decided"]


def test_the_biggest_effect_is_the_largest_in_standard_deviations(king):
    names = ["score", "margin", "chips"]
    totals = king.played[king.base].totals
    places = totals.layout.index()
    effects = {
        (metric.name, cell): abs(found.value) / deviation_of(totals, places[metric.name])
        for cell, pairs in enumerate(king.differences)
        for metric, found in pairs
        if metric.name in names
    }
    found = biggest(king, names)
    assert found is not None
    name, cell, difference = found
    assert (name, cell) == max(effects, key=lambda key: effects[key])
    assert difference.is_sure()


def test_nothing_is_the_biggest_where_nothing_moves(king):
    assert biggest(king, ["chips", "bids_0"]) is None
    assert "No cell surely differs" in told(king, ["chips"])


# On a terminal.


def test_the_table_shows_each_cell_with_interval_and_difference(king):
    text = told(king, ["king_decided", "score"])
    assert max(map(len, text.splitlines())) <= WIDTH
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("king_bonus"))
    first, base = lines[start + 1], lines[start + 3]
    assert first.split()[0] == "0"
    assert first.count("±") + first.count(" to ") == 2
    assert "-" in lines[start + 2]
    assert lines[start + 2].count("±") == 2
    assert base.split()[0] == "15"
    assert lines[start + 4].strip() == "(base)"
    assert "200 games a cell, 4 players, seed 1." in text
    assert "mining_king_bonus (varied)" not in text  # the rule book states it
    assert "Rests on 15 values" in text


def test_the_biggest_effect_is_told_in_a_sentence(king):
    sentence = " ".join(told(king, ["king_decided", "score"]).split("\n\n")[0].split())
    assert sentence.startswith("Biggest effect: ")
    assert sentence.endswith(".")
    assert len(re.findall(r"±| to \d", sentence)) == 3
    assert "with mining_king_bonus = " in sentence


def test_the_biggest_effect_is_of_the_first_leading_family_that_moves(king):
    def sentence(*leading):
        parts = sweep_text(king, ["king_decided", "score"], 5, leading)
        return parts[0]

    assert sentence().startswith("Biggest effect: king_decided ")
    assert sentence("score").startswith("Biggest effect: score ")
    assert sentence("score", "king_decided").startswith("Biggest effect: score ")
    assert sentence("chips", "score").startswith("Biggest effect: score ")
    assert sentence("chips").startswith("Biggest effect: king_decided ")


def test_what_pairing_saved_is_said_with_its_range(king):
    saved = sorted(
        difference.saved for pairs in king.differences for metric, difference in pairs if metric.name == "margin"
    )
    assert len(saved) == 2
    text = " ".join(told(king, ["margin"]).split())
    assert f"from {saved[0]:.2g} to {saved[1]:.2g}" in text
    assert "saved nothing or all" in told(king, ["chips"])


def test_columns_that_do_not_fit_come_in_further_tables(king):
    names = choose(
        king, ["win_rate_by_seat", "win_rate_by_debt_cards", "score", "loss_rate_by_round"], load_game("debrium")
    )
    assert len(names) > 12
    text = told(king, names)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert text.count("The same cells, further metrics") >= 2
    assert text.count("(base)") == text.count("further metrics") + 1
    for name in names:
        assert name.partition("[")[2] in text


def test_some_cells_are_shown_and_the_base_among_them(king):
    cells = grid(mining_king_bonus=range(40))
    text = told(arranged(king, cells, 33), ["score"], most=5)
    assert "35 more cells are not shown; --csv FILE has all of them." in text
    assert [line.split()[0] for line in text.splitlines() if "±" in line and line[0].isdigit()] == [
        "0",
        "1",
        "2",
        "3",
        "33",
    ]
    assert "more cells" not in told(king, ["score"], most=3)


def test_many_and_long_settings_leave_room_for_metrics(king):
    wide = {
        "values_level_4": list(range(100, 130)),
        "mining_king_bonus": 3,
        "initial_order": "random",
        "tie": "shared",
    }
    cells = [{**wide, "mining_king_bonus": k, "expansion": k > 1, "line_up": "greedy,prospector"} for k in range(4)]
    text = told(arranged(king, cells, 0), ["score", "margin"])
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "mining_king_bonus = 3, expansion = true" in " ".join(text.split())
    one = told(arranged(king, [{"values_level_4": [100 + k] * 30} for k in range(4)], 0), ["score"])
    assert max(map(len, one.splitlines())) <= WIDTH
    assert "103,103" in one


def test_metrics_that_a_cell_lacks_have_a_dash(companies):
    text = told(companies, ["win_rate_by_company[red]"])
    assert any(line.split() == ["false", "1,3,5", "-"] for line in text.splitlines())


def test_assumed_values_that_are_varied_are_named_as_such(companies):
    swept = sweep("debrium", grid(starting_coins=[5, 10]), base=1, games=40)
    assert "starting_coins (varied)" in told(swept, ["score"])
    assert "companies," in told(companies, ["score"])  # of the expansion's cell alone


def test_a_sweep_that_was_cut_short_says_so(king):
    text = told(dataclasses.replace(king, wanted=500), ["score"])
    assert "stopped early: 3 of 3 cells have fewer than 500 games" in " ".join(text.split())
    assert "to a precision of ±0.005" in told(dataclasses.replace(king, wanted=0, precision=0.005), ["score"])
    assert "stopped early" not in told(king, ["score"])


def test_a_cell_is_told_by_what_sets_it_apart():
    cells = grid(players=[3, 4], tie=["shared", "order"])
    swept = Swept(("players", "tie"), tuple(cells), 2, (), (), 0.0, 0)
    assert cell_text(swept, 3) == "tie = order"
    assert cell_text(swept, 1) == "players = 3, tie = order"
    assert cell_text(swept, 2) == "players = 4, tie = shared"


# As JSON.


def test_the_document_has_the_promised_keys(king):
    data = sweep_data(king, None, 1.25)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    promised = {"cells", "base", "differences", "game", "rules_version", "players", "seed", "games", "precision"}
    assert promised | {"seconds", "assumptions", "versions"} <= set(data)
    assert [cell["set"] for cell in data["cells"]] == [{"mining_king_bonus": bonus} for bonus in KING]
    assert data["cells"][data["base"]]["set"] == {"mining_king_bonus": 15}
    assert (data["game"], data["players"], data["seed"], data["games"]) == ("debrium", 4, 1, 200)
    assert data["precision"] is None
    assert data["seconds"] == 1.25


def test_the_document_holds_what_the_frame_does(king):
    data, found = sweep_data(king, None, 1.0), frame(king).set_index(["cell", "metric"])
    assert sum(len(cell["metrics"]) for cell in data["cells"]) == len(found)
    for number, cell in enumerate(data["cells"]):
        for name, measure in cell["metrics"].items():
            row = found.loc[(number, name)]
            told = {"mean": row["value"], **{key: row[key] for key in ("half_width", "low", "high")}}
            assert measure == {
                **{key: number if math.isfinite(number) else None for key, number in told.items()},
                "counted": round(row["counted"], 2),
            }
    assert len(data["differences"]) == found["difference"].notna().sum()
    for entry in data["differences"]:
        row = found.loc[(KING.index(entry["set"]["mining_king_bonus"]), entry["metric"])]
        assert entry["difference"] == row["difference"]
        half_width = row["difference_half_width"]
        assert entry["half_width"] == (half_width if math.isfinite(half_width) else None)
        assert entry["saved"] == (row["saved"] if math.isfinite(row["saved"]) else None)


def test_the_document_of_some_metrics(companies):
    data = sweep_data(companies, ["score", "win_rate_by_company[red]"], 1.0)
    assert [list(cell["metrics"]) for cell in data["cells"]] == [["score"], ["score", "win_rate_by_company[red]"]]
    assert [(entry["set"], entry["metric"]) for entry in data["differences"]] == [
        ({"expansion": True, "hire_cost": [1, 3, 5]}, "score")
    ]
    assert "companies" in data["assumptions"]


def test_the_document_of_a_single_block_has_no_infinity():
    swept: Any = sweep("debrium", grid(mining_king_bonus=[0, 15]), base=1, games=20)
    data = sweep_data(swept, ["king_decided"], 1.0)
    assert data["differences"][0]["half_width"] is None
    json.dumps(data, allow_nan=False)


def test_cells_that_are_not_finished_are_told_where_no_number_of_games_was_asked_for(king):
    """As of a sweep to a precision that was stopped, or one that was killed and is shown from its folder."""
    cut = [dataclasses.replace(played, is_cut_short=cell > 0) for cell, played in enumerate(king.played)]
    found = dataclasses.replace(king, played=tuple(cut), wanted=0)
    assert games_text(found).endswith("stopped early: 2 of 3 cells are not finished")
    assert "stopped early" not in games_text(dataclasses.replace(king, wanted=0))
