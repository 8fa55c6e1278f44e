"""What compiled code is made from: the modules that one imports, those that these import, and a game's folder.

A jitted function freezes what it reads of other modules: their functions and their constants. So an edit of any of
these has to be compiled anew, and an edit of the rest (files, sweeps, the other game) has not.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

SIM = Path(__file__).parent


def all_files() -> list[Path]:
    """Return every file of the simulator's code."""
    return sorted(SIM.rglob("*.py"))


def hash_of(files: Iterable[Path]) -> str:
    """Return a hash of files of the simulator, of their names and of what they hold (hex, 16 digits)."""
    digest = hashlib.sha256()
    for path in sorted(files):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(SIM).as_posix()}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()[:16]


def code_files(modules: Iterable[str], game: str = "") -> set[Path]:
    """Return the files that code of these modules, such as "sim.kernel", can freeze; with `game` that of its engine.

    A game counts with its whole folder, `rules.toml` included, and with what this imports.
    """
    own = {path for path in (SIM / game).rglob("*") if path.suffix in (".py", ".toml")} if game else set()
    found = {path for path in own if path.suffix == ".toml"}
    coming = [path for path in own if path.suffix == ".py"]
    coming += [path for module in modules for path in _files_of(module)]
    while coming:
        path = coming.pop()
        if path not in found:
            found.add(path)
            coming += [file for module in _imports(path.read_text(encoding="utf-8")) for file in _files_of(module)]
    return found


def _files_of(module: str) -> list[Path]:
    """Return a module's file, none where it is not of the simulator, or is a name within a module."""
    parts = module.split(".")
    if parts[0] != "sim":
        return []
    place = SIM.joinpath(*parts[1:])
    return [path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()]


@functools.cache
def _imports(text: str) -> frozenset[str]:
    """Return what a file's text imports when it is imported itself: modules, and names that may be modules."""
    found = set()
    for node in _at_import(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through what runs when a file is imported: everything but the bodies of its functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from _at_import(child)
