"""A drawing as an .svg or .png file: one look, whatever a user's own matplotlibrc says, and always the same bytes."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import font_manager
from matplotlib.figure import Figure

from reports.options import note
from sim.errors import BadInput
from sim.files import check_writable, write_whole

ENDINGS = (".svg", ".png")

#: What a file would otherwise say beside the drawing: when it was drawn, and by which version of what.
_METADATA: dict[str, dict[str, str | None]] = {
    ".svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    ".png": {"Software": None},
}

_STYLE = {
    "svg.hashsalt": "steelyard",
    "text.parse_math": False,
    "font.size": 10.5,
    "axes.labelsize": 10,
    "axes.labelcolor": "#5f5f5f",
    "axes.edgecolor": "#9a9a9a",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": "#5f5f5f",
    "ytick.color": "#5f5f5f",
    "xtick.labelcolor": "#1a1a1a",
    "ytick.labelcolor": "#1a1a1a",
    "xtick.labelsize": 10,
    "ytick.labelsize": 10.5,
    "path.simplify": False,
}


#: Fonts with Japanese, Chinese and much else, of which the first that is installed draws what DejaVu Sans lacks.
_JAPANESE = (
    *("Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans JP", "IPAexGothic", "IPAGothic", "IPAPGothic"),
    *("TakaoPGothic", "VL PGothic", "VL Gothic", "Hiragino Sans", "Yu Gothic", "Meiryo", "MS Gothic"),
)

#: What matplotlib warns of at every letter that no font has.
_MISSING = r"Glyph \d+ .*missing from"


def fonts(installed: Collection[str]) -> list[str]:
    """Return the fonts that letters are drawn with, by their family names: each letter with the first that has it."""
    return ["DejaVu Sans", *[name for name in _JAPANESE if name in installed][:1]]


@contextlib.contextmanager
def styled(**more: Any) -> Iterator[None]:
    """Draw in the toolkit's style; `more` are matplotlib's parameters beside it, by their dotted names."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", _MISSING)
        matplotlib.rcdefaults()  # whatever a user's own matplotlibrc says
        family = fonts({font.name for font in font_manager.fontManager.ttflist})
        settings: Any = {**_STYLE, "font.family": family, **more}
        matplotlib.rcParams.update(settings)
        yield


def check_drawing(option: str, file: str | None) -> None:
    """Raise BadInput, naming the option, when a drawing could not be written: before hours of play, not after."""
    if file is not None:
        check_ending(option, Path(file))
        check_writable(option, file)


def check_ending(option: str, file: Path) -> None:
    """Raise BadInput, naming the option, for a file whose ending names no format that can be drawn."""
    if file.suffix.lower() not in ENDINGS:
        raise BadInput(f"{option} {file}: name a file that ends in .svg or .png")


def save(file: Path, make: Callable[[], Figure]) -> None:
    """Write the figure that `make` draws, whole or not at all; the file's ending says the format.

    Letters that no installed font has are drawn as boxes, which a note tells.
    """
    ending = file.suffix.lower()
    with styled(), warnings.catch_warnings(record=True) as warned:
        warnings.filterwarnings("always", _MISSING)
        buffer = io.BytesIO()
        make().savefig(buffer, format=ending[1:], dpi=150, metadata=_METADATA[ending])
    write_whole(file, buffer.getvalue())
    if any(re.match(_MISSING, str(found.message)) for found in warned):
        note(f"{file}: some letters are boxes, since no font that is installed has them (Noto Sans CJK JP would)")
    for found in warned:
        if not re.match(_MISSING, str(found.message)):
            warnings.warn_explicit(found.message, found.category, found.filename, found.lineno)
