"""Reading a policy file without running it: what it must hold, and the line of everything that is wrong.

numba reports an unknown field as a bare KeyError and a wrong argument count as a TypeError, neither with a
line. So both are looked for in the text first. So is whatever a policy may not name: it sees what its seat sees, and
only the seed decides what it draws.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Mapping
from typing import Any

import numpy as np

from policies.bodies import check_bodies
from policies.chance import check_chance
from policies.constants import check_top
from policies.imports import read_imports
from policies.text import Text, in_order, parameters, source_of
from sim.errors import BadInput, nearest
from sim.game import Game
from sim.policy import ARGUMENTS

#: The longest policy file that is read.
MAX_BYTES = 1_000_000


def check_source(game: Game, source: str, origin: str) -> ast.Module:
    """Parse a policy's text and check it; raise BadInput with the file, the line and what is allowed."""
    try:
        _check_encoding(source, origin)
        tree = ast.parse(source)
        _check_tree(game, tree, origin)
    except (SyntaxError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        line = getattr(error, "lineno", None) or 1
        raise BadInput(f"{origin}:{line}: not Python: {getattr(error, 'msg', error)}") from None
    except (RecursionError, MemoryError):
        raise BadInput(f"{origin}: nested too deeply to be read as Python") from None
    return tree


def _check_encoding(source: str, origin: str) -> None:
    """Refuse a line that names another encoding than UTF-8: Python would then run another text than the one read."""
    encoding, lines = tokenize.detect_encoding(io.BytesIO(source.encode()).readline)
    if not encoding.startswith("utf-8"):
        raise BadInput(f"{origin}:{len(lines)}: its encoding is given as {encoding}; a policy file is UTF-8")


def _check_tree(game: Game, tree: ast.Module, origin: str) -> None:
    """Check a policy's text, parsed; what is most likely meant well comes first."""
    _check_functions(game, tree, origin)
    text = Text(game, origin, tree, {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)})
    read_imports(text)
    _check_returns(text)
    check_chance(text)
    fields = {name: game.records[name] for name in ("rules", "table", "own", "choice")}
    for function in text.functions.values():
        _check_fields(text, function, fields)
    check_top(text)
    check_bodies(text)


def _check_functions(game: Game, tree: ast.Module, origin: str) -> None:
    """Public functions are decisions, with the decisions' arguments, and there is at least one."""
    decisions = [decision.name for decision in game.decisions]
    found = 0
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        where = f"{origin}:{node.lineno}"
        if isinstance(node, ast.AsyncFunctionDef):
            raise BadInput(f"{where}: {node.name!r} is async; a decision is a plain function")
        if node.name not in decisions:
            raise BadInput(
                f"{where}: {node.name!r} is no decision of {game.name}{nearest(node.name, decisions)}; decisions: "
                f"{', '.join(decisions)}; helpers start with an underscore"
            )
        plain, arguments = node.args, parameters(node)
        if len(arguments) != len(ARGUMENTS) or plain.vararg or plain.kwonlyargs or plain.kwarg or plain.defaults:
            raise BadInput(f"{where}: {node.name!r} takes the arguments ({', '.join(ARGUMENTS)})")
        found += 1
    if not found:
        raise BadInput(f"{origin}: no decision; a policy of {game.name} has at least one of: {', '.join(decisions)}")


def _check_returns(text: Text) -> None:
    """Every function comes to an end in one go: none yields, and none calls itself, be it through others."""
    calls: dict[str, set[str]] = {}
    for name, function in text.functions.items():
        for node in ast.walk(function):
            if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
                raise text.refused(node, f"{name!r} yields; a policy's functions answer in one go")
        named = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        calls[name] = named & text.functions.keys()
    for name, function in text.functions.items():
        reached, coming = set[str](), [name]
        while coming:
            new = calls[coming.pop()] - reached
            reached |= new
            coming += new
        if name in reached:
            raise text.refused(function, f"{name!r} calls itself; a policy's functions do not recurse")


def _check_fields(text: Text, function: ast.FunctionDef, records: Mapping[str, np.dtype[Any]]) -> None:
    """Every field read from a record exists, followed through simple aliases (`me = table.seats[i]`)."""
    arguments = parameters(function)
    if function.name.startswith("_"):
        known = {name: records[name] for name in arguments if name in records}
    else:
        known = {arguments[k]: records[name] for k, name in enumerate(ARGUMENTS) if name in records}
    for node in in_order(function):
        if isinstance(node, ast.Attribute):
            record = _record_of(node.value, known)
            if record is not None and record.names is not None and node.attr not in record.names:
                raise text.refused(
                    node,
                    f"{source_of(node)}: no such field{nearest(node.attr, record.names)}; "
                    f"fields: {', '.join(record.names)}",
                )
        if isinstance(node, ast.Assign):
            for target in node.targets:
                _learn_alias(target, node.value, known)
        if isinstance(node, ast.For):
            _learn_alias(node.target, node.iter, known)


def _learn_alias(target: ast.expr, value: ast.expr, known: dict[str, np.dtype[Any]]) -> None:
    """Remember which record a name stands for, or each item of a list of records; forget it for anything else."""
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts, strict=False))
    for name, stands_for in pairs:
        if isinstance(name, ast.Name):
            record = _record_of(stands_for, known)
            known.pop(name.id, None)
            if record is not None:
                known[name.id] = record


def _record_of(node: ast.expr, known: Mapping[str, np.dtype[Any]]) -> np.dtype[Any] | None:
    """Return the dtype of the record that an expression stands for, None when that is not plain to see."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Subscript):
        return _record_of(node.value, known)
    if isinstance(node, ast.Attribute):
        record = _record_of(node.value, known)
        if record is not None and record.fields is not None and node.attr in record.fields:
            return record.fields[node.attr][0].base
    return None
