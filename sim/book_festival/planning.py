"""What a player works out on the way to a decision, shared by policies: who may stop where, what that would sell."""

from __future__ import annotations

import numpy as np

from sim.book_festival.state import (
    ANIMALS,
    CHAMELEON,
    END_SHELF,
    FACES,
    FROM_STOCK,
    GENRES,
    LIMITED,
    MAX_SLOTS,
    NO_GENRE,
    NO_POP,
    NOBODY,
    PER_BOOK,
    RECOMMENDED,
    RELATED,
    TRIAL,
)
from sim.book_festival.view import (
    bought_at,
    buy,
    can_buy,
    can_draw,
    chameleon_count,
    copies,
    draw,
    next_space,
    pay,
    place,
    price,
    room,
)
from sim.jit import jit

#: The two kinds of chances that `arrivals` works out: that an animal stops at a slot, and that it comes there at all.
STOPS, COMES = range(2)
#: Beside a column for each animal, their sum: how many animals are expected to stop at a slot.
ANYBODY = len(ANIMALS)


# --- Who may come ------------------------------------------------------------------------------------


@jit
def arrivals(rules, table, seat):
    """Return the chances that animals come to a seat's slots in the coming sales: (2, MAX_SLOTS, animals + 1).

    `[STOPS, slot, animal]`: the animal stops there; `[COMES, slot, animal]`: it stops there or passes. An animal has
    the number of the genre that it loves. Each animal counts for itself. The seat's own empty slots count as spaces,
    for something may be placed there; another's Trial Read before a deep stack of the animal's favourite is taken to
    stop it.
    """
    chances = np.zeros((2, MAX_SLOTS, ANYBODY + 1))
    for buyer in range(rules.players):
        home = table.booths[buyer]
        animal, booth, slot = home.animal, home.at_booth, home.at_slot
        die = rules.die[animal]
        for step in range(1, _longest(die) + 1):
            booth, slot = next_space(rules, table, animal, booth, slot, seat)
            if booth == seat:
                exact, beyond = 0, 0
                for face in range(FACES):
                    exact += die[face] == step
                    beyond += die[face] >= step
                chances[STOPS, slot, animal] += exact * (1.0 / FACES)
                chances[STOPS, slot, ANYBODY] += exact * (1.0 / FACES)
                chances[COMES, slot, animal] = max(beyond * (1.0 / FACES), chances[COMES, slot, animal])
            elif booth < 0 or _is_stopped(rules, table.booths[booth], slot, animal):
                break
    return chances


@jit
def look_further(rules, table, seat, chances, rounds):
    """Add to the chances of `arrivals` those of so many rounds after, as if the animals might then be anywhere."""
    spaces = 0
    for other in range(rules.players):
        spaces += table.booths[other].slots
    for buyer in range(rules.players):
        animal = table.booths[buyer].animal
        steps = 0
        for face in range(FACES):
            steps += rules.die[animal, face]
        stops = min(1.0, rounds / spaces)
        comes = min(1.0, rounds * steps / (FACES * spaces))
        for slot in range(table.booths[seat].slots):
            more = max(0.0, 1.0 - chances[STOPS, slot, animal]) * stops
            chances[STOPS, slot, animal] += more
            chances[STOPS, slot, ANYBODY] += more
            chances[COMES, slot, animal] += (1.0 - chances[COMES, slot, animal]) * comes


@jit
def _longest(die):
    """Return the highest face of a die."""
    most = 0
    for face in range(FACES):
        most = max(most, die[face])
    return most


@jit
def _is_stopped(rules, owner, slot, animal):
    """Tell whether an owner surely stops an animal at a slot: Trial Read, the cards, and a stack worth them."""
    return (
        owner.pop[slot] == TRIAL
        and owner.genre[slot] == animal
        and owner.books[slot] > rules.trial_discard
        and owner.hand_size >= rules.trial_discard
    )


@jit
def busiest_slot(table, chances, seat, without_pop):
    """Return the slot where most animals are expected, if wished among those without a POP; -1 for none."""
    best, most = -1, -1.0
    for slot in range(table.booths[seat].slots):
        is_free = table.booths[seat].pop[slot] == NO_POP
        if (is_free or not without_pop) and chances[STOPS, slot, ANYBODY] > most:
            best, most = slot, chances[STOPS, slot, ANYBODY]
    return best


@jit
def has_fan(rules, table, genre):
    """Tell whether an animal in the game has the genre as its favourite."""
    for seat in range(rules.players):
        if table.booths[seat].animal == genre:
            return True
    return False


@jit
def time_left(rules, table):
    """Return the share of the game that is left, by the supply that is nearest to its end."""
    least = table.booths[0].supply
    for seat in range(1, rules.players):
        least = min(least, table.booths[seat].supply)
    return least / rules.stars_per_player


