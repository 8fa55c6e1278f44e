"""The command line: it parses, wires and prints, and does no arithmetic.

Heavy imports live inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports import options, terminal
from reports.complete import complete_metrics, complete_questions, complete_varied, games_typed, policy_files
from reports.lookup import games_command, merge_command, metrics_command, odds_command, rules_command
from reports.options import LineUpChoice, PlayChoice, RuleChoice, load_rules
from reports.progress import compiling, progress, steps, tell
from reports.terminal import (
    STDOUT,
    Commands,
    Count,
    Filled,
    check_csv,
    end_interrupted,
    print_json,
    show,
    stopping,
    write_csv,
)
from sim.errors import BadInput, RunFailed, visible

if TYPE_CHECKING:
    from sim.batch import Batch
    from sim.cluster import Cluster
    from sim.game import Game
    from sim.played import Played
    from sim.policy import Policy
    from sim.rules import Rules
    from sim.sweep import Goal, Sweep, Swept
    from sim.workers import Threads


def _complete_policies(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """Shell completion: the policies of the game and policy files, after those already listed."""
    from policies import names
    from sim.game import load_game

    before, comma, last = text.rpartition(",")
    known = [name for game in games_typed(ctx) for name in names(load_game(game))]
    found = [name for name in dict.fromkeys([*known, options.MIXED]) if name.startswith(last)]
    return [f"{before}{comma}{name}" for name in [*found, *policy_files(last)]]


def _complete_policy(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """Shell completion: one policy of the game."""
    from policies import names
    from sim.game import load_game

    return [name for game in games_typed(ctx) for name in names(load_game(game)) if name.startswith(text)]


line_up_options = options.line_up_options(_complete_policies)


@functools.cache
def _pool(game: Game, line_up: str, seats: int) -> tuple[Policy, ...]:
    """Load a line-up, and say once which of its policies are a stranger's code."""
    from policies import pool

    players = pool(game, line_up, seats)
    for origin in dict.fromkeys(policy.origin for policy in players if not policy.is_trusted):
        options.note(f"{origin} is code from outside the package and runs with your rights")
    return players


def _batch(rules: Rules, who: LineUpChoice, params: Mapping[tuple[str, str], float] | None = None) -> Batch:
    """Wire rules, policies and seed together."""
    from policies import is_drawn, with_params
    from sim.batch import Batch, LineUp
    from sim.game import load_game

    game = load_game(rules.game)
    players = with_params(game, _pool(game, who.line_up, game.shape(rules.values)[0]), params or {})
    return Batch(rules.game, rules, LineUp(players, "drawn" if is_drawn(who.line_up) else who.seats), who.seed)


def _compile(*batches: Batch) -> None:
    """Compile what is not compiled yet, and say so."""
    from sim.batch import prepare, to_compile

    with compiling(lambda: to_compile(batches)):
        prepare(batches, tell)


def _play(
    batches: Sequence[Batch], goal: Goal, how: PlayChoice, title: str, folders: Sequence[Path] = (), base: int = 0,
    on_finished: Callable[[int], None] | None = None,
) -> tuple[Sweep, float]:  # fmt: skip
    """Play batches on the same games with a progress bar, each kept in its folder; return them and the seconds."""
    from sim.replay import naming_faults
    from sim.store import Writer
    from sim.sweep import Sweep

    if how.rows and not folders:
        raise BadInput("--rows: needs --out, the folder that keeps them")
    writers = [Writer(folder, batch, how.rows) for folder, batch in zip(folders, batches, strict=False)]
    sweep = Sweep(batches, goal, base, writers)
    with (
        naming_faults(batches),
        _workers(batches, how) as workers,
        stopping(sweep),
        progress(title, sweep.expected) as told,
    ):
        started = time.perf_counter()
        sweep.play(workers, lambda games: told(games, sweep.expected, sweep.new_games), on_finished)
        if stuck := workers.stuck():
            tell(f"note: {stuck} had not answered when the run was stopped")
    return sweep, time.perf_counter() - started


def _workers(batches: Sequence[Batch], how: PlayChoice) -> Threads | Cluster:
    """Return who plays: threads here, or the workers of a Dask scheduler."""
    if how.scheduler is None:
        from sim.workers import Threads

        _compile(*batches)
        return Threads(batches, how.threads or 0, how.rows)
    from sim.cluster import Cluster

    return Cluster(batches, how.scheduler, how.rows, tell)


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


