"""The engine goes on from every action, not only from the start."""

import pytest

from tests.book_festival.scene import QUIET, Scene, lay
from tests.book_festival.script import batch_of, of, random_batch
from tests.book_festival.standing import Call, decisions_of, play_on, standing, told, twin, whole

VARIANTS = [
    (),
    ("players=3", "end_bonus_needs_main=false", "pop_cost_booklet=0"),
    ("players=6", "extension=true", "start_player=rotates", "pop_cost_trial=0", "pop_cost_related=0"),
    ("players=4", "actions_per_turn=1", "hand_limit=6", "recommended_chain=true"),
]
HALTS = [0, 1, 2, 3, 4, 11, 12, 13, 40, 57]


def records_of(call: Call) -> tuple[bytes, bytes]:
    """A game's state and outcomes, byte for byte."""
    return call.state.tobytes(), call.row.tobytes()


@pytest.mark.parametrize("sets", VARIANTS)
def test_a_game_played_on_from_any_action_ends_as_if_it_had_not_been_halted(sets: tuple[str, ...]) -> None:
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


def test_a_game_can_be_played_action_by_action() -> None:
    """The free cards at the start of a turn are drawn once, whether or not the game stood still after them."""
    batch = random_batch("players=3", "pop_cost_booklet=0", "end_shelf_cost=0")
    ended = whole(batch, 6)
    stepped = standing(batch, 6)
    steps = 1
    while not play_on(stepped, 1):
        steps += 1
    assert steps == decisions_of(ended) == 3 * 3 * told(ended)[-1]["rounds"]
    assert told(stepped) == told(ended)
    assert records_of(stepped) == records_of(ended)


def test_a_game_halts_before_the_action_and_says_where() -> None:
    batch = random_batch("players=3", "start_player=rotates")
    for decisions in range(27):
        table = standing(batch, 0, decisions).state.table[0]
        assert (table.round_number, table.place, table.actions) == (
            1 + decisions // 9,
            decisions // 3 % 3,
            decisions % 3,
        )
        assert table.start == decisions // 9 % 3


def test_a_game_can_be_played_on_with_another_chance() -> None:
    """Look-ahead: from a copy with streams of its own the dice differ, what has happened does not."""
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


def test_free_cards_are_drawn_once_though_the_game_stands_still_before_the_turns_first_action() -> None:
    call = standing(batch_of(QUIET), 0)
    lay(call, Scene({1: ["1 comedy", "1 business", "1 sports"]}))
    assert not play_on(call, 1)
    assert play_on(call)
    assert [(event["seat"], event["why"]) for event in of(told(call), "draw")] == [(1, "bonus")]
