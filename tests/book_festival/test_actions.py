"""The five actions of a turn and their limits."""

import pytest

from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import REST, Script, acts, buy, draw, place, retrieve, tell
from tests.games.stage import Event, in_round, of

HAND = "4 comedy 2 business 1 sports"
POPS = ("recommended", "trial", "related", "booklet", "limited")
COSTS = {"recommended": 1, "trial": 1, "related": 2, "booklet": 3, "limited": 4}


def booth_after(
    script: Script, *sets: str, booth: tuple[str, ...] = ("", "", ""), hand: str = HAND
) -> tuple[list, dict]:
    """Seat 0's booth and hand after its turn, in which no customer comes."""
    end = play_scene(Scene({0: booth}, {0: hand}), [f"actions_per_turn={max(1, len(script.acts))}", *sets], script)[
        -1
    ]
    return end["booths"][0], end["hands"][0]


# --- A turn ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", [1, 3, 4])
def test_a_turn_has_always_actions_per_turn_actions_clockwise_from_the_start_player(actions: int) -> None:
    events = tell(["players=3", f"actions_per_turn={actions}", "max_rounds=2"])
    for number in (1, 2):
        passes = [event["seat"] for event in of(in_round(events, number), "pass")]
        assert passes == [seat for seat in range(3) for _ in range(actions)]


def test_pass_costs_an_action() -> None:
    events = play_scene(Scene({}, {0: HAND}), ["actions_per_turn=3"], acts(REST, draw(), REST))
    assert [event["event"] for event in events if event.get("seat") == 0][:3] == ["pass", "draw", "pass"]


def test_draw_takes_one_card() -> None:
    scene = Scene({}, {0: "1 sports"}, deck=["comedy", "mystery"])
    events = play_scene(scene, [], acts(draw()))
    assert of(events, "draw") == [{"event": "draw", "seat": 0, "genre": "comedy", "why": "action"}]
    assert events[-1]["hands"][0] == {"comedy": 1, "sports": 1}


# --- Place -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 4])
def test_place_one_or_more_cards_of_one_genre_onto_an_empty_slot(count: int) -> None:
    booth, hand = booth_after(acts(place("comedy", count, 1)))
    assert booth == [[None, 0, None], ["comedy", count, None], [None, 0, None]]
    assert hand.get("comedy", 0) == 4 - count


def test_place_onto_a_slot_that_already_holds_that_genre() -> None:
    booth, hand = booth_after(acts(place("comedy", 1, 2), place("business", 2, 0), place("comedy", 3, 2)))
    assert booth == [["business", 2, None], [None, 0, None], ["comedy", 4, None]]
    assert hand == {"sports": 1}


def test_several_slots_may_hold_the_same_genre() -> None:
    booth, _ = booth_after(acts(place("comedy", 1, 0), place("comedy", 1, 1)))
    assert booth[:2] == [["comedy", 1, None]] * 2


def test_slot_capacity_holds_for_the_books_on_the_slot() -> None:
    booth, _ = booth_after(acts(place("comedy", 3, 0), place("comedy", 1, 0)), "slot_capacity=4")
    assert booth[0] == ["comedy", 4, None]
    booth, _ = booth_after(acts(place("comedy", 4, 0)), "slot_capacity=0", booth=("30 comedy", "", ""))
    assert booth[0] == ["comedy", 34, None]


def test_books_are_placed_on_end_shelves_too() -> None:
    booth, _ = booth_after(acts(place("sports", 1, 4)), booth=("", "", "", "", ""))
    assert booth[4] == ["sports", 1, None]


# --- Buy ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pop", POPS)
def test_a_pop_costs_its_cards_of_any_genre_and_goes_on_a_slot_that_has_none(pop: str) -> None:
    pay = ("business", "comedy", "sports", "comedy")[: COSTS[pop]]
    scene = Scene({0: ["", "1 mystery", ""]}, {0: HAND}, discards="1 picture")
    events = play_scene(scene, [], acts(buy(pop, 1, *pay)))
    paid = {genre: pay.count(genre) for genre in ("comedy", "business", "sports") if genre in pay}
    assert of(events, "buy") == [{"event": "buy", "seat": 0, "item": pop, "slot": 1, "discards": paid}]
    assert events[-1]["booths"][0] == [[None, 0, None], ["mystery", 1, pop], [None, 0, None]]
    assert events[-1]["discards"] == paid | {"picture": 1}
    assert sum(events[-1]["hands"][0].values()) == 7 - COSTS[pop]


