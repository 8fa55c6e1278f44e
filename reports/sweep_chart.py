"""A sweep's chart, whose kind follows from its shape.

One key of numbers: lines with interval bands. One of other values: points with intervals. Two: heat maps of the
difference to the base. More: the same for each combination of the rest. No grid: every metric against every key.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import charts, panels
from reports.charts import COLOURS, INK, LINE_HEIGHT, MUTED
from reports.drawn import short_labels
from reports.numbers import digits_for, plain, with_interval
from reports.picture import check_ending, save
from reports.sweep_grid import Axis, Shape, shape_of
from reports.sweeps import cell_text, frame, games_text
from reports.tables import rows
from sim.errors import BadInput
from sim.game import load_game
from sim.sweep import Swept

#: How many panels a chart of values has at most, and how many labels down the side of one.
_MOST_PANELS, _MOST_LABELS = 8, 12
#: How many metrics have a heat map, how many maps there are over combinations of further keys, how many in a line.
_MOST_HEATS, _MOST_MULTIPLES, _MOST_BESIDE = 4, 12, 4
#: How many metrics, and keys, of a sample are drawn against each other.
_MOST_CLOUDS = 4

#: Sizes in inches: a panel, what a panel of points and a heat map need beside their lines and cells, a cell.
_WIDTH, _HEIGHT, _POINTS_FRAME, _HEAT_FRAME = 5.2, 2.9, 0.75, (1.75, 1.05)
_CELL = (0.62, 0.36)
#: Of a heat map's cells together at most, its least width, and the least cell that has room for a number.
_LARGEST_MAP, _LEAST_MAP_WIDTH, _LEAST_CELL = (9.0, 6.5), 3.0, (0.45, 0.18)
#: Characters an inch, of the title, of a panel's title and of the note below; and inches a line of each.
_TITLE_TEXT, _PANEL_TEXT, _NOTE_TEXT = (9, 0.21), (11.5, 0.17), (12.5, 0.19)
_LONGEST_LABEL, _TURNED_CHARACTER = 18, 0.05

#: What an axis that panels share has beyond its marks, as matplotlib has by itself.
_MARGIN = 0.05

#: Marks a difference that is not sure where there is no room for its number.
_UNSURE = "\N{MULTIPLICATION SIGN}"

#: The frame's rows by metric and cell.
_Found: TypeAlias = Mapping[tuple[str, int], Any]
_Draw: TypeAlias = Callable[[Axes], None]


@dataclass(frozen=True)
class _Chart:
    """Panels in lines of so many, with a line's height for each, under a title and above a note."""

    draws: Sequence[_Draw | None]
    columns: int
    width: float
    heights: Sequence[float]
    title: str
    note: str


def draw(swept: Swept, names: Sequence[str], file: Path) -> None:
    """Draw these metrics over the cells; the file's ending says the format.

    Raises BadInput for another ending than .svg and .png, and when no cell counted any of the metrics.
    """
    check_ending("--plot", file)
    found = {(row.metric, row.cell): row for row in rows(frame(swept, set(names)))}
    counted = [name for name in names if any(name == metric for metric, _ in found)]
    if not counted:
        raise BadInput(f"--plot {file}: no cell counted {', '.join(names)}")
    shape = shape_of(swept)
    kind = _sample if not shape.is_grid else _heats if len(shape.axes) > 1 else _along
    still = [name for name in counted if _is_still(_of(name, found))]
    moved = [name for name in counted if name not in still]
    chart = kind(swept, moved or counted, found, shape)
    left = f" Nothing here changes {', '.join(still)}." if moved and still else ""
    save(file, lambda: _figure(chart, left))


