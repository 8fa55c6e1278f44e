"""Races for Mining King: many cheap chips, each counted for more than its points; bids a little to choose first."""

from policies import Param
from sim.debrium.planning import SCRATCH, expected_points, mine_or_fund, ripe_skill_coins, share_now, take_deepest
from sim.debrium.view import loss_chance

PARAMS = (
    Param("chip", 4.0, 0.0, 15.0, "points that it counts for every chip beside its value"),
    Param("offer", 1.0, 0.0, 10.0, "coins that it bids while it can still hire with the rest"),
    Param("thrift", 2.5, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 3.0, 0.0, 10.0, "gain for which it adds its skill coin to the bid"),
)
CHIP, OFFER, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    choice.coins = max(0, min(int(own.param[OFFER]), own.coins - 5))
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    for space in range(rules.spaces):
        if table.stack[space] > 0:
            worths[space] += own.param[CHIP] * (1.0 - loss_chance(rules, table, space))
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], own.param[THRIFT] * share_now(rules, table))


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
