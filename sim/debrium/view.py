"""What a player can work out from the rules and the table: the engine's and every policy's common helpers."""

from __future__ import annotations

from sim.debrium.state import (
    COLUMN,
    GREEN,
    GREEN_PER_WORKER,
    MINE,
    NO_COMPANY,
    NOBODY,
    RED,
    RED_EXACTLY,
    ROW,
)
from sim.jit import jit


@jit
def workers_needed(rules, table, seat, space, is_skilled):
    """Exactly as many as the top chip's level; with Red's skill in use at most, or always, `red_workers`."""
    level = table.level[space]
    if is_skilled and table.seats[seat].company == RED:
        return rules.red_workers if rules.red_needs == RED_EXACTLY else min(level, rules.red_workers)
    return level


@jit
def hiring_price(rules, table, seat, hired, is_skilled):
    """The coins for extra workers now: Green's discount with the skill in use, the surcharge of a Green before.

    Both change the whole price, or as often as workers are hired.
    """
    if hired == 0:
        return 0
    # Out of what can be hired: the caller refuses it by the number of workers.
    price = rules.hire_cost[min(hired, rules.max_workers - rules.free_workers)]
    times = hired if rules.green_per == GREEN_PER_WORKER else 1
    if is_skilled and table.seats[seat].company == GREEN:
        price = max(0, price - rules.green_discount * times)
    return price + table.surcharge * times


@jit
def has_skill(rules, table, seat):
    """Tell whether a seat may use its company's skill in this turn: it bid a skill coin."""
    return table.seats[seat].skill_bid > 0 and table.seats[seat].company != NO_COMPANY


@jit
def is_free(table, space):
    """Tell whether a space can be mined: a chip lies there and nobody's workers do."""
    return table.stack[space] > 0 and table.holder[space] == NOBODY


@jit
def place_of(rules, table, seat):
    """Return a seat's place in the turn order, 0 first."""
    for place in range(rules.players):
        if table.order[place] == seat:
            return place
    return -1


@jit
def mine_at(choice, space):
    """Add a space to the answer of a turn, which becomes to mine."""
    choice.action = MINE
    choice.spaces[int(choice.placements)] = space
    choice.placements += 1


@jit
def draw_chance(rules, shown, labels, label):
    """The chance that the next chip drawn of one shape has this label, given that shape's display."""
    in_bag = labels * rules.coordinate_copies
    for other in range(labels):
        in_bag -= shown[other]
    return (rules.coordinate_copies - shown[label]) / in_bag


@jit
def loss_chance(rules, table, space):
    """The exact chance that workers on a space are lost in the coming fall, impact and bursts together."""
    column, line = space % rules.columns, space // rules.columns
    in_column = draw_chance(rules, table.shown[COLUMN], rules.columns, column)
    in_row = draw_chance(rules, table.shown[ROW], rules.rows, line)
    is_column_at_risk = table.shown[COLUMN, column] > 0
    is_row_at_risk = table.shown[ROW, line] > 0
    if is_column_at_risk and is_row_at_risk:
        return in_column + in_row - in_column * in_row
    if is_column_at_risk:
        return in_column
    if is_row_at_risk:
        return in_row
    return in_column * in_row
