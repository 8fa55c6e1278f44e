"""Weighs everything: chips by their chance to survive, funds by likely takers, a bid by what acting early is worth."""

import numpy as np

from policies import Param
from sim.debrium.planning import (
    best_placements,
    chips_behind,
    chips_left,
    expected_share,
    fund_takers,
    mean_dealt_value,
    mean_value,
    mine_all,
)
from sim.debrium.state import BLUE, LEVELS, MAX_SPACES, RED, YELLOW
from sim.debrium.view import has_skill, hiring_price, loss_chance

PARAMS = (
    Param("coin", 1.0, 0.3, 2.0, "points that a coin is worth at the end"),
    Param("coin_early", 0.3, -1.0, 3.0, "what a coin is worth more at the start of the game"),
    Param("king_peak", 0.35, 0.0, 2.0, "share of the bonus that a chip is worth in an even race for Mining King"),
    Param("king_width", 1.0, 0.1, 5.0, "how far behind or ahead the race is still on"),
    Param("fund_chance", 0.3, 0.02, 0.9, "chance that a later player takes funds"),
    Param("spend", 3.0, 0.0, 8.0, "coins that another miner pays for workers"),
    Param("crowd", 4.0, 0.5, 8.0, "workers that another miner places"),
    Param("debt", 1.0, 0.0, 3.0, "weight of the debt card's marginal cost"),
    Param("debt_ahead", 0.5, 0.0, 2.0, "further debt cards expected, as a share of one's turn of the rest"),
    Param("bid_cost", 1.0, 0.2, 2.0, "weight of what is bid"),
    Param("prior", 2.0, 0.2, 10.0, "rounds that the first guess of others' bids counts for"),
    Param("first_guess", 0.5, 0.1, 0.9, "first guess: the chance of each more coin bid"),
    Param("fund_bias", 1.0, 0.3, 2.0, "weight of funds against mining"),
    Param("skill_patience", 3.0, 0.0, 15.0, "gain for which a skill coin is spent at the start of the game"),
)
(
    COIN,
    COIN_EARLY,
    KING_PEAK,
    KING_WIDTH,
    FUND_CHANCE,
    SPEND,
    CROWD,
    DEBT,
    DEBT_AHEAD,
    BID_COST,
    PRIOR,
    FIRST_GUESS,
    FUND_BIAS,
    SKILL_PATIENCE,
) = range(len(PARAMS))

BINS = 8


def bid(rules, table, own, rng, choice):
    me = table.seats[own.seat]
    worths = np.empty(MAX_SPACES)
    king = _king_worth(rules, table, own)
    coin = _coin_worth(rules, table, own)
    _fill(rules, table, own, king, worths)
    # values of places
    others = rules.players - 1
    q = own.param[FUND_CHANCE]
    spend = own.param[SPEND]
    crowd = own.param[CROWD]
    most = int(crowd * others) + rules.max_workers
    sums = np.zeros(most + 2)
    for space in range(rules.spaces):
        if worths[space] > 0.0:
            needed = table.level[space]
            for w in range(most, needed - 1, -1):
                t = sums[w - needed] + worths[space]
                if t > sums[w]:
                    sums[w] = t
    # expected bids of the others
    bids = 0.0
    for other in range(rules.players):
        if other != own.seat:
            bids += _mean_bid(rules, table, own, other)
    fund = own.param[FUND_BIAS] * coin * expected_share(int(table.pool + bids), 0, others, q, spend)
    chance = np.empty(5)
    values = np.empty(4)
    for place in range(rules.players):
        before = place * (1.0 - q) * crowd
        low = int(before)
        part = before - low
        base = sums[low] * (1 - part) + sums[low + 1] * part
        mine = 0.0
        for w in range(rules.free_workers, rules.max_workers + 1):
            price = hiring_price(rules, table, own.seat, w - rules.free_workers, False)
            if price <= own.coins:
                got = sums[low + w] * (1 - part) + sums[low + w + 1] * part - base - price * coin
                mine = max(mine, got)
        values[place] = max(mine, fund)
    ahead = own.param[DEBT_AHEAD] * (rules.rounds - table.round_number) / rules.players
    cards = me.debt_cards
    low = min(cards + int(ahead), rules.rounds - 1)
    part = ahead - int(ahead)
    high = min(low + 1, rules.rounds - 1)
    cost = (rules.debt_penalty[low + 1] - rules.debt_penalty[low]) * (1 - part) + part * (
        rules.debt_penalty[high + 1] - rules.debt_penalty[high]
    )
    values[others] -= own.param[DEBT] * cost

    best, best_bid = -1e9, 0
    skill = 0
    if rules.expansion and own.skill_coins > 0:
        gain = _skill_gain(rules, table, own, worths, coin, king, bids)
        left = (rules.rounds - table.round_number) / rules.rounds
        if gain > 1.0 + own.param[SKILL_PATIENCE] * left:
            skill = 1
    for b in range(min(own.coins, 10) + 1):
        offer = b + skill
        chance[0] = 1.0
        for k in range(1, 5):
            chance[k] = 0.0
        is_before = True
        for place in range(rules.players):
            other = table.order[place]
            if other == own.seat:
                is_before = False
            else:
                p = _outbid_chance(rules, table, own, other, offer, is_before)
                for k in range(rules.players - 1, 0, -1):
                    chance[k] = chance[k] * (1.0 - p) + chance[k - 1] * p
                chance[0] *= 1.0 - p
        v = -b * coin * own.param[BID_COST]
        for place in range(rules.players):
            v += chance[place] * values[place]
        if v > best:
            best, best_bid = v, b
    choice.coins = best_bid
    choice.skill_coins = skill


