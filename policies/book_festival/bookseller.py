"""Weighs every action by the stars it should bring: each animal's die and way, the stacks, the POPs, the cards.

Before every action it asks of each slot what the best thing to do there would add to the stars to be expected: put
a genre on it, clear it for another one, or buy a POP for what stands there or is to stand there. Whatever beats
drawing a card is done as late in the turn as it can be, so that cards drawn before may still join in. All that is
only good for later (cards, books that stay) counts for less the nearer the first supply is to its end.
"""

import numpy as np

from policies import Param
from sim.book_festival.planning import (
    ANYBODY,
    COMES,
    STOPS,
    arrivals,
    best_pile,
    draw_or_pass,
    expected_stars,
    has_fan,
    landing,
    look_further,
    place_all,
    stars_of_stop,
    time_left,
)
from sim.book_festival.state import (
    BOOKLET,
    CHAMELEON,
    END_SHELF,
    GENRES,
    LIMITED,
    NO_GENRE,
    NO_POP,
    RECOMMENDED,
    RELATED,
    TRIAL,
)
from sim.book_festival.view import buy, can_buy, can_draw, copies, free_display, is_barred, pay, price, retrieve, room

PARAMS = (
    Param("card", 0.2, 0.0, 2.0, "stars that a card is worth in hand whose animal is in the game"),
    Param("plain", 0.12, 0.0, 2.0, "stars that any other card is worth in hand, and each that a purchase costs"),
    Param("draw", 0.55, 0.0, 2.0, "stars for which it takes another action rather than draw"),
    Param("kept", 0.2, 0.0, 2.0, "stars that a book is worth that is likely to stay on its slot"),
    Param("full", 0.24, 0.0, 2.0, "stars for a slot that is likely to hold books when the next turn begins"),
    Param("pop", -1.4, -4.0, 4.0, "stars that a POP is worth beyond the sales in sight, its action taken off"),
    Param("booklet", 0.3, -4.0, 6.0, "the same for With Booklet"),
    Param("shelf", 0.1, -4.0, 6.0, "the same for an end shelf"),
    Param("later", 0.55, 0.0, 5.0, "rounds after the coming sales whose sales are in sight"),
    Param("stop", 0.02, 0.0, 2.0, "stars for which it gives a card to stop an animal"),
    Param("deny", 0.2, -1.0, 2.0, "weight of the stars that a stopped animal would have brought another"),
)
CARD, PLAIN, DRAWN, KEPT, FULL, ANY_POP, ANY_BOOKLET, ANY_SHELF, AHEAD, STOPPING, DENY = range(len(PARAMS))

#: The worths that are only good for later: of a card by genre, then of these.
STAYS, FILLED, DISPLAY, PAID, WORTHS = range(len(GENRES), len(GENRES) + 5)
#: The POPs whose worth depends on their slot's books; from how many books on it thinks of placing and a POP together.
DISPLAYS = (RECOMMENDED, TRIAL, RELATED, LIMITED)
STACK = 3
NOTHING = -1


