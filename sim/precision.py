"""Intervals: how far a measured value may lie from the true one.

Games are independent, so the error of a ratio of sums follows from the sums of n, d, n², nd and d² over
games (the delta method). All sums are whole numbers, and the variance is taken from them exactly, so no
digit is lost however many games there are. A run that goes on until its intervals are narrow has intervals that
stay valid however often they are looked at: confidence sequences. docs/statistics.md has the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special

#: Two-sided level of every interval unless a caller says otherwise.
LEVEL = 0.95


#: Fewer effective games say nothing of their own spread: no interval, and no value to lean on.
LEAST_COUNTED = 1.5
#: A share that was seen, or missed, in fewer effective games has an exact interval.
_FEW_HITS = 3.0
#: What does not vary in so many effective games is called constant.
_LEAST_CONSTANT = 10.0


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, in the metric's unit, and the effective games behind it.

    All NaN when fewer than LEAST_COUNTED effective games were counted. A value that never varied and has no bound
    has ends of NaN: it was always so in the games counted, and what they cannot show is not claimed.
    """

    value: float
    low: float
    high: float
    counted: float

    @property
    def half_width(self) -> float:
        """The larger of the interval's two sides; NaN where there is none."""
        return max(self.high - self.value, self.value - self.low)


def estimate(
    sums: Sequence[int],
    games: int,
    scale: float = 1.0,
    is_share: bool = False,
    level: float = LEVEL,
    planned: int = 0,
    most: float | None = None,
    is_signed: bool = False,
) -> Estimate:
    """Return a ratio's value and interval from its five sums (n, d, nn, nd, dd) over `games` games.

    `scale` turns the counted ratio into the unit, in which a share is between 0 and 1, a number that is not
    `is_signed` never below 0, and no unit's more than `most`. `planned` games make it an interval of a confidence
    sequence, see `critical_value`. The games counted are effective ones, (sum of d)^2 / sum of d^2: a category that
    two games have is known from two, however many were played; a number that is rarely above 0 from those in which
    it is, (sum of n)^2 / sum of n^2.
    """
    n, d, nn, nd, dd = (int(number) for number in sums)
    if d == 0:
        return Estimate(math.nan, math.nan, math.nan, 0.0)
    counted = d * d / dd
    if not is_share and not is_signed and n > 0:
        counted = min(counted, n * n / nn)
    if counted < LEAST_COUNTED:
        return Estimate(math.nan, math.nan, math.nan, counted)
    value = n / d * scale
    if is_share and 0 in (n, _missed(n, d, scale)):
        return _of_hits(value, 0.0, counted, level, planned)
    squares = max(0, nn * d * d - 2 * n * d * nd + n * n * dd)
    if squares == 0:
        return _constant(value, counted, is_share, level, planned, most)
    variance = squares / d**4 * scale**2 * counted / (counted - 1)
    reach = critical_value(counted, level, planned, games)
    if is_share:
        hits = _rarer(n, d, nn, nd, dd, scale)
        if hits < _FEW_HITS:
            return _of_hits(value, hits, counted, level, planned)
        return _wilson(value, value * (1 - value) / variance, reach, counted)
    half = reach * math.sqrt(variance)
    return Estimate(value, value - half if is_signed else max(0.0, value - half), value + half, counted)


def _constant(
    value: float, counted: float, is_share: bool, level: float, planned: int, most: float | None
) -> Estimate:
    """Return the estimate of what was the same in every game counted.

    Others could still be rare: not more of them than Poisson's bound of what was never seen, each of them nothing or
    the most that there can be. Where that is not known there is no interval.
    """
    if is_share and counted < _LEAST_CONSTANT:
        return _wilson(value, counted, critical_value(counted, level, planned, round(counted)), counted)
    top = 1.0 if is_share else most
    if top is None:
        return Estimate(value, math.nan, math.nan, counted)
    alpha = (1 - level) / (counted + 1) if planned else (1 - level) / 2
    others = min(1.0, -math.log(alpha) / counted)
    return Estimate(value, value * (1 - others), value + (top - value) * others, counted)


