"""The command line: it parses, wires and prints, and does no arithmetic.

Heavy imports live inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports import options
from reports.options import LineUpChoice, RuleChoice, load_rules
from reports.terminal import Commands, Count, Filled, end_interrupted, progress, stopping
from sim.errors import BadInput, RunFailed

if TYPE_CHECKING:
    from sim.batch import Batch
    from sim.rules import Rules
    from sim.store import Played


def _complete_policies(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """Shell completion: the policies of the game, after those already listed."""
    from policies import names
    from sim.game import load_game

    before, comma, last = text.rpartition(",")
    known = [*names(load_game(ctx.params.get("game") or "debrium")), options.MIXED]
    return [f"{before}{comma}{name}" for name in known if name.startswith(last)]


line_up_options = options.line_up_options(_complete_policies)


def _batch(rules: Rules, who: LineUpChoice) -> Batch:
    """Wire rules, policies and seed together."""
    from policies import pool
    from sim.batch import Batch, LineUp
    from sim.game import load_game

    game = load_game(rules.game)
    players = pool(game, who.line_up, game.shape(rules.values)[0])
    for origin in dict.fromkeys(policy.origin for policy in players if not policy.is_trusted):
        options.note(f"{origin} is code from outside the package and runs with your rights")
    return Batch(rules.game, rules, LineUp(players, "drawn" if who.line_up == options.MIXED else who.seats), who.seed)


def _compile(*batches: Batch) -> None:
    """Compile what is not compiled yet, and say so."""
    from sim.batch import prepare

    prepare(batches, lambda text: click.echo(text, err=True))


def _play(batch: Batch, games: int, threads: int | None, out: str | None, title: str) -> tuple[Played, float, bool]:
    """Play a batch with a progress bar, keeping it in `out`; return it, its seconds, and whether it was cut short."""
    from sim.batch import Run
    from sim.blocks import Totals
    from sim.store import Writer, played

    writer = Writer(Path(out), batch) if out else None
    _compile(batch)
    run = Run(batch, games, threads or 0)
    totals = Totals(batch.layout())
    started = time.perf_counter()
    with _naming_faults(batch), stopping(run), progress(title, games) as told:
        for part in run.parts():
            totals.add(part)
            told(part.games)
            if writer:
                writer.add(part)
    seconds = time.perf_counter() - started
    if writer:
        writer.finish(totals, games)
    if stuck := run.stuck():
        click.echo(f"note: {stuck} had not answered when the run was stopped", err=True)
    return played(batch, totals, games), seconds, totals.games < games


@contextlib.contextmanager
def _naming_faults(*batches: Batch) -> Iterator[None]:
    """Add to a policy's fault the command that shows the game."""
    from sim.batch import PolicyFault
    from sim.replay import command

    try:
        yield
    except PolicyFault as fault:
        batch = next(batch for batch in batches if fault.policy in batch.line_up.pool)
        raise RunFailed(f"{fault}; see it with: {shlex.join(command(batch, fault.game))}") from None


def _print_json(data: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(data, indent=1, allow_nan=False))


def _print(*parts: Any) -> None:
    """Print tables and lines."""
    from reports.console import console

    for part in parts:
        console().print(part)


def _write_csv(file: str | None, frame: Callable[[], Any]) -> None:
    """Write a frame as CSV when a file was asked for."""
    from sim.store import write_whole

    if file:
        write_whole(Path(file), frame().to_csv(index=False).encode())


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="steelyard", prog_name="steelyard")
def main() -> None:
    """Monte Carlo balance tests for Debrium: Treasure and Book Festival: change a number, see what it does.

    \b
    Examples:
      steelyard run debrium
      steelyard compare debrium --set mining_king_bonus=10
      steelyard report debrium --out report
      steelyard ask leader-loss
    """


@main.command("games")
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
    _print_json(games_data(found)) if as_json else click.echo(games_text(found))


