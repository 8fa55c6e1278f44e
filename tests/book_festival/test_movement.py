"""2. Sales phase: the dice, and the animals' way along the slots of all booths."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import dice, rules_of, seated, tell, tell_random
from tests.games.chance import is_near
from tests.games.stage import Event, of

NO_EMPTY = "empty_slots_count=false"
CHAMELEON = ["extension=true", seated("chameleon", "elephant", "cheetah")]

Booths = Mapping[int, Sequence[str]]


def stop_of(events: Sequence[Event], seat: int = 0) -> tuple[int, int]:
    """Where a seat's animal stops."""
    (move,) = of(events, "move", seat=seat)
    return move["owner"], move["slot"]


def walk(roll: int, at: tuple[int, int] = (0, 0), booths: Booths | None = None, *sets: str) -> tuple[int, int]:
    """Where seat 0's gorilla stops."""
    return stop_of(play_scene(Scene(booths or {}, at={0: at}), [*dice(gorilla=roll), *sets]))


def chameleon_walk(roll: int, booths: Booths, *sets: str) -> tuple[int, int]:
    """Where seat 0's chameleon stops, which starts before slot 1."""
    return stop_of(play_scene(Scene(booths), [*CHAMELEON, *dice(chameleon=roll), *sets]))


# --- Dice --------------------------------------------------------------------------------------------


def test_all_dice_are_rolled_at_once_and_then_in_start_player_order_each_animal_moves() -> None:
    events = tell(["players=4", "max_rounds=1", "actions_per_turn=1"])
    assert [event["event"] for event in events[-7:-2]] == ["roll", *["move"] * 4]
    assert [event["seat"] for event in of(events, "move")] == [0, 1, 2, 3]


def test_each_animal_has_its_own_die_faces_each_as_likely_as_the_others() -> None:
    values = rules_of().values
    rolled: dict[str, Counter[int]] = {}
    for index in range(30):
        events = tell(["players=6", "extension=true", "actions_per_turn=1"], index=index)
        for seat, animal in enumerate(of(events, "setup")[0]["animals"]):
            rolled.setdefault(animal, Counter()).update(event["dice"][seat] for event in of(events, "roll"))
    assert len(rolled) == 8
    for animal, found in rolled.items():
        faces = Counter(values[f"die_{animal}"])
        assert found.keys() == faces.keys()
        assert all(is_near(found[face], faces[face] / 6, found.total()) for face in faces)


def test_dice_do_not_depend_on_what_the_players_do() -> None:
    for index in range(5):
        idle = [event["dice"] for event in of(tell([], index=index), "roll")]
        busy = [event["dice"] for event in of(tell_random(index=index), "roll")]
        assert busy == idle[: len(busy)]


# --- The ring ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "roll", "stop"),
    [
        ((0, 0), 1, (0, 1)),
        ((0, 0), 2, (0, 2)),
        ((0, 0), 3, (1, 0)),
        ((0, 1), 6, (2, 1)),
        ((2, 1), 1, (2, 2)),
        ((2, 2), 1, (0, 0)),
        ((2, 1), 4, (0, 2)),
        ((1, 0), 9, (1, 0)),
        ((1, 0), 12, (2, 0)),
    ],
)
def test_an_animal_moves_along_a_booth_left_to_right_then_to_the_next_booth(
    at: tuple[int, int], roll: int, stop: tuple[int, int]
) -> None:
    assert walk(roll, at) == stop


def test_every_slot_is_a_space_empty_ones_and_end_shelves_too() -> None:
    wide = {0: [""] * 5, 1: ["", "", "", "1 mystery"]}
    assert [walk(roll, (0, 2), wide) for roll in (1, 2, 3, 6, 7)] == [(0, 3), (0, 4), (1, 0), (1, 3), (2, 0)]
    assert walk(2, (0, 0), None, "main_shelf_slots=2") == (1, 0)


def test_with_six_seats_the_ring_goes_round_all_booths() -> None:
    sets = ["players=6", 'animals="random"', *[f"die_{animal}=[12,12,12,12,12,12]" for animal in (
        "gorilla", "elephant", "cheetah", "panda", "owl", "penguin",
    )]]  # fmt: skip
    assert [stop_of(play_scene(Scene(), sets), seat) for seat in range(6)] == [
        (4, 0), (5, 0), (0, 0), (1, 0), (2, 0), (3, 0),
    ]  # fmt: skip


