"""The engine goes on from every decision that it can be halted before, not only from the start."""

from sim.task import Call
from tests.games.every import every_case, every_game
from tests.games.kit import Kit, Sets
from tests.games.standing import decisions_of, play_on, standing, told, twin, whole


def records_of(call: Call) -> tuple[bytes, bytes]:
    """A game's state and outcomes, byte for byte."""
    return call.state.tobytes(), call.row.tobytes()


@every_case("sets", lambda kit: kit.variants)
def test_a_game_played_on_from_any_decision_ends_as_if_it_had_not_been_halted(kit: Kit, sets: Sets) -> None:
    batch = kit.stage.random_batch(*sets)
    ended = whole(batch, 4)
    for decisions in kit.halts:
        halted = standing(batch, 4, decisions)
        assert play_on(halted)
        assert told(halted) == told(ended)
        assert records_of(halted) == records_of(ended)


@every_case("sets", lambda kit: kit.variants)
def test_a_copy_and_the_original_are_played_on_alike(kit: Kit, sets: Sets) -> None:
    batch = kit.stage.random_batch(*sets)
    ended = whole(batch, 5)
    for decisions in kit.halts:
        halted = standing(batch, 5, decisions)
        copied = twin(halted)
        before = records_of(copied)
        assert play_on(halted)
        assert records_of(copied) == before, "a copy shares no memory with the original"
        assert play_on(copied)
        assert records_of(copied) == records_of(halted) == records_of(ended)


@every_game
def test_a_game_can_be_played_decision_by_decision(kit: Kit) -> None:
    """What happens between two decisions happens once, whether or not the game stood still there."""
    batch = kit.stage.random_batch(*kit.stepped)
    ended = whole(batch, 6)
    stepped = standing(batch, 6)
    steps = 1
    while not play_on(stepped, 1):
        steps += 1
    assert steps == decisions_of(ended) == kit.steps(told(ended))
    assert told(stepped) == told(ended)
    assert records_of(stepped) == records_of(ended)


@every_game
def test_a_game_can_be_played_on_with_another_chance(kit: Kit) -> None:
    """Look-ahead: from a copy with streams of its own what comes differs, what has happened does not."""
    halted = standing(kit.stage.random_batch(), 7, decisions=40)
    futures = []
    for number in range(4):
        future = twin(halted)
        future.state.hidden.streams.word[0] += 2 * number
        play_on(future)
        futures.append(told(future))
    past = told(halted)
    assert all(events[: len(past)] == past for events in futures)
    assert len({str(events) for events in futures}) == 4
