"""What a game of Debrium is measured by: the columns of its row, and the metrics made of them."""

from __future__ import annotations

from sim.debrium.state import COMPANIES, MAX_ROUNDS, MAX_SEATS
from sim.game import GAME, POLICY, ROUND, SEAT, UNIT, WHOLE_WIN, Column, Outcomes, Ratio, Spread

_WIN = 1 / WHOLE_WIN
_PLACES = ("1st", "2nd", "3rd", "4th")
_BIDS = ("0", "1", "2", "3", "4", "5", "6", "7", "8_up")
_HIRES = ("0", "1", "2", "3_up")
_CARDS = tuple(str(cards) for cards in range(MAX_ROUNDS + 1))
_TAKERS = ("1", "2", "3", "4")

#: One number a game.
_GAME = (
    Column("bursts_column", "bursts", "column bursts in a game", most=MAX_ROUNDS),
    Column("bursts_row", "bursts", "row bursts in a game", most=MAX_ROUNDS),
    Column("winners", "seats", "seats that share the win"),
    Column("margin", "points", "the winner's score over the next seat's"),
    Column("king_awarded", "share of games", "games in which a Mining King is crowned"),
    Column("king_margin", "chips", "the Mining King's chips over the next seat's"),
    Column("king_tied", "share of games", "games in which the turn order decides who is Mining King"),
    Column(
        "king_decided",
        "share of games",
        "games whose set of winners would differ without the King's bonus",
    ),
    Column(
        "debt_decided",
        "share of games",
        "games whose set of winners would differ without debt penalties",
    ),
    Column(
        "coins_decided",
        "share of games",
        "games whose set of winners would differ if coins counted nothing",
    ),
    Column("lead_changes", "rounds", "rounds after which the set of leaders is not that of before", most=MAX_ROUNDS),
    Column("led_from", "round", "the round from which the winners, and nobody else, led to the end"),
    Column(
        "last_again", "rounds", "rounds in which the same seat takes the debt card twice running", most=MAX_ROUNDS
    ),
    Column("pool_left", "coins", "coins left in the pool at the end"),
    Column("skill_pool_left", "skill coins", "skill coins left in their pool at the end"),
)

#: One number a seat; the label columns among them only sort.
_SEAT = (
    Column("policy", "", "which policy played the seat", is_label=True),
    Column("company", "", "the seat's company", is_label=True),
    Column("start_place", "", "the seat's place in the order before the first bid", is_label=True),
    Column("final_place", "", "the seat's place in the order of the last round", is_label=True),
    Column("win", "share of games", "share of the win", scale=_WIN),
    Column("rank", "rank", "1 and one more for each seat with a higher score"),
    Column("score", "points", "final score", is_signed=True),
    Column("chip_points", "points", "values of the chips collected"),
    Column("coins", "coins", "coins held at the end"),
    Column("skill_coins", "skill coins", "skill coins held at the end"),
    Column("debt_cards", "cards", "debt cards taken", most=MAX_ROUNDS),
    Column("debt_penalty", "points", "points lost to debt cards"),
    Column("king", "share of seats", "seats that are Mining King"),
    Column("chips", "chips", "chips collected"),
    Column("chips_level", "chips", "chips collected of level", entries=("1", "2", "3", "4")),
    Column("placements", "placements", "spaces on which workers were placed"),
    Column("lost_impact", "placements", "placements lost to the impact"),
    Column("lost_burst", "placements", "placements lost to a burst alone"),
    Column("idle_mines", "turns", "turns in which it mined without a placement", most=MAX_ROUNDS),
    Column("funds_coins", "coins", "coins received from additional funds"),
    Column("funds_skill_coins", "skill coins", "skill coins received from additional funds"),
    Column("hired", "workers", "extra workers hired"),
    Column("hire_coins", "coins", "coins paid for extra workers"),
    Column("hire_skill_coins", "skill coins", "skill coins paid for extra workers"),
    Column("coins_bid", "coins", "coins bid"),
    Column("skill_coins_bid", "skill coins", "skill coins bid"),
    Column("times_first", "rounds", "rounds in which the seat acted first", most=MAX_ROUNDS),
    Column("coins_taken", "coins", "coins taken with Yellow's skill"),
    Column("extra_chips", "chips", "chips taken with Blue's skill"),
    # Those with a win rate of their own.
    Column("mines", "turns", "turns in which the seat mined", win_rate="win_rate_when_mining", most=MAX_ROUNDS),
    Column(
        "funds",
        "turns",
        "turns in which the seat took additional funds",
        win_rate="win_rate_when_funding",
        most=MAX_ROUNDS,
    ),
    Column(
        "hires",
        "turns",
        "turns in which the seat mined, by extra workers hired:",
        entries=_HIRES,
        win_rate="win_rate_when_hiring",
        most=MAX_ROUNDS,
    ),
    Column(
        "bids",
        "rounds",
        "rounds with a bid (both kinds of coins) of",
        entries=_BIDS,
        win_rate="win_rate_when_bidding",
        most=MAX_ROUNDS,
    ),
    Column(
        "skills",
        "turns",
        "turns in which the seat used its skill",
        win_rate="win_rate_when_using_skill",
        most=MAX_ROUNDS,
    ),
)

