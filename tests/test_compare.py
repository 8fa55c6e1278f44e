"""Two variants on common random numbers: pairs of the same blocks, and no difference where a rule does not reach."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reports.comparison import comparison_data, deviation_of, differences, families
from sim import run as module
from sim.batch import Batch
from sim.precision import Difference
from sim.sweep import Goal, Sweep
from sim.workers import Threads
from tests.support import MIXED, assert_same, batch, parts_of, totals_of

ONE_KING = ["mining_king_bonus=0"]


def compared(base: Batch, variant: Batch, games: int, threads: int = 2) -> Sweep:
    sweep = Sweep([base, variant], Goal(games))
    with Threads(sweep.batches, threads) as workers:
        sweep.play(workers, lambda games: None)
    return sweep


def by_name(sweep: Sweep) -> dict[str, Difference]:
    return {metric.name: found for metric, found in sweep.differences(1)}


def block_sums(of: Batch, blocks: int) -> dict[str, np.ndarray]:
    """Every metric's sums block by block, by name, as object (blocks, 2)."""
    (part,) = parts_of(of, (0, blocks))
    return {m.name: part.sums[:, slot].astype(object) for slot, m in enumerate(of.layout().metrics) if not m.is_label}


@pytest.fixture(scope="module")
def king() -> Sweep:
    """Twelve blocks without the King's bonus against twelve with it, of policies that do not look at it."""
    return compared(
        batch(mode="fixed", block_games=200), batch(mode="fixed", sets=ONE_KING, block_games=200), games=2400
    )


def test_what_a_rule_does_not_touch_differs_by_nothing(king):
    found = by_name(king)
    for name in ("chips", "chips_level_4", "coins", "bids_0", "loss_rate", "pool_by_round[7]"):
        assert (found[name].value, found[name].units) == (0, 0)
        assert math.isnan(found[name].half_width)
        assert not found[name].is_sure()
        assert found[name].first == found[name].second > 0


def test_what_it_touches_differs_by_what_it_says(king):
    """Every crowned King loses fifteen points, so a seat's mean falls by fifteen times its chance of the crown."""
    found = by_name(king)
    bonus = king.batches[0].rules.values["mining_king_bonus"]
    assert found["score"].value == pytest.approx(-bonus * found["king"].first)
    assert found["score"].is_sure(judged=300)


def test_pairs_are_those_of_the_same_blocks():
    """Brute force over blocks played one variant after the other."""
    base = batch(MIXED, "drawn", block_games=100)
    variant = batch(MIXED, "drawn", ["starting_coins=5"], block_games=100)
    found = by_name(compared(base, variant, 3000))
    one, other = block_sums(base, 30), block_sums(variant, 30)
    assert found.keys() == {n for n in one if one[n][:, 1].sum() and other[n][:, 1].sum()}
    scales = {m.name: m.scale for m in base.layout().metrics}
    for name, paired in found.items():
        (na, da), (nb, db) = one[name].T.astype(float), other[name].T.astype(float)
        residual = (nb - nb.sum() / db.sum() * db) / db.sum() - (na - na.sum() / da.sum() * da) / da.sum()
        differing = int((one[name] != other[name]).any(axis=1).sum())
        assert paired.value == pytest.approx((nb.sum() / db.sum() - na.sum() / da.sum()) * scales[name], abs=1e-12)
        assert paired.units == differing
        if differing < 10:
            assert math.isnan(paired.half_width), name
            continue
        error = math.sqrt((residual**2).sum() * differing / (differing - 1)) * scales[name]
        half_width = stats.t.ppf(0.975, differing - 1) * error
        assert paired.half_width == pytest.approx(half_width, rel=1e-6, abs=1e-9), name


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_and_tasks_change_nothing(king, threads, monkeypatch):
    monkeypatch.setattr(module, "TASK_SECONDS", 1e-9)  # a block a task
    again = compared(*king.batches, 2400, threads)
    assert again.cells[1].pairs.blocks == king.cells[1].pairs.blocks == 12
    assert (again.cells[1].pairs.sums == king.cells[1].pairs.sums).all()
    for one, other in zip(again.cells, king.cells, strict=True):
        assert_same(one.totals, other.totals)


