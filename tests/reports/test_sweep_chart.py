"""A sweep's chart: its kind follows from the shape of the cells, and it can be read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection, QuadMesh
from matplotlib.figure import Figure
from matplotlib.text import Text

from reports import sweep_chart
from reports.picture import styled
from reports.sweep_chart import draw
from reports.sweep_grid import Shape, shape_of
from reports.sweeps import choose, frame
from sim.errors import BadInput
from sim.game import load_game
from sim.sweep import Swept
from tests.reports.conftest import HOSTILE
from tests.reports.sweeping import Cell, arranged, grid, sweep

Draw = Callable[[Swept, Sequence[str]], Figure]

SHIFTS = [{"values_level_1": [1 + k, 2 + k, 4 + k], "tie": "order"} for k in (0, -1, 1, 2)]
SAMPLE = [
    {"starting_coins": (7 * k) % 17, "mining_king_bonus": k, "tie": "order" if k % 2 else "shared"} for k in range(12)
]
TOGETHER = [{"starting_coins": a, "mining_king_bonus": b} for a, b in ((5, 20), (10, 15), (15, 10))]
BESIDE = [*TOGETHER[::2], {"starting_coins": 5, "mining_king_bonus": 15}]
LINE_UPS = [{"line_up": name} for name in ("mixed", "greedy,prospector,king_racer,never_bids", HOSTILE)]

#: Settings of every kind of chart, and the base among them.
KINDS: dict[str, tuple[Sequence[Cell], int]] = {
    "lines": (grid(mining_king_bonus=[0, 5, 10, 15, 20]), 3),
    "fractions": (grid(**{"prospector.patience": [0.25, 0.5, 1.75]}), 1),
    "many numbers": (grid(mining_king_bonus=range(60)), 15),
    "lists shifted": (SHIFTS, 0),
    "switch": (grid(expansion=[False, True]), 0),
    "line-ups": (LINE_UPS, 0),
    "many line-ups": ([{"line_up": f"{HOSTILE[:5]}{k}"} for k in range(14)], 0),
    "keys moved together": (TOGETHER, 1),
    "keys moved together, base beside": (BESIDE, 2),
    "two keys": (grid(starting_coins=[5, 10, 15], mining_king_bonus=[10, 15]), 3),
    "two keys, base beside": (
        [*grid(starting_coins=[5, 7], tie=["order", "shared"]), {"starting_coins": 9, "tie": "x"}],
        4,
    ),
    "two long keys": (grid(starting_coins=range(30), mining_king_bonus=range(40)), 17),
    "two keys of words": (grid(line_up=[HOSTILE, *"abcdefg"], hire_cost=[[1, 3, 5], [0] * 12]), 2),
    "three keys": (grid(players=[3, 4], starting_coins=[5, 10, 15], mining_king_bonus=[10, 20]), 2),
    "five keys": (grid(a=[1, 2], b=[1, 2], c=[False, True], d=["x", "y"], e=[10, 20, 30]), 7),
    "sample": (SAMPLE, 0),
}


@pytest.fixture(scope="module")
def played() -> Swept:
    """Four cells of Debrium with the expansion, whose results stand for those of any settings."""
    return sweep("debrium", grid(mining_king_bonus=[0, 15, 30, 45]), base=1, sets=["expansion=true"])


@pytest.fixture
def figure_of(monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Draw, and return the figure instead of writing it."""
    made: list[Figure] = []

    def keep(_file: Path, make: Callable[[], Figure]) -> None:
        with styled():
            made.append(make())
            FigureCanvasAgg(made[-1]).draw()

    monkeypatch.setattr(sweep_chart, "save", keep)

    def drawn(swept: Swept, names: Sequence[str]) -> Figure:
        draw(swept, names, Path("chart.svg"))
        return made[-1]

    return drawn


def panels(figure: Figure) -> list[Axes]:
    """The panels that are shown, without the colour bars."""
    return [ax for ax in figure.axes if ax.get_visible() and ax.get_label() != "<colorbar>"]


def seen_labels(ax: Axes) -> list[Text]:
    """The labels of ticks within the axes' limits; the others exist and are not drawn."""
    found = []
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        found += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    return found


