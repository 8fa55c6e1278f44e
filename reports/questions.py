"""What a designer's question is, where a game's questions are found, and how one is answered from a run.

A question names the metric that is its answer, the sentence that says it, and the tables that go with it. The first
of `metrics` is the answer; the sentence's {0}, {1}, ... are the metrics with their intervals, {unit} is the answer's
unit, {about} what a question with a subject is answered for, and {ends} who of the subject's entries has the most and
the least. An entry is told alone only where it is clear of the next, all intervals holding together.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from reports.console import measured
from reports.ranking import MOST_NAMED, either, joint_level, may_be_first
from reports.tables import group, metrics, rows
from sim.errors import BadInput, unknown
from sim.played import Played
from sim.rules import games


@dataclass(frozen=True)
class Variation:
    """A value of a varied rule, and how many games are played with it."""

    rule: str
    value: int
    games: int


@dataclass(frozen=True)
class Vary:
    """A rule, values for which the answer is told as well, and the key of the document that lists them."""

    rule: str
    values: tuple[int, ...]
    key: str


@dataclass(frozen=True)
class Listed:
    """A table of an answer: a metric by category, under a key of the document.

    category and value say what they are called, where they have names of their own. beside are other metrics with
    the same categories, and how each is called there. is_counted: the categories are numbers, and how many games
    had each is told too.
    """

    key: str
    metric: str
    title: str
    category: str = ""
    value: str = "value"
    beside: tuple[tuple[str, str], ...] = ()
    is_counted: bool = False


@dataclass(frozen=True)
class Subject:
    """What a sentence is about: the entries of a metric, above all the one with the highest.

    metric is that metric's name with {about} for the entry; names are the entries, and how the sentence calls them.
    ends says, with {most} and {least}, which entries may have the highest metric and the lowest; even what is said
    instead where nothing sets the entries apart.
    """

    metric: str
    names: Mapping[str, str]
    ends: str = ""
    even: str = ""


@dataclass(frozen=True)
class Question:
    """One question to one game, a small entry.

    metrics may hold {about}, which stands for the subject's entry. settings are the rules that the question needs, as
    key=value texts; vary a rule for whose values the answer is told as well, on the same games.
    """

    name: str
    game: str
    title: str
    metrics: tuple[str, ...]
    sentence: str
    tables: tuple[Listed, ...] = ()
    subject: Subject | None = None
    settings: tuple[str, ...] = ()
    vary: Vary | None = None
    method: str = "simulated"

    def variations(self, games: int, is_cut_short: bool) -> list[Variation]:
        """Return the values of the varied rule to answer for, with a tenth of the games each; none after a stop."""
        if self.vary is None or is_cut_short:
            return []
        return [Variation(self.vary.rule, value, max(1, games // 10)) for value in self.vary.values]

    @property
    def watched(self) -> str:
        """The metric that a precision is about; its whole family where the games are yet to tell which of it."""
        family, _, entry = self.metrics[0].partition("[")
        return family if "{about}" in entry else self.metrics[0]


def of_game(game: str | None) -> list[Question]:
    """Return the questions to a game, or to all: `QUESTIONS` of each game's `reports/<game>_questions.py`."""
    asked = games() if game is None else (game,)
    return [question for name in asked for question in importlib.import_module(f"reports.{name}_questions").QUESTIONS]


def find(name: str, game: str | None) -> Question:
    """Return the question of that name; raise BadInput when there is none, or when two games have it."""
    known = of_game(game)
    found = [question for question in known if question.name == name]
    elsewhere = [question.game for question in of_game(None) if question.name == name]
    if not found and elsewhere:
        names = ", ".join(question.name for question in known)
        raise BadInput(f"ask {name}: is a question of {' and '.join(elsewhere)}, not of {game}; of {game}: {names}")
    if not found:
        raise unknown("question", name, dict.fromkeys(question.name for question in known))
    if len(found) > 1:
        raise BadInput(f"ask {name}: say which game with --game: {' or '.join(q.game for q in found)}")
    return found[0]


