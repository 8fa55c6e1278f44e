"""Games left standing before a decision, and played on from there."""

from __future__ import annotations

import copy
import dataclasses
import functools
import types as python_types
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np

from sim.batch import Batch
from sim.desk import NO_HALT
from sim.game import load_game
from sim.jit import cache_folder, compile_to, is_disabled
from sim.kernel import call_records
from sim.task import Call, new_call, play_task
from tests.games.stage import Event


def standing(batch: Batch, index: int, decisions: int = 0, games_before: int = 0) -> Call:
    """A game left standing before its decision of that number, which is yet to be asked.

    Only decisions that `sim.desk.is_due` counts have a number. The call has played so many games before it, so
    that its records are not fresh.
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
        return bool(_engine(call.batch.game)(call.rules, call.state, call.row, call.desk))


def every_decision(batch: Batch, index: int) -> Iterator[Call]:
    """The same call at each decision of a game, one after another, and at its end."""
    call = standing(batch, index)
    yield call
    while not play_on(call, 1):
        yield call
    yield call


def told(call: Call) -> list[Event]:
    """The events of a game up to where it stands."""
    return call.game.decode(call.batch.rules.values, call.desk.log[0, : int(call.desk.written[0])])


def decisions_of(call: Call) -> int:
    """How many decisions, of those that count, a call has asked for."""
    return NO_HALT - int(call.desk.left[0])


@functools.cache
def _engine(game_name: str) -> Any:
    """A game's engine alone, without the kernel around it: one text for all games, as in `sim.kernel.kernel_of`."""
    game = load_game(game_name)
    name = f"play_{game_name}"
    function = python_types.FunctionType(_play.__code__, {**globals(), "play": game.play}, name)
    function.__qualname__ = name
    if is_disabled():
        return function
    records = [numba.types.Array(numba.from_dtype(record), 1, "C") for record in call_records(game)]
    return compile_to(cache_folder(False, game_name), function, numba.boolean(*records), error_model="numpy")


def _play(rules, state, row, desk):  # type: ignore[no-untyped-def]
    """Play the first of each of these records on."""
    return play(rules[0], state[0], row[0], desk[0])  # noqa: F821
