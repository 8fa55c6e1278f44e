"""The MVP lottery: its exact chances against the rules, against every draw walked, and against the draw itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_hypergeom

from reports.console import console
from reports.mvp_odds import mvp_data, mvp_text
from sim.book_festival.lottery import (
    LOTTERY,
    MAX_DRAWS,
    REDRAW,
    SHARED,
    STARS,
    TIES,
    WHOLE_CHANCE,
    Tie,
    draw_mvp,
    exact_chances,
    first_chances,
    mvp_chances,
    mvp_odds,
    whole_chances,
)
from sim.errors import BadInput
from sim.jit import is_disabled, jit
from sim.rng import STREAM, start

FOUR = (20, 16, 12, 8)
CODES = {"redraw": REDRAW, "stars": STARS, "shared": SHARED}

SMALL_BAGS = [(2, 1), (3, 3), (1, 0), (0, 4), (2, 2, 1), (3, 1, 0), (1, 1, 1), (2, 2, 2), (4, 2, 1), (2, 1, 1, 1)]
OTHER_BAGS = [(5, 4), (7, 5, 3), (9, 9, 2), (6, 5, 4, 3), (4, 4, 4, 4), (5, 4, 3, 2, 1), (3, 3, 2, 2, 1, 1)]

bags = st.lists(st.integers(0, 25), min_size=2, max_size=6)
number_of_draws = st.integers(1, 30)
ties = st.sampled_from(TIES)


# --- The oracle of the oracle: every chip drawn, one after another, no formula -----------------------


def every_draw(left: tuple[int, ...], draws: int) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """Every order in which `draws` chips can come: its chance, and what it leaves in the bag."""
    if draws == 0 or sum(left) == 0:
        yield Fraction(1), left
        return
    for chance, _, rest in one_chip(left):
        for later, end in every_draw(rest, draws - 1):
            yield chance * later, end


def one_chip(left: tuple[int, ...]) -> Iterator[tuple[Fraction, int, tuple[int, ...]]]:
    """Every colour that can come next: its chance, the colour, and what is left in the bag."""
    for colour, chips in enumerate(left):
        if chips > 0:
            yield Fraction(chips, sum(left)), colour, (*left[:colour], chips - 1, *left[colour + 1 :])


def walked(stars: tuple[int, ...], draws: int, tie: Tie) -> list[Fraction]:
    """Each player's chance of being MVP, by walking every draw and every redraw."""
    chances = [Fraction(0)] * len(stars)

    def crown(players: list[int], chance: Fraction) -> None:
        for player in players:
            chances[player] += chance / len(players)

    def redraw(tied: list[int], left: tuple[int, ...], chance: Fraction) -> None:
        if sum(left) == 0:
            crown(tied, chance)
        for step, colour, rest in one_chip(left):
            if colour in tied:
                crown([colour], chance * step)
            else:
                redraw(tied, rest, chance * step)

    for chance, left in every_draw(stars, draws):
        drawn = [had - has for had, has in zip(stars, left, strict=True)]
        first = [player for player, chips in enumerate(drawn) if chips == max(drawn)]
        if len(first) > 1 and tie == "redraw":
            redraw(first, left, chance)
        elif len(first) > 1 and tie == "stars":
            crown([player for player in first if stars[player] == max(stars[p] for p in first)], chance)
        else:
            crown(first, chance)
    return chances


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("stars", SMALL_BAGS)
def test_the_chances_are_those_of_walking_every_draw(stars: tuple[int, ...], tie: Tie) -> None:
    for draws in range(1, min(sum(stars), 5) + 2):
        assert exact_chances(stars, draws, tie) == walked(stars, draws, tie)


