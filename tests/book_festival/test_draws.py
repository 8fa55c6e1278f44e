"""The cards at the start of a turn, the deck and its refill, and the limit of a hand."""

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import acts, draw, rules_of, tell_random
from tests.games.stage import Event, of

FULL = ["1 comedy", "2 business", "1 sports"]
DECK = ["comedy", "business", "sports", "cooking", "mystery", "picture"] * 3


def draws(
    booth: Sequence[str], *sets: str, hand: str = "", deck: Sequence[str] = DECK, discards: str = ""
) -> list[Event]:
    """What seat 1 draws at the start of its turn with this booth; it acts after seat 0, which passes."""
    scene = Scene({1: booth}, {1: hand}, deck=deck, discards=discards)
    return of(play_scene(scene, sets), "draw", seat=1)


def whys(booth: Sequence[str], *sets: str) -> list[str]:
    return [event["why"] for event in draws(booth, *sets)]


# --- Start of a turn ---------------------------------------------------------------------------------


def test_1_card_if_all_main_shelf_slots_hold_books() -> None:
    assert whys(FULL) == ["bonus"]
    for empty in range(3):
        assert whys([*FULL[:empty], "", *FULL[empty + 1 :]]) == []
    assert whys(FULL[:2], "main_shelf_slots=2") == ["bonus"]


def test_1_for_each_end_shelf_all_of_whose_slots_hold_books() -> None:
    assert whys([*FULL, "1 comedy"]) == ["bonus"] * 2
    assert whys([*FULL, "1 comedy", "1 comedy"]) == ["bonus"] * 3
    assert whys([*FULL, "", "1 comedy"]) == ["bonus"] * 2
    assert whys([*FULL, "", ""]) == ["bonus"]
    two = "end_shelf_slots=2"
    assert whys([*FULL, "1 comedy", "1 comedy"], two) == ["bonus"] * 2
    assert whys([*FULL, "1 comedy", ""], two) == ["bonus"]
    assert whys([*FULL, "", "1 comedy", "1 comedy", ""], two) == ["bonus"]


def test_only_if_the_main_shelf_is_full_too_unless_end_bonus_needs_main_is_off() -> None:
    booth = ["1 comedy", "", "1 sports", "1 comedy", "1 mystery"]
    assert whys(booth) == []
    assert whys(booth, "end_bonus_needs_main=false") == ["bonus"] * 2
    assert whys([*FULL, "1 comedy"], "end_bonus_needs_main=false") == ["bonus"] * 2


def test_1_for_each_with_booklet_in_the_booth_after_the_bonus_cards() -> None:
    assert whys(["booklet", "", "booklet", "booklet"]) == ["booklet"] * 3
    assert whys(["1 comedy booklet", *FULL[1:], "1 sports"]) == ["bonus", "bonus", "booklet"]


def test_nothing_is_drawn_for_another_pop_or_at_anothers_turn() -> None:
    scene = Scene({1: ["recommended", "trial", "related"], 2: [*FULL, "limited"]})
    assert [(event["seat"], event["why"]) for event in of(play_scene(scene), "draw")] == [(2, "bonus")]


def test_bonus_cards_come_before_the_actions_and_once_a_turn() -> None:
    scene = Scene({1: FULL}, {1: ""}, deck=DECK)
    events = [
        event for event in play_scene(scene, ["actions_per_turn=3"], acts(), acts(draw())) if event.get("seat") == 1
    ]
    assert [event["event"] for event in events[:4]] == ["draw", "draw", "pass", "pass"]
    assert [event["why"] for event in events[:2]] == ["bonus", "action"]


def test_the_shelves_are_looked_at_in_every_round() -> None:
    scene = Scene({1: ["9 comedy", "booklet", ""]}, dict.fromkeys(range(3), ""), deck=DECK)
    events = play_scene(scene, ["max_rounds=4"])
    assert [event["why"] for event in of(events, "draw")] == ["booklet"] * 4


