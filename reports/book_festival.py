"""What the designer report on Book Festival shows."""

from __future__ import annotations

from reports import book_festival_findings as findings
from reports import book_festival_mechanics as mechanics
from reports import book_festival_mvp as mvp
from reports import book_festival_outcomes as outcomes
from reports.page import Page
from sim.rules import Rules


def _variant(rules: Rules) -> str:
    return "extension" if rules.values["extension"] else "base"


PAGE = Page(
    game="book_festival",
    variant=_variant,
    own_keys=("players", "extension"),
    find=findings.find,
    bands=findings.bands,
    sections=(
        mvp.leader,
        mvp.bag,
        outcomes.winners,
        outcomes.animals,
        outcomes.seats,
        outcomes.stars,
        mechanics.sales,
        mechanics.pops,
        mechanics.genres,
        mechanics.actions,
        outcomes.length,
    ),
    rests_on=(
        "What stands as a win chance is exact: each game's stars give every seat its chance of being MVP, so that "
        "the luck of the draw itself adds no noise. What the draws gave is counted beside it.",
    ),
)
