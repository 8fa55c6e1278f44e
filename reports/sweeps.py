"""What a sweep found: every metric in every cell, as a frame, on a terminal and as JSON data; which to show first."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import pandas as pd

from reports.comparison import deviation_of
from reports.console import WIDTH, all_readings, assumptions, finite, interval, measured, table, with_interval
from reports.tables import metrics, rows
from sim.blocks import Layout, Metric
from sim.design import Design
from sim.errors import BadInput, unknown
from sim.game import POLICY, Game
from sim.played import Played
from sim.precision import Difference
from sim.rules import value_text
from sim.sweep import Swept

#: How many metrics are shown when none is asked for, and how many of them may be the game's headline.
MOST_METRICS, MOST_HEADLINE = 8, 6

#: How many cells a report shows side by side: so many runs have a colour of their own in its charts.
MOST_IN_REPORT = 8

#: Columns of text that settings may take on a terminal, each and all together, and the gap after every column.
_SETTING_WIDTH, _SETTINGS_WIDTH, _GAP = 24, 52, 2

_MEASURES = ("metric", "of", "category", "value", "half_width", "low", "high", "counted")
_DIFFERENCE = ("difference", "difference_half_width", "saved")

#: The frame's rows by metric and cell.
_Found: TypeAlias = Mapping[tuple[str, int], Any]


def setting_text(value: Any) -> str:
    """Return a setting as a person and `--vary` write it: `true`, `15`, `0.25`, `1,3,5`."""
    if isinstance(value, float):
        return f"{value:g}"
    return value_text(tuple(value) if isinstance(value, list) else value)


def cell_text(swept: Swept, cell: int) -> str:
    """Return what sets a cell apart from the base, such as "players = 3, tie = order"; of the base all it has."""
    own, base = swept.settings[cell], swept.settings[swept.base]
    keys = [key for key in swept.keys if own[key] != base[key]] or swept.keys
    return ", ".join(f"{key} = {setting_text(own[key])}" for key in keys)


def finished_text(design: Design, number: int, is_kept: bool) -> str:
    """Return the line that says that a cell has reached its goal, and where it is kept."""
    cell = design.cells[number]
    told = " ".join(f"{key}={setting_text(value)}" for key, value in cell.settings.items())
    where = f" in cells/{cell.folder}" if is_kept else ""
    return f"finished: cell {number} of {len(design.cells)} ({told}){where}"


def variants(swept: Swept) -> list[Played]:
    """Return the cells as variants for a report, the base first, each named by what sets it apart.

    Raises BadInput when there are more than a report can show side by side.
    """
    if len(swept.played) > MOST_IN_REPORT:
        raise BadInput(
            f"report: a sweep of {len(swept.played)} cells, and a report shows at most {MOST_IN_REPORT} side by "
            "side; report one of its cells/, or draw the sweep: steelyard sweep DIR --plot FILE"
        )
    order = sorted(range(len(swept.played)), key=lambda cell: cell != swept.base)
    own = [key for key in swept.keys if key not in swept.played[0].rules.parameters]
    if not own:
        return [swept.played[cell] for cell in order]
    last = [key.rpartition(".")[2] for key in swept.keys]
    short = [name if last.count(name) == 1 else key for name, key in zip(last, swept.keys, strict=True)]
    named = []
    for cell in order:
        # What is no rule has no place in a variant's own name.
        values = (setting_text(swept.settings[cell][key]) for key in swept.keys)
        name = ", ".join(f"{key} {value}" for key, value in zip(short, values, strict=True))
        named.append(replace(swept.played[cell], rules=replace(swept.played[cell].rules, name=name)))
    return named


def frame(swept: Swept, names: Collection[str] | None = None) -> pd.DataFrame:
    """Return metrics, all or those named, of every cell, a row each; those that a cell did not count are absent.

    Columns: cell (a number from 0), one for each key (lists as "0,1,2"), metric, of, category, value, half_width,
    low, high, difference to the base, difference_half_width, saved (as `compare` has it), games, unit, meaning.
    The base's differences, and those to a metric that the base did not count, are empty.
    """
    listed = []
    for cell, (setting, played) in enumerate(zip(swept.settings, swept.played, strict=True)):
        paired = by_name(swept.differences[cell])
        own = tuple(_plain(setting[key]) for key in swept.keys)
        for row in rows(metrics(played.totals, names)):
            found = paired.get(row.metric)
            difference = (found.value, found.half_width, found.saved) if found else (math.nan,) * 3
            measures = tuple(getattr(row, name) for name in _MEASURES)
            listed.append((cell, *own, *measures, *difference, played.totals.games, row.unit, row.meaning))
    columns = ["cell", *swept.keys, *_MEASURES, *_DIFFERENCE, "games", "unit", "meaning"]
    return pd.DataFrame(listed, columns=columns)


def by_name(differences: Iterable[tuple[Metric, Difference]]) -> dict[str, Difference]:
    """Return a cell's differences by their metrics' names."""
    return {metric.name: found for metric, found in differences}


def _plain(value: Any) -> Any:
    """Return a setting for a column of a frame: numbers as they are, all else as text."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else setting_text(value)


