"""The numbers and switches of Book Festival, and what must hang together in them."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.book_festival.rules import GENRES, MAX_BAG, resolve
from sim.errors import BadInput
from sim.rules import load, to_toml, value_text

ANIMALS = ("gorilla", "elephant", "cheetah", "panda", "owl", "penguin", "camel", "chameleon")

DEFAULTS = {
    "players": 4,
    "extension": False,
    "books_per_genre": 12,
    "starting_hand": 5,
    "hand_limit": 0,
    "actions_per_turn": 3,
    "main_shelf_slots": 3,
    "end_shelf_cost": 2,
    "end_shelf_slots": 1,
    "end_shelves_max": 2,
    "slot_capacity": 0,
    "stars_per_player": 15,
    "genre_pile_size": 5,
    "genre_bonus_stars": 2,
    "pop_cost_recommended": 1,
    "pop_cost_trial": 1,
    "pop_cost_related": 2,
    "pop_cost_booklet": 3,
    "pop_cost_limited": 4,
    "pop_copies": 4,
    "trial_discard": 2,
    "limited_extra_stars": 1,
    "die_gorilla": (1, 2, 2, 3, 3, 4),
    "die_elephant": (1, 1, 2, 2, 3, 3),
    "die_cheetah": (3, 4, 4, 5, 5, 6),
    "die_panda": (1, 2, 3, 3, 4, 5),
    "die_owl": (2, 2, 3, 3, 4, 4),
    "die_penguin": (1, 1, 2, 3, 4, 5),
    "die_camel": (1, 2, 3, 4, 5, 6),
    "die_chameleon": (2, 3, 3, 4, 4, 5),
    "chameleon_limit": 4,
    "mvp_draws": 5,
    "max_rounds": 60,
    "animals": "random",
    "start_player": "fixed",
    "end_bonus_needs_main": True,
    "empty_slots_count": True,
    "camel_adjacent": "one",
    "chameleon_skip": "pass_over",
    "recommended_chain": False,
    "limited_per": "book",
    "mvp_tie": "redraw",
    "extra_stars_from": "supply",
    "trial_needs_books": True,
    "camel_at": "stop",
    "chameleon_counts": "slot",
    "retrieve_from": "slot",
    "slot_genres": "one",
    "end_shelf_side": "right",
    "cleared_piles": "discards",
}

RULEBOOK = {
    "players",
    "extension",
    "actions_per_turn",
    "main_shelf_slots",
    "genre_pile_size",
    "genre_bonus_stars",
    "pop_cost_recommended",
    "pop_cost_trial",
    "pop_cost_related",
    "pop_cost_booklet",
    "pop_cost_limited",
    "trial_discard",
    "limited_extra_stars",
    "chameleon_limit",
}

PLAUSIBLE = {
    "players": (3, 6),
    "books_per_genre": (8, 16),
    "starting_hand": (3, 7),
    "hand_limit": (0, 7, 8, 9, 10, 11, 12),
    "actions_per_turn": (2, 4),
    "main_shelf_slots": (2, 4),
    "end_shelf_cost": (1, 4),
    "end_shelf_slots": (1, 2),
    "end_shelves_max": (1, 2),
    "slot_capacity": (0, 4, 5, 6, 7, 8),
    "stars_per_player": (8, 25),
    "pop_cost_recommended": (0, 6),
    "pop_cost_trial": (0, 6),
    "pop_cost_related": (0, 6),
    "pop_cost_booklet": (0, 6),
    "pop_cost_limited": (0, 6),
    "pop_copies": (2, 6),
    "chameleon_limit": (3, 6),
    "mvp_draws": (1, 30),
}

HOLDS = {
    "players": (3, 6),
    "books_per_genre": (0, 40),
    "starting_hand": (0, 20),
    "hand_limit": (0, 60),
    "actions_per_turn": (1, 8),
    "main_shelf_slots": (1, 6),
    "end_shelf_cost": (0, 20),
    "end_shelf_slots": (1, 3),
    "end_shelves_max": (0, 3),
    "slot_capacity": (0, 40),
    "stars_per_player": (1, 60),
    "genre_pile_size": (1, 40),
    "genre_bonus_stars": (0, 20),
    "pop_cost_recommended": (0, 20),
    "pop_cost_trial": (0, 20),
    "pop_cost_related": (0, 20),
    "pop_cost_booklet": (0, 20),
    "pop_cost_limited": (0, 20),
    "pop_copies": (0, 20),
    "trial_discard": (0, 10),
    "limited_extra_stars": (0, 10),
    "chameleon_limit": (1, 40),
    "mvp_draws": (1, 60),
    "max_rounds": (1, 500),
    **{f"die_{name}": (0, 12) for name in ANIMALS},
}

WORDS = {
    "animals": ("random",),
    "start_player": ("fixed", "rotates"),
    "camel_adjacent": ("one", "all"),
    "chameleon_skip": ("pass_over", "no_sale"),
    "limited_per": ("book", "sale"),
    "mvp_tie": ("redraw", "stars", "shared"),
    "extra_stars_from": ("supply", "stock"),
    "camel_at": ("stop", "own"),
    "chameleon_counts": ("slot", "shelf"),
    "retrieve_from": ("slot", "shelf"),
    "slot_genres": ("one", "any"),
    "end_shelf_side": ("right", "left"),
    "cleared_piles": ("discards", "out"),
}

FLAGS = ("extension", "end_bonus_needs_main", "empty_slots_count", "recommended_chain", "trial_needs_books")

WITH_EXTENSION = {"die_camel", "die_chameleon", "chameleon_limit", "camel_adjacent", "chameleon_skip"} | {
    "camel_at", "chameleon_counts",
}  # fmt: skip

#: What the rule book can be read to say in several ways.
READINGS = {
    "extra_stars_from", "trial_needs_books", "camel_at", "chameleon_counts", "retrieve_from", "slot_genres",
    "end_shelf_side", "cleared_piles",
}  # fmt: skip


def complaint(*sets: str) -> str:
    """Return the line with which `load` refuses these `--set` texts."""
    with pytest.raises(BadInput) as caught:
        load("book_festival", sets=sets)
    line = str(caught.value)
    assert line.isprintable()
    return line


# The table of parameters.


def test_defaults_are_the_rulebooks_and_the_stand_ins_in_their_order():
    assert load("book_festival").values == DEFAULTS
    assert list(load("book_festival").values) == list(DEFAULTS)


def test_provenance_tells_the_stand_ins_from_what_a_source_states():
    parameters = load("book_festival").parameters
    for provenance, keys in (("rulebook", RULEBOOK), ("reading", READINGS)):
        assert {key for key, parameter in parameters.items() if parameter.provenance == provenance} == keys


def test_plausible_ranges():
    parameters = load("book_festival").parameters
    assert {key: p.plausible for key, p in parameters.items() if p.plausible} == PLAUSIBLE


def test_no_limit_is_plausible_and_a_tight_one_is_not():
    assert load("book_festival", sets=["hand_limit=0", "slot_capacity=8"]).notes() == []
    assert load("book_festival", sets=["hand_limit=6", "slot_capacity=1"]).notes() == [
        "hand_limit = 6 is outside its plausible range: 0, 7, 8, 9, 10, 11 or 12",
        "slot_capacity = 1 is outside its plausible range: 0, 4, 5, 6, 7 or 8",
    ]


def test_every_number_has_a_tested_limit():
    parameters = load("book_festival").parameters
    assert {key for key, parameter in parameters.items() if parameter.kind in ("int", "ints")} == HOLDS.keys()


@pytest.mark.parametrize("key", HOLDS)
def test_each_number_is_taken_up_to_what_the_engine_holds(key):
    parameter = load("book_festival").parameters[key]
    low, high = HOLDS[key]
    is_die = parameter.kind == "ints"
    for value in (low, high):
        given = [value] * 6 if is_die else value
        assert parameter.check(given, key) == (tuple(given) if is_die else value)
    for value in (low - 1, high + 1):
        with pytest.raises(BadInput, match=f"^{key} must be"):
            parameter.check([value] * 6 if is_die else value, key)


@pytest.mark.parametrize("name", ANIMALS)
def test_a_die_has_exactly_six_faces(name):
    assert load("book_festival", sets=[f"die_{name}=0,0,12,1,1,2"]).values[f"die_{name}"] == (0, 0, 12, 1, 1, 2)
    for faces in ("1,2,3,4,5", "1,2,3,4,5,6,7", "[]", "3"):
        assert complaint(f"die_{name}={faces}").startswith(
            f"--set: die_{name} must be a list of 6 whole numbers from 0 to 12, not a list of "
        )


@pytest.mark.parametrize("key", WORDS)
def test_switches_take_their_words(key):
    assert load("book_festival").parameters[key].options == WORDS[key]
    for word in WORDS[key]:
        assert load("book_festival", sets=[f"{key}={word}"]).values[key] == word


def test_every_switch_has_its_words_tested():
    kinds = {key: parameter.kind for key, parameter in load("book_festival").parameters.items()}
    assert {key for key, kind in kinds.items() if kind in ("word", "words")} == WORDS.keys()
    assert {key for key, kind in kinds.items() if kind == "bool"} == set(FLAGS)


@pytest.mark.parametrize("key", FLAGS)
def test_on_off_switches(key):
    assert load("book_festival", sets=[f"{key}=true"]).values[key] is True
    assert load("book_festival", sets=[f"{key}=false"]).values[key] is False


def test_what_only_the_extension_brings_is_no_assumption_without_it():
    base, extended = load("book_festival"), load("book_festival", sets=["extension=true"])
    assert {key for key, p in base.parameters.items() if p.only_with == "extension"} == WITH_EXTENSION
    stand_ins = DEFAULTS.keys() - RULEBOOK
    assert set(base.assumptions()) == stand_ins - WITH_EXTENSION
    assert set(extended.assumptions()) == stand_ins
    assert load("book_festival", sets=["camel_adjacent=all"]).notes() == [
        "camel_adjacent = all has no effect while extension = false"
    ]


# The deal.


def test_the_deck_holds_the_starting_hands():
    assert len(GENRES) == 6
    assert complaint("players=6", "starting_hand=9", "books_per_genre=8") == (
        "--set: players x starting_hand = 6 x 9 = 54 cards are dealt, but the deck has "
        "6 x books_per_genre = 6 x 8 = 48"
    )
    assert load("book_festival", sets=["players=6", "starting_hand=8", "books_per_genre=8"]).notes() == [
        "starting_hand = 8 is outside its plausible range: 3 to 7"
    ]


def test_a_game_without_books_can_be_held():
    assert load("book_festival", sets=["books_per_genre=0", "starting_hand=0"]).values["books_per_genre"] == 0
    assert complaint("books_per_genre=0").endswith("but the deck has 6 x books_per_genre = 6 x 0 = 0")


def test_no_hand_starts_above_its_limit():
    assert complaint("hand_limit=4") == ("--set: starting_hand = 5 must be at most hand_limit = 4 (0 for no limit)")
    assert load("book_festival", sets=["hand_limit=5"]).values["hand_limit"] == 5


# Stars from the stock.


def test_what_a_stock_may_give_has_room_in_the_vote_bag():
    assert complaint("extra_stars_from=stock", "limited_extra_stars=10", "genre_bonus_stars=20", "players=6") == (
        "--set: with extra_stars_from = stock the vote bag could hold up to 2350 stars: limited_extra_stars = 10 for "
        "each of 162 books, genre_bonus_stars = 20 for each pile; the engine holds 2000"
    )
    assert load("book_festival", sets=["limited_extra_stars=10", "genre_bonus_stars=20", "players=6"])
    assert load("book_festival", sets=["extra_stars_from=stock", "players=6", "stars_per_player=25"])


def test_a_bag_of_supplies_alone_has_room():
    high = {key: load("book_festival").parameters[key].holds[1] for key in ("players", "stars_per_player")}
    assert high["players"] * high["stars_per_player"] <= MAX_BAG


# Animals.


def test_animals_are_one_for_each_seat_all_different():
    assert complaint("animals=owl,panda,gorilla") == (
        "--set: animals lists 3, but players = 4; list one for each seat"
    )
    assert complaint("animals=owl,panda,gorilla,owl") == (
        "--set: animals lists one twice (owl, panda, gorilla, owl); all must be different"
    )
    rules = load("book_festival", sets=["animals=owl,panda,gorilla", "players=3"])
    assert rules.values["animals"] == ("owl", "panda", "gorilla")
    assert rules.notes() == []


def test_every_animal_can_be_listed():
    assert load("book_festival").parameters["animals"].entries == ANIMALS
    for first in (0, 2):
        listed = ",".join(ANIMALS[first : first + 6])
        rules = load("book_festival", sets=["players=6", "extension=true", f"animals={listed}"])
        assert rules.values["animals"] == ANIMALS[first : first + 6]
    assert "entry 2 is 'camal' (did you mean 'camel'?)" in complaint("animals=owl,camal,panda,gorilla")


def test_camel_and_chameleon_need_the_extension():
    assert complaint("animals=owl,chameleon,panda,camel") == (
        "--set: animals lists camel and chameleon, but extension = false; set extension = true"
    )
    assert complaint("animals=owl,chameleon,panda,gorilla").startswith("--set: animals lists chameleon, but ")
    rules = load("book_festival", sets=["animals=owl,chameleon,panda,camel", "extension=true"])
    assert rules.values["animals"] == ("owl", "chameleon", "panda", "camel")


# Where a complaint comes from.


def test_a_complaint_about_several_values_names_file_and_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text("starting_hand = 8\n")
    with pytest.raises(BadInput) as caught:
        load("book_festival", "my.toml", ["hand_limit=7"])
    assert str(caught.value).startswith("my.toml with --set: starting_hand = 8 must be at most hand_limit = 7")


# There and back.


@st.composite
def variants(draw):
    """Draw a value for every parameter, all of them hanging together."""
    values = {key: draw(st.integers(*limits)) for key, limits in HOLDS.items() if not key.startswith("die_")}
    most = len(GENRES) * values["books_per_genre"] // values["players"]
    values["starting_hand"] = min(values["starting_hand"], most, values["hand_limit"] or most)
    faces = st.lists(st.integers(0, 12), min_size=6, max_size=6)
    values |= {f"die_{name}": tuple(draw(faces)) for name in ANIMALS}
    values |= {key: draw(st.booleans()) for key in FLAGS}
    values |= {key: draw(st.sampled_from(words)) for key, words in WORDS.items()}
    if values["extra_stars_from"] == "stock":  # the vote bag has room for so many
        values |= {
            "stars_per_player": min(values["stars_per_player"], 20),
            "limited_extra_stars": draw(st.integers(0, 2)),
        }
        values["genre_bonus_stars"] = draw(st.integers(0, 2))
    if draw(st.booleans()):
        names = st.permutations(ANIMALS if values["extension"] else ANIMALS[:6])
        values["animals"] = tuple(draw(names)[: values["players"]])
    return values


@given(variants())
@settings(deadline=None, max_examples=50)
def test_rules_written_as_toml_are_read_back_equal(values):
    rules = load("book_festival", sets=[f"{key}={value_text(value)}" for key, value in values.items()])
    assert rules.values == values
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rules.toml"
        file.write_text(to_toml(rules), encoding="utf-8")
        again = load("book_festival", file)
    assert again == rules
    assert again.identity() == rules.identity()


@given(variants())
@settings(deadline=None, max_examples=50)
def test_resolving_changes_nothing(values):
    assert resolve(values, set(values)) == values
    assert resolve(values, set()) == values
