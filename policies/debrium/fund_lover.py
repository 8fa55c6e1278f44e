"""Lives off funds: takes them whenever the pool promises a few coins, and mines only in the lean rounds."""

import numpy as np

from policies import Param
from sim.debrium.planning import SCRATCH, expected_points, mine_or_fund, ripe_skill_coins, share_now, take_deepest

PARAMS = (
    Param("enough", 3.0, 1.0, 20.0, "coins of its share, as the pool stands, that are enough to take funds"),
    Param("thrift", 2.0, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 1.0, 0.0, 10.0, "gain for which it bids its skill coin"),
)
ENOUGH, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    is_enough = share_now(rules, table) >= own.param[ENOUGH]
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], np.inf if is_enough else 0.0)


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
