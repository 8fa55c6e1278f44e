"""The MVP lottery of Book Festival: its exact chances, and the draw itself.

"Each player adds chips to the vote bag equal to the stars they collected, the bag is shuffled, and a set number
of chips are drawn. The player whose colour is drawn the most is the MVP." All chips are drawn when there are
fewer; a bag with no chips makes everybody first with none. What a tie for most leads to is a switch, `mvp_tie`:

- redraw: go on drawing single chips until one of the tied colours comes, which decides; shared if the bag empties;
- stars: the one of them with more stars, shared if those are equal too;
- shared: all of them are MVP, in equal shares.

First comes the slow, obvious oracle in fractions; then, jitted, the same chances for the end of every game, and
the draw. Both sum over who is first and with how many chips, `top`: each of those draws exactly `top`, everybody
else fewer.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Literal, get_args

import numpy as np

from sim.errors import BadInput, unknown, whole
from sim.jit import jit
from sim.rng import below

Tie = Literal["redraw", "stars", "shared"]

#: What a tie for most drawn chips leads to: the values of the switch `mvp_tie`, by number in jitted code.
TIES: tuple[Tie, ...] = get_args(Tie)
REDRAW, STARS, SHARED = range(3)

MAX_SEATS = 6
#: Most chips that the jitted code draws before a tie is settled.
MAX_DRAWS = 60

#: The chance 1 in the units of 2^-24 in which games are counted, so that their sums are whole numbers.
WHOLE_CHANCE = 1 << 24


# --- The oracle --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MvpOdds:
    """What can be said of the MVP before the draw; see `mvp_odds`.

    A star leader is a player with most stars: one player, or several who share the lead.
    """

    stars: list[int]
    draws: int
    tie: Tie
    chances: list[Fraction]
    """Each player's chance of being MVP; a shared MVP counts in equal parts, so they add up to 1."""
    leader_loses: Fraction
    """Chance that the MVP is no star leader: what is left of 1 without all the leaders' chances."""
    tied_for_first: Fraction
    """Chance that several players are first after `draws` chips, whatever settles the tie."""
    leader_tied_for_first: Fraction
    """Chance of a tie for first that a star leader is part of."""
    leader_alone_first: Fraction
    """Chance that a star leader is alone first after `draws` chips."""


def mvp_odds(stars: Sequence[int], draws: int, tie: Tie) -> MvpOdds:
    """Return the exact odds of the MVP when `draws` chips are drawn from a bag with these stars.

    Raises BadInput unless there are 2 to 6 players, no stars below 0, draws >= 1 and `tie` is one of `TIES`.
    """
    stars = [whole(f"stars[{seat}]", own, 0) for seat, own in enumerate(stars)]
    draws = whole("draws", draws, 1)
    if not 2 <= len(stars) <= MAX_SEATS:
        raise BadInput(f"stars must be those of 2 to {MAX_SEATS} players, not of {len(stars)}")
    if tie not in TIES:
        raise unknown("tie rule", tie, TIES)
    leaders = {seat for seat, own in enumerate(stars) if own == max(stars)}
    chances = [Fraction(0)] * len(stars)
    tied_for_first, leader_tied, leader_alone = Fraction(0), Fraction(0), Fraction(0)
    for (first, top), chance in first_chances(stars, draws).items():
        for seat, share in _shares(stars, first, top, tie).items():
            chances[seat] += chance * share
        if len(first) > 1:
            tied_for_first += chance
            leader_tied += chance if leaders & set(first) else 0
        elif leaders & set(first):
            leader_alone += chance
    return MvpOdds(
        stars=stars,
        draws=draws,
        tie=tie,
        chances=chances,
        leader_loses=1 - sum((chances[seat] for seat in leaders), Fraction(0)),
        tied_for_first=tied_for_first,
        leader_tied_for_first=leader_tied,
        leader_alone_first=leader_alone,
    )


def exact_chances(stars: Sequence[int], draws: int, tie: Tie) -> list[Fraction]:
    """Return each player's exact chance of being MVP; see `mvp_odds`, which raises the same errors."""
    return mvp_odds(stars, draws, tie).chances


def first_chances(stars: Sequence[int], draws: int) -> dict[tuple[tuple[int, ...], int], Fraction]:
    """Return the chance of each (seats that are first after `draws` chips, chips that each of those drew)."""
    draws = min(draws, sum(stars))
    every_draw = comb(sum(stars), draws)
    found = {}
    for top in range(draws + 1):
        for size in range(1, len(stars) + 1):
            for first in combinations(range(len(stars)), size):
                others = [own for seat, own in enumerate(stars) if seat not in first]
                ways = prod(comb(stars[seat], top) for seat in first)
                ways = ways and ways * _ways_below(others, draws - size * top, top)
                if ways:
                    found[first, top] = Fraction(ways, every_draw)
    return found


def _ways_below(stars: Sequence[int], draws: int, top: int) -> int:
    """Return in how many ways these players together draw `draws` chips, each of them fewer than `top`."""
    if not 0 <= draws <= sum(min(own, top - 1) for own in stars):
        return 0
    ways = [1] + [0] * draws  # by number of chips, of the players so far
    for own in stars:
        one = [comb(own, chips) for chips in range(min(own + 1, top))]
        ways = [sum(map(operator.mul, one, reversed(ways[: chips + 1]))) for chips in range(draws + 1)]
    return ways[draws]


