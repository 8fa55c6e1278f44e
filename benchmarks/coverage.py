"""Checks that intervals at a stopping time cover the truth: what docs/statistics.md says of `--precision`.

    python benchmarks/coverage.py [--repetitions 1000] [--block-games 100]

Plays many short runs, each of its own seed, until what is watched is within a half-width, and counts how often the
interval at that moment covers the truth: known exactly (seats win alike; bursts follow a chain), or, for differences,
from one long comparison. Small blocks make looks early and many, which is hardest on an asymptotic interval. The
ordinary interval of the same runs is told beside it: it is what stopping spoils.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from policies import pool
from sim.batch import Batch, LineUp
from sim.debrium.exact import burst_odds
from sim.game import load_game
from sim.precision import difference, estimate
from sim.rules import load
from sim.sweep import Goal, Sweep
from sim.workers import Threads


@dataclass(frozen=True)
class Experiment:
    """Batches to play, the metric to know, its half-width and its true value (None: from a long comparison)."""

    title: str
    batches: Sequence[Batch]
    metric: str
    half_width: float
    truth: float | None


def batch(block_games: int, *sets: str) -> Batch:
    """Return four random_legal in a variant."""
    rules = load("debrium", sets=sets)
    return Batch("debrium", rules, LineUp(pool(load_game("debrium"), "random_legal", 4), "shuffled"), 1, block_games)


def experiments(size: int) -> list[Experiment]:
    """Return what is checked, with half-widths that take several looks."""
    scale = (size / 100) ** -0.5
    base, variant = batch(size), batch(size, "mining_king_bonus=5")
    column_bursts = float(burst_odds(4, 2, 10).expected)
    return [
        Experiment("a seat's win rate", [base], "win_rate_by_seat[0]", 0.015 * scale, 0.25),
        Experiment("column bursts a game", [base], "bursts_column", 0.014 * scale, column_bursts),
        Experiment("a rare share", [base], "king_tied_if_king", 0.012 * scale, None),
        Experiment("a paired difference", [base, variant], "king_decided", 0.012 * scale, None),
    ]


def play(batches: Sequence[Batch], goal: Goal) -> Sweep:
    """Play until the goal."""
    sweep = Sweep(batches, goal)
    with Threads(batches) as workers:
        sweep.play(workers, lambda games: None)
    return sweep


def measured(sweep: Sweep, metric: str) -> tuple[float, float, float]:
    """Return the value, its half-width at a stopping time, and that of an interval for a fixed number of games."""
    if len(sweep.cells) == 1:
        totals = sweep.cells[0].totals
        slot = totals.layout.index()[metric]
        of = totals.sums[slot], totals.games, totals.layout.metrics[slot].scale
        is_share = totals.layout.metrics[slot].is_share
        found = estimate(*of, is_share=is_share, planned=totals.planned)
        return found.value, found.half_width, estimate(*of, is_share=is_share).half_width
    pairs = sweep.cells[1].pairs
    place = [m.name for m in pairs.metrics].index(metric)
    at_stop = difference(pairs.sums[place], pairs.units, planned=pairs.planned, looked=pairs.games)
    fixed = difference(pairs.sums[place], pairs.units)
    assert at_stop is not None
    assert fixed is not None
    return at_stop.value, at_stop.half_width, fixed.half_width


@click.command()
@click.option("--repetitions", default=1000, show_default=True)
@click.option("--block-games", default=100, show_default=True)
def main(repetitions: int, block_games: int) -> None:
    """Run the experiments and print a line for each."""
    print(f"{repetitions} runs each, blocks of {block_games} games")
    print(f"{'':24}{'within':>9}{'covered':>10}{'ordinary':>10}{'games, mean':>13}{'looks':>7}")
    for experiment in experiments(block_games):
        truth = experiment.truth
        if truth is None:
            truth = measured(play(experiment.batches, Goal(4_000_000)), experiment.metric)[0]
        hits = ordinary = games = looks = 0
        for seed in range(1000, 1000 + repetitions):
            seeded = [replace(of, seed=seed) for of in experiment.batches]
            sweep = play(seeded, Goal(0, experiment.half_width, (experiment.metric,)))
            value, half_width, fixed = measured(sweep, experiment.metric)
            hits += abs(value - truth) <= half_width
            ordinary += abs(value - truth) <= fixed
            games += sweep.cells[-1].totals.games
            looks += sweep.cells[-1].blocks // 16 - 2
        print(
            f"{experiment.title:24}{experiment.half_width:9.4f}{hits / repetitions:10.1%}"
            f"{ordinary / repetitions:10.1%}{games / repetitions:13,.0f}{looks / repetitions:7.1f}"
        )


if __name__ == "__main__":
    main()
