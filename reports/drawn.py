"""Charts as parts of a report: frames of runs drawn with a style for each run, and put in words for the blind."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pandas as pd
from matplotlib.axes import Axes

from reports import charts, svg
from reports.charts import Series
from reports.numbers import digits_for, plain, with_interval
from reports.parts import Chart
from reports.runs import Shown
from sim.errors import shortened

#: What so few seats or games have that its interval is wider than this (points of per cent) is in the tables alone:
#: in a chart it would hide the others.
WIDEST = 4.0

_LONGEST_LABEL = 19
_LONGEST_RUN = 40


def variant_styles(runs: Sequence[Shown]) -> dict[str, Series]:
    """Return a style for each variant, the same in every group's chart."""
    return charts.series_of([run.variant for run in runs])


def run_styles(runs: Sequence[Shown]) -> dict[str, Series]:
    """Return a style for each run: colour by variant, dash and filling by group."""
    variants = variant_styles(runs)
    groups = list(dict.fromkeys(run.group for run in runs))
    full = {run.label: f"{run.players} pl., {run.variant}" if len(groups) > 1 else run.variant for run in runs}
    short = short_labels(list(full.values()), _LONGEST_LABEL + 3)
    styles = {}
    for run in runs:
        base, place = variants[run.variant], groups.index(run.group)
        styles[run.label] = Series(
            short[full[run.label]],
            base.colour,
            base.marker,
            ("-", "--", ":", "-.")[place % 4],
            place % 2 == 1,
        )
    return styles


def interval_charts(
    runs: Sequence[Shown],
    name: str,
    title: str,
    frame: pd.DataFrame,
    unit: str,
    has_fair_share: bool = False,
    reach: float = 0.0,
) -> list[Chart]:
    """Return a chart of categories with intervals for each group that the frame (`runs.COLUMNS`) holds.

    `title` begins with the group, which is added; with `has_fair_share` a line stands at the fair share, and
    with `reach` a band around it is shaded: that part of it to each side.
    """
    styles = variant_styles(runs)
    found = []
    for group in dict.fromkeys(frame["group"]):
        rows = frame[frame["group"] == group].copy()
        rows["series"] = rows["variant"]
        rows["label"] = rows["category"].map(short_labels(rows["category"].tolist()))
        rows["text"] = _texts(rows)
        players = next(run.players for run in runs if run.group == group)
        fair = 100 / players if has_fair_share else None

        band = (fair * (1 - reach), fair * (1 + reach)) if fair is not None and reach else None

        def draw(
            ax: Axes, rows: pd.DataFrame = rows, fair: float | None = fair, band: tuple[float, float] | None = band
        ) -> None:
            charts.intervals(ax, rows, unit, styles, fair, "fair share" if fair is not None else "", band=band)

        full = f"{group}: {title}"
        found.append(_chart(f"{name}-{players}", full, rows, draw, charts.intervals_height(rows), unit))
    return found


def series_intervals(name: str, title: str, frame: pd.DataFrame, unit: str) -> Chart:
    """Return a chart of categories with an interval for each `series` of a frame (`runs.COLUMNS`)."""
    rows = frame.copy()
    rows["label"] = rows["category"].map(short_labels(rows["category"].tolist()))
    rows["text"] = _texts(rows)
    return _chart(name, title, rows, lambda ax: charts.intervals(ax, rows, unit), charts.intervals_height(rows), unit)


def _texts(rows: pd.DataFrame) -> list[str]:
    """Return each row's value with its interval, all with digits that suit the whole frame."""
    digits = max(0, digits_for(rows["half_width"]))
    return [
        with_interval(row["value"], row["low"], row["high"], digits, row.get("counted", math.inf))
        for row in rows.to_dict("records")
    ]


def line_chart(
    runs: Sequence[Shown],
    name: str,
    title: str,
    frame: pd.DataFrame,
    unit: str,
    x_label: str = "round",
    exact: pd.DataFrame | None = None,
) -> Chart:
    """Return a chart of one line for each run over the numbers in `category`.

    `exact` adds lines without intervals: a frame of series, x and value.
    """
    styles = run_styles(runs)
    rows = frame.copy()
    rows["series"] = rows["run"].map(lambda label: styles[label].name)
    return _lines(name, title, rows, unit, x_label, {style.name: style for style in styles.values()}, exact)