def _figure(chart: _Chart, more: str) -> Figure:
    """Return the figure of a chart; `more` ends its note."""
    columns = min(chart.columns, len(chart.draws))
    width = max(chart.width * columns, 6.4)
    title, note = (
        [line for part in text.splitlines() for line in textwrap.wrap(part, int(width * characters))]
        for text, (characters, _) in ((chart.title, _TITLE_TEXT), (chart.note + more, _NOTE_TEXT))
    )
    height = sum(chart.heights) + _TITLE_TEXT[1] * len(title) + _NOTE_TEXT[1] * len(note) + 0.15
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(len(chart.heights), columns, squeeze=False, height_ratios=chart.heights).flatten()
    for ax, draw_panel in itertools.zip_longest(axes, chart.draws):
        draw_panel(ax) if draw_panel else ax.set_visible(False)
    figure.suptitle("\n".join(title), x=0.01, ha="left", fontsize=11.5, fontweight="bold", color=INK)
    figure.supxlabel("\n".join(note), x=0.01, ha="left", fontsize=9.5, color=MUTED)
    return figure


def _title(swept: Swept, what: str) -> str:
    """Return a chart's title: what is shown of which variant, on how many games."""
    rules = swept.played[swept.base].rules
    return f"{load_game(rules.game).title} ({rules.name}), {what}\n{games_text(swept)}"


def _left_out(names: Iterable[str]) -> str:
    """Return a sentence about what there was no room for."""
    listed = ", ".join(names)
    return f" Left out: {listed}." if listed else ""


def _of(name: str, found: _Found) -> list[Any]:
    """Return a metric's rows, by cell."""
    return [row for (metric, _), row in found.items() if metric == name]


def _is_still(of: Sequence[Any]) -> bool:
    """Tell whether a metric has differences to the base and all are 0."""
    sizes = [row.difference for row in of if not math.isnan(row.difference)]
    return bool(sizes) and not any(sizes)


def _surest(names: Sequence[str], found: _Found, most: int) -> list[str]:
    """Return so many of the metrics, in their order: those with a difference that is sure before all others."""
    sure = [name for name in names if any(abs(r.difference) > r.difference_half_width for r in _of(name, found))]
    chosen = [*sure, *(name for name in names if name not in sure)][:most]
    return [name for name in names if name in chosen]


def _factor(row: Any) -> float:
    """Return what turns a metric into the unit that is drawn: shares into per cent."""
    return 100.0 if row.unit.startswith("share") else 1.0


def _unit(row: Any) -> str:
    """Return the unit of values as drawn."""
    return str(row.unit).replace("share of", "% of", 1)


# Along one axis: values.


def _along(swept: Swept, names: Sequence[str], found: _Found, shape: Shape) -> _Chart:
    """Return panels of values over the one axis of a sweep: lines over numbers, points for anything else."""
    (axis,) = shape.axes
    base = cell_text(swept, swept.base)
    make, note = (
        (_lines, f"Bands are 95 % intervals, the dashed line is the base ({base}).")
        if axis.numbers
        else (_points, f"Bars are 95 % intervals; the base is {base}.")
    )
    is_apart = not axis.numbers and len(swept.played) > len(COLOURS)
    groups = _groups(
        [_of(name, found) for name in names], 1 if is_apart else len(COLOURS) if axis.numbers else _MOST_LABELS
    )
    some = groups[:_MOST_PANELS]
    made = [make(swept, group, shape, span) for group, span in zip(some, _spans(some), strict=True)]
    heights = [max(height for _, height in made[at : at + 2]) for at in range(0, len(made), 2)]
    left = (of[0].metric for group in groups[_MOST_PANELS:] for of in group)
    title = _title(swept, f"metrics by {axis.name}")
    return _Chart([drawn for drawn, _ in made], 2, _WIDTH, heights, title, note + _left_out(left))


def _groups(metrics: Sequence[list[Any]], most: int) -> list[list[list[Any]]]:
    """Return the metrics, each its rows, by panel: `most` categories of a family together, or shares of the same."""
    together: dict[str, list[list[Any]]] = {}
    for of in metrics:
        is_share = not _is_category(of[0]) and of[0].unit.startswith("share")
        together.setdefault(of[0].unit if is_share else _family(of), []).append(of)
    return [group[at : at + most] for group in together.values() for at in range(0, len(group), most)]


