"""Games of Book Festival left standing before an action, and played on from there."""

from __future__ import annotations

import functools
from typing import Any

import numba
import numpy as np

from sim.book_festival.engine import play
from sim.desk import NO_HALT
from sim.game import load_game
from sim.jit import cache_folder, compile_to, is_disabled
from sim.kernel import call_records
from sim.task import Call as Call
from tests.debrium.standing import decisions_of as decisions_of
from tests.debrium.standing import standing as standing
from tests.debrium.standing import told as told
from tests.debrium.standing import twin as twin
from tests.debrium.standing import whole as whole


def play_on(call: Call, decisions: int = NO_HALT) -> bool:
    """Play a standing game on for so many actions; True when it came to its end."""
    call.desk.left[0] = decisions
    with np.errstate(over="ignore"):  # the streams' arithmetic, with JIT off
        return bool(_engine()(call.rules, call.state, call.row, call.desk))


@functools.cache
def _engine() -> Any:
    """The engine alone, without the kernel around it."""
    if is_disabled():
        return _play
    types = [numba.from_dtype(record) for record in call_records(load_game("book_festival"))]
    signature = numba.boolean(*[numba.types.Array(record, 1, "C") for record in types])
    return compile_to(cache_folder(False), _play, signature, error_model="numpy")


def _play(rules, state, row, desk):  # type: ignore[no-untyped-def]
    """Play the first of each of these records on."""
    return play(rules[0], state[0], row[0], desk[0])