#: One number a round.
_ROUND = (
    Column("burst_column", "share of games", "a column burst in the round"),
    Column("burst_row", "share of games", "a row burst in the round"),
    Column("pool", "coins", "coins in the pool before the payout"),
    Column("takers", "seats", "seats that take additional funds"),
    Column("paid", "coins", "coins paid out as additional funds"),
    Column("coins", "coins", "coins held by all seats together at the end of the round"),
    Column("placements", "placements", "placements made by all seats"),
    Column("lost", "placements", "placements lost"),
    Column("last_seat", "", "the seat that takes the debt card", is_label=True),
    Column("first_bid", "coins", "what the seat that acts first bid"),
    Column("first_bid_size", "", "the same, all that is more than 8 taken for 8", is_label=True),
    Column("first_points", "points", "values that the seat acting first collects in the round"),
)


def _win_rate(name: str, categories: tuple[str, ...], meaning: str, by: str | None = None) -> Ratio:
    """A seat's share of the win, by the value of a column."""
    return Ratio(
        f"win_rate_by_{name}",
        "share of games",
        meaning,
        SEAT,
        ("win",),
        by=by or name,
        categories=categories,
        scale=_WIN,
    )


_RATIOS = (
    _win_rate(POLICY, (), "win share of a seat that this policy plays"),
    _win_rate("seat", ("0", "1", "2", "3"), "win share of the seat", UNIT),
    _win_rate("company", COMPANIES, "win share of a seat with this company"),
    _win_rate("start_place", _PLACES, "win share by place in the order before the first bid"),
    _win_rate("final_place", _PLACES, "win share by place in the order of the last round"),
    _win_rate("debt_cards", _CARDS, "win share of a seat with this many debt cards"),
    _win_rate("king", ("no", "yes"), "win share of a seat that is (not) Mining King"),
    Ratio(
        "score_by_policy",
        "points",
        "final score of a seat that this policy plays",
        SEAT,
        ("score",),
        by=POLICY,
    ),
    Ratio(
        "king_by_policy",
        "share of seats",
        "seats of this policy that are Mining King",
        SEAT,
        ("king",),
        by=POLICY,
    ),
    Ratio(
        "score_by_company",
        "points",
        "final score of a seat with this company",
        SEAT,
        ("score",),
        by="company",
        categories=COMPANIES,
    ),
    Ratio(
        "skills_by_company",
        "turns",
        "turns in which a seat with this company used its skill",
        SEAT,
        ("skills",),
        by="company",
        categories=COMPANIES,
    ),
    Ratio(
        "seats_by_debt_cards",
        "share of seats",
        "seats that end with this many debt cards",
        SEAT,
        (),
        by="debt_cards",
        categories=_CARDS,
        is_share=True,
    ),
    Ratio("loss_rate", "share of placements", "placements lost to a fall", ROUND, ("lost",), ("placements",)),
    Ratio(
        "loss_rate_by_round",
        "share of placements",
        "placements lost to the fall of the round",
        ROUND,
        ("lost",),
        ("placements",),
        by=UNIT,
        categories=tuple(str(k + 1) for k in range(MAX_ROUNDS)),
    ),
    Ratio(
        "payout_by_takers",
        "coins",
        "coins that each of so many takers of additional funds receives",
        ROUND,
        ("paid",),
        ("takers",),
        by="takers",
        categories=_TAKERS,
        first=1,
    ),
    Ratio(
        "first_points_by_bid",
        "points",
        "values that the seat acting first collects in a round, by its bid",
        ROUND,
        ("first_points",),
        by="first_bid_size",
        categories=_BIDS,
    ),
    Ratio(
        "rounds_by_first_bid",
        "share of rounds",
        "rounds in which the seat acting first has bid so much",
        ROUND,
        (),
        by="first_bid_size",
        categories=_BIDS,
        is_share=True,
    ),
    Ratio(
        "king_decided_if_king",
        "share of games",
        "crowned games whose set of winners would differ without the bonus",
        GAME,
        ("king_decided",),
        ("king_awarded",),
    ),
    Ratio(
        "king_tied_if_king",
        "share of games",
        "crowned games in which the turn order decides who is Mining King",
        GAME,
        ("king_tied",),
        ("king_awarded",),
    ),
)

_SPREADS = (
    Spread("score", "final scores of the seats", SEAT, (("score", -30, 199),)),
    Spread("margin", "the winner's lead in points", GAME, (("margin", 0, 79),)),
    Spread(
        "king_margin",
        "the Mining King's lead in chips, by whether the bonus decided the game",
        GAME,
        (("king_awarded", 0, 1), ("king_margin", 0, 15), ("king_decided", 0, 1)),
    ),
    Spread("bursts", "column and row bursts in a game", GAME, (("bursts_column", 0, 7), ("bursts_row", 0, 7))),
    Spread("debt_cards", "debt cards of the seats, by rank", SEAT, (("debt_cards", 0, 14), ("rank", 1, 4))),
    Spread("led_from", "the round from which the winners led, and nobody else", GAME, (("led_from", 1, 14),)),
    Spread("lead_changes", "rounds in which the lead changed", GAME, (("lead_changes", 0, 13),)),
)

OUTCOMES = Outcomes(_GAME, _SEAT, _ROUND, "win", _RATIOS, _SPREADS, MAX_SEATS, MAX_ROUNDS)
