"""The rules of a variant as a table, as JSON data, and what a rules file changes."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from reports.console import table
from sim.rules import Rules, value_text


def _plain(value: Any) -> Any:
    """Return a rule's value as JSON knows it."""
    return list(value) if isinstance(value, tuple) else value


def rules_table(rules: Rules) -> list[Any]:
    """Return the table of every rule, and its meanings below it."""
    rows = [
        [key, value_text(rules.values[key]), rules.provenance(key), p.plausible_text() or "-", p.unit]
        for key, p in rules.parameters.items()
    ]
    heads, widths = ("rule", "value", "from", "plausible", "unit"), (22, 24, 9, 25, 12)
    listed = table(f"{rules.game}: {rules.name}", heads, rows, len(heads), widths)
    meanings = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    meanings.add_column(no_wrap=True)
    meanings.add_column()
    for key, parameter in rules.parameters.items():
        meanings.add_row(key, parameter.meaning)
    readings = ["", "Read so, without a parameter:", *(f"- {line}" for line in rules.readings())]
    return [listed, "", meanings, *(readings if rules.readings() else ())]


def rules_data(rules: Rules) -> dict[str, Any]:
    """Return `rules --json`'s document."""
    return {
        "game": rules.game,
        "rules_version": rules.version,
        "name": rules.name,
        "rules": {
            key: {
                "value": _plain(rules.values[key]),
                "default": _plain(parameter.value),
                "provenance": rules.provenance(key),
                "plausible": parameter.plausible_text(),
                "allowed": parameter.allowed_text(),
                "unit": parameter.unit,
                "meaning": parameter.meaning,
            }
            for key, parameter in rules.parameters.items()
        },
        "assumptions": rules.assumptions(),
        "readings": rules.readings(),
        "notes": rules.notes(),
    }


def rules_checked(rules: Rules, file: str) -> str:
    """Return what a rules file that passed its check changes."""
    changed = [f"{key} = {value_text(rules.values[key])}" for key in rules.values if key in rules.changed]
    return f"{file}: good; changes {', '.join(changed) if changed else 'nothing'}"
