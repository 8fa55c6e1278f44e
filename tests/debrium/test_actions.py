"""2. Action selection, 3. Mining preparation and 4. Additional funds, without skills."""

import pytest

from tests.debrium.script import PASS, Script, Turn, safe_spaces, tell
from tests.games.stage import Event, in_round, of

EXPANSION = ["expansion=true", "starting_skill_coins=3"]
TINY = ["rows=1", "columns=2", "stack_height=2", "chips_level_1=4", "chips_level_2=0", "chips_level_3=0"]


def mined(events: list[Event], number: int = 1, seat: int = 0) -> Event:
    return of(in_round(events, number), "mine", seat=seat)[0]


def payouts(events: list[Event]) -> list[tuple[list[int], int, int, int, int]]:
    """Takers, coins each, skill coins each, pool and skill pool after, round by round."""
    keys = ("takers", "coins_each", "skill_coins_each", "pool", "skill_pool")
    return [tuple(event[key] for key in keys) for event in of(events, "payout")]


def mine_once(*spaces: int, coins: int = 0, skill_coins: int = 0, pay: int | None = None) -> Script:
    return {1: Turn(coins, skill_coins, spaces=spaces, pay=pay)}


PASSING: Script = dict.fromkeys(range(1, 15), PASS)


# --- Mining preparation ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "workers", "hired", "price"),
    [
        ([1], 1, 0, 0),
        ([2], 2, 0, 0),
        ([1, 1], 2, 0, 0),
        ([3], 3, 1, 1),
        ([1, 2], 3, 1, 1),
        ([2, 2], 4, 2, 3),
        ([1, 3], 4, 2, 3),
        ([2, 3], 5, 3, 5),
        ([1, 1, 1, 2], 5, 3, 5),
    ],
)
def test_a_space_takes_as_many_workers_as_its_level_and_exactly_the_extra_ones_are_hired(
    idle: list[Event], levels: list[int], workers: int, hired: int, price: int
) -> None:
    spaces = [safe_spaces(idle, level)[levels[:k].count(level)] for k, level in enumerate(levels)]
    events = tell([], mine_once(*spaces))
    assert mined(events)["spaces"] == spaces
    assert (mined(events)["workers"], mined(events)["hired"]) == (workers, hired)
    assert (mined(events)["paid_coins"], mined(events)["paid_skill_coins"]) == (price, 0)
    assert [collect["space"] for collect in of(in_round(events, 1), "collect", seat=0)] == spaces


@pytest.mark.parametrize(
    ("sets", "level", "price"),
    [
        (["hire_cost=[7, 8, 9]"], 3, 7),
        (["free_workers=0", "hire_cost=[2, 4, 6, 8, 10]"], 1, 2),
        (["free_workers=0", "hire_cost=[2, 4, 6, 8, 10]"], 3, 6),
        (["free_workers=3", "max_workers=3", "hire_cost=[]"], 3, 0),
    ],
)
def test_hiring_costs_the_total_for_the_number_of_extra_workers(
    idle: list[Event], sets: list[str], level: int, price: int
) -> None:
    assert mined(tell(sets, mine_once(safe_spaces(idle, level)[0])))["paid_coins"] == price


def test_hired_workers_are_paid_coins_first_and_then_in_skill_coins(idle: list[Event]) -> None:
    two, three = safe_spaces(idle, 2)[0], safe_spaces(idle, 3)[0]
    events = tell(EXPANSION, mine_once(two, three, coins=7), PASSING, PASSING, PASSING)
    assert (mined(events)["paid_coins"], mined(events)["paid_skill_coins"]) == (3, 2)
    assert payouts(events)[0][3:] == (10, 2)


@pytest.mark.parametrize("pay", [0, 1, 3])
def test_a_player_may_choose_how_many_skill_coins_pay_into_the_matching_pool(idle: list[Event], pay: int) -> None:
    two, three = safe_spaces(idle, 2)[0], safe_spaces(idle, 3)[0]
    events = tell(EXPANSION, mine_once(two, three, pay=pay), PASSING, PASSING, PASSING)
    assert (mined(events)["paid_coins"], mined(events)["paid_skill_coins"]) == (5 - pay, pay)
    assert payouts(events)[0][3:] == (5 - pay, pay)


def test_there_is_no_refund_when_the_digging_fails(idle: list[Event]) -> None:
    impact = of(idle, "fall")[0]["space"]
    one = safe_spaces(idle, 1)[0]
    sets = ["chips_level_4=1", "free_workers=0", "hire_cost=[2, 4, 6, 8, 10]"]
    events = tell(sets, mine_once(one, impact), PASSING, PASSING, PASSING)
    assert of(events, "fall")[0]["lost"] == [[0, impact]]
    assert [collect["space"] for collect in of(events, "collect")] == [one]
    assert mined(events)["workers"] == 2
    assert payouts(events)[0][3] == 4
    assert events[-1]["coins"] == [6, 10, 10, 10]