@pytest.mark.parametrize("draws", [1, 2, 4, 7])
@pytest.mark.parametrize("stars", OTHER_BAGS)
def test_the_chances_are_those_of_the_multivariate_hypergeometric_distribution(
    stars: tuple[int, ...], draws: int
) -> None:
    shared, redrawn = np.zeros(len(stars)), np.zeros(len(stars))
    counts = [c for c in product(*(range(min(own, draws) + 1) for own in stars)) if sum(c) == draws]
    for count, chance in zip(counts, multivariate_hypergeom.pmf(counts, stars, draws), strict=True):
        first = np.array(count) == max(count)
        left = first * (np.array(stars) - count)
        shared += chance * first / first.sum()
        redrawn += chance * (left / left.sum() if left.sum() > 0 and first.sum() > 1 else first / first.sum())
    assert [float(chance) for chance in exact_chances(stars, draws, "shared")] == pytest.approx(shared, abs=1e-12)
    assert [float(chance) for chance in exact_chances(stars, draws, "redraw")] == pytest.approx(redrawn, abs=1e-12)


# --- What the rules say of it ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draws", "alone", "tied", "leader_tied"),
    [(1, 0.357, 0, 0), (5, 0.314, 0.341, 0.237), (10, 0.424, 0.246, 0.192), (30, 0.684, 0.120, 0.112)],
)
def test_the_values_to_meet(draws: int, alone: float, tied: float, leader_tied: float) -> None:
    for tie in TIES:
        odds = mvp_odds(FOUR, draws, tie)
        assert float(odds.leader_alone_first) == pytest.approx(alone, abs=0.0005)
        assert float(odds.tied_for_first) == pytest.approx(tied, abs=0.0005)
        assert float(odds.leader_tied_for_first) == pytest.approx(leader_tied, abs=0.0005)


@given(bags.filter(any), ties)
def test_with_one_draw_the_chance_is_the_star_share_exactly(stars: list[int], tie: Tie) -> None:
    assert exact_chances(stars, 1, tie) == [Fraction(own, sum(stars)) for own in stars]
    assert jitted(stars, 1, tie).tolist() == [own / sum(stars) for own in stars]


@settings(max_examples=50)
@given(bags, number_of_draws, ties)
def test_the_chances_sum_to_1_and_an_equal_player_has_an_equal_chance(stars: list[int], draws: int, tie: Tie) -> None:
    chances = exact_chances(stars, draws, tie)
    assert sum(chances) == 1
    by_stars = dict(zip(stars, chances, strict=True))
    assert all(chance == by_stars[own] for own, chance in zip(stars, chances, strict=True))


@pytest.mark.parametrize("tie", TIES)
def test_all_chips_are_drawn_when_there_are_fewer(tie: Tie) -> None:
    assert exact_chances((3, 2, 0), 5, tie) == exact_chances((3, 2, 0), 60, tie) == [1, 0, 0]
    assert exact_chances((2, 2, 1), 9, tie) == [Fraction(1, 2), Fraction(1, 2), 0]


@pytest.mark.parametrize("tie", TIES)
def test_a_bag_with_no_chips_is_shared_by_all(tie: Tie) -> None:
    odds = mvp_odds((0, 0, 0), 5, tie)
    assert odds.chances == [Fraction(1, 3)] * 3
    assert (odds.tied_for_first, odds.leader_tied_for_first, odds.leader_loses) == (1, 1, 0)


def test_a_tie_for_most_is_redrawn_or_goes_to_more_stars_or_is_shared() -> None:
    # After two draws of 3 + 1 chips: twice the first player (1/2), or one of each (1/2).
    assert exact_chances((3, 1), 2, "shared") == [Fraction(3, 4), Fraction(1, 4)]
    assert exact_chances((3, 1), 2, "stars") == [1, 0]
    assert exact_chances((3, 1), 2, "redraw") == [1, 0]  # only the first has chips left
    # 2 + 2: one of each in 2 of 3 draws, and then equal chips are left, and equal stars.
    assert all(exact_chances((2, 2), 2, tie) == [Fraction(1, 2), Fraction(1, 2)] for tie in TIES)


def test_leaders_who_share_the_lead_lose_only_together() -> None:
    odds = mvp_odds((5, 5, 2), 3, "redraw")
    assert odds.leader_loses == odds.chances[2] > 0
    assert odds.leader_alone_first == 1 - odds.leader_tied_for_first - Fraction(1, 22)  # 10 of 220: two of the third


