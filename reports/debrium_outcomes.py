"""Sections of the report on Debrium: who wins, what the order does, what scores are made of, who leads when."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reports.debrium_findings import COMPANY_REACH, PLACE_REACH, POLICY_REACH, SEAT_REACH
from reports.drawn import interval_charts, line_chart, part_texts, stacked_chart
from reports.parts import Section, Table, matrix
from reports.runs import Shown, by_category, in_order, one, shares, sorted_by_value
from reports.tables import spread

_WON = "% of games won"
_SEATS = {str(seat): f"seat {seat}" for seat in range(4)}


def winners(runs: Sequence[Shown]) -> Section:
    """Who wins: by policy, seat and company."""
    policies = sorted_by_value(by_category(runs, "win_rate_by_policy"))
    seats = by_category(runs, "win_rate_by_seat", _SEATS)
    companies = by_category(runs, "win_rate_by_company")
    scores = in_order(by_category(runs, "score_by_policy"), list(policies["category"]))
    charts = [
        *interval_charts(runs, "wins-by-policy", "how often each policy wins", policies, _WON, True, POLICY_REACH)
    ]
    charts += interval_charts(runs, "wins-by-seat", "how often each seat wins", seats, _WON, True, SEAT_REACH)
    charts += interval_charts(
        runs, "wins-by-company", "how often each company wins", companies, _WON, True, COMPANY_REACH
    )
    tables = [matrix("wins-by-policy", "Win rate by policy, % of games", policies, "policy")]
    tables += [matrix("score-by-policy", "Mean score by policy, points", scores, "policy")]
    tables += [matrix("wins-by-seat", "Win rate by seat, % of games", seats, "seat")]
    if len(companies):
        tables += [matrix("wins-by-company", "Win rate by company, % of games", companies, "company")]
        points = by_category(runs, "score_by_company")
        tables += [matrix("score-by-company", "Mean score by company, points", points, "company")]
    lead = (
        "A shared win counts in parts. The line marks the fair share: what each seat would win if nothing told "
        "them apart; the shaded band is what findings are called against.",
    )
    notes = (
        "Win rates by policy depend on the field: they say how a policy fares against these policies in these "
        "line-ups, not how good it is.",
        *(
            ("Seats have no part in the rules; their rates should agree within their intervals.",)
            if all(run.played.rules.values["initial_order"] == "random" for run in runs)
            else ("Where the first turn order is that of the seats, what a seat wins is what its place wins.",)
        ),
    )
    return Section("winners", "Who wins", lead, tuple(charts), tuple(tables), notes)


def order(runs: Sequence[Shown]) -> Section:
    """Starting and final place in the turn order, and what acting first costs and brings."""
    start = by_category(runs, "win_rate_by_start_place")
    final = by_category(runs, "win_rate_by_final_place")
    bids = by_category(runs, "first_bid_by_round")
    points = by_category(runs, "first_points_by_round")
    charts = [
        *interval_charts(runs, "wins-by-start", "win rate by starting place", start, _WON, True, PLACE_REACH),
        *interval_charts(runs, "wins-by-final", "win rate by place in the last round", final, _WON, True),
        line_chart(runs, "first-bid", "What the seat that acts first has bid", bids, "coins of both kinds"),
        line_chart(runs, "first-points", "What the seat that acts first collects", points, "points of chips"),
    ]
    tables = (
        matrix("wins-by-start", "Win rate by starting place, % of games", start, "place"),
        matrix("wins-by-final", "Win rate by place in the last round, % of games", final, "place"),
        matrix("first-bid", "What the seat that acts first has bid, coins", bids, "round"),
        matrix("first-points", "What the seat that acts first collects, points", points, "round"),
        matrix("order", "Holding on to a place", one(runs, _ORDER), "a seat and game", True),
    )
    lead = (
        "The starting place is drawn, so what it does is an effect. The place in the last round is bid for: its "
        "win rates show who gets there as much as what it is worth, and the last there also takes a debt card.",
    )
    return Section("order", "The turn order", lead, tuple(charts), tables)


_ORDER = {
    "times_first": "rounds in which a seat acts first",
    "last_again": "rounds with the same last seat as before (a game)",
    "coins_bid": "coins bid",
}


def score(runs: Sequence[Shown]) -> Section:
    """What scores are made of."""
    made = in_order(pd.concat([_make_up(run) for run in runs], ignore_index=True), list(_PARTS))
    numbers = one(runs, _CHIPS)
    tables = (
        _make_up_table(made),
        matrix("chips", "Chips collected by a seat, and how close the end is", numbers, "mean", True),
    )
    lead = (
        "A seat's mean score and its parts. What adds stands right of zero, what debt takes away left of it; the "
        "black mark is the total.",
    )
    title = "Mean score of a seat by its parts"
    frame = made.rename(columns={"category": "part"}).assign(label=made["run"])
    chart = stacked_chart("score", title, frame, "points")
    return Section("score", "What scores are made of", lead, (chart,), tables, are_tables_open=True)


_CHIPS = {
    "chips": "chips collected by a seat",
    **{f"chips_level_{level}": f"of level {level}" for level in range(1, 5)},
    "margin": "winner's lead over the next seat",
    "winners": "seats that share the win",
}


_PARTS = ("chips", "coins", "skill coins", "Mining King", "debt", "total")


def _make_up(run: Shown) -> pd.DataFrame:
    """Return the parts of a run's mean score, `runs.COLUMNS` and `text`; debt is negative."""
    bonus, coin, skill_coin = (
        float(str(run.played.rules.values[key])) for key in ("mining_king_bonus", "coin_points", "skill_coin_points")
    )
    parts = [
        one([run], {"chip_points": "chips"}),
        one([run], {"coins": "coins"}, coin),
        one([run], {"skill_coins": "skill coins"}, skill_coin) if run.played.rules.values["expansion"] else None,
        one([run], {"king": "Mining King"}, bonus / 100),
        one([run], {"debt_penalty": "debt"}, -1.0),
        one([run], {"score": "total"}),
    ]
    frame = pd.concat([part for part in parts if part is not None], ignore_index=True)
    turned = frame["low"] > frame["high"]
    frame.loc[turned, ["low", "high"]] = frame.loc[turned, ["high", "low"]].to_numpy()
    frame["half_width"] = frame["half_width"].abs()
    frame["unit"] = "points"
    frame["text"] = part_texts(frame)
    return frame


