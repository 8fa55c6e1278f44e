"""The top of a policy file: imports, functions, and constants that are the same wherever and whenever they are made.

What stands there is worked out once, when the file is imported, and compiled into the code, which is kept. A constant
that hung on the time or on the machine would be another one in the next run of the same text.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable

from policies.imports import NUMPY_CONSTANTS, SCALARS, value_of
from policies.text import Text, source_of

#: Python's own functions that a constant may be made with.
_CALLS = frozenset(("abs", "bool", "float", "int", "len", "max", "min", "pow", "range", "round", "sum", "tuple"))
_ALLOWED = (
    "the top of a policy holds imports, functions and constants (numbers, arithmetic, lists, Param, range, len, "
    "numpy scalars and np.array of these)"
)
#: What a constant is put together from.
_PARTS = (
    ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Dict, ast.Starred,
    ast.Subscript, ast.Slice, ast.keyword,
)  # fmt: skip
#: What an annotation is put together from: a plain type.
_TYPES = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.BinOp, ast.BitOr, ast.expr_context)


def check_top(text: Text) -> frozenset[str]:
    """Refuse what is no import, function or constant at the top of the file; return the constants' names."""
    known = {name for name, full in text.imported.items() if _is_value(full)}
    once = {*text.modules, *text.imported, *text.functions}
    for node in text.tree.body:
        if isinstance(node, ast.FunctionDef):
            _check_signature(text, node, known)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            _check_constant(text, node.value, known)
            if isinstance(node, ast.AnnAssign):
                _check_annotation(text, node.annotation)
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            known |= set(itertools.chain.from_iterable(_names(text, target) for target in targets))
        elif not isinstance(node, ast.Import | ast.ImportFrom | ast.Pass) and not _is_text(node):
            raise text.refused(node, f"{source_of(node)}: {_ALLOWED}")
    defined = [node for node in text.tree.body if isinstance(node, ast.FunctionDef)]
    for node in defined:
        if text.functions[node.name] is not node or node.name in {*text.modules, *text.imported}:
            raise text.refused(node, f"{node.name!r} is the name of two things; a function has a name of its own")
    constants = known - {name for name, full in text.imported.items() if _is_value(full)}
    for name in sorted(constants & once):
        raise text.refused(
            _place(text, name), f"{name!r} is the name of two things; a constant has a name of its own"
        )
    return frozenset(known)


def _check_constant(text: Text, value: ast.expr | None, known: Iterable[str]) -> None:
    """Refuse a value that is no constant, showing the part that is none."""
    odd = _odd_part(text, value, known) if value else None
    if odd is not None:
        raise text.refused(odd, f"{source_of(odd)}: {_ALLOWED}")


def _odd_part(text: Text, node: ast.AST, known: Iterable[str]) -> ast.AST | None:
    """Return the first part of an expression that no constant has, None when there is none."""
    if isinstance(node, ast.Constant):
        return None if node.value is None or isinstance(node.value, int | float | str) else node
    if isinstance(node, ast.Name):
        return None if node.id in known else node
    if isinstance(node, ast.Attribute):
        return None if _is_value(text.full_name(node)) else node
    parts: Iterable[ast.AST]
    if isinstance(node, ast.Call) and _is_maker(text, node.func):
        parts = [*node.args, *node.keywords]
    elif isinstance(node, _PARTS):
        parts = ast.iter_child_nodes(node)
    else:
        return node
    kinds = ast.operator | ast.unaryop | ast.boolop | ast.cmpop | ast.expr_context
    odd = (_odd_part(text, part, known) for part in parts if not isinstance(part, kinds))
    return next(filter(None, odd), None)


def _is_maker(text: Text, function: ast.expr) -> bool:
    """Tell whether a call makes a constant of constants."""
    if isinstance(function, ast.Name) and function.id in _CALLS - text.imported.keys():
        return True
    full = text.full_name(function)
    if full is None:
        return False
    module, _, name = full.rpartition(".")
    if module == "numpy":
        return name in SCALARS | {"array"}
    return full == "policies.Param" or (module == "math" and callable(value_of(full)))


def _is_value(full_name: str | None) -> bool:
    """Tell whether an imported name is a number or list, or a type of numbers, and so may stand for itself."""
    if full_name is None:
        return False
    module, _, name = full_name.rpartition(".")
    return name in SCALARS | NUMPY_CONSTANTS if module == "numpy" else not callable(value_of(full_name))


def _names(text: Text, target: ast.expr) -> Iterable[str]:
    """Yield the names that an assignment at the top gives; anything else is no constant."""
    if isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from _names(text, part)
    elif isinstance(target, ast.Name):
        yield target.id
    else:
        raise text.refused(target, f"{source_of(target)}: {_ALLOWED}")


def _check_signature(text: Text, function: ast.FunctionDef, known: Iterable[str]) -> None:
    """Refuse decorators, defaults that are no constants, and annotations that are more than a type: they are run."""
    if function.decorator_list:
        raise text.refused(function.decorator_list[0], f"{function.name!r} has a decorator; a policy's have none")
    given = function.args
    for default in filter(None, (*given.defaults, *given.kw_defaults)):
        _check_constant(text, default, known)
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    for annotation in filter(None, (*(argument.annotation for argument in arguments), function.returns)):
        _check_annotation(text, annotation)


def _check_annotation(text: Text, annotation: ast.expr) -> None:
    """Refuse what is more than a type."""
    for node in ast.walk(annotation):
        if not isinstance(node, _TYPES):
            raise text.refused(annotation, f"{source_of(annotation)}: an annotation is a plain type, such as int")


def _is_text(node: ast.stmt) -> bool:
    """Tell whether a statement is a text alone: the docstring, or a remark."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _place(text: Text, name: str) -> ast.AST:
    """Return where the top gives a name a value."""
    assigned = (node for node in text.tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    found = (part for node in assigned for part in ast.walk(node))
    return next(part for part in found if isinstance(part, ast.Name) and part.id == name)
