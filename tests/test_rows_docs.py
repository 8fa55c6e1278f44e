"""docs/rows.md: its commands run, its queries answer, and what it shows of the answers is what they have."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from tests.cli.runner import answer, document
from tests.support import ROOT

TEXT = (ROOT / "docs" / "rows.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    steelyard (run .*)$", TEXT, re.MULTILINE)
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PYTHON = [block for kind, block in BLOCKS if kind == "python"]
#: Each query with the answer that is printed under it; the last writes a file.
QUERIES = [
    (block, BLOCKS[at + 1][1] if BLOCKS[at + 1][0] == "text" else "")
    for at, (kind, block) in enumerate(BLOCKS)
    if kind == "sql"
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands of the page have been run, with fewer games."""
    folder = tmp_path_factory.mktemp("docs")
    with contextlib.chdir(folder):
        for command in COMMANDS:
            words = command.replace("--games 200k", "--games 400").split()
            assert words != command.split()
            answer(*words)
    return folder


def test_the_page_has_what_it_promises():
    assert len(COMMANDS) == 2
    assert len(PYTHON) == 3
    assert sum(bool(printed) for _, printed in QUERIES) == 5
    assert {kind for kind, _ in BLOCKS} == {"sql", "text", "python"}


def cells(line: str) -> list[str]:
    """What stands in a line of a printed table."""
    return [cell.strip() for cell in line.strip("│").split("│")]


@pytest.mark.parametrize(("query", "printed"), [pair for pair in QUERIES if pair[1]])
def test_a_query_answers_with_the_columns_that_are_printed(folder, query, printed):
    """Of these types, and as many lines or fewer: rare cases are rarer in fewer games."""
    lines = [line for line in printed.splitlines() if line.startswith("│")]
    with contextlib.chdir(folder):
        found = duckdb.sql(query)
        rows = found.fetchall()
    assert [*found.columns] == cells(lines[0])
    assert [str(kind).lower() for kind in found.types] == duckdb_types(cells(lines[1]))
    assert all(len(cells(line)) == len(found.columns) for line in lines)
    assert 2 <= len(rows) <= len(lines) - 2


def duckdb_types(printed: list[str]) -> list[str]:
    """The names that DuckDB gives types, for those that it prints."""
    names = {"int32": "integer", "int64": "bigint"}
    return [names.get(kind, kind) for kind in printed]


def test_the_meanings_that_are_printed_are_those_of_the_columns(folder):
    query, printed = QUERIES[0]
    with contextlib.chdir(folder):
        rows = duckdb.sql(query).fetchall()
    assert [cells(line) for line in printed.splitlines() if line.startswith("│")][2:] == [list(row) for row in rows]


def test_the_query_for_a_spreadsheet_writes_it(folder):
    ((query, _),) = [pair for pair in QUERIES if not pair[1]]
    with contextlib.chdir(folder):
        duckdb.sql(query)
        written = pd.read_csv("companies.csv")
    assert written["seats"].sum() == 4 * 400
    assert list(written.columns) == ["policy", "company", "seats", "win", "score"]


@pytest.mark.parametrize("code", PYTHON)
def test_what_opens_them_prints_the_win_rates(folder, code):
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        exec(code, {})
    assert "prospector" in printed.getvalue()


def test_a_mean_over_all_lines_is_the_number_that_the_run_gives(folder):
    """By the same names."""
    with contextlib.chdir(folder):
        words = COMMANDS[0].replace("--games 200k", "--games 400").split()
        metrics = document(*words)["metrics"]
        seats = pd.read_parquet("runs/debrium/rows/seats").select_dtypes("number").drop(columns=["game", "seat"])
    assert len(seats.columns) > 40
    assert {name: seats[name].mean() for name in seats} == pytest.approx(
        {name: metrics[name]["mean"] for name in seats}
    )
    assert json.loads((folder / "runs" / "debrium" / "manifest.json").read_text())["rows"] is True