def series_chart(
    name: str, title: str, frame: pd.DataFrame, unit: str, x_label: str = "round", exact: pd.DataFrame | None = None
) -> Chart:
    """Return a chart of one line for each `series` of a frame over the numbers in `category`."""
    styles = charts.series_of(list(frame["series"]))
    return _lines(name, title, frame.copy(), unit, x_label, styles, exact, is_joined=exact is None)


def bar_charts(
    runs: Sequence[Shown], name: str, title: str, frame: pd.DataFrame, unit: str, x_label: str
) -> list[Chart]:
    """Return a chart of bars for each group, a colour for each variant."""
    styles = variant_styles(runs)
    found = []
    for group in dict.fromkeys(frame["group"]):
        rows = frame[frame["group"] == group].copy()
        rows["series"], rows["label"] = rows["variant"], rows["category"]
        players = next(run.players for run in runs if run.group == group)

        def draw(ax: Axes, rows: pd.DataFrame = rows) -> None:
            charts.bars(ax, rows, x_label, unit, styles)

        found.append(_chart(f"{name}-{players}", f"{group}: {title}", rows, draw, charts.PLOT_HEIGHT, unit))
    return found


def stacked_chart(name: str, title: str, frame: pd.DataFrame, unit: str) -> Chart:
    """Return a chart of parts that make up a total, a bar for each run; `frame` as `charts.stacked` takes it."""
    rows = frame.assign(label=frame["label"].map(short_labels(frame["label"].tolist(), _LONGEST_RUN)))
    return _chart(name, title, rows, lambda ax: charts.stacked(ax, rows, unit), charts.stacked_height(rows), unit)


def part_texts(parts: pd.DataFrame) -> list[str]:
    """Return what a stacked chart says at each part of a frame (`runs.COLUMNS`): its value, a total's interval."""
    return [
        with_interval(row["value"], row["low"], row["high"], digits_for([row["half_width"]], 2), row["counted"])
        if row["category"] == "total"
        else plain(row["value"], 1)
        for row in parts.to_dict("records")
    ]


def short_labels(names: Sequence[str], longest: int = _LONGEST_LABEL) -> dict[str, str]:
    """Return each name short enough to stand beside a plot, and still told apart from the others."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        short, number = shortened(name, longest), 2
        while short in found.values():
            short, number = f"{shortened(name, longest - 3)} {number}", number + 1
        found[name] = short
    return found


def _lines(
    name: str,
    title: str,
    rows: pd.DataFrame,
    unit: str,
    x_label: str,
    styles: dict[str, Series],
    exact: pd.DataFrame | None,
    is_joined: bool = True,
) -> Chart:
    rows["x"] = rows["category"].astype(int)
    if exact is not None:
        rows = pd.concat([rows, exact], ignore_index=True)
        for label in dict.fromkeys(exact["series"]):
            styles = {**styles, label: Series(label, charts.MUTED, "_")}

    def draw(ax: Axes) -> None:
        charts.lines(ax, rows, x_label, unit, styles, is_joined=is_joined)

    return _chart(name, title, rows, draw, charts.PLOT_HEIGHT, unit)


def _chart(
    name: str, title: str, frame: pd.DataFrame, draw: Callable[[Axes], None], height: float, unit: str
) -> Chart:
    alt = f"{title}. {_in_words(frame, unit)}"
    return Chart(name, title, alt, frame, svg.drawing(draw, name, title, alt, height))


def _in_words(frame: pd.DataFrame, unit: str) -> str:
    """Return the highest and the lowest value of a frame with what they belong to, or what all of them are."""
    rows = frame[frame["value"].notna()]
    if rows.empty:
        return "Nothing was counted."
    said = []
    records = sorted(rows.to_dict("records"), key=lambda row: row["value"])
    if records[0]["value"] == records[-1]["value"]:
        value = plain(float(records[0]["value"]), 2)
        return f"Every value is {value} ({unit}). All values are in the tables of this section."
    for what, row in (("Highest", records[-1]), ("lowest", records[0])):
        place = row["label"] if "label" in row else f"at {row['x']:.0f}"
        said.append(f"{what}: {place}, {row.get('series', row.get('part', ''))}, {plain(float(row['value']), 2)}")
    return f"{'; '.join(said)} ({unit}). All values are in the tables of this section."
