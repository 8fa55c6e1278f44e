"""Exact chances of the debris fall, as fractions: the slow, obvious oracle beside the simulation.

The debris fall does not depend on what the players do, so its chances need no games. They follow from one
rule: "If two circle chips with the same number, or two square chips with the same letter, are ever on display
together, a burst occurs. Every worker in that entire row or column fails and is returned, and all coordinate
chips of that shape go back into the bag."

A shape (circle = column, square = row) has `labels` different labels, each on `copies` chips. Just before a
fall the display holds 0 or 1 chip of every label, since a second one bursts and empties the display. All that
the next draw depends on is therefore k, how many labels are on display.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sim.errors import BadInput, whole


@dataclass(frozen=True)
class BurstOdds:
    """What can be said of the bursts of one shape before a game; see `burst_odds`."""

    labels: int
    copies: int
    rounds: int
    by_round: list[Fraction]
    """Chance of a burst in each round, first round first."""
    expected: Fraction
    """Expected bursts in a game."""
    distribution: list[Fraction]
    """Chance of each number of bursts in a game; the index is the number."""


def burst_odds(labels: int, copies: int, rounds: int) -> BurstOdds:
    """Return the chances of the bursts of one shape: by round, expected and by number in a game.

    Raises BadInput unless labels >= 1, copies >= 2 and rounds >= 0.
    """
    labels, copies, rounds = _shape(labels, copies, rounds)
    by_round = burst_chain(labels, copies, rounds)
    return BurstOdds(
        labels=labels,
        copies=copies,
        rounds=rounds,
        by_round=by_round,
        expected=sum(by_round, Fraction(0)),
        distribution=burst_count_distribution(labels, copies, rounds),
    )


def burst_chance(displayed: int, labels: int, copies: int) -> Fraction:
    """Return the chance that a shape's next draw bursts, with `displayed` different labels on display.

    Each label on display has copies - 1 chips left among the labels * copies - displayed in the bag. (JA tip:
    one more of it is still in the bag.)

    Raises BadInput unless labels >= 1, copies >= 2 and 0 <= displayed <= labels.
    """
    labels, copies = whole("labels", labels, 1), whole("copies", copies, 2)
    displayed = whole("displayed", displayed, 0)
    if displayed > labels:
        raise BadInput(f"displayed must be at most the number of labels, {labels}, not {displayed}")
    return Fraction(displayed * (copies - 1), labels * copies - displayed)


def burst_chain(labels: int, copies: int, rounds: int) -> list[Fraction]:
    """Return the chance of a burst of one shape in each of `rounds` rounds, first round first.

    After a burst "all coordinate chips of that shape go back into the bag", the drawn one included.

    Raises BadInput unless labels >= 1, copies >= 2 and rounds >= 0.
    """
    labels, copies, rounds = _shape(labels, copies, rounds)
    displays = [Fraction(1)]  # chance that this many labels (the index) are on display
    by_round = []
    for _ in range(rounds):
        bursts = [chance * burst_chance(k, labels, copies) for k, chance in enumerate(displays)]
        burst = sum(bursts, Fraction(0))
        shown = [chance - lost for chance, lost in zip(displays, bursts, strict=True)]
        displays = [burst, *shown][: labels + 1]  # a full display always bursts
        by_round.append(burst)
    return by_round


def expected_bursts(labels: int, copies: int, rounds: int) -> Fraction:
    """Return the expected number of bursts of one shape in a game of `rounds` rounds.

    Raises BadInput unless labels >= 1, copies >= 2 and rounds >= 0.
    """
    return sum(burst_chain(labels, copies, rounds), Fraction(0))


def burst_count_distribution(labels: int, copies: int, rounds: int) -> list[Fraction]:
    """Return the chance of each number of bursts of one shape in a game; the index is the number.

    The list has rounds // 2 + 1 entries: a burst takes two draws at least.

    Raises BadInput unless labels >= 1, copies >= 2 and rounds >= 0.
    """
    labels, copies, rounds = _shape(labels, copies, rounds)
    games = {(0, 0): Fraction(1)}  # chance of (labels on display, bursts so far)
    for _ in range(rounds):
        after: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (k, bursts), chance in games.items():
            burst = burst_chance(k, labels, copies)
            if burst > 0:
                after[0, bursts + 1] += chance * burst
            if burst < 1:
                after[k + 1, bursts] += chance * (1 - burst)
        games = after
    distribution = [Fraction(0)] * (rounds // 2 + 1)
    for (_, bursts), chance in games.items():
        distribution[bursts] += chance
    return distribution


def loss_chance(
    column_display: Sequence[int], row_display: Sequence[int], column: int, row: int, copies: int
) -> Fraction:
    """Return the chance that workers on space (`row`, `column`) fail in the coming fall.

    "Any workers on the impact space fail their mining", and in a burst "every worker in that entire row or
    column fails". The displays say for each label how many of its chips are on display, 0 or 1, as they are
    before the fall; column and row count from 0.

    Raises BadInput when a display is empty or holds anything but 0 and 1, when the space is off the board,
    and unless copies >= 2.
    """
    impact, burst_only = loss_causes(column_display, row_display, column, row, copies)
    return impact + burst_only


def loss_causes(
    column_display: Sequence[int], row_display: Sequence[int], column: int, row: int, copies: int
) -> tuple[Fraction, Fraction]:
    """Return the chances (impact, burst only) that workers on a space fail; see `loss_chance`.

    "One hit by both counts as lost to the impact": the second is the chance that a burst hits the space while
    the impact is elsewhere, so the two add up to `loss_chance`.

    Raises BadInput as `loss_chance` does.
    """
    copies = whole("copies", copies, 2)
    column_drawn, column_shown = _label_draw("column", column_display, column, copies)
    row_drawn, row_shown = _label_draw("row", row_display, row, copies)
    impact = column_drawn * row_drawn
    burst_only = Fraction(0)
    if column_shown:
        burst_only += column_drawn * (1 - row_drawn)
    if row_shown:
        burst_only += row_drawn * (1 - column_drawn)
    return impact, burst_only


def mean_loss_by_round(columns: int, rows: int, copies: int, rounds: int) -> list[Fraction]:
    """Return the chance, for each round, that workers on a uniformly random space fail in its fall.

    The impact lies in the column and in the row that were drawn, so a fall hits 1 space, and rows - 1 more if
    the column bursts, and columns - 1 more if the row bursts.

    Raises BadInput unless columns >= 1, rows >= 1, copies >= 2 and rounds >= 0.
    """
    columns, rows = whole("columns", columns, 1), whole("rows", rows, 1)
    column_bursts = burst_chain(columns, copies, rounds)
    row_bursts = burst_chain(rows, copies, rounds)
    return [
        (1 + (rows - 1) * column_burst + (columns - 1) * row_burst) / (columns * rows)
        for column_burst, row_burst in zip(column_bursts, row_bursts, strict=True)
    ]


def _label_draw(shape: str, display: Sequence[int], label: int, copies: int) -> tuple[Fraction, bool]:
    """Return the chance that a shape's next draw is `label`, and whether that would burst."""
    shown = [whole(f"{shape}_display[{i}]", chips, 0) for i, chips in enumerate(display)]
    if not shown:
        raise BadInput(f"{shape}_display must have at least one label")
    for i, chips in enumerate(shown):
        if chips > 1:
            raise BadInput(f"{shape}_display[{i}] must be 0 or 1, not {chips}: a second chip bursts")
    label = whole(shape, label, 0)
    if label >= len(shown):
        raise BadInput(f"{shape} must be one of 0..{len(shown) - 1}, the labels of {shape}_display, not {label}")
    drawn = Fraction(copies - shown[label], len(shown) * copies - sum(shown))
    return drawn, shown[label] == 1


def _shape(labels: int, copies: int, rounds: int) -> tuple[int, int, int]:
    """Return the three as plain ints, or raise BadInput for the first that cannot be."""
    return whole("labels", labels, 1), whole("copies", copies, 2), whole("rounds", rounds, 0)