def test_mining_with_no_placement_is_allowed_so_a_blocked_player_can_pass() -> None:
    events = tell(TINY, mine_once(0, 1), PASSING, PASSING)
    assert mined(events, seat=1) == mined(events, seat=2) | {"seat": 1}
    assert (mined(events, seat=1)["spaces"], mined(events, seat=1)["workers"]) == ([], 0)


def test_workers_go_home_and_everyone_is_back_to_their_free_workers(idle: list[Event]) -> None:
    """The same spaces are free again, and two workers cost nothing again."""
    struck = {fall["space"] for fall in of(idle, "fall")[:2]}
    spaces = [space for space in range(16) if space not in struck][:2]
    sets = ["chips_level_1=32", "chips_level_2=0", "chips_level_3=0"]
    events = tell(sets, mine_once(*spaces), {2: Turn(spaces=tuple(spaces))})
    for number, seat in ((1, 0), (2, 1)):
        assert mined(events, number, seat)["spaces"] == spaces
        assert (mined(events, number, seat)["workers"], mined(events, number, seat)["hired"]) == (2, 0)


def test_a_fallen_chip_takes_4_workers_from_the_next_round_on(idle: list[Event]) -> None:
    fallen, value = (of(idle, "fall")[0][key] for key in ("space", "value"))
    assert of(idle, "fall")[1]["space"] != fallen
    events = tell([], {2: Turn(spaces=(fallen,))})
    assert (mined(events, 2)["workers"], mined(events, 2)["hired"], mined(events, 2)["paid_coins"]) == (4, 2, 3)
    collected = of(in_round(events, 2), "collect")[0]
    assert (collected["space"], collected["level"], collected["value"]) == (fallen, 4, value)


# --- Additional funds --------------------------------------------------------------------------------


def test_the_pool_is_split_evenly_among_the_takers_and_the_remainder_stays() -> None:
    events = tell([], {1: Turn(5, spaces=())}, {1: Turn(3)}, {1: Turn(1)}, {1: Turn(2)})
    assert payouts(events)[0] == ([1, 3, 2], 3, 0, 2, 0)


def test_the_remainder_is_split_in_a_later_round() -> None:
    events = tell([], {1: Turn(5), 2: PASS}, {2: PASS}, {2: Turn(3)}, {2: PASS})
    assert [payout[:2] for payout in payouts(events)[:2]] == [([0, 1, 2, 3], 1), ([2], 4)]
    assert payouts(events)[1][3] == 0


@pytest.mark.parametrize("pool", range(5))
def test_a_pool_smaller_than_their_number_pays_nobody(pool: int) -> None:
    events = tell([f"starting_pool={pool}"])
    assert payouts(events)[0] == ([0, 1, 2, 3], pool // 4, 0, pool % 4, 0)


def test_coins_paid_this_very_round_are_part_of_the_payout(idle: list[Event]) -> None:
    """Bids, and hiring by players who act after the taker too."""
    two, three = safe_spaces(idle, 2)[0], safe_spaces(idle, 3)[0]
    events = tell(["players=3"], {1: Turn(3)}, mine_once(two, three, coins=2), mine_once(coins=1))
    assert [event["event"] for event in in_round(events, 1)[2:5]] == ["funds", "mine", "mine"]
    assert payouts(events)[0] == ([0], 3 + 2 + 1 + 5, 0, 0, 0)


def test_without_takers_the_pools_stay() -> None:
    events = tell(EXPANSION, {1: Turn(5, 1, spaces=())}, PASSING, PASSING, PASSING)
    assert payouts(events)[0] == ([], 0, 0, 5, 1)


@pytest.mark.parametrize(
    ("coins", "skill_coins", "each"),
    [(0, 3, (0, 1)), (1, 2, (0, 1)), (4, 1, (2, 0)), (5, 3, (2, 1)), (1, 1, (0, 0))],
)
def test_the_skill_pool_is_split_the_same_way_and_judged_on_its_own(
    coins: int, skill_coins: int, each: tuple[int, int]
) -> None:
    events = tell(EXPANSION, {1: Turn(coins, skill_coins, spaces=())}, {1: PASS})
    left = (coins - 2 * each[0], skill_coins - 2 * each[1])
    assert payouts(events)[0] == ([2, 3], *each, *left)


def test_the_takers_hold_what_they_were_paid() -> None:
    sets = ["chips_level_4=1", *EXPANSION]
    end = tell(sets, {1: Turn(7, 3, spaces=())}, {1: PASS})[-1]
    assert end["coins"] == [3, 10, 13, 13]
    assert end["skill_coins"] == [0, 3, 4, 4]
