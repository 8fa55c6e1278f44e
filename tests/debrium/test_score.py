"""The score: what counts, the Mining King, debt, and how a win is shared."""

import pytest

from tests.debrium.script import IDLE, PASS, Script, Turn, safe_spaces, tell, tell_random
from tests.games.stage import Event, of

PASSING: Script = dict.fromkeys(range(1, 15), PASS)
ONE_ROUND = ["chips_level_4=1"]


def end_of(sets: list[str], *scripts: Script) -> Event:
    return tell(sets, *scripts)[-1]


def first(*spaces: int, coins: int = 0, skill_coins: int = 0) -> Script:
    """One round: bid, and mine these spaces."""
    return {1: Turn(coins, skill_coins, spaces=spaces)}


# --- The sum -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sets", [[], ["players=3", "expansion=true"], ["expansion=true", "mining_king_bonus=-7"]])
def test_a_score_is_chips_coins_skill_coins_and_the_kings_bonus_less_the_debt_penalty(sets: list[str]) -> None:
    for index in range(30):
        events = tell_random(*sets, index=index)
        end, rules = events[-1], events[0]["rules"]
        for seat in range(rules["players"]):
            points = sum(event["value"] for event in of(events, "collect", seat=seat))
            bonus = rules["mining_king_bonus"] if seat == end["king"] else 0
            cards = len(of(events, "bids", debt=seat))
            penalty = [0, 1, 3, 6, 12, *[15] * 6][cards]
            assert end["score"][seat] == points + end["coins"][seat] + end["skill_coins"][seat] + bonus - penalty


def test_each_coin_and_each_skill_coin_held_is_worth_a_point_and_what_is_left_in_the_pools_nothing() -> None:
    sets = [*ONE_ROUND, "expansion=true", "starting_skill_coins=3", "debt_penalty=[0]"]
    end = end_of(sets, first(coins=4, skill_coins=1), first(skill_coins=2), first(), first())
    assert end["score"] == [6 + 2, 10 + 1, 10 + 3, 10 + 3]


def test_the_numbers_on_collected_chips_add_up(idle: list[Event]) -> None:
    spaces = safe_spaces(idle, 1)[:2]
    values = [of(idle, "setup")[0]["stacks"][space][-1][1] for space in spaces]
    end = end_of([*ONE_ROUND, "mining_king_bonus=0", "debt_penalty=[0]"], first(*spaces), *[PASSING] * 3)
    assert end["chip_points"] == [sum(values), 0, 0, 0]
    assert end["score"] == [10 + sum(values), 10, 10, 10]


# --- The Mining King ---------------------------------------------------------------------------------


def test_the_king_has_the_most_chips_by_count_whatever_their_levels_or_numbers(idle: list[Event]) -> None:
    ones, three = safe_spaces(idle, 1)[:2], safe_spaces(idle, 3)[0]
    end = end_of(ONE_ROUND, first(three), first(*ones), PASSING, PASSING)
    assert (end["chips"], end["king"]) == ([1, 2, 0, 0], 1)
    assert end["chip_points"][0] > end["chip_points"][1]
    assert end["score"][1] == end["chip_points"][1] + end["coins"][1] + 15


def test_ties_for_king_go_to_the_earliest_in_the_final_rounds_order(idle: list[Event]) -> None:
    spaces = safe_spaces(idle, 1)
    scripts = [first(spaces[0], coins=1), first(spaces[1]), first(spaces[2], coins=2), first(coins=9)]
    assert end_of(ONE_ROUND, *scripts)["king"] == 2  # the order is 3 2 0 1, and 3 has no chip
    later = [scripts[0], scripts[1] | {2: Turn(5, spaces=())}, *scripts[2:]]
    end = end_of(["chips_level_4=2"], *later)
    assert (end["chips"], end["king"]) == ([1, 1, 1, 0], 1)


def test_nobody_is_king_when_nobody_has_a_chip() -> None:
    end = end_of([*ONE_ROUND, "debt_penalty=[0]"])
    assert end["king"] is None
    assert end["score"] == [10, 10, 10, 10]


