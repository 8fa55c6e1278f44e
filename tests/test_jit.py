"""Compiled code: kept in a folder named by all that it depends on, so that an edit never gives the old answer."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numba
import pytest

from sim import batch as sim_batch
from sim import jit, sources
from sim.game import load_game
from sim.rules import games
from tests.support import ROOT, batch

#: The functions themselves, without what they remember from earlier calls.
cache_folder = jit.cache_folder.__wrapped__
cache_root = jit.cache_root.__wrapped__
source_hash = jit.source_hash.__wrapped__
code_hash = jit.code_hash.__wrapped__


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for compiled code of a test's own."""
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the simulator's sources that is taken for the real one."""
    copy = Path(shutil.copytree(ROOT / "sim", tmp_path / "sim", ignore=shutil.ignore_patterns("__pycache__")))
    monkeypatch.setattr(sources, "SIM", copy)
    return copy


def test_the_folder_stays_while_nothing_changes(root):
    assert cache_folder(False) == cache_folder(False)
    assert cache_folder(False).parent == root
    assert cache_folder(False).is_dir()


def test_checked_and_fast_builds_have_folders_of_their_own(root):
    assert cache_folder(True) != cache_folder(False)


def test_a_numba_variable_makes_another_folder(root, monkeypatch):
    plain = cache_folder(False)
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    checked = cache_folder(False)
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "0")
    assert len({plain, checked, cache_folder(False)}) == 3
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    monkeypatch.setenv("UNRELATED", "1")
    assert cache_folder(False) == plain


def test_another_numba_or_python_makes_another_folder(root, monkeypatch):
    plain = cache_folder(False)
    with monkeypatch.context() as patch:
        patch.setattr(numba, "__version__", "0.0.1")
        assert cache_folder(False) != plain
    monkeypatch.setattr(sys, "version", "3.99")
    assert cache_folder(False) != plain


def test_the_hash_depends_on_every_source_and_its_name(house):
    plain = source_hash()
    assert source_hash() == plain == jit.source_hash()
    seen = {plain}
    for change in (
        lambda: (house / "debrium" / "score.py").write_text("# edited\n"),
        lambda: (house / "debrium" / "score.py").rename(house / "debrium" / "scored.py"),
        lambda: (house / "debrium" / "new.py").write_text(""),
        lambda: (house / "rng.py").unlink(),
    ):
        change()
        seen.add(source_hash())
    assert len(seen) == 5


#: A constant of each kind of module that compiled code can freeze, as (file, text, another text).
FROZEN = (
    (
        "kernel.py",
        "SUM_N, SUM_D, SUM_NN, SUM_ND, SUM_DD = range(5)",
        "SUM_D, SUM_N, SUM_NN, SUM_ND, SUM_DD = range(5)",
    ),
    ("desk.py", "MAX_POOL = 16", "MAX_POOL = 17"),
    ("rng.py", "0x94D049BB133111EB", "0x94D049BB133111ED"),
    ("pointers.py", '"""', '"""Edited. '),
    ("game.py", "WHOLE_WIN = 60", "WHOLE_WIN = 120"),
    ("jit.py", "forceinline=True", "forceinline=False"),
    ("debrium/state.py", "MAX_ROUNDS = ", "MAX_ROUNDS = 1 + "),
    ("debrium/rules.toml", "value = 15", "value = 14"),
    ("debrium/metrics.py", '"""', '"""Edited. '),
    ("debrium/planning.py", '"""', '"""Edited. '),
    ("rules_text.py", '"""', '"""Edited. '),  # the game's rules.py imports it
)


@pytest.mark.parametrize(("file", "before", "after"), FROZEN, ids=[file for file, _, _ in FROZEN])
def test_an_edit_of_what_an_engine_can_freeze_gives_another_key(house, file, before, after):
    plain = code_hash("debrium")
    assert code_hash("debrium") == plain == jit.code_hash("debrium")
    path = house / file
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    assert code_hash("debrium") != plain
    assert code_hash("debrium", "sim.policy") != code_hash("debrium")


