"""Book Festival's exact MVP lottery on a terminal: each player's chance, and how the star leader fares."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from reports.console import table
from reports.tables import group, metrics
from sim.book_festival.lottery import MAX_SEATS, TIES, MvpOdds, mvp_odds
from sim.errors import BadInput, unknown
from sim.played import Played

_MOST = 999  # stars of a player, and draws
_MOST_EFFORT = 100_000_000  # some seconds, see `_effort`


def mvp_text(stars: str, draws: str, tie: str) -> list[Any]:
    """Return the tables of the odds: of one number of draws, or of a range of them as a curve.

    stars: such as "20,16,12,8"; draws: such as "5", "1:30" or "1:30:5"; tie: one of TIES.

    Raises BadInput for what is none of these, and for what would take too long.
    """
    odds = _odds(stars, draws, tie)
    return _one(odds[0]) if ":" not in draws else [_curve(odds)]


def mvp_data(stars: str, draws: str, tie: str) -> dict[str, Any] | list[dict[str, Any]]:
    """Return `odds --stars --json`'s document, of a range of draws a list of them; fractions are texts.

    Raises BadInput as `mvp_text` does.
    """
    documents = [_document(odds) for odds in _odds(stars, draws, tie)]
    return documents if ":" in draws else documents[0]


# --- What is asked -----------------------------------------------------------------------------------


def _odds(stars: str, draws: str, tie: str) -> list[MvpOdds]:
    """Return the odds for each number of draws."""
    bag = [_whole("--stars", word, 0) for word in stars.split(",")]
    if not 2 <= len(bag) <= MAX_SEATS:
        raise BadInput(f"--stars: 2 to {MAX_SEATS} players' stars are needed, such as 20,16,12,8, not {len(bag)}")
    if tie not in TIES:
        raise unknown("--tie", tie, TIES)
    numbers = _range(draws)
    if _effort(bag, numbers) > _MOST_EFFORT:
        raise BadInput("--draws: too many exact draws from so many stars; ask for fewer, or in steps, such as 1:60:5")
    return [mvp_odds(bag, number, tie) for number in numbers]


def _range(draws: str) -> Sequence[int]:
    """Return the numbers of draws in a text such as "5", "1:30" or "1:30:5"."""
    numbers = [_whole("--draws", word, 1) for word in draws.split(":")]
    if len(numbers) > 3:
        raise BadInput(f"--draws: {draws!r} is no number, range or range with a step, such as 5, 1:30 or 1:30:5")
    if len(numbers) == 1:
        return numbers
    first, last, step = (*numbers, 1)[:3]
    if last < first:
        raise BadInput(f"--draws: {draws!r} ends before it begins")
    return range(first, last + 1, step)


def _whole(option: str, word: str, least: int) -> int:
    """Return a number in a list, or raise BadInput that names it."""
    word = word.strip()
    if not (word.isascii() and word.isdecimal() and len(word) < 10 and least <= int(word) <= _MOST):
        raise BadInput(f"{option}: {word!r} is no whole number from {least} to {_MOST}")
    return int(word)


def _effort(stars: Sequence[int], draws: Sequence[int]) -> int:
    """Return about how many products exact odds take: for each set of players and each number that is most."""
    chips = sum(stars)
    return sum(2 ** len(stars) * len(stars) * min(number, chips) ** 3 // 16 for number in draws)


# --- What is told ------------------------------------------------------------------------------------

_TOLD = (
    ("leader_loses", "the MVP is no star leader"),
    ("tied_for_first", "several are tied for most drawn"),
    ("leader_tied_for_first", "a star leader is among the tied"),
    ("leader_alone_first", "a star leader alone has most drawn"),
)


def _one(odds: MvpOdds) -> list[Any]:
    """Return the tables of one number of draws."""
    chips = sum(odds.stars)
    players = table(
        f"Chance of being MVP: {min(odds.draws, chips)} of {chips} chips drawn, tie: {odds.tie}",
        ("player", "stars", "chance", "fraction"),
        (
            [str(player), str(own), *_number_and_fraction(chance)]
            for player, (own, chance) in enumerate(zip(odds.stars, odds.chances, strict=True), 1)
        ),
    )
    events = table(
        "Star leader and ties",
        ("what", "chance", "fraction"),
        ([what, *_number_and_fraction(getattr(odds, key))] for key, what in _TOLD),
    )
    return [players, "", events]


def _number_and_fraction(chance: Fraction) -> tuple[str, str]:
    """Return a chance as both texts."""
    return f"{float(chance):.6f}", str(chance)


def _curve(curve: Sequence[MvpOdds]) -> Any:
    """Return one table with a row for each number of draws."""
    stars = curve[0].stars
    return table(
        f"Chance of being MVP by chips drawn of {sum(stars)}, tie: {curve[0].tie}",
        ("draws", "leader loses", "tied", "leader tied", *(f"{own} stars" for own in stars)),
        (
            [
                str(odds.draws),
                *(
                    f"{float(chance):.4f}"
                    for chance in (odds.leader_loses, odds.tied_for_first, odds.leader_tied_for_first, *odds.chances)
                ),
            ]
            for odds in curve
        ),
    )


def _document(odds: MvpOdds) -> dict[str, Any]:
    """Return one number of draws as JSON data."""
    document: dict[str, Any] = {
        "stars": odds.stars,
        "draws": odds.draws,
        "tie": odds.tie,
        "chances": [float(chance) for chance in odds.chances],
        "chances_exact": [str(chance) for chance in odds.chances],
    }
    for key, _ in _TOLD:
        document[key] = float(getattr(odds, key))
        document[f"{key}_exact"] = str(getattr(odds, key))
    return document


def of_run(played: Played) -> tuple[str, str, str]:
    """Return stars, draws and tie rule as option texts for a run's typical end: mean stars by rank, rounded."""
    if played.rules.game != "book_festival":
        raise BadInput(f"--from-run: a run of {played.rules.game}; the MVP lottery is Book Festival's")
    if not played.totals.games:
        raise BadInput("--from-run: the run holds no games")
    by_rank = group(metrics(played.totals), "stars_by_rank")
    seats = played.totals.layout.plan.seats
    # A rank that nobody has, because of a tie before it, has the stars of the rank before.
    stars: list[float] = []
    found = dict(zip(by_rank["category"], by_rank["value"], strict=True))
    for rank in range(1, seats + 1):
        stars.append(found.get(str(rank), stars[-1] if stars else 0.0))
    values = played.rules.values
    return ",".join(f"{mean:.0f}" for mean in stars), str(values["mvp_draws"]), str(values["mvp_tie"])
