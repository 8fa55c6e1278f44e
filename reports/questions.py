"""The designer's questions: each one small entry, answered from the metrics of a run.

A question names the metric that is its answer, the sentence that says it, and the tables that go with it. The first
of `metrics` is the answer; the sentence's {0}, {1}, ... are the metrics with their intervals, {unit} is the answer's
unit, and {about} what a question with a subject is answered for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from reports.book_festival_mechanics import ITEM_NAMES
from reports.console import with_interval
from reports.tables import group, metrics, rows
from sim.book_festival.state import ANIMALS
from sim.debrium.state import COMPANIES
from sim.errors import BadInput, unknown
from sim.played import Played


@dataclass(frozen=True)
class Variation:
    """A value of a varied rule, and how many games are played with it."""

    rule: str
    value: int
    games: int


@dataclass(frozen=True)
class Subject:
    """What a sentence is about: the entry whose metric is highest.

    metric is that metric's name with {about} for the entry; names are the entries, and how the sentence calls them.
    """

    metric: str
    names: Mapping[str, str]


@dataclass(frozen=True)
class Question:
    """One question to one game.

    metrics may hold {about}, which stands for the subject's entry. tables are (key, metric with categories, title);
    beside are (key of a table, another metric with the same categories, how it is called there); settings the rules
    that the question needs as key=value texts; vary a rule and its values for which the answer is told as well, on
    the same games.
    """

    name: str
    game: str
    title: str
    metrics: tuple[str, ...]
    sentence: str
    tables: tuple[tuple[str, str, str], ...] = ()
    beside: tuple[tuple[str, str, str], ...] = ()
    subject: Subject | None = None
    settings: tuple[str, ...] = ()
    vary: tuple[str, tuple[int, ...]] | None = None
    method: str = "simulated"

    def variations(self, games: int, is_cut_short: bool) -> list[Variation]:
        """Return the values of the varied rule to answer for, with a tenth of the games each; none after a stop."""
        if self.vary is None or is_cut_short:
            return []
        rule, values = self.vary
        return [Variation(rule, value, max(1, games // 10)) for value in values]

    @property
    def watched(self) -> str:
        """The metric that a precision is about; its whole family where the games are yet to tell which of it."""
        family, _, entry = self.metrics[0].partition("[")
        return family if "{about}" in entry else self.metrics[0]


_BOOK, _DEBRIUM = "book_festival", "debrium"
_EXACT = "exact-lottery"
_ITEMS = {**ITEM_NAMES, "end_shelf": "the end shelf"}
_BIDS = {
    "0": "nothing",
    "1": "1 coin",
    **{str(bid): f"{bid} coins" for bid in range(2, 8)},
    "8_up": "8 coins or more",
}

QUESTIONS = (
    Question(
        "leader-loss", _BOOK, "How often does the star leader lose the MVP draw?",
        ("leader_loses", "leader_lost", "unique_leader", "unique_leader_loses_if_unique"),
        "In {0} of games no star leader becomes MVP (as drawn: {1}); {2} of games have a single leader, who then "
        "loses {3}.",
        (("by_margin", "leader_loses_by_margin", "by stars ahead of the next"),),
        beside=(("by_margin", "leader_lost_by_margin", "drawn"),),
        vary=("mvp_draws", (1, 3, 5, 10, 20, 30)), method=_EXACT,
    ),
    Question(
        "comeback", _BOOK, "How often does a seat that is not first in stars become MVP?",
        ("leader_loses", "last_wins"),
        "Somebody who is not a star leader becomes MVP in {0} of games, one with the fewest stars in {1}.",
        (("by_rank", "win_rate_by_rank", "chance of being MVP by rank in stars"),), method=_EXACT,
    ),
    Question(
        "mvp-fairness", _BOOK, "Does the draw reward stars in proportion?",
        ("win_rate_by_rank[1]", "share_by_rank[1]"),
        "The first in stars is MVP with chance {0} on {1} of the stars.",
        (
            ("chance_by_rank", "win_rate_by_rank", "chance of being MVP by rank in stars"),
            ("share_by_rank", "share_by_rank", "share of the stars by rank"),
        ), method=_EXACT,
    ),
    Question(
        "animal-strength", _BOOK, "Which animal helps its owner most?",
        ("win_rate_by_animal[{about}]",), "The {about}'s owner is MVP most often, with chance {0}.",
        (
            ("chance_by_animal", "win_rate_by_animal", "chance of being MVP by animal"),
            ("stars_by_animal", "stars_by_animal", "stars by animal"),
        ), subject=Subject("win_rate_by_animal[{about}]", {name: name for name in ANIMALS}), method=_EXACT,
    ),
    Question(
        "seat-advantage", _BOOK, "Does it matter where one sits?",
        ("win_rate_by_seat[0]",), "The start player's seat is MVP with chance {0}.",
        (("by_seat", "win_rate_by_seat", "chance of being MVP by seat"),), method=_EXACT,
    ),
    Question(
        "pop-value", _BOOK, "What is each POP worth?",
        (
            "brought_per_card[{about}]", "bought_{about}",
            "chance_when_bought_{about}", "win_rate_by_bought_{about}[0]",
        ),
        "Of all that costs cards {about} is bought most often, {1} times a seat and game: it brings {0} {unit} spent "
        "on it. Its buyers, counted once for each, are MVP with chance {2}, seats without it with {3}; such chances "
        "go with how the policies that buy play.",
        (
            ("brought_per_card", "brought_per_card",
             "what a card spent on each brings, Trial Read's use counted (With Booklet brings cards, no stars)"),
            *(
                (f"chance_by_{item}", f"win_rate_by_bought_{item}",
                 f"chance of being MVP by how many were bought: {name}")
                for item, name in ITEM_NAMES.items()
            ),
        ), subject=Subject("bought_{about}", _ITEMS), method=_EXACT,
    ),
    Question(
        "genre-bonus", _BOOK, "What do the genre bonuses bring?",
        ("stars_by_bonus", "stars", "piles", "chance_when_genre_bonus"),
        "A seat gains {0} of its {1} stars from {2} genre bonuses; seats that gain one are MVP with chance {3}, "
        "counted once for each.", method=_EXACT,
    ),
    Question(
        "game-length", _BOOK, "How long does a game last?",
        ("lasted", "stalled"), "A game lasts {0} rounds; {1} of games are ended by the guard.",
    ),
    Question(
        "who-runs-out", _BOOK, "Who runs out of stars and ends the game?",
        ("is_empty", "ran_out"), "A seat's supply is empty at the end with chance {0}; {1} seats a game are.",
        (
            ("by_animal", "empty_by_animal", "seats whose supply is empty, by animal"),
            ("by_policy", "empty_by_policy", "seats whose supply is empty, by policy"),
        ),
    ),
    Question(
        "burst-rate", _DEBRIUM, "How often do bursts hit?",
        ("bursts_column", "bursts_row"), "A game has {0} column bursts and {1} row bursts.",
        (
            ("column_by_round", "burst_column_by_round", "column burst by round"),
            ("row_by_round", "burst_row_by_round", "row burst by round"),
        ),
    ),
    Question(
        "burst-cost", _DEBRIUM, "What do bursts cost?",
        ("lost_burst", "lost_impact", "placements", "loss_rate"),
        "A seat loses {0} placements to bursts and {1} to impacts, of {2}; {3} of all are lost.",
        (("loss_by_round", "loss_rate_by_round", "placements lost by round"),),
    ),
    Question(
        "king-decides", _DEBRIUM, "How often does the Mining King decide the game?",
        ("king_decided", "win_rate_by_king[yes]", "king_margin"),
        "Without the bonus others would have won {0} of games; the King wins {1}, {2} chips ahead.",
        (("king_by_policy", "king_by_policy", "seats that are Mining King by policy"),),
    ),
    Question(
        "king-ties", _DEBRIUM, "How often does the turn order decide who is Mining King?",
        ("king_tied_if_king", "win_rate_by_final_place[1st]"),
        "In {0} of crowned games the order breaks a tie; who acts first in the last round wins {1}.",
    ),
    Question(
        "debt-curve", _DEBRIUM, "How steep does the debt curve bite?",
        ("debt_penalty", "debt_cards", "debt_decided"),
        "A seat loses {0} points to {1} debt cards; without penalties others would have won {2} of games.",
        (
            ("wins_by_cards", "win_rate_by_debt_cards", "win rate by number of debt cards"),
            ("seats_by_cards", "seats_by_debt_cards", "share of seats by number of debt cards"),
        ),
    ),
    Question(
        "last-place-trap", _DEBRIUM, "How often is the same seat last twice running?",
        ("last_again",), "In {0} rounds of a game the seat that takes the debt card took the one before as well.",
    ),
    Question(
        "funds-value", _DEBRIUM, "What does a round of additional funds bring?",
        ("payout_by_takers[1]", "payout_by_takers[2]", "win_rate_when_funding"),
        "A single taker receives {0} coins, two receive {1} each; seats that take funds win {2}, "
        "counted once for each.",
        (("by_takers", "payout_by_takers", "coins each by number of takers"),),
    ),
    Question(
        "bid-price", _DEBRIUM, "What does first place cost, and what does it earn?",
        (
            "first_bid_by_round[1]", "first_points_by_round[1]",
            "rounds_by_first_bid[{about}]", "first_points_by_bid[{about}]",
        ),
        "In the first round the seat that acts first has bid {0} coins and collects {1} points. Over all rounds it "
        "has most often bid {about}, in {2} of them, and then collects {3} points.",
        (
            ("by_bid", "first_points_by_bid", "points that the first to act collects, by its bid in coins, and how "
             "often it has bid so much"),
            ("bid_by_round", "first_bid_by_round", "what the first to act bid, by round"),
            ("points_by_round", "first_points_by_round", "points that the first to act collects, by round"),
        ),
        beside=(("by_bid", "rounds_by_first_bid", "rounds"),),
        subject=Subject("rounds_by_first_bid[{about}]", _BIDS),
    ),
    Question(
        "company-strength", _DEBRIUM, "Is a company too strong or too weak?",
        ("win_rate_by_company[{about}]",), "{about} wins most, {0} of its games.",
        (
            ("wins", "win_rate_by_company", "win rate by company"),
            ("scores", "score_by_company", "score by company"),
            ("skills", "skills_by_company", "skill uses by company"),
        ),
        subject=Subject("win_rate_by_company[{about}]", {name: name.capitalize() for name in COMPANIES}),
        settings=("expansion=true",),
    ),
    Question(
        "seat-advantage", _DEBRIUM, "Does the place in the first order matter?",
        ("win_rate_by_start_place[1st]",), "Who is first in the order before the first bid wins {0}.",
        (
            ("by_start_place", "win_rate_by_start_place", "win rate by starting place"),
            ("by_seat", "win_rate_by_seat", "win rate by seat"),
        ),
    ),
    Question(
        "lead-changes", _DEBRIUM, "How often does the lead change?",
        ("lead_changes", "led_from"), "The lead changes {0} times; the winner leads for good from round {1} on.",
    ),
)  # fmt: skip


def find(name: str, game: str | None) -> Question:
    """Return the question of that name; raise BadInput when there is none, or when two games have it."""
    found = [q for q in QUESTIONS if q.name == name and game in (None, q.game)]
    if not found:
        raise unknown("question", name, dict.fromkeys(q.name for q in QUESTIONS if game in (None, q.game)))
    if len(found) > 1:
        raise BadInput(f"ask {name}: say which game with --game: {' or '.join(q.game for q in found)}")
    return found[0]


@dataclass(frozen=True)
class Answer:
    """A question answered: the sentence, and the frame of each table by its key.

    about is the entry that a question with a subject was answered for, else None. Frames have tables.COLUMNS, and of
    each metric beside them three more, called by its name there: NAME, NAME_half_width and NAME_unit.
    """

    question: Question
    played: Played
    sentence: str
    value: float
    half_width: float
    unit: str
    about: str | None
    tables: Mapping[str, pd.DataFrame]


def answer(question: Question, played: Played) -> Answer:
    """Answer a question from a run; raise BadInput when the run has not counted what it asks for."""
    frame = metrics(played.totals)
    about = _about(question, frame)
    asked = [name.format(about=about) for name in question.metrics]
    missing = [name for name in asked if name not in frame.index]
    if missing:
        raise BadInput(f"ask {question.name}: these games never showed {', '.join(missing)}")
    told = list(rows(frame.loc[asked]))
    return Answer(
        question,
        played,
        question.sentence.format(
            *(with_interval(r.value, r.half_width, r.unit) for r in told),
            about=question.subject.names[about] if question.subject and about else "",
            unit=told[0].unit,
        ),
        told[0].value,
        told[0].half_width,
        told[0].unit,
        about,
        {key: _table(question, key, frame) for key, _, _ in question.tables},
    )


def _about(question: Question, frame: pd.DataFrame) -> str | None:
    """Return the subject's entry with the highest metric, of those for which all was counted that the answer says."""
    subject = question.subject
    if subject is None:
        return None
    told = (subject.metric, *question.metrics)
    counted = [entry for entry in subject.names if all(name.format(about=entry) in frame.index for name in told)]
    values = frame["value"]
    highest = max(counted, key=lambda entry: float(values[subject.metric.format(about=entry)]), default=None)
    return highest or next(iter(subject.names))


def _table(question: Question, key: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table's frame with what stands beside its metric."""
    of = next(metric for name, metric, _ in question.tables if name == key)
    made = group(frame, of)
    for table, metric, name in question.beside:
        if table == key:
            other = group(frame, metric).set_index("category")
            for column, end in (("value", ""), ("half_width", "_half_width"), ("unit", "_unit")):
                made = made.assign(**{f"{name}{end}": made["category"].map(other[column])})
    return made


def of_game(game: str | None) -> Sequence[Question]:
    """Return the questions of a game, or all."""
    return [question for question in QUESTIONS if game in (None, question.game)]
