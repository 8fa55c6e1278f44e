"""Several runs side by side: what each is called, and frames that hold one metric over all of them.

Runs of a game with equally many players share a *group* ("4 players"), since a fair share is the same for
them; within it a run's *variant* ("base", "expansion") tells it apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reports.tables import metrics
from sim.errors import BadInput, shortened
from sim.played import Played
from sim.precision import LEVEL, Estimate, estimate
from sim.rules import Rules, value_text

#: Columns of every frame of measured values. value, half_width, low and high are in `unit`, shares in per cent;
#: counted is in effective games.
COLUMNS = ("run", "group", "variant", "metric", "category", "value", "half_width", "low", "high", "counted", "unit")
_LONGEST_VARIANT = 40


@dataclass(frozen=True, eq=False)
class Shown:
    """A run as a report shows it; `frame` is `tables.metrics` of it with shares in per cent."""

    played: Played
    group: str
    variant: str
    frame: pd.DataFrame

    @property
    def label(self) -> str:
        """The run's name in tables and sentences."""
        return f"{self.group}, {self.variant}"

    @property
    def players(self) -> int:
        """How many seats play."""
        return _players(self.played.rules)

    @property
    def fair(self) -> float:
        """The share of the wins that each seat would have if nothing told them apart, between 0 and 1."""
        return 1 / self.players

    def has(self, metric: str) -> bool:
        """Tell whether anything was counted for a metric."""
        return metric in self.frame.index

    def estimate(self, metric: str, level: float = LEVEL) -> Estimate:
        """Return a metric's value and interval in its own unit (a share between 0 and 1)."""
        totals = self.played.totals
        return totals.estimate(totals.layout.index()[metric], level)


def require(runs: Sequence[Played], game: str) -> None:
    """Raise BadInput unless there are runs, all of this game and each with games in it."""
    if not runs:
        raise BadInput("report: no runs to report on")
    for run in runs:
        if run.rules.game != game:
            raise BadInput(f"report: a run of {run.rules.game} is none of {game}")
        if run.totals.games == 0:
            raise BadInput(f"report: the run {run.rules.name!r} holds no games")


def show(runs: Sequence[Played], variant_of: Callable[[Rules], str], own_keys: Sequence[str]) -> list[Shown]:
    """Return the runs with names that tell them apart, in the order given.

    variant_of names what the game itself offers ("base"); `own_keys` are the rule keys that this name and
    the group already say, so that only other changes are added to it.
    """
    shown: list[Shown] = []
    for played in runs:
        group = f"{_players(played.rules)} players"
        variant = shortened(_variant(played.rules, variant_of(played.rules), own_keys), _LONGEST_VARIANT)
        taken = {run.variant for run in shown if run.group == group}
        name, number = variant, 2
        while name in taken:
            name, number = f"{variant} ({number})", number + 1
        shown.append(Shown(played, group, name, in_percent(metrics(played.totals))))
    return shown


def in_percent(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of metrics with every share in per cent."""
    changed = frame.copy()
    shares = changed["unit"].str.startswith("share")
    numbers = [name for name in ("value", "half_width", "low", "high", "min", "max") if name in changed]
    changed.loc[shares, numbers] *= 100
    changed["unit"] = changed["unit"].str.replace("^share of", "% of", regex=True)
    return changed


def one(runs: Sequence[Shown], names: dict[str, str], scale: float = 1.0) -> pd.DataFrame:
    """Return single metrics over the runs, COLUMNS: `names` maps metrics to the category to show them under."""
    rows = [
        _row(run, line, category, scale)
        for metric, category in names.items()
        for run in runs
        for line in run.frame[run.frame["metric"] == metric].to_dict("records")
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def by_category(runs: Sequence[Shown], of: str, names: dict[str, str] | None = None) -> pd.DataFrame:
    """Return a metric's categories over the runs, COLUMNS, in the order in which they were counted."""
    rows = []
    for run in runs:
        for line in run.frame[run.frame["of"] == of].to_dict("records"):
            category = str(line["category"])
            rows.append(_row(run, line, (names or {}).get(category, category), 1.0))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def shares(run: Shown, metric: str, counts: dict[str, tuple[int, int]]) -> pd.DataFrame:
    """Return rates over games as a frame, COLUMNS, in per cent: category -> (games with it, games in all)."""
    rows = []
    for category, (hits, trials) in counts.items():
        if trials:
            found = share_of(hits, trials, planned=run.played.totals.planned)
            numbers = [100 * number for number in (found.value, found.half_width, found.low, found.high)]
            rows.append((run.label, run.group, run.variant, metric, category, *numbers, found.counted, "% of games"))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def share_of(hits: int, trials: int, level: float = LEVEL, planned: int = 0) -> Estimate:
    """Return a rate over independent games with its interval."""
    return estimate((hits, trials, hits, hits, trials), trials, is_share=True, level=level, planned=planned)


def sorted_by_value(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with its categories sorted by their mean value over runs, the highest first."""
    means = frame.groupby("category", sort=False)["value"].mean().sort_values(ascending=False, kind="stable")
    return in_order(frame, list(means.index))


def in_order(frame: pd.DataFrame, categories: Sequence[str]) -> pd.DataFrame:
    """Return a frame with its categories in this order."""
    places = {category: place for place, category in enumerate(dict.fromkeys(categories))}
    return frame.sort_values("category", key=lambda column: column.map(places), kind="stable", ignore_index=True)


def _row(run: Shown, line: dict[Hashable, Any], category: str, scale: float) -> tuple[object, ...]:
    numbers = [float(line[name]) * scale for name in ("value", "half_width", "low", "high")]
    return (run.label, run.group, run.variant, line["metric"], category, *numbers, line["counted"], line["unit"])


def _players(rules: Rules) -> int:
    players = rules.values["players"]
    assert isinstance(players, int)
    return players


def _variant(rules: Rules, own: str, own_keys: Sequence[str]) -> str:
    """Return the game's own name for a variant, and after it what a user named or changed."""
    changed = [key for key in rules.parameters if key in rules.changed and key not in own_keys]
    is_named = "=" not in rules.name and rules.name != "base"
    said = rules.name if is_named else ", ".join(f"{key}={value_text(rules.values[key])}" for key in changed)
    return f"{own}, {said}" if said else own