for command in (games_command, rules_command, metrics_command, odds_command, merge_command):
    main.add_command(command)


@main.command("policies")
@options.game_argument
@click.argument("policy", required=False, shell_complete=_complete_policy)
@click.option("--new", type=Filled(), metavar="FILE", help="Write a working policy to start from.")
@click.option("--check", type=Filled(), metavar="FILE", help="Play a policy file through the contract.")
@click.option("--seconds", type=click.IntRange(1, 3600), default=120, show_default=True, help="Limit of --check.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="S", help="Of --check's games, else a fresh one.")
@options.json_option
def policies_command(
    game: str, policy: str | None, new: str | None, check: str | None, seconds: int, seed: int | None, as_json: bool
) -> None:
    """The policies of a game; one in detail; a new one to write; the check of one.

    \b
    Examples:
      steelyard policies debrium
      steelyard policies debrium prospector
      steelyard policies debrium --new mine.py
    """
    from policies import contract, entry, load, names, template
    from reports.policy_list import policies_table, policy_data, policy_text
    from sim.game import load_game

    beside = {"--new": ("new",), "--check": ("check", "seconds", "seed"), "showing policies": ("policy", "as_json")}
    use = "--new" if new else "--check" if check else "showing policies"
    options.refuse_given(use, ("game", *beside[use]), "")
    of = load_game(game)
    if new:
        template.write(of, Path(new))
        tell(f"wrote {new}; try: steelyard policies {game} --check {new}")
    elif check:
        for line in contract.check_file(of, Path(check), seconds, seed, options.note):
            click.echo(visible(line))
    elif policy:
        found = entry(of, load(of, policy))
        print_json(policy_data(found)) if as_json else click.echo(policy_text(found))
    else:
        entries = [entry(of, load(of, name)) for name in names(of)]
        print_json([policy_data(e) for e in entries]) if as_json else show(policies_table(entries))


@main.command("run")
@options.game_argument
@options.rule_options
@line_up_options
@options.play_options("200k", has_precision=True, has_rows=True)
@options.out_option
@options.all_option
@options.assumptions_option
@options.json_option
@options.csv_option
def run_command(
    game: str, variant: RuleChoice, who: LineUpChoice, how: PlayChoice, out: str | None, is_all: bool,
    has_assumptions: bool, as_json: bool, csv_file: str | None,
) -> None:  # fmt: skip
    """Play games and count: win rates by policy, seat and company; scores and mechanics with --all.

    \b
    Examples:
      steelyard run debrium
      steelyard run debrium --players 3 --set starting_coins=5 --games 1M
      steelyard run debrium --all --assumptions
      steelyard run debrium --csv - --quiet
      steelyard run debrium --policies prospector,king_racer,never_bids,random_legal --precision 0.2%
      steelyard run debrium --games 2M --out runs/base --rows
    """
    from reports.console import assumed_values, assumptions, heading, run_data, run_tables
    from reports.tables import metrics
    from sim.game import load_game

    check_csv(csv_file)
    batch, of = _batch(load_rules(game, variant), who), load_game(game)
    watched = [f"win_rate_by_{by}" for by in ("policy", "seat", of.side)]
    sweep, seconds = _play([batch], how.goal(watched), how, "playing", [Path(out)] if out else ())
    (played,) = sweep.finish()
    try:
        write_csv(csv_file, lambda: metrics(played.totals))
    finally:
        if as_json:
            print_json(run_data(played, of, seconds, sweep.new_games))
        elif played.totals.games and csv_file != STDOUT:
            show(heading(played, of, seconds, sweep.new_games), *run_tables(played, of, is_all))
            show(assumptions(played.rules), *(assumed_values(played.rules) if has_assumptions else ()))
    if not sweep.is_finished:
        end_interrupted()


@main.command("sweep")
@options.game_or_sweep_argument
@click.option(
    "--vary", "varies", multiple=True, type=Filled(), metavar="KEY=VALUES", shell_complete=complete_varied,
    help="What to vary; repeatable.",
)  # fmt: skip
@click.option("--design", default="grid", show_default=True, metavar="KIND", help="grid, latin:N or sobol:N.")
@click.option("--lineups", "line_up_file", type=Filled(), metavar="FILE", help="Vary line-ups: a line for each.")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", shell_complete=complete_metrics,
    help="Show this metric or family; repeatable.",
)  # fmt: skip
@options.rule_options
@line_up_options
@options.play_options("100k", has_precision=True, has_rows=True)
@options.out_option
@click.option("--most", type=click.IntRange(1, 10000), default=40, show_default=True, help="Cells to show.")
@click.option("--verbose", is_flag=True, help="Tell of each cell when it is finished.")
@options.plot_option
@options.assumptions_option
@options.json_option
@options.csv_option
def sweep_command(
    game: str, varies: tuple[str, ...], design: str, line_up_file: str | None, metrics: tuple[str, ...],
    variant: RuleChoice, who: LineUpChoice, how: PlayChoice, out: str | None, most: int, verbose: bool,
    plot_file: str | None, has_assumptions: bool, as_json: bool, csv_file: str | None,
) -> None:  # fmt: skip
    """Vary rules, policies' parameters or line-ups: every cell on the same games, paired with the base.

    With --out the same command goes on after an interruption, and one with more values plays only the new cells. A
    sweep's folder is shown as it is: SWEEP_DIR with --metric, --plot, --csv or --json.

    \b
    VALUES are a,b,c or lo:hi:step; lists a,b|c,d; key+=lo:hi:step shifts; policy.param=... sets a
    policy's parameter; "a,b=1,2 / 3,4" moves keys together.

    \b
    Examples:
      steelyard sweep debrium --vary mining_king_bonus=0:25:5 --plot king.svg
      steelyard sweep debrium --vary mining_king_bonus=0,15,30 --vary starting_coins=5,10
      steelyard sweep debrium --vary mining_king_bonus=0:25:5 --games 20k --out runs/king
      steelyard sweep debrium --vary mining_king_bonus=0:40:5 --games 20k --out runs/king
      steelyard sweep runs/king --plot king.svg
      steelyard sweep debrium --vary "debt_penalty+=-1:1:1" --precision 1%
      steelyard sweep book_festival --design sobol:16 --vary mvp_draws=1:30 --games 20k
    """
    from reports import sweep_chart, sweeps
    from reports.console import assumed_values
    from reports.picture import check_drawing
    from sim.game import load_game
    from sim.rules import games as known
    from sim.sweep_folder import read_sweep

    check_csv(csv_file)
    check_drawing("--plot", plot_file)
    seconds, is_finished = 0.0, True
    if game in known():
        swept, seconds, is_finished = _sweep(
            load_rules(game, variant), varies, design, line_up_file, metrics, who, how, out, verbose
        )
    else:
        shown = ("game", "metrics", "most", "plot_file", "as_json", "csv_file", "has_assumptions")
        options.refuse_given("a sweep's folder", shown)
        swept = read_sweep(Path(game))
    of = load_game(swept.played[swept.base].rules.game)
    names = sweeps.choose(swept, metrics, of)
    try:
        write_csv(csv_file, lambda: sweeps.frame(swept))
        if plot_file:
            sweep_chart.draw(swept, names, Path(plot_file))
    finally:
        if as_json:
            print_json(sweeps.sweep_data(swept, names if metrics else None, seconds))
        elif csv_file != STDOUT:
            show(*sweeps.sweep_text(swept, names, most, () if metrics else sweeps.headline(swept, of)))
            show(*(assumed_values(*(played.rules for played in swept.played)) if has_assumptions else ()))
    if not is_finished:
        end_interrupted()


