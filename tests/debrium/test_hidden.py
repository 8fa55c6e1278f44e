"""Who sees what in Debrium: a policy is handed what its player may see."""

import pytest

from sim.debrium.state import UNSEEN
from sim.task import Call
from tests.debrium.script import Turn, batch_of, random_batch, rules_of
from tests.games.standing import play_on, standing, told, twin, whole

VALUES = {level: rules_of().values[f"values_level_{level}"] for level in (1, 2, 3, 4)}


def seen(call: Call) -> tuple[bytes, bytes]:
    """What the player whose decision comes next is handed: the table and the own record."""
    table = call.state.table[0]
    return table.tobytes(), call.state.owns[0, table.order[table.place]].tobytes()


def scramble(call: Call) -> None:
    """Change all that the next player may not see: values, levels beneath the top, the pile, the others' own."""
    hidden, table = call.state.hidden[0], call.state.table[0]
    hidden.stack_value += 1
    hidden.pile += 1
    hidden.stack_level[:, 0] = 5 - hidden.stack_level[:, 0]
    for seat in range(4):
        if seat != table.order[table.place]:
            call.state.owns.chip_values[0, seat] += 1
            call.state.owns.chip_points[0, seat] += 1
            call.state.owns.memory[0, seat] += 1.0


@pytest.mark.parametrize("sets", [(), ("expansion=true", "starting_skill_coins=2")])
def test_nobody_sees_values_in_stacks_and_pile_levels_beneath_the_top_or_anothers_own(sets: tuple[str, ...]) -> None:
    """What the rest of a round shows, until chips are lifted, does not depend on them."""
    for decisions in range(8):
        plain = standing(random_batch(*sets), 1, decisions)
        changed = twin(plain)
        scramble(changed)
        assert changed.state.tobytes() != plain.state.tobytes()
        assert seen(changed) == seen(plain)
        for _ in range(decisions, 7):
            assert not play_on(plain, 1)
            assert not play_on(changed, 1)
            assert plain.state.table.tobytes() == changed.state.table.tobytes()


def other_values(*levels: int) -> list[str]:
    """The same rules but that the chips of these levels, dealt alike, have other values."""
    return [f"values_level_{level}={[value + 50 for value in VALUES[level]]}" for level in levels]


def test_the_table_never_shows_a_value() -> None:
    """At no decision of a whole game does it depend on the values of the chips."""
    plain, changed = standing(random_batch(), 2), standing(random_batch(*other_values(1, 2, 3, 4)), 2)
    collected = 0
    for _ in range(79):
        assert plain.state.table.tobytes() == changed.state.table.tobytes()
        collected = int(plain.state.table.seats.chip_count.sum())
        assert not play_on(plain, 1)
        assert not play_on(changed, 1)
    assert collected > 8
    assert plain.state.owns.tobytes() != changed.state.owns.tobytes()


def test_a_player_sees_the_values_of_the_own_chips_in_the_order_of_collecting() -> None:
    call = whole(random_batch("expansion=true"), 3)
    for seat in range(4):
        values = [event["value"] for event in told(call) if event["event"] == "collect" and event["seat"] == seat]
        own = call.state.owns[0, seat]
        assert own.chip_values[: len(values)].tolist() == values
        assert not own.chip_values[len(values) :].any()
        assert own.chip_points == sum(values)
        assert call.state.table.seats.chip_count[0, seat] == len(values)


def test_bids_are_secret_until_all_are_in() -> None:
    """Nothing that a later bidder sees depends on an earlier bid; the first to act sees them all."""
    sets = ["expansion=true", "starting_skill_coins=3"]
    low, high = (batch_of(sets, [{1: Turn(coins, skill_coins, ())}]) for coins, skill_coins in ((0, 0), (9, 3)))
    for decisions in (1, 2, 3):
        assert seen(standing(low, 0, decisions)) == seen(standing(high, 0, decisions))
        assert set(standing(high, 0, decisions).state.table.seats.bid[0]) == {UNSEEN}
    table = standing(high, 0, 4).state.table
    assert table.seats.bid[0].tolist() == [9, 0, 0, 0]
    assert table.seats.skill_bid[0].tolist() == [3, 0, 0, 0]


@pytest.mark.parametrize("is_public", [True, False])
def test_everyone_sees_coins_and_skill_coins_unless_coins_public_is_off(is_public: bool) -> None:
    batch = random_batch("expansion=true", "starting_skill_coins=3", f"coins_public={str(is_public).lower()}")
    for decisions in range(80):
        state = standing(batch, 0, decisions).state
        for name in ("coins", "skill_coins"):
            shown, held = state.table.seats[name][0].tolist(), state.owns[name][0].tolist()
            assert shown == (held if is_public else [UNSEEN] * 4)
