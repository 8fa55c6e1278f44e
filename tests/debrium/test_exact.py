"""The exact chances of the debris fall against the rules, and against enumerating every draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.debrium.exact import (
    burst_chain,
    burst_chance,
    burst_count_distribution,
    burst_odds,
    expected_bursts,
    loss_causes,
    loss_chance,
    mean_loss_by_round,
)
from sim.errors import BadInput

BURSTS_BY_ROUND = [
    0,
    0.142857,
    0.285714,
    0.363265,
    0.310204,
    0.182507,
    0.278717,
    0.304556,
    0.281349,
    0.256619,
]

SMALL_SHAPES = list(product((1, 2, 3), (2, 3), range(7)))


# The oracle: real chips in real bags, every draw walked, no formula.


def full_bag(labels: int, copies: int) -> list[int]:
    """Every chip of one shape, as its label."""
    return [label for label in range(labels) for _ in range(copies)]


def every_game(
    bag: list[int], display: list[int], rounds: int
) -> Iterator[tuple[Fraction, list[tuple[list[int], int]]]]:
    """Every way to draw `rounds` chips: its chance, and for each round (the display before it, the chip)."""
    if rounds == 0:
        yield Fraction(1), []
        return
    for chip in set(bag):
        chance = Fraction(bag.count(chip), len(bag))
        rest = list(bag)
        rest.remove(chip)
        if chip in display:
            next_bag, next_display = [*rest, *display, chip], []
        else:
            next_bag, next_display = rest, [*display, chip]
        for later_chance, later in every_game(next_bag, next_display, rounds - 1):
            yield chance * later_chance, [(display, chip), *later]


def is_lost(column: int, row: int, columns_shown: list[int], rows_shown: list[int], fall: tuple[int, int]) -> bool:
    """Whether workers on a space fail, as the rule book says it."""
    fall_column, fall_row = fall
    is_impact = (column, row) == (fall_column, fall_row)
    in_column_burst = fall_column in columns_shown and column == fall_column
    in_row_burst = fall_row in rows_shown and row == fall_row
    return is_impact or in_column_burst or in_row_burst


def shown_labels(display: tuple[int, ...]) -> list[int]:
    return [label for label, chips in enumerate(display) if chips]


def bag_without(display: tuple[int, ...], copies: int) -> list[int]:
    bag = full_bag(len(display), copies)
    for label in shown_labels(display):
        bag.remove(label)
    return bag


# "If two circle chips with the same number, or two square chips with the same letter, are ever on display
# together, a burst occurs."


def test_with_k_of_4_labels_on_display_the_draw_bursts_with_k_in_8_minus_k() -> None:
    assert [burst_chance(k, 4, 2) for k in range(5)] == [Fraction(k, 8 - k) for k in range(5)]


def test_a_full_display_always_bursts() -> None:
    assert {burst_chance(labels, labels, copies) for labels, copies in product(range(1, 7), (2, 3))} == {1}


def test_with_one_label_every_second_fall_bursts() -> None:
    assert burst_chain(1, 2, 6) == [0, 1, 0, 1, 0, 1]
    assert burst_count_distribution(1, 2, 7) == [0, 0, 0, 1]


def test_bursts_by_round_with_4_labels_and_2_copies() -> None:
    assert [round(float(chance), 6) for chance in burst_chain(4, 2, 10)] == BURSTS_BY_ROUND


def test_expected_bursts_in_10_rounds() -> None:
    assert expected_bursts(4, 2, 10) == Fraction(1010853, 420175)


def test_a_game_without_rounds_has_no_bursts() -> None:
    assert burst_chain(4, 2, 0) == []
    assert expected_bursts(4, 2, 0) == 0
    assert burst_count_distribution(4, 2, 0) == [1]
    assert mean_loss_by_round(4, 4, 2, 0) == []


@pytest.mark.parametrize(("labels", "copies", "rounds"), SMALL_SHAPES)
def test_bursts_agree_with_walking_every_draw(labels: int, copies: int, rounds: int) -> None:
    by_round = [Fraction(0)] * rounds
    distribution = [Fraction(0)] * (rounds // 2 + 1)
    for chance, game in every_game(full_bag(labels, copies), [], rounds):
        bursts = [chip in display for display, chip in game]
        distribution[sum(bursts)] += chance
        for i, is_burst in enumerate(bursts):
            by_round[i] += chance * is_burst

    assert burst_chain(labels, copies, rounds) == by_round
    assert burst_count_distribution(labels, copies, rounds) == distribution
    assert expected_bursts(labels, copies, rounds) == sum(by_round)


@pytest.mark.parametrize(("labels", "copies", "rounds"), [(4, 2, 10), (3, 3, 14), (6, 2, 6), (2, 5, 9)])
def test_the_number_of_bursts_adds_up_to_one_and_to_its_expectation(labels: int, copies: int, rounds: int) -> None:
    distribution = burst_count_distribution(labels, copies, rounds)
    assert sum(distribution) == 1
    assert sum(count * chance for count, chance in enumerate(distribution)) == expected_bursts(labels, copies, rounds)


def test_burst_odds_gather_the_three() -> None:
    odds = burst_odds(4, 2, 10)
    assert (odds.labels, odds.copies, odds.rounds) == (4, 2, 10)
    assert odds.by_round == burst_chain(4, 2, 10)
    assert odds.expected == expected_bursts(4, 2, 10)
    assert odds.distribution == burst_count_distribution(4, 2, 10)


# "Any workers on the impact space fail their mining"; in a burst "every worker in that entire row or column
# fails".


@pytest.mark.parametrize(
    ("column_display", "row_display", "causes"),
    [
        # nothing on display: the impact only
        ([0, 0, 0, 0], [0, 0, 0, 0], (Fraction(1, 16), 0)),
        # its column: 1 of the 7 circles; the impact takes a quarter of that
        ([1, 0, 0, 0], [0, 0, 0, 0], (Fraction(1, 28), Fraction(3, 28))),
        # its row likewise
        ([0, 0, 0, 0], [1, 0, 0, 0], (Fraction(1, 28), Fraction(3, 28))),
        # both: 13 of the 49 pairs hit it, one of them as the impact
        ([1, 0, 0, 0], [1, 0, 0, 0], (Fraction(1, 49), Fraction(12, 49))),
        # a burst elsewhere does not touch it
        ([0, 1, 1, 1], [0, 0, 0, 0], (Fraction(1, 10), 0)),
    ],
)
def test_one_hit_by_both_counts_as_lost_to_the_impact(
    column_display: list[int], row_display: list[int], causes: tuple[Fraction, Fraction]
) -> None:
    assert loss_causes(column_display, row_display, 0, 0, 2) == causes
    assert loss_chance(column_display, row_display, 0, 0, 2) == sum(causes)


@pytest.mark.parametrize("copies", [2, 3])
def test_losses_agree_with_drawing_every_pair_of_chips(copies: int) -> None:
    columns, rows = 4, 3
    for column_display, row_display in product(product((0, 1), repeat=columns), product((0, 1), repeat=rows)):
        falls = list(product(bag_without(column_display, copies), bag_without(row_display, copies)))
        columns_shown, rows_shown = shown_labels(column_display), shown_labels(row_display)
        for column, row in product(range(columns), range(rows)):
            lost = sum(is_lost(column, row, columns_shown, rows_shown, fall) for fall in falls)
            impacts = falls.count((column, row))
            space = (column_display, row_display, column, row, copies)
            assert loss_chance(*space) == Fraction(lost, len(falls)), space
            assert loss_causes(*space) == (
                Fraction(impacts, len(falls)),
                Fraction(lost - impacts, len(falls)),
            ), space


def test_mean_loss_over_ten_default_rounds() -> None:
    by_round = mean_loss_by_round(4, 4, 2, 10)
    assert len(by_round) == 10
    assert round(float(sum(by_round) / 10), 6) == 0.152717


@pytest.mark.parametrize(("columns", "rows", "copies"), [(1, 1, 2), (1, 3, 2), (2, 3, 2), (3, 2, 3)])
def test_mean_loss_agrees_with_walking_every_game_and_space(columns: int, rows: int, copies: int) -> None:
    rounds = 4
    expected = [Fraction(0)] * rounds
    for (column_chance, column_game), (row_chance, row_game) in product(
        every_game(full_bag(columns, copies), [], rounds), every_game(full_bag(rows, copies), [], rounds)
    ):
        for i in range(rounds):
            (columns_shown, fall_column), (rows_shown, fall_row) = column_game[i], row_game[i]
            lost = sum(
                is_lost(column, row, columns_shown, rows_shown, (fall_column, fall_row))
                for column, row in product(range(columns), range(rows))
            )
            expected[i] += column_chance * row_chance * Fraction(lost, columns * rows)

    assert mean_loss_by_round(columns, rows, copies, rounds) == expected


# What holds for any shape and any display.

labels_ = st.integers(1, 7)
copies_ = st.integers(2, 5)
rounds_ = st.integers(0, 14)


def displays(least: int = 1) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 1), min_size=least, max_size=6)


@given(labels_, copies_, rounds_)
def test_chances_lie_between_0_and_1(labels: int, copies: int, rounds: int) -> None:
    odds = burst_odds(labels, copies, rounds)
    assert len(odds.by_round) == rounds
    assert all(0 <= chance <= 1 for chance in odds.by_round + odds.distribution)
    assert sum(odds.distribution) == 1
    assert sum(count * chance for count, chance in enumerate(odds.distribution)) == odds.expected


@given(labels_, copies_, rounds_)
def test_bursts_grow_with_rounds_and_copies_and_shrink_with_labels(labels: int, copies: int, rounds: int) -> None:
    expected = expected_bursts(labels, copies, rounds)
    assert expected_bursts(labels, copies, rounds + 1) >= expected
    assert expected_bursts(labels, copies + 1, rounds) >= expected
    assert expected_bursts(labels + 1, copies, rounds) <= expected


@given(labels_, copies_)
def test_the_more_on_display_the_likelier_a_burst(labels: int, copies: int) -> None:
    chances = [burst_chance(k, labels, copies) for k in range(labels + 1)]
    assert chances[0] == 0
    assert chances[-1] == 1
    assert chances == sorted(set(chances))


@given(labels_, labels_, copies_, st.data())
def test_with_nothing_on_display_every_space_is_equally_likely_lost(
    columns: int, rows: int, copies: int, data: st.DataObject
) -> None:
    column, row = data.draw(st.integers(0, columns - 1)), data.draw(st.integers(0, rows - 1))
    impact, burst_only = loss_causes([0] * columns, [0] * rows, column, row, copies)
    assert impact == Fraction(1, rows * columns)
    assert burst_only == 0


@given(displays(), displays(), copies_)
def test_a_fall_hits_its_impact_and_the_rest_of_each_bursting_line(
    column_display: list[int], row_display: list[int], copies: int
) -> None:
    columns, rows = len(column_display), len(row_display)
    causes = [
        loss_causes(column_display, row_display, column, row, copies)
        for column, row in product(range(columns), range(rows))
    ]
    assert all(impact >= 0 and burst_only >= 0 and impact + burst_only <= 1 for impact, burst_only in causes)
    assert sum(impact for impact, _ in causes) == 1
    assert sum(burst_only for _, burst_only in causes) == (
        (rows - 1) * burst_chance(sum(column_display), columns, copies)
        + (columns - 1) * burst_chance(sum(row_display), rows, copies)
    )


@given(displays(), displays(), copies_, st.data())
def test_columns_and_rows_are_treated_alike(
    column_display: list[int], row_display: list[int], copies: int, data: st.DataObject
) -> None:
    column = data.draw(st.integers(0, len(column_display) - 1))
    row = data.draw(st.integers(0, len(row_display) - 1))
    assert loss_causes(column_display, row_display, column, row, copies) == loss_causes(
        row_display, column_display, row, column, copies
    )


@given(displays(least=2), displays(), copies_, st.data())
def test_another_column_on_display_never_makes_a_space_safer(
    column_display: list[int], row_display: list[int], copies: int, data: st.DataObject
) -> None:
    """That chip is out of the bag, so the space's own column is likelier drawn."""
    column, other = data.draw(st.permutations(range(len(column_display))))[:2]
    row = data.draw(st.integers(0, len(row_display) - 1))
    without, shown = list(column_display), list(column_display)
    without[other], shown[other] = 0, 1
    before = loss_chance(without, row_display, column, row, copies)
    assert loss_chance(shown, row_display, column, row, copies) >= before


