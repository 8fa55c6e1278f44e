"""Debrium as the rest of the toolkit sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.debrium import events, faults
from sim.debrium.engine import play
from sim.debrium.metrics import OUTCOMES
from sim.debrium.setup import set_up
from sim.debrium.state import (
    BLUE_MAY,
    BLUE_MUST,
    CHOICE,
    COMPANIES,
    GREEN_PER_TURN,
    GREEN_PER_WORKER,
    LEVELS,
    LINE_UP,
    NO_COMPANY,
    ORDER_RANDOM,
    ORDER_SEAT,
    OWN,
    PARAMS,
    RED_EXACTLY,
    RED_MOST,
    RULES,
    SEAT_STREAM,
    STATE,
    TABLE,
    TIE_ORDER,
    TIE_SHARED,
)
from sim.game import Decision, Game, fill_numbers

#: The codes of the switches that are a word.
_WORDS = {
    "initial_order": {"random": ORDER_RANDOM, "seat": ORDER_SEAT},
    "tie": {"shared": TIE_SHARED, "order": TIE_ORDER},
    "blue_takes": {"must": BLUE_MUST, "may": BLUE_MAY},
    "red_needs": {"most": RED_MOST, "exactly": RED_EXACTLY},
    "green_per": {"turn": GREEN_PER_TURN, "worker": GREEN_PER_WORKER},
}


def rules_record(values: Mapping[str, Any]) -> Any:
    """Return resolved rule values as the engine's (1,) record."""
    record = np.zeros(1, RULES).view(np.recarray)
    rules = record[0]
    fill_numbers(rules, values)
    rules.spaces = values["rows"] * values["columns"]
    rules.rounds = values["chips_level_4"]
    for level in range(1, LEVELS + 1):
        rules.chips[level] = values[f"chips_level_{level}"]
        rules["values"][level, : rules.chips[level]] = values[f"values_level_{level}"]
    costs, penalties = values["hire_cost"], values["debt_penalty"]
    rules.hire_cost[1 : len(costs) + 1] = costs
    rules.debt_penalty[1 : len(penalties) + 1] = penalties
    rules.debt_penalty[len(penalties) + 1 :] = penalties[-1]
    for key, codes in _WORDS.items():
        rules[key] = codes[values[key]]
    rules.companies[:] = NO_COMPANY
    if not isinstance(values["companies"], str):
        for seat, company in enumerate(values["companies"]):
            rules.companies[seat] = COMPANIES.index(company)
    return record


def _texts(settings: str) -> tuple[str, ...]:
    """Return key=value texts from one line of them."""
    return tuple(settings.split())


def _shape(values: Mapping[str, Any]) -> tuple[int, int]:
    """Return a variant's seats and rounds."""
    return values["players"], values["chips_level_4"]


GAME = Game(
    name="debrium",
    title="Debrium: Treasure",
    seats=(3, 4),
    decisions=(
        Decision("bid", "coins (and skill coins) for the turn order"),
        Decision("turn", "mine and where, or take additional funds; whether to use the skill"),
        Decision("extra", "Blue's skill: the space that gives the extra chip; none where it may be left"),
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
    side="company",
    sides="companies",
    headline=("win_rate_by_company", "king_decided", "debt_decided", "bursts_column", "margin", "lead_changes"),
    bench=("random_legal", "prospector", "mixed"),
    report=(
        ("players=3", "expansion=false"),
        ("players=3", "expansion=true"),
        ("players=4", "expansion=false"),
        ("players=4", "expansion=true"),
    ),
    odd=(
        _texts("expansion=true rows=3 columns=5 stack_height=1 chips_level_1=5 chips_level_2=5 chips_level_3=5"),
        _texts("rows=6 columns=6 stack_height=3 chips_level_1=36 chips_level_2=36 chips_level_3=36 chips_level_4=14"),
        _texts("players=3 rows=1 columns=2 stack_height=0 chips_level_1=0 chips_level_2=0 chips_level_3=0"),
        _texts("expansion=true free_workers=0 max_workers=12 hire_cost=5,1,4,1,5,9,2,6,5,3,5,8 coordinate_copies=4"),
        _texts("expansion=true starting_skill_coins=5 skill_with_funds=false coins_public=false red_workers=1"),
        _texts("free_workers=3 max_workers=3 hire_cost=[] starting_coins=0 tie=order initial_order=seat"),
        _texts(
            "expansion=true starting_skill_coins=5 blue_takes=may red_needs=exactly green_per=worker hire_idle=true "
            "coin_points=0 skill_coin_points=2 king_needs_chip=false"
        ),
        _texts("expansion=true starting_skill_coins=5 red_needs=exactly red_workers=12 max_workers=5"),
        _texts(
            "expansion=true starting_skill_coins=5 red_needs=exactly red_workers=7 free_workers=2 max_workers=12 "
            "hire_cost=1,2,3,4,5,6,7,8,9,10 starting_coins=60 green_per=worker"
        ),
    ),
)
