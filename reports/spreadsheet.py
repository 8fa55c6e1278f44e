"""Tables as CSV, which is most often opened in a spreadsheet: text there stays text.

A spreadsheet takes a cell that begins with = @ + - or a tab as a formula, and a formula can send what else the sheet
holds elsewhere. Labels are a stranger's text, so such a cell gets an apostrophe before it, which spreadsheets take as
the mark of a text. Numbers stay as they are, negative ones too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

_FORMULA = ("=", "@", "+", "-", "\t", "\r")


def as_csv(frame: pd.DataFrame) -> bytes:
    """Return a frame, without its index, as CSV: numbers in full, no text that a spreadsheet would run."""
    safe = frame.copy()
    safe.columns = pd.Index([_harmless(name) for name in frame.columns], dtype=object)
    for place, kind in enumerate(frame.dtypes):
        if not pd.api.types.is_numeric_dtype(kind):
            cells = np.array([_harmless(cell) for cell in frame.iloc[:, place]], dtype=object)
            safe.isetitem(place, cells)
    text: str = safe.to_csv(index=False, lineterminator="\n")
    return text.encode()


def _harmless(cell: Any) -> Any:
    """Return a cell that is no formula."""
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r", " ")  # of which the writer puts no quotes around: a reader would begin a new line
    return f"'{text}" if cell.startswith(_FORMULA) and not _is_number(cell) else text


def _is_number(text: str) -> bool:
    """Tell whether a text is a number and nothing else, such as a shift by -1."""
    try:
        float(text)
    except ValueError:
        return False
    return text.strip() == text