def _sweep(
    base: Rules, varies: Sequence[str], design: str, line_up_file: str | None, metrics: Sequence[str],
    who: LineUpChoice, how: PlayChoice, out: str | None, verbose: bool,
) -> tuple[Swept, float, bool]:  # fmt: skip
    """Play a sweep's cells; return what was found, the seconds it took, and whether every cell is finished."""
    from policies import param_of
    from reports import sweeps
    from sim.design import make_design, read_line_ups
    from sim.game import load_game
    from sim.sweep_folder import cell_folders, keep_goal

    of = load_game(base.game)
    line_ups = read_line_ups(Path(line_up_file)) if line_up_file else [who.line_up]
    pools = [_pool(of, line_up, of.shape(base.values)[0]) for line_up in line_ups]
    cells = make_design(base, line_ups, varies, design, who.seed, functools.partial(param_of, of, pools))
    for note in (note for cell in cells.cells for note in cell.rules.notes()):
        options.note(note)
    batches = [_batch(cell.rules, replace(who, line_up=cell.line_up), cell.params) for cell in cells.cells]
    sweeps.find(metrics, (batch.layout() for batch in batches))
    goal = how.goal([f"win_rate_by_{by}" for by in ("policy", "seat", of.side)])
    folders = cell_folders(Path(out), cells, batches, goal, how.rows) if out else ()
    told = (lambda number: tell(sweeps.finished_text(cells, number, bool(out)))) if verbose else None
    sweep, seconds = _play(batches, goal, how, "sweeping", folders, cells.base, told)
    swept = sweep.swept(cells)
    if out:
        keep_goal(Path(out), goal)
    return swept, seconds, sweep.is_finished


