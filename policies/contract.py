"""What every policy must pass: legal in every variant, true to its seed, blind to what is hidden.

Run over every policy of the package by the tests, and over a designer's own by `steelyard policies --check`.
Policies are checked as code from outside: with bounds checks, and their writes watched.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from policies.catalogue import load
from sim.batch import BLOCK_GAMES, Batch, LineUp
from sim.blocks import Totals
from sim.errors import BadInput, RunFailed
from sim.game import Game
from sim.kernel import kernel_of
from sim.policy import Policy, compile_policy
from sim.rules import Rules
from sim.rules import load as load_rules
from sim.run import Run
from sim.task import new_call, play_task
from sim.workers import Threads

#: Games of the policy at all seats, and of it among `random_legal`, in each variant.
GAMES = BLOCK_GAMES
#: How many random variants are tried beside the game's own odd ones.
RANDOM_VARIANTS = 12
#: How many decisions of one game are asked again with what is hidden changed.
RECALLED = 60


def check(game: Game, policy: Policy, seconds: float, random_variants: int = RANDOM_VARIANTS) -> Iterator[str]:
    """Yield a line for each clause that the policy passes; raise RunFailed or BadInput at the first it breaks.

    A policy that has not passed after `seconds` is given up: it may never return.
    """
    checked = dataclasses.replace(policy, is_trusted=False)
    ends = time.monotonic() + seconds
    compile_policy(game, checked)
    kernel_of(game.name)
    yield f"{policy.name}: compiles; its decisions are the game's and its fields exist"
    variants = [*_own_variants(game), *_random_variants(game, random_variants)]
    played = 0
    for rules in variants:
        for line_up in _line_ups(game, rules, checked):
            played += _play(Batch(game.name, rules, line_up, 1), ends).games
    yield f"legal in {played:,} games of {len(variants)} variants; writes nothing that it may only read"
    batch = Batch(game.name, variants[0], next(iter(_line_ups(game, variants[0], checked))), 7)
    first, second = _play(batch, ends), _play(batch, ends)
    if not (first.sums == second.sums).all():
        raise RunFailed(
            f"policy {policy.name!r}: the same seed gave other games; a policy keeps nothing outside `own`"
        )
    yield "the same seed gives the same games"
    for rules in variants[: len(game.report)]:
        _check_blind(game, rules, checked)
    yield "what its seat may not see does not change its answers"


def _own_variants(game: Game) -> Iterator[Rules]:
    """Yield the variants of the game's report and its odd ones."""
    for settings in (*game.report, *game.odd):
        yield load_rules(game.name, sets=settings)


def _random_variants(game: Game, count: int) -> Iterator[Rules]:
    """Yield variants with about half of the parameters drawn from their plausible values, the same each time."""
    chance = np.random.default_rng(20)
    for _ in range(count):
        settings: list[str] = []
        parameters = load_rules(game.name).parameters
        for key in chance.permutation(list(parameters)):
            plausible = parameters[key].plausible
            if plausible and parameters[key].kind == "int" and chance.random() < 0.5:
                pair = len(plausible) == 2
                value = chance.integers(plausible[0], plausible[1] + 1) if pair else chance.choice(plausible)
                settings = _added(game, settings, f"{key}={value}")
            elif parameters[key].kind == "bool" and chance.random() < 0.5:
                settings = _added(game, settings, f"{key}={'true' if chance.random() < 0.5 else 'false'}")
            elif parameters[key].kind == "word" and chance.random() < 0.5:
                settings = _added(game, settings, f"{key}={chance.choice(parameters[key].options)}")
        yield load_rules(game.name, sets=settings)


def _added(game: Game, settings: list[str], setting: str) -> list[str]:
    """Return the settings with one more, or without it where it does not fit the others."""
    try:
        load_rules(game.name, sets=[*settings, setting])
    except BadInput:
        return settings
    return [*settings, setting]


def _line_ups(game: Game, rules: Rules, policy: Policy) -> Iterator[LineUp]:
    """Yield the policy at all seats, and one of it among random_legal."""
    seats, _ = game.shape(rules.values)
    yield LineUp((policy,) * seats, "fixed")
    yield LineUp((policy, *(load(game, "random_legal"),) * (seats - 1)), "shuffled")


def _play(batch: Batch, ends: float) -> Totals:
    """Play GAMES games on one thread, given up when the time is over."""
    if time.monotonic() > ends:
        raise _out_of_time(batch)
    totals = Totals(batch.layout())
    with Threads([batch], 1) as workers:
        for part in Run([batch], GAMES, workers, ends=ends).parts():
            totals.add(part.result)
        stuck = workers.stuck()
    if stuck:
        raise RunFailed(f"{stuck}: was still at it when the time was over; given up")
    if totals.games < GAMES:
        raise _out_of_time(batch)
    return totals


def _out_of_time(batch: Batch) -> RunFailed:
    """Return the failure of a policy that is too slow for the time that the check was given."""
    return RunFailed(f"policy {batch.line_up.pool[0].name!r}: the check ran out of time; allow more with --seconds")


def _check_blind(game: Game, rules: Rules, policy: Policy) -> None:
    """Ask the same decisions again in a copy of the game in which other numbers stand where the seat may not look.

    A policy is handed nothing of that; one that reads beyond the ends of its arrays comes to it all the same.
    """
    seats, _ = game.shape(rules.values)
    batch = Batch(game.name, rules, LineUp((policy,) * seats, "fixed"), 3, block_games=1)
    functions: Sequence[object] = compile_policy(game, policy)
    chance = np.random.default_rng(3)
    for decisions in range(1, RECALLED + 1):
        call = new_call(batch)
        call.desk.left[0] = decisions
        play_task(call, batch.layout(), 0, 1)
        if int(call.desk.left[0]) >= 0:
            return  # the game has no more decisions
        seat, decision = int(call.desk.seat[0]), int(call.desk.decision[0])
        states = (call.state, _changed(call.state, seat, chance))
        answers = [_answer(game, call.rules, state, functions[decision], seat) for state in states]
        if answers[0] != answers[1]:
            name = game.decisions[decision].name
            raise RunFailed(f"policy {policy.name!r}: its {name!r} depends on what its seat may not see")


def _changed(state: Any, seat: int, chance: np.random.Generator) -> Any:
    """Return a copy of a state with other numbers in the hidden record and in the other seats' own ones."""
    changed = state.copy()
    words = changed.view(np.ndarray).view(np.int64)
    words[:] = chance.integers(0, 100, len(words))
    changed["table"] = state["table"]
    changed["owns"][0, seat] = state["owns"][0, seat]
    return changed


def _answer(game: Game, rules: Any, state: Any, function: Any, seat: int) -> bytes:
    """Return the choice and the scratch that a decision leaves, as bytes; the state stays as it is."""
    now = state.copy()[0]
    own = now.owns[seat]
    choice = np.zeros(1, game.records["choice"]).view(np.recarray)
    stream = np.zeros(1, now.hidden.streams.dtype).view(np.recarray)
    function(rules[0], now.table, own, stream[0], choice[0])
    return bytes(choice.tobytes() + np.asarray(own.memory).tobytes())
