"""The designer's questions to Debrium: Treasure."""

from __future__ import annotations

from reports.questions import Listed, Question, Subject
from sim.debrium.state import COMPANIES

_GAME = "debrium"
_BIDS = {
    "0": "nothing",
    "1": "1 coin",
    **{str(bid): f"{bid} coins" for bid in range(2, 8)},
    "8_up": "8 coins or more",
}

QUESTIONS = (
    Question(
        "burst-rate", _GAME, "How often do bursts hit?",
        ("bursts_column", "bursts_row"), "A game has {0} column bursts and {1} row bursts.",
        (
            Listed("column_by_round", "burst_column_by_round", "column burst by round"),
            Listed("row_by_round", "burst_row_by_round", "row burst by round"),
        ),
    ),
    Question(
        "burst-cost", _GAME, "What do bursts cost?",
        ("lost_burst", "lost_impact", "placements", "loss_rate"),
        "A seat loses {0} placements to bursts and {1} to impacts, of {2}; {3} of all are lost.",
        (Listed("loss_by_round", "loss_rate_by_round", "placements lost by round"),),
    ),
    Question(
        "king-decides", _GAME, "How often does the Mining King decide the game?",
        ("king_decided", "win_rate_by_king[yes]", "king_margin"),
        "Without the bonus {0} of games would have had other winners; the King wins {1}, {2} chips ahead.",
        (Listed("king_by_policy", "king_by_policy", "seats that are Mining King by policy"),),
    ),
    Question(
        "king-ties", _GAME, "How often does the turn order decide who is Mining King?",
        ("king_tied_if_king", "win_rate_by_final_place[1st]"),
        "In {0} of crowned games the order breaks a tie; who acts first in the last round wins {1}.",
    ),
    Question(
        "debt-curve", _GAME, "How steep does the debt curve bite?",
        ("debt_penalty", "debt_cards", "debt_decided"),
        "A seat loses {0} points to {1} debt cards; without penalties {2} of games would have had other winners.",
        (
            Listed("wins_by_cards", "win_rate_by_debt_cards", "win rate by number of debt cards"),
            Listed("seats_by_cards", "seats_by_debt_cards", "share of seats by number of debt cards"),
        ),
    ),
    Question(
        "last-place-trap", _GAME, "How often is the same seat last twice running?",
        ("last_again",), "In {0} rounds of a game the seat that takes the debt card took the one before as well.",
    ),
    Question(
        "funds-value", _GAME, "What does a round of additional funds bring?",
        ("payout_by_takers[1]", "payout_by_takers[2]", "win_rate_when_funding"),
        "A single taker receives {0} coins, two receive {1} each; seats that take funds win {2}, "
        "counted once for each.",
        (Listed("by_takers", "payout_by_takers", "coins each by number of takers"),),
    ),
    Question(
        "bid-price", _GAME, "What does first place cost, and what does it earn?",
        (
            "first_bid_by_round[1]", "first_points_by_round[1]",
            "rounds_by_first_bid[{about}]", "first_points_by_bid[{about}]",
        ),
        "In the first round the seat that acts first has bid {0} coins and collects {1} points. Over all rounds it "
        "has most often bid {about}, in {2} of them, and then collects {3} points.",
        (
            Listed(
                "by_bid", "first_points_by_bid",
                "points that the first to act collects, by its bid in coins, and how often it has bid so much",
                "bid", "points", beside=(("rounds_by_first_bid", "rounds"),),
            ),
            Listed("bid_by_round", "first_bid_by_round", "what the first to act bid, by round"),
            Listed("points_by_round", "first_points_by_round", "points that the first to act collects, by round"),
        ),
        subject=Subject("rounds_by_first_bid[{about}]", _BIDS),
    ),
    Question(
        "company-strength", _GAME, "Is a company too strong or too weak?",
        ("win_rate_by_company[{about}]",), "{ends}.",
        (
            Listed("wins", "win_rate_by_company", "win rate by company"),
            Listed("scores", "score_by_company", "score by company"),
            Listed("skills", "skills_by_company", "skill uses by company"),
        ),
        subject=Subject(
            "win_rate_by_company[{about}]", {name: name.capitalize() for name in COMPANIES},
            "{most} wins most of its games, {least} the fewest", "No company is clearly ahead of another",
        ),
        settings=("expansion=true",),
    ),
    Question(
        "seat-advantage", _GAME, "Does the place in the first order matter?",
        ("win_rate_by_start_place[1st]",), "Who is first in the order before the first bid wins {0}. {ends}.",
        (
            Listed("by_start_place", "win_rate_by_start_place", "win rate by starting place"),
            Listed("by_seat", "win_rate_by_seat", "win rate by seat"),
        ),
        subject=Subject(
            "win_rate_by_start_place[{about}]", {place: f"the {place}" for place in ("1st", "2nd", "3rd", "4th")},
            "Most often {most} in that order wins, least often {least}",
            "No place in that order is clearly ahead of another",
        ),
    ),
    Question(
        "lead-changes", _GAME, "How often does the lead change?",
        ("lead_changes", "led_from"),
        "The lead changes {0} times, a joint lead being one of its own; from round {1} on it stays as it ends.",
    ),
)  # fmt: skip
