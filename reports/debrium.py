"""What the designer report on Debrium: Treasure shows."""

from __future__ import annotations

from reports import debrium_findings as findings
from reports import debrium_mechanics as mechanics
from reports import debrium_outcomes as outcomes
from reports.page import Page
from sim.rules import Rules


def _variant(rules: Rules) -> str:
    return "expansion" if rules.values["expansion"] else "base"


PAGE = Page(
    game="debrium",
    variant=_variant,
    own_keys=("players", "expansion"),
    find=findings.find,
    bands=findings.bands,
    sections=(
        outcomes.winners,
        outcomes.order,
        outcomes.score,
        mechanics.bursts,
        mechanics.debt,
        mechanics.king,
        mechanics.actions,
        mechanics.funds,
        outcomes.lead,
    ),
)