def _missed(n: int, d: int, scale: float) -> int:
    """Return a share's numerator of all that was not hit: whole, as every scale is one over a whole number."""
    return round(1 / scale) * d - n


def _rarer(n: int, d: int, nn: int, nd: int, dd: int, scale: float) -> float:
    """Return in how many effective games a share was hit, or missed where that is rarer."""
    whole = round(1 / scale)
    missed, squares = whole * d - n, whole * whole * dd - 2 * whole * nd + nn
    return min(n * n / nn, missed * missed / squares)


def _wilson(value: float, trials: float, reach: float, counted: float) -> Estimate:
    """Return Wilson's interval of a share, of so many effective trials and to so many standard errors."""
    square = reach * reach / trials
    center = (value + square / 2) / (1 + square)
    half = math.sqrt(value * (1 - value) * square + square * square / 4) / (1 + square)
    return Estimate(value, max(0.0, center - half), min(1.0, center + half), counted)


def _of_hits(value: float, hits: float, counted: float, level: float, planned: int) -> Estimate:
    """Return the exact interval of a share that was hit, or missed, in only so many effective games.

    Clopper-Pearson's, with as many trials as make the value of the hits; `counted` where there is no hit. At all
    looks together: the chances that the even mixture of all chances does not beat by 1 / (1 - level) as an
    explanation.
    """
    is_rare = value < 0.5
    rare = value if is_rare else 1 - value
    trials = hits / rare if hits else counted
    low, high = (_mixed if planned else _clopper_pearson)(hits, trials, 1 - level)
    return Estimate(value, low, high, counted) if is_rare else Estimate(value, 1 - high, 1 - low, counted)


def _clopper_pearson(hits: float, trials: float, alpha: float) -> tuple[float, float]:
    """Return the ends of Clopper and Pearson's interval; hits need not be whole."""
    low = float(special.betaincinv(hits, trials - hits + 1, alpha / 2)) if hits else 0.0
    return low, float(special.betaincinv(hits + 1, max(trials - hits, 1e-9), 1 - alpha / 2))


def _mixed(hits: float, trials: float, alpha: float) -> tuple[float, float]:
    """Return the ends of the chances p with p^hits (1 - p)^misses > alpha B(hits + 1, misses + 1)."""
    misses = max(trials - hits, 1e-9)
    bound = math.log(alpha) + float(special.betaln(hits + 1, misses + 1))

    def beyond(p: float) -> float:
        return float(special.xlogy(hits, p) + special.xlog1py(misses, -p)) - bound

    peak = hits / trials
    low = float(optimize.brentq(beyond, 1e-18, peak)) if hits else 0.0
    return low, float(optimize.brentq(beyond, peak, 1 - 1e-16))


def critical_value(units: float, level: float = LEVEL, planned: int = 0, looked: int = 0) -> float:
    """Return how many standard errors an interval of a mean over so many independent units reaches.

    With a number of units fixed beforehand (`planned` 0) it is Student's t. Otherwise it is the asymptotic
    confidence sequence of Waudby-Smith et al. (Ann. Stat. 2024), narrowest for `planned` units and valid at all
    numbers of units together; as much wider as Student's t is than the normal, since few units tell little
    of their own spread. `looked` is the number of units that `planned` counts, where it is another.
    """
    student = float(special.stdtrit(units - 1, (1 + level) / 2))
    if not planned:
        return student
    alpha = 1 - level
    u = (looked or units) / planned * (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1)
    boundary = math.sqrt(2 * (u + 1) / u * math.log(math.sqrt(u + 1) / alpha))
    return boundary * student / float(special.ndtri((1 + level) / 2))


def games_for(half_width: float) -> int:
    """Return about how many games it takes until the confidence sequence of an even chance is so narrow."""
    return max(1, math.ceil((critical_value(10**9, LEVEL, 10**9) / 2 / half_width) ** 2))


#: Nothing differs surely that differs in fewer blocks.
LEAST_CHANGED = 10
#: What pairing saved is not told of fewer units.
_LEAST_SAVED = 20


