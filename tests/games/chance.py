"""Whether what was counted agrees with its chance."""

from math import sqrt

from sim.blocks import Totals
from sim.kernel import SUM_D, SUM_N, SUM_NN


def is_near(count: int, chance: float, games: int) -> bool:
    """Something that happens in a game by this chance was counted within 5 standard errors of it."""
    return abs(count - games * chance) < 5 * sqrt(games * chance * (1 - chance))


def mean_and_error(totals: Totals, slot: int) -> tuple[float, float]:
    """A metric's mean over games in its unit, and its standard error: 0 when it has no spread."""
    n, games, nn = (int(totals.sums[slot, k]) for k in (SUM_N, SUM_D, SUM_NN))
    scale = totals.layout.metrics[slot].scale
    return n / games * scale, sqrt(max(0.0, nn / games - (n / games) ** 2) / games) * scale
