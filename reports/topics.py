"""What the findings on any game have in common: the table of bands, checks of policies and seats, titles, lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import pandas as pd

from reports.findings import (
    Band,
    Called,
    Check,
    Tag,
    are_alike,
    best,
    best_policy,
    highest,
    listed,
    lowest,
    of_metric,
    outside,
    policies_outside,
)
from reports.numbers import GAP, percent, share
from reports.parts import Table, text_table
from reports.ranking import MOST_NAMED, either
from reports.runs import Shown

#: How one run's checks of a topic make a line, by their subjects.
Line: TypeAlias = Callable[[Shown, dict[str, Called]], str]


def bands_table(rows: Sequence[tuple[str, str, str]]) -> Table:
    """Return the bands that findings are called against: what is called, what is acceptable, and why."""
    frame = pd.DataFrame(rows, columns=["what", "acceptable", "why"])
    return text_table("bands", "Bands that findings are called against", frame)


def around_fair(reach: float) -> str:
    """Return a band around the fair share as the table of bands says it; `reach` is a part of that share."""
    return f"fair share ± {100 * reach:.0f}{GAP}% of it"


def fair(run: Shown, reach: float) -> Band:
    """Return the band around a run's fair share of the win, a seat's share of as many seats as there are.

    `reach` is a part of that share: an edge of a tenth is one, whether four or six play.
    """
    return Band(run.fair * (1 - reach), run.fair * (1 + reach))


def of_policies(run: Shown, reach: float) -> list[Check]:
    """Return the checks of each policy's win rate; none when all seats play the same."""
    labels = run.played.labels
    if len(labels) < 2:
        return []
    return [
        check
        for label in labels
        for check in of_metric("policy", run, label, f"win_rate_by_policy[{label}]", fair(run, reach))
    ]


def of_seats(run: Shown, reach: float) -> list[Check]:
    """Return the checks of each seat's win rate; none when policies keep their seats, which would be seen instead."""
    if run.played.line_up == "fixed":
        return []
    return [
        check
        for seat in range(run.players)
        for check in of_metric("seat", run, f"seat {seat}", f"win_rate_by_seat[{seat}]", fair(run, reach))
    ]


def policy_title(groups: list[list[Called]], _: Tag) -> str:
    """Return the title of the findings on policies."""
    return best_policy(groups)


def evenness(what: str, groups: list[list[Called]], called_as: Tag) -> str:
    """Return whether companies, animals or seats are even, and which are not: those called outside, no others."""
    found = outside([one for group in groups for one in group])
    said = [
        f"{listed(list(dict.fromkeys(one.subject for one in found if one.verdict == verdict)))} {where}"
        for verdict, where in (("above", "ahead"), ("below", "behind"))
        if any(one.verdict == verdict for one in found)
    ]
    where = "" if all(map(outside, groups)) else " in some runs"
    return by_tag(
        called_as,
        f"The {what} are uneven{where}: {', '.join(said)}",
        f"The {what} are even",
        f"How even the {what} are is open",
    )


def most_often(groups: Sequence[Sequence[Called]], does: str) -> str:
    """Return as a title which subject does something most often; which may, when none is clear of the next."""
    names, clear = best(groups)
    if clear:
        return f"{' or '.join(names)} most often {does}"
    who = f": {either(names)}" if len(names) <= MOST_NAMED else ""
    return f"Who most often {does} is too close to tell{who}"


def range_line(alike: str, best: str, worst: str) -> Line:
    """Return how a run's line tells a range of win rates, in words with {subject} and {rate}.

    alike tells the rate of all when nothing sets them apart; best and worst the highest and the lowest.
    """

    def line(run: Shown, parts: dict[str, Called]) -> str:
        called = list(parts.values())
        top, bottom = highest(called), lowest(called)
        if are_alike(called):
            return alike.format(rate=percent(top.found))
        ahead = best.format(subject=top.subject, rate=percent(top.found))
        behind = worst.format(subject=bottom.subject, rate=percent(bottom.found))
        return f"{ahead}, {behind} (fair share {share(run.fair)})"

    return line


def policy_line(reach: float, alike: str, best: str, worst: str) -> Line:
    """Return how a run's line tells the policies' range, and how many lie more than `reach` off the fair share."""
    of_range = range_line(alike, best, worst)

    def line(run: Shown, parts: dict[str, Called]) -> str:
        return f"{of_range(run, parts)}; {policies_outside(list(parts.values()), fair(run, reach))}"

    return line


def by_tag(called_as: Tag, outside_band: str, inside_band: str, other: str) -> str:
    """Return the title for how a topic came out."""
    return {"outside the band": outside_band, "inside the band": inside_band}.get(called_as, other)


def by_side(groups: Sequence[Sequence[Called]], above: str, below: str) -> str:
    """Return on which side of the band values lie, and whether only those of some runs do."""
    verdicts = {one.verdict for group in groups for one in group if one.verdict}
    where = "" if len(verdicts) == 1 else " in some runs"
    return f"{above if 'above' in verdicts else below}{where}"
