"""Games left standing before a decision, and played on from there."""

from __future__ import annotations

import copy
import dataclasses
import functools
from typing import Any

import numba
import numpy as np

from sim.batch import Batch
from sim.debrium.engine import play
from sim.desk import NO_HALT
from sim.game import load_game
from sim.jit import cache_folder, compile_to, is_disabled
from sim.kernel import call_records
from sim.task import Call, new_call, play_task
from tests.debrium.script import Event


def standing(batch: Batch, index: int, decisions: int = 0, games_before: int = 0) -> Call:
    """A game left standing before its decision of that number (bids and turns count), which is yet to be asked.

    The call has played so many games before it, so that its records are not fresh.
    """
    alone = dataclasses.replace(batch, block_games=1)
    call = new_call(alone, is_told=True)
    play_task(call, alone.layout(), index - games_before, games_before)
    call.desk.left[0] = decisions
    call.desk.written[0] = 0
    assert len(play_task(call, alone.layout(), index, 1).sums) == 0
    return call


def whole(batch: Batch, index: int) -> Call:
    """A game played to its end by a batch's kernel."""
    alone = dataclasses.replace(batch, block_games=1)
    call = new_call(alone, is_told=True)
    assert len(play_task(call, alone.layout(), index, 1).sums) == 1
    return call


def twin(call: Call) -> Call:
    """A copy of a standing game with records of its own."""
    records = {name: getattr(call, name).copy() for name in ("rules", "state", "row", "desk")}
    return dataclasses.replace(copy.copy(call), **records)


def play_on(call: Call, decisions: int = NO_HALT) -> bool:
    """Play a standing game on for so many decisions; True when it came to its end."""
    call.desk.left[0] = decisions
    with np.errstate(over="ignore"):  # the streams' arithmetic, with JIT off
        return bool(_engine()(call.rules, call.state, call.row, call.desk))


def told(call: Call) -> list[Event]:
    """The events of a game up to where it stands."""
    return call.game.decode(call.batch.rules.values, call.desk.log[0, : int(call.desk.written[0])])


def decisions_of(call: Call) -> int:
    """How many bids and turns a call has asked for."""
    return NO_HALT - int(call.desk.left[0])


@functools.cache
def _engine() -> Any:
    """The engine alone, without the kernel around it."""
    if is_disabled():
        return _play
    records = [numba.types.Array(numba.from_dtype(record), 1, "C") for record in call_records(load_game("debrium"))]
    return compile_to(cache_folder(False), _play, numba.boolean(*records), error_model="numpy")


def _play(rules, state, row, desk):  # type: ignore[no-untyped-def]
    """Play the first of each of these records on."""
    return play(rules[0], state[0], row[0], desk[0])
