"""Reports as files: one self-contained HTML page, the same in Markdown, charts as SVG, tables and frames as CSV.

Every text is escaped by the template engine: names of policies, variants and parameters are a stranger's. The
page loads nothing and runs nothing, and says so to the browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports.numbers import NOTHING
from reports.parts import Report, Table
from reports.spreadsheet import as_csv
from reports.svg import as_file
from sim.errors import BadInput
from sim.files import read_bytes, remove, write_whole
from sim.folder import own

_PAGE, _LIST = "index.html", "files.txt"
#: What every report writes into its folder, and the folders of what else it writes.
FILES = (_PAGE, _LIST, "report.md", "charts", "tables", "rules")
#: Far more than a report's list of files has bytes.
_MOST_LIST = 1_000_000
#: Nothing outside the report's own folders can be meant.
_OWN = re.compile(r"(charts|tables|rules)/[\w-]+\.(svg|csv|toml)")
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~^$-])")


def write_report(report: Report, folder: Path) -> Path:
    """Write a report's files into a folder and return the path of its page; raise BadInput when that fails.

    What an earlier report wrote there and this one does not, charts of other variants, is deleted. Nothing is written
    or deleted where any of it would go through a link, or into a pipe or a device.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: is not a folder")
    files = dict(_files(report))
    files[_LIST] = "".join(f"{name}\n" for name in files).encode()
    outdated = [own(folder, name) for name in sorted(_listed(folder) - files.keys())]
    for path, content in [(own(folder, name), content) for name, content in files.items()]:
        write_whole(path, content)
    for path in outdated:
        remove(path)
    return folder / _PAGE


def _files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield a report's files, the page last: name and content."""
    charts = [chart for section in report.sections for chart in section.charts]
    tables = [report.runs, report.bands, *(table for section in report.sections for table in section.tables)]
    for chart in charts:
        yield f"charts/{chart.name}.svg", as_file(chart.svg)
        yield f"charts/{chart.name}.csv", as_csv(chart.frame)
    for table in tables:
        yield f"tables/{table.name}.csv", as_csv(table.frame)
    for name, text in report.rules.items():
        yield f"rules/{name}", text.encode()
    yield "report.md", markdown(report).encode()
    yield _PAGE, html(report).encode()


def _listed(folder: Path) -> set[str]:
    """Return the charts, tables and rules that an earlier report says it wrote, wherever its folder came from."""
    path = own(folder, _LIST)
    if not path.exists():
        return set()
    try:
        lines = read_bytes(path, "list of files", _MOST_LIST).decode().splitlines()
    except UnicodeDecodeError:
        return set()
    return {line for line in lines if _OWN.fullmatch(line)}


def html(report: Report) -> str:
    """Return the page."""
    environment = _environment(is_html=True)
    return environment.get_template("report.html").render(report=report)


def markdown(report: Report) -> str:
    """Return the same findings and tables as Markdown."""
    environment = _environment(is_html=False)
    return environment.get_template("report.md").render(report=report)


def _environment(is_html: bool) -> Environment:
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=is_html,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["drawing"] = Markup
    environment.filters["md"] = _markdown_text
    environment.filters["md_table"] = _markdown_table
    environment.tests["numeric"] = _is_numeric
    return environment


def _is_numeric(cell: str) -> bool:
    """Tell whether a cell begins with a number, which is then set to the right."""
    return cell == NOTHING or (len(cell) < 24 and cell.lstrip("\N{MINUS SIGN}")[:1].isdigit())


def _markdown_text(text: object) -> str:
    """Return text that Markdown shows as it is."""
    plain = str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")
    return _SPECIAL.sub(r"\\\1", plain)


def _markdown_table(table: Table) -> str:
    lines = [table.head, tuple("---" for _ in table.head), *table.rows]
    return "\n".join(
        f"| {' | '.join(cell if cell == '---' else _markdown_text(cell) for cell in line)} |" for line in lines
    )
