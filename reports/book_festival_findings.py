"""What the report on Book Festival says first: the findings, each called against a band stated here."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reports.book_festival_bands import ANIMAL_REACH, POLICY_REACH, SEAT_REACH
from reports.book_festival_mechanics import ITEM_NAMES
from reports.book_festival_mvp import own_draws, typical_loses
from reports.findings import (
    Band,
    Called,
    Check,
    Finding,
    Tag,
    Topic,
    are_alike,
    best,
    first_of,
    highest,
    listed,
    lowest,
    of_metric,
    outside,
)
from reports.findings import find as call_topics
from reports.numbers import GAP, amount, percent, plain, share
from reports.parts import Table
from reports.ranking import either
from reports.runs import Shown
from reports.topics import (
    around_fair,
    bands_table,
    by_side,
    by_tag,
    evenness,
    fair,
    of_policies,
    of_seats,
    policy_line,
    policy_title,
    range_line,
)
from sim.book_festival.state import ANIMALS, CAUSES, GENRES, ITEMS

#: Share of games in which no star leader is MVP: the lottery should matter, and so should the stars.
LEADER_LOSES = Band(0.30, 0.60)

#: Rounds of a game on average.
LENGTH = Band(6, 15, "rounds")

#: Share of games that the guard on rounds ends.
STALLED = Band(-math.inf, 0.01)

#: Each kind of POP, and end shelves, bought by a seat in a game: what nobody buys could be left in the box.
BOUGHT = Band(0.05, math.inf, "a seat and game")

#: How far draws may lie from their exact chance, as a share of games.
DRAW_REACH = 0.01


def bands(_runs: Sequence[Shown]) -> Table:
    """Return the bands that findings are called against."""
    rows = [
        ("games whose MVP is no star leader", str(LEADER_LOSES), "the draw should matter, and so should the stars"),
        (
            "win chance of a policy",
            around_fair(POLICY_REACH),
            "no way of playing should be hopeless or a must",
        ),
        (
            "win chance with an animal",
            around_fair(ANIMAL_REACH),
            "animals are dealt, not chosen",
        ),
        (
            "win chance of a seat",
            around_fair(SEAT_REACH),
            "chairs are not chosen",
        ),
        ("length of a game", str(LENGTH), "time to build up a booth, and an end in sight"),
        ("stalled games", f"at most {share(STALLED.high)}", "games must come to an end"),
        ("items of each kind bought", str(BOUGHT), "what nobody buys could be left in the box"),
        (
            "draws lost by star leaders against their exact chance",
            f"± {100 * DRAW_REACH:.0f} percentage points",
            "checks the simulation",
        ),
    ]
    return bands_table(rows)


def find(runs: Sequence[Shown]) -> tuple[list[Finding], int]:
    """Return the findings on these runs, and how many values were called together for them."""
    return call_topics(runs, checks, _TOPICS)


def checks(run: Shown) -> list[Check]:
    """Return every value of a run that the findings name."""
    found: list[Check] = []

    def check(topic: str, subject: str, metric: str, band: Band | None = None) -> None:
        found.extend(of_metric(topic, run, subject, metric, band))

    has_stars = run.estimate("bag").value > 0
    if has_stars:
        check("leader", "loses", "leader_loses", LEADER_LOSES)
        check("leader", "unique", "unique_leader_loses_if_unique")
        check("leader", "one ahead", "leader_loses_by_margin[1]")
        check("leader", "last", "last_wins")
    found += of_policies(run, POLICY_REACH)
    for animal in ANIMALS:
        check("animal", animal, f"win_rate_by_animal[{animal}]", fair(run, ANIMAL_REACH))
    found += of_seats(run, SEAT_REACH)
    check("length", "lasted", "lasted", LENGTH)
    check("length", "ran out", "ran_out")
    check("stalled", "stalled", "stalled", STALLED)
    for item in ITEMS:
        if _is_for_sale(run, item):
            check("bought", ITEM_NAMES[item], f"bought_{item}", BOUGHT)
    for cause in CAUSES:
        check("sales", cause, f"sales_{cause}")
    for kind in ("sale", "limited", "bonus"):
        check("stars", kind, f"stars_by_{kind}")
    for genre in GENRES:
        check("genre", "picture books" if genre == "picture" else genre, f"piles_{genre}")
    if has_stars:
        exact = run.estimate("leader_loses").value
        check("draw", "drawn", "leader_lost", Band(exact - DRAW_REACH, exact + DRAW_REACH))
    return found


def _is_for_sale(run: Shown, item: str) -> bool:
    values = run.played.rules.values
    return values["end_shelves_max" if item == "end_shelf" else "pop_copies"] != 0


# Titles and lines, a pair for each topic -----------------------------------------------------------


def _leader_title(groups: list[list[Called]], called_as: Tag) -> str:
    if called_as == "inside the band":
        return "The star leader loses some draws and wins some, as it should"
    if called_as == "too close to call":
        return "Whether the star leader loses the draw too often is too close to call"
    return f"The star leader loses the draw {by_side(groups, 'too often', 'too seldom')}"


def _leader_line(run: Shown, parts: dict[str, Called]) -> str:
    said = [f"in {percent(parts['loses'].found)} of the games no star leader is MVP"]
    if "unique" in parts:
        said.append(f"a single leader loses {percent(parts['unique'].found)}")
    if "one ahead" in parts:
        said.append(f"with a lead of one star {percent(parts['one ahead'].found)}")
    said.append(f"a seat with the fewest stars wins {percent(parts['last'].found)}")
    curve = [f"about {share(typical_loses(run, draws))} with {draws}" for draws in (1, 30) if draws != own_draws(run)]
    return f"{', '.join(said)}; this is with {own_draws(run)} drawn, it would be {', '.join(curve)}"


def _animal_title(groups: list[list[Called]], called_as: Tag) -> str:
    return evenness("animals", groups, called_as)


def _seat_title(groups: list[list[Called]], called_as: Tag) -> str:
    return evenness("seats", groups, called_as)


def _length_title(groups: list[list[Called]], called_as: Tag) -> str:
    return by_tag(
        called_as,
        f"Games are {by_side(groups, 'too long', 'too short')}",
        "Games last as long as they should",
        "Whether games last as long as they should is too close to call",
    )


def _length_line(_run: Shown, parts: dict[str, Called]) -> str:
    ran_out = parts["ran out"]
    sent = f"{amount(ran_out.found)} seats have sent their" if _value(ran_out) > 0 else "no seat has sent its"
    return f"{amount(parts['lasted'].found)} rounds on average; at the end {sent} last star"


def _stalled_title(_groups: list[list[Called]], called_as: Tag) -> str:
    return by_tag(
        called_as,
        "Too many games stall: no supply runs out before the guard on rounds",
        "Games come to an end by themselves",
        "Whether too many games stall is open",
    )


def _stalled_line(run: Shown, parts: dict[str, Called]) -> str:
    guard = run.played.rules.values["max_rounds"]
    return f"{percent(parts['stalled'].found)} of the games come to round {guard} with stars left in every supply"


def _bought_title(groups: list[list[Called]], called_as: Tag) -> str:
    subjects = {one.subject for group in groups for one in group}
    dead = list(dict.fromkeys(one.subject for group in groups for one in outside(group)))
    pops, shelves = ("Every kind of POP is bought" if subjects != {_SHELF} else ""), _SHELF in subjects
    return by_tag(
        called_as,
        "Hardly anybody buys anything" if set(dead) == subjects else f"Hardly anybody buys: {', '.join(dead)}",
        f"{pops}, and so are end shelves" if pops and shelves else pops or "End shelves are bought",
        "Whether all that is for sale is bought is open",
    )


_SHELF = ITEM_NAMES["end_shelf"]


def _bought_line(_run: Shown, parts: dict[str, Called]) -> str:
    called = list(parts.values())
    most, least = highest(called), lowest(called)
    if _value(most) == 0:
        return "nothing is ever bought"
    often = f"{amount(most.found)} times a seat and game"
    if len(parts) == 1:
        return f"{most.subject}, {often}"
    never = [one.subject for one in called if _value(one) == 0]
    seldom = f"least often {either(first_of(called, is_least=True))}, {amount(least.found)}"
    return f"most often {either(first_of(called))}, {often}, {f'never {listed(never)}' if never else seldom}"


def _sales_title(groups: list[list[Called]], _: Tag) -> str:
    total = sum(_value(one) for group in groups for one in group)
    favourite = sum(_value(one) for group in groups for one in group if one.subject == "favourite")
    if total == 0:
        return "No book is sold"
    return f"{plain(100 * favourite / total, 0)}{GAP}% of the books go to animals whose favourite they are"


def _sales_line(_run: Shown, parts: dict[str, Called]) -> str:
    said = [f"{subject} {amount(one.found)}" for subject, one in parts.items() if _value(one) > 0]
    return f"books sold by a seat in a game: {', '.join(said) or 'none'}"


def _value(one: Called) -> float:
    return 0.0 if math.isnan(one.found.value) else one.found.value


def _stars_title(groups: list[list[Called]], _: Tag) -> str:
    total = sum(_value(one) for group in groups for one in group)
    sold = sum(_value(one) for group in groups for one in group if one.subject == "sale")
    if total == 0:
        return "Nobody gains a star"
    if sold == total:
        return "All stars are for books sold"
    return f"{plain(100 * sold / total, 0)}{GAP}% of the stars are for books sold, the others extras"


def _stars_line(_run: Shown, parts: dict[str, Called]) -> str:
    kinds = {"sale": "books", "limited": "Limited Edition", "bonus": "genre piles"}
    said = [f"{amount(parts[kind].found)} for {what}" for kind, what in kinds.items() if _value(parts[kind]) > 0]
    return f"stars of a seat: {', '.join(said) or 'none'}"


def _genre_title(groups: list[list[Called]], _: Tag) -> str:
    telling = [group for group in groups if not are_alike(group)]
    if not telling:
        return "No genre's piles fill up more often than another's"
    names, clear = best(telling)
    if clear:
        return f"{' or '.join(names).capitalize()} piles fill up most often"
    return "Which genre's piles fill up most often is too close to tell"


def _genre_line(_run: Shown, parts: dict[str, Called]) -> str:
    most, least = highest(list(parts.values())), lowest(list(parts.values()))
    if _value(most) == 0:
        return "no pile ever fills up"
    seldom = amount(least.found) if _value(least) > 0 else "never"
    return f"{most.subject} {amount(most.found)} times a game, {least.subject} {seldom}"


def _draw_title(_groups: list[list[Called]], called_as: Tag) -> str:
    return by_tag(
        called_as,
        "Draws differ from their exact chance: distrust this report",
        "Draws come out as calculated: the simulation holds",
        "Draws agree with their exact chance as far as so few games tell",
    )


def _draw_line(run: Shown, parts: dict[str, Called]) -> str:
    exact = run.estimate("leader_loses").value
    drawn = percent(parts["drawn"].found)
    return f"drawn, no star leader is MVP in {drawn} of the games; exactly, given their stars, in {share(exact)}"


_POLICY_LINE = policy_line(
    POLICY_REACH,
    "each has a win chance of {rate}",
    "{subject} has a win chance of {rate}",
    "{subject} of {rate}",
)
_EACH = "win chance {rate} for each"
_ANIMAL_LINE = range_line(_EACH, "win chance {rate} with {subject}", "{rate} with {subject}")
_SEAT_LINE = range_line(_EACH, "win chance {rate} of {subject}", "{rate} of {subject}")

_TOPICS: tuple[Topic, ...] = (
    ("leader", _leader_title, _leader_line),
    ("policy", policy_title, _POLICY_LINE),
    ("animal", _animal_title, _ANIMAL_LINE),
    ("seat", _seat_title, _SEAT_LINE),
    ("length", _length_title, _length_line),
    ("stalled", _stalled_title, _stalled_line),
    ("bought", _bought_title, _bought_line),
    ("sales", _sales_title, _sales_line),
    ("stars", _stars_title, _stars_line),
    ("genre", _genre_title, _genre_line),
    ("draw", _draw_title, _draw_line),
)
