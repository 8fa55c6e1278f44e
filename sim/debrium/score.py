"""The score of a game of Debrium, the standings round by round, and what would have changed the winner."""

from __future__ import annotations

from sim.debrium import events
from sim.debrium.state import LEVELS, NOBODY, TIE_ORDER
from sim.game import WHOLE_WIN
from sim.jit import jit

# What the score can be asked without.
WITH_ALL, WITHOUT_KING, WITHOUT_DEBT, WITHOUT_COINS = range(4)


@jit
def mining_king(rules, table):
    """Most chips by count; ties go to the earliest in the order; nobody without a chip where the King needs one."""
    king, most = NOBODY, 0 if rules.king_needs_chip else -1
    for place in range(rules.players):
        seat = table.order[place]
        if table.seats[seat].chip_count > most:
            king, most = seat, table.seats[seat].chip_count
    return king


@jit
def score_of(rules, state, seat, king, without):
    """Chip values + coins' points + the King's bonus - the debt penalty, one of them left out or none."""
    own = state.owns[seat]
    score = own.chip_points
    if without != WITHOUT_COINS:
        score += own.coins * rules.coin_points + own.skill_coins * rules.skill_coin_points
    if without != WITHOUT_KING and seat == king:
        score += rules.mining_king_bonus
    if without != WITHOUT_DEBT:
        score -= rules.debt_penalty[state.table.seats[seat].debt_cards]
    return score


@jit
def winners(rules, state, king, without):
    """The seats with the highest score, as bits; with tie = order the earliest of them alone."""
    best, bits = 0, 0
    for place in range(rules.players):
        seat = state.table.order[place]
        score = score_of(rules, state, seat, king, without)
        if bits == 0 or score > best:
            best, bits = score, 1 << seat
        elif score == best and rules.tie != TIE_ORDER:
            bits |= 1 << seat
    return bits


@jit
def keep_standings(rules, state, row):
    """Note who would win if the game ended now: when the lead changed, since when the leaders lead."""
    leaders = winners(rules, state, mining_king(rules, state.table), WITH_ALL)
    if leaders != state.hidden.leaders:
        row.led_from = state.table.round_number
        row.lead_changes += state.hidden.leaders != 0
        state.hidden.leaders = leaders


@jit
def final_score(rules, state, row, desk):
    """Count every seat's score, crown the Mining King, share the win, and fill the row of outcomes."""
    table = state.table
    king = mining_king(rules, table)
    bits = winners(rules, state, king, WITH_ALL)
    count = 0
    for seat in range(rules.players):
        count += (bits >> seat) & 1
    for place in range(rules.players):
        seat = table.order[place]
        own, public, outcome = state.owns[seat], table.seats[seat], row.seats[seat]
        outcome.final_place = place
        outcome.company = public.company
        outcome.score = score_of(rules, state, seat, king, WITH_ALL)
        outcome.win = WHOLE_WIN // count if (bits >> seat) & 1 else 0
        outcome.chip_points = own.chip_points
        outcome.coins = own.coins
        outcome.skill_coins = own.skill_coins
        outcome.debt_cards = public.debt_cards
        outcome.debt_penalty = rules.debt_penalty[public.debt_cards]
        outcome.king = seat == king
        outcome.chips = public.chip_count
        for level in range(LEVELS):
            outcome.chips_level[level] = public.chips[level + 1]
    rank_seats(rules, row)
    row.winners = count
    row.king_decided = winners(rules, state, king, WITHOUT_KING) != bits
    row.debt_decided = winners(rules, state, king, WITHOUT_DEBT) != bits
    row.coins_decided = winners(rules, state, king, WITHOUT_COINS) != bits
    row.pool_left = table.pool
    row.skill_pool_left = table.skill_pool
    note_king(rules, table, row, king)
    note_repeated_last(rules, row)
    events.tell_end(rules, state, row, desk, king)


@jit
def rank_seats(rules, row):
    """A seat's rank is 1 and one more for each with a higher score; the margin is first over second score."""
    best, second = -1_000_000, -1_000_000
    for seat in range(rules.players):
        score = row.seats[seat].score
        rank = 1
        for other in range(rules.players):
            rank += row.seats[other].score > score
        row.seats[seat].rank = rank
        if score > best:
            best, second = score, best
        elif score > second:
            second = score
    row.margin = best - second


@jit
def note_king(rules, table, row, king):
    """The King's lead in chips over the next, and whether the order had to break a tie."""
    if king == NOBODY:
        return
    second = 0
    for seat in range(rules.players):
        if seat != king:
            second = max(second, table.seats[seat].chip_count)
    row.king_awarded = 1
    row.king_margin = table.seats[king].chip_count - second
    row.king_tied = row.king_margin == 0


@jit
def note_repeated_last(rules, row):
    """How often the seat that took the debt card had taken the one before as well."""
    for number in range(1, rules.rounds):
        row.last_again += row.rounds[number].last_seat == row.rounds[number - 1].last_seat
