"""The readings of an open rule: each switch plays what its word says. Seat 0 is Red, 1 Blue, 2 Yellow, 3 Green."""

import pytest

from reports.telling import tell as told
from tests.debrium.script import PASS, Script, Turn, safe_spaces, tell, tell_slips
from tests.games.stage import Event, in_round, of

SETS = ["expansion=true", "starting_skill_coins=3", 'companies=["red", "blue", "yellow", "green"]']
RED, BLUE, YELLOW, GREEN = range(4)
PASSING: Script = dict.fromkeys(range(1, 15), PASS)
NOTHING = ({}, (1, "idle_workers", 0.0))
NO_SPACE = -1.0


def skilled(*spaces: int, coins: int = 0) -> Turn:
    """Bid coins and a skill coin, use the skill, and mine."""
    return Turn(coins, 1, spaces, skill=True)


def mined(events: list[Event], seat: int) -> Event:
    return of(in_round(events, 1), "mine", seat=seat)[0]


def collected(events: list[Event], seat: int, number: int = 1) -> list[tuple[int, bool]]:
    return [(event["space"], event["extra"]) for event in of(in_round(events, number), "collect", seat=seat)]


# --- blue_takes --------------------------------------------------------------------------------------


def test_blue_may_leave_the_chip_beneath_and_it_stays_there(idle: list[Event]) -> None:
    struck = {fall["space"] for fall in of(idle, "fall")[:2]}
    both = {*safe_spaces(idle, 1), *safe_spaces(idle, 2)} & set(safe_spaces_of(idle, 2)) - struck
    space = min(both)
    again: Script = {1: skilled(space), 2: Turn(spaces=(space,))}
    events = tell_slips([*SETS, "blue_takes=may", "free_workers=4"], NOTHING, (again, (1, "space", NO_SPACE)))
    assert collected(events, BLUE) == [(space, False)]
    assert len(of(events, "skill", company="blue")) == 1
    beneath = of(idle, "setup")[0]["stacks"][space][0]
    assert [[e["level"], e["value"]] for e in of(in_round(events, 2), "collect", seat=BLUE)] == [beneath]


def safe_spaces_of(events: list[Event], number: int) -> list[int]:
    fall = of(events, "fall")[number - 1]
    return [space for space in range(16) if space % 4 != fall["column"] and space // 4 != fall["row"]]


def test_blue_may_leave_all_of_several(idle: list[Event]) -> None:
    spaces = safe_spaces(idle, 1)[:2]
    turns = {1: skilled(*spaces)}
    events = tell_slips([*SETS, "blue_takes=may"], NOTHING, (turns, (1, "space", NO_SPACE)))
    assert collected(events, BLUE) == [(space, False) for space in spaces]
    events = tell_slips([*SETS, "blue_takes=may"], NOTHING, (turns, (1, "space", float(spaces[1]))))
    assert collected(events, BLUE)[2:] == [(spaces[1], True)]


def test_blue_that_says_nothing_takes_the_first_under_both_readings(idle: list[Event]) -> None:
    spaces = safe_spaces(idle, 1)[:2]
    for reading in ("must", "may"):
        for chosen in (spaces[:1], spaces):
            events = tell([*SETS, f"blue_takes={reading}"], {}, {1: skilled(*chosen)})
            assert collected(events, BLUE)[-1] == (spaces[0], True)


# --- red_needs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "level", "red_workers", "workers"),
    [("most", 1, 2, 1), ("exactly", 1, 2, 2), ("exactly", 2, 2, 2), ("exactly", 3, 2, 2), ("exactly", 3, 1, 1),
     ("exactly", 1, 5, 5), ("exactly", 3, 4, 4)],
)  # fmt: skip
def test_red_needs_exactly_red_workers_on_every_level(
    idle: list[Event], reading: str, level: int, red_workers: int, workers: int
) -> None:
    space = safe_spaces(idle, level)[0]
    sets = [*SETS, f"red_needs={reading}", f"red_workers={red_workers}"]
    events = tell(sets, {1: skilled(space)})
    assert mined(events, RED)["workers"] == workers
    assert collected(events, RED) == [(space, False)]
    assert mined(tell(sets, {1: Turn(0, 1, (space,))}), RED)["workers"] == level, "not without the skill"


# --- green_per ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "own", "later"), [("turn", 2, 8), ("worker", 0, 14)])
def test_green_changes_prices_once_a_turn_or_for_each_worker(
    idle: list[Event], reading: str, own: int, later: int
) -> None:
    """Both hire three, for 5."""
    two, three = safe_spaces(idle, 2)[:2], safe_spaces(idle, 3)[:2]
    turns = [{1: Turn(1, 0, (two[0], three[0]))}, PASSING, PASSING, {1: skilled(two[1], three[1], coins=3)}]
    sets = [*SETS, f"green_per={reading}", "starting_coins=20"]
    events = tell(sets, *turns)
    assert [mined(events, GREEN)["paid_coins"], mined(events, RED)["paid_coins"]] == [own, later]


