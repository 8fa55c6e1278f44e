"""Results on a terminal: tables of at most 100 columns, and the same results as JSON data."""

from __future__ import annotations

import errno
import math
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from reports import tables
from reports.numbers import FEW_GAMES, LOPSIDED
from reports.tables import rows
from sim.game import Game
from sim.played import Played
from sim.rules import Rules, Value, value_text

WIDTH = 100

#: How the meaning of a win rate begins that counts seats by what they did.
_COUNTED = "win share, seats counted by "


class _Screen(Console):
    """A console that leaves it to the command line what a reader who has gone means."""

    def on_broken_pipe(self) -> None:
        """Pass on the error; rich would exit with 1."""
        raise BrokenPipeError(errno.EPIPE, "the reader has gone")


def console(is_error: bool = False) -> Console:
    """Return a console that never writes wider than WIDTH, on standard output or error."""
    out = Console(stderr=is_error)
    # FORCE_COLOR makes rich take a log for a terminal, which has no width of its own.
    width = min(WIDTH, out.width) if out.file.isatty() else WIDTH
    return _Screen(stderr=is_error, highlight=False, markup=False, emoji=False, width=width)


def table(
    title: str, heads: Sequence[str], lines: Iterable[Sequence[str]], left: int = 1, widths: Sequence[int | None] = ()
) -> Group:
    """Return a titled table: the first `left` columns' texts to the left, the others' to the right.

    `widths` limit columns; a longer text is folded.
    """
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for at, head in enumerate(heads):
        width = widths[at] if at < len(widths) else None
        made.add_column(head, justify="left" if at < left else "right", overflow="fold", max_width=width)
    for line in lines:
        made.add_row(*(Text(cell) for cell in line))
    return Group(Text(title, style="bold"), made)


def number(value: float, digits: int = 2) -> str:
    """Return a number for a table cell, "-" for one that is not known."""
    return f"{value:.{digits}f}" if math.isfinite(value) else "-"


def with_interval(value: float, half_width: float, unit: str) -> str:
    """Return a value and its interval, shares in per cent, with digits to match the interval."""
    factor, sign = _in_unit(unit)
    value, half_width = value * factor, half_width * factor
    digits = _digits(half_width)
    return f"{number(value, digits)} ± {number(half_width, digits)}{sign}"


def measured(row: Any) -> str:
    """Return a row of `tables.metrics` as a value and its interval, and of how many games where these are few."""
    return estimated(row.value, row.low, row.high, row.counted, row.unit)


def estimated(value: float, low: float, high: float, counted: float, unit: str) -> str:
    """Return a value and its interval: "12.3 ± 0.4 %", "0.1 (0.0 to 0.6) %", "always 10", "seen once"."""
    if math.isnan(value):
        return "seen once" if counted else "-"
    factor, sign = _in_unit(unit)
    value, low, high = value * factor, low * factor, high * factor
    few = f", seen in {counted:.0f} games" if counted < FEW_GAMES else ""
    if math.isnan(low):
        return f"always {value:g}{sign}{few}"
    less, more = value - low, high - value
    digits = _digits(max(less, more))
    if max(less, more) > LOPSIDED * min(less, more):
        return f"{number(value, digits)} ({number(low, digits)} to {number(high, digits)}){sign}{few}"
    return f"{number(value, digits)} ± {number(max(less, more), digits)}{sign}{few}"


def _in_unit(unit: str) -> tuple[float, str]:
    """Return by what a value of a unit is multiplied to be shown, and what stands after it: per cent for shares."""
    return (100.0, " %") if unit.startswith("share") else (1.0, "")


def _digits(half_width: float) -> int:
    """Return how many digits after the point show two of a half-width's."""
    if math.isfinite(half_width) and half_width > 0:
        return min(6, max(0, 1 - math.floor(math.log10(half_width))))
    return 2


def _extremes(row: Any) -> list[str]:
    """Return the least and the most that was counted: whole numbers, but parts of a whole in per cent."""
    is_share = row.unit.startswith("share") and math.isfinite(row.min)
    return [f"{100 * value:.3g} %" if is_share else number(value, 0) for value in (row.min, row.max)]


