"""`sweep`, a stated precision, and run folders that are gone on with or compared: as a designer types them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from sim.files import write_json
from tests.cli.runner import answer, document, refusal, steelyard

FEW = ("--policies", "greedy", "--games", "2k")
KING = ("--vary", "mining_king_bonus=0,15,30")


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep of three cells."""
    folder = tmp_path_factory.mktemp("sweeps") / "king"
    answer("sweep", "debrium", *FEW, *KING, "--out", str(folder))
    return folder


def cell_of(folder: Path, bonus: int) -> Path:
    """The run directory of a value, as the sweep's own answer names it."""
    cells = document("sweep", str(folder), "--metric", "score")["cells"]
    return folder / next(cell["folder"] for cell in cells if cell["set"]["mining_king_bonus"] == bonus)


def test_a_sweep_has_its_keys():
    found = document("sweep", "debrium", *FEW, *KING, "--metric", "king_decided", "--metric", "win_rate_by_seat")
    assert [cell["set"] for cell in found["cells"]] == [{"mining_king_bonus": bonus} for bonus in (0, 15, 30)]
    assert found["base"] == 1
    assert list(found["cells"][0]["metrics"]) == ["king_decided", *(f"win_rate_by_seat[{seat}]" for seat in range(4))]
    assert found["cells"][1]["metrics"]["king_decided"].keys() >= {"mean", "half_width"}
    moved = [row for row in found["differences"] if row["metric"] == "king_decided"]
    assert [row["set"]["mining_king_bonus"] for row in moved] == [0, 30]
    assert all(row.keys() >= {"set", "metric", "difference", "half_width", "saved"} for row in moved)
    assert moved[0]["difference"] < 0 < moved[1]["difference"]


def test_a_cell_is_the_run_of_its_rules():
    (cell,) = document("sweep", "debrium", *FEW, "--vary", "starting_coins=7", "--metric", "score")["cells"][1:]
    run = document("run", "debrium", *FEW, "--set", "starting_coins=7")
    assert cell["metrics"]["score"]["mean"] == run["metrics"]["score"]["mean"]
    assert cell["metrics"]["score"]["half_width"] == run["metrics"]["score"]["half_width"]


def test_a_sweeps_table_fits_the_screen_and_names_what_it_rests_on():
    text = answer("sweep", "debrium", *FEW, *KING, "--set", "expansion=true")
    assert max(map(len, text.splitlines())) <= 100
    for words in (
        "Biggest effect",
        "(base)",
        "win_rate_by_company",
        "Pairing",
        "2,000 games a cell",
        "Rests on",
    ):
        assert words in text


def test_policies_parameters_line_ups_and_lists_are_swept(tmp_path):
    line_ups = tmp_path / "line_ups.txt"
    line_ups.write_text("greedy,greedy,never_bids,never_bids\nnever_bids\n")
    found = document(
        "sweep", "debrium", "--games", "1k", "--lineups", str(line_ups), "--vary", "never_bids.patience=2,8",
        "--vary", "debt_penalty+=0:1:1", "--metric", "score",
    )  # fmt: skip
    assert len(found["cells"]) == 9
    assert list(found["cells"][0]["set"]) == ["line_up", "never_bids.patience", "debt_penalty"]
    assert len({cell["metrics"]["score"]["mean"] for cell in found["cells"]}) == 9


def test_a_sampled_design_is_drawn_from_the_seed():
    words = ["sweep", "book_festival", "--games", "100", "--policies", "random_legal", "--design", "sobol:4"]
    found = [document(*words, "--vary", "mvp_draws=1:30", "--seed", seed)["cells"] for seed in ("1", "1", "2")]
    assert found[0] == found[1] != found[2]


def test_csv_has_every_metric_of_every_cell_and_the_plot_is_drawn(tmp_path):
    table, plot = tmp_path / "king.csv", tmp_path / "king.svg"
    answer("sweep", "debrium", *FEW, *KING, "--csv", str(table), "--plot", str(plot))
    frame = pd.read_csv(io.BytesIO(table.read_bytes()))
    assert set(frame["mining_king_bonus"]) == {0, 15, 30}
    assert len(frame[frame["metric"] == "score"]) == 3
    assert plot.read_bytes().startswith(b"<?xml")


