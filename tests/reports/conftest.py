"""Small real runs to report on, played once: each seat plays at random, under several names."""

import dataclasses
from collections.abc import Callable, Sequence

import pytest

from policies import load as load_policy
from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.played import Played, played
from sim.rules import load
from sim.run import play

#: A name that would be a script in a page, mathematics in a chart and a column in a table.
HOSTILE = "<script>alert('x')</script> $x_1$ | `a` & \\N"

GAMES = 2000

Play = Callable[..., Played]


@pytest.fixture(scope="session")
def play_run() -> Play:
    """Play a run of random seats: rules changes, names of the policies, games, line-up."""

    def run(
        *sets: str,
        labels: Sequence[str] = ("calm", "wild", "wise", "wary", "late"),
        games: int = GAMES,
        mode: str = "drawn",
        name: str | None = None,
    ) -> Played:
        policy = load_policy(load_game("debrium"), "random_legal")
        pool = tuple(dataclasses.replace(policy, label=label) for label in labels)
        batch = Batch("debrium", load("debrium", sets=sets, name=name), LineUp(pool, mode), 1)
        return played(batch, play(batch, games, 2))

    return run


@pytest.fixture(scope="session")
def four_runs(play_run: Play) -> list[Played]:
    """3 and 4 players, base and expansion."""
    return [
        play_run(f"players={players}", f"expansion={expansion}")
        for players in (3, 4)
        for expansion in ("false", "true")
    ]
