"""A game of Book Festival is told whole: every event leaves words, no line is too wide, and the sums come out."""

import dataclasses
import re
from typing import Any

import pytest

from policies import load as load_policy
from reports.telling import WIDTH, tell
from sim.batch import Batch, LineUp
from sim.book_festival.lottery import mvp_odds
from sim.game import load_game
from sim.replay import replay
from sim.rules import load

#: What each event is told with.
WORDS = {
    "setup": "favourite",
    "round": "=== Round",
    "draw": "draws ",
    "shuffle": "become a new deck",
    "place": "places ",
    "buy": "buys LIMITED EDITION for",
    "retrieve": " back from ",
    "pass": "passes",
    "roll": "Dice:",
    "move": " -> ",
    "trial": "stops it with TRIAL READ",
    "sale": "for seat",
    "mvp": "=== The MVP draw",
}


def _events(*sets: str, index: int = 0, label: str = "random_legal") -> list[dict[str, Any]]:
    rules = load("book_festival", sets=sets)
    policy = dataclasses.replace(load_policy(load_game("book_festival"), "random_legal"), label=label)
    line_up = LineUp((policy,) * rules.values["players"], "fixed")
    events, fault = replay(Batch("book_festival", rules, line_up, 5), index)
    assert fault is None
    return events


WIDE = (
    "players=6", "extension=true", "stars_per_player=60", "mvp_draws=60", "main_shelf_slots=6", "end_shelves_max=3",
    "end_shelf_slots=3", "starting_hand=12", "books_per_genre=40", "max_rounds=12", "end_shelf_cost=0",
)  # fmt: skip


@pytest.mark.parametrize("sets", [(), WIDE, *load_game("book_festival").odd])
def test_no_line_is_wider_than_the_page(sets: tuple[str, ...]) -> None:
    lines = list(tell(_events(*sets, label="x" * 300)))
    assert max(map(len, lines)) <= WIDTH
    assert all(line.isprintable() for line in lines)


def test_every_kind_of_event_is_told() -> None:
    events = [event for index in range(4) for event in _events("books_per_genre=6", index=index)]
    lines = [line for index in range(4) for line in tell(_events("books_per_genre=6", index=index))]
    text = " ".join(" ".join(lines).split())
    assert {event["event"] for event in events} == {"game", "end", *WORDS}
    for kind, words in WORDS.items():
        assert words in text, kind
    for kind in ("round", "trial", "roll"):
        assert text.count(WORDS[kind]) == sum(event["event"] == kind for event in events)
    ways = len(re.findall(r" -> | ends on .. as before| comes round to .. again", text))
    assert ways == sum(event["event"] == "move" for event in events)


def test_a_seat_has_one_line_a_turn() -> None:
    for index in range(3):
        events = _events("books_per_genre=6", index=index)
        rounds = sum(event["event"] == "round" for event in events)
        turns = [line for line in tell(events) if re.match(r"\d [a-z]+: ", line)]
        assert [int(line[0]) for line in turns] == [seat for _ in range(rounds) for seat in range(4)]


def test_the_stars_after_the_last_round_are_those_of_the_bag() -> None:
    for index in range(5):
        events = _events("extension=true", index=index)
        end = events[-1]
        told = list(tell(events))
        at = next(k for k, line in enumerate(told) if line.startswith("=== The MVP draw"))
        standing = [line for line in told[:at] if re.match(r"  \d [a-z]+ +[*.]+ ", line)][-4:]
        for seat, line in enumerate(standing):
            bar, stars, cards = re.fullmatch(  # type: ignore[union-attr]
                r"  \d [a-z]+ +([*.]+) +(\d+) (?:\+\d+)? *(\d+|no) cards? in hand(?: leads)?", line
            ).groups()
            assert int(stars) == bar.count("*") == end["stars"][seat]
            assert len(bar) - bar.count("*") == end["supply"][seat]
            assert int(cards.replace("no", "0")) == sum(end["hands"][seat].values())


