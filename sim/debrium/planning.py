"""What a player works out on the way to a decision, shared by policies: chips' values, the best placements, funds."""

from __future__ import annotations

import numpy as np

from sim.debrium.state import BLUE, FUNDS, LEVELS, MAX_WORKERS, MINE, NO_COMPANY, RED, YELLOW
from sim.debrium.view import has_skill, hiring_price, is_free, loss_chance, workers_needed
from sim.jit import jit

#: Below every sum of worths: no placements need exactly so many workers.
_IMPOSSIBLE = -1e30


@jit
def mean_value(rules, level):
    """Return the mean of the points on a level's chips, 0 for a level without chips."""
    points = 0
    for k in range(rules.chips[level]):
        points += rules.values[level, k]
    return points / max(1, rules.chips[level])


@jit
def mean_dealt_value(rules):
    """Return the mean of the points on all chips dealt to the board: what an unseen chip is worth."""
    points, chips = 0.0, 0
    for level in range(1, LEVELS):
        points += rules.chips[level] * mean_value(rules, level)
        chips += rules.chips[level]
    return points / max(1, chips)


@jit
def chips_left(rules, table):
    """Return how many chips can still be collected: those on the board, and the pile but for its last."""
    chips = max(0, rules.rounds - table.round_number)
    for space in range(rules.spaces):
        chips += table.stack[space]
    return chips


@jit
def chips_behind(rules, table, seat):
    """Return how many chips a seat is behind the best other (negative: ahead)."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, table.seats[other].chip_count)
    return most - table.seats[seat].chip_count


@jit
def debt_cost(rules, table, seat):
    """Return what one more debt card costs a seat."""
    cards = table.seats[seat].debt_cards
    return rules.debt_penalty[min(cards + 1, rules.rounds)] - rules.debt_penalty[cards]


@jit
def expected_points(rules, table, worths):
    """Fill `worths` with each free space's mean points times the chance to survive the fall; 0 elsewhere."""
    values = np.empty(LEVELS + 1)
    for level in range(1, LEVELS + 1):
        values[level] = mean_value(rules, level)
    for space in range(rules.spaces):
        worths[space] = 0.0
        if is_free(table, space):
            worths[space] = values[table.level[space]] * (1.0 - loss_chance(rules, table, space))


@jit
def most_workers(rules, table, seat, purse, is_skilled):
    """Return the most workers that a seat can have in this turn for at most `purse` coins."""
    workers = rules.max_workers
    while (
        workers > rules.free_workers
        and hiring_price(rules, table, seat, workers - rules.free_workers, is_skilled) > purse
    ):
        workers -= 1
    return workers


@jit
def best_placements(rules, table, seat, worths, purse, coin_worth, is_skilled):
    """Return the highest sum of placements' worths less hiring, and those spaces as the bits of a number.

    worths: (MAX_SPACES,) what each space is worth, hiring left out; spaces without worth are left alone.
    purse: what may be paid; coin_worth: what a coin paid is worth. Exact: a knapsack by number of workers.
    """
    most = most_workers(rules, table, seat, purse, is_skilled)
    sums, sets = np.empty(MAX_WORKERS + 1), np.empty(MAX_WORKERS + 1, np.int64)
    sums[:] = _IMPOSSIBLE
    sums[0], sets[0] = 0.0, 0
    for space in range(rules.spaces):
        if worths[space] > 0.0 and is_free(table, space):
            needed = workers_needed(rules, table, seat, space, is_skilled)
            for workers in range(most, needed - 1, -1):
                total = sums[workers - needed] + worths[space]
                if total > sums[workers]:
                    sums[workers] = total
                    sets[workers] = sets[workers - needed] | (1 << space)
    best, chosen = 0.0, 0
    for workers in range(most + 1):
        price = hiring_price(rules, table, seat, max(0, workers - rules.free_workers), is_skilled)
        if price <= purse and sums[workers] - price * coin_worth > best:
            best, chosen = sums[workers] - price * coin_worth, sets[workers]
    return best, chosen


@jit
def mine_all(rules, choice, spaces):
    """Answer a turn: mine the spaces given as the bits of a number."""
    choice.action = MINE
    for space in range(rules.spaces):
        if (spaces >> space) & 1:
            choice.spaces[int(choice.placements)] = space
            choice.placements += 1


@jit
def fund_takers(rules, table):
    """Return how many seats have taken funds in this round so far."""
    takers = 0
    for seat in range(rules.players):
        takers += table.seats[seat].action == FUNDS
    return takers


@jit
def expected_share(pool, takers, later, chance, spend):
    """Return what one gets from funds beside `takers` others, when each of `later` seats takes with `chance`.

    A later seat that does not take adds `spend` coins to the pool.
    """
    share = 0.0
    weight = 1.0
    for _ in range(later):
        weight *= 1.0 - chance
    for more in range(later + 1):
        share += weight * ((pool + spend * (later - more)) // (takers + more + 1))
        if more < later:
            weight *= chance / (1.0 - chance) * (later - more) / (more + 1)
    return share


@jit
def share_now(rules, table):
    """Return what each taker of funds gets if one takes now and nothing more is paid or taken in this round."""
    return table.pool // (fund_takers(rules, table) + 1)


@jit
def ripe_skill_coins(rules, table, own, points):
    """Return 1 when the company's skill is worth bidding a skill coin for, else 0: a simple player's rule.

    points: what the skill must gain. Red saves workers on deep chips, Blue brings an unseen chip, Yellow takes
    coins from the pool, Green saves coins.
    """
    company = table.seats[own.seat].company
    if company == NO_COMPANY or own.skill_coins == 0:
        return 0
    gain = 0.0
    if company == RED:
        for space in range(rules.spaces):
            gain += max(0, table.level[space] - rules.red_workers)
    elif company == BLUE:
        gain = mean_dealt_value(rules)
    elif company == YELLOW:
        gain = min(rules.yellow_take, table.pool)
    else:
        gain = min(rules.green_discount, rules.hire_cost[rules.max_workers - rules.free_workers])
    return 1 if gain >= points or table.round_number == rules.rounds else 0


@jit
def mine_or_fund(rules, table, own, choice, worths, coin_worth, funds):
    """Answer a turn: mine the best placements when they are worth more than `funds`, else take funds.

    worths: (MAX_SPACES,) what each space is worth; coin_worth: what a coin paid for hiring is worth. A skill that
    was paid for is used.
    """
    purse = own.coins + own.skill_coins
    is_skilled = has_skill(rules, table, own.seat)
    if is_skilled:
        choice.skill = 1
        if table.seats[own.seat].company == YELLOW:
            purse += int(choice.taken)
        if table.seats[own.seat].company == BLUE:
            for space in range(rules.spaces):
                if table.stack[space] > 1:
                    worths[space] += 0.5 * mean_dealt_value(rules)
    gain, spaces = best_placements(rules, table, own.seat, worths, purse, coin_worth, is_skilled)
    if spaces != 0 and gain >= funds:
        mine_all(rules, choice, spaces)
    elif not rules.skill_with_funds:
        choice.skill = 0


@jit
def take_deepest(table, choice):
    """Answer Blue's extra chip: the one with the highest level."""
    for k in range(int(choice.placements)):
        if table.level[int(choice.spaces[k])] > table.level[int(choice.space)]:
            choice.space = choice.spaces[k]
