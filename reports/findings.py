"""Findings: a measured value called against a stated band, by size and with its interval.

With a million games every difference is "significant", so what counts is whether a value lies outside the
band that would be acceptable, by more than its interval. Values that are called together share one error
rate: each gets an interval of level 1 - 0.05 / (how many), so that with 95 % chance all of them hold at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reports.numbers import GAP, plain
from reports.ranking import either, ends, joint_level, may_be_first
from reports.runs import Shown
from sim.precision import Estimate, estimate

Verdict: TypeAlias = Literal["above", "below", "inside", "undecided"]
Tag: TypeAlias = Literal["outside the band", "inside the band", "too close to call", "for information"]


_URGENCY: tuple[Tag, ...] = ("outside the band", "too close to call", "inside the band", "for information")

#: Topics that describe the field that was played with rather than the game: they stand last.
FIELD = ("policy", "king_policy")


@dataclass(frozen=True)
class Band:
    """What would be acceptable, both ends included, in the metric's own unit (a share between 0 and 1).

    `unit` names what is no share; a high end that is infinite leaves only a least.
    """

    low: float
    high: float
    unit: str = ""

    def __str__(self) -> str:
        if math.isinf(self.high):
            return f"at least {self.low:g} {self.unit}"
        if self.unit:
            return f"{self.low:g}\N{EN DASH}{self.high:g} {self.unit}"
        return f"{_percent(self.low)}\N{EN DASH}{_percent(self.high)}{GAP}%"


@dataclass(frozen=True, eq=False)
class Check:
    """One value to call: `sums` are the five sums that `sim.precision.estimate` takes."""

    topic: str
    run: Shown
    subject: str
    sums: Sequence[int]
    scale: float
    is_share: bool
    band: Band | None
    most: float | None = None
    is_signed: bool = False


@dataclass(frozen=True, eq=False)
class Called:
    """A check with its joint interval and, where there is a band, how it was called."""

    check: Check
    found: Estimate
    verdict: Verdict | None

    @property
    def subject(self) -> str:
        """What was checked: a policy, a seat, a company."""
        return self.check.subject

    @property
    def distance(self) -> float:
        """How far the value lies outside its band, in half-widths of its interval; below 0 inside it."""
        band, value = self.check.band, self.found.value
        if band is None or math.isnan(value):
            return -math.inf
        beyond = max(band.low - value, value - band.high)
        half = self.found.half_width
        return beyond / half if half > 0 else math.copysign(math.inf, beyond)


@dataclass(frozen=True)
class Finding:
    """A finding as a reader gets it: a sentence, how it was called, and (run, what it shows) for each run."""

    title: str
    tag: Tag
    lines: tuple[tuple[str, str], ...]
    distance: float = -math.inf
    is_field: bool = False

    @property
    def urgency(self) -> tuple[bool, int, float]:
        """Where it stands in a list: what is farthest outside its band first, what describes the field last.

        Distances are counted in half-widths, so that those of different units can be compared; plain information
        has none.
        """
        return self.is_field, _URGENCY.index(self.tag), -self.distance


#: A topic's name, how its checks, a list for each run, and their tag make a title, and how one run's make a line.
Topic: TypeAlias = tuple[str, Callable[[list[list[Called]], Tag], str], Callable[[Shown, dict[str, Called]], str]]


def of_metric(topic: str, run: Shown, subject: str, metric: str, band: Band | None = None) -> list[Check]:
    """Return the check of a metric of a run; none when nothing was counted for it."""
    if not run.has(metric):
        return []
    totals = run.played.totals
    slot = totals.layout.index()[metric]
    declared = totals.layout.metrics[slot]
    sums = [int(number) for number in totals.sums[slot]]
    named = (declared.scale, declared.is_share, band, declared.most, declared.is_signed)
    return [Check(topic, run, subject, sums, *named)]


def of_count(topic: str, run: Shown, subject: str, hits: int, band: Band | None = None) -> list[Check]:
    """Return the check of a rate over all games of a run."""
    games = run.played.totals.games
    return [Check(topic, run, subject, (hits, games, hits, hits, games), 1.0, True, band)]


def find(
    runs: Sequence[Shown], checks_of: Callable[[Shown], Sequence[Check]], topics: Sequence[Topic]
) -> tuple[list[Finding], int]:
    """Return the findings on these runs, the most urgent first, and how many values were called together for them.

    There is one for each topic that was checked; `checks_of` gives every value of a run that findings name.
    """
    checks = [check for run in runs for check in checks_of(run)]
    called = call(checks)

    def of(topic: str, run: Shown) -> dict[str, Called]:
        return {one.subject: one for one in called if one.check.topic == topic and one.check.run is run}

    found = []
    for topic, title, line in topics:
        parts = [(run, of(topic, run)) for run in runs if of(topic, run)]
        if parts:
            groups = [list(subjects.values()) for _, subjects in parts]
            everything = [one for group in groups for one in group]
            lines = merged([(run.label, f"{line(run, subjects)}.") for run, subjects in parts])
            called_as, distance = tag(everything), max(one.distance for one in everything)
            found.append(Finding(title(groups, called_as), called_as, lines, distance, topic in FIELD))
    return sorted(found, key=lambda finding: finding.urgency), len(checks)


def joint(checks: int) -> str:
    """Return what to know of the intervals of so many checks, as a sentence."""
    return (
        f"The intervals in the list of findings are wider: {checks} values are called together, and with 95 % "
        "chance all of those intervals hold at once (Bonferroni)."
    )


def call(checks: Sequence[Check]) -> list[Called]:
    """Return the checks with intervals that hold together, each with a band called against it."""
    level = joint_level(len(checks))
    called = []
    for check in checks:
        totals = check.run.played.totals
        found = estimate(
            check.sums, totals.games, check.scale, check.is_share, level, totals.planned, check.most, check.is_signed
        )
        called.append(Called(check, found, verdict(found, check.band) if check.band else None))
    return called


def verdict(found: Estimate, band: Band) -> Verdict:
    """Return where an interval lies: wholly above, wholly below, wholly inside the band, or across its edge."""
    low, high = ends(found)
    if low > band.high:
        return "above"
    if high < band.low:
        return "below"
    return "inside" if band.low <= low and high <= band.high else "undecided"


def tag(called: Sequence[Called]) -> Tag:
    """Return how several checks come out together: one outside is outside, all inside is inside."""
    verdicts = {one.verdict for one in called if one.verdict}
    if not verdicts:
        return "for information"
    if verdicts & {"above", "below"}:
        return "outside the band"
    return "inside the band" if verdicts == {"inside"} else "too close to call"


def highest(called: Sequence[Called]) -> Called:
    """Return the check with the highest value."""
    return max(called, key=lambda one: -math.inf if math.isnan(one.found.value) else one.found.value)


def lowest(called: Sequence[Called]) -> Called:
    """Return the check with the lowest value."""
    return min(called, key=lambda one: math.inf if math.isnan(one.found.value) else one.found.value)


def outside(called: Sequence[Called]) -> list[Called]:
    """Return the checks called above or below their bands."""
    return [one for one in called if one.verdict in ("above", "below")]


def are_alike(called: Sequence[Called]) -> bool:
    """Tell whether all checks have the same value, up to what the rounding of exact chances makes of it."""
    return math.isclose(highest(called).found.value, lowest(called).found.value, abs_tol=1e-6)


def first_of(called: Sequence[Called], is_least: bool = False) -> list[str]:
    """Return which subjects may be the highest, or the lowest, by their joint intervals; a single one is clear."""
    return may_be_first({one.subject: one.found for one in called}, is_least)


def best(groups: Sequence[Sequence[Called]]) -> tuple[list[str], int]:
    """Return which subject is the highest, and in how many runs it is clear of the next.

    Several when it is another one in another run; those that may be the highest, and 0, when no run is clear.
    """
    leading = [first_of(group) for group in groups]
    clear = [names[0] for names in leading if len(names) == 1]
    return list(dict.fromkeys(clear or (name for names in leading for name in names))), len(clear)


def best_policy(groups: Sequence[Sequence[Called]]) -> str:
    """Return as a title which policy is the strongest, if it is clear of the next, over all runs."""
    if all(map(are_alike, groups)):
        return "No policy is stronger than another"
    names, clear = best(groups)
    if not clear:
        if len(names) == len({one.subject for group in groups for one in group}):
            return "No policy is clearly stronger than another"
        return f"Which policy is the strongest is too close to tell: {either(names)}"
    if len(names) > 1:
        return f"The strongest policy depends on the rules: {' or '.join(names)}"
    if len(groups) == 1:
        return f"{names[0]} is the strongest policy here"
    return f"{names[0]} is the strongest policy in {'all ' * (clear == len(groups))}{clear} runs"


def policies_outside(called: Sequence[Called], band: Band) -> str:
    """Return how many policies lie outside their band, as a clause."""
    number = len(outside(called))
    return f"{number} of {len(called)} policies {'lies' if number == 1 else 'lie'} outside {band}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def merged(lines: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the lines of runs, as a single one when all runs show the same."""
    if len(lines) > 1 and len({text for _, text in lines}) == 1:
        return (("all runs", lines[0][1]),)
    return tuple(lines)


def _percent(share: float) -> str:
    return plain(100 * share, 0 if abs(100 * share - round(100 * share)) < 0.05 else 1)
