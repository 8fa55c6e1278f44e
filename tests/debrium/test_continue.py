"""The engine goes on from every bid and turn, not only from the start."""

import pytest

from tests.debrium.script import random_batch
from tests.debrium.standing import Call, decisions_of, play_on, standing, told, twin, whole

VARIANTS = [
    (),
    ("players=3",),
    ("expansion=true", "starting_skill_coins=3"),
    ("players=3", "expansion=true", "starting_skill_coins=3", "coins_public=false", "chips_level_4=6"),
]
HALTS = [0, 1, 3, 4, 5, 7, 8, 9, 20, 23]


def records_of(call: Call) -> tuple[bytes, bytes]:
    """A game's state and outcomes, byte for byte."""
    return call.state.tobytes(), call.row.tobytes()


@pytest.mark.parametrize("sets", VARIANTS)
def test_a_game_played_on_from_any_decision_ends_as_if_it_had_not_been_halted(sets: tuple[str, ...]) -> None:
    batch = random_batch(*sets)
    ended = whole(batch, 4)
    for decisions in HALTS:
        halted = standing(batch, 4, decisions)
        assert play_on(halted)
        assert told(halted) == told(ended)
        assert records_of(halted) == records_of(ended)


@pytest.mark.parametrize("sets", VARIANTS)
def test_a_copy_and_the_original_are_played_on_alike(sets: tuple[str, ...]) -> None:
    batch = random_batch(*sets)
    ended = whole(batch, 5)
    for decisions in HALTS:
        halted = standing(batch, 5, decisions)
        copied = twin(halted)
        before = records_of(copied)
        assert play_on(halted)
        assert records_of(copied) == before, "a copy shares no memory with the original"
        assert play_on(copied)
        assert records_of(copied) == records_of(halted) == records_of(ended)


def test_a_game_can_be_played_decision_by_decision() -> None:
    batch = random_batch("expansion=true", "starting_skill_coins=2")
    ended = whole(batch, 6)
    stepped = standing(batch, 6)
    steps = 1
    while not play_on(stepped, 1):
        steps += 1
    assert steps == decisions_of(ended) == 4 * 2 * 10
    assert told(stepped) == told(ended)
    assert records_of(stepped) == records_of(ended)


def test_a_game_halts_before_the_decision_and_says_where() -> None:
    """In the order of the round: every bid, then every turn."""
    batch = random_batch("players=3")
    for decisions in range(12):
        table = standing(batch, 0, decisions).state.table[0]
        assert (table.round_number, table.phase, table.place) == (
            1 + decisions // 6,
            decisions // 3 % 2,
            decisions % 3,
        )


def test_a_game_can_be_played_on_with_another_chance() -> None:
    """Look-ahead: from a copy with streams of its own the falls differ, what has happened does not."""
    halted = standing(random_batch(), 7, decisions=40)
    futures = []
    for number in range(4):
        future = twin(halted)
        future.state.hidden.streams.word[0] += 2 * number
        play_on(future)
        futures.append(told(future))
    past = told(halted)
    assert all(events[: len(past)] == past for events in futures)
    assert len({str(events) for events in futures}) == 4