@dataclass(frozen=True)
class Difference:
    """A difference (second - first) with its half-width: NaN where too few units differ to know it.

    `saved` is the variance without pairing over that with it, NaN where unknown; `units` the effective number of
    independent units behind the half-width.
    """

    first: float
    second: float
    value: float
    half_width: float
    saved: float
    units: float

    def is_sure(self, judged: int = 1) -> bool:
        """Tell whether zero lies outside the interval, even when so many are judged together (Bonferroni)."""
        if not math.isfinite(self.half_width):
            return False
        wider = critical_value(self.units, 1 - (1 - LEVEL) / max(1, judged)) / critical_value(self.units)
        return abs(self.value) > self.half_width * wider


# Columns of a pair's products over blocks, after its sums (n, d of the first; n, d of the second).
_PRODUCTS = ((0, 0), (0, 1), (1, 1), (2, 2), (2, 3), (3, 3), (0, 2), (0, 3), (1, 2), (1, 3))
#: The sums and products, and in how many blocks the two differ.
PAIR_FIELDS = 5 + len(_PRODUCTS)


def pair_sums(first: Any, second: Any) -> Any:
    """Return what `difference` needs, summed over blocks: object (slots, PAIR_FIELDS) from two (blocks, slots, 2).

    Slots whose products are too large for int64 are multiplied as Python's whole numbers.
    """
    four = np.concatenate([first, second], axis=2)
    sums = _summed(four).astype(object)
    large = np.abs(four).max(axis=(0, 2), initial=0) > math.isqrt((2**63 - 1) // max(1, len(four)))
    if large.any():
        sums[large] = _summed(four[:, large].astype(object))
    return sums


def _summed(four: Any) -> Any:
    """Return sums and products over blocks: (slots, PAIR_FIELDS) from (blocks, slots, 4)."""
    sums = [four[:, :, k].sum(axis=0) for k in range(4)]
    changed = (four[:, :, :2] != four[:, :, 2:]).any(axis=2).sum(axis=0)
    return np.stack([*sums, *((four[:, :, i] * four[:, :, j]).sum(axis=0) for i, j in _PRODUCTS), changed], axis=1)


def difference(
    sums: Sequence[int], units: float, scale: float = 1.0, level: float = LEVEL, planned: int = 0, looked: int = 0
) -> Difference | None:
    """Return the paired difference of two ratios over common blocks; None when either was not counted.

    sums: one slot's row of `pair_sums`. Blocks are the independent units, `units` of them: fewer than there are
    where their sizes differ, and no more than those in which the two differ. Where these are fewer than
    LEAST_CHANGED the half-width is not known. `planned` and `looked` make it an interval of a confidence sequence,
    see `critical_value`.
    """
    na, da, nb, db, *products, changed = (int(number) for number in sums)
    if da == 0 or db == 0:
        return None
    naa, nda, dda, nbb, ndb, ddb, nanb, nadb, danb, dadb = products
    first, second = na / da, nb / db
    # Each is the exact sum over blocks of (n - r d) (n' - r' d'), over d d'.
    variance_a = (naa * da * da - 2 * na * da * nda + na * na * dda) / da**4
    variance_b = (nbb * db * db - 2 * nb * db * ndb + nb * nb * ddb) / db**4
    common = (nanb * da * db - na * db * danb - nb * da * nadb + na * nb * dadb) / (da * da * db * db)
    variance = max(0.0, variance_a + variance_b - 2 * common)
    units = min(units, changed)
    half = saved = math.nan
    if units >= LEAST_CHANGED:
        half = critical_value(units, level, planned, looked) * math.sqrt(variance * units / (units - 1)) * scale
    if units >= _LEAST_SAVED and variance > 0:
        saved = (variance_a + variance_b) / variance
    return Difference(first * scale, second * scale, (second - first) * scale, half, saved, units)


def unpaired_difference(first: Estimate, second: Estimate) -> Difference:
    """Return the difference of two independent estimates, as of runs that share no game."""
    half, units = math.hypot(first.half_width, second.half_width), min(first.counted, second.counted)
    half = half if units >= LEAST_CHANGED else math.nan
    return Difference(first.value, second.value, second.value - first.value, half, 1.0, units)
