"""Debrium's exact odds on a terminal: bursts round by round, and each space's chance to be lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from reports.console import table
from sim.debrium.exact import burst_odds, loss_causes
from sim.errors import BadInput


def burst_text(labels: int, copies: int, rounds: int, shown: str | None) -> list[Any]:
    """Return the tables of the burst chain and, when chips are shown, of each space's chance to be lost."""
    odds = burst_odds(labels, copies, rounds)
    chain = table(
        f"Bursts of one shape: {labels} labels, {copies} chips of each",
        ("round", "chance", "fraction"),
        ([str(k), f"{float(chance):.6f}", str(chance)] for k, chance in enumerate(odds.by_round, 1)),
    )
    counts = table(
        "Bursts of one shape in a game",
        ("bursts", "chance"),
        ([str(k), f"{float(chance):.6f}"] for k, chance in enumerate(odds.distribution) if chance),
    )
    mean = f"Expected in {rounds} rounds: {float(odds.expected):.6f} = {odds.expected}; of both shapes twice that."
    board = [_board(labels, copies, shown)] if shown is not None else []
    return [chain, "", counts, "", mean, *board]


def burst_data(labels: int, copies: int, rounds: int, shown: str | None) -> dict[str, Any]:
    """Return `odds --bursts --json`'s document; fractions are texts."""
    odds = burst_odds(labels, copies, rounds)
    document: dict[str, Any] = {
        "labels": labels,
        "copies": copies,
        "rounds": rounds,
        "by_round": [float(chance) for chance in odds.by_round],
        "by_round_exact": [str(chance) for chance in odds.by_round],
        "expected": float(odds.expected),
        "expected_exact": str(odds.expected),
        "distribution": [float(chance) for chance in odds.distribution],
    }
    if shown is not None:
        columns, rows = _displays(labels, shown)
        document["loss"] = [
            [float(sum(loss_causes(columns, rows, column, row, copies))) for column in range(labels)]
            for row in range(labels)
        ]
    return document


def _displays(labels: int, shown: str) -> tuple[list[int], list[int]]:
    """Return both displays from a text such as "2,4,B": digits are columns, letters are rows."""
    columns, rows = [0] * labels, [0] * labels
    letters = [chr(ord("A") + k) for k in range(labels)]
    for chip in filter(None, (word.strip().upper() for word in shown.split(","))):
        if chip in letters:
            rows[letters.index(chip)] += 1
        elif chip.isdecimal() and 1 <= int(chip) <= labels:
            columns[int(chip) - 1] += 1
        else:
            raise BadInput(f"--shown: {chip!r} is no column (1 to {labels}) and no row (A to {letters[-1]})")
    if max(columns + rows, default=0) > 1:
        raise BadInput("--shown: a chip stands twice; the second of a kind is a burst, and then none is shown")
    return columns, rows


def _board(labels: int, copies: int, shown: str) -> Any:
    """Return the board with each space's chance to be lost in the coming fall."""
    columns, rows = _displays(labels, shown)

    def chance(column: int, row: int) -> Fraction:
        return sum(loss_causes(columns, rows, column, row, copies), Fraction(0))

    lines = (
        [chr(ord("A") + row), *(f"{float(chance(column, row)):.1%}" for column in range(labels))]
        for row in range(labels)
    )
    return table("Chance that workers there are lost", ("", *(str(k + 1) for k in range(labels))), lines)
