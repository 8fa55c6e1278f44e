"""Who may be first: a best or worst is named only when it is clear of the next, all intervals holding together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sim.precision import LEVEL, Estimate

#: So many that may be first are named, more are counted.
MOST_NAMED = 3


def joint_level(checks: int) -> float:
    """Return the level of each interval with which all of so many hold together (Bonferroni)."""
    return 1 - (1 - LEVEL) / max(1, checks)


def ends(found: Estimate) -> tuple[float, float]:
    """Return an interval's ends: what never varied is where it always was, what was not seen may be anywhere."""
    if math.isnan(found.value):
        return -math.inf, math.inf
    return (found.value, found.value) if math.isnan(found.low) else (found.low, found.high)


def may_be_first(estimates: Mapping[str, Estimate], is_least: bool = False) -> list[str]:
    """Return what may have the highest value, or the least, of things whose intervals hold together, the best first.

    It is every one whose interval reaches that of whichever is surely at least so high: a single one is clear of the
    next. Values that differ by no more than the rounding of exact chances stay together.
    """
    sign = -1 if is_least else 1
    reached = {name: sorted(sign * end for end in ends(found)) for name, found in estimates.items()}
    surely = max(low for low, _ in reached.values())
    order = sorted(reached, key=lambda name: -_known(sign * estimates[name].value))
    return [name for name in order if reached[name][1] >= surely - 1e-6]


def either(names: Sequence[str]) -> str:
    """Return names of which any may be meant: "a", "a, b or c", or how many they are."""
    if len(names) > MOST_NAMED:
        return f"one of {len(names)}"
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _known(value: float) -> float:
    return -math.inf if math.isnan(value) else value