def test_the_booths_before_the_dice_show_what_is_there() -> None:
    events = _events()
    placed = {0: 0, 1: 0, 2: 0, 3: 0}
    for event in events:
        if event["event"] == "roll":
            break
        if event["event"] in ("place", "retrieve"):
            placed[event["seat"]] += event["count"] * (1 if event["event"] == "place" else -1)
    drawn = list(tell(events))
    rows = [line for line in drawn if re.match(r"\d [a-z]+ +\|", line)][:4]
    for seat, row in enumerate(rows):
        assert sum(map(int, re.findall(r"[A-Z]{3} x(\d+)", row))) == placed[seat]
        assert f"@{seat}" in row.split("|")[1]


def test_the_mvp_is_told_with_chances() -> None:
    for index in range(8):
        events = _events(index=index)
        event = events[-2]
        last = " ".join(list(tell(events))[-3:])
        winners = [seat for seat in range(4) if event["win_share"][seat]]
        assert f"MVP: {winners[0]} {events[1]['animals'][winners[0]]}" in last
        assert f"{sum(event['chances'][seat] for seat in winners):.1%}" in last


def test_a_shared_mvp_is_told_in_parts_and_a_leader_who_shares_it_has_not_lost() -> None:
    shared = lost = 0
    for index in range(40):
        events = _events("mvp_tie=shared", "mvp_draws=2", index=index)
        event, told = events[-2], " ".join(" ".join(tell(events)).split())
        winners = [seat for seat in range(4) if event["win_share"][seat]]
        shared += len(winners) > 1
        assert ("MVP in equal parts" in told) == (len(winners) > 1)
        for seat in winners:
            assert f"{event['chances'][seat]:.1%}" in told
        if not any(event["stars"][seat] == max(event["stars"]) for seat in winners):
            lost += 1
            odds = mvp_odds(event["stars"], 2, "shared")
            assert f"as happens with a chance of {float(odds.leader_loses):.1%}" in told
    assert shared > 5
    assert lost > 5


def test_an_animal_that_walks_a_whole_lap_and_buys_is_not_said_to_stay() -> None:
    events = [_events("empty_slots_count=false", "players=3", index=index) for index in range(4)]
    text = " ".join(" ".join(" ".join(tell(each)) for each in events).split())
    assert re.search(r"comes round to .. again: buys", text)
    assert not re.search(r"as before: buys (?!nothing)", text)


def test_a_trace_that_breaks_off_is_told_as_far_as_it_goes() -> None:
    events = _events("max_rounds=4")
    for length in range(1, len(events)):
        list(tell(events[:length]))


def test_a_name_cannot_write_over_the_terminal() -> None:
    assert "\x1b" not in "\n".join(tell(_events(label="\x1b[2J\nseat 9 wins")))


READINGS = (
    "extra_stars_from=stock", "slot_genres=any", "retrieve_from=shelf", "end_shelf_side=left", "cleared_piles=out",
    "end_shelf_cost=0", "genre_pile_size=3",
)  # fmt: skip


def test_under_every_reading_the_booths_told_are_those_that_were_played() -> None:
    """Just before a roll the booths are drawn: their books by genre are what the events have left there."""
    for index in range(6):
        events = _events(*READINGS, index=index)
        told = list(tell(events[:-2]))
        above, below = [at for at, line in enumerate(told) if re.match(r" +\+-", line)][-2:]
        drawn = [line.split("|")[1:-1] for line in told[above + 1 : below]]
        books = sum(int(count) for row in drawn for cell in row for count in re.findall(r" x(\d+)", cell))
        last = max(at for at, event in enumerate(events) if event["event"] == "roll")
        sold = sum(event["event"] == "sale" for event in events[last:])
        left = sum(sum(slot.values()) for booth in events[-1]["shelved"] for slot in booth)
        assert books == left + sold
        assert sum(map(len, drawn)) == sum(len(booth) for booth in events[-1]["booths"])


def test_with_stars_from_a_stock_the_supply_tells_who_has_ended_the_game() -> None:
    seen = 0
    for index in range(10):
        events = _events(*READINGS, "pop_cost_limited=0", "stars_per_player=6", index=index)
        text = " ".join(" ".join(tell(events)).split())
        empty = [seat for seat in range(4) if events[-1]["supply"][seat] == 0]
        said = re.search(r"(?:drawn|draw) =+ (.*?) sent (?:its|their) last star", text)
        assert bool(said) == bool(empty)
        if said:
            assert re.findall(r"(\d) [a-z]+", said[1]) == [str(seat) for seat in empty]
        seen += "is FULL and leaves the game" in text
    assert seen > 2
