"""Checks that every metric's interval covers the truth, also where few games count: docs/statistics.md has its table.

    python benchmarks/intervals.py [--repetitions 1000] [--truth 4000000]

Plays many runs, each of its own seed, and counts for every metric of both games how often its 95 % interval covers
what a long run finds. Metrics are told by how many effective games count in a run on average; a run that says nothing
of a metric counts as neither and is told as silent.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import click
import numpy as np

from policies import pool
from sim.batch import Batch, LineUp
from sim.blocks import Totals
from sim.game import load_game
from sim.rules import load
from sim.run import play

#: Edges of the classes in which metrics are told, by effective games that count in a run.
_EDGES = (0.0, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, math.inf)
_LEAST, _MOST = 0.92, 0.995


def batch_of(name: str, *sets: str) -> Batch:
    """Return the mixed line-up in a variant."""
    game, rules = load_game(name), load(name, sets=sets)
    return Batch(name, rules, LineUp(pool(game, "mixed", 4), "drawn"), 1)


def truth_of(totals: Totals, slot: int) -> float:
    """Return what a long run finds; NaN for what it never or always found, which no interval can miss."""
    n, d, nn, nd, dd = (int(number) for number in totals.sums[slot])
    return totals.estimate(slot).value if nn * d * d - 2 * n * d * nd + n * n * dd > 0 else math.nan


def coverage(batch: Batch, games: int, repetitions: int, truth: np.ndarray) -> np.ndarray:
    """Return, for each metric, (covered, told, silent, counted): sums over the repetitions."""
    metrics = batch.layout().metrics
    found = np.zeros((len(metrics), 4))
    for seed in range(1000, 1000 + repetitions):
        totals = play(replace(batch, seed=seed), games)
        for slot, metric in enumerate(metrics):
            if metric.is_label or math.isnan(truth[slot]):
                continue
            of = totals.estimate(slot)
            is_silent = math.isnan(of.low)
            is_covered = not is_silent and of.low - 1e-9 <= truth[slot] <= of.high + 1e-9
            found[slot] += is_covered, not is_silent, is_silent, of.counted
    return found


@click.command()
@click.option("--repetitions", default=1000, show_default=True)
@click.option("--truth", default=4_000_000, show_default=True, help="Games of the run that truth comes from.")
@click.option("--games", "sizes", multiple=True, type=int, default=(1000, 3000, 10_000), show_default=True)
@click.option("--all", "is_all", is_flag=True, help="Name every metric outside 92 to 99.5 %.")
def main(repetitions: int, truth: int, sizes: tuple[int, ...], is_all: bool) -> None:
    """Print coverage by how many games count."""
    for batch in (batch_of("debrium", "expansion=true"), batch_of("book_festival")):
        totals = play(batch, truth)
        metrics = batch.layout().metrics
        values = np.array([truth_of(totals, slot) for slot in range(len(metrics))])
        for games in sizes:
            found = coverage(batch, games, repetitions, values)
            covered, told, silent, counted = found.T
            mean = counted / repetitions
            print(f"{batch.game}, {repetitions} runs of {games} games")
            for low, high in pairwise(_EDGES):
                here = (mean >= low) & (mean < high) & (told + silent > 0)
                share = covered[here] / np.maximum(1, told[here])
                telling = told[here] > 0.1 * repetitions
                mark = share[telling]
                if len(mark):
                    print(
                        f"  {low:>5g} to {high:<5g} {here.sum():4} metrics: {mark.min():6.1%} {np.median(mark):6.1%} "
                        f"{mark.max():6.1%} covered; below {(mark < _LEAST).sum():3}, "
                        f"above {(mark > _MOST).sum():3}; "
                        f"silent {silent[here].sum() / (told + silent)[here].sum():5.1%}"
                    )
            if is_all:
                for slot, metric in enumerate(metrics):
                    share = covered[slot] / max(1, told[slot])
                    if told[slot] > 0.1 * repetitions and not _LEAST <= share <= _MOST:
                        print(f"    {metric.name:45} {share:6.1%} counted {mean[slot]:8.1f} true {values[slot]:.6g}")


if __name__ == "__main__":
    main()
