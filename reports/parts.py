"""What a report is made of: sections with charts and tables, and the parts that every game's report has.

Texts are plain; whoever writes them out (HTML, Markdown) escapes them, since names of policies, variants and
parameters are a stranger's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from reports.findings import Finding
from reports.numbers import NOTHING, count, digits_for, with_interval
from reports.runs import Shown
from sim.rules import to_toml, value_text


@dataclass(frozen=True, eq=False)
class Chart:
    """A drawing with the frame it shows; `name` is that of its files, `alt` says it in words."""

    name: str
    title: str
    alt: str
    frame: pd.DataFrame
    svg: str


@dataclass(frozen=True, eq=False)
class Table:
    """A table as shown, `head` and `rows` of text, and the frame behind it, which its CSV file holds."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    frame: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Section:
    """A part of the report: what it says (`lead`), charts, tables, what to mind in reading (`notes`)."""

    key: str
    title: str
    lead: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    code: str = ""
    are_tables_open: bool = False


@dataclass(frozen=True, eq=False)
class Report:
    """A whole report: `rests_on` says in sentences what its numbers rest on."""

    title: str
    subtitle: str
    runs: Table
    findings: tuple[Finding, ...]
    rests_on: tuple[str, ...]
    bands: Table
    sections: tuple[Section, ...]
    rules: Mapping[str, str]
    """Rules files to play the variants by: file name -> TOML."""


def text_table(name: str, title: str, frame: pd.DataFrame) -> Table:
    """Return a table that shows a frame of texts as it is."""
    rows = tuple(tuple(str(entry) for entry in row) for row in frame.itertuples(index=False))
    return Table(name, title, tuple(str(column) for column in frame.columns), rows, frame)


def matrix(name: str, title: str, frame: pd.DataFrame, what: str, has_units: bool = False) -> Table:
    """Return a table of measured values (`runs.COLUMNS`): categories down, runs across, an interval in each cell.

    `what` heads the categories. Digits suit the whole table, or each row where rows have units of their own.
    """
    labels = list(dict.fromkeys(frame["run"]))
    digits = digits_for(frame["half_width"])
    rows = []
    for category, lines in frame.groupby("category", sort=False):
        own = digits_for(lines["half_width"]) if has_units else digits
        cells = {
            str(row["run"]): with_interval(row["value"], row["low"], row["high"], own)
            for row in lines.to_dict("records")
        }
        unit = (str(lines["unit"].iloc[0]),) if has_units else ()
        rows.append((str(category), *(cells.get(label, NOTHING) for label in labels), *unit))
    head = (what, *labels, *(("unit",) if has_units else ()))
    return Table(name, title, head, tuple(rows), frame)


def runs_table(runs: Sequence[Shown]) -> Table:
    """Return what was played: a row for each run."""
    rows = [
        {
            "run": run.label,
            "rules": run.played.rules.name,
            "games": count(run.played.totals.games) + (" (cut short)" if run.played.is_cut_short else ""),
            "seed": str(run.played.seed),
            "policies": str(len(run.played.labels)),
            "line-up": run.played.line_up,
        }
        for run in runs
    ]
    return text_table("runs", "What was played", pd.DataFrame(rows))


def assumptions(runs: Sequence[Shown]) -> Section:
    """Return the section on what no source states: each assumed parameter, and each that a user changed."""
    rules = runs[0].played.rules
    assumed = [key for key in rules.parameters if any(key in run.played.rules.assumptions() for run in runs)]
    changed = [
        key for key in rules.parameters if key not in assumed and any(key in run.played.rules.changed for run in runs)
    ]
    readings = _readings(runs)
    tables = [
        text_table("assumptions", "Assumed, or read so: no source settles these", _parameters(runs, assumed)),
        *([text_table("readings", "Read so, without a parameter", pd.DataFrame(readings))] if readings else []),
        *([text_table("changed", "Changed from the rule book", _parameters(runs, changed))] if changed else []),
    ]
    notes = dict.fromkeys(f"{run.label}: {note}." for run in runs for note in run.played.rules.notes())
    lead = (
        "No source states the values below. They are stand-ins, each with the range that seems plausible, or "
        "readings of a text that can be read otherwise; the numbers of this report would move with them.",
    )
    return Section("assumptions", "What the numbers assume", lead, (), tuple(tables), tuple(notes), "", True)


def _readings(runs: Sequence[Shown]) -> list[dict[str, str]]:
    """Return the readings without a parameter, and in which runs each is in play."""
    found: dict[str, list[str]] = {}
    for run in runs:
        for line in run.played.rules.readings():
            found.setdefault(line, []).append(run.label)
    return [
        {"reading": line, "in": "all" if len(labels) == len(runs) else ", ".join(labels)}
        for line, labels in found.items()
    ]