def title(figure: Figure) -> str:
    return " ".join(figure.get_suptitle().split())


def note(figure: Figure) -> str:
    return " ".join(figure.get_supxlabel().split())


def shape(kind: str) -> Shape:
    cells, base = KINDS[kind]
    return shape_of(Swept(tuple(cells[0]), tuple(cells), base, (), (), 0.0, 0))


# The shape.


@pytest.mark.parametrize(
    ("kind", "axes"),
    [
        ("lines", [("mining_king_bonus", 5, True)]),
        ("fractions", [("prospector.patience", 3, True)]),
        ("lists shifted", [("shift of values_level_1", 4, True)]),
        ("switch", [("expansion", 2, False)]),
        ("line-ups", [("line_up", 3, False)]),
        ("keys moved together", [("starting_coins, mining_king_bonus", 3, False)]),
        ("two keys", [("starting_coins", 3, True), ("mining_king_bonus", 2, True)]),
        ("two keys, base beside", [("starting_coins", 2, True), ("tie", 2, False)]),
        ("five keys", [("a", 2, True), ("b", 2, True), ("c", 2, False), ("d", 2, False), ("e", 3, True)]),
    ],
)
def test_a_grid_is_known_by_its_cells(kind, axes):
    found = shape(kind)
    assert found.is_grid
    assert [(axis.name, len(axis.labels), bool(axis.numbers)) for axis in found.axes] == axes


def test_numbers_come_in_order_and_cells_know_their_place():
    cells = grid(starting_coins=[15, 5, 10])
    (axis,) = shape_of(Swept(("starting_coins",), tuple(cells), 2, (), (), 0.0, 0)).axes
    assert (axis.labels, axis.numbers, axis.places) == (("5", "10", "15"), (5, 10, 15), (2, 0, 1))
    (shifted,) = shape("lists shifted").axes
    assert (shifted.labels, shifted.places) == (("-1", "+0", "+1", "+2"), (1, 0, 2, 3))


def test_a_base_beside_the_grid_is_none_of_its_cells():
    assert shape("two keys, base beside").cells == (0, 1, 2, 3)


def test_a_sample_is_no_grid():
    found = shape("sample")
    assert not found.is_grid
    assert [axis.name for axis in found.axes] == ["starting_coins", "mining_king_bonus", "tie"]
    assert len(found.cells) == 12
    coins, king, _ = found.axes
    for cell in SAMPLE:
        at = SAMPLE.index(cell)
        assert (coins.numbers[coins.places[at]], king.numbers[king.places[at]]) == (7 * at % 17, at)


def test_a_key_that_never_varies_is_no_axis():
    cells = grid(starting_coins=[5, 10], tie=["order"])
    assert [
        axis.name for axis in shape_of(Swept(("starting_coins", "tie"), tuple(cells), 0, (), (), 0.0, 0)).axes
    ] == ["starting_coins"]
    alone = shape_of(Swept(("tie",), ({"tie": "order"},), 0, (), (), 0.0, 0))
    assert (alone.is_grid, alone.axes[0].labels) == (True, ("order",))


# Every kind can be read.


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_written_is_cut_off_or_overwritten(played, figure_of, kind):
    """Titles and labels lie within the figure, and the texts at a panel's edge do not overlap."""
    names = choose(played, [], load_game("debrium"))
    figure = figure_of(arranged(played, *KINDS[kind]), names)
    width, height = figure.bbox.width, figure.bbox.height
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    texts = [figure._suptitle, figure._supxlabel]  # type: ignore[attr-defined]
    for ax in panels(figure):
        texts += [ax.xaxis.label, ax.yaxis.label, ax.title, ax._left_title, *ax.texts]  # type: ignore[attr-defined]
        texts += seen_labels(ax)
    texts = [text for text in texts if text.get_text()]
    left, low, right, high = np.array([text.get_window_extent(renderer).extents for text in texts]).T
    is_cut = (left < -2) | (low < -2) | (right > width + 2) | (high > height + 2)
    assert not [texts[k].get_text() for k in np.flatnonzero(is_cut)]
    # A box has air around its letters.
    aside, above = 0.05 * (right - left), 0.15 * (high - low)
    left, right, low, high = left + aside, right - aside, low + above, high - above
    is_shared = (left[:, None] < right) & (left < right[:, None]) & (low[:, None] < high) & (low < high[:, None])
    found = np.argwhere(np.triu(is_shared, 1))
    assert not [(texts[one].get_text(), texts[other].get_text()) for one, other in found]


