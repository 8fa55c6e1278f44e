"""A run on disk: written and read back equal; what is damaged or hostile is refused in one line, and nothing runs."""

from __future__ import annotations

import hashlib
import json
import math
import pickle
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from sim.batch import Batch, LineUp
from sim.blocks import Totals
from sim.errors import BadInput
from sim.files import read_json
from sim.groups import groups
from sim.kernel import MODES
from sim.played import Mode, played
from sim.store import Writer, read
from sim.sweep import Goal, Sweep
from sim.workers import Threads
from tests.support import MIXED, assert_same, batch, outside, totals_of

SETS = ["expansion=true", "mining_king_bonus=9"]


def write(of: Batch, folder: Path, games: int = 2500) -> Totals:
    """Play a batch and keep it, as `run --out` does."""
    sweep = Sweep([of], Goal(games), writers=[Writer(folder, of)])
    with Threads([of], 2) as workers:
        sweep.play(workers, lambda games: None)
    sweep.finish()
    return sweep.cells[0].totals


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run directory that no test changes."""
    folder = tmp_path_factory.mktemp("store") / "run"
    write(batch(MIXED, "drawn", SETS, seed=17), folder)
    return folder


@pytest.fixture
def kept(original: Path, tmp_path: Path) -> Path:
    """A run directory to damage."""
    return Path(shutil.copytree(original, tmp_path / "run"))


def complaint(folder: Path) -> str:
    """The line with which reading refuses; it names a file of the folder."""
    with pytest.raises(BadInput) as caught:
        read(folder)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 1000
    assert str(folder) in line
    return line


def changed(folder: Path, name: str, change: Callable[[Any], Any]) -> None:
    """Rewrite one of a run's JSON files as who forges it would; `change` alters the data or returns others."""
    data = read_json(folder / name)
    given = change(data)
    forge(folder, name, data if given is None else given)


def forge(folder: Path, name: str, data: Any) -> None:
    """Write one of a run's JSON files, all seals made anew."""
    document, made = resealed(data)
    (folder / name).write_bytes(document)
    if name == "manifest.json":
        totals = read_json(folder / "totals.json")
        (folder / "totals.json").write_bytes(resealed({**totals, "manifest": made})[0])


def resealed(data: Any) -> tuple[bytes, str]:
    """A sealed document of any data, in one line but for its seal, and the seal."""
    body = json.dumps(data).encode()[:-1]
    made = hashlib.sha256(body + b"\n}\n").hexdigest()
    return body + f',\n "sha256": "{made}"\n}}\n'.encode(), made


def test_a_run_comes_back_equal(tmp_path):
    of = batch(MIXED, "drawn", SETS, seed=17)
    totals = write(of, tmp_path / "run")
    found, expected = read(tmp_path / "run"), played(of, totals)
    assert_same(found.totals, totals)
    assert found.rules == expected.rules
    assert (found.seed, found.labels, found.line_up) == (17, MIXED, "drawn")
    assert found.policies == expected.policies
    assert found.versions == expected.versions
    assert found.versions.keys() == {"steelyard", "sources", "numba", "numpy", "python"}


def test_the_manifest_holds_all_that_determines_the_results(original):
    head = json.loads((original / "manifest.json").read_text())
    assert (head["game"], head["seed"], head["block_games"], head["line_up"]) == ("debrium", 17, 1000, "drawn")
    assert head["rules"]["mining_king_bonus"] == 9
    assert [policy["name"] for policy in head["policies"]] == list(MIXED)
    assert all(len(policy["source"]) == 16 for policy in head["policies"])


