"""Games in which every seat does what a test says, and what a test reads from their events.

Chance does not depend on policies: the deal, the pile and the falls of game `k` are the same whoever plays.
So a test can look at an idle game first and then script the turns that meet its falls.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sim.batch import Batch, LineUp
from sim.policy import Policy
from sim.replay import replay
from tests.debrium.referee import judge
from tests.games.stage import SEED, Event, Stage, of

#: A turn as one number: each field's bits, lowest first. All of a field's bits set mean that it is left alone.
BITS = {"coins": 5, "skill_coins": 3, "action": 1, "skill": 1, "taken": 4, "pay": 4, "extra": 2, "count": 3}
SPACE_BITS = 6
MOST_SPACES = 5
ROUNDS = 14

#: The fields that a slip can put a wrong number in, by their number in the script.
SLIPS = (
    "coins", "skill_coins", "action", "skill", "taken", "pay_skill_coins", "placements", "first_space", "space",
    "idle_workers",
)  # fmt: skip

SOURCE = '''"""Does in every round what its parameter of that number says, and slips where the last two say so."""


def bid(rules, table, own, rng, choice):
    own.memory[0] += 1
    choice.coins = _bits(table, own, 0, 5)
    choice.skill_coins = _bits(table, own, 5, 3)
    _slip(table, own, choice)


def turn(rules, table, own, rng, choice):
    choice.action = _bits(table, own, 8, 1)
    choice.skill = _bits(table, own, 9, 1)
    if _bits(table, own, 10, 4) != 15:
        choice.taken = _bits(table, own, 10, 4)
    if _bits(table, own, 14, 4) != 15:
        choice.pay_skill_coins = _bits(table, own, 14, 4)
    choice.placements = _bits(table, own, 20, 3)
    for k in range(int(choice.placements)):
        choice.spaces[k] = _bits(table, own, 23 + 6 * k, 6)
    _slip(table, own, choice)


def extra(rules, table, own, rng, choice):
    if _bits(table, own, 18, 2) != 3:
        choice.space = choice.spaces[_bits(table, own, 18, 2)]
    _slip(table, own, choice)


def _bits(table, own, lowest, width):
    return (int(own.param[table.round_number - 1]) >> lowest) & ((1 << width) - 1)


def _slip(table, own, choice):
    if own.param[14] // 16 != table.round_number:
        return
    field, value = own.param[14] % 16, own.param[15]
    if field == 0:
        choice.coins = value
    elif field == 1:
        choice.skill_coins = value
    elif field == 2:
        choice.action = value
    elif field == 3:
        choice.skill = value
    elif field == 4:
        choice.taken = value
    elif field == 5:
        choice.pay_skill_coins = value
    elif field == 6:
        choice.placements = value
    elif field == 7:
        choice.spaces[0] = value
    elif field == 8:
        choice.space = value
    elif field == 9:
        choice.idle_workers = value
'''


@dataclass(frozen=True)
class Turn:
    """What a seat does in a round: it takes funds unless it has `spaces` to mine, though it be none of them.

    taken and pay (skill coins) are left to the engine's default while None, and so is extra, which says
    which of the spaces listed for Blue's chip is chosen.
    """

    coins: int = 0
    skill_coins: int = 0
    spaces: tuple[int, ...] | None = None
    skill: bool = False
    taken: int | None = None
    pay: int | None = None
    extra: int | None = None

    def number(self) -> float:
        """The turn as the script's parameter."""
        spaces = self.spaces or ()
        assert len(spaces) <= MOST_SPACES
        fields = {
            "coins": self.coins,
            "skill_coins": self.skill_coins,
            "action": int(self.spaces is not None),
            "skill": int(self.skill),
            "taken": 15 if self.taken is None else self.taken,
            "pay": 15 if self.pay is None else self.pay,
            "extra": 3 if self.extra is None else self.extra,
            "count": len(spaces),
        }
        whole = at = 0
        for name, width in BITS.items():
            assert 0 <= fields[name] < 1 << width, name
            whole |= fields[name] << at
            at += width
        for k, space in enumerate(spaces):
            whole |= space << at + SPACE_BITS * k
        return float(whole)


Script = Mapping[int, Turn]
"""A seat's turns by round; in the others it bids nothing and takes funds."""

Slip = tuple[int, str, float]
"""In which round, which field of the answer, and the wrong number."""

IDLE: Script = {}
PASS = Turn(spaces=())


def scripted(script: Script = IDLE, slip: Slip | None = None, is_trusted: bool = True) -> Policy:
    """A policy that plays a script."""
    turns = [script.get(number, Turn()).number() for number in range(1, ROUNDS + 1)]
    wrong = [slip[0] * 16.0 + SLIPS.index(slip[1]), slip[2]] if slip else [0.0, 0.0]
    return Policy("scripted", "scripted", "script.py", SOURCE, (*turns, *wrong), is_trusted)


#: The seats sit in the turn order at the start unless a test says otherwise.
STAGE = Stage("debrium", scripted, judge, plain=("initial_order=seat",))
rules_of, batch_of, tell, fault_of = STAGE.rules_of, STAGE.batch_of, STAGE.tell, STAGE.fault_of
random_batch, tell_random, referee_judges = STAGE.random_batch, STAGE.tell_random, STAGE.referee_judges


def tell_slips(sets: Sequence[str], *slips: tuple[Script, Slip], index: int = 0) -> list[Event]:
    """The events of a game of scripts with one more answer each, which a script has no word for."""
    rules = rules_of(*sets)
    pool = [scripted(script, slip) for script, slip in slips]
    pool += [scripted()] * (rules.values["players"] - len(pool))
    events, fault = replay(Batch("debrium", rules, LineUp(tuple(pool), "fixed"), SEED), index)
    assert fault is None, fault
    referee_judges(events)
    return events


@functools.cache
def idle_game(sets: tuple[str, ...], index: int = 0) -> list[Event]:
    """The events of a game in which nobody does anything: its deal and its falls."""
    return tell(sets, index=index)


def find_game(sets: Sequence[str], fits: Callable[[list[Event]], bool]) -> int:
    """The number of the first game whose deal and falls fit."""
    return next(index for index in range(1000) if fits(idle_game(tuple(sets), index)))


def tops(events: Sequence[Event]) -> list[int]:
    """The level of each space's top chip at the start."""
    return [stack[-1][0] for stack in of(events, "setup")[0]["stacks"]]


def safe_spaces(events: Sequence[Event], level: int, number: int = 1) -> list[int]:
    """Spaces with a top chip of that level at the start that the fall of a round leaves alone."""
    fall = of(events, "fall")[number - 1]
    columns = events[0]["rules"]["columns"]
    return [
        space
        for space, top in enumerate(tops(events))
        if top == level and space % columns != fall["column"] and space // columns != fall["row"]
    ]