def test_greens_discount_for_each_worker_is_taken_off_the_total(idle: list[Event]) -> None:
    two, three = safe_spaces(idle, 2)[0], safe_spaces(idle, 3)[0]
    sets = [*SETS, "green_per=worker", "green_discount=1"]
    events = tell(sets, PASSING, PASSING, PASSING, {1: skilled(two, three)})
    assert mined(events, GREEN)["paid_coins"] == 5 - 3


def test_who_hires_nobody_pays_no_surcharge_for_each_worker(idle: list[Event]) -> None:
    one = safe_spaces(idle, 1)[0]
    events = tell([*SETS, "green_per=worker"], {1: Turn(spaces=(one,))}, {}, {}, {1: skilled(coins=3)})
    assert mined(events, RED)["paid_coins"] == 0


# --- coin_points and skill_coin_points ---------------------------------------------------------------


@pytest.mark.parametrize(("coin", "skill_coin"), [(1, 1), (0, 1), (1, 0), (2, 3), (10, 0)])
def test_coins_and_skill_coins_count_their_points(coin: int, skill_coin: int) -> None:
    points = [f"coin_points={coin}", f"skill_coin_points={skill_coin}"]
    first = {1: Turn(4, 1, ())}
    events = tell([*SETS, *points, "chips_level_4=1", "debt_penalty=[0]"], first, PASSING, PASSING, PASSING)
    rich = 10 * coin + 3 * skill_coin
    assert events[-1]["score"] == [6 * coin + 2 * skill_coin, rich, rich, rich]
    assert events[-1]["coins"] == [6, 10, 10, 10]
    last = list(told(events))
    row = next(k for k, line in enumerate(last) if "score if it ended now" in line) + 1
    assert [int(line.split()[-1]) for line in last[row : row + 4]] == events[-1]["score"]


def test_coins_that_count_nothing_decide_nothing(idle: list[Event]) -> None:
    sets = [*SETS, "coin_points=0", "skill_coin_points=0", "chips_level_4=1", "debt_penalty=[0]"]
    one = safe_spaces(idle, 1)[0]
    end = tell(sets, {1: Turn(9, spaces=(one,))}, PASSING, PASSING, PASSING)[-1]
    assert end["win_share"] == [1, 0, 0, 0]


# --- king_needs_chip ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("needs", "king", "bonus"), [("true", None, 0), ("false", 2, 15)])
def test_a_king_without_a_chip_is_the_earliest_of_the_last_order_or_nobody(
    needs: str, king: int | None, bonus: int
) -> None:
    sets = [f"king_needs_chip={needs}", "chips_level_4=1", "debt_penalty=[0]"]
    events = tell(sets, PASSING, PASSING, {1: Turn(1, spaces=())}, PASSING)
    assert events[-1]["king"] == king
    assert events[-1]["score"] == [10, 10, 9 + bonus, 10]
    assert ("Nobody is Mining King" in "\n".join(told(events))) == (king is None)


def test_with_a_chip_somewhere_the_king_is_the_same_under_both_readings(idle: list[Event]) -> None:
    one = safe_spaces(idle, 1)[0]
    for needs in ("true", "false"):
        sets = [f"king_needs_chip={needs}", "chips_level_4=1"]
        assert tell(sets, PASSING, {1: Turn(spaces=(one,))}, PASSING, PASSING)[-1]["king"] == 1


# --- hire_idle ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "idle_workers", "hired", "price"), [(None, 3, 3, 5), (1, 1, 1, 1), (1, 3, 3, 5), (3, 2, 3, 5)]
)
def test_workers_may_be_hired_to_stand_idle_at_the_same_price(
    idle: list[Event], level: int | None, idle_workers: int, hired: int, price: int
) -> None:
    spaces = () if level is None else (safe_spaces(idle, level)[0],)
    events = tell_slips(["hire_idle=true"], ({1: Turn(spaces=spaces)}, (1, "idle_workers", float(idle_workers))))
    mine = mined(events, 0)
    assert (mine["workers"], mine["hired"], mine["paid_coins"]) == (level or 0, hired, price)
    assert [space for space, _ in collected(events, 0)] == list(spaces)
    line = next(line for line in told(events) if line.startswith("Seat 0 mines"))
    text = line if level is None else " ".join(told(events))
    assert f"{idle_workers} to stand idle hired for {price} coin" in text


def test_hired_and_idle_workers_are_told_apart(idle: list[Event]) -> None:
    turns = {1: Turn(spaces=(safe_spaces(idle, 3)[0],))}
    text = " ".join(told(tell_slips(["hire_idle=true"], (turns, (1, "idle_workers", 1.0)))))
    assert "with 3 workers, 1 of them and 1 to stand idle hired for 3 coins." in text