def _best_first(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in the order of their values, the highest first; equals stay in theirs."""
    return frame.sort_values("value", ascending=False, kind="stable")


def _rate_rows(frame: pd.DataFrame) -> list[list[str]]:
    """Return rows of category and rate."""
    return [[str(r.category), measured(r)] for r in rows(frame)]


def games_count(games: int) -> str:
    """Return a number of games in words."""
    return f"{games:,} game" if games == 1 else f"{games:,} games"


def heading(played: Played, game: Game, seconds: float, new_games: int) -> str:
    """Return the line that says what was played, and how fast, `new_games` of it just now."""
    kept = played.totals.games - new_games
    pace = f"{new_games / seconds if seconds > 0 else 0:,.0f} games/s"
    parts = (
        game.title,
        played.rules.name,
        f"{played.totals.layout.plan.seats} players",
        games_count(played.totals.games),
        f"seed {played.seed}",
        pace + (f" ({kept:,} were on disk)" if kept else ""),
    )
    until = " · played until its precision" if played.totals.planned and not played.is_cut_short else ""
    return " · ".join(parts) + until + "\n"


def run_tables(played: Played, game: Game, is_all: bool) -> list[Any]:
    """Return the tables of `steelyard run`: who wins, the most first; with `is_all` usage and all other metrics."""
    frame = tables.metrics(played.totals)
    scores = tables.group(frame, "score_by_policy").set_index("category")
    found = [
        table(
            "Policies",
            ("policy", "wins", "mean score"),
            (
                [*row, measured(scores.loc[row[0]])]
                for row in _rate_rows(_best_first(tables.group(frame, "win_rate_by_policy")))
            ),
        ),
        table("Seats", ("seat", "wins"), _rate_rows(_best_first(tables.group(frame, "win_rate_by_seat")))),
    ]
    sides = tables.group(frame, f"win_rate_by_{game.side}")
    if len(sides):
        found.insert(1, table(game.sides.capitalize(), (game.side, "wins"), _rate_rows(_best_first(sides))))
    if is_all:
        found.append(_usage_table(frame))
    plain = frame[
        frame["category"].isna() & ~frame["of"].str.contains("_when") & ~frame["of"].str.contains("_by_action")
    ]
    plain = plain[(plain["min"] != 0) | (plain["max"] != 0)]  # what never happens in a variant says nothing
    listed = plain if is_all else plain[plain["of"].isin(game.headline)]
    found.append(
        table(
            "A game in numbers" if is_all else f"A game in numbers ({len(listed)} of {len(frame)} metrics; --all)",
            ("metric", "mean", "min", "max", "unit"),
            ([r.metric, measured(r), *_extremes(r), r.unit] for r in rows(listed)),
        )
    )
    return [part for each in found for part in (each, "")]


def _usage_table(frame: pd.DataFrame) -> Group:
    """Return how often each action, skill, hire step and bid size is used, and with what win rate."""
    lines = []
    for rate in rows(frame[frame["meaning"].str.startswith(_COUNTED)]):
        meaning = str(rate.meaning).removeprefix(_COUNTED)
        lines.append([meaning, measured(rate)])
    return table("What winners do", ("seats, counted once for each of", "win"), lines)


def assumptions(*variants: Rules) -> str:
    """Return the keys of the assumed values and the readings that a result rests on, as paragraphs."""
    keys = _assumed(variants)
    said = f"Rests on {len(keys)} values that no source states beyond doubt (--assumptions lists them)"
    named = (f"{key}{' (varied)' * (len({rules.values[key] for rules in variants}) > 1)}" for key in keys)
    return f"{said}: {', '.join(named)}.{_read_so(variants)}"


def _read_so(variants: Sequence[Rules]) -> str:
    """Return the readings that are no parameter as a paragraph of its own; "" without any."""
    lines = all_readings(*variants)
    return f"\nThe rules are read so: {' '.join(lines)}" if lines else ""


def all_readings(*variants: Rules) -> list[str]:
    """Return the readings without a parameter that one or more variants rest on, each once."""
    return list(dict.fromkeys(line for rules in variants for line in rules.readings()))


def assumed_values(*variants: Rules) -> list[Any]:
    """Return the table of the assumed values: key, value, meaning."""
    lines = [
        [key, _values_text([rules.values[key] for rules in variants]), variants[0].parameters[key].meaning]
        for key in _assumed(variants)
    ]
    return ["", table("What no source states", ("rule", "value", "meaning"), lines, left=3, widths=(None, 28, None))]


def _assumed(variants: Sequence[Rules]) -> list[str]:
    """Return the keys that any of the variants rests on."""
    return list(dict.fromkeys(key for rules in variants for key in rules.assumptions()))


def _values_text(values: Sequence[Value]) -> str:
    """Return a rule's value in all variants, or that they do not have the same."""
    return value_text(values[0]) if len(set(values)) == 1 else "(varied)"


def run_data(played: Played, game: Game, seconds: float, new_games: int) -> dict[str, Any]:
    """Return `run --json`'s document; `new_games` were played just now."""
    frame = tables.metrics(played.totals)
    scores = tables.group(frame, "score_by_policy").set_index("category")

    def rates(of: str, key: str) -> list[dict[str, Any]]:
        return [{key: r.category, "win_rate": r.value, **interval(r)} for r in rows(tables.group(frame, of))]

    policies = rates("win_rate_by_policy", "policy")
    for row in policies:
        row["mean_score"] = float(scores["value"][row["policy"]])
        row["mean_score_half_width"] = float(scores["half_width"][row["policy"]])
    seats = rates("win_rate_by_seat", "seat")
    for row in seats:
        row["seat"] = int(row["seat"])
    document: dict[str, Any] = {
        "game": played.rules.game,
        "name": played.rules.name,
        "rules_version": played.rules.version,
        "rules": dict(played.rules.values),
        "players": played.rules.values["players"],
        "line_up": played.line_up,
        "games": played.totals.games,
        "has_precision": played.totals.planned > 0,
        "seed": played.seed,
        "seconds": round(seconds, 3),
        "games_per_second": round(new_games / seconds) if seconds > 0 else None,
        "policies": policies,
        "seats": seats,
        game.sides: rates(f"win_rate_by_{game.side}", "name"),
        "metrics": {r.metric: {"mean": r.value, **interval(r), "min": r.min, "max": r.max} for r in rows(frame)},
        "assumptions": played.rules.assumptions(),
        "readings": played.rules.readings(),
        "stalled": stalled(frame),
        "versions": dict(played.versions),
    }
    return {key: finite(value) for key, value in document.items()}


def interval(row: Any) -> dict[str, float]:
    """Return the interval of a row of `tables.metrics` as JSON data: null where too few games count."""
    return {"half_width": row.half_width, "low": row.low, "high": row.high, "counted": round(row.counted, 2)}


def stalled(frame: pd.DataFrame) -> float:
    """Return the share of games that hit a guard; a game without one has none."""
    return float(frame["value"].get("stalled", 0.0))


def finite(data: Any) -> Any:
    """Return JSON data with null for what is not a finite number, which JSON has no word for."""
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def games_text(games: Sequence[Game]) -> str:
    """Return the list of games: seats, and the decisions that a policy makes."""
    lines = []
    for game in games:
        lines.append(f"{game.name}: {game.title}, {game.seats[0]} to {game.seats[-1]} players")
        lines += [f"  {decision.name:8} {decision.meaning}" for decision in game.decisions]
    return "\n".join(lines)


def games_data(games: Sequence[Game]) -> list[dict[str, Any]]:
    """Return `games --json`'s document."""
    return [
        {
            "game": game.name,
            "title": game.title,
            "players": list(game.seats),
            "decisions": {decision.name: decision.meaning for decision in game.decisions},
        }
        for game in games
    ]
