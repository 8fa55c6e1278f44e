"""A chart as SVG text: the same drawing always gives the same bytes, and several can stand in one page.

matplotlib's own file names fonts and standards by address, carries metadata and numbers its parts like every
other file; what is kept here is the drawing alone, with parts named after the chart.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Callable
from html import escape

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.picture import styled

#: Width of every chart in points: text stays readable when a phone shrinks it to its own width.
WIDTH = 430.0
_TITLE_CHARACTERS = 52
_FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"


def drawing(draw: Callable[[Axes], None], name: str, title: str, alt: str, height: float) -> str:
    """Return the SVG of a chart that `draw` draws on an `ax`, `height` points high.

    `name` (letters, digits, - and _) marks its parts; `alt` is what a screen reader reads.
    """
    with styled(**{"svg.fonttype": "none"}):
        heading = textwrap.wrap(title, _TITLE_CHARACTERS, break_long_words=True)
        figure = Figure(figsize=(WIDTH / 72, (height + 15 * (len(heading) - 1)) / 72), layout="constrained")
        ax = figure.subplots()
        draw(ax)
        figure.suptitle("\n".join(heading), x=0.012, ha="left", fontsize=11.5, fontweight="bold", color="#1a1a1a")
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _cleaned(buffer.getvalue().decode(), name, alt)


def as_file(svg: str) -> bytes:
    """Return a drawing as a file of its own."""
    return f'<?xml version="1.0" encoding="utf-8"?>\n{_with_namespace(svg)}\n'.encode()


def _with_namespace(svg: str) -> str:
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def _cleaned(text: str, name: str, alt: str) -> str:
    """Return matplotlib's SVG without prolog, addresses and metadata, its parts marked with `name`."""
    box = re.search(r'viewBox="([^"]*)"', text)
    assert box is not None
    body = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, count=1, flags=re.DOTALL)
    body = re.sub(r'<defs>\s*<style type="text/css">[^<]*</style>\s*</defs>', "", body, count=1)
    body = re.sub(r"font(-family)?: ?([^;\"]*?)'DejaVu Sans'[^;\"]*", _without_family, body)
    body = body.replace("xlink:href=", "href=")
    used = set(re.findall(r'(?:href="#|url\(#)([\w.-]+)', body))
    body = re.sub(r' id="([^"]*)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", body)
    body = re.sub(r'(href="#|url\(#)([\w.-]+)', rf"\g<1>{name}-\g<2>", body)
    body = re.sub(r"\n\s*", "\n", body).strip()
    head = (
        f'<svg viewBox="{box[1]}" role="img" aria-label="{escape(alt)}" font-family="{_FONTS}" '
        'stroke-linejoin="round" stroke-linecap="butt">'
    )
    return f"{head}\n{body}\n</svg>"


def _without_family(found: re.Match[str]) -> str:
    """Return a font's style without the family, which the whole drawing has in common."""
    return "" if found[1] else f"font: {found[2]}inherit"
