"""What the functions of a policy may name: what they were handed, what the file has, and numbers."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Iterator

import numpy as np

from policies.imports import MODULES, OTHER_CHANCE, check_name, other_chance
from policies.text import Text, local_names, source_of
from sim.errors import nearest
from sim.game import Game

#: Python's own names that a policy may use, beside its exceptions.
BUILTINS = frozenset(
    """
    abs all any bool dict divmod enumerate float int isinstance len list max min pow range reversed round slice sorted
    sum tuple zip
    """.split()  # noqa: SIM905
)
#: What a policy may name of arrays, lists and dictionaries, beside the fields of records.
ATTRIBUTES = frozenset(
    """
    T all any argmax argmin argsort astype clip copy cumprod cumsum fill flatten max mean min ndim nonzero prod ravel
    reshape round shape size sort std sum var
    append clear count extend index insert pop remove reverse
    get items keys values
    """.split()  # noqa: SIM905
)
_NO_PLACE: tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], str], ...] = (
    ((ast.Import, ast.ImportFrom), "imports stand at the top of the file"),
    ((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda), "functions stand at the top of the file"),
    (ast.ClassDef, "a policy has no classes"),
    ((ast.Global, ast.Nonlocal), "a policy keeps nothing outside `own.memory`"),
    ((ast.Set, ast.SetComp), "a set has no order; use a list"),
)


def check_bodies(text: Text) -> None:
    """Refuse, in every function, what it may not name."""
    for function in text.functions.values():
        local = local_names(function)
        called = {id(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
        before_dot = {id(node.value) for node in ast.walk(function) if isinstance(node, ast.Attribute)}
        for node in _within(function):
            _check_statement(text, node)
            if isinstance(node, ast.Name):
                _check_own_name(text, node, local, id(node) in called, id(node) in before_dot)
            elif isinstance(node, ast.Attribute):
                _check_attribute(text, node, local)


def _within(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Walk a function's statements, parts before wholes; what stands before them is run at the top."""
    for statement in function.body:
        yield from _parts_first(statement)


def _parts_first(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree from its leaves: of `np.random.x` it is `np.random` that is wrong."""
    for child in ast.iter_child_nodes(node):
        yield from _parts_first(child)
    yield node


def _check_statement(text: Text, node: ast.AST) -> None:
    """Refuse statements that have no place in a function of a policy."""
    for kinds, why in _NO_PLACE:
        if isinstance(node, kinds):
            raise text.refused(node, f"{source_of(node)}: {why}")


def _check_own_name(text: Text, node: ast.Name, local: frozenset[str], is_called: bool, is_before_dot: bool) -> None:
    """Refuse Python's names that are not on the list, and functions and modules that are used as values."""
    name = node.id
    if name.startswith("__") and name.endswith("__"):
        raise text.refused(node, f"{name!r} is not for policies")
    if name in local or not isinstance(node.ctx, ast.Load):
        return
    if name in text.functions and not is_called:
        raise text.refused(node, f"{name!r} is a function; a policy calls its functions by their own names only")
    if name in text.modules and not is_before_dot:
        raise text.refused(node, f"{name!r} is a module; a policy uses what stands in it, as in {name}.sqrt")
    is_of_file = name in text.functions or name in text.modules or name in text.imported
    if not is_of_file and hasattr(builtins, name) and not _is_for_policies(name):
        if name == "print":
            raise text.refused(node, "a policy prints nothing; `steelyard trace` shows its games")
        allowed = ", ".join(sorted(BUILTINS))
        raise text.refused(node, f"`{name}` is not for policies{nearest(name, BUILTINS)}; of Python's own: {allowed}")


def _is_for_policies(name: str) -> bool:
    """Tell whether a policy may use a name of Python's own: of exceptions those that end a game, not the process."""
    value = getattr(builtins, name)
    return name in BUILTINS or (isinstance(value, type) and issubclass(value, Exception))


def _check_attribute(text: Text, node: ast.Attribute, local: frozenset[str]) -> None:
    """Refuse what follows a dot and is no field, nothing of an array, and not on the list of its module."""
    if isinstance(node.value, ast.Name) and node.value.id in text.modules and node.value.id not in local:
        module = text.modules[node.value.id]
        assert module in MODULES
        check_name(text, node, module, node.attr)
    elif node.attr in OTHER_CHANCE:
        raise other_chance(text, node)
    elif node.attr not in ATTRIBUTES | _fields(text.game):
        known = nearest(node.attr, ATTRIBUTES | _fields(text.game))
        raise text.refused(
            node,
            f"{source_of(node)}: `.{node.attr}` is not for policies{known}; to be had are fields of rules, table, "
            f"own and choice, and of arrays {', '.join(sorted(ATTRIBUTES))}",
        )


@functools.cache
def _fields(game: Game) -> frozenset[str]:
    """Return the names of all fields of the records that a policy is handed."""
    return frozenset(name for kind in ("rules", "table", "own", "choice") for name in _names_in(game.records[kind]))


def _names_in(record: np.dtype[np.void]) -> Iterator[str]:
    """Yield a record's fields and those of the records in it."""
    for name in record.names or ():
        yield name
        assert record.fields is not None
        yield from _names_in(record.fields[name][0].base)
