"""The records of a game of Book Festival, one for each who may see it, and the names of their codes.

`rules` and `table` are everybody's, `own` is one seat's, `hidden` is the engine's alone. Every field is
int64 or float64, and none has the name of an attribute of numpy's records. Slots of a booth are numbered
from the left: the main shelf's first, then each end shelf's in the order of buying, or by a switch the end shelves'
before the main one's, the one bought last first.
"""

from __future__ import annotations

import numpy as np

from sim.book_festival.lottery import LOTTERY
from sim.book_festival.rules import MAX_BAG
from sim.rng import STREAM

# What the engine can hold; `rules.toml` says the same key by key.
MAX_SEATS = 6
MAX_MAIN = 6
MAX_END_SHELVES = 3
MAX_SLOTS = MAX_MAIN + 3 * MAX_END_SHELVES
MAX_BOOKS = 40
FACES = 6
MAX_STARS = 60
# Sizes of what a policy has to itself.
PARAMS = 16
MEMORY = 64

# Genres, in the order of the six favourites.
COMEDY, BUSINESS, SPORTS, COOKING, MYSTERY, PICTURE = range(6)
GENRES = ("comedy", "business", "sports", "cooking", "mystery", "picture")
NO_GENRE = -1
MAX_DECK = len(GENRES) * MAX_BOOKS
#: Bits of `mix` that count the books of one genre on a slot.
MIX_BITS = 8
#: Sales of one stop at most: every genre of every slot is sold out once, and the camel takes single books before.
MAX_SOLD = len(GENRES) * MAX_SLOTS + 3

# Animals; the first six have the genre of the same number as their favourite.
GORILLA, ELEPHANT, CHEETAH, PANDA, OWL, PENGUIN, CAMEL, CHAMELEON = range(8)
ANIMALS = ("gorilla", "elephant", "cheetah", "panda", "owl", "penguin", "camel", "chameleon")
BASE_ANIMALS = 6

# What can be bought: the five POPs, and an end shelf.
RECOMMENDED, TRIAL, RELATED, BOOKLET, LIMITED, END_SHELF = range(6)
ITEMS = ("recommended", "trial", "related", "booklet", "limited", "end_shelf")
POPS = 5
NO_POP = -1

NOBODY = -1

# Decisions, in the order of the round.
ACT, STOP, FILE = range(3)

# `choice.action`.
PASS, PLACE, BUY, RETRIEVE, DRAW = range(5)

# Phases in which the game can stand before a decision.
TURNS, SALES, OVER = range(3)

# Why a card was drawn, and why a book was sold.
WHY_BONUS, WHY_BOOKLET, WHY_ACTION = range(3)
SINGLE, FAVOURITE, BY_RECOMMENDED, BY_CAMEL, BY_CHAMELEON = range(5)
CAUSES = ("single", "favourite", "recommended", "camel", "chameleon")

# Switches.
START_FIXED, START_ROTATES = range(2)
CAMEL_ONE, CAMEL_ALL = range(2)
SKIP_PASS_OVER, SKIP_NO_SALE = range(2)
PER_BOOK, PER_SALE = range(2)
FROM_SUPPLY, FROM_STOCK = range(2)
AT_STOP, AT_OWN = range(2)
COUNTS_SLOT, COUNTS_SHELF = range(2)
OF_SLOT, OF_SHELF = range(2)
ONE_GENRE, ANY_GENRE = range(2)
AT_RIGHT, AT_LEFT = range(2)
TO_DISCARDS, TO_NOWHERE = range(2)
RANDOM_ANIMAL = -1

# Streams of chance: one for each seat's die, and one for each seat's policy from SEAT_STREAM on.
DECK, REFILL, DEAL_ANIMALS, MVP, LINE_UP, DICE = range(6)
SEAT_STREAM = DICE + MAX_SEATS
STREAMS = SEAT_STREAM + MAX_SEATS

