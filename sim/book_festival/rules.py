"""What hangs together in the rules of Book Festival.

The deck holds what is dealt; no hand starts above its limit; each seat has an animal of its own; the vote bag has
room for the stars of a common stock.
`sim.rules.load` checks every value on its own first.
"""

from __future__ import annotations

from sim.errors import BadInput
from sim.rules_text import Value

GENRES = ("comedy", "business", "sports", "cooking", "mystery", "picture")
"""The favourites of gorilla, elephant, cheetah, panda, owl and penguin; `picture` are the picture books."""

MAX_BAG = 2000
"""Stars in the vote bag that the engine has room for; supplies alone never come near."""

EXTENSION_ANIMALS = ("camel", "chameleon")
"""Animals without a favourite, which only the extension brings."""


def resolve(values: dict[str, Value], given: set[str]) -> dict[str, Value]:
    """Return the values to play by, which are those given: nothing follows from other values.

    `values` holds every parameter of `rules.toml`, `given` the keys that the user set. Raises `BadInput`, in
    one line that names the keys, for values that do not go together.
    """
    _check_deal(values)
    _check_animals(values)
    _check_bag(values)
    return dict(values)


def _check_deal(values: dict[str, Value]) -> None:
    """The starting hands come out of the deck and are no larger than a hand may be."""
    players, hand = _number(values, "players"), _number(values, "starting_hand")
    books = _number(values, "books_per_genre")
    deck = len(GENRES) * books
    if players * hand > deck:
        raise BadInput(
            f"players x starting_hand = {players} x {hand} = {players * hand} cards are dealt, but the deck has "
            f"{len(GENRES)} x books_per_genre = {len(GENRES)} x {books} = {deck}"
        )
    limit = _number(values, "hand_limit")
    if 0 < limit < hand:
        raise BadInput(f"starting_hand = {hand} must be at most hand_limit = {limit} (0 for no limit)")


def _check_animals(values: dict[str, Value]) -> None:
    """Each seat has an animal, all different, and only the extension brings its own two."""
    animals = values["animals"]
    if not isinstance(animals, tuple):
        return
    players = _number(values, "players")
    if len(animals) != players:
        raise BadInput(f"animals lists {len(animals)}, but players = {players}; list one for each seat")
    if len(set(animals)) != players:
        raise BadInput(f"animals lists one twice ({', '.join(map(str, animals))}); all must be different")
    foreign = [name for name in EXTENSION_ANIMALS if name in animals]
    if foreign and values["extension"] is not True:
        raise BadInput(f"animals lists {' and '.join(foreign)}, but extension = false; set extension = true")


def _check_bag(values: dict[str, Value]) -> None:
    """Where a stock gives the extra stars, no supply bounds them, so that they must have room in the vote bag.

    Each book sold takes a star from a supply, until one is empty; of what is sold in the rest of that round no book
    is sold twice.
    """
    if values["extra_stars_from"] != "stock":
        return
    players, stars, books = (_number(values, key) for key in ("players", "stars_per_player", "books_per_genre"))
    limited, bonus = _number(values, "limited_extra_stars"), _number(values, "genre_bonus_stars")
    sold = players * stars + len(GENRES) * books
    bag = players * stars + sold * limited + sold // _number(values, "genre_pile_size") * bonus
    if bag > MAX_BAG:
        raise BadInput(
            f"with extra_stars_from = stock the vote bag could hold up to {bag} stars: limited_extra_stars = "
            f"{limited} for each of {sold} books, genre_bonus_stars = {bonus} for each pile; "
            f"the engine holds {MAX_BAG}"
        )


def _number(values: dict[str, Value], key: str) -> int:
    value = values[key]
    assert isinstance(value, int), key
    return value