def _shares(stars: Sequence[int], first: Sequence[int], top: int, tie: Tie) -> dict[int, Fraction]:
    """Return which share of the MVP each of the seats has that are first with `top` chips each.

    In a redraw the first chip of a tied colour decides, and other colours only delay it: each tied player wins
    in proportion to the chips that they have left in the bag.
    """
    left = {seat: stars[seat] - top for seat in first}
    if tie == "redraw" and sum(left.values()) > 0:
        return {seat: Fraction(chips, sum(left.values())) for seat, chips in left.items()}
    if tie == "stars":
        first = [seat for seat in first if left[seat] == max(left.values())]
    return {seat: Fraction(1, len(first)) for seat in first}


# --- The chances, at the end of every game -----------------------------------------------------------

# The seats are taken in two halves, and the sets of seats of each half by number: bit k is the half's seat k.
_SETS = 1 << MAX_SEATS // 2
_HALF = np.dtype(
    [
        ("below", "f8", (_SETS, MAX_DRAWS + 1)),  # [set, n]: ways in which the set draws n, each fewer than top
        ("reach", "i8", (_SETS,)),  # [set]: most chips that it can draw so
        ("tied", "f8", (_SETS,)),  # [set]: ways in which each of the set draws top
        ("members", "i8", (_SETS,)),  # [set]: seats in it
    ]
)

#: What `mvp_chances` works in; it need not be cleared.
LOTTERY = np.dtype([("ways", "f8", (MAX_SEATS,)), ("halves", _HALF, (2,))])


@jit
def mvp_chances(stars, seats, draws, tie, lottery, chances):
    """Fill each seat's chance of being MVP: most drawn chips, a tie for most settled by the rule `tie`.

    stars: whole numbers, one a seat; draws: 1 .. MAX_DRAWS, or no fewer than there are chips; lottery: a record of
    type LOTTERY; chances: float64, one a seat.

    Counts ways, as floats: sums and products of what is not negative, good to about 1e-14. The step from one
    `top` to the next is cheap: a set's ways to stay below top + 1 are those to stay below top, and for each part
    of it that draws exactly `top` the ways of its rest to stay below.
    """
    chips, most = 0, 0
    for seat in range(seats):
        chips += stars[seat]
        most = max(most, stars[seat])
        chances[seat] = 0.0
        lottery.ways[seat] = 1.0
    if draws >= chips:
        _draw_all(stars, seats, most, chances)
        return
    if draws > MAX_DRAWS:
        raise ValueError("the MVP lottery draws more chips than it has room for")
    middle = seats >> 1
    left, right = lottery.halves[0], lottery.halves[1]
    _start_half(left, middle, draws)
    _start_half(right, seats - middle, draws)
    whole = 0.0
    most = min(most, draws)
    for top in range(1, most + 1):
        reach = 0
        for seat in range(seats):
            lottery.ways[seat] *= max(stars[seat] - top + 1, 0) / top
            reach += min(stars[seat], top)
        _tie_half(left, stars, 0, middle, lottery.ways, top)
        _tie_half(right, stars, middle, seats, lottery.ways, top)
        if reach >= draws:
            whole += _weigh(stars, seats, draws, tie, top, left, right, chances)
        if top < most:
            _raise_half(left, middle, draws, top)
            _raise_half(right, seats - middle, draws, top)
    for seat in range(seats):
        chances[seat] /= whole


@jit
def _draw_all(stars, seats, most, chances):
    """All chips are drawn: those with most stars are first, and nothing is left that could settle a tie."""
    leaders = 0
    for seat in range(seats):
        leaders += stars[seat] == most
    for seat in range(seats):
        if stars[seat] == most:
            chances[seat] = 1 / leaders


@jit
def _start_half(half, seats, draws):
    """Below a top of 1 nobody draws a chip, which can happen in one way."""
    below, members = half.below, half.members
    members[0] = 0
    for seats_in in range(1 << seats):
        below[seats_in, 0] = 1.0
        for chips in range(1, draws + 1):
            below[seats_in, chips] = 0.0
    for seat in range(seats):
        for seats_in in range(1 << seat):
            members[seats_in | 1 << seat] = members[seats_in] + 1


@jit
def _tie_half(half, stars, start, stop, ways, top):
    """Note for each set of the half's seats its ways to draw `top` chips each, and how far it can stay below."""
    tied, reach = half.tied, half.reach
    tied[0], reach[0] = 1.0, 0
    for seat in range(start, stop):
        bit = 1 << seat - start
        for seats_in in range(bit):
            tied[seats_in | bit] = tied[seats_in] * ways[seat]
            reach[seats_in | bit] = reach[seats_in] + min(stars[seat], top - 1)


