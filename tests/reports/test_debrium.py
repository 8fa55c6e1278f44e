"""The report on Debrium: every part is there, safe to open, and says what the totals say."""

import ast
import io
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reports import debrium_mechanics as mechanics
from reports.debrium import PAGE
from reports.html import html, markdown
from reports.numbers import GAP
from reports.page import build, write_report
from reports.runs import COLUMNS, show
from reports.spreadsheet import as_csv
from sim.errors import BadInput
from sim.played import Played
from tests.reports.conftest import HOSTILE, Play

SECTIONS = (
    "findings", "winners", "order", "score", "bursts", "debt", "king", "actions", "funds", "lead", "assumptions",
    "reproduce",
)  # fmt: skip
COMMAND = "steelyard report debrium --games 2k <now>"


class _Page(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for key, value in attrs if key == "id"]
        self.links += [value or "" for key, value in attrs if key in ("href", "src", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def folder(four_runs: list[Played], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(four_runs, tmp_path_factory.mktemp("report"), COMMAND).parent


def test_the_page_holds_every_section_and_loads_nothing(folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    page = _Page(text)
    assert set(SECTIONS) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert "script" not in page.tags
    assert "link" not in page.tags
    assert "img" not in page.tags
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not re.search(r"https?:|url\((?!#)|@import", text)
    assert COMMAND in page.words


def test_every_chart_and_table_lies_beside_the_page(folder: Path, four_runs: list[Played]) -> None:
    report = build(PAGE, four_runs, COMMAND)
    charts = [chart for section in report.sections for chart in section.charts]
    assert len({chart.name for chart in charts}) == len(charts)
    for chart in charts:
        assert (folder / "charts" / f"{chart.name}.svg").read_bytes().startswith(b"<?xml")
        assert (folder / "charts" / f"{chart.name}.csv").read_bytes() == as_csv(chart.frame)
        assert len(chart.alt) > len(chart.title)
    for section in report.sections:
        for table in section.tables:
            assert (folder / "tables" / f"{table.name}.csv").read_bytes() == as_csv(table.frame)
    assert len(list((folder / "rules").iterdir())) == 4


def test_tables_show_the_numbers_of_their_csv(four_runs: list[Played]) -> None:
    report = build(PAGE, four_runs, COMMAND)
    measured = [t for section in report.sections for t in section.tables if set(COLUMNS) <= set(t.frame.columns)]
    assert len(measured) > 25
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


def test_a_win_rate_on_the_page_is_the_totals(four_runs: list[Played]) -> None:
    played = four_runs[2]
    table = next(t for s in build(PAGE, four_runs, COMMAND).sections for t in s.tables if t.name == "wins-by-policy")
    slot = played.totals.layout.index()["win_rate_by_policy[wild]"]
    wins, seats = played.totals.sums[slot][:2]
    line = table.frame[(table.frame["run"] == "4 players, base") & (table.frame["category"] == "wild")]
    assert line["value"].iloc[0] == pytest.approx(100 * wins / 60 / seats)
    assert table.head == (
        "policy",
        "3 players, base",
        "3 players, expansion",
        "4 players, base",
        "4 players, expansion",
    )


def test_the_same_results_give_the_same_bytes(four_runs: list[Played], tmp_path: Path) -> None:
    files: list[dict[str, bytes]] = []
    for name in ("one", "two"):
        write_report(four_runs[:2], tmp_path / name, COMMAND)
        paths = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        files.append({str(path.relative_to(tmp_path / name)): path.read_bytes() for path in paths})
    assert files[0] == files[1]


def test_names_of_strangers_are_shown_as_text(play_run: Play) -> None:
    run = play_run(labels=(HOSTILE, "b" * 200, "b" * 199 + "c", "d"), mode="shuffled", name="<img src=x onerror=1>")
    report = build(PAGE, [run], "<b>command</b>")
    text = html(report)
    page = _Page(text)
    assert {"script", "img", "b"}.isdisjoint(page.tags)
    assert HOSTILE in page.words
    assert "<script" not in markdown(report)
    assert "<img" not in markdown(report)


@pytest.mark.parametrize(
    ("sets", "options"),
    [
        (("players=3",), {}),
        (("chips_level_4=6", "starting_coins=30"), {}),
        (
            ("chips_level_4=14", "rows=3", "columns=5", "chips_level_1=11", "chips_level_2=11", "expansion=true"),
            {"mode": "shuffled", "labels": ("a", "a", "b", "c")},
        ),
        (("mining_king_bonus=-5", "debt_penalty=[0]"), {"labels": ("alone",) * 4, "mode": "fixed"}),
        ((), {"games": 1}),
        ((), {"games": 3, "labels": ("a", "b", "c", "d"), "mode": "fixed"}),
    ],
)
def test_odd_variants_and_few_games_are_reported_too(
    play_run: Play, tmp_path: Path, sets: tuple[str, ...], options: dict[str, Any]
) -> None:
    page = _Page(write_report([play_run(*sets, **options)], tmp_path, COMMAND).read_text(encoding="utf-8"))
    assert set(SECTIONS) <= set(page.ids)
    said = " ".join(page.words)
    assert "nan" not in said
    assert "inf" not in said.replace("information", "")


def test_a_king_without_a_bonus_decides_nothing(play_run: Play) -> None:
    """What the bonus decides is shown of the runs that have one alone."""
    plain, bare = play_run(games=300), play_run("mining_king_bonus=0", games=300)
    for runs, lead, decides in (
        ([bare], "These rules give the King no bonus.", None),
        ([plain, bare], "The bonus decides", {"4 players, base"}),
    ):
        section = mechanics.king(show(runs, lambda _: "base", ()))
        tables = {table.name: table for table in section.tables}
        assert lead in section.lead[0]
        assert (set(tables["king-decides"].frame["run"]) if "king-decides" in tables else None) == decides


def test_a_chart_whose_values_are_all_the_same_says_so(play_run: Play) -> None:
    section = mechanics.debt(show([play_run("debt_penalty=[0]", games=300)], lambda _: "base", ()))
    charts = {chart.name: chart for chart in section.charts}
    assert "Every value is 0.00 (points lost)." in charts["debt-penalty"].alt
    assert "Highest:" in charts["debt-cards"].alt


def test_runs_with_different_rules_stand_side_by_side(play_run: Play) -> None:
    runs = [play_run(), play_run("mining_king_bonus=10"), play_run("chips_level_4=6"), play_run(name="mine")]
    report = build(PAGE, runs, COMMAND)
    names = [row[0] for row in report.runs.rows]
    assert names[:2] == ["4 players, base", "4 players, base, mining_king_bonus=10"]
    assert names[2].startswith("4 players, base, chips_level_4=6")
    assert names[3] == "4 players, base, mine"
    changed = next(t for s in report.sections for t in s.tables if t.name == "changed")
    assert {"mining_king_bonus", "chips_level_4"} <= {row[0] for row in changed.rows}
    assert any("10 (4 players, base, mining_king_bonus=10)" in row[1] for row in changed.rows)


def test_assumptions_give_value_range_and_meaning(four_runs: list[Played]) -> None:
    table = next(t for s in build(PAGE, four_runs, COMMAND).sections for t in s.tables if t.name == "assumptions")
    assumed = {key for run in four_runs for key in run.rules.assumptions()}
    assert {row[0] for row in table.rows} == assumed
    row = next(row for row in table.rows if row[0] == "starting_coins")
    assert row[1:4] == ("10", "assumed", "5 to 15")


def test_readings_without_a_parameter_stand_below_the_assumptions(four_runs: list[Played]) -> None:
    table = next(t for s in build(PAGE, four_runs, COMMAND).sections for t in s.tables if t.name == "readings")
    said = dict(row[:2] for row in table.rows)
    assert list(said) == list(dict.fromkeys(line for run in four_runs for line in run.rules.readings()))
    assert said["Debt cards never run out."] == "all"
    only = [line for line in said if line.startswith("Green's discount")]
    assert [said[line] == "all" for line in only] == [False]


def test_the_parts_of_a_score_add_up_whatever_coins_are_worth(play_run: Play) -> None:
    run = play_run("expansion=true", "coin_points=3", "skill_coin_points=2")
    table = next(t for s in build(PAGE, [run], COMMAND).sections for t in s.tables if t.name == "score")
    means = dict(zip(table.frame["category"], table.frame["value"], strict=True))
    total = means.pop("total")
    assert sum(means.values()) == pytest.approx(total, abs=1e-6)


def test_nothing_to_report_is_refused(four_runs: list[Played], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no runs"):
        write_report([], tmp_path, COMMAND)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="not a folder"):
        write_report(four_runs[:1], tmp_path / "file", COMMAND)


def test_reports_import_no_numba_and_simulate_nothing() -> None:
    for path in Path("reports").glob("*.py"):
        names = {
            name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
        }
        forbidden = ("numba", "policies", "sim.kernel", "sim.batch", "sim.replay", "matplotlib.pyplot", "cli")
        assert not {name for name in names if any(f"{name}.".startswith(f"{root}.") for root in forbidden)}, path
