"""The festival's MVP: chips drawn from the vote bag, and the exact chances of it."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt

import pytest

from sim.book_festival.lottery import exact_chances
from tests.book_festival.scene import Scene, play_scene
from tests.games.stage import Event, of

STARS = [(5, 3, 1), (4, 4, 4), (7, 0, 2), (1, 1, 0), (0, 0, 6), (15, 14, 13)]
TIES = ("redraw", "stars", "shared")


def crowned(stars: Sequence[int], *sets: str, index: int = 0) -> Event:
    """The MVP event of a game that ends with these stars in the bag."""
    scene = Scene(stars=dict(enumerate(stars)), supply={seat: 60 - own for seat, own in enumerate(stars)})
    (mvp,) = of(play_scene(scene, ["stars_per_player=60", *sets], index=index), "mvp")
    return mvp


def leaders_of(counts: Sequence[int]) -> list[int]:
    return [seat for seat, count in enumerate(counts) if count == max(counts)]


def drawn_of(mvp: Event, draws: int) -> tuple[list[int], list[int]]:
    """Chips by seat of the first draws, and what was drawn on."""
    first = mvp["drawn"][:draws]
    return [first.count(seat) for seat in range(3)], mvp["drawn"][draws:]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("draws", [1, 3, 5, 30, 60])
@pytest.mark.parametrize("stars", STARS)
def test_the_chances_are_the_exact_fractions_of_the_lottery(stars: tuple[int, ...], draws: int, tie: str) -> None:
    mvp = crowned(stars, f"mvp_draws={draws}", f"mvp_tie={tie}")
    assert mvp["stars"] == list(stars)
    assert mvp["chances"] == pytest.approx([float(chance) for chance in exact_chances(stars, draws, tie)], abs=1e-12)


@pytest.mark.parametrize("draws", [1, 5, 8])
def test_mvp_draws_chips_are_drawn_without_replacement_all_of_them_when_fewer(draws: int) -> None:
    for stars in STARS:
        for index in range(4):
            mvp = crowned(stars, f"mvp_draws={draws}", "mvp_tie=shared", index=index)
            assert len(mvp["drawn"]) == min(draws, sum(stars))
            assert all(mvp["drawn"].count(seat) <= own for seat, own in enumerate(stars))


def test_the_most_drawn_chips_make_the_mvp() -> None:
    for index in range(30):
        mvp = crowned((6, 5, 4), "mvp_draws=3", index=index)
        counts, _ = drawn_of(mvp, 3)
        if counts.count(max(counts)) == 1:
            assert mvp["win_share"] == [float(count == max(counts)) for count in counts]


def test_by_default_a_tie_is_drawn_on_until_one_of_the_tied_colours_comes_which_decides() -> None:
    seen = set()
    for index in range(60):
        mvp = crowned((5, 5, 5), "mvp_draws=2", index=index)
        counts, more = drawn_of(mvp, 2)
        tied = leaders_of(counts)
        if len(tied) == 1:
            assert more == []
            continue
        assert more[-1] in tied
        assert not set(more[:-1]) & set(tied)
        assert mvp["win_share"] == [float(seat == more[-1]) for seat in range(3)]
        seen.add(len(more))
    assert len(seen) > 1


def test_a_redraw_that_empties_the_bag_is_shared() -> None:
    mvp = crowned((1, 1, 0), "mvp_draws=5")
    assert (sorted(mvp["drawn"]), mvp["win_share"]) == ([0, 1], [0.5, 0.5, 0])
    mvp = crowned((2, 2, 2), "mvp_draws=60")
    assert mvp["win_share"] == pytest.approx([1 / 3] * 3)


def test_with_mvp_tie_stars_more_stars_decide_and_equal_ones_share() -> None:
    for index in range(40):
        mvp = crowned((6, 4, 4), "mvp_draws=2", "mvp_tie=stars", index=index)
        tied = leaders_of(drawn_of(mvp, 2)[0])
        winners = [0] if 0 in tied else tied
        assert mvp["win_share"] == [1 / len(winners) if seat in winners else 0 for seat in range(3)]


def test_with_mvp_tie_shared_the_tied_share() -> None:
    shares = set()
    for index in range(40):
        mvp = crowned((6, 4, 4), "mvp_draws=3", "mvp_tie=shared", index=index)
        tied = leaders_of(drawn_of(mvp, 3)[0])
        assert mvp["win_share"] == pytest.approx([1 / len(tied) if seat in tied else 0 for seat in range(3)])
        shares.add(len(tied))
    assert shares == {1, 3}


@pytest.mark.parametrize("tie", TIES)
def test_a_bag_with_no_chips_at_all_is_shared_by_all(tie: str) -> None:
    mvp = crowned((0, 0, 0), f"mvp_tie={tie}")
    assert mvp["drawn"] == []
    assert mvp["chances"] == pytest.approx([1 / 3] * 3)
    assert mvp["win_share"] == pytest.approx([1 / 3] * 3)


def test_each_chip_of_the_bag_is_as_likely_to_be_the_first_and_the_last_drawn() -> None:
    games, stars = 400, (6, 3, 1)
    drawn = [crowned(stars, "mvp_draws=3", "mvp_tie=shared", index=index)["drawn"] for index in range(games)]
    for place in (0, 2):
        found = Counter(chips[place] for chips in drawn)
        for seat, own in enumerate(stars):
            chance = own / 10
            assert abs(found[seat] - games * chance) < 5 * sqrt(games * chance * (1 - chance))
