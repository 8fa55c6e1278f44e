"""Sections of the report on Debrium: bursts, debt, the Mining King, what seats do, the pool."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pandas as pd

from reports.debrium_findings import exact_loss
from reports.drawn import WIDEST, bar_charts, interval_charts, line_chart, series_chart
from reports.numbers import NOTHING, count, plain
from reports.parts import Chart, Section, Table, matrix, text_table
from reports.runs import Shown, by_category, one, shares, sorted_by_value
from reports.tables import spread
from sim.debrium.exact import burst_chain

#: Deeds that are a smaller share of turns than this (per cent) are in the tables alone.
RAREST = 0.1


def bursts(runs: Sequence[Shown]) -> Section:
    """Bursts by round against their exact chances, and what falls take."""
    boards: dict[tuple[object, ...], Shown] = {}
    for run in runs:
        board = tuple(run.played.rules.values[key] for key in _BOARD)
        if board not in boards or run.played.totals.games > boards[board].played.totals.games:
            boards[board] = run
    charts = [_burst_chart(run, place, len(boards)) for place, run in enumerate(boards.values(), start=1)]
    losses = by_category(runs, "loss_rate_by_round")
    exact = pd.DataFrame(
        [
            {"series": _random_name(place, len(boards)), "x": number, "value": 100 * chance}
            for place, run in enumerate(boards.values(), start=1)
            for number, chance in enumerate(exact_loss(run), start=1)
        ]
    )
    title = "Placements lost to the fall, and on spaces picked at random"
    charts.append(line_chart(runs, "losses", title, losses, "% of placements", exact=exact))
    tables = [
        *(_burst_table(run, place) for place, run in enumerate(boards.values(), start=1)),
        matrix("losses", "Placements lost to the fall by round, %", losses, "round"),
        matrix("lost", "Placements and losses", one(runs, _LOSSES), "mean", True),
    ]
    leads = ["Falls do not depend on what anybody does, so their chances are known exactly: the dashes."]
    if len(runs) > len(boards):
        leads.append("Runs on the same board and seed see the same falls; the one with the most games is shown.")
    notes = (
        "Runs with the same seed share their falls, so their measured bursts agree by construction, not as "
        "independent evidence.",
        "Losses below the dashes mean that seats keep out of danger, above them that they go where it is greater.",
    )
    return Section("bursts", "Bursts and losses", tuple(leads), tuple(charts), tuple(tables), notes)


_BOARD = ("rows", "columns", "coordinate_copies", "chips_level_4")
_LOSSES = {
    "placements": "placements of a seat in a game",
    "lost_impact": "lost to the impact",
    "lost_burst": "lost to a burst alone",
    "bursts_column": "column bursts in a game",
    "bursts_row": "row bursts in a game",
}


def _random_name(place: int, boards: int) -> str:
    return "exact, at random" if boards == 1 else f"at random, board {place}"


def _chains(run: Shown) -> dict[str, list[float]]:
    """Return the exact chances of a burst by round, in per cent, by shape."""
    values = run.played.rules.values
    copies, rounds = int(values["coordinate_copies"]), int(values["chips_level_4"])  # type: ignore[arg-type]
    labels = {"column": int(values["columns"]), "row": int(values["rows"])}  # type: ignore[arg-type]
    return {
        shape: [float(100 * chance) for chance in burst_chain(number, copies, rounds)]
        for shape, number in labels.items()
    }


def _burst_chart(run: Shown, place: int, boards: int) -> Chart:
    measured = [
        by_category([run], f"burst_{shape}_by_round").assign(series=f"{shape}s") for shape in ("column", "row")
    ]
    chains = _chains(run)
    is_same = chains["column"] == chains["row"]
    exact = pd.DataFrame(
        [
            {"series": "exact" if is_same else f"exact, {shape}s", "x": number, "value": chance}
            for shape, chances in chains.items()
            if shape == "column" or not is_same
            for number, chance in enumerate(chances, start=1)
        ]
    )
    values = run.played.rules.values
    board = f" on {values['rows']} rows and {values['columns']} columns" if boards > 1 else ""
    title = f"Chance of a burst by round{board}, measured and exact"
    return series_chart(f"bursts-{place}", title, pd.concat(measured, ignore_index=True), "% of games", exact=exact)


def _burst_table(run: Shown, place: int) -> Table:
    rows = []
    for shape, chances in _chains(run).items():
        frame = by_category([run], f"burst_{shape}_by_round")
        rows.append(frame.assign(run=f"{shape}s, measured"))
        exact = frame.assign(run=f"{shape}s, exact", value=[*chances][: len(frame)], half_width=0.0)
        rows.append(exact.assign(low=exact["value"], high=exact["value"]))
    title = f"Chance of a burst by round, % of games ({run.label}, {count(run.played.totals.games)} games)"
    return matrix(f"bursts-{place}", title, pd.concat(rows, ignore_index=True), "round")


def debt(runs: Sequence[Shown]) -> Section:
    """The debt curve: what cards cost, who has how many, and how those win."""
    most = max(run.played.totals.layout.plan.rounds for run in runs)
    cards = [str(number) for number in range(most + 1)]
    wins = by_category(runs, "win_rate_by_debt_cards")
    held = by_category(runs, "seats_by_debt_cards")
    wins, held = wins[wins["category"].isin(cards)], held[held["category"].isin(cards)]
    telling = wins[(wins["half_width"] <= WIDEST) & (wins["half_width"] > 0)]
    penalties = {run.label: _penalties(run, most) for run in runs}
    steps = pd.DataFrame({"cards": cards, **{label: list(map(str, costs)) for label, costs in penalties.items()}})
    if len({tuple(costs) for costs in penalties.values()}) == 1:
        first = next(iter(penalties.values()))
        marginal = [NOTHING, *(plain(after - before, 0) for before, after in itertools.pairwise(first))]
        steps = pd.DataFrame({"cards": cards, "penalty": list(map(str, first)), "one card more": marginal})
    number = "debt cards at the end"
    charts = [line_chart(runs, "debt-cards", "How many debt cards seats end with", held, "% of seats", number)]
    if len(telling):
        title = "How seats with so many debt cards win"
        charts.insert(0, line_chart(runs, "debt-wins", title, telling, _WON, number))
    curve = pd.DataFrame(
        [
            {"run": run.label, "series": "penalty", "category": card, "x": int(card), "value": float(cost)}
            for run in runs[:1]
            for card, cost in zip(cards, penalties[run.label], strict=True)
        ]
    ).assign(low=math.nan, high=math.nan)
    charts.append(series_chart("debt-penalty", "What debt cards cost (the rule)", curve, "points lost", number))
    decided = one(runs, {"debt_decided": "games with other winners but for the penalties"})
    tables = (
        text_table("debt-penalty", "Penalty by number of cards, points lost (the rule, exact)", steps),
        matrix("debt-wins", "Win rate by debt cards at the end, % of games", wins, "cards"),
        matrix("debt-cards", "Seats by debt cards at the end, % of seats", held, "cards"),
        matrix("debt-decides", "How often debt decides the game", decided, "", True),
    )
    lead = (
        "Each round the last in the order takes a debt card. Cards go with bidding little and so with having "
        "coins: the win rates are associations, not what a card does.",
    )
    notes = (f"Rates with an interval wider than ± {WIDEST:.0f} points are in the table only.",)
    return Section("debt", "The debt curve", lead, tuple(charts), tables, notes)


_WON = "% of games won"


def _penalties(run: Shown, most: int) -> list[int]:
    """Return the penalty for 0, 1, ... cards; the last entry of the rule serves for more."""
    listed = run.played.rules.values["debt_penalty"]
    assert isinstance(listed, tuple)
    costs = [0, *(int(cost) for cost in listed)]
    return [costs[min(cards, len(costs) - 1)] for cards in range(most + 1)]


def king(runs: Sequence[Shown]) -> Section:
    """The Mining King race: who takes it, by what lead, how often it decides the game."""
    takers = sorted_by_value(by_category(runs, "king_by_policy"))
    wins = by_category(runs, "win_rate_by_king", {"no": "others", "yes": "Mining King"})
    leads = pd.concat([_king_leads(run) for run in runs], ignore_index=True)
    paying = [_king_decides(run) for run in runs if run.played.rules.values["mining_king_bonus"] != 0]
    charts = [
        *interval_charts(
            runs, "king-by-policy", "how often each policy becomes King", takers, "% of its games", True
        ),
        *bar_charts(runs, "king-lead", "the King's lead over the next seat", leads, "% of crowned games", "chips"),
    ]
    tables = [
        matrix("king-by-policy", "How often a policy becomes Mining King, % of its games", takers, "policy"),
        matrix("king-wins", "Win rate of the Mining King and of others, % of games", wins, "seat"),
        matrix("king-race", "The race", one(runs, _KING), "", True),
        matrix("king-lead", "The King's lead in chips, % of crowned games", leads, "lead"),
    ]
    meaning = "These rules give the King no bonus."
    if paying:
        meaning = "The bonus decides a game that would have had other winners without it, with the same play."
        decides = pd.concat(paying, ignore_index=True)
        title = "Games that the bonus decides by the King's lead, % of these games"
        tables.append(matrix("king-decides", title, decides, "lead"))
        title = "games that the bonus decides, by the King's lead"
        charts += interval_charts(runs, "king-decides", title, decides, "% of these games")
    lead = (
        "The seat with the most chips is Mining King; with equally many the one earlier in the last round's order. "
        f"{meaning}",
    )
    return Section("king", "The Mining King", lead, tuple(charts), tuple(tables))


_KING = {
    "king_awarded": "games with a Mining King",
    "king_decided_if_king": "crowned games that the bonus decides",
    "king_tied_if_king": "crowned games in which the turn order breaks a tie",
    "king_margin": "the King's lead in chips",
}
_LEADS = {0: "0 (tied)", 1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6 or more"}


def _king_counts(run: Shown) -> dict[str, tuple[int, int]]:
    """Return by lead how many crowned games had it, and how many of them the bonus decided."""
    frame = spread(run.played.totals, "king_margin")
    frame = frame[frame["king_awarded"] == 1]
    frame = frame.assign(lead=frame["king_margin"].clip(0, 6))
    counts = {}
    for lead, name in _LEADS.items():
        rows = frame[frame["lead"] == lead]
        counts[name] = int(rows["count"].sum()), int(rows.loc[rows["king_decided"] == 1, "count"].sum())
    return counts


def _king_leads(run: Shown) -> pd.DataFrame:
    counts = _king_counts(run)
    crowned = sum(games for games, _ in counts.values())
    return shares(run, "king_margin", {name: (games, crowned) for name, (games, _) in counts.items()})


def _king_decides(run: Shown) -> pd.DataFrame:
    counts = _king_counts(run)
    return shares(run, "king_decided", {name: (decided, games) for name, (games, decided) in counts.items()})


def actions(runs: Sequence[Shown]) -> Section:
    """What seats do with their turns, and how those who did it win."""
    used = pd.concat([one([run], _USED, 100 / _rounds(run)) for run in runs], ignore_index=True)
    used = used[used["value"] > 0].assign(unit="% of turns")
    used = used.sort_values(
        "category", key=lambda column: column.map(list(_USED.values()).index), kind="stable", ignore_index=True
    )
    wins = one(runs, _WINS)
    telling = wins[wins["half_width"] <= WIDEST]
    skills = by_category(runs, "skills_by_company")
    often = used[used.groupby("category")["value"].transform("max") >= RAREST]
    charts = []
    for name, deeds, what in (("turns", _TURNS, "turns"), ("bids", tuple(_BIDS.values()), "bids")):
        shown, won = (frame[frame["category"].isin(deeds)] for frame in (often, telling))
        charts += interval_charts(runs, name, f"{what}, how often", shown, f"% of {what}")
        charts += interval_charts(runs, f"{name}-wins", f"{what}, win rate of those who did it", won, _WON, True)
    tables = [
        matrix("used", "What turns are used for, % of turns", used, "deed"),
        matrix("used-wins", "Win rate of those who did it, % of games, each as often as it did", wins, "deed"),
        matrix("means", "Means of a seat and game", one(runs, _MEANS), "mean", True),
    ]
    if len(skills):
        charts += interval_charts(runs, "skills", "how often each company uses its skill", skills, "turns in a game")
        tables.append(matrix("skills", "Turns in a game in which a company uses its skill", skills, "company"))
    lead = (
        "How turns, hiring steps, bid sizes and skills are used, and the win rate of the seats that did it, each "
        "counted as often as it did.",
    )
    notes = (
        "Who hires or bids a lot is another player with other coins than who does not: these win rates are "
        "associations, not what a hire or a bid is worth.",
        f"What makes up less than {RAREST} % and win rates with an interval wider than ± {WIDEST:.0f} points are in "
        "the tables only.",
    )
    return Section("actions", "What seats do", lead, tuple(charts), tuple(tables), notes)


_HIRES = {"0": "mine, hire 0", "1": "mine, hire 1", "2": "mine, hire 2", "3_up": "mine, hire 3+"}
_BIDS = {**{str(coins): f"bid {coins}" for coins in range(8)}, "8_up": "bid 8+"}
_TURNS = ("mine", "mine nothing", "take funds", "use the skill", *_HIRES.values())
_USED = {
    "mines": "mine", "idle_mines": "mine nothing", "funds": "take funds", "skills": "use the skill",
    **{f"hires_{key}": name for key, name in _HIRES.items()}, **{f"bids_{key}": name for key, name in _BIDS.items()},
}  # fmt: skip
_WINS = {
    "win_rate_when_mining": "mine",
    "win_rate_when_funding": "take funds",
    "win_rate_when_using_skill": "use the skill",
    **{f"win_rate_when_hiring_{key}": name for key, name in _HIRES.items()},
    **{f"win_rate_when_bidding_{key}": name for key, name in _BIDS.items()},
}
_MEANS = {
    "placements": "placements", "hired": "extra workers hired", "hire_coins": "coins paid for them",
    "hire_skill_coins": "skill coins paid for them", "coins_bid": "coins bid", "skill_coins_bid": "skill coins bid",
    "funds": "times additional funds taken", "funds_coins": "coins from additional funds",
    "funds_skill_coins": "skill coins from additional funds", "coins_taken": "coins taken with Yellow's skill",
    "extra_chips": "chips taken with Blue's skill",
}  # fmt: skip


def _rounds(run: Shown) -> int:
    return int(run.played.totals.layout.plan.rounds)


def funds(runs: Sequence[Shown]) -> Section:
    """Additional funds and the pool by round."""
    charts, tables = [], []
    for metric, title, unit in _POOL:
        frame = by_category(runs, f"{metric}_by_round")
        if metric == "coins":
            held = [frame[frame["run"] == run.label].copy() for run in runs]
            for rows, run in zip(held, runs, strict=True):
                rows[["value", "half_width", "low", "high"]] /= run.players
            frame = pd.concat(held, ignore_index=True)
        charts.append(line_chart(runs, f"pool-{metric}", title, frame, unit))
        tables.append(matrix(f"pool-{metric}", f"{title}, {unit}", frame, "round"))
    payout = by_category(runs, "payout_by_takers")
    if len(payout):
        title = "What each of so many takers receives"
        charts.append(line_chart(runs, "payout", title, payout, "coins each", "seats that take funds"))
        tables.append(matrix("payout", f"{title}, coins each", payout, "takers"))
    left = one(runs, {"pool_left": "coins left in the pool", "skill_pool_left": "skill coins left in theirs"})
    tables.append(matrix("pool-left", "What is left in the pools at the end", left, "a game", True))
    lead = (
        "Bids and hiring fill the pool; after all have chosen it is split evenly among those who took additional "
        "funds.",
    )
    return Section("funds", "Additional funds and the pool", lead, tuple(charts), tuple(tables))


_POOL = (
    ("pool", "The pool before the payout", "coins"),
    ("paid", "Paid out as additional funds", "coins"),
    ("takers", "Seats that take additional funds", "seats"),
    ("coins", "Coins a seat holds at the end of the round", "coins a seat"),
)
