"""A policy's answer that breaks a rule stops the run, and the fault names policy, seat, game and rule."""

import re
from dataclasses import dataclass
from math import inf, nan

import pytest

from sim.book_festival.faults import SENTENCES
from sim.desk import WROTE_RECORDS
from sim.task import PolicyFault
from tests.book_festival.script import (
    IDLE,
    SEED,
    Script,
    acts,
    buy,
    dice,
    draw,
    fault_of,
    of,
    place,
    retrieve,
    scripted,
    seated,
    stop,
    tell,
)

#: A game in which seat 0 is dealt 2 comedy, 3 business and 1 mystery.
INDEX = 220

#: Three seats, the same deal in every case, prices that can be paid, and a gorilla that goes 3 slots a round.
SETS = [
    "players=3", "max_rounds=1", "starting_hand=6", seated("gorilla", "elephant", "cheetah"),
    *dice(gorilla=3, elephant=0, cheetah=0), *[f"pop_cost_{pop}=0" for pop in ("trial", "related", "booklet")],
]  # fmt: skip
NO_NUMBERS = [nan, inf, -inf, 0.5, -1.5]


@dataclass(frozen=True)
class Case:
    """A legal game, and the number in an answer of seat 0's script that makes it illegal."""

    field: str
    numbers: list[float]
    says: str
    script: Script = IDLE
    sets: tuple[str, ...] = ()
    decision: str = "act"
    question: int = 0


ON_THE_WAY = acts(place("comedy", 1, 1), buy("trial", 1))
STOPS = Script(ON_THE_WAY.acts, (stop("business", "business"),))
FILES = acts(place("comedy", 1, 1), buy("related", 1))
ROLL_1 = ("die_gorilla=[1, 1, 1, 1, 1, 1]",)

CASES = {
    "action": Case("action", [5, 7, -1, *NO_NUMBERS], r"chooses action .*; it is PASS, PLACE, BUY, RETRIEVE or DRAW"),
    "slot to place on": Case(
        "slot",
        [3, -1, 14, *NO_NUMBERS],
        r"names slot .*; its own booth has slots 0 to 2",
        acts(place("comedy", 1, 2)),
    ),
    "slot of a wider booth": Case(
        "slot",
        [4],
        "has slots 0 to 3",
        acts(buy("end_shelf"), place("comedy", 1, 3)),
        ("end_shelf_cost=0",),
        question=1,
    ),
    "slot for a POP": Case("slot", [3, -1, *NO_NUMBERS], "names slot .* 0 to 2", acts(buy("booklet", 1))),
    "slot to retrieve from": Case(
        "slot", [3, -1, *NO_NUMBERS], "names slot", acts(place("comedy", 1, 0), retrieve(1, 0)), question=1
    ),
    "genre": Case("genre", [6, -1, *NO_NUMBERS], "names genre .*; genres are 0 to 5", acts(place("comedy", 1, 0))),
    "cards to place": Case(
        "count",
        [0, 3, -1, *NO_NUMBERS],
        "places .* books; it may place 1 to the 2 of that genre in its hand",
        acts(place("comedy", 1, 0)),
    ),
    "cards that are gone": Case(
        "count", [2], "1 to the 1 of", acts(place("comedy", 1, 0), place("comedy", 1, 1)), question=1
    ),
    "cards not held": Case("genre", [5], "places 1 books; it may place 1 to the 0", acts(place("comedy", 1, 0))),
    "another genre on the slot": Case(
        "slot",
        [0],
        "on slot 0, which holds another genre .0.",
        acts(place("comedy", 1, 0), place("business", 1, 1)),
        question=1,
    ),
    "slot_capacity": Case(
        "count",
        [2],
        "places 2 books on slot 0, which has room for 1 more",
        acts(place("business", 1, 0), place("business", 1, 0)),
        ("slot_capacity=2",),
        question=1,
    ),
    "item": Case(
        "bought",
        [6, 7, -1, *NO_NUMBERS],
        "buys .*; for sale are the five POPs and the end shelf",
        acts(buy("trial", 0)),
    ),
    "pop_copies": Case(
        "bought",
        [1],
        "a POP of which no copy is left",
        acts(buy("trial", 0), buy("related", 1)),
        ("pop_copies=1",),
        question=1,
    ),
    "one POP a slot": Case(
        "slot", [0], "puts a POP on slot 0, which has one", acts(buy("trial", 0), buy("trial", 1)), question=1
    ),
    "end_shelves_max": Case(
        "bought",
        [5],
        "it has the 1 that a booth may have",
        acts(buy("end_shelf"), buy("booklet", 0)),
        ("end_shelf_cost=0", "end_shelves_max=1"),
        question=1,
    ),
    "too many discards": Case(
        "discards",
        [1, 2, -1, *NO_NUMBERS],
        "must discard exactly 1, all from its hand",
        acts(buy("recommended", 0, "business")),
    ),
    "too few discards": Case("discards", [0], "exactly 2", acts(buy("end_shelf", 0, "comedy", "business"))),
    "discards not held": Case(
        "discards", [3], "exactly 3", acts(buy("limited", 0, *["business"] * 3)), ("pop_cost_limited=3",)
    ),
    "discards for nothing": Case("discards", [1], "exactly 0", acts(buy("trial", 0))),
    "books to retrieve": Case(
        "count",
        [0, 3, -1, *NO_NUMBERS],
        "takes back .* books; it may take back 1 to the 2 on that slot",
        acts(place("comedy", 2, 0), retrieve(1, 0)),
        question=1,
    ),
    "nothing to retrieve": Case(
        "slot", [1], "1 to the 0 on", acts(place("comedy", 2, 0), retrieve(1, 0)), question=1
    ),
    "drawing beyond hand_limit": Case(
        "action", [4], "would hold more cards than the hand limit of 6", sets=("hand_limit=6",)
    ),
    "retrieving beyond hand_limit": Case(
        "count",
        [2],
        "hand limit of 6",
        acts(place("comedy", 2, 0), draw(), retrieve(1, 0)),
        ("hand_limit=6",),
        question=2,
    ),
    "stop": Case(
        "stop", [2, -1, *NO_NUMBERS], "answers stop .*; it is 0 .let pass. or 1 .stop.", STOPS, decision="stop"
    ),
    "cards for Trial Read": Case("discards", [1, -1, *NO_NUMBERS], "must discard exactly 2", STOPS, decision="stop"),
    "cards for a dearer Trial Read": Case(
        "discards",
        [0],
        "exactly 3",
        Script(ON_THE_WAY.acts, (stop("comedy", "business", "business"),)),
        ("trial_discard=3",),
        "stop",
    ),
    "file": Case(
        "genre", [6, -1, *NO_NUMBERS], "files a book under genre .*; genres are 0 to 5", FILES, ROLL_1, "file"
    ),
}


