"""The events of a game as numbers in a log, and back as the dicts that a trace prints.

The engine tells; nothing is written when nobody listens. An event is its code, the count of its numbers and
the numbers. `decode` is the one reader, and each event stands in both halves in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.book_festival.state import ANIMALS, CAUSES, END_SHELF, GENRES, ITEMS
from sim.book_festival.view import copies
from sim.desk import begin, close, tell, write
from sim.game import WHOLE_WIN
from sim.jit import jit

(
    SETUP, ROUND, DRAWN, SHUFFLED, PLACED, BOUGHT, RETRIEVED, PASSED, ROLLED, MOVED, STOPPED, SOLD, CROWNED, ENDED,
) = range(1, 15)  # fmt: skip

#: More numbers than any ordinary game writes; a longer one is refused by `replay`.
LOG_SIZE = 1 << 18

#: Resolved rule values by key.
Rules = Mapping[str, Any]

_WHYS = ("bonus", "booklet", "action")
#: Chances are told in this unit, which a float64 of [0, 1] is a whole number of, down to rounding.
_CHANCE = 1 << 53


@jit
def _write_hands(rules, state, desk):
    """Every seat's hand by genre."""
    for seat in range(rules.players):
        for genre in range(len(GENRES)):
            write(desk, state.owns[seat].hand[genre])


@jit
def _write_deck(state, desk):
    """The deck, next card first."""
    size = state.table.deck_size
    write(desk, size)
    for k in range(size):
        write(desk, state.hidden.deck[size - 1 - k])


@jit
def tell_setup(rules, state, desk):
    """The deck after dealing, the hands, the animals, the start player."""
    if not desk.is_told:
        return
    at = begin(desk, SETUP)
    write(desk, state.table.start)
    for seat in range(rules.players):
        write(desk, state.table.booths[seat].animal)
    _write_hands(rules, state, desk)
    _write_deck(state, desk)
    close(desk, at)


@jit
def tell_round(state, desk):
    """A round begins."""
    tell(desk, ROUND, state.table.round_number)


@jit
def tell_draw(desk, seat, genre, why):
    """A card is drawn, or none was left."""
    tell(desk, DRAWN, seat, genre, why)


@jit
def tell_shuffle(state, desk):
    """The discards are the new deck."""
    if desk.is_told:
        at = begin(desk, SHUFFLED)
        _write_deck(state, desk)
        close(desk, at)


@jit
def tell_place(desk, seat, genre, count, slot):
    """Books are placed."""
    tell(desk, PLACED, seat, genre, count, slot)


@jit
def tell_buy(desk, seat, item, slot):
    """A POP or an end shelf is bought with the discards of the answer."""
    if desk.is_told:
        at = begin(desk, BOUGHT)
        write(desk, seat)
        write(desk, item)
        write(desk, slot)
        _write_discards(desk)
        close(desk, at)


@jit
def _write_discards(desk):
    """The discards of the answer, by genre."""
    for genre in range(len(GENRES)):
        write(desk, int(desk.choice.discards[genre]))


@jit
def tell_retrieve(desk, seat, genre, count, slot, is_more):
    """Books go back to the hand; more of an action that has taken others already."""
    tell(desk, RETRIEVED, seat, genre, count, slot, int(is_more))


@jit
def tell_pass(desk, seat):
    """An action is passed."""
    tell(desk, PASSED, seat)


@jit
def tell_roll(rules, state, desk):
    """All dice, by seat."""
    if desk.is_told:
        at = begin(desk, ROLLED)
        for seat in range(rules.players):
            write(desk, state.table.roll[seat])
        close(desk, at)


@jit
def tell_move(desk, seat, owner, slot):
    """Where an animal stops, or stays."""
    tell(desk, MOVED, seat, owner, slot)


@jit
def tell_trial(desk, owner, buyer, slot):
    """An owner stops a passing animal with the discards of the answer."""
    if desk.is_told:
        at = begin(desk, STOPPED)
        write(desk, owner)
        write(desk, buyer)
        write(desk, slot)
        _write_discards(desk)
        close(desk, at)


@jit
def tell_sale(desk, owner, slot, genre, buyer, cause, pile, star, limited, bonus, is_cleared):
    """A book is sold."""
    tell(desk, SOLD, owner, slot, genre, buyer, cause, pile, star, limited, bonus, int(is_cleared))


@jit
def tell_mvp(rules, state, row, desk):
    """The vote bag, the draw, the exact chances and what the draw gave."""
    if not desk.is_told:
        return
    at = begin(desk, CROWNED)
    for seat in range(rules.players):
        write(desk, state.table.booths[seat].stars)
        write(desk, int(state.hidden.chances[seat] * _CHANCE))
        write(desk, row.seats[seat].win)
    for k in range(state.hidden.drawn_count):
        write(desk, state.hidden.drawn[k])
    close(desk, at)


@jit
def tell_end(rules, state, row, desk):
    """Everything as it lies at the end."""
    if not desk.is_told:
        return
    at = begin(desk, ENDED)
    table = state.table
    write(desk, table.round_number)
    write(desk, state.hidden.stalled)
    for seat in range(rules.players):
        booth = table.booths[seat]
        write(desk, booth.stars)
        write(desk, booth.supply)
        write(desk, booth.slots)
        for slot in range(booth.slots):
            write(desk, booth.genre[slot])
            write(desk, booth.books[slot])
            write(desk, booth.pop[slot])
            for genre in range(len(GENRES)):
                write(desk, copies(rules, booth, slot, genre))
    _write_hands(rules, state, desk)
    for pile in range(len(GENRES)):
        for genre in range(len(GENRES)):
            write(desk, table.filed[pile, genre])
    for genre in range(len(GENRES)):
        write(desk, table.discards[genre])
    for genre in range(len(GENRES)):
        write(desk, table.gone[genre])
    close(desk, at)


