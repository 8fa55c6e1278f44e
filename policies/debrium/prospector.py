"""Weighs it all: chips by their chance to survive, funds by likely takers, bids by what acting early is worth.

A space is worth its level's mean points and its part in the race for Mining King, times the exact chance that
the workers survive the fall. A coin is worth more than a point while there are rounds left to use it in.
Turn: the best placements for what hiring costs, or funds when the likely share of the pool is worth more.
Bid: the place in the order is worth what the players before leave over, the last place less its debt card; how
high the others bid is learned from what they bid before. A skill coin is spent when the skill gains more than
the coin is worth to keep.
"""

import numpy as np

from policies import Param
from sim.debrium.planning import (
    WORTHS,
    best_placements,
    chips_behind,
    debt_cost,
    fund_takers,
    mean_dealt_value,
    mean_hired,
    mean_value,
    mine_all,
    take_deepest,
    weigh_spaces,
)
from sim.debrium.state import BLUE, LEVELS, MAX_SPACES, NO_COMPANY, RED, UNSEEN, YELLOW
from sim.debrium.view import has_skill

PARAMS = (
    Param("coin", 1.180, 0.3, 4.0, "points that a coin is worth in the last round"),
    Param("coin_early", 1.171, -2.0, 4.0, "points that it is worth more before the first round"),
    Param("coin_poor", 2.351, -4.0, 6.0, "points that it is worth more before the first round to an empty purse"),
    Param("skill_coin", 6.338, 0.0, 15.0, "points above one that a skill coin is worth before the first round"),
    Param("funds", 1.114, 0.3, 2.0, "weight of a coin from the funds against one in the purse"),
    Param("tempting", 80.000, 1.0, 100.0, "share of the pool, in coins, for which every other player takes funds"),
    Param("learning", 0.300, 0.02, 1.0, "weight of the latest bid in what is expected of a seat's next"),
    Param("crowd", 0.800, 0.0, 1.5, "share of the workers that they can pay that others place"),
    Param("uneven", 0.250, 0.0, 0.9, "how much better than the mean the best spaces are"),
    Param("king", 0.723, 0.0, 2.0, "what a chip is worth in an even race for Mining King, in bonuses a width"),
    Param("king_width", 0.120, 0.02, 2.0, "chips apart at which the race is half open, in roots of chips to come"),
    Param("king_end", 1.179, 0.05, 6.0, "chips still to come in the last round"),
    Param("debt", 3.722, 0.0, 5.0, "weight of the next debt card's cost"),
    Param("debt_ahead", 0.947, 0.0, 2.0, "further debt cards expected, as a part of one's turn of the rest"),
    Param("bid_cost", 0.473, 0.1, 2.0, "weight of a coin that is bid against one in the purse"),
    Param("eagerness", 0.558, 0.1, 0.9, "first guess of others' bids: the chance of each more coin"),
)
(
    COIN,
    COIN_EARLY,
    COIN_POOR,
    SKILL_COIN,
    FUNDS_WEIGHT,
    TEMPTING,
    LEARNING,
    CROWD,
    UNEVEN,
    KING,
    KING_WIDTH,
    KING_END,
    DEBT,
    DEBT_AHEAD,
    BID_COST,
    EAGERNESS,
) = range(len(PARAMS))

# What is remembered: for each other seat how often it bid at least 1 .. 7 coins, recent rounds counting most;
# in one's own part how often that was, and the mean points of each level and of an unseen chip.
NOTES = 8
MEANS, UNSEEN_CHIP = 0, 5


def bid(rules, table, own, rng, choice):
    worths = np.empty(WORTHS)
    coin, chip = _coin_worth(rules, table, own), _chip_worth(rules, table, own)
    _weigh(rules, table, own, chip, worths)
    others = rules.players - 1
    bids = 0.0
    for other in range(rules.players):
        if other != own.seat:
            bids += _likely_bid(table, own, other)
    pool = table.pool + bids
    funds = own.param[FUNDS_WEIGHT] * coin * _likely_share(own, pool, 0, others)
    hired = own.param[CROWD] * mean_hired(rules, table, own.seat)
    placed = (1.0 - _taking(own, pool, 0)) * (rules.free_workers + hired)
    worth, workers = _whole_board(rules, table, worths)
    part = 1.0 / workers
    first = max(funds, _left_over(rules, own, worth, part, 0.0, coin))
    second = max(funds, _left_over(rules, own, worth, part, placed, coin))
    third = max(funds, _left_over(rules, own, worth, part, 2.0 * placed, coin))
    fourth = max(funds, _left_over(rules, own, worth, part, 3.0 * placed, coin))
    if others == 3:
        fourth -= _debt_worth(rules, table, own)
    else:
        third -= _debt_worth(rules, table, own)

    if own.skill_coins > 0 and table.seats[own.seat].company != NO_COMPANY:
        gain = _skill_gain(rules, table, own, worths, coin, chip, bids)
        choice.skill_coins = 1 if gain > _skill_coin_worth(rules, table, own) else 0
    most = -1e30
    for coins in range(min(own.coins, NOTES + 1) + 1):
        offer = coins + int(choice.skill_coins)
        a, b, c, d = _place_chances(rules, table, own, offer)
        gain = a * first + b * second + c * third + d * fourth - own.param[BID_COST] * coin * coins
        if gain > most:
            most = gain
            choice.coins = coins