def test_verbose_tells_of_each_cell():
    result = steelyard("sweep", "debrium", *FEW, *KING, "--verbose")
    assert " in cells/" not in result.stderr
    told = [line for line in result.stderr.splitlines() if line.startswith("finished: ")]
    assert len(told) == 3
    assert "mining_king_bonus=30" in told[-1]
    assert "finished" not in steelyard("sweep", "debrium", *FEW, *KING).stderr


def test_cells_are_run_folders(kept, tmp_path):
    assert {path.name for path in (kept / "cells").iterdir()} == {cell_of(kept, bonus).name for bonus in (0, 15, 30)}
    assert "report" in answer("report", str(cell_of(kept, 30)), "--out", str(tmp_path / "page"))


def test_verbose_tells_where_a_cell_is_kept(kept):
    result = steelyard("sweep", "debrium", *FEW, *KING, "--out", str(kept), "--verbose")
    assert f"(mining_king_bonus=30) in cells/{cell_of(kept, 30).name}" in result.stderr


def test_a_folder_shows_what_the_sweep_showed(kept, tmp_path):
    """Text, JSON, CSV and chart, with no policy, rule or seed to be typed again."""
    asked = ("--metric", "score", "--metric", "win_rate_by_seat")
    assert answer("sweep", str(kept)) == answer("sweep", "debrium", *FEW, *KING)
    mine, theirs = (
        document("sweep", *words, *asked) for words in ([str(kept)], ["debrium", *FEW, *KING, "--out", str(kept)])
    )
    assert {**mine, "seconds": 0} == {**theirs, "seconds": 0}
    for number, words in enumerate(([str(kept)], ["debrium", *FEW, *KING])):
        files = ["--csv", str(tmp_path / f"{number}.csv"), "--plot", str(tmp_path / f"{number}.svg")]
        answer("sweep", *words, *files)
    for ending in ("csv", "svg"):
        assert (tmp_path / f"0.{ending}").read_bytes() == (tmp_path / f"1.{ending}").read_bytes()


def test_a_longer_range_plays_the_new_cells_only(kept, tmp_path):
    grown = tmp_path / "grown"
    answer("sweep", "debrium", *FEW, "--vary", "mining_king_bonus=0,30", "--out", str(grown))
    before = files(grown)
    wide = ("--vary", "mining_king_bonus=0:30:15")
    assert answer("sweep", "debrium", *FEW, *wide, "--out", str(grown)) == answer("sweep", "debrium", *FEW, *wide)
    assert {**before, "sweep.json": b""} == {**files(grown), "sweep.json": b""}  # the base was no value before
    wider = ("--vary", "mining_king_bonus=0:45:15")
    answer("sweep", "debrium", *FEW, *wider, "--out", str(grown))
    answer("sweep", "debrium", *FEW, *wider, "--out", str(tmp_path / "once"))
    assert files(grown) == files(tmp_path / "once")


def test_a_sweeps_report_has_its_cells_side_by_side(kept, tmp_path):
    answer("report", str(kept), "--out", str(tmp_path / "page"))
    played = (tmp_path / "page" / "tables" / "runs.csv").read_text(encoding="utf-8")
    assert "4 players, base," in played
    assert '"4 players, base, mining_king_bonus=0"' in played
    assert '"4 players, base, mining_king_bonus=30"' in played


def test_cells_of_parameters_are_told_apart_in_a_report(tmp_path):
    vary = ("--vary", "prospector.coin=1,2", "--vary", "mining_king_bonus=5,15")
    answer("sweep", "debrium", "--games", "200", "--policies", "prospector", *vary, "--out", str(tmp_path / "cells"))
    answer("report", str(tmp_path / "cells"), "--out", str(tmp_path / "page"))
    played = (tmp_path / "page" / "tables" / "runs.csv").read_text(encoding="utf-8")
    for coin in ("1", "2"):
        for bonus in ("5", "15"):
            assert f'"4 players, base, coin {coin}, mining_king_bonus {bonus}"' in played


def test_a_report_of_too_many_cells_is_refused(tmp_path):
    many = ("--vary", "mining_king_bonus=0:8:1")
    answer("sweep", "debrium", "--policies", "greedy", "--games", "100", *many, "--out", str(tmp_path / "many"))
    said = refusal("report", str(tmp_path / "many"), "--out", str(tmp_path / "page"))
    assert said.startswith("report: a sweep of 10 cells, and a report shows at most 8 side by side; report one of")


@pytest.mark.parametrize("words", [["--games", "10"], ["--vary", "tie=order"], ["--out", "x"], ["--seed", "3"]])
def test_what_says_nothing_to_a_sweeps_folder_is_refused(kept, words):
    assert "does not apply to a sweep's folder" in refusal("sweep", str(kept), *words)


