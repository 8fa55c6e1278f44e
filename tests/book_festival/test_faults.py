"""The rules of Book Festival that an answer can break: `tests.games.test_faults` plays these games."""

from collections.abc import Sequence
from math import inf, nan

from sim.task import PolicyFault
from tests.book_festival.script import (
    IDLE,
    Script,
    acts,
    buy,
    dice,
    draw,
    fault_of,
    place,
    retrieve,
    scripted,
    seated,
    stop,
    tell,
)
from tests.games.kit import Breach
from tests.games.stage import of, over

#: A game in which seat 0 is dealt 2 comedy, 3 business and 1 mystery.
INDEX = 220

#: Three seats, the same deal in every case, prices that can be paid, and a gorilla that goes 3 slots a round.
SETS = [
    "players=3", "max_rounds=1", "starting_hand=6", seated("gorilla", "elephant", "cheetah"),
    *dice(gorilla=3, elephant=0, cheetah=0), *[f"pop_cost_{pop}=0" for pop in ("trial", "related", "booklet")],
]  # fmt: skip
NO_NUMBERS = [nan, inf, -inf, 0.5, -1.5]


def breach(
    field: str,
    numbers: list[float],
    says: str,
    script: Script = IDLE,
    sets: Sequence[str] = (),
    decision: str = "act",
    question: int = 0,
) -> Breach:
    """Seat 0 plays the script but for a wrong number in a field of its answer to one question of that decision."""

    def fault(wrong: float | None, is_trusted: bool) -> PolicyFault | None:
        slip = None if wrong is None else (decision, question, field, wrong)
        return fault_of(over(SETS, sets), scripted(script, slip, is_trusted), index=INDEX)

    return Breach(numbers, f"game {INDEX}, round 1, seat 0, decision {decision!r}", says, fault)


ON_THE_WAY = acts(place("comedy", 1, 1), buy("trial", 1))
STOPS = Script(ON_THE_WAY.acts, (stop("business", "business"),))
FILES = acts(place("comedy", 1, 1), buy("related", 1))
ROLL_1 = ("die_gorilla=[1, 1, 1, 1, 1, 1]",)

