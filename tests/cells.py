"""What the tests of designs share: a base, policies of an imagined line-up, and how a design says yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from sim.design import Design, make_design
from sim.errors import BadInput
from sim.policy import Param
from sim.rules import Rules, load

BASE = load("debrium")

#: The parameters of an imagined line-up, by "policy.param": default and bounds.
PARAMS = {"miner.greed": (0.5, 0.0, 1.0), "miner.reach": (3.0, -10.0, 1e6), "my.own.fear": (0.25, 0.25, 0.75)}


def param_of(policy: str, name: str) -> Param:
    if f"{policy}.{name}" not in PARAMS:
        raise BadInput(f"no {name!r} of {policy!r}")
    return Param(name, *PARAMS[f"{policy}.{name}"], "what it means")


def design(
    *varies: str, kind: str = "grid", seed: int = 1, base: Rules = BASE, line_ups: Sequence[str] = ("mixed",)
) -> Design:
    return make_design(base, line_ups, varies, kind, seed, param_of)


def column(of: Design, key: str) -> list[Any]:
    """One key's values of all cells but the base."""
    return [cell.settings[key] for place, cell in enumerate(of.cells) if place != of.base]


def complaint(*varies: str, **options: Any) -> str:
    """The line with which a design is refused."""
    with pytest.raises(BadInput) as caught:
        design(*varies, **options)
    line = str(caught.value)
    assert line.isprintable()
    return line
