"""The rules that a policy's answer can break, each with the sentence that the error says."""

from __future__ import annotations

from sim.desk import WROTE_RECORDS

(
    ACTION,
    SLOT,
    GENRE,
    PLACE_COUNT,
    SLOT_GENRE,
    SLOT_FULL,
    ITEM,
    POPS_GONE,
    POP_THERE,
    SHELVES_FULL,
    DISCARDS,
    RETRIEVE_COUNT,
    HAND_LIMIT,
    STOP_ANSWER,
    FILE_GENRE,
    SHELF_COUNT,
) = range(WROTE_RECORDS + 1, WROTE_RECORDS + 17)

#: The sentence of each broken rule; `{choice}` is the answer's record and `{limit}` a number.
SENTENCES = {
    WROTE_RECORDS: "changes a record that it may only read; a policy writes `choice` and `own.memory` alone",
    ACTION: "chooses action {choice.action:g}; it is PASS, PLACE, BUY, RETRIEVE or DRAW (0 to 4)",
    SLOT: "names slot {choice.slot:g}; its own booth has slots 0 to {limit}",
    GENRE: "names genre {choice.genre:g}; genres are 0 to {limit}",
    PLACE_COUNT: "places {choice.count:g} books; it may place 1 to the {limit} of that genre in its hand",
    SLOT_GENRE: "places on slot {choice.slot:g}, which holds {genre} books",
    SLOT_FULL: "places {choice.count:g} books on slot {choice.slot:g}, which has room for {limit} more",
    ITEM: "buys {choice.bought:g}; for sale are the five POPs and the end shelf (0 to {limit})",
    POPS_GONE: "buys a POP of which no copy is left",
    POP_THERE: "puts a POP on slot {choice.slot:g}, which has one; a POP is never moved",
    SHELVES_FULL: "buys an end shelf; it has the {limit} that a booth may have",
    DISCARDS: "discards cards that do not pay; it must discard exactly {limit}, all from its hand",
    RETRIEVE_COUNT: "takes back {choice.count:g} books; it may take back 1 to the {limit} on that slot",
    HAND_LIMIT: "would hold more cards than the hand limit of {limit}",
    STOP_ANSWER: "answers stop {choice.stop:g}; it is 0 (let pass) or 1 (stop)",
    FILE_GENRE: "files a book under genre {choice.genre:g}; genres are 0 to {limit}",
    SHELF_COUNT: "takes back {choice.count:g} books; it may take back 1 to the {limit} on that shelf",
}
