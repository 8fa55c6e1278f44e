"""Cells over common blocks: a goal of games or of a precision, looks that timing cannot move, and the base's turn."""

from __future__ import annotations

import pytest

from sim import run as running
from sim.batch import Batch
from sim.precision import difference, estimate
from sim.schedule import GROUP_BLOCKS
from sim.sweep import LEAST_GROUPS, Goal, Sweep
from sim.workers import Threads
from tests.support import MIXED, assert_same, batch, parts_of, totals_of

SIZE = 20
KINGS = (15, 0, 40)
WINS = ("win_rate_by_policy",)


def cells_of(*bonuses: int) -> list[Batch]:
    """A cell for each bonus, of policies of which some look at it."""
    return [batch(MIXED, "drawn", [f"mining_king_bonus={bonus}"], seed=5, block_games=SIZE) for bonus in bonuses]


def swept(batches: list[Batch], goal: Goal, base: int = 0, threads: int = 2) -> Sweep:
    sweep = Sweep(batches, goal, base)
    with Threads(batches, threads) as workers:
        sweep.play(workers, lambda games: None)
    return sweep


@pytest.fixture(scope="module")
def precise() -> Sweep:
    """Three cells, the middle one the base, played until every win rate and difference is known well enough."""
    return swept(cells_of(*KINGS), Goal(half_width=0.11, watched=WINS), base=1)


def widths(sweep: Sweep, number: int, blocks: int) -> list[float]:
    """By brute force: the half-widths of all that is watched of a cell after its first blocks."""
    planned = sweep.cells[number].totals.planned
    (part,) = parts_of(sweep.batches[number], (0, blocks))
    (base,) = parts_of(sweep.batches[sweep.base], (0, blocks))
    found = []
    for slot, metric in enumerate(sweep.batches[number].layout().metrics):
        if metric.of not in WINS:
            continue
        known = estimate(part.totals[slot], blocks * SIZE, metric.scale, is_share=True, planned=planned)
        found.append(known.half_width)
        if number != sweep.base:
            pairs = brute_pairs(base.sums[:, slot].astype(object), part.sums[:, slot].astype(object))
            paired = difference(pairs, blocks, metric.scale, planned=planned, looked=blocks * SIZE)
            assert paired is not None
            found.append(paired.half_width)
    return found


def brute_pairs(one: object, other: object) -> list[int]:
    """What a difference is made of, written out: sums, then products."""
    (na, da), (nb, db) = one.T, other.T  # type: ignore[attr-defined]
    products = [na * na, na * da, da * da, nb * nb, nb * db, db * db, na * nb, na * db, da * nb, da * db]
    return [*(int(column.sum()) for column in (na, da, nb, db, *products)), int(((na != nb) | (da != db)).sum())]


def test_a_cell_is_finished_at_the_first_look_at_which_it_is_known_well_enough(precise):
    assert precise.is_finished
    for number, cell in enumerate(precise.cells):
        if number == precise.base:
            continue
        assert cell.totals.games % (GROUP_BLOCKS * SIZE) == 0
        assert max(widths(precise, number, cell.blocks)) <= 0.11
        for blocks in range((LEAST_GROUPS + 1) * GROUP_BLOCKS, cell.totals.games // SIZE, GROUP_BLOCKS):
            assert max(widths(precise, number, blocks)) > 0.11


def test_it_takes_several_looks_and_not_all_cells_as_many(precise):
    """Or the tests of this file would show little."""
    assert len({cell.blocks for cell in precise.cells}) > 1
    assert min(cell.totals.games for cell in precise.cells) > LEAST_GROUPS * GROUP_BLOCKS * SIZE


def test_the_base_goes_on_as_long_as_another_cell_needs_it(precise):
    assert precise.cells[precise.base].blocks == max(cell.blocks for cell in precise.cells)
    for number, cell in enumerate(precise.cells):
        if number != precise.base:
            assert cell.pairs.blocks == cell.blocks


def test_a_finished_cell_gets_no_more_blocks(precise):
    """What workers had begun for it is left out, so its totals are those of its first blocks and no others."""
    for of, cell in zip(precise.batches, precise.cells, strict=True):
        totals = totals_of(of, parts_of(of, *((first, 16) for first in range(0, cell.blocks, 16))))
        totals.planned = cell.totals.planned
        assert_same(totals, cell.totals)


@pytest.mark.parametrize("threads", [1, 3])
def test_when_a_cell_is_finished_does_not_depend_on_threads_or_tasks(precise, threads, monkeypatch):
    monkeypatch.setattr(running, "TASK_SECONDS", 1e-9)
    again = swept(list(precise.batches), precise.goal, precise.base, threads)
    assert [cell.blocks for cell in again.cells] == [cell.blocks for cell in precise.cells]
    for one, other in zip(again.cells, precise.cells, strict=True):
        assert_same(one.totals, other.totals)
    assert again.differences(0) == precise.differences(0)


def test_differences_of_a_sweep_are_those_of_comparisons():
    batches = cells_of(*KINGS)
    sweep = swept(batches, Goal(1030), base=1)
    for number in (0, 2):
        alone = swept([batches[1], batches[number]], Goal(1030))
        assert sweep.differences(number) == alone.differences(1)
    assert sweep.differences(1) == ()


def test_a_metric_may_be_watched_alone():
    (cell,) = swept(cells_of(15), Goal(half_width=0.2, watched=("bursts_row",))).cells
    slot = cell.totals.layout.index()["bursts_row"]
    found = estimate(cell.totals.sums[slot], cell.totals.games, planned=cell.totals.planned)
    assert found.half_width <= 0.2


def test_cells_tell_when_they_are_finished():
    told: list[int] = []
    sweep = Sweep(cells_of(*KINGS), Goal(700))
    with Threads(sweep.batches, 2) as workers:
        sweep.play(workers, lambda games: None, told.append)
    assert told == [0, 1, 2]


def test_what_is_expected_in_the_end_is_told_from_the_first_look_on(precise):
    sweep = Sweep(precise.batches, precise.goal, precise.base)
    assert sweep.expected is None
    assert Sweep(precise.batches, Goal(700)).expected == 2100
    assert precise.expected == sum(cell.totals.games for cell in precise.cells)
