"""Findings are called by size against a band, with intervals that hold together."""

import pytest

from reports.debrium_findings import find
from reports.findings import Band, joint_level, merged, tag, verdict
from reports.runs import show
from sim.precision import Estimate
from sim.store import Played


@pytest.mark.parametrize(
    ("low", "high", "called"),
    [(0.36, 0.40, "above"), (0.05, 0.14, "below"), (0.20, 0.30, "inside"), (0.34, 0.36, "undecided")],
)
def test_a_value_is_called_by_its_whole_interval(low: float, high: float, called: str) -> None:
    assert verdict(Estimate((low + high) / 2, low, high), Band(0.15, 0.35)) == called


def test_intervals_called_together_are_wider() -> None:
    assert joint_level(1) == pytest.approx(0.95)
    assert joint_level(100) == pytest.approx(0.9995)


def test_runs_that_show_the_same_share_a_line() -> None:
    assert merged([("a", "x"), ("b", "x")]) == (("all runs", "x"),)
    assert merged([("a", "x"), ("b", "y")]) == (("a", "x"), ("b", "y"))
    assert tag([]) == "for information"


def test_every_finding_of_a_run_names_its_intervals(four_runs: list[Played]) -> None:
    found, checks = find(show(four_runs, lambda rules: str(rules.values["expansion"]), ("players", "expansion")))
    assert checks > 100
    assert all("±" in text for finding in found for _, text in finding.lines)
    assert [finding.urgency for finding in found] == sorted(finding.urgency for finding in found)
