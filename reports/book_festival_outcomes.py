"""Sections of the report on Book Festival: who wins by policy, animal and seat, where stars come from, how long."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reports.book_festival_bands import ANIMAL_REACH, POLICY_REACH, SEAT_REACH
from reports.drawn import interval_charts, line_chart, part_texts, stacked_chart
from reports.parts import Chart, Section, matrix
from reports.runs import Shown, by_category, in_order, one, shares, sorted_by_value
from reports.tables import spread

#: What a win chance counts.
CHANCE = "% chance of being MVP"

_SEATS = {str(seat): f"seat {seat}" for seat in range(6)}

#: Numbers of rounds that a smaller share of games lasts (per cent) are in the tables alone.
_RAREST = 0.05


def winners(runs: Sequence[Shown]) -> Section:
    """Who wins: by policy."""
    chances = sorted_by_value(by_category(runs, "win_rate_by_policy"))
    order = list(chances["category"])
    drawn = in_order(by_category(runs, "drawn_wins_by_policy"), order)
    scores = in_order(by_category(runs, "score_by_policy"), order)
    charts = [
        *interval_charts(runs, "chance-by-policy", "win chance of each policy", chances, CHANCE, True, POLICY_REACH),
        *interval_charts(runs, "stars-by-policy", "stars of each policy", scores, "stars"),
    ]
    tables = (
        matrix("chance-by-policy", "Exact chance of being MVP by policy, %", chances, "policy"),
        matrix("drawn-by-policy", "MVP as drawn by policy, % of games", drawn, "policy"),
        matrix("stars-by-policy", "Mean stars by policy", scores, "policy"),
    )
    lead = (
        "A seat's chance of being MVP, given the stars of its game, is exact; a shared MVP counts in parts. The line "
        "marks the fair share: what each seat would win if nothing told them apart; the shaded band is what "
        "findings are called against.",
    )
    notes = (
        "Win chances by policy depend on the field: they say how a policy fares against these policies in these "
        "line-ups, not how good it is.",
        "What the draws gave stands in the table beside the exact chance: the two must agree, and the exact one has "
        "the smaller interval for the same games.",
    )
    return Section("winners", "Who wins", lead, tuple(charts), tables, notes)


def animals(runs: Sequence[Shown]) -> Section:
    """What the animals are worth to their owners."""
    chances = sorted_by_value(by_category(runs, "win_rate_by_animal"))
    stars = in_order(by_category(runs, "stars_by_animal"), list(chances["category"]))
    charts = [
        *interval_charts(
            runs, "chance-by-animal", "win chance with each animal", chances, CHANCE, True, ANIMAL_REACH
        ),
        *interval_charts(runs, "stars-by-animal", "stars of a seat with each animal", stars, "stars"),
    ]
    tables = (
        matrix("chance-by-animal", "Exact chance of being MVP by animal, %", chances, "animal"),
        matrix("stars-by-animal", "Mean stars of a seat by its animal", stars, "animal"),
        matrix("own-sales", "Customers of one's own", one(runs, _OWN), "a seat and game", True),
    )
    lead = (
        "Every seat has an animal, with a favourite genre and a die of its own. It buys at all booths, its owner's "
        "among them, and moves before or after the others: what that is worth shows in its owner's chance.",
    )
    return Section("animals", "The animals", lead, tuple(charts), tables)


_OWN = {
    "own_sales": "books sold to one's own animal",
    "bought_books": "books that one's animal buys anywhere",
    "trials": "animals stopped with Trial Read",
}


def seats(runs: Sequence[Shown]) -> Section:
    """What the seat is worth."""
    chances = by_category(runs, "win_rate_by_seat", _SEATS)
    charts = interval_charts(runs, "chance-by-seat", "win chance of each seat", chances, CHANCE, True, SEAT_REACH)
    tables = (matrix("chance-by-seat", "Exact chance of being MVP by seat, %", chances, "seat"),)
    rotates = {run.played.rules.values["start_player"] for run in runs}
    begins = {
        frozenset(("fixed",)): "Seat 0 begins every round; its turn comes first and its animal moves first.",
        frozenset(("rotates",)): "Seat 0 begins the first round, each later round begins one seat further on.",
    }.get(frozenset(map(str, rotates)), "In some runs seat 0 begins every round, in others the start moves on.")
    notes = (
        *(("In fixed line-ups a seat's chance is also that of its policy.",) if _has_fixed(runs) else ()),
        "Seats follow each other clockwise, the way the animals walk: a seat's own booth is the first that its "
        "animal passes, the next seat's the second.",
    )
    return Section("seats", "The seats", (begins,), tuple(charts), tables, notes)


def _has_fixed(runs: Sequence[Shown]) -> bool:
    return any(run.played.line_up == "fixed" for run in runs)


def stars(runs: Sequence[Shown]) -> Section:
    """Where stars come from."""
    made = in_order(pd.concat([one([run], _STARS) for run in runs], ignore_index=True), list(_STARS.values()))
    chart = parts_chart("stars", "Mean stars of a seat by where they come from", made, "stars")
    tables = (
        matrix("stars", "Mean stars of a seat by where they come from", made, "cause"),
        matrix("bag-size", "The vote bag", one(runs, _BAG), "a game", True),
    )
    lead = (
        "Every book sold is worth a star, more with a Limited Edition on its slot; whoever sells the book that "
        "completes a genre pile takes the bonus. The black mark is the total.",
    )
    return Section("stars", "Where stars come from", lead, (chart,), tables, (), "", True)


_STARS = {
    "stars_by_sale": "books sold",
    "stars_by_limited": "Limited Edition",
    "stars_by_bonus": "genre bonus",
    "stars": "total",
}
_BAG = {"bag": "stars in the bag", "ran_out": "seats with an empty supply"}


def parts_chart(name: str, title: str, made: pd.DataFrame, unit: str) -> Chart:
    """Return a stacked chart of parts and their total, from a frame (`runs.COLUMNS`) with a category for each."""
    frame = made.rename(columns={"category": "part"}).assign(label=made["run"])
    return stacked_chart(name, title, frame.assign(text=part_texts(made)), unit)


def length(runs: Sequence[Shown]) -> Section:
    """How long games last, and how they end."""
    lasted = pd.concat([_lasted(run) for run in runs], ignore_index=True)
    common = lasted[lasted["value"] >= _RAREST]
    empty = sorted_by_value(by_category(runs, "empty_by_policy"))
    animals = sorted_by_value(by_category(runs, "empty_by_animal"))
    charts = (
        line_chart(runs, "rounds", "How many rounds games last", common, "% of games", "rounds"),
        *interval_charts(runs, "empty-by-policy", "who sends the last star", empty, "% of its games"),
    )
    tables = (
        matrix("length", "Length and end", one(runs, _LENGTH), "", True),
        matrix("empty-by-policy", "Seats whose supply is empty at the end, by policy, %", empty, "policy"),
        matrix("empty-by-animal", "Seats whose supply is empty at the end, by animal, %", animals, "animal"),
        matrix("rounds", "Games by number of rounds, % of games", common, "rounds"),
    )
    lead = (
        "A game ends with the round in which some seat sends its last star to the bag. One that comes to the guard "
        "on rounds before that is stalled: its lottery is drawn all the same, and it counts like any other.",
    )
    notes = (f"Lengths of less than {_RAREST} % of the games are left out of chart and table.",)
    return Section("length", "How long games last", lead, charts, tables, notes, "", True)


_LENGTH = {
    "lasted": "rounds of a game",
    "stalled": "stalled games",
    "is_empty": "seats whose supply is empty at the end",
    "ran_out": "seats a game whose supply is empty",
    "hand_left": "cards left in a hand",
}


def _lasted(run: Shown) -> pd.DataFrame:
    """Return the distribution of rounds over games, `runs.COLUMNS`, in per cent; the last number also has more."""
    games = run.played.totals.games
    counted = spread(run.played.totals, "lasted")
    counted = counted[counted["count"] > 0]
    numbers = zip(counted["lasted"], counted["count"], strict=True)
    return shares(run, "lasted", {str(rounds): (int(hits), games) for rounds, hits in numbers})
