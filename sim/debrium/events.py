"""The events of a game as numbers in a log, and back as the dicts that a trace prints.

The engine tells; nothing is written when nobody listens. An event is its code, the count of its
numbers and the numbers. `decode` is the one reader, and each event stands in both halves in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.debrium.state import COMPANIES, FUNDS, NOBODY
from sim.desk import begin, close, tell, write
from sim.game import WHOLE_WIN
from sim.jit import jit

SETUP, ROUND, BIDS, SKILL, FUNDS_TAKEN, MINING, PAYOUT, FALL, LOST, COLLECT, END = range(1, 12)

#: More numbers than any game writes (the longest: 14 rounds of 4 seats with 12 placements each).
LOG_SIZE = 1 << 15


@jit
def tell_setup(rules, state, desk):
    """The stacks bottom first, the pile in falling order, order, coins, skill coins, companies."""
    if not desk.is_told:
        return
    at = begin(desk, SETUP)
    hidden, table = state.hidden, state.table
    for space in range(rules.spaces):
        for height in range(rules.stack_height):
            write(desk, hidden.stack_level[space, height])
            write(desk, hidden.stack_value[space, height])
    for k in range(rules.rounds):
        write(desk, hidden.pile[k])
    for place in range(rules.players):
        write(desk, table.order[place])
    for seat in range(rules.players):
        write(desk, state.owns[seat].coins)
    for seat in range(rules.players):
        write(desk, state.owns[seat].skill_coins)
    for seat in range(rules.players):
        write(desk, table.seats[seat].company)
    close(desk, at)


@jit
def tell_round(state, desk):
    """A round begins."""
    tell(desk, ROUND, state.table.round_number)


@jit
def tell_bids(rules, state, desk):
    """The bids by seat, the new order, the seat that takes the debt card (the last of the order)."""
    if not desk.is_told:
        return
    at = begin(desk, BIDS)
    for seat in range(rules.players):
        write(desk, state.hidden.bid[seat])
    for seat in range(rules.players):
        write(desk, state.hidden.skill_bid[seat])
    for place in range(rules.players):
        write(desk, state.table.order[place])
    close(desk, at)


@jit
def tell_skill(desk, seat, company, taken):
    """A seat uses its company's skill."""
    tell(desk, SKILL, seat, company, taken)


@jit
def tell_funds(desk, seat):
    """A seat chooses funds."""
    tell(desk, FUNDS_TAKEN, seat)


@jit
def tell_mine(state, desk, seat, workers, hired, coins, skill_coins):
    """A seat mines: workers in all, hired, paid, and the spaces."""
    if not desk.is_told:
        return
    at = begin(desk, MINING)
    write(desk, seat)
    write(desk, workers)
    write(desk, hired)
    write(desk, coins)
    write(desk, skill_coins)
    for k in range(state.hidden.placements[seat]):
        write(desk, state.hidden.placed[seat, k])
    close(desk, at)


@jit
def tell_payout(rules, state, desk, coins, skill_coins):
    """What each taker got, the pools after, and the takers in turn order."""
    if not desk.is_told:
        return
    at = begin(desk, PAYOUT)
    table = state.table
    write(desk, coins)
    write(desk, skill_coins)
    write(desk, table.pool)
    write(desk, table.skill_pool)
    for place in range(rules.players):
        if table.seats[table.order[place]].action == FUNDS:
            write(desk, table.order[place])
    close(desk, at)


@jit
def tell_fall(desk, column, row, is_column_burst, is_row_burst, space, value):
    """The two coordinate chips, the bursts, the impact and the fallen chip's value."""
    tell(desk, FALL, column, row, int(is_column_burst), int(is_row_burst), space, value)


@jit
def tell_lost(desk, seat, space):
    """A placement that the fall just told took."""
    tell(desk, LOST, seat, space)


@jit
def tell_collect(desk, seat, space, level, value, is_extra):
    """A chip collected."""
    tell(desk, COLLECT, seat, space, level, value, int(is_extra))


