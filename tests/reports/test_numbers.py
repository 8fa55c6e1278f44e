"""Numbers as text: digits by the interval, and the interval always beside."""

import math

import pytest

from reports.numbers import GAP, amount, count, digits_for, percent, plain, reach, with_interval
from sim.precision import Estimate


@pytest.mark.parametrize(
    ("half_widths", "digits"),
    [([0.23], 1), ([0.15], 2), ([2.3], 0), ([1.3], 1), ([30.0], 0), ([0.00004], 3), ([], 1), ([0.0, math.inf], 1)],
)
def test_digits_follow_the_half_width(half_widths: list[float], digits: int) -> None:
    assert digits_for(half_widths) == digits


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((34.12, 33.92, 34.32), "34.1 ± 0.2"),
        ((0.0, 0.0, 0.031), "0.0 to 0.1"),
        ((0.0, 0.0, 0.0), "0.0 exactly"),
        ((100.0, 99.97, 100.0), "100.0 from 99.9"),
        ((2.5, 2.5, 2.5), "2.5 exactly"),
        ((2.5, 2.49, 2.51), "2.5 ± <0.1"),
        ((2.5, -math.inf, math.inf), "2.5 ± unknown"),
        ((-4.25, -4.5, -4.0), "\N{MINUS SIGN}4.2 ± 0.2"),
        ((math.nan, math.nan, math.nan), "\N{EN DASH}"),
    ],
)
def test_every_value_stands_with_its_interval(numbers: tuple[float, float, float], text: str) -> None:
    assert with_interval(*numbers, 1).replace(GAP, " ") == text


def test_sentences_take_shares_in_per_cent_and_numbers_with_units() -> None:
    assert percent(Estimate(0.341, 0.339, 0.343, 1e5)).replace(GAP, " ") == "34.1 % ± 0.2"
    assert amount(Estimate(2.4, 2.37, 2.43, 1e5), "bursts").replace(GAP, " ") == "2.40 ± 0.03 bursts"
    assert percent(Estimate(math.nan, math.nan, math.nan, 0.0)) == "not seen"


def test_few_games_say_of_how_many() -> None:
    once = Estimate(math.nan, math.nan, math.nan, 1.0)
    assert percent(once) == amount(once, "coins") == with_interval(*[math.nan] * 3, 1, 1.0) == "seen once"
    assert with_interval(0.5, 0.4, 0.6, 1, 3.2).replace(GAP, " ") == "0.5 ± 0.1, in 3 games"
    assert with_interval(0.5, 0.4, 0.6, 1, 10.0).replace(GAP, " ") == "0.5 ± 0.1"
    assert with_interval(3.0, math.nan, math.nan, 1, 500.0).replace(GAP, " ") == "always 3"


def test_a_lopsided_interval_is_told_by_its_ends() -> None:
    assert reach(0.1, 0.5, 2.0, 1).replace(GAP, " ") == "(0.1 to 2.0)"
    assert reach(0.1, 0.5, 1.0, 1).replace(GAP, " ") == "± 0.5"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        ((0.0, 0.0, 0.0031), "0 % (at most 0.4 %)"),
        ((1.0, 0.9969, 1.0), "100 % (at least 99.6 %)"),
        ((0.25, math.nan, math.nan), "always 25 %"),
        ((1 / 3, math.nan, math.nan), "always 33.333 %"),
    ],
)
def test_shares_at_an_end_and_those_that_never_vary_read_as_words(
    share: tuple[float, float, float], text: str
) -> None:
    assert percent(Estimate(*share, 1000.0)).replace(GAP, " ") == text


def test_an_amount_that_never_varies_comes_before_its_unit() -> None:
    assert amount(Estimate(60.0, math.nan, math.nan, 50.0), "rounds").replace(GAP, " ") == "always 60 rounds"
    assert amount(Estimate(2.5, math.nan, math.nan, 50.0), "coins").replace(GAP, " ") == "always 2.5 coins"


def test_no_negative_zero_and_thin_gaps() -> None:
    assert plain(-0.04, 1) == "0.0"
    assert count(500000) == "500\N{NARROW NO-BREAK SPACE}000"
