"""Shows another genre on every slot, so that whoever stops finds something, and lives off single sales."""

from policies import Param
from sim.book_festival.planning import draw_or_pass, fill_empty_slot, place_all
from sim.book_festival.state import NO_GENRE

PARAMS = (
    Param("books", 2.0, 1.0, 10.0, "books that it puts on an empty slot at most"),
    Param("reserve", 2.0, 1.0, 20.0, "cards of a genre on show from which it adds them to the slot"),
)
BOOKS, RESERVE = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    if fill_empty_slot(rules, table, own, choice, int(own.param[BOOKS]), NO_GENRE):
        return
    booth = table.booths[own.seat]
    for slot in range(booth.slots):
        genre = booth.genre[slot]
        is_plenty = booth.books[slot] > 0 and own.hand[genre] >= own.param[RESERVE]
        if is_plenty and place_all(rules, table, own, choice, slot, genre):
            return
    draw_or_pass(rules, table, own, choice)
