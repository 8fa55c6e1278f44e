"""Weighs every action by the stars it may bring: in the coming sales by each animal's die, and in those after."""

import numpy as np

from policies import Param
from sim.book_festival.planning import (
    COMES,
    STOPS,
    arrivals,
    best_pile,
    draw_or_pass,
    expected_stars,
    has_fan,
    landing,
    place_all,
    stars_of_stop,
    traffic,
)
from sim.book_festival.state import (
    BOOKLET,
    CHAMELEON,
    END_SHELF,
    GENRES,
    NO_POP,
    POPS,
    TRIAL,
)
from sim.book_festival.view import buy, can_buy, can_draw, pay, price, retrieve, room

PARAMS = (
    Param("card", 0.3, 0.0, 2.0, "stars that a card of a genre with a fan is worth in hand"),
    Param("plain", 0.15, 0.0, 2.0, "stars that another card is worth in hand"),
    Param("draw", 0.3, 0.0, 2.0, "stars that drawing is worth"),
    Param("kept", 0.15, 0.0, 2.0, "stars that a book with a fan is worth that stays on its slot"),
    Param("kept_plain", 0.05, 0.0, 2.0, "stars that another book is worth that stays on its slot"),
    Param("full", 0.15, 0.0, 2.0, "stars that it is worth to have books on a slot when the next turn begins"),
    Param("horizon", 8.0, 1.0, 30.0, "rounds that a game is expected to last"),
    Param("recommended", 0.03, -2.0, 2.0, "stars a round that Recommended Series is worth"),
    Param("trial", 0.25, -2.0, 2.0, "stars a round that Trial Read is worth"),
    Param("related", 0.2, -2.0, 2.0, "stars a round that Related Books are worth"),
    Param("booklet", 0.25, -2.0, 2.0, "stars a round that With Booklet is worth"),
    Param("limited", 0.3, -2.0, 2.0, "stars a round that Limited Edition is worth"),
    Param("shelf", 0.2, -2.0, 2.0, "stars a round that an end shelf is worth"),
    Param("more", 0.5, 0.0, 1.0, "what a second POP of a kind is worth, as a share of the one before"),
    Param("stop", 0.25, 0.0, 2.0, "stars that a card is worth that stops an animal"),
    Param("deny", 0.2, -1.0, 2.0, "weight of the stars that a stopped animal does not give another"),
)
(
    CARD,
    PLAIN,
    DRAWN,
    KEPT,
    KEPT_PLAIN,
    FULL,
    HORIZON,
    A_RECOMMENDED,
    A_TRIAL,
    A_RELATED,
    A_BOOKLET,
    A_LIMITED,
    A_SHELF,
    MORE,
    STOPPING,
    DENY,
) = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    seat = own.seat
    booth = table.booths[seat]
    param = own.param
    chances = arrivals(rules, table, seat)
    left = rules.actions_per_turn - table.actions
    worth = np.empty(len(GENRES))
    kept = np.empty(len(GENRES))
    for genre in range(len(GENRES)):
        is_wanted = has_fan(rules, table, genre)
        worth[genre] = param[CARD] if is_wanted else param[PLAIN]
        kept[genre] = param[KEPT] if is_wanted else param[KEPT_PLAIN]
    drawn = param[DRAWN] if can_draw(rules, table, seat) else 0.0

    useful = 0
    best, kind, best_slot, best_genre, best_cost = 0.0, 0, -1, -1, 1
    taken = 0
    for slot in range(booth.slots):
        books, here = booth.books[slot], booth.genre[slot]
        now = _slot_worth(rules, table, own, chances, kept, slot, here, books, booth.pop[slot])
        top, top_genre, top_cost = drawn, -1, 1
        for genre in range(len(GENRES)):
            if own.hand[genre] == 0:
                continue
            cost, count = 1, own.hand[genre]
            if books > 0 and here != genre:
                if left < 2 or count < 2 or (rules.hand_limit > 0 and booth.hand_size + books > rules.hand_limit):
                    continue
                cost = 2
                if rules.slot_capacity > 0:
                    count = min(count, rules.slot_capacity)
                gain = _slot_worth(rules, table, own, chances, kept, slot, genre, count, booth.pop[slot]) - now
                gain += books * worth[here]
            else:
                count = min(count, room(rules, booth, slot, genre))
                if count <= 0:
                    continue
                gain = (
                    _slot_worth(rules, table, own, chances, kept, slot, genre, books + count, booth.pop[slot]) - now
                )
            gain = (gain - count * worth[genre]) / cost
            if gain > top:
                top, top_genre, top_cost = gain, genre, cost
        if top_genre >= 0:
            if not (taken >> top_genre) & 1:
                useful += top_cost
                taken |= 1 << top_genre
            if top > best:
                best, kind, best_slot, best_genre, best_cost = top, 1, slot, top_genre, top_cost
    # buying
    rounds = _rounds_left(rules, table, param[HORIZON])
    top, bought, at = _best_buy(rules, table, own, chances, kept, worth, rounds)
    if bought >= 0 and top > drawn:
        useful += 1
        if top > best:
            best, kind, best_slot = top, 2, at
    if useful < left and can_draw(rules, table, seat):
        draw_or_pass(rules, table, own, choice)
    elif kind == 2:
        buy(choice, bought, best_slot)
        pay(choice, own, price(rules, bought), worth)
    elif kind == 1 and best_cost == 2:
        retrieve(choice, best_slot, booth.books[best_slot])
    elif kind == 1:
        place_all(rules, table, own, choice, best_slot, best_genre)
    else:
        draw_or_pass(rules, table, own, choice)


