"""The end of a game of Book Festival: the vote bag, the MVP's exact chances and the draw, the row of outcomes."""

from __future__ import annotations

from sim.book_festival import events
from sim.book_festival.lottery import SHARED, WHOLE_CHANCE, draw_mvp, mvp_chances, whole_chances
from sim.book_festival.metrics import CHANCE_BITS, WEIGHT_BITS
from sim.book_festival.state import MVP
from sim.game import WHOLE_WIN
from sim.jit import jit

#: Bits that a weight lacks of a chance; it is rounded, for what is cut off would add up over the games.
_COARSER = CHANCE_BITS - WEIGHT_BITS


@jit
def finish(rules, state, row, desk):
    """Each player's stars are their chips in the bag; some are drawn, and the colour drawn most is the MVP."""
    table, hidden = state.table, state.hidden
    for seat in range(rules.players):
        hidden.star_counts[seat] = table.booths[seat].stars
    stars, seats = hidden.star_counts, rules.players
    mvp_chances(stars, seats, rules.mvp_draws, rules.mvp_tie, hidden.lottery, hidden.chances)
    whole_chances(hidden.chances, seats, hidden.units)
    winners, count = draw_mvp(stars, seats, rules.mvp_draws, rules.mvp_tie, hidden.streams[MVP], hidden.drawn)
    hidden.drawn_count = count
    fill_seats(rules, state, row, winners)
    fill_game(rules, state, row)
    draws = min(rules.mvp_draws, row.bag)
    row.redrawn = count - draws
    row.tied_draw = is_tied(rules, hidden.drawn, draws)
    events.tell_mvp(rules, state, row, desk)
    events.tell_end(rules, state, row, desk)


@jit
def fill_seats(rules, state, row, winners):
    """Each seat's outcome: animal, stars, chance, what the draw gave, cards left."""
    table, hidden = state.table, state.hidden
    sharing, bag = 0, 0
    for seat in range(rules.players):
        sharing += (winners >> seat) & 1
        bag += table.booths[seat].stars
    before, parts = 0, bag if bag > 0 else rules.players
    for seat in range(rules.players):
        booth, outcome = table.booths[seat], row.seats[seat]
        outcome.animal = booth.animal
        outcome.stars = booth.stars
        outcome.rank = 1
        for other in range(rules.players):
            outcome.rank += table.booths[other].stars > booth.stars
        outcome.chance = hidden.units[seat]
        outcome.weight = (hidden.units[seat] + (1 << _COARSER - 1)) >> _COARSER
        outcome.win = WHOLE_WIN // sharing if (winners >> seat) & 1 else 0
        # What is cut off one seat's share goes to another's, so that they add up; of an empty bag all have the same.
        until = before + (booth.stars if bag > 0 else 1)
        outcome.share = until * WHOLE_CHANCE // parts - before * WHOLE_CHANCE // parts
        before = until
        outcome.hand_left = booth.hand_size
        outcome.is_empty = booth.supply == 0
        row.ran_out += outcome.is_empty
    row.bag = bag


@jit
def fill_game(rules, state, row):
    """The game's outcome: its length, the star leaders, and whether they lose the draw."""
    table, hidden = state.table, state.hidden
    best, second, fewest = -1, -1, table.booths[0].stars
    for seat in range(rules.players):
        stars = table.booths[seat].stars
        fewest = min(fewest, stars)
        if stars > best:
            best, second = stars, best
        elif stars > second:
            second = stars
    leaders, wins, last, lost = 0, 0, 0, WHOLE_WIN
    for seat in range(rules.players):
        if table.booths[seat].stars == best:
            leaders += 1
            wins += hidden.units[seat]
            if row.seats[seat].win > 0:
                lost = 0
        if table.booths[seat].stars == fewest:
            last += hidden.units[seat]
    if rules.mvp_tie == SHARED:  # a leader and a last one may be MVP together, each with a part of it
        wins, last = to_units(hidden.lottery.leader_first), to_units(hidden.lottery.last_first)
    row.lasted = table.round_number
    row.stalled = hidden.stalled
    row.leaders = leaders
    row.leader_margin = best - second
    row.unique_leader = leaders == 1
    row.leader_loses = WHOLE_CHANCE - wins
    row.unique_leader_loses = row.leader_loses if leaders == 1 else 0
    row.leader_lost = lost
    row.last_wins = last


@jit
def to_units(chance):
    """A chance in the units in which games are counted, rounded."""
    return int(chance * WHOLE_CHANCE + 0.5)


@jit
def is_tied(rules, drawn, draws):
    """Tell whether the first draws had a tie for most."""
    best, tied = -1, 0
    for seat in range(rules.players):
        count = 0
        for k in range(draws):
            count += drawn[k] == seat
        if count > best:
            best, tied = count, 1
        elif count == best:
            tied += 1
    return tied > 1
