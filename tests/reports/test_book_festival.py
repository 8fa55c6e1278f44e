"""The report on Book Festival: every part is there, safe to open, and says what the totals say."""

import dataclasses
import io
import math
import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from policies import load as load_policy
from reports import book_festival_mvp as mvp
from reports.book_festival import PAGE
from reports.book_festival_findings import LENGTH, STALLED, find
from reports.book_festival_mechanics import ITEM_NAMES
from reports.html import html, markdown
from reports.numbers import GAP
from reports.page import build, write_report
from reports.parts import Report, Table
from reports.runs import COLUMNS, Shown, show
from reports.spreadsheet import as_csv
from sim.batch import Batch, LineUp
from sim.book_festival.lottery import mvp_odds
from sim.errors import BadInput
from sim.game import load_game
from sim.played import Played, played
from sim.rules import load
from sim.run import play
from tests.reports.conftest import HOSTILE

SECTIONS = (
    "findings", "leader", "bag", "winners", "animals", "seats", "stars", "sales", "pops", "genres", "actions",
    "length", "assumptions", "reproduce",
)  # fmt: skip
COMMAND = "steelyard report book_festival --games 1k <now>"
LABELS = ("calm", "wild", "wise", "wary", "late", "slow")

PlayFestival = Callable[..., Played]


class _Page(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for key, value in attrs if key == "id"]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def _run(
    *sets: str, labels: Sequence[str] = LABELS, games: int = 1000, mode: str = "drawn", name: str | None = None
) -> Played:
    """Play a run of random seats: rules changes, names of the policies, games, line-up."""
    policy = load_policy(load_game("book_festival"), "random_legal")
    pool = tuple(dataclasses.replace(policy, label=label) for label in labels)
    batch = Batch("book_festival", load("book_festival", sets=sets, name=name), LineUp(pool, mode), 1)
    return played(batch, play(batch, games, 2))


@pytest.fixture(scope="module")
def runs() -> list[Played]:
    """The variants of the game's own report."""
    return [_run(*sets) for sets in load_game("book_festival").report]


@pytest.fixture(scope="module")
def report(runs: list[Played]) -> Report:
    return build(PAGE, runs, COMMAND)


@pytest.fixture(scope="module")
def shown(runs: list[Played]) -> list[Shown]:
    return show(runs, lambda rules: "extension" if rules.values["extension"] else "base", ("players", "extension"))


def _table(report: Report, name: str) -> Table:
    return next(table for section in report.sections for table in section.tables if table.name == name)


def test_the_page_holds_every_section_and_loads_nothing(report: Report) -> None:
    text = html(report)
    page = _Page(text)
    assert set(SECTIONS) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert {"script", "link", "img"}.isdisjoint(page.tags)
    assert not re.search(r"https?:|url\((?!#)|@import", text)
    assert COMMAND in page.words
    assert "nan" not in " ".join(page.words)


def test_every_chart_and_table_lies_beside_the_page(runs: list[Played], tmp_path: Path) -> None:
    write_report(runs[2:3], tmp_path, COMMAND)
    names = {kind: {path.stem for path in (tmp_path / kind).iterdir()} for kind in ("charts", "tables", "rules")}
    again = build(PAGE, runs[2:3], COMMAND)
    charts = [chart for section in again.sections for chart in section.charts]
    assert {chart.name for chart in charts} == names["charts"]
    assert {table.name for section in again.sections for table in section.tables} <= names["tables"]
    assert len(charts) == len(names["charts"])
    assert len(names["rules"]) == 1
    for chart in charts:  # the same results give the same bytes
        assert (tmp_path / "charts" / f"{chart.name}.csv").read_bytes() == as_csv(chart.frame)
        assert chart.svg.encode() in (tmp_path / "index.html").read_bytes()


def test_tables_show_the_numbers_of_their_csv(report: Report) -> None:
    measured = [t for section in report.sections for t in section.tables if set(COLUMNS) <= set(t.frame.columns)]
    assert len(measured) > 20
    for table in measured:
        frame = pd.read_csv(io.BytesIO(as_csv(table.frame)), dtype={"category": str})
        for row in table.rows:
            for run, cell in zip(table.head[1:], row[1:], strict=True):
                found = frame[(frame["run"] == run) & (frame["category"] == row[0])]
                if cell == "\N{EN DASH}" or run == "unit":
                    continue
                if cell == "seen once":
                    assert math.isnan(found["value"].iloc[0])
                    continue
                number = cell.removeprefix(f"always{GAP}").split(GAP)[0].replace("\N{MINUS SIGN}", "-").rstrip(",")
                digits = len(number.partition(".")[2])
                assert float(number) == pytest.approx(float(found["value"].iloc[0]), abs=0.51 * 10.0**-digits)


def test_win_chances_on_the_page_are_the_totals(report: Report, runs: list[Played]) -> None:
    for name, metric, scale in (
        ("chance-by-policy", "win_rate_by_policy[wild]", 2.0**-24),
        ("drawn-by-policy", "drawn_wins_by_policy[wild]", 1 / 60),
    ):
        frame = _table(report, name).frame
        line = frame[(frame["run"] == "4 players, base") & (frame["category"] == "wild")]
        wins, seats = runs[1].totals.sums[runs[1].totals.layout.index()[metric]][:2]
        assert line["value"].iloc[0] == pytest.approx(100 * scale * wins / seats)