def _family(of: Sequence[Any]) -> str:
    """Return a metric's family, the metric itself where it has none."""
    return str(of[0].of if _is_category(of[0]) else of[0].metric)


def _common(of: Sequence[list[Any]]) -> panels.Span:
    """Return an axis for all these metrics: panels that share it can be compared by eye."""
    bounds = (_factor(row) * value for each in of for row in each for value in (row.value, row.low, row.high))
    ends = [bound for bound in bounds if math.isfinite(bound)]
    margin = _MARGIN * (max(ends) - min(ends)) or _MARGIN
    return min(ends) - margin, max(ends) + margin


def _spans(groups: Sequence[list[list[Any]]]) -> list[panels.Span | None]:
    """Return for each panel the axis that it shares with others of its family; None where it is the only one."""
    by: dict[str, list[list[list[Any]]]] = {}
    for group in groups:
        by.setdefault(_family(group[0]), []).append(group)
    families = [by[_family(group[0])] for group in groups]
    return [_common([of for group in each for of in group]) if len(each) > 1 else None for each in families]


def _is_category(row: Any) -> bool:
    """Tell whether a metric is one of a family's categories."""
    return isinstance(row.category, str)


def _head(group: Sequence[list[Any]]) -> tuple[str, list[str]]:
    """Return the title of a panel and what its metrics are called in it."""
    first = group[0][0]
    if len(group) == 1:
        return f"{first.metric} ({_unit(first)})", [first.metric]
    if _is_category(first):
        return f"{first.of} ({_unit(first)})", [of[0].category for of in group]
    return _unit(first), [of[0].metric for of in group]


def _lines(swept: Swept, group: Sequence[list[Any]], shape: Shape, span: panels.Span | None) -> tuple[_Draw, float]:
    """Return what draws a panel of lines over numbers, and its height."""
    (axis,) = shape.axes
    title, names = _head(group)
    number = {cell: axis.numbers[place] for cell, place in zip(shape.cells, axis.places, strict=True)}
    listed = [
        (name, number[row.cell], *(_factor(row) * value for value in (row.value, row.low, row.high)))
        for name, of in zip(names, group, strict=True)
        for row in of
        if row.cell in number
    ]
    data = pd.DataFrame(listed, columns=["series", "x", "value", "low", "high"])
    reference = number.get(swept.base)
    return lambda ax: panels.bands(ax, data, axis.name, title, 72 * (_HEIGHT - 0.9), reference, span), _HEIGHT


def _points(swept: Swept, group: Sequence[list[Any]], shape: Shape, span: panels.Span | None) -> tuple[_Draw, float]:
    """Return what draws a panel of points, and its height: settings are told apart by colour, or down the side."""
    (axis,) = shape.axes
    title, names = _head(group)
    short = short_labels(axis.labels, _LONGEST_LABEL)
    said = {
        cell: short[axis.labels[place]] + (" (base)" if cell == swept.base else "")
        for cell, place in zip(shape.cells, axis.places, strict=True)
    }
    if swept.base not in said:
        said[swept.base] = "base"
    is_apart = len(said) > len(COLOURS) or len(group) == 1
    digits = digits_for([row.half_width * _factor(row) for of in group for row in of])
    listed = []
    for name, of in zip(names, group, strict=True):
        for row in of:
            value, low, high = (_factor(row) * bound for bound in (row.value, row.low, row.high))
            text = with_interval(value, low, high, digits)
            label, series = (said[row.cell], "") if is_apart else (name, said[row.cell])
            listed.append((label, series, value, low, high, text if is_apart else f"{text}  {series}"))
    data = pd.DataFrame(listed, columns=["label", "series", "value", "low", "high", "text"])
    styles = charts.series_of([""] if is_apart else list(said.values()))

    def draw_panel(ax: Axes) -> None:
        charts.intervals(ax, data, "", styles, has_key=False)
        if span:
            ax.set_xlim(*span)
        ax.set_title(title, loc="left", fontsize=10, color=INK)

    marks = data["label"].nunique() * (6 + LINE_HEIGHT * data["series"].nunique())
    return draw_panel, _POINTS_FRAME + marks / 72