# --- What sells --------------------------------------------------------------------------------------


@jit
def stars_for(rules, table, seat, genre, books, pop):
    """Return the stars that a sale of so many books from a slot with a POP (or NO_POP) would give now."""
    extra = 0
    if pop == LIMITED:
        extra = rules.limited_extra_stars * (books if rules.limited_per == PER_BOOK else 1)
    pile = table.pile[genre]
    if pop == RELATED:
        pile = table.pile[fullest_pile(table)]
    if pile + books >= rules.genre_pile_size:
        extra += (pile + books) // rules.genre_pile_size * rules.genre_bonus_stars
    supply = table.booths[seat].supply
    return min(books, supply) + extra if rules.extra_stars_from == FROM_STOCK else min(books + extra, supply)


@jit
def expected_stars(rules, table, chances, seat, slot, genre, books, pop, hand, card):
    """Return the stars that so many books on a slot with such a POP may be expected to give in the coming sales.

    Counted are sales of all the books, single sales, Trial Read used where it pays (with `hand` cards left, each
    worth `card` stars), and Recommended Series on the slot and beside it.
    """
    if books == 0:
        return 0.0
    booth = table.booths[seat]
    every = stars_for(rules, table, seat, genre, books, pop)
    sold = chances[STOPS, slot, genre]
    if chameleon_count(rules, booth, slot) - booth.books[slot] + books < rules.chameleon_limit:
        sold += chances[STOPS, slot, CHAMELEON]
    singles = chances[STOPS, slot, ANYBODY] - sold
    stars = 0.0
    if pop == TRIAL and hand >= rules.trial_discard:
        stopped = chances[COMES, slot, genre] - chances[STOPS, slot, genre]
        cost = rules.trial_discard * card
        if every > cost:
            sold += stopped
            stars -= stopped * cost
    for beside in (slot - 1, slot + 1):
        near = copies(rules, booth, beside, genre) if 0 <= beside < booth.slots else 0
        if near > 0:
            if booth.pop[beside] == RECOMMENDED:
                sold += chances[STOPS, beside, ANYBODY]
            if pop == RECOMMENDED:
                others = stars_for(rules, table, seat, genre, near, booth.pop[beside])
                stars += chances[STOPS, slot, ANYBODY] * others
    sold = min(1.0, sold)
    return stars + sold * every + (1.0 - sold) * min(singles, books) * stars_for(rules, table, seat, genre, 1, pop)


@jit
def landing(rules, table):
    """Return where the animal that a Trial Read may stop will stop otherwise, further Trial Reads not counted."""
    home = table.booths[table.buyer]
    booth, slot = home.at_booth, home.at_slot
    for _ in range(table.roll[table.buyer]):
        booth, slot = next_space(rules, table, home.animal, booth, slot, NOBODY)
        if booth < 0:
            break
    return booth, slot


@jit
def stars_of_stop(rules, table, animal, seat, slot):
    """Return the stars that an owner gets when an animal stops at a slot now, Recommended Series counted."""
    booth = table.booths[seat]
    genre, bought = bought_at(rules, booth, slot, animal)
    if bought == 0:
        return 0
    stars = stars_for(rules, table, seat, genre, bought, booth.pop[slot])
    if booth.pop[slot] == RECOMMENDED:
        for beside in (slot - 1, slot + 1):
            near = copies(rules, booth, beside, genre) if 0 <= beside < booth.slots else 0
            if near > 0:
                stars += stars_for(rules, table, seat, genre, near, booth.pop[beside])
    return stars if rules.extra_stars_from == FROM_STOCK else min(stars, booth.supply)


# --- Piles -------------------------------------------------------------------------------------------


@jit
def fullest_pile(table):
    """Return the genre whose pile holds most books."""
    best = 0
    for genre in range(1, len(GENRES)):
        if table.pile[genre] > table.pile[best]:
            best = genre
    return best


@jit
def best_pile(rules, table, books):
    """Return where the next of so many books under Related Books goes: the pile they complete, else the emptiest."""
    full = fullest_pile(table)
    if table.pile[full] + books >= rules.genre_pile_size:
        return full
    best = 0
    for genre in range(1, len(GENRES)):
        if table.pile[genre] < table.pile[best]:
            best = genre
    return best


# --- Answers -----------------------------------------------------------------------------------------


@jit
def thrift(rules, table, own):
    """Return what a card of each genre is worth to a collector: more in a larger set, most with its animal about."""
    worth = np.empty(len(GENRES))
    for genre in range(len(GENRES)):
        worth[genre] = own.hand[genre] + (10.0 if has_fan(rules, table, genre) else 0.0)
    return worth


