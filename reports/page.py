"""The designer report of any game: what a game chooses to show, and the report that is built from it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reports import html
from reports.findings import Finding, joint
from reports.parts import Report, Section, Table, assumptions, reproduce, rests_on, rules_files, runs_table
from reports.runs import Shown, require, show
from sim.game import load_game
from sim.played import Played
from sim.rules import Rules


@dataclass(frozen=True)
class Page:
    """A game's own choice of what to show, `PAGE` of its `reports/<game>.py`.

    variant names what the game itself offers ("base", "expansion"), own_keys are the rules that this name and the
    number of players say; find gives the findings on runs and how many values were called together, bands the bands
    they are called against; sections stand in the order of reading; rests_on adds sentences on what the game's
    numbers rest on.
    """

    game: str
    variant: Callable[[Rules], str]
    own_keys: tuple[str, ...]
    find: Callable[[Sequence[Shown]], tuple[list[Finding], int]]
    bands: Callable[[Sequence[Shown]], Table]
    sections: tuple[Callable[[Sequence[Shown]], Section], ...]
    rests_on: tuple[str, ...] = ()


def _unseen(number: int, of: int, name: str) -> None:
    """Tell nobody."""


def write_report(
    runs: Sequence[Played], folder: Path, command: str, began: Callable[[int, int, str], None] = _unseen
) -> Path:
    """Write the report on runs of one game into `folder` and return the path of its page, index.html.

    Beside the page lie report.md, charts/*.svg with the frame of each as charts/*.csv, tables/*.csv and rules/*.toml.
    `command` is what a reader can run to get the same; `began` is told of each part that begins its number, of how
    many, and what it is. Raises BadInput for no runs, for runs of several games, for a run without games, and when a
    file cannot be written.
    """
    game = runs[0].rules.game if runs else ""
    require(runs, game)
    page: Page = importlib.import_module(f"reports.{game}").PAGE
    report = build(page, runs, command, began)
    began(len(page.sections) + 2, len(page.sections) + 2, "files")
    return html.write_report(report, folder)


def build(
    page: Page, runs: Sequence[Played], command: str, began: Callable[[int, int, str], None] = _unseen
) -> Report:
    """Return the report on these runs; raise BadInput for runs of other games, for none, for one without games."""
    require(runs, page.game)
    parts = len(page.sections) + 2
    began(1, parts, "findings")
    shown = show(runs, page.variant, page.own_keys)
    found, values = page.find(shown)
    return Report(
        title=load_game(page.game).title,
        subtitle="What the simulated games say about its balance",
        runs=runs_table(shown),
        findings=tuple(found),
        rests_on=(*rests_on(shown), *page.rests_on, joint(values)),
        bands=page.bands(shown),
        sections=(
            *_sections(page, shown, began, parts),
            assumptions(shown),
            reproduce(shown, command),
        ),
        rules=rules_files(shown),
    )


def _sections(
    page: Page, shown: Sequence[Shown], began: Callable[[int, int, str], None], parts: int
) -> Iterator[Section]:
    """Yield the page's own sections, and tell of each when it begins."""
    for number, section in enumerate(page.sections, 2):
        began(number, parts, section.__name__.strip("_").replace("_", " "))
        yield section(shown)