def test_an_animal_goes_on_in_the_next_round_from_where_it_stands() -> None:
    events = play_scene(Scene(), [*dice(gorilla=2, elephant=4), "max_rounds=3"])
    for seat, stops in ((0, [(0, 2), (1, 1), (2, 0)]), (1, [(2, 1), (0, 2), (2, 0)])):
        assert [(move["owner"], move["slot"]) for move in of(events, "move", seat=seat)] == stops


# --- empty_slots_count -------------------------------------------------------------------------------


def test_with_empty_slots_count_off_slots_without_books_are_no_spaces() -> None:
    booths = {0: ["", "", "1 cooking"], 1: ["1 cooking", "limited", "2 mystery"], 2: ["trial", "", ""]}
    stops = [walk(roll, (0, 0), booths, NO_EMPTY) for roll in range(1, 6)]
    assert stops == [(0, 2), (1, 0), (1, 2), (0, 2), (1, 0)]


def test_slots_that_an_earlier_animal_has_emptied_are_no_spaces_for_a_later_one() -> None:
    sets = [*dice(gorilla=1, elephant=1), NO_EMPTY]
    scene = Scene({0: ["", "2 comedy", "1 cooking"]}, at={1: (0, 0)})
    events = play_scene(scene, sets)
    assert (stop_of(events, 0), stop_of(events, 1)) == ((0, 1), (0, 2))


def test_the_own_slot_is_the_last_space_of_a_lap() -> None:
    booths = {1: ["", "3 cooking", ""]}
    events = play_scene(Scene(booths, at={0: (1, 1)}), [*dice(gorilla=4), NO_EMPTY])
    assert stop_of(events) == (1, 1)
    assert len(of(events, "sale")) == 1


def test_an_animal_that_finds_no_space_in_a_whole_lap_stays() -> None:
    events = play_scene(Scene(at={0: (2, 1)}), [*dice(gorilla=3), NO_EMPTY])
    assert stop_of(events) == (2, 1)


# --- Chameleon ---------------------------------------------------------------------------------------

FULL = {0: ["", "4 comedy", "3 comedy"], 1: ["9 mystery", "", ""]}


def test_slots_with_4_or_more_books_do_not_count_as_spaces_for_the_chameleon() -> None:
    assert [chameleon_walk(roll, FULL) for roll in (1, 2, 3)] == [(0, 2), (1, 1), (1, 2)]


def test_chameleon_limit_says_how_many_books_are_too_many() -> None:
    assert [chameleon_walk(1, FULL, f"chameleon_limit={limit}") for limit in (3, 4, 5)] == [(1, 1), (0, 2), (0, 1)]


def test_for_another_animal_they_are_spaces() -> None:
    assert [walk(roll, (0, 0), FULL) for roll in (1, 2, 3)] == [(0, 1), (0, 2), (1, 0)]


def test_with_chameleon_skip_no_sale_they_are_spaces_without_a_sale() -> None:
    sets = [*CHAMELEON, *dice(chameleon=1), "chameleon_skip=no_sale"]
    events = play_scene(Scene(FULL), sets)
    assert stop_of(events) == (0, 1)
    assert of(events, "sale") == []
    assert chameleon_walk(3, FULL, "chameleon_skip=no_sale") == (1, 0)


def test_a_chameleon_without_a_space_stays_stops_nowhere_and_buys_nothing() -> None:
    """Though it stands on books that it would buy if it came: they are more than the limit."""
    events = play_scene(Scene({0: ["5 comedy", "", ""]}), [*CHAMELEON, *dice(chameleon=2), NO_EMPTY])
    assert stop_of(events) == (0, 0)
    assert of(events, "sale") == []
    full = {seat: ["4 comedy"] * 3 for seat in range(3)}
    assert chameleon_walk(5, full) == (0, 0)


# --- A roll of 0 -------------------------------------------------------------------------------------


def test_a_roll_of_0_stays_and_buys_nothing() -> None:
    events = play_scene(Scene({0: ["3 comedy", "", ""]}))
    assert [stop_of(events, seat) for seat in range(3)] == [(0, 0), (1, 0), (2, 0)]
    assert of(events, "sale") == []
