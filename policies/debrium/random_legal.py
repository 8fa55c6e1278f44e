"""Any legal answer has a chance: the yardstick that every other policy is measured against.

Bid: evenly from 0 to the coins held, and likewise for skill coins. Turn: a paid skill is used half the
time (Yellow's take evenly from 0 to what it may), and a quarter of the turns take funds. To mine, the
number of workers to have at most is drawn evenly from none to all that can be had and paid for; then twice
as many random spaces are tried, and each that is free and not beyond the workers left is taken. (A set of
spaces needs no more tries than workers, so every legal set has a chance.) What is paid in skill coins is
drawn evenly from what is possible; Blue's extra chip is drawn evenly, to leave it included where one may. Where
workers may be hired to stand idle, their number is drawn evenly from what can be had, and cut to what can be paid.
"""

from sim.debrium.planning import most_workers
from sim.debrium.state import BLUE_MAY, FUNDS, MINE, NO_SPACE, YELLOW
from sim.debrium.view import has_skill, hiring_price, is_free, mine_at, workers_needed
from sim.rng import below


def bid(rules, table, own, rng, choice):
    choice.coins = below(rng, own.coins + 1)
    if own.skill_coins > 0:
        choice.skill_coins = below(rng, own.skill_coins + 1)


def turn(rules, table, own, rng, choice):
    seat, purse = own.seat, own.coins + own.skill_coins
    choice.action = MINE if below(rng, 4) else FUNDS
    if has_skill(rules, table, seat) and (choice.action == MINE or rules.skill_with_funds):
        choice.skill = below(rng, 2)
    is_skilled = choice.skill == 1
    if is_skilled and table.seats[seat].company == YELLOW:
        choice.taken = below(rng, int(choice.taken) + 1)
        purse += int(choice.taken)
    if choice.action == MINE:
        _place(rules, table, seat, purse, is_skilled, rng, choice)
        _pay(rules, table, own, purse, is_skilled, rng, choice)


def extra(rules, table, own, rng, choice):
    count = int(choice.placements)
    drawn = below(rng, count + 1 if rules.blue_takes == BLUE_MAY else count)
    choice.space = choice.spaces[drawn] if drawn < count else NO_SPACE


def _place(rules, table, seat, purse, is_skilled, rng, choice):
    """Draw how many workers to use at most, then try random spaces, twice as many as workers."""
    left = below(rng, most_workers(rules, table, seat, purse, is_skilled) + 1)
    taken = 0
    for _ in range(2 * left):
        space = below(rng, rules.spaces)
        if is_free(table, space) and not (taken >> space) & 1:
            needed = workers_needed(rules, table, seat, space, is_skilled)
            if needed <= left:
                mine_at(choice, space)
                taken |= 1 << space
                left -= needed
                if left == 0:
                    return


def _pay(rules, table, own, purse, is_skilled, rng, choice):
    """Give up the last placements until the hiring can be paid, then draw how many skill coins pay for it."""
    workers = 0
    for k in range(int(choice.placements)):
        workers += workers_needed(rules, table, own.seat, int(choice.spaces[k]), is_skilled)
    price = hiring_price(rules, table, own.seat, max(0, workers - rules.free_workers), is_skilled)
    while price > purse:
        choice.placements -= 1
        last = int(choice.spaces[int(choice.placements)])
        workers -= workers_needed(rules, table, own.seat, last, is_skilled)
        price = hiring_price(rules, table, own.seat, max(0, workers - rules.free_workers), is_skilled)
    if rules.hire_idle:
        idle = below(rng, rules.max_workers - max(workers, rules.free_workers) + 1)
        hired = max(0, workers - rules.free_workers)
        while hiring_price(rules, table, own.seat, hired + idle, is_skilled) > purse:
            idle -= 1
        choice.idle_workers = idle
        price = hiring_price(rules, table, own.seat, hired + idle, is_skilled)
    if price > 0 and own.skill_coins > 0:
        least = max(0, price - (purse - own.skill_coins))
        choice.pay_skill_coins = least + below(rng, min(price, own.skill_coins) - least + 1)