@pytest.mark.parametrize("kind", KINDS)
def test_titles_say_what_is_shown_on_how_many_games(played, figure_of, kind):
    swept = arranged(played, *KINDS[kind])
    figure = figure_of(swept, ["king_decided", "margin"])
    assert "Debrium: Treasure (expansion=true)" in title(figure)
    assert "200 games a cell" in title(figure)
    assert "seed 1" in title(figure)
    for axis in shape(kind).axes:
        assert axis.name in title(figure)
    assert 1 <= len(panels(figure)) <= 12


# What each kind draws.


def test_numbers_are_lines_with_bands_a_family_to_a_panel(played, figure_of):
    swept = arranged(played, *KINDS["lines"])
    figure = figure_of(swept, ["win_rate_by_company[red]", "win_rate_by_company[blue]", "margin"])
    first, second = panels(figure)
    assert first.get_title("left") == "win_rate_by_company (% of games)"
    assert [text.get_text() for text in sorted(first.texts, key=lambda t: t.get_text())] == ["blue", "red"]
    assert second.get_title("left") == "margin (points)"
    rows = frame(swept, ["margin"])
    (band,) = (collection for collection in second.collections if isinstance(collection, PolyCollection))
    edges = band.get_paths()[0].vertices
    assert edges[:, 1].min() == pytest.approx(rows["low"].min())
    assert edges[:, 1].max() == pytest.approx(rows["high"].max())
    base, line = second.lines
    assert list(np.asarray(base.get_xdata())) == [15, 15]
    assert list(np.asarray(line.get_xdata())) == [0, 5, 10, 15, 20]
    assert list(np.asarray(line.get_ydata())) == list(rows["value"])
    assert "the dashed line is the base (mining_king_bonus = 15)" in note(figure)


@pytest.mark.parametrize("kind", ["lines", "switch", "many line-ups"])
def test_panels_of_a_family_share_their_axis_of_values(played, figure_of, kind):
    """A family that one panel cannot hold: what is more in one panel must not look less than in the next."""
    metrics = played.played[0].totals.layout.metrics
    names = [metric.name for metric in metrics if metric.of in ("coins_by_round", "seats_by_debt_cards")]
    shown = panels(figure_of(arranged(played, *KINDS[kind]), names))
    by: dict[str, list[tuple[float, float]]] = {}
    for ax in shown:
        family = ax.get_title("left").partition("[")[0].partition(" (")[0]
        by.setdefault(family, []).append(ax.get_ylim() if kind == "lines" else ax.get_xlim())
        low, high = by[family][-1]
        marks = [np.asarray(line.get_ydata() if kind == "lines" else line.get_xdata()) for line in ax.lines]
        marks = [of for of in marks if len(of) > 2 or kind != "lines"]
        assert all((low <= of).all() and (of <= high).all() for of in marks)
    assert any(len(limits) > 1 for limits in by.values())
    assert all(len(set(limits)) == 1 for limits in by.values())


def test_maps_and_clouds_of_a_family_have_one_scale(played, figure_of):
    names = ["win_rate_by_company[red]", "win_rate_by_company[blue]", "margin"]
    maps = panels(figure_of(arranged(played, *KINDS["two keys"]), names))
    limits = [ax.collections[0].get_clim() for ax in maps]
    assert limits[0] == limits[1] != limits[2]
    clouds = panels(figure_of(arranged(played, SAMPLE, 0), names))
    keys = len(clouds) // 3
    heights = [ax.get_ylim() for ax in clouds]
    assert len(set(heights[: 2 * keys])) == 1
    assert heights[-1] != heights[0]


def test_shares_of_the_same_stand_in_one_panel_in_per_cent(played, figure_of):
    swept = arranged(played, *KINDS["lines"])
    (panel,) = panels(figure_of(swept, ["king_decided", "debt_decided"]))
    assert panel.get_title("left") == "% of games"
    found = frame(swept, ["king_decided"])["value"]
    assert any(list(np.asarray(line.get_ydata())) == pytest.approx(list(100 * found)) for line in panel.lines)


