"""Every metric of a game, by family: what `steelyard metrics` lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reports.console import table
from sim.blocks import layout
from sim.game import load_game

#: Stands for the label of a policy, of which every line-up has its own.
_POLICY = "POLICY"


@dataclass(frozen=True)
class Family:
    """Metrics that share a name, one for each category; one without categories has the name itself."""

    name: str
    unit: str
    meaning: str
    metrics: tuple[str, ...]

    @property
    def is_by_category(self) -> bool:
        """Whether it has a metric for each of its categories."""
        return self.metrics != (self.name,)


def families(game: str) -> list[Family]:
    """Return a game's families, for the most seats and rounds that it can have, in the order of results."""
    outcomes = load_game(game).outcomes
    of: dict[str, list[Any]] = {}
    for metric in layout(outcomes, (_POLICY,), outcomes.max_seats, outcomes.max_rounds).metrics:
        if not metric.is_label:
            of.setdefault(metric.of, []).append(metric)
    return [
        Family(name, found[0].unit, found[0].meaning, tuple(metric.name for metric in found))
        for name, found in of.items()
    ]


def metrics_table(found: Sequence[Family]) -> list[Any]:
    """Return a line for each family, and how its metrics are named."""
    lines = [[_told(family), family.unit, family.meaning] for family in found]
    count = sum(len(family.metrics) for family in found)
    return [
        table(f"{count:,} metrics in {len(found)} families", ("metric", "unit", "meaning"), lines, left=3),
        "",
        "A family with [..] has a metric for each entry, such as "
        f"{next(family.metrics[0] for family in found if family.is_by_category)}; "
        f"{_POLICY} is a policy's label. --json lists them all.",
    ]


def _told(family: Family) -> str:
    """Return a family's name with the ends of its entries."""
    if not family.is_by_category:
        return family.name
    entries = [name.removeprefix(family.name) for name in family.metrics]
    return f"{family.name}{entries[0]}" if len(entries) == 1 else f"{family.name}[..]"


def metrics_data(found: Sequence[Family]) -> list[dict[str, Any]]:
    """Return `metrics --json`'s document."""
    return [asdict(family) for family in found]