def test_an_edit_elsewhere_keeps_the_key(house):
    """What plays no part in compiled code: runs on disk, sweeps, policies (but for theirs), the other game."""
    plain, policies, other = code_hash("debrium"), code_hash("debrium", "sim.policy"), code_hash("book_festival")
    assert len({plain, policies, other}) == 3
    for file in ("store.py", "sweep.py", "blocks.py", "cluster.py", "batch.py", "book_festival/engine.py"):
        path = house / file
        path.write_text("# edited\n" + path.read_text())
    assert (code_hash("debrium"), code_hash("debrium", "sim.policy")) == (plain, policies)
    assert code_hash("book_festival") != other
    (house / "policy.py").write_text("# edited\n" + (house / "policy.py").read_text())
    assert code_hash("debrium") == plain
    assert code_hash("debrium", "sim.policy") != policies


def test_imports_within_functions_are_not_followed_and_names_of_modules_are(tmp_path, monkeypatch):
    """`from sim import x` may name a module; what a function imports is none of its file's globals."""
    for name, text in {
        "a.py": "from sim import b\n"
        "from sim.inner import d\nif 1:\n    import sim.c\ndef f():\n    import sim.late\n",
        "b.py": "import numpy\nfrom sim.a import f\n",
        "c.py": "",
        "late.py": "",
        "inner/__init__.py": "",
        "inner/d.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(sources, "SIM", tmp_path)
    found = sources.code_files(["sim.a"])
    names = {path.relative_to(tmp_path).as_posix() for path in found}
    assert names == {"a.py", "b.py", "c.py", "inner/__init__.py", "inner/d.py"}


def test_a_kernels_key_covers_every_module_of_the_simulator_that_its_jitted_functions_come_from():
    """Seen from the other side: where the functions that a game's kernel reaches were really defined."""
    for game in games():
        covered = {path.resolve() for path in sources.code_files(["sim.kernel"], game)}
        load_game(game)
        kept = [sys.modules[name] for name in list(sys.modules) if name.startswith("sim.")]
        jitted = {
            Path(inspect.getfile(value.py_func)).resolve()
            for module in kept
            if Path(module.__file__ or "").resolve() in covered
            for value in vars(module).values()
            if hasattr(value, "py_func")
        }
        assert jitted
        assert jitted <= covered


def test_a_chosen_folder_is_used(tmp_path, monkeypatch):
    monkeypatch.setenv("STEELYARD_CACHE_DIR", str(tmp_path / "deep" / "cache"))
    assert cache_root() == tmp_path / "deep" / "cache"


def test_a_folder_that_cannot_be_written_is_replaced_with_a_note(tmp_path, monkeypatch, capsys):
    """numba would silently write beside the sources."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STEELYARD_CACHE_DIR", str(tmp_path / "file" / "cache"))
    root = cache_root()
    assert root.is_dir()
    assert tmp_path not in root.parents
    (root / "code").write_text("")
    shutil.rmtree(root)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"note: cannot write to {tmp_path / 'file' / 'cache'}; compiled code is not kept\n"


def test_folders_long_unused_are_pruned_beyond_a_dozen(root):
    old = time.time() - 30 * 86400
    folders = [root / f"{k:016d}" for k in range(15)]
    for k, folder in enumerate(folders):
        folder.mkdir()
        (folder / "code.nbc").write_text("")
        os.utime(folder, (old + k, old + k))
    (root / "other").mkdir()
    os.utime(root / "other", (0, 0))
    new = cache_folder(False)
    assert new.is_dir()
    assert (root / "other").is_dir()
    assert [folder.name for folder in folders if folder.exists()] == [f"{k:016d}" for k in range(4, 15)]


def test_a_folder_that_another_process_prunes_first_is_no_failure(root, monkeypatch):
    """It is gone between being listed and being looked at."""
    folders = [root / f"{k:016d}" for k in range(14)]
    for folder in folders:
        folder.mkdir()
        os.utime(folder, (0, 0))
    is_dir = Path.is_dir

    def is_dir_just_now(path: Path) -> bool:
        found = is_dir(path)
        if path == folders[5]:
            shutil.rmtree(path, ignore_errors=True)
        return found

    monkeypatch.setattr(Path, "is_dir", is_dir_just_now)
    assert is_dir(cache_folder(False))
    assert sum(is_dir(folder) for folder in folders) == 11


def test_folders_in_use_are_kept_however_many(root):
    folders = [root / f"{k:016d}" for k in range(30)]
    for folder in folders:
        folder.mkdir()
    cache_folder(False)
    assert all(folder.exists() for folder in folders)


def test_compiling_leaves_numbas_own_folder_setting_alone(root):
    before = numba.config.CACHE_DIR
    compiled = jit.compile_to(root, _square, "int64(int64)")
    assert before == numba.config.CACHE_DIR
    assert compiled(7) == 49
    assert jit.is_compiled(root, "test_jit._square")
    assert not jit.is_compiled(root, "test_jit._cube")


def _square(x):
    return x * x


# A copy of the sources, edited.

PROBE = """
from sim.jit import cache_folder, compile_to
from sim.rng import _mix
import numpy as np

def probe(x):
    return _mix(np.uint64(x))

if __name__ == "__main__":
    print(compile_to(cache_folder(False), probe, "uint64(int64)")(12345))
"""


def copied_house(folder: Path) -> Path:
    """A copy of all that runs."""
    for part in ("sim", "policies", "reports"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "cli.py", folder)
    return folder


def run_in(folder: Path, *arguments: str, **variables: str) -> str:
    env = {**os.environ, "STEELYARD_CACHE_DIR": str(folder / "cache"), **variables}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


def test_an_edit_in_another_file_gives_the_new_answer(tmp_path):
    """numba's own cache looks at the file of the compiled function alone and would give the old one."""
    folder = copied_house(tmp_path)
    (folder / "probe.py").write_text(PROBE)
    first = run_in(folder, "probe.py")
    assert run_in(folder, "probe.py") == first
    edit(folder / "sim" / "rng.py", "np.uint64(0x94D049BB133111EB)", "np.uint64(0x94D049BB133111ED)")
    second = run_in(folder, "probe.py")
    assert second != first
    edit(folder / "sim" / "rng.py", "np.uint64(0x94D049BB133111ED)", "np.uint64(0x94D049BB133111EB)")
    assert run_in(folder, "probe.py") == first


def end_of(folder: Path) -> dict[str, Any]:
    # NUMBA_OPT=0: code that is compiled for one game need not be fast.
    told = run_in(folder, "cli.py", "trace", "debrium", "--policies", "never_bids", "--json", NUMBA_OPT="0")
    last: dict[str, Any] = json.loads(told.splitlines()[-1])
    return last


@pytest.mark.slow
def test_an_edit_of_a_rule_gives_the_new_score(tmp_path):
    folder = copied_house(tmp_path)
    before = end_of(folder)
    edit(folder / "sim" / "debrium" / "score.py", "score = own.chip_points\n", "score = own.chip_points + 1000\n")
    after = end_of(folder)
    assert after["score"] == [score + 1000 for score in before["score"]]


def test_an_edit_of_a_policy_gives_the_new_answer(tmp_path):
    """In one process a run of the old text, in the next one of the new."""
    policy = tmp_path / "mine.py"
    command = [str(ROOT / "cli.py"), "trace", "debrium", "--policies", str(policy), "--json"]
    bids = []
    for coins in (1, 2):
        policy.write_text(f"def bid(rules, table, own, rng, choice):\n    choice.coins = {coins}\n")
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)
        bids.append(next(json.loads(line) for line in done.stdout.splitlines() if '"bids"' in line)["coins"])
    assert bids == [[1, 1, 1, 1], [2, 2, 2, 2]]


