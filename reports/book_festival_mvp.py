"""Sections of the report on Book Festival: the star leader and the MVP draw, and what a vote bag is worth.

A *typical bag* stands for the games of a run: the stars of all its seats, sorted and cut into as many equal
parts as there are seats, each part's mean, moved so that the leader has a given lead and the bag its mean size.
The exact curves by number of chips drawn are of such bags, one for each lead, weighted by how often it occurred.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import pandas as pd

from reports.drawn import WIDEST, line_chart, run_styles, series_intervals
from reports.numbers import GAP, NOTHING, plain
from reports.parts import Chart, Section, Table, matrix, text_table
from reports.runs import COLUMNS, Shown, by_category, one
from reports.tables import spread
from sim.book_festival.lottery import MvpOdds, Tie, mvp_odds

#: Numbers of chips drawn that the exact curves show, beside the runs' own.
DRAWS = (*range(1, 11), 12, 15, 20, 25, 30)

RANKS = {
    str(rank): f"{name} in stars" for rank, name in enumerate(("1st", "2nd", "3rd", "4th", "5th", "6th"), start=1)
}


def leader(runs: Sequence[Shown]) -> Section:
    """How often the star leader loses the draw: exact and drawn, by margin and by number of draws."""
    both = pd.concat([one(runs, {"leader_loses": "exact"}), one(runs, {"leader_lost": "drawn"})], ignore_index=True)
    short = {label: style.name for label, style in run_styles(runs).items()}
    overall = both.assign(series=both["category"], category=both["run"].map(short))
    exact = by_category(runs, "leader_loses_by_margin")
    clear = exact[exact["half_width"] <= WIDEST]
    margins = by_category(runs, "games_by_margin")
    margins = margins[margins["category"].isin(exact["category"])]
    curve = pd.concat([_by_draws(run, _draws(runs)) for run in runs], ignore_index=True)
    charts = [series_intervals("leader-loses", "No star leader becomes MVP, exact and drawn", overall, _GAMES)]
    if len(clear):
        title = "No star leader becomes MVP, by the leader's lead (exact chance)"
        charts.append(line_chart(runs, "leader-by-margin", title, clear, "% of games with this lead", _AHEAD))
    charts += [
        line_chart(runs, "margins", "How far the leader is ahead", margins, _GAMES, _AHEAD),
        line_chart(
            runs, "leader-by-draws", "No star leader becomes MVP, by chips drawn (exact, typical bags)",
            curve, "chance in %", "chips drawn",
        ),
    ]  # fmt: skip
    tables = (
        matrix("leader", "The star leader and the draw", one(runs, _LEADER), "", True),
        matrix("leader-by-margin", "No leader is MVP, exact chance, % of games with this lead", exact, "lead"),
        matrix("margins", "Games by the leader's lead, % of games", margins, "lead"),
        matrix("leader-by-draws", "No leader is MVP by chips drawn, % (exact, typical bags)", curve, "chips"),
    )
    lead = (
        "The seat or seats with the most stars lead. Each star is a chip in the vote bag, and whose colour is drawn "
        "most often is MVP: the more chips are drawn, the more the lead counts.",
        "With a lead of 0 several share it, and the draw has to pass over all of them.",
    )
    notes = (
        f"Rates with an interval wider than ± {WIDEST:.0f} points are in the tables only.",
        "Typical bags, for the curve by chips drawn: the stars of all seats of all games, sorted and cut into as "
        "many equal parts as seats; each part's mean, moved so that the leader is a given number of stars ahead. "
        "Their chances are exact, and weighted by how often each lead occurred. The bags are stand-ins; at the draws "
        f"played they give {'; '.join(_fit(run) for run in runs)}.",
    )
    return Section("leader", "Does the star leader win?", lead, tuple(charts), tables, notes)


_GAMES = "% of games"
_AHEAD = "stars ahead of the next seat"
_LEADER = {
    "leader_loses": "no star leader is MVP (exact)",
    "leader_lost": "no star leader is MVP (as drawn)",
    "unique_leader": "games with one leader",
    "unique_leader_loses_if_unique": "a single leader is not MVP (exact)",
    "leader_loses_by_margin[0]": "of several leaders none is MVP (exact)",
    "leaders": "seats that share the most stars",
    "leader_margin": "stars ahead of the next seat",
    "last_wins": "a seat with the fewest stars is MVP (exact)",
    "tied_draw": "draws with a tie for most",
    "redrawn": "chips drawn to break a tie",
}


def bag(runs: Sequence[Shown]) -> Section:
    """What stars are worth: the chance of being MVP by rank, and against the share of stars."""
    ranks = by_category(runs, "win_rate_by_rank", RANKS)
    shares = by_category(runs, "share_by_rank", RANKS)
    charts = [_share_and_chance(run, number) for number, run in enumerate(runs, start=1)]
    tables = (
        matrix("chance-by-rank", "Exact chance of being MVP by rank in stars, % of games", ranks, "rank"),
        matrix("share-by-rank", "Share of all stars by rank, % of stars", shares, "rank"),
        _bags_table(runs),
    )
    lead = (
        "With a single draw a seat's chance would be just its share of the stars. Each further draw takes chance "
        "from those behind and gives it to those ahead.",
    )
    notes = ("Seats with equally many stars share the better rank, so a game can have two 1st and no 2nd.",)
    return Section("bag", "What stars are worth", lead, tuple(charts), tables, notes)


def _share_and_chance(run: Shown, number: int) -> Chart:
    """Return a run's chart of the share of stars and the chance of being MVP, by rank."""
    parts = {"share of stars": "share_by_rank", "win chance": "win_rate_by_rank"}
    frames = [by_category([run], metric, RANKS).assign(series=name) for name, metric in parts.items()]
    title = f"{run.label}: share of stars and win chance"
    return series_intervals(f"rank-{number}", title, pd.concat(frames, ignore_index=True), "%")


