"""Games that begin in the scene that a test sets: the table is laid before the first action of the first round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.book_festival.state import GENRES, ITEMS, MIX_BITS, NO_GENRE, NO_POP
from sim.task import Call
from tests.book_festival.script import Script, batch_of, dice
from tests.games.stage import Event, over
from tests.games.standing import play_on, standing, told

#: One round of one action each, in which no animal moves: what a scene starts from. Seats are three.
QUIET = (
    "players=3", "actions_per_turn=1", "max_rounds=1", 'animals=["gorilla","elephant","cheetah"]',
    *dice(gorilla=0, elephant=0, cheetah=0),
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """What lies where; what is not said stays as it was dealt, and booths are empty.

    booths: by seat its slots from the left, each as "3 comedy limited", "3 comedy", "limited" or "" (slots
    beyond the main shelf are end shelves); hands, piles, discards: as "2 comedy 1 sports"; at: where a seat's
    animal stands as (booth, slot); deck: its genres, next card first.
    """

    booths: Mapping[int, Sequence[str]] = field(default_factory=dict)
    hands: Mapping[int, str] = field(default_factory=dict)
    at: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    supply: Mapping[int, int] = field(default_factory=dict)
    stars: Mapping[int, int] = field(default_factory=dict)
    piles: Mapping[str, str] = field(default_factory=dict)
    deck: Sequence[str] | None = None
    discards: str | None = None


def counts(text: str) -> list[int]:
    """Cards by genre from "2 comedy 1 sports"."""
    words = text.split()
    found = dict(zip(words[1::2], map(int, words[::2]), strict=True))
    assert found.keys() <= set(GENRES)
    return [found.get(genre, 0) for genre in GENRES]


def lay(call: Call, scene: Scene) -> None:
    """Lay a scene on a standing game's table."""
    table, hidden, rules = call.state.table, call.state.hidden, call.batch.rules.values
    is_mixed = rules["slot_genres"] == "any"
    for seat, slots in scene.booths.items():
        lay_booth(table.booths, seat, slots, is_mixed)
        shelves, rest = divmod(len(slots) - rules["main_shelf_slots"], rules["end_shelf_slots"])
        assert rest == 0
        table.booths.end_shelves[0, seat] = shelves
    for seat, text in scene.hands.items():
        call.state.owns.hand[0, seat] = counts(text)
        table.booths.hand_size[0, seat] = sum(counts(text))
    for seat, (booth, slot) in scene.at.items():
        table.booths.at_booth[0, seat] = booth
        table.booths.at_slot[0, seat] = slot
    for seat, stars in scene.supply.items():
        table.booths.supply[0, seat] = stars
    for seat, stars in scene.stars.items():
        table.booths.stars[0, seat] = stars
    for pile, text in scene.piles.items():
        table.filed[0, GENRES.index(pile)] = counts(text)
        table.pile[0, GENRES.index(pile)] = sum(counts(text))
    if scene.deck is not None:
        table.deck_size[0] = len(scene.deck)
        hidden.deck[0, : len(scene.deck)] = [GENRES.index(genre) for genre in reversed(scene.deck)]
    if scene.discards is not None:
        table.discards[0] = counts(scene.discards)


def lay_booth(booths: Any, seat: int, slots: Sequence[str], is_mixed: bool) -> None:
    """Lay one booth's books and POPs."""
    booths.slots[0, seat] = len(slots)
    for slot, text in enumerate(slots):
        words = text.split()
        pops = [word for word in words if word in ITEMS]
        genres = [word for word in words if word in GENRES]
        books = [int(word) for word in words if word.isdigit()]
        assert len(books) == len(genres) == len(words) - len(pops) - len(books), text
        booths.pop[0, seat, slot] = ITEMS.index(pops[0]) if pops else NO_POP
        booths.genre[0, seat, slot] = GENRES.index(genres[0]) if genres else NO_GENRE
        booths.books[0, seat, slot] = books[0] if books else 0
        if books and is_mixed:
            booths.mix[0, seat, slot] = books[0] << MIX_BITS * GENRES.index(genres[0])


def play_scene(scene: Scene, sets: Sequence[str] = (), *scripts: Script, index: int = 0) -> list[Event]:
    """The events of a game from the scene on: by default a round of one action each and its sales.

    `sets` come on top of QUIET.
    """
    call = standing(batch_of(over(QUIET, sets), scripts), index)
    before = len(told(call))
    lay(call, scene)
    assert play_on(call), call.desk.fault
    return told(call)[before:]