def test_totals_are_those_of_a_run_of_each(king):
    for of, totals in ((king.batches[0], king.cells[0].totals), (king.batches[1], king.cells[1].totals)):
        assert_same(totals, totals_of(of, parts_of(of, (0, 12))))


def test_a_last_block_of_fewer_games_is_paired_as_well():
    comparison = compared(batch(block_games=100), batch(sets=ONE_KING, block_games=100), 450)
    assert [cell.totals.games for cell in comparison.cells] == [450, 450]
    pairs = comparison.cells[1].pairs
    assert pairs.blocks == 5
    place = [m.name for m in pairs.metrics].index("score")
    assert list(pairs.sums[place, [1, 3]]) == [4 * 450, 4 * 450]


def test_equal_rules_differ_in_nothing():
    for _, found in compared(batch(MIXED, "drawn"), batch(MIXED, "drawn"), 3000).differences(1):
        assert (found.value, found.units) == (0, 0)
        assert not found.is_sure()


SHORT_RUNS = (2000, 5000)


@pytest.mark.parametrize("games", SHORT_RUNS)
def test_a_short_run_calls_sure_what_is_and_nothing_else(games):
    """Two blocks used to call six metrics surely changed with no error, and king_racer's loss unsure."""
    base, variant = batch(MIXED, "drawn", seed=7), batch(MIXED, "drawn", ["mining_king_bonus=10"], seed=7)
    base, variant = (dataclasses.replace(of, block_games=0) for of in (base, variant))
    sweep = compared(base, variant, games)
    frame = differences(sweep.comparison()).set_index("metric")
    assert sweep.cells[1].pairs.blocks == {2000: 200, 5000: 230}[games]
    assert (frame.loc[frame["is_sure"], "half_width"] > 0).all()
    assert frame.loc["win_rate_by_policy[king_racer]", "is_sure"]
    for untouched in ("bursts_column", "bursts_row", "loss_rate_by_round[1]", "burst_row_by_round[4]"):
        assert not frame.loc[untouched, "is_sure"]


def test_variants_of_different_shape_compare_what_both_have():
    comparison = compared(batch(MIXED, "drawn"), batch(MIXED, "drawn", ["players=3", "chips_level_4=8"]), 2000)
    names = {metric.name for metric in comparison.cells[1].pairs.metrics}
    assert "win_rate_by_seat[2]" in names
    assert "win_rate_by_seat[3]" not in names
    assert "pool_by_round[8]" in names
    assert "pool_by_round[9]" not in names
    found = by_name(comparison)
    assert found["takers_by_round[1]"].second < found["takers_by_round[1]"].first
    assert found["win"].first == pytest.approx(1 / 4)
    assert found["win"].second == pytest.approx(1 / 3)


def test_only_one_of_both_is_left_out():
    found = by_name(compared(batch(), batch(sets=["expansion=true"]), 1000))
    assert "win_rate_by_company[blue]" not in found
    assert "win_rate_by_seat[0]" in found


def stopped(after: int, games: int = 3000, block_games: int = 100) -> Sweep:
    """A comparison that is told to stop once so many games were played, by base and variant together."""
    sweep = Sweep([batch(block_games=block_games), batch(sets=ONE_KING, block_games=block_games)], Goal(games))
    played = 0

    def on_games(more: int) -> None:
        nonlocal played
        played += more
        if played >= after:
            sweep.stop()

    with Threads(sweep.batches, 1) as workers:
        sweep.play(workers, on_games)
    return sweep


def test_a_stop_keeps_the_blocks_that_both_have_played():
    sweep = stopped(after=3000 + 1)
    assert sweep.is_stopped
    assert not sweep.is_finished
    pairs = sweep.cells[1].pairs
    assert 0 < pairs.blocks < 30
    one, other = (block_sums(of, pairs.blocks) for of in sweep.batches)
    for metric, line in zip(pairs.metrics, pairs.sums, strict=True):
        assert list(line[:2]) == list(one[metric.name].sum(axis=0))
        assert list(line[2:4]) == list(other[metric.name].sum(axis=0))


