"""The designer report on Book Festival, from runs to a folder with a page, charts and tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reports import book_festival_findings as findings
from reports import book_festival_mechanics as mechanics
from reports import book_festival_mvp as mvp
from reports import book_festival_outcomes as outcomes
from reports.findings import joint
from reports.html import write_report
from reports.parts import Report, assumptions, reproduce, rests_on, rules_files, runs_table
from reports.runs import require, show
from sim.played import Played
from sim.rules import Rules

TITLE = "Book Festival"

_SECTIONS = (
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
)


def write(runs: Sequence[Played], folder: Path, command: str) -> Path:
    """Write the report on these runs into a folder and return the path of its page, index.html.

    Beside the page lie report.md, charts/*.svg with the frame of each as charts/*.csv, tables/*.csv and
    rules/*.toml. `command` is what a reader can run to get the same. Raises BadInput for runs of other games, for
    none, for a run without games, and when a file cannot be written.
    """
    return write_report(build(runs, command), folder)


def build(runs: Sequence[Played], command: str) -> Report:
    """Return the report on these runs."""
    require(runs, "book_festival")
    shown = show(runs, _variant, ("players", "extension"))
    found, values = findings.find(shown)
    exact = (
        "What stands as a win chance is exact: each game's stars give every seat its chance of being MVP, so that "
        "the luck of the draw itself adds no noise. What the draws gave is counted beside it."
    )
    return Report(
        title=TITLE,
        subtitle="What the simulated games say about its balance",
        runs=runs_table(shown),
        findings=tuple(found),
        rests_on=(*rests_on(shown), exact, joint(values)),
        bands=findings.bands(),
        sections=(
            *(section(shown) for section in _SECTIONS),
            assumptions(shown),
            reproduce(shown, command),
        ),
        rules=rules_files(shown),
    )


def _variant(rules: Rules) -> str:
    return "extension" if rules.values["extension"] else "base"