# --- Typical bags ------------------------------------------------------------------------------------


def typical_stars(run: Shown, ahead: int | None = None) -> tuple[int, ...]:
    """Return the stars of a run's typical bag with this lead (by default the mean one), the most first."""
    return _with_lead(_ranked(run), round(_mean(run, "leader_margin")) if ahead is None else ahead)


def _with_lead(means: Sequence[float], ahead: int) -> tuple[int, ...]:
    """Return the stars of a typical bag with this lead, from the mean stars of each rank."""
    first, second = round(means[0]), max(0, round(means[0]) - ahead)
    left = max(0.0, sum(means) - first - second)
    behind = sum(means[2:]) or 1.0
    return (first, second, *(min(second, round(mean * left / behind)) for mean in means[2:]))


def _mean(run: Shown, metric: str) -> float:
    """Return a metric's mean, of however few games."""
    totals = run.played.totals
    slot = totals.layout.index()[metric]
    n, d = (int(number) for number in totals.sums[slot][:2])
    return n / d * totals.layout.metrics[slot].scale if d else 0.0


def _ranked(run: Shown) -> list[float]:
    """Return the stars of all a run's seats, sorted and cut into as many equal parts as seats: each part's mean."""
    counted = spread(run.played.totals, "stars").sort_values("stars", ascending=False)
    seats = int(counted["count"].sum())
    sums = [0] * run.players
    part, room = 0, seats
    for stars, number in zip(counted["stars"], counted["count"], strict=True):
        left = int(number) * run.players  # so that every part holds `seats` of them
        while left:
            taken = min(left, room)
            sums[part] += int(stars) * taken
            left, room = left - taken, room - taken
            if room == 0:
                part, room = part + 1, seats
    return [total / seats for total in sums]


def typical_loses(run: Shown, draws: int) -> float:
    """Return the exact chance that no leader is MVP: typical bags, weighted by how often each lead occurred."""
    leads = spread(run.played.totals, "margin").groupby("leader_margin")["count"].sum()
    games = {int(ahead): int(count) for ahead, count in zip(leads.index, leads, strict=True) if count}
    means, tie = _ranked(run), _tie(run)
    lost = sum(
        count * float(_odds(_with_lead(means, ahead), draws, tie).leader_loses) for ahead, count in games.items()
    )
    return lost / sum(games.values())


def _odds_of(run: Shown, ahead: int | None, draws: int) -> MvpOdds:
    return _odds(typical_stars(run, ahead), draws, _tie(run))


def _tie(run: Shown) -> Tie:
    tie: Tie = run.played.rules.values["mvp_tie"]  # type: ignore[assignment]
    return tie


@lru_cache(maxsize=4096)
def _odds(stars: tuple[int, ...], draws: int, tie: Tie) -> MvpOdds:
    return mvp_odds(stars, draws, tie)


def own_draws(run: Shown) -> int:
    """Return how many chips are drawn by a run's rules."""
    draws = run.played.rules.values["mvp_draws"]
    assert isinstance(draws, int)
    return draws


def _draws(runs: Sequence[Shown]) -> list[int]:
    """Return the numbers of chips drawn to show."""
    return sorted({*DRAWS, *map(own_draws, runs)})


def _by_draws(run: Shown, draws: Sequence[int]) -> pd.DataFrame:
    """Return the exact chance that no leader of typical bags is MVP by chips drawn, `runs.COLUMNS`, in per cent."""
    rows = []
    for number in draws:
        value = 100 * typical_loses(run, number)
        where = (run.label, run.group, run.variant, "typical_leader_loses")
        rows.append((*where, str(number), value, 0.0, value, value, math.inf, "% chance"))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _fit(run: Shown) -> str:
    """Return how typical bags compare with what was measured."""
    draws = own_draws(run)
    typical, measured = 100 * typical_loses(run, draws), 100 * run.estimate("leader_loses").value
    return f"{plain(typical, 1)} against {plain(measured, 1)}{GAP}% ({run.label}, {draws} drawn)"


def _bags_table(runs: Sequence[Shown]) -> Table:
    """Return what each seat of the typical bags has of the stars, and its exact chances."""
    rows = []
    for run in runs:
        stars = typical_stars(run)
        drawn = dict.fromkeys((1, own_draws(run), 30))
        by_draws = {f"{number} drawn": _odds_of(run, None, number).chances for number in drawn}
        for seat, own in enumerate(stars):
            share = plain(100 * own / sum(stars), 1) if sum(stars) else NOTHING
            chances = {name: plain(float(100 * chances[seat]), 1) for name, chances in by_draws.items()}
            rows.append({"typical bag": run.label, "stars": str(own), "share of stars, %": share, **chances})
    frame = pd.DataFrame(rows).fillna(NOTHING)
    return text_table("typical-bags", "Share of stars, and exact chance of being MVP by chips drawn, %", frame)
