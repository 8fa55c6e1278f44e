"""A game's row of outcomes held against what was counted again from its events."""

from __future__ import annotations

from typing import Any

import numpy as np

#: The kernel's own columns, which every row carries.
FIXED = ("one", "zero", "number")


def differing(record: Any, expected: dict[str, Any]) -> list[str]:
    """The columns of a record that are not as expected, with what they say."""
    return [
        f"{name}: {record[name]}" for name, number in expected.items() if not np.array_equal(record[name], number)
    ]


def is_blank(records: Any) -> bool:
    """Records of seats or rounds that a game does not have hold nothing."""
    return not any(records[name].any() for name in outcomes_of(records.dtype))


def outcomes_of(record: np.dtype) -> set[str]:
    """The names of a record's outcomes: all its columns but the kernel's own."""
    return {*record.names} - {*FIXED}
