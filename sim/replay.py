"""One game of a batch told event by event: the same game that the batch plays under that number."""

from __future__ import annotations

import contextlib
import dataclasses
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from sim.batch import Batch
from sim.errors import RunFailed
from sim.game import load_game
from sim.rules import value_text
from sim.task import PolicyFault, new_call, play_task


def replay(batch: Batch, index: int) -> tuple[list[dict[str, Any]], PolicyFault | None]:
    """Return game `index`'s events, the opening "game" line first, and the fault that ended it, if any.

    Keys and order are those of the trace format. Raises RunFailed when a game is longer than its log.
    """
    alone = dataclasses.replace(batch, block_games=1)
    call = new_call(alone, is_told=True)
    fault = None
    try:
        play_task(call, alone.layout(), index, 1)
    except PolicyFault as error:
        fault = error
    written, log = int(call.desk.written[0]), call.desk.log[0]
    if written > len(log):
        raise RunFailed(f"game {index} has more events than a trace holds")
    game = load_game(batch.game)
    events = game.decode(batch.rules.values, log[:written])
    seats, _ = game.shape(batch.rules.values)
    opening = {
        "event": "game",
        "game": batch.game,
        "rules_version": batch.rules.version,
        "seed": batch.seed,
        "index": index,
        "players": seats,
        "policies": [batch.line_up.pool[int(call.desk.entries[0, seat])].label for seat in range(seats)],
        "rules": dict(batch.rules.values),
    }
    return [opening, *events], fault


@contextlib.contextmanager
def naming_faults(batches: Sequence[Batch]) -> Iterator[None]:
    """Add to a policy's fault the command that shows the game."""
    try:
        yield
    except PolicyFault as fault:
        words = command(batches[fault.batch], fault.game)
        hint = f"see it with: {shlex.join(words)}" if words else "no command draws policies with parameters set"
        raise RunFailed(f"{fault}; {hint}") from None


def command(batch: Batch, index: int) -> list[str]:
    """Return the words of the command that shows a game of a batch; none where policies with settings are drawn."""
    if batch.line_up.mode == "drawn" and any(policy.settings for policy in batch.line_up.pool):
        return []
    words = ["steelyard", "trace", batch.game, "--seed", str(batch.seed), "--game", str(index)]
    if batch.line_up.mode != "drawn":
        specs = ",".join(policy.spec for policy in batch.line_up.pool)
        words += ["--policies", specs, "--seats", batch.line_up.mode]
    for key, value in batch.rules.values.items():
        if key in batch.rules.changed:
            words += ["--set", f"{key}={value_text(value)}"]
    return words
