"""A damaged file gives no other number: it is refused in one line, or what it held is made again."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from policies import load as load_policy
from sim.batch import Batch, LineUp
from sim.compare import of_runs
from sim.errors import BadInput, RunFailed
from sim.files import read_json, seal, sealed
from sim.game import load_game
from sim.groups import group_file
from sim.rules import games
from sim.rules import load as load_rules
from sim.schedule import GROUP_BLOCKS, schedule
from sim.store import read
from sim.sweep import Goal
from tests.cli.runner import steelyard
from tests.interruptions import files, play
from tests.support import assert_same, batch

SMALL = 20
GAMES = GROUP_BLOCKS * SMALL + 2 * SMALL + 7
OF = batch(sets=["expansion=true"], seed=8, block_games=SMALL)
OTHER = batch(sets=["expansion=true", "mining_king_bonus=0"], seed=8, block_games=SMALL)
#: How often each folder is damaged; together five hundred times.
RUN_DAMAGES, SWEEP_DAMAGES = 400, 100


def restore(folder: Path, kept: dict[str, bytes]) -> None:
    """Make a folder's files what they were."""
    for name in files(folder).keys() - kept.keys():
        (folder / name).unlink()
    for name, data in kept.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def damage(folder: Path, chance: random.Random) -> str:
    """Damage a folder at random, and say how."""
    names = sorted(files(folder))
    one, other = chance.sample(names, 2)
    data = bytearray((folder / one).read_bytes())
    kind = chance.choice(("flip", "truncation", "swap"))
    if kind == "flip":
        place = chance.randrange(len(data))
        data[place] ^= 1 << chance.randrange(8)
        (folder / one).write_bytes(data)
        return f"{kind} in byte {place} of {one}"
    if kind == "truncation":
        length = chance.randrange(len(data))
        (folder / one).write_bytes(data[:length])
        return f"{kind} of {one} to {length} bytes"
    (folder / one).write_bytes((folder / other).read_bytes())
    (folder / other).write_bytes(data)
    return f"{kind} of {one} and {other}"


def refused(read_it: Callable[[], Any]) -> Any:
    """What a reader gives, or the one line with which it refuses."""
    try:
        return read_it()
    except (BadInput, RunFailed) as error:
        line = str(error)
    assert line.isprintable()
    assert len(line) < 1000
    return line


def test_no_damage_of_a_run_gives_another_number(tmp_path):
    """By reading, by comparing and by going on; what goes on ends with the same files."""
    folder, other = tmp_path / "run", tmp_path / "other"
    play([OF], Goal(GAMES), [folder], rows=True)
    play([OTHER], Goal(GAMES), [other])
    expected, totals, compared = files(folder), read(folder).totals, of_runs(folder, other)
    chance = random.Random(9)
    refusals = 0
    for _ in range(RUN_DAMAGES):
        how = damage(folder, chance)
        found = refused(lambda: read(folder))
        if not isinstance(found, str):
            assert_same(found.totals, totals)
        pairs = refused(lambda: of_runs(folder, other))
        if not isinstance(pairs, str):
            assert (pairs.changes, pairs.games) == (compared.changes, compared.games), how
        gone_on = refused(lambda: play([OF], Goal(GAMES), [folder], rows=True))
        if isinstance(gone_on, str):
            refusals += 1
        else:
            assert files(folder) == expected, how
            assert_same(gone_on.cells[0].totals, totals)
        restore(folder, expected)
    assert 0 < refusals < RUN_DAMAGES


SWEEP = (
    "sweep",
    "debrium",
    "--policies",
    "random_legal",
    "--vary",
    "mining_king_bonus=0,40",
    "--games",
    "60",
    "--json",
)


def test_no_damage_of_a_sweep_gives_another_number(tmp_path):
    folder = tmp_path / "king"
    expected = told(folder)
    assert expected is not None
    kept, chance = files(folder), random.Random(10)
    refusals = 0
    for _ in range(SWEEP_DAMAGES):
        how = damage(folder, chance)
        found = told(folder)
        refusals += found is None
        assert found is None or (found == expected and files(folder) == kept), how
        restore(folder, kept)
    assert 0 < refusals < SWEEP_DAMAGES


