"""A game's trace told as text that a player would read: `tell(events)` yields it line by line.

How a game is told is in `reports/<game>_telling.py`, whose `tell` takes the same events.
"""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sim.errors import BadInput, unknown
from sim.rules import games

Event: TypeAlias = Mapping[str, Any]

#: Characters in a line at most.
WIDTH = 100


def tell(events: Sequence[Event]) -> Iterator[str]:
    """Yield the lines of a game's telling, at most WIDTH characters each; events as `sim.replay.replay` gives.

    A trace that breaks off, because a policy broke a rule, is told as far as it goes. Raises BadInput when the
    first event does not open a game, or one that is unknown.
    """
    if not events or events[0].get("event") != "game":
        raise BadInput("a trace begins with its `game` event")
    name = str(events[0].get("game"))
    if name not in games():  # before the name becomes part of an import
        raise unknown("game", name, games())
    teller: Callable[[Sequence[Event]], Iterator[str]] = importlib.import_module(f"reports.{name}_telling").tell
    return teller(events)


def wrapped(text: str, indent: str = "") -> list[str]:
    """Return a sentence as lines of at most WIDTH characters, all but the first indented further."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    ") or [""]


def listed(parts: Sequence[str]) -> str:
    """Return parts as a person lists them: "A1, B2 and C3"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def counted(number: int, thing: str) -> str:
    """Return a number with its thing: "1 coin", "no coins"."""
    return f"{number or 'no'} {thing if number == 1 else thing + 's'}"


def table(head: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1, indent: str = "  ") -> list[str]:
    """Return a table as lines: the first `left` columns to the left, the others to the right."""
    texts = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[k]) for row in texts) for k in range(len(head))]
    lines = []
    for row in texts:
        cells = [cell.ljust(widths[k]) if k < left else cell.rjust(widths[k]) for k, cell in enumerate(row)]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines
