"""Results as frames and rows: what `run`, `compare` and the report print, with an interval on everything."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any

import pandas as pd

from sim.blocks import Totals

COLUMNS = (
    *("metric", "of", "category", "value", "half_width", "low", "high", "counted", "min", "max", "unit", "meaning"),
)


def metrics(totals: Totals, names: Collection[str] | None = None) -> pd.DataFrame:
    """Return metrics, all or those named, with 95 % intervals: a row each, COLUMNS; what nothing counted left out.

    value and its interval are NaN where too few games count (`counted`, effective ones) to say anything.
    """
    found_rows = []
    for slot, metric in enumerate(totals.layout.metrics):
        if metric.is_label or (names is not None and metric.name not in names):
            continue
        found = totals.estimate(slot)
        if found.counted == 0:
            continue
        is_mean = slot < totals.layout.means
        low = float(totals.low[slot]) * metric.scale if is_mean else math.nan
        high = float(totals.high[slot]) * metric.scale if is_mean else math.nan
        found_rows.append(
            (
                *(metric.name, metric.of, metric.category, found.value, found.half_width, found.low, found.high),
                *(found.counted, low, high, metric.unit, metric.meaning),
            )
        )
    return pd.DataFrame(found_rows, columns=list(COLUMNS)).set_index("metric", drop=False)


def rows(frame: pd.DataFrame) -> Iterator[Any]:
    """Yield a frame's rows with their columns as attributes (of types that pandas cannot know)."""
    yield from frame.itertuples()


def group(frame: pd.DataFrame, of: str) -> pd.DataFrame:
    """Return the rows of one metric's categories, in their order."""
    return frame[frame["of"] == of]


def spread(totals: Totals, name: str) -> pd.DataFrame:
    """Return a distribution or cross-table as counts: a column for each axis, and `count`.

    The end cells of an axis are named one beyond its lowest and highest value.
    """
    histogram = totals.spreads[name]
    axes = histogram.axes
    index = pd.MultiIndex.from_product(
        [range(int(axis.edges[0]) - 1, int(axis.edges[-1]) + 1) for axis in axes],
        names=[axis.metadata for axis in axes],
    )
    counts: Any = histogram.view(flow=True).ravel()
    return pd.DataFrame({"count": counts}, index=index).reset_index()
