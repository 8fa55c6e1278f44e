"""The expansion's company skills. Seat 0 is Red, 1 Blue, 2 Yellow, 3 Green."""

import pytest

from tests.debrium.script import IDLE, PASS, Script, Turn, find_game, idle_game, safe_spaces, tell
from tests.games.stage import Event, in_round, of

SETS = ["expansion=true", "starting_skill_coins=3", 'companies=["red", "blue", "yellow", "green"]']
RED, BLUE, YELLOW, GREEN = range(4)
NO_ONES = ["chips_level_2=0", "chips_level_3=0"]
PASSING: Script = dict.fromkeys(range(1, 15), PASS)


def skilled(coins: int = 0, *spaces: int, taken: int | None = None, extra: int | None = None) -> Turn:
    """Bid coins and a skill coin, use the skill, and mine."""
    return Turn(coins, 1, spaces, skill=True, taken=taken, extra=extra)


def play(*turns: Turn | None, sets: list[str] | None = None, index: int = 0) -> list[Event]:
    """The events of a game whose first round has these turns by seat; who has none mines nothing."""
    scripts = [PASSING | ({1: turn} if turn else {}) for turn in [*turns, *[None] * (4 - len(turns))]]
    return tell([*SETS, *(sets or [])], *scripts, index=index)


def mined(events: list[Event], seat: int, number: int = 1) -> Event:
    return of(in_round(events, number), "mine", seat=seat)[0]


def collected(events: list[Event], seat: int) -> list[tuple[int, bool]]:
    return [(event["space"], event["extra"]) for event in of(in_round(events, 1), "collect", seat=seat)]


# --- When a skill can be used ------------------------------------------------------------------------


@pytest.mark.parametrize("spaces", [None, ()])
def test_a_skill_coin_in_the_bid_lets_a_player_use_the_skill_whichever_action_follows(
    spaces: tuple[int, ...] | None,
) -> None:
    events = in_round(play(*[Turn(0, 1, spaces, skill=True)] * 4), 1)
    told = [(event["event"], event["seat"]) for event in events if "seat" in event]
    action = "funds" if spaces is None else "mine"
    assert told == [pair for seat in range(4) for pair in (("skill", seat), (action, seat))]
    assert [event["company"] for event in of(events, "skill")] == ["red", "blue", "yellow", "green"]


def test_activating_is_optional() -> None:
    assert of(play(*[Turn(0, 1, ())] * 4), "skill") == []


def test_only_once_a_round_even_if_several_skill_coins_were_paid() -> None:
    events = play(Turn(0, 3, (), skill=True))
    assert len(of(events, "skill")) == 1


def test_with_skill_with_funds_off_who_mines_even_with_no_placement_may_use_it() -> None:
    events = play(Turn(0, 1, (), skill=True), sets=["skill_with_funds=false"])
    assert [event["seat"] for event in of(events, "skill")] == [RED]


# --- Red ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "red_workers", "workers"),
    [(1, 2, 1), (2, 2, 2), (3, 2, 2), (1, 1, 1), (3, 1, 1), (1, 3, 1), (2, 3, 2), (3, 3, 3), (3, 12, 3)],
)
def test_red_needs_at_most_red_workers_and_never_more_than_the_level(
    idle: list[Event], level: int, red_workers: int, workers: int
) -> None:
    events = play(skilled(0, safe_spaces(idle, level)[0]), sets=[f"red_workers={red_workers}"])
    assert mined(events, RED)["workers"] == workers
    assert len(collected(events, RED)) == 1


def test_red_mines_a_fallen_chip_with_2_workers(idle: list[Event]) -> None:
    fallen = of(idle, "fall")[0]["space"]
    events = tell(SETS, {2: skilled(0, fallen)})
    assert (mined(events, RED, 2)["workers"], mined(events, RED, 2)["hired"]) == (2, 0)
    assert of(in_round(events, 2), "collect")[0]["level"] == 4


def test_red_places_2_workers_on_each_of_several_spaces(idle: list[Event]) -> None:
    first, second = safe_spaces(idle, 3)[:2]
    one = safe_spaces(idle, 1)[0]
    events = play(skilled(0, first, second, one))
    assert [mined(events, RED)[key] for key in ("workers", "hired", "paid_coins")] == [5, 3, 5]


def test_red_needs_the_level_without_the_skill_in_the_next_round_and_so_do_all_others(idle: list[Event]) -> None:
    third = safe_spaces(idle, 3)
    assert mined(play(Turn(0, 1, (third[0],))), RED)["workers"] == 3
    assert mined(play(skilled(0, third[0]), skilled(0, third[1])), BLUE)["workers"] == 3
    struck = {fall["space"] for fall in of(idle, "fall")[:2]}
    again = next(space for space in third[1:] if space not in struck)
    events = tell(SETS, {1: skilled(0, third[0]), 2: Turn(spaces=(again,))})
    assert [mined(events, RED, number)["workers"] for number in (1, 2)] == [2, 3]


