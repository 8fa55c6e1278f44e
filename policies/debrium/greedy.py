"""Takes in each round what promises most at once, chips or funds, and bids a coin when it would be last."""

from policies import Param
from sim.debrium.planning import SCRATCH, expected_points, mine_or_fund, ripe_skill_coins, share_now, take_deepest
from sim.debrium.view import place_of

PARAMS = (
    Param("offer", 2.0, 0.0, 10.0, "coins that it bids when it would be last"),
    Param("thrift", 1.75, 0.3, 4.0, "points that a coin is worth to it"),
    Param("ripe", 2.0, 0.0, 10.0, "gain for which it adds its skill coin to the bid"),
)
OFFER, THRIFT, RIPE = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    if place_of(rules, table, own.seat) == rules.players - 1:
        choice.coins = min(int(own.param[OFFER]), own.coins)
    choice.skill_coins = ripe_skill_coins(rules, table, own, own.param[RIPE])


def turn(rules, table, own, rng, choice):
    worths = own.memory[SCRATCH:]
    expected_points(rules, table, worths)
    thrift = own.param[THRIFT]
    mine_or_fund(rules, table, own, choice, worths, thrift, thrift * share_now(rules, table))


def extra(rules, table, own, rng, choice):
    take_deepest(table, choice)
