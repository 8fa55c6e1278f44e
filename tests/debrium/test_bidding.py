"""1. Bidding for turn order."""

import pytest

from tests.debrium.script import PASS, Script, Turn, tell
from tests.games.stage import Event, in_round, of

EXPANSION = ["expansion=true", "starting_skill_coins=3"]


def passing(coins: tuple[int, ...], skill_coins: tuple[int, ...] = ()) -> Script:
    """Bid these round by round and mine nothing, so that nothing is paid out."""
    more = [*skill_coins, *[0] * (len(coins) - len(skill_coins))]
    bids = zip(coins, more, strict=True)
    return {number: Turn(one, other, spaces=()) for number, (one, other) in enumerate(bids, start=1)}


def bids_of(events: list[Event], number: int = 1) -> Event:
    return of(in_round(events, number), "bids")[0]


def orders(events: list[Event], rounds: int) -> list[list[int]]:
    return [bids_of(events, number)["order"] for number in range(1, rounds + 1)]


def test_players_act_from_the_highest_bid_to_the_lowest() -> None:
    events = tell([], passing((1,)), passing((3,)), passing((0,)), passing((2,)))
    assert bids_of(events)["order"] == [1, 3, 0, 2]
    assert [mine["seat"] for mine in of(in_round(events, 1), "mine")] == [1, 3, 0, 2]


def test_ties_keep_their_current_relative_order() -> None:
    """The order of the round before, not that of the seats."""
    events = tell([], passing((0, 0, 2)), passing((1, 0, 2)), passing((2, 0, 0)), passing((3, 0, 2)))
    assert orders(events, 3) == [[3, 2, 1, 0], [3, 2, 1, 0], [3, 1, 0, 2]]


def test_at_the_start_ties_keep_the_drawn_order() -> None:
    events = tell(["initial_order=random"], *[passing((0,))] * 4, index=3)
    drawn = of(events, "setup")[0]["order"]
    assert drawn != [0, 1, 2, 3]
    assert bids_of(events)["order"] == drawn


@pytest.mark.parametrize("sets", [[], ["players=3"]])
def test_any_number_of_coins_can_be_bid_none_and_all_included(sets: list[str]) -> None:
    events = tell(sets, passing((10,)), passing((0, 10)), passing((0, 0, 10)))
    assert bids_of(events)["coins"][:3] == [10, 0, 0]
    assert bids_of(events, 2)["coins"][:3] == [0, 10, 0]
    assert bids_of(events, 3)["coins"][:3] == [0, 0, 10]


def test_a_bid_counts_coins_plus_skill_coins() -> None:
    seats = passing((2,), (0,)), passing((1,), (2,)), passing((0,), (3,)), passing((3,), (1,))
    events = tell(EXPANSION, *seats)
    assert bids_of(events)["skill_coins"] == [0, 2, 3, 1]
    assert bids_of(events)["order"] == [3, 1, 2, 0]  # 4; 3 each, as they stood; 2


def test_coins_bid_go_to_the_coin_pool_and_skill_coins_to_the_skill_pool() -> None:
    seats = passing((4, 1), (1, 1)), passing((3, 0), (2, 0)), passing((0, 2), (0, 3)), passing((0, 0), (0, 0))
    events = tell(["starting_pool=5", *EXPANSION], *seats)
    pools = [(payout["pool"], payout["skill_pool"]) for payout in of(events, "payout")[:2]]
    assert pools == [(12, 3), (15, 7)]


def test_what_was_bid_is_gone_when_nobody_takes_funds() -> None:
    sets = ["chips_level_4=2", *EXPANSION]
    end = tell(sets, passing((4, 1), (1, 1)), passing((3, 0), (2, 0)), *[passing((0, 0))] * 2)[-1]
    assert end["coins"] == [5, 7, 10, 10]
    assert end["skill_coins"] == [1, 1, 3, 3]


def test_the_player_now_last_takes_a_debt_card() -> None:
    seats = passing((0, 1, 1)), passing((1, 0, 0)), passing((2, 1, 1)), passing((3, 1, 0))
    events = tell(["chips_level_4=3"], *seats)
    assert orders(events, 3) == [[3, 2, 1, 0], [3, 2, 0, 1], [2, 0, 3, 1]]
    assert [bids["debt"] for bids in of(events, "bids")] == [0, 1, 1]
    assert events[-1]["debt_cards"] == [1, 2, 0, 0]


def test_the_new_order_holds_for_actions_and_payouts() -> None:
    low = {1: Turn(0, spaces=())}
    events = in_round(tell([], {1: Turn(1)}, low, {1: Turn(3)}, {1: PASS}), 1)
    assert of(events, "bids")[0]["order"] == [2, 0, 1, 3]
    assert [event["seat"] for event in events if event["event"] in ("mine", "funds")] == [2, 0, 1, 3]
    assert of(events, "payout")[0]["takers"] == [2, 0]