# Over two axes and more: differences.


def _heats(swept: Swept, names: Sequence[str], found: _Found, shape: Shape) -> _Chart:
    """Return heat maps over the two axes with most values, for each metric and combination of the other axes."""
    largest = sorted(shape.axes, key=lambda axis: -len(axis.labels))[:2]
    across, up = (axis for axis in shape.axes if axis in largest)
    rest = [axis for axis in shape.axes if axis not in largest]
    held = [tuple(axis.places[at] for axis in rest) for at in range(len(shape.cells))]
    combinations = sorted(set(held))
    some = combinations[:_MOST_MULTIPLES]
    paired = [name for name in names if not all(math.isnan(row.difference) for row in _of(name, found))] or names
    shown = _surest(paired, found, min(_MOST_HEATS, max(1, _MOST_MULTIPLES // len(some))))
    columns = min(len(some), _MOST_BESIDE) if rest else 2
    size = _map_size(across, up)
    draws: list[_Draw | None] = []
    lines = 1
    limits: dict[str, float] = {}
    for name in shown:
        family = _family(_of(name, found))
        limits[family] = max(limits.get(family, 0.0), _limit(_of(name, found)))
    for name in shown:
        for combination in some:
            setting = ", ".join(
                f"{axis.name} = {axis.labels[at]}" for axis, at in zip(rest, combination, strict=True)
            )
            titles = textwrap.wrap(f"{name} ({_points_unit(_of(name, found)[0])})", int(size[0] * _PANEL_TEXT[0]))
            titles += textwrap.wrap(setting, int(size[0] * _PANEL_TEXT[0]))
            lines = max(lines, len(titles))
            cells = [at for at, places in enumerate(held) if places == combination]
            data = _differences(swept, _of(name, found), shape, (across, up), cells)
            limit = limits[_family(_of(name, found))]
            draws.append(_heat(data, across, up, "\n".join(titles), limit))
        draws += [None] * (-len(some) % columns if rest else 0)
    height = size[1] + _PANEL_TEXT[1] * (lines - 1)
    what = f"differences to the base by {across.name} and {up.name}"
    if rest:
        what += f" for each value of {', '.join(axis.name for axis in rest)}"
    if len(some) < len(combinations):
        what += f" ({len(some)} of {len(combinations)} combinations)"
    sign = "faint" if _has_room(across, up) else f"marked {_UNSURE}"
    note = (
        f"The base is {cell_text(swept, swept.base)}. Differences are paired, {sign} where their 95 % interval "
        "includes 0." + _left_out(name for name in names if name not in shown)
    )
    return _Chart(draws, columns, size[0], [height] * -(-len(draws) // columns), _title(swept, what), note)


def _points_unit(row: Any) -> str:
    """Return the unit of differences as drawn."""
    return "percentage points" if row.unit.startswith("share") else str(row.unit)


def _cell_size(across: Axis, up: Axis) -> tuple[float, float]:
    """Return a heat map's cell in inches, smaller where there are many."""
    wide, high = (
        min(size, most / len(axis.labels)) for size, most, axis in zip(_CELL, _LARGEST_MAP, (across, up), strict=True)
    )
    return wide, high


def _map_size(across: Axis, up: Axis) -> tuple[float, float]:
    """Return a heat map's size in inches."""
    wide, high = _cell_size(across, up)
    longest = max(map(len, short_labels(across.labels, _LONGEST_LABEL).values()))
    turned = _TURNED_CHARACTER * longest if _is_turned(across, wide) else 0.0
    width = max(_LEAST_MAP_WIDTH, _HEAT_FRAME[0] + wide * len(across.labels))
    return width, max(1.9, _HEAT_FRAME[1] + high * len(up.labels)) + turned


def _has_room(across: Axis, up: Axis) -> bool:
    """Tell whether a heat map's cells have room for a number."""
    return all(size >= least for size, least in zip(_cell_size(across, up), _LEAST_CELL, strict=True))


def _is_turned(across: Axis, wide: float) -> bool:
    """Tell whether labels are too long to stand side by side below cells that are so wide."""
    wide = max(wide, (_LEAST_MAP_WIDTH - _HEAT_FRAME[0]) / len(across.labels))
    return max(map(len, short_labels(across.labels, _LONGEST_LABEL).values())) > wide * 10


def _limit(of: Sequence[Any]) -> float:
    """Return the largest difference of a metric in any cell, 1 when there is none."""
    return max((size for row in of if (size := abs(row.difference) * _factor(row)) > 0), default=1.0)


def _differences(
    swept: Swept, of: Sequence[Any], shape: Shape, axes: tuple[Axis, Axis], places: Sequence[int]
) -> pd.DataFrame:
    """Return the frame of a metric's heat map over some places of the shape: x, y, value, text, is_sure."""
    digits = digits_for([row.difference_half_width * _factor(row) for row in of], most=2)
    by_cell = {row.cell: row for row in of}
    has_room, listed = _has_room(*axes), []
    for at in places:
        row, is_base = by_cell.get(shape.cells[at]), shape.cells[at] == swept.base
        if row is None or (math.isnan(row.difference) and not is_base):
            continue
        value = 0.0 if is_base else row.difference * _factor(row)
        is_sure = is_base or abs(row.difference) > row.difference_half_width
        number = plain(value, digits) if has_room else "" if is_sure else _UNSURE
        if has_room and value > 0 and float(number) != 0:
            number = f"+{number}"
        listed.append((axes[0].places[at], axes[1].places[at], value, "base" if is_base else number, is_sure))
    return pd.DataFrame(listed, columns=["x", "y", "value", "text", "is_sure"])


def _heat(data: pd.DataFrame, across: Axis, up: Axis, title: str, limit: float) -> _Draw:
    """Return what draws a heat map."""
    sides = [
        panels.Side(axis.name, list(short_labels(axis.labels, _LONGEST_LABEL).values())) for axis in (across, up)
    ]
    turned = panels.Side(sides[0].name, sides[0].labels, _is_turned(across, _cell_size(across, up)[0]))
    return lambda ax: panels.heat(ax, data, turned, sides[1], title, limit)


# No grid: every metric against every key.


def _sample(swept: Swept, names: Sequence[str], found: _Found, shape: Shape) -> _Chart:
    """Return a panel for each metric and key, with every cell as a mark."""
    axes = shape.axes[:_MOST_CLOUDS]
    shown = _surest(names, found, _MOST_CLOUDS)
    spans = _spans([[_of(name, found)] for name in shown])
    draws = [
        _cloud(swept, _of(name, found), axis, span) for name, span in zip(shown, spans, strict=True) for axis in axes
    ]
    title = _title(swept, f"metrics of {len(shape.cells)} cells by {', '.join(axis.name for axis in axes)}")
    left = [*(axis.name for axis in shape.axes[_MOST_CLOUDS:]), *(name for name in names if name not in shown)]
    note = f"Bars are 95 % intervals; the diamond is the base ({cell_text(swept, swept.base)}).{_left_out(left)}"
    width = _WIDTH * (0.75 if len(axes) > 2 else 1)
    return _Chart(draws, len(axes), width, [_HEIGHT] * len(shown), title, note)


def _cloud(swept: Swept, of: Sequence[Any], axis: Axis, span: panels.Span | None) -> _Draw:
    """Return what draws a metric against a key; a sample has every cell, so that an axis has a place for each."""
    listed = []
    for row in of:
        place = axis.places[row.cell]
        x = axis.numbers[place] if axis.numbers else place
        listed.append(
            (x, *(_factor(row) * bound for bound in (row.value, row.low, row.high)), row.cell == swept.base)
        )
    data = pd.DataFrame(listed, columns=["x", "value", "low", "high", "is_base"])
    labels = () if axis.numbers else list(short_labels(axis.labels, _LONGEST_LABEL).values())
    return lambda ax: panels.scatter(ax, data, axis.name, f"{of[0].metric} ({_unit(of[0])})", labels, span)