# --- Blue --------------------------------------------------------------------------------------------


def test_blue_also_takes_the_chip_beneath_the_space_just_mined(idle: list[Event]) -> None:
    space = safe_spaces(idle, 1)[0]
    stack = of(idle, "setup")[0]["stacks"][space]
    events = play(None, skilled(0, space))
    assert collected(events, BLUE) == [(space, False), (space, True)]
    got = [[event["level"], event["value"]] for event in of(events, "collect", seat=BLUE)]
    assert got == [stack[1], stack[0]]


def test_blue_is_asked_to_choose_one_of_several(idle: list[Event]) -> None:
    """After all others of the seat; by default the first."""
    spaces = safe_spaces(idle, 1)[:2]
    for extra, chosen in ((None, 0), (0, 0), (1, 1)):
        events = play(None, skilled(0, *spaces, extra=extra))
        assert collected(events, BLUE) == [(spaces[0], False), (spaces[1], False), (spaces[chosen], True)]


def test_blue_takes_nothing_where_no_chip_remains_beneath() -> None:
    sets = ["stack_height=1", "chips_level_1=16", *NO_ONES]
    space = safe_spaces(idle_game(tuple(sets)), 1)[0]
    assert collected(play(None, skilled(0, space), sets=sets), BLUE) == [(space, False)]


def test_blue_chooses_only_among_spaces_with_a_chip_beneath() -> None:
    """In the second round on stacks of one, only a space on which a chip fell has one beneath."""
    sets = ["stack_height=1", "chips_level_1=16", *NO_ONES, "free_workers=12", "max_workers=12"]
    index = find_game(sets, lambda events: no_second_strike(of(events, "fall")))
    falls = of(idle_game(tuple(sets), index), "fall")
    fallen = falls[0]["space"]
    bare = next(s for s in range(16) if s % 4 != falls[1]["column"] and s // 4 != falls[1]["row"] and s != fallen)
    events = tell([*SETS, *sets], PASSING, {2: skilled(0, bare, fallen)}, index=index)
    assert collected_in(events, 2) == [(bare, 1, False), (fallen, 4, False), (fallen, 1, True)]


def no_second_strike(falls: list[Event]) -> bool:
    return falls[0]["column"] != falls[1]["column"] and falls[0]["row"] != falls[1]["row"]


def collected_in(events: list[Event], number: int) -> list[tuple[int, int, bool]]:
    got = of(in_round(events, number), "collect", seat=BLUE)
    return [(event["space"], event["level"], event["extra"]) for event in got]


def test_blue_takes_nothing_beneath_a_placement_that_was_lost(idle: list[Event]) -> None:
    impact, safe = of(idle, "fall")[0]["space"], safe_spaces(idle, 1)[0]
    workers = ["free_workers=12", "max_workers=12"]
    assert collected(play(None, skilled(0, impact), sets=workers), BLUE) == []
    assert collected(play(None, skilled(0, impact, safe), sets=workers), BLUE) == [(safe, False), (safe, True)]


def test_without_the_skill_or_for_others_there_is_no_extra_chip(idle: list[Event]) -> None:
    spaces = safe_spaces(idle, 1)
    events = play(skilled(0, spaces[0]), Turn(0, 1, (spaces[1],)), skilled(0, spaces[2]), skilled(0, spaces[3]))
    assert [extra for seat in range(4) for _, extra in collected(events, seat)] == [False] * 4


def test_blues_extra_chip_counts_for_mining_king(idle: list[Event]) -> None:
    spaces = safe_spaces(idle, 1)
    one_each = [Turn(1, 0, (spaces[0],)), skilled(0, spaces[1]), Turn(1, 0, (spaces[2],))]
    events = play(*one_each, sets=["chips_level_4=1"])
    assert events[-1]["chips"] == [1, 2, 1, 0]
    assert events[-1]["king"] == BLUE


# --- Yellow ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "yellow_take", "taken", "got"),
    [
        (9, 5, None, 5),
        (9, 5, 0, 0),
        (9, 5, 3, 3),
        (4, 5, None, 4),
        (0, 5, None, 0),
        (9, 2, None, 2),
        (9, 12, 9, 9),
        (9, 0, None, 0),
    ],
)
def test_yellow_takes_any_number_up_to_yellow_take_from_the_coin_pool_by_default_all(
    pool: int, yellow_take: int, taken: int | None, got: int
) -> None:
    sets = [f"starting_pool={pool}", f"yellow_take={yellow_take}", "chips_level_4=1"]
    events = play(None, None, skilled(0, taken=taken), sets=sets)
    assert of(events, "skill")[0]["taken"] == got
    assert of(events, "payout")[0]["pool"] == pool - got
    assert events[-1]["coins"] == [10, 10, 10 + got, 10]