def turn(rules, table, own, rng, choice):
    seat = own.seat
    _note_bids(rules, table, own)
    worths = np.empty(MAX_SPACES)
    king = _king_worth(rules, table, own)
    coin = _coin_worth(rules, table, own)
    _fill(rules, table, own, king, worths)
    is_skilled = has_skill(rules, table, seat)
    company = table.seats[seat].company
    purse = own.coins + own.skill_coins
    pool = table.pool
    if is_skilled:
        choice.skill = 1
        if company == YELLOW:
            purse += int(choice.taken)
            pool -= int(choice.taken)
        if company == BLUE:
            for space in range(rules.spaces):
                if table.stack[space] > 1 and worths[space] > 0:
                    worths[space] += 0.5 * (king + mean_dealt_value(rules))
    gain, spaces = best_placements(rules, table, seat, worths, purse, coin, is_skilled)
    later = rules.players - 1 - table.place
    takers = fund_takers(rules, table)
    share = expected_share(pool, takers, later, own.param[FUND_CHANCE], own.param[SPEND])
    fund = own.param[FUND_BIAS] * coin * share
    if rules.expansion:
        fund += 3.0 * (table.skill_pool // (takers + 1))
    if gain >= fund:
        mine_all(rules, choice, spaces)
    elif not rules.skill_with_funds:
        choice.skill = 0


def extra(rules, table, own, rng, choice):
    for k in range(int(choice.placements)):
        if table.level[int(choice.spaces[k])] > table.level[int(choice.space)]:
            choice.space = choice.spaces[k]


def _skill_gain(rules, table, own, worths, coin, king, bids):
    company = table.seats[own.seat].company
    if company == RED:
        plain, _ = best_placements(rules, table, own.seat, worths, own.coins, coin, False)
        skilled, _ = best_placements(rules, table, own.seat, worths, own.coins, coin, True)
        return skilled - plain
    if company == BLUE:
        return 0.85 * (mean_dealt_value(rules) + king)
    if company == YELLOW:
        return min(rules.yellow_take, int(table.pool + bids)) * coin
    return rules.green_discount * coin + 1.0


def _king_worth(rules, table, own):
    behind = chips_behind(rules, table, own.seat)
    left = chips_left(rules, table)
    width = own.param[KING_WIDTH] * np.sqrt(1.0 + left)
    x = behind / width
    return rules.mining_king_bonus * own.param[KING_PEAK] / (width * (1.0 + x * x))


def _coin_worth(rules, table, own):
    return own.param[COIN] + own.param[COIN_EARLY] * (rules.rounds - table.round_number) / rules.rounds


def _fill(rules, table, own, king, worths):
    values = np.empty(LEVELS + 1)
    for level in range(1, LEVELS + 1):
        values[level] = mean_value(rules, level) + king
    for space in range(rules.spaces):
        worths[space] = 0.0
        if table.stack[space] > 0:
            worths[space] = values[table.level[space]] * (1.0 - loss_chance(rules, table, space))


def _note_bids(rules, table, own):
    for other in range(rules.players):
        if other != own.seat:
            offer = table.seats[other].bid + table.seats[other].skill_bid
            own.memory[BINS * other + min(offer, BINS - 1)] += 1.0


def _outbid_chance(rules, table, own, other, offer, is_before):
    """The chance that another bids more, or as much when it stands before."""
    needed = offer if is_before else offer + 1
    if needed <= 0:
        return 1.0
    coins = table.seats[other].coins
    if coins >= 0 and coins + max(0, table.seats[other].skill_coins) < needed:
        return 0.0
    above = own.param[PRIOR]
    for k in range(needed):
        above *= own.param[FIRST_GUESS]
    total = own.param[PRIOR]
    for k in range(BINS):
        total += own.memory[BINS * other + k]
        if k >= min(needed, BINS - 1):
            above += own.memory[BINS * other + k]
    return above / total


def _mean_bid(rules, table, own, other):
    total = own.param[PRIOR]
    sum_ = own.param[PRIOR] * own.param[FIRST_GUESS] / (1.0 - own.param[FIRST_GUESS])
    for k in range(BINS):
        total += own.memory[BINS * other + k]
        sum_ += k * own.memory[BINS * other + k]
    mean = sum_ / total
    if table.seats[other].coins >= 0:
        mean = min(mean, table.seats[other].coins)
    return mean