@jit
def tell_end(rules, state, row, desk, king):
    """The final count: the Mining King, then by seat its points, coins, debt, chips, score and win share."""
    if not desk.is_told:
        return
    at = begin(desk, END)
    write(desk, king)
    for seat in range(rules.players):
        outcome = row.seats[seat]
        write(desk, outcome.chip_points)
        write(desk, outcome.coins)
        write(desk, outcome.skill_coins)
        write(desk, outcome.debt_cards)
        write(desk, outcome.debt_penalty)
        write(desk, outcome.chips)
        write(desk, outcome.score)
        write(desk, outcome.win)
    close(desk, at)


def decode(values: Mapping[str, Any], log: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return the events of a filled log as dicts, in order of play, with the keys of the trace format.

    `values` are the resolved rule values of the game. Losses follow their fall in the log and are
    gathered in it.
    """
    numbers = [int(number) for number in log]
    events: list[dict[str, Any]] = []
    at = 0
    while at < len(numbers):
        code, length = numbers[at], numbers[at + 1]
        body = numbers[at + 2 : at + 2 + length]
        at += 2 + length
        if code == LOST:
            events[-1]["lost"].append(body)
        else:
            events.append(_READERS[code](values, body))
    return events


def _read_setup(values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    players, height = values["players"], values["stack_height"]
    spaces, rounds = values["rows"] * values["columns"], values["chips_level_4"]
    chips = [body[2 * k : 2 * k + 2] for k in range(spaces * height)]
    rest = body[2 * spaces * height :]
    by_seat = [rest[rounds + players * k : rounds + players * (k + 1)] for k in range(4)]
    return {
        "event": "setup",
        "stacks": [chips[height * space : height * (space + 1)] for space in range(spaces)],
        "pile": rest[:rounds],
        "order": by_seat[0],
        "coins": by_seat[1],
        "skill_coins": by_seat[2],
        "companies": [COMPANIES[company] for company in by_seat[3]] if values["expansion"] else None,
    }


def _read_round(_values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    return {"event": "round", "round": body[0]}


def _read_bids(values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    players = values["players"]
    order = body[2 * players :]
    return {
        "event": "bids",
        "coins": body[:players],
        "skill_coins": body[players : 2 * players],
        "order": order,
        "debt": order[-1],
    }


def _read_skill(_values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    return {"event": "skill", "seat": body[0], "company": COMPANIES[body[1]], "taken": body[2]}


def _read_funds(_values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    return {"event": "funds", "seat": body[0]}


def _read_mine(_values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    return {
        "event": "mine",
        "seat": body[0],
        "spaces": body[5:],
        "workers": body[1],
        "hired": body[2],
        "paid_coins": body[3],
        "paid_skill_coins": body[4],
    }


def _read_payout(_values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    return {
        "event": "payout",
        "takers": body[4:],
        "coins_each": body[0],
        "skill_coins_each": body[1],
        "pool": body[2],
        "skill_pool": body[3],
    }


def _read_fall(_values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    return {
        "event": "fall",
        "column": body[0],
        "row": body[1],
        "burst_column": bool(body[2]),
        "burst_row": bool(body[3]),
        "space": body[4],
        "value": body[5],
        "lost": [],
    }


def _read_collect(_values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    return {
        "event": "collect",
        "seat": body[0],
        "space": body[1],
        "level": body[2],
        "value": body[3],
        "extra": bool(body[4]),
    }


def _read_end(values: Mapping[str, Any], body: list[int]) -> dict[str, Any]:
    seats = [body[1 + 8 * seat : 9 + 8 * seat] for seat in range(values["players"])]
    names = ("chip_points", "coins", "skill_coins", "debt_cards", "debt_penalty", "chips", "score")
    end: dict[str, Any] = {"event": "end"}
    for k, name in enumerate(names):
        end[name] = [seat[k] for seat in seats]
    end["win_share"] = [seat[7] / WHOLE_WIN for seat in seats]
    end["king"] = None if body[0] == NOBODY else body[0]
    return end


_READERS = {
    SETUP: _read_setup,
    ROUND: _read_round,
    BIDS: _read_bids,
    SKILL: _read_skill,
    FUNDS_TAKEN: _read_funds,
    MINING: _read_mine,
    PAYOUT: _read_payout,
    FALL: _read_fall,
    COLLECT: _read_collect,
    END: _read_end,
}
