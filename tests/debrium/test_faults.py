"""The rules of Debrium that an answer can break: `tests.games.test_faults` plays these games."""

from collections.abc import Sequence
from math import inf, nan

from sim.task import PolicyFault
from tests.debrium.script import IDLE, Script, Turn, fault_of, idle_game, safe_spaces, scripted
from tests.games.kit import Breach
from tests.games.stage import Event, of

EXPANSION = ["expansion=true", "starting_skill_coins=3", 'companies=["yellow", "blue", "red", "green"]']
BARE = ["stack_height=1", "chips_level_1=16", "chips_level_2=0", "chips_level_3=0"]
NO_NUMBERS = [nan, inf, -inf, 0.5, 2.5, -1.5]


def breach(
    field: str,
    numbers: list[float],
    says: str,
    turns: Script = IDLE,
    sets: Sequence[str] = (),
    number: int = 1,
    decision: str = "turn",
    others: Sequence[Script] = (),
) -> Breach:
    """Seat 0 plays `turns` but for a wrong number in a field of its answer in one round; the others their scripts."""

    def fault(wrong: float | None, is_trusted: bool) -> PolicyFault | None:
        slip = None if wrong is None else (number, field, wrong)
        return fault_of(sets, scripted(turns, slip, is_trusted), *map(scripted, others))

    return Breach(numbers, f"game 0, round {number}, seat 0, decision {decision!r}", says, fault)


BLUE = ["expansion=true", 'companies=["blue", "yellow", "red", "green"]']

# Spaces of the first game by their level, two that no early fall strikes, and on BARE stacks the first two
# impacts, with a space that no fall has covered.
ONE, OTHER_ONE, TWO, THREE, OTHER_THREE = 0, 1, 3, 8, 11
MINED, FREE = 0, 1
FALLEN, LATER, SPARE = 6, 12, 2


def test_the_board_is_what_the_cases_take_it_for() -> None:
    events = idle_game(())
    assert {ONE, OTHER_ONE} < set(safe_spaces(events, 1))
    assert TWO in safe_spaces(events, 2)
    assert {THREE, OTHER_THREE} < set(safe_spaces(events, 3))
    assert not {MINED, FREE} & {fall["space"] for fall in of(events, "fall")[:2]}
    falls = of(idle_game(tuple(BARE)), "fall")
    assert [fall["space"] for fall in falls[:2]] == [FALLEN, LATER]
    assert safe_in(falls[2], FALLEN, LATER, SPARE)