@main.command("rules")
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

    rules = load_rules(game, replace(variant, rules_file=check_file or variant.rules_file))
    if as_toml:
        click.echo(to_toml(rules), nl=False)
    elif check_file and not as_json:
        click.echo(rules_checked(rules, check_file))
    else:
        _print_json(rules_data(rules)) if as_json else _print(*rules_table(rules))


@main.command("policies")
@options.game_argument
@click.argument("policy", required=False, shell_complete=_complete_policies)
@click.option("--new", "new_file", type=Filled(), metavar="FILE", help="Write a working policy to start from.")
@click.option("--check", "check_file", type=Filled(), metavar="FILE", help="Play a policy file through the contract.")
@click.option("--seconds", type=click.IntRange(1, 3600), default=120, show_default=True, help="Limit of --check.")
@options.json_option
def policies_command(
    game: str, policy: str | None, new_file: str | None, check_file: str | None, seconds: int, as_json: bool
) -> None:
    """The policies of a game; one in detail; a new one to write; the check of one.

    \b
    Examples:
      steelyard policies debrium
      steelyard policies debrium prospector
      steelyard policies debrium --new mine.py
    """
    from policies import entry, load, load_file, names
    from policies.contract import check
    from policies.template import write
    from reports.policy_list import policies_table, policy_data, policy_text
    from sim.game import load_game

    of = load_game(game)
    if new_file:
        write(of, Path(new_file))
        click.echo(f"wrote {new_file}; try: steelyard policies {game} --check {new_file}", err=True)
    elif check_file:
        click.echo(f"note: {check_file} is code and runs with your rights", err=True)
        for line in check(of, load_file(of, Path(check_file)), seconds):
            click.echo(line)
    elif policy:
        found = entry(of, load(of, policy))
        _print_json(policy_data(found)) if as_json else click.echo(policy_text(found))
    else:
        entries = [entry(of, load(of, name)) for name in names(of)]
        _print_json([policy_data(e) for e in entries]) if as_json else _print(policies_table(entries))


@main.command("run")
@options.game_argument
@options.rule_options
@line_up_options
@options.games_option("200k")
@options.threads_option
@click.option("--out", type=Filled(), metavar="DIR", help="Keep the run in a new folder that `report` can read.")
@options.json_option
@options.csv_option
def run_command(
    game: str, variant: RuleChoice, who: LineUpChoice, games: int, threads: int | None, out: str | None,
    as_json: bool, csv_file: str | None,
) -> None:  # fmt: skip
    """Play games and count: win rates by policy, seat and company, scores, mechanics.

    \b
    Examples:
      steelyard run debrium
      steelyard run debrium --players 3 --set starting_coins=5 --games 1M
      steelyard run debrium --policies prospector,king_racer,never_bids,random_legal
    """
    from reports.console import assumptions, heading, run_data, run_tables
    from reports.tables import metrics
    from sim.game import load_game
    from sim.store import check_writable

    check_writable("--csv", csv_file)
    batch = _batch(load_rules(game, variant), who)
    played, seconds, is_cut_short = _play(batch, games, threads, out, "playing")
    of = load_game(game)
    _write_csv(csv_file, lambda: metrics(played.totals))
    if as_json:
        _print_json(run_data(played, of, seconds))
    elif played.totals.games:
        _print(heading(played, of, seconds), *run_tables(played, of), assumptions(played.rules))
    if is_cut_short:
        end_interrupted()