def act(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    time = time_left(rules, table)
    chances = arrivals(rules, table, own.seat)
    look_further(rules, table, own.seat, chances, own.param[AHEAD] * time)
    worth = _worths(rules, table, own, time)
    drawn = own.param[DRAWN] * time if can_draw(rules, table, own.seat) else 0.0
    best, best_slot, best_genre, bought = drawn, -1, NO_GENRE, NOTHING
    useful, seen = 0, 0
    for slot in range(booth.slots):
        gain, actions, genre, item = _best_at(rules, table, own, chances, worth, slot)
        if gain > drawn and (genre == NO_GENRE or not (seen >> genre) & 1):
            useful += actions
            if genre != NO_GENRE:
                seen |= 1 << genre
        if gain > best:
            best, best_slot, best_genre, bought = gain, slot, genre, item
    for item, later in ((BOOKLET, ANY_BOOKLET), (END_SHELF, ANY_SHELF)):
        if can_buy(rules, table, own.seat, item):
            gain = own.param[later] * time - worth[PAID] * price(rules, item)
            useful += gain > drawn
            if gain > best:
                best, best_slot, best_genre, bought = gain, max(0, free_display(booth)), NO_GENRE, item
    is_drawing = best_slot < 0 or useful < rules.actions_per_turn - table.actions
    if is_drawing and can_draw(rules, table, own.seat):
        draw_or_pass(rules, table, own, choice)
    elif bought != NOTHING:
        if best_genre != NO_GENRE:
            worth[best_genre] += own.hand[best_genre]  # what is to stand there is not paid with
        buy(choice, bought, best_slot)
        pay(choice, own, price(rules, bought), worth)
    elif best_slot >= 0 and is_barred(rules, booth, best_slot, best_genre):
        retrieve(choice, best_slot, booth.books[best_slot])
    elif best_slot >= 0:
        place_all(rules, table, own, choice, best_slot, best_genre)


def stop(rules, table, own, rng, choice):
    animal = table.booths[table.buyer].animal
    gain = stars_of_stop(rules, table, animal, own.seat, table.at_slot) - own.param[STOPPING] * rules.trial_discard
    booth, slot = landing(rules, table)
    if booth >= 0:
        elsewhere = stars_of_stop(rules, table, animal, booth, slot)
        gain += -elsewhere if booth == own.seat else own.param[DENY] * elsewhere
    if gain > 0.0 and pay(choice, own, rules.trial_discard, _worths(rules, table, own, 1.0)):
        choice.stop = 1


def file(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    takes_all = table.booths[table.buyer].animal in (booth.genre[table.at_slot], CHAMELEON)
    choice.genre = best_pile(rules, table, booth.books[table.at_slot] if takes_all else 1)


def _worths(rules, table, own, time):
    """What is only good for later is worth, with such a share of the game left."""
    worth = np.zeros(WORTHS)
    for genre in range(len(GENRES)):
        worth[genre] = time * own.param[CARD if has_fan(rules, table, genre) else PLAIN]
    worth[STAYS] = time * own.param[KEPT]
    worth[FILLED] = time * own.param[FULL]
    worth[DISPLAY] = time * own.param[ANY_POP]
    worth[PAID] = time * own.param[PLAIN]
    return worth


def _best_at(rules, table, own, chances, worth, slot):
    """The best thing to do at a slot: its gain by action, how many actions, with which genre, and what to buy."""
    booth = table.booths[own.seat]
    books, here, pop, hand = booth.books[slot], booth.genre[slot], booth.pop[slot], booth.hand_size
    has_two = rules.actions_per_turn - table.actions > 1
    now = _slot_worth(rules, table, own, chances, worth, slot, here, books, pop, hand)
    best, actions, with_genre, bought = -1.0e9, 1, NO_GENRE, NOTHING
    if pop == NO_POP and books > 0:
        best, bought = _best_display(rules, table, own, chances, worth, slot, here, books, hand)
        best -= now
    for genre in range(len(GENRES)):
        count = own.hand[genre]
        if count == 0:
            continue
        if is_barred(rules, booth, slot, genre):
            if has_two and count > 1 and (rules.hand_limit == 0 or hand + books <= rules.hand_limit):
                if rules.slot_capacity > 0:
                    count = min(count, rules.slot_capacity)
                left = hand + books - count
                gain = _slot_worth(rules, table, own, chances, worth, slot, genre, count, pop, left)
                gain = 0.5 * (gain - now + books * worth[here] - count * worth[genre])
                if gain > best:
                    best, actions, with_genre, bought = gain, 2, genre, NOTHING
            continue
        count = min(count, room(rules, booth, slot, genre))
        if count <= 0:
            continue
        mine, lost = copies(rules, booth, slot, genre), now + count * worth[genre]
        if mine != books:  # other genres stay there as they are
            lost += _slot_worth(rules, table, own, chances, worth, slot, genre, mine, pop, hand) - now
        gain = _slot_worth(rules, table, own, chances, worth, slot, genre, mine + count, pop, hand - count) - lost
        if gain > best:
            best, actions, with_genre, bought = gain, 1, genre, NOTHING
        if has_two and pop == NO_POP and mine + count >= STACK:
            left = hand - own.hand[genre]
            gain, item = _best_display(rules, table, own, chances, worth, slot, genre, mine + count, left)
            gain = 0.5 * (gain - lost)
            if gain > best:
                best, actions, with_genre, bought = gain, 2, genre, item
    return best, actions, with_genre, bought


def _best_display(rules, table, own, chances, worth, slot, genre, books, hand):
    """What books on a slot are worth with the best POP that so many cards can buy, the price off; and which it is."""
    best, bought = -1.0e9, NOTHING
    for item in DISPLAYS:
        cost = rules.pop_cost[item]
        if table.pop_left[item] > 0 and cost <= hand:
            gain = _slot_worth(rules, table, own, chances, worth, slot, genre, books, item, hand - cost)
            gain += worth[DISPLAY] - cost * worth[PAID]
            if gain > best:
                best, bought = gain, item
    return best, bought


def _slot_worth(rules, table, own, chances, worth, slot, genre, books, pop, hand):
    """The stars that books on a slot should sell for with so many cards in hand, and what is likely to stay there."""
    if books == 0:
        return 0.0
    stars = expected_stars(rules, table, chances, own.seat, slot, genre, books, pop, hand, own.param[STOPPING])
    gone = chances[STOPS, slot, ANYBODY] if books == 1 else chances[COMES if pop == TRIAL else STOPS, slot, genre]
    return stars + max(0.0, 1.0 - gone) * (books * worth[STAYS] + worth[FILLED])