def test_what_is_no_sweep_is_refused(kept, tmp_path):
    assert "is no sweep's folder" in refusal("sweep", str(tmp_path))
    assert "is no sweep's folder" in refusal("sweep", str(cell_of(kept, 0)))
    assert "unknown game 'debriun' (did you mean 'debrium'?)" in refusal("sweep", "debriun")
    for words in (["compare", str(kept), str(kept)], ["odds", "--from-run", str(kept)]):
        assert "is a sweep's folder; its runs are the folders in" in refusal(*words)


def test_runs_of_different_seeds_are_merged(tmp_path):
    one, two, both = (str(tmp_path / name) for name in ("one", "two", "both"))
    for seed, folder in (("1", one), ("2", two)):
        answer("run", "debrium", *FEW, "--seed", seed, "--out", folder)
    found = document("merge", one, two, "--out", both)
    assert found == {"merged": both, "games": 4000, "seeds": [{"seed": 1, "games": 2000}, {"seed": 2, "games": 2000}]}
    said = answer("merge", two, one, "--out", str(tmp_path / "again"))
    assert "4,000 games of seeds 1 (2,000 games), 2 (2,000 games)" in said
    assert files(tmp_path / "again") == files(tmp_path / "both")
    compared = document("compare", one, both)
    assert (compared["blocks"], compared["changed"]) == (0, {"seed": {"base": 1, "variant": [1, 2]}})
    answer("report", both, "--out", str(tmp_path / "page"))
    assert '"1, 2"' in (tmp_path / "page" / "tables" / "runs.csv").read_text(encoding="utf-8")
    assert "cannot be gone on with" in refusal("run", "debrium", *FEW, "--out", both, code=1)
    assert "both hold the games of seed 1" in refusal("merge", one, both, "--out", str(tmp_path / "more"))
    assert "results never overwrite" in refusal("merge", one, two, "--out", both)
    assert "at least two run directories" in refusal("merge", one, "--out", str(tmp_path / "alone"))


def test_the_same_command_goes_on_and_changes_nothing(kept):
    before = files(kept)
    text = answer("sweep", "debrium", *FEW, *KING, "--out", str(kept))
    assert text == answer("sweep", "debrium", *FEW, *KING)
    assert files(kept) == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([*FEW, "--vary", "mining_king_bonus=0,15,20"], "varies mining_king_bonus=0,15,30 there, 0,15,20 here"),
        ([*FEW, *KING, "--seed", "2"], "seed 1 there, 2 here"),
        ([*FEW, *KING, "--set", "starting_coins=9"], "the base has starting_coins=10 there, 9 here"),
        ([*FEW, *KING, "--rows"], "was played without --rows"),
    ],
)
def test_another_sweep_is_refused_with_what_differs(kept, words, says):
    before = files(kept)
    said = refusal("sweep", "debrium", *words, "--out", str(kept), code=1)
    assert says in said
    assert str(kept) in said
    assert files(kept) == before


def test_other_versions_are_refused(kept, tmp_path):
    folder = tmp_path / "old"
    for name, data in files(kept).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    path = cell_of(folder, 0) / "manifest.json"
    head = json.loads(path.read_text())
    head["versions"]["sources"] = "0" * 16
    del head["sha256"]
    write_json(path, head)
    assert "was played by another version: sources 0000000000000000 there" in refusal(
        "sweep", "debrium", *FEW, *KING, "--out", str(folder), code=1
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--vary", "mining_king_bonus=1", "--metric", "kings"], "unknown metric 'kings'"),
        (["--vary", "mining_king_bonus=1", "--plot", "a.gif"], "ends in .svg or .png"),
        (["--vary", "mining_king_bonus=1", "--rows"], "--rows: needs --out"),
        (["--vary", "mining_king_bonus=1", "--precision", "1%", "--games", "10"], "--games, --precision: give one"),
        (["--vary", "mining_king_bonus=1", "--precision", "0"], "is not a half-width"),
        (["--vary", "mining_kings_bonus=1"], "did you mean 'mining_king_bonus'?"),
        (["--vary", "mining_king_bonus=999"], "mining_king_bonus"),
        (["--vary", "prospector.patience=1", "--policies", "prospector"], "prospector"),
        ([], "nothing is varied"),
    ],
)
def test_what_cannot_be_swept_is_refused_before_it_is_played(words, says, tmp_path):
    assert says in refusal("sweep", "debrium", *words)