def test_parts_add_up_to_their_total(report: Report) -> None:
    for name in ("stars", "sales"):
        frame = _table(report, name).frame
        for _, lines in frame.groupby("run"):
            total = lines.loc[lines["category"] == "total", "value"].iloc[0]
            assert lines.loc[lines["category"] != "total", "value"].sum() == pytest.approx(total)


def test_typical_bags_have_the_lead_and_the_mean_size(shown: list[Shown]) -> None:
    for run in shown:
        for ahead in (0, 1, 5):
            stars = mvp.typical_stars(run, ahead)
            assert len(stars) == run.players
            assert list(stars) == sorted(stars, reverse=True)
            assert stars[0] - stars[1] == ahead
            assert sum(stars) == pytest.approx(run.estimate("bag").value, abs=run.players)


def test_the_curve_by_draws_is_exact(shown: list[Shown]) -> None:
    run = shown[0]
    frame = next(table for table in mvp.leader([run]).tables if table.name == "leader-by-draws").frame
    assert set(frame["category"]) == {str(draws) for draws in mvp.DRAWS}
    assert frame["value"].iloc[0] == pytest.approx(100 * mvp.typical_loses(run, 1))
    with_one = mvp_odds(mvp.typical_stars(run, 2), 1, "redraw")
    assert float(with_one.leader_loses) == pytest.approx(1 - with_one.stars[0] / sum(with_one.stars))


def test_typical_bags_come_near_what_was_measured(shown: list[Shown]) -> None:
    for run in shown:
        assert mvp.typical_loses(run, 5) == pytest.approx(run.estimate("leader_loses").value, abs=0.05)


def test_findings_are_called_against_their_bands(report: Report) -> None:
    titles = {finding.title: finding.tag for finding in report.findings}
    assert any("star leader" in title for title in titles)
    assert any(title.startswith("Draws") for title in titles)
    order = [finding.urgency for finding in report.findings]
    assert order == sorted(order)
    bands = {row[0]: row[1] for row in report.bands.rows}
    assert bands["games whose MVP is no star leader"] == f"30\N{EN DASH}60{GAP}%"
    assert bands["length of a game"] == str(LENGTH)
    assert str(LENGTH).endswith(" rounds")
    assert STALLED.high == 0.01


@pytest.mark.parametrize(
    ("sets", "titles", "lines"),
    [
        (
            ("books_per_genre=0", "starting_hand=0"),
            {"Hardly anybody buys anything", "Nobody gains a star", "No policy is stronger than another"},
            {"nothing is ever bought.", "stars of a seat: none.", "no pile ever fills up."},
        ),
        (("pop_copies=0", "genre_bonus_stars=0"), {"End shelves are bought", "All stars are for books sold"}, set()),
        (("end_shelves_max=0",), {"Every kind of POP is bought"}, set()),
        (("max_rounds=1",), {"Games are too short"}, set()),
    ],
)
def test_findings_on_degenerate_variants_are_sentences(
    sets: tuple[str, ...], titles: set[str], lines: set[str]
) -> None:
    found, _ = find(show([_run(*sets)], lambda _: "base", ()))
    assert titles <= {finding.title for finding in found}
    said = [text for finding in found for _, text in finding.lines]
    assert lines <= set(said)
    assert not any(re.search(r"\d exactly|% (to|from)|0.0 exactly", text.replace(GAP, " ")) for text in said)
    leads = any("star leader loses" in finding.title for finding in found)
    assert leads == ("books_per_genre=0" not in sets)


def test_what_items_bring_is_told_by_card(report: Report) -> None:
    table = _table(report, "per-card")
    assert [row[0] for row in table.rows] == list(ITEM_NAMES.values())
    assert {row[0]: row[-1] for row in table.rows}["With Booklet"] == "cards a card"


def test_names_of_strangers_are_shown_as_text() -> None:
    run = _run(labels=(HOSTILE, "b" * 200, "b" * 199 + "c", "d"), mode="shuffled", name="<img src=x onerror=1>")
    report = build(PAGE, [run], "<b>command</b>")
    page = _Page(html(report))
    assert {"script", "img", "b"}.isdisjoint(page.tags)
    assert HOSTILE in page.words
    assert "<script" not in markdown(report)
    assert "<img" not in markdown(report)


@pytest.mark.parametrize(
    ("sets", "options"),
    [
        (("players=5", "mvp_draws=45", "mvp_tie=shared", "start_player=rotates"), {}),
        (("max_rounds=1", "mvp_draws=1"), {"games": 40}),
        (("stars_per_player=1", "genre_bonus_stars=0"), {"labels": ("alone",) * 4, "mode": "fixed", "games": 100}),
        (("books_per_genre=0", "starting_hand=0", "pop_copies=0", "end_shelves_max=0"), {"games": 1}),
    ],
)
def test_odd_variants_and_few_games_are_reported_too(sets: tuple[str, ...], options: dict[str, Any]) -> None:
    page = _Page(html(build(PAGE, [_run(*sets, **options)], COMMAND)))
    assert set(SECTIONS) <= set(page.ids)
    said = " ".join(page.words)
    assert "nan" not in said
    assert "inf" not in said.replace("information", "")


def test_nothing_to_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no runs"):
        write_report([], tmp_path, COMMAND)
