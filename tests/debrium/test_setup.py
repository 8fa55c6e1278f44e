"""Setup: what is dealt, handed out and drawn before the first bid."""

import functools
from collections import Counter
from itertools import permutations

import pytest

from tests.debrium.script import random_batch, rules_of, tell, tell_random
from tests.games.chance import is_near
from tests.games.stage import Event, of
from tests.games.standing import standing, told

COMPANIES = ["red", "blue", "yellow", "green"]
VARIANTS = [
    [],
    ["players=3"],
    ["expansion=true"],
    ["rows=3", "columns=5", "stack_height=1", "chips_level_1=5", "chips_level_2=7", "chips_level_3=3"],
    ["rows=6", "columns=6", "stack_height=3", "chips_level_1=50", "chips_level_2=40", "chips_level_3=18"],
    ["stack_height=0", "chips_level_1=0", "chips_level_2=0", "chips_level_3=0", "chips_level_4=14"],
    ["chips_level_4=1", "starting_coins=0", "starting_pool=9"],
]
GAMES = 600


def setup_of(events: list[Event]) -> Event:
    return of(events, "setup")[0]


@functools.cache
def setups(players: int) -> list[Event]:
    """How some hundred games of the expansion begin."""
    batch = random_batch("expansion=true", f"players={players}")
    return [setup_of(told(standing(batch, index))) for index in range(GAMES)]


@pytest.mark.parametrize("sets", VARIANTS)
def test_all_chips_of_levels_1_to_3_are_dealt_stack_height_to_each_space(sets: list[str]) -> None:
    values = rules_of(*sets).values
    for index in range(5):
        stacks = setup_of(tell_random(*sets, index=index))["stacks"]
        assert [len(stack) for stack in stacks] == [values["stack_height"]] * (values["rows"] * values["columns"])
        dealt = Counter((level, value) for stack in stacks for level, value in stack)
        assert dealt == Counter((level, v) for level in (1, 2, 3) for v in values[f"values_level_{level}"])


@pytest.mark.parametrize("sets", VARIANTS)
def test_the_level_4_chips_are_the_pile(sets: list[str]) -> None:
    piles = [setup_of(tell_random(*sets, index=index))["pile"] for index in range(5)]
    assert all(sorted(pile) == sorted(rules_of(*sets).values["values_level_4"]) for pile in piles)


def test_a_changed_number_of_chips_cycles_the_listed_values() -> None:
    sets = ["chips_level_1=14", "chips_level_2=10", "chips_level_4=11"]
    setup = setup_of(tell_random(*sets))
    ones = sorted(value for stack in setup["stacks"] for level, value in stack if level == 1)
    assert ones == sorted([1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 1, 1])
    assert sorted(setup["pile"]) == sorted([10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 10])


def test_stacks_and_pile_are_shuffled() -> None:
    for space in range(16):
        for height in range(2):
            levels = Counter(setup["stacks"][space][height][0] for setup in setups(4))
            assert is_near(levels[1], 12 / 32, GAMES)
            assert is_near(levels[3], 8 / 32, GAMES)
    for place in range(10):
        assert is_near(sum(setup["pile"][place] >= 15 for setup in setups(4)), 3 / 10, GAMES)


@pytest.mark.parametrize("players", [3, 4])
def test_the_first_order_is_a_uniformly_random_permutation(players: int) -> None:
    orders = Counter(tuple(setup["order"]) for setup in setups(players))
    every = list(permutations(range(players)))
    assert set(orders) == set(every)
    assert all(is_near(orders[order], 1 / len(every), GAMES) for order in every)


def test_with_initial_order_seat_the_first_order_is_as_they_sit() -> None:
    for index in range(5):
        assert setup_of(tell_random("initial_order=seat", index=index))["order"] == [0, 1, 2, 3]


def test_every_seat_starts_with_the_same_coins_and_the_pool_with_its_own() -> None:
    events = tell(["starting_coins=6", "starting_pool=9"])
    assert setup_of(events)["coins"] == [6, 6, 6, 6]
    payout = of(events, "payout")[0]
    assert (payout["coins_each"], payout["pool"]) == (2, 1)


def test_only_the_expansion_gives_skill_coins_and_companies() -> None:
    base = setup_of(tell_random("starting_skill_coins=3"))
    assert (base["skill_coins"], base["companies"]) == ([0, 0, 0, 0], None)
    expansion = setup_of(tell_random("starting_skill_coins=3", "expansion=true"))
    assert expansion["skill_coins"] == [3, 3, 3, 3]
    assert sorted(expansion["companies"]) == sorted(COMPANIES)


@pytest.mark.parametrize("players", [3, 4])
def test_each_seat_has_a_company_all_different_and_uniformly_random(players: int) -> None:
    dealt = Counter(tuple(setup["companies"]) for setup in setups(players))
    every = list(permutations(COMPANIES, players))
    assert set(dealt) == set(every)
    assert all(is_near(dealt[companies], 1 / len(every), GAMES) for companies in every)


def test_companies_sit_as_listed() -> None:
    sets = ["players=3", "expansion=true", 'companies=["green", "red", "blue"]']
    for index in range(5):
        assert setup_of(tell_random(*sets, index=index))["companies"] == ["green", "red", "blue"]


def test_nothing_is_on_display_at_the_start() -> None:
    """The first draw of a shape cannot burst, on the smallest board and in later games of a call alike."""
    sets = ["rows=1", "columns=2", "stack_height=1", "chips_level_1=2", "chips_level_2=0", "chips_level_3=0"]
    for index in range(30):
        fall = of(tell_random(*sets, index=index), "fall")[0]
        assert (fall["burst_column"], fall["burst_row"]) == (False, False)


@pytest.mark.parametrize("rounds", [1, 6, 10, 14])
def test_the_game_lasts_as_many_rounds_as_the_pile_has_chips(rounds: int) -> None:
    events = tell_random(f"chips_level_4={rounds}")
    assert [event["round"] for event in of(events, "round")] == list(range(1, rounds + 1))
    assert events[-1]["event"] == "end"
    assert [fall["value"] for fall in of(events, "fall")] == setup_of(events)["pile"]
