"""What a sale brings: stars, Limited Edition, Related Books, the genre piles and their bonus, a short supply."""

from collections.abc import Sequence

import pytest

from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import dice
from tests.book_festival.visit import sales, visit
from tests.games.stage import Event, of

RELATED = ["2 comedy related", "", ""]


def gave(found: Sequence[Event]) -> list[tuple[int, int, int]]:
    """Stars of each sale: the book's, Limited Edition's, the genre bonus."""
    return [(sale["star"], sale["limited"], sale["bonus"]) for sale in found]


# --- A star a book, Limited Edition ------------------------------------------------------------------


def test_for_each_book_sold_one_star_goes_from_its_owners_supply_to_the_owners_stars() -> None:
    events = visit(["3 picture", "", ""], 0)
    assert gave(of(events, "sale")) == [(1, 0, 0)] * 3
    assert (events[-1]["stars"], events[-1]["supply"]) == ([0, 3, 0], [15, 12, 15])


@pytest.mark.parametrize("extra", [0, 1, 3])
def test_limited_edition_on_its_slot_gives_limited_extra_stars_more_for_each_book(extra: int) -> None:
    assert gave(sales(["2 picture limited", "", ""], 0, sets=[f"limited_extra_stars={extra}"])) == [(1, extra, 0)] * 2


def test_limited_edition_counts_on_its_own_slot_alone() -> None:
    found = sales(["1 comedy limited", "1 comedy recommended", "1 comedy limited"], 1)
    assert [(sale["slot"], sale["limited"]) for sale in found] == [(1, 0), (0, 1), (2, 1)]
    assert gave(sales(["1 comedy", "1 comedy limited", ""], 0)) == [(1, 0, 0)]


def test_with_limited_per_sale_it_gives_them_once_a_slot_and_stop_with_its_first_book() -> None:
    sets = ["limited_per=sale", "limited_extra_stars=2"]
    assert gave(sales(["3 picture limited", "", ""], 0, sets=sets)) == [(1, 2, 0), (1, 0, 0), (1, 0, 0)]
    found = sales(["2 comedy limited", "1 comedy recommended", "1 comedy limited"], 1, sets=sets)
    assert [(sale["slot"], sale["limited"]) for sale in found] == [(1, 0), (0, 2), (0, 0), (2, 2)]


def test_with_limited_per_sale_a_slot_that_sells_again_at_the_same_stop_gives_no_more() -> None:
    """The camel's single book, and then what Recommended takes of the rest."""
    sets = ["limited_per=sale"]
    found = sales(["2 comedy limited", "1 comedy recommended", ""], 1, "camel", sets)
    assert [(sale["slot"], sale["cause"], sale["limited"]) for sale in found] == [
        (1, "single", 0), (0, "camel", 1), (0, "recommended", 0),
    ]  # fmt: skip


def test_with_limited_per_sale_the_next_stop_gives_them_again() -> None:
    scene = Scene({1: ["5 mystery limited", "", ""]}, at={0: (0, 2), 1: (0, 2)})
    events = play_scene(scene, [*dice(gorilla=1, elephant=1), "limited_per=sale"])
    assert gave(of(events, "sale")) == [(1, 1, 0)] * 2


# --- Genre piles -------------------------------------------------------------------------------------


def test_a_book_goes_to_its_genres_pile() -> None:
    end = visit(["3 picture", "", ""], 0, piles={"picture": "1 picture", "comedy": "4 comedy"})[-1]
    assert end["piles"]["picture"] == {"picture": 4}
    assert end["piles"]["comedy"] == {"comedy": 4}


def test_when_a_pile_reaches_5_the_owner_of_that_book_gains_2_stars_and_the_pile_is_discarded() -> None:
    events = visit(["2 picture", "", ""], 0, piles={"picture": "4 picture"})
    assert gave(of(events, "sale")) == [(1, 0, 2), (1, 0, 0)]
    assert [sale["pile_cleared"] for sale in of(events, "sale")] == [True, False]
    end = events[-1]
    assert (end["stars"], end["piles"]["picture"], end["discards"]) == ([0, 4, 0], {"picture": 1}, {"picture": 5})


@pytest.mark.parametrize(
    ("size", "stars", "cleared"), [(1, 3, [True] * 4), (2, 0, [False, True] * 2), (4, 9, [False] * 3 + [True])]
)
def test_genre_pile_size_and_genre_bonus_stars_say_how_many(size: int, stars: int, cleared: list[bool]) -> None:
    sets = [f"genre_pile_size={size}", f"genre_bonus_stars={stars}", "stars_per_player=60"]
    found = sales(["4 picture", "", ""], 0, sets=sets)
    assert [sale["pile_cleared"] for sale in found] == cleared
    assert [sale["bonus"] for sale in found] == [stars if is_cleared else 0 for is_cleared in cleared]