@given(displays(), displays(least=3), copies_, st.data())
def test_its_own_column_on_display_never_makes_a_space_safer_on_3_rows_or_more(
    column_display: list[int], row_display: list[int], copies: int, data: st.DataObject
) -> None:
    column = data.draw(st.integers(0, len(column_display) - 1))
    row = data.draw(st.integers(0, len(row_display) - 1))
    without, shown = list(column_display), list(column_display)
    without[column], shown[column] = 0, 1
    before = loss_chance(without, row_display, column, row, copies)
    assert loss_chance(shown, row_display, column, row, copies) >= before


def test_on_2_rows_its_own_column_on_display_can_make_a_space_safer() -> None:
    """Its row is drawn 2 times in 3 anyway, and its column has lost a chip."""
    assert loss_chance([0, 0, 0, 0], [0, 1], 0, 0, 2) == Fraction(1, 6)
    assert loss_chance([1, 0, 0, 0], [0, 1], 0, 0, 2) == Fraction(1, 7)


# Bad input is named.


@pytest.mark.parametrize("function", [burst_chain, expected_bursts, burst_count_distribution, burst_odds])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 2, 10), "labels must be at least 1, not 0"),
        ((4, 1, 10), "copies must be at least 2, not 1"),
        ((4, 2, -1), "rounds must be at least 0, not -1"),
        ((4.0, 2, 10), r"labels must be a whole number, not 4\.0"),
        ((4, "2", 10), "copies must be a whole number, not '2'"),
        ((4, 2, None), "rounds must be a whole number, not None"),
    ],
)
def test_bad_shape_is_named(function: Callable[..., Any], arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        function(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 4, 2, 10), "columns must be at least 1, not 0"),
        ((4, 0, 2, 10), "rows must be at least 1, not 0"),
        ((4, 4, 1, 10), "copies must be at least 2, not 1"),
        ((4, 4, 2, -1), "rounds must be at least 0, not -1"),
    ],
)
def test_bad_board_is_named(arguments: tuple[int, int, int, int], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        mean_loss_by_round(*arguments)


@pytest.mark.parametrize(
    ("displayed", "message"),
    [(-1, "at least 0, not -1"), (5, "at most the number of labels, 4, not 5")],
)
def test_more_on_display_than_labels_is_named(displayed: int, message: str) -> None:
    with pytest.raises(BadInput, match=f"^displayed must be {message}$"):
        burst_chance(displayed, 4, 2)


@pytest.mark.parametrize("function", [loss_chance, loss_causes])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [0, 0], 0, 0, 2), "column_display must have at least one label"),
        (([0, 0], [], 0, 0, 2), "row_display must have at least one label"),
        (([0, 2], [0, 0], 0, 0, 2), r"column_display\[1\] must be 0 or 1, not 2: a second chip bursts"),
        (([0, 0], [-1, 0], 0, 0, 2), r"row_display\[0\] must be at least 0, not -1"),
        (([0, 0.5], [0, 0], 0, 0, 2), r"column_display\[1\] must be a whole number, not 0\.5"),
        (([0, 0], [0, 0], 2, 0, 2), r"column must be one of 0\.\.1, the labels of column_display, not 2"),
        (([0, 0], [0, 0], 0, -1, 2), "row must be at least 0, not -1"),
        (([0, 0], [0, 0], 0, 0, 1), "copies must be at least 2, not 1"),
    ],
)
def test_bad_space_is_named(function: Callable[..., Any], arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        function(*arguments)
