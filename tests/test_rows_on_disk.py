"""The Parquet parts of a run: gone on with, asked for too late, on a disk that is full, within little memory."""

from __future__ import annotations

import errno
import gc
import json
import re
import shutil
import threading
import time
import tracemalloc
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from sim import run, store
from sim.blocks import TaskResult
from sim.compare import of_runs
from sim.errors import BadInput, RunFailed
from sim.played import manifest
from sim.rows import Rows
from sim.schedule import GROUP_BLOCKS
from sim.store import Writer, read
from sim.sweep import Goal, Sweep
from sim.workers import Threads
from tests.cli.runner import document, refusal, steelyard
from tests.interruptions import ENDINGS, Interruption, files, play
from tests.support import assert_same, batch

SMALL = 20
GROUP = GROUP_BLOCKS * SMALL
GAMES = 3 * GROUP + 2 * SMALL + 7
OF = batch(sets=["expansion=true"], seed=8, block_games=SMALL)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with rows that was played at once and that no test changes."""
    folder = tmp_path_factory.mktemp("rows") / "run"
    play([OF], Goal(GAMES), [folder], rows=True)
    return folder


@pytest.fixture
def folder(expected: Path, tmp_path: Path) -> Path:
    """A copy of it to damage."""
    return Path(shutil.copytree(expected, tmp_path / "run"))


def part(folder: Path, table: str, group: int) -> Path:
    return folder / "rows" / table / f"{group * GROUP_BLOCKS:012d}.parquet"


# Going on.


def of_another_length(path: Path) -> None:
    """What a run leaves that was killed between a part and its blocks."""
    pq.write_table(pq.read_table(path).slice(0, 33), path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-9]),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "text": lambda path: path.write_text("game,seat\n"),
    "of another length": of_another_length,
}


@pytest.mark.parametrize("what", DAMAGES)
@pytest.mark.parametrize("lost", [[("games", 0)], [("seats", 1)], [("rounds", 3)], [("seats", 0), ("rounds", 2)]])
def test_parts_that_are_lost_are_made_again(expected, folder, lost, what):
    """Their groups are played anew, the others read."""
    for table, group in lost:
        DAMAGES[what](part(folder, table, group))
    sweep = play([OF], Goal(GAMES), [folder], rows=True)
    assert sweep is not None
    assert sweep.new_games == sum(GAMES - 3 * GROUP if group == 3 else GROUP for _, group in lost)
    assert files(folder) == files(expected)


def test_a_stop_in_a_group_keeps_its_games_and_going_on_makes_it_whole(expected, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "TASK_SECONDS", 0.0)
    stopped = play([OF], Goal(GAMES), [tmp_path], rows=True, ending=Interruption("stopped", GROUP + 3 * SMALL))
    assert stopped is not None
    games = read(tmp_path).totals.games
    assert GROUP + 3 * SMALL <= games < 2 * GROUP
    assert pq.read_table(tmp_path / "rows" / "games")["game"].to_pylist() == list(range(games))
    again = play([OF], Goal(GAMES), [tmp_path], rows=True)
    assert again is not None
    assert again.new_games == GAMES - GROUP
    assert files(tmp_path) == files(expected)


def test_nothing_of_a_group_is_written_before_it_is_whole(tmp_path, monkeypatch):
    """Blocks of games whose rows are not there would be worth nothing to who goes on."""
    monkeypatch.setattr(store, "FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(run, "TASK_SECONDS", 0.0)
    assert play([OF], Goal(GAMES), [tmp_path], rows=True, ending=Interruption("abandoned", GROUP + SMALL)) is None
    assert read(tmp_path).totals.games == GROUP
    assert pq.read_table(tmp_path / "rows" / "games").num_rows == GROUP


@pytest.mark.parametrize("kind", ENDINGS[2:])
@pytest.mark.parametrize("after", range(2, 12))
def test_killed_at_any_file_it_goes_on_to_the_same_bytes(expected, tmp_path, kind, after):
    assert play([OF], Goal(GAMES), [tmp_path], rows=True, ending=Interruption(kind, after)) is None
    play([OF], Goal(GAMES), [tmp_path], rows=True)
    assert files(tmp_path) == files(expected)


# Asked for too late.


def test_rows_of_a_run_without_are_refused(tmp_path):
    play([OF], Goal(SMALL), [tmp_path])
    before = files(tmp_path)
    with pytest.raises(RunFailed) as caught:
        Writer(tmp_path, OF, True)
    told = "was played without --rows; leave it out, or name another folder to begin anew"
    assert str(caught.value) == f"{tmp_path} {told}"
    assert files(tmp_path) == before


def test_a_run_with_rows_is_not_gone_on_with_without(expected):
    before = files(expected)
    with pytest.raises(RunFailed) as caught:
        Writer(expected, OF)
    told = "was played with --rows; give it again, or name another folder to begin anew"
    assert str(caught.value) == f"{expected} {told}"
    assert files(expected) == before


def test_what_else_differs_is_told_first(expected):
    with pytest.raises(RunFailed, match="seed is 8 there and 1 here"):
        Writer(expected, batch(sets=["expansion=true"], block_games=SMALL))


# Where there is no room.


@pytest.mark.parametrize(("failing", "whole"), [(2, 0), (5, 1), (8, 2), (11, 3)])
def test_a_full_disk_ends_the_run_in_one_line_and_leaves_what_is_finished(
    expected, tmp_path, failing, whole, monkeypatch
):
    """Of a group that is written in part, nothing counts; with room again the run goes on."""
    written = Path.write_bytes
    parts = iter(range(1, 100))

    def full(path: Path, data: bytes) -> int:
        if ".parquet." in path.name and next(parts) >= failing:
            written(path, data[:100])
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RunFailed, match=r"\.parquet: cannot write: No space left on device$"):
        play([OF], Goal(GAMES), [tmp_path], rows=True)
    monkeypatch.undo()
    left = files(tmp_path)
    assert {name: left[name] for name in left if name != "manifest.json"}.items() <= files(expected).items()
    assert not [name for name in left if name.endswith(".part")]
    assert len([name for name in left if name.startswith("blocks/")]) == whole
    again = play([OF], Goal(GAMES), [tmp_path], rows=True)
    assert again is not None
    assert again.new_games == GAMES - whole * GROUP
    assert files(tmp_path) == files(expected)


def test_a_folder_that_cannot_be_made_ends_the_run_in_one_line(expected, tmp_path):
    (tmp_path / "run").mkdir()
    writer = Writer(tmp_path / "run", OF, True)
    (tmp_path / "run" / "rows").write_text("in the way")
    with pytest.raises(BadInput, match="cannot write: Not a directory"):
        play([OF], Goal(GAMES), [writer.folder], rows=True)
    (tmp_path / "run" / "rows").unlink()
    play([OF], Goal(GAMES), [writer.folder], rows=True)
    assert files(writer.folder) == files(expected)


def test_memory_does_not_grow_with_the_games(tmp_path, monkeypatch):
    """Eight times the games need no more of it, on a disk that is slower than play: who plays waits for it."""
    write, peaks = Rows.write, []

    def slowly(rows: Rows, first_block: int) -> list[bytes]:
        time.sleep(0.01)
        return write(rows, first_block)

    monkeypatch.setattr(Rows, "write", slowly)
    play([OF], Goal(GROUP), [tmp_path / "first"], 1, rows=True)  # what is loaded once
    for games in (4 * GROUP, 32 * GROUP):
        gc.collect()
        tracemalloc.start()
        play([OF], Goal(games), [tmp_path / str(games)], 1, rows=True)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
    row = 4 * len(OF.layout().plan.blank)
    assert peaks[1] > GROUP * row, "rows must be among what is measured"


@pytest.mark.parametrize("games", [GROUP, 2 * GROUP, 30, GROUP + 30], ids=["a group", "two", "less", "more"])
def test_no_row_is_held_of_what_is_written(tmp_path, monkeypatch, games):
    """A sweep has many cells, and each would hold its last group until the sweep's end."""
    add, alive = Writer.add, []

    def watched(writer: Writer, part: TaskResult) -> None:
        alive.append(weakref.ref(part.rows))
        add(writer, part)

    monkeypatch.setattr(Writer, "add", watched)
    cells = [batch(sets=[f"mining_king_bonus={bonus}"], seed=8, block_games=SMALL) for bonus in (0, 15, 30)]
    writers = [Writer(tmp_path / str(number), cell, True) for number, cell in enumerate(cells)]
    sweep = Sweep(cells, Goal(games), writers=writers)
    with Threads(cells, 2, True) as workers:
        sweep.play(workers, lambda games: None)
    gc.collect()
    assert len(alive) >= len(cells)
    assert not [reference for reference in alive if reference() is not None]
    sweep.finish()
    assert [pq.read_table(tmp_path / str(cell) / "rows" / "games").num_rows for cell in range(3)] == [games] * 3


