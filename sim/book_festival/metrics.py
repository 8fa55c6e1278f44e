"""What a game of Book Festival is measured by: the columns of its row, and the metrics made of them.

Chances of being MVP are exact, given a game's stars, in units of 2^-24; `weight` is the same in units of 2^-12,
by which other columns are weighted: the squares of their products keep within int64 over a group of blocks, were
every action that a game can have the same.
"""

from __future__ import annotations

from sim.book_festival.state import ANIMALS, CAUSES, GENRES, ITEMS, MAX_SEATS
from sim.game import GAME, POLICY, SEAT, UNIT, WHOLE_WIN, Column, Outcomes, Ratio, Spread

CHANCE_BITS, WEIGHT_BITS = 24, 12
_CHANCE, _WIN = 2.0**-CHANCE_BITS, 1 / WHOLE_WIN
_SEATS = tuple(str(seat) for seat in range(MAX_SEATS))
_RANKS = tuple(str(rank) for rank in range(1, MAX_SEATS + 1))
_COPIES = tuple(str(count) for count in range(5))
_MARGINS = tuple(str(margin) for margin in range(21))

#: One number a game.
_GAME = (
    Column("lasted", "rounds", "rounds played"),
    Column("stalled", "share of games", "games that the guard on rounds ended"),
    Column("ran_out", "seats", "seats whose supply of stars is empty at the end"),
    Column("bag", "stars", "stars in the vote bag"),
    Column("leaders", "seats", "seats with the most stars"),
    Column("leader_margin", "stars", "stars of the leader over the next seat's"),
    Column("unique_leader", "share of games", "games with one star leader"),
    Column("leader_loses", "share of games", "chance that no star leader is MVP", scale=_CHANCE),
    Column(
        "unique_leader_loses", "share of games", "chance that there is one star leader who is not MVP", scale=_CHANCE
    ),
    Column("leader_lost", "share of games", "games whose draw made no star leader MVP", scale=_WIN),
    Column("last_wins", "share of games", "chance that a seat with the fewest stars is MVP", scale=_CHANCE),
    Column("tied_draw", "share of games", "games whose draw had a tie for most"),
    Column("redrawn", "chips", "chips drawn to break a tie"),
    Column("piles", "piles", "genre bonuses of", entries=GENRES),
)

#: One number a seat; the label columns among them only sort.
_SEAT = (
    Column("policy", "", "which policy played the seat", is_label=True),
    Column("animal", "", "the seat's animal", is_label=True),
    Column("weight", "share of games", "exact chance of being MVP, coarse", scale=2.0**-WEIGHT_BITS, is_label=True),
    Column("chance", "share of games", "exact chance of being MVP, given the stars", scale=_CHANCE),
    Column("win", "share of games", "share of being MVP as drawn", scale=_WIN),
    Column("stars", "stars", "stars sent to the vote bag"),
    Column("rank", "rank", "1 and one more for each seat with more stars"),
    Column("share", "share of stars", "share of the vote bag", scale=_CHANCE),
    Column("sales", "books", "books sold to a customer as", entries=CAUSES),
    Column("stars_by", "stars", "stars gained by", entries=("sale", "limited", "bonus")),
    Column("own_sales", "books", "books sold to the seat's own animal"),
    Column("bought_books", "books", "books that the seat's animal bought"),
    Column("placed", "books", "books placed"),
    Column("drawn", "cards", "cards drawn as", entries=("bonus", "booklet", "action")),
    Column("trial_sales", "books", "books sold to animals stopped with Trial Read"),
    Column(
        "related_bonus", "stars", "genre bonuses completed by a book that Related Books filed under another genre"
    ),
    Column("shelf_sales", "books", "books sold from end shelves"),
    Column("spent", "cards", "cards discarded to buy or use", entries=ITEMS),
    Column("hand_left", "cards", "cards in hand at the end"),
    Column("is_empty", "share of seats", "seats whose supply is empty at the end"),
    # Those with a win rate of their own.
    Column("piles", "piles", "genre bonuses gained", win_rate="chance_when_genre_bonus"),
    Column(
        "actions",
        "actions",
        "actions of kind",
        entries=("pass", "place", "buy", "retrieve", "draw"),
        win_rate="chance_by_action",
    ),
    Column("bought", "items", "bought", entries=ITEMS, win_rate="chance_when_bought"),
    Column("trials", "stops", "animals stopped with Trial Read", win_rate="chance_when_stopping"),
)

