"""Findings are called by size against a band, with intervals that hold together."""

import dataclasses
import math
import re

import pytest

from policies import load as load_policy
from reports.book_festival_bands import SEAT_REACH
from reports.debrium_findings import bands, find
from reports.findings import (
    Band,
    Called,
    Check,
    Finding,
    best_policy,
    first_of,
    joint_level,
    listed,
    merged,
    policies_outside,
    tag,
    verdict,
)
from reports.ranking import may_be_first
from reports.runs import show
from reports.topics import evenness, most_often
from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.played import Played, played
from sim.precision import Estimate
from sim.rules import load as load_rules
from sim.run import play
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


def _called(band: Band | None = None, half: float = 0.0, **values: float) -> list[Called]:
    """Policies with these win rates, known to within `half`."""
    called = []
    for name, value in values.items():
        found = Estimate(value, value - half, value + half, 1e6)
        check = Check("policy", None, name, (), 1.0, True, band)  # type: ignore[arg-type]
        called.append(Called(check, found, verdict(found, band) if band else None))
    return called


def test_the_strongest_policy_is_named_where_there_is_one() -> None:
    assert best_policy([_called(a=0.4, b=0.1)]) == "a is the strongest policy here"
    assert best_policy([_called(a=0.4, b=0.1), _called(a=0.3, b=0.2)]) == "a is the strongest policy in all 2 runs"
    assert best_policy([_called(a=0.4, b=0.1), _called(a=0.1, b=0.2)]).endswith("depends on the rules: a or b")
    assert best_policy([_called(a=0.25, b=0.25 + 1e-8)]) == "No policy is stronger than another"


def test_a_best_is_named_only_when_it_is_clear_of_the_next() -> None:
    near = {"half": 0.02, "a": 0.30, "b": 0.28, "c": 0.10}
    assert first_of(_called(**near)) == ["a", "b"]
    assert first_of(_called(**near), is_least=True) == ["c"]
    assert best_policy([_called(**near)]) == "Which policy is the strongest is too close to tell: a or b"
    assert best_policy([_called(half=0.02, a=0.26, b=0.24)]) == "No policy is clearly stronger than another"
    assert best_policy([_called(**near), _called(half=0.02, a=0.4, b=0.2)]) == "a is the strongest policy in 1 runs"
    assert most_often([_called(**near)], "wins") == "Who most often wins is too close to tell: a or b"
    assert most_often([_called(half=0.01, a=0.4, b=0.3)], "wins") == "a most often wins"
    unseen = Estimate(math.nan, math.nan, math.nan, 1.0)
    assert may_be_first({"a": Estimate(0.3, 0.2, 0.4, 9.0), "b": unseen}) == ["a", "b"]


def test_one_file_under_two_names_is_no_strongest_policy(play_run: Play) -> None:
    first = load_policy(load_game("debrium"), "random_legal")
    twins = tuple(dataclasses.replace(first, label=label) for label in ("alpha", "beta"))
    batch = Batch("debrium", load_rules("debrium"), LineUp(twins, "drawn"), 3)
    found, _ = find(show([played(batch, play(batch, 2000, 2))], lambda _: "base", ()))
    titles = {finding.title for finding in found}
    assert "No policy is clearly stronger than another" in titles
    assert "Who most often becomes Mining King is too close to tell: " in " ".join(titles)
    assert found[-1].is_field
    assert found[-2].is_field
    assert not any(finding.is_field for finding in found[:-2])


def test_only_companies_outside_their_band_are_ahead_or_behind() -> None:
    band = Band(0.21, 0.29)
    title = evenness("companies", [_called(band, half=0.01, red=0.33, green=0.24, blue=0.25)], "outside the band")
    assert title == "The companies are uneven: red ahead"


def test_findings_are_ordered_by_distance_in_half_widths() -> None:
    band = Band(0.2, 0.3)
    (near,) = _called(band, half=0.05, a=0.4)
    (far,) = _called(band, half=0.01, a=0.35)
    (inside,) = _called(band, half=0.01, a=0.22)
    assert [one.distance for one in (near, far, inside)] == pytest.approx([2.0, 5.0, -2.0])
    order = [Finding("far", "outside the band", (), 5.0), Finding("near", "outside the band", (), 2.0)]
    order += [Finding("told", "for information", ()), Finding("field", "outside the band", (), 9.0, True)]
    assert sorted([*order[2:], *order[:2]], key=lambda finding: finding.urgency) == order


def test_bands_are_parts_of_the_fair_share() -> None:
    """Six seats at 17.98 and 15.47 % are as uneven as four at 27 and 23.2 %."""
    assert (
        verdict(Estimate(0.1798, 0.179, 0.1806, 1e5), Band(1 / 6 * (1 - SEAT_REACH), 1 / 6 * (1 + SEAT_REACH)))
        == "above"
    )
    assert (
        verdict(Estimate(0.1547, 0.154, 0.1554, 1e5), Band(1 / 6 * (1 - SEAT_REACH), 1 / 6 * (1 + SEAT_REACH)))
        == "below"
    )


def test_chairs_have_a_part_where_they_give_the_first_order(play_run: Play) -> None:
    def why(*sets: str) -> str:
        return " ".join(bands(show([play_run(*sets, games=300)], lambda _: "base", ())).frame["why"])

    assert "chairs have no part in the rules" in why()
    assert "drawn" in why()
    assert "chairs have no part in the rules" not in why("initial_order=seat")
    assert "drawn" not in why("initial_order=seat")


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
