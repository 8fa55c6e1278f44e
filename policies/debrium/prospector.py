"""Weighs it all: chips by their chance to survive, funds by likely takers, bids by what acting early is worth.

A space is worth its level's mean points and its part in the race for Mining King, times the exact chance that its
workers survive the fall. A coin is worth the more the fewer are in the purse and the more rounds are to come.
Turn: the best placements, hiring paid, or funds where the likely share of the pool is worth more.
Bid: acting first, second, .. is worth what the best spaces left over by those before would bring, or funds; last
of all costs a debt card. How high each other player bids is learned from their bids so far. A skill coin is bid when
the skill would bring more than the coin is worth to keep.
"""

import numpy as np

from policies import Param
from sim.debrium.planning import (
    SCRATCH,
    SUMS,
    chips_behind,
    debt_cost,
    fill_sums,
    fund_takers,
    mean_dealt_value,
    mean_hired,
    mean_value,
    mine_all,
    most_workers,
    spaces_of,
    take_deepest,
    weigh_spaces,
)
from sim.debrium.state import BLUE, LEVELS, MAX_SEATS, MAX_SPACES, NO_COMPANY, RED, UNSEEN, YELLOW
from sim.debrium.view import has_skill, hiring_price

PARAMS = (
    Param("coin", 1.2, 0.3, 4.0, "points that a coin is worth in the last round"),
    Param("coin_early", 1.3, -2.0, 4.0, "points above that before the first round"),
    Param("coin_poor", 8.7, 0.0, 15.0, "points above that before the first round when the purse is empty"),
    Param("skill_coin", 6.0, 0.0, 15.0, "points above one that a skill coin is worth before the first round"),
    Param("funds", 1.17, 0.3, 2.0, "weight of a coin from the funds against one in the purse"),
    Param("tempting", 12.0, 1.0, 100.0, "share of the pool, in coins, for which every other player takes funds"),
    Param("learning", 0.68, 0.02, 1.0, "weight of the latest bid in what is expected of a seat's next"),
    Param("few", 4.0, 1.0, 20.0, "coins in the purse with which that extra worth is down to a quarter"),
    Param("uneven", 0.15, 0.0, 0.9, "how much better than the mean the best spaces are"),
    Param("king", 0.9, 0.0, 2.0, "what a chip is worth in an even race for Mining King, in bonuses a width"),
    Param("king_width", 0.7, 0.02, 2.0, "chips apart at which the race is half open, in roots of chips to come"),
    Param("king_end", 0.56, 0.05, 6.0, "chips still to come in the last round"),
    Param("debt", 3.9, 0.0, 5.0, "weight of the next debt card's cost"),
    Param("debt_ahead", 1.0, 0.0, 2.0, "further debt cards expected, as a part of one's turn of the rest"),
    Param("bid_cost", 0.29, 0.1, 2.0, "weight of a coin that is bid against one in the purse"),
    Param("eagerness", 0.56, 0.1, 0.9, "first guess of others' bids: the chance of each more coin"),
)
(
    COIN,
    COIN_EARLY,
    COIN_POOR,
    SKILL_COIN,
    FUNDS_WEIGHT,
    TEMPTING,
    LEARNING,
    FEW,
    UNEVEN,
    KING,
    KING_WIDTH,
    KING_END,
    DEBT,
    DEBT_AHEAD,
    BID_COST,
    EAGERNESS,
) = range(len(PARAMS))

# What is remembered, eight numbers for each seat. Of another seat: the chances that it bids at least 1, 2, .. 7.
# In one's own place: the round that stock was taken in last, the mean points of levels 1 .. 4 and of an unseen chip,
# and what coins are worth in this round. Then what one more chip is worth in this round, beyond its points.
NOTES = 8
ROUND, UNSEEN_CHIP, PLAIN_WORTH, SCARCITY = 0, 5, 6, 7
CHIP = MAX_SEATS * NOTES

# The part of the workers that others could pay for that they are expected to hire.
CROWD = 0.75