#: One number a round: there is none, but a row has at least its fixed fields.
_ROUND = ()


def _by(
    name: str, unit: str, meaning: str, column: str, by: str, categories: tuple[str, ...] = (), **more: float
) -> Ratio:
    """The mean of a seat's column, by the value of another."""
    return Ratio(
        name, unit, meaning, SEAT, (column,), by=by, categories=categories,
        first=int(more.get("first", 0)), scale=more.get("scale", 1.0),
    )  # fmt: skip


def _chance(name: str, categories: tuple[str, ...], meaning: str, by: str | None = None, first: int = 0) -> Ratio:
    """A seat's exact chance of being MVP, by the value of a column."""
    return Ratio(
        f"win_rate_by_{name}", "share of games", meaning, SEAT, ("chance",),
        by=by or name, categories=categories, first=first, scale=_CHANCE,
    )  # fmt: skip


#: What an item brings: its column and the unit. With Booklet brings cards, which may become books.
_BROUGHT = {
    "recommended": ("sales_recommended", "books"),
    "trial": ("trial_sales", "books"),
    "related": ("related_bonus", "stars"),
    "booklet": ("drawn_booklet", "cards"),
    "limited": ("stars_by_limited", "stars"),
    "end_shelf": ("shelf_sales", "books"),
}


def _per_card(item: str) -> Ratio:
    """What an item brings for each card that was spent on it, one category of a list of all items."""
    column, unit = _BROUGHT[item]
    return Ratio(
        "brought_per_card", f"{unit} a card", "what an item brings for each card spent on it", SEAT,
        (column,), (f"spent_{item}",), categories=(item,),
    )  # fmt: skip


_SHARE = "share of games"
_RATIOS = (
    _chance(POLICY, (), "chance of being MVP of a seat that this policy plays"),
    _chance("seat", _SEATS, "chance of being MVP of the seat", UNIT),
    _chance("animal", ANIMALS, "chance of being MVP of a seat with this animal"),
    _chance("rank", _RANKS, "chance of being MVP by rank in stars", first=1),
    *(_chance(f"bought_{item}", _COPIES, f"chance of being MVP by how many were bought: {item}") for item in ITEMS),
    *map(_per_card, ITEMS),
    _by("score_by_policy", "stars", "stars of a seat that this policy plays", "stars", POLICY),
    _by("stars_by_animal", "stars", "stars of a seat with this animal", "stars", "animal", ANIMALS),
    _by("stars_by_rank", "stars", "stars by rank in stars", "stars", "rank", _RANKS, first=1),
    _by("share_by_rank", "share of stars", "share of stars by rank", "share", "rank", _RANKS, first=1, scale=_CHANCE),
    _by("empty_by_policy", "share of seats", "seats whose supply is empty, by policy", "is_empty", POLICY),
    _by("empty_by_animal", "share of seats", "seats whose supply is empty, by animal", "is_empty", "animal", ANIMALS),
    _by("drawn_wins_by_policy", _SHARE, "share of being MVP as drawn, by policy", "win", POLICY, scale=_WIN),
    Ratio(
        "leader_loses_by_margin", _SHARE, "chance that no star leader is MVP, by stars ahead of the next", GAME,
        ("leader_loses",), by="leader_margin", categories=_MARGINS, scale=_CHANCE,
    ),
    Ratio(
        "leader_lost_by_margin", _SHARE, "games whose draw made no star leader MVP, by stars ahead of the next", GAME,
        ("leader_lost",), by="leader_margin", categories=_MARGINS, scale=_WIN,
    ),
    Ratio(
        "unique_leader_loses_if_unique", _SHARE, "chance that a single star leader is not MVP", GAME,
        ("unique_leader_loses",), ("unique_leader",), scale=_CHANCE,
    ),
    Ratio(
        "games_by_margin", _SHARE, "games with this lead in stars", GAME, (), by="leader_margin", categories=_MARGINS,
        is_share=True,
    ),
)  # fmt: skip

_SPREADS = (
    Spread("lasted", "rounds of a game", GAME, (("lasted", 1, 80),)),
    Spread("stars", "stars of the seats", SEAT, (("stars", 0, 60),)),
    Spread("margin", "the star leader's lead", GAME, (("leader_margin", 0, 30),)),
)  # fmt: skip

OUTCOMES = Outcomes(_GAME, _SEAT, _ROUND, "weight", _RATIOS, _SPREADS, MAX_SEATS, 1)