def test_a_leader_who_is_mvp_with_others_does_not_lose() -> None:
    # Two of 2 + 1 + 1 chips: only one of each of the others (1 of 6 pairs) leaves the leader out.
    assert mvp_odds((2, 1, 1), 2, "shared").leader_loses == Fraction(1, 6)
    assert mvp_odds((2, 1, 1), 2, "shared").chances[0] == Fraction(1, 6) + Fraction(4, 6) / 2
    assert mvp_odds((2, 1, 1), 2, "stars").leader_loses == Fraction(1, 6)
    assert mvp_odds((2, 1, 1), 2, "redraw").leader_loses == Fraction(1, 6)  # nobody else has a chip left


@given(bags, number_of_draws, ties)
def test_a_leader_loses_when_only_others_are_mvp(stars: list[int], draws: int, tie: Tie) -> None:
    odds = mvp_odds(stars, draws, tie)
    leaders = [seat for seat, own in enumerate(stars) if own == max(stars)]
    alone = 1 - sum((odds.chances[seat] for seat in leaders), Fraction(0))
    if tie == "shared":
        assert odds.leader_loses == 1 - odds.leader_alone_first - odds.leader_tied_for_first <= alone
    else:
        assert odds.leader_loses == alone


def test_what_cannot_be_is_refused() -> None:
    wrong: list[tuple[Any, Any, Any, str]] = [
        ((3, -1), 1, "shared", r"stars\[1\] must be at least 0"),
        ((3, 1.5), 1, "shared", r"stars\[1\] must be a whole number"),
        ((3, 1), 0, "shared", "draws must be at least 1"),
        ((3,), 1, "shared", "2 to 6 players"),
        ((1,) * 7, 1, "shared", "2 to 6 players"),
        ((3, 1), 1, "redrow", "did you mean 'redraw'"),
    ]
    for stars, draws, tie, said in wrong:
        with pytest.raises(BadInput, match=said):
            mvp_odds(stars, draws, tie)


# --- The jitted chances ------------------------------------------------------------------------------

LOTTERIES = np.zeros(1, LOTTERY).view(np.recarray)


