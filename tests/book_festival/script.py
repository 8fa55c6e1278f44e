"""Games in which every seat does what a test says, and what a test reads from their events.

Chance does not depend on policies: deck, dice and animals of game `k` are the same whoever plays.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sim.book_festival.state import ACT, BUY, DRAW, FILE, GENRES, ITEMS, PLACE, RETRIEVE, STOP
from sim.policy import Policy
from tests.book_festival.referee import judge
from tests.games.stage import Stage

#: An action as one number: each field's bits, lowest first. Two actions make a parameter.
BITS = {"action": 3, "slot": 4, "thing": 3, "more": 12}
ACTION_BITS = 24
MOST_ACTIONS, MOST_STOPS, MOST_FILES = 24, 4, 16

#: The fields that a slip can put a wrong number in, by their number in the script.
SLIPS = ("action", "genre", "count", "slot", "bought", "stop", "discards")
DECISIONS = {"act": ACT, "stop": STOP, "file": FILE}

SOURCE = '''"""Answers every question with the next answer of its parameters, and slips where the last two say so."""


def act(rules, table, own, rng, choice):
    k = int(own.memory[0])
    own.memory[0] += 1
    if k < 24:
        at = 24 * (k % 2)
        choice.action = _bits(own, k // 2, at, 3)
        choice.slot = _bits(own, k // 2, at + 3, 4)
        choice.genre = _bits(own, k // 2, at + 7, 3)
        choice.bought = choice.genre
        choice.count = _bits(own, k // 2, at + 10, 6)
        if choice.action == 2:
            _discard(own, k // 2, at + 10, choice)
    _slip(own, 0, k, choice)


def stop(rules, table, own, rng, choice):
    k = int(own.memory[1])
    own.memory[1] += 1
    if k < 4:
        choice.stop = _bits(own, 12, 13 * k, 1)
        _discard(own, 12, 13 * k + 1, choice)
    _slip(own, 1, k, choice)


def file(rules, table, own, rng, choice):
    k = int(own.memory[2])
    own.memory[2] += 1
    if k < 16 and _bits(own, 13, 3 * k, 3) > 0:
        choice.genre = _bits(own, 13, 3 * k, 3) - 1
    _slip(own, 2, k, choice)


def _discard(own, param, lowest, choice):
    for card in range(4):
        genre = _bits(own, param, lowest + 3 * card, 3) - 1
        if genre >= 0:
            choice.discards[genre] += 1


def _bits(own, param, lowest, width):
    return (int(own.param[param]) >> lowest) & ((1 << width) - 1)


def _slip(own, decision, k, choice):
    if own.param[14] // 16 != 3 * k + decision + 1:
        return
    field, value = own.param[14] % 16, own.param[15]
    if field == 0:
        choice.action = value
    elif field == 1:
        choice.genre = value
    elif field == 2:
        choice.count = value
    elif field == 3:
        choice.slot = value
    elif field == 4:
        choice.bought = value
    elif field == 5:
        choice.stop = value
    elif field == 6:
        choice.discards[0] = value
'''


# --- Answers -----------------------------------------------------------------------------------------


def _number(**fields: int) -> int:
    """An action as a number of its fields' bits."""
    whole = at = 0
    for name, width in BITS.items():
        assert 0 <= fields.get(name, 0) < 1 << width, name
        whole |= fields.get(name, 0) << at
        at += width
    return whole


def _discards(genres: Sequence[str]) -> int:
    """Up to four cards to discard as a number."""
    assert len(genres) <= 4
    return sum(GENRES.index(genre) + 1 << 3 * card for card, genre in enumerate(genres))


REST = 0


def place(genre: str, count: int, slot: int) -> int:
    """Place books on a slot."""
    return _number(action=PLACE, slot=slot, thing=GENRES.index(genre), more=count)


def buy(item: str, slot: int = 0, *discards: str) -> int:
    """Buy a POP for a slot, or an end shelf, for these cards."""
    return _number(action=BUY, slot=slot, thing=ITEMS.index(item), more=_discards(discards))


def retrieve(count: int, slot: int, genre: str = GENRES[0]) -> int:
    """Take books of a slot back, those of the genre first where there are several."""
    return _number(action=RETRIEVE, slot=slot, thing=GENRES.index(genre), more=count)


def draw() -> int:
    """Draw a card."""
    return _number(action=DRAW)


LET_PASS = 0


def stop(*discards: str) -> int:
    """Stop a passing animal for these cards."""
    return 1 | _discards(discards) << 1


@dataclass(frozen=True)
class Script:
    """A seat's answers in the order of the questions: then it passes, lets animals pass, files where books belong."""

    acts: tuple[int, ...] = ()
    stops: tuple[int, ...] = ()
    files: tuple[str, ...] = ()

    def params(self) -> tuple[float, ...]:
        """The script as a policy's parameters."""
        assert len(self.acts) <= MOST_ACTIONS
        assert len(self.stops) <= MOST_STOPS
        assert len(self.files) <= MOST_FILES
        acts = [*self.acts, *[REST] * (MOST_ACTIONS - len(self.acts))]
        pairs = [acts[k] | acts[k + 1] << ACTION_BITS for k in range(0, MOST_ACTIONS, 2)]
        stops = sum(answer << 13 * k for k, answer in enumerate(self.stops))
        files = sum(GENRES.index(genre) + 1 << 3 * k for k, genre in enumerate(self.files))
        return tuple(map(float, (*pairs, stops, files)))


IDLE = Script()


def acts(*actions: int) -> Script:
    """A script of actions alone."""
    return Script(actions)


Slip = tuple[str, int, str, float]
"""In which decision and which of its questions (from 0), which field of the answer, and the wrong number."""


def scripted(script: Script = IDLE, slip: Slip | None = None, is_trusted: bool = True) -> Policy:
    """A policy that plays a script."""
    wrong = [0.0, 0.0]
    if slip:
        decision, k, field, value = slip
        wrong = [16.0 * (3 * k + DECISIONS[decision] + 1) + SLIPS.index(field), value]
    return Policy("scripted", "scripted", "script.py", SOURCE, (*script.params(), *wrong), is_trusted)


# --- Games -------------------------------------------------------------------------------------------


STAGE = Stage("book_festival", scripted, judge)
rules_of, batch_of, tell, fault_of = STAGE.rules_of, STAGE.batch_of, STAGE.tell, STAGE.fault_of
random_batch, tell_random, referee_judges = STAGE.random_batch, STAGE.tell_random, STAGE.referee_judges


def dice(**rolls: int) -> list[str]:
    """Changes by which each of these animals always rolls its number."""
    return [f"die_{animal}={[roll] * 6}" for animal, roll in rolls.items()]


def seated(*animals: str) -> str:
    """The change that seats these animals."""
    return f"animals={json.dumps(animals)}"
