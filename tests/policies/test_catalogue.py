"""A policy is a file: found by its name, listed with its first sentence and its parameters."""

from __future__ import annotations

from pathlib import Path

import policies
from policies import entry, load, load_file, names
from tests.support import DEBRIUM

FOLDER = Path(policies.__file__).parent / "debrium"


def test_the_policies_are_the_files_of_the_folder():
    assert set(names(DEBRIUM)) == {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "_template"}
    assert list(names(DEBRIUM)) == sorted(names(DEBRIUM))
    assert "random_legal" in names(DEBRIUM)


def test_an_entry_is_what_the_file_says(tmp_path):
    source = '''"""Bids one coin
whenever it can.

And more of it.
"""

from policies import Param

PARAMS = (Param("a", 1.0, 0.0, 2.0, "what a is"),)


def turn(rules, table, own, rng, choice):
    pass


def bid(rules, table, own, rng, choice):
    pass
'''
    (tmp_path / "mine.py").write_text(source)
    found = entry(DEBRIUM, load_file(DEBRIUM, tmp_path / "mine.py"))
    assert found.name == "mine"
    assert found.summary == "Bids one coin whenever it can."
    assert found.doc.endswith("And more of it.")
    assert found.decisions == ("bid", "turn")
    assert [(p.name, p.default, p.low, p.high, p.meaning) for p in found.params] == [
        ("a", 1.0, 0.0, 2.0, "what a is")
    ]


def test_a_file_without_a_docstring_is_listed_without_a_summary(tmp_path):
    (tmp_path / "mine.py").write_text("def bid(rules, table, own, rng, choice):\n    pass\n")
    assert entry(DEBRIUM, load_file(DEBRIUM, tmp_path / "mine.py")).summary == ""


def test_a_digest_is_that_of_the_text():
    assert load(DEBRIUM, "greedy").digest == load(DEBRIUM, "greedy").digest != load(DEBRIUM, "prospector").digest
