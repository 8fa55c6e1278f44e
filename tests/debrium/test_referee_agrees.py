"""The independent referee finds nothing in games of random_legal, whatever the variant."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.batch import Batch, LineUp
from sim.replay import replay
from sim.rules import Rules, load
from tests.debrium.referee import Foul
from tests.debrium.script import random_batch, referee_judges, tell_random
from tests.games.stage import of

BOARD = "rows={} columns={} stack_height={} chips_level_1={} chips_level_2={} chips_level_3={}"
VARIANTS = {
    "the base game": "",
    "three players": "players=3",
    "the expansion": "expansion=true",
    "the expansion with three": "expansion=true players=3 starting_skill_coins=3",
    "skill coins in plenty": "expansion=true starting_skill_coins=9 starting_coins=4",
    "skills for miners only": "expansion=true starting_skill_coins=5 skill_with_funds=false",
    "coins hidden": "expansion=true coins_public=false starting_skill_coins=2",
    "seats as they sit": 'initial_order=seat tie=order expansion=true companies=["green","blue","red","yellow"]',
    "the smallest board": BOARD.format(1, 2, 3, 2, 2, 2),
    "one column": BOARD.format(6, 1, 2, 4, 4, 4),
    "an empty board": BOARD.format(3, 3, 0, 0, 0, 0) + " chips_level_4=14 players=3",
    "the largest board": BOARD.format(6, 6, 3, 60, 40, 8) + " chips_level_4=14 expansion=true coordinate_copies=3",
    "no coins": "starting_coins=0 starting_pool=0",
    "many coins": "starting_coins=200 starting_pool=200",
    "one round": "chips_level_4=1 tie=order",
    "many free workers": "free_workers=12 max_workers=12 expansion=true starting_skill_coins=4",
    "no free workers": "free_workers=0 max_workers=6 hire_cost=[0,1,1,5,5,9]",
    "strong skills": "expansion=true starting_skill_coins=6 red_workers=1 yellow_take=50 green_surcharge=9",
    "weak skills": "expansion=true starting_skill_coins=6 red_workers=5 yellow_take=0 green_discount=0",
    "readings": "expansion=true starting_skill_coins=6 blue_takes=may red_needs=exactly green_per=worker "
    "coin_points=2 skill_coin_points=0 king_needs_chip=false hire_idle=true",
    "a Red that needs many": "expansion=true starting_skill_coins=6 red_needs=exactly red_workers=4",
    "a King without a chip": BOARD.format(1, 2, 0, 0, 0, 0) + " king_needs_chip=false chips_level_4=1",
    "strange scores": "mining_king_bonus=-20 debt_penalty=[-5,90,3] chips_level_4=7",
}


@pytest.mark.parametrize("sets", [text.split() for text in VARIANTS.values()], ids=VARIANTS)
def test_the_referee_finds_nothing(sets: list[str]) -> None:
    for index in range(25):
        referee_judges(tell_random(*sets, index=index))


def test_what_the_referee_judges_holds_every_kind_of_event() -> None:
    """Random play reaches skills, extra chips, losses, double bursts and payments in both kinds of coins."""
    events = [
        event for index in range(25) for event in tell_random(*VARIANTS["skill coins in plenty"].split(), index=index)
    ]
    assert {event["company"] for event in of(events, "skill")} == {"red", "blue", "yellow", "green"}
    assert of(events, "collect", extra=True)
    assert of(events, "fall", burst_column=True, burst_row=True)
    assert any(fall["lost"] for fall in of(events, "fall"))
    assert any(mine["paid_coins"] and mine["paid_skill_coins"] for mine in of(events, "mine"))
    assert any(len(payout["takers"]) > 1 and payout["skill_coins_each"] for payout in of(events, "payout"))
    assert of(events, "mine", spaces=[])


def test_random_play_reaches_what_the_readings_allow() -> None:
    """Extra chips that are left, idle workers, and with none placed too."""
    games = [tell_random(*VARIANTS["readings"].split(), index=index) for index in range(25)]
    mines = [event for events in games for event in of(events, "mine")]
    assert any(event["hired"] > max(0, event["workers"] - 2) for event in mines)
    assert any(event["hired"] and not event["spaces"] for event in mines)
    rules = {"blue_takes": "must", "hire_idle": False}
    assert any(not passes(events, rules | {"hire_idle": True}) for events in games), "some chip is left"
    assert not all(passes(events, rules | {"blue_takes": "may"}) for events in games)


def passes(events: list[dict[str, Any]], rules: dict[str, Any]) -> bool:
    """Whether the referee would let a game pass under other rules."""
    opening = {**events[0], "rules": events[0]["rules"] | rules}
    try:
        referee_judges([opening, *events[1:]])
    except Foul:
        return False
    return True


@st.composite
def variants(draw: st.DrawFn) -> Rules:
    """Any rules that the engine can hold."""

    def whole(low: int, high: int) -> int:
        return draw(st.integers(low, high))

    def cycled(low: int, high: int, length: int) -> list[int]:
        """A list of that length out of a few numbers."""
        few = draw(st.lists(st.integers(low, high), min_size=1, max_size=6))
        return [few[k % len(few)] for k in range(length)]

    rows, columns, players = whole(1, 6), whole(1, 6), whole(3, 4)
    columns = max(columns, 3 - rows)
    height = whole(0, 3)
    chips = rows * columns * height
    ones = whole(0, chips)
    twos = whole(0, chips - ones)
    levels = [ones, twos, chips - ones - twos, whole(1, 14)]
    free = whole(0, 12)
    most = whole(free, 12)
    values: dict[str, Any] = {
        "players": players,
        "expansion": draw(st.booleans()),
        "rows": rows,
        "columns": columns,
        "stack_height": height,
        "coordinate_copies": whole(2, 4),
        "starting_coins": whole(0, 200),
        "starting_pool": whole(0, 200),
        "free_workers": free,
        "max_workers": most,
        "hire_cost": cycled(0, 200, most - free),
        "debt_penalty": cycled(-99, 200, whole(1, 14)),
        "mining_king_bonus": whole(-200, 200),
        "starting_skill_coins": whole(0, 50),
        "yellow_take": whole(0, 200),
        "red_workers": whole(1, 12),
        "green_discount": whole(0, 200),
        "green_surcharge": whole(0, 200),
        "initial_order": draw(st.sampled_from(["random", "seat"])),
        "coins_public": draw(st.booleans()),
        "skill_with_funds": draw(st.booleans()),
        "tie": draw(st.sampled_from(["shared", "order"])),
        "blue_takes": draw(st.sampled_from(["must", "may"])),
        "red_needs": draw(st.sampled_from(["most", "exactly"])),
        "green_per": draw(st.sampled_from(["turn", "worker"])),
        "coin_points": whole(0, 10),
        "skill_coin_points": whole(0, 10),
        "king_needs_chip": draw(st.booleans()),
        "hire_idle": draw(st.booleans()),
    }
    for level, count in enumerate(levels, start=1):
        values[f"chips_level_{level}"] = count
        if draw(st.booleans()):
            values[f"values_level_{level}"] = cycled(-99, 99, count)
    if draw(st.booleans()):
        companies = draw(st.permutations(["red", "blue", "yellow", "green"]))
        values["companies"] = companies[:players]
    return load("debrium", sets=[f"{key}={as_text(value)}" for key, value in values.items()])


def as_text(value: Any) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).replace("'", '"')


@settings(max_examples=300)
@given(rules=variants(), seed=st.integers(0, 2**63 - 1), index=st.integers(0, 2**40))
def test_the_referee_finds_nothing_in_any_variant_that_the_engine_holds(rules: Rules, seed: int, index: int) -> None:
    """It also counts coins, skill coins and chips."""
    policy = random_batch().line_up.pool[0]
    batch = Batch("debrium", rules, LineUp((policy,) * rules.values["players"], "fixed"), seed)
    events, fault = replay(batch, index)
    assert fault is None
    referee_judges(events)