@pytest.mark.parametrize("pop", POPS)
def test_a_pop_may_go_on_an_empty_slot_and_cost_what_the_rules_say(pop: str) -> None:
    booth, hand = booth_after(acts(buy(pop, 2)), f"pop_cost_{pop}=0")
    assert booth[2] == [None, 0, pop]
    assert sum(hand.values()) == 7


def test_a_pop_stays_when_its_books_leave() -> None:
    booth, _ = booth_after(acts(retrieve(2, 0), place("sports", 1, 0)), booth=("2 comedy limited", "", ""))
    assert booth[0] == ["sports", 1, "limited"]
    end = play_scene(Scene({0: ["", "2 comedy booklet", ""]}), ["die_gorilla=[1,1,1,1,1,1]"])[-1]
    assert end["booths"][0][1] == [None, 0, "booklet"]


def test_pop_copies_are_shared_by_all_seats() -> None:
    sets = ["pop_copies=2", "pop_cost_trial=0", "pop_cost_limited=0"]
    events = play_scene(Scene(), sets, acts(buy("trial", 0)), acts(buy("trial", 0)), acts(buy("limited", 0)))
    assert [event["item"] for event in of(events, "buy")] == ["trial", "trial", "limited"]


@pytest.mark.parametrize(("slots", "cost"), [(1, 2), (2, 1), (3, 4)])
def test_an_end_shelf_adds_its_slots_at_the_right_hand_end(slots: int, cost: int) -> None:
    sets = [f"end_shelf_slots={slots}", f"end_shelf_cost={cost}", "actions_per_turn=2"]
    pay = ("comedy", "comedy", "comedy", "business")[:cost]
    scene = Scene({0: ["", "", "1 mystery limited"]}, {0: HAND})
    events = play_scene(scene, sets, acts(buy("end_shelf", 0, *pay), place("sports", 1, 2 + slots)))
    assert of(events, "buy")[0]["slot"] is None
    assert sum(of(events, "buy")[0]["discards"].values()) == cost
    booth = events[-1]["booths"][0]
    assert len(booth) == 3 + slots
    assert booth[2] == ["mystery", 1, "limited"]
    assert booth[2 + slots] == ["sports", 1, None]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_seat_may_buy_end_shelves_max_end_shelves_whatever_the_others_have(most: int) -> None:
    sets = [f"end_shelves_max={most}", "end_shelf_cost=0", f"actions_per_turn={most}", "end_shelf_slots=2"]
    script = acts(*[buy("end_shelf")] * most)
    end = play_scene(Scene(), sets, script, script)[-1]
    assert [len(booth) for booth in end["booths"]] == [3 + 2 * most, 3 + 2 * most, 3]


# --- Retrieve ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "left"), [(1, ["comedy", 2, "trial"]), (3, [None, 0, "trial"])])
def test_retrieve_takes_any_number_of_books_from_one_slot_back_to_hand(count: int, left: list) -> None:
    booth, hand = booth_after(acts(retrieve(count, 1)), booth=("1 comedy", "3 comedy trial", ""), hand="1 comedy")
    assert booth == [["comedy", 1, None], left, [None, 0, None]]
    assert hand == {"comedy": 1 + count}


def test_a_slot_whose_books_were_retrieved_takes_another_genre() -> None:
    booth, hand = booth_after(acts(retrieve(1, 0), place("business", 2, 0)), booth=("1 comedy", "", ""))
    assert booth[0] == ["business", 2, None]
    assert hand == {"comedy": 5, "sports": 1}


def test_retrieving_up_to_hand_limit_is_legal() -> None:
    _, hand = booth_after(acts(retrieve(3, 0)), "hand_limit=10", booth=("5 mystery", "", ""))
    assert sum(hand.values()) == 10


def events_told(events: list[Event]) -> list[str]:
    return [event["event"] for event in events]


def test_a_round_is_the_turns_then_the_roll_then_the_moves() -> None:
    events = in_round(tell(["players=3", "actions_per_turn=1", "max_rounds=2"]), 1)
    assert events_told(events) == ["round", *["pass"] * 3, "roll", *["move"] * 3]
