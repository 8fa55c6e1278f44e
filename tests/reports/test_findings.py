"""Findings are called by size against a band, with intervals that hold together."""

import re

import pytest

from reports.debrium_findings import find
from reports.findings import (
    Band,
    Called,
    Check,
    Finding,
    best_policy,
    joint_level,
    listed,
    merged,
    policies_outside,
    tag,
    verdict,
)
from reports.runs import show
from sim.played import Played
from sim.precision import Estimate
from tests.reports.conftest import Play


@pytest.mark.parametrize(
    ("low", "high", "called"),
    [(0.36, 0.40, "above"), (0.05, 0.14, "below"), (0.20, 0.30, "inside"), (0.34, 0.36, "undecided")],
)
def test_a_value_is_called_by_its_whole_interval(low: float, high: float, called: str) -> None:
    assert verdict(Estimate((low + high) / 2, low, high, 1e6), Band(0.15, 0.35)) == called


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


def _called(band: Band | None = None, **values: float) -> list[Called]:
    """Policies with these win rates, as exactly known ones."""
    called = []
    for name, value in values.items():
        found = Estimate(value, value, value, 1e6)
        check = Check("policy", None, name, (), 1.0, True, band)  # type: ignore[arg-type]
        called.append(Called(check, found, verdict(found, band) if band else None))
    return called


def test_the_strongest_policy_is_named_where_there_is_one() -> None:
    assert best_policy([_called(a=0.4, b=0.1)]) == "a is the strongest policy here"
    assert best_policy([_called(a=0.4, b=0.1), _called(a=0.3, b=0.2)]) == "a is the strongest policy in all 2 runs"
    assert best_policy([_called(a=0.4, b=0.1), _called(a=0.1, b=0.2)]).endswith("depends on the rules: a or b")
    assert best_policy([_called(a=0.25, b=0.25 + 1e-8)]) == "No policy is stronger than another"


def test_policies_outside_their_band_are_counted_in_words() -> None:
    band = Band(0.15, 0.35)
    assert policies_outside(_called(band, a=0.4, b=0.2), band).startswith("1 of 2 policies lies outside")
    assert policies_outside(_called(band, a=0.4, b=0.1), band).startswith("2 of 2 policies lie outside")
    assert (listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])) == ("a", "a and b", "a, b and c")


def _findings(play_run: Play, *sets: str) -> dict[str, Finding]:
    """What is found on random play by these rules, by title."""
    found, _ = find(show([play_run(*sets, games=300)], lambda _: "base", ()))
    return {finding.title: finding for finding in found}


@pytest.mark.parametrize(
    ("sets", "title", "never"),
    [
        (
            ("mining_king_bonus=0",),
            "The Mining King gets no bonus",
            r"without it .* of the games would have other winners",
        ),
        (("debt_penalty=[0]",), "Debt costs nothing", r"without penalties .* of the games would have other winners"),
    ],
)
def test_what_a_rule_makes_impossible_is_no_finding(
    play_run: Play, sets: tuple[str, ...], title: str, never: str
) -> None:
    usual, found = _findings(play_run), _findings(play_run, *sets)
    assert title not in usual
    assert found[title].tag == "for information"
    assert any(re.search(never, text) for finding in usual.values() for _, text in finding.lines)
    assert not any(re.search(never, text) for finding in found.values() for _, text in finding.lines)


def test_without_coins_or_a_second_round_there_is_nothing_to_say_of_them(play_run: Play) -> None:
    usual = " ".join(_findings(play_run))
    assert "Coins" in usual
    assert "last round" in usual
    assert "Coins" not in " ".join(_findings(play_run, "starting_coins=0"))
    assert "Coins" in " ".join(_findings(play_run, "starting_coins=0", "starting_pool=5"))
    assert "Coins" not in " ".join(_findings(play_run, "coin_points=0"))
    assert "last round" not in " ".join(_findings(play_run, "chips_level_4=1"))


def test_a_game_in_which_nobody_is_king_is_told_too(play_run: Play) -> None:
    found = _findings(play_run, "free_workers=0", "max_workers=0", "hire_cost=[]")
    assert any("nobody ever is King" in text for finding in found.values() for _, text in finding.lines)
    assert not any("most often becomes Mining King" in title for title in found)


def test_the_title_says_on_which_side_of_its_band_a_lead_lies(play_run: Play) -> None:
    idle = ("starting_coins=0", "free_workers=0", "max_workers=0", "hire_cost=[]", "debt_penalty=[0]")
    assert "Too few games stay open to the last round" in _findings(play_run, *idle)
    assert "Too many games hang on the last round" in _findings(play_run, "chips_level_4=2")
