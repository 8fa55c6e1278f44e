"""Inside folders of ours there are files and folders only: nothing is read, written or deleted through a link.

A pipe would wait for ever. The folder that is named may itself be a link.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reports.html import FILES, write_report
from reports.parts import Report, Section, Table
from sim.compare import of_runs
from sim.errors import BadInput
from sim.files import check_folder
from sim.folder import own, tree
from sim.store import read
from sim.sweep import Goal
from tests.cli.runner import refusal, steelyard
from tests.interruptions import files, play
from tests.support import batch, outside

SMALL = 20
OF = batch(block_games=SMALL, seed=3)
PRECIOUS = b"precious"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with rows that no test changes."""
    folder = tmp_path_factory.mktemp("links") / "run"
    play([OF], Goal(3 * SMALL), [folder], rows=True)
    return folder


@pytest.fixture
def run(original: Path, tmp_path: Path) -> Path:
    """A copy of it, in which links are laid."""
    return Path(shutil.copytree(original, tmp_path / "run"))


def link(path: Path, outside_of: Path) -> None:
    """Put a link to a stranger's file or folder of the same content in a file's or folder's place."""
    target = outside_of / "mine"
    shutil.move(path, target)
    path.symlink_to(target)


def pipe(path: Path, outside_of: Path) -> None:
    """Put a pipe in a file's or folder's place."""
    shutil.move(path, outside_of / "mine")
    os.mkfifo(path)


def in_time(work: Callable[[], Any]) -> Any:
    """What work gives or raises; it must not hang."""
    found: list[Any] = []

    def do() -> None:
        try:
            found.append(work())
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    thread.join(60)
    assert found, "it hangs"
    return found[0]


NAMES = (
    "manifest.json", "totals.json", "blocks", "blocks/000000000000.npy", "rows", "rows/seats",
    "rows/games/000000000000.parquet",
)  # fmt: skip


@pytest.mark.parametrize("lay", [link, pipe])
@pytest.mark.parametrize("name", NAMES)
def test_going_on_in_a_run_follows_nothing(run, tmp_path, name, lay):
    lay(run / name, tmp_path)
    before = files(tmp_path)
    found = in_time(lambda: play([OF], Goal(40 * SMALL), [run], rows=True))
    assert isinstance(found, BadInput)
    what = "a link" if lay is link else "a pipe"
    told = f"is {what}; inside a folder of steelyard's there are files and folders only"
    assert str(found) == f"{run / name}: {told}"
    assert files(tmp_path) == before


@pytest.mark.parametrize("lay", [link, pipe])
@pytest.mark.parametrize("name", NAMES[:4])
def test_reading_a_run_follows_nothing(run, original, tmp_path, name, lay):
    lay(run / name, tmp_path)
    if name.startswith("blocks"):
        (run / "totals.json").unlink()
    for reader in (lambda: read(run), lambda: of_runs(original, run)):
        found = in_time(reader)
        assert isinstance(found, BadInput), found
        assert f"{run / name}: is a " in str(found)


def test_the_source_of_a_policy_is_not_written_through_a_link(tmp_path):
    mine = outside("def bid(rules, table, own, rng, choice):\n    choice.coins = 0\n")
    of = batch(block_games=SMALL)
    of = type(of)(of.game, of.rules, type(of.line_up)((mine, *of.line_up.pool[1:]), "fixed"), 1, SMALL)
    (tmp_path / "mine").write_bytes(PRECIOUS)
    (tmp_path / "run" / "policies").mkdir(parents=True)
    shutil.rmtree(tmp_path / "run")
    play([of], Goal(SMALL), [tmp_path / "run"])
    path = tmp_path / "run" / "policies" / "mine.py.txt"
    path.unlink()
    path.symlink_to(tmp_path / "mine")
    with pytest.raises(BadInput, match=r"mine\.py\.txt: is a link"):
        play([of], Goal(SMALL), [tmp_path / "run"])
    assert (tmp_path / "mine").read_bytes() == PRECIOUS


def test_the_folder_itself_may_be_a_link(run, tmp_path):
    (tmp_path / "named").symlink_to(run)
    sweep = play([OF], Goal(5 * SMALL), [tmp_path / "named"], rows=True)
    assert sweep is not None
    assert read(tmp_path / "named").totals.games == 5 * SMALL
    assert (tmp_path / "named").is_symlink()


def test_a_sweep_follows_nothing(tmp_path):
    words = ("sweep", "debrium", "--policies", "random_legal", "--games", "40", "--vary", "mining_king_bonus=0,40")
    out = tmp_path / "king"
    assert steelyard(*words, "--out", str(out)).exit_code == 0
    cell = next((out / "cells").iterdir())
    for path in (out / "sweep.json", out / "cells", cell):
        shutil.move(path, tmp_path / "mine")
        path.symlink_to(tmp_path / "mine")
        before = files(tmp_path)
        said = refusal(*words, "--games", "400", "--out", str(out))
        assert said.startswith(f"{path}: is a link")
        assert files(tmp_path) == before
        path.unlink()
        shutil.move(tmp_path / "mine", path)


# Reports.


def report() -> Report:
    """As small a report as there can be."""
    table = Table("runs", "Runs", ("a",), (("1",),), pd.DataFrame({"a": [1]}))
    bands = Table("bands", "Bands", ("a",), (("1",),), pd.DataFrame({"a": [1]}))
    return Report("t", "s", table, (), (), bands, (Section("one", "One", ()),), {})


@pytest.mark.parametrize("name", [*FILES, "tables/runs.csv", "tables/old.csv"])
@pytest.mark.parametrize("lay", [link, pipe])
def test_a_report_writes_and_deletes_nothing_elsewhere(tmp_path, name, lay):
    folder = tmp_path / "page"
    write_report(report(), folder)
    for other in ("charts", "rules"):
        (folder / other).mkdir()
    (folder / "tables" / "old.csv").write_bytes(PRECIOUS)
    (folder / "files.txt").write_text((folder / "files.txt").read_text() + "tables/old.csv\ncharts/old.svg\n")
    (folder / "charts" / "old.svg").write_bytes(PRECIOUS)
    lay(folder / name, tmp_path)
    before = files(tmp_path)
    found = in_time(lambda: write_report(report(), folder))
    if name == "rules":  # of which this report has none
        found = in_time(lambda: check_folder("--out", str(folder), FILES))
        before = files(tmp_path)
    assert isinstance(found, BadInput), found
    assert f"{folder / name}: is a " in str(found)
    assert files(tmp_path) == before
    if name in FILES:
        found = in_time(lambda: check_folder("--out", str(folder), FILES))
        assert f"{folder / name}: is a " in str(found)


def test_what_an_earlier_report_wrote_is_still_deleted(tmp_path):
    write_report(report(), tmp_path)
    (tmp_path / "tables" / "old.csv").write_bytes(b"")
    (tmp_path / "files.txt").write_text("tables/old.csv\n../mine\n")
    write_report(report(), tmp_path)
    assert not (tmp_path / "tables" / "old.csv").exists()


def test_a_device_is_told_as_one(tmp_path):
    with pytest.raises(BadInput, match=r"^/dev/null: is a device; inside"):
        own(Path("/dev"), "null")


def test_what_is_not_there_is_a_path_of_ours(tmp_path):
    assert own(tmp_path, "a/b/c") == tmp_path / "a" / "b" / "c"
    assert list(tree(tmp_path)) == []