def find(asked: Sequence[str], layouts: Iterable[Layout]) -> list[str]:
    """Return the metrics that names or families of them (win_rate_by_seat: every seat's) stand for, each once.

    Raises BadInput, with the nearest known one, for a name that no layout has.
    """
    families: dict[str, dict[str, None]] = {}
    for metric in (metric for layout in layouts for metric in layout.metrics if not metric.is_label):
        families.setdefault(metric.of, {})[metric.name] = None
    found: dict[str, None] = {}
    for name in asked:
        family = name.partition("[")[0]
        if family not in families:
            raise unknown("metric", name, families)
        if name != family and name not in families[family]:
            raise unknown("metric", name, families[family])
        found |= families[family] if name == family else {name: None}
    return list(found)


def choose(swept: Swept, asked: Sequence[str], game: Game) -> list[str]:
    """Return the metrics to show: those asked for, by name or family; else the headline and what moved most.

    Of those asked for the ones that no cell counted are left out, unless none did. What moved most comes after the
    headline, one of a family. Raises BadInput as `find`.
    """
    if asked:
        found, counted = find(asked, [played.totals.layout for played in swept.played]), _counted(swept)
        return [name for name in found if name in counted] or found
    first = headline(swept, game)
    shown = {name.partition("[")[0] for name in first}
    moved = []
    for metric, *_ in _effects(swept, None):
        if metric.of not in shown:
            moved.append(metric.name)
            shown.add(metric.of)
    return [*first, *moved][:MOST_METRICS]


def headline(swept: Swept, game: Game) -> list[str]:
    """Return the win rates of policies whose parameters are varied and what the game wants to see first.

    As far as the cells counted it, and whole families only, as long as they have room.
    """
    counted = _counted(swept)
    found = [*_varied_policies(swept, counted)][:MOST_HEADLINE]
    for family in game.headline:
        names = [name for name in counted if name == family or name.startswith(f"{family}[")]
        if len(found) + len(names) <= MOST_HEADLINE:
            found += names
    return found


def _counted(swept: Swept) -> dict[str, None]:
    """Return the names of the metrics that any cell counted, in their order."""
    found: dict[str, None] = {}
    for played in swept.played:
        metrics_and_sums = zip(played.totals.layout.metrics, played.totals.sums, strict=True)
        found |= {metric.name: None for metric, sums in metrics_and_sums if not metric.is_label and sums[1]}
    return found


def _varied_policies(swept: Swept, counted: Iterable[str]) -> Iterator[str]:
    """Yield the win rates of policies whose parameters are varied."""
    varied = {key.partition(".")[0] for key in swept.keys if "." in key}
    for name in counted:
        family, _, label = name.removesuffix("]").partition("[")
        if family == f"win_rate_by_{POLICY}" and label.partition(":")[0] in varied:
            yield name


def biggest(swept: Swept, names: Sequence[str]) -> tuple[str, int, Difference] | None:
    """Return the metric, cell and difference to the base that is the biggest effect; None when none is sure."""
    metric, cell, found = next(_effects(swept, names), (None, 0, None))
    return (metric.name, cell, found) if metric and found else None


def _effects(swept: Swept, names: Sequence[str] | None) -> Iterator[tuple[Metric, int, Difference]]:
    """Yield metrics with the cell where they differ most from the base, the biggest effect first.

    An effect is counted in standard deviations of the metric's own unit, as `compare` has it; only those are yielded
    that are sure when all cells' are judged together. `names` None means all.
    """
    played = swept.played[swept.base]
    base = played.totals
    places = base.layout.index()
    judged = [
        (metric, cell, found)
        for cell, pairs in enumerate(swept.differences)
        for metric, found in pairs
        if names is None or metric.name in names
    ]
    deviations = {metric.name: deviation_of(base, places[metric.name]) for metric, _, _ in judged}
    effects: dict[str, tuple[float, Metric, int, Difference]] = {}
    for metric, cell, found in judged:
        deviation = deviations[metric.name]
        if deviation == 0 or not found.is_sure(len(judged)):
            continue
        effect = abs(found.value) / deviation
        if metric.name not in effects or effect > effects[metric.name][0]:
            effects[metric.name] = (effect, metric, cell, found)
    for _, metric, cell, found in sorted(effects.values(), key=lambda e: (-e[0], e[1].name)):
        yield metric, cell, found


