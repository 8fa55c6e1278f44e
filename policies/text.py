"""A policy's text as the checks read it: its tree, its functions, and what its imported names stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sim.errors import BadInput, shortened
from sim.game import Game


@dataclass(frozen=True)
class Text:
    """A policy's text, parsed.

    origin is the file that errors name. functions are those at the top, by name; modules what the file calls a module
    ("np"), with the module's own name; imported what it calls a name of one, with "module.name".
    """

    game: Game
    origin: str
    tree: ast.Module
    functions: Mapping[str, ast.FunctionDef]
    modules: dict[str, str] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)

    def refused(self, node: ast.AST, why: str) -> BadInput:
        """Return the error of a place in the text: file, line and why."""
        return BadInput(f"{self.origin}:{getattr(node, 'lineno', 1)}: {why}")

    def full_name(self, node: ast.expr, local: frozenset[str] = frozenset()) -> str | None:
        """Return "module.name" of what an expression names, None when it names nothing of a module.

        `local` are names that stand for something else in this place.
        """
        if isinstance(node, ast.Name) and node.id not in local:
            return self.imported.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in local:
            module = self.modules.get(node.value.id)
            return f"{module}.{node.attr}" if module else None
        return None


def source_of(node: ast.AST) -> str:
    """Return the beginning of a node's text, in quotes, as errors show it."""
    return repr(shortened(ast.unparse(node).split("\n")[0]))


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree in the order of the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


def parameters(function: ast.FunctionDef) -> list[str]:
    """Return the names of a function's arguments that are given by position, in order."""
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]


def local_names(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that stand for something of a function's own wherever they stand in it.

    What a comprehension calls its items is its own only, and so left out.
    """
    given = function.args
    known = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    return frozenset({argument.arg for argument in known} | set(_bound(function)))


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that are given a value within a node."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    if isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    if isinstance(node, ast.comprehension):
        yield from _bound(node.iter)
        for condition in node.ifs:
            yield from _bound(condition)
        return
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)
