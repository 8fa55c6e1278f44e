"""The policies of a game as a list, and one of them in detail."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from rich.console import Group

from reports.console import WIDTH, table
from sim.policy import Entry


def policies_table(entries: Sequence[Entry]) -> Group:
    """Return the list of policies with their first sentence."""
    return table("Policies", ("policy", "what it does"), ([e.name, e.summary] for e in entries), left=2)


def policy_text(entry: Entry) -> str:
    """Return one policy in words: what it does, its decisions, its parameters with bounds."""
    lines = [entry.name, "", *_wrapped(entry.doc.strip()), "", f"decides: {', '.join(entry.decisions)}"]
    for p in entry.params:
        lines += _wrapped(f"  {p.name} = {p.default:g}  ({p.low:g} to {p.high:g}): {p.meaning}", "      ")
    if entry.params:
        first = entry.params[0]
        lines += ["", f"set one with --policies {entry.name}:{first.name}={first.high:g}"]
    return "\n".join(lines)


def _wrapped(text: str, indent: str = "") -> list[str]:
    """Return a text's lines, those that are too long for the screen folded."""
    return [
        folded
        for line in text.splitlines()
        for folded in textwrap.wrap(line, WIDTH, subsequent_indent=indent) or [""]
    ]


def policy_data(entry: Entry) -> dict[str, Any]:
    """Return a policy as JSON data."""
    return {
        "policy": entry.name,
        "summary": entry.summary,
        "decisions": list(entry.decisions),
        "params": [
            {"name": p.name, "default": p.default, "low": p.low, "high": p.high, "meaning": p.meaning}
            for p in entry.params
        ],
    }
