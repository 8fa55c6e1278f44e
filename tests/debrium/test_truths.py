"""Truths that hold for every policy: what is conserved, and chances that nobody has a hand in."""

import functools
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from sim.batch import Batch, LineUp
from sim.blocks import Totals
from sim.debrium.exact import burst_chain, expected_bursts, mean_loss_by_round
from sim.debrium.state import ACTION
from sim.jit import is_disabled
from sim.kernel import SUM_D, SUM_N
from sim.policy import Policy
from sim.run import play
from tests.debrium.script import Script, Turn, idle_game, random_batch, rules_of, scripted, tell, tell_random
from tests.games.chance import mean_and_error
from tests.games.stage import SEED, Event, of
from tests.games.standing import every_decision, told

VARIANTS = [
    (),
    ("players=3", "starting_pool=7"),
    ("expansion=true", "starting_skill_coins=3"),
    ("expansion=true", "coins_public=false", "rows=3", "columns=5", "stack_height=1", "chips_level_1=15",
     "chips_level_2=0", "chips_level_3=0", "chips_level_4=14"),
]  # fmt: skip
#: Enough for the chances, and for a run with JIT off not too many.
GAMES = 200 if is_disabled() else 200_000
BURSTS_BY_ROUND = [
    0, 0.142857, 0.285714, 0.363265, 0.310204, 0.182507, 0.278717, 0.304556, 0.281349, 0.256619,
]  # fmt: skip


# --- What is conserved -------------------------------------------------------------------------------


@pytest.mark.parametrize("sets", VARIANTS)
@pytest.mark.parametrize("index", [0, 1])
def test_coins_held_and_the_coin_pool_are_constant_over_a_game_likewise_skill_coins(
    sets: tuple[str, ...], index: int
) -> None:
    values = rules_of(*sets).values
    coins = values["players"] * values["starting_coins"] + values["starting_pool"]
    skill_coins = values["players"] * values["starting_skill_coins"] if values["expansion"] else 0
    for call in every_decision(random_batch(*sets), index):
        owns, table = call.state.owns, call.state.table
        assert owns.coins.sum() + table.pool[0] == coins
        assert owns.skill_coins.sum() + table.skill_pool[0] == skill_coins


@pytest.mark.parametrize("sets", VARIANTS)
@pytest.mark.parametrize("index", [0, 1])
def test_exactly_one_debt_card_a_round(sets: tuple[str, ...], index: int) -> None:
    for call in every_decision(random_batch(*sets), index):
        table = call.state.table
        taken = table.round_number[0] if table.phase[0] >= ACTION else table.round_number[0] - 1
        assert table.seats.debt_cards.sum() == taken
    assert taken == rules_of(*sets).values["chips_level_4"]


@pytest.mark.parametrize("sets", VARIANTS)
@pytest.mark.parametrize("index", [0, 1])
def test_chips_in_stacks_collected_and_in_the_pile_are_constant_over_a_game(
    sets: tuple[str, ...], index: int
) -> None:
    values = rules_of(*sets).values
    rounds = values["chips_level_4"]
    chips = values["rows"] * values["columns"] * values["stack_height"] + rounds
    for call in every_decision(random_batch(*sets), index):
        table = call.state.table
        pile = rounds - len(of(told(call), "fall"))
        assert table.stack.sum() + table.seats.chip_count.sum() + pile == chips
        assert table.seats.chips.sum() == table.seats.chip_count.sum()
    assert pile == 0


# --- Chance ------------------------------------------------------------------------------------------


def chance_of(events: list[Event]) -> list[object]:
    """The deal, and the falls without what they did to workers."""
    falls = [{key: value for key, value in fall.items() if key != "lost"} for fall in of(events, "fall")]
    return [of(events, "setup")[0]["stacks"], of(events, "setup")[0]["pile"], *falls]


def test_the_deal_and_the_falls_do_not_depend_on_what_the_players_do() -> None:
    busy: Script = {number: Turn(number % 3, spaces=()) for number in range(1, 11)}
    for index in range(10):
        plain = chance_of(idle_game((), index))
        assert chance_of(tell_random(index=index)) == plain
        assert chance_of(tell([], busy, index=index)) == plain


def test_a_changed_rule_leaves_the_other_kinds_of_chance_alike() -> None:
    for sets in (["players=3"], ["expansion=true"], ["starting_coins=3"], ["mining_king_bonus=0", "tie=order"]):
        assert chance_of(idle_game(tuple(sets), 2)) == chance_of(idle_game((), 2))


