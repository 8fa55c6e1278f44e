"""The referee's judgement of what follows from a state: where animals go, what they buy, who becomes MVP."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from tests.book_festival.legal_games import RULES
from tests.book_festival.referee_sales import (
    Slot,
    WrongDraw,
    chances,
    elected,
    first_places,
    purchases,
    route,
)

# Where an animal goes.


def shelf(*slots: str) -> list[Slot]:
    """A booth in short: "c2r" is two comedy books with Recommended, "" an empty slot."""
    genres = {"c": "comedy", "b": "business", "s": "sports"}
    pops = {"r": "recommended", "t": "trial", "l": "limited"}
    return [Slot(genres.get(slot[:1]), int(slot[1:2] or 0), pops.get(slot[2:])) if slot else Slot() for slot in slots]


RING = [shelf("c1", ""), shelf("c5t", "", "b3"), shelf("", "s4")]


@pytest.mark.parametrize(
    ("animal", "rules", "spaces"),
    [
        ("owl", {}, [(0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (0, 0), (0, 1)]),
        ("owl", {"empty_slots_count": False}, [(1, 0), (1, 2), (2, 1), (0, 0), (1, 0), (1, 2), (2, 1), (0, 0)]),
        ("chameleon", {}, [(0, 1), (1, 1), (1, 2), (2, 0), (0, 0), (0, 1), (1, 1), (1, 2)]),
        ("chameleon", {"chameleon_limit": 5}, [(0, 1), (1, 1), (1, 2), (2, 0), (2, 1), (0, 0), (0, 1), (1, 1)]),
        (
            "chameleon",
            {"chameleon_skip": "no_sale"},
            [(0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (0, 0), (0, 1)],
        ),
        ("chameleon", {"empty_slots_count": False}, [(1, 2), (0, 0), (1, 2), (0, 0), (1, 2), (0, 0), (1, 2), (0, 0)]),
    ],
)
def test_an_animal_moves_space_by_space(animal: str, rules: dict[str, Any], spaces: list[tuple[int, int]]) -> None:
    for steps in range(9):
        assert route(RING, (0, 0), steps, animal, RULES | rules) == spaces[:steps]


def test_without_a_space_in_a_whole_lap_an_animal_stays() -> None:
    full = [shelf("c4"), shelf("b5"), shelf("")]
    rules = RULES | {"empty_slots_count": False}
    assert route(full, (2, 0), 3, "chameleon", rules) == []
    assert route([shelf(""), shelf(""), shelf("")], (1, 0), 2, "owl", rules) == []
    # Its own slot comes last in the lap, and may be the only space.
    assert route([shelf(""), shelf("c1"), shelf("")], (1, 0), 2, "owl", rules) == [(1, 0), (1, 0)]


# Which books it buys.


@pytest.mark.parametrize(
    ("animal", "booth", "stop", "rules", "bought"),
    [
        ("owl", ["c3", "c2", "c1"], 1, {}, "1 single"),
        ("gorilla", ["c3", "c2", "c1"], 1, {}, "1 favourite, 1 favourite"),
        ("gorilla", ["c1"], 0, {}, "0 favourite"),
        ("gorilla", ["c3", ""], 1, {}, ""),
        ("camel", ["c3", "c2", "c1"], 1, {}, "1 single, 0 camel, 2 camel"),
        ("camel", ["c3", "c2", "c2"], 1, {"camel_adjacent": "all"}, "1 single" + ", 0 camel" * 3 + ", 2 camel" * 2),
        ("camel", ["b3", "c1", "c2"], 1, {}, "1 single, 2 camel"),
        ("camel", ["c3", "", "c2"], 0, {}, "0 single"),
        ("camel", ["", "c1", "c2"], 0, {}, ""),
        ("chameleon", ["c1", "b3"], 1, {}, "1 chameleon, 1 chameleon, 1 chameleon"),
        ("chameleon", ["c1", "b4"], 1, {"chameleon_skip": "no_sale"}, ""),
        # the limit concerns stopping only
        ("chameleon", ["c5", "c1r"], 1, {}, "1 chameleon" + ", 0 recommended" * 5),
        # Recommended: left, then right, of the same genre
        ("owl", ["c2", "c2r", "c1"], 1, {}, "1 single, 0 recommended, 0 recommended, 2 recommended"),
        ("owl", ["b2", "c2r", "c1"], 1, {}, "1 single, 2 recommended"),
        ("owl", ["c2", "c2", "c1r"], 1, {}, "1 single"),
        ("owl", ["c1r", "c1r", "c1"], 0, {}, "0 single, 1 recommended"),
        ("owl", ["c1r", "c1r", "c1"], 0, {"recommended_chain": True}, "0 single, 1 recommended, 2 recommended"),
        # a chain comes back for what the stopped slot still holds
        ("owl", ["c2r", "c1r", "c1"], 0, {}, "0 single, 1 recommended"),
        (
            "owl",
            ["c2r", "c1r", "c1"],
            0,
            {"recommended_chain": True},
            "0 single, 1 recommended, 0 recommended, 2 recommended",
        ),
        # breadth first: both neighbours of the stopped slot before theirs
        (
            "owl",
            ["c1", "c1r", "c1r", "c1r", "c1"],
            2,
            {"recommended_chain": True},
            "2 single, 1 recommended, 3 recommended, 0 recommended, 4 recommended",
        ),
        # a camel's neighbour triggers its own, after the stopped slot's
        (
            "camel",
            ["c1", "c2r", "c2r", "c2"],
            2,
            {},
            "2 single, 1 camel, 3 camel, 1 recommended, 3 recommended, 0 recommended, 2 recommended",
        ),
        # the stopped slot's rest is sold by a camel's neighbour
        ("camel", ["c1r", "c3"], 1, {}, "1 single, 0 camel, 1 recommended, 1 recommended"),
        ("gorilla", ["c1", "c2r"], 1, {}, "1 favourite, 1 favourite, 0 recommended"),
        ("owl", ["c1", "", "c1r", "", "c1"], 2, {}, "2 single"),
    ],
)
def test_books_are_sold_one_at_a_time_in_order(
    animal: str, booth: list[str], stop: int, rules: dict[str, Any], bought: str
) -> None:
    told = [f"{slot} {cause}" for slot, _, cause in purchases(shelf(*booth), stop, animal, RULES | rules)]
    assert ", ".join(told) == bought


# The lottery.


@pytest.mark.parametrize(
    ("draws", "alone", "tied", "tied_with_leader"),
    [(1, 0.357, 0, 0), (5, 0.314, 0.341, 0.237), (10, 0.424, 0.246, 0.192), (30, 0.684, 0.120, 0.112)],
)
def test_first_places_of_the_worked_example(draws: int, alone: float, tied: float, tied_with_leader: float) -> None:
    places = [(list(seats), chance) for seats, chance in first_places([20, 16, 12, 8], draws)]
    assert sum(chance for _, chance in places) == 1
    assert float(sum(chance for seats, chance in places if seats == [0])) == pytest.approx(alone, abs=5e-4)
    ties = [(seats, chance) for seats, chance in places if len(seats) > 1]
    assert float(sum(chance for _, chance in ties)) == pytest.approx(tied, abs=5e-4)
    with_leader = float(sum(chance for seats, chance in ties if 0 in seats))
    assert with_leader == pytest.approx(tied_with_leader, abs=5e-4)


BAGS = [[3, 2, 1], [2, 2, 2], [1, 1, 4], [0, 3, 3], [2, 1, 1, 2], [0, 0, 0], [5, 0, 0]]


@pytest.mark.parametrize("stars", BAGS, ids=str)
@pytest.mark.parametrize("tie", ["redraw", "stars", "shared"])
def test_chances_are_what_all_orders_of_drawing_yield(stars: list[int], tie: str) -> None:
    """Draw the bag in every order and stop each where the rules say so."""
    bag = [seat for seat, chips in enumerate(stars) for _ in range(chips)]
    for draws in range(1, len(bag) + 2):
        orders = list(permutations(bag)) if draws > 1 else [tuple(bag)]
        if draws == 1:
            whole = sum(stars)
            expected = [Fraction(own, whole) if whole else Fraction(1, len(stars)) for own in stars]
            assert chances(stars, 1, tie) == expected
            continue
        shares = [Fraction(0)] * len(stars)
        for order in orders:
            winners = drawn_to_the_end(stars, list(order), draws, tie)
            for seat in winners:
                shares[seat] += Fraction(1, len(winners) * len(orders))
        assert chances(stars, draws, tie) == shares
        assert sum(shares) == 1


def drawn_to_the_end(stars: list[int], order: list[int], draws: int, tie: str) -> list[int]:
    """The MVPs when chips come in this order: exactly one number of chips is the right one to stop at."""
    settled = []
    for length in range(len(order) + 1):
        try:
            settled.append(elected(stars, order[:length], draws, tie))
        except WrongDraw:
            continue
    assert len(settled) == 1
    return settled[0]


def test_a_redraw_goes_on_until_the_bag_is_empty() -> None:
    assert elected([2, 2, 3], [0, 0, 1, 1, 2, 2, 2], 4, "redraw") == [0, 1]
    with pytest.raises(WrongDraw, match="until one of the tied colours comes or the bag is empty"):
        elected([2, 2, 3], [0, 0, 1, 1], 4, "redraw")


def test_more_stars_decide_a_tie_and_equal_ones_share_it() -> None:
    assert elected([3, 2, 3], [0, 1, 2], 3, "stars") == [0, 2]
    assert elected([3, 2, 4], [0, 1, 2], 3, "stars") == [2]
    assert elected([3, 2, 4], [0, 1, 2], 3, "shared") == [0, 1, 2]
