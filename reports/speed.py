"""What `steelyard bench` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group

from reports.console import table
from sim.speed import Speed


def bench_table(speeds: Sequence[Speed]) -> list[Group]:
    """Return the table of speeds: games a second, and the ratios that a noisy machine leaves meaningful."""
    counts = sorted({count for speed in speeds for count in speed.by_threads})
    heads = ["game", "line-up", "bare loop", *(f"{c} thread{'s' * (c > 1)}" for c in counts), "counting"]
    heads += [f"x{count}" for count in counts[1:]]
    rows = [
        [
            speed.game,
            speed.line_up,
            f"{speed.bare:,.0f}/s",
            *(f"{speed.by_threads[count]:,.0f}/s" for count in counts),
            f"{speed.counting:.0%}",
            *(f"{speed.scaling(count):.2f}" for count in counts[1:]),
        ]
        for speed in speeds
    ]
    return [table("Games a second (medians of one run)", heads, rows, left=2)]


def bench_data(speeds: Sequence[Speed]) -> list[dict[str, Any]]:
    """Return `bench --json`'s document."""
    return [
        {
            "game": speed.game,
            "line_up": speed.line_up,
            "bare_games_per_second": round(speed.bare),
            "games_per_second": {str(count): round(pace) for count, pace in speed.by_threads.items()},
            "counting_share": speed.counting,
            "scaling": {str(count): speed.scaling(count) for count in speed.by_threads},
        }
        for speed in speeds
    ]