def _make_up_table(made: pd.DataFrame) -> Table:
    return matrix("score", "Mean score of a seat by its parts, points", made.drop(columns="text"), "part")


def lead(runs: Sequence[Shown]) -> Section:
    """Lead changes and the round from which the winner led."""
    since = pd.concat([_distribution(run, "led_from", 1) for run in runs], ignore_index=True)
    changes = pd.concat([_distribution(run, "lead_changes", 0) for run in runs], ignore_index=True)
    means = one(runs, {"led_from": "round from which the winner led", "lead_changes": "changes of the lead"})
    charts = (
        line_chart(runs, "led-from", "From which round on the winner led", since, "% of games"),
        line_chart(runs, "lead-changes", "How often the lead changed", changes, "% of games", "changes in a game"),
    )
    tables = (
        matrix("lead", "Means over games", means, "mean", True),
        matrix("led-from", "Round from which the winner led to the end, % of games", since, "round"),
        matrix("lead-changes", "Changes of the lead in a game, % of games", changes, "changes"),
    )
    text = (
        "After every round it is noted who would win if the game ended there, bonus and debt counted as they "
        "stand. The winner led from the last round in which that changed.",
    )
    return Section("lead", "Who leads when", text, charts, tables)


def _distribution(run: Shown, name: str, first: int) -> pd.DataFrame:
    """Return a distribution over games of a number that goes with rounds, `runs.COLUMNS`, in per cent."""
    rounds = run.played.totals.layout.plan.rounds
    games = run.played.totals.games
    counted = spread(run.played.totals, name)
    hits = {str(k): int(counted.loc[counted[name] == k, "count"].sum()) for k in range(first, rounds + first)}
    return shares(run, name, {category: (number, games) for category, number in hits.items()})
