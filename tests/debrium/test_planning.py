"""The best placements are those of the slow search over all sets of spaces."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sim.debrium.planning import SCRATCH, best_placements
from sim.debrium.state import MEMORY, MINE, RED
from sim.debrium.view import hiring_price, is_free, workers_needed
from tests.debrium.script import random_batch
from tests.games.standing import standing

COIN_WORTH = 0.75
VARIANTS = [
    (),
    (
        *("rows=3", "columns=3", "stack_height=1", "chips_level_1=3", "chips_level_2=3", "chips_level_3=3"),
        *("free_workers=0", "max_workers=12", "hire_cost=5,1,4,1,5,9,2,6,5,3,5,8"),
    ),
    ("free_workers=3", "max_workers=3", "hire_cost=[]"),
    ("expansion=true", "companies=red,green,blue,yellow", "red_workers=1"),
    ("expansion=true", "companies=red,green,blue,yellow", "red_needs=exactly", "max_workers=4"),
    *(
        (
            *("expansion=true", "companies=red,green,blue,yellow", "red_needs=exactly", f"red_workers={red}"),
            *("rows=3", "columns=3", "stack_height=1", "chips_level_1=3", "chips_level_2=3", "chips_level_3=3"),
            *("free_workers=0", "max_workers=12", "hire_cost=5,1,4,1,5,9,2,6,5,3,5,8", "green_per=worker"),
        )
        for red in (4, 5, 7, 12)
    ),
]


def all_sets(rules: Any, table: Any, seat: int, purse: int, is_skilled: bool) -> Iterator[tuple[int, int]]:
    """Every set of spaces that may be mined: its bits, and the price of hiring for it."""
    spaces = [space for space in range(rules.spaces) if is_free(table, space)]
    for size in range(rules.max_workers + 1):
        for chosen in itertools.combinations(spaces, size):
            workers = sum(workers_needed(rules, table, seat, space, is_skilled) for space in chosen)
            if workers <= rules.max_workers:
                price = hiring_price(rules, table, seat, max(0, workers - rules.free_workers), is_skilled)
                if price <= purse:
                    yield sum(1 << space for space in chosen), price


@pytest.mark.parametrize("sets", VARIANTS)
def test_the_best_placements_are_the_best_of_all_sets_that_can_be_paid(sets: tuple[str, ...]) -> None:
    chance = np.random.default_rng(7)
    batch = random_batch(*sets)
    taken = 0
    for game in range(6):
        call = standing(batch, game, 4 + game % 4)
        rules, table = call.rules[0], call.state[0].table
        seat = int(table.order[int(table.place)])
        taken += sum(int(public.action) == MINE for public in table.seats)
        is_skilled = int(table.seats[seat].company) == RED
        worths = np.zeros(MEMORY - SCRATCH)
        worths[: rules.spaces] = chance.integers(0, 40, rules.spaces) / 4  # exact in sums, some without worth
        for purse in (0, 3, 20):
            best, spaces = best_placements(rules, table, seat, worths, purse, COIN_WORTH, is_skilled)
            gains = {
                bits: sum(worths[space] for space in range(rules.spaces) if (bits >> space) & 1) - price * COIN_WORTH
                for bits, price in all_sets(rules, table, seat, purse, is_skilled)
            }
            assert best == max(0.0, *gains.values())
            assert best == gains[spaces]
    assert taken > 0, "some spaces are occupied"
