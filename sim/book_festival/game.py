"""Book Festival as the rest of the toolkit sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.book_festival import events, faults
from sim.book_festival.engine import play
from sim.book_festival.lottery import TIES
from sim.book_festival.metrics import OUTCOMES
from sim.book_festival.setup import set_up
from sim.book_festival.state import (
    ANIMALS,
    ANY_GENRE,
    AT_LEFT,
    AT_OWN,
    AT_RIGHT,
    AT_STOP,
    CAMEL_ALL,
    CAMEL_ONE,
    CHOICE,
    COUNTS_SHELF,
    COUNTS_SLOT,
    FROM_STOCK,
    FROM_SUPPLY,
    GENRES,
    ITEMS,
    LINE_UP,
    OF_SHELF,
    OF_SLOT,
    ONE_GENRE,
    OWN,
    PARAMS,
    PER_BOOK,
    PER_SALE,
    POPS,
    RANDOM_ANIMAL,
    RULES,
    SEAT_STREAM,
    SKIP_NO_SALE,
    SKIP_PASS_OVER,
    START_FIXED,
    START_ROTATES,
    STATE,
    TABLE,
    TO_DISCARDS,
    TO_NOWHERE,
)
from sim.game import Decision, Game, fill_numbers

#: What the words of a switch are called in the record.
_WORDS: dict[str, dict[str, int]] = {
    "start_player": {"fixed": START_FIXED, "rotates": START_ROTATES},
    "camel_adjacent": {"one": CAMEL_ONE, "all": CAMEL_ALL},
    "chameleon_skip": {"pass_over": SKIP_PASS_OVER, "no_sale": SKIP_NO_SALE},
    "limited_per": {"book": PER_BOOK, "sale": PER_SALE},
    "extra_stars_from": {"supply": FROM_SUPPLY, "stock": FROM_STOCK},
    "camel_at": {"stop": AT_STOP, "own": AT_OWN},
    "chameleon_counts": {"slot": COUNTS_SLOT, "shelf": COUNTS_SHELF},
    "retrieve_from": {"slot": OF_SLOT, "shelf": OF_SHELF},
    "slot_genres": {"one": ONE_GENRE, "any": ANY_GENRE},
    "end_shelf_side": {"right": AT_RIGHT, "left": AT_LEFT},
    "cleared_piles": {"discards": TO_DISCARDS, "out": TO_NOWHERE},
    "mvp_tie": {str(tie): number for number, tie in enumerate(TIES)},
}


def rules_record(values: Mapping[str, Any]) -> Any:
    """Return resolved rule values as the engine's (1,) record."""
    record = np.zeros(1, RULES).view(np.recarray)
    rules = record[0]
    fill_numbers(rules, values)
    for key, words in _WORDS.items():
        rules[key] = words[values[key]]
    for pop in range(POPS):
        rules.pop_cost[pop] = values[f"pop_cost_{ITEMS[pop]}"]
    for animal, name in enumerate(ANIMALS):
        rules.die[animal, :] = values[f"die_{name}"]
    rules.animals[:] = RANDOM_ANIMAL
    if not isinstance(values["animals"], str):
        for seat, name in enumerate(values["animals"]):
            rules.animals[seat] = ANIMALS.index(name)
    return record


def _shape(values: Mapping[str, Any]) -> tuple[int, int]:
    """Return a variant's seats; nothing is counted round by round, for a game has no set number of them."""
    return values["players"], 0


def _texts(settings: str) -> tuple[str, ...]:
    """Return key=value texts from one line of them."""
    return tuple(settings.split())


GAME = Game(
    name="book_festival",
    title="Book Festival",
    seats=(3, 4, 5, 6),
    decisions=(
        Decision("act", "one action of a turn: place, buy, retrieve, draw or pass"),
        Decision("stop", "Trial Read: whether to stop a passing animal, and with which cards"),
        Decision("file", "Related Books: under which genre to file a sold book"),
    ),
    records={"rules": RULES, "table": TABLE, "own": OWN, "choice": CHOICE, "state": STATE},
    line_up_stream=LINE_UP,
    seat_stream=SEAT_STREAM,
    max_params=PARAMS,
    outcomes=OUTCOMES,
    set_up=set_up,
    play=play,
    rules_record=rules_record,
    shape=_shape,
    log_size=events.LOG_SIZE,
    decode=events.decode,
    sentences=faults.SENTENCES,
    names={"genre": GENRES},
    side="animal",
    sides="animals",
    headline=("leader_loses", "last_wins", "lasted", "ran_out", "leader_margin"),
    bench=("random_legal", "bookseller", "mixed"),
    report=(
        ("players=3", "extension=false"),
        ("players=4", "extension=false"),
        ("players=4", "extension=true"),
        ("players=6", "extension=true"),
    ),
    odd=(
        _texts(
            "players=6 extension=true recommended_chain=true limited_per=sale camel_adjacent=all end_shelf_slots=2"
        ),
        _texts("players=5 extension=true chameleon_skip=no_sale empty_slots_count=false start_player=rotates"),
        _texts("players=3 hand_limit=7 slot_capacity=4 end_bonus_needs_main=false mvp_tie=stars mvp_draws=30"),
        _texts("players=4 books_per_genre=4 starting_hand=1 stars_per_player=3 genre_pile_size=1 mvp_tie=shared"),
        _texts(
            "players=4 extension=true extra_stars_from=stock trial_needs_books=false camel_at=own "
            "retrieve_from=shelf chameleon_counts=shelf slot_genres=any end_shelf_side=left cleared_piles=out"
        ),
        _texts("players=6 slot_genres=any slot_capacity=4 end_shelf_slots=2 hand_limit=8 retrieve_from=shelf"),
        _texts("players=6 main_shelf_slots=1 end_shelves_max=0 pop_copies=0 trial_discard=0 max_rounds=20"),
    ),
)
