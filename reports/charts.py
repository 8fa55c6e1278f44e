"""Charts: each takes a small frame and an `ax`, draws what the frame holds, and computes nothing.

A frame has a row for each mark, with `value` and its interval `low`..`high` in the axis' unit (bounds that
are not finite are not drawn, as of an exact value), and `series`, which tells marks of one kind from another
and decides their colour. Beside that a frame has `label` (a category to write beside the mark) or `x`
(a number to stand above). The order of rows is the order drawn.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

Numbers: TypeAlias = npt.NDArray[np.float64]

INK = "#1a1a1a"
MUTED = "#5f5f5f"
GRID = "#e3e3e3"
BAND = "#eef4f1"

#: Told apart with any kind of colour vision and in grey by their markers; each has contrast 3:1 on white.
COLOURS = ("#0072b2", "#d55e00", "#00795a", "#aa4499", "#332288", "#806000", "#6b6b6b", "#a01a2b")
MARKERS = ("o", "D", "s", "^", "v", "P", "X", "h")

#: Parts of a whole, dark enough for white text or light enough for dark text: (fill, text).
FILLS = (
    ("#0072b2", "#ffffff"), ("#f0c75e", INK), ("#7fc7b2", INK), ("#aa4499", "#ffffff"), ("#c9541a", "#ffffff"),
)  # fmt: skip

#: Height in points of what a chart needs beside its rows: title, key, axis; and of one line of text.
FRAME_HEIGHT = 92
LINE_HEIGHT = 14
PLOT_HEIGHT = 250

#: With more numbers along the foot than this not each of them is named.
MOST_TICKS = 18


@dataclass(frozen=True)
class Series:
    """How a series is drawn."""

    name: str
    colour: str
    marker: str
    dash: str = "-"
    is_hollow: bool = False


def series_of(names: Sequence[str]) -> dict[str, Series]:
    """Return a style for each series, in order: colour and marker by its place."""
    return {
        name: Series(name, COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)])
        for k, name in enumerate(dict.fromkeys(names))
    }


def intervals_height(frame: pd.DataFrame) -> float:
    """Return the height in points that `intervals` needs for a frame."""
    names = list(dict.fromkeys(frame["series"]))
    key = LINE_HEIGHT * (len(names) // _key_columns(names) - 1)
    return FRAME_HEIGHT + key + frame["label"].nunique() * (6 + LINE_HEIGHT * len(names))


def intervals(
    ax: Axes,
    frame: pd.DataFrame,
    unit: str,
    styles: dict[str, Series] | None = None,
    reference: float | None = None,
    reference_label: str = "",
    has_key: bool = True,
    band: tuple[float, float] | None = None,
) -> None:
    """Draw a dot with its interval for each label and series, labels down the side, a line at `reference`.

    The axis spans at least the `band` of what would be acceptable, which is shaded: a difference that does not matter
    then looks like one.
    `text`, a column of the frame, is written at the right of each dot's line; where that names the series, there is
    no need of a key.
    """
    styles = styles or series_of(list(frame["series"]))
    labels = list(dict.fromkeys(frame["label"]))
    names = [name for name in styles if name in set(frame["series"])]
    step = 0.8 / len(names)
    if band is not None:
        ax.axvspan(*band, color=BAND, linewidth=0, zorder=0)
    if reference is not None:
        ax.axvline(reference, color=MUTED, linewidth=1, zorder=1)
        ax.annotate(
            reference_label, (reference, 0), (0, 3), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha="center", va="bottom", fontsize=9, color=MUTED,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    for place, name in enumerate(names):
        rows = frame[frame["series"] == name]
        y = np.array([labels.index(label) for label in rows["label"]]) + step * (place - (len(names) - 1) / 2)
        _mark(ax, rows["value"], y, rows, styles[name], is_upright=False)
        for at, text in zip(y, rows["text"], strict=True):
            ax.annotate(
                text, (1, at), (6, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                va="center", ha="left", fontsize=10, color=styles[name].colour if len(names) > 1 else INK,
            )  # fmt: skip
    ax.set_yticks(range(len(labels)), labels)
    ax.tick_params(axis="y", length=0)
    foot = 0.5 if reference is None or not reference_label else 1.1
    ax.set_ylim(len(labels) - 1 + foot, -0.6)
    ax.set_xlabel(unit)
    ax.grid(axis="x", color=GRID, linewidth=0.8)
    ax.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    if has_key:
        _key(ax, [styles[name] for name in names])


def lines(
    ax: Axes,
    frame: pd.DataFrame,
    x_label: str,
    unit: str,
    styles: dict[str, Series] | None = None,
    reference: float | None = None,
    reference_label: str = "",
    is_from_zero: bool = True,
    is_joined: bool = True,
) -> None:
    """Draw each series over whole numbers `x`: marks with intervals joined by a line, its name at the end.

    A series without any interval is an exact one, drawn as dashes under the others. `is_joined` off leaves
    the lines between marks to the exact series, so that marks stand out against it.
    """
    styles = styles or series_of(list(frame["series"]))
    names = [name for name in styles if name in set(frame["series"])]
    exact = [name for name in names if not np.isfinite(_bounds(frame[frame["series"] == name])).any()]
    measured = [name for name in names if name not in exact]
    spread = 0.0 if len(measured) < 2 else 0.12 if is_joined else 0.3
    ends = []
    for name in names:
        rows = frame[frame["series"] == name].sort_values("x")
        style = styles[name]
        if name in exact:
            ax.plot(rows["x"], rows["value"], color=style.colour, linewidth=0.9, linestyle=(0, (2, 2)), marker="_",
                    markersize=17 if is_joined else 22, markeredgewidth=1.4, zorder=2)  # fmt: skip
        else:
            x = rows["x"] + spread * (measured.index(name) - (len(measured) - 1) / 2)
            if is_joined:
                ax.plot(
                    x, rows["value"], color=style.colour, linewidth=1.1, linestyle=style.dash, alpha=0.75, zorder=2
                )
            _mark(ax, x, rows["value"], rows, style, is_upright=True)
        if len(rows):
            ends.append((float(rows["value"].iloc[-1]), style))
    if reference is not None:
        ax.axhline(reference, color=MUTED, linewidth=1, zorder=1)
        ax.annotate(reference_label, (1, reference), (-2, 3), xycoords=("axes fraction", "data"),
                    textcoords="offset points", ha="right", va="bottom", fontsize=9, color=MUTED)  # fmt: skip
    numbers = sorted(set(frame["x"]))
    if len(numbers):
        if len(numbers) > MOST_TICKS:
            ax.xaxis.set_major_locator(MaxNLocator(12, steps=[1, 2, 5, 10], integer=True))
        else:
            ax.set_xticks(numbers)
        ax.set_xlim(numbers[0] - 0.5, numbers[-1] + 0.5)
    if is_from_zero:
        low, high = ax.get_ylim()
        low = min(0.0, low)
        ax.set_ylim(low, high + 0.04 * (high - low))
    ax.set_xlabel(x_label)
    ax.set_title(unit, loc="left", fontsize=10, color=MUTED, fontweight="normal")
    ax.grid(axis="y", color=GRID, linewidth=0.8)
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    if len(names) > 1:
        figure = ax.get_figure()
        assert figure is not None
        name_ends(ax, ends, 72.0 * figure.get_figure(root=True).get_size_inches()[1] - FRAME_HEIGHT + 20)


def bars(
    ax: Axes,
    frame: pd.DataFrame,
    x_label: str,
    unit: str,
    styles: dict[str, Series] | None = None,
) -> None:
    """Draw a bar from zero with its interval for each label and series, labels along the foot."""
    styles = styles or series_of(list(frame["series"]))
    labels = list(dict.fromkeys(frame["label"]))
    names = [name for name in styles if name in set(frame["series"])]
    width = 0.8 / len(names)
    for place, name in enumerate(names):
        rows = frame[frame["series"] == name]
        x = np.array([labels.index(label) for label in rows["label"]]) + width * (place - (len(names) - 1) / 2)
        ax.bar(x, rows["value"], width * 0.94, color=styles[name].colour, zorder=2)
        ax.errorbar(x, rows["value"], _sides(rows), fmt="none", ecolor=INK, elinewidth=1.2, zorder=3)
    ax.set_xticks(range(len(labels)), labels)
    ax.tick_params(axis="x", length=0)
    ax.set_xlabel(x_label)
    ax.set_title(unit, loc="left", fontsize=10, color=MUTED, fontweight="normal")
    ax.grid(axis="y", color=GRID, linewidth=0.8)
    _key(ax, [replace(styles[name], marker="s") for name in names], has_title=True)


def stacked_height(frame: pd.DataFrame) -> float:
    """Return the height in points that `stacked` needs for a frame."""
    return FRAME_HEIGHT + LINE_HEIGHT * 2 + frame["label"].nunique() * LINE_HEIGHT * 2.6


def stacked(ax: Axes, frame: pd.DataFrame, unit: str) -> None:
    """Draw for each label its parts as one bar: what adds to the right of zero, what takes away to the left.

    A row is one `part`, its `value`, and the `text` written in it where it fits; the part "total" is drawn
    as a mark with its interval and its text beside the bar.
    """
    labels = list(dict.fromkeys(frame["label"]))
    parts = [part for part in dict.fromkeys(frame["part"]) if part != "total"]
    widest = frame.loc[frame["part"] != "total", "value"].abs().groupby(frame["label"]).sum().max()
    ends: dict[tuple[Hashable, bool], float] = {}
    for k, part in enumerate(parts):
        fill, ink = FILLS[k % len(FILLS)]
        for row in frame[frame["part"] == part].to_dict("records"):
            value, text, y = row["value"], row["text"], labels.index(row["label"])
            side = (row["label"], value < 0)
            left = ends.get(side, 0.0)
            ends[side] = left + value
            ax.barh(y, value, 0.52, left, color=fill, edgecolor="white", linewidth=0.8, zorder=2)
            if value < 0:
                ax.annotate(text, (left + value, y), (-4, 0), textcoords="offset points", ha="right", va="center",
                            color=INK, fontsize=9.5)  # fmt: skip
            elif value > widest * 0.024 * len(text):
                ax.text(left + value / 2, y, text, ha="center", va="center", color=ink, fontsize=9.5, zorder=4)
    total = frame[frame["part"] == "total"]
    below = np.array([labels.index(label) for label in total["label"]]) + 0.4
    _mark(ax, total["value"], below, total, Series("total", INK, "d"), is_upright=False)
    for at, value, text in zip(below, total["value"], total["text"], strict=True):
        ax.annotate(text, (value, at), (8, 0), textcoords="offset points", va="center", fontsize=10, color=INK)
    ax.set_yticks(range(len(labels)), labels)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(labels) - 0.3, -0.5)
    ax.axvline(0, color=INK, linewidth=1, zorder=3)
    lowest = min([0.0, *ends.values()])
    if lowest < 0:  # room for what is written left of the bars
        ax.set_xlim(left=lowest - 0.12 * widest)
    ax.set_xlabel(unit)
    ax.grid(axis="x", color=GRID, linewidth=0.8)
    handles: list[Any] = [ax.barh(0, 0, color=FILLS[k % len(FILLS)][0], label=part) for k, part in enumerate(parts)]
    handles.append(ax.errorbar([], [], [], fmt="d", color=INK, markersize=6, label="total"))
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=3, fontsize=10, frameon=False,
              handlelength=1, handletextpad=0.4, columnspacing=1.2, borderaxespad=0.1)  # fmt: skip


def _mark(ax: Axes, x: Any, y: Any, rows: pd.DataFrame, style: Series, is_upright: bool) -> None:
    """Draw markers with their intervals."""
    sides = _sides(rows)
    ax.errorbar(
        x, y, yerr=sides if is_upright else None, xerr=None if is_upright else sides, fmt=style.marker,
        color=style.colour, markerfacecolor="white" if style.is_hollow else style.colour, markersize=5.5,
        markeredgewidth=1.3, elinewidth=1.8, capsize=0, zorder=3,
    )  # fmt: skip


def _bounds(rows: pd.DataFrame) -> Numbers:
    """Return the ends of the intervals (2, rows)."""
    return np.array([rows["low"].to_numpy(float), rows["high"].to_numpy(float)])


def _sides(rows: pd.DataFrame) -> Numbers:
    """Return how far the intervals reach below and above their values (2, rows); 0 where they do not end."""
    sides = np.abs(_bounds(rows) - rows["value"].to_numpy(float))
    return np.where(np.isfinite(sides), sides, 0.0)


def _key_columns(names: Sequence[str]) -> int:
    """Return how many names of a key stand side by side."""
    return 1 if max(map(len, names)) > 18 else min(2, len(names))


def _key(ax: Axes, styles: Sequence[Series], has_title: bool = False) -> None:
    """Say above the plot which mark is which series, when there are several."""
    if len(styles) < 2:
        return
    columns = _key_columns([style.name for style in styles])
    handles = [
        ax.errorbar(
            [], [], [], fmt=style.marker, color=style.colour, elinewidth=1.8, markersize=5.5, label=style.name
        )
        for style in styles
    ]
    ax.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(-0.02, 1.075 if has_title else 1.0), ncols=columns,
        fontsize=10, frameon=False, handlelength=1.2, handletextpad=0.4, columnspacing=1.4, borderaxespad=0.1,
        labelcolor=[style.colour for style in styles],
    )  # fmt: skip


def name_ends(ax: Axes, ends: list[tuple[float, Series]], height: float) -> None:
    """Write each series' name at the end of its line, moved apart where names would overlap.

    ends: each line's last value and its series; height: the plot's, in points.
    """
    low, high = ax.get_ylim()
    apart = (high - low) * 13.0 / height
    ordered = sorted(ends, key=lambda end: end[0])
    places: list[float] = []
    for value, _style in ordered:
        places.append(max(value, places[-1] + apart) if places else value)
    ceiling = high
    for k in reversed(range(len(places))):
        places[k] = min(places[k], ceiling)
        ceiling = places[k] - apart
    for at, (_value, style) in zip(places, ordered, strict=True):
        ax.annotate(style.name, (1, at), (4, 0), xycoords=("axes fraction", "data"),
                    textcoords="offset points", va="center", ha="left", fontsize=10, color=style.colour)  # fmt: skip