def _parameters(runs: Sequence[Shown], keys: Sequence[str]) -> pd.DataFrame:
    rows = []
    for key in keys:
        parameter = runs[0].played.rules.parameters[key]
        is_changed = any(key in run.played.rules.changed for run in runs)
        default = f" (default {value_text(parameter.value)})" if is_changed else ""
        rows.append(
            {
                "parameter": key,
                "value": _value_over(runs, key) + default,
                "": "changed" if is_changed else parameter.provenance,
                "plausible": parameter.plausible_text() or NOTHING,
                "unit": parameter.unit,
                "meaning": parameter.meaning,
            }
        )
    return pd.DataFrame(rows, columns=["parameter", "value", "", "plausible", "unit", "meaning"])


def _value_over(runs: Sequence[Shown], key: str) -> str:
    """Return a parameter's value, by run where runs differ."""
    found: dict[str, list[str]] = {}
    for run in runs:
        if run.played.rules.is_in_play(key):
            found.setdefault(value_text(run.played.rules.values[key]), []).append(run.label)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{value} ({', '.join(labels)})" for value, labels in found.items()) or NOTHING


def reproduce(runs: Sequence[Shown], command: str) -> Section:
    """Return the section on how to get the same numbers again."""
    played = [run.played for run in runs]
    versions = pd.DataFrame(
        [
            {"what": key, **{run.label: run.played.versions.get(key, NOTHING) for run in runs}}
            for key in dict.fromkeys(key for run in played for key in run.versions)
        ]
        + [{"what": "rules version", **{run.label: str(run.played.rules.version) for run in runs}}]
    )
    policies: dict[tuple[str, ...], list[str]] = {}
    for run in runs:
        for policy in run.played.policies:
            params = ", ".join(f"{value:g}" for value in policy.params) or NOTHING
            origin = "from outside the package" if policy.outside else "built in"
            entry = (policy.label, params, origin, policy.source)
            labels = policies.setdefault(entry, [])
            if run.label not in labels:
                labels.append(run.label)
    everywhere = len(runs)
    listed = pd.DataFrame(
        [
            (*entry, "all runs" if len(labels) == everywhere else "; ".join(labels))
            for entry, labels in policies.items()
        ],
        columns=["policy", "parameters", "origin", "source hash", "in"],
    )
    lead = (
        "The same command, seed, rules and versions give the same numbers to the last digit, on any machine and "
        "with any number of threads. The rules of every run lie beside this page as rules files.",
    )
    tables = (
        replace(runs_table(runs), name="played"),
        text_table("versions", "Versions", versions),
        text_table("policies", "Policies", listed),
    )
    return Section("reproduce", "How to reproduce this", lead, (), tables, (), command, True)


def rests_on(runs: Sequence[Shown]) -> tuple[str, ...]:
    """Return what the numbers of these runs rest on, in sentences."""
    games = "; ".join(f"{count(run.played.totals.games)} games of {run.label}" for run in runs)
    said = [f"Simulated: {games}. Every value stands with its 95 % interval (± half its width)."]
    if any(run.played.is_cut_short for run in runs):
        said.append(
            "The run was interrupted: what is marked as cut short has fewer games, and what came after is missing."
        )
    modes = {run.played.line_up for run in runs}
    labels = {label for run in runs for label in run.played.labels}
    if "drawn" in modes:
        said.append(
            "In a drawn line-up each game seats different policies, drawn at random from the pool. A policy's win "
            "rate is its success against this pool: another field gives another number."
        )
    if "shuffled" in modes:
        said.append(
            "In a shuffled line-up the same policies play every game, dealt to the seats at random. A policy's win "
            "rate is its success against just these opponents."
        )
    if "fixed" in modes:
        said.append(
            "In a fixed line-up each policy keeps its seat, so what a seat does and what its policy does cannot be "
            "told apart."
        )
    if len(labels) == 1:
        said.append("One policy plays all seats: there is no field to compare it with.")
    said.append(
        "Policies are programs, not people: they show what the rules reward, not what players will do. What win "
        "rates by a deed or an outcome show are associations, not effects: "
        "who does a thing differs from who does not in more than that."
    )
    return tuple(said)


def rules_files(runs: Sequence[Shown]) -> dict[str, str]:
    """Return a rules file for each run: file name -> TOML."""
    return {f"run{number}.toml": to_toml(run.played.rules) for number, run in enumerate(runs, start=1)}