def sweep_text(swept: Swept, names: Sequence[str], most: int, leading: Sequence[str] = ()) -> list[Any]:
    """Return the biggest effect, the tables of at most `most` cells, and what to make of them.

    The effect is of the first family of `leading` metrics that surely moves, the game's headline: who wins and what
    decides. That coins held after a round depend on those dealt out is no news, however surely they do.
    """
    found = {(row.metric, row.cell): row for row in rows(frame(swept, set(names)))}
    others = [cell for cell in range(len(swept.played)) if cell != swept.base]
    shown = sorted([swept.base, *others[: most - 1]])
    parts = [
        _biggest_text(_first(swept, leading) or biggest(swept, names), swept, found),
        "",
        *_tables(swept, names, shown, found),
    ]
    if len(shown) < len(swept.played):
        parts.append(f"{len(swept.played) - len(shown)} more cells are not shown; --csv FILE has all of them.\n")
    parts.append(
        "Below a value stands its difference to the base on the same seeds, of shares in percentage points. "
        f"{_saved_text(swept, names)}\n"
    )
    return [*parts, f"{games_text(swept)}.\n", assumptions(*(played.rules for played in swept.played))]


def _first(swept: Swept, leading: Sequence[str]) -> tuple[str, int, Difference] | None:
    """Return the biggest effect within the first family of these metrics that surely moves."""
    families = dict.fromkeys(name.partition("[")[0] for name in leading)
    each = (biggest(swept, [name for name in leading if name.partition("[")[0] == family]) for family in families)
    return next((effect for effect in each if effect), None)


def games_text(swept: Swept) -> str:
    """Return how many games of what were played in each cell, and what was asked for."""
    base = swept.played[swept.base]
    counts = sorted(played.totals.games for played in swept.played)
    games = f"{counts[0]:,}" if counts[0] == counts[-1] else f"{counts[0]:,} to {counts[-1]:,}"
    parts = [f"{games} games a cell", f"seed {base.seed}"]
    if "players" not in swept.keys:
        parts.insert(1, f"{base.totals.layout.plan.seats} players")
    if swept.precision:
        parts.append(f"to a precision of ±{swept.precision:g}")
    if short := sum(count < swept.wanted for count in counts):
        parts.append(f"stopped early: {short} of {len(counts)} cells have fewer than {swept.wanted:,} games")
    elif short := sum(played.is_cut_short for played in swept.played):
        parts.append(f"stopped early: {short} of {len(counts)} cells are not finished")
    return ", ".join(parts)


def _biggest_text(effect: tuple[str, int, Difference] | None, swept: Swept, found: _Found) -> str:
    """Return the biggest effect in a sentence."""
    if effect is None:
        return "No cell surely differs from the base in what is shown, all judged together."
    name, cell, _ = effect
    at, base = found[name, cell], found[name, swept.base]
    return (
        f"Biggest effect: {name} is {measured(at)} with {cell_text(swept, cell)} "
        f"against {measured(base)} in the base, a difference of "
        f"{_difference_text(at)}{' points' if at.unit.startswith('share') else ''}."
    )


def _difference_text(row: Any) -> str:
    """Return a difference with its sign and interval, that of a share in percentage points."""
    if not math.isfinite(row.difference_half_width):
        return "the same" if row.difference == 0 else "too few blocks differ"
    text = with_interval(row.difference, row.difference_half_width, row.unit).removesuffix(" %")
    return text if text.startswith("-") else f"+{text}"


def _saved_text(swept: Swept, names: Sequence[str]) -> str:
    """Return what common seeds were worth, over the shown metrics of all cells."""
    saved = [
        found.saved
        for pairs in swept.differences
        for metric, found in pairs
        if metric.name in names and math.isfinite(found.saved)
    ]
    if not saved:
        return "No difference has an interval, so pairing saved nothing or all."
    middle, least, most = (
        f"{n:.2g}" if n < 10 else f"{n:,.0f}" for n in (statistics.median(saved), min(saved), max(saved))
    )
    return (
        f"Pairing makes these intervals as tight as {middle} times the games with independent seeds would "
        f"(the median; from {least} to {most})."
    )


def _tables(swept: Swept, names: Sequence[str], shown: Sequence[int], found: _Found) -> Iterator[Any]:
    """Yield tables with a row for each shown cell, as many as the metrics' columns need."""
    settings = _setting_columns(swept, shown)
    room = WIDTH - sum(map(_width, settings))
    columns = [_metric_column(name, shown, found) for name in names]
    title = f"By {', '.join(swept.keys)}"
    while columns:
        fitting, width = 1, _width(columns[0])
        while fitting < len(columns) and width + _width(columns[fitting]) <= room:
            width += _width(columns[fitting])
            fitting += 1
        heads, *lines = zip(*settings, *columns[:fitting], strict=True)
        limits = [_SETTINGS_WIDTH if len(settings) == 1 else _SETTING_WIDTH] * len(settings)
        yield table(title, heads, lines, left=len(settings), widths=limits)
        yield ""
        columns, title = columns[fitting:], "The same cells, further metrics"