def test_a_run_goes_on_until_its_win_rates_are_known():
    found = document("run", "debrium", "--policies", "greedy", "--precision", "1%")
    rates = [*found["seats"], *found["policies"]]
    assert 48_000 <= found["games"] < 200_000
    assert all(row["half_width"] <= 0.01 for row in rates)
    assert found["games"] == document("run", "debrium", "--policies", "greedy", "--precision", "0.01")["games"]


def test_intervals_at_a_precision_are_wider_than_those_of_as_many_games():
    precise = document("run", "debrium", "--policies", "greedy", "--precision", "1%")
    plain = document("run", "debrium", "--policies", "greedy", "--games", str(precise["games"]))
    assert precise["metrics"]["score"]["mean"] == plain["metrics"]["score"]["mean"]
    assert precise["metrics"]["score"]["half_width"] > 1.4 * plain["metrics"]["score"]["half_width"]


def test_an_answer_goes_on_until_it_is_known():
    found = document("ask", "burst-rate", "--policies", "random_legal", "--precision", "0.004")
    assert found["half_width"] <= 0.004
    assert found["games"] > 32_000


def test_a_sweep_goes_on_until_each_cell_is_known():
    found = document("sweep", "debrium", "--policies", "greedy", *KING, "--precision", "2%")
    for row in found["differences"]:
        if row["metric"].startswith(("win_rate_by_seat", "win_rate_by_policy")):
            # Four of one policy win alike whatever the rule: a difference that is none has no half-width.
            assert row["difference"] == 0 if row["half_width"] is None else row["half_width"] <= 0.02


def test_two_run_folders_are_compared_by_the_games_they_share(kept):
    found = document("compare", str(cell_of(kept, 15)), str(cell_of(kept, 30)))
    direct = document("compare", "debrium", *FEW, "--set", "mining_king_bonus=30")
    assert found["changed"] == {"mining_king_bonus": {"base": 15, "variant": 30}}
    assert (found["games"], found["blocks"]) == (2000, 200)
    assert found["differences"] == direct["differences"]


def test_run_folders_of_other_seeds_are_compared_unpaired(kept, tmp_path):
    other = tmp_path / "other"
    answer("run", "debrium", *FEW, "--seed", "2", "--out", str(other))
    found = document("compare", str(cell_of(kept, 15)), str(other))
    assert found["blocks"] == 0
    assert found["changed"] == {"seed": {"base": 1, "variant": 2}}
    score = next(row for row in found["differences"] if row["metric"] == "score")
    assert score["saved"] == 1
    assert abs(score["difference"]) < 3 * score["half_width"]
    never = next(row for row in found["differences"] if row["metric"] == "seats_by_debt_cards[8]")
    of_none = 1 - 0.025 ** (1 / 2000)  # Clopper-Pearson of 0 of 2000 games, in each of both runs
    assert never["difference"] == 0
    assert never["half_width"] == pytest.approx(2**0.5 * of_none)
    assert "not paired" in answer("compare", str(cell_of(kept, 15)), str(other))


def test_runs_too_short_to_share_a_block_are_compared_unpaired(tmp_path):
    for games in ("3", "5"):
        answer("run", "debrium", "--policies", "greedy", "--games", games, "--out", str(tmp_path / games))
    words = ("compare", str(tmp_path / "3"), str(tmp_path / "5"))
    found = document(*words)
    assert (found["blocks"], found["games"]) == (0, 3)
    assert found["differences"]
    assert "no whole block of games in common" in " ".join(answer(*words).split())


def test_games_of_a_comparison_are_those_that_are_paired(tmp_path):
    for games in ("2500", "3200"):
        answer("run", "debrium", "--policies", "greedy", "--games", games, "--out", str(tmp_path / games))
    found = document("compare", str(tmp_path / "2500"), str(tmp_path / "3200"))
    assert (found["blocks"], found["games"]) == (205, 2500)


@pytest.mark.parametrize("words", [["--games", "10"], ["--set", "players=3"], ["--seed", "3"]])
def test_what_says_nothing_to_run_folders_is_refused(kept, words):
    cell = str(cell_of(kept, 0))
    assert "does not apply to two run directories" in refusal("compare", cell, cell, *words)


def test_a_run_folder_alone_is_no_comparison(kept):
    assert "unknown game" in refusal("compare", str(cell_of(kept, 0)))
