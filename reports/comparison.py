"""What a rule change did: paired differences, biggest effect first, as a table and as JSON data."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Group

from reports.console import assumptions, finite, table, with_interval
from reports.tables import rows
from sim.blocks import Totals
from sim.compare import Comparison, is_same_seed
from sim.game import load_game
from sim.played import Played, Player
from sim.rules import value_text


def differences(comparison: Comparison) -> pd.DataFrame:
    """Return every metric's paired difference, the biggest effect first; what the base never varied in comes last.

    An effect is Cohen's d: the difference over the standard deviation of the metric's own unit (a seat, a game, a
    round) in the base, see `deviation_of`, which has no unit and sorts metrics of all units. `is_sure` says that
    zero lies outside the interval even when all metrics are judged together (Bonferroni). Columns: metric, base,
    base_half_width, variant, difference, half_width, effect, saved (how many times the games unpaired seeds would
    need), is_sure, unit, meaning.
    """
    base = comparison.base.totals
    places = base.layout.index()
    listed = []
    for metric, found in comparison.changes:
        slot = places[metric.name]
        half_width, deviation = base.estimate(slot).half_width, deviation_of(base, slot)
        effect = abs(found.value) / deviation if deviation > 0 else (math.inf if found.value else 0.0)
        is_sure = found.is_sure(len(comparison.changes))
        listed.append(
            (
                *(metric.name, found.first, half_width, found.second, found.value, found.half_width),
                *(effect, found.saved, is_sure, metric.unit, metric.meaning),
            )
        )
    names = ("metric", "base", "base_half_width", "variant", "difference", "half_width", "effect", "saved", "is_sure")
    frame = pd.DataFrame(listed, columns=[*names, "unit", "meaning"])
    effects = frame["effect"].astype(float)
    order = effects.where(np.isfinite(effects), -1.0)
    return frame.assign(order=order).sort_values(["order", "metric"], ascending=[False, True]).drop(columns="order")


def deviation_of(totals: Totals, slot: int) -> float:
    """Return the standard deviation of what a metric counts, a seat, a game or a round; 0 where it never varied.

    The sums at hand are of games. A share p of units that have a thing or not deviates by the root of p (1 - p),
    whatever hangs together within a game; of shares that come in parts (a shared win, a chance) that is the most it
    can be. A number's units are taken for independent of each other within a game, of which the sum of (n - d r)^2
    over that of d is the variance; exact where a game is the unit.
    """
    n, d, nn, nd, dd = (int(number) for number in totals.sums[slot])
    if totals.games < 2 or d == 0:
        return 0.0
    metric = totals.layout.metrics[slot]
    if metric.is_share:
        part = n / d * metric.scale
        return math.sqrt(max(0.0, part * (1 - part)))
    squares = max(0, nn * d * d - 2 * n * d * nd + n * n * dd)
    return math.sqrt(squares / d**3 * totals.games / (totals.games - 1)) * metric.scale


def families(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the first row of each family of metrics, twins such as king_decided_if_king with king_decided."""
    of = frame["metric"].str.replace(r"\[.*|_if_\w+$", "", regex=True)
    return frame[~of.duplicated()]


def changed(base: Played, variant: Played) -> dict[str, tuple[Any, Any]]:
    """Return everything that determines results and differs: rules by their keys, policies, seed, versions."""
    found: dict[str, tuple[Any, Any]] = dict(base.rules.diff(variant.rules))
    for key in ("line_up", "block_games"):
        if getattr(base, key) != getattr(variant, key):
            found[key] = getattr(base, key), getattr(variant, key)
    if base.seeds != variant.seeds:
        found["seed"] = _seed(base), _seed(variant)
    if base.policies != variant.policies:
        mine, theirs = (", ".join(map(_told, run.policies)) for run in (base, variant))
        found["policies"] = mine, theirs
    for key in dict.fromkeys((*base.versions, *variant.versions)):
        if base.versions.get(key) != variant.versions.get(key):
            found[f"versions.{key}"] = base.versions.get(key), variant.versions.get(key)
    return found


def _seed(run: Played) -> int | list[int]:
    """Return a run's seed, or all of those that were merged."""
    return list(run.seeds) if run.merged else run.seed


def _told(policy: Player) -> str:
    """Return a policy's label and the beginning of its source's hash."""
    return f"{policy.label} ({policy.source[:8]})"


