"""Any legal answer has a chance: the yardstick that every other policy is measured against.

An action is drawn evenly from pass, place, buy, retrieve and draw; one that cannot be done becomes a draw, or a
pass where the hand limit forbids it. What is placed is drawn card by card from the hand, and the slot evenly;
so is what is bought, and each discard; counts are drawn evenly from 1 to what is possible. A passing animal is
stopped half the time, and a related book is filed under any genre evenly.
"""

from sim.book_festival.state import ANY_GENRE, BUY, DRAW, END_SHELF, GENRES, NO_POP, PASS, PLACE, RETRIEVE
from sim.book_festival.view import buy, can_buy, can_draw, draw, place, price, retrievable, retrieve, room
from sim.rng import below


def act(rules, table, own, rng, choice):
    action = below(rng, 5)
    booth = table.booths[own.seat]
    if action == PASS:
        return
    slot = below(rng, booth.slots)
    if action == PLACE and booth.hand_size > 0:
        genre = _card(own, booth.hand_size, rng)
        most = min(own.hand[genre], room(rules, booth, slot, genre))
        if most > 0:
            place(choice, slot, genre, 1 + below(rng, most))
    elif action == BUY:
        bought = below(rng, END_SHELF + 1)
        if can_buy(rules, table, own.seat, bought) and (bought == END_SHELF or booth.pop[slot] == NO_POP):
            buy(choice, bought, slot)
            _pay(own, booth.hand_size, price(rules, bought), rng, choice)
    elif action == RETRIEVE and retrievable(rules, booth, slot) > 0:
        most = retrievable(rules, booth, slot)
        if rules.hand_limit > 0:
            most = min(most, rules.hand_limit - booth.hand_size)
        if most > 0:
            retrieve(choice, slot, 1 + below(rng, most))
            if rules.slot_genres == ANY_GENRE:
                choice.genre = below(rng, len(GENRES))
    if (action == DRAW or choice.action == PASS) and can_draw(rules, table, own.seat):
        draw(choice)


def stop(rules, table, own, rng, choice):
    choice.stop = below(rng, 2)
    if choice.stop == 1:
        _pay(own, table.booths[own.seat].hand_size, rules.trial_discard, rng, choice)


def file(rules, table, own, rng, choice):
    choice.genre = below(rng, len(GENRES))


def _card(own, cards, rng):
    """The genre of a card drawn evenly from the hand."""
    card = below(rng, cards)
    genre = 0
    while card >= own.hand[genre]:
        card -= own.hand[genre]
        genre += 1
    return genre


def _pay(own, cards, cost, rng, choice):
    """Draw the discards evenly from the hand, one card at a time."""
    for paid in range(cost):
        card = below(rng, cards - paid)
        genre = 0
        while card >= own.hand[genre] - choice.discards[genre]:
            card -= own.hand[genre] - int(choice.discards[genre])
            genre += 1
        choice.discards[genre] += 1
