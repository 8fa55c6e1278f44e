"""The options that commands share, each written once, and the objects that a command gets them in."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports import complete
from reports.progress import tell
from reports.terminal import STDOUT, Count, CsvFile, Filled, Precision
from sim.errors import BadInput, unknown

if TYPE_CHECKING:
    from sim.rules import Rules
    from sim.sweep import Goal

complete_games, complete_rules = complete.complete_games, complete.complete_rules

MIXED = "mixed"
#: Parameters that the environment may set and that decide results.
_DECIDING = ("players", "line_up", "seats", "seed", "games")


def known_game(name: str) -> str:
    """Return a game that exists; raise BadInput with the nearest one's name."""
    from sim.rules import games

    if name not in games():
        raise unknown("game", name, games())
    return name


def check_game(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A game that exists, or the nearest one's name."""
    return value if value is None else known_game(value)


game_argument = click.argument(
    "game", callback=check_game, shell_complete=complete_games, is_eager=True, metavar="GAME"
)


def check_game_or_folder(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """A game that exists, or a folder; a game's name is the game."""
    from sim.rules import games

    return value if value not in games() and Path(value).is_dir() else known_game(value)


game_or_sweep_argument = click.argument(
    "game", callback=check_game_or_folder, shell_complete=complete_games, is_eager=True, metavar="GAME|SWEEP_DIR"
)


@dataclass(frozen=True)
class RuleChoice:
    """The rules to play by, as the options say."""

    players: int | None
    rules_file: str | None
    sets: tuple[str, ...]
    name: str | None


@dataclass(frozen=True)
class LineUpChoice:
    """Who plays, and the seed, as the options say."""

    line_up: str
    seats: str
    seed: int


def packed(
    into: type[Any], key: str, *options: Any, **fixed: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds options to a command and hands it their values in one object.

    `fixed` are the values of what the command has no option for.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_object(**given: Any) -> Any:
            values = {f.name: fixed[f.name] if f.name in fixed else given.pop(f.name) for f in fields(into)}
            return command(**given, **{key: into(**values)})

        return functools.reduce(lambda made, option: option(made), reversed(options), with_object)

    return decorate


rule_options = packed(
    RuleChoice,
    "variant",
    click.option("--players", type=int, envvar="STEELYARD_PLAYERS", help="Number of players (default 4)."),
    click.option("--rules", "rules_file", type=Filled(), metavar="FILE", help="Rules file in TOML, may be partial."),
    click.option(
        "--set", "sets", multiple=True, metavar="KEY=VALUE", shell_complete=complete_rules,
        help="Change one rule; wins over the file; repeatable.",
    ),
    click.option("--name", type=Filled(), metavar="TEXT", help="The variant's name, shown in every output."),
)  # fmt: skip


def line_up_options(complete_policies: Callable[..., list[str]]) -> Callable[[Any], Any]:
    """Who plays, and the seed; `complete_policies` completes policies' names in a shell."""
    return packed(
    LineUpChoice,
    "who",
    click.option(
        "--policies", "line_up", default=MIXED, envvar="STEELYARD_POLICIES", shell_complete=complete_policies,
        metavar="A,B,...", show_default=True,
        help="As many as players, or one for all seats: names or paths, parameters as name:key=value. "
        "mixed draws different ones for each game; mixed,./mine.py adds to them.",
    ),
    click.option(
        "--seats", type=click.Choice(["shuffled", "fixed"]), default="shuffled", envvar="STEELYARD_SEATS",
        show_default=True, help="Deal the line-up to the seats anew each game, or as listed.",
    ),
    click.option(
        "--seed", type=click.IntRange(0, 2**63 - 1), default=1, envvar="STEELYARD_SEED", show_default=True,
        metavar="S", help="The same seed gives the same games.",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class PlayChoice:
    """How much is played and by whom, as the options say; precision 0 when a number of games is asked for."""

    games: int
    precision: float
    threads: int | None
    dask: str | None
    rows: bool

    @property
    def scheduler(self) -> str | None:
        """The Dask scheduler to play by, None for threads here: what is typed wins over the environment."""
        if self.dask is None or self.threads is None or not is_typed("threads"):
            return self.dask
        if is_typed("dask"):
            raise BadInput("--threads, --dask: give one; the cluster's workers have their own threads")
        return None

    def goal(self, watched: Sequence[str]) -> Goal:
        """Return the goal; raise BadInput when both a number of games and a precision are given."""
        from sim.sweep import Goal

        if not self.precision:
            return Goal(self.games)
        if is_typed("games"):
            raise BadInput("--games, --precision: give one; a precision decides how many games are played")
        return Goal(half_width=self.precision, watched=tuple(watched))


_games_option = functools.partial(
    click.option, "--games", type=Count(), envvar="STEELYARD_GAMES", show_default=True, metavar="COUNT",
    help="How many games: 200000, 200k, 2M, 1e6.",
)  # fmt: skip
_threads_option = click.option(
    "--threads", type=click.IntRange(1, 256), envvar="STEELYARD_THREADS", metavar="T",
    help="Threads (default: all cores). Results do not depend on it.",
)  # fmt: skip
_dask_option = click.option(
    "--dask", type=Filled(), envvar="STEELYARD_DASK", metavar="ADDRESS",
    help="Play on the workers of this Dask scheduler, such as tcp://host:8786.",
)  # fmt: skip
_precision_option = click.option(
    "--precision", type=Precision(), default=0.0, metavar="X",
    help="Instead of --games: go on until the answer is within X, such as 0.002 or 0.2%.",
)  # fmt: skip
_rows_option = click.option("--rows", is_flag=True, help="Keep every game in --out as Parquet as well.")


def play_options(games: str, has_precision: bool = False, has_rows: bool = False) -> Callable[[Any], Any]:
    """How much is played, with the usual number of games, and by whom."""
    more = ([_precision_option] if has_precision else []) + ([_rows_option] if has_rows else [])
    absent = {} if has_precision else {"precision": 0.0}
    absent |= {} if has_rows else {"rows": False}
    return packed(PlayChoice, "how", _games_option(default=games), *more, _threads_option, _dask_option, **absent)


out_option = click.option(
    "--out", type=Filled(), metavar="DIR",
    help="Keep the results in a folder, which the same command goes on with after an interruption.",
)  # fmt: skip
plot_option = click.option("--plot", "plot_file", type=Filled(), metavar="FILE", help="Draw it as .svg or .png.")


def _check_together(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Refuse options of which one would say nothing beside the other, whichever of them is read last."""
    given = {**ctx.params, str(param.name): value}
    only = "--json" if given.get("as_json") else "--csv -" if given.get("csv_file") == STDOUT else None
    if given.get("as_json") and given.get("csv_file") == STDOUT:
        raise BadInput("--json, --csv -: both are standard output; give one, or name a file")
    for name, option in (("is_all", "--all"), ("has_assumptions", "--assumptions")):
        if only and given.get(name):
            raise BadInput(f"{option}: does not apply to {only}; it shapes the text that is not printed there")
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_check_together, help="One JSON document and nothing else."
)
csv_option = click.option(
    "--csv", "csv_file", type=CsvFile(), metavar="FILE", callback=_check_together,
    help="Also write every metric as CSV; - for CSV alone on standard output.",
)  # fmt: skip
all_option = click.option(
    "--all", "is_all", is_flag=True, callback=_check_together, help="Show every metric, not only who wins."
)
assumptions_option = click.option(
    "--assumptions", "has_assumptions", is_flag=True, callback=_check_together,
    help="List the values that no source states, with what they mean.",
)  # fmt: skip


def load_rules(game: str, choice: RuleChoice, first: Sequence[str] = ()) -> Rules:
    """Load a variant's rules, settings of `first` before the user's; say what lies outside its plausible range."""
    from sim import rules

    own = _keys(choice.sets)
    players = choice.players
    if players is not None and "players" in own:
        if is_typed("players"):
            raise BadInput("--set: players is given by --players as well; give it once")
        players = None
    if players is not None:
        own.append("players")
    sets = [text for text in first if text.partition("=")[0] not in own] + list(choice.sets)
    if players is not None:
        sets.append(f"players={players}")
    try:
        loaded = rules.load(game, choice.rules_file, sets, choice.name)
    except BadInput as error:
        if players is not None and str(error).startswith("--set: players"):
            raise BadInput(str(error).replace("--set: players", "--players", 1)) from None
        raise
    for text in loaded.notes():
        note(text)
    return loaded


def _keys(sets: Sequence[str]) -> list[str]:
    """Return the keys that --set gives."""
    return [text.partition("=")[0].strip() for text in sets]


def note(text: str) -> None:
    """Say on standard error what a reader should know, once in a command however many variants it holds for."""
    context = click.get_current_context(silent=True)
    said = context.meta.setdefault("steelyard.notes", set()) if context else set()
    if text not in said:
        said.add(text)
        tell(f"note: {text}")


def is_typed(name: str) -> bool:
    """Tell whether a parameter is on the command line; the environment only sets defaults."""
    context = click.get_current_context(silent=True)
    return context is None or context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def typed_again() -> str:
    """Return the command as it was typed, with what the environment decides of its results."""
    context = click.get_current_context()
    words = ["steelyard", *sys.argv[1:]]
    for parameter in context.command.params:
        from_environment = context.get_parameter_source(str(parameter.name)) is click.core.ParameterSource.ENVIRONMENT
        is_overruled = parameter.name == "players" and "players" in _keys(context.params["sets"])
        if from_environment and parameter.name in _DECIDING and not is_overruled:
            words += [parameter.opts[0], str(parameter.value_from_envvar(context))]
    return shlex.join(words)


def refuse_given(what: str, but: Sequence[str], why: str = "; what was played is shown") -> None:
    """Raise BadInput when the command line gives an option that says nothing to this use of the command."""
    for parameter in click.get_current_context().command.params:
        if parameter.expose_value and is_typed(str(parameter.name)) and parameter.name not in but:
            raise BadInput(f"{parameter.opts[0]}: does not apply to {what}{why}")
