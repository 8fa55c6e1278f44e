"""A batch as plain data, and what another process plays from it: nothing of this machine has to exist there.

Rules travel as values and policies as source text, never as paths or code objects. The other side builds the batch
from them, compiles it with its own copy of the simulator and plays; a copy that could give other results refuses.
"""

from __future__ import annotations

import functools
import threading
import time
import zlib
from collections.abc import Mapping
from typing import Any

import msgspec
import numba
import numpy as np

from sim.batch import Batch, LineUp, compile_all
from sim.blocks import Layout, TaskResult
from sim.errors import RunFailed
from sim.jit import source_hash
from sim.policy import Policy
from sim.rules import restore
from sim.task import new_call, play_task

SAME_VERSION = "install the same version of steelyard on every machine"
#: How many batches a process keeps ready: a sweep's cells take turns.
_MOST_READY = 512
#: Two threads that import the same policy would see each other's half of it.
_BUILDING = threading.Lock()


class _Contents(msgspec.Struct, frozen=True):
    """What a parcel holds: everything that determines a batch's results."""

    game: str
    rules: Mapping[str, Any]
    name: str
    policies: tuple[Policy, ...]
    line_up: str
    seed: int
    block_games: int


def pack(batch: Batch) -> bytes:
    """Return a batch as compressed JSON; equal batches give equal bytes."""
    rules, line_up = batch.rules, batch.line_up
    contents = _Contents(
        batch.game, rules.values, rules.name, line_up.pool, line_up.mode, batch.seed, batch.block_games
    )
    return zlib.compress(msgspec.json.encode(contents))


def unpack(parcel: bytes) -> Batch:
    """Return the batch of a parcel, its rules checked like a user's; raise BadInput for what cannot be."""
    found = msgspec.json.decode(zlib.decompress(parcel), type=_Contents)
    rules = restore(found.game, found.rules, found.name)
    return Batch(found.game, rules, LineUp(found.policies, found.line_up), found.seed, found.block_games)


def makers() -> dict[str, str]:
    """Return what has to be the same wherever blocks of one run are played."""
    return {"sources": source_hash(), "numba": numba.__version__, "numpy": np.__version__}


def play_parcel(
    wanted: Mapping[str, str], parcel: bytes, first_block: int, blocks: int, games: int, is_kept: bool
) -> tuple[TaskResult, float]:
    """Play blocks of a parcel's batch, as `play_task` does; return the result and the seconds it took.

    Compiles what is not compiled on this machine. Raises RunFailed when this process' `makers` are not those
    `wanted`, PolicyFault when a policy broke a rule, BadInput when one does not compile.
    """
    _refuse_other(wanted)
    with _BUILDING:
        batch, plan = _ready(parcel)
    started = time.perf_counter()
    result = play_task(new_call(batch), plan, first_block, blocks, games, is_kept)
    return result, time.perf_counter() - started


@functools.lru_cache(_MOST_READY)
def _ready(parcel: bytes) -> tuple[Batch, Layout]:
    """Return the batch of a parcel, compiled, and its layout."""
    batch = unpack(parcel)
    compile_all([batch])
    return batch, batch.layout()


def _refuse_other(wanted: Mapping[str, str]) -> None:
    """Raise RunFailed, saying what differs, when this process is not what a run is to be played by."""
    here = makers()
    for name, value in wanted.items():
        if here.get(name) != value:
            raise RunFailed(f"{_own_name()} has {name} {here.get(name)} and this run {value}; {SAME_VERSION}")


def _own_name() -> str:
    """Return how a user finds this process: by the address of the Dask worker that it is."""
    from distributed import get_worker

    return f"worker {get_worker().address}"
