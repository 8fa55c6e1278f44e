"""Drawings in files: whole, the same every time, whatever the user's own matplotlib says."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

from reports.picture import check_ending, save
from sim.errors import BadInput


def figure() -> Figure:
    made = Figure(figsize=(3, 2))
    ax = made.subplots()
    ax.plot([0, 1], [0, 1])
    ax.set_title("$x_1$")
    return made


def drawn(file: Path) -> bytes:
    save(file, figure)
    return file.read_bytes()


@pytest.mark.parametrize("name", ["chart.gif", "chart", "chart.svgz", ".svg"])
def test_only_endings_that_can_be_drawn_are_taken(name):
    with pytest.raises(BadInput, match=r"--plot .*: name a file that ends in .svg or .png"):
        check_ending("--plot", Path(name))


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_a_drawing_is_the_same_bytes_every_time_and_says_nothing_of_when_or_with_what(tmp_path, ending):
    first = drawn(tmp_path / f"one{ending}")
    with matplotlib.rc_context({"lines.linewidth": 9, "font.size": 20}):
        assert drawn(tmp_path / "new" / f"two{ending}") == first
    for word in (b"Matplotlib", b"<dc:date>", b"Software"):
        assert word not in first
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == [f"one{ending}"]


def test_a_failed_drawing_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "chart.png"
    before = drawn(file)

    def fails() -> Figure:
        raise ValueError("no figure")

    with pytest.raises(ValueError, match="no figure"):
        save(file, fails)
    assert file.read_bytes() == before
    with pytest.raises(BadInput, match="cannot write"):
        save(file / "inside.png", figure)
