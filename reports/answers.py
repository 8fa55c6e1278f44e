"""An answer on a terminal, as JSON data and as a small chart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from reports.charts import COLOURS, GRID
from reports.console import assumptions, estimated, finite, measured, table, with_interval
from reports.picture import check_ending, save
from reports.questions import Answer, Listed, Question
from reports.tables import rows


def questions_text(questions: Sequence[Question]) -> list[Any]:
    """Return the list of questions."""
    lines = [[q.name, q.game, q.title] for q in questions]
    return [table("Questions", ("question", "game", "asks"), lines, left=3), "", "Ask one: steelyard ask leader-loss"]


def questions_data(questions: Sequence[Question]) -> list[dict[str, str]]:
    """Return the list of questions as JSON data."""
    return [{"question": q.name, "game": q.game, "title": q.title} for q in questions]


def answer_text(answer: Answer, varied: Sequence[tuple[int, Answer]]) -> list[Any]:
    """Return the sentence, its tables, what it was measured on and what it rests on."""
    played = answer.played
    parts: list[Any] = []
    parts += [part for listed in answer.question.tables for part in (_table_text(answer, listed), "")]
    if varied and answer.question.vary:
        rule = answer.question.vary.rule
        lines = [[str(value), estimated(*found.interval, found.unit)] for value, found in varied]
        games = min(found.played.totals.games for _, found in varied)
        parts += [table(f"By {rule} ({games:,} games each, or more)", (rule, "value"), lines), ""]
    is_precise = played.totals.planned and not played.is_cut_short
    until = "; played until the answer was within its precision" if is_precise else ""
    told = (
        f"Measured on {played.totals.games:,} games of {played.totals.layout.plan.seats} players "
        f"({played.rules.name}), seed {played.seed}; {answer.question.method}{until}."
    )
    return [answer.question.title, "", answer.sentence, "", *parts, told, assumptions(played.rules)]


def _table_text(answer: Answer, listed: Listed) -> Any:
    """Return a table of the answer: the metric by category, and what stands beside it."""
    names = [name for _, name in listed.beside]
    lines = [
        [
            str(r.category),
            measured(r),
            *(with_interval(*(getattr(r, f"{name}{end}") for end in ("", "_half_width", "_unit"))) for name in names),
            r.unit,
        ]
        for r in rows(answer.tables[listed.key])
    ]
    heads = (listed.category, listed.value, *names, "unit")
    return table(listed.title[0].upper() + listed.title[1:], heads, lines)


def answer_data(answer: Answer, varied: Sequence[tuple[int, Answer]]) -> dict[str, Any]:
    """Return `ask --json`'s document."""
    document: dict[str, Any] = {
        "question": answer.question.name,
        "game": answer.question.game,
        "answer": answer.sentence,
        "value": answer.value,
        "half_width": answer.half_width,
        "low": answer.low,
        "high": answer.high,
        "counted": answer.counted,
        "unit": answer.unit,
        "about": answer.about,
        "highest": list(answer.highest),
        "lowest": list(answer.lowest),
        "games": answer.played.totals.games,
        "players": answer.played.totals.layout.plan.seats,
        "seed": answer.played.seed,
        "name": answer.played.rules.name,
    }
    for listed in answer.question.tables:
        document[listed.key] = _table_data(answer, listed)
    if varied and answer.question.vary:
        vary = answer.question.vary
        document[vary.key] = [
            {
                vary.rule: value,
                "value": found.value,
                "half_width": found.half_width,
                "counted": found.counted,
                "games": found.played.totals.games,
            }
            for value, found in varied
        ]
    document["method"] = answer.question.method
    document["assumptions"] = answer.played.rules.assumptions()
    document["readings"] = answer.played.rules.readings()
    return {key: finite(value) for key, value in document.items()}


def _table_data(answer: Answer, listed: Listed) -> list[dict[str, Any]]:
    """Return a table's rows, if wished with the games that had each category."""
    totals = answer.played.totals
    places = totals.layout.index()
    found = []
    for r in rows(answer.tables[listed.key]):
        category = int(r.category) if listed.is_counted else r.category
        row = {listed.category or "category": category, listed.value: r.value}
        row |= {"half_width": r.half_width, "low": r.low, "high": r.high, "counted": r.counted, "unit": r.unit}
        for _, name in listed.beside:
            row |= {end: getattr(r, end) for end in (name, f"{name}_half_width")}
        if listed.is_counted:
            row["games"] = int(totals.sums[places[f"{listed.metric}[{r.category}]"], 1])
        found.append(row)
    return found


def plot(answer: Answer, varied: Sequence[tuple[int, Answer]], file: Path) -> None:
    """Draw the answer's first table, or the varied rule, with intervals; the file's ending says the format."""
    check_ending("--plot", file)
    if answer.question.tables:
        frame = answer.tables[answer.question.tables[0].key]
        names = [str(name) for name in frame["category"]]
        values, halves, units = list(frame["value"]), list(frame["half_width"]), list(dict.fromkeys(frame["unit"]))
        unit = units[0] if len(units) == 1 else ""
        if len(units) > 1:
            names = [f"{name}, {of}" for name, of in zip(names, frame["unit"], strict=True)]
    elif varied:
        names = [str(value) for value, _ in varied]
        values, halves = [a.value for _, a in varied], [a.half_width for _, a in varied]
        unit = answer.unit
    else:
        names, values, halves, unit = ["all games"], [answer.value], [answer.half_width], answer.unit
    save(file, lambda: _figure(answer.question.title, names, values, halves, unit))


def _figure(title: str, names: list[str], values: list[float], halves: list[float], unit: str) -> Figure:
    """Return the drawing of named values with their intervals."""
    factor = 100 if unit.startswith("share") else 1
    figure = Figure(figsize=(6.4, 0.9 + 0.34 * len(names)), layout="constrained")
    ax = figure.add_subplot()
    places = range(len(names))
    ax.errorbar([v * factor for v in values], places, xerr=[h * factor for h in halves], fmt="o", color=COLOURS[0])
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    ax.set_xlabel(f"% ({unit})" if factor == 100 else unit)
    ax.set_title(title, fontsize=10, loc="left")
    ax.grid(axis="x", color=GRID)
    return figure
