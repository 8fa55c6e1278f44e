"""Numbers as a reader wants them: as many digits as the interval carries, and the interval always beside."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable

from sim.precision import Estimate

#: Between a number, its unit and its interval, so that no line ends between them.
GAP = "\N{NO-BREAK SPACE}"

#: Stands where nothing was counted.
NOTHING = "\N{EN DASH}"

#: A value that fewer effective games count in says of how many.
FEW_GAMES = 10

#: An interval of which one side is so many times the other is told by its ends.
LOPSIDED = 1.5

#: Digits after the point at most; more would be noise even after a billion games.
MOST_DIGITS = 3


def digits_for(half_widths: Iterable[float], most: int = MOST_DIGITS) -> int:
    """Return how many digits after the point values with these half-widths deserve together.

    The typical half-width shows one digit that is not zero, two when the first is a one. Infinite and zero
    half-widths say nothing; with no others there is one digit.
    """
    telling = [width for width in half_widths if math.isfinite(width) and width > 0]
    if not telling:
        return 1
    typical: float = statistics.median(telling)
    power = math.floor(math.log10(typical))
    is_one = typical / 10.0**power < 2
    return min(most, max(0, -power + is_one))


def plain(value: float, digits: int) -> str:
    """Return a number with so many digits after the point; never a "-0.0", a true minus sign, NOTHING for a NaN."""
    if math.isnan(value):
        return NOTHING
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "\N{MINUS SIGN}")


def reach(low: float, value: float, high: float, digits: int) -> str:
    """Return an interval as text to stand after its value, such as "± 0.2".

    A half-width that would round to zero becomes "± <0.1"; intervals with one side only name its end, lopsided ones
    both; no width at all is "exactly", and an unknown one says so.
    """
    half = max(high - value, value - low)
    if not math.isfinite(half):
        return f"±{GAP}unknown"
    if half == 0:
        return "exactly"
    if low == value:
        return f"to{GAP}{_outwards(high, digits, math.ceil)}"
    if high == value:
        return f"from{GAP}{_outwards(low, digits, math.floor)}"
    if half > LOPSIDED * min(high - value, value - low):
        return f"({plain(low, digits)} to{GAP}{plain(high, digits)})"
    shown = plain(half, digits)
    return f"±{GAP}{shown if float(shown) > 0 else '<' + plain(10.0**-digits, digits)}"


def with_interval(value: float, low: float, high: float, digits: int, counted: float = math.inf) -> str:
    """Return a value with its interval, such as "34.1 ± 0.2"; of few games (`counted`) it says of how many.

    What never varied is "always" so; what one game has is "seen once"; what none has is NOTHING.
    """
    if math.isnan(value):
        return "seen once" if 0 < counted < math.inf else NOTHING
    few = f", in{GAP}{counted:.0f}{GAP}games" if counted < FEW_GAMES else ""
    if math.isnan(low):
        return f"always{GAP}{_shortest(value)}{few}"
    return f"{plain(value, digits)}{GAP}{reach(low, value, high, digits)}{few}"


def share(part: float) -> str:
    """Return a share that is known, not measured, in per cent for a sentence, such as "33.3 %"."""
    return f"{plain(100 * part, 1)}{GAP}%"


def percent(estimate: Estimate) -> str:
    """Return a share's estimate in per cent for a sentence, such as "34.1 % ± 0.2" or "0 % (at most 0.3 %)"."""
    value, low, high = 100 * estimate.value, 100 * estimate.low, 100 * estimate.high
    if math.isnan(value):
        return "seen once" if estimate.counted else "not seen"
    if math.isnan(low):
        return f"always{GAP}{_shortest(value)}{GAP}%"
    if low == high:
        return f"exactly{GAP}{_shortest(value)}{GAP}%"
    digits = max(1, digits_for([max(high - value, value - low)], most=2))
    if low == value:
        return f"{_shortest(value)}{GAP}% (at most{GAP}{_outwards(high, digits, math.ceil)}{GAP}%)"
    if high == value:
        return f"{_shortest(value)}{GAP}% (at least{GAP}{_outwards(low, digits, math.floor)}{GAP}%)"
    return f"{plain(value, digits)}{GAP}%{GAP}{reach(low, value, high, digits)}"


def amount(estimate: Estimate, unit: str = "") -> str:
    """Return an estimate for a sentence, such as "2.41 ± 0.02 bursts" or "exactly 2 bursts"."""
    if math.isnan(estimate.value):
        return "seen once" if estimate.counted else "not seen"
    if math.isnan(estimate.low):
        return f"always{GAP}{_shortest(estimate.value)} {unit}".strip()
    if estimate.low == estimate.high:
        return f"exactly{GAP}{_shortest(estimate.value)} {unit}".strip()
    digits = digits_for([estimate.half_width])
    text = with_interval(estimate.value, estimate.low, estimate.high, digits, estimate.counted)
    return f"{text} {unit}".strip()


def count(number: int) -> str:
    """Return a whole number with thin gaps between thousands, such as "500 000"."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _shortest(value: float) -> str:
    """Return a number with no more digits than it has, and at most MOST_DIGITS."""
    return plain(value, len(f"{value:.{MOST_DIGITS}f}".rstrip("0").partition(".")[2]))


def _outwards(value: float, digits: int, rounded: Callable[[float], int]) -> str:
    """Return an interval's far end rounded outwards, with digits enough that it is neither 0 nor 100."""
    end = value
    for more in range(digits, digits + 4):
        end = rounded(value * 10**more) / 10**more
        if end not in (0.0, 100.0):
            return plain(end, more)
    return plain(end, digits)