def jitted(stars: Sequence[int], draws: int, tie: Tie) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Each player's chance of being MVP as a game's end works it out."""
    chances = np.full(len(stars), np.nan)
    mvp_chances(np.array(stars), len(stars), draws, CODES[tie], LOTTERIES[0], chances)
    return chances


@settings(max_examples=300)
@given(bags, number_of_draws, ties)
@example([60] * 6, MAX_DRAWS, "redraw")
@example([60, 59, 40, 3, 1, 0], MAX_DRAWS, "redraw")
@example([200, 1, 0, 150, 7, 30], MAX_DRAWS, "stars")
@example([1, 1, 1, 1, 1, 1], 5, "redraw")
def test_the_jitted_chances_are_the_exact_ones(stars: list[int], draws: int, tie: Tie) -> None:
    exact = exact_chances(stars, draws, tie)
    chances = jitted(stars, draws, tie)
    assert np.abs(chances - [float(chance) for chance in exact]).max() < 1e-12
    assert abs(chances.sum() - 1) < 1e-12
    units = np.zeros(len(stars), np.int64)
    whole_chances(chances, len(stars), units)
    assert units.sum() == WHOLE_CHANCE
    assert all(abs(unit - chance * WHOLE_CHANCE) < 2 for unit, chance in zip(units.tolist(), exact, strict=True))
    first = first_chances(stars, draws)
    for found, edge in ((LOTTERIES[0].leader_first, max(stars)), (LOTTERIES[0].last_first, min(stars))):
        among = {seat for seat, own in enumerate(stars) if own == edge}
        assert abs(found - sum(chance for (seats, _), chance in first.items() if among & set(seats))) < 1e-12


def test_what_an_earlier_game_left_behind_does_not_matter() -> None:
    before = jitted((9, 8, 7, 6, 5), 11, "redraw").tobytes()
    for filler in (0, 1, 0x7F, 0xFF):
        LOTTERIES.view(np.uint8)[:] = filler
        assert jitted((9, 8, 7, 6, 5), 11, "redraw").tobytes() == before


@pytest.mark.skipif(is_disabled(), reason="an error of the compiled code")
def test_more_draws_than_there_is_room_for_are_an_error_unless_all_chips_are_drawn() -> None:
    assert jitted((3, 1), 500, "redraw").tolist() == [1, 0]
    with pytest.raises(ValueError, match="more chips than it has room for"):
        jitted((100, 100), MAX_DRAWS + 1, "redraw")


def field_names(dtype: np.dtype[Any]) -> Iterator[str]:
    """Every field of a record, and of the records in it."""
    for name in dtype.names or ():
        yield name
        yield from field_names(dtype[name].base)


def test_no_field_is_named_like_an_attribute_of_numpys_records() -> None:
    assert not [name for name in field_names(LOTTERY) if hasattr(np.recarray, name) or hasattr(np.record, name)]


# --- The draw ----------------------------------------------------------------------------------------


@jit
def draw_often(stars, seats, draws, tie, games, chance, drawn, wins):
    """Draw the MVP of so many games; a win counts 60, shared by those who share it."""
    for _ in range(games):
        first, _ = draw_mvp(stars, seats, draws, tie, chance, drawn)
        sharing = 0
        for seat in range(seats):
            sharing += first >> seat & 1
        for seat in range(seats):
            wins[seat] += (first >> seat & 1) * 60 // sharing


def streams(seed: int, count: int = 1) -> Any:
    """Streams of chance."""
    made = np.zeros(count, STREAM).view(np.recarray)
    with np.errstate(over="ignore"):
        start(made, seed, 0, count)
    return made


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(("stars", "draws"), [(FOUR, 5), ((6, 5, 5, 4, 3, 0), 8), ((2, 2, 1), 4)])
def test_drawn_games_are_won_as_often_as_the_chances_say(stars: tuple[int, ...], draws: int, tie: Tie) -> None:
    games = 2_000 if is_disabled() else 2_000_000
    wins = np.zeros(len(stars), np.int64)
    with np.errstate(over="ignore"):
        draw_often(
            np.array(stars), len(stars), draws, CODES[tie], games, streams(7)[0], np.zeros(sum(stars), np.int64), wins
        )
    assert wins.sum() == 60 * games
    for won, chance in zip(wins / 60 / games, map(float, exact_chances(stars, draws, tie)), strict=True):
        assert abs(won - chance) <= 4 * (chance * (1 - chance) / games) ** 0.5


def test_the_drawn_chips_are_told_in_order_with_the_redraw_at_the_end() -> None:
    stars, drawn, chance = np.array([3, 3, 2]), np.zeros(8, np.int64), streams(11)[0]
    redraws = 0
    for _ in range(300):
        with np.errstate(over="ignore"):
            first, count = draw_mvp(stars, 3, 4, REDRAW, chance, drawn)
        assert np.bincount(drawn, minlength=3).tolist() == stars.tolist()  # what comes after is still in the bag
        counts = np.bincount(drawn[:4], minlength=3)
        tied = [seat for seat in range(3) if counts[seat] == counts.max()]
        if len(tied) == 1:
            assert (first, count) == (1 << tied[0], 4)
        elif all(counts[seat] == stars[seat] for seat in tied):
            assert (first, count) == (sum(1 << seat for seat in tied), 8)
        else:
            redraws += 1
            assert first == 1 << drawn[count - 1]
            assert drawn[count - 1] in tied
            assert not set(drawn[4 : count - 1]) & set(tied)
    assert redraws > 50


def test_an_empty_bag_draws_nothing_and_is_shared_by_all() -> None:
    for tie in CODES.values():
        assert draw_mvp(np.zeros(3, np.int64), 3, 5, tie, streams(1)[0], np.zeros(1, np.int64)) == (0b111, 0)


# --- The same compiled and not -----------------------------------------------------------------------


def fingerprint() -> str:
    """Chances, to the last bit, and draws of many bags, as a text."""
    rng = np.random.default_rng(3)
    words = []
    drawn = np.zeros(200, np.int64)
    for case, chance in enumerate(streams(5, 60)):
        stars = rng.integers(0, 15, 2 + case % 5)
        draws, tie = int(rng.integers(1, 16)), TIES[case % 3]
        chances, units = jitted(stars.tolist(), draws, tie), np.zeros(len(stars), np.int64)
        whole_chances(chances, len(stars), units)
        with np.errstate(over="ignore"):
            first, count = draw_mvp(stars, len(stars), draws, CODES[tie], chance, drawn)
        words += [chances.tobytes().hex(), str(units.tolist()), f"{first} {count} {drawn[:count].tolist()}"]
    return "\n".join(words)


@pytest.mark.skipif(is_disabled(), reason="compares with compiled code")
def test_chances_and_draws_are_the_same_bit_for_bit_with_jit_off() -> None:
    root = Path(__file__).parents[2]
    code = "from tests.book_festival.test_lottery import fingerprint; print(fingerprint())"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == fingerprint()


# --- `steelyard odds --stars` ------------------------------------------------------------------------


def shown(*asked: str) -> str:
    """What the command prints."""
    out = console()
    with out.capture() as capture:
        for part in mvp_text(*asked):
            out.print(part)
    return capture.get()


def test_the_odds_are_told_as_number_and_fraction() -> None:
    text = shown("20, 16,12,8", "5", "redraw")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "5 of 56 chips drawn, tie: redraw" in lines[0]
    assert lines[2:6] == [
        "1 20 0.461189 513817/1114113",
        "2 16 0.300667 287123/954954",
        "3 12 0.167840 50998/303849",
        "4 8 0.070304 3197/45474",
    ]
    assert [line.split()[-2:] for line in lines[-4:]] == [
        ["0.538811", "600296/1114113"],
        ["0.340783", "162716/477477"],
        ["0.237163", "113240/477477"],
        ["0.314142", "99997/318318"],
    ]


def test_the_document_has_the_odds_and_their_fractions() -> None:
    document = mvp_data("20,16,12,8", "5", "redraw")
    odds = mvp_odds(FOUR, 5, "redraw")
    assert isinstance(document, dict)
    assert (document["stars"], document["draws"], document["tie"]) == ([20, 16, 12, 8], 5, "redraw")
    assert document["chances"] == [float(chance) for chance in odds.chances]
    assert [Fraction(chance) for chance in document["chances_exact"]] == odds.chances
    for key in ("leader_loses", "tied_for_first", "leader_tied_for_first", "leader_alone_first"):
        assert document[key] == float(getattr(odds, key))
        assert Fraction(document[f"{key}_exact"]) == getattr(odds, key)


def test_a_range_of_draws_is_a_curve() -> None:
    documents = mvp_data("20,16,12,8", "1:30", "redraw")
    assert isinstance(documents, list)
    assert [document["draws"] for document in documents] == list(range(1, 31))
    assert documents[4] == mvp_data("20,16,12,8", "5", "redraw")
    lines = shown("20,16,12,8", "1:30:5", "redraw").splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["1", "6", "11", "16", "21", "26"]
    assert lines[2].split()[1:] == ["0.6429", "0.0000", "0.0000", "0.3571", "0.2857", "0.2143", "0.1429"]


@pytest.mark.parametrize(
    ("stars", "draws", "tie", "said"),
    [
        ("20,-1", "5", "redraw", "--stars: '-1' is no whole number from 0 to 999"),
        ("20,1.5", "5", "redraw", "--stars: '1.5' is no whole number"),
        ("20,²", "5", "redraw", "--stars: '²' is no whole number"),
        ("20", "5", "redraw", "--stars: 2 to 6 players"),
        ("1,2,3,4,5,6,7", "5", "redraw", "--stars: 2 to 6 players"),
        ("20,5", "0", "redraw", "--draws: '0' is no whole number from 1 to 999"),
        ("20,5", "9:1", "redraw", "--draws: '9:1' ends before it begins"),
        ("20,5", "1:9:0", "redraw", "--draws: '0' is no whole number"),
        ("20,5", "1:9:2:2", "redraw", "--draws: '1:9:2:2' is no number, range"),
        ("999,999,999,999,999,999", "999", "redraw", "--draws: too many"),
        ("20,5", "5", "redrow", "did you mean 'redraw'"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(stars: str, draws: str, tie: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        mvp_text(stars, draws, tie)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