def test_other_values_are_points_told_apart_by_name(played, figure_of):
    swept = arranged(played, *KINDS["switch"])
    figure = figure_of(swept, ["win_rate_by_company[red]", "win_rate_by_company[blue]", "margin"])
    company, margin = panels(figure)
    assert [label.get_text() for label in company.get_yticklabels()] == ["red", "blue"]
    said = [text.get_text() for text in company.texts]
    assert len(said) == 4
    assert sum(text.endswith("false (base)") for text in said) == 2
    assert all("\N{PLUS-MINUS SIGN}" in text for text in said)
    assert [label.get_text() for label in margin.get_yticklabels()] == ["false (base)", "true"]


def test_a_base_beside_keys_that_move_together_is_a_point_of_its_own(played, figure_of):
    swept = arranged(played, *KINDS["keys moved together, base beside"])
    (panel,) = panels(figure_of(swept, ["margin"]))
    assert [label.get_text() for label in panel.get_yticklabels()] == ["5 / 20", "15 / 10", "base"]


def test_two_keys_are_a_map_of_differences_around_zero(played, figure_of):
    swept = arranged(played, *KINDS["two keys"])
    (panel,) = panels(figure_of(swept, ["king_decided"]))
    (mesh,) = (collection for collection in panel.collections if isinstance(collection, QuadMesh))
    low, high = mesh.get_clim()
    assert low == -high
    values = np.ma.filled(mesh.get_array().astype(float).reshape(2, 3), np.nan)
    found = frame(swept, ["king_decided"]).set_index("cell")
    for cell, setting in enumerate(swept.settings):
        place = [10, 15].index(setting["mining_king_bonus"]), [5, 10, 15].index(setting["starting_coins"])
        expected = 0 if cell == swept.base else 100 * found["difference"][cell]
        assert values[place] == pytest.approx(expected)
    assert high == pytest.approx(100 * found["difference"].abs().max())
    texts = {text.get_position(): text for text in panel.texts}
    assert len(texts) == 6
    assert texts[1.5, 1.5].get_text() == "base"
    assert panel.get_title("left") == "king_decided (percentage points)"


def test_a_difference_that_may_be_none_is_faint(played, figure_of):
    unsure = dataclasses.replace(
        played,
        differences=tuple(
            tuple(
                (metric, dataclasses.replace(found, half_width=9e9 if cell == 2 else 0.0)) for metric, found in pairs
            )
            for cell, pairs in enumerate(played.differences)
        ),
    )
    cells, base = KINDS["two keys"]
    swept = arranged(unsure, cells, base)
    (panel,) = panels(figure_of(swept, ["king_decided"]))
    is_faint = {text.get_alpha() != 1 for text in panel.texts if text.get_text() != "base"}
    assert is_faint == {True, False}
    faint = [text.get_text() for text in panel.texts if text.get_alpha() != 1]
    rows = frame(swept, ["king_decided"]).query("difference_half_width > 1e9")
    assert len(faint) == len(rows) == 2


def test_a_map_without_room_for_numbers_marks_what_is_unsure(played, figure_of):
    figure = figure_of(arranged(played, *KINDS["two long keys"]), ["king_decided"])
    (panel,) = panels(figure)
    assert {text.get_text() for text in panel.texts} <= {"", "base", "\N{MULTIPLICATION SIGN}"}
    assert "marked \N{MULTIPLICATION SIGN}" in note(figure)


def test_further_keys_are_small_multiples(played, figure_of):
    figure = figure_of(arranged(played, *KINDS["three keys"]), ["king_decided", "margin"])
    assert [panel.get_title("left").splitlines()[-1] for panel in panels(figure)] == [
        *("mining_king_bonus = 10", "mining_king_bonus = 20"),
        *("mining_king_bonus = 10", "mining_king_bonus = 20"),
    ]
    limits = [panel.collections[0].get_clim() for panel in panels(figure)]
    assert limits[0] == limits[1] != limits[2] == limits[3]