def test_the_groups_add_up_to_the_totals(tmp_path):
    """A file a group, named by its first block; together every block once, the last of fewer games."""
    of = batch(seed=3, block_games=100)
    whole = write(of, tmp_path / "run", 2050)
    files = sorted((tmp_path / "run" / "blocks").iterdir())
    assert [file.name for file in files] == ["000000000000.npy", "000000000016.npy"]
    parts = list(groups(tmp_path / "run", of.layout(), of.schedule))
    assert [(part.first_block, len(part.sums), part.games) for part in parts] == [(0, 16, 1600), (16, 5, 450)]
    assert_same(totals_of(of, parts), whole)
    assert (sum(part.sums.sum(axis=0) for part in parts) == whole.sums[:, :2]).all()


def test_nothing_is_left_of_temporary_files(original):
    assert not [path for path in original.rglob("*") if path.name.endswith(".part")]


def test_an_interrupted_run_without_a_block_is_readable(tmp_path):
    of = batch()
    Writer(tmp_path / "run", of).finish(Totals(of.layout()))
    assert read(tmp_path / "run").totals.games == 0


# Writing.


@pytest.mark.parametrize("what", ["old.txt", ".hidden", ".film.part", "sub/file"])
def test_results_never_overwrite(tmp_path, what):
    path = tmp_path / "run" / what
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(BadInput, match="neither empty nor holds a run"):
        Writer(tmp_path / "run", batch())
    assert path.read_text() == "mine"


def test_an_empty_folder_may_be_filled_and_a_new_one_made(tmp_path):
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "new" / "deep"):
        Writer(folder, batch())
        assert (folder / "manifest.json").is_file()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInput, match="neither empty nor holds a run"):
        Writer(tmp_path / "file", batch())


def test_a_path_below_a_file_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInput, match="cannot write"):
        Writer(tmp_path / "file" / "run", batch())


# Reading what is damaged.


def test_a_folder_without_a_run_says_what_one_is(tmp_path):
    assert "steelyard run --out DIR" in complaint(tmp_path)
    assert "steelyard run --out DIR" in complaint(tmp_path / "missing")


