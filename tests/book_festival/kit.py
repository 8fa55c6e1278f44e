"""What the checks of every game need to know of Book Festival."""

from tests.book_festival.script import STAGE, acts, batch_of, dice, draw, seated
from tests.book_festival.test_faults import BREACHES
from tests.games.kit import Kit, Meddling, Place

GOLDEN = {
    "base_3": ("players=3",),
    "base_4": (),
    "base_6": ("players=6",),
    "extension_4": ("extension=true", 'animals=["camel","owl","chameleon","panda"]'),
    "odd": (
        "players=5", "extension=true", "books_per_genre=9", "starting_hand=4", "hand_limit=9", "actions_per_turn=4",
        "main_shelf_slots=2", "end_shelf_cost=1", "end_shelf_slots=2", "slot_capacity=5", "stars_per_player=11",
        "genre_pile_size=3", "genre_bonus_stars=1", "pop_cost_recommended=0", "pop_cost_trial=0",
        "pop_cost_related=0", "pop_cost_booklet=1", "pop_cost_limited=1", "pop_copies=3", "trial_discard=1",
        "limited_extra_stars=2", "chameleon_limit=3", "mvp_draws=2", "start_player=rotates",
        "end_bonus_needs_main=false", "empty_slots_count=false", "camel_adjacent=all", "chameleon_skip=no_sale",
        "recommended_chain=true", "limited_per=sale", "mvp_tie=redraw",
        'animals=["chameleon","camel","cheetah","penguin","gorilla"]', "die_gorilla=[0,1,2,7,9,12]",
    ),
    "readings": (
        "extension=true", 'animals=["camel","owl","chameleon","panda"]', "extra_stars_from=stock",
        "trial_needs_books=false", "camel_at=own", "chameleon_counts=shelf", "retrieve_from=shelf", "slot_genres=any",
        "end_shelf_side=left", "cleared_piles=out", "pop_cost_trial=0", "end_shelf_cost=0",
    ),
}  # fmt: skip

VARIANTS = (
    (),
    ("players=3", "end_bonus_needs_main=false", "pop_cost_booklet=0"),
    ("players=3", "pop_cost_trial=0", "pop_cost_related=0"),
    ("players=4", "actions_per_turn=1", "hand_limit=6", "recommended_chain=true"),
    ("players=5", "books_per_genre=2", "starting_hand=2", "mvp_draws=2"),
    ("players=6", "extension=true", "start_player=rotates", "pop_cost_trial=0", "pop_cost_related=0"),
    ("players=6", "extension=true", "start_player=rotates", "end_shelf_cost=0", "end_shelf_slots=3"),
)

PLAYS = """
from sim.book_festival.state import BUY, PLACE, RELATED, TRIAL


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    own.memory[0] += 1
    if own.memory[0] <= 3:
        choice.action = BUY
        choice.slot = own.memory[0] - 1
        choice.bought = TRIAL if own.memory[0] == 2 else RELATED
    else:
        for slot in range(3):
            for genre in range(6):
                if choice.action == 0 and booth.books[slot] == 0 and own.hand[genre] > 0:
                    choice.action = PLACE
                    choice.slot = slot
                    choice.genre = genre
                    choice.count = 1
    _meddle(0, rules, table, own, rng, choice)


def stop(rules, table, own, rng, choice):
    own.memory[1] = 1 / own.memory[0]
    _meddle(1, rules, table, own, rng, choice)


def file(rules, table, own, rng, choice):
    own.memory[63] = own.memory[0]
    choice.genre = 1
    _meddle(2, rules, table, own, rng, choice)
"""

MEDDLING = Meddling(
    plays=PLAYS,
    # Every POP is free and the gorilla walks over all Trial Reads and stops at Related Books.
    sets=(
        "players=3", "max_rounds=6", "trial_discard=0", "pop_cost_trial=0", "pop_cost_related=0", "pop_copies=6",
        seated("gorilla", "elephant", "cheetah"), *dice(gorilla=5, elephant=2, cheetah=2),
    ),
    places=(
        Place("act", seat=1, round=1),
        Place("act", seat=2, round=1),
        Place("stop", seat=1, round=3),
        Place("stop", seat=2, round=2),
        Place("file", seat=0, round=3),
        Place("file", seat=1, round=3),
    ),
    ready={"act": (), "stop": (), "file": ("genre",)},
    writes={
        "a price in rules": "rules.pop_cost[4] = 0",
        "a switch in rules": "rules.mvp_tie = 1 - rules.mvp_tie",
        "a pile on the table": "table.pile[5] += 1",
        "another seat's supply": "table.booths[(own.seat + 1) % 3].supply -= 1",
        "a book in its booth": "table.booths[own.seat].books[14] += 1",
        "its own hand": "own.hand[5] += 1",
        "its own seat": "own.seat = (own.seat + 1) % 3",
    },
    reads_at="choice.genre = table.discards[int(own.param[2])]",
    writes_at="choice.discards[int(own.param[2])] = 0",
    length=6,
)  # fmt: skip

KIT = Kit(
    stage=STAGE,
    golden=GOLDEN,
    variants=VARIANTS,
    halts=(0, 1, 2, 3, 4, 11, 12, 13, 40, 57),
    stepped=("players=3", "pop_cost_booklet=0", "end_shelf_cost=0"),
    steps=lambda events: 3 * 3 * events[-1]["rounds"],
    counting=batch_of(["players=3", "max_rounds=4"], [acts(draw())]),
    counted=12,
    dealt="deck",
    meddling=MEDDLING,
    breaches=BREACHES,
)
