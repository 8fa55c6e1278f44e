"""Runs of different seeds as one: totals that are the sum, a folder that tells the seeds, and what is refused."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policies import load as load_policy
from reports.comparison import changed, comparison_data, comparison_text, differences
from reports.parts import runs_table
from reports.runs import show
from sim.batch import Batch, LineUp
from sim.blocks import Totals
from sim.compare import of_runs
from sim.errors import BadInput, RunFailed
from sim.files import seal, write_json
from sim.game import load_game
from sim.groups import group_file, read_group, write_group
from sim.merge import merge
from sim.played import Merged
from sim.rules import load
from sim.schedule import schedule
from sim.store import Writer, read
from sim.sweep import Goal
from tests.interruptions import Interruption, files, play
from tests.support import ROOT, batch, outside

SIZE = 10
GAMES = 45


def run(folder: Path, seed: int, games: int = GAMES, **more: Any) -> Path:
    """Play a run into a folder."""
    of = more.pop("of", None) or batch(
        sets=more.pop("sets", ()), seed=seed, block_games=more.pop("size", SIZE), **more
    )
    assert play([of], Goal(games), [folder])
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three runs of three seeds."""
    folder = tmp_path_factory.mktemp("runs")
    return [run(folder / f"{seed}", seed, games) for seed, games in ((7, GAMES), (2, 20), (5, 101))]


@pytest.fixture(scope="module")
def joined(runs: Sequence[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("merged") / "all"
    merge(runs, folder)
    return folder


def assert_is_sum(found: Totals, each: Sequence[Totals]) -> None:
    """Every number is the sum of the runs', or the least or most of them."""
    assert found.games == sum(totals.games for totals in each)
    assert (found.sums == sum(totals.sums for totals in each)).all()
    np.testing.assert_array_equal(found.low, np.min([totals.low for totals in each], axis=0))
    np.testing.assert_array_equal(found.high, np.max([totals.high for totals in each], axis=0))
    for name, spread in found.spreads.items():
        parts = [totals.spreads[name].view(flow=True) for totals in each]
        np.testing.assert_array_equal(spread.view(flow=True), np.sum(parts, axis=0))


def test_merged_totals_are_the_sum_of_the_runs(runs, joined):
    found = read(joined)
    assert_is_sum(found.totals, [read(folder).totals for folder in runs])
    assert found.merged == (Merged(seed=2, games=20), Merged(seed=5, games=101), Merged(seed=7, games=GAMES))
    assert found.seeds == (2, 5, 7)
    assert (found.wanted, found.is_cut_short) == (166, False)
    assert set(files(joined)) == {"manifest.json", "totals.json"}


@given(
    st.lists(
        st.tuples(st.integers(0, 2**63 - 1), st.integers(1, 45)), min_size=2, max_size=4, unique_by=lambda r: r[0]
    ),
    st.randoms(),
)
@settings(max_examples=15)
def test_any_runs_are_merged_to_the_same_bytes_in_any_order_and_in_any_steps(parts, chance):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folders = [run(folder / f"{seed}", seed, games) for seed, games in parts]
        found = merge(folders, folder / "once")
        assert_is_sum(found.totals, [read(each).totals for each in folders])
        waiting, steps = list(folders), 0
        while len(waiting) > 1:
            chance.shuffle(waiting)
            steps += 1
            merge(waiting[:2], folder / f"step{steps}")
            waiting = [*waiting[2:], folder / f"step{steps}"]
        assert files(waiting[0]) == files(folder / "once")


def test_intervals_are_those_of_so_many_independent_games(runs, joined):
    found, parts = read(joined).totals, [read(folder).totals for folder in runs]
    slot = found.layout.index()["score"]
    mean = sum(part.sums[slot][0] for part in parts) / sum(part.sums[slot][1] for part in parts)
    assert found.estimate(slot).value == pytest.approx(mean)
    assert found.estimate(slot).half_width < min(part.estimate(slot).half_width for part in parts)


def test_a_run_without_totals_is_merged_by_its_blocks(runs, tmp_path):
    """It was killed; what it has is whole blocks."""
    killed = tmp_path / "killed"
    assert (
        play([batch(seed=9, block_games=SIZE)], Goal(10**6), [killed], ending=Interruption("abandoned", 500)) is None
    )
    assert not (killed / "totals.json").exists()
    found = merge([runs[0], killed], tmp_path / "both")
    assert_is_sum(found.totals, [read(runs[0]).totals, read(killed).totals])
    assert found.is_cut_short


def test_sources_of_policies_from_outside_are_kept(tmp_path):
    mine = outside((ROOT / "policies" / "debrium" / "random_legal.py").read_text())
    folders = []
    for seed in (1, 2):
        own = batch(seed=seed)
        of = Batch(own.game, own.rules, LineUp((mine,) * 4, "shuffled"), seed, SIZE)
        folders.append(run(tmp_path / f"{seed}", seed, 20, of=of))
    merge(folders, tmp_path / "both")
    assert (tmp_path / "both" / "policies" / "mine.py.txt").read_text() == mine.source


# Refused.


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"sets": ["mining_king_bonus=10"]}, "mining_king_bonus=15 and 10; runs that are merged are of one variant"),
        ({"policies": ("greedy",)}, "policies random_legal and greedy"),
        ({"mode": "fixed"}, "seats shuffled and fixed"),
        ({"size": 5}, "blocks of 10 and 5 games"),
    ],
)
def test_runs_of_other_variants_are_refused(runs, tmp_path, more, says):
    other = run(tmp_path / "other", 99, 20, **more)
    with pytest.raises(BadInput) as caught:
        merge([runs[0], other], tmp_path / "out")
    assert says in str(caught.value)
    assert str(runs[0]) in str(caught.value)
    assert str(other) in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_runs_of_another_game_are_refused(runs, tmp_path):
    of = load_game("book_festival")
    pool = (load_policy(of, "random_legal"),) * 4
    other = run(tmp_path / "other", 3, 20, of=Batch(of.name, load(of.name), LineUp(pool, "shuffled"), 3, SIZE))
    with pytest.raises(BadInput, match="differ: debrium and book_festival"):
        merge([runs[0], other], tmp_path / "out")


