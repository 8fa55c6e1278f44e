"""Playing many games: line-up x rules x seed -> blocks of results, on any concurrent.futures executor.

A *block* is BLOCK_GAMES consecutive games, the unit of work, of pairing and of what an interruption keeps.
A *task* is a run of consecutive blocks that lasts about a third of a second, played by one kernel call
without Python's lock. Results are sums, so neither the number of threads nor how blocks are grouped in
tasks changes a bit of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sim.blocks import Layout, TaskResult, Totals, layout, new_counts
from sim.desk import MAX_POOL, NO_FAULT, NO_HALT, READ_ONLY
from sim.errors import BadInput, RunFailed
from sim.game import Game, load_game
from sim.jit import cache_folder, is_compiled, is_disabled
from sim.kernel import DRAWN, FIXED, SHUFFLED, call_records, kernel_of
from sim.pointers import addresses
from sim.policy import Policy, compile_policy, needs_compiling
from sim.rules import Rules

BLOCK_GAMES = 1000
TASK_SECONDS = 0.3
#: A task has at most this many games: its sums of squares must stay within int64.
TASK_GAMES = 16_000
_ROOT = Path(__file__).parent.parent
#: How long a stopped run waits for the blocks in play before it gives them up.
STOP_SECONDS = 1.0

MODES = {"fixed": FIXED, "shuffled": SHUFFLED, "drawn": DRAWN}


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


class PolicyFault(RunFailed):
    """A policy's answer broke a rule, or the policy itself failed; says who, where and which rule."""

    def __init__(self, text: str, policy: Policy, game: int) -> None:
        super().__init__(text)
        self.policy = policy
        self.game = game


@dataclass
class Call:
    """One kernel call's records; the main thread looks at `desk` while the call runs."""

    batch: Batch
    game: Game
    rules: Any
    state: Any
    row: Any
    desk: Any
    functions: tuple[Any, ...]

    def arguments(self) -> tuple[Any, ...]:
        """Return what a kernel call begins with."""
        pool = self.batch.line_up.pool
        labels = self.batch.line_up.labels
        params = np.zeros((len(pool), self.game.max_params))
        for line, policy in zip(params, pool, strict=True):
            line[: len(policy.params)] = policy.params
        numbers = np.array([labels.index(policy.label) for policy in pool], np.int64)
        return params, numbers, MODES[self.batch.line_up.mode], self.rules, self.state, self.row, self.desk


