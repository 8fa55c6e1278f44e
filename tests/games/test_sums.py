"""Sums of squares keep within int64 in every variant that the engine accepts, computed from what each rule may be.

A kernel call counts one group of blocks at most, and adds up the squares of each game's numerators and denominators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest

from sim.book_festival import metrics as book_festival
from sim.book_festival.state import GENRES
from sim.debrium.state import LEVELS
from sim.game import GAME, SEAT, WHOLE_WIN, Outcomes, load_game
from sim.rules import games, load
from sim.schedule import BLOCK_GAMES, GROUP_BLOCKS


@dataclass(frozen=True)
class Most:
    """What the columns of a game can hold: `each` unit (seat, round, game) any, or `of` it that named one.

    wholes: what all units together have of a column that they share.
    """

    each: int
    of: Mapping[str, int]
    wholes: Mapping[str, int] = field(default_factory=dict)

    def unit(self, name: str) -> int:
        """The most that one unit has of a column or of one of its entries."""
        return self.wholes.get(name) or self.of.get(name) or self.each

    def all(self, name: str, units: int) -> int:
        """The most that all units of a game have of it together."""
        return self.wholes.get(name) or units * self.unit(name)


def _high(game: str, key: str) -> int:
    """The largest size of a number that a rule may hold."""
    holds = load(game).parameters[key].holds
    assert holds is not None
    return max(map(abs, holds))


def _of_book_festival(outcomes: Outcomes) -> Most:
    """A book can be placed, sold, drawn or spent once an action at most, and every action can be of one kind."""

    def high(key: str) -> int:
        return _high("book_festival", key)

    books = len(GENRES) * high("books_per_genre")
    actions = high("max_rounds") * high("actions_per_turn")
    # An animal is stopped once a round. A book sold brings a star; with a supply empty only the round is played out.
    seldom = {
        "trials": outcomes.max_seats * high("max_rounds"),
        "piles": outcomes.max_seats * high("stars_per_player") + books,
    }
    acted = dict.fromkeys(("actions", "bought"), actions)
    whole = 1 << book_festival.CHANCE_BITS
    chances = ("chance", "share", "leader_loses", "unique_leader_loses", "last_wins")
    # Rounded, the seats' weights are at most half a unit a seat more than a whole.
    weight = (1 << book_festival.WEIGHT_BITS) + outcomes.max_seats // 2
    return Most(actions * books, acted | seldom, dict.fromkeys(chances, whole) | {"weight": weight, "win": WHOLE_WIN})


def _of_debrium(outcomes: Outcomes) -> Most:
    """No number of points, coins or chips is larger than all that the game has of all of them, in every round."""

    def high(key: str) -> int:
        return _high("debrium", key)

    points = sum(high(f"chips_level_{k}") * high(f"values_level_{k}") for k in range(1, LEVELS + 1))
    coins = high("starting_pool") + outcomes.max_seats * (high("starting_coins") + high("starting_skill_coins"))
    workers = high("max_workers")
    each = points + high("mining_king_bonus") + high("debt_penalty") + outcomes.max_rounds * (coins + workers)
    return Most(each, dict.fromkeys((c.name for c in outcomes.won()), outcomes.max_rounds), {"win": WHOLE_WIN})


MOST: dict[str, Callable[[Outcomes], Most]] = {"book_festival": _of_book_festival, "debrium": _of_debrium}


def largest(outcomes: Outcomes, most: Most) -> Iterator[tuple[str, int]]:
    """Every numerator and denominator that is counted, with the largest that a game can give it."""
    units = {GAME: 1, SEAT: outcomes.max_seats}
    for column in (*outcomes.game, *outcomes.seat, *outcomes.round):
        yield column.name, most.all(column.name, outcomes.max_seats if column in outcomes.seat else 1)
    for column in outcomes.won():
        yield column.win_rate, most.all(outcomes.win, outcomes.max_seats) * most.unit(column.name)
    for ratio in outcomes.ratios:
        for names in (ratio.numerator, ratio.denominator):
            assert len(names) < 2, "a product needs a bound of its own"
            for name in names:
                yield ratio.name, most.all(name, units.get(ratio.scope, outcomes.max_rounds))


@pytest.mark.parametrize("game", games())
def test_the_squares_of_a_group_of_blocks_keep_within_int64(game: str) -> None:
    outcomes = load_game(game).outcomes
    for name, number in largest(outcomes, MOST[game](outcomes)):
        assert number**2 * GROUP_BLOCKS * BLOCK_GAMES < 2**63, (name, number)
