"""What an animal buys that stops on a slot, and in which order."""

import pytest

from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import dice
from tests.book_festival.visit import sales, sold, visit
from tests.games.stage import of

FAVOURITES = {
    "gorilla": "comedy", "elephant": "business", "cheetah": "sports", "panda": "cooking", "owl": "mystery",
    "penguin": "picture",
}  # fmt: skip
CHAIN, ALL = "recommended_chain=true", "camel_adjacent=all"


def times(count: int, *sales_told: str) -> str:
    """The same sales so many times over."""
    return " ".join(sales_told * count)


# --- Favourite or single -----------------------------------------------------------------------------


@pytest.mark.parametrize("animal", FAVOURITES)
def test_an_animal_buys_every_book_of_its_favourite_genre_and_else_1(animal: str) -> None:
    for genre in FAVOURITES.values():
        is_favourite = genre == FAVOURITES[animal]
        expected = times(3, "0 favourite") if is_favourite else "0 single"
        assert sold([f"3 {genre}", "", ""], 0, animal) == expected


def test_an_animal_buys_only_on_the_slot_where_it_stops() -> None:
    booth = ["2 picture", "2 picture", "2 picture"]
    assert sold(booth, 1) == "1 favourite 1 favourite"
    assert sold(["2 picture", "", "2 picture"], 1) == ""


def test_a_sale_names_owner_buyer_genre_and_its_pile() -> None:
    (sale,) = sales(["", "2 comedy", ""], 1)
    assert sale == {
        "event": "sale", "owner": 1, "slot": 1, "genre": "comedy", "buyer": 0, "cause": "single", "pile": "comedy",
        "star": 1, "limited": 0, "bonus": 0, "pile_cleared": False,
    }  # fmt: skip


def test_books_sold_leave_the_slot_and_the_last_one_leaves_it_without_a_genre() -> None:
    assert visit(["3 comedy trial", "", ""], 0)[-1]["booths"][1][0] == ["comedy", 2, "trial"]
    assert visit(["1 comedy trial", "", ""], 0)[-1]["booths"][1][0] == [None, 0, "trial"]
    assert visit(["3 picture", "", ""], 0)[-1]["booths"][1][0] == [None, 0, None]


def test_an_animal_buys_in_its_own_booth_too() -> None:
    events = play_scene(Scene({0: ["", "2 comedy", ""]}), dice(gorilla=1))
    assert [(sale["owner"], sale["buyer"]) for sale in of(events, "sale")] == [(0, 0)] * 2


def test_a_later_animal_finds_what_the_earlier_ones_left() -> None:
    scene = Scene({2: ["3 comedy", "", ""]}, at={1: (1, 2), 0: (1, 2), 2: (1, 2)})
    events = play_scene(scene, dice(gorilla=1, elephant=1, cheetah=1))
    assert [(sale["buyer"], sale["cause"]) for sale in of(events, "sale")] == [(0, "favourite")] * 3
    scene = Scene({2: ["2 sports", "", ""]}, at={1: (1, 2), 0: (1, 2), 2: (1, 2)})
    events = play_scene(scene, dice(gorilla=1, elephant=1, cheetah=1))
    assert [(sale["buyer"], sale["cause"]) for sale in of(events, "sale")] == [(0, "single"), (1, "single")]


# --- Camel -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("booth", "stop", "switch", "expected"),
    [
        (["2 comedy", "3 comedy", "2 comedy"], 1, "one", "1 single 0 camel 2 camel"),
        (["2 comedy", "3 comedy", "2 comedy"], 1, "all", "1 single 0 camel 0 camel 2 camel 2 camel"),
        (["2 comedy", "3 comedy", "2 comedy"], 0, "one", "0 single 1 camel"),
        (["2 comedy", "3 comedy", "2 comedy"], 2, "all", "2 single 1 camel 1 camel 1 camel"),
        (["2 sports", "3 comedy", "1 comedy"], 1, "one", "1 single 2 camel"),
        (["1 comedy", "1 comedy", ""], 1, "all", "1 single 0 camel"),
        (["2 comedy", "", "2 comedy"], 1, "all", ""),
        (["1 mystery", "3 comedy", "1 picture"], 1, "all", "1 single"),
    ],
)
def test_the_camel_buys_1_and_from_each_adjacent_slot_of_the_same_genre_left_then_right(
    booth: list[str], stop: int, switch: str, expected: str
) -> None:
    assert sold(booth, stop, "camel", f"camel_adjacent={switch}") == expected


def test_another_animal_buys_nothing_beside() -> None:
    assert sold(["2 comedy", "3 comedy", "2 comedy"], 1, "penguin", ALL) == "1 single"


# --- Chameleon ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("genre", FAVOURITES.values())
def test_the_chameleon_buys_every_book_of_any_genre(genre: str) -> None:
    assert sold([f"3 {genre}", f"2 {genre}", ""], 0, "chameleon") == times(3, "0 chameleon")


@pytest.mark.parametrize("limit", [3, 4, 6])
@pytest.mark.parametrize("skip", ["pass_over", "no_sale"])
def test_the_chameleon_never_buys_where_chameleon_limit_books_are(limit: int, skip: str) -> None:
    sets = (f"chameleon_limit={limit}", f"chameleon_skip={skip}")
    assert sold([f"{limit - 1} comedy", "", ""], 0, "chameleon", *sets) == times(limit - 1, "0 chameleon")
    assert sold([f"{limit} comedy", "", ""], 0, "chameleon", *sets) == ""