def test_what_there_is_no_room_for_is_said(played, figure_of):
    names = ["king_decided", "margin", "score", "lead_changes", "debt_decided"]
    figure = figure_of(arranged(played, *KINDS["five keys"]), names)
    assert len(panels(figure)) == 8
    assert "Left out: margin, score, lead_changes, debt_decided." in note(figure)
    many = figure_of(arranged(played, grid(a=range(4), b=range(4), c=range(4), d=range(4)), 0), names)
    assert "(12 of 16 combinations)" in title(many)
    assert len(panels(many)) == 12
    assert "Left out: debt_decided" in note(figure_of(arranged(played, *KINDS["two keys"]), names))
    wide = [{**cell, "a": k, "b": -k} for k, cell in enumerate(SAMPLE)]
    assert "Left out: b, debt_decided." in note(figure_of(arranged(played, wide, 0), names))


def test_where_there_is_no_room_what_moved_goes_before(played, figure_of):
    names = [*(f"win_rate_by_company[{name}]" for name in ("red", "blue", "yellow", "green")), "king_decided"]
    assert all(
        not difference.is_sure()
        for pairs in played.differences
        for metric, difference in pairs
        if metric.name == names[3]
    )
    figure = figure_of(arranged(played, *KINDS["two keys"]), names)
    assert panels(figure)[3].get_title("left") == "king_decided (percentage points)"
    assert "Left out: win_rate_by_company[green]." in note(figure)


def test_what_nothing_changes_is_said_and_not_drawn(played, figure_of):
    swept = arranged(played, *KINDS["lines"])
    figure = figure_of(swept, ["bursts_column", "margin"])
    assert [panel.get_title("left") for panel in panels(figure)] == ["margin (points)"]
    assert note(figure).endswith("Nothing here changes bursts_column.")
    alone = figure_of(swept, ["bursts_column"])
    assert [panel.get_title("left") for panel in panels(alone)] == ["bursts_column (bursts)"]


def test_a_sample_is_every_metric_against_every_key(played, figure_of):
    swept = arranged(played, *KINDS["sample"])
    figure = figure_of(swept, ["king_decided", "margin"])
    assert [panel.get_xlabel() for panel in panels(figure)] == ["starting_coins", "mining_king_bonus", "tie"] * 2
    others = panels(figure)[4].containers[0].lines[0]  # type: ignore[attr-defined]
    assert sorted(others.get_xdata()) == list(range(1, 12))
    assert [label.get_text() for label in panels(figure)[2].get_xticklabels()] == ["shared", "order"]


def test_metrics_that_the_base_lacks_are_drawn_without_a_difference(figure_of):
    swept = sweep("debrium", grid(expansion=[False, True], players=[3, 4]), base=0, games=40)
    figure = figure_of(swept, ["win_rate_by_company[red]", "margin"])
    assert [panel.get_title("left") for panel in panels(figure)] == ["margin (points)"]
    assert "Left out: win_rate_by_company[red]." in note(figure)
    (panel,) = panels(figure_of(swept, ["win_rate_by_company[red]"]))
    assert [text.get_text() for text in panel.texts] == []


# The file.


@pytest.mark.parametrize("ending", [".svg", ".png"])
@pytest.mark.parametrize("kind", ["lines", "line-ups", "two keys", "sample"])
def test_a_chart_is_written_whole_and_the_same_every_time(played, tmp_path, kind, ending):
    swept = arranged(played, *KINDS[kind])
    files = [tmp_path / f"{name}{ending}" for name in ("one", "two")]
    for file in files:
        draw(swept, ["king_decided", "margin"], file)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert len(first) > 5000
    assert b"<dc:date>" not in first


def test_a_chart_needs_a_known_ending_and_something_counted(played, tmp_path):
    file: Any
    for file in (tmp_path / "chart.pdf", tmp_path / "chart"):
        with pytest.raises(BadInput, match=r"ends in \.svg or \.png"):
            draw(played, ["margin"], file)
    with pytest.raises(BadInput, match=r"no cell counted win_rate_by_debt_cards\[14\]"):
        draw(played, ["win_rate_by_debt_cards[14]"], tmp_path / "chart.svg")
    assert list(tmp_path.iterdir()) == []
