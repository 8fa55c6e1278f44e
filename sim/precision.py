"""Intervals: how far a measured value may lie from the true one.

Games are independent, so the error of a ratio of sums follows from the sums of n, d, n², nd and d² over
games (the delta method). All sums are whole numbers, and the variance is taken from them exactly, so no
digit is lost however many games there are. docs/statistics.md has the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
    sums: Sequence[int], games: int, scale: float = 1.0, is_share: bool = False, level: float = LEVEL
) -> Estimate:
    """Return a ratio's value and interval from its five sums (n, d, nn, nd, dd) over `games` games.

    `scale` turns the counted ratio into the unit. A share (0..1 in the unit) of exactly 0 or 1 gets a
    Clopper-Pearson interval, with no more trials than games, since what happens within a game hangs together.
    """
    n, d, nn, nd, dd = (int(number) for number in sums)
    if d == 0:
        return _NOTHING
    value = n / d * scale
    if is_share and value in (0.0, 1.0):
        return _certain_share(value, min(d, games), level)
    if games < 2:
        return Estimate(value, -math.inf, math.inf)
    squares = nn * d * d - 2 * n * d * nd + n * n * dd
    variance = max(0, squares) / d**4 * games / (games - 1)
    half = quantile(games - 1, level) * math.sqrt(variance) * scale
    if is_share:
        return Estimate(value, max(0.0, value - half), min(1.0, value + half))
    return Estimate(value, value - half, value + half)


def _certain_share(value: float, trials: int, level: float) -> Estimate:
    """Return the Clopper-Pearson interval of 0 or all of `trials`."""
    reach = 1 - ((1 - level) / 2) ** (1 / trials)
    return Estimate(value, 0.0, reach) if value == 0.0 else Estimate(value, 1 - reach, 1.0)


def quantile(degrees: int, level: float) -> float:
    """Return Student's t for a two-sided interval."""
    return float(special.stdtrit(degrees, (1 + level) / 2))


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
    """Return what `difference` needs, summed over blocks: object (slots, PAIR_FIELDS) from two (blocks, slots, 2)."""
    import numpy as np

    four = np.concatenate([first, second], axis=2)
    # Products of exact chances, which count in units of 2^-24, need more than an int64; those of most metrics do not.
    is_wide = np.abs(four).max(axis=(0, 2), initial=0).astype(float) ** 2 * len(four) >= 2.0**63
    found = np.empty((four.shape[1], PAIR_FIELDS), dtype=object)
    for slots, kind in ((~is_wide, np.int64), (is_wide, object)):
        columns = np.moveaxis(four[:, slots].astype(kind), 2, 0)
        products = [columns[i] * columns[j] for i, j in _PRODUCTS]
        found[slots] = np.stack([column.sum(axis=0) for column in (*columns, *products)], axis=1)
    return found


def difference(sums: Sequence[int], blocks: int, scale: float = 1.0, level: float = LEVEL) -> Difference | None:
    """Return the paired difference of two ratios over common blocks; None when either was not counted.

    sums: one slot's row of `pair_sums`. Blocks are the independent units, so there is one degree of freedom
    less than there are blocks; with a single block the interval is infinite.
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
        half = quantile(blocks - 1, level) * math.sqrt(variance * blocks / (blocks - 1)) * scale
    alone = variance_a + variance_b
    saved = alone / variance if variance > 0 else (math.inf if alone > 0 else 1.0)
    return Difference(first * scale, second * scale, (second - first) * scale, half, saved)
