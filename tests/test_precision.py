"""Intervals: the delta method, Clopper-Pearson and paired differences, each against another way to have it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from sim.precision import LEVEL, critical_value, difference, estimate, pair_sums


def five(n: np.ndarray, d: np.ndarray) -> list[int]:
    """The sums of n, d, n^2, nd and d^2 over games."""
    n, d = n.astype(object), d.astype(object)
    return [int(x.sum()) for x in (n, d, n * n, n * d, d * d)]


def by_delta_method(n: np.ndarray, d: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """A ratio of sums and its half width, from the games themselves: the spread of n - r d about 0.

    Games count by their denominators: as many as would, were they alike.
    """
    games, r = d.sum() ** 2 / (d**2).sum(), n.sum() / d.sum()
    error = np.sqrt(((n - r * d) ** 2).sum() * games / (games - 1)) / d.sum()
    return r, stats.t.ppf((1 + level) / 2, games - 1) * error


def by_ratio(n: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Block sums as `pair_sums` takes them: (blocks, 1, 2)."""
    return np.stack([n, d], axis=1)[:, None, :].astype(np.int64)


@pytest.mark.parametrize("games", [2, 7, 1000, 20_000])
@pytest.mark.parametrize("level", [0.95, 0.999])
def test_a_ratio_has_the_interval_of_the_delta_method(games, level):
    chance = np.random.default_rng(games)
    d = chance.poisson(3, games) + (np.arange(games) == 0)
    n = chance.binomial(d, 0.3)
    value, half = by_delta_method(n, d, level)
    found = estimate(five(n, d), games, level=level, is_signed=True)
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.half_width == pytest.approx(half, rel=1e-9)
    assert found.high - found.value == pytest.approx(found.value - found.low, rel=1e-9)


def test_a_mean_has_students_interval():
    """With one in every denominator it is the textbook's interval of a mean."""
    scores = np.random.default_rng(1).normal(70, 15, 500).round().astype(int)
    found = estimate(five(scores, np.ones(500, int)), 500, is_signed=True)
    low, high = stats.t.interval(0.95, 499, scores.mean(), stats.sem(scores))
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_scale_turns_the_counted_ratio_into_its_unit():
    n, d = np.array([60, 0, 30, 0, 60]), np.ones(5, int)
    plain, scaled = estimate(five(n, d), 5), estimate(five(n, d), 5, scale=1 / 60)
    for name in ("value", "low", "high", "half_width"):
        assert getattr(scaled, name) == pytest.approx(getattr(plain, name) / 60)


