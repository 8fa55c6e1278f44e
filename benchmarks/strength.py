"""Measures how strong the best policies are: one of them at a table of any other, as docs/strength.md tells.

    python benchmarks/strength.py [--games 20k]

For each game and number of seats: the win rate of `prospector` or `bookseller` with its interval, one among all other
seats of one policy, the hardest table last.
"""

from __future__ import annotations

import json
import subprocess
import sys

import click

from policies import names
from sim.game import load_game

HEROES = (("debrium", "prospector", (3, 4)), ("book_festival", "bookseller", (3, 4, 6)))


def win_rate(game: str, seats: int, hero: str, others: str, games: str) -> tuple[float, float]:
    """Return a policy's win rate among others, and its half-width."""
    line_up = ",".join([hero, *[others] * (seats - 1)])
    words = ["run", game, "--players", str(seats), "--policies", line_up, "--games", games, "--json"]
    out = subprocess.run([sys.executable, "-m", "cli", *words], capture_output=True, check=True)
    (found,) = (row for row in json.loads(out.stdout)["policies"] if row["policy"] == hero)
    return found["win_rate"], found["half_width"]


@click.command()
@click.option("--games", default="20k", show_default=True)
def main(games: str) -> None:
    """Measure and print."""
    for game, hero, tables in HEROES:
        for seats in tables:
            print(f"{hero}, {game}, {seats} seats (fair {1 / seats:.1%})", flush=True)
            found = {
                others: win_rate(game, seats, hero, others, games)
                for others in names(load_game(game))
                if others != hero
            }
            for others, (rate, half) in sorted(found.items(), key=lambda item: -item[1][0]):
                print(f"  among {others:20}{rate:8.1%} ± {half:.1%}", flush=True)


if __name__ == "__main__":
    main()
