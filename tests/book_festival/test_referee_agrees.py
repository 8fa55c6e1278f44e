"""The independent referee finds nothing in games of random_legal, whatever the variant."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.batch import Batch, LineUp
from sim.game import Game
from sim.replay import replay
from sim.rules import load, value_text
from tests.book_festival.script import random_batch, referee_judges, tell_random
from tests.book_festival.test_rules import variants
from tests.games.stage import Event, of

VARIANTS = {
    "the base game": "",
    "three players": "players=3",
    "five players": "players=5",
    "six players": "players=6",
    "the extension with three": "players=3 extension=true",
    "the extension with four": "extension=true",
    "the extension with six": "players=6 extension=true",
    "camel and chameleon": 'players=3 extension=true animals=["chameleon","camel","owl"] camel_adjacent=all',
    "chameleon without sale": 'players=3 extension=true animals=["panda","chameleon","owl"] chameleon_skip=no_sale',
    "a start player that rotates": "players=5 start_player=rotates",
    "empty slots do not count": "extension=true empty_slots_count=false",
    "empty slots, few books": "players=3 empty_slots_count=false actions_per_turn=1 starting_hand=0",
    "chains": "recommended_chain=true pop_cost_recommended=0 pop_copies=20 books_per_genre=30 starting_hand=12",
    "limited a sale": "limited_per=sale pop_cost_limited=0 pop_copies=20 limited_extra_stars=3 camel_adjacent=all",
    "related for nothing": "pop_cost_related=0 pop_copies=20 genre_pile_size=2 genre_bonus_stars=1",
    "trials for nothing": "pop_cost_trial=0 pop_copies=20 trial_discard=0",
    "trials dear": "pop_cost_trial=0 pop_copies=20 trial_discard=5 hand_limit=7",
    "booklets and full shelves": "pop_cost_booklet=0 pop_copies=20 main_shelf_slots=1 end_bonus_needs_main=false",
    "a small hand": "hand_limit=5 end_shelf_cost=0 end_shelf_slots=3 end_shelves_max=3 actions_per_turn=8",
    "small slots": "slot_capacity=1 main_shelf_slots=6",
    "a small deck": "books_per_genre=2 starting_hand=3 genre_pile_size=1",
    "no books at all": "books_per_genre=0 starting_hand=0 max_rounds=9",
    "no POPs, no shelves": "pop_copies=0 end_shelves_max=0",
    "large dice": "die_gorilla=[12,12,12,12,12,0] die_owl=[0,0,0,0,0,12] players=6 pop_cost_trial=0",
    "one star": "stars_per_player=1 mvp_draws=1",
    "many stars": "stars_per_player=60 mvp_draws=60 mvp_tie=stars",
    "a shared tie": "mvp_draws=2 mvp_tie=shared",
    "one round": "max_rounds=1",
    "extra stars from a stock": "extra_stars_from=stock pop_cost_limited=0 pop_copies=20 genre_pile_size=2",
    "trials without books": "trial_needs_books=false pop_cost_trial=0 pop_copies=20 trial_discard=0",
    "a camel at home": 'players=3 extension=true animals=["camel","owl","panda"] camel_at=own camel_adjacent=all',
    "a chameleon that counts shelves": 'players=3 extension=true animals=["chameleon","owl","panda"] '
    "chameleon_counts=shelf end_shelf_cost=0 end_shelf_slots=2",
    "a chameleon that counts shelves without sale": 'players=3 extension=true animals=["chameleon","owl","panda"] '
    "chameleon_counts=shelf chameleon_skip=no_sale end_shelf_cost=0 end_shelf_side=left",
    "books from a shelf": "retrieve_from=shelf end_shelf_cost=0 end_shelf_slots=2 hand_limit=9",
    "genres together": "slot_genres=any",
    "genres together in chains": "slot_genres=any recommended_chain=true pop_cost_recommended=0 pop_copies=20 "
    "books_per_genre=30 starting_hand=12 extension=true",
    "genres together from a shelf": "slot_genres=any retrieve_from=shelf main_shelf_slots=2 slot_capacity=3",
    "end shelves on the left": "end_shelf_side=left end_shelf_cost=0 end_shelf_slots=2 end_shelves_max=3 "
    "recommended_chain=true pop_cost_recommended=0",
    "cleared piles out": "cleared_piles=out genre_pile_size=2 books_per_genre=6 pop_cost_related=0",
}
GAMES = 15


@pytest.mark.parametrize("sets", [text.split() for text in VARIANTS.values()], ids=VARIANTS)
def test_the_referee_finds_nothing(sets: list[str]) -> None:
    for index in range(GAMES):
        referee_judges(tell_random(*sets, index=index))


def test_the_referee_finds_nothing_in_the_games_own_odd_variants(game: Game) -> None:
    for sets in game.odd:
        for index in range(GAMES):
            referee_judges(tell_random(*sets, index=index))


def events_of(*names: str) -> list[Event]:
    """All events of some of the variants' games."""
    return [
        event
        for name in names
        for index in range(GAMES)
        for event in tell_random(*VARIANTS[name].split(), index=index)
    ]


def test_what_the_referee_judges_holds_every_kind_of_event() -> None:
    """Random play reaches every POP, every cause, short supplies, refills, redraws and stalled games."""
    names = ("camel and chameleon", "chains", "limited a sale", "a small deck", "one star", "one round")
    events = events_of(*names)
    found = {event["event"] for event in events}
    assert found == {
        "game", "setup", "round", "draw", "shuffle", "place", "buy", "retrieve", "pass", "roll", "move", "trial",
        "sale", "mvp", "end",
    }  # fmt: skip
    assert {event["item"] for event in of(events, "buy")} == {
        "recommended", "trial", "related", "booklet", "limited", "end_shelf",
    }  # fmt: skip
    assert {event["why"] for event in of(events, "draw")} == {"bonus", "booklet", "action"}
    assert of(events, "draw", genre=None)
    sales = of(events, "sale")
    assert {event["cause"] for event in sales} == {"single", "favourite", "recommended", "camel", "chameleon"}
    assert any(event["pile"] != event["genre"] for event in sales)
    assert {event["star"] for event in sales} == {0, 1}
    assert any(event["bonus"] == 1 for event in sales), "a short supply"
    assert {event["stalled"] for event in of(events, "end")} == {True, False}
    assert any(len(event["drawn"]) > 5 for event in of(events, "mvp"))


@settings(max_examples=150)
@given(values=variants(), seed=st.integers(0, 2**63 - 1), index=st.integers(0, 2**40))
def test_the_referee_finds_nothing_in_any_variant_that_the_engine_holds(
    values: dict[str, Any], seed: int, index: int
) -> None:
    """It also counts cards and stars; only rounds are limited, to keep games short."""
    values["max_rounds"] = min(values["max_rounds"], 12)
    rules = load("book_festival", sets=[f"{key}={value_text(value)}" for key, value in values.items()])
    policy = random_batch().line_up.pool[0]
    batch = Batch("book_festival", rules, LineUp((policy,) * values["players"], "fixed"), seed)
    events, fault = replay(batch, index)
    assert fault is None
    referee_judges(events)
