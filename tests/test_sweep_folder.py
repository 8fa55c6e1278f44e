"""A sweep's folder: it is extended to the bytes of a sweep played at once, and tells in plain words what differs."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policies import load as load_policy
from sim.batch import Batch, LineUp
from sim.design import Cell, Design
from sim.errors import BadInput, RunFailed
from sim.files import write_json
from sim.rules import load
from sim.store import Writer
from sim.sweep import Goal, Sweep, Swept
from sim.sweep_folder import cell_folders, is_sweep, keep_goal, read_sweep
from sim.workers import Threads
from tests.cells import design
from tests.interruptions import ENDINGS, Interruption, Killed, files
from tests.support import DEBRIUM

SIZE = 10
GOAL = Goal(3 * SIZE)
KING = "mining_king_bonus=0,30"


def batch_of(cell: Cell, seed: int = 3, mode: str = "shuffled") -> Batch:
    """A cell's batch: its line-up is one policy at every seat."""
    pool = (load_policy(DEBRIUM, cell.line_up),) * cell.rules.values["players"]  # type: ignore[operator]
    return Batch("debrium", cell.rules, LineUp(pool, mode), seed, SIZE)


def play(
    folder: Path, of: Design, goal: Goal = GOAL, ending: Interruption | None = None, seed: int = 3,
    mode: str = "shuffled",
) -> Swept | None:  # fmt: skip
    """Begin a sweep, go on with it or extend it, as the command does; None when it was killed."""
    ending = ending or Interruption("never", 1)
    with pytest.MonkeyPatch.context() as patch:
        ending.see_files(patch)
        try:
            batches = [batch_of(cell, seed, mode) for cell in of.cells]
            folders = cell_folders(folder, of, batches, goal, False)
            writers = [Writer(path, batch) for path, batch in zip(folders, batches, strict=True)]
            ending.sweep = sweep = Sweep(batches, goal, of.base, writers)
            with Threads(batches, 2) as workers:
                sweep.play(workers, ending.see_games)
            swept = sweep.swept(of)
            keep_goal(folder, goal)
        except Killed:
            return None
    return swept


def line_ups(*varies: str, **more: Any) -> Design:
    return design(*varies, line_ups=more.pop("line_ups", ["random_legal"]), **more)


def assert_same_sweep(one: Swept, other: Swept) -> None:
    """Two sweeps tell the same."""
    for name in ("keys", "base", "differences", "precision", "wanted", "folders"):
        assert getattr(one, name) == getattr(other, name), name
    mine, theirs = (json.dumps([dict(cell) for cell in swept.settings]) for swept in (one, other))
    assert mine == theirs
    for run, twin in zip(one.played, other.played, strict=True):
        assert (run.rules.values, run.rules.name) == (twin.rules.values, twin.rules.name)
        assert (run.is_cut_short, run.wanted) == (twin.is_cut_short, twin.wanted)
        assert (run.totals.sums == twin.totals.sums).all()