def stop(rules, table, own, rng, choice):
    animal = table.booths[table.buyer].animal
    gain = stars_of_stop(rules, table, animal, own.seat, table.at_slot) - own.param[STOPPING] * rules.trial_discard
    booth, slot = landing(rules, table)
    if booth >= 0:
        other = stars_of_stop(rules, table, animal, booth, slot)
        gain += -other if booth == own.seat else own.param[DENY] * other
    worth = np.empty(len(GENRES))
    for genre in range(len(GENRES)):
        worth[genre] = own.hand[genre] + (10.0 if has_fan(rules, table, genre) else 0.0)
    if gain > 0.0 and pay(choice, own, rules.trial_discard, worth):
        choice.stop = 1


def file(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    animal = table.booths[table.buyer].animal
    is_all = animal == booth.genre[table.at_slot] or animal == CHAMELEON
    choice.genre = best_pile(rules, table, booth.books[table.at_slot] if is_all else 1)


def _rounds_left(rules, table, horizon):
    """The rounds that the game may still last, by the supply that is nearest to its end."""
    least = table.booths[0].supply
    for seat in range(1, rules.players):
        least = min(least, table.booths[seat].supply)
    return horizon * least / rules.stars_per_player


def _slot_worth(rules, table, own, chances, kept, slot, genre, books, pop):
    """Stars of the coming sales, what stays on the slot, and the free card for a filled one."""
    if books == 0:
        return 0.0
    stars = expected_stars(rules, table, chances, own.seat, slot, genre, books, pop, own.param[STOPPING])
    gone = 0.0
    for seat in range(rules.players):
        animal = table.booths[seat].animal
        if animal == genre:
            gone += chances[COMES if pop == TRIAL else STOPS, slot, animal]
    gone = min(gone, 1.0)
    if books == 1:
        gone = min(1.0, traffic(rules, table, chances, slot))
    return stars + (1.0 - gone) * (books * kept[genre] + own.param[FULL])


def _best_buy(rules, table, own, chances, kept, worth, rounds):
    """The gain of the best purchase, what, and the slot for it; what is -1 for none."""
    booth, param = table.booths[own.seat], own.param
    best, bought, at = -1.0e9, -1, -1
    for item in range(POPS + 1):
        if not can_buy(rules, table, own.seat, item):
            continue
        value = param[A_RECOMMENDED + item] * rounds
        if item == END_SHELF:
            for _ in range(booth.end_shelves):
                value *= param[MORE]
            slot = 0
        else:
            for slot in range(booth.slots):
                if booth.pop[slot] == item:
                    value *= param[MORE]
            slot, gain = -1, -1.0e9
            for k in range(booth.slots):
                if booth.pop[k] == NO_POP:
                    now = 0.0
                    if booth.books[k] > 0 and item != BOOKLET:
                        now = _slot_worth(
                            rules, table, own, chances, kept, k, booth.genre[k], booth.books[k], item
                        ) - _slot_worth(rules, table, own, chances, kept, k, booth.genre[k], booth.books[k], NO_POP)
                    if item == BOOKLET:
                        now = -0.01 * k
                    if now > gain:
                        gain, slot = now, k
            value += gain
        value -= _cost(own, worth, price(rules, item))
        if value > best:
            best, bought, at = value, item, slot
    return best, bought, at


def _cost(own, worth, cards):
    """What the cheapest so many cards of the hand are worth."""
    total, left = 0.0, cards
    for wanted in (False, True):
        for genre in range(len(GENRES)):
            is_dear = worth[genre] > own.param[PLAIN]
            if is_dear == wanted:
                count = min(left, own.hand[genre])
                total += count * worth[genre]
                left -= count
    return total
