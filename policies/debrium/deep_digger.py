"""Hunts chips of level 3 and 4: bids for them when they lie on the board, and saves up when they do not."""

from policies import Param
from sim.debrium.planning import SCRATCH, expected_points, mine_or_fund, ripe_skill_coins, share_now, take_deepest

PARAMS = (
    Param("shallow", 0.5, 0.0, 1.0, "what the points of levels 1 and 2 count for it"),
    Param("offer", 2.0, 0.0, 10.0, "coins that it bids when the deepest chips are fewer than the players"),
    Param("thrift", 2.5, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 1.0, 0.0, 10.0, "gain for which it adds its skill coin to the bid"),
)
SHALLOW, OFFER, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    deep = 0
    for space in range(rules.spaces):
        deep += table.level[space] >= 3
    if 0 < deep < rules.players:
        choice.coins = min(int(own.param[OFFER]), own.coins)
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    for space in range(rules.spaces):
        if table.level[space] < 3:
            worths[space] *= own.param[SHALLOW]
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], own.param[THRIFT] * share_now(rules, table))


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
