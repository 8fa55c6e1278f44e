"""A policy from outside may write its answer and its own scratch, nothing else, and what it raises has a name."""

import re

import pytest

from sim.batch import Batch, LineUp
from sim.policy import Policy
from sim.replay import replay
from sim.run import play
from sim.task import PolicyFault
from tests.debrium.script import SEED, fault_of, rules_of

SOURCE = '''"""Does, at one kind of decision, a thing that no policy may do."""

from sim.rng import below


def bid(rules, table, own, rng, choice):
    own.memory[0] += 1
    choice.coins = 1 if own.coins else 0
    choice.skill_coins = 1 if own.skill_coins else 0
    if own.param[1] == 0:
        _meddle(rules, table, own, rng, choice)


def turn(rules, table, own, rng, choice):
    own.memory[1] = 1 / own.memory[0]
    choice.action = 1
    choice.skill = 1 if table.seats[own.seat].skill_bid else 0
    for space in range(rules.spaces):
        if table.level[space] == 1 and table.holder[space] < 0 and choice.placements < 2:
            choice.spaces[int(choice.placements)] = space
            choice.placements += 1
    if own.param[1] == 1:
        _meddle(rules, table, own, rng, choice)


def extra(rules, table, own, rng, choice):
    own.memory[31] = own.memory[0]
    choice.space = choice.spaces[1]
    if own.param[1] == 2:
        _meddle(rules, table, own, rng, choice)


def _meddle(rules, table, own, rng, choice):
    deed = own.param[0]
    if deed == 1:
        rules.hire_cost[1] = 0
    elif deed == 2:
        rules.tie = 1 - rules.tie
    elif deed == 3:
        table.pool += 1
    elif deed == 4:
        table.seats[(own.seat + 1) % 4].debt_cards += 1
    elif deed == 5:
        table.level[15] = 1 + table.level[15]
    elif deed == 6:
        own.coins += 5
    elif deed == 7:
        own.chip_values[0] = 99
    elif deed == 8:
        own.param[15] = 1.5
    elif deed == 9:
        choice.coins = table.stack[int(own.param[2])]
    elif deed == 10:
        choice.spaces[int(own.param[2])] = 0
    elif deed == 11:
        choice.coins = 1 // int(own.seat - own.seat)
    elif deed == 12:
        raise ValueError("I give up")
    elif deed == 13 and below(rng, 5) == 0 and table.round_number == 3:
        table.skill_pool += 1
'''

WRITES = {
    "a price in rules": 1,
    "a switch in rules": 2,
    "the pool on the table": 3,
    "another seat's debt": 4,
    "a level on the board": 5,
    "its own coins": 6,
    "the values of its chips": 7,
    "its own parameters": 8,
}
BID, TURN, EXTRA = range(3)
NAMES = ("bid", "turn", "extra")
SETS = ["expansion=true", 'companies=["blue", "red", "yellow", "green"]']
BLUE = 0


def meddler(deed: int, decision: int = BID, number: float = 0.0) -> Policy:
    return Policy(
        "meddler", "meddler", "meddler.py", SOURCE, (float(deed), float(decision), number), is_trusted=False
    )


def fault_at(seat: int, deed: int, decision: int = BID, number: float = 0.0) -> PolicyFault:
    """The fault of a game in which one seat meddles and the others only play."""
    policies = [meddler(deed if s == seat else 0, decision, number) for s in range(4)]
    fault = fault_of(SETS, *policies)
    assert fault is not None
    return fault


def test_a_policy_may_write_its_answer_and_its_own_memory() -> None:
    """The memory lasts: in each round the turn divides by the bids counted there."""
    assert fault_of(SETS, *[meddler(0)] * 4) is None


@pytest.mark.parametrize("decision", [BID, TURN, EXTRA], ids=NAMES)
@pytest.mark.parametrize("deed", WRITES.values(), ids=WRITES)
def test_a_policy_that_writes_a_record_is_named(deed: int, decision: int) -> None:
    fault = fault_at(BLUE, deed, decision)
    where = rf"policy 'meddler' \(game 0, round \d+, seat 0, decision '{NAMES[decision]}', seed {SEED}\): "
    assert re.match(where + "changes a record that it may only read", str(fault)), fault


@pytest.mark.parametrize("deed", [9, 10], ids=["read", "written"])
@pytest.mark.parametrize("index", [36, 1_000_000])
def test_an_index_out_of_bounds_is_an_error_with_a_name(deed: int, index: int) -> None:
    fault = fault_at(2, deed, TURN, index)
    assert re.search(r"round 1, seat 2, decision 'turn', seed \d+\): IndexError: .*out of bounds", str(fault)), fault


def test_division_by_zero_is_an_error_with_a_name() -> None:
    assert re.search(r"seat 3, decision 'bid', seed \d+\): ZeroDivisionError: ", str(fault_at(3, 11)))


def test_what_a_policy_raises_is_told() -> None:
    assert str(fault_at(0, 12)).endswith("ValueError: I give up")


def test_a_fault_in_a_batch_is_found_again_by_replaying_its_game() -> None:
    pool = (meddler(0), meddler(0), meddler(13), meddler(0))
    batch = Batch("debrium", rules_of(*SETS), LineUp(pool, "shuffled"), SEED)
    with pytest.raises(PolicyFault) as found:
        play(batch, 5000, threads=1)
    events, again = replay(batch, found.value.game)
    assert str(again) == str(found.value)
    assert found.value.policy == pool[2]
    assert [event["round"] for event in events if event["event"] == "round"] == [1, 2, 3]
    assert all(replay(batch, game)[1] is None for game in range(found.value.game))