@functools.cache
def totals_of(*sets: str) -> tuple[Totals, dict[str, int]]:
    totals = play(random_batch(*sets), GAMES)
    return totals, totals.layout.index()


def is_near(totals: Totals, slot: int, expected: Fraction | float) -> bool:
    """A mean over games is within 4 of its standard errors, or exact where it has no spread."""
    found, error = mean_and_error(totals, slot)
    return abs(found - float(expected)) <= 4 * error


def test_expected_bursts_of_a_shape_in_ten_rounds() -> None:
    expected = Fraction(1010853, 420175)
    assert expected_bursts(4, 2, 10) == expected
    totals, slots = totals_of()
    for shape in ("column", "row"):
        assert int(totals.sums[slots[f"bursts_{shape}"], SUM_D]) == GAMES
        assert is_near(totals, slots[f"bursts_{shape}"], expected)


@pytest.mark.parametrize(
    ("sets", "labels", "copies", "rounds"),
    [
        ((), (4, 4), 2, 10),
        (("coordinate_copies=3", "chips_level_4=14", "expansion=true"), (4, 4), 3, 14),
        (
            ("rows=2", "columns=6", "stack_height=1", "chips_level_1=12", "chips_level_2=0", "chips_level_3=0"),
            (6, 2),
            2,
            10,
        ),
    ],
)
def test_the_chance_of_a_burst_by_round(
    sets: tuple[str, ...], labels: tuple[int, int], copies: int, rounds: int
) -> None:
    totals, slots = totals_of(*sets)
    for shape, count in zip(("column", "row"), labels, strict=True):
        chances = burst_chain(count, copies, rounds)
        if not sets:
            assert [float(chance) for chance in chances] == pytest.approx(BURSTS_BY_ROUND, abs=5e-7)
        for number, chance in enumerate(chances, start=1):
            assert is_near(totals, slots[f"burst_{shape}_by_round[{number}]"], chance), (shape, number)


# A seat that mines once, in a random round on a random space, which has chips and workers enough for it.
ONE_TRY = '''"""Mines once in a game, in a random round on a random space."""

from sim.debrium.view import mine_at
from sim.rng import below


def turn(rules, table, own, rng, choice):
    if table.round_number == 1:
        own.memory[0] = 1 + below(rng, rules.rounds)
    if table.round_number == own.memory[0]:
        mine_at(choice, below(rng, rules.spaces))
'''


def test_a_worker_on_a_uniformly_random_space_is_lost_with_the_exact_mean_chance() -> None:
    rules = rules_of("free_workers=4", "max_workers=4", "hire_cost=[]")
    pool = (Policy("one_try", "one_try", "one_try.py", ONE_TRY), *[scripted()] * 3)
    totals = play(Batch("debrium", rules, LineUp(pool, "fixed"), SEED), GAMES)
    slots = totals.layout.index()
    by_round = mean_loss_by_round(4, 4, 2, 10)
    assert float(sum(by_round) / 10) == pytest.approx(0.152717, abs=5e-7)
    assert is_share_near(totals, slots["loss_rate"], sum(by_round) / 10, GAMES)
    for number, chance in enumerate(by_round, start=1):
        assert is_share_near(totals, slots[f"loss_rate_by_round[{number}]"], chance, GAMES // 10)


def is_share_near(totals: Totals, slot: int, expected: Fraction, about: int) -> bool:
    """A share of placements is within 4 standard errors, with about as many placements as there should be."""
    lost, placed = int(totals.sums[slot, SUM_N]), int(totals.sums[slot, SUM_D])
    assert abs(placed - about) <= 4 * sqrt(about)
    chance = float(expected)
    return abs(lost / placed - chance) <= 4 * sqrt(chance * (1 - chance) / placed)


# --- Debt --------------------------------------------------------------------------------------------


def test_debt_costs_at_the_margin_1_2_3_6_3_then_nothing() -> None:
    """Seat 3, which is always last, takes a card in every round of a longer and longer game."""
    penalties = [tell([f"chips_level_4={rounds}"])[-1]["debt_penalty"][3] for rounds in range(1, 9)]
    assert np.diff([0, *penalties]).tolist() == [1, 2, 3, 6, 3, 0, 0, 0]


def test_no_game_sees_less_than_all_its_debt_cards() -> None:
    totals, slots = totals_of()
    assert int(totals.sums[slots["debt_cards"], SUM_N]) == 10 * GAMES