@main.command("compare")
@options.game_argument
@options.rule_options
@click.option("--base", "base_file", type=Filled(), metavar="FILE", help="Rules file of the base.")
@click.option("--base-set", "base_sets", multiple=True, metavar="KEY=VALUE", help="Change one rule of both.")
@line_up_options
@options.games_option("200k")
@options.threads_option
@click.option("--most", type=click.IntRange(1, 10000), default=30, show_default=True, help="Rows to show.")
@options.json_option
@options.csv_option
def compare_command(
    game: str, variant: RuleChoice, base_file: str | None, base_sets: tuple[str, ...], who: LineUpChoice,
    games: int, threads: int | None, most: int, as_json: bool, csv_file: str | None,
) -> None:  # fmt: skip
    """What a rule change does: base and variant on the same seeds, each metric's paired difference.

    \b
    Examples:
      steelyard compare debrium --set mining_king_bonus=10
      steelyard compare debrium --base-set expansion=true --set green_discount=2 --games 1M
    """
    from reports.comparison import comparison_data, comparison_text, differences
    from sim.compare import Comparison
    from sim.store import check_writable

    check_writable("--csv", csv_file)
    base = load_rules(game, RuleChoice(variant.players, base_file, base_sets, None))
    changed = load_rules(game, replace(variant, rules_file=variant.rules_file or base_file), base_sets)
    if not base.diff(changed):
        raise BadInput("compare: base and variant have the same rules; change one with --set or --rules")
    comparison = Comparison(_batch(base, who), _batch(changed, who))
    _compile(comparison.base, comparison.variant)
    started = time.perf_counter()
    with _naming_faults(comparison.variant), stopping(comparison), progress("comparing", 2 * games) as told:
        comparison.play(games, threads or 0, told)
    frame = differences(comparison)
    _write_csv(csv_file, lambda: frame)
    _print_json(comparison_data(comparison, frame, time.perf_counter() - started)) if as_json else _print(
        *comparison_text(comparison, frame, most)
    )
    if comparison.is_stopped:
        end_interrupted()


@main.command("trace")
@options.game_argument
@options.rule_options
@line_up_options
@click.option("--game", "index", type=click.IntRange(0, 2**62), default=0, show_default=True, help="Which game.")
@options.json_option
def trace_command(game: str, variant: RuleChoice, who: LineUpChoice, index: int, as_json: bool) -> None:
    """One game, told: the same game that `run` plays under that number.

    \b
    Examples:
      steelyard trace debrium --seed 7 --game 812
      steelyard trace debrium --policies prospector --json
    """
    from reports.telling import tell
    from sim.replay import replay

    batch = _batch(load_rules(game, variant), who)
    _compile(batch)
    events, fault = replay(batch, index)
    for line in map(json.dumps, events) if as_json else tell(events):
        click.echo(line)
    if fault:
        raise RunFailed(str(fault))


@main.command("odds")
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
        from reports.mvp_odds import mvp_data, mvp_text, of_run
        from sim.store import read

        of = of_run(read(Path(from_run))) if from_run else (stars or "", "5", "redraw")
        asked = of[0], draws or of[1], tie or of[2]
        _print_json(mvp_data(*asked)) if as_json else _print(*mvp_text(*asked))
    else:
        from reports.odds import burst_data, burst_text

        chain = labels, copies, rounds, shown
        _print_json(burst_data(*chain)) if as_json else _print(*burst_text(*chain))


@main.command("ask")
@click.argument("question", required=False)
@click.option("--game", callback=options.check_game, shell_complete=options.complete_games, help="Of which game.")
@options.rule_options
@line_up_options
@options.games_option("200k")
@options.threads_option
@click.option("--plot", "plot_file", type=Filled(), metavar="FILE", help="Draw the answer as .svg or .png.")
@options.json_option
def ask_command(
    question: str | None, game: str | None, variant: RuleChoice, who: LineUpChoice, games: int, threads: int | None,
    plot_file: str | None, as_json: bool,
) -> None:  # fmt: skip
    """A designer's question, answered in a sentence; without a name, the list of questions.

    \b
    Examples:
      steelyard ask
      steelyard ask leader-loss --games 1M
      steelyard ask seat-advantage --game debrium --plot seats.svg
    """
    from reports import answers, questions

    if question is None:
        listed = questions.of_game(game)
        _print_json(answers.questions_data(listed)) if as_json else _print(*answers.questions_text(listed))
        return
    asked = questions.find(question, game)
    played, _, is_cut_short = _play(
        _batch(load_rules(asked.game, variant, asked.settings), who), games, threads, None, asked.name
    )
    found = questions.answer(asked, played)
    varied = []
    for setting in asked.variations(games, is_cut_short):
        other = _batch(load_rules(asked.game, variant, [*asked.settings, setting.text]), who)
        varied.append(
            (setting.value, questions.answer(asked, _play(other, setting.games, threads, None, setting.text)[0]))
        )
    if plot_file:
        answers.plot(found, varied, Path(plot_file))
    _print_json(answers.answer_data(found, varied)) if as_json else _print(*answers.answer_text(found, varied))
    if is_cut_short:
        end_interrupted()