def bid(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    _take_stock(rules, table, own, worths)
    pool = table.pool + _likely_bids(rules, table, own)
    first, second, third, fourth = _place_worths(rules, table, own, worths, pool)
    if own.skill_coins > 0 and table.seats[own.seat].company != NO_COMPANY:
        gain = _skill_gain(rules, table, own, worths, pool)
        choice.skill_coins = 1 if gain > _skill_coin_worth(rules, table, own) else 0
    skill_coins = int(choice.skill_coins)
    best, best_coins = -1e30, 0
    for coins in range(min(own.coins, NOTES + 1) + 1):
        a, b, c, d = _place_chances(rules, table, own, coins + skill_coins)
        gain = a * first + b * second + c * third + d * fourth
        gain += own.param[BID_COST] * _coins_worth(own, own.coins, -coins)
        if gain > best:
            best, best_coins = gain, coins
        if a == 1.0:
            break
    choice.coins = best_coins


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    _take_stock(rules, table, own, worths)
    _note_bids(rules, table, own)
    coins, pool = own.coins, table.pool
    is_skilled = has_skill(rules, table, own.seat)
    if is_skilled:
        choice.skill = 1
        if table.seats[own.seat].company == YELLOW:
            coins += int(choice.taken)
            pool -= int(choice.taken)
        elif table.seats[own.seat].company == BLUE:
            for space in range(rules.spaces):
                if table.stack[space] > 1 and worths[space] > 0.0:
                    worths[space] += 0.5 * _unseen_worth(own)
    mining, workers = _best_mining(rules, table, own, worths, coins, is_skilled)
    takers, later = fund_takers(rules, table), rules.players - 1 - table.place
    funds = own.param[FUNDS_WEIGHT] * _coins_worth(own, coins, _likely_share(own, pool, takers, later))
    if table.skill_pool > 0:
        funds += _skill_coin_worth(rules, table, own) * (table.skill_pool // (takers + 1))
    if workers != 0 and mining >= funds:
        mine_all(rules, choice, spaces_of(rules, table, own.seat, worths, workers, is_skilled))
    elif not rules.skill_with_funds:
        choice.skill = 0


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)


def _take_stock(rules, table, own, worths):
    """Work out what chips, coins and each space are worth, once a round: they stay so until the fall."""
    mine = NOTES * own.seat
    if own.memory[mine + ROUND] == table.round_number:
        return
    if own.memory[mine + ROUND] == 0.0:
        _prepare(rules, own)
    own.memory[mine + ROUND] = table.round_number
    left = _time_left(rules, table)
    own.memory[mine + PLAIN_WORTH] = max(0.1, own.param[COIN] + own.param[COIN_EARLY] * left)
    own.memory[mine + SCARCITY] = own.param[COIN_POOR] * left * own.param[FEW] * own.param[FEW]
    own.memory[CHIP] = _chip_worth(rules, table, own)
    _weigh(rules, table, own, worths)


def _prepare(rules, own):
    """Note, before the first bid, the mean points of the chips and a guess at the others' bids."""
    mine = NOTES * own.seat
    for other in range(rules.players):
        chance = 1.0
        for coins in range(1, NOTES):
            chance *= own.param[EAGERNESS]
            own.memory[NOTES * other + coins] = chance
    for level in range(1, LEVELS + 1):
        own.memory[mine + level] = mean_value(rules, level)
    own.memory[mine + UNSEEN_CHIP] = mean_dealt_value(rules)


def _time_left(rules, table):
    """The part of the game that is still to come after this round."""
    return (rules.rounds - table.round_number) / rules.rounds


def _coins_worth(own, purse, gained):
    """What it is worth to gain (or, when negative, to lose) coins: the fewer in the purse, the more each."""
    plain, scarcity = own.memory[NOTES * own.seat + PLAIN_WORTH], own.memory[NOTES * own.seat + SCARCITY]
    few = own.param[FEW]
    return gained * (plain + scarcity / ((few + purse) * (few + max(0.0, purse + gained))))


def _skill_coin_worth(rules, table, own):
    """What a skill coin is worth to keep."""
    return 1.0 + own.param[SKILL_COIN] * _time_left(rules, table)


def _chip_worth(rules, table, own):
    """What one more chip is worth in the race for Mining King: much when it is close, little when it is decided."""
    width = own.param[KING_WIDTH] * np.sqrt(own.param[KING_END] + 3.0 * (rules.rounds - table.round_number))
    behind = chips_behind(rules, table, own.seat) / width
    return rules.mining_king_bonus * own.param[KING] / (width * (1.0 + behind * behind))


def _debt_worth(rules, table, own):
    """What the debt card of this round costs, with those that are likely to follow."""
    ahead = own.param[DEBT_AHEAD] * (rules.rounds - table.round_number) / rules.players
    whole = int(ahead)
    cost = debt_cost(rules, table, own.seat, whole)
    return own.param[DEBT] * (cost + (ahead - whole) * (debt_cost(rules, table, own.seat, whole + 1) - cost))


def _unseen_worth(own):
    """What a chip that nobody has seen is worth."""
    return own.memory[NOTES * own.seat + UNSEEN_CHIP] + own.memory[CHIP]


def _weigh(rules, table, own, worths):
    """Fill in what each space is worth: its level's mean and the chip's worth, times the chance to survive."""
    values = worths[MAX_SPACES:]
    values[0] = 0.0
    for level in range(1, LEVELS + 1):
        values[level] = own.memory[NOTES * own.seat + level] + own.memory[CHIP]
    weigh_spaces(rules, table, values, worths)


def _best_mining(rules, table, own, worths, coins, is_skilled):
    """What the best placements gain, hiring paid, and which they are."""
    purse = coins + own.skill_coins
    most = most_workers(rules, table, own.seat, purse, is_skilled)
    fill_sums(rules, table, own.seat, worths, most, is_skilled)
    best, chosen = 0.0, 0
    for workers in range(1, most + 1):
        price = hiring_price(rules, table, own.seat, max(0, workers - rules.free_workers), is_skilled)
        total = worths[SUMS + np.uint64(workers)]
        if price <= purse and total > best:
            gain = total + _coins_worth(own, coins, -price)
            if gain > best:
                best, chosen = gain, workers
    return best, chosen


def _place_worths(rules, table, own, worths, pool):
    """What acting first, second, third and fourth is worth: the best spaces left over by then, or funds."""
    others = rules.players - 1
    funds = own.param[FUNDS_WEIGHT] * _coins_worth(own, own.coins, _likely_share(own, pool, 0, others))
    placed = rules.free_workers + CROWD * mean_hired(rules, table, own.seat)
    placed *= 1.0 - _taking(own, pool, 0)
    worth, workers = _whole_board(rules, table, worths)
    part = 1.0 / workers
    first = second = third = fourth = funds
    for hired in range(rules.max_workers - rules.free_workers + 1):
        if rules.hire_cost[hired] <= own.coins:
            mine = rules.free_workers + hired
            cost = _coins_worth(own, own.coins, -rules.hire_cost[hired])
            first = max(first, _left_over(own, worth, part, 0.0, mine) + cost)
            second = max(second, _left_over(own, worth, part, placed, mine) + cost)
            third = max(third, _left_over(own, worth, part, 2.0 * placed, mine) + cost)
            fourth = max(fourth, _left_over(own, worth, part, 3.0 * placed, mine) + cost)
    if others == 3:
        return first, second, third, fourth - _debt_worth(rules, table, own)
    return first, second, third - _debt_worth(rules, table, own), 0.0


def _whole_board(rules, table, worths):
    """The worth of all spaces together, and the workers that they need."""
    worth, workers = 0.0, 0
    for space in range(rules.spaces):
        if worths[space] > 0.0:
            worth += worths[space]
            workers += table.level[space]
    return worth, max(1, workers)


def _worth_of_best(own, worth, part, placed):
    """What the best places for so many workers are worth, of a board where each takes such a part of all places."""
    covered = min(1.0, placed * part)
    return worth * covered * (1.0 + own.param[UNEVEN] * (1.0 - covered))


def _left_over(own, worth, part, placed, mine):
    """What the best places are worth for so many workers of mine after others have placed so many."""
    return _worth_of_best(own, worth, part, placed + mine) - _worth_of_best(own, worth, part, placed)


def _taking(own, pool, takers):
    """The chance that another takes funds beside me: the higher the share would be."""
    share = pool / (takers + 2)
    return min(1.0, share / own.param[TEMPTING])


def _likely_share(own, pool, takers, later):
    """The share of the pool that I may expect when so many have taken and so many are still to choose."""
    return pool / (1.0 + takers + later * _taking(own, pool, takers))


def _skill_gain(rules, table, own, worths, pool):
    """What the company's skill would gain in this round."""
    company = table.seats[own.seat].company
    if company == RED:
        plain, _ = _best_mining(rules, table, own, worths, own.coins, False)
        skilled, _ = _best_mining(rules, table, own, worths, own.coins, True)
        return skilled - plain
    if company == BLUE:
        return 0.85 * _unseen_worth(own)
    if company == YELLOW:
        return _coins_worth(own, own.coins, min(rules.yellow_take, pool))
    return _coins_worth(own, own.coins, rules.green_discount) + 1.0


def _note_bids(rules, table, own):
    """Learn from this round's bids how likely each other seat is to bid at least 1, 2, ... coins."""
    for other in range(rules.players):
        if other != own.seat:
            offer = table.seats[other].bid + table.seats[other].skill_bid
            for coins in range(1, NOTES):
                was = 1.0 if coins <= offer else 0.0
                chance = own.memory[NOTES * other + coins]
                own.memory[NOTES * other + coins] = chance + own.param[LEARNING] * (was - chance)


def _likely_bids(rules, table, own):
    """The coins that the others are expected to bid together."""
    total = 0.0
    for other in range(rules.players):
        if other != own.seat:
            bids = 0.0
            for coins in range(1, NOTES):
                bids += own.memory[NOTES * other + coins]
            coins = table.seats[other].coins
            total += min(bids, coins) if coins != UNSEEN else bids
    return total


def _chance_of_bid(table, own, other, least):
    """The chance that a seat bids at least so many coins."""
    public = table.seats[other]
    if least <= 0:
        return 1.0
    if public.coins != UNSEEN and public.coins + public.skill_coins < least:
        return 0.0
    return own.memory[NOTES * other + min(least, NOTES - 1)]


def _place_chances(rules, table, own, offer):
    """The chances to act first, second, third and fourth with this bid; ties go by the order as it is."""
    a, b, c, d = 1.0, 0.0, 0.0, 0.0
    least = offer
    for place in range(rules.players):
        other = table.order[place]
        if other == own.seat:
            least = offer + 1
        else:
            beaten = _chance_of_bid(table, own, other, least)
            d += (c - d) * beaten
            c += (b - c) * beaten
            b += (a - b) * beaten
            a -= a * beaten
    return a, b, c, d