BREACHES = {
    "action": breach(
        "action", [5, 7, -1, *NO_NUMBERS], r"chooses action .*; it is PASS, PLACE, BUY, RETRIEVE or DRAW"
    ),
    "slot to place on": breach(
        "slot",
        [3, -1, 14, *NO_NUMBERS],
        r"names slot .*; its own booth has slots 0 to 2",
        acts(place("comedy", 1, 2)),
    ),
    "slot of a wider booth": breach(
        "slot",
        [4],
        "has slots 0 to 3",
        acts(buy("end_shelf"), place("comedy", 1, 3)),
        ("end_shelf_cost=0",),
        question=1,
    ),
    "slot for a POP": breach("slot", [3, -1, *NO_NUMBERS], "names slot .* 0 to 2", acts(buy("booklet", 1))),
    "slot to retrieve from": breach(
        "slot", [3, -1, *NO_NUMBERS], "names slot", acts(place("comedy", 1, 0), retrieve(1, 0)), question=1
    ),
    "genre": breach("genre", [6, -1, *NO_NUMBERS], "names genre .*; genres are 0 to 5", acts(place("comedy", 1, 0))),
    "cards to place": breach(
        "count",
        [0, 3, -1, *NO_NUMBERS],
        "places .* books; it may place 1 to the 2 of that genre in its hand",
        acts(place("comedy", 1, 0)),
    ),
    "cards that are gone": breach(
        "count", [2], "1 to the 1 of", acts(place("comedy", 1, 0), place("comedy", 1, 1)), question=1
    ),
    "cards not held": breach("genre", [5], "places 1 books; it may place 1 to the 0", acts(place("comedy", 1, 0))),
    "another genre on the slot": breach(
        "slot",
        [0],
        "on slot 0, which holds comedy books",
        acts(place("comedy", 1, 0), place("business", 1, 1)),
        question=1,
    ),
    "slot_capacity": breach(
        "count",
        [2],
        "places 2 books on slot 0, which has room for 1 more",
        acts(place("business", 1, 0), place("business", 1, 0)),
        ("slot_capacity=2",),
        question=1,
    ),
    "item": breach(
        "bought",
        [6, 7, -1, *NO_NUMBERS],
        "buys .*; for sale are the five POPs and the end shelf",
        acts(buy("trial", 0)),
    ),
    "pop_copies": breach(
        "bought",
        [1],
        "a POP of which no copy is left",
        acts(buy("trial", 0), buy("related", 1)),
        ("pop_copies=1",),
        question=1,
    ),
    "one POP a slot": breach(
        "slot", [0], "puts a POP on slot 0, which has one", acts(buy("trial", 0), buy("trial", 1)), question=1
    ),
    "end_shelves_max": breach(
        "bought",
        [5],
        "it has the 1 that a booth may have",
        acts(buy("end_shelf"), buy("booklet", 0)),
        ("end_shelf_cost=0", "end_shelves_max=1"),
        question=1,
    ),
    "too many discards": breach(
        "discards",
        [1, 2, -1, *NO_NUMBERS],
        "must discard exactly 1, all from its hand",
        acts(buy("recommended", 0, "business")),
    ),
    "too few discards": breach("discards", [0], "exactly 2", acts(buy("end_shelf", 0, "comedy", "business"))),
    "discards not held": breach(
        "discards", [3], "exactly 3", acts(buy("limited", 0, *["business"] * 3)), ("pop_cost_limited=3",)
    ),
    "discards for nothing": breach("discards", [1], "exactly 0", acts(buy("trial", 0))),
    "books to retrieve": breach(
        "count",
        [0, 3, -1, *NO_NUMBERS],
        "takes back .* books; it may take back 1 to the 2 on that slot",
        acts(place("comedy", 2, 0), retrieve(1, 0)),
        question=1,
    ),
    "nothing to retrieve": breach(
        "slot", [1], "1 to the 0 on", acts(place("comedy", 2, 0), retrieve(1, 0)), question=1
    ),
    "books to retrieve from a shelf": breach(
        "count",
        [0, 4, -1, *NO_NUMBERS],
        "takes back .* books; it may take back 1 to the 3 on that shelf",
        acts(place("comedy", 2, 0), place("business", 1, 2), retrieve(3, 1)),
        ("retrieve_from=shelf",),
        question=2,
    ),
    "genre to retrieve": breach(
        "genre",
        [6, -1, *NO_NUMBERS],
        r"names genre .*; genres are 0 to 5",
        acts(place("comedy", 2, 0), retrieve(1, 0)),
        ("slot_genres=any",),
        question=1,
    ),
    "drawing beyond hand_limit": breach(
        "action", [4], "would hold more cards than the hand limit of 6", sets=("hand_limit=6",)
    ),
    "retrieving beyond hand_limit": breach(
        "count",
        [2],
        "hand limit of 6",
        acts(place("comedy", 2, 0), draw(), retrieve(1, 0)),
        ("hand_limit=6",),
        question=2,
    ),
    "stop": breach(
        "stop", [2, -1, *NO_NUMBERS], "answers stop .*; it is 0 .let pass. or 1 .stop.", STOPS, decision="stop"
    ),
    "cards for Trial Read": breach(
        "discards", [1, -1, *NO_NUMBERS], "must discard exactly 2", STOPS, decision="stop"
    ),
    "cards for a dearer Trial Read": breach(
        "discards",
        [0],
        "exactly 3",
        Script(ON_THE_WAY.acts, (stop("comedy", "business", "business"),)),
        ("trial_discard=3",),
        "stop",
    ),
    "file": breach(
        "genre", [6, -1, *NO_NUMBERS], "files a book under genre .*; genres are 0 to 5", FILES, ROLL_1, "file"
    ),
}


def test_the_hand_is_what_the_cases_take_it_for() -> None:
    assert of(tell(SETS, index=INDEX), "setup")[0]["hands"][0] == {"comedy": 2, "business": 3, "mystery": 1}