# --- The deck ----------------------------------------------------------------------------------------


def test_the_decks_next_card_is_drawn_and_goes_to_the_hand() -> None:
    scene = Scene({}, {0: "1 picture"}, deck=["mystery", "cooking", "comedy"])
    events = play_scene(scene, ["actions_per_turn=2"], acts(draw(), draw()))
    assert [event["genre"] for event in of(events, "draw")] == ["mystery", "cooking"]
    assert events[-1]["hands"][0] == {"picture": 1, "mystery": 1, "cooking": 1}


def test_an_empty_deck_is_refilled_by_shuffling_the_discards() -> None:
    scene = Scene({}, {0: ""}, deck=["sports"], discards="2 comedy 1 picture")
    events = play_scene(scene, ["actions_per_turn=3"], acts(draw(), draw(), draw()))
    shuffle = of(events, "shuffle")[0]
    assert Counter(shuffle["deck"]) == Counter(comedy=2, picture=1)
    names = [event["event"] for event in events if event["event"] in ("draw", "shuffle")]
    assert names == ["draw", "shuffle", "draw", "draw"]
    assert [event["genre"] for event in of(events, "draw")] == ["sports", *shuffle["deck"][:2]]
    assert events[-1]["discards"] == {}


def test_the_refill_is_shuffled() -> None:
    scene = Scene({}, {0: ""}, deck=[], discards="1 comedy 1 picture")
    first = [of(play_scene(scene, [], acts(draw()), index=index), "draw")[0]["genre"] for index in range(40)]
    assert 8 < Counter(first)["comedy"] < 32


def test_when_both_are_empty_nothing_is_drawn() -> None:
    scene = Scene({}, {0: "2 comedy"}, deck=[], discards="")
    events = play_scene(scene, [], acts(draw()))
    assert of(events, "shuffle") == []
    assert of(events, "draw") == [{"event": "draw", "seat": 0, "genre": None, "why": "action"}]
    assert events[-1]["hands"][0] == {"comedy": 2}
    assert [event["genre"] for event in draws([*FULL, "booklet"], deck=["mystery"])] == ["mystery", None]


def test_the_deck_is_refilled_only_when_a_card_is_wanted() -> None:
    """Not when the last card has gone, and not for a card that lapses."""
    scene = Scene({}, {0: ""}, deck=["sports"], discards="2 comedy")
    assert of(play_scene(scene, [], acts(draw())), "shuffle") == []
    lapsing = Scene({1: FULL}, {1: "5 comedy"}, deck=[], discards="2 comedy")
    events = play_scene(lapsing, ["hand_limit=5"])
    assert of(events, "shuffle") == of(events, "draw") == []
    assert events[-1]["discards"] == {"comedy": 2}


# --- The limit of a hand -----------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "drawn"), [("5 comedy", 0), ("4 comedy", 1), ("2 comedy 1 sports", 2), ("", 3)])
def test_a_bonus_or_booklet_draw_with_a_full_hand_lapses(hand: str, drawn: int) -> None:
    booth = [*FULL, "1 comedy booklet"]
    assert len(draws(booth, "hand_limit=5", hand=hand)) == drawn
    assert len(draws(booth, hand=hand)) == 3


def test_no_hand_is_ever_above_its_limit() -> None:
    sets = ("players=3", "hand_limit=5", "max_rounds=12", "pop_cost_booklet=0")
    assert rules_of(*sets).values["hand_limit"] == 5
    for index in range(10):
        events = tell_random(*sets, index=index)
        assert all(sum(hand.values()) <= 5 for hand in events[-1]["hands"])


def test_a_hand_may_be_drawn_and_retrieved_up_to_its_limit() -> None:
    events = play_scene(Scene({}, {0: "4 comedy"}, deck=DECK), ["hand_limit=5"], acts(draw()))
    assert sum(events[-1]["hands"][0].values()) == 5
