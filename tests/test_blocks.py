"""Results are additive, and right: every metric again in plain Python from the traces of the same games."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import boost_histogram as bh
import numpy as np
import pytest

from sim.batch import Batch
from sim.blocks import TaskResult, Totals
from sim.game import GAME, SEAT
from sim.replay import replay
from tests.oracle import GAME_COLUMNS, Told, follow, game_numbers, metrics, seat_numbers
from tests.support import DEBRIUM, MIXED, assert_same, batch, parts_of, totals_of


class Case(NamedTuple):
    """A variant and line-up, and how many of its games are counted again."""

    policies: Sequence[str]
    mode: str
    sets: Sequence[str]
    games: int


CASES = {
    "base_mixed": Case(MIXED, "drawn", (), 120),
    "expansion_random": Case(("random_legal",), "fixed", ("expansion=true", "starting_skill_coins=4"), 100),
    "three_shuffled": Case(("prospector", "random_legal", "greedy"), "shuffled", ("players=3", "expansion=true"), 60),
    "order_breaks_ties": Case(
        ("random_legal",), "fixed", ("tie=order", "starting_coins=0", "starting_pool=1", "initial_order=seat"), 60
    ),
    "few_rounds": Case(("random_legal", "never_bids") * 2, "fixed", ("chips_level_4=3", "debt_penalty=2,5"), 60),
    "rich": Case(("random_legal",), "fixed", ("starting_coins=30", "free_workers=6", "max_workers=9"), 60),
}


class Recount(NamedTuple):
    """A batch in blocks of one game: the kernel's parts, and the same games as their traces tell them."""

    of: Batch
    part: TaskResult
    totals: Totals
    told: list[Told]


@functools.cache
def recount(name: str) -> Recount:
    case = CASES[name]
    of = batch(case.policies, case.mode, case.sets, seed=5, block_games=1)
    (part,) = parts_of(of, (0, case.games))
    told = []
    for index in range(case.games):
        events, fault = replay(of, index)
        assert fault is None
        told.append(follow(events))
    return Recount(of, part, totals_of(of, [part]), told)


@pytest.fixture(params=CASES)
def counted(request: pytest.FixtureRequest) -> Recount:
    return recount(request.param)


def test_every_metric_of_every_game_is_what_its_trace_tells(counted):
    names = [(slot, m.name) for slot, m in enumerate(counted.totals.layout.metrics) if not m.is_label]
    for game, (told, numbers) in enumerate(zip(counted.told, counted.part.sums, strict=True)):
        expected = metrics(told)
        for slot, name in names:
            assert tuple(numbers[slot]) == expected.get(name, (0, 0)), f"{name} of game {game}"


def test_no_metric_that_a_game_has_is_left_out(counted):
    known = {m.name for m in counted.totals.layout.metrics if not m.is_label}
    assert len(known) == sum(not m.is_label for m in counted.totals.layout.metrics)
    for told in counted.told:
        missing = {name for name in metrics(told) if name not in known and not name.endswith("[None]")}
        assert not missing


def test_the_cases_tell_metrics_apart():
    """A metric that is always zero would prove nothing: the cases together count each of them."""
    counted_names, all_names = set(), set()
    for name in CASES:
        found = recount(name)
        for metric, sums in zip(found.totals.layout.metrics, found.totals.sums, strict=True):
            if not metric.is_label:
                all_names.add(metric.name)
                if sums[0] and sums[1]:
                    counted_names.add(metric.name)
    rare = ("win_rate_by_", "seats_by_debt_cards", "king_by_policy")
    silent = {name for name in all_names - counted_names if not name.startswith(rare)}
    # A burst needs a chip on display.
    assert silent <= {"burst_column_by_round[1]", "burst_row_by_round[1]"}


def test_totals_hold_the_five_sums_over_games(counted):
    """n, d, n^2, nd and d^2: what intervals come from."""
    n, d = (counted.part.sums[:, :, k].astype(object) for k in (0, 1))
    expected = np.stack([x.sum(axis=0) for x in (n, d, n * n, n * d, d * d)], axis=1)
    assert (counted.totals.sums == expected).all()


def test_lowest_and_highest_are_those_of_single_games_and_seats(counted):
    totals, places = counted.totals, counted.totals.layout.index()
    of_games = [game_numbers(told) for told in counted.told]
    of_seats = [seat_numbers(told, seat) for told in counted.told for seat in range(len(told.seats))]
    for units, names in ((of_games, GAME_COLUMNS), (of_seats, of_seats[0])):
        for name in names:
            numbers = [unit[name] for unit in units]
            assert (totals.low[places[name]], totals.high[places[name]]) == (min(numbers), max(numbers)), name


def test_spreads_count_every_unit_in_its_cell(counted):
    """Values beyond an axis are in its end cells."""
    of_games = [game_numbers(told) for told in counted.told]
    of_seats = [seat_numbers(told, seat) for told in counted.told for seat in range(len(told.seats))]
    units = {GAME: of_games, SEAT: of_seats}
    for spread in DEBRIUM.outcomes.spreads:
        axes = [bh.axis.Integer(low, high + 1) for _, low, high in spread.axes]
        expected = bh.Histogram(*axes, storage=bh.storage.Int64())
        expected.fill(*([unit[name] for unit in units[spread.scope]] for name, _, _ in spread.axes))
        np.testing.assert_array_equal(counted.totals.spreads[spread.name].view(flow=True), expected.view(flow=True))
        assert counted.totals.spreads[spread.name].sum(flow=True) == len(units[spread.scope])


def test_metric_names_are_unique_and_have_unit_and_meaning():
    listed = [m for m in batch(MIXED, "drawn").layout().metrics if not m.is_label]
    assert len({m.name for m in listed}) == len(listed)
    for metric in listed:
        assert metric.unit
        assert metric.meaning
        assert metric.name == metric.of or metric.name == f"{metric.of}[{metric.category}]"


def test_a_variant_has_no_seat_or_round_too_many():
    names = batch(sets=["players=3", "chips_level_4=5"]).layout().index()
    assert "win_rate_by_seat[2]" in names
    assert "win_rate_by_seat[3]" not in names
    assert "pool_by_round[5]" in names
    assert "pool_by_round[6]" not in names
    assert "loss_rate_by_round[6]" not in names


def test_one_policy_named_twice_is_counted_once():
    of = batch(("greedy", "greedy", "random_legal", "random_legal"))
    names = of.layout().index()
    assert [name for name in names if name.startswith("win_rate_by_policy")] == [
        "win_rate_by_policy[greedy]",
        "win_rate_by_policy[random_legal]",
    ]
    (part,) = parts_of(of, (0, 1))
    assert part.totals[names["win_rate_by_policy[greedy]"], 1] == 2000


def test_merging_is_exact_in_any_order():
    of = batch(MIXED, "drawn", block_games=50)
    parts = parts_of(of, (0, 1), (1, 2), (3, 1), (4, 3))
    forward, backward = totals_of(of, parts), totals_of(of, reversed(parts))
    assert forward.games == 350
    assert_same(forward, backward)


def test_sums_do_not_overflow():
    """Across tasks they are Python's whole numbers, which have no end."""
    of = batch(block_games=50)
    (part,) = parts_of(of, (0, 1))
    part.totals[:] = np.iinfo(np.int64).max
    totals = totals_of(of, [part] * 3)
    assert totals.sums[0, 0] == 3 * (2**63 - 1)
