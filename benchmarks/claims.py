"""Measures the first table of docs/performance.md, each claim as a figure or a ratio of one run on this machine.

    python benchmarks/claims.py [speed|questions|sweeps|start]... [--quick]

Prints a table of claim, measured, wanted for each part (all, when none is named). No figure is asserted: a busy
machine is no failure. It stops only when `ask` and `run` tell different numbers of the same games. What keeping
blocks costs is measured in turns, and the medians are told.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

STEELYARD = [sys.executable, "-m", "cli"]
ROUNDS = 3
#: Every built-in policy of Debrium that does not read the Mining King's bonus.
BLIND = "king_racer,greedy,deep_digger,debt_avoider"

Row = tuple[str, str, str]


def run(*arguments: str) -> tuple[float, int]:
    """Run a command; return its seconds and its peak memory in bytes."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    started = time.perf_counter()
    out = subprocess.run([sys.executable, "-c", code, *STEELYARD, *arguments], capture_output=True, check=True)
    return time.perf_counter() - started, int(out.stdout) * 1024


def answer(*arguments: str) -> Any:
    """Return a command's JSON document."""
    out = subprocess.run([*STEELYARD, *arguments, "--json"], capture_output=True, check=True)
    return json.loads(out.stdout)


def in_turns(*measures: Callable[[], float]) -> list[float]:
    """Return the median of each measure, taken in turns."""
    taken = [[measure() for measure in measures] for _ in range(ROUNDS)]
    return [statistics.median(of) for of in zip(*taken, strict=True)]


def speed(is_quick: bool) -> Iterator[Row]:
    """Games a second, what counting takes, two threads over one."""
    wanted = {
        ("debrium", "random_legal"): "150 000 games/s",
        ("debrium", "prospector"): "40 000 games/s",
        ("book_festival", "random_legal"): "20 000 games/s",
        ("book_festival", "bookseller"): "8 000 games/s",
    }
    for game, games in (("debrium", "20k" if is_quick else "400k"), ("book_festival", "5k" if is_quick else "100k")):
        for row in answer("bench", game, "--games", games):
            name = f"{game}, {row['line_up']}"
            if (game, row["line_up"]) in wanted:
                paces = row["games_per_second"]
                yield f"{name}: one thread", f"{paces['1']:,} games/s", wanted[game, row["line_up"]]
                yield f"{name}: two threads over one", f"{paces['2'] / paces['1']:.2f}", "1.85"
                yield f"{name}: share of time that counting takes", f"{row['counting_share']:.1%}", "< 15 %"
    played = answer("run", "book_festival", "--policies", "random_legal", "--games", "20k", "--threads", "1")
    metrics = played["metrics"]
    actions = 4 * sum(found["mean"] for name, found in metrics.items() if name.startswith("actions_"))
    decisions = actions * 20_000 / played["seconds"]
    yield "book_festival, random_legal: an action", f"{1e9 / decisions:.0f} ns", "150 ns"


def questions(is_quick: bool) -> Iterator[Row]:
    """The designer's question, and whether its exact and its drawn answer agree."""
    games = "50k" if is_quick else "1M"
    started = time.perf_counter()
    found = answer("ask", "leader-loss", "--games", games)
    yield f"ask leader-loss, {games} games", f"{time.perf_counter() - started:.0f} s", "< 120 s"
    metrics = answer("run", "book_festival", "--games", games)["metrics"]
    exact, drawn = metrics["leader_loses"], metrics["leader_lost"]
    assert found["value"] == exact["mean"]
    away = abs(exact["mean"] - drawn["mean"]) / (drawn["half_width"] / 1.96)
    yield "leader-loss, drawn from exact, standard errors", f"{away:.1f}", "< 4"
    saved = (drawn["half_width"] / exact["half_width"]) ** 2
    yield "games that the drawn answer needs over the exact", f"{saved:.1f}", ""


def sweeps(is_quick: bool) -> Iterator[Row]:
    """What a sweep costs beside a run, what keeping blocks costs, and what common games save."""
    cells, games = (5, 20_000) if is_quick else (100, 100_000)
    king = f"mining_king_bonus=0:{cells - 1}:1"
    who = ("--policies", "prospector")
    vary = ("sweep", "debrium", *who, "--vary", king, "--games", str(games))
    plain = ("run", "debrium", *who, "--games", str(games * 10))
    paced = in_turns(lambda: run(*plain)[0] / games / 10)[0]
    seconds, memory = run(*vary)
    yield f"sweep of {cells} cells, {games:,} games each, prospector", f"{seconds:.0f} s", ""
    yield "a game of it over one of `run`", f"{seconds / cells / games / paced:.2f}", "< 1.10"
    yield "its peak memory", f"{memory / 2**20:.0f} MiB", ""
    few = ("sweep", "debrium", *who, "--vary", king, "--games", str(games // 4))
    yield "its peak memory over that of a quarter of the games", f"{memory / run(*few)[1]:.2f}", ""
    many = ("run", "debrium", "--policies", "random_legal", "--games", "100k" if is_quick else "3M")

    def kept() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return run(*many, "--out", str(Path(folder) / "run"))[0]

    without, with_blocks = in_turns(lambda: run(*many)[0], kept)
    yield "run with --out over run without, random_legal", f"{with_blocks / without:.3f}", "< 1.03"
    change = ("compare", "debrium", "--set", "mining_king_bonus=16", "--games", "100k" if is_quick else "1M")
    for name, line_up in (("archetypes that ignore the bonus", BLIND), ("prospector", "prospector")):
        differences = answer(*change, "--policies", line_up)["differences"]
        (found,) = (row for row in differences if row["metric"] == "king_decided")
        wanted = "> 3" if line_up == BLIND else ""
        yield f"King decides, 15 to 16, {name}: games saved", f"{found['saved']:.1f}", wanted


def start(is_quick: bool) -> Iterator[Row]:
    """How long a command takes to begin, and its memory."""
    starts = [run("run", "debrium", "--policies", "random_legal", "--games", "1k")[0] for _ in range(5)]
    yield "warm start to first result", f"{statistics.median(starts):.2f} s", "< 1.5 s"
    small, large = ("100k", "1M") if is_quick else ("1M", "10M")
    memory = [run("run", "debrium", "--policies", "random_legal", "--games", games)[1] for games in (small, large)]
    yield f"peak memory, {large} games over {small}", f"{memory[1] / memory[0]:.2f}", "< 1.10"
    yield "peak memory", f"{memory[1] / 2**20:.0f} MiB", ""


PARTS = {"speed": speed, "questions": questions, "sweeps": sweeps, "start": start}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--quick", is_flag=True, help="Few games: whether it works, not how fast it is.")
def main(parts: tuple[str, ...], quick: bool) -> None:
    """Measure and print."""
    for game in ("debrium", "book_festival"):
        run("run", game, "--games", "1k")  # what is compiled once is not measured
    for part in parts or PARTS:
        for claim, measured, wanted in PARTS[part](quick):
            print(f"{claim:68}{measured:>18}  {wanted}", flush=True)


if __name__ == "__main__":
    main()
