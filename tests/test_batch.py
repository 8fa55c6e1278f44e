"""Same seed, same bytes: for any threads, tasks, blocks and order; line-ups, stopping, common random numbers."""

from __future__ import annotations

import dataclasses
import itertools
import math
import time
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from sim.batch import Batch, LineUp
from sim.blocks import TaskResult
from sim.debrium.exact import burst_odds
from sim.errors import BadInput
from sim.replay import replay
from sim.run import Run, play
from sim.schedule import GROUP_BLOCKS
from sim.task import PolicyFault, new_call, play_task
from sim.workers import Threads
from tests.support import MIXED, assert_same, batch, outside, parts_of, sums, totals_of, value

#: A true simulation fails a test at this level once in a million; all tests are of fixed seeds.
RARE = 1e-6


@pytest.fixture(scope="module")
def mixed() -> Batch:
    """Ten blocks of a hundred games are played of this one."""
    return batch(MIXED, "drawn", ["expansion=true"], seed=9, block_games=100)


def run_parts(of: Batch, games: int, threads: int) -> list[TaskResult]:
    with Threads([of], threads) as workers:
        return [part.result for part in Run([of], games, workers).parts()]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_no_number(mixed, threads):
    expected = totals_of(mixed, parts_of(mixed, (0, 10)))
    assert expected.games == 1000
    assert_same(expected, play(mixed, 1000, threads))


@pytest.mark.parametrize("tasks", [[(k, 1) for k in range(10)], [(0, 3), (3, 3), (6, 3), (9, 1)], [(7, 3), (0, 7)]])
def test_tasks_change_no_number(mixed, tasks):
    assert_same(totals_of(mixed, parts_of(mixed, (0, 10))), totals_of(mixed, parts_of(mixed, *tasks)))


def test_a_block_is_the_same_in_whichever_task(mixed):
    (whole,) = parts_of(mixed, (0, 10))
    for part in parts_of(mixed, (8, 2), (3, 4)):
        stretch = whole.sums[part.first_block : part.first_block + len(part.sums)]
        np.testing.assert_array_equal(part.sums, stretch)


