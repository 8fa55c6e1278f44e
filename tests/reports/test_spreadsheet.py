"""Tables as CSV: no text in them is a formula, and every number is what it was."""

from __future__ import annotations

import io
import math

import pandas as pd
import pytest

from reports.spreadsheet import as_csv


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+cmd", "-2+3", "\tx", "\r=1", "-", "- 1"])
def test_text_that_would_be_a_formula_gets_an_apostrophe(text):
    found = as_csv(pd.DataFrame({"policy": [text, "greedy"], text: [1, 2]}))
    read = pd.read_csv(io.BytesIO(found), keep_default_na=False)
    shown = "'" + text.replace("\r", " ")
    assert list(read.columns) == ["policy", shown]
    assert list(read["policy"]) == [shown, "greedy"]


def test_no_text_begins_a_line_of_its_own():
    assert as_csv(pd.DataFrame({"a": ["x\r=1"], "b": ["y\n=1"]})) == b'a,b\nx =1,"y\n=1"\n'


def test_numbers_stay():
    """Also those among texts, as the values of what a sweep varies are."""
    frame = pd.DataFrame({"n": [-1, 2], "x": [-0.5, math.nan], "mixed": [-3, "-4"], "shift": ["+1", "-1e3"]})
    assert as_csv(frame) == b"n,x,mixed,shift\n-1,-0.5,-3,+1\n2,,-4,-1e3\n"


def test_whole_numbers_beside_nothing_stay_whole():
    assert as_csv(pd.DataFrame({"a": pd.Series([1, None], dtype=object)})) == b'a\n1\n""\n'


def test_a_table_without_lines_has_its_head():
    assert as_csv(pd.DataFrame({"=a": [], "b": []})) == b"'=a,b\n"


def test_the_frame_is_left_as_it_was():
    frame = pd.DataFrame({"a": ["=1"]})
    as_csv(frame)
    assert list(frame["a"]) == ["=1"]
