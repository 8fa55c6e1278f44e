"""Keeps its books in hand until the animal that loves them is about to arrive, and stops it with a Trial Read.

This is a working policy to start from. Each function below answers one decision of the game; leave one out
and the safe default stands for it (pass, let animals go by, file books under their own genre). `steelyard
policies book_festival --check` plays it through thousands of games; `--policies ./mine.py,bookseller,bookseller,
bookseller` plays it in a run.

What a decision is handed, read only: `rules` (every number of the variant), `table` (what everybody sees) and
`own` (what only this seat sees; own.memory is scratch that lasts for the game). It answers by writing `choice`,
best through the helpers of sim.book_festival.view (place, buy, retrieve, draw, pay) and, a step up, of
sim.book_festival.planning. `rng` is the only source of chance: below(rng, n) from sim.rng.
"""

from policies import Param
from sim.book_festival.planning import arrivals, best_placement, stop_if_worth
from sim.book_festival.state import NO_GENRE, NO_POP, TRIAL
from sim.book_festival.view import buy, can_buy, can_draw, draw, pay, place, price, room

PARAMS = (
    Param("card", 0.15, 0.0, 1.0, "stars that a card is worth in hand"),
    Param("eager", 0.2, -2.0, 5.0, "expected stars, beyond the cards' worth, for which it places"),
)
CARD, EAGER = range(len(PARAMS))


def act(rules, table, own, rng, choice):
    """One Trial Read first, then the best placement, else a card; choice.action is PASS already."""
    booth = table.booths[own.seat]
    if booth.pop[0] == NO_POP and can_buy(rules, table, own.seat, TRIAL):
        buy(choice, TRIAL, 0)
        pay(choice, own, price(rules, TRIAL), own.hand)  # with the genres that it holds fewest of
        return
    chances = arrivals(rules, table, own.seat)
    gain, slot, genre = best_placement(rules, table, own, chances, NO_GENRE, own.param[CARD])
    if slot >= 0 and gain > own.param[EAGER]:
        place(choice, slot, genre, min(own.hand[genre], room(rules, booth, slot, genre)))
    elif can_draw(rules, table, own.seat):
        draw(choice)


def stop(rules, table, own, rng, choice):
    """Stop a passing animal when it buys more here than the cards are worth; choice.stop is 0 already."""
    stop_if_worth(rules, table, own, choice, own.param[CARD])


def file(rules, table, own, rng, choice):
    """File a related book where it completes a pile; choice.genre is the book's own genre already."""
    for genre in range(len(table.pile)):
        if table.pile[genre] == rules.genre_pile_size - 1:
            choice.genre = genre
