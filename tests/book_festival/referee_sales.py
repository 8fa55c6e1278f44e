"""What follows by the rules of Book Festival from booths, a roll and a vote bag, for the referee.

Pure functions on plain values: where an animal goes, which books it buys in which order, who becomes MVP.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

Rules = dict[str, Any]
Place = tuple[int, int]  # whose booth, and the slot from its left
FAVOURITES = {
    "gorilla": "comedy",
    "elephant": "business",
    "cheetah": "sports",
    "panda": "cooking",
    "owl": "mystery",
    "penguin": "picture",
}
GENRES = list(FAVOURITES.values())
EXTENSION = {"camel", "chameleon"}


class Slot:
    """Books by genre, a POP, and the shelf it belongs to: 0 is the main one, end shelves are numbered as bought."""

    def __init__(self, genre: str | None = None, books: int = 0, pop: str | None = None, shelf: int = 0) -> None:
        self.held = Counter[str]()
        self.pop, self.shelf = pop, shelf
        if genre is not None:
            self.add(genre, books)

    @property
    def books(self) -> int:
        return self.held.total()

    @property
    def genre(self) -> str | None:
        """The genre with most books, the first of equals; none without books."""
        return max(GENRES, key=lambda genre: self.held[genre]) if self.books else None

    def add(self, genre: str, books: int) -> None:
        self.held[genre] += books


Booth = list[Slot]


def route(booths: list[Booth], place: Place, steps: int, animal: str, rules: Rules) -> list[Place]:
    """The spaces that an animal enters, one a step; none where a whole lap, its own slot last, has no space."""
    ring = [(owner, slot) for owner, booth in enumerate(booths) for slot in range(len(booth))]
    here = ring.index(place) + 1
    spaces = [(o, s) for o, s in ring[here:] + ring[:here] if is_space(booths[o], s, animal, rules)]
    return [spaces[step % len(spaces)] for step in range(steps)] if spaces else []


def is_space(booth: Booth, slot: int, animal: str, rules: Rules) -> bool:
    if animal == "chameleon" and rules["chameleon_skip"] == "pass_over" and is_shunned(booth, slot, rules):
        return False
    return bool(booth[slot].books) or rules["empty_slots_count"]


def is_shunned(booth: Booth, slot: int, rules: Rules) -> bool:
    """Whether a slot, or with `chameleon_counts` shelf the shelf that it is on, has too many books."""
    counted = [booth[slot]]
    if rules["chameleon_counts"] == "shelf":
        counted = [other for other in booth if other.shelf == booth[slot].shelf]
    return sum(other.books for other in counted) >= rules["chameleon_limit"]


def purchases(booth: Booth, stop: int, animal: str, rules: Rules, is_own: bool = False) -> list[tuple[int, str, str]]:
    """Slot, genre and cause of every book that an animal buys on stopping, in the order of selling.

    is_own: the booth is that of the animal's own seat.
    """
    left = [Counter(slot.held) for slot in booth]
    sold: list[tuple[int, str, str]] = []

    def sell(slot: int, genre: str, books: int, cause: str) -> None:
        sold.extend([(slot, genre, cause)] * books)
        left[slot][genre] -= books

    def alike(slot: int, genre: str) -> list[int]:
        """The left and then the right neighbour, where they still hold books of the genre."""
        beside = [near for near in (slot - 1, slot + 1) if 0 <= near < len(booth)]
        return [near for near in beside if left[near][genre]]

    plenty, favourite = booth[stop].genre, FAVOURITES.get(animal)
    if plenty is None or (animal == "chameleon" and is_shunned(booth, stop, rules)):
        return []
    if animal == "chameleon":
        for genre in GENRES:
            sell(stop, genre, left[stop][genre], "chameleon")
    elif favourite is not None and left[stop][favourite]:
        sell(stop, favourite, left[stop][favourite], "favourite")
    else:
        sell(stop, plenty, 1, "single")
    if animal == "camel" and (is_own or rules["camel_at"] == "stop"):
        for near in alike(stop, plenty):
            sell(near, plenty, left[near][plenty] if rules["camel_adjacent"] == "all" else 1, "camel")
    sellers = list(dict.fromkeys((slot, genre) for slot, genre, _ in sold))
    for seller, genre in sellers:  # grows along a chain
        if booth[seller].pop == "recommended":
            for near in alike(seller, genre):
                sell(near, genre, left[near][genre], "recommended")
                if rules["recommended_chain"]:
                    sellers.append((near, genre))
    return sold


def chances(stars: list[int], draws: int, tie: str) -> list[Fraction]:
    """Each seat's chance of being MVP: with most drawn chips, or by the rule for ties."""
    result = [Fraction(0)] * len(stars)
    for tied, chance in first_places(stars, draws):
        for seat, share in settle(stars, drawn=tied, tie=tie).items():
            result[seat] += chance * share
    return result