@pytest.mark.parametrize("name", ["manifest.json", "totals.json"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not JSON"),
        (b'{"format": 1, "game"', "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 200_000, "not JSON"),
        (b'{"games": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b'{"games": NaN}', "not JSON"),
        (b"[]", "Expected `object`, got `array`"),
        (b"null", "Expected `object`, got `null`"),
        (b'"text"', "Expected `object`, got `str`"),
        (b"{}", "missing required field"),
    ],
)
def test_a_damaged_file_is_refused(kept, name, content, says):
    (kept / name).write_bytes(content)
    assert says in complaint(kept)


def test_a_missing_manifest_is_named(kept):
    (kept / "manifest.json").unlink()
    assert "manifest.json" in complaint(kept)


def test_a_run_without_totals_is_read_from_its_blocks(kept, original):
    """As one is that was killed."""
    (kept / "totals.json").unlink()
    found = read(kept)
    assert_same(found.totals, read(original).totals)
    assert found.is_cut_short


def test_a_run_with_neither_totals_nor_blocks_is_refused(kept):
    (kept / "totals.json").unlink()
    shutil.rmtree(kept / "blocks")
    assert "totals.json" in complaint(kept)


@pytest.mark.parametrize("name", ["manifest.json", "totals.json"])
def test_a_folder_in_a_files_place_is_refused(kept, name):
    (kept / name).unlink()
    (kept / name).mkdir()
    assert f"{name}: is a folder" in complaint(kept)


@pytest.mark.parametrize("name", ["manifest.json", "totals.json"])
def test_a_huge_file_is_refused_before_it_is_read(kept, name):
    with (kept / name).open("r+b") as file:
        file.truncate(1 << 40)  # without taking a byte of the disk
    assert f"{name}: too large" in complaint(kept)


def test_another_format_is_refused(kept):
    changed(kept, "manifest.json", lambda head: head.update(format=1))
    assert "format 1; this version reads 4" in complaint(kept)


HEADS: dict[str, Callable[[Any], Any]] = {
    "another game": lambda head: head.update(game="chess"),
    "a path for a game": lambda head: head.update(game="../policies"),
    "an unknown rule": lambda head: head["rules"].update(rounds_of_tea=3),
    "a rule too few": lambda head: head["rules"].pop("players"),
    "a rule that cannot be": lambda head: head["rules"].update(players=10**6),
    "a board that cannot be": lambda head: head["rules"].update(rows=10**9, columns=10**9),
    "rules that are a list": lambda head: head.update(rules=[1, 2]),
    "a name of many lines": lambda head: head.update(name="a\nb"),
    "no policies": lambda head: head.update(policies=[]),
    "too many policies": lambda head: head.update(policies=head["policies"] * 10),
    "policies without a label": lambda head: head["policies"][0].pop("label"),
    "policies that are numbers": lambda head: head.update(policies=[1, 2]),
    "a policy without a source": lambda head: head["policies"][1].pop("source"),
    "parameters that are a number": lambda head: head["policies"][0].update(params=5),
    "a parameter of text": lambda head: head["policies"][0].update(params=["many"]),
    "parameters without end": lambda head: head["policies"][0].update(params=[1.0] * 10_000),
    "a policy with more to it": lambda head: head["policies"][0].update(code="import os"),
    "a label that a terminal obeys": lambda head: head["policies"][0].update(label="\x1b]0;owned\x07"),
    "a label of many lines": lambda head: head["policies"][0].update(label="a\nb"),
    "a label that reads backwards": lambda head: head["policies"][0].update(label="\u202etac"),
    "a label of a megabyte": lambda head: head["policies"][0].update(label="x" * 1_000_000),
    "no label": lambda head: head["policies"][0].update(label=""),
    "a hash that a terminal obeys": lambda head: head["policies"][0].update(source="\x1b[2J"),
    "an unknown line-up": lambda head: head.update(line_up="\x9bodd"),
    "a line-up that is none": lambda head: head.update(line_up="odd"),
    "too few seats for the policies": lambda head: head.update(line_up="fixed", policies=head["policies"][:3]),
    "blocks of fewer games than none": lambda head: head.update(block_games=-1),
    "a rules version of text": lambda head: head.update(rules_version="1"),
    "a version that a terminal obeys": lambda head: head["versions"].update(numba="\x1b[31m"),
    "a version's name that a terminal obeys": lambda head: head["versions"].update({"\x1b[31m": "1"}),
    "a version that is a number": lambda head: head["versions"].update(numba=1),
    "a rule that a terminal obeys": lambda head: head["rules"].update({"\x1b[31m": 1}),
    "something else": lambda head: head.update({"else": 1}),
    "whether it has rows in words": lambda head: head.update(rows="yes"),
    "a seed of text": lambda head: head.update(seed="seven"),
    "a seed without end": lambda head: head.update(seed=float("inf")),
    "versions that are a list": lambda head: head.update(versions=[]),
}

BODIES: dict[str, Callable[[Any], Any]] = {
    "other metrics": lambda body: body["metrics"].append("fun"),
    "metrics in another order": lambda body: body["metrics"].reverse(),
    "no metrics": lambda body: body.pop("metrics"),
    "a negative number of games": lambda body: body.update(games=-5),
    "games without end": lambda body: body.update(games=float("inf")),
    "no number of games": lambda body: body.update(games=None),
    "no games but sums": lambda body: body.update(games=0),
    "sums too few": lambda body: body["sums"].pop(),
    "sums of four": lambda body: body.update(sums=[line[:4] for line in body["sums"]]),
    "ragged sums": lambda body: body["sums"][3].pop(),
    "a sum of text": lambda body: body["sums"][3].__setitem__(0, "many"),
    "a sum without end": lambda body: body["sums"][3].__setitem__(0, float("inf")),
    "a sum of four hundred digits": lambda body: body["sums"][3].__setitem__(0, 10**400),
    "a fraction for a sum": lambda body: body["sums"][3].__setitem__(0, 0.5),
    "extremes too few": lambda body: body["low"].pop(),
    "a huge extreme": lambda body: body["high"].__setitem__(0, 10**30),
    "extremes without end": lambda body: body["low"].__setitem__(0, float("nan")),
    "no spreads": lambda body: body.pop("spreads"),
    "a spread too few": lambda body: body["spreads"].pop("score"),
    "a spread of the wrong size": lambda body: body["spreads"]["score"].append(1),
    "a huge count": lambda body: body["spreads"]["score"].__setitem__(0, 10**30),
    "a negative count": lambda body: body["spreads"]["score"].__setitem__(0, -1),
    "a spread too many": lambda body: body["spreads"].update(fun=[1]),
    "extremes too many": lambda body: body["high"].append(1),
    "whether it is finished in words": lambda body: body.update(is_finished="no"),
    "something else": lambda body: body.update({"else": 1}),
}


@pytest.mark.parametrize("what", HEADS)
def test_a_wrong_manifest_is_refused(kept, what):
    changed(kept, "manifest.json", HEADS[what])
    assert complaint(kept).startswith(f"{kept / 'manifest.json'}: ")


@pytest.mark.parametrize("what", BODIES)
def test_wrong_totals_are_refused(kept, what):
    changed(kept, "totals.json", BODIES[what])
    assert complaint(kept).startswith(f"{kept / 'totals.json'}: ")


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("manifest.json", lambda head: head["policies"][1].pop("source"), "field `source` - at `$.policies[1]`"),
        ("manifest.json", lambda head: head["policies"][2].update(params=5), "`$.policies[2].params`"),
        ("manifest.json", lambda head: head["policies"][2].update(label="\x1b]0;owned"), "`$.policies[2].label`"),
        ("manifest.json", lambda head: head["rules"].update(players=9), "players"),
        ("manifest.json", lambda head: head.update(line_up="odd"), "`$.line_up`"),
        ("manifest.json", lambda head: head.update(rounds=1), "unknown field `rounds`"),
        ("totals.json", lambda body: body.update(games=-1), "`$.games`"),
        ("totals.json", lambda body: body["sums"][7].pop(), "`$.sums[7]`"),
        ("totals.json", lambda body: body["sums"].pop(), "`sums` has"),
        ("totals.json", lambda body: body["spreads"]["score"].pop(), "`spreads.score` has"),
        ("totals.json", lambda body: body["metrics"].reverse(), "`metrics`"),
    ],
)
def test_what_is_wrong_is_named(kept, name, change, field):
    changed(kept, name, lambda data: [change(data), data][1])
    assert field in complaint(kept)