def test_a_game_is_the_same_compiled_and_as_plain_python():
    """Every built-in policy that is drawn, base and expansion, decision by decision."""
    command = [str(ROOT / "cli.py"), "trace", "debrium", "--set", "expansion=true", "--seed", "3", "--json"]
    told = [
        subprocess.run(
            [sys.executable, *command],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for variables in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert told[0] == told[1]
    assert '"event": "end"' in told[0]


# Where compiled code lies.

WHERE = "from sim.jit import cache_root; print(cache_root())"


def root_with(cwd: Path, **variables: str | None) -> tuple[str, str]:
    """The folder for compiled code, and what is said, in a process with these variables (None: without them)."""
    env = {key: value for key, value in os.environ.items() if key not in ("STEELYARD_CACHE_DIR", "XDG_CACHE_HOME")}
    env = {**env, "PYTHONPATH": str(ROOT), **{key: value for key, value in variables.items() if value is not None}}
    env = {key: value for key, value in env.items() if variables.get(key, "") is not None}
    done = subprocess.run([sys.executable, "-c", WHERE], cwd=cwd, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


def test_a_relative_folder_is_one_of_the_current_folder_for_every_process_of_a_command(tmp_path):
    """The process that compiles an engine beside the policies has another current folder."""
    assert root_with(tmp_path, STEELYARD_CACHE_DIR="mine/cache") == (str(tmp_path / "mine" / "cache"), "")
    assert root_with(tmp_path, STEELYARD_CACHE_DIR="../mine") == (str(tmp_path.parent / "mine"), "")
    (tmp_path.parent / "mine").rmdir()


def test_a_tilde_is_the_home_directory(tmp_path):
    home = str(tmp_path / "home")
    assert root_with(tmp_path, STEELYARD_CACHE_DIR="~/mine", HOME=home) == (f"{home}/mine", "")
    assert not (tmp_path / "~").exists()


def test_without_a_home_directory_compiled_code_lies_in_a_temporary_folder(tmp_path):
    """Neither beside what the command reads, nor at the root of the disk."""
    note = "note: there is no home directory; compiled code is not kept\n"
    for home in ("", str(tmp_path / "none")):
        root, said = root_with(tmp_path, HOME=home)
        assert said == note
        assert "steelyard-" in root
        assert not Path(root).exists()
    assert root_with(tmp_path, HOME="", STEELYARD_CACHE_DIR="~/mine")[1] == note
    assert root_with(tmp_path, HOME="", STEELYARD_CACHE_DIR=str(tmp_path / "mine")) == (str(tmp_path / "mine"), "")
    assert root_with(tmp_path, HOME="", XDG_CACHE_HOME=str(tmp_path)) == (str(tmp_path / "steelyard"), "")
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("mine", "steelyard")] == []


def test_the_process_that_helps_to_compile_writes_where_the_command_does(tmp_path, monkeypatch):
    """It is told the folder, since it may be relative, or a temporary one."""
    seen: list[dict[str, str]] = []

    class Helper(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], **options: Any) -> None:
            seen.append(options["env"])
            super().__init__([sys.executable, "-c", ""], **options)

    monkeypatch.setattr(subprocess, "Popen", Helper)
    monkeypatch.setattr(sim_batch, "is_engine_compiled", lambda game: False)
    monkeypatch.setattr(sim_batch, "needs_compiling", lambda game, policy: True)
    monkeypatch.setattr(sim_batch, "compile_policy", lambda game, policy: ())
    monkeypatch.setattr(sim_batch, "kernel_of", lambda game: None)
    sim_batch.compile_all([batch()])
    assert [env["STEELYARD_CACHE_DIR"] for env in seen] == [str(jit.cache_root())]


def test_a_folder_of_another_users_is_not_used(tmp_path, monkeypatch, capsys):
    """What lies in it would be run."""
    mine = tmp_path.stat().st_uid
    monkeypatch.setenv("STEELYARD_CACHE_DIR", str(tmp_path))
    assert cache_root() == tmp_path
    if mine == 0:
        os.chown(tmp_path, 12345, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert cache_root() != tmp_path
    assert capsys.readouterr().err == f"note: cannot write to {tmp_path}; compiled code is not kept\n"


def test_a_file_in_the_place_of_the_folder_is_replaced(root):
    folder = cache_folder(False)
    folder.rmdir()
    folder.write_text("")
    assert cache_folder(False) == folder
    assert folder.is_dir()