class Late(Threads):
    """Threads whose first task is over after all that may be finished before it."""

    submitted = 0

    def submit(self, batch: int, first_block: int, blocks: int, games: int) -> Future[tuple[TaskResult, float]]:
        self.submitted += 1
        future = super().submit(batch, first_block, blocks, games)
        if self.submitted > 1:
            return future
        late: Future[tuple[TaskResult, float]] = Future()
        threading.Timer(0.5, lambda: late.set_result(future.result())).start()
        return late


@pytest.mark.parametrize(("rows", "ahead"), [(False, run.AHEAD), (True, run.AHEAD_WITH_ROWS)])
def test_few_tasks_are_ahead_of_a_late_one_where_they_hold_rows(tmp_path, monkeypatch, rows, ahead):
    monkeypatch.setattr(run, "TASK_SECONDS", 0.0)
    sweep, before = Sweep([OF], Goal(GAMES), writers=[Writer(tmp_path, OF, rows)]), []
    with Late([OF], 2, rows) as workers:
        sweep.play(workers, lambda games: before.append(workers.submitted))
    assert before[0] == ahead * workers.places()
    assert sweep.is_finished


# Read as any other run.


def test_a_run_with_rows_is_the_run_without(expected, tmp_path):
    play([OF], Goal(GAMES), [tmp_path])
    plain, with_rows = files(tmp_path), {k: v for k, v in files(expected).items() if not k.startswith("rows/")}
    heads = [json.loads(found.pop("manifest.json")) for found in (plain, with_rows)]
    assert plain.keys() == with_rows.keys()
    assert [len(head.pop("sha256")) for head in heads] == [64, 64]
    assert heads == [json.loads(msgspec.json.encode(manifest(OF, has_rows))) for has_rows in (False, True)]
    assert_same(read(tmp_path).totals, read(expected).totals)
    compared = of_runs(tmp_path, expected)
    assert compared.blocks == 3 * GROUP_BLOCKS + 3
    assert not any(found.value for _, found in compared.changes)