@jit
def try_to_buy(rules, table, own, choice, bought, slot, spare):
    """Answer by buying, paid with the cards least worth, if it can be had and `spare` cards are left; else False.

    slot: where a POP goes, which must have none; of no account for an end shelf.
    """
    booth = table.booths[own.seat]
    if not can_buy(rules, table, own.seat, bought) or booth.hand_size - price(rules, bought) < spare:
        return False
    if bought != END_SHELF and (slot < 0 or booth.pop[slot] != NO_POP):
        return False
    buy(choice, bought, slot)
    return pay(choice, own, price(rules, bought), thrift(rules, table, own))


@jit
def place_all(rules, table, own, choice, slot, genre):
    """Answer by putting all cards of a genre on a slot, as far as there is room; False when that is none."""
    count = min(own.hand[genre], room(rules, table.booths[own.seat], slot, genre))
    if count <= 0:
        return False
    place(choice, slot, genre, count)
    return True


@jit
def draw_or_pass(rules, table, own, choice):
    """Answer by drawing a card; the answer stays a pass where the hand limit forbids it."""
    if can_draw(rules, table, own.seat):
        draw(choice)


@jit
def place_or_draw(rules, table, own, choice, chances, kept, card, eager):
    """Answer with the best placement when it adds more than `eager` stars, else draw a card; see `best_placement`."""
    gain, slot, genre = best_placement(rules, table, own, chances, kept, card)
    if slot >= 0 and (gain > eager or not can_draw(rules, table, own.seat)):
        place_all(rules, table, own, choice, slot, genre)
    else:
        draw_or_pass(rules, table, own, choice)


@jit
def count_pops(booth, pop):
    """Return how many POPs of a kind a booth has."""
    count = 0
    for slot in range(booth.slots):
        count += booth.pop[slot] == pop
    return count


@jit
def is_on_shelf(booth, genre):
    """Tell whether a slot of a booth holds a genre."""
    for slot in range(booth.slots):
        if booth.books[slot] > 0 and booth.genre[slot] == genre:
            return True
    return False


@jit
def fill_empty_slot(rules, table, own, choice, books, kept):
    """Answer by putting up to so many books on the leftmost empty slot: a genre not on show yet, the most plentiful.

    kept: a genre that stays in hand, or NO_GENRE. False when there is no such slot or card.
    """
    booth = table.booths[own.seat]
    best = NO_GENRE
    for genre in range(len(GENRES)):
        if (
            own.hand[genre] > 0
            and genre != kept
            and not is_on_shelf(booth, genre)
            and (best == NO_GENRE or own.hand[genre] > own.hand[best])
        ):
            best = genre
    if best == NO_GENRE:
        return False
    for slot in range(booth.slots):
        if booth.books[slot] == 0:
            place(choice, slot, best, min(own.hand[best], room(rules, booth, slot, best), books))
            return True
    return False


@jit
def best_placement(rules, table, own, chances, kept, card):
    """Return the placement that adds most to the expected stars of the coming sales, as (gain, slot, genre).

    It puts all cards of a genre on one slot; slot is -1 when there is none. kept: a genre that stays in hand, or
    NO_GENRE. card: what a card that is placed is worth in hand, in stars.
    """
    booth = table.booths[own.seat]
    best, best_slot, best_genre = -1.0e9, -1, NO_GENRE
    for slot in range(booth.slots):
        pop = booth.pop[slot]
        for genre in range(len(GENRES)):
            if own.hand[genre] == 0 or genre == kept:
                continue
            books = copies(rules, booth, slot, genre)
            count = min(own.hand[genre], room(rules, booth, slot, genre))
            if count <= 0:
                continue
            hand = booth.hand_size
            gain = expected_stars(
                rules, table, chances, own.seat, slot, genre, books + count, pop, hand - count, card
            )
            gain -= expected_stars(rules, table, chances, own.seat, slot, genre, books, pop, hand, card)
            gain -= count * card
            if gain > best:
                best, best_slot, best_genre = gain, slot, genre
    return best, best_slot, best_genre


@jit
def stop_if_worth(rules, table, own, choice, card):
    """Answer a Trial Read: stop the animal if that sells more than the cards and its own way are worth.

    card: what a discarded card is worth in stars.
    """
    animal = table.booths[table.buyer].animal
    gain = stars_of_stop(rules, table, animal, own.seat, table.at_slot) - card * rules.trial_discard
    booth, slot = landing(rules, table)
    if booth == own.seat:
        gain -= stars_of_stop(rules, table, animal, own.seat, slot)
    if gain > 0.0 and pay(choice, own, rules.trial_discard, thrift(rules, table, own)):
        choice.stop = 1