def test_a_stop_after_a_quarter_keeps_something():
    """An interruption keeps what is finished, so of a command's usual games base and variant take turns."""
    sweep = stopped(after=100_000, games=200_000, block_games=1000)
    assert sweep.cells[1].pairs.blocks > 0


def test_after_a_stop_the_games_told_are_those_compared():
    """`N games of each on the same seeds` is said of the differences, so it must be their number."""
    comparison = stopped(after=3000 + 1).comparison()
    data = comparison_data(comparison, differences(comparison), 1.0)
    assert 0 < data["games"] == 100 * data["blocks"]


def test_a_stop_before_anything_was_compared_compares_nothing():
    sweep = Sweep([batch(), batch(sets=ONE_KING)], Goal(2000))
    sweep.stop()
    with Threads(sweep.batches, 1) as workers:
        sweep.play(workers, lambda games: None)
    assert sweep.differences(1) == ()
    assert len(differences(sweep.comparison())) == 0


def test_differences_are_listed_by_effect(king):
    """The size of a difference is in standard deviations of the metric's own unit in the base (Cohen's d)."""
    frame = differences(king.comparison())
    effects = list(frame["effect"])
    assert effects == sorted(effects, reverse=True)
    row = frame.set_index("metric").loc["score"]
    totals = king.cells[0].totals
    n, d, nn, _, _ = totals.sums[totals.layout.index()["score"]]
    games = totals.games
    assert d == 4 * games
    deviation = math.sqrt((nn - n**2 / games) / (games - 1) / 4)
    assert row["effect"] == pytest.approx(abs(row["difference"]) / deviation)
    seats = frame.set_index("metric").loc["win_rate_when_mining"]
    deviation = math.sqrt(seats["base"] * (1 - seats["base"]))
    assert seats["effect"] == pytest.approx(abs(seats["difference"]) / deviation)
    assert row["is_sure"]
    assert not frame.set_index("metric").loc["chips", "is_sure"]


def test_a_unit_deviates_as_such_not_as_a_mean_of_a_game(king):
    """However few seats of a game count, and however they hang together: half of all win is half of all, 0.5."""
    totals = king.cells[0].totals
    places = totals.layout.index()
    for name in ("win_rate_by_seat[0]", "win_rate_when_mining", "king_decided"):
        rate = totals.estimate(places[name]).value
        assert deviation_of(totals, places[name]) == pytest.approx(math.sqrt(rate * (1 - rate)))
    game = places["lead_changes"]
    n, d, nn, _, _ = map(int, totals.sums[game])
    assert deviation_of(totals, game) == pytest.approx(math.sqrt((nn - n * n / d) / (d - 1)))


def test_a_family_and_its_twins_have_one_line():
    names = ["king_decided_if_king", "king_decided", "score_by_policy[a]", "king_tied", "score_by_policy[b]"]
    assert list(families(pd.DataFrame({"metric": names}))["metric"]) == [names[0], names[2], names[3]]


def test_what_never_happened_in_the_base_is_new_and_comes_last():
    """A rate of 0 has an interval, but no spread to count an effect in."""
    frame = differences(
        compared(batch(sets=ONE_KING, block_games=200), batch(block_games=200), games=2400).comparison()
    )
    row = frame.set_index("metric").loc["king_decided"]
    assert row["base"] == 0 < row["base_half_width"]
    assert row["effect"] == math.inf
    assert row["is_sure"]
    assert math.isinf(frame["effect"].iloc[-1])


def test_what_is_sure_stays_so_when_all_are_judged_together():
    """The same rules under another seed: no difference is real, and of hundreds none may be called sure."""
    sure = 0
    for seed in range(1, 7):
        frame = differences(compared(batch(seed=seed), batch(seed=seed + 100), 30_000).comparison())
        assert len(frame) > 200
        sure += int(frame["is_sure"].sum())
    assert sure <= 2


def test_the_json_document_is_plain_data(king):
    comparison = king.comparison()
    data = comparison_data(comparison, differences(comparison), 1.5)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["changed"] == {"mining_king_bonus": {"base": 15, "variant": 0}}
    assert (data["games"], data["blocks"], data["seed"]) == (2400, 12, 1)
