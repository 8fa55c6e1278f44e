"""Charts draw what frames hold, no more and no less."""

import math
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from reports import charts, picture, svg
from reports.picture import fonts

FRAME = pd.DataFrame(
    {
        "label": ["a", "b", "a", "b"],
        "x": [1, 2, 1, 2],
        "series": ["base", "base", "more", "more"],
        "value": [10.0, 20.0, 30.0, 40.0],
        "low": [9.0, 18.0, 29.0, -math.inf],
        "high": [11.0, 23.0, 31.0, math.inf],
        "text": ["ten", "twenty", "thirty", "forty"],
    }
)


def _ax() -> Axes:
    return Figure().subplots()


def _segments(ax: Axes) -> list[list[list[float]]]:
    return [s.tolist() for c in ax.collections if isinstance(c, LineCollection) for s in c.get_segments() if len(s)]


def test_intervals_draws_each_value_with_its_interval_and_text() -> None:
    ax = _ax()
    charts.intervals(ax, FRAME, "%", reference=25, reference_label="fair")
    drawn = [x for line in ax.lines for x in np.asarray(line.get_xdata()).tolist() if line.get_marker() in "oD"]
    assert [x for x in drawn if x] == [10, 20, 30, 40]
    spans = [(first[0], last[0]) for first, last in _segments(ax)]
    assert spans == [(9, 11), (18, 23), (29, 31), (40, 40)]
    assert [t.get_text() for t in ax.texts] == ["fair", "ten", "twenty", "thirty", "forty"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
    assert ax.lines[0].get_xdata() == [25, 25]
    assert ax.get_xlabel() == "%"


def test_lines_names_each_series_at_its_end_and_keeps_names_apart() -> None:
    ax = _ax()
    near = FRAME.assign(value=[10.0, 20.0, 30.0, 20.1])
    charts.lines(ax, near, "round", "coins")
    names = {t.get_text(): t.xy[1] for t in ax.texts if t.get_text() in ("base", "more")}  # type: ignore[attr-defined]
    assert set(names) == {"base", "more"}
    assert abs(names["more"] - names["base"]) > 0.5
    assert ax.get_xlabel() == "round"
    assert ax.get_ylim()[0] == 0


def test_lines_without_intervals_are_exact_and_undodged() -> None:
    ax = _ax()
    exact = pd.DataFrame({"series": "exact", "x": [1, 2], "value": [1.0, 2.0], "low": math.nan, "high": math.nan})
    charts.lines(ax, exact, "round", "%")
    assert ax.lines[0].get_marker() == "_"
    assert np.asarray(ax.lines[0].get_xdata()).tolist() == [1, 2]
    assert not _segments(ax)


def test_bars_reach_from_zero_to_the_value() -> None:
    ax = _ax()
    charts.bars(ax, FRAME, "chips", "%")
    heights = [bar.get_height() for c in ax.containers if isinstance(c, BarContainer) for bar in c]
    assert heights == [10, 20, 30, 40]


def test_stacked_adds_parts_right_of_zero_and_takes_away_left_of_it() -> None:
    ax = _ax()
    frame = pd.DataFrame(
        {
            "label": "run",
            "part": ["chips", "coins", "debt", "total"],
            "value": [70.0, 10.0, -6.0, 74.0],
            "low": [69.0, 9.0, -7.0, 73.0],
            "high": [71.0, 11.0, -5.0, 75.0],
            "text": ["70", "10", "-6", "74 ± 1"],
        }
    )
    charts.stacked(ax, frame, "points")
    spans = [(bar.get_x(), bar.get_width()) for c in ax.containers if isinstance(c, BarContainer) for bar in c]
    assert spans[:3] == [(0, 70), (70, 10), (0, -6)]
    assert "74 ± 1" in [t.get_text() for t in ax.texts]


def test_drawing_is_the_same_bytes_and_carries_no_address_or_date() -> None:
    def draw(ax: Axes) -> None:
        charts.intervals(ax, FRAME.assign(label=["$x$", "<b>", "$x$", "<b>"]), "%")

    first, again = (svg.drawing(draw, "name", "Title <i>", 'alt "<u>"', 200) for _ in range(2))
    assert first == again
    assert "http" not in first
    assert "<b>" not in first
    assert "<i>" not in first
    assert "$x$" in first
    assert 'aria-label="alt &quot;&lt;u&gt;&quot;"' in first
    assert b'xmlns="http://www.w3.org/2000/svg"' in svg.as_file(first)


def test_parts_of_drawings_in_one_page_have_different_ids() -> None:
    def ids(name: str) -> set[str]:
        text = svg.drawing(lambda ax: charts.intervals(ax, FRAME, "%"), name, "t", "a", 200)
        return {part.split('"')[0] for part in text.split(' id="')[1:]}

    assert ids("one")
    assert not ids("one") & ids("two")


def test_an_axis_spans_the_band() -> None:
    """Seats at 33.2 to 33.6 % look as even as they are."""
    near = FRAME.assign(value=33.4, low=33.2, high=33.6)
    limits = []
    for band in (None, (32.0, 34.7)):
        ax = Figure().subplots()
        charts.intervals(ax, near, "%", band=band)
        limits.append(ax.get_xlim())
    assert limits[0][1] - limits[0][0] < 1
    assert limits[1][0] <= 32.0
    assert limits[1][1] >= 34.7


def test_the_first_japanese_font_that_is_installed_draws_what_the_others_lack() -> None:
    assert fonts({"DejaVu Sans"}) == ["DejaVu Sans"]
    assert fonts({"Meiryo", "IPAexGothic", "Arial"}) == ["DejaVu Sans", "IPAexGothic"]


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_letters_that_no_font_has_are_told_once(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(picture, "_JAPANESE", ())

    def make() -> Figure:
        figure = Figure()
        figure.suptitle("新しい規則 日本")
        return figure

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture.save(tmp_path / f"name{ending}", make)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert "some letters are boxes" in said[0]
    picture.save(tmp_path / f"plain{ending}", Figure)
    assert not capsys.readouterr().err