def test_yellow_takes_from_this_rounds_bids_and_earlier_players_hiring(idle: list[Event]) -> None:
    """What later players hire for is not there yet."""
    threes = safe_spaces(idle, 3)
    early, late = Turn(4, 0, (threes[0],)), Turn(0, 0, (threes[1],))
    events = play(early, None, skilled(2), late, sets=["yellow_take=50"])
    assert of(events, "bids")[0]["order"] == [0, 2, 1, 3]
    assert of(events, "skill")[0]["taken"] == 4 + 2 + 1
    assert of(events, "payout")[0]["pool"] == 1


def test_yellow_takes_at_once_and_can_hire_with_it(idle: list[Event]) -> None:
    three = safe_spaces(idle, 3)[0]
    sets = ["starting_coins=0", "starting_pool=5"]
    events = play(None, None, skilled(0, three, taken=1), sets=sets)
    assert [mined(events, YELLOW)[key] for key in ("paid_coins", "paid_skill_coins")] == [1, 0]


def test_what_yellow_takes_is_not_paid_out() -> None:
    events = play(Turn(9), None, Turn(0, 1, None, skill=True))
    assert of(events, "skill")[0]["taken"] == 5
    assert [of(events, "payout")[0][key] for key in ("takers", "coins_each", "pool")] == [[0, 2], 2, 0]


def test_yellow_takes_no_skill_coins() -> None:
    events = play(Turn(0, 3, ()), None, skilled(0))
    assert of(events, "skill")[0]["taken"] == 0
    assert of(events, "payout")[0]["skill_pool"] == 4


# --- Green -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "green_discount", "price"),
    [([3], 3, 0), ([1, 3], 3, 0), ([2, 3], 3, 2), ([2, 3], 0, 5), ([2, 3], 9, 0), ([2], 3, 0)],
)
def test_greens_own_hiring_costs_less_but_not_below_nothing(
    idle: list[Event], levels: list[int], green_discount: int, price: int
) -> None:
    spaces = [safe_spaces(idle, level)[0] for level in levels]
    events = play(None, None, None, skilled(0, *spaces), sets=[f"green_discount={green_discount}"])
    assert [mined(events, GREEN)[key] for key in ("paid_coins", "paid_skill_coins")] == [price, 0]


@pytest.mark.parametrize("green", [skilled(5), Turn(5, 1, None, skill=True)], ids=["mines", "takes funds"])
@pytest.mark.parametrize("surcharge", [0, 3, 4])
def test_players_later_in_the_order_pay_the_surcharge_only_if_they_hire(
    idle: list[Event], green: Turn, surcharge: int
) -> None:
    """Whatever Green's own action; earlier players pay as ever."""
    threes, one = safe_spaces(idle, 3), safe_spaces(idle, 1)[0]
    early, late, idler = Turn(9, 0, (threes[0],)), Turn(1, 0, (threes[1],)), Turn(0, 0, (one,))
    events = play(late, early, idler, green, sets=[f"green_surcharge={surcharge}"])
    assert of(events, "bids")[0]["order"] == [1, 3, 0, 2]
    assert [mined(events, seat)["paid_coins"] for seat in (0, 1, 2)] == [1 + surcharge, 1, 0]


def test_green_does_not_pay_the_surcharge_itself(idle: list[Event]) -> None:
    two, three = safe_spaces(idle, 2)[0], safe_spaces(idle, 3)[0]
    events = play(None, None, None, skilled(5, two, three), sets=["green_discount=0", "green_surcharge=50"])
    assert mined(events, GREEN)["paid_coins"] == 5


def test_without_the_skill_nobody_pays_more_or_less(idle: list[Event]) -> None:
    threes = safe_spaces(idle, 3)
    events = play(Turn(0, 0, (threes[0],)), None, None, Turn(5, 1, (threes[1],)))
    assert [mined(events, seat)["paid_coins"] for seat in (RED, GREEN)] == [1, 1]


def test_greens_skill_ends_with_the_round(idle: list[Event]) -> None:
    struck = {fall["space"] for fall in of(idle, "fall")[:2]}
    three = next(space for space in safe_spaces(idle, 3) if space not in struck)
    events = tell(SETS, {2: Turn(spaces=(three,))}, IDLE, IDLE, {1: skilled(5)})
    assert of(in_round(events, 2), "bids")[0]["order"] == [3, 0, 1, 2]
    assert mined(events, RED, 2)["paid_coins"] == 1


def test_the_surcharge_can_be_paid_in_skill_coins(idle: list[Event]) -> None:
    three = safe_spaces(idle, 3)[0]
    events = play(Turn(9, 0, (three,)), None, None, skilled(9, taken=None))
    assert [mined(events, RED)[key] for key in ("paid_coins", "paid_skill_coins")] == [1, 3]
