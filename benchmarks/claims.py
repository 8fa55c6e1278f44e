"""Measures what docs/performance.md says, each claim as a ratio or a figure of one run on this machine.

    python benchmarks/claims.py [--quick]

Prints a table of claim, measured, wanted. Nothing is asserted: a busy machine is no failure.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time

STEELYARD = [sys.executable, "-m", "cli"]


def run(*arguments: str) -> tuple[float, int]:
    """Run a command; return its seconds and its peak memory in bytes."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    started = time.perf_counter()
    out = subprocess.run([sys.executable, "-c", code, *STEELYARD, *arguments], capture_output=True, check=True)
    return time.perf_counter() - started, int(out.stdout) * 1024


def bench(games: str) -> dict[str, dict[str, object]]:
    """Return `steelyard bench`'s figures by line-up."""
    out = subprocess.run(
        [*STEELYARD, "bench", "debrium", "--games", games, "--json"], capture_output=True, check=True
    )
    return {row["line_up"]: row for row in json.loads(out.stdout)}


def main() -> None:
    """Measure and print."""
    is_quick = "--quick" in sys.argv
    run("run", "debrium", "--games", "1k")
    rows: list[tuple[str, str, str]] = []
    speeds = bench("20k" if is_quick else "400k")
    for name, wanted in (("random_legal", "150 000 games/s"), ("prospector", "40 000 games/s")):
        paces = speeds[name]["games_per_second"]
        assert isinstance(paces, dict)
        rows.append((f"{name}, one thread", f"{paces['1']:,} games/s", wanted))
        rows.append((f"{name}, two threads over one", f"{paces['2'] / paces['1']:.2f}", "1.85"))
        rows.append((f"{name}, share of time that counting takes", f"{speeds[name]['counting_share']:.1%}", "< 15 %"))
    starts = [run("run", "debrium", "--policies", "random_legal", "--games", "1k")[0] for _ in range(5)]
    rows.append(("warm start to first result", f"{statistics.median(starts):.2f} s", "< 1.5 s"))
    small, large = ("100k", "1M") if is_quick else ("1M", "10M")
    memory = [run("run", "debrium", "--policies", "random_legal", "--games", games)[1] for games in (small, large)]
    rows.append((f"peak memory, {large} games over {small}", f"{memory[1] / memory[0]:.2f}", "< 1.10"))
    rows.append(("peak memory", f"{memory[1] / 2**20:.0f} MiB", ""))
    width = max(len(row[0]) for row in rows)
    for claim, measured, wanted in rows:
        print(f"{claim:{width}}  {measured:>16}  {wanted}")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"cpu of all measures: {usage.ru_utime + usage.ru_stime:.0f} s")


if __name__ == "__main__":
    main()
