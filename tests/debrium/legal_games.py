"""Hand-written games by the rules, and ways to change one: what the referee itself is judged by."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from tests.trace_changes import Change, Trace, event, find, opening_of

RULES: dict[str, Any] = {
    "players": 3,
    "expansion": False,
    "rows": 2,
    "columns": 3,
    "stack_height": 2,
    "chips_level_1": 6,
    "chips_level_2": 4,
    "chips_level_3": 2,
    "chips_level_4": 3,
    "values_level_1": [1, 1, 2, 2, 3, 4],
    "values_level_2": [3, 4, 5, 6],
    "values_level_3": [7, 8],
    "values_level_4": [10, 11, 12],
    "coordinate_copies": 2,
    "starting_coins": 10,
    "starting_pool": 1,
    "free_workers": 2,
    "max_workers": 5,
    "hire_cost": [1, 3, 5],
    "debt_penalty": [1, 3, 6, 12, 15],
    "mining_king_bonus": 15,
    "starting_skill_coins": 2,
    "yellow_take": 5,
    "red_workers": 2,
    "green_discount": 3,
    "green_surcharge": 3,
    "initial_order": "random",
    "companies": "random",
    "coins_public": True,
    "skill_with_funds": True,
    "tie": "shared",
    "blue_takes": "must",
    "red_needs": "most",
    "green_per": "turn",
    "coin_points": 1,
    "skill_coin_points": 1,
    "king_needs_chip": True,
    "hire_idle": False,
}

# Top chips by space, row A then row B: levels 2 1 3 / 1 2 1.
STACKS = [
    [[1, 1], [2, 4]],
    [[2, 3], [1, 2]],
    [[1, 1], [3, 8]],
    [[1, 3], [1, 2]],
    [[3, 7], [2, 5]],
    [[2, 6], [1, 4]],
]


def opening(rules: dict[str, Any]) -> dict[str, Any]:
    return opening_of("debrium", rules)


def bids(coins: list[int], skill_coins: list[int], order: list[int]) -> dict[str, Any]:
    return event("bids", coins=coins, skill_coins=skill_coins, order=order, debt=order[-1])


def skill(seat: int, company: str, taken: int = 0) -> dict[str, Any]:
    return event("skill", seat=seat, company=company, taken=taken)


def funds(seat: int) -> dict[str, Any]:
    return event("funds", seat=seat)


def mine(
    seat: int, spaces: list[int], workers: int, hired: int = 0, paid: tuple[int, int] = (0, 0)
) -> dict[str, Any]:
    return event(
        "mine",
        seat=seat,
        spaces=spaces,
        workers=workers,
        hired=hired,
        paid_coins=paid[0],
        paid_skill_coins=paid[1],
    )


def payout(takers: list[int], each: tuple[int, int], left: tuple[int, int]) -> dict[str, Any]:
    return event(
        "payout",
        takers=takers,
        coins_each=each[0],
        skill_coins_each=each[1],
        pool=left[0],
        skill_pool=left[1],
    )


def fall(
    column: int, row: int, value: int, lost: list[list[int]], bursts: Sequence[bool] = (False, False)
) -> dict[str, Any]:
    return event(
        "fall",
        column=column,
        row=row,
        burst_column=bursts[0],
        burst_row=bursts[1],
        space=row * 3 + column,
        value=value,
        lost=lost,
    )


def collect(seat: int, space: int, level: int, value: int, extra: bool = False) -> dict[str, Any]:
    return event("collect", seat=seat, space=space, level=level, value=value, extra=extra)


def base_game() -> Trace:
    """Three seats and rounds: a tied bid, a fallen chip mined, a remainder, a row burst, an idle miner."""
    return deepcopy(
        [
            opening(RULES),
            event(
                "setup",
                stacks=STACKS,
                pile=[12, 10, 11],
                order=[2, 1, 0],
                coins=[10, 10, 10],
                skill_coins=[0, 0, 0],
                companies=None,
            ),
            event("round", round=1),
            bids([3, 3, 0], [0, 0, 0], [1, 0, 2]),
            mine(1, [0, 3], 3, 1, (1, 0)),
            mine(0, [2], 3, 1, (1, 0)),
            funds(2),
            payout([2], (9, 0), (0, 0)),
            fall(2, 0, 12, [[0, 2]]),
            collect(1, 0, 2, 4),
            collect(1, 3, 1, 2),
            event("round", round=2),
            bids([2, 1, 5], [0, 0, 0], [2, 0, 1]),
            mine(2, [2, 0], 5, 3, (5, 0)),
            funds(0),
            funds(1),
            payout([0, 1], (6, 0), (1, 0)),
            fall(0, 1, 10, []),
            collect(2, 2, 4, 12),
            collect(2, 0, 1, 1),
            event("round", round=3),
            bids([0, 0, 0], [0, 0, 0], [2, 0, 1]),
            mine(2, [5, 1], 2),
            mine(0, [2], 3, 1, (1, 0)),
            mine(1, [], 0),
            payout([], (0, 0), (2, 0)),
            fall(1, 0, 11, [[2, 1], [0, 2]], (False, True)),
            collect(2, 5, 1, 4),
            event(
                "end",
                chip_points=[0, 6, 17],
                coins=[9, 11, 9],
                skill_coins=[0, 0, 0],
                debt_cards=[0, 2, 1],
                debt_penalty=[0, 3, 1],
                chips=[0, 2, 3],
                score=[9, 14, 40],
                win_share=[0, 0, 1],
                king=2,
            ),
        ]
    )


def expansion_game() -> Trace:
    """Four seats, two rounds: all four skills, skill coins bid and paid, a double burst, a tie for King."""
    changed = {"players": 4, "expansion": True, "chips_level_4": 2, "values_level_4": [10, 12]}
    return deepcopy(
        [
            opening(RULES | changed),
            event(
                "setup",
                stacks=STACKS,
                pile=[12, 10],
                order=[0, 1, 2, 3],
                coins=[10, 10, 10, 10],
                skill_coins=[2, 2, 2, 2],
                companies=["red", "blue", "yellow", "green"],
            ),
            event("round", round=1),
            bids([0, 2, 0, 3], [1, 1, 0, 1], [3, 1, 0, 2]),
            skill(3, "green"),
            mine(3, [0, 1], 3, 1),
            skill(1, "blue"),
            mine(1, [3, 5], 2),
            skill(0, "red"),
            mine(0, [2, 4], 4, 2, (5, 1)),
            funds(2),
            payout([2], (11, 4), (0, 0)),
            fall(1, 0, 12, [[3, 1]]),
            collect(3, 0, 2, 4),
            collect(1, 3, 1, 2),
            collect(1, 5, 1, 4),
            collect(1, 5, 2, 6, extra=True),
            collect(0, 2, 3, 8),
            collect(0, 4, 2, 5),
            event("round", round=2),
            bids([1, 0, 0, 0], [0, 0, 2, 1], [2, 3, 0, 1]),
            skill(2, "yellow", taken=1),
            mine(2, [4], 3, 1, (1, 0)),
            skill(3, "green"),
            funds(3),
            mine(0, [2, 3], 2),
            funds(1),
            payout([3, 1], (0, 1), (1, 1)),
            fall(1, 0, 10, [[2, 4], [0, 2]], (True, True)),
            collect(0, 3, 1, 3),
            event(
                "end",
                chip_points=[16, 12, 0, 4],
                coins=[4, 8, 21, 7],
                skill_coins=[0, 2, 4, 1],
                debt_cards=[0, 1, 1, 0],
                debt_penalty=[0, 1, 1, 0],
                chips=[3, 3, 0, 1],
                score=[35, 21, 24, 12],
                win_share=[1, 0, 0, 0],
                king=0,
            ),
        ]
    )


Draw = tuple[int, int, bool, bool]  # column, row and whether each bursts


def idle_game(draws: Sequence[Draw] = ((1, 1, False, False),)) -> Trace:
    """Nobody ever bids or mines: no King, seat 0 takes every debt card, the two others are level."""
    rounds = len(draws)
    debt = [0, *RULES["debt_penalty"], 15, 15][rounds]
    trace = [
        opening(RULES | {"chips_level_4": rounds, "values_level_4": [10] * rounds}),
        event(
            "setup",
            stacks=STACKS,
            pile=[10] * rounds,
            order=[2, 1, 0],
            coins=[10, 10, 10],
            skill_coins=[0, 0, 0],
            companies=None,
        ),
    ]
    for number, (column, row, *bursts) in enumerate(draws, start=1):
        trace += [
            event("round", round=number),
            bids([0, 0, 0], [0, 0, 0], [2, 1, 0]),
            *(mine(seat, [], 0) for seat in (2, 1, 0)),
            payout([], (0, 0), (1, 0)),
            fall(column, row, 10, [], bursts),
        ]
    end = event(
        "end",
        chip_points=[0, 0, 0],
        coins=[10, 10, 10],
        skill_coins=[0, 0, 0],
        debt_cards=[rounds, 0, 0],
        debt_penalty=[debt, 0, 0],
        chips=[0, 0, 0],
        score=[10 - debt, 10, 10],
        win_share=[0, 0.5, 0.5],
        king=None,
    )
    return deepcopy([*trace, end])


GAMES = {"base": base_game, "expansion": expansion_game, "idle": idle_game}


def insert(at: int, entry: dict[str, Any]) -> Change:
    return lambda trace: trace.insert(at, entry)


def drop(name: str, nth: int = 0) -> Change:
    return lambda trace: trace.remove(find(trace, name, nth))


def swap(first: int, second: int) -> Change:
    def change(trace: Trace) -> None:
        trace[first], trace[second] = trace[second], trace[first]

    return change


def revalue(*chips: tuple[int, int, list[int]]) -> Change:
    """Other chips at (space, height) from the start."""

    def change(trace: Trace) -> None:
        for space, height, chip in chips:
            find(trace, "setup")["stacks"][space][height] = chip

    return change
