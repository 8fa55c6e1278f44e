"""Compiled code on disk: whatever becomes of it, a function gives the right answer, and it is compiled once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from sim import jit, kept
from tests.support import ROOT


def _square(x):
    return x * x


def compiled(folder: Path) -> tuple[int, bool]:
    """The function's answer to 7, and whether it was loaded."""
    function = jit.compile_to(folder, _square, "int64(int64)")
    return function(7), not function.stats.cache_misses


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the function was compiled, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    assert compiled(folder) == (49, False)
    assert compiled(folder) == (49, True)
    return folder


@pytest.fixture
def cache(made: Path, tmp_path: Path) -> Path:
    """A copy of it that is the function's own, to be damaged."""
    held = tmp_path / "held"
    made.rename(held)  # what numba keeps is tied to where the copy of the source lies
    shutil.copytree(held, made)
    yield made
    shutil.rmtree(made)
    held.rename(made)


def the(cache: Path, ending: str) -> Path:
    """The only file of that ending."""
    (found,) = cache.rglob(f"*{ending}")
    return found


def cut(share: float) -> Callable[[Path], None]:
    """Shorten a file."""
    return lambda path: path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])


def flip(share: float, bit: int = 0) -> Callable[[Path], None]:
    """Flip one bit at a place in a file."""

    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[min(len(data) - 1, int(share * len(data)))] ^= 1 << bit
        path.write_bytes(data)

    return damage


def fill(data: bytes) -> Callable[[Path], None]:
    """Put something else into a file."""
    return lambda path: path.write_bytes(data)


def append(path: Path) -> None:
    """Make a file longer."""
    path.write_bytes(path.read_bytes() + b"\0")


def be_folder(path: Path) -> None:
    """Put a folder that holds something in a file's place."""
    path.unlink()
    (path / "inner").mkdir(parents=True)


def be_link(path: Path) -> None:
    """Put a link to the same bytes in a file's place."""
    path.rename(path.parents[3] / "elsewhere")
    path.symlink_to(path.parents[3] / "elsewhere")


def be_pipe(path: Path) -> None:
    """Put a pipe in a file's place: reading it would wait for ever."""
    path.unlink()
    os.mkfifo(path)


#: pickles of what is no index and no code.
NUMBER, LIST, NOTHING = b"K\x01.", b"]q\x00.", b"N."
DAMAGES = [
    *((ending, f"cut to {share}", cut(share)) for ending in (".nbi", ".nbc") for share in (0.0, 0.5, 0.99)),
    *((".nbi", f"bit at {share}", flip(share, bit)) for share, bit in ((0.0, 7), (0.3, 1), (0.6, 4), (0.99, 0))),
    *(
        (".nbc", f"bit at {share}", flip(share, bit))
        for share, bit in ((0.0, 7), (0.2, 0), (0.5, 3), (0.8, 6), (1, 0))
    ),
    *((ending, "garbage", fill(b"\xff" * 400)) for ending in (".nbi", ".nbc")),
    *((".nbi", f"pickle of {what!r}", fill(what)) for what in (NUMBER, LIST, NOTHING)),
    *((".nbc", f"pickle of {what!r}", fill(what)) for what in (NUMBER, LIST, NOTHING)),
    *((ending, "longer", append) for ending in (".nbi", ".nbc")),
    *((ending, "gone", Path.unlink) for ending in (".nbi", ".nbc", ".nbi.sha256", ".nbc.sha256")),
    *((ending, "a folder", be_folder) for ending in (".nbi", ".nbc", ".nbi.sha256", "test_kept.py")),
    *((ending, "a link", be_link) for ending in (".nbi", ".nbc")),
    *((ending, "a pipe", be_pipe) for ending in (".nbi", ".nbc", ".nbc.sha256", "test_kept.py")),
    (".nbc.sha256", "another hash", fill(b"0" * 64)),
    (".nbi.sha256", "no text", fill(b"\xff\xfe")),
    ("test_kept.py", "garbage", fill(b"\xff\0garbage")),
]


@pytest.mark.parametrize(
    ("ending", "what", "damage"), DAMAGES, ids=[f"{ending} {what}" for ending, what, _ in DAMAGES]
)
def test_what_is_damaged_is_compiled_again(cache, ending, what, damage):
    """Never loaded: numba's own reader crashes on most of these, some with the whole process."""
    damage(the(cache, ending))
    is_source = ending.endswith(".py")
    assert jit.is_compiled(cache, "test_kept._square") is is_source
    assert compiled(cache) == (49, is_source)
    assert jit.is_compiled(cache, "test_kept._square")
    assert compiled(cache) == (49, True)
    assert not [path.name for path in cache.rglob(".*")]


