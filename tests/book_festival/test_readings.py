"""The readings of the rules: what each switch changes, and what is true of every game under it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from sim.book_festival.state import GENRES
from sim.rules import load
from tests.book_festival.referee import Foul, judge
from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import Script, acts, buy, dice, draw, place, random_batch, retrieve, rules_of, stop
from tests.book_festival.script import tell_random as told_random
from tests.book_festival.visit import sold, visit
from tests.games.stage import Event, of
from tests.games.standing import every_decision

ANY, SHELF, LEFT = "slot_genres=any", "retrieve_from=shelf", "end_shelf_side=left"


def gave(found: Sequence[Event]) -> list[tuple[int, int, int]]:
    """Stars of each sale: the book's, Limited Edition's, the genre bonus."""
    return [(sale["star"], sale["limited"], sale["bonus"]) for sale in found]


def test_results_rest_on_the_readings() -> None:
    base, extended = load("book_festival"), load("book_festival", sets=["extension=true"])
    assert {"extra_stars_from", "cleared_piles", "slot_genres"} <= set(base.assumptions())
    assert "camel_at" not in base.assumptions()
    assert {"camel_at", "chameleon_counts"} <= set(extended.assumptions())
    assert "Every animal starts on the first slot of its own booth." in base.readings()
    assert len(extended.readings()) == len(base.readings()) + 1


# --- extra_stars_from --------------------------------------------------------------------------------


def test_extra_stars_from_stock_leave_the_supply_alone() -> None:
    sets = ["extra_stars_from=stock", "limited_extra_stars=2", "genre_bonus_stars=3"]
    events = visit(["2 picture limited", "", ""], 0, sets=sets, piles={"picture": "4 picture"})
    assert gave(of(events, "sale")) == [(1, 2, 3), (1, 2, 0)]
    assert (events[-1]["stars"][1], events[-1]["supply"][1]) == (9, 13)
    assert of(events, "mvp")[0]["stars"] == [0, 9, 0]


def test_a_stock_gives_what_an_empty_supply_has_not() -> None:
    events = visit(
        ["2 picture limited", "", ""], 0, sets=["extra_stars_from=stock"], piles={"picture": "4 picture"}, supply=1
    )
    assert gave(of(events, "sale")) == [(1, 1, 2), (0, 1, 0)]
    assert events[-1]["supply"][1] == 0


@pytest.mark.parametrize("index", range(4))
def test_with_a_stock_stars_sent_are_what_left_the_supply_and_the_extra_stars(index: int) -> None:
    sets = ("extra_stars_from=stock", "pop_cost_limited=0", "genre_pile_size=2")
    events = told_random(*sets, index=index)
    end, whole = events[-1], rules_of(*sets).values["stars_per_player"]
    for seat in range(4):
        mine = of(events, "sale", owner=seat)
        assert end["supply"][seat] == whole - sum(sale["star"] for sale in mine)
        assert end["stars"][seat] == sum(map(sum, gave(mine)))


# --- trial_needs_books -------------------------------------------------------------------------------


@pytest.mark.parametrize("needs", [True, False])
def test_a_trial_read_without_books_stops_only_where_none_are_needed(needs: bool) -> None:
    scene = Scene({1: ["trial", "2 comedy", ""]}, {1: "2 business"}, at={0: (0, 2)})
    sets = [*dice(gorilla=2), f"trial_needs_books={str(needs).lower()}"]
    events = play_scene(scene, sets, Script(), Script(stops=(stop("business", "business"),)))
    move = of(events, "move", seat=0)[0]
    assert (move["owner"], move["slot"]) == ((1, 1) if needs else (1, 0))
    assert len(of(events, "trial")) == (0 if needs else 1)
    assert len(of(events, "sale")) == (2 if needs else 0)


# --- camel_at ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "expected"), [("stop", "1 single 0 camel 2 camel"), ("own", "1 single")])
def test_the_camel_buys_from_adjacent_slots_in_any_booth_or_in_its_own_only(at: str, expected: str) -> None:
    booth = ["2 comedy", "3 comedy", "2 comedy"]
    assert sold(booth, 1, "camel", f"camel_at={at}") == expected
    sets = ["extension=true", 'animals=["camel","elephant","cheetah"]', *dice(camel=1), f"camel_at={at}"]
    events = play_scene(Scene({0: booth}), sets)
    assert [sale["cause"] for sale in of(events, "sale")] == ["single", "camel", "camel"]


# --- chameleon_counts --------------------------------------------------------------------------------


@pytest.mark.parametrize(("counts", "expected"), [("slot", "1 chameleon 1 chameleon"), ("shelf", "")])
def test_the_chameleons_limit_counts_the_slot_or_its_whole_shelf(counts: str, expected: str) -> None:
    sets = (f"chameleon_counts={counts}", "chameleon_skip=no_sale")
    assert sold(["2 comedy", "2 sports", ""], 1, "chameleon", *sets) == expected
    assert sold(["2 comedy", "1 sports", ""], 1, "chameleon", *sets) == "1 chameleon"


def test_an_end_shelf_is_counted_for_itself() -> None:
    sets = ("chameleon_counts=shelf", "chameleon_skip=no_sale", "end_shelf_slots=2")
    booth = ["3 comedy", "3 comedy", "", "1 sports", "2 mystery"]
    assert sold(booth, 3, "chameleon", *sets) == "3 chameleon"
    assert sold([*booth[:3], "2 sports", "2 mystery"], 3, "chameleon", *sets) == ""


def test_with_pass_over_no_slot_of_an_overfull_shelf_is_a_space_for_the_chameleon() -> None:
    """It passes over the whole main shelf, the empty slot as well, and stops on the end shelf."""
    scene = Scene({1: ["2 comedy", "2 sports", "", "1 mystery"]}, at={0: (0, 2)})
    sets = ["extension=true", 'animals=["chameleon","elephant","cheetah"]', *dice(chameleon=1)]
    events = play_scene(scene, [*sets, "chameleon_counts=shelf"])
    move = of(events, "move", seat=0)[0]
    assert (move["owner"], move["slot"]) == (1, 3)


# --- retrieve_from -----------------------------------------------------------------------------------


def test_one_action_takes_books_of_a_whole_shelf_from_the_named_slot_on() -> None:
    scene = Scene({0: ["2 comedy", "1 sports", "2 mystery", "3 picture"]}, {0: ""}, deck=[], discards="")
    events = play_scene(scene, [SHELF], acts(retrieve(4, 1)))
    told = [(event["slot"], event["genre"], event["count"], event["continues"]) for event in of(events, "retrieve")]
    assert told == [(1, "sports", 1, False), (2, "mystery", 2, True), (0, "comedy", 1, True)]
    assert events[-1]["hands"][0] == {"comedy": 1, "sports": 1, "mystery": 2}
    assert events[-1]["booths"][0] == [["comedy", 1, None], [None, 0, None], [None, 0, None], ["picture", 3, None]]


def test_two_actions_that_take_back_from_one_shelf_are_told_apart() -> None:
    scene = Scene({0: ["2 comedy", "1 sports", ""]}, {0: ""})
    events = play_scene(scene, [SHELF, "actions_per_turn=2"], acts(retrieve(1, 0), retrieve(1, 1)))
    assert [event["continues"] for event in of(events, "retrieve")] == [False, False]


def test_from_a_slot_nothing_is_told_of_further_parts() -> None:
    events = play_scene(Scene({0: ["2 comedy", "", ""]}, {0: ""}), [], acts(retrieve(1, 0)))
    assert of(events, "retrieve") == [{"event": "retrieve", "seat": 0, "genre": "comedy", "count": 1, "slot": 0}]


# --- slot_genres -------------------------------------------------------------------------------------


def shelved(booth: tuple[str, ...], *actions: int, hand: str = "") -> Event:
    """The end of a round in which seat 0 acts so on genres together, and nobody buys."""
    sets = [ANY, f"actions_per_turn={len(actions)}"]
    end = play_scene(Scene({0: booth}, {0: hand}), sets, acts(*actions))[-1]
    return {"booth": end["booths"][0], "shelved": end["shelved"][0], "hand": end["hands"][0]}


def test_books_of_several_genres_lie_on_one_slot_which_goes_by_the_most_plentiful() -> None:
    found = shelved(("", "", ""), place("sports", 2, 0), place("comedy", 1, 0), hand="2 sports 1 comedy")
    assert found["booth"][0] == ["sports", 3, None]
    assert found["shelved"][0] == {"comedy": 1, "sports": 2}
    found = shelved(("", "", ""), place("sports", 1, 0), place("comedy", 1, 0), hand="1 sports 1 comedy")
    assert found["booth"][0] == ["comedy", 2, None], "the first of equals"


def test_of_several_genres_the_one_named_is_taken_back_first_then_the_most_plentiful() -> None:
    fill = (place("sports", 3, 0), place("comedy", 1, 0), place("mystery", 2, 0))
    found = shelved(("", "", ""), *fill, retrieve(3, 0, "mystery"), hand="3 sports 1 comedy 2 mystery")
    assert found["hand"] == {"sports": 1, "mystery": 2}
    assert found["shelved"][0] == {"comedy": 1, "sports": 2}


def mixed_sales(animal: str, *sets: str) -> str:
    """What an animal of seat 1 buys of 3 sports and 2 comedy on the first slot of seat 0, book by book."""
    fill = acts(place("sports", 3, 0), place("comedy", 2, 0), place("comedy", 1, 1))
    scene = Scene({0: ["recommended", "", ""]}, {0: "3 sports 3 comedy"}, at={1: (2, 2)})
    others = [name for name in ("elephant", "owl") if name != animal]
    given = [
        "extension=true", f'animals=["{others[0]}","{animal}","{others[1]}"]',
        *dice(**{animal: 1, others[0]: 0, others[1]: 0}), ANY, "actions_per_turn=3",
    ]  # fmt: skip
    found = of(play_scene(scene, [*given, *sets], fill), "sale")
    return " ".join(f"{sale['slot']}{sale['genre'][0]}-{sale['cause']}" for sale in found)


def test_an_animal_buys_all_of_its_favourite_there_else_one_of_the_most_plentiful() -> None:
    assert mixed_sales("gorilla") == "0c-favourite 0c-favourite 1c-recommended"
    assert mixed_sales("cheetah") == "0s-favourite 0s-favourite 0s-favourite"
    assert mixed_sales("penguin") == "0s-single"
    assert mixed_sales("camel") == "0s-single"


def test_the_chameleon_buys_every_book_of_any_genre_and_its_limit_counts_all_of_them() -> None:
    assert mixed_sales("chameleon", "chameleon_limit=6") == (
        "0c-chameleon 0c-chameleon 0s-chameleon 0s-chameleon 0s-chameleon 1c-recommended"
    )
    assert mixed_sales("chameleon", "chameleon_limit=5", "chameleon_skip=no_sale") == ""


def test_slot_capacity_counts_the_books_of_all_genres() -> None:
    sets = [ANY, "slot_capacity=3", "actions_per_turn=2"]
    hand = {0: "2 sports 1 comedy"}
    end = play_scene(Scene({}, hand), sets, acts(place("sports", 2, 0), place("comedy", 1, 0)))[-1]
    assert end["shelved"][0][0] == {"comedy": 1, "sports": 2}


#: Six genres of four books fill a slot; every other slot holds as much, all with Recommended Series.
FULLEST = (
    ANY, "extension=true", "recommended_chain=true", "main_shelf_slots=6", "end_shelf_slots=3", "end_shelves_max=3",
    "chameleon_limit=40", "actions_per_turn=8", "books_per_genre=40", "pop_cost_recommended=0", "pop_copies=20",
    "end_shelf_cost=0", "starting_hand=20", 'animals=["chameleon","camel","owl"]', "players=3",
)  # fmt: skip


@pytest.mark.parametrize("index", range(3))
def test_the_widest_booths_of_all_genres_have_room_in_the_records(index: int) -> None:
    """Books are counted genre by genre in every slot, whatever is bought, placed and taken back."""
    for call in every_decision(random_batch(*FULLEST), index):
        booths = call.state[0].table.booths[:3]
        for booth in booths:
            counts = [[int(mix) >> 8 * genre & 255 for genre in range(len(GENRES))] for mix in booth.mix]
            assert [sum(slot) for slot in counts] == booth.books.tolist()
            most = [slot.index(max(slot)) if any(slot) else -1 for slot in counts]
            assert most == booth.genre.tolist()


# --- end_shelf_side ----------------------------------------------------------------------------------


def test_an_end_shelf_on_the_left_comes_before_all_slots_and_those_in_the_booth_stay_where_they_are() -> None:
    scene = Scene({0: ["1 comedy trial", "", "2 sports"]}, {0: "1 mystery"}, at={1: (0, 2)})
    sets = [LEFT, "end_shelf_cost=0", "end_shelf_slots=2", "actions_per_turn=2"]
    end = play_scene(scene, [*sets, *dice(elephant=1)], acts(buy("end_shelf"), place("mystery", 1, 1)))
    assert end[-1]["booths"][0] == [
        [None, 0, None], ["mystery", 1, None], ["comedy", 1, "trial"], [None, 0, None], ["sports", 2, None],
    ]  # fmt: skip
    assert [(move["owner"], move["slot"]) for move in of(end, "move")] == [(0, 2), (1, 0), (2, 0)]


@pytest.mark.parametrize(("side", "slot"), [("right", 3), ("left", 0)])
def test_an_end_shelf_counts_for_itself_on_either_side(side: str, slot: int) -> None:
    """A full main shelf gives a card each round, and in the second one the full end shelf one more."""
    sets = [f"end_shelf_side={side}", "end_shelf_cost=0", "max_rounds=2"]
    booth = ["1 comedy", "1 sports", "1 mystery"]
    script = acts(buy("end_shelf"), place("picture", 1, slot))
    events = play_scene(Scene({0: booth}, {0: "1 picture"}), [*sets, "actions_per_turn=2"], script)
    assert len(of(events, "draw", why="bonus", seat=0)) == 1 + 2
    script = acts(buy("end_shelf"), place("picture", 1, slot), retrieve(1, 3 - slot))
    events = play_scene(Scene({0: booth}, {0: "1 picture"}), [*sets, "actions_per_turn=3"], script)
    assert len(of(events, "draw", why="bonus", seat=0)) == 1, "the main shelf is not full"


def test_the_main_shelf_is_adjacent_to_the_end_shelf_bought_first_on_the_left() -> None:
    booth = ["1 comedy", "2 comedy recommended", "1 comedy", "", ""]
    assert sold(booth, 1, "penguin", LEFT) == "1 single 0 recommended 2 recommended"
    found = visit(booth, 1, sets=[LEFT])
    assert [sale["slot"] for sale in of(found, "sale")] == [1, 0, 2]


# --- cleared_piles -----------------------------------------------------------------------------------


def test_cleared_piles_leave_the_game() -> None:
    events = visit(
        ["1 picture related", "", ""], 0, sets=["cleared_piles=out"], files=["comedy"],
        piles={"comedy": "3 comedy 1 mystery"},
    )  # fmt: skip
    assert events[-1]["discards"] == {}
    assert events[-1]["out"] == {"comedy": 3, "mystery": 1, "picture": 1}
    assert "out" not in visit(["1 picture", "", ""], 0)[-1]


# --- What is conserved -------------------------------------------------------------------------------

SWITCHES = (
    ("extra_stars_from=stock",), ("trial_needs_books=false",), ("retrieve_from=shelf",), ("slot_genres=any",),
    ("end_shelf_side=left",), ("cleared_piles=out",), ("extension=true", "camel_at=own", "chameleon_counts=shelf"),
    (*FULLEST, SHELF, LEFT, "cleared_piles=out", "extra_stars_from=stock", "stars_per_player=9"),
)  # fmt: skip


@pytest.mark.parametrize("sets", SWITCHES, ids=" ".join)
def test_cards_on_slots_in_hands_piles_deck_discards_and_out_of_the_game_are_constant(sets: tuple[str, ...]) -> None:
    values = rules_of(*sets).values
    gone = 0
    for call in every_decision(random_batch(*sets), 2):
        state = call.state[0]
        table, booths = state.table, state.table.booths[: values["players"]]
        for genre in range(6):
            if values["slot_genres"] == "any":
                on_slots = int((booths["mix"] >> 8 * genre & 255).sum())
            else:
                on_slots = int(booths["books"][booths["genre"] == genre].sum())
            in_deck = int((state.hidden.deck[: table.deck_size] == genre).sum())
            in_hands = int(state.owns["hand"][:, genre].sum())
            lying = table.discards[genre] + table.filed[:, genre].sum() + table.gone[genre]
            assert in_deck + on_slots + in_hands + lying == values["books_per_genre"]
        assert table.gone.sum() >= gone, "nothing comes back"
        gone = table.gone.sum()
    assert (gone > 0) <= (values["cleared_piles"] == "out")


def test_a_draw_finds_no_card_where_all_piles_left_the_game() -> None:
    scene = Scene({1: ["1 picture", "", ""]}, {0: ""}, at={0: (0, 2)}, piles={"picture": "4 picture"}, deck=[])
    sets = [*dice(gorilla=1), "cleared_piles=out", "max_rounds=2", "actions_per_turn=1"]
    events = play_scene(scene, sets, acts(draw(), draw()))
    assert [event["genre"] for event in of(events, "draw")] == [None, None]


# --- The referee under the readings ------------------------------------------------------------------

#: Everything that the switches change, in a game in which it all occurs.
MIXED = (
    ANY, SHELF, LEFT, "cleared_piles=out", "extra_stars_from=stock", "trial_needs_books=false", "trial_discard=0",
    "pop_cost_trial=0", "pop_cost_limited=0", "end_shelf_cost=0", "genre_pile_size=3",
)  # fmt: skip

WRONG: dict[str, tuple[str, dict[str, object], dict[str, object]]] = {
    "stock": ("sale", {"bonus": 2}, {"bonus": 1}),
    "begins": ("retrieve", {"continues": True}, {"continues": False}),
    "out": ("end", {}, {"out": {}}),
    "shelved": ("end", {}, {"shelved": []}),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_the_referee_finds_what_breaks_a_reading(wrong: str) -> None:
    name, having, said = WRONG[wrong]
    for index in range(40):
        events = json.loads(json.dumps(told_random(*MIXED, index=index)))
        judge(events)
        found = of(events, name, **having)
        if found:
            found[0].update(said)
            with pytest.raises(Foul):
                judge(events)
            return
    raise AssertionError("no game has it")


@pytest.mark.parametrize(
    "default",
    [
        "extra_stars_from=supply", "trial_needs_books=true", "retrieve_from=slot", "slot_genres=one",
        "end_shelf_side=right", "cleared_piles=discards",
    ],
)  # fmt: skip
def test_games_under_a_reading_are_none_under_the_other(default: str) -> None:
    """The referee tells them apart: with one rule told otherwise it finds a foul in one of some games."""
    key, _, value = default.partition("=")
    fouls = 0
    for index in range(12):
        events = json.loads(json.dumps(told_random(*MIXED, index=index)))
        events[0]["rules"][key] = {"true": True}.get(value, value)
        try:
            judge(events)
        except Foul:
            fouls += 1
    assert fouls > 0
