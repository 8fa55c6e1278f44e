"""Lives off the genre piles: under Related Books, bought when a pile is nearly full, each sale completes one."""

from policies import Param
from sim.book_festival.planning import (
    ANYBODY,
    STOPS,
    arrivals,
    best_pile,
    count_pops,
    fullest_pile,
    place_or_draw,
    try_to_buy,
)
from sim.book_festival.state import CHAMELEON, NO_GENRE, NO_POP, RELATED

PARAMS = (
    Param("lacking", 1.0, 1.0, 40.0, "books that the fullest pile may lack when it buys Related Books"),
    Param("displays", 2.0, 0.0, 20.0, "Related Books POPs that it wants"),
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.0, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
)
LACKING, DISPLAYS, CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    chances = arrivals(rules, table, own.seat)
    booth = table.booths[own.seat]
    lacking = rules.genre_pile_size - table.pile[fullest_pile(table)]
    if lacking <= own.param[LACKING] and count_pops(booth, RELATED) < own.param[DISPLAYS]:
        slot = _best_show(booth, chances)
        if try_to_buy(rules, table, own, choice, RELATED, slot, 0):
            return
    place_or_draw(rules, table, own, choice, chances, NO_GENRE, own.param[CARD], own.param[EAGER])


def file(rules, table, own, rng, choice):
    booth = table.booths[own.seat]
    animal = table.booths[table.buyer].animal
    takes_all = animal in (booth.genre[table.at_slot], CHAMELEON)
    choice.genre = best_pile(rules, table, booth.books[table.at_slot] if takes_all else 1)


def _best_show(booth, chances):
    """The slot with books and without a POP where most animals are expected; -1 for none."""
    best, most = -1, 0.0
    for slot in range(booth.slots):
        if booth.books[slot] > 0 and booth.pop[slot] == NO_POP and chances[STOPS, slot, ANYBODY] > most:
            best, most = slot, chances[STOPS, slot, ANYBODY]
    return best
