"""What is played: line-up x rules x seed, and getting it compiled."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.blocks import Layout, layout
from sim.desk import MAX_POOL
from sim.errors import BadInput
from sim.game import load_game
from sim.jit import cache_folder, cache_root, is_compiled, is_disabled
from sim.kernel import kernel_of
from sim.policy import Policy, compile_policy, needs_compiling
from sim.rules import Rules
from sim.schedule import Schedule, schedule

_ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class LineUp:
    """Who plays: `fixed` and `shuffled` pools have a policy for each seat, a `drawn` one has more."""

    pool: tuple[Policy, ...]
    mode: str

    @property
    def labels(self) -> tuple[str, ...]:
        """The different policies, in the order in which they were named."""
        return tuple(dict.fromkeys(policy.label for policy in self.pool))


@dataclass(frozen=True)
class Batch:
    """Everything that determines results but the number of games: this is what a run's identity hashes.

    `block_games` makes all blocks of one size; 0: by where they lie, see `sim.schedule`.
    """

    game: str
    rules: Rules
    line_up: LineUp
    seed: int
    block_games: int = 0

    def __post_init__(self) -> None:
        seats, _ = load_game(self.game).shape(self.rules.values)
        if not 1 <= len(self.line_up.pool) <= MAX_POOL:
            raise BadInput(f"--policies: a pool has 1 to {MAX_POOL} policies, not {len(self.line_up.pool)}")
        if self.line_up.mode != "drawn" and len(self.line_up.pool) != seats:
            raise BadInput(f"--policies: {len(self.line_up.pool)} policies for {seats} seats")

    @property
    def schedule(self) -> Schedule:
        """Which games make which block."""
        return schedule(self.block_games)

    def layout(self) -> Layout:
        """Return what is counted where, one object for all batches in which it is the same."""
        return _layout(self.game, self.line_up.labels, *load_game(self.game).shape(self.rules.values))


@functools.lru_cache(64)
def _layout(game: str, labels: tuple[str, ...], seats: int, rounds: int) -> Layout:
    """Make a layout: 100 KiB, which a sweep of a thousand cells does not want a thousand times."""
    return layout(load_game(game).outcomes, labels, seats, rounds)


def is_engine_compiled(game: str) -> bool:
    """Tell whether a game's kernel is on disk, compiled from these sources."""
    return is_compiled(cache_folder(False, game), f"kernel.play_blocks_{game}")


def to_compile(batches: Sequence[Batch]) -> list[str]:
    """Return what has to be compiled before the batches can be played: engines, then policies by name."""
    if is_disabled():
        return []
    games = dict.fromkeys(batch.game for batch in batches)
    policies = {
        (batch.game, policy.source, policy.is_trusted): (batch.game, policy)
        for batch in batches
        for policy in batch.line_up.pool
    }
    engines = [f"{game} engine" for game in games if not is_engine_compiled(game)]
    return [
        *engines,
        *dict.fromkeys(policy.name for game, policy in policies.values() if needs_compiling(game, policy)),
    ]


def compile_all(batches: Sequence[Batch]) -> None:
    """Compile what the batches need; the engine in a process of its own beside the policies, where both are due.

    numba compiles one thing at a time in a process. What the other process compiles is found on disk.
    """
    for name in dict.fromkeys(batch.game for batch in batches):
        of = [batch for batch in batches if batch.game == name]
        helper = None
        missing = not is_disabled() and not is_engine_compiled(name)
        if missing and any(needs_compiling(name, policy) for policy in of[0].line_up.pool):
            code = f"from sim.kernel import kernel_of; kernel_of({name!r})"
            env = {**os.environ, "STEELYARD_CACHE_DIR": str(cache_root())}  # it may be relative, or a temporary one
            helper = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL, cwd=_ROOT, env=env)
        try:
            for batch in of:
                for policy in batch.line_up.pool:
                    compile_policy(load_game(name), policy)
            if helper:
                helper.wait()
        finally:
            if helper and helper.poll() is None:
                helper.kill()
        kernel_of(name)


def prepare(batches: Sequence[Batch], say: Callable[[str], None]) -> None:
    """Compile what the batches need, once for each machine and version; `say` is told before and after."""
    missing = to_compile(batches)
    if missing:
        engines = [name for name in missing if name.endswith(" engine")]
        policies = [name for name in missing if name not in engines]
        more = f" and {len(policies) - 3} more policies" if len(policies) > 3 else ""
        say(f"compiling {', '.join(engines + policies[:3])}{more} (once on this machine; a minute or so) ...")
    started = time.perf_counter()
    compile_all(batches)
    if missing:
        say(f"compiled in {time.perf_counter() - started:.0f} s")
