"""Accepts debt: bids nothing, likes to act last knowing who took funds, and bids only when the next card is dear."""

from policies import Param
from sim.debrium.planning import (
    SCRATCH,
    debt_cost,
    expected_points,
    mine_or_fund,
    ripe_skill_coins,
    share_now,
    take_deepest,
)

PARAMS = (
    Param("dear", 4.0, 0.0, 20.0, "points of a debt card from which it does bid"),
    Param("offer", 2.0, 0.0, 10.0, "coins that it bids then"),
    Param("wariness", 1.0, 0.0, 5.0, "coins that each player still to act takes off the share it expects"),
    Param("thrift", 2.0, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 1.0, 0.0, 10.0, "gain for which it adds its skill coin to the bid"),
)
DEAR, OFFER, WARINESS, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    if debt_cost(rules, table, own.seat, 0) >= own.param[DEAR]:
        choice.coins = min(int(own.param[OFFER]), own.coins)
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    later = rules.players - 1 - table.place
    share = share_now(rules, table) - own.param[WARINESS] * later
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], own.param[THRIFT] * share)


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
