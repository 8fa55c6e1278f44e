"""Files written whole and read with care, whoever made them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from sim.errors import BadInput
from sim.files import check_writable, is_temporary, read_bytes, read_json, write_json, write_whole
from tests.support import ROOT

SHORT = 1000


def complaint(path: Path) -> str:
    """The line with which a JSON file is refused; it names the file."""
    with pytest.raises(BadInput) as caught:
        read_json(path)
    line = str(caught.value)
    assert line.startswith(f"{path}: ")
    assert line.isprintable()
    assert len(line) < SHORT
    return line.removeprefix(f"{path}: ")


def test_it_imports_nothing_of_the_simulator_but_its_errors():
    """So that whatever reads or writes a file can do it here, before anything heavy is loaded."""
    code = "import sys, sim.files; print(*sorted(n for n in sys.modules if n.startswith(('sim.', 'numpy', 'numba'))))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["sim.errors", "sim.files", "sim.folder"]


# Writing.


def test_writing_replaces_a_file_as_a_whole(tmp_path):
    path = tmp_path / "sub" / "table.csv"
    write_whole(path, b"first")
    write_whole(path, b"second")
    assert path.read_bytes() == b"second"
    assert [each.name for each in path.parent.iterdir()] == ["table.csv"]


def test_writing_over_a_folder_is_refused_and_leaves_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="cannot write"):
        write_whole(tmp_path / "folder", b"text")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_who_writes_at_the_same_time_does_so_under_another_name(tmp_path, monkeypatch):
    """Threads and processes; each name is one that is cleared away when its writer was killed."""
    path, names = tmp_path / "policy.py", []
    rename = Path.replace

    def watched(temporary: Path, target: Path) -> Path:
        names.append(temporary.name)
        return rename(temporary, target)

    monkeypatch.setattr(Path, "replace", watched)
    write_whole(path, b"")
    thread = threading.Thread(target=write_whole, args=(path, b""))
    thread.start()
    thread.join()
    monkeypatch.setattr(os, "getpid", lambda: 7)
    write_whole(path, b"")
    assert len(set(names)) == 3
    assert all(is_temporary(tmp_path / name) for name in names)


# Reading.


def test_a_file_is_read_up_to_the_limit(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes(b"x" * 2_000_000)
    assert read_bytes(path, "note", 2_000_000) == path.read_bytes()
    with pytest.raises(BadInput) as caught:
        read_bytes(path, "note", 1_999_999)
    assert str(caught.value) == f"{path}: too large for a note (at most 1 MB)"


def test_a_file_of_no_known_size_is_read_up_to_the_limit(tmp_path, monkeypatch):
    """As one that grows while it is read."""
    path = tmp_path / "notes.txt"
    path.write_bytes(b"")
    status = path.stat()
    path.write_bytes(b"x" * 100)
    monkeypatch.setattr(Path, "stat", lambda path: status)
    with pytest.raises(BadInput, match="too large"):
        read_bytes(path, "note", 99)


def test_what_is_no_ordinary_file_is_never_opened(tmp_path):
    """Opening a pipe would wait for somebody to write to it."""
    os.mkfifo(tmp_path / "pipe")
    for name, what in ((".", "a folder"), ("pipe", "a pipe"), ("/dev/null", "a device")):
        path = tmp_path / name
        with pytest.raises(BadInput) as caught:
            read_bytes(path, "note", 9)
        assert str(caught.value) == f"{path}: is {what}; a note is needed"


def test_a_files_name_is_shown_so_that_a_terminal_does_not_obey_it(tmp_path):
    for name in ("a\x1b[31m", "a\nb", "a\0b"):
        with pytest.raises(BadInput) as caught:
            read_bytes(tmp_path / name, "note", 9)
        assert str(caught.value).isprintable()


def test_json_comes_back_as_it_was_written(tmp_path):
    data: dict[str, Any] = {
        "whole": [2**70, -(2**70), 0],
        "half": 0.5,
        "text": "Zählung",
        "none": None,
        "deep": [[[{}]]],
    }
    write_json(tmp_path / "data.json", data)
    assert read_json(tmp_path / "data.json") == data
    assert [type(number) for number in read_json(tmp_path / "data.json")["whole"]] == [int, int, int]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[" * 200_000, b"[" + b"9" * 10_000 + b"]", b"[NaN]", b"[1e999]", b'["\\ud800"]']
)
def test_what_is_no_json_is_refused(tmp_path, content):
    (tmp_path / "data.json").write_bytes(content)
    assert complaint(tmp_path / "data.json").startswith("not JSON: ")


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"policies": [{}, {"label": "\x1b]0;owned\x07"}]}, "$.policies[1].label"),
        ({"name": "a\nb"}, "$.name"),
        ({"name": "\u202egnp.exe"}, "$.name"),
        ({"name": "x" * 10_001}, "$.name"),
        ({"rules": {"\x1b[31m": 1}}, "a key of $.rules"),
        ({"\x1b[31m": ["\x1b"]}, "$.'\\x1b[31m'[0]"),
        ({"x" * 20_000: 1}, "a key of $"),
        ("\x9b", "$"),
    ],
)
def test_a_text_that_cannot_be_shown_is_refused_by_its_place(tmp_path, data, place):
    (tmp_path / "data.json").write_text(json.dumps(data))
    said = complaint(tmp_path / "data.json")
    assert said == f"`{place}` must be at most 10000 printable characters in one line"


def test_what_is_nested_too_deep_is_refused(tmp_path):
    """Deeper than Python itself goes, or not."""
    for depth in (30, 800):
        (tmp_path / "data.json").write_text('{"a":' * depth + "1" + "}" * depth)
        assert "nested too deep" in complaint(tmp_path / "data.json")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_a_pipe_stays_a_pipe_and_is_written_into(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"new")
    reader.join(10)
    assert read == [b"new"]
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_said_before_anything_is_played(tmp_path):
    (tmp_path / "me").symlink_to("me")
    for name, why in (("me", "cannot be written"), ("x" * 300, "too long"), ("file/x", "cannot be written")):
        (tmp_path / "file").touch()
        with pytest.raises(BadInput, match=f"^--csv .*{why}"):
            check_writable("--csv", str(tmp_path / name))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_in_a_folder_that_takes_no_new_ones_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    tmp_path.chmod(0o555)
    with pytest.raises(BadInput, match="cannot be written"):
        check_writable("--csv", str(tmp_path / "file"))
