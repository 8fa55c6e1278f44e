"""Trial Read: the owner of a slot that an animal passes may stop it there."""

import pytest

from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import IDLE, LET_PASS, Script, dice, seated, stop
from tests.book_festival.test_movement import stop_of
from tests.games.stage import Event, of

TRIAL = ("", "2 cooking trial", "")
STOPS = Script(stops=(stop("comedy", "sports"),) * 4)
HAND = "2 comedy 2 sports"


def passing(
    script: Script = STOPS, *sets: str, booth: tuple[str, ...] = TRIAL, hand: str = HAND, roll: int = 3
) -> list[Event]:
    """Seat 0's gorilla starts two slots before seat 1's Trial Read and rolls."""
    scene = Scene({1: booth}, {1: hand}, at={0: (0, 2)})
    return play_scene(scene, [*dice(gorilla=roll), *sets], IDLE, script)


def test_the_owner_may_discard_trial_discard_cards_to_stop_the_animal_there() -> None:
    events = passing()
    (trial,) = of(events, "trial")
    assert trial == {"event": "trial", "seat": 1, "animal": 0, "slot": 1, "discards": {"comedy": 1, "sports": 1}}
    assert events[events.index(trial) + 1] == {"event": "move", "seat": 0, "owner": 1, "slot": 1}
    assert events[-1]["hands"][1] == {"comedy": 1, "sports": 1}
    assert events[-1]["discards"] == {"comedy": 1, "sports": 1}


def test_a_stopped_animal_buys_there() -> None:
    assert [sale["cause"] for sale in of(passing(), "sale")] == ["single"]
    favourite = ("", "3 comedy trial", "")
    assert [sale["cause"] for sale in of(passing(booth=favourite), "sale")] == ["favourite"] * 3


def test_what_is_declined_leaves_no_event_and_the_animal_goes_on() -> None:
    events = passing(IDLE)
    assert of(events, "trial") == []
    assert stop_of(events) == (1, 2)
    assert events[-1]["hands"][1] == {"comedy": 2, "sports": 2}


def test_a_slot_is_passed_when_it_is_entered_with_steps_left() -> None:
    """Not on the last step, where the animal stops anyway, and not where it starts."""
    assert [len(of(passing(roll=roll), "trial")) for roll in (1, 2, 3, 4)] == [0, 0, 1, 1]
    scene = Scene({1: TRIAL}, {1: HAND}, at={0: (1, 1)})
    assert of(play_scene(scene, dice(gorilla=4), IDLE, STOPS), "trial") == []


def test_only_a_trial_read_on_a_slot_with_books_asks() -> None:
    assert of(passing(booth=("", "trial", "")), "trial") == []
    assert of(passing(booth=("", "2 cooking related", "")), "trial") == []
    assert of(passing(booth=("2 cooking", "trial", "2 cooking")), "trial") == []


@pytest.mark.parametrize(("discard", "hand", "asked"), [(2, "1 comedy", 0), (2, "1 comedy 1 sports", 1), (0, "", 1)])
def test_the_owner_is_asked_if_they_hold_so_many_cards(discard: int, hand: str, asked: int) -> None:
    script = Script(stops=(stop(*("comedy", "sports")[:discard]),))
    assert len(of(passing(script, f"trial_discard={discard}", hand=hand), "trial")) == asked


def test_each_trial_slot_passed_asks_until_one_stops_the_animal() -> None:
    booth = ("1 cooking trial", "1 mystery trial", "1 picture trial")
    for declined, slot in ((0, 0), (1, 1), (2, 2)):
        script = Script(stops=(*[LET_PASS] * declined, *STOPS.stops[:1]))
        events = passing(script, booth=booth, roll=6)
        assert [trial["slot"] for trial in of(events, "trial")] == [slot]
        assert stop_of(events) == (1, slot)
    assert stop_of(passing(Script(stops=(LET_PASS,) * 3), booth=booth, roll=6)) == (2, 2)


def test_the_owners_of_several_booths_are_asked_in_the_order_of_the_way() -> None:
    scene = Scene({1: TRIAL, 2: TRIAL}, {1: HAND, 2: HAND}, at={0: (0, 2)})
    events = play_scene(scene, dice(gorilla=9), IDLE, Script(stops=(LET_PASS,)), STOPS)
    assert [(trial["seat"], trial["slot"]) for trial in of(events, "trial")] == [(2, 1)]


def test_own_animals_too() -> None:
    scene = Scene({0: TRIAL}, {0: HAND})
    events = play_scene(scene, dice(gorilla=2), STOPS)
    assert [(trial["seat"], trial["animal"]) for trial in of(events, "trial")] == [(0, 0)]
    assert stop_of(events) == (0, 1)


def test_a_slot_passed_twice_asks_twice() -> None:
    script = Script(stops=(LET_PASS, stop("comedy", "comedy")))
    events = passing(script, roll=12)
    assert len(of(events, "trial")) == 1
    assert stop_of(events) == (1, 1)
    assert stop_of(passing(Script(stops=(LET_PASS, LET_PASS)), roll=12)) == (1, 2)


def test_each_animal_that_passes_asks_while_the_cards_last() -> None:
    sets = [seated("gorilla", "elephant", "cheetah"), *dice(gorilla=3, elephant=3, cheetah=3)]
    for hand, stopped in (("2 comedy 2 sports", [0, 1]), ("1 comedy 1 sports 1 mystery", [0])):
        scene = Scene({1: ("", "9 cooking trial", "")}, {1: hand}, at={0: (0, 2), 1: (0, 2), 2: (1, 2)})
        events = play_scene(scene, sets, IDLE, STOPS)
        assert [trial["animal"] for trial in of(events, "trial")] == stopped


def test_an_animal_stopped_before_the_last_book_was_sold_leaves_nothing_to_stop_at() -> None:
    sets = [*dice(gorilla=3, elephant=3)]
    scene = Scene({1: ("", "2 comedy trial", "")}, {1: "4 comedy 4 sports"}, at={0: (0, 2), 1: (0, 2)})
    events = play_scene(scene, sets, IDLE, STOPS)
    assert [trial["animal"] for trial in of(events, "trial")] == [0]
    assert stop_of(events, 1) == (1, 2)


@pytest.mark.parametrize(("skip", "asked"), [("pass_over", 0), ("no_sale", 1)])
def test_slots_that_the_chameleon_skips_are_not_passed(skip: str, asked: int) -> None:
    """As spaces without a sale they are, and it stops there and buys nothing."""
    sets = [
        "extension=true",
        seated("chameleon", "elephant", "cheetah"),
        *dice(chameleon=3),
        f"chameleon_skip={skip}",
    ]
    scene = Scene({1: ("", "4 cooking trial", "", "")}, {1: HAND}, at={0: (0, 2)})
    events = play_scene(scene, sets, IDLE, STOPS)
    assert len(of(events, "trial")) == asked
    assert stop_of(events) == ((1, 1) if asked else (1, 3))
    assert of(events, "sale") == []


def test_with_empty_slots_count_off_slots_on_the_way_ask_alike() -> None:
    booth = ("1 cooking", "2 mystery trial", "1 picture")
    assert stop_of(passing(STOPS, "empty_slots_count=false", booth=booth, roll=3)) == (1, 1)
    assert stop_of(passing(IDLE, "empty_slots_count=false", booth=booth, roll=5)) == (1, 1)