@main.command("compare")
@click.argument("what", type=Filled(), metavar="GAME|RUN_A", shell_complete=options.complete_games)
@click.argument("other", type=Filled(), metavar="[RUN_B]", required=False)
@options.rule_options
@click.option("--base", "base_file", type=Filled(), metavar="FILE", help="Rules file of the base.")
@click.option("--base-set", "base_sets", multiple=True, metavar="KEY=VALUE", help="Change one rule of both.")
@line_up_options
@options.play_options("200k")
@click.option("--most", type=click.IntRange(1, 10000), default=30, show_default=True, help="Rows to show.")
@options.assumptions_option
@options.json_option
@options.csv_option
def compare_command(
    what: str, other: str | None, variant: RuleChoice, base_file: str | None, base_sets: tuple[str, ...],
    who: LineUpChoice, how: PlayChoice, most: int, has_assumptions: bool, as_json: bool, csv_file: str | None,
) -> None:  # fmt: skip
    """What a rule change does: base and variant on the same seeds, each metric's paired difference.

    Two run directories are compared by what they hold, paired where they played the same games.

    \b
    Examples:
      steelyard compare debrium --set mining_king_bonus=10
      steelyard compare debrium --base-set expansion=true --set green_discount=2 --games 1M
      steelyard compare runs/base runs/king10
    """
    from reports.comparison import comparison_data, comparison_text, differences
    from reports.console import assumed_values
    from sim.compare import of_runs
    from sim.sweep import Goal

    check_csv(csv_file)
    seconds, is_finished = 0.0, True
    if other is not None:
        options.refuse_given(
            "two run directories", ("what", "other", "most", "has_assumptions", "as_json", "csv_file")
        )
        comparison = of_runs(Path(what), Path(other))
    else:
        game = options.known_game(what)
        base = load_rules(game, RuleChoice(variant.players, base_file, base_sets, None))
        changed = load_rules(game, replace(variant, rules_file=variant.rules_file or base_file), base_sets)
        if not base.diff(changed):
            raise BadInput("compare: base and variant have the same rules; change one with --set or --rules")
        sweep, seconds = _play([_batch(base, who), _batch(changed, who)], Goal(how.games), how, "comparing")
        comparison, is_finished = sweep.comparison(), sweep.is_finished
    frame = differences(comparison)
    try:
        write_csv(csv_file, lambda: frame)
    finally:
        if as_json:
            print_json(comparison_data(comparison, frame, seconds))
        elif csv_file != STDOUT:
            show(*comparison_text(comparison, frame, most))
            show(*(assumed_values(comparison.variant.rules) if has_assumptions else ()))
    if not is_finished:
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
    events, fault = terminal.beside(lambda: replay(batch, index))
    for line in map(json.dumps, events) if as_json else tell(events):
        click.echo(line)
    if fault:
        raise RunFailed(str(fault))


