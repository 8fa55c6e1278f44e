"""Panels of a sweep's chart: each takes a small frame and an `ax`, draws what the frame holds, and computes nothing.

A frame has a row for each mark, with `value` and its interval `low`..`high` in the axis' unit, as in `charts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.ticker import MaxNLocator

from reports.charts import COLOURS, GRID, INK, MUTED, name_ends, series_of

#: The lower and the upper end of an axis.
Span: TypeAlias = tuple[float, float]

#: From the colour of less over none to that of more, told apart with any kind of colour vision.
_LESS_MORE = LinearSegmentedColormap.from_list("less_more", [COLOURS[0], "#ffffff", COLOURS[1]]).with_extremes(
    bad="#eeeeee"
)

#: How far from the middle of the colours, of 1, white text is easier to read than dark.
_DARK = 0.7

#: On a line of more values than this, marks would only hide it.
_MOST_MARKS = 30

#: How much of a faint text's colour is seen.
_FAINT = 0.5


def bands(
    ax: Axes, frame: pd.DataFrame, x_label: str, title: str, height: float, reference: float | None,
    span: Span | None = None,
) -> None:  # fmt: skip
    """Draw each `series` over numbers `x`: marks joined by a line, intervals as a band, its name at the end.

    A dashed line stands at x = `reference`, the base; `height` is the plot's in points. A single series has no name.
    `span` is what the axis of values shows, where panels share it.
    """
    styles = series_of(list(frame["series"]))
    if reference is not None:
        ax.axvline(reference, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    ends = []
    for name, style in styles.items():
        rows = frame[frame["series"] == name].sort_values("x")
        x, value = rows["x"].to_numpy(float), rows["value"].to_numpy(float)
        ax.fill_between(x, rows["low"].to_numpy(float), rows["high"].to_numpy(float), color=style.colour, alpha=0.2,
                        linewidth=0, zorder=2)  # fmt: skip
        ax.plot(x, value, color=style.colour, linewidth=1.4, zorder=3,
                marker=style.marker if len(x) <= _MOST_MARKS else "", markersize=4.5)  # fmt: skip
        ends.append((float(value[-1]), style))
    _numbers(ax, sorted(set(frame["x"])))
    _frame(ax, x_label, title)
    if span:
        ax.set_ylim(*span)
    if len(ends) > 1:
        name_ends(ax, ends, height)


@dataclass(frozen=True)
class Side:
    """A heat map's side: its name and its labels, turned where they are too long to stand side by side."""

    name: str
    labels: Sequence[str]
    is_turned: bool = False


def heat(ax: Axes, frame: pd.DataFrame, across: Side, up: Side, title: str, limit: float) -> None:
    """Draw a cell for each row at places `x`, `y`: its colour by `value` within ±`limit`, its `text` in it.

    Where `is_sure` is off the text is faint; places without a row are grey.
    """
    values = np.full((len(up.labels), len(across.labels)), np.nan)
    values[frame["y"], frame["x"]] = frame["value"]
    mesh = ax.pcolormesh(
        np.ma.masked_invalid(values),
        cmap=_LESS_MORE,
        norm=Normalize(-limit, limit),
        edgecolors="#d8d8d8",
        linewidth=0.8,
    )
    for row in frame[frame["text"] != ""].to_dict("records"):
        ax.text(row["x"] + 0.5, row["y"] + 0.5, row["text"], ha="center", va="center", fontsize=9,
                color="white" if abs(row["value"]) > _DARK * limit else INK,
                alpha=1 if row["is_sure"] else _FAINT)  # fmt: skip
    ax.set_xticks(np.arange(len(across.labels)) + 0.5, across.labels, rotation=35 if across.is_turned else 0,
                  ha="right" if across.is_turned else "center", rotation_mode="anchor")  # fmt: skip
    ax.set_yticks(np.arange(len(up.labels)) + 0.5, up.labels)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel(across.name)
    ax.set_ylabel(up.name)
    ax.set_title(title, loc="left", fontsize=10, color=INK)
    figure = ax.get_figure()
    assert figure is not None
    bar = figure.colorbar(mesh, ax=ax, pad=0.02, aspect=24, ticks=MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    bar.ax.spines[:].set_visible(False)
    bar.ax.tick_params(labelsize=8.5, length=2)


def scatter(
    ax: Axes, frame: pd.DataFrame, x_label: str, title: str, labels: Sequence[str] = (), span: Span | None = None
) -> None:
    """Draw a mark with its interval for each row at `x`, a number or the place of one of the `labels`.

    The row with `is_base` stands out. `span` is what the axis of values shows, where panels share it.
    """
    for is_base, colour, marker in ((False, COLOURS[0], "o"), (True, COLOURS[1], "D")):
        rows = frame[frame["is_base"] == is_base]
        sides = np.abs(rows[["low", "high"]].to_numpy(float).T - rows["value"].to_numpy(float))
        ax.errorbar(rows["x"], rows["value"], np.where(np.isfinite(sides), sides, 0.0), fmt=marker, color=colour,
                    markersize=4.5, elinewidth=1.2, zorder=2 + is_base)  # fmt: skip
    if labels:
        ax.set_xticks(range(len(labels)), labels)
        ax.set_xlim(-0.5, len(labels) - 0.5)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    _frame(ax, x_label, title)
    if span:
        ax.set_ylim(*span)


def _numbers(ax: Axes, numbers: Sequence[float]) -> None:
    """Name the numbers along the foot, each where there is room for all."""
    if len(numbers) <= 8:
        ax.set_xticks(numbers, [f"{number:g}" for number in numbers])
    else:
        ax.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 2.5, 5, 10]))


def _frame(ax: Axes, x_label: str, title: str) -> None:
    """Give a panel its labels and its grid."""
    ax.set_xlabel(x_label)
    ax.set_title(title, loc="left", fontsize=10, color=INK)
    ax.grid(axis="y", color=GRID, linewidth=0.8)
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