@pytest.fixture(scope="module")
def by_command(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs as a command keeps them."""
    folders = {}
    for name, words in {
        "base": ["debrium"],
        "variant": ["debrium", "--set", "mining_king_bonus=0"],
        "festival": ["book_festival"],
    }.items():
        folders[name] = tmp_path_factory.mktemp("by_command") / name
        found = document(
            "run", *words, "--policies", "random_legal", "--games", "1500", "--rows", "--out", str(folders[name])
        )
        assert found["games"] == 1500
        assert pq.read_table(folders[name] / "rows" / "games").num_rows == 1500
    return folders


def test_a_report_shows_it(by_command, tmp_path):
    done = steelyard("report", str(by_command["base"]), "--out", str(tmp_path / "page"))
    assert done.exit_code == 0, done.output
    assert re.search(r"1\D?500 games", (tmp_path / "page" / "index.html").read_text())


def test_two_are_compared(by_command):
    found = document("compare", str(by_command["base"]), str(by_command["variant"]))
    assert (found["games"], found["blocks"]) == (1500, 150)


def test_odds_are_those_of_its_stars(by_command):
    assert document("odds", "--from-run", str(by_command["festival"]))["chances"]


def test_the_same_command_reads_it(by_command):
    words = ["debrium", "--policies", "random_legal", "--games", "1500", "--out", str(by_command["base"])]
    before = files(by_command["base"])
    assert document("run", *words, "--rows")["games"] == 1500
    assert files(by_command["base"]) == before
    assert "was played with --rows" in refusal("run", *words, code=1)


def test_rows_need_a_folder():
    assert refusal("run", "debrium", "--rows") == "--rows: needs --out, the folder that keeps them"