def test_a_run_covers_its_blocks_once_without_a_gap(mixed):
    found = [
        part.first_block + k for part in run_parts(mixed, 1000, 2) for k in range(part.games // mixed.block_games)
    ]
    assert sorted(found) == list(range(10))


def test_a_run_ends_when_nobody_wants_more(mixed):
    """A run to a precision may go on nearly for ever, but does not once it is there."""
    played: list[int] = []
    with Threads([mixed], 2) as workers:
        started = time.monotonic()
        for part in Run([mixed], 10**12, workers, is_wanted=lambda batch: not played).parts():
            played.append(part.result.games)
    assert len(played) == 1
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("block_games", [1, 10, 1000])
def test_games_do_not_depend_on_how_many_make_a_block(mixed, block_games):
    of = dataclasses.replace(mixed, block_games=block_games)
    assert_same(totals_of(mixed, parts_of(mixed, (0, 10))), play(of, 1000, 2))


@pytest.mark.parametrize("games", [1, 999, 1000, 1500, 2001])
def test_a_run_counts_exactly_its_games(games):
    totals = play(batch(seed=4), games, 2)
    assert totals.games == games
    assert sums(totals, "score")[1] == 4 * games
    assert sums(totals, "seats_by_debt_cards[0]")[1] == 4 * games
    assert sum(sums(totals, f"win_rate_by_seat[{seat}]")[0] for seat in range(4)) == 60 * games


def test_the_games_of_a_short_last_block_are_those_that_follow():
    """1500 games are the first 1500 of any longer run."""
    of = batch(seed=4)
    short = dataclasses.replace(of, block_games=500)
    assert_same(play(of, 1500, 2), totals_of(short, parts_of(short, (0, 3))))


@pytest.mark.parametrize("mode", ["fixed", "shuffled", "drawn"])
def test_game_k_of_a_run_is_game_k_replayed(mode):
    """Alone, without those before it, and told: the score and the win of each policy are the same."""
    pool = MIXED if mode == "drawn" else MIXED[:4]
    of = batch(pool, mode, seed=21, block_games=1)
    (part,) = parts_of(of, (0, 40))
    slots = of.layout().index()
    for index in (0, 1, 17, 39):
        events, fault = replay(dataclasses.replace(of, block_games=1000), index)
        assert fault is None
        assert (events[0]["index"], events[0]["seed"]) == (index, 21)
        end = events[-1]
        for label in set(events[0]["policies"]):
            score = sum(s for s, who in zip(end["score"], events[0]["policies"], strict=True) if who == label)
            share = sum(s for s, who in zip(end["win_share"], events[0]["policies"], strict=True) if who == label)
            assert part.sums[index, slots[f"score_by_policy[{label}]"], 0] == score
            assert part.sums[index, slots[f"win_rate_by_policy[{label}]"], 0] == round(60 * share)


def test_games_and_seeds_differ():
    def told(seed: int, index: int) -> str:
        return repr(replay(batch(seed=seed), index)[0][1:])

    found = {told(seed, index) for seed in (0, 1, 2, 2**63 - 1) for index in (0, 1, 2, 2**62)}
    assert len(found) == 16


# Line-ups.


def seatings(of: Batch, games: int) -> list[tuple[str, ...]]:
    return [tuple(replay(of, index)[0][0]["policies"]) for index in range(games)]


def test_a_fixed_line_up_sits_as_listed():
    pool = ("greedy", "prospector", "never_bids", "random_legal")
    assert set(seatings(batch(pool, "fixed"), 20)) == {pool}


def test_a_shuffled_line_up_is_dealt_to_seats_evenly():
    pool = ("greedy", "prospector", "never_bids", "random_legal")
    counts = Counter(seatings(batch(pool, "shuffled"), 1200))
    assert set(counts) == set(itertools.permutations(pool))
    assert stats.chisquare(list(counts.values())).pvalue > RARE


def test_a_drawn_line_up_has_different_policies_equally_often():
    found = seatings(batch(MIXED, "drawn"), 1000)
    assert all(len(set(line_up)) == 4 for line_up in found)
    for seat in range(4):
        counts = Counter(line_up[seat] for line_up in found)
        assert set(counts) == set(MIXED)
        assert stats.chisquare(list(counts.values())).pvalue > RARE


def test_a_drawn_line_up_draws_each_policy_equally_often_in_a_run():
    totals = play(batch(MIXED, "drawn"), 10_000)
    plays = [sums(totals, f"win_rate_by_policy[{name}]")[1] for name in MIXED]
    assert sum(plays) == 40_000
    # Four of ten seats are drawn without replacement, which makes counts more even than a chi-square takes them for.
    assert stats.chisquare(plays).pvalue > RARE


def test_a_small_drawn_pool_fills_the_seats_in_turn():
    found = seatings(batch(("greedy", "random_legal"), "drawn"), 40)
    assert {tuple(sorted(line_up)) for line_up in found} == {("greedy", "greedy", "random_legal", "random_legal")}


@pytest.mark.parametrize(("policies", "mode"), [(3, "fixed"), (5, "shuffled"), (0, "drawn"), (17, "drawn")])
def test_a_line_up_that_does_not_fit_is_refused(policies, mode):
    one = batch().line_up.pool[0]
    with pytest.raises(BadInput, match="--policies"):
        Batch("debrium", batch().rules, LineUp((one,) * policies, mode), 1)


# Chance.


def test_bursts_of_a_hundred_thousand_games_are_those_of_the_exact_chain():
    totals = play(batch(seed=2), 100_000)
    odds = burst_odds(4, 2, 10)
    assert odds.expected == Fraction(1010853, 420175)
    variance = sum(float(p) * (k - float(odds.expected)) ** 2 for k, p in enumerate(odds.distribution))
    for name in ("bursts_column", "bursts_row"):
        assert abs(value(totals, name) - float(odds.expected)) < 4 * math.sqrt(variance / totals.games)
    for k, chance in enumerate(odds.by_round, start=1):
        error = math.sqrt(float(chance * (1 - chance)) / totals.games)
        assert abs(value(totals, f"burst_row_by_round[{k}]") - float(chance)) <= 4 * error


def test_bursts_of_a_million_games_are_those_of_the_exact_chain():
    totals = play(batch(seed=3), 1_000_000)
    odds = burst_odds(4, 2, 10)
    variance = sum(float(p) * (k - float(odds.expected)) ** 2 for k, p in enumerate(odds.distribution))
    both = value(totals, "bursts_column") + value(totals, "bursts_row")
    assert abs(both - 2 * 1010853 / 420175) < 4 * math.sqrt(2 * variance / totals.games)


def test_equal_policies_win_equally_often_at_every_seat():
    """Nothing but the seat's number tells four random_legal apart."""
    totals = play(batch(mode="fixed", seed=6), 40_000)
    for seat in range(4):
        n, _, nn, _, _ = sums(totals, f"win_rate_by_seat[{seat}]")
        error = math.sqrt(nn / totals.games - (n / totals.games) ** 2) / 60 / math.sqrt(totals.games)
        assert abs(value(totals, f"win_rate_by_seat[{seat}]") - 1 / 4) < 4.5 * error


def test_a_changed_rule_leaves_chance_and_who_ignores_it_alone():
    """Common random numbers: random_legal does not look at the King's bonus, so only scores and wins change."""
    base = play(batch(mode="fixed", seed=8), 3000)
    changed = play(batch(mode="fixed", sets=["mining_king_bonus=0"], seed=8), 3000)
    depends = ("score", "win", "rank", "margin", "led_from", "lead_changes", "king_d", "debt_decided", "coins_d")
    for metric in base.layout.metrics:
        if not metric.is_label and not metric.name.startswith(depends):
            assert sums(base, metric.name) == sums(changed, metric.name), metric.name
    assert sums(base, "chips")[0] == sums(changed, "chips")[0] > 0
    assert sums(base, "king") == sums(changed, "king")
    bonus = batch().rules.values["mining_king_bonus"]
    assert sums(base, "score")[0] - sums(changed, "score")[0] == bonus * sums(base, "king")[0] > 0


def test_a_changed_policy_leaves_deal_and_falls_alone():
    for name in ("greedy", "never_bids"):
        one, other = (replay(batch((who,), "fixed", seed=8), 3)[0] for who in ("random_legal", name))
        assert one[1] == other[1]
        falls = [[(e["space"], e["value"]) for e in events if e["event"] == "fall"] for events in (one, other)]
        assert falls[0] == falls[1]


# Stopping.


def test_a_stop_keeps_whole_blocks_and_they_are_the_first_of_the_run():
    of = batch(seed=12, block_games=100)
    parts = []
    with Threads([of], 2) as workers:
        run = Run([of], 10_000_000, workers)
        for part in run.parts():
            parts.append(part.result)
            if len(parts) == 3:
                run.stop()
        assert workers.stuck() is None
    totals = totals_of(of, parts)
    assert 0 < totals.games < 10_000_000
    assert totals.games == 100 * sum(len(part.sums) for part in parts)
    assert_same(totals, totals_of(of, parts_of(of, (0, totals.games // 100))))


def test_a_run_ends_when_its_time_is_over():
    started = time.monotonic()
    with Threads([batch()], 2) as workers:
        run = Run([batch()], 10**12, workers, ends=started + 0.5)
        games = sum(part.result.games for part in run.parts())
    assert run.is_stopped
    assert games % 1000 == 0
    assert games > 0
    assert time.monotonic() - started < 5


def test_batches_of_a_run_take_turns_in_their_order_group_by_group():
    """Whichever worker is faster: what is paired, and a look at a precision, depend on it."""
    batches = [batch(seed=3, block_games=10), batch(("prospector",), seed=3, block_games=10)]
    with Threads(batches, 3) as workers:
        found = [
            (part.result.first_block // GROUP_BLOCKS, order.index(part.batch), part.result.first_block)
            for order in [(1, 0)]
            for part in Run(batches, 400, workers, order).parts()
        ]
    assert found == sorted(found)
    assert {(group, place) for group, place, _ in found} == {(g, p) for g in range(3) for p in range(2)}


BROKE = '''"""Bids more than it holds in the third round where debris lies at the top left."""


def bid(rules, table, own, rng, choice):
    if table.round_number == 3 and table.level[0] == 4:
        choice.coins = own.coins + 1
'''


def test_a_fault_names_policy_seat_game_seed_decision_and_rule():
    of = batch(seed=5)
    of = dataclasses.replace(of, line_up=LineUp((outside(BROKE, "broke"), *of.line_up.pool[1:]), "shuffled"))
    with pytest.raises(PolicyFault) as caught:
        play(of, 5000, 2)
    fault = caught.value
    seat = replay(of, fault.game)[0][0]["policies"].index("broke")
    said = str(fault)
    who = f"policy 'broke' (game {fault.game}, round 3, seat {seat}, decision 'bid', seed 5)"
    assert said.startswith(f"{who}: answers coins ")
    assert "coins it holds" in said
    assert fault.policy.name == "broke"
    assert str(replay(of, fault.game)[1]) == said


def test_an_error_of_the_engine_is_no_policys_fault(monkeypatch):
    def broken(*_arguments):
        raise IndexError("the engine's own")

    monkeypatch.setattr("sim.task.kernel_of", lambda game: broken)
    of = batch()
    with pytest.raises(IndexError, match="own"):
        play_task(new_call(of), of.layout(), 0, 1)


def test_batches_that_count_the_same_share_a_layout():
    """A sweep of many cells holds it once."""
    assert batch().layout() is batch(sets=["mining_king_bonus=3"], seed=2).layout()
    assert batch().layout() is not batch(sets=["players=3"]).layout()
    assert batch().layout() is not batch(["greedy"]).layout()
