"""One way through the house: who may import whom, and what no file may hold. Read with ast, so nothing runs."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sim.game import load_game
from sim.kernel import call_records
from sim.rng import STREAM
from sim.rules import games
from tests.support import ROOT

HOUSE = ("sim", "policies", "reports", "cli")
#: Files are to have at most five hundred lines and fail at seven hundred. The command line is one file by design.
LONG_FILE, LONGEST_FILE, LONGEST_COMMAND = 500, 700, 40


def sources(*parts: str) -> list[Path]:
    """The Python files of these parts of the house."""
    found = [path for part in parts for path in sorted((ROOT / part).rglob("*.py"))]
    return [*found, *[ROOT / f"{part}.py" for part in parts if (ROOT / f"{part}.py").is_file()]]


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(path: Path) -> set[str]:
    """The top-level names of all modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            found.add(node.module or "")
    return {name.partition(".")[0] for name in found}


def tracked() -> list[Path]:
    """The files that git keeps, or those of the house and its tests where there is no git."""
    if shutil.which("git"):
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
        if listed.returncode == 0:
            return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    return [*sources("cli", "steelyard", "sim", "policies", "reports", "tests"), ROOT / "pyproject.toml"]


def calls(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """What a file calls by a plain or a dotted name, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node.lineno


FORBIDDEN = {
    "sim": {"policies", "reports", "cli"},
    "policies": {"reports", "cli", "numba"},
    "reports": {"policies", "numba", "cli"},
}


@pytest.mark.parametrize("part", FORBIDDEN)
def test_each_part_imports_only_what_lies_below_it(part):
    files = sources(part)
    assert files
    for path in files:
        assert not imported(path) & FORBIDDEN[part], path


def test_policies_import_only_sim_and_numpy():
    """`policies` import only `sim`'s public names, numpy, themselves and what Python brings."""
    allowed = {"sim", "policies", "numpy", *sys.stdlib_module_names}
    for path in sources("policies"):
        assert imported(path) <= allowed, path


def test_nothing_imports_the_command_line():
    for path in sources(*HOUSE):
        assert "cli" not in imported(path), path


def test_every_name_that_the_house_imports_from_itself_exists():
    """An import inside a command fails only when that command runs, so all are looked up here."""
    for path in sources(*HOUSE):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in HOUSE:
                place = ROOT.joinpath(*node.module.split("."))
                assert place.is_dir() or place.with_suffix(".py").is_file(), f"{path}:{node.lineno}: {node.module}"


def test_the_command_line_imports_nothing_heavy_at_the_top():
    """Heavy imports live inside commands: `--help` needs click alone."""
    heavy = {"numpy", "numba", "pandas", "scipy", "matplotlib", "rich", "boost_histogram"}
    code = "import sys, cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not heavy & {name.partition(".")[0] for name in loaded.stdout.split()}


@pytest.mark.parametrize("path", sources(*HOUSE, "tests"), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_is_longer_than_seven_hundred_lines(path):
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > LONG_FILE:
        print(f"{path.relative_to(ROOT)} has {lines} lines")
    assert lines <= LONGEST_FILE or path == ROOT / "cli.py"


def test_a_command_wires_in_forty_lines():
    """What a command does, its options and what it says of itself aside."""
    functions = [node for node in tree_of(ROOT / "cli.py").body if isinstance(node, ast.FunctionDef)]
    assert len(functions) > 10
    for node in functions:
        first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
        assert (node.end_lineno or 0) - first.lineno < LONGEST_COMMAND, node.name


def test_numba_options_are_set_in_three_places_only():
    """`sim/jit.py` sets numba's options, `sim/policy.py` and `sim/bounds.py` those of policies; nobody else does."""
    free = {ROOT / "sim" / name for name in ("jit.py", "policy.py", "bounds.py")}
    names = {"njit", "jit", "vectorize", "guvectorize", "cfunc", "jitclass", "prange"}
    for path in set(sources(*HOUSE)) - free:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).partition(".")[0] in ("numba", "nb"):
                assert node.attr not in names, f"{path}:{node.lineno}"
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "numba":
                assert not {alias.name for alias in node.names} & names, f"{path}:{node.lineno}"


def test_nothing_is_pickled():
    serialisers = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "shelve", "marshal"}
    for path in sources(*HOUSE):
        assert not imported(path) & serialisers, path
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert isinstance(node.value, ast.Constant), path
                assert node.value.value is False, path


def test_nothing_is_evaluated():
    """No text becomes code, importlib's `exec_module` of a policy that the user named excepted."""
    for path in sources(*HOUSE):
        for name, line in calls(tree_of(path)):
            assert name not in ("eval", "exec", "compile", "__import__", "builtins.exec"), f"{path}:{line}"
            assert name not in ("os.system", "os.popen", "yaml.load"), f"{path}:{line}"
            if name.endswith("exec_module"):
                assert path == ROOT / "sim" / "policy.py"


def fields(record: np.dtype) -> Iterator[tuple[str, np.dtype]]:
    """Every field of a record and of the records in it, with the type of one entry."""
    for name in record.names or ():
        of = record.fields[name][0].base
        yield name, of
        yield from fields(of)


@pytest.mark.parametrize("game", games())
def test_no_field_is_named_like_an_attribute_of_numpys_records(game):
    """`round`, `item`, `size`, `data`, `max`: with JIT off such a field cannot be read."""
    taken = set(dir(np.record)) | set(dir(np.recarray))
    known = load_game(game)
    for record in (*known.records.values(), *call_records(known), STREAM):
        listed = {name for name, _ in fields(record)}
        assert listed
        assert not listed & taken


@pytest.mark.parametrize("game", games())
def test_fields_are_64_bits_wide_and_those_of_a_row_32(game):
    """A narrower field overflows compiled and not with JIT off; a row's are read as one array of words."""
    known = load_game(game)
    for record in known.records.values():
        assert {of.str for _, of in fields(record) if of.names is None} <= {"<i8", "<f8", "<u8"}
    assert {of.str for _, of in fields(known.outcomes.row()) if of.names is None} == {"<i4"}
    assert {of.str for _, of in fields(known.records["choice"])} == {"<f8"}


PLACES = {
    "a path of one machine": re.compile(r"(?<![\w.$}<])/(?:home|work|root|Users|mnt|srv)/\w|[A-Z]:\\\\?Users"),
    "an address": re.compile(r"(?<![\d.=])(?!127\.0\.0\.1|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])"),
    "a server with a port": re.compile(r"https?://[^\s/\"')]+:\d{2,}"),
}


@pytest.mark.parametrize("what", PLACES)
def test_no_file_names_a_machine(what):
    files = tracked()
    assert ROOT / "cli.py" in files
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = PLACES[what].search(text)
        assert found is None, f"{path.relative_to(ROOT)}: {found}"