def be_file(path: Path) -> None:
    """Put a file in a folder's place."""
    shutil.rmtree(path)
    path.write_text("")


def be_linked(path: Path) -> None:
    """Put a link to a folder in its place."""
    path.rename(path.parent / "elsewhere")
    path.symlink_to(path.parent / "elsewhere")


@pytest.mark.parametrize("damage", [be_file, be_linked, shutil.rmtree])
@pytest.mark.parametrize("which", ["test_kept.*", "test_kept.*/*", "source-*"])
def test_what_lies_in_a_folders_place_is_replaced(cache, which, damage):
    (folder,) = (path for path in cache.glob(which) if path.is_dir())
    damage(folder)
    assert compiled(cache)[0] == 49
    assert compiled(cache) == (49, True)


def test_a_stranger_beside_compiled_code_makes_it_be_compiled_again(cache):
    (the(cache, ".nbi").parent / "more.nbc").write_bytes(NUMBER)
    assert compiled(cache) == (49, False)
    assert compiled(cache) == (49, True)


def test_whole_code_that_cannot_be_loaded_is_compiled_again(cache):
    """As after an update that kept its number: the hash is right, what it stands for is not."""
    path = the(cache, ".nbc")
    path.write_bytes(NUMBER)
    kept.seal(path.parent)
    assert jit.is_compiled(cache, "test_kept._square")
    assert compiled(cache) == (49, False)
    assert compiled(cache) == (49, True)


def test_options_and_signatures_have_code_of_their_own(tmp_path):
    """numba's own index knows no options."""
    jit.compile_to(tmp_path, _square, "int64(int64)")
    for signature, options in (("int64(int64)", {"boundscheck": True}), ("float64(float64)", {})):
        assert jit.compile_to(tmp_path, _square, signature, **options).stats.cache_misses
        assert jit.compile_to(tmp_path, _square, signature, **options).stats.cache_hits
    assert len(list(tmp_path.glob("test_kept._square-*"))) == 3


def test_what_cannot_be_compiled_says_so_beside_damaged_code(cache):
    def unknown(x):
        return x.nothing

    for _ in range(2):
        with pytest.raises(numba.core.errors.TypingError, match="nothing"):
            jit.compile_to(cache, unknown, "int64(int64)")
    assert not list(cache.glob(".*"))


PLACE = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from part import triple
from sim.jit import compile_to
function = compile_to(Path(sys.argv[2]), triple, "int64(int64)")
print(function(5), bool(function.stats.cache_hits))
"""


def test_another_place_compiles_nothing_again(tmp_path):
    """A moved environment, another clone: the same text, wherever it lies and whenever it was written."""
    said = []
    for place in ("here", "there/deep"):
        folder = tmp_path / place
        folder.mkdir(parents=True)
        (folder / "part.py").write_text("def triple(x):\n    return 3 * x\n")
        command = [sys.executable, "-c", PLACE, str(folder), str(tmp_path / "cache")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        said.append(done.stdout)
    assert said == ["15 False\n", "15 True\n"]
    (tmp_path / "here" / "part.py").write_text("def triple(x):\n    return 4 * x\n")
    command[3] = str(tmp_path / "here")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "20 False\n"


POLICY = "def bid(rules, table, own, rng, choice):\n    choice.coins = 1\n"


def test_a_policys_damaged_files_are_never_blamed_on_it(tmp_path):
    """Its text, its bytecode, its compiled code, all at once, in processes that run before and after."""
    code = (
        "from sim.policy import Policy, compile_policy, needs_compiling; from sim.game import load_game; "
        f"policy = Policy('mine', 'mine', 'mine.py', {POLICY!r}, is_trusted=False); "
        "print(needs_compiling('debrium', policy)); compile_policy(load_game('debrium'), policy); "
        "print(needs_compiling('debrium', policy))"
    )
    env = {**os.environ, "STEELYARD_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT), "NUMBA_OPT": "0"}

    def run() -> str:
        return subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        ).stdout

    assert run() == "True\nFalse\n"
    assert run() == "False\nFalse\n"
    for path in [path for path in tmp_path.rglob("*") if path.is_file()]:
        flip(0.7, 3)(path)
    assert run() == "True\nFalse\n"
    assert not list(tmp_path.rglob("*.pyc"))