@jit
def _raise_half(half, seats, draws, top):
    """Let every set of the half's seats draw `top` chips too: those of it that do, and its rest below."""
    below, reach, tied, members = half.below, half.reach, half.tied, half.members
    room = draws - top - 1  # from now on somebody who is first draws more than top
    for seats_in in range((1 << seats) - 1, 0, -1):  # a set before its parts, which are still below top
        part = seats_in
        while part > 0:
            drawn = members[part] * top
            ways = tied[part]
            rest = seats_in ^ part
            if ways > 0:
                for chips in range(min(reach[rest], room - drawn) + 1):
                    below[seats_in, drawn + chips] += ways * below[rest, chips]
            part = (part - 1) & seats_in


@jit
def _weigh(stars, seats, draws, tie, top, left, right, chances):
    """Add the ways of each set of seats to be first with `top` chips to their chances; return the sum of ways."""
    middle = seats >> 1
    left_sets, right_sets = 1 << middle, 1 << seats - middle
    left_below, right_below = left.below, right.below
    whole = 0.0
    for right_first in range(right_sets):
        if right.members[right_first] * top > draws or right.tied[right_first] == 0:
            continue
        for left_first in range(left_sets):
            first = left.members[left_first] + right.members[right_first]
            chips = draws - first * top
            ways = left.tied[left_first] * right.tied[right_first]
            if first == 0 or chips < 0 or ways == 0:
                continue
            left_rest, right_rest = left_sets - 1 - left_first, right_sets - 1 - right_first
            rest_ways = 0.0
            fewest = max(0, chips - right.reach[right_rest])
            for drawn in range(fewest, min(chips, left.reach[left_rest]) + 1):
                rest_ways += left_below[left_rest, drawn] * right_below[right_rest, chips - drawn]
            ways *= rest_ways
            whole += ways
            _give(stars, seats, tie, top, left_first | right_first << middle, first, ways, chances)
    return whole


@jit
def _give(stars, seats, tie, top, first, members, ways, chances):
    """Divide the ways of a set of seats to be first with `top` chips each among them, by the tie rule."""
    left, most = 0, 0
    if tie == REDRAW and members > 1:
        for seat in range(seats):
            left += (first >> seat & 1) * (stars[seat] - top)
        if left > 0:
            one = ways / left
            for seat in range(seats):
                chances[seat] += one * ((first >> seat & 1) * (stars[seat] - top))
            return
    if tie == STARS:
        for seat in range(seats):
            most = max(most, (first >> seat & 1) * stars[seat])
        members = 0
        for seat in range(seats):
            members += (first >> seat & 1) * (stars[seat] == most)
    one = ways / members
    for seat in range(seats):
        chances[seat] += one * ((first >> seat & 1) * (stars[seat] >= most))


@jit
def whole_chances(chances, seats, units):
    """Fill each seat's chance in units of 2^-24 so that they sum to WHOLE_CHANCE: the largest rests round up."""
    missing = WHOLE_CHANCE
    for seat in range(seats):
        units[seat] = np.int64(chances[seat] * WHOLE_CHANCE)
        missing -= units[seat]
    for _ in range(missing):
        largest = 0
        for seat in range(seats):
            if chances[seat] * WHOLE_CHANCE - units[seat] > chances[largest] * WHOLE_CHANCE - units[largest]:
                largest = seat
        units[largest] += 1


# --- The draw ----------------------------------------------------------------------------------------


@jit
def draw_mvp(stars, seats, draws, tie, chance, drawn):
    """Draw `draws` chips, settle a tie for most by the rule `tie`: (the MVP, or who share it, as bits; chips drawn).

    stars: whole numbers, one a seat; chance: a stream; drawn: int64, room for all chips: its first ones become the
    seats whose chips were drawn, in that order, those of a redraw at the end.
    """
    chips = 0
    for seat in range(seats):
        for _ in range(stars[seat]):
            drawn[chips] = seat
            chips += 1
    count = min(draws, chips)
    for place in range(count):
        _draw_chip(chance, drawn, place, chips)
    first = _drawn_most(drawn, count, seats)
    if tie == STARS:
        return _with_most_stars(stars, seats, first), count
    while tie == REDRAW and first & (first - 1) and count < chips:
        seat = _draw_chip(chance, drawn, count, chips)
        count += 1
        if first >> seat & 1:
            first = 1 << seat
    return first, count


@jit
def _draw_chip(chance, drawn, place, chips):
    """Draw one of the chips still in the bag, those from `place` on, to that place; return whose it is."""
    other = place + below(chance, chips - place)
    seat = drawn[other]
    drawn[other] = drawn[place]
    drawn[place] = seat
    return seat


@jit
def _drawn_most(drawn, count, seats):
    """The seats of which most of the first `count` chips are, as bits."""
    most, first = 0, 0
    for seat in range(seats):
        chips = 0
        for place in range(count):
            chips += drawn[place] == seat
        if chips > most:
            most, first = chips, 0
        if chips == most:
            first |= 1 << seat
    return first


@jit
def _with_most_stars(stars, seats, among):
    """Those with most stars of the seats in `among`, as bits."""
    most, found = 0, 0
    for seat in range(seats):
        if among >> seat & 1:
            if stars[seat] > most:
                most, found = stars[seat], 0
            if stars[seat] == most:
                found |= 1 << seat
    return found