def test_no_digit_is_lost_however_large_the_sums():
    """A billion games that score about a billion: in floating point the variance would be rounding noise."""
    games, base = 10**9, 10**9
    # Half of the games score `base`, half one more; the variance is 1/4 exactly.
    n = games * base + games // 2
    nn = games // 2 * base**2 + games // 2 * (base + 1) ** 2
    found = estimate([n, games, nn, n, games], games)
    exact = math.sqrt(Fraction(1, 4) / (games - 1)) * critical_value(games, 0.95)
    # The value itself has only a double's digits, so the width is read by taking the value away.
    assert found.value == base + 0.5
    shifted = estimate([games // 2, games, games // 2, games // 2, games], games)
    assert shifted.half_width == pytest.approx(exact, rel=1e-9)
    assert found.half_width == pytest.approx(exact, rel=1e-2)


def test_sums_beyond_64_bits_are_welcome():
    factor = 10**15
    n, d = np.array([3, 1, 4, 1, 5]), np.array([9, 2, 6, 5, 3])
    small = estimate(five(n, d), 5)
    powers = (factor, factor, factor**2, factor**2, factor**2)
    large = estimate([s * power for s, power in zip(five(n, d), powers, strict=True)], 5)
    assert large.value == small.value
    assert large.half_width == pytest.approx(small.half_width, rel=1e-12)


@pytest.mark.parametrize("trials", [2, 10, 1000, 123_457])
@pytest.mark.parametrize("level", [0.95, 0.99])
def test_a_share_of_nothing_or_all_has_the_clopper_pearson_interval(trials, level):
    for hits in (0, trials):
        exact = stats.binomtest(hits, trials).proportion_ci(level, method="exact")
        found = estimate([hits, trials, hits, hits, trials], trials, is_share=True, level=level)
        assert found.value == hits / trials
        assert found.low == pytest.approx(exact.low, abs=1e-12)
        assert found.high == pytest.approx(exact.high, abs=1e-12)


def test_what_happens_within_a_game_counts_as_one_trial():
    """Four seats of 100 games that all lose are 100 trials; in two games of ten seats each, two."""
    for games, units in ((100, 4), (2, 10)):
        found = estimate([0, games * units, 0, 0, games * units**2], games, is_share=True)
        assert found.high == pytest.approx(stats.beta.ppf(0.975, 1, games))


def test_fewer_units_than_games_are_fewer_trials():
    found = estimate([3, 3, 3, 3, 3], 1000, is_share=True)
    assert found.low == pytest.approx(stats.beta.ppf(0.025, 3, 1))
    assert found.high == 1


def test_a_share_between_has_wilsons_interval_of_its_effective_trials():
    """Hundred independent games are a hundred trials; ten that are counted ten times over are ten."""
    n = np.array([1, 0, 0, 1, 0] * 20)
    for times in (1, 10):
        found = estimate(five(times * n, np.full(100, times)), 100, is_share=True)
        exact = stats.binomtest(40, 100).proportion_ci(method="wilson")
        # Student's t of a hundred, and the spread with one degree less, make it a little wider.
        assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=0.003)
        assert found.low <= exact.low
        assert exact.high <= found.high
        assert found.counted == pytest.approx(100)
    clustered = estimate(five(np.repeat([10, 0], (4, 6)), np.full(10, 10)), 10, is_share=True)
    exact = stats.binomtest(4, 10).proportion_ci(method="wilson")
    assert (clustered.low, clustered.high) == pytest.approx((exact.low, exact.high), abs=0.06)


@pytest.mark.parametrize("hits", [1, 2])
def test_a_share_seen_once_or_twice_has_the_clopper_pearson_interval(hits):
    """So has one missed once or twice; whether a game counts its hits once or in sixtieths."""
    exact = stats.binomtest(hits, 1000).proportion_ci(method="exact")
    for scale in (1.0, 1 / 60):
        n = np.repeat([round(1 / scale), 0], (hits, 1000 - hits))
        found = estimate(five(n, np.ones(1000, int)), 1000, scale, is_share=True)
        assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
        other = estimate(five(round(1 / scale) - n, np.ones(1000, int)), 1000, scale, is_share=True)
        assert (other.low, other.high) == pytest.approx((1 - exact.high, 1 - exact.low))


def test_a_category_that_one_game_has_says_nothing():
    """One seat of 1000 games did it and won: not "exactly 100 %"; two that did are two."""
    one, two = (np.arange(1000) < k for k in (1, 2))
    found = estimate(five(one * 1, one * 1), 1000, is_share=True)
    assert all(math.isnan(x) for x in (found.value, found.low, found.high, found.half_width))
    assert found.counted == 1
    found = estimate(five(two * 1, two * 1), 1000, is_share=True)
    assert (found.counted, found.value, found.high) == (2, 1.0, 1.0)
    assert found.low == pytest.approx(stats.beta.ppf(0.025, 2, 1))
    weighted = estimate(five(one * 3 + two * 1, one * 9 + two * 1), 1000)
    assert weighted.counted == pytest.approx(11**2 / (10**2 + 1))
    assert math.isnan(weighted.half_width)


def test_a_count_never_seen_ends_where_poisson_says():
    """Never in 1000 games: at most 3.69 in a thousand of them, each of the most that a unit can have."""
    nothing = [0, 1000, 0, 0, 1000]
    found = estimate(nothing, 1000, most=14)
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(14 * -math.log(0.025) / 1000)
    unbounded = estimate(nothing, 1000)
    assert (unbounded.value, unbounded.counted) == (0, 1000)
    assert math.isnan(unbounded.half_width)


def test_no_interval_of_a_count_reaches_below_nothing():
    n = np.repeat([1, 0], (3, 997))
    assert estimate(five(n, np.ones(1000, int)), 1000).low == 0
    assert estimate(five(n, np.ones(1000, int)), 1000, is_signed=True).low < 0


def test_a_number_that_is_always_the_same_is_told_without_an_interval():
    found = estimate([50, 50, 50, 50, 50], 50)
    assert (found.value, found.counted) == (1.0, 50)
    assert all(math.isnan(x) for x in (found.low, found.high, found.half_width))


def test_what_was_not_counted_is_nothing():
    found = estimate([0, 0, 0, 0, 0], 10)
    assert all(math.isnan(x) for x in (found.value, found.low, found.high))
    assert found.counted == 0


def test_one_game_says_nothing():
    found = estimate([7, 2, 49, 14, 4], 1)
    assert all(math.isnan(x) for x in (found.value, found.low, found.high))


@pytest.mark.parametrize("expected", [4, 10, 20, 100])
def test_a_rare_categorys_interval_covers_the_truth(expected):
    """A share of what a few of 1000 games have: from seven eighths of 95 % up, where it used to be 69 %."""
    chance, hits, told = np.random.default_rng(expected), 0, 0
    for _ in range(1500):
        d = chance.binomial(1, expected / 1000, 1000) * chance.integers(1, 4, 1000)
        n = chance.binomial(d, 0.4)
        found = estimate(five(n, d), 1000, is_share=True)
        told += not math.isnan(found.value)
        hits += found.low <= 0.4 <= found.high
    assert told > 1200
    assert 0.92 <= hits / told <= 0.995


def test_intervals_cover_the_truth_as_often_as_they_say():
    """A ratio with dependent numerator and denominator, 2000 times; the bounds are four standard errors."""
    chance = np.random.default_rng(7)
    hits = 0
    for _ in range(2000):
        d = chance.integers(1, 8, 300)
        n = chance.binomial(d, 0.25) * d
        found = estimate(five(n, d), 300)
        hits += found.low <= 0.25 * (1 + 4 + 9 + 16 + 25 + 36 + 49) / (1 + 2 + 3 + 4 + 5 + 6 + 7) <= found.high
    assert abs(hits / 2000 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 2000)


# Paired differences.


def blocks_of(seed: int, blocks: int, shared: float) -> list[np.ndarray]:
    """Block sums (n, d) of two ratios that have a share of their chance in common."""
    chance = np.random.default_rng(seed)
    common = chance.normal(0, 30, blocks)
    own = [chance.normal(0, 30, blocks) for _ in range(2)]
    n = [np.round(300 + mean + shared * common + (1 - shared) * each) for mean, each in zip((0, 6), own, strict=True)]
    d = [chance.integers(900, 1100, blocks) for _ in range(2)]
    return [n[0].astype(int), d[0], n[1].astype(int), d[1]]


def directly(na: np.ndarray, da: np.ndarray, nb: np.ndarray, db: np.ndarray) -> tuple[float, float, float]:
    """The difference of two ratios of sums, its half width, and the variance without pairing over that with."""
    blocks = len(na)
    residual_a = (na - na.sum() / da.sum() * da) / da.sum()
    residual_b = (nb - nb.sum() / db.sum() * db) / db.sum()
    variance = ((residual_b - residual_a) ** 2).sum() * blocks / (blocks - 1)
    alone = ((residual_a**2).sum() + (residual_b**2).sum()) * blocks / (blocks - 1)
    value = nb.sum() / db.sum() - na.sum() / da.sum()
    return value, stats.t.ppf(0.975, blocks - 1) * math.sqrt(variance), alone / variance


@pytest.mark.parametrize("blocks", [20, 25, 400])
@pytest.mark.parametrize("shared", [0.0, 0.5, 0.95])
def test_a_difference_is_that_of_the_blocks_themselves(blocks, shared):
    na, da, nb, db = blocks_of(blocks, blocks, shared)
    (sums,) = pair_sums(by_ratio(na, da), by_ratio(nb, db))
    found = difference(sums, blocks, scale=2.0)
    value, half, saved = directly(na, da, nb, db)
    assert found is not None
    assert found.first == pytest.approx(2 * na.sum() / da.sum())
    assert found.second == pytest.approx(2 * nb.sum() / db.sum())
    assert found.value == pytest.approx(2 * value)
    assert found.half_width == pytest.approx(2 * half)
    assert found.saved == pytest.approx(saved)


def test_common_chance_saves_games():
    def saved(shared: float) -> float:
        na, da, nb, db = blocks_of(1, 2000, shared)
        (sums,) = pair_sums(by_ratio(na, da), by_ratio(nb, np.full_like(db, 1000)))
        found = difference(sums, 2000)
        assert found is not None
        return found.saved

    assert saved(0.0) == pytest.approx(1, abs=0.15)
    assert saved(0.5) > 1.3


def test_pair_sums_of_stretches_add_up():
    na, da, nb, db = blocks_of(3, 90, 0.5)
    whole = pair_sums(by_ratio(na, da), by_ratio(nb, db))
    parts = sum(
        pair_sums(by_ratio(na[k : k + 30], da[k : k + 30]), by_ratio(nb[k : k + 30], db[k : k + 30]))
        for k in (0, 30, 60)
    )
    assert (whole == parts).all()


def test_pairs_of_exact_chances_keep_every_digit():
    """A block of 1000 games counts up to 1000 x 2^24, whose square no int64 holds; plain counts may stand beside."""
    na, da, nb, db = blocks_of(5, 60, 0.5)
    unit = 2**24
    plain, exact = ([by_ratio(n * by, d) for n, d in ((na, da), (nb, db))] for by in (1, unit))
    sums = pair_sums(*(np.concatenate(pair, axis=1) for pair in zip(plain, exact, strict=True)))
    assert (sums == np.concatenate([pair_sums(*plain), pair_sums(*exact)])).all()
    one, other = (difference(line, 60, scale) for line, scale in zip(sums, (1.0, 1 / unit), strict=True))
    assert one is not None
    assert other is not None
    assert other.half_width == pytest.approx(one.half_width, rel=1e-12)
    assert other.saved == pytest.approx(one.saved, rel=1e-9)


def test_a_difference_of_equal_blocks_is_no_difference():
    na, da, _, _ = blocks_of(4, 50, 0.5)
    (sums,) = pair_sums(by_ratio(na, da), by_ratio(na, da))
    found = difference(sums, 50)
    assert found is not None
    assert (found.value, found.units) == (0, 0)
    assert math.isnan(found.half_width)
    assert not found.is_sure()


@pytest.mark.parametrize("changed", [1, 2, 9, 10, 30])
def test_nothing_differs_surely_without_ten_blocks_that_differ(changed):
    """Two blocks of fifty that differ by the same used to be a difference of no error."""
    na = np.full(50, 300)
    nb = na + np.where(np.arange(50) < changed, 40, 0)
    ones = np.full(50, 1000)
    (sums,) = pair_sums(by_ratio(na, ones), by_ratio(nb, ones))
    found = difference(sums, 50)
    assert found is not None
    assert found.value == pytest.approx(changed * 40 / 50_000)
    assert found.units == changed
    assert math.isnan(found.half_width) == (changed < 10)
    assert found.is_sure() == (changed >= 10)
    assert math.isnan(found.saved) == (changed < 20)


def test_a_difference_needs_both():
    nothing, some = np.zeros(1, int), np.ones(1, int)
    (sums,) = pair_sums(by_ratio(some, some), by_ratio(nothing, nothing))
    assert difference(sums, 1) is None


def test_differences_cover_the_truth_as_often_as_they_say():
    hits = 0
    for seed in range(1000):
        na, _, nb, _ = blocks_of(seed, 40, 0.7)
        ones = np.full(40, 1000)
        (sums,) = pair_sums(by_ratio(na, ones), by_ratio(nb, ones))
        found = difference(sums, 40)
        assert found is not None
        hits += abs(found.value - 0.006) <= found.half_width
    assert abs(hits / 1000 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 1000)
