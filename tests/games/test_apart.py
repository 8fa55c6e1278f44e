"""A game knows nothing of another: neither of the one before it in the same call, nor of those beside it."""

import dataclasses

import numpy as np
import pytest

from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.policy import Policy
from sim.run import play
from sim.task import new_call, play_task
from tests.games.every import every_case, every_game
from tests.games.kit import Kit, Sets
from tests.games.stage import SEED
from tests.games.standing import standing, told, whole


@every_case("sets", lambda kit: kit.variants)
@pytest.mark.parametrize("games_before", [1, 2, 7])
def test_no_player_sees_anything_of_the_game_before(kit: Kit, sets: Sets, games_before: int) -> None:
    """The table and all own records at the first decision, and at later ones, are those of a first game."""
    batch = kit.stage.random_batch(*sets)
    for decisions in (0, 1, 5, 30):
        fresh, later = standing(batch, 9, decisions), standing(batch, 9, decisions, games_before)
        assert later.state.table.tobytes() == fresh.state.table.tobytes()
        assert later.state.owns.tobytes() == fresh.state.owns.tobytes()
        assert told(later) == told(fresh)


@every_game
def test_a_policys_memory_is_empty_at_the_start_of_every_game(kit: Kit) -> None:
    """The scripted policies count their answers there."""
    seats = kit.counting.rules.values["players"]
    assert whole(kit.counting, 0).state.owns.memory[0, :seats, 0].tolist() == [kit.counted] * seats
    assert not standing(kit.counting, 1, games_before=1).state.owns.memory.any()


def wary(kit: Kit) -> Policy:
    """The meddler's play, raising an error where an earlier answer is still to be read in `choice`."""
    source = kit.meddling.plays
    choice = load_game(kit.game).records["choice"]
    for decision, ready in kit.meddling.ready.items():
        head = f"def {decision}(rules, table, own, rng, choice):\n"
        assert head in source
        looks = [
            f"    if {f'choice.{field}.any()' if choice[field].shape else f'choice.{field} != 0'}:\n"
            f"        raise ValueError('{field} is left over')\n"
            for field in choice.names
            if field not in ready
        ]
        source = source.replace(head, head + "".join(looks))
    return Policy(
        "wary", "wary", "wary.py", f"{source}\ndef _meddle(number, rules, table, own, rng, choice):\n    pass\n"
    )


@every_game
def test_nobody_sees_what_another_answered(kit: Kit) -> None:
    """Bids are secret until they are revealed: `choice` is blank whenever somebody is asked."""
    rules = kit.stage.rules_of(*kit.meddling.sets)
    pool = (wary(kit),) * rules.values["players"]
    assert play(Batch(kit.game, rules, LineUp(pool, "fixed"), SEED), 50, threads=1).games == 50


@every_case("sets", lambda kit: kit.variants)
def test_a_block_counts_the_same_alone_and_after_others(kit: Kit, sets: Sets) -> None:
    batch = dataclasses.replace(kit.stage.random_batch(*sets), block_games=5)
    plan = batch.layout()
    together = play_task(new_call(batch), plan, 0, 4).sums
    for block in range(4):
        alone = play_task(new_call(batch), plan, block, 1).sums
        assert np.array_equal(alone[0], together[block])


@every_game
def test_games_differ_by_number_and_by_seed(kit: Kit) -> None:
    numbers = [(seed, index) for seed in (1, 2) for index in (0, 1)]
    setups = [told(standing(kit.stage.random_batch(seed=seed), index))[0] for seed, index in numbers]
    assert len({str(setup[kit.dealt]) for setup in setups}) == 4
