"""A policy from outside may write its answer and its own scratch, nothing else, and what it raises has a name."""

import re
from itertools import product

import pytest

from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.policy import Policy
from sim.replay import replay
from sim.run import play
from sim.task import PolicyFault
from tests.games.every import every_case, every_game
from tests.games.kit import Kit, Place
from tests.games.meddler import DIVIDES, LATE, RAISES, READS, WRITES, meddler, writes
from tests.games.stage import SEED


def pool_of(kit: Kit, seat: int = 0, culprit: Policy | None = None) -> list[Policy]:
    """Meddlers that only play, but for the culprit at its seat."""
    pool = [meddler(kit)] * kit.stage.rules_of(*kit.meddling.sets).values["players"]
    return [*pool[:seat], culprit or pool[seat], *pool[seat + 1 :]]


def fault_at(kit: Kit, place: Place, deed: str, index: int = 0) -> str:
    """The fault of a game in which one seat meddles and the others only play; it names who, where and when."""
    pool = pool_of(kit, place.seat, meddler(kit, deed, place.decision, index))
    fault = kit.stage.fault_of(kit.meddling.sets, *pool)
    where = f"game 0, round {place.round}, seat {place.seat}, decision '{place.decision}', seed {SEED}"
    who, _, what = str(fault).partition(": ")
    assert who == f"policy 'meddler' ({where})"
    return what


@every_game
def test_every_decision_is_meddled_with(kit: Kit) -> None:
    decisions = {decision.name for decision in load_game(kit.game).decisions}
    assert {place.decision for place in kit.meddling.places} == decisions


@every_game
def test_a_policy_may_write_its_answer_and_its_own_memory(kit: Kit) -> None:
    """The memory lasts: a later decision divides by what an earlier one counted there."""
    assert kit.stage.fault_of(kit.meddling.sets, *pool_of(kit)) is None


@every_case("case", lambda kit: product(kit.meddling.places, writes(kit)))
def test_a_policy_that_writes_a_record_is_named(kit: Kit, case: tuple[Place, str]) -> None:
    assert fault_at(kit, *case).startswith("changes a record that it may only read")


@every_case("place", lambda kit: kit.meddling.places)
@pytest.mark.parametrize("deed", [READS, WRITES])
@pytest.mark.parametrize("beyond", [0, 1_000_000])
def test_an_index_out_of_bounds_is_an_error_with_a_name(kit: Kit, place: Place, deed: str, beyond: int) -> None:
    assert re.match("IndexError: .*out of bounds", fault_at(kit, place, deed, kit.meddling.length + beyond))


@every_case("place", lambda kit: kit.meddling.places)
def test_division_by_zero_is_an_error_with_a_name(kit: Kit, place: Place) -> None:
    assert fault_at(kit, place, DIVIDES).startswith("ZeroDivisionError: ")


@every_case("place", lambda kit: kit.meddling.places)
def test_what_a_policy_raises_is_told(kit: Kit, place: Place) -> None:
    assert fault_at(kit, place, RAISES) == "ValueError: I give up"


@every_game
def test_a_fault_in_a_batch_is_found_again_by_replaying_its_game(kit: Kit) -> None:
    decision = kit.meddling.places[0].decision
    pool = pool_of(kit, 1, meddler(kit, LATE, decision))
    batch = Batch(kit.game, kit.stage.rules_of(*kit.meddling.sets), LineUp(tuple(pool), "shuffled"), SEED)
    with pytest.raises(PolicyFault) as found:
        play(batch, 1000, threads=1)
    events, again = replay(batch, found.value.game)
    assert str(again) == str(found.value)
    assert found.value.policy == pool[1]
    assert [event["round"] for event in events if event["event"] == "round"] == [1, 2, 3]
    assert all(replay(batch, index)[1] is None for index in range(found.value.game))
