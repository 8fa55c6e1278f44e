"""The games that exist, to parametrise a check by: every game, or every game with each of its cases."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from sim.rules import games
from tests.games.kit import Kit

#: By name. A game without a kit in its folder of tests is an error, not a game that is left out.
KITS: dict[str, Kit] = {name: importlib.import_module(f"tests.{name}.kit").KIT for name in games()}

#: Mark of a check of every game, handed to it as `kit`.
every_game = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)


def every_case(name: str, cases: Callable[[Kit], Iterable[Any]]) -> pytest.MarkDecorator:
    """Mark of a check of every game with each of these cases, handed to it as `kit` and `name`."""
    params = [pytest.param(kit, case, id=f"{kit.game}-{_text(case)}") for kit in KITS.values() for case in cases(kit)]
    return pytest.mark.parametrize(("kit", name), params)


def _text(case: Any) -> str:
    """A case as test ids show it: its words, or "plain" when there is nothing to say."""
    return " ".join(map(str, case)) or "plain" if isinstance(case, tuple) else str(case)