def test_games_of_a_common_seed_are_refused(runs, joined, tmp_path):
    more = run(tmp_path / "more", 7, 80)
    for folders in ([runs[0], more], [runs[0], runs[0]], [joined, more], [runs[1], joined]):
        with pytest.raises(BadInput, match=r"both hold the games of seed [27]; merge runs of different seeds"):
            merge(folders, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_to_a_precision_is_refused(runs, tmp_path):
    precise = tmp_path / "precise"
    goal = Goal(half_width=0.4, watched=("win_rate_by_seat",))
    assert play([batch(seed=4, block_games=SIZE)], goal, [precise])
    with pytest.raises(BadInput, match="was played to a precision, so its number of games hangs on what it counted"):
        merge([runs[0], precise], tmp_path / "out")


def edited(run_folder: Path, folder: Path, change: Callable[[dict[str, Any]], None], name: str) -> Path:
    """A copy of a run with one of its JSON files changed, and all that names its manifest made to fit."""
    shutil.copytree(run_folder, folder)
    rewrite(folder / name, change)
    if name == "manifest.json":
        old, new = seal(run_folder / name), seal(folder / name)
        rewrite(folder / "totals.json", lambda kept: kept.update(manifest=new))
        layout = read(run_folder).totals.layout
        for group, path in enumerate(sorted(folder.glob("blocks/*.npy"))):
            held = read_group(path, layout, schedule(SIZE), group, old)
            write_group(path, held.counted, new, held.rows)
    return folder


def rewrite(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a JSON file, and seal it again."""
    data = json.loads(path.read_text())
    del data["sha256"]
    change(data)
    write_json(path, data)


def test_other_versions_are_refused(runs, tmp_path):
    other = edited(runs[1], tmp_path / "other", lambda head: head["versions"].update(numpy="1.0"), "manifest.json")
    with pytest.raises(BadInput, match=r"version of numpy .* and 1\.0"):
        merge([runs[0], other], tmp_path / "out")


def test_a_policy_of_another_text_is_refused(runs, tmp_path):
    def change(head: dict[str, Any]) -> None:
        for policy in head["policies"]:
            policy["source"] = "0" * 16

    other = edited(runs[1], tmp_path / "other", change, "manifest.json")
    with pytest.raises(BadInput, match="policies random_legal, of which one has another text"):
        merge([runs[0], other], tmp_path / "out")


def test_damaged_runs_are_refused(runs, tmp_path):
    def change(kept: dict[str, Any]) -> None:
        kept["sums"][0][0] += 1

    totals = edited(runs[1], tmp_path / "totals", change, "totals.json")
    blocks = tmp_path / "blocks"
    shutil.copytree(runs[2], blocks)
    path, layout = group_file(blocks, schedule(SIZE), 0), read(runs[2]).totals.layout
    run = seal(blocks / "manifest.json")
    part = read_group(path, layout, schedule(SIZE), 0, run).counted
    sums = part.totals.copy()
    sums[3, 0] += 1
    write_group(path, replace(part, totals=sums), run)
    for damaged in (totals, blocks):
        with pytest.raises(BadInput, match="damaged"):
            merge([runs[0], damaged], tmp_path / "out")
    fewer = tmp_path / "fewer"
    shutil.copytree(runs[1], fewer)
    shutil.rmtree(fewer / "blocks")
    with pytest.raises(BadInput, match=r"damaged: blocks/ holds 0 games and totals\.json 20"):
        merge([runs[0], fewer], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_there_is_not_overwritten(runs, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="results never overwrite"):
        merge(runs, tmp_path)
    with pytest.raises(BadInput, match="at least two run directories"):
        merge(runs[:1], tmp_path / "out")


def test_merged_runs_are_not_gone_on_with(joined):
    before = files(joined)
    with pytest.raises(RunFailed, match="holds merged runs, which cannot be gone on with; name another folder"):
        Writer(joined, batch(seed=2, block_games=SIZE))
    assert files(joined) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda head: head["merged"][0].update(games=21), "`merged` has 167 games in the manifest"),
        (lambda head: head["merged"][0].update(seed=5), "`merged` has a seed twice"),
        (lambda head: head["merged"].pop(), "`merged` has 121 games"),
        (lambda head: head.update(merged=head["merged"][:1]), "merged"),
        (lambda head: head["merged"][0].update(games=-1), "merged"),
    ],
)
def test_a_damaged_merged_run_is_refused(joined, tmp_path, change, says):
    with pytest.raises(BadInput, match=says):
        read(edited(joined, tmp_path / "damaged", change, "manifest.json"))


# Shown.


def test_a_comparison_with_merged_runs_is_unpaired_and_says_so(runs, joined):
    found = of_runs(runs[0], joined)
    assert (found.blocks, found.games) == (0, GAMES)
    assert all(paired.saved == 1 for _, paired in found.changes)
    assert changed(found.base, found.variant) == {"seed": (7, [2, 5, 7])}
    assert comparison_data(found, differences(found), 0.0)["changed"]["seed"] == {"base": 7, "variant": [2, 5, 7]}
    head = comparison_text(found, differences(found), 10)[0]
    assert "not paired: merged runs are not; both hold those of seed 7, so intervals are too wide" in head
    assert comparison_data(of_runs(joined, runs[0]), differences(found), 0.0)["seed"] == [2, 5, 7]


def test_a_report_tells_all_seeds(joined):
    assert runs_table(show([read(joined)], lambda rules: "base", ())).frame["seed"].tolist() == ["2, 5, 7"]