@pytest.fixture(scope="module")
def king(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep of two values and the base."""
    folder = tmp_path_factory.mktemp("sweeps") / "king"
    assert play(folder, line_ups(KING))
    return folder


# Extending.

WIDER: dict[str, tuple[Design, Design]] = {
    "a longer range": (line_ups("mining_king_bonus=0:10:5"), line_ups("mining_king_bonus=0:20:5")),
    "a value before": (line_ups("mining_king_bonus=5,15"), line_ups("mining_king_bonus=0,5,15")),
    "the base as a value": (line_ups("mining_king_bonus=5"), line_ups("mining_king_bonus=25,15,5")),
    "two keys": (
        line_ups("mining_king_bonus=5,15", "players=3,4"),
        line_ups("mining_king_bonus=5,15,25", "players=3,4"),
    ),
    "a further key": (line_ups("mining_king_bonus=5,15"), line_ups("starting_coins=10,5", "mining_king_bonus=5,15")),
    "keys together": (
        line_ups("starting_coins,mining_king_bonus=5,5"),
        line_ups("starting_coins,mining_king_bonus=5,5 / 5,25"),
    ),
    "lists": (line_ups("debt_penalty+=0:1:1"), line_ups("debt_penalty+=-1:1:1")),
    "line-ups": (line_ups("tie=order"), line_ups("tie=order", line_ups=["random_legal", "greedy"])),
    "sobol": (
        line_ups("starting_coins=0:90", kind="sobol:2"),
        line_ups("starting_coins=0:90", kind="sobol:5"),
    ),
}


@pytest.mark.parametrize("how", WIDER)
def test_an_extended_sweep_has_the_bytes_of_one_played_at_once(tmp_path, how):
    narrow, wide = WIDER[how]
    assert len(narrow.cells) < len(wide.cells)
    assert play(tmp_path / "grown", narrow)
    kept = {name: (tmp_path / "grown" / name).stat().st_ino for name in files(tmp_path / "grown") if "blocks" in name}
    grown, once = play(tmp_path / "grown", wide), play(tmp_path / "once", wide)
    assert grown
    assert once
    assert_same_sweep(grown, once)
    assert files(tmp_path / "grown") == files(tmp_path / "once")
    for name, node in kept.items():  # what was played is not written anew
        assert (tmp_path / "grown" / name).stat().st_ino == node


def test_a_sweep_to_a_precision_is_extended(tmp_path):
    goal = Goal(half_width=0.17, watched=("win_rate_by_seat",))
    assert play(tmp_path / "grown", line_ups("mining_king_bonus=5"), goal)
    wide = line_ups("mining_king_bonus=5,25", "players=4,3")
    grown, once = play(tmp_path / "grown", wide, goal), play(tmp_path / "once", wide, goal)
    assert grown
    assert once
    assert_same_sweep(grown, once)
    assert files(tmp_path / "grown") == files(tmp_path / "once")


def test_a_folder_is_extended_and_goes_on_to_more_games_at_once(tmp_path):
    more = Goal(5 * SIZE)
    assert play(tmp_path / "grown", line_ups("mining_king_bonus=5"))
    assert play(tmp_path / "grown", line_ups("mining_king_bonus=5,25"), more)
    assert play(tmp_path / "once", line_ups("mining_king_bonus=5,25"), more)
    assert files(tmp_path / "grown") == files(tmp_path / "once")


@given(
    kind=st.sampled_from(ENDINGS),
    after=st.integers(1, 150),
    bonuses=st.lists(st.sampled_from([0, 5, 10, 20, 25]), min_size=2, max_size=4, unique=True),
    held=st.integers(1, 3),
)
@settings(max_examples=25)
def test_an_extension_that_was_ended_anywhere_goes_on_to_the_same_bytes(kind, after, bonuses, held):
    """Told to stop, abandoned, or killed in writing any file: the first, sweep.json itself or a cell's totals."""
    narrow, wide = (
        line_ups(f"mining_king_bonus={','.join(map(str, each))}") for each in (bonuses[-held:][:-1] or [15], bonuses)
    )
    with tempfile.TemporaryDirectory() as name:
        folder, once = Path(name) / "grown", Path(name) / "once"
        assert play(folder, narrow)
        play(folder, wide, ending=Interruption(kind, after))
        assert play(folder, wide)
        assert play(once, wide)
        assert files(folder) == files(once)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6, unique=True))
def test_a_cells_folder_depends_on_nothing_but_what_it_plays(bonuses):
    texts = ",".join(map(str, bonuses))
    alone = {
        cell.rules.values["mining_king_bonus"]: cell.folder for cell in design(f"mining_king_bonus={texts}").cells
    }
    assert len(set(alone.values())) == len(alone)
    for cell in design("tie=shared,order", f"mining_king_bonus={texts}").cells:
        is_base = cell.rules.values["tie"] == load("debrium").values["tie"]
        assert (cell.folder == alone[cell.rules.values["mining_king_bonus"]]) == is_base
    line_up = design(f"mining_king_bonus={texts}", line_ups=["greedy"]).cells
    assert not {cell.folder for cell in line_up} & set(alone.values())


# What differs.


