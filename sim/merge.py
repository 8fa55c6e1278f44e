"""Runs of different seeds as one: the sums of what each has counted, which is all that intervals need.

Independent games add up, whoever played them and where. What the joined run is not is a run of one seed: it has no
blocks to be paired by and none to go on from, and its folder tells the seeds and how many games there are of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sim.blocks import Totals
from sim.errors import BadInput, printable
from sim.files import read_bytes, write_whole
from sim.folder import own
from sim.groups import groups
from sim.played import Manifest, Merged, Played
from sim.rules import value_text
from sim.schedule import schedule
from sim.store import check_new, read, write_merged

#: A policy's source is far shorter.
_MOST_SOURCE = 1_000_000


def merge(folders: Sequence[Path], out: Path) -> Played:
    """Join run directories into a new one, in the order of their seeds, and return what it holds.

    Everything is checked before anything is written: each run's blocks add up to its totals, and the runs have the
    same rules, policies and versions, and no seed in common. Raises BadInput, in one line that names the folder, for
    what cannot be joined.
    """
    if len(folders) < 2:
        raise BadInput("merge: name at least two run directories")
    check_new(out)
    found = [(folder, _checked(folder)) for folder in folders]
    first_folder, first = found[0]
    for folder, played in found[1:]:
        if what := _differing(first, played):
            raise BadInput(
                f"merge: {first_folder} and {folder} differ: {what}; runs that are merged are of one variant"
            )
    _refuse_common(found)
    found.sort(key=lambda each: each[1].seeds)
    folder, first = found[0]
    runs = [played for _, played in found]
    joined = sorted((part for run in runs for part in _parts(run)), key=lambda part: part.seed)
    totals = _sum([run.totals for run in runs])
    head = Manifest(
        game=first.rules.game,
        rules_version=first.rules.version,
        rules=dict(first.rules.values),
        name=first.rules.name,
        policies=first.policies,
        line_up=first.line_up,
        seed=joined[0].seed,
        block_games=first.block_games,
        versions=first.versions,
        rows=False,
        merged=tuple(joined),
    )
    _copy_sources(folder, out, first)
    wanted = sum(run.wanted or run.totals.games for run in runs)
    write_merged(out, head, totals, wanted, not any(run.is_cut_short for run in runs))
    return read(out)


def _checked(folder: Path) -> Played:
    """Return a run that may be joined; raise BadInput when it is damaged, empty or was played to a precision."""
    played = read(folder)
    totals = played.totals
    if totals.planned:
        raise BadInput(
            f"{folder}: was played to a precision, so its number of games hangs on what it counted; merge runs of "
            "--games"
        )
    if not totals.games:
        raise BadInput(f"{folder}: holds no games")
    if not played.merged:
        counted = Totals(totals.layout)
        for part in groups(folder, totals.layout, schedule(played.block_games)):
            counted.add(part)
        if counted.games != totals.games:
            raise BadInput(
                f"{folder}: damaged: blocks/ holds {counted.games} games and totals.json {totals.games}; "
                "the run's own command makes it good"
            )
        if not _is_equal(counted, totals):
            raise BadInput(f"{folder}: damaged: blocks/ and totals.json hold other sums of the same games")
    return played


def _is_equal(one: Totals, other: Totals) -> bool:
    """Tell whether two totals have the same numbers."""
    pairs = [(one.sums, other.sums), (one.low, other.low), (one.high, other.high)]
    pairs += [(one.spreads[name].view(flow=True), other.spreads[name].view(flow=True)) for name in one.spreads]
    return all(bool((mine == theirs).all()) for mine, theirs in pairs)


def _differing(one: Played, other: Played) -> str:
    """Return what two runs differ by that must be the same, "" when nothing does."""
    if one.rules.game != other.rules.game:
        return f"{one.rules.game} and {other.rules.game}"
    if one.rules.version != other.rules.version:
        return f"rules version {one.rules.version} and {other.rules.version}"
    for key, (mine, theirs) in one.rules.diff(other.rules).items():
        return f"{key}={value_text(mine)} and {value_text(theirs)}"
    if one.line_up != other.line_up:
        return f"seats {one.line_up} and {other.line_up}"
    if one.policies != other.policies:
        if one.labels == other.labels:
            return f"policies {', '.join(one.labels)}, of which one has another text"
        return f"policies {', '.join(one.labels)} and {', '.join(other.labels)}"
    for what in dict.fromkeys((*one.versions, *other.versions)):
        if one.versions.get(what) != other.versions.get(what):
            return f"version of {what} {one.versions.get(what)} and {other.versions.get(what)}"
    if one.block_games != other.block_games:
        return f"blocks of {one.block_games} and {other.block_games} games"
    return ""


def _refuse_common(found: Sequence[tuple[Path, Played]]) -> None:
    """Raise BadInput when two runs hold games of the same seed, which are the same games."""
    holder: dict[int, Path] = {}
    for folder, played in found:
        for seed in played.seeds:
            if seed in holder:
                raise BadInput(
                    f"merge: {holder[seed]} and {folder} both hold the games of seed {seed}; "
                    "merge runs of different seeds"
                )
            holder[seed] = folder


def _parts(played: Played) -> tuple[Merged, ...]:
    """Return a run's seeds with the games of each."""
    return played.merged or (Merged(seed=played.seed, games=played.totals.games),)


def _sum(each: Sequence[Totals]) -> Totals:
    """Return the totals of all games."""
    found = Totals(each[0].layout)
    for totals in each:
        found.games += totals.games
        found.sums += totals.sums
        np.minimum(found.low, totals.low, out=found.low)
        np.maximum(found.high, totals.high, out=found.high)
        for name, spread in found.spreads.items():
            view = spread.view(flow=True)
            view += totals.spreads[name].view(flow=True)
    return found


def _copy_sources(folder: Path, out: Path, played: Played) -> None:
    """Keep the sources of policies from outside the package, which are for reading only."""
    for name in dict.fromkeys(policy.name for policy in played.policies if policy.outside):
        if printable(name) != name or "/" in name or "\\" in name:
            continue
        path = own(folder, f"policies/{name}.py.txt")
        if path.is_file():
            write_whole(out / "policies" / path.name, read_bytes(path, "policy's source", _MOST_SOURCE))
