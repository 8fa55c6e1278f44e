"""Reading a policy file without running it: what it must hold, and the line of everything that is wrong.

numba reports an unknown field as a bare KeyError and a wrong argument count as a TypeError, neither with a
line. So both are looked for in the text first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sim.errors import BadInput, nearest
from sim.game import Game
from sim.policy import ARGUMENTS

#: The longest policy file that is read.
MAX_BYTES = 1_000_000


def check_source(game: Game, source: str, origin: str) -> ast.Module:
    """Parse a policy's text and check it; raise BadInput with the file, the line and what is allowed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise BadInput(f"{origin}:{line}: not Python: {getattr(error, 'msg', error)}") from None
    except (RecursionError, MemoryError):
        raise BadInput(f"{origin}: nested too deeply to be read as Python") from None
    _check_functions(game, tree, origin)
    _check_chance(tree, origin)
    _check_returns(tree, origin)
    fields = {name: game.records[name] for name in ("rules", "table", "own", "choice")}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _check_fields(node, fields, origin)
    return tree


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
        plain = node.args
        arguments = [argument.arg for argument in [*plain.posonlyargs, *plain.args]]
        if len(arguments) != len(ARGUMENTS) or plain.vararg or plain.kwonlyargs or plain.kwarg or plain.defaults:
            raise BadInput(f"{where}: {node.name!r} takes the arguments ({', '.join(ARGUMENTS)})")
        found += 1
    if not found:
        raise BadInput(f"{origin}: no decision; a policy of {game.name} has at least one of: {', '.join(decisions)}")


def _check_chance(tree: ast.Module, origin: str) -> None:
    """Chance comes from `rng` alone, or a seed would not give its games again; and a policy prints nothing."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Attribute) and node.attr == "random":
            names = ["random"]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            raise BadInput(f"{origin}:{node.lineno}: a policy prints nothing; `steelyard trace` shows its games")
        if any(name.split(".")[-1] in ("random", "secrets") for name in names):
            raise BadInput(
                f"{origin}:{getattr(node, 'lineno', 1)}: chance comes from `rng` alone (sim.rng: below, uniform)"
            )


def _check_returns(tree: ast.Module, origin: str) -> None:
    """Every function comes to an end in one go: none yields, and none calls itself, be it through others."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    calls: dict[str, set[str]] = {}
    for name, function in functions.items():
        for node in ast.walk(function):
            if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
                raise BadInput(f"{origin}:{node.lineno}: {name!r} yields; a policy's functions answer in one go")
        named = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        calls[name] = named & functions.keys()
    for name, function in functions.items():
        reached, coming = set[str](), [name]
        while coming:
            new = calls[coming.pop()] - reached
            reached |= new
            coming += new
        if name in reached:
            raise BadInput(f"{origin}:{function.lineno}: {name!r} calls itself; a policy's functions do not recurse")


def _check_fields(function: ast.FunctionDef, records: Mapping[str, np.dtype[Any]], origin: str) -> None:
    """Every field read from a record exists, followed through simple aliases (`me = table.seats[i]`)."""
    arguments = [argument.arg for argument in function.args.args]
    if function.name.startswith("_"):
        known = {name: records[name] for name in arguments if name in records}
    else:
        known = {arguments[k]: records[name] for k, name in enumerate(ARGUMENTS) if name in records}
    for node in _in_order(function):
        if isinstance(node, ast.Attribute):
            record = _record_of(node.value, known)
            if record is not None and record.names is not None and node.attr not in record.names:
                raise BadInput(
                    f"{origin}:{node.lineno}: {ast.unparse(node)!r}: no such field"
                    f"{nearest(node.attr, record.names)}; fields: {', '.join(record.names)}"
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


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree in the order of the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


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
