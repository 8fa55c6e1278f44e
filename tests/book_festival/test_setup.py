"""Setup: what is dealt and shuffled before the first action."""

import functools
from collections import Counter
from itertools import permutations

import pytest

from sim.book_festival.state import NO_GENRE, NO_POP
from tests.book_festival.script import random_batch, rules_of, seated, tell
from tests.games.chance import is_near
from tests.games.stage import Event, of
from tests.games.standing import standing, told

FAVOURITES = ("gorilla", "elephant", "cheetah", "panda", "owl", "penguin")
GENRES = ("comedy", "business", "sports", "cooking", "mystery", "picture")
VARIANTS = [
    (),
    ("players=3", "starting_hand=7"),
    ("players=6", "extension=true", "books_per_genre=8"),
    ("players=5", "starting_hand=0"),
    ("players=4", "books_per_genre=2", "starting_hand=3"),
    ("players=6", "books_per_genre=40", "starting_hand=20"),
    ("players=3", "books_per_genre=0", "starting_hand=0"),
]
GAMES = 400


@functools.cache
def setups(*sets: str) -> list[Event]:
    """How some hundred games begin."""
    batch = random_batch(*sets)
    return [of(told(standing(batch, index)), "setup")[0] for index in range(GAMES)]


@pytest.mark.parametrize("sets", VARIANTS)
def test_the_deck_holds_books_per_genre_and_starting_hand_cards_are_dealt_to_each(sets: tuple[str, ...]) -> None:
    values = rules_of(*sets).values
    for index in range(5):
        setup = of(told(standing(random_batch(*sets), index)), "setup")[0]
        assert [sum(hand.values()) for hand in setup["hands"]] == [values["starting_hand"]] * values["players"]
        cards = sum((Counter(hand) for hand in setup["hands"]), Counter(setup["deck"]))
        assert cards == Counter({genre: values["books_per_genre"] for genre in GENRES if values["books_per_genre"]})


def test_the_deck_is_shuffled() -> None:
    for place in (0, 1, 26, 51):
        found = Counter(setup["deck"][place] for setup in setups())
        assert all(is_near(found[genre], 1 / 6, GAMES) for genre in GENRES)
    for seat in range(4):
        assert is_near(sum(setup["hands"][seat].get("comedy", 0) == 0 for setup in setups()), no_comedy(), GAMES)


def no_comedy() -> float:
    """The chance that none of 5 cards out of 72 is one of 12."""
    chance = 1.0
    for card in range(5):
        chance *= (60 - card) / (72 - card)
    return chance


def test_each_seat_gets_a_different_animal_uniformly_at_random() -> None:
    dealt = Counter(tuple(setup["animals"]) for setup in setups("players=3"))
    every = list(permutations(FAVOURITES, 3))
    assert set(dealt) <= set(every)
    assert all(is_near(dealt[animals], 1 / len(every), GAMES) for animals in every)


@pytest.mark.parametrize("players", [3, 6])
def test_only_the_extension_deals_camel_and_chameleon(players: int) -> None:
    for extension, animals in (("false", FAVOURITES), ("true", (*FAVOURITES, "camel", "chameleon"))):
        dealt = [setup["animals"] for setup in setups(f"players={players}", f"extension={extension}")]
        assert all(len(set(seats)) == players for seats in dealt)
        for seat in range(players):
            found = Counter(seats[seat] for seats in dealt)
            assert found.keys() == set(animals)
            assert all(is_near(found[animal], 1 / len(animals), GAMES) for animal in animals)


def test_animals_sit_as_listed() -> None:
    sets = ["players=3", "extension=true", seated("camel", "penguin", "chameleon")]
    for index in range(5):
        assert of(tell([*sets, "max_rounds=1"], index=index), "setup")[0]["animals"] == [
            "camel", "penguin", "chameleon",
        ]  # fmt: skip


@pytest.mark.parametrize("players", [3, 6])
def test_each_animal_starts_on_the_first_slot_of_its_own_booth(players: int) -> None:
    table = standing(random_batch(f"players={players}"), 1).state.table
    assert table.booths.at_booth[0, :players].tolist() == list(range(players))
    assert table.booths.at_slot[0, :players].tolist() == [0] * players


@pytest.mark.parametrize("sets", [(), ("main_shelf_slots=2", "stars_per_player=25", "pop_copies=6")])
@pytest.mark.parametrize("games_before", [0, 3])
def test_booths_start_empty_with_a_main_shelf_and_supplies_full(sets: tuple[str, ...], games_before: int) -> None:
    """In the first game of a call and in later ones alike."""
    values = rules_of(*sets).values
    table = standing(random_batch(*sets), 5, games_before=games_before).state.table[0]
    for seat in range(4):
        booth = table.booths[seat]
        assert (booth.slots, booth.end_shelves) == (values["main_shelf_slots"], 0)
        assert (set(booth.genre), set(booth.books), set(booth.pop)) == ({NO_GENRE}, {0}, {NO_POP})
        assert (booth.supply, booth.stars) == (values["stars_per_player"], 0)
    assert set(table.pop_left) == {values["pop_copies"]}
    assert not table.pile.any()
    assert not table.filed.any()
    assert not table.discards.any()


@pytest.mark.parametrize("switch", ["fixed", "rotates"])
def test_seat_0_is_the_first_start_player(switch: str) -> None:
    assert all(setup["start_player"] == 0 for setup in setups("players=3", f"start_player={switch}"))
