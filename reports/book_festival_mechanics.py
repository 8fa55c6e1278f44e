"""Sections of the report on Book Festival: sales, POPs and end shelves, genre bonuses, what seats do."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reports.book_festival_outcomes import CHANCE, parts_chart
from reports.drawn import WIDEST, interval_charts, series_chart
from reports.parts import Section, Table, matrix, text_table
from reports.runs import Shown, by_category, in_order, one, sorted_by_value
from sim.book_festival.state import GENRES, ITEMS
from sim.rules import value_text

ITEM_NAMES = {
    "recommended": "Recommended Series",
    "trial": "Trial Read",
    "related": "Related Books",
    "booklet": "With Booklet",
    "limited": "Limited Edition",
    "end_shelf": "end shelf",
}
_ASSOCIATION = (
    "Who buys or does a thing often is another player than who does not, and a long game leaves time for more of "
    "everything: these chances are associations, not what a thing is worth."
)
_GROSS = (
    "What an item brings is what came through it: the books might have been sold without it, only later or one at a "
    "time. Cards spent on Trial Read are its price and those discarded to stop animals."
)
_WIDE = f"Chances with an interval wider than ± {WIDEST:.0f} points are in the tables only."


def sales(runs: Sequence[Shown]) -> Section:
    """How books are sold: by cause, and to whom."""
    made = in_order(pd.concat([one([run], _SALES) for run in runs], ignore_index=True), list(_SALES.values()))
    made = made[made.groupby("category")["value"].transform("max") > 0]
    chart = parts_chart("sales", "Books that a seat sells in a game, by cause", made, "books")
    tables = (
        matrix("sales", "Books that a seat sells in a game, by cause", made, "cause"),
        matrix("books", "Books on the way", one(runs, _BOOKS), "a seat and game", True),
    )
    lead = (
        "An animal buys one book where it stops, all of them of its favourite genre. Recommended Series sells what "
        "lies beside it as well; the camel buys next door too, the chameleon a whole small stack.",
    )
    return Section("sales", "How books are sold", lead, (chart,), tables, (), "", True)


_SALES = {
    "sales_single": "single book",
    "sales_favourite": "favourite",
    "sales_recommended": "Recommended",
    "sales_camel": "camel, next door",
    "sales_chameleon": "chameleon",
    "bought_books": "total",
}
_BOOKS = {
    "placed": "books placed",
    "own_sales": "sold to one's own animal",
    "drawn_action": "cards drawn by an action",
    "drawn_bonus": "free cards for filled shelves",
    "drawn_booklet": "free cards for With Booklet",
    "hand_left": "cards in hand at the end",
}


def pops(runs: Sequence[Shown]) -> Section:
    """What is bought, and how those who bought it fare."""
    bought = one(runs, {f"bought_{item}": ITEM_NAMES[item] for item in ITEMS})
    chances = one(runs, {f"chance_when_bought_{item}": ITEM_NAMES[item] for item in ITEMS})
    spent = one(runs, {f"spent_{item}": ITEM_NAMES[item] for item in ITEMS})
    per_card = by_category(runs, "brought_per_card", ITEM_NAMES)
    clear = chances[chances["half_width"] <= WIDEST]
    charts = [
        *interval_charts(runs, "bought", "bought by a seat in a game", bought, "items"),
        *interval_charts(runs, "chance-bought", "win chance of those who bought", clear, CHANCE, True),
    ]
    copies = pd.concat([_by_copies(run) for run in runs], ignore_index=True)
    charts += [
        series_chart(
            f"chance-copies-{number}", f"{run.label}: win chance by how many were bought",
            copies[(copies["run"] == run.label) & (copies["half_width"] <= WIDEST)], CHANCE, "bought by a seat",
        )
        for number, run in enumerate(runs, start=1)
    ]  # fmt: skip
    copies["category"] = copies["series"] + ", " + copies["category"]
    tables = (
        _prices(runs),
        matrix("bought", "Items that a seat buys in a game", bought, "item"),
        matrix("spent", "Cards that a seat spends on them in a game", spent, "item"),
        matrix("brought", "What items bring", one(runs, _BROUGHT), "a seat and game", True),
        matrix("per-card", "What items bring for a card spent on them", per_card, "item", True),
        matrix("chance-bought", "Exact chance of being MVP when bought, %, each as often as bought", chances, "item"),
        matrix("chance-copies", "Exact chance of being MVP by how many were bought, %", copies, "item, number"),
    )
    lead = (
        "Cards from the hand pay for POPs and end shelves. How often each kind is bought shows what the policies "
        "think of it; the win chance of its buyers, each counted as often as it bought, shows how they fare.",
    )
    shown = tuple(table for table in tables if table.rows)
    return Section("pops", "POPs and end shelves", lead, tuple(charts), shown, (_ASSOCIATION, _GROSS, _WIDE))


_BROUGHT = {
    "sales_recommended": "Recommended Series: books sold beside it",
    "trials": "Trial Read: animals stopped",
    "trial_sales": "Trial Read: books sold to them",
    "related_bonus": "Related Books: stars of piles completed so",
    "drawn_booklet": "With Booklet: free cards",
    "stars_by_limited": "Limited Edition: stars",
    "shelf_sales": "end shelf: books sold from it",
    "chance_when_stopping": "win chance of those who stop animals",
}


def _by_copies(run: Shown) -> pd.DataFrame:
    """Return the win chance by how many of each item a seat bought, `runs.COLUMNS` and the item as `series`."""
    frames = [by_category([run], f"win_rate_by_bought_{item}").assign(series=ITEM_NAMES[item]) for item in ITEMS]
    return pd.concat(frames, ignore_index=True)


def _prices(runs: Sequence[Shown]) -> Table:
    """Return what the items cost, and how many there are, by run where runs differ."""
    keys = {
        **{f"pop_cost_{item}": f"{ITEM_NAMES[item]}, cards" for item in ITEMS[:-1]},
        "end_shelf_cost": "end shelf, cards",
        "pop_copies": "copies of each POP",
        "end_shelves_max": "end shelves a seat",
    }
    values = {run.label: {key: value_text(run.played.rules.values[key]) for key in keys} for run in runs}
    first = next(iter(values.values()))
    if all(one_run == first for one_run in values.values()):
        values = {"cost": first}
    rows = [{"rule": name, **{label: rules[key] for label, rules in values.items()}} for key, name in keys.items()]
    return text_table("prices", "What things cost (the rule)", pd.DataFrame(rows))


def genres(runs: Sequence[Shown]) -> Section:
    """Genre piles: how many fill up, and which."""
    piles = sorted_by_value(one(runs, {f"piles_{genre}": _genre(genre) for genre in GENRES}))
    charts = interval_charts(runs, "piles", "piles completed in a game", piles, "piles")
    tables = (
        matrix("piles", "Genre piles completed in a game", piles, "genre"),
        matrix("bonuses", "Genre bonuses", one(runs, _BONUSES), "a seat and game", True),
    )
    lead = (
        "Sold books go to their genre's pile, those from a slot with Related Books to any. A genre that nobody's "
        "animal favours sells one book at a time.",
    )
    return Section("genres", "Genre piles", lead, tuple(charts), tables, (_ASSOCIATION,))


_BONUSES = {
    "piles": "piles completed",
    "stars_by_bonus": "stars from them",
    "chance_when_genre_bonus": "win chance of those who complete piles",
}


def _genre(genre: str) -> str:
    return "picture books" if genre == "picture" else genre


def actions(runs: Sequence[Shown]) -> Section:
    """What seats do with their actions."""
    used = one(runs, {f"actions_{key}": name for key, name in _ACTIONS.items()})
    chances = one(runs, {f"chance_by_action_{key}": name for key, name in _ACTIONS.items()})
    clear = chances[chances["half_width"] <= WIDEST]
    charts = [
        *interval_charts(runs, "actions", "actions of a seat in a game", used, "actions"),
        *interval_charts(runs, "chance-actions", "win chance of those who did it", clear, CHANCE, True),
    ]
    tables = (
        matrix("actions", "Actions of a seat in a game", used, "action"),
        matrix("chance-actions", "Exact chance of being MVP, %, seats counted as often as they did it", chances, ""),
    )
    lead = ("How a seat uses its actions, and the win chance of those who did so, each counted as often as it did.",)
    return Section("actions", "What seats do", lead, tuple(charts), tables, (_ASSOCIATION, _WIDE))


_ACTIONS = {
    "place": "place books",
    "draw": "draw a card",
    "buy": "buy a POP or shelf",
    "retrieve": "retrieve books",
    "pass": "pass",
}
