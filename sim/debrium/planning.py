"""What a player works out on the way to a decision, shared by policies: chips' values, the best placements, funds."""

from __future__ import annotations

import numpy as np

from sim.debrium.state import (
    BLUE,
    COLUMN,
    FUNDS,
    LEVELS,
    MAX_SPACES,
    MAX_WORKERS,
    MEMORY,
    MINE,
    NO_COMPANY,
    NOBODY,
    RED,
    ROW,
    UNSEEN,
    YELLOW,
)
from sim.debrium.view import has_skill, hiring_price, is_free, mine_at, workers_needed
from sim.jit import jit

#: Where in `own.memory` an array of worths begins: one for each space, then room in which the best placements are
#: worked out. (An array of one's own would cost a quarter of a policy's time to make and to hand on.)
SCRATCH = MEMORY - 2 * MAX_SPACES - LEVELS - (MAX_WORKERS + 1)

#: Where in such an array the best sum of worths for exactly 0, 1, .. workers stands, and after them, for each space,
#: for which numbers of workers it was added last. Unsigned, like all indexes here that matter: a signed one may be
#: negative and then counts from the end, which is looked for each time.
SUMS = np.uint64(MAX_SPACES + LEVELS)
_STEPS = np.uint64(MAX_SPACES + LEVELS + MAX_WORKERS + 1)

#: Sums for fewer workers than none: a space may so be tried for any number of workers, though it needs more.
_BELOW = np.uint64(MAX_SPACES)

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
def chips_behind(rules, table, seat):
    """Return how many chips a seat is behind the best other (negative: ahead)."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, table.seats[other].chip_count)
    return most - table.seats[seat].chip_count


@jit
def debt_cost(rules, table, seat, ahead):
    """Return what one more debt card costs a seat that takes `ahead` others before."""
    cards = min(table.seats[seat].debt_cards + ahead, rules.rounds - 1)
    return rules.debt_penalty[cards + 1] - rules.debt_penalty[cards]


@jit
def mean_hired(rules, table, seat):
    """Return how many workers the others can pay for at most, in the mean (where coins are not public: all)."""
    hired = 0
    for other in range(rules.players):
        if other != seat:
            most = rules.max_workers - rules.free_workers
            while most > 0 and rules.hire_cost[most] > table.seats[other].coins != UNSEEN:
                most -= 1
            hired += most
    return hired / (rules.players - 1)


@jit
def draw_chances(shown, labels, copies):
    """Return the chance to be drawn next of a label not on display, and of one on display."""
    in_bag = labels * copies
    for label in range(labels):
        in_bag -= shown[label]
    return copies / in_bag, (copies - 1) / in_bag


@jit
def weigh_spaces(rules, table, values, worths):
    """Fill `worths` with the value of each space's level times the exact chance that workers survive the fall there.

    values: what a chip of level 1, 2, .. is worth; values[0] must be 0. Spaces that cannot be mined are worth 0.
    Of one shape all labels on display are equally likely to be drawn, and so are all others.
    """
    fresh_column, shown_column = draw_chances(table.shown[COLUMN], rules.columns, rules.coordinate_copies)
    fresh_row, shown_row = draw_chances(table.shown[ROW], rules.rows, rules.coordinate_copies)
    columns = np.uint64(rules.columns)
    for line in range(np.uint64(rules.rows)):
        is_shown = table.shown[ROW, line] > 0
        safe = 1.0 - shown_row if is_shown else 1.0
        elsewhere = safe if is_shown else 1.0 - fresh_column * fresh_row
        in_column = safe * (1.0 - shown_column)
        for column in range(columns):
            space = line * columns + column
            chance = in_column if table.shown[COLUMN, column] > 0 else elsewhere
            worth = values[np.uint64(table.level[space])] * chance
            worths[space] = worth if table.holder[space] == NOBODY else 0.0


@jit
def expected_points(rules, table, worths):
    """Fill `worths` with each free space's mean points times the chance to survive the fall; 0 elsewhere."""
    values = worths[MAX_SPACES:]
    values[0] = 0.0
    for level in range(1, LEVELS + 1):
        values[level] = mean_value(rules, level)
    weigh_spaces(rules, table, values, worths)


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
def fill_sums(rules, table, seat, worths, most, is_skilled):
    """Work out the best sum of worths for exactly 0, 1, .. `most` workers, from SUMS on. Exact: a knapsack.

    worths: (MEMORY - SCRATCH,) what each space is worth; those without worth are left alone. `spaces_of` then finds
    the spaces of a sum.
    """
    for k in range(np.uint64(LEVELS + MAX_WORKERS + 1)):
        worths[_BELOW + k] = _IMPOSSIBLE
    worths[SUMS] = 0.0
    for space in range(np.uint64(rules.spaces)):
        steps = np.uint64(0)
        if worths[space] > 0.0 and is_free(table, space):
            worth, needed = worths[space], np.uint64(workers_needed(rules, table, seat, space, is_skilled))
            # For every number of workers and without a branch: no processor guesses what a space improves. Below the
            # sums there is room for a level's workers; a Red that needs more leaves out the numbers too small for it.
            tried = np.uint64(most) if needed <= LEVELS else np.uint64(max(0, most + 1 - int(needed)))
            for k in range(tried):
                workers = np.uint64(most) - k
                total, so_far = worths[SUMS + workers - needed] + worth, worths[SUMS + workers]
                steps |= np.uint64(total > so_far) << workers
                worths[SUMS + workers] = max(so_far, total)
        worths[_STEPS + space] = steps


@jit
def spaces_of(rules, table, seat, worths, workers, is_skilled):
    """Return the spaces that `fill_sums` found the best for exactly so many workers, as the bits of a number."""
    spaces, left = 0, workers
    for space in range(rules.spaces - 1, -1, -1):
        if (int(worths[_STEPS + np.uint64(space)]) >> left) & 1:
            spaces |= 1 << space
            left -= workers_needed(rules, table, seat, space, is_skilled)
    return spaces


@jit
def best_placements(rules, table, seat, worths, purse, coin_worth, is_skilled):
    """Return the highest sum of placements' worths less hiring, and those spaces as the bits of a number.

    worths: (MEMORY - SCRATCH,) what each space is worth. purse: what may be paid; coin_worth: what a coin paid is
    worth.
    """
    most = most_workers(rules, table, seat, purse, is_skilled)
    fill_sums(rules, table, seat, worths, most, is_skilled)
    best, chosen = 0.0, 0
    for workers in range(most + 1):
        price = hiring_price(rules, table, seat, max(0, workers - rules.free_workers), is_skilled)
        total = worths[SUMS + np.uint64(workers)]
        if price <= purse and total - price * coin_worth > best:
            best, chosen = total - price * coin_worth, workers
    return best, spaces_of(rules, table, seat, worths, chosen, is_skilled)


@jit
def mine_all(rules, choice, spaces):
    """Answer a turn: mine the spaces given as the bits of a number."""
    choice.action = MINE  # with no space it is an answer too
    for space in range(rules.spaces):
        if (spaces >> space) & 1:
            mine_at(choice, space)


@jit
def fund_takers(rules, table):
    """Return how many seats have taken funds in this round so far."""
    takers = 0
    for seat in range(rules.players):
        takers += table.seats[seat].action == FUNDS
    return takers


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
                if table.stack[space] > 1 and worths[space] > 0.0:
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
