"""How a trace written by hand begins, and ways to change one: shared by the tests that judge the referees."""

from collections.abc import Callable
from typing import Any

Trace = list[dict[str, Any]]
Change = Callable[[Trace], object]


def event(name: str, **keys: Any) -> dict[str, Any]:
    return {"event": name, **keys}


def opening_of(game: str, rules: dict[str, Any]) -> dict[str, Any]:
    """The line that says which game is told and by which rules."""
    players = rules["players"]
    said = {"game": game, "rules_version": 2, "seed": 7, "index": 0, "players": players}
    return event("game", **said, policies=["by hand"] * players, rules=rules)


def find(trace: Trace, name: str, nth: int = 0) -> dict[str, Any]:
    return [entry for entry in trace if entry["event"] == name][nth]


def say(name: str, nth: int = 0, **keys: Any) -> Change:
    """Another word in the nth event of a name."""
    return lambda trace: find(trace, name, nth).update(keys)


def rule(**keys: Any) -> Change:
    return lambda trace: find(trace, "game")["rules"].update(keys)


def drop_key(name: str, key: str) -> Change:
    return lambda trace: find(trace, name).pop(key)


def drop_rule(key: str) -> Change:
    return lambda trace: find(trace, "game")["rules"].pop(key)


def both(*changes: Change) -> Change:
    return lambda trace: [change(trace) for change in changes]