@dataclass(frozen=True)
class Answer:
    """A question answered: the sentence, and the frame of each table by its key.

    about is the entry whose metric the answer is, else None; highest and lowest are the subject's entries that may
    have the highest and the lowest metric, one that is clear of the next alone. Frames have tables.COLUMNS, and of
    each metric beside them three more, called by its name there: NAME, NAME_half_width and NAME_unit.
    """

    question: Question
    played: Played
    sentence: str
    value: float
    half_width: float
    low: float
    high: float
    counted: float
    unit: str
    about: str | None
    tables: Mapping[str, pd.DataFrame]
    highest: tuple[str, ...] = ()
    lowest: tuple[str, ...] = ()

    @property
    def interval(self) -> tuple[float, float, float, float]:
        """The value, its interval's ends and the effective games behind it."""
        return self.value, self.low, self.high, self.counted


def answer(question: Question, played: Played) -> Answer:
    """Answer a question from a run; raise BadInput when the run has not counted what it asks for."""
    frame = metrics(played.totals)
    about = _about(question, frame)
    asked = [name.format(about=about) for name in question.metrics]
    missing = [name for name in asked if name not in frame.index]
    if missing:
        raise BadInput(f"ask {question.name}: these games never showed {', '.join(missing)}")
    told = list(rows(frame.loc[asked]))
    highest, lowest = _ends(question.subject, played, frame)
    return Answer(
        question,
        played,
        question.sentence.format(
            *map(measured, told),
            unit=told[0].unit,
            **_said(question.subject, about, highest, lowest, frame),
        ),
        told[0].value,
        told[0].half_width,
        told[0].low,
        told[0].high,
        round(told[0].counted, 2),
        told[0].unit,
        about if any("{about}" in name for name in question.metrics) else None,
        {listed.key: _table(listed, frame) for listed in question.tables},
        tuple(highest),
        tuple(lowest),
    )


def _about(question: Question, frame: pd.DataFrame) -> str | None:
    """Return the subject's entry with the highest metric, of those for which all was counted that the answer says."""
    subject = question.subject
    if subject is None:
        return None
    told = (subject.metric, *question.metrics)
    counted = [entry for entry in subject.names if all(name.format(about=entry) in frame.index for name in told)]
    values = frame["value"]
    worth = {entry: float(values[_metric(subject, entry)]) for entry in counted}
    highest = max(counted, key=lambda entry: -math.inf if math.isnan(worth[entry]) else worth[entry], default=None)
    return highest or next(iter(subject.names))


def _ends(subject: Subject | None, played: Played, frame: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Return the entries that may have the highest metric and the lowest, by intervals that hold together."""
    if subject is None:
        return [], []
    slots = {entry: played.totals.layout.index().get(subject.metric.format(about=entry)) for entry in subject.names}
    counted = {
        entry: slot for entry, slot in slots.items() if slot is not None and _metric(subject, entry) in frame.index
    }
    level = joint_level(len(counted))
    found = {entry: played.totals.estimate(slot, level) for entry, slot in counted.items()}
    return (may_be_first(found), may_be_first(found, is_least=True)) if found else ([], [])


def _metric(subject: Subject, entry: str) -> str:
    return subject.metric.format(about=entry)


def _said(
    subject: Subject | None, about: str | None, highest: Sequence[str], lowest: Sequence[str], frame: pd.DataFrame
) -> dict[str, str]:
    """Return how a sentence calls the subject it is about, and the entries at both ends."""
    if subject is None:
        return {}
    names = subject.names

    def told(entries: Sequence[str]) -> str:
        found = rows(frame.loc[[_metric(subject, entry) for entry in entries]])
        values = [measured(row) for row in found]
        if len(entries) > MOST_NAMED:
            return f"one of {len(entries)}, such as {names[entries[0]]} ({values[0]})"
        return either([f"{names[entry]} ({value})" for entry, value in zip(entries, values, strict=True)])

    rivals = [names[entry] for entry in highest if entry != about]
    who = names[about] if about else ""
    said = {"about": f"{who} (not clearly ahead of {either(rivals)})" if about in highest and rivals else who}
    if set(highest) != set(lowest):
        said["ends"] = subject.ends.format(most=told(highest), least=told(lowest))
    elif highest:
        said["ends"] = f"{subject.even}: from {told(lowest[:1])} to {told(highest[:1])}"
    return said


def _table(listed: Listed, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table's frame with what stands beside its metric."""
    made = group(frame, listed.metric)
    for metric, name in listed.beside:
        other = group(frame, metric).set_index("category")
        for column, end in (("value", ""), ("half_width", "_half_width"), ("unit", "_unit")):
            made = made.assign(**{f"{name}{end}": made["category"].map(other[column])})
    return made
