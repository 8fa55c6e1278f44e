"""Bids high to be first and takes the best spaces; back to the funds when the purse is empty."""

from policies import Param
from sim.debrium.planning import SCRATCH, expected_points, mine_or_fund, ripe_skill_coins, share_now, take_deepest

PARAMS = (
    Param("boldness", 0.15, 0.0, 1.0, "share of its coins that it bids"),
    Param("kept", 4.0, 0.0, 10.0, "coins that it keeps for hiring"),
    Param("thrift", 1.0, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 3.0, 0.0, 10.0, "gain for which it adds its skill coin to the bid"),
)
BOLDNESS, KEPT, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    choice.coins = max(0, int(min(own.coins * own.param[BOLDNESS], own.coins - own.param[KEPT])))
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], own.param[THRIFT] * share_now(rules, table))


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