@pytest.mark.parametrize(
    ("texts", "more", "says"),
    [
        (["mining_king_bonus=0,20"], {}, "varies mining_king_bonus=0,30 there, 0,20 here. A sweep's folder only"),
        (["mining_king_bonus=0"], {}, "varies mining_king_bonus=0,30 there, 0 here"),
        (["starting_coins=0:9:3"], {}, "varies mining_king_bonus=0,30 there, starting_coins=0,3,6,9 here"),
        ([KING, "tie=order,shared"], {"base": load("debrium", sets=["mining_king_bonus=7"])},
         "the base has mining_king_bonus=15 there, 7 here"),
        ([KING], {"base": load("debrium", name="Mine")}, "name base there, Mine here"),
        ([KING], {"line_ups": ["greedy", "random_legal"]}, "policies random_legal there, greedy here"),
        (["mining_king_bonus=0:30"], {"kind": "latin:3"}, "design grid there, latin:3 here. A Latin hypercube"),
        (["mining_king_bonus=0:30"], {"kind": "sobol:2"}, "varies mining_king_bonus=0,30 there, 0:30 here"),
    ],
)  # fmt: skip
def test_another_sweep_is_told_in_the_words_of_the_command_line(king, texts, more, says):
    before = files(king)
    with pytest.raises(RunFailed) as caught:
        play(king, line_ups(*texts, **more))
    assert f"{king} holds another sweep: {says}" in str(caught.value)
    assert str(caught.value).isprintable()
    assert files(king) == before


@pytest.mark.parametrize(
    ("more", "says"), [({"seed": 4}, "seed 3 there, 4 here"), ({"mode": "fixed"}, "seats shuffled there, fixed here")]
)
def test_other_seeds_and_seats_are_told(king, more, says):
    before = files(king)
    with pytest.raises(RunFailed, match=says):
        play(king, line_ups(KING), **more)
    assert files(king) == before


def test_fewer_games_are_refused_before_anything_is_written(king):
    before = files(king)
    with pytest.raises(RunFailed, match="holds 30 games, more than --games 10"):
        play(king, line_ups("mining_king_bonus=0,5,30"), Goal(SIZE))
    assert files(king) == before


def test_a_latin_hypercube_goes_on_and_does_not_grow(tmp_path):
    of = line_ups("starting_coins=0:99", kind="latin:2")
    assert play(tmp_path / "latin", of)
    before = files(tmp_path / "latin")
    assert play(tmp_path / "latin", of)
    assert files(tmp_path / "latin") == before
    with pytest.raises(
        RunFailed, match=r"design latin:2 there, latin:4 here\. A Latin hypercube does not grow, since"
    ):
        play(tmp_path / "latin", line_ups("starting_coins=0:99", kind="latin:4"))
    assert files(tmp_path / "latin") == before


def test_other_line_ups_and_designs_are_told(tmp_path):
    assert play(tmp_path / "who", line_ups(line_ups=["random_legal", "greedy"]))
    with pytest.raises(RunFailed, match=r"line-ups random_legal \| greedy there, random_legal \| never_bids here"):
        play(tmp_path / "who", line_ups(line_ups=["random_legal", "never_bids"]))
    assert play(tmp_path / "sobol", line_ups("starting_coins=0:99", kind="sobol:4"))
    with pytest.raises(RunFailed, match="design sobol:4 there, sobol:2 here"):
        play(tmp_path / "sobol", line_ups("starting_coins=0:99", kind="sobol:2"))


def changed(king: Path, folder: Path, change: Callable[[dict[str, Any]], None], name: str = "sweep.json") -> Path:
    """A copy of the sweep's folder with a JSON file of it changed."""
    shutil.copytree(king, folder)
    data = json.loads((folder / name).read_text())
    change(data)
    data.pop("sha256", None)
    write_json(folder / name, data)
    return folder


def a_manifest(king: Path) -> str:
    """The manifest of one of the cells, by its path in the folder."""
    return str(next((king / "cells").glob("*/manifest.json")).relative_to(king))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda head: head["versions"].update(numpy="1.0"), "was played by another version: numpy 1.0 there"),
        (lambda head: head["policies"][0].update(source="0" * 16), "the policy random_legal has another text there"),
    ],
)
def test_a_cell_of_other_versions_or_policies_is_told(king, tmp_path, change, says):
    folder = changed(king, tmp_path / "other", change, a_manifest(king))
    before = files(folder)
    with pytest.raises(RunFailed, match=says):
        play(folder, line_ups("mining_king_bonus=0,5,30"))
    assert files(folder) == before


