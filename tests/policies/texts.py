"""Texts of policies that a test puts together, and the line with which a wrong one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from policies.source import check_source
from sim.errors import BadInput
from tests.support import DEBRIUM

#: One decision after whatever a test puts before it.
BID = "def bid(rules, table, own, rng, choice):\n    choice.coins = 0\n"
RNG = "from sim.rng import below, shuffle, uniform\n"
CASES = Path(__file__).parent / "cases"


def bid(*lines: str, top: str = "") -> str:
    """A policy whose bid has these lines."""
    return "\n".join([top, "def bid(rules, table, own, rng, choice):", *(f"    {line}" for line in lines)]) + "\n"


def refusal(source: str) -> str:
    """The one line with which a text is refused, from the line's number on."""
    with pytest.raises(BadInput) as caught:
        check_source(DEBRIUM, source, "mine.py")
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 700
    assert said.startswith("mine.py:")
    return said.removeprefix("mine.py:")


def passes(source: str) -> None:
    check_source(DEBRIUM, source, "mine.py")
