"""Trial Read on its slots: whoever passes a stack of what it loves is stopped there and buys it all."""

from policies import Param
from sim.book_festival.planning import arrivals, busiest_slot, count_pops, place_or_draw, stop_if_worth, try_to_buy
from sim.book_festival.state import NO_GENRE, TRIAL

PARAMS = (
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.2, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
    Param("displays", 2.0, 0.0, 20.0, "Trial Read POPs that it wants"),
)
CARD, EAGER, DISPLAYS = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    chances = arrivals(rules, table, own.seat)
    booth = table.booths[own.seat]
    if count_pops(booth, TRIAL) < own.param[DISPLAYS]:
        slot = busiest_slot(table, chances, own.seat, True)
        if try_to_buy(rules, table, own, choice, TRIAL, slot, rules.trial_discard):
            return
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], own.param[EAGER])


def stop(rules, table, own, rng, choice):
    stop_if_worth(rules, table, own, choice, own.param[CARD])
