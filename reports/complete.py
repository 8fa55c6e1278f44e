"""What a shell completes: games, rules, metrics, questions and folders, of the game that is typed already."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem


def games_typed(ctx: click.Context) -> list[str]:
    """Return the games that a line is about: the one typed, else all.

    While an option waits for its value click has not told the words before it apart.
    """
    from sim.rules import games

    words = [ctx.params.get("game"), ctx.params.get("what"), *ctx.args]
    return [word for word in words if word in games()][:1] or list(games())


def complete_games(ctx: click.Context, param: click.Parameter, text: str) -> list[CompletionItem]:
    """The games, and folders where a run may stand as well."""
    from sim.rules import games

    found = [CompletionItem(name) for name in games() if name.startswith(text)]
    shown = param.metavar or ""
    is_folder = "DIR" in shown or "RUN" in shown
    return found or ([CompletionItem(text, type="dir")] if is_folder else [])


def complete_rules(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """The keys of the game's rules."""
    return [f"{key}=" for key in _rules(ctx) if key.startswith(text)]


def complete_varied(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """The keys of rules that can be varied; of a list, shifted as a whole as well."""
    found = []
    for key, value in _rules(ctx).items():
        found += [f"{key}=", f"{key}+="] if isinstance(value, tuple) else [f"{key}="]
    return [word for word in found if word.startswith(text)]


def complete_metrics(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """The families of metrics."""
    from reports.metric_list import families

    found = (family.name for game in games_typed(ctx) for family in families(game))
    return [name for name in dict.fromkeys(found) if name.startswith(text)]


def complete_questions(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """The questions, of the game that --game names."""
    from reports.questions import of_game

    names = dict.fromkeys(question.name for question in of_game(ctx.params.get("game")))
    return [name for name in names if name.startswith(text)]


def policy_files(text: str) -> Iterator[str]:
    """Yield the policy files and the folders that a path could go on with; none for what is no path."""
    if "/" not in text:
        return
    folder, _, start = text.rpartition("/")
    try:
        entries = sorted(Path(f"{folder}/").iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(start) and (start or entry.name[0] not in "._"):
            if entry.is_dir():
                yield f"{folder}/{entry.name}/"
            elif entry.suffix == ".py":
                yield f"{folder}/{entry.name}"


def _rules(ctx: click.Context) -> dict[str, object]:
    """Return the values of the games' rules, by key."""
    from sim import rules

    return {key: value for game in games_typed(ctx) for key, value in rules.load(game).values.items()}
