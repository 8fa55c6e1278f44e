"""The commands that play nothing: what the games and their rules are, exact odds, and runs joined into one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from reports import options
from reports.options import RuleChoice, load_rules
from reports.terminal import Filled, print_json, show
from sim.errors import BadInput


@click.command("games")
@options.json_option
def games_command(as_json: bool) -> None:
    """The games: seats, and the decisions that a policy makes.

    \b
    Example:
      steelyard games
    """
    from reports.console import games_data, games_text
    from sim.game import load_game
    from sim.rules import games

    found = [load_game(name) for name in games()]
    print_json(games_data(found)) if as_json else click.echo(games_text(found))


@click.command("rules")
@options.game_argument
@options.rule_options
@click.option("--toml", "as_toml", is_flag=True, help="Print a rules file to edit.")
@click.option("--check", "check_file", type=Filled(), metavar="FILE", help="Check a rules file.")
@options.json_option
def rules_command(game: str, variant: RuleChoice, as_toml: bool, check_file: str | None, as_json: bool) -> None:
    """Every rule of a game: value, where it comes from, plausible range, meaning.

    \b
    Examples:
      steelyard rules debrium
      steelyard rules debrium --set mining_king_bonus=10 --toml
    """
    from reports.rule_list import rules_checked, rules_data, rules_table
    from sim.rules import to_toml

    changing = ("game", "players", "sets", "name")
    if as_toml:
        options.refuse_given("--toml", (*changing, "rules_file", "check_file", "as_toml"), "")
    if check_file:
        options.refuse_given("--check", (*changing, "check_file", "as_toml", "as_json"), "")
    rules = load_rules(game, replace(variant, rules_file=check_file or variant.rules_file))
    if as_toml:
        click.echo(to_toml(rules), nl=False)
    elif check_file and not as_json:
        click.echo(rules_checked(rules, check_file))
    else:
        print_json(rules_data(rules)) if as_json else show(*rules_table(rules))


@click.command("metrics")
@options.game_argument
@options.json_option
def metrics_command(game: str, as_json: bool) -> None:
    """Every metric of a game: unit and meaning, a line for each family.

    \b
    Examples:
      steelyard metrics debrium
      steelyard metrics book_festival --json
    """
    from reports.metric_list import families, metrics_data, metrics_table

    found = families(game)
    print_json(metrics_data(found)) if as_json else show(*metrics_table(found))


@click.command("odds")
@click.option("--stars", metavar="A,B,...", help="Book Festival: the MVP lottery for these stars.")
@click.option(
    "--from-run", type=Filled(), metavar="DIR", help="The same for a run's mean stars by rank and its rules."
)
@click.option("--draws", type=Filled(), metavar="N|N:M", help="Chips drawn (default 5), or a curve such as 1:30.")
@click.option("--tie", type=Filled(), help="Tie rule: redraw (default), stars or shared.")
@click.option("--bursts", is_flag=True, help="Debrium: the exact chances of a burst, round by round.")
@click.option("--labels", type=click.IntRange(1, 12), default=4, show_default=True, help="Columns (or rows).")
@click.option("--copies", type=click.IntRange(2, 12), default=2, show_default=True, help="Chips of each label.")
@click.option("--rounds", type=click.IntRange(1, 100), default=10, show_default=True, help="Draws.")
@click.option("--shown", metavar="CHIPS", help="Chips on display, such as 2,4,B: each space's chance to be lost.")
@options.json_option
def odds_command(
    stars: str | None, from_run: str | None, draws: str | None, tie: str | None,
    bursts: bool, labels: int, copies: int, rounds: int, shown: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Exact odds, as numbers and fractions.

    \b
    Examples:
      steelyard odds --stars 20,16,12,8 --draws 5 --tie redraw
      steelyard odds --stars 20,16,12,8 --draws 1:30
      steelyard odds --bursts
      steelyard odds --bursts --shown 2,4,B
    """
    if bursts + (stars is not None) + (from_run is not None) != 1:
        raise BadInput("odds: say which odds, one of --stars A,B,..., --from-run DIR and --bursts")
    if not bursts:
        options.refuse_given("the MVP lottery", ("stars", "from_run", "draws", "tie", "as_json"), "")
        from reports.mvp_odds import mvp_data, mvp_text, of_run
        from sim.store import read

        of = of_run(read(Path(from_run))) if from_run else (stars or "", "5", "redraw")
        asked = of[0], draws or of[1], tie or of[2]
        print_json(mvp_data(*asked)) if as_json else show(*mvp_text(*asked))
    else:
        options.refuse_given("--bursts", ("bursts", "labels", "copies", "rounds", "shown", "as_json"), "")
        from reports.odds import burst_data, burst_text

        chain = labels, copies, rounds, shown
        print_json(burst_data(*chain)) if as_json else show(*burst_text(*chain))


@click.command("merge")
@click.argument("runs", nargs=-1, type=Filled(), metavar="RUN_A RUN_B ...", required=True)
@click.option("--out", type=Filled(), metavar="DIR", required=True, help="Folder for the joined run, new or empty.")
@options.json_option
def merge_command(runs: tuple[str, ...], out: str, as_json: bool) -> None:
    """Join runs of different seeds into one, such as those of two machines.

    The new folder tells the seeds and the games of each. `report` and `compare` read it; a comparison with it is not
    paired, and it cannot be gone on with. Runs of other rules, policies or versions, of a common seed or to a
    precision are refused.

    \b
    Examples:
      steelyard run debrium --games 20k --seed 1 --out runs/one
      steelyard run debrium --games 20k --seed 2 --out runs/two
      steelyard merge runs/one runs/two --out runs/both
    """
    from sim.merge import merge

    played = merge([Path(run) for run in runs], Path(out))
    if as_json:
        joined = [{"seed": part.seed, "games": part.games} for part in played.merged]
        print_json({"merged": out, "games": played.totals.games, "seeds": joined})
    else:
        told = ", ".join(f"{part.seed} ({part.games:,} games)" for part in played.merged)
        click.echo(f"merged: {out}, {played.totals.games:,} games of seeds {told}")