def safe_in(fall: Event, *spaces: int) -> bool:
    return all(space % 4 != fall["column"] and space // 4 != fall["row"] for space in spaces)


BREACHES = {
    "coins bid": breach(
        "coins", [11, -1, *NO_NUMBERS], "answers coins .*; a bid is a whole number from 0 to 10", decision="bid"
    ),
    "coins bid later": breach(
        "coins", [8], "from 0 to 7, the coins it holds", {1: Turn(3, spaces=())}, number=2, decision="bid"
    ),
    "skill coins in the base game": breach(
        "skill_coins", [1], "answers skill_coins 1; it may bid .* 0 to 0", decision="bid"
    ),
    "skill coins bid": breach(
        "skill_coins",
        [4, -1, *NO_NUMBERS],
        "answers skill_coins .*; it may bid .* from 0 to 3",
        sets=EXPANSION,
        decision="bid",
    ),
    "action": breach("action", [2, -1, *NO_NUMBERS], "an action is FUNDS .0. or MINE .1."),
    "skill": breach("skill", [2, -1, *NO_NUMBERS], "it is 0 .not used. or 1", {1: Turn(0, 1)}, EXPANSION),
    "skill in the base game": breach("skill", [1], "without a company or a skill coin"),
    "skill without a skill coin": breach("skill", [1], "skill coin in this round's bid", {1: Turn(5)}, EXPANSION),
    "skill coin of the round before": breach(
        "skill", [1], "skill coin in this round's bid", {1: Turn(0, 1)}, EXPANSION, number=2
    ),
    "skill_with_funds": breach(
        "action", [0], "skill_with_funds off", {1: Turn(0, 1, (), True)}, [*EXPANSION, "skill_with_funds=false"]
    ),
    "yellow beyond the limit": breach(
        "taken",
        [6, -1, *NO_NUMBERS],
        "for Yellow's skill; it may take a whole number from 0 to 5",
        {1: Turn(9, 1, skill=True)},
        EXPANSION,
    ),
    "yellow beyond the pool": breach("taken", [4], "from 0 to 3", {1: Turn(3, 1, skill=True)}, EXPANSION),
    "placements": breach(
        "placements", [13, -1, *NO_NUMBERS], "answers placements .*; .* from 0 to 12", {1: Turn(spaces=())}
    ),
    "off the board": breach(
        "first_space", [16, 40, -1, *NO_NUMBERS], "not on the board; .* from 0 to 15", {1: Turn(spaces=(ONE,))}
    ),
    "another's space": breach(
        "first_space",
        [OTHER_ONE],
        f"on space {OTHER_ONE}, where workers stand already",
        {1: Turn(spaces=(ONE,))},
        others=({1: Turn(1, spaces=(OTHER_ONE,))},),
    ),
    "a space twice": breach("first_space", [OTHER_ONE], "workers stand", {1: Turn(spaces=(ONE, OTHER_ONE))}),
    "an empty space": breach(
        "first_space",
        [MINED],
        f"on space {MINED}, where no chip lies",
        {1: Turn(spaces=(MINED,)), 2: Turn(spaces=(FREE,))},
        BARE,
        number=2,
    ),
    "too many workers": breach(
        "first_space",
        [THREE],
        "more workers than a player can have, which is 5",
        {1: Turn(spaces=(TWO, OTHER_THREE))},
    ),
    "more than it can pay": breach(
        "first_space",
        [THREE],
        "at a price of 3, more than the coins and skill coins that it holds",
        {1: Turn(spaces=(TWO, ONE))},
        ["starting_coins=1"],
    ),
    "a single coin more than it can pay": breach(
        "first_space", [THREE], "at a price of 1, more than", {1: Turn(spaces=(ONE,))}, ["starting_coins=0"]
    ),
    "more than it can pay after the bid": breach(
        "coins", [9], "at a price of 3, more than", {1: Turn(7, spaces=(THREE, ONE))}
    ),
    "skill coins paid": breach(
        "pay_skill_coins",
        [2, -2, *NO_NUMBERS],
        "answers pay_skill_coins .*; it is a whole number of at most 1",
        {1: Turn(spaces=(THREE,))},
        EXPANSION,
    ),
    "skill coins paid beyond those held": breach(
        "pay_skill_coins", [4], "at most 3", {1: Turn(spaces=(THREE, TWO), pay=3)}, EXPANSION
    ),
    "skill coins paid too few": breach(
        "pay_skill_coins",
        [0, 1],
        "leaves no more to pay than its coins",
        {1: Turn(spaces=(THREE, TWO))},
        [*EXPANSION, "starting_coins=3"],
    ),
    "skill coins paid for nothing": breach(
        "pay_skill_coins", [1], "at most 0", {1: Turn(spaces=(ONE,), pay=0)}, EXPANSION
    ),
    "blue's space": breach(
        "space",
        [-1, 16, 40, TWO, *NO_NUMBERS],
        "Blue's extra chip at .*; the first `choice.placements` .2. of",
        {1: Turn(0, 1, (ONE, OTHER_ONE), True)},
        BLUE,
        decision="extra",
    ),
    "blue's one space": breach(
        "space",
        [-2, 40, TWO, *NO_NUMBERS],
        "Blue's extra chip",
        {1: Turn(0, 1, (ONE,), True)},
        [*BLUE, "blue_takes=may"],
        decision="extra",
    ),
    "an idle worker": breach(
        "idle_workers",
        [1, -1, *NO_NUMBERS],
        "answers idle_workers .*; it may hire from 0 to 0",
        {1: Turn(spaces=(ONE,))},
    ),
    "idle workers beyond max_workers": breach(
        "idle_workers",
        [4, -1, *NO_NUMBERS],
        "answers idle_workers .*; it may hire from 0 to 3",
        {1: Turn(spaces=(ONE,))},
        ["hire_idle=true"],
    ),
    "idle workers beside hired ones": breach(
        "idle_workers",
        [2],
        "answers idle_workers 2; it may hire from 0 to 1",
        {1: Turn(spaces=(THREE, ONE))},
        ["hire_idle=true"],
    ),
    "idle workers that it cannot pay": breach(
        "idle_workers",
        [3],
        "at a price of 5, more than",
        {1: Turn(spaces=(ONE,))},
        ["hire_idle=true", "starting_coins=4"],
    ),
    "blue's space has no chip beneath": breach(
        "space",
        [SPARE],
        "Blue's extra chip",
        {3: Turn(0, 1, (SPARE, FALLEN, LATER), True)},
        [*BLUE, *BARE, "free_workers=12", "max_workers=12"],
        number=3,
        decision="extra",
    ),
}