#: Every number and switch of a variant.
RULES = np.dtype(
    [
        ("players", "i8"),
        ("extension", "i8"),
        ("books_per_genre", "i8"),
        ("starting_hand", "i8"),
        ("hand_limit", "i8"),
        ("actions_per_turn", "i8"),
        ("main_shelf_slots", "i8"),
        ("end_shelf_cost", "i8"),
        ("end_shelf_slots", "i8"),
        ("end_shelves_max", "i8"),
        ("slot_capacity", "i8"),
        ("stars_per_player", "i8"),
        ("genre_pile_size", "i8"),
        ("genre_bonus_stars", "i8"),
        ("pop_cost", "i8", POPS),
        ("pop_copies", "i8"),
        ("trial_discard", "i8"),
        ("limited_extra_stars", "i8"),
        ("die", "i8", (len(ANIMALS), FACES)),
        ("chameleon_limit", "i8"),
        ("mvp_draws", "i8"),
        ("max_rounds", "i8"),
        ("animals", "i8", MAX_SEATS),
        ("start_player", "i8"),
        ("end_bonus_needs_main", "i8"),
        ("empty_slots_count", "i8"),
        ("camel_adjacent", "i8"),
        ("chameleon_skip", "i8"),
        ("recommended_chain", "i8"),
        ("limited_per", "i8"),
        ("mvp_tie", "i8"),
        ("extra_stars_from", "i8"),
        ("trial_needs_books", "i8"),
        ("camel_at", "i8"),
        ("chameleon_counts", "i8"),
        ("retrieve_from", "i8"),
        ("slot_genres", "i8"),
        ("end_shelf_side", "i8"),
        ("cleared_piles", "i8"),
    ]
)

#: A booth and what everybody knows of its owner. `genre` is NO_GENRE for a slot without books, `pop` NO_POP for
#: one without a display; the first `slots` entries count. `at_booth`, `at_slot`: where the owner's animal stands.
#: Where slots may hold several genres, `genre` is the one with most books there, the first of equals, and `mix` has
#: MIX_BITS for the books of each genre, comedy lowest (0 where slots hold one genre): `view.copies` reads both.
BOOTH = np.dtype(
    [
        ("slots", "i8"),
        ("genre", "i8", MAX_SLOTS),
        ("books", "i8", MAX_SLOTS),
        ("mix", "i8", MAX_SLOTS),
        ("pop", "i8", MAX_SLOTS),
        ("end_shelves", "i8"),
        ("hand_size", "i8"),
        ("supply", "i8"),
        ("stars", "i8"),
        ("animal", "i8"),
        ("at_booth", "i8"),
        ("at_slot", "i8"),
    ]
)

#: What everybody sees. `place` counts the seats that have had their turn in the phase, `actions` those taken in
#: the turn. `pile[genre]` counts the books filed under a genre; in a question in the sales phase, `buyer` is the
#: seat whose animal it is about, and `at_booth`, `at_slot` the slot. `gone` are books that left the game.
TABLE = np.dtype(
    [
        ("round_number", "i8"),
        ("phase", "i8"),
        ("start", "i8"),
        ("place", "i8"),
        ("actions", "i8"),
        ("buyer", "i8"),
        ("at_booth", "i8"),
        ("at_slot", "i8"),
        ("roll", "i8", MAX_SEATS),
        ("pile", "i8", len(GENRES)),
        ("filed", "i8", (len(GENRES), len(GENRES))),
        ("discards", "i8", len(GENRES)),
        ("gone", "i8", len(GENRES)),
        ("deck_size", "i8"),
        ("pop_left", "i8", POPS),
        ("booths", BOOTH, MAX_SEATS),
    ]
)

#: What one seat alone knows: its hand by genre, its policy's parameters and the policy's own scratch.
OWN = np.dtype(
    [
        ("seat", "i8"),
        ("hand", "i8", len(GENRES)),
        ("param", "f8", PARAMS),
        ("memory", "f8", MEMORY),
    ]
)

#: A policy's answer; it starts as the safe legal one. Whole numbers only.
CHOICE = np.dtype(
    [
        ("action", "f8"),
        ("genre", "f8"),
        ("count", "f8"),
        ("slot", "f8"),
        ("bought", "f8"),
        ("stop", "f8"),
        ("discards", "f8", len(GENRES)),
    ]
)

#: What nobody sees: the deck's order (the next card at `deck[deck_size - 1]`), chance; and scratch of the sales.
HIDDEN = np.dtype(
    [
        ("deck", "i8", MAX_DECK),
        ("sold_slot", "i8", MAX_SOLD),
        ("sold_genre", "i8", MAX_SOLD),
        ("sold_count", "i8"),
        ("stalled", "i8"),
        ("star_counts", "i8", MAX_SEATS),
        ("chances", "f8", MAX_SEATS),
        ("units", "i8", MAX_SEATS),
        ("lottery", LOTTERY),
        ("drawn", "i8", MAX_BAG),
        ("drawn_count", "i8"),
        ("streams", STREAM, STREAMS),
    ]
)

#: A whole game in the middle of play; a copy of it can be played on.
STATE = np.dtype([("table", TABLE), ("owns", OWN, MAX_SEATS), ("hidden", HIDDEN)])