def first_places(stars: list[int], draws: int) -> Iterator[tuple[dict[int, int], Fraction]]:
    """Who can have most drawn chips, `{seat: chips}`, and how likely that is."""
    drawn = min(draws, sum(stars))
    for most in range(drawn + 1):
        # ways[seats at `most`, chips drawn] counts the ways to draw from the colours seen so far
        ways: dict[tuple[tuple[int, ...], int], int] = {((), 0): 1}
        for seat, own in enumerate(stars):
            longer: dict[tuple[tuple[int, ...], int], int] = defaultdict(int)
            for (tied, chips), number in ways.items():
                for more in range(min(own, most, drawn - chips) + 1):
                    at_most = (*tied, seat) if more == most else tied
                    longer[at_most, chips + more] += number * comb(own, more)
            ways = longer
        for (tied, chips), number in ways.items():
            if tied and chips == drawn:
                yield dict.fromkeys(tied, most), Fraction(number, comb(sum(stars), drawn))


def settle(stars: list[int], drawn: dict[int, int], tie: str) -> dict[int, Fraction]:
    """Shares of those level for most, given their equal chips drawn, before any redraw."""
    left = {seat: stars[seat] - chips for seat, chips in drawn.items()}
    if len(drawn) > 1 and tie == "redraw" and any(left.values()):
        # Only the next chip among the tied colours matters, and each of these is as likely as the others.
        return {seat: Fraction(chips, sum(left.values())) for seat, chips in left.items()}
    winners = best(stars, list(drawn)) if tie == "stars" else list(drawn)
    return {seat: Fraction(1, len(winners)) for seat in winners}


def best(stars: list[int], seats: list[int]) -> list[int]:
    return [seat for seat in seats if stars[seat] == max(stars[other] for other in seats)]


class WrongDraw(Exception):
    """The chips drawn are not what the bag and the rules allow."""


def elected(stars: list[int], drawn: list[int], draws: int, tie: str) -> list[int]:
    """The seats that share the MVP after the chips drawn, redraws included, as far as they were to be drawn."""
    if any(seat >= len(stars) or drawn.count(seat) > stars[seat] for seat in drawn):
        raise WrongDraw("chips come out of the bag, each once")
    number = min(draws, sum(stars))
    first, more = drawn[:number], drawn[number:]
    if len(first) < number:
        raise WrongDraw("`mvp_draws` chips are drawn, or all of them")
    counts = [first.count(seat) for seat in range(len(stars))]
    tied = best(counts, list(range(len(stars))))
    if len(tied) == 1 or tie != "redraw":
        if more:
            raise WrongDraw("only a tie is drawn on, and only with `mvp_tie` redraw")
        return best(stars, tied) if tie == "stars" else tied
    decided = bool(more) and more[-1] in tied
    if any(seat in tied for seat in more[:-1]) or not (decided or len(drawn) == sum(stars)):
        raise WrongDraw("a tie is drawn on until one of the tied colours comes or the bag is empty")
    return more[-1:] if decided else tied
