"""Never bids a coin: takes the order as it comes, and funds as soon as the others have filled the pool."""

import numpy as np

from policies import Param
from sim.debrium.planning import SCRATCH, expected_points, mine_or_fund, ripe_skill_coins, share_now, take_deepest

PARAMS = (
    Param("patience", 5.0, 1.0, 30.0, "share of the pool for which it stops mining for a round"),
    Param("thrift", 2.0, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 1.0, 0.0, 10.0, "gain for which it bids its skill coin, the only thing it ever bids"),
)
PATIENCE, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    is_pool_full = share_now(rules, table) >= own.param[PATIENCE]
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], np.inf if is_pool_full else 0.0)


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