def new_call(batch: Batch, is_told: bool = False) -> Call:
    """Prepare a kernel call: compile what is not compiled, lay out the records."""
    game = load_game(batch.game)
    functions = tuple(f for policy in batch.line_up.pool for f in compile_policy(game, policy))
    rules = game.rules_record(batch.rules.values)
    _, state, row, desk = (np.zeros(1, record).view(np.recarray) for record in call_records(game))
    desk.left[0] = NO_HALT
    desk.decisions[0] = len(game.decisions)
    desk.policies[0, : len(functions)] = addresses(functions)
    desk.is_told[0] = is_told
    desk.is_checked[0] = not all(policy.is_trusted for policy in batch.line_up.pool)
    scratch = game.records["own"]["memory"].itemsize
    desk.words[0] = [(game.records[name].itemsize - (name == "own") * scratch) // 8 for name in READ_ONLY]
    return Call(batch, game, rules, state, row, desk, functions)


def play_task(call: Call, plan: Layout, first_block: int, blocks: int, games: int = 0) -> TaskResult:
    """Play blocks `first_block` .. `first_block + blocks - 1`; fewer when the call was told to stop.

    `games` makes blocks of fewer games than the batch's: the last block of a run that is no multiple.

    Raises PolicyFault when a policy broke a rule or raised an exception.
    """
    batch = call.batch
    slots = len(plan.metrics)
    counts = new_counts(plan)
    sums = np.zeros((blocks, slots, 2), np.int64)
    totals = np.zeros((slots, 5), np.int64)
    try:
        with np.errstate(over="ignore"):
            done = kernel_of(batch.game)(
                *call.arguments(),
                batch.seed,
                first_block * batch.block_games,
                games or batch.block_games,
                plan.plan,
                counts,
                sums,
                totals,
            )
    except Exception as error:
        raise _policy_fault(call, f"{type(error).__name__}: {error}") from None
    if call.desk.fault[0] != NO_FAULT:
        sentence = call.game.sentences[int(call.desk.fault[0])]
        text = sentence.format(choice=call.desk.choice[0], limit=int(call.desk.limit[0]))
        raise _policy_fault(call, text)
    return TaskResult(
        first_block, done * (games or batch.block_games), sums[:done], totals, counts.low, counts.high, counts.cells
    )


def culprit(call: Call) -> tuple[Policy, str]:
    """Return the policy that a call asked last, and where in which game."""
    desk = call.desk[0]
    policy = call.batch.line_up.pool[int(desk.entries[int(desk.seat)])]
    decision = call.game.decisions[int(desk.decision)].name
    where = f"game {int(desk.game)}, round {int(call.state.table.round_number[0])}, seat {int(desk.seat)}"
    return policy, f"policy {policy.label!r} ({where}, decision {decision!r}, seed {call.batch.seed})"


def _policy_fault(call: Call, what: str) -> PolicyFault:
    """Word a fault: policy, seat, game, seed, decision and the rule it broke."""
    policy, who = culprit(call)
    return PolicyFault(f"{who}: {what}", policy, int(call.desk.game[0]))


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
                new_call(batch)
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


@dataclass
class Run:
    """`games` games of a batch, from block `first_block` on: iterate over its parts; `stop` ends it early.

    `ends` is the time.monotonic() at which it is stopped in any case; `pace` the seconds a block takes, by which
    tasks are cut (0: not known yet). `tasks` are the tasks themselves, (first block, blocks, games a block), where
    they are to be those of another run.
    """

    batch: Batch
    games: int
    threads: int = 0
    first_block: int = 0
    ends: float = float("inf")
    pace: float = 0.0
    tasks: Sequence[tuple[int, int, int]] = ()
    calls: list[Call] = field(default_factory=list)
    is_stopped: bool = False

    def parts(self) -> Iterator[TaskResult]:
        """Play, and yield each task's result as it finishes; after `stop`, those still to be had.

        Raises PolicyFault for the first game with a policy's fault.
        """
        plan = self.batch.layout()
        threads = self.threads or os.cpu_count() or 1
        pool = ThreadPoolExecutor(threads)
        idle = [new_call(self.batch) for _ in range(threads)]
        self.calls = list(idle)
        waiting: dict[Future[tuple[TaskResult, float]], tuple[Call, int]] = {}
        fault: PolicyFault | None = None
        coming = self._coming(threads)
        following = next(coming, None)
        give_up = float("inf")
        try:
            while waiting or (following and not self.is_stopped):
                while idle and following and not self.is_stopped and not fault:
                    call = idle.pop()
                    waiting[pool.submit(_timed_task, call, plan, *following)] = call, following[0]
                    following = next(coming, None)
                done, _ = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in done:
                    idle.append(waiting.pop(future)[0])
                    try:
                        result, seconds = future.result()
                    except PolicyFault as error:
                        fault = error if fault is None or error.game < fault.game else fault
                        continue
                    if len(result.sums):
                        self.pace = seconds / len(result.sums)
                        yield result
                # The first game with a fault is the one to tell, whichever thread was faster.
                if fault and not any(first * self.batch.block_games < fault.game for _, first in waiting.values()):
                    raise fault
                if time.monotonic() > self.ends:
                    self.stop()
                if self.is_stopped and give_up == float("inf"):
                    give_up = time.monotonic() + STOP_SECONDS
                if time.monotonic() > give_up:
                    return
        finally:
            self.stop()
            pool.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """Let every call end after the block in play."""
        self.is_stopped = True
        for call in self.calls:
            call.desk.stop[0] = 1

    def stuck(self) -> str | None:
        """Say which policy holds up a stopped run, None when none does."""
        return next((culprit(call)[1] for call in self.calls if call.desk.is_busy[0]), None)

    def _coming(self, threads: int) -> Iterator[tuple[int, int, int]]:
        """Yield (first block, blocks, games a block): tasks of TASK_SECONDS, with work left for every thread."""
        yield from self.tasks
        if self.tasks:
            return
        size = self.batch.block_games
        following, end = self.first_block, self.first_block + self.games // size
        while following < end:
            wanted = min(int(TASK_SECONDS / self.pace), TASK_GAMES // size) if self.pace > 0 else 1
            blocks = max(1, min(wanted, -(-(end - following) // threads)))
            yield following, blocks, size
            following += blocks
        if self.games % size:
            yield end, 1, self.games % size


def _timed_task(call: Call, plan: Layout, first_block: int, blocks: int, games: int) -> tuple[TaskResult, float]:
    """Play a task and return its result with the seconds it took."""
    started = time.perf_counter()
    call.desk.is_busy[0] = 1
    try:
        result = play_task(call, plan, first_block, blocks, games)
    finally:
        call.desk.is_busy[0] = 0
    return result, time.perf_counter() - started


def play(
    batch: Batch,
    games: int,
    threads: int = 0,
    on_part: Callable[[TaskResult], None] | None = None,
) -> Totals:
    """Play `games` games and return their totals; `on_part` sees each finished part."""
    run = Run(batch, games, threads)
    totals = Totals(batch.layout())
    for part in run.parts():
        totals.add(part)
        if on_part is not None:
            on_part(part)
    return totals
