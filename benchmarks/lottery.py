"""The MVP lottery: nanoseconds a call, ten million draws against the exact chances, and what exactness saves.

    python benchmarks/lottery.py

Exactness saves games: a game's chances vary less from game to game than who is drawn, so that an interval of
the same width needs fewer games. How many fewer depends on how the stars of a game's end are spread; here they
are drawn evenly, each seat's on its own.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from sim.book_festival.lottery import LOTTERY, REDRAW, TIES, draw_mvp, exact_chances, mvp_chances
from sim.jit import jit
from sim.rng import STREAM, start

_ROUNDS = 15
_CASES = ((3, 5, 15), (4, 1, 15), (4, 5, 15), (4, 10, 15), (4, 30, 15), (6, 5, 15), (6, 30, 15), (6, 30, 60))
_DRAWN_GAMES = 10_000_000
_SAVING_GAMES = 200_000


@jit
def chances_of(bags, seats, draws, tie, lottery, chances):
    """Work out the chances of each bag."""
    for game in range(len(bags)):
        mvp_chances(bags[game], seats, draws, tie, lottery, chances[game])


@jit
def draws_of(bags, seats, draws, tie, chance, drawn, wins):
    """Draw the MVP of each bag; a win is 1, divided among those who share it."""
    for game in range(len(bags)):
        first, _ = draw_mvp(bags[game], seats, draws, tie, chance, drawn)
        sharing = 0
        for seat in range(seats):
            sharing += first >> seat & 1
        for seat in range(seats):
            wins[game, seat] = (first >> seat & 1) / sharing


@jit
def draw_one_bag(stars, seats, draws, tie, games, chance, drawn, wins):
    """Draw the MVP of one bag again and again; a win counts 60, divided among those who share it."""
    for _ in range(games):
        first, _ = draw_mvp(stars, seats, draws, tie, chance, drawn)
        sharing = 0
        for seat in range(seats):
            sharing += first >> seat & 1
        for seat in range(seats):
            wins[seat] += (first >> seat & 1) * 60 // sharing


def stream() -> Any:
    """A stream of chance."""
    made = np.zeros(1, STREAM).view(np.recarray)
    start(made, 1, 0, 1)
    return made[0]


def random_bags(games: int, seats: int, mean: int) -> Any:
    """Bags with about `mean` stars of each seat, give or take a half."""
    return np.random.default_rng(1).integers(mean // 2, mean + mean // 2 + 1, (games, seats))


def nanoseconds(call: Callable[[], object], games: int) -> tuple[float, float]:
    """The least and the median time a game, in nanoseconds."""
    call()
    taken = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        call()
        taken.append((time.perf_counter() - began) / games * 1e9)
    return min(taken), statistics.median(taken)


def time_calls() -> None:
    """Print the time of a call by seats, draws and stars."""
    lottery = np.zeros(1, LOTTERY).view(np.recarray)[0]
    print("ns a game (least, median)          chances            draw")
    for seats, draws, mean in _CASES:
        games = 4_000 if draws < 20 else 400
        bags, chances, drawn = random_bags(games, seats, mean), np.zeros((games, seats)), np.zeros(600, np.int64)
        exact = nanoseconds(lambda: chances_of(bags, seats, draws, REDRAW, lottery, chances), games)  # noqa: B023
        draw = nanoseconds(lambda: draws_of(bags, seats, draws, REDRAW, stream(), drawn, chances), games)  # noqa: B023
        figures = "  ".join(f"{least:8.0f} {median:8.0f}" for least, median in (exact, draw))
        print(f"{seats} seats, {draws:2} draws, {mean} stars  {figures}")


def check_draws() -> None:
    """Print how far ten million draws lie from the exact chances, in standard errors."""
    stars = (20, 16, 12, 8)
    drawn = np.zeros(sum(stars), np.int64)
    print(f"\n{_DRAWN_GAMES:,} draws of 5 chips from stars {stars}")
    for tie_code, tie in enumerate(TIES):
        wins = np.zeros(len(stars), np.int64)
        draw_one_bag(np.array(stars), len(stars), 5, tie_code, _DRAWN_GAMES, stream(), drawn, wins)
        for won, chance in zip(wins / 60 / _DRAWN_GAMES, map(float, exact_chances(stars, 5, tie)), strict=True):
            off = (won - chance) / (chance * (1 - chance) / _DRAWN_GAMES) ** 0.5
            print(f"{tie:8} drawn {won:.6f}, exact {chance:.6f}, {off:+.2f} standard errors")


def measure_saving() -> None:
    """Print how many times as many games the drawn MVP needs for the same interval."""
    lottery = np.zeros(1, LOTTERY).view(np.recarray)[0]
    print("\nvariance over games             drawn     exact   times")
    for seats, draws, mean in ((4, 1, 15), (4, 5, 15), (4, 30, 15), (6, 5, 15)):
        bags = random_bags(_SAVING_GAMES, seats, mean)
        chances, wins = np.zeros(bags.shape), np.zeros(bags.shape)
        chances_of(bags, seats, draws, REDRAW, lottery, chances)
        draws_of(bags, seats, draws, REDRAW, stream(), np.zeros(600, np.int64), wins)
        leads = bags == bags.max(axis=1, keepdims=True)
        for what, drawn, exact in (
            ("a seat's win", wins[:, 0], chances[:, 0]),
            ("leader loses", 1 - (wins * leads).sum(axis=1), 1 - (chances * leads).sum(axis=1)),
        ):
            saved = drawn.var() / exact.var()
            print(f"{seats} seats, {draws:2} draws, {what}  {drawn.var():8.5f}  {exact.var():8.5f}  {saved:6.1f}")


if __name__ == "__main__":
    time_calls()
    check_draws()
    measure_saving()