def test_the_hand_is_what_the_cases_take_it_for() -> None:
    assert of(tell(SETS, index=INDEX), "setup")[0]["hands"][0] == {"comedy": 2, "business": 3, "mystery": 1}


def fault_in(case: Case, number: float | None, is_trusted: bool = False) -> PolicyFault | None:
    slip = None if number is None else (case.decision, case.question, case.field, number)
    given = {item.partition("=")[0] for item in case.sets}
    sets = [*[item for item in SETS if item.partition("=")[0] not in given], *case.sets]
    return fault_of(sets, scripted(case.script, slip, is_trusted), index=INDEX)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_broken_rule_is_named_and_the_legal_answer_passes(case: Case) -> None:
    assert fault_in(case, None) is None
    for number in case.numbers:
        fault = fault_in(case, number)
        assert fault is not None, number
        where = f"game {INDEX}, round 1, seat 0, decision '{case.decision}', seed {SEED}"
        assert str(fault).startswith(f"policy 'scripted' ({where}): ")
        assert re.search(case.says, str(fault)), fault


@pytest.mark.parametrize("is_trusted", [True, False])
def test_the_packages_own_policies_are_judged_as_strictly(is_trusted: bool) -> None:
    for name in ("action", "cards to place", "stop", "file"):
        case = CASES[name]
        assert fault_in(case, None, is_trusted) is None
        assert re.search(case.says, str(fault_in(case, case.numbers[0], is_trusted)))


def test_every_sentence_is_said_in_some_case() -> None:
    """What it says is taken literally, with any number for those it names; writing records is another test's."""
    for rule, sentence in SENTENCES.items():
        if rule == WROTE_RECORDS:
            continue
        pattern = re.sub(r"\\{[^}]*\\}", "[-0-9.a-z]+", re.escape(sentence))
        assert any(re.search(pattern, str(fault_in(case, case.numbers[0]))) for case in CASES.values()), sentence
