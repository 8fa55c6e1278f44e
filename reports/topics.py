"""What the findings on any game have in common: the table of bands, checks of policies and seats, words of titles."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reports.findings import Band, Called, Check, Tag, of_metric
from reports.parts import Table, text_table
from reports.runs import Shown


def bands_table(rows: Sequence[tuple[str, str, str]]) -> Table:
    """Return the bands that findings are called against: what is called, what is acceptable, and why."""
    frame = pd.DataFrame(rows, columns=["what", "acceptable", "why"])
    return text_table("bands", "Bands that findings are called against", frame)


def around_fair(reach: float) -> str:
    """Return a band around the fair share as the table of bands says it; `reach` is a share of games."""
    return f"fair share ± {100 * reach:.0f} percentage points"


def fair(run: Shown, reach: float) -> Band:
    """Return the band around a run's fair share of the win, a seat's share of as many seats as there are."""
    return Band(run.fair - reach, run.fair + reach)


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


def by_tag(called_as: Tag, outside_band: str, inside_band: str, other: str) -> str:
    """Return the title for how a topic came out."""
    return {"outside the band": outside_band, "inside the band": inside_band}.get(called_as, other)


def by_side(groups: Sequence[Sequence[Called]], above: str, below: str) -> str:
    """Return on which side of the band values lie, and whether only those of some runs do."""
    verdicts = {one.verdict for group in groups for one in group if one.verdict}
    where = "" if len(verdicts) == 1 else " in some runs"
    return f"{above if 'above' in verdicts else below}{where}"