#: What may stand anywhere in a stranger's document.
ANYTHING: tuple[Any, ...] = (
    None, True, -1, 0, 5, 2**40, 10**30, 0.5, 1e308, "", "odd", "\x1b]0;owned\x07", "x" * 100_000,
    [], [1], [[[]]], ["\x1b"], {}, {"odd": 1}, {"\x1b[31m": {}},
)  # fmt: skip


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in JSON data, of a list's entries the first and the last."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, entry in entries:
        if isinstance(data, dict) or key in (0, len(data) - 1):
            yield (*at, key)
            yield from places(entry, (*at, key))


def with_change(data: Any, at: tuple[Any, ...], change: Callable[[Any, Any], None]) -> Any:
    """A copy of JSON data in which what holds the entry of a place was changed."""
    copied = holder = json.loads(json.dumps(data))
    for key in at[:-1]:
        holder = holder[key]
    change(holder, at[-1])
    return copied


def put(value: Any, holder: Any, key: Any) -> None:
    holder[key] = value


@pytest.mark.parametrize("name", ["manifest.json", "totals.json"])
def test_whatever_a_document_holds_it_is_read_or_refused_in_one_line(kept, name):
    """Each entry dropped, and each replaced by anything: nothing else is raised, and what is read can be shown."""
    data = read_json(kept / name)
    others = [with_change(data, at, lambda holder, key: holder.pop(key)) for at in places(data)]
    others += [with_change(data, at, partial(put, one)) for at in places(data) for one in ANYTHING]
    taken = 0
    for other in others:
        forge(kept, name, other)
        try:
            found = read(kept)
        except BadInput as error:
            line = str(error)
            assert line.startswith(f"{kept}/")
            assert line.isprintable()
            assert len(line) < 1000
            continue
        taken += 1
        told = [found.line_up, *found.versions, *found.versions.values(), found.rules.name]
        told += [text for policy in found.policies for text in (policy.name, policy.label, policy.source)]
        assert all(text.isprintable() and len(text) <= 2000 for text in told)
        assert all(math.isfinite(value) for policy in found.policies for value in policy.params)
    assert 0 < taken < len(others) / 2