def test_chameleon_limit_concerns_stopping_only() -> None:
    """What Recommended Series sells beside may be more."""
    booth = ["9 comedy", "2 comedy recommended", ""]
    assert sold(booth, 1, "chameleon", "chameleon_skip=no_sale") == "1 chameleon 1 chameleon " + times(
        9, "0 recommended"
    )


# --- Recommended Series ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("booth", "stop", "expected"),
    [
        (["2 comedy", "2 comedy recommended", "1 comedy"], 1, "1 single 0 recommended 0 recommended 2 recommended"),
        (["2 comedy", "2 comedy recommended", "1 comedy"], 0, "0 single"),
        (["1 picture", "2 picture recommended", "1 comedy"], 1, "1 favourite 1 favourite 0 recommended"),
        (["1 comedy recommended", "1 sports", "1 comedy"], 0, "0 single"),
        (["1 comedy recommended", "1 comedy", "1 comedy"], 0, "0 single 1 recommended"),
        (["1 comedy", "1 sports", "3 comedy recommended"], 2, "2 single"),
        (["1 comedy", "recommended", "1 comedy"], 1, ""),
    ],
)
def test_all_books_on_adjacent_slots_of_the_same_genre_are_bought_too_left_then_right(
    booth: list[str], stop: int, expected: str
) -> None:
    assert sold(booth, stop) == expected


def test_those_sales_trigger_no_further_recommended() -> None:
    booth = ["1 comedy", "1 comedy recommended", "2 comedy recommended"]
    assert sold(booth, 2) == "2 single 1 recommended"


def test_with_recommended_chain_they_do_and_books_left_where_it_began_go_too() -> None:
    booth = ["1 comedy", "1 comedy recommended", "3 comedy recommended"]
    assert sold(booth, 2, "penguin", CHAIN) == "2 single 1 recommended 0 recommended 2 recommended 2 recommended"


def test_a_chain_goes_on_breadth_first() -> None:
    """Both neighbours before theirs, the left side's next before the right side's."""
    booth = [f"1 comedy{pop}" for pop in (" recommended", " recommended", " recommended", " recommended", "")]
    assert sold(booth, 2, "penguin", CHAIN) == ("2 single 1 recommended 3 recommended 0 recommended 4 recommended")


def test_a_chain_ends_at_a_slot_without_recommended_another_genre_or_an_empty_slot() -> None:
    booth = ["1 comedy", "1 comedy", "1 comedy recommended", "1 sports recommended", "1 comedy"]
    assert sold(booth, 2, "penguin", CHAIN) == "2 single 1 recommended"
    booth = ["1 comedy recommended", "recommended", "1 comedy recommended", "1 comedy recommended", "1 comedy"]
    assert sold(booth, 2, "penguin", CHAIN) == "2 single 3 recommended 4 recommended"


def test_recommended_sells_in_that_booth_alone() -> None:
    scene = Scene({0: ["", "", "1 comedy"], 1: ["2 comedy recommended", "", ""]}, at={0: (0, 2)})
    events = play_scene(scene, dice(gorilla=1))
    assert {(sale["owner"], sale["slot"]) for sale in of(events, "sale")} == {(1, 0)}


# --- Camel and Recommended Series --------------------------------------------------------------------


def test_recommended_comes_after_the_camels_neighbours_and_takes_what_they_left() -> None:
    booth = ["2 comedy", "2 comedy recommended", "2 comedy"]
    assert sold(booth, 1, "camel") == "1 single 0 camel 2 camel 0 recommended 2 recommended"


def test_a_camels_adjacent_sale_on_a_recommended_slot_triggers_it_too() -> None:
    """In the order of selling: the stopped slot, the left, the right; the stopped slot's books are beside theirs."""
    booth = ["1 comedy", "1 comedy recommended", "3 comedy", "1 comedy recommended", "2 comedy"]
    assert sold(booth, 2, "camel") == (
        "2 single 1 camel 3 camel 0 recommended 2 recommended 2 recommended 4 recommended 4 recommended"
    )


def test_a_camel_and_a_chain_may_come_back_to_every_slot() -> None:
    booth = ["2 comedy recommended", "2 comedy recommended", "2 comedy recommended"]
    assert sold(booth, 1, "camel", CHAIN) == "1 single 0 camel 2 camel 0 recommended 2 recommended 1 recommended"


def test_the_longest_chain_that_a_booth_can_hold() -> None:
    """Fifteen slots, of which the camel sells three twice."""
    sets = ["main_shelf_slots=6", "end_shelf_slots=3", "end_shelves_max=3", CHAIN]
    found = sales(["2 comedy recommended"] * 15, 7, "camel", sets)
    assert len(found) == 30
    assert [sale["slot"] for sale in found[:3]] == [7, 6, 8]
    assert {sale["slot"] for sale in found} == set(range(15))


# --- Adjacency ---------------------------------------------------------------------------------------


def test_the_first_slot_of_an_end_shelf_is_adjacent_to_the_last_slot_before_it() -> None:
    booth = ["", "", "2 comedy recommended", "1 comedy"]
    assert sold(booth, 2) == "2 single 3 recommended"
    assert sold(["", "", "2 comedy", "1 comedy recommended"], 3) == "3 single 2 recommended 2 recommended"
    assert sold(["", "", "2 comedy", "1 comedy", "1 comedy"], 3, "camel") == "3 single 2 camel 4 camel"