def comparison_text(comparison: Comparison, frame: pd.DataFrame, most: int) -> list[Any]:
    """Return what changed in the rules, the table of the biggest differences, and what to make of it."""
    base, variant = comparison.base.rules, comparison.variant.rules
    differing = changed(comparison.base, comparison.variant)
    told = "; ".join(f"{key} {_text(mine)} -> {_text(theirs)}" for key, (mine, theirs) in differing.items())
    sure, shown = int(frame["is_sure"].sum()), min(most, len(families(frame[frame["is_sure"]])))
    head = (
        f"{variant.name} against {base.name}: {told or 'nothing was changed'}\n{_measured(comparison)}\n\n"
        f"{_who_gains(frame, load_game(base.game).side)}\n"
    )
    short = int((frame["half_width"].isna() & (frame["difference"] != 0)).sum())
    too_short = f" {short} more differ in too few blocks of games to say; play more." if short else ""
    foot = (
        f"\n{sure} of {len(frame)} metrics differ surely, judged together (95 %); the biggest of each of {shown} "
        "families are shown. Differences of shares are in percentage points. An effect is the difference in standard "
        "deviations of what is counted, a seat, a game or a round (Cohen's d): 0.2 is small, 0.8 large. Saved is how "
        f"many times the games independent seeds would have needed for the same interval.{too_short}\n"
    )
    return [head, _table(frame, most), foot, assumptions(variant)]


def _text(value: Any) -> str:
    """Return a value that differs as a line shows it."""
    return value_text(value) if isinstance(value, bool | int | tuple) else str(value)


def _measured(comparison: Comparison) -> str:
    """Say on how many games the differences rest."""
    if comparison.blocks:
        return f"{comparison.games:,} games of each on the same seeds (seed {comparison.base.seed})"
    base, variant = comparison.base, comparison.variant
    if base.merged or variant.merged:
        common = sorted({*base.seeds} & {*variant.seeds})
        more = f"; both hold those of seed {common[0]}, so intervals are too wide" if common else ""
        return f"{base.totals.games:,} and {variant.totals.games:,} games (not paired: merged runs are not{more})"
    games = f"{base.totals.games:,} and {variant.totals.games:,} games"
    if is_same_seed(base, variant):
        return f"{games} that have no whole block of games in common (not paired)"
    return f"{games} that have no seeds in common (not paired: play both with the same seed for tighter intervals)"


def _who_gains(frame: pd.DataFrame, side: str) -> str:
    """Return which policies and sides win more and which less, in a sentence."""
    wins = frame[frame["metric"].str.match(rf"win_rate_by_(policy|{side})\[") & frame["is_sure"]]
    said = [
        f"{'wins more' if r.difference > 0 else 'wins less'}: {r.metric.partition('[')[2][:-1]} "
        f"({with_interval(r.difference, r.half_width, r.unit).replace(' %', ' points')})"
        for r in rows(wins.iloc[wins["difference"].abs().argsort()[::-1]].head(4))
    ]
    return ("; ".join(said) + ".").capitalize() if said else "Nobody surely wins more or less."


def _table(frame: pd.DataFrame, most: int) -> Group:
    """Return the table of the biggest sure differences, one of a family, `most` at most."""
    lines = [
        [
            r.metric,
            with_interval(r.difference, r.half_width, r.unit).replace(" %", " points"),
            with_interval(r.base, r.base_half_width, r.unit),
            f"{r.effect:.3f}" if math.isfinite(r.effect) else "new",
            f"{r.saved:.1f}x" if math.isfinite(r.saved) else "-",
            r.unit,
        ]
        for r in rows(families(frame[frame["is_sure"]]).head(most))
    ]
    heads = ("metric", "difference", "base", "effect", "saved", "unit")
    return table("What changed, biggest first", heads, lines)


def comparison_data(comparison: Comparison, frame: pd.DataFrame, seconds: float) -> dict[str, Any]:
    """Return `compare --json`'s document."""
    base, variant = comparison.base.rules, comparison.variant.rules
    differing = changed(comparison.base, comparison.variant)
    document = {
        "game": base.game,
        "rules_version": base.version,
        "base": base.name,
        "variant": variant.name,
        "changed": {key: {"base": mine, "variant": theirs} for key, (mine, theirs) in differing.items()},
        "games": comparison.games,
        "blocks": comparison.blocks,
        "seed": _seed(comparison.base),
        "seconds": round(seconds, 3),
        "differences": frame.drop(columns=["meaning"]).to_dict("records"),
        "assumptions": variant.assumptions(),
        "readings": variant.readings(),
    }
    return {key: finite(value) for key, value in document.items()}
