"""Intervals that stay valid however often they are looked at: how wide, and that they hold at all looks together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sim.precision import Estimate, critical_value, difference, estimate, games_for, pair_sums, unpaired_difference

#: Where the running means are looked at: 60 times, geometrically, as a run that goes on and on is.
LOOKS = np.unique(np.geomspace(200, 100_000, 60).astype(int))


def test_a_number_fixed_beforehand_has_students_t():
    for units in (2, 17, 100_000):
        for level in (0.95, 0.999):
            assert critical_value(units, level) == pytest.approx(stats.t.ppf((1 + level) / 2, units - 1))


def test_the_boundary_is_that_of_the_paper():
    """Waudby-Smith et al. (2024), theorem 2.2 and its choice of the parameter, here worked out by hand."""
    units = planned = 10**9
    u = -2 * math.log(0.05) + math.log(-2 * math.log(0.05)) + 1
    assert u == pytest.approx(8.7818, abs=1e-4)
    assert critical_value(units, 0.95, planned) == pytest.approx(
        math.sqrt(2 * (u + 1) / u * math.log(math.sqrt(u + 1) / 0.05))
    )
    assert critical_value(units, 0.95, planned) == pytest.approx(3.035, abs=1e-3)


def test_it_is_narrowest_about_where_it_was_planned():
    """As a share of what the boundary would be at best, over four orders of magnitude."""
    for planned in (1_000_000, 100_000_000):
        best = critical_value(planned, 0.95, planned)
        for units in (planned // 100, planned // 4, planned * 4, planned * 100):
            own = critical_value(units, 0.95, units)
            assert own == pytest.approx(best, rel=1e-2)
            assert own * 0.999 <= critical_value(units, 0.95, planned)


def test_few_units_widen_it_as_they_widen_students_t():
    wider = stats.t.ppf(0.975, 15) / stats.norm.ppf(0.975)
    assert critical_value(16, 0.95, 16) == pytest.approx(wider * critical_value(10**9, 0.95, 10**9), rel=1e-6)


def running(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard errors at each look: (paths, looks) from (paths, units)."""
    sums, squares = (np.cumsum(x, axis=1)[:, LOOKS - 1] for x in (numbers, numbers**2))
    means = sums / LOOKS
    return means, np.sqrt((squares / LOOKS - means**2) / (LOOKS - 1))


@pytest.mark.parametrize("kind", ["shares", "skewed"])
def test_all_looks_together_cover_the_truth(kind):
    """The chance that any of sixty looks misses is at most 5 %; of ordinary intervals it is far more."""
    chance = np.random.default_rng(5)
    missed = ordinary = 0
    paths, truth = 400, {"shares": 0.1, "skewed": 1.0}[kind]
    for _ in range(paths // 20):
        shape = 20, LOOKS[-1]
        numbers = (chance.random(shape) < truth) * 1.0 if kind == "shares" else chance.exponential(truth, shape)
        means, errors = running(numbers)
        away = np.abs(means - truth) / errors
        missed += int((away > [critical_value(int(units), 0.95, 10_000) for units in LOOKS]).any(axis=1).sum())
        ordinary += int((away > [critical_value(int(units)) for units in LOOKS]).any(axis=1).sum())
    assert missed / paths <= 0.05
    assert ordinary / paths > 0.2


def test_a_share_of_none_is_bounded_at_all_looks_together():
    """Paths of rare events, each looked at until the first one happens: the bound holds on 95 % of them."""
    chance = np.random.default_rng(6)
    truth, paths = 1e-3, 4000
    first = chance.geometric(truth, paths)
    missed = 0
    for none in first - 1:
        looks = [n for n in (10, 100, 1000, 2000, 4000, 8000, int(none)) if 0 < n <= none]
        bounds = [estimate((0, n, 0, 0, n), n, is_share=True, planned=1000).high for n in looks]
        missed += any(bound < truth for bound in bounds)
    assert missed / paths <= 0.05
    # An ordinary bound is lower, and a share of all is bounded from the other side alike.
    of = (0, 500, 0, 0, 500)
    assert estimate(of, 500, is_share=True, planned=9).high > estimate(of, 500, is_share=True).high
    every = estimate((500,) * 5, 500, is_share=True, planned=9)
    assert (every.low, every.high) == (pytest.approx(1 - estimate(of, 500, is_share=True, planned=9).high), 1.0)


@pytest.mark.parametrize("half_width", [0.1, 0.004, 0.0002])
def test_a_precision_is_planned_for_an_even_chance(half_width):
    games = games_for(half_width)
    found = estimate((games // 2, games, games // 2, games // 2, games), games, is_share=True, planned=games)
    assert found.half_width == pytest.approx(half_width, rel=0.05)


def test_a_difference_in_a_sequence_is_wider_by_its_boundary():
    chance = np.random.default_rng(1)
    one, other = (np.stack([chance.integers(0, 99, (40, 1)), np.full((40, 1), 100)], axis=2) for _ in range(2))
    (sums,) = pair_sums(one, other)
    fixed, going_on = difference(sums, 40), difference(sums, 40, planned=64)
    assert fixed is not None
    assert going_on is not None
    assert going_on.value == fixed.value
    assert going_on.half_width == pytest.approx(fixed.half_width * critical_value(40, 0.95, 64) / critical_value(40))


def test_products_beyond_int64_are_exact():
    """Exact chances are counted in units of 2^-24, so a block's sum squared needs 68 bits."""
    one = np.stack([np.full((16, 2), 2**34 + 1), np.full((16, 2), 1000)], axis=2)
    other = one - 3
    for line in pair_sums(one, other):
        assert line[4] == 16 * (2**34 + 1) ** 2
        assert line[10] == 16 * (2**34 + 1) * (2**34 - 2)
    many, fewer = (np.repeat(of, 2, axis=0) for of in (one, other))
    saved = difference(pair_sums(many + np.arange(32)[:, None, None], fewer)[0], 32)
    assert saved is not None
    assert saved.saved >= 0


def test_independent_estimates_differ_with_both_their_errors():
    found = unpaired_difference(Estimate(1.0, 0.7, 1.3, 100.0), Estimate(2.0, 1.6, 2.4, 50.0))
    assert (found.first, found.second, found.value, found.saved) == (1.0, 2.0, 1.0, 1.0)
    assert found.half_width == pytest.approx(0.5)
    assert found.units == 50
    few = unpaired_difference(Estimate(1.0, 0.7, 1.3, 100.0), Estimate(2.0, 1.6, 2.4, 9.0))
    assert math.isnan(few.half_width)
    assert not few.is_sure()