# --- Debt --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", range(1, 9))
def test_debt_costs_by_the_number_of_cards_and_the_last_entry_repeats(rounds: int) -> None:
    end = end_of([f"chips_level_4={rounds}"])
    penalty = {1: 1, 2: 3, 3: 6, 4: 12}.get(rounds, 15)
    assert (end["debt_cards"], end["debt_penalty"]) == ([0, 0, 0, rounds], [0, 0, 0, penalty])
    assert end["score"] == [10, 10, 10, 10 - penalty]


@pytest.mark.parametrize(("curve", "penalty"), [("[4]", 4), ("[1, -2]", -2), ("[1, 2, 3, 4, 5, 6, 7, 8, 9, 30]", 30)])
def test_a_debt_curve_of_another_length_ends_the_same_way(curve: str, penalty: int) -> None:
    assert end_of([f"debt_penalty={curve}"])["debt_penalty"] == [0, 0, 0, penalty]


# --- The winner --------------------------------------------------------------------------------------


def test_the_highest_score_wins() -> None:
    end = end_of(ONE_ROUND, first(coins=1), first(coins=3), first(coins=2), first())
    assert end["score"] == [9, 7, 8, 9]  # seat 3 was last
    assert end["win_share"] == [0.5, 0, 0, 0.5]
    end = end_of([*ONE_ROUND, "debt_penalty=[2]"], first(coins=1), first(coins=3), first(coins=2), first())
    assert end["win_share"] == [1, 0, 0, 0]


def test_the_highest_score_wins_even_below_nothing() -> None:
    sets = [*ONE_ROUND, "players=3", "starting_coins=0", "mining_king_bonus=-50", "debt_penalty=[99]"]
    spaces = safe_spaces(tell(sets), 1)
    end = end_of(sets, first(spaces[0]), first(), first())
    assert end["score"][0] < 0 == end["score"][1]
    assert end["win_share"] == [0, 1, 0]
    sets = [*ONE_ROUND, "players=3", "starting_coins=0", "debt_penalty=[-9]"]
    assert end_of(sets)["win_share"] == [0, 0, 1]


@pytest.mark.parametrize(
    ("bids", "share"),
    [
        ((0, 0, 0, 0), [0.25] * 4),
        ((1, 0, 0, 0), [0, 1 / 3, 1 / 3, 1 / 3]),
        ((1, 0, 1, 0), [0, 0.5, 0, 0.5]),
        ((2, 1, 3, 9), [0, 1, 0, 0]),
    ],
)
def test_equal_highest_scores_share_the_win_in_equal_parts(bids: tuple[int, ...], share: list[float]) -> None:
    sets = [*ONE_ROUND, "debt_penalty=[0]"]
    assert end_of(sets, *[first(coins=coins) for coins in bids])["win_share"] == share


@pytest.mark.parametrize(
    ("bids", "winner"),
    [((0, 0, 0, 0), 0), ((1, 0, 0, 0), 1), ((2, 2, 1, 1), 2), ((2, 1, 3, 9), 1)],
)
def test_with_tie_order_the_earliest_in_the_final_rounds_order_wins(bids: tuple[int, ...], winner: int) -> None:
    sets = [*ONE_ROUND, "debt_penalty=[0]", "tie=order"]
    shares = end_of(sets, *[first(coins=coins) for coins in bids])["win_share"]
    assert shares == [float(seat == winner) for seat in range(4)]


def test_with_tie_order_it_is_the_order_of_the_final_round_not_that_of_the_seats() -> None:
    sets = ["chips_level_4=2", "debt_penalty=[0]", "tie=order"]
    one_then_none = {1: Turn(1, spaces=()), 2: PASS}
    none_then_one = {1: PASS, 2: Turn(1, spaces=())}
    end = end_of(sets, one_then_none, none_then_one, one_then_none, one_then_none)
    assert end["score"] == [9, 9, 9, 9]
    assert end["win_share"] == [0, 1, 0, 0]


def test_idle_players_are_judged_by_their_debt_alone() -> None:
    assert end_of(["chips_level_4=3"], IDLE)["win_share"] == [1 / 3, 1 / 3, 1 / 3, 0]
