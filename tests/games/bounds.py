"""Plays a game's golden variants many times and prints what was counted: `python -m tests.games.bounds GAME`.

With NUMBA_BOUNDSCHECK=1 every index is checked, the engine's own too. That this is so is tried first: a policy
that goes astray, though it be trusted, must be told.
"""

from __future__ import annotations

import json
import sys

from sim.run import play
from tests.games.every import KITS
from tests.games.kit import Kit
from tests.games.meddler import READS, meddler

GAMES = 3000


def counted(kit: Kit, threads: int) -> list[str]:
    """All sums of a few thousand games of each golden variant, as text."""
    runs = [play(kit.stage.random_batch(*sets), GAMES, threads) for sets in kit.golden.values()]
    return [json.dumps(run.sums.tolist()) for run in runs]


def try_the_checks(kit: Kit) -> None:
    """Fail unless indices are checked in this process."""
    meddling = kit.meddling
    pool = [meddler(kit)] * kit.stage.rules_of(*meddling.sets).values["players"]
    pool[meddling.places[0].seat] = meddler(kit, READS, meddling.places[0].decision, meddling.length, is_trusted=True)
    assert "IndexError" in str(kit.stage.fault_of(meddling.sets, *pool))


if __name__ == "__main__":
    kit = KITS[sys.argv[1]]
    try_the_checks(kit)
    print(*counted(kit, threads=1), sep="\n")