def turn(rules, table, own, rng, choice):
    worths = np.empty(WORTHS)
    coin, chip = _coin_worth(rules, table, own), _chip_worth(rules, table, own)
    _weigh(rules, table, own, chip, worths)
    _note_bids(rules, table, own)
    seat, purse, pool = own.seat, own.coins + own.skill_coins, table.pool
    is_skilled = has_skill(rules, table, seat)
    if is_skilled:
        choice.skill = 1
        if table.seats[seat].company == YELLOW:
            purse += int(choice.taken)
            pool -= int(choice.taken)
        elif table.seats[seat].company == BLUE:
            for space in range(rules.spaces):
                if table.stack[space] > 1 and worths[space] > 0.0:
                    worths[space] += 0.5 * (own.memory[NOTES * seat + UNSEEN_CHIP] + chip)
    mining, spaces = best_placements(rules, table, seat, worths, purse, coin, is_skilled)
    later, takers = rules.players - 1 - table.place, fund_takers(rules, table)
    funds = own.param[FUNDS_WEIGHT] * coin * _likely_share(own, pool, takers, later)
    if table.skill_pool > 0:
        funds += _skill_coin_worth(rules, table, own) * (table.skill_pool // (takers + 1))
    if spaces != 0 and mining >= funds:
        mine_all(rules, choice, spaces)
    elif not rules.skill_with_funds:
        choice.skill = 0


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)


def _time_left(rules, table):
    """The part of the game that is still to come after this round."""
    return (rules.rounds - table.round_number) / rules.rounds


def _coin_worth(rules, table, own):
    """What a coin is worth in points now."""
    early = own.param[COIN_EARLY] + own.param[COIN_POOR] * 5.0 / (5.0 + own.coins)
    return max(0.1, own.param[COIN] + early * _time_left(rules, table))


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


def _weigh(rules, table, own, chip, worths):
    """Fill in what each space is worth: its level's mean and the chip's worth, times the chance to survive."""
    means = NOTES * own.seat + MEANS
    if own.memory[means] == 0.0:
        _first_notes(rules, own)
    values = worths[MAX_SPACES:]
    values[0] = 0.0
    for level in range(1, LEVELS + 1):
        values[level] = own.memory[means + level] + chip
    weigh_spaces(rules, table, values, worths)


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


def _left_over(rules, own, worth, part, placed, coin):
    """What mining gains after others have placed so many workers on the best spaces."""
    taken = _worth_of_best(own, worth, part, placed)
    best = 0.0
    for hired in range(rules.max_workers - rules.free_workers + 1):
        if rules.hire_cost[hired] <= own.coins:
            mined = _worth_of_best(own, worth, part, placed + rules.free_workers + hired) - taken
            best = max(best, mined - rules.hire_cost[hired] * coin)
    return best


def _taking(own, pool, takers):
    """The chance that another takes funds beside me: the higher the share would be."""
    share = pool / (takers + 2)
    return min(1.0, share / own.param[TEMPTING])


def _likely_share(own, pool, takers, later):
    """The share of the pool that I may expect when so many have taken and so many are still to choose."""
    return pool / (1.0 + takers + later * _taking(own, pool, takers))


def _skill_gain(rules, table, own, worths, coin, chip, bids):
    """What the company's skill would gain in this round."""
    company = table.seats[own.seat].company
    if company == RED:
        plain, _ = best_placements(rules, table, own.seat, worths, own.coins, coin, False)
        skilled, _ = best_placements(rules, table, own.seat, worths, own.coins, coin, True)
        return skilled - plain
    if company == BLUE:
        return 0.85 * (own.memory[NOTES * own.seat + UNSEEN_CHIP] + chip)
    if company == YELLOW:
        return min(rules.yellow_take, table.pool + bids) * coin
    return rules.green_discount * coin + 1.0


def _note_bids(rules, table, own):
    """Learn from this round's bids how likely each other seat is to bid at least 1, 2, ... coins."""
    for other in range(rules.players):
        if other != own.seat:
            offer = table.seats[other].bid + table.seats[other].skill_bid
            for coins in range(1, NOTES):
                was = 1.0 if coins <= offer else 0.0
                chance = own.memory[NOTES * other + coins]
                own.memory[NOTES * other + coins] = chance + own.param[LEARNING] * (was - chance)


def _likely_bid(table, own, other):
    """The mean of what a seat is expected to bid."""
    bids = 0.0
    for coins in range(1, NOTES):
        bids += own.memory[NOTES * other + coins]
    return min(bids, table.seats[other].coins) if table.seats[other].coins != UNSEEN else bids


def _chance_of_bid(table, own, other, least):
    """The chance that a seat bids at least so many coins."""
    public = table.seats[other]
    if least <= 0:
        return 1.0
    if public.coins != UNSEEN and public.coins + public.skill_coins < least:
        return 0.0
    return own.memory[NOTES * other + min(least, NOTES - 1)]


def _first_notes(rules, own):
    """Work out the means once, and guess at the others' bids."""
    for other in range(rules.players):
        chance = 1.0
        for coins in range(1, NOTES):
            chance *= own.param[EAGERNESS]
            own.memory[NOTES * other + coins] = chance
    means = NOTES * own.seat + MEANS
    for level in range(1, LEVELS + 1):
        own.memory[means + level] = mean_value(rules, level)
    own.memory[means + UNSEEN_CHIP] = mean_dealt_value(rules)
    own.memory[means] = 1.0


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
