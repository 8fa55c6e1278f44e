"""A run that was ended anywhere and gone on with leaves the same files, byte for byte, as one that never was."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import run, store
from sim.batch import Batch, LineUp
from sim.compare import of_runs
from sim.errors import BadInput, RunFailed
from sim.files import read_json, write_json
from sim.groups import group_file as file_of
from sim.schedule import GROUP_BLOCKS, schedule
from sim.store import Writer, read
from sim.sweep import Goal, Sweep
from tests.interruptions import ENDINGS, Interruption, files, play
from tests.support import MIXED, assert_same, batch, outside

SMALL = 20
#: Three whole groups and a bit, the last block of fewer games.
GAMES = 3 * GROUP_BLOCKS * SMALL + 2 * SMALL + 7
EVENLY = Goal(4 * GROUP_BLOCKS * SMALL)
ODDLY = Goal(GAMES)
PRECISELY = Goal(half_width=0.04, watched=("win_rate_by_seat", "win_rate_by_company"))

BONUSES = (15, 0, 40)


def group_file(folder: Path, group: int) -> Path:
    """The file of a group of these runs."""
    return file_of(folder, schedule(SMALL), group)


def cells_of(number: int) -> list[Batch]:
    """A base, and variants of it that play the same games."""
    return [batch(sets=[f"mining_king_bonus={bonus}"], seed=8, block_games=SMALL) for bonus in BONUSES[:number]]


def folders_of(folder: Path, batches: list[Batch]) -> list[Path]:
    return [folder / f"{number}" for number in range(len(batches))]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, Goal, bool], tuple[Path, Sweep]]:
    """The folder and the sweep of cells that were played to a goal at once, each played when first asked for."""
    known: dict[tuple[int, Goal, bool], tuple[Path, Sweep]] = {}

    def played(cells: int, goal: Goal, rows: bool) -> tuple[Path, Sweep]:
        if (cells, goal, rows) not in known:
            folder, batches = tmp_path_factory.mktemp("uninterrupted"), cells_of(cells)
            sweep = play(batches, goal, folders_of(folder, batches), rows=rows)
            assert sweep is not None
            assert sweep.is_finished
            known[cells, goal, rows] = folder, sweep
        return known[cells, goal, rows]

    return played


@pytest.mark.parametrize("seconds", [0.0, 100.0], ids=["blocks at once", "whole groups alone"])
@pytest.mark.parametrize("rows", [False, True], ids=["", "rows"])
@pytest.mark.parametrize("goal", [EVENLY, ODDLY, PRECISELY], ids=["evenly", "oddly", "precisely"])
@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_sweep_ends_as_one_that_never_was(
    uninterrupted, tmp_path, monkeypatch, threads, cells, goal, rows, seconds
):
    """Several endings of each sweep, each of a kind and at a moment of its own, then on to the end."""
    monkeypatch.setattr(store, "FLUSH_SECONDS", seconds)
    monkeypatch.setattr(run, "TASK_SECONDS", seconds)  # a block at a time, or a group
    expected, whole = uninterrupted(cells, goal, rows)
    batches, folders = cells_of(cells), folders_of(tmp_path, cells_of(cells))
    chance = random.Random(f"{threads} {cells} {goal} {rows} {seconds}")
    for _ in range(4):
        kind = chance.choice(ENDINGS)
        moment = chance.randrange(cells * GAMES) if kind in ENDINGS[:2] else chance.randrange(1, 5 + 5 * cells)
        play(batches, goal, folders, threads, rows, Interruption(kind, moment))
    sweep = play(batches, goal, folders, threads, rows)
    assert sweep is not None
    assert files(tmp_path) == files(expected)
    for number in range(cells):
        assert sweep.differences(number) == whole.differences(number)
        assert_same(sweep.cells[number].totals, whole.cells[number].totals)
        assert_same(read(folders[number]).totals, whole.cells[number].totals)


def test_a_run_that_is_finished_is_read_and_not_played(uninterrupted):
    folder, _ = uninterrupted(1, ODDLY, False)
    before = files(folder)
    sweep = play(cells_of(1), ODDLY, [folder / "0"])
    assert sweep is not None
    assert sweep.new_games == 0
    assert files(folder) == before


def test_what_is_on_disk_is_not_played_again(uninterrupted, tmp_path):
    expected, _ = uninterrupted(1, ODDLY, False)
    folder = Path(shutil.copytree(expected / "0", tmp_path / "0"))
    group_file(folder, 3).unlink()
    sweep = play(cells_of(1), ODDLY, [folder])
    assert sweep is not None
    assert sweep.new_games == 2 * SMALL + 7
    assert files(tmp_path) == files(expected)


@pytest.mark.parametrize("rows", [False, True], ids=["", "rows"])
@pytest.mark.parametrize("gap", [[0], [1], [0, 2], [3]])
def test_a_gap_is_filled(uninterrupted, tmp_path, gap, rows):
    """Groups behind it are read while those in it are played."""
    expected, _ = uninterrupted(1, ODDLY, rows)
    folder = Path(shutil.copytree(expected / "0", tmp_path / "0"))
    for group in gap:
        group_file(folder, group).unlink()
    play(cells_of(1), ODDLY, [folder], rows=rows)
    assert files(tmp_path) == files(expected)


# More games, and fewer.


@pytest.mark.parametrize("rows", [False, True], ids=["", "rows"])
@pytest.mark.parametrize("first", [1, SMALL, GROUP_BLOCKS * SMALL, GROUP_BLOCKS * SMALL + 30, GAMES - 1])
def test_more_games_than_before_continue(uninterrupted, tmp_path, first, rows):
    expected, _ = uninterrupted(1, ODDLY, rows)
    of = cells_of(1)
    play(of, Goal(first), [tmp_path / "0"], rows=rows)
    assert read(tmp_path / "0").totals.games == first
    sweep = play(of, ODDLY, [tmp_path / "0"], rows=rows)
    assert sweep is not None
    assert sweep.new_games < GAMES or first < GROUP_BLOCKS * SMALL
    assert files(tmp_path) == files(expected)


def test_a_precision_continues_what_a_number_of_games_began(uninterrupted, tmp_path):
    expected, _ = uninterrupted(1, PRECISELY, False)
    play(cells_of(1), Goal(700), [tmp_path / "0"])
    play(cells_of(1), PRECISELY, [tmp_path / "0"])
    assert files(tmp_path) == files(expected)


def test_fewer_games_than_are_on_disk_are_refused(uninterrupted):
    folder, _ = uninterrupted(1, ODDLY, False)
    before = files(folder)
    with pytest.raises(RunFailed) as caught:
        play(cells_of(1), Goal(GAMES - 1), [folder / "0"])
    assert str(caught.value) == (
        f"{folder / '0'} holds {GAMES} games, more than --games {GAMES - 1}; ask for at least {GAMES}, "
        "or name another folder"
    )
    assert files(folder) == before


def test_a_precision_that_takes_fewer_games_than_are_on_disk_is_refused(uninterrupted, tmp_path):
    _, sweep = uninterrupted(1, PRECISELY, False)
    takes = sweep.cells[0].totals.games
    play(cells_of(1), Goal(takes + 1), [tmp_path / "0"])
    before = files(tmp_path)
    with pytest.raises(RunFailed) as caught:
        play(cells_of(1), PRECISELY, [tmp_path / "0"])
    assert str(caught.value) == (
        f"{tmp_path / '0'} holds {takes + 1} games, more than the {takes} that this precision takes; "
        "name another folder"
    )
    assert files(tmp_path) == before


# Between an ending and going on, a folder tells of the games that it holds.


def test_totals_are_gone_as_soon_as_there_are_more_games(tmp_path):
    """A run that was finished, gone on with and killed is one that was cut short, not the one before."""
    of, group = cells_of(1), GROUP_BLOCKS * SMALL
    play(of, Goal(SMALL), [tmp_path])
    assert play(of, ODDLY, [tmp_path], ending=Interruption("abandoned", group + SMALL)) is None
    found = read(tmp_path)
    assert found.is_cut_short
    assert found.totals.games in (group, 2 * group)  # as its tasks are of blocks or of whole groups
    assert of_runs(tmp_path, tmp_path).blocks == found.totals.games // SMALL


def test_a_stop_before_all_that_is_kept_was_read_changes_nothing(uninterrupted, tmp_path):
    expected, _ = uninterrupted(1, ODDLY, False)
    folder = Path(shutil.copytree(expected / "0", tmp_path / "0"))
    sweep = Sweep(cells_of(1), ODDLY, writers=[Writer(folder, cells_of(1)[0])])
    sweep.cells[0].totals.games = SMALL  # as if it had come no further
    sweep.finish()
    assert files(tmp_path) == files(expected)


def test_less_never_replaces_more(uninterrupted, tmp_path, monkeypatch):
    """A group of a short last block is played anew for more games; until it is whole, what was there stays."""
    monkeypatch.setattr(store, "FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(run, "TASK_SECONDS", 0.0)
    of, folder = cells_of(1), tmp_path / "0"
    play(of, Goal(10 * SMALL + 3), [folder])
    before = files(folder)
    sweep = play(of, ODDLY, [folder], 1, ending=Interruption("stopped", 2 * SMALL))
    assert sweep is not None
    assert 0 < sweep.cells[0].totals.games < 10 * SMALL
    assert files(folder) == before


def test_a_folder_in_which_nothing_was_finished_is_a_new_one(tmp_path):
    """Killed while the first of its files was written."""
    folder = tmp_path / "0"
    folder.mkdir()
    (folder / ".manifest.json.7.1f.part").write_text('{"for')
    play(cells_of(1), Goal(SMALL), [folder])
    assert sorted(path.name for path in folder.iterdir()) == ["blocks", "manifest.json", "totals.json"]


def test_what_a_killed_run_was_writing_is_cleared_away(uninterrupted, tmp_path):
    """Where the file is not written again, since it was there already."""
    expected, _ = uninterrupted(1, ODDLY, True)
    folder = Path(shutil.copytree(expected / "0", tmp_path / "0"))
    for name in ("blocks/.000000000048.npy", "rows/seats/.000000000000.parquet", ".totals.json"):
        (folder / f"{name}.7.1f.part").write_bytes(b"half of ")
    play(cells_of(1), ODDLY, [folder], rows=True)
    assert files(tmp_path) == files(expected)


# Another run.

LAZY = "def bid(rules, table, own, rng, choice):\n    choice.coins = 0\n"
TUNED = ("prospector:king=0.5", "greedy", "never_bids", "random_legal")


def changed_by(**changes: Any) -> Callable[[Batch], Batch]:
    return lambda of: replace(of, **changes)


def with_policy(of: Batch, source: str) -> Batch:
    return replace(of, line_up=LineUp((outside(source), *of.line_up.pool[1:]), "fixed"))


OTHERS: dict[str, tuple[Callable[[], Batch], Callable[[], Batch], str]] = {
    "seed": (lambda: batch(), lambda: batch(seed=2), "seed is 1 there and 2 here"),
    "rule": (
        lambda: batch(),
        lambda: batch(sets=["debt_penalty=[3,1,9]"]),
        "rules.debt_penalty is [1, 3, 6, 12, 15] there and [3, 1, 9] here",
    ),
    "rule's name": (
        lambda: batch(),
        lambda: replace(batch(), rules=replace(batch().rules, name="mine")),
        'name is "base" there and "mine" here',
    ),
    "policy": (
        lambda: batch(("greedy",)),
        lambda: batch(("prospector",)),
        'policies[greedy].name is "greedy" there and "prospector" here',
    ),
    "policy's parameter": (
        lambda: batch(TUNED),
        lambda: batch(("prospector:king=1.5", *TUNED[1:])),
        'policies[prospector:king=0.5].label is "prospector:king=0.5" there and "prospector:king=1.5" here',
    ),
    "policy's source": (
        lambda: with_policy(batch(), LAZY),
        lambda: with_policy(batch(), LAZY.replace("0", "1")),
        "policies[mine].source is ",
    ),
    "order of policies": (
        lambda: batch(MIXED[:4]),
        lambda: batch(MIXED[3::-1]),
        f'policies[{MIXED[0]}].name is "{MIXED[0]}" there and "{MIXED[3]}" here',
    ),
    "number of policies": (
        lambda: batch(MIXED, "drawn"),
        lambda: batch(MIXED[:5], "drawn"),
        "policies is ",
    ),
    "line-up": (
        lambda: batch(MIXED[:4], "shuffled"),
        lambda: batch(MIXED[:4], "fixed"),
        'line_up is "shuffled" there and "fixed" here',
    ),
    "size of blocks": (lambda: batch(), lambda: batch(block_games=7), "block_games is 1000 there and 7 here"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_run_is_refused_by_what_differs(tmp_path, what):
    old, new, says = OTHERS[what]
    Writer(tmp_path / "run", old())
    before = files(tmp_path)
    with pytest.raises(RunFailed) as caught:
        Writer(tmp_path / "run", new())
    line = str(caught.value)
    assert line.startswith(f"{tmp_path / 'run'} holds another run: {says}")
    assert line.endswith("here; name another folder to begin anew")
    assert "\n" not in line
    assert len(line) < 500
    assert files(tmp_path) == before
    Writer(tmp_path / "run", old())


@pytest.mark.parametrize("key", ["steelyard", "sources", "numba", "numpy", "python"])
def test_another_version_is_refused(tmp_path, key):
    """Its results may differ, and two halves of a run must not."""
    Writer(tmp_path, batch())
    head = read_json(tmp_path / "manifest.json")
    mine, head["versions"][key] = head["versions"][key], "0.0"
    write_json(tmp_path / "manifest.json", head)
    with pytest.raises(RunFailed, match=rf'versions\.{key} is "0\.0" there and "{mine}" here'):
        Writer(tmp_path, batch())


@pytest.mark.parametrize("content", ["[]", "null", '"run"', "{}", '{"format": 4}', '{"game": {"game": "debrium"}}'])
def test_a_manifest_that_is_none_is_refused(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(RunFailed, match="holds another run") as caught:
        Writer(tmp_path, batch())
    assert "\n" not in str(caught.value)
    assert (tmp_path / "manifest.json").read_text() == content


# Damaged blocks.


def header(shape: str, descr: str = "'<i8'") -> bytes:
    """The beginning of an .npy file that claims to hold an array of this shape and type."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def changed_record(path: Path, **values: Any) -> None:
    """Rewrite a group's file with other numbers in some of its fields."""
    record = np.load(path)
    for name, number in values.items():
        record[name] = number
    np.save(path, record)


