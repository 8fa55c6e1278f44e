"""What is played: line-up x rules x seed, and getting it compiled.

A *block* is BLOCK_GAMES consecutive games, the unit of work, of pairing and of what an interruption keeps. A
*group* is GROUP_BLOCKS consecutive blocks, the unit of what is kept on disk and of looks at a precision.
"""

from __future__ import annotations

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
from sim.jit import cache_folder, is_compiled, is_disabled
from sim.kernel import kernel_of
from sim.policy import Policy, compile_policy, needs_compiling
from sim.rules import Rules

BLOCK_GAMES = 1000
#: No kernel call has more blocks than a group: its sums of squares must stay within int64.
GROUP_BLOCKS = 16
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
    """Everything that determines results but the number of games: this is what a run's identity hashes."""

    game: str
    rules: Rules
    line_up: LineUp
    seed: int
    block_games: int = BLOCK_GAMES

    def __post_init__(self) -> None:
        seats, _ = load_game(self.game).shape(self.rules.values)
        if not 1 <= len(self.line_up.pool) <= MAX_POOL:
            raise BadInput(f"--policies: a pool has 1 to {MAX_POOL} policies, not {len(self.line_up.pool)}")
        if self.line_up.mode != "drawn" and len(self.line_up.pool) != seats:
            raise BadInput(f"--policies: {len(self.line_up.pool)} policies for {seats} seats")

    def layout(self) -> Layout:
        """Return what is counted where."""
        game = load_game(self.game)
        return layout(game.outcomes, self.line_up.labels, *game.shape(self.rules.values))


def is_engine_compiled(game: str) -> bool:
    """Tell whether a game's kernel is on disk, compiled from these sources."""
    return is_compiled(cache_folder(False), f"kernel.play_blocks_{game}")


def to_compile(batch: Batch) -> list[str]:
    """Return what has to be compiled before the batch can be played: the engine, policies by name."""
    if is_disabled():
        return []
    engine = [] if is_engine_compiled(batch.game) else [f"{batch.game} engine"]
    names = dict.fromkeys(p.name for p in batch.line_up.pool if needs_compiling(p))
    return [*engine, *names]


def compile_all(batches: Sequence[Batch]) -> None:
    """Compile what the batches need; the engine in a process of its own beside the policies, where both are due.

    numba compiles one thing at a time in a process. What the other process compiles is found on disk.
    """
    for name in dict.fromkeys(batch.game for batch in batches):
        of = [batch for batch in batches if batch.game == name]
        helper = None
        if not is_disabled() and not is_engine_compiled(name) and any(map(needs_compiling, of[0].line_up.pool)):
            code = f"from sim.kernel import kernel_of; kernel_of({name!r})"
            helper = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL, cwd=_ROOT)
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
    missing = list(dict.fromkeys(name for batch in batches for name in to_compile(batch)))
    if missing:
        engines = [name for name in missing if name.endswith(" engine")]
        policies = [name for name in missing if name not in engines]
        more = f" and {len(policies) - 3} more policies" if len(policies) > 3 else ""
        say(f"compiling {', '.join(engines + policies[:3])}{more} (once on this machine; a minute or so) ...")
    started = time.perf_counter()
    compile_all(batches)
    if missing:
        say(f"compiled in {time.perf_counter() - started:.0f} s")