@main.command("ask")
@click.argument("question", required=False, shell_complete=complete_questions)
@click.option(
    "--game", is_eager=True, callback=options.check_game, shell_complete=options.complete_games,
    help="Of which game.",
)  # fmt: skip
@options.rule_options
@line_up_options
@options.play_options("200k", has_precision=True)
@options.plot_option
@options.assumptions_option
@options.json_option
def ask_command(
    question: str | None, game: str | None, variant: RuleChoice, who: LineUpChoice, how: PlayChoice,
    plot_file: str | None, has_assumptions: bool, as_json: bool,
) -> None:  # fmt: skip
    """A designer's question, answered in a sentence; without a name, the list of questions.

    \b
    Examples:
      steelyard ask
      steelyard ask leader-loss --games 1M
      steelyard ask seat-advantage --game debrium --plot seats.svg
    """
    from reports import answers, questions
    from reports.console import assumed_values
    from reports.picture import check_drawing
    from sim.rules import with_values
    from sim.sweep import Goal

    check_drawing("--plot", plot_file)
    if question is None:
        options.refuse_given("the list of questions", ("game", "as_json"), "; name a question")
        listed = questions.of_game(game)
        print_json(answers.questions_data(listed)) if as_json else show(*answers.questions_text(listed))
        return
    asked = questions.find(question, game)
    rules = load_rules(asked.game, variant, asked.settings)
    (played,) = _play([_batch(rules, who)], how.goal([asked.watched]), how, asked.name)[0].finish()
    found = questions.answer(asked, played)
    varied = []
    for setting in asked.variations(played.totals.games, played.is_cut_short):
        if rules.values[setting.rule] == setting.value:  # told already, of more games
            varied.append((setting.value, found))
            continue
        other = with_values(rules, {setting.rule: setting.value}, f"ask {asked.name}")
        (answered,) = _play([_batch(other, who)], Goal(setting.games), how, setting.rule)[0].finish()
        varied.append((setting.value, questions.answer(asked, answered)))
    try:
        if plot_file:
            answers.plot(found, varied, Path(plot_file))
    finally:
        print_json(answers.answer_data(found, varied)) if as_json else show(*answers.answer_text(found, varied))
        show(*(assumed_values(played.rules) if has_assumptions else ()))
    if played.is_cut_short:
        end_interrupted()


@main.command("report")
@click.argument("what", type=Filled(), metavar="GAME|DIR", shell_complete=options.complete_games)
@options.rule_options
@line_up_options
@options.play_options("200k")
@click.option("--out", type=Filled(), default="report", show_default=True, metavar="DIR", help="Folder for the page.")
@options.json_option
def report_command(
    what: str, variant: RuleChoice, who: LineUpChoice, how: PlayChoice, out: str, as_json: bool
) -> None:
    """The designer report: one HTML page, its charts as SVG and tables as CSV beside it.

    A game's report plays every number of players, base game and expansion, --games each (--players or a
    --set of them narrows it). A run directory's report shows that run, a sweep's its cells side by side.

    \b
    Examples:
      steelyard report debrium
      steelyard report debrium --set mining_king_bonus=10 --games 100k --out king10
    """
    from reports.html import FILES
    from reports.page import write_report
    from reports.sweeps import variants
    from sim.files import check_folder
    from sim.game import load_game
    from sim.rules import games as known
    from sim.store import read
    from sim.sweep import Goal
    from sim.sweep_folder import is_sweep, read_sweep

    if what in known():
        check_folder("--out", out, FILES)
        runs: list[Played] = []
        for changes in load_game(what).variants(load_rules(what, variant).given):
            rules = load_rules(what, variant, changes)
            runs += _play([_batch(rules, who)], Goal(how.games), how, ", ".join(changes))[0].finish()
            if runs[-1].is_cut_short:
                break
    elif Path(what).exists():
        options.refuse_given("a directory's report", ("out", "as_json", "what"))
        check_folder("--out", out, FILES)
        runs = variants(read_sweep(Path(what))) if is_sweep(Path(what)) else [read(Path(what))]
    else:
        raise BadInput(
            f"report: {what!r} is neither a game ({', '.join(known())}) nor a directory of a run or a sweep"
        )
    with steps("writing the page") as began:
        page = write_report(runs, Path(out), options.typed_again(), began)
    print_json({"report": str(page)}) if as_json else click.echo(f"report: {page}")
    if runs[-1].is_cut_short and what in known():
        end_interrupted()


@main.command("bench")
@click.argument(
    "game", required=False, callback=options.check_game, metavar="[GAME]", shell_complete=options.complete_games
)
@click.option("--games", type=Count(), metavar="COUNT", help="Games a measure.  [default: what takes a second]")
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
    from sim.speed import games_a_second, measure, measures

    line_ups = [(name, line_up) for name in ([game] if game else known()) for line_up in load_game(name).bench]
    batches = [
        _batch(load_rules(name, RuleChoice(None, None, (), None)), LineUpChoice(line_up, "shuffled", 1))
        for name, line_up in line_ups
    ]
    _compile(*batches)
    counts = [games or games_a_second(batch) for batch in batches]
    with progress("measuring", measures(threads) * sum(counts)) as told:
        found = [
            measure(line_up, batch, count, threads, told)
            for (_, line_up), batch, count in zip(line_ups, batches, counts, strict=True)
        ]
    print_json(bench_data(found)) if as_json else show(*bench_table(found))


if __name__ == "__main__":
    main()