@pytest.mark.parametrize("linked", ["sweep.json", "cells", "a cell"])
def test_links_within_a_folder_are_not_written_through(king, tmp_path, linked):
    folder, elsewhere = tmp_path / "linked", tmp_path / "elsewhere"
    shutil.copytree(king, folder)
    path = next((folder / "cells").iterdir()) if linked == "a cell" else folder / linked
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    before = files(folder), elsewhere.read_bytes() if elsewhere.is_file() else files(elsewhere)
    with pytest.raises(BadInput, match="is a link; inside a folder of steelyard's there are files and folders only"):
        play(folder, line_ups("mining_king_bonus=0,5,30"))
    assert before == (files(folder), elsewhere.read_bytes() if elsewhere.is_file() else files(elsewhere))


def test_the_folder_itself_may_be_a_link(king, tmp_path):
    shutil.copytree(king, tmp_path / "there")
    (tmp_path / "here").symlink_to(tmp_path / "there")
    assert play(tmp_path / "here", line_ups(KING))
    assert files(tmp_path / "there") == files(king)


# Reading.


def test_a_folder_tells_what_the_sweep_told(king):
    told = play(king, line_ups(KING))
    assert told
    assert is_sweep(king)
    assert_same_sweep(read_sweep(king), told)


def test_a_killed_sweep_tells_what_is_on_disk(tmp_path):
    folder = tmp_path / "killed"
    assert play(folder, line_ups(KING))
    play(folder, line_ups(KING), Goal(100 * SIZE), Interruption("killed after a write", 12))
    found = read_sweep(folder)
    assert any(run.is_cut_short for run in found.played)
    assert all(run.totals.games >= 3 * SIZE for run in found.played)


def test_cells_without_games_are_named(king, tmp_path):
    shutil.copytree(king, tmp_path / "begun")
    held = set(files(king))
    of = line_ups("mining_king_bonus=0,5,30")  # and then a policy's fault, say: nothing of the new cell was kept
    batches = [batch_of(cell) for cell in of.cells]
    folders = cell_folders(tmp_path / "begun", of, batches, GOAL, False)
    for folder, batch in zip(folders, batches, strict=True):
        Writer(folder, batch)
    assert set(files(tmp_path / "begun")) > held
    with pytest.raises(BadInput, match="has no games of mining_king_bonus=5 yet; its command goes on with it"):
        read_sweep(tmp_path / "begun")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda head: head.update(base=3), "`base` is 3, and there are 3 cells"),
        (lambda head: head["cells"][0].update(folder="../../../else"), "folder"),
        (lambda head: head["cells"][0].update(folder=head["cells"][1]["folder"]), "`cells` has a folder twice"),
        (lambda head: head["cells"][1].update(set={"tie": 0}), r"`cells\[1\].set` must have just the `keys`"),
        (lambda head: head["cells"][1].update(set={"mining_king_bonus": {}}), "set"),
        (lambda head: head["cells"][1].update(set={"mining_king_bonus": 1}), "mining_king_bonus is 0 there and 1 in"),
        (lambda head: head.update(seed=9), "seed is 3 there and 9 in the sweep's sweep.json"),
        (lambda head: head.update(format=99), "format 99; this version reads"),
        (lambda head: head.update(more=1), "unknown field `more`"),
    ],
)
def test_a_damaged_folder_is_refused_in_one_line(king, tmp_path, change, says):
    folder = changed(king, tmp_path / "damaged", change)
    with pytest.raises(BadInput, match=says) as caught:
        read_sweep(folder)
    assert str(caught.value).isprintable()


def test_what_is_no_sweeps_folder_is_said(tmp_path):
    assert not is_sweep(tmp_path)
    with pytest.raises(BadInput, match="is no sweep's folder"):
        read_sweep(tmp_path)
