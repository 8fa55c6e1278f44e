"""Avoids debt: bids more the dearer its next debt card and the later its place, otherwise nothing."""

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
from sim.debrium.view import place_of

PARAMS = (
    Param("dread", 2.5, 0.0, 4.0, "coins that it bids for every point of its next debt card, when last"),
    Param("least", 1.0, 0.0, 10.0, "coins that it bids at least when last or next to last"),
    Param("thrift", 1.8, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 2.0, 0.0, 10.0, "gain for which it adds its skill coin to the bid"),
)
DREAD, LEAST, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    behind = rules.players - 1 - place_of(rules, table, own.seat)
    if behind < 2:
        dread = own.param[DREAD] * debt_cost(rules, table, own.seat, 0) / (1 + behind)
        choice.coins = max(0, min(int(max(own.param[LEAST], dread)), own.coins))
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    mine_or_fund(rules, table, own, choice, worths, own.param[THRIFT], own.param[THRIFT] * share_now(rules, table))


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
