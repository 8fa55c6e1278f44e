"""Odd words on the command line, and a disk without room: one line that a terminal does not obey, nothing lost."""

from __future__ import annotations

import errno
from pathlib import Path

import numba
import pytest

from cli import main
from reports import terminal
from sim import jit
from sim.errors import RunFailed
from sim.store import read
from tests.cli.runner import document, refusal, steelyard

RUN = ("run", "debrium", "--policies", "random_legal", "--games", "20")
#: What a file's name in another encoding becomes.
LATIN = "k\udcf6nig"


@pytest.mark.parametrize("words", [("--out", LATIN), ("--csv", f"{LATIN}.csv"), ("--rules", f"{LATIN}.toml")])
def test_a_name_that_is_no_text_is_refused_before_anything_is_played(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal(*RUN, *words).endswith(": is not UTF-8; a name must be text")
    assert not list(tmp_path.iterdir())


def test_a_report_into_a_folder_of_such_a_name_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal("report", "debrium", "--out", LATIN) == "'k\\udcf6nig': is not UTF-8; a name must be text"


def test_a_checked_policys_name_moves_no_cursor(tmp_path):
    path = tmp_path / "a\x1b[31mred.py"
    path.write_text("def bid(:\n")
    done = steelyard("policies", "debrium", "--check", str(path))
    assert done.exit_code == 2
    assert "\x1b" not in done.output
    assert "\\x1b[31mred.py is code and runs with your rights" in done.stderr


def test_a_disk_that_fills_in_mid_run_ends_it_with_1_and_loses_nothing(tmp_path, monkeypatch):
    """Not 2: no other word on the command line would help."""
    assert steelyard(*RUN, "--out", str(tmp_path / "run")).exit_code == 0
    written = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if ".npy." in path.name:
            written(path, data[:100])
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    line = refusal(*RUN[:-1], "400", "--out", str(tmp_path / "run"), code=1)
    assert line.endswith("blocks/000000000000.npy: cannot write: No space left on device")
    monkeypatch.undo()
    assert read(tmp_path / "run").totals.games == 20
    assert document(*RUN[:-1], "400", "--out", str(tmp_path / "run"))["games"] == 400


def test_a_full_disk_of_the_compile_cache_is_named(tmp_path, monkeypatch):
    def full(*arguments: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(numba, "njit", full)
    with pytest.raises(RunFailed) as caught:
        jit.compile_to(tmp_path, lambda: None, ())
    says = "No space left on device; STEELYARD_CACHE_DIR names another folder"
    assert str(caught.value) == f"cannot keep compiled code in {tmp_path}: {says}"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (MemoryError(), "not enough memory; fewer --threads take less"),
        (OSError("mapping failed"), "cannot write the output: mapping failed"),
        (OSError(), "cannot write the output: no reason is given"),
    ],
)
def test_what_ends_a_command_is_never_told_as_none(error, says, monkeypatch):
    def fail(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(terminal.click.Group, "main", fail)
    done = steelyard("games")
    assert (done.exit_code, done.stderr) == (1, f"steelyard: {says}\n")
    assert main.name