def test_a_run_of_other_rules_says_so(kept):
    changed(kept, "manifest.json", lambda head: head.update(rules_version=99))
    assert read(kept).rules.version == 99


def test_what_could_not_be_read_again_is_not_begun(tmp_path):
    """A policy's name is its file's, which may be called anything."""
    of = batch()
    named = replace(of.line_up.pool[0], name="\x1b[31m", label="\x1b[31m")
    of = replace(of, line_up=LineUp((named, *of.line_up.pool[1:]), "fixed"))
    with pytest.raises(BadInput, match=r"manifest\.json: `\$\.policies\[0\]\.(name|label)` must be"):
        Writer(tmp_path / "run", of)
    assert not (tmp_path / "run").exists()


def test_line_ups_are_those_of_the_kernel():
    assert get_args(Mode) == MODES


# What a stranger's run directory may not do.


class Mischief:
    """An object whose unpickling leaves a file behind."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self.mark, "ran")


def test_pickled_blocks_are_never_unpickled(kept, tmp_path):
    mark = tmp_path / "mark"
    np.save(kept / "blocks" / "000000000000.npy", np.array([Mischief(mark)], dtype=object), allow_pickle=True)
    (kept / "blocks" / "000000000001.npy").write_bytes(pickle.dumps(Mischief(mark)))
    read(kept)
    assert not mark.exists()
    np.load(kept / "blocks" / "000000000000.npy", allow_pickle=True)
    assert mark.exists(), "the mischief must be able to happen"


def test_the_sources_of_outside_policies_are_kept_for_reading_and_never_run(tmp_path):
    mark = tmp_path / "mark"
    source = f"""
import pathlib

pathlib.Path({str(mark)!r}).write_text("ran")


def bid(rules, table, own, rng, choice):
    choice.coins = 0
"""
    of = batch()
    pool = (outside(source, "guest"), *of.line_up.pool[1:])
    of = Batch(of.game, of.rules, LineUp(pool, "fixed"), of.seed)
    totals = write(of, tmp_path / "run", games=1)
    assert mark.exists()
    mark.unlink()
    assert (tmp_path / "run" / "policies" / "guest.py.txt").read_text() == source
    found = read(tmp_path / "run")
    assert_same(found.totals, totals)
    assert [policy.outside for policy in found.policies] == [True, False, False, False]
    assert not mark.exists()
    assert not list((tmp_path / "run").rglob("*.py"))


def test_a_source_in_the_run_directory_is_never_imported(kept, tmp_path):
    mark = tmp_path / "mark"
    (kept / "policies").mkdir()
    text = f"import pathlib; pathlib.Path({str(mark)!r}).write_text('ran')"
    for name in ("prospector.py", "prospector.py.txt", "__init__.py"):
        (kept / "policies" / name).write_text(text)
    changed(kept, "manifest.json", lambda head: head["policies"][0].update(outside=True, name="../../prospector"))
    read(kept)
    assert not mark.exists()