def _width(column: Sequence[str]) -> int:
    """Return the width of a column with the gap after it."""
    return _GAP + max(len(line) for text in column for line in text.split("\n"))


def _setting_columns(swept: Swept, shown: Sequence[int]) -> list[list[str]]:
    """Return a column for each key, or one for all where they would leave no room, the base marked."""
    columns = []
    for key in swept.keys:
        texts = [setting_text(swept.settings[cell][key]) for cell in shown]
        width = min(_SETTING_WIDTH, max(10, *map(len, texts)))
        columns.append([_folded(key, width), *("\n".join(_cut(text, _SETTING_WIDTH)) for text in texts)])
    if sum(map(_width, columns)) > _SETTINGS_WIDTH:
        columns = [["cell", *("\n".join(_cut(cell_text(swept, cell), _SETTINGS_WIDTH - _GAP)) for cell in shown)]]
    columns[0][1 + shown.index(swept.base)] += "\n(base)"
    return columns


def _cut(text: str, width: int) -> list[str]:
    """Return a text in lines of at most this width, broken after commas where it can be."""
    lines = [""]
    for piece in re.findall(r"[^,]*,? ?", text):
        if lines[-1] and len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def _metric_column(name: str, shown: Sequence[int], found: _Found) -> list[str]:
    """Return a metric's head and, for each cell, its value and below it the difference to the base."""
    texts, unit = [], ""
    for cell in shown:
        row = found.get((name, cell))
        if row is None:
            texts.append("-")
            continue
        unit = "" if row.unit.startswith("share") else f"\n({row.unit})"
        text = measured(row)
        texts.append(text if math.isnan(row.difference) else f"{text}\n{_difference_text(row)}")
    return [f"{_folded(name, max(14, *map(len, texts)))}{unit}", *texts]


def _folded(name: str, width: int) -> str:
    """Return a name in lines of about this width, a category in a line of its own, broken where words end."""
    lines = [""]
    for word in re.split(r"(?<=[_.])|(?=\[)", name) if len(name) > width else [name]:
        if word.startswith("[") or len(lines[-1] + word) > width:
            lines.append("")
        lines[-1] += word
    return "\n".join(filter(None, lines))


def sweep_data(swept: Swept, names: Sequence[str] | None, seconds: float) -> dict[str, Any]:
    """Return `sweep --json`'s document, of these metrics or of all.

    `base` is the base's place in `cells`, `players` the base's; `games` are those that every cell has played. A cell
    that is kept has its `folder`.
    """
    found = frame(swept, None if names is None else set(names))
    measured: dict[int, dict[str, Any]] = {cell: {} for cell in range(len(swept.played))}
    for row in rows(found):
        measured[row.cell][row.metric] = _measure(row)
    sets = [{key: _json(setting[key]) for key in swept.keys} for setting in swept.settings]
    base = swept.played[swept.base]
    document = {
        "game": base.rules.game,
        "name": base.rules.name,
        "rules_version": base.rules.version,
        "players": base.rules.values["players"],
        "line_up": base.line_up,
        "games": min(played.totals.games for played in swept.played),
        "precision": swept.precision or None,
        "seed": base.seed,
        "seconds": round(seconds, 3),
        "base": swept.base,
        "cells": [
            {"set": sets[cell], **_folder(swept, cell), "games": played.totals.games, "metrics": measured[cell]}
            for cell, played in enumerate(swept.played)
        ],
        "differences": [
            {
                "set": sets[row.cell],
                "metric": row.metric,
                "difference": row.difference,
                "half_width": row.difference_half_width,
                "saved": row.saved,
            }
            for row in rows(found[found["difference"].notna()])
        ],
        "assumptions": list(dict.fromkeys(key for played in swept.played for key in played.rules.assumptions())),
        "readings": all_readings(*(played.rules for played in swept.played)),
        "versions": dict(base.versions),
    }
    return {key: finite(value) for key, value in document.items()}


def _folder(swept: Swept, cell: int) -> dict[str, str]:
    """Return where a cell is kept, within the sweep's folder."""
    return {"folder": f"cells/{swept.folders[cell]}"} if swept.folders else {}


def _json(value: Any) -> Any:
    """Return a setting as JSON has it."""
    return list(value) if isinstance(value, tuple) else value


def _measure(row: Any) -> Mapping[str, float]:
    """Return a metric's mean in a cell with its interval."""
    return {"mean": row.value, **interval(row)}