def told(folder: Path) -> Any:
    """What the sweep in a folder answers, without its timings; None when it is refused in one line."""
    done = steelyard(*SWEEP, "--out", str(folder))
    if done.exit_code:
        assert done.exit_code in (1, 2)
        assert done.stderr.splitlines()[-1].startswith("steelyard: ")
        assert "Traceback" not in done.output
        return None
    return {key: value for key, value in json.loads(done.stdout).items() if "second" not in key}


# What each check tells.


def reforged(path: Path, change: Callable[[Any], None]) -> None:
    """Change a group's record and make its SHA-256 anew, as only who forges it does."""
    data = bytearray(path.read_bytes())
    record = np.load(path)
    at = len(data) - record.nbytes
    change(record)
    data[at:] = record.tobytes()
    data[-32:] = hashlib.sha256(data[:-32]).digest()
    path.write_bytes(data)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run's folder to damage."""
    play([OF], Goal(GAMES), [tmp_path / "run"])
    return tmp_path / "run"


def more_wins(record: Any) -> None:
    slot = OF.layout().index()["win_rate_by_seat[1]"]
    record["sums"][0, 0, slot, 0] += 60
    record["totals"][0, slot, 0] += 60


def more_of_one_sum(record: Any) -> None:
    record["sums"][0, 3, 7, 1] += 1


@pytest.mark.parametrize("change", [more_wins, more_of_one_sum])
def test_blocks_that_do_not_add_up_are_refused_whatever_their_hash(run, change):
    path = group_file(run, schedule(SMALL), 0)
    reforged(path, change)
    (run / "totals.json").unlink()
    for reader in (lambda: read(run), lambda: of_runs(run, run), lambda: play([OF], Goal(GAMES), [run])):
        with pytest.raises(BadInput, match=r"damaged: its blocks do not add up; remove the file and run again$"):
            reader()


def test_a_group_of_another_run_is_refused(run, tmp_path):
    play([OTHER], Goal(GAMES), [tmp_path / "other"])
    for name in ("blocks/000000000000.npy", "totals.json"):
        (run / name).write_bytes((tmp_path / "other" / name).read_bytes())
    with pytest.raises(BadInput, match=r"totals\.json: is of another run than its manifest\.json"):
        read(run)
    with pytest.raises(BadInput, match=r"000\.npy: is of another run than its manifest\.json"):
        play([OF], Goal(GAMES), [run])


def test_a_run_with_damaged_totals_makes_them_again(run):
    before = files(run)
    data = bytearray(before["totals.json"])
    place = data.index(b'"games": ') + len(b'"games": ')
    data[place] ^= 1
    (run / "totals.json").write_bytes(data)
    with pytest.raises(BadInput, match=r"totals\.json: damaged"):
        read(run)
    sweep = play([OF], Goal(GAMES), [run])
    assert sweep is not None
    assert sweep.new_games == 0
    assert files(run) == before


def test_a_damaged_manifest_is_told_as_damaged(run):
    text = (run / "manifest.json").read_text()
    (run / "manifest.json").write_text(text.replace('"seed": 8', '"seed": 9'))
    for reader in (lambda: read(run), lambda: play([OF], Goal(GAMES), [run])):
        with pytest.raises(BadInput, match=r"manifest\.json: damaged: "):
            reader()


def test_a_seal_is_the_hash_of_the_document_without_it(tmp_path):
    path = tmp_path / "data.json"
    path.write_bytes(sealed({"a": 1, "b": [2]}))
    document = json.dumps({"a": 1, "b": [2]}, indent=1) + "\n"
    assert seal(path) == hashlib.sha256(document.encode()).hexdigest()
    assert json.loads(path.read_text()) == {"a": 1, "b": [2], "sha256": seal(path)}
    assert read_json(path) == {"a": 1, "b": [2]}


@pytest.mark.parametrize("game", games())
def test_the_wins_of_any_game_add_up(tmp_path, game):
    """Of those of odd rules, which may be stalled or cut short, as well."""
    of = load_game(game)
    for number, sets in enumerate((*of.report, *of.odd)):
        rules = load_rules(game, sets=list(sets))
        pool = (load_policy(of, "random_legal"),) * of.shape(rules.values)[0]
        folder = tmp_path / str(number)
        play([Batch(game, rules, LineUp(pool, "fixed"), 1, SMALL)], Goal(3 * SMALL), [folder])
        (folder / "totals.json").unlink()
        assert read(folder).totals.games == 3 * SMALL
