"""A policy from outside may write its answer and its own scratch, nothing else, and what it raises has a name."""

import re

import pytest

from sim.batch import Batch, LineUp
from sim.policy import Policy
from sim.replay import replay
from sim.run import play
from sim.task import PolicyFault
from tests.book_festival.script import SEED, dice, fault_of, rules_of, seated

SOURCE = '''"""Plays so that every decision is asked, and does at one kind of them a thing that no policy may do."""

from sim.book_festival.state import BUY, PLACE, RELATED, TRIAL
from sim.rng import below


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    own.memory[0] += 1
    if own.memory[0] <= 3:
        choice.action = BUY
        choice.slot = own.memory[0] - 1
        choice.bought = TRIAL if own.memory[0] == 2 else RELATED
    else:
        for slot in range(3):
            for genre in range(6):
                if choice.action == 0 and booth.books[slot] == 0 and own.hand[genre] > 0:
                    choice.action = PLACE
                    choice.slot = slot
                    choice.genre = genre
                    choice.count = 1
    if own.param[1] == 0:
        _meddle(rules, table, own, rng, choice)


def stop(rules, table, own, rng, choice):
    own.memory[1] = 1 / own.memory[0]
    if own.param[1] == 1:
        _meddle(rules, table, own, rng, choice)


def file(rules, table, own, rng, choice):
    own.memory[63] = own.memory[0]
    choice.genre = 1
    if own.param[1] == 2:
        _meddle(rules, table, own, rng, choice)


def _meddle(rules, table, own, rng, choice):
    deed = own.param[0]
    if deed == 1:
        rules.pop_cost[4] = 0
    elif deed == 2:
        rules.mvp_tie = 1 - rules.mvp_tie
    elif deed == 3:
        table.pile[5] += 1
    elif deed == 4:
        table.booths[(own.seat + 1) % 3].supply -= 1
    elif deed == 5:
        table.booths[own.seat].books[14] += 1
    elif deed == 6:
        own.hand[5] += 1
    elif deed == 7:
        own.seat = (own.seat + 1) % 3
    elif deed == 8:
        own.param[15] = 1.5
    elif deed == 9:
        choice.genre = table.discards[int(own.param[2])]
    elif deed == 10:
        choice.discards[int(own.param[2])] = 0
    elif deed == 11:
        choice.slot = 1 // int(own.seat - own.seat)
    elif deed == 12:
        raise ValueError("I give up")
    elif deed == 13 and below(rng, 5) == 0 and table.round_number == 3:
        table.deck_size += 1
'''

WRITES = {
    "a price in rules": 1,
    "a switch in rules": 2,
    "a pile on the table": 3,
    "another seat's supply": 4,
    "a book in its booth": 5,
    "its own hand": 6,
    "its own seat": 7,
    "its own parameters": 8,
}
NAMES = ("act", "stop", "file")
ACT, STOP, FILE = range(3)

#: Every POP is free and the gorilla walks over all Trial Reads and stops at Related Books.
SETS = [
    "players=3", "max_rounds=6", "trial_discard=0", "pop_cost_trial=0", "pop_cost_related=0", "pop_copies=6",
    seated("gorilla", "elephant", "cheetah"), *dice(gorilla=5, elephant=2, cheetah=2),
]  # fmt: skip


def meddler(deed: int, decision: int = ACT, number: float = 0.0) -> Policy:
    return Policy(
        "meddler", "meddler", "meddler.py", SOURCE, (float(deed), float(decision), number), is_trusted=False
    )


def fault_at(seat: int, deed: int, decision: int = ACT, number: float = 0.0) -> PolicyFault:
    """The fault of a game in which one seat meddles and the others only play."""
    fault = fault_of(SETS, *[meddler(deed if s == seat else 0, decision, number) for s in range(3)])
    assert fault is not None
    return fault


def test_a_policy_may_write_its_answer_and_its_own_memory() -> None:
    """The memory lasts: Trial Reads divide by the actions counted there."""
    assert fault_of(SETS, *[meddler(0)] * 3) is None


@pytest.mark.parametrize("decision", [ACT, STOP, FILE], ids=NAMES)
@pytest.mark.parametrize("deed", WRITES.values(), ids=WRITES)
def test_a_policy_that_writes_a_record_is_named(deed: int, decision: int) -> None:
    fault = fault_at(1, deed, decision)
    where = rf"policy 'meddler' \(game 0, round \d+, seat 1, decision '{NAMES[decision]}', seed {SEED}\): "
    assert re.match(where + "changes a record that it may only read", str(fault)), fault


@pytest.mark.parametrize("deed", [9, 10], ids=["read", "written"])
@pytest.mark.parametrize("index", [6, 1_000_000])
def test_an_index_out_of_bounds_is_an_error_with_a_name(deed: int, index: int) -> None:
    fault = fault_at(2, deed, ACT, index)
    assert re.search(r"round 1, seat 2, decision 'act', seed \d+\): IndexError: .*out of bounds", str(fault)), fault


def test_division_by_zero_is_an_error_with_a_name() -> None:
    assert re.search(r"seat 2, decision 'stop', seed \d+\): ZeroDivisionError: ", str(fault_at(2, 11, STOP)))


def test_what_a_policy_raises_is_told() -> None:
    assert str(fault_at(0, 12, FILE)).endswith("ValueError: I give up")


def test_a_fault_in_a_batch_is_found_again_by_replaying_its_game() -> None:
    pool = (meddler(0), meddler(13), meddler(0))
    batch = Batch("book_festival", rules_of(*SETS), LineUp(pool, "shuffled"), SEED)
    with pytest.raises(PolicyFault) as found:
        play(batch, 1000, threads=1)
    events, again = replay(batch, found.value.game)
    assert str(again) == str(found.value)
    assert found.value.policy == pool[1]
    assert [event["round"] for event in events if event["event"] == "round"] == [1, 2, 3]
    assert all(replay(batch, game)[1] is None for game in range(found.value.game))
