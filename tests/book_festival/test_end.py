"""End of the round and of the game, and who begins a round."""

import pytest

from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import dice, tell, tell_random
from tests.games.stage import Event, in_round, of

ROUNDS = "max_rounds=4"


def rounds_of(events: list[Event]) -> list[int]:
    return [event["round"] for event in of(events, "round")]


def test_the_game_ends_at_the_end_of_the_round_in_which_a_supply_is_empty() -> None:
    """The animals after the sale that emptied it still move and buy."""
    scene = Scene({1: ["1 comedy", "", ""], 2: ["", "3 business", ""]}, at={0: (0, 2), 1: (2, 0)}, supply={1: 1})
    events = play_scene(scene, [*dice(gorilla=1, elephant=1), ROUNDS])
    assert [sale["buyer"] for sale in of(events, "sale")] == [0, 1, 1, 1]
    assert rounds_of(events) == []
    end = events[-1]
    assert (end["rounds"], end["stalled"], end["supply"]) == (1, False, [15, 0, 12])


def test_one_star_left_goes_on() -> None:
    scene = Scene({1: ["1 comedy", "", ""]}, at={0: (0, 2)}, supply={1: 2})
    assert rounds_of(play_scene(scene, [*dice(gorilla=1), ROUNDS])) == [2, 3, 4]


@pytest.mark.parametrize("reason", ["limited", "bonus"])
def test_a_supply_may_run_out_by_an_extra_star(reason: str) -> None:
    booth = ["1 comedy limited" if reason == "limited" else "1 comedy", "", ""]
    piles = {"comedy": "4 comedy"} if reason == "bonus" else {}
    scene = Scene({1: booth}, at={0: (0, 2)}, supply={1: 2}, piles=piles)
    end = play_scene(scene, [*dice(gorilla=1), ROUNDS])[-1]
    assert (end["rounds"], end["stalled"], end["supply"][1]) == (1, False, 0)


@pytest.mark.parametrize("rounds", [1, 2, 60])
def test_max_rounds_ends_a_game_with_no_empty_supply_which_counts_as_stalled(rounds: int) -> None:
    events = tell([f"max_rounds={rounds}", "actions_per_turn=1"])
    assert rounds_of(events) == list(range(1, rounds + 1))
    assert (events[-1]["rounds"], events[-1]["stalled"]) == (rounds, True)


def test_a_supply_that_is_empty_in_the_last_round_is_no_stall() -> None:
    scene = Scene({1: ["1 comedy", "", ""]}, at={0: (0, 2)}, supply={1: 1})
    assert play_scene(scene, [*dice(gorilla=1), "max_rounds=1"])[-1]["stalled"] is False


def test_a_stalled_games_lottery_is_drawn_all_the_same() -> None:
    scene = Scene(stars={0: 3, 1: 2, 2: 1}, supply={0: 12, 1: 13, 2: 14})
    events = play_scene(scene)
    assert events[-1]["stalled"] is True
    assert len(of(events, "mvp")[0]["drawn"]) >= 5


@pytest.mark.parametrize(("switch", "starts"), [("fixed", [0, 0, 0, 0, 0]), ("rotates", [0, 1, 2, 0, 1])])
def test_the_start_player_stays_or_rotates_one_seat_up_each_round(switch: str, starts: list[int]) -> None:
    """Both turns and moves are in start-player order."""
    events = tell(["players=3", "max_rounds=5", "actions_per_turn=1", f"start_player={switch}"])
    for number, first in enumerate(starts, start=1):
        order = [(first + seat) % 3 for seat in range(3)]
        assert [event["seat"] for event in of(in_round(events, number), "pass")] == order
        assert [event["seat"] for event in of(in_round(events, number), "move")] == order


def test_the_end_tells_everything_as_it_lies() -> None:
    scene = Scene(
        {0: ["2 comedy trial", "", "limited"], 1: ["", "1 mystery", "", "3 sports"]},
        {0: "1 comedy 2 picture", 1: "", 2: "4 mystery"},
        piles={"sports": "1 sports 2 comedy"}, discards="5 cooking", stars={2: 4}, supply={2: 11},
    )  # fmt: skip
    end = play_scene(scene)[-1]
    empty = [None, 0, None]
    assert end["booths"] == [
        [["comedy", 2, "trial"], empty, [None, 0, "limited"]],
        [empty, ["mystery", 1, None], empty, ["sports", 3, None]],
        [empty] * 3,
    ]
    assert end["hands"] == [{"comedy": 1, "picture": 2}, {}, {"mystery": 4}]
    assert end["piles"]["sports"] == {"comedy": 2, "sports": 1}
    assert end["discards"] == {"cooking": 5}
    assert (end["stars"], end["supply"]) == ([0, 0, 4], [15, 15, 11])


def test_random_games_end_with_an_empty_supply_or_at_max_rounds() -> None:
    stalled = set()
    for index in range(20):
        end = tell_random("max_rounds=21", index=index)[-1]
        assert end["stalled"] == (0 not in end["supply"])
        assert not end["stalled"] or end["rounds"] == 21
        stalled.add(end["stalled"])
    assert stalled == {False, True}
