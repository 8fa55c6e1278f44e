"""A trace is told whole: every event leaves words, no line is too wide, and the sums come out."""

import dataclasses
import re
from typing import Any

import pytest

from policies import load as load_policy
from reports.telling import WIDTH, counted, listed, tell
from sim.batch import Batch, LineUp
from sim.errors import BadInput
from sim.game import load_game
from sim.replay import replay
from sim.rules import load

#: What each event is told with.
WORDS = {
    "setup": "policy",
    "round": "=== Round",
    "bids": "Bids:",
    "skill": "skill",
    "funds": "takes additional funds",
    "mine": "mines",
    "payout": "Funds:",
    "fall": "The debris falls on",
    "collect": "digs up",
    "end": "=== The end",
}


def _events(*sets: str, index: int = 0, label: str = "random_legal") -> list[dict[str, Any]]:
    rules = load("debrium", sets=sets)
    policy = dataclasses.replace(load_policy(load_game("debrium"), "random_legal"), label=label)
    events, fault = replay(Batch("debrium", rules, LineUp((policy,) * rules.values["players"], "fixed"), 5), index)
    assert fault is None
    return events


@pytest.mark.parametrize(
    "sets",
    [
        (),
        ("players=3", "expansion=true", "starting_skill_coins=3"),
        ("rows=6", "columns=6", "stack_height=3", "chips_level_1=60", "chips_level_2=40", "chips_level_4=14"),
        ("rows=1", "columns=2", "stack_height=0", "chips_level_1=0", "chips_level_2=0", "chips_level_3=0"),
    ],
)
def test_no_line_is_wider_than_the_page(sets: tuple[str, ...]) -> None:
    for index in range(5):
        lines = list(tell(_events(*sets, index=index, label="x" * 300)))
        assert max(map(len, lines)) <= WIDTH
        assert all(line.isprintable() for line in lines)


def test_every_kind_of_event_is_told() -> None:
    events = _events("expansion=true")
    text = "\n".join(tell(events))
    assert {event["event"] for event in events} == {"game", *WORDS}
    for kind, words in WORDS.items():
        assert words in text, kind
    assert text.count("=== Round") == 10
    assert text.count("digs up") == sum(event["event"] == "collect" for event in events)


def test_losses_and_bursts_are_named() -> None:
    events = next(e for e in (_events(index=k) for k in range(20)) if any(len(x.get("lost", [])) > 1 for x in e))
    text = "\n".join(tell(events))
    falls = [event for event in events if event["event"] == "fall"]
    assert text.count("BURST in") == sum(fall["burst_column"] or fall["burst_row"] for fall in falls)
    assert text.count("(impact)") + text.count("(burst)") == sum(len(fall["lost"]) for fall in falls)


def test_what_seats_hold_after_the_last_round_is_the_final_count() -> None:
    for index in range(10):
        events = _events("expansion=true", index=index)
        end = events[-1]
        lines = list(tell(events))
        last = lines[max(k for k, line in enumerate(lines) if "score if it ended now" in line) + 1 :][:4]
        for line in last:
            seat, coins, skill_coins, debt, chips, points, score = map(int, re.findall(r"-?\d+", line))
            assert (coins, skill_coins, debt) == tuple(end[k][seat] for k in ("coins", "skill_coins", "debt_cards"))
            assert (chips, points, score) == tuple(end[k][seat] for k in ("chips", "chip_points", "score"))


def test_the_board_shows_levels_heights_and_workers() -> None:
    events = _events()
    board = list(tell(events))
    row = next(line for line in board if line.strip(" *").startswith("A |"))
    cells = row.split("|")[1:-1]
    stacks = events[1]["stacks"]
    workers = {
        space: e["seat"] for e in events[: _at(events, "payout")] if e["event"] == "mine" for space in e["spaces"]
    }
    for column, cell in enumerate(cells):
        who = [f"@{workers[column]}"] if column in workers else []
        assert cell.split() == [str(stacks[column][-1][0]), f"x{len(stacks[column])}", *who]


def test_a_trace_that_breaks_off_is_told_as_far_as_it_goes() -> None:
    events = _events()
    for length in range(1, len(events)):
        list(tell(events[:length]))


def test_a_name_cannot_write_over_the_terminal() -> None:
    text = "\n".join(tell(_events(label="\x1b[2J\nseat 9 wins")))
    assert "\x1b" not in text


def test_only_known_games_are_told() -> None:
    with pytest.raises(BadInput, match="begins with"):
        tell([])
    with pytest.raises(BadInput, match="unknown game"):
        tell([{"event": "game", "game": "os"}])


def test_words() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert counted(1, "coin") == "1 coin"
    assert counted(0, "coin") == "no coins"


def _at(events: list[dict[str, Any]], name: str) -> int:
    return next(k for k, event in enumerate(events) if event["event"] == name)
