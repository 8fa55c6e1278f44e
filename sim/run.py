"""Playing many games of one batch or of several: blocks on workers, handed on in order.

Every batch plays the same blocks of its seed, group by group, so that what is compared is compared on the same
games. Tasks last about a third of a second. Results are sums and are handed on in the order in which one worker
would have played them, so neither the number of workers nor how blocks are grouped in tasks changes a bit of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

from sim.batch import Batch
from sim.blocks import TaskResult, Totals
from sim.task import PolicyFault
from sim.workers import Threads, Workers

TASK_SECONDS = 0.3
#: How long a stopped run waits for the blocks in play before it gives them up.
STOP_SECONDS = 1.0
#: How many tasks, for each place of the workers, may be finished ahead of one that takes long; and how many where
#: every game's row comes with them, some 20 MB a task.
AHEAD, AHEAD_WITH_ROWS = 8, 2


@dataclass(frozen=True)
class Task:
    """Blocks of one batch, all of one group, to be played together, `games` games in all.

    `kept`: their result, where it is on disk.
    """

    batch: int
    first_block: int
    blocks: int
    games: int
    kept: TaskResult | None = None


@dataclass(frozen=True)
class Part:
    """What a batch, by its number, has played next: just now, or before when it `is_kept`."""

    batch: int
    result: TaskResult
    is_kept: bool


def _nothing_kept(batch: int, group: int) -> TaskResult | None:
    """Nothing is on disk."""
    return None


@dataclass
class Run:
    """`games` games of each of some batches: iterate over its parts; `stop` ends it early.

    Within a group the batches take turns in the order of `order`. `kept` returns the finished blocks of a batch's
    group, by their numbers, if there are any on disk; `is_wanted` tells whether a batch still wants more blocks.
    `ends` is the time.monotonic() at which the run is stopped in any case. Up to `ahead` tasks, for each place of the
    workers, may be finished before their turn.
    """

    batches: Sequence[Batch]
    games: int
    workers: Workers
    order: Sequence[int] = ()
    kept: Callable[[int, int], TaskResult | None] = _nothing_kept
    is_wanted: Callable[[int], bool] = lambda batch: True
    ends: float = float("inf")
    ahead: int = AHEAD
    is_stopped: bool = False
    _pace: float = field(default=0.0, init=False)
    _finished: dict[int, TaskResult | PolicyFault] = field(default_factory=dict, init=False)

    def parts(self) -> Iterator[Part]:
        """Play, and yield parts in order as they finish; after `stop`, what is still to be had without a gap.

        Raises PolicyFault for the first game with a policy's fault, RunFailed when the workers fail.
        """
        waiting: dict[Future[tuple[TaskResult, float]], int] = {}
        begun: dict[int, Task] = {}
        coming = self._tasks()
        number = following = 0
        has_gap = False
        give_up = float("inf")
        try:
            while True:
                room = self.workers.places() - len(waiting)
                while room > 0 and number - following < self.ahead * self.workers.places() and not self.is_stopped:
                    if (task := next(coming, None)) is None:
                        break
                    begun[number] = task
                    if task.kept is not None:
                        self._finished[number] = task.kept
                    else:
                        waiting[self.workers.submit(task.batch, task.first_block, task.blocks, task.games)] = number
                        room -= 1
                    number += 1
                if not waiting and (has_gap or following == number):
                    return
                self._collect(waiting, 0.0 if following in self._finished and not has_gap else 0.1)
                while following in self._finished and not has_gap:
                    task, result = begun.pop(following), self._finished.pop(following)
                    following += 1
                    if isinstance(result, PolicyFault):
                        result.batch = task.batch
                        raise result
                    if len(result.sums) and self.is_wanted(task.batch):
                        yield Part(task.batch, result, task.kept is not None)
                    # One that was told to stop: what follows does not count, but is waited for.
                    has_gap = len(result.sums) < task.blocks and task.kept is None
                if time.monotonic() > self.ends:
                    self.stop()
                if self.is_stopped and give_up == float("inf"):
                    give_up = time.monotonic() + STOP_SECONDS
                if time.monotonic() > give_up:
                    return
        finally:
            self.workers.stop()

    def stop(self) -> None:
        """Let every task end after the block in play."""
        self.is_stopped = True
        self.workers.stop()

    def _collect(self, waiting: dict[Future[tuple[TaskResult, float]], int], seconds: float) -> None:
        """Wait for a task to finish, and keep the results of those that have."""
        done, _ = wait(waiting, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in done:
            number = waiting.pop(future)
            try:
                result, taken = future.result()
                self._finished[number] = result
                if result.games:
                    self._pace = taken / result.games
            except PolicyFault as fault:
                self._finished[number] = fault

    def _tasks(self) -> Iterator[Task]:
        """Yield tasks group by group and batch by batch while any is wanted, with work left for all at the end."""
        blocks = self.batches[0].schedule
        order = self.order or range(len(self.batches))
        for group in range(-(-self.games // blocks.group_games)):
            if not any(self.is_wanted(batch) for batch in order):
                return  # a run to a precision has nearly endless groups
            first = blocks.group_start(group)
            end = min(self.games, (group + 1) * blocks.group_games)
            here = end - group * blocks.group_games
            for place, batch in enumerate(order):
                following, game = first, group * blocks.group_games
                if self.is_wanted(batch) and (kept := self.kept(batch, group)) is not None:
                    yield Task(batch, first, len(kept.sums), kept.games, kept)
                    following, game = first + len(kept.sums), game + kept.games
                while game < end and self.is_wanted(batch):
                    left = self.games - game + (len(order) - place - 1) * here
                    fair = -(-left // self.workers.places())
                    wanted = int(TASK_SECONDS / self._pace) if self._pace > 0 else blocks.stretches[-1].size
                    last = max(blocks.block_of(game + min(wanted, fair)), following + 1)
                    last = min(last, blocks.blocks_for(end))
                    games = min(blocks.first_game(last), end) - game
                    yield Task(batch, following, last - following, games)
                    following, game = last, game + games


def play(batch: Batch, games: int, threads: int = 0) -> Totals:
    """Play `games` games and return their totals."""
    totals = Totals(batch.layout())
    with Threads([batch], threads) as workers:
        for part in Run([batch], games, workers).parts():
            totals.add(part.result)
    return totals
