"""Who plays the tasks of a run: threads of this process. (`sim.cluster` has those of other machines.)"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Protocol

from sim.batch import Batch
from sim.blocks import Layout, TaskResult
from sim.cores import cores
from sim.task import Call, culprit, new_call, play_task


class Workers(Protocol):
    """What a run asks to play tasks."""

    def places(self) -> int:
        """Return how many tasks may wait or be played at a time."""

    def submit(self, batch: int, first_block: int, blocks: int, games: int) -> Future[tuple[TaskResult, float]]:
        """Let blocks of a batch, by its number, be played; the result comes with the seconds it took."""

    def stop(self) -> None:
        """Let every task end as soon as it can."""


class Threads:
    """Threads of this process; leaving the `with` stops them, without waiting for a policy that never returns."""

    def __init__(self, batches: Sequence[Batch], threads: int = 0, is_kept: bool = False) -> None:
        """Prepare `threads` threads, 0 for as many as have a core; `is_kept` has every row come with the results."""
        self._batches = [(batch, batch.layout()) for batch in batches]
        self._threads = threads or cores()
        self._pool = ThreadPoolExecutor(self._threads)
        self._is_kept = is_kept
        self._calls: dict[int, Call] = {}

    def __enter__(self) -> Threads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def places(self) -> int:
        """Return how many tasks may wait or be played: one for each thread, and one for the first that is free."""
        return self._threads + 1

    def submit(self, batch: int, first_block: int, blocks: int, games: int) -> Future[tuple[TaskResult, float]]:
        """Let blocks be played; raise BadInput when a policy does not compile."""
        of, plan = self._batches[batch]
        call = new_call(of)
        self._calls[id(call)] = call
        return self._pool.submit(self._play, call, plan, first_block, blocks, games)

    def stop(self) -> None:
        """Let every call end after the block in play."""
        for call in list(self._calls.values()):
            call.desk.stop[0] = 1

    def stuck(self) -> str | None:
        """Say which policy holds up a stopped run, None when none does."""
        return next((culprit(call)[1] for call in list(self._calls.values()) if call.desk.is_busy[0]), None)

    def _play(self, call: Call, plan: Layout, first_block: int, blocks: int, games: int) -> tuple[TaskResult, float]:
        """Play a task and return its result with the seconds it took."""
        started = time.perf_counter()
        call.desk.is_busy[0] = 1
        try:
            result = play_task(call, plan, first_block, blocks, games, self._is_kept)
            return result, time.perf_counter() - started
        finally:
            call.desk.is_busy[0] = 0
            del self._calls[id(call)]
