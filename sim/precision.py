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
from scipy import special

#: Two-sided level of every interval unless a caller says otherwise.
LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, in the metric's unit; all NaN when nothing was counted."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """The larger of the interval's two sides."""
        return max(self.high - self.value, self.value - self.low)


_NOTHING = Estimate(math.nan, math.nan, math.nan)


def estimate(
    sums: Sequence[int],
    games: int,
    scale: float = 1.0,
    is_share: bool = False,
    level: float = LEVEL,
    planned: int = 0,
) -> Estimate:
    """Return a ratio's value and interval from its five sums (n, d, nn, nd, dd) over `games` games.

    `scale` turns the counted ratio into the unit. A share (0..1 in the unit) of exactly 0 or 1 gets a
    Clopper-Pearson interval, with no more trials than games, since what happens within a game hangs together.
    `planned` games make it an interval of a confidence sequence, see `critical_value`.
    """
    n, d, nn, nd, dd = (int(number) for number in sums)
    if d == 0:
        return _NOTHING
    value = n / d * scale
    if is_share and value in (0.0, 1.0):
        return _certain_share(value, min(d, games), level, planned)
    if games < 2:
        return Estimate(value, -math.inf, math.inf)
    squares = nn * d * d - 2 * n * d * nd + n * n * dd
    variance = max(0, squares) / d**4 * games / (games - 1)
    half = critical_value(games, level, planned) * math.sqrt(variance) * scale
    if is_share:
        return Estimate(value, max(0.0, value - half), min(1.0, value + half))
    return Estimate(value, value - half, value + half)


def _certain_share(value: float, trials: int, level: float, planned: int) -> Estimate:
    """Return the interval of 0 or all of `trials`: Clopper-Pearson, or what holds at all looks together.

    The latter are the chances p that the mixture of all chances, evenly weighed, does not beat by more than
    1 / (1 - level) as an explanation: (1 - p)^trials (trials + 1) > 1 - level.
    """
    alpha = (1 - level) / (trials + 1) if planned else (1 - level) / 2
    end = 1 - alpha ** (1 / trials)
    return Estimate(value, 0.0, end) if value == 0.0 else Estimate(value, 1 - end, 1.0)


def critical_value(units: int, level: float = LEVEL, planned: int = 0) -> float:
    """Return how many standard errors an interval of a mean over so many independent units reaches.

    With a number of units fixed beforehand (`planned` 0) it is Student's t. Otherwise it is the asymptotic
    confidence sequence of Waudby-Smith et al. (Ann. Stat. 2024), narrowest for `planned` units and valid at all
    numbers of units together; as much wider as Student's t is than the normal, since few units tell little
    of their own spread.
    """
    student = float(special.stdtrit(units - 1, (1 + level) / 2))
    if not planned:
        return student
    alpha = 1 - level
    u = units / planned * (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1)
    boundary = math.sqrt(2 * (u + 1) / u * math.log(math.sqrt(u + 1) / alpha))
    return boundary * student / float(special.ndtri((1 + level) / 2))


def games_for(half_width: float) -> int:
    """Return about how many games it takes until the confidence sequence of an even chance is so narrow."""
    return max(1, math.ceil((critical_value(10**9, LEVEL, 10**9) / 2 / half_width) ** 2))


@dataclass(frozen=True)
class Difference:
    """A paired difference (second - first) with its interval; `saved` is the variance without pairing over it."""

    first: float
    second: float
    value: float
    half_width: float
    saved: float


# Columns of a pair's products over blocks, after its sums (n, d of the first; n, d of the second).
_PRODUCTS = ((0, 0), (0, 1), (1, 1), (2, 2), (2, 3), (3, 3), (0, 2), (0, 3), (1, 2), (1, 3))
PAIR_FIELDS = 4 + len(_PRODUCTS)


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
    return np.stack([*sums, *((four[:, :, i] * four[:, :, j]).sum(axis=0) for i, j in _PRODUCTS)], axis=1)


def difference(
    sums: Sequence[int], blocks: int, scale: float = 1.0, level: float = LEVEL, planned: int = 0
) -> Difference | None:
    """Return the paired difference of two ratios over common blocks; None when either was not counted.

    sums: one slot's row of `pair_sums`. Blocks are the independent units, so there is one degree of freedom
    less than there are blocks; with a single block the interval is infinite. `planned` blocks make it an interval
    of a confidence sequence.
    """
    na, da, nb, db, *products = (int(number) for number in sums)
    if da == 0 or db == 0:
        return None
    naa, nda, dda, nbb, ndb, ddb, nanb, nadb, danb, dadb = products
    first, second = na / da, nb / db
    # Each is the exact sum over blocks of (n - r d) (n' - r' d'), over d d'.
    variance_a = (naa * da * da - 2 * na * da * nda + na * na * dda) / da**4
    variance_b = (nbb * db * db - 2 * nb * db * ndb + nb * nb * ddb) / db**4
    common = (nanb * da * db - na * db * danb - nb * da * nadb + na * nb * dadb) / (da * da * db * db)
    variance = max(0.0, variance_a + variance_b - 2 * common)
    if blocks < 2:
        half = math.inf
    else:
        half = critical_value(blocks, level, planned) * math.sqrt(variance * blocks / (blocks - 1)) * scale
    alone = variance_a + variance_b
    saved = alone / variance if variance > 0 else (math.inf if alone > 0 else 1.0)
    return Difference(first * scale, second * scale, (second - first) * scale, half, saved)


def unpaired_difference(first: Estimate, second: Estimate) -> Difference:
    """Return the difference of two independent estimates, as of runs that share no game."""
    half = math.hypot(first.half_width, second.half_width)
    return Difference(first.value, second.value, second.value - first.value, half, 1.0)
