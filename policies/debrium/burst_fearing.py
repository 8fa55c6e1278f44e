"""Fears bursts: mines only where the fall is unlikely to strike, and waits for funds when nothing is safe."""

from policies import Param
from sim.debrium.planning import SCRATCH, expected_points, mine_or_fund, ripe_skill_coins, share_now, take_deepest
from sim.debrium.view import loss_chance

PARAMS = (
    Param("fear", 0.2, 0.0, 1.0, "chance of loss from which it leaves a space alone"),
    Param("offer", 1.0, 0.0, 10.0, "coins that it bids when less than half the board is safe"),
    Param("thrift", 1.5, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 3.0, 0.0, 10.0, "gain for which it adds its skill coin to the bid"),
)
FEAR, OFFER, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    safe = 0
    for space in range(rules.spaces):
        safe += table.stack[space] > 0 and loss_chance(rules, table, space) <= own.param[FEAR]
    if 2 * safe < rules.spaces:
        choice.coins = min(int(own.param[OFFER]), own.coins)
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    for space in range(rules.spaces):
        if loss_chance(rules, table, space) > own.param[FEAR]:
            worths[space] = 0.0
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], own.param[THRIFT] * share_now(rules, table))


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