def test_the_bonus_goes_to_the_owner_of_the_book_not_to_the_animals() -> None:
    end = visit(["1 comedy", "", ""], 0, piles={"comedy": "4 comedy"})[-1]
    assert end["stars"] == [0, 3, 0]


def test_piles_are_common_to_all_booths_and_last_over_rounds() -> None:
    scene = Scene({0: ["", "3 mystery", ""], 1: ["", "3 mystery", ""]}, at={0: (0, 0), 1: (1, 0)})
    events = play_scene(scene, [*dice(gorilla=9, elephant=9), "max_rounds=2", "genre_pile_size=4"])
    assert of(events, "sale") == []
    events = play_scene(
        Scene({0: ["", "4 mystery", ""]}), [*dice(gorilla=1, elephant=7, cheetah=4), "genre_pile_size=3"]
    )
    assert [(sale["buyer"], sale["bonus"]) for sale in of(events, "sale")] == [(0, 0), (1, 0), (2, 2)]


# --- Related Books -----------------------------------------------------------------------------------


def test_related_books_file_under_any_genre_of_the_owners_choice() -> None:
    booth = ["2 picture related", "", ""]
    found = sales(booth, 0, files=["sports", "picture"])
    assert [(sale["genre"], sale["pile"]) for sale in found] == [("picture", "sports"), ("picture", "picture")]
    assert sales(booth, 0)[0]["pile"] == "picture"


def test_each_book_is_filed_by_its_own_choice_and_may_complete_another_genres_pile() -> None:
    events = visit(["2 picture related", "", ""], 0, files=["comedy", "comedy"], piles={"comedy": "4 comedy"})
    assert gave(of(events, "sale")) == [(1, 0, 2), (1, 0, 0)]
    assert events[-1]["piles"]["comedy"] == {"picture": 1}


def test_a_pile_remembers_the_books_filed_there_and_a_cleared_pile_discards_those() -> None:
    events = visit(["1 picture related", "", ""], 0, files=["comedy"], piles={"comedy": "3 comedy 1 mystery"})
    assert events[-1]["discards"] == {"comedy": 3, "mystery": 1, "picture": 1}
    assert events[-1]["piles"]["comedy"] == {}


def test_only_the_slot_with_related_books_asks() -> None:
    """A book sold beside it, or through another POP, is filed under its own genre."""
    found = sales(["1 comedy", "1 comedy recommended", "1 comedy related"], 1, files=["mystery", "mystery"])
    assert [(sale["slot"], sale["pile"]) for sale in found] == [(1, "comedy"), (0, "comedy"), (2, "mystery")]


def test_related_books_on_the_adjacent_slots_of_a_camel_ask_in_the_order_of_selling() -> None:
    found = sales(["1 comedy related", "1 comedy", "1 comedy related"], 1, "camel", files=["sports", "mystery"])
    assert [(sale["slot"], sale["pile"]) for sale in found] == [(1, "comedy"), (0, "sports"), (2, "mystery")]


# --- A short supply ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("supply", "expected"),
    [
        (9, [(1, 2, 3), (1, 2, 0)]),
        (8, [(1, 2, 3), (1, 1, 0)]),
        (7, [(1, 2, 3), (1, 0, 0)]),
        (6, [(1, 2, 3), (0, 0, 0)]),
        (4, [(1, 2, 1), (0, 0, 0)]),
        (3, [(1, 2, 0), (0, 0, 0)]),
        (2, [(1, 1, 0), (0, 0, 0)]),
        (1, [(1, 0, 0), (0, 0, 0)]),
        (0, [(0, 0, 0), (0, 0, 0)]),
    ],
)
def test_a_short_supply_gives_what_it_has_in_the_order_star_limited_bonus_and_the_sale_stands(
    supply: int, expected: list[tuple[int, int, int]]
) -> None:
    sets = ["limited_extra_stars=2", "genre_bonus_stars=3"]
    events = visit(["2 picture limited", "", ""], 0, sets=sets, piles={"picture": "4 picture"}, supply=supply)
    found = of(events, "sale")
    assert gave(found) == expected
    assert [sale["pile_cleared"] for sale in found] == [True, False]
    assert events[-1]["supply"][1] == max(0, supply - 9)
    assert events[-1]["booths"][1][0] == [None, 0, "limited"]


def test_a_supply_that_runs_out_stops_no_sale_of_the_same_round() -> None:
    scene = Scene({1: ["2 comedy", "2 business", ""]}, at={0: (0, 2), 1: (0, 2)}, supply={1: 1})
    events = play_scene(scene, dice(gorilla=1, elephant=2))
    assert gave(of(events, "sale")) == [(1, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert events[-1]["piles"]["business"] == {"business": 2}
