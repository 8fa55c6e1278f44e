"""Checks that the intervals of a report's findings hold together: docs/statistics.md tells what this finds.

    python benchmarks/joint.py [--repetitions 300] [--games 2000] [--truth 1000000]

Plays many runs, each of its own seed, calls the findings of each as a report does, and counts the runs in which every
one of their joint intervals covers what a long run finds.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from dataclasses import replace

import click

from policies import pool
from reports.findings import Called, call
from reports.ranking import ends
from reports.runs import show
from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.played import played
from sim.rules import load
from sim.run import play


def called(batch: Batch, games: int) -> list[Called]:
    """Return the findings' values of one run with their joint intervals."""
    checks_of = importlib.import_module(f"reports.{batch.game}_findings").checks
    (shown,) = show([played(batch, play(batch, games))], lambda _: "base", ())
    return call(checks_of(shown))


@click.command()
@click.option("--repetitions", default=300, show_default=True)
@click.option("--games", default=2000, show_default=True)
@click.option("--truth", default=1_000_000, show_default=True, help="Games of the run that truth comes from.")
def main(repetitions: int, games: int, truth: int) -> None:
    """Print in how many runs all joint intervals hold, and which miss most often."""
    for name, sets in (("debrium", ("expansion=true",)), ("book_festival", ())):
        policies = pool(load_game(name), "mixed", 4)
        batch = Batch(name, load(name, sets=sets), LineUp(policies, "drawn"), 1)
        known = {(one.check.topic, one.subject): one.found.value for one in called(batch, truth)}
        hold, values, missed = 0, 0, Counter[str]()
        for seed in range(1000, 1000 + repetitions):
            misses = []
            for one in (found := called(replace(batch, seed=seed), games)):
                low, high = ends(one.found)
                value = known.get((one.check.topic, one.subject), math.nan)
                if math.isnan(value) or math.isnan(one.found.low):  # too rare there, or nothing is claimed here
                    continue
                if not low - 1e-9 <= value <= high + 1e-9:
                    misses.append(f"{one.check.topic} {one.subject}")
            hold, values = hold + (not misses), values + len(found)
            missed.update(misses)
        worst = ", ".join(f"{what} {times}" for what, times in missed.most_common(5)) or "none"
        print(
            f"{name}: all of {values / repetitions:.0f} intervals hold in {hold} of {repetitions} runs of "
            f"{games:,} games ({hold / repetitions:.1%}); missed most: {worst}"
        )


if __name__ == "__main__":
    main()