@main.command("report")
@click.argument("what", type=Filled(), metavar="GAME|RUN_DIR", shell_complete=options.complete_games)
@options.rule_options
@line_up_options
@options.games_option("500k")
@options.threads_option
@click.option("--out", type=Filled(), default="report", show_default=True, metavar="DIR", help="Folder for the page.")
@options.json_option
def report_command(
    what: str, variant: RuleChoice, who: LineUpChoice, games: int, threads: int | None, out: str, as_json: bool
) -> None:
    """The designer report: one HTML page, its charts as SVG and tables as CSV beside it.

    A game's report plays every number of players, base game and expansion, --games each (--players or a
    --set of them narrows it). A run directory's report shows that run.

    \b
    Examples:
      steelyard report debrium
      steelyard report debrium --set mining_king_bonus=10 --games 100k --out king10
    """
    from reports.page import write_report
    from sim.game import load_game
    from sim.rules import games as known
    from sim.store import check_folder, read

    is_cut_short = False
    if what in known():
        check_folder("--out", out)
        runs = []
        given = list(load_rules(what, variant).changed) + (["players"] if variant.players else [])
        for changes in load_game(what).variants(given):
            rules = load_rules(what, variant, changes)
            result, _, is_cut_short = _play(_batch(rules, who), games, threads, None, ", ".join(changes))
            runs.append(result)
            if is_cut_short:
                break
    elif Path(what).exists():
        options.refuse_given("a run directory's report", ("out", "as_json", "what"))
        check_folder("--out", out)
        runs = [read(Path(what))]
    else:
        raise BadInput(f"report: {what!r} is neither a game ({', '.join(known())}) nor a run directory")
    page = write_report(runs, Path(out), shlex.join(["steelyard", *sys.argv[1:]]))
    _print_json({"report": str(page)}) if as_json else click.echo(f"report: {page}")
    if is_cut_short:
        end_interrupted()


@main.command("bench")
@click.argument(
    "game", required=False, callback=options.check_game, metavar="[GAME]", shell_complete=options.complete_games
)
@click.option("--games", type=Count(), default="200k", show_default=True, metavar="COUNT", help="Games a measure.")
@click.option("--threads", type=click.IntRange(1, 256), default=2, show_default=True, help="Most threads.")
@options.json_option
def bench_command(game: str | None, games: int, threads: int, as_json: bool) -> None:
    """Games per second on this machine: by game and line-up, without metrics, and over threads.

    \b
    Examples:
      steelyard bench
      steelyard bench debrium --games 1M --threads 4
    """
    from reports.speed import bench_data, bench_table
    from sim.game import load_game
    from sim.rules import games as known
    from sim.speed import measure

    found = []
    for name in [game] if game else known():
        of = load_game(name)
        rules = load_rules(name, RuleChoice(None, None, (), None))
        batches = [_batch(rules, LineUpChoice(line_up, "shuffled", 1)) for line_up in of.bench]
        _compile(*batches)
        found += measure(batches, games, threads)
    _print_json(bench_data(found)) if as_json else _print(*bench_table(found))


if __name__ == "__main__":
    main()