def reshaped(path: Path, blocks: int) -> None:
    """Rewrite a group's file as if it held so many blocks."""
    record = np.load(path)
    names = [(name, record.dtype[name].base, record.dtype[name].shape) for name in record.dtype.names]
    kinds = [(name, base, (blocks, *shape[1:]) if name == "sums" else shape) for name, base, shape in names]
    np.save(path, np.zeros(1, kinds))


def archived(path: Path) -> None:
    """Put an archive of arrays in a group's place."""
    with path.open("wb") as file:
        np.savez(file, sums=np.zeros(3))


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut in its header": lambda path: path.write_bytes(path.read_bytes()[:50]),
    "cut in its numbers": lambda path: path.write_bytes(path.read_bytes()[:-8]),
    "text": lambda path: path.write_text("a,b\n1,2\n"),
    "pickled objects": lambda path: np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True),
    "a bare pickle": lambda path: path.write_bytes(b"\x80\x04N."),
    "an archive": archived,
    "numbers without names": lambda path: np.save(path, np.zeros((16, 200, 2), np.int64)),
    "a single number": lambda path: np.save(path, np.int64(3)),
    "no record": lambda path: np.save(path, np.load(path)[:0]),
    "two records": lambda path: np.save(path, np.repeat(np.load(path), 2)),
    "another record": lambda path: np.save(path, np.zeros(1, [("sums", "<i8", (16, 9, 2))])),
    "the record of another name": lambda path: path.write_bytes(path.read_bytes().replace(b"'high'", b"'hide'")),
    "floats": lambda path: np.save(
        path, np.zeros(1, [("first_block", "<f8"), ("games", "<f8"), ("sums", "<f8", 16)])
    ),
    "a huge shape": lambda path: path.write_bytes(header("(1000000000000,)")),
    "a huge record": lambda path: path.write_bytes(header("(1,)", f"[('sums', '<i8', ({10**6}, {10**6}))]")),
    "a shape that overflows": lambda path: path.write_bytes(header(f"({2**62}, {2**62}, 16)")),
    "a negative shape": lambda path: path.write_bytes(header("(-1,)")),
    "a shape of text": lambda path: path.write_bytes(header("('many',)")),
    "a header that is no dictionary": lambda path: path.write_bytes(header("(1,)}, {")),
    "a header without end": lambda path: path.write_bytes(header("(((((((((((")),
    "a header of a string without end": lambda path: path.write_bytes(header("'''")),
    "a header that runs code": lambda path: path.write_bytes(header("__import__('os').getpid()")),
    "no blocks": lambda path: reshaped(path, 0),
    "too many blocks": lambda path: reshaped(path, GROUP_BLOCKS + 1),
    "another group": lambda path: changed_record(path, first_block=GROUP_BLOCKS),
    "no games": lambda path: changed_record(path, games=0),
    "a negative number of games": lambda path: changed_record(path, games=-5),
    "games beyond its blocks": lambda path: changed_record(path, games=GROUP_BLOCKS * SMALL + 1),
    "games too few for its blocks": lambda path: changed_record(path, games=(GROUP_BLOCKS - 1) * SMALL),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damaged_blocks_are_refused_in_one_line(uninterrupted, tmp_path, what):
    """By going on, by comparing and by reading a run that was cut short; each names the file and what to do."""
    expected, _ = uninterrupted(1, ODDLY, False)
    folder = Path(shutil.copytree(expected / "0", tmp_path / "0"))
    (folder / "totals.json").unlink()
    DAMAGES[what](group_file(folder, 0))
    readers: list[Callable[[], Any]] = [
        lambda: play(cells_of(1), ODDLY, [folder]),
        lambda: of_runs(folder, expected / "0"),
        lambda: read(folder),
    ]
    for reader in readers:
        with pytest.raises(BadInput) as caught:
            reader()
        line = str(caught.value)
        assert str(group_file(folder, 0)) in line
        assert "remove the file and run again" in line
        assert "\n" not in line
        assert len(line) < 1000
    group_file(folder, 0).unlink()
    play(cells_of(1), ODDLY, [folder])
    assert files(tmp_path) == files(expected)


def test_a_group_that_is_another_ones_copy_is_refused(uninterrupted, tmp_path):
    expected, _ = uninterrupted(1, ODDLY, False)
    folder = Path(shutil.copytree(expected / "0", tmp_path / "0"))
    shutil.copy(group_file(folder, 0), group_file(folder, 1))
    with pytest.raises(BadInput, match=f"{GROUP_BLOCKS:012d}.npy: claims to hold 320 games in 16 blocks from 0 on"):
        play(cells_of(1), ODDLY, [folder])


def test_a_folder_in_a_groups_place_is_refused(uninterrupted, tmp_path):
    expected, _ = uninterrupted(1, ODDLY, False)
    folder = Path(shutil.copytree(expected / "0", tmp_path / "0"))
    group_file(folder, 0).unlink()
    group_file(folder, 0).mkdir()
    with pytest.raises(BadInput, match="not a group of blocks"):
        play(cells_of(1), ODDLY, [folder])