# --- Reading -----------------------------------------------------------------------------------------


def decode(values: Mapping[str, Any], log: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return the events of a filled log as dicts, in order of play, with the keys of the trace format.

    `values` are the resolved rule values of the game.
    """
    numbers = [int(number) for number in log]
    events = []
    at = 0
    while at < len(numbers):
        length = numbers[at + 1]
        body = iter(numbers[at + 2 : at + 2 + length])
        name, read = _READERS[numbers[at]]
        events.append({"event": name, **read(values, body)})
        at += 2 + length
    return events


def _take(body: Iterator[int], count: int) -> list[int]:
    """Return the next numbers of an event."""
    return [next(body) for _ in range(count)]


def _genre(number: int) -> str | None:
    """Return a genre's name, None for none."""
    return GENRES[number] if number >= 0 else None


def _counts(body: Iterator[int]) -> dict[str, int]:
    """Return the next counts by genre, those of 0 left out."""
    return {genre: count for genre, count in zip(GENRES, _take(body, len(GENRES)), strict=True) if count}


def _deck(body: Iterator[int]) -> list[str | None]:
    """Return a deck's genres, next card first."""
    return [_genre(number) for number in _take(body, next(body))]


def _read_setup(rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    start = next(body)
    animals = [ANIMALS[animal] for animal in _take(body, rules["players"])]
    hands = [_counts(body) for _ in range(rules["players"])]
    return {"deck": _deck(body), "hands": hands, "animals": animals, "start_player": start}


def _read_round(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"round": next(body)}


def _read_draw(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"seat": next(body), "genre": _genre(next(body)), "why": _WHYS[next(body)]}


def _read_shuffle(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"deck": _deck(body)}


def _read_books(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"seat": next(body), "genre": _genre(next(body)), "count": next(body), "slot": next(body)}


def _read_retrieve(rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    told = _read_books(rules, body)
    is_more = bool(next(body))
    takes_several = rules["retrieve_from"] == "shelf" or rules["slot_genres"] == "any"
    return told | {"continues": is_more} if takes_several else told


def _read_buy(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    seat, item, slot = _take(body, 3)
    where = None if item == END_SHELF else slot
    return {"seat": seat, "item": ITEMS[item], "slot": where, "discards": _counts(body)}


def _read_pass(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"seat": next(body)}


def _read_roll(rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"dice": _take(body, rules["players"])}


def _read_move(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"seat": next(body), "owner": next(body), "slot": next(body)}


def _read_trial(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    return {"seat": next(body), "animal": next(body), "slot": next(body), "discards": _counts(body)}


def _read_sale(_rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    owner, slot, genre, buyer, cause, pile, star, limited, bonus, is_cleared = _take(body, 10)
    return {
        "owner": owner,
        "slot": slot,
        "genre": GENRES[genre],
        "buyer": buyer,
        "cause": CAUSES[cause],
        "pile": GENRES[pile],
        "star": star,
        "limited": limited,
        "bonus": bonus,
        "pile_cleared": bool(is_cleared),
    }


def _read_mvp(rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    seats = [_take(body, 3) for _ in range(rules["players"])]
    return {
        "stars": [seat[0] for seat in seats],
        "drawn": list(body),
        "chances": [seat[1] / _CHANCE for seat in seats],
        "win_share": [seat[2] / WHOLE_WIN for seat in seats],
    }


def _read_end(rules: Rules, body: Iterator[int]) -> dict[str, Any]:
    rounds, stalled = next(body), bool(next(body))
    stars, supply, booths, shelved = [], [], [], []
    for _ in range(rules["players"]):
        stars.append(next(body))
        supply.append(next(body))
        booth, held = [], []
        for _ in range(next(body)):
            genre, books, pop = _take(body, 3)
            booth.append([_genre(genre), books, ITEMS[pop] if pop >= 0 else None])
            held.append(_counts(body))
        booths.append(booth)
        shelved.append(held)
    hands = [_counts(body) for _ in range(rules["players"])]
    piles = {genre: _counts(body) for genre in GENRES}
    told = {
        "stars": stars,
        "supply": supply,
        "hands": hands,
        "booths": booths,
        "piles": piles,
        "discards": _counts(body),
        "rounds": rounds,
        "stalled": stalled,
    }
    out = _counts(body)
    if rules["cleared_piles"] == "out":
        told["out"] = out
    if rules["slot_genres"] == "any":
        told["shelved"] = shelved
    return told


_READERS: dict[int, tuple[str, Callable[[Rules, Iterator[int]], dict[str, Any]]]] = {
    SETUP: ("setup", _read_setup),
    ROUND: ("round", _read_round),
    DRAWN: ("draw", _read_draw),
    SHUFFLED: ("shuffle", _read_shuffle),
    PLACED: ("place", _read_books),
    BOUGHT: ("buy", _read_buy),
    RETRIEVED: ("retrieve", _read_retrieve),
    PASSED: ("pass", _read_pass),
    ROLLED: ("roll", _read_roll),
    MOVED: ("move", _read_move),
    STOPPED: ("trial", _read_trial),
    SOLD: ("sale", _read_sale),
    CROWNED: ("mvp", _read_mvp),
    ENDED: ("end", _read_end),
}
