"""`rng` is handed on and nothing else: who reads its word knows what every draw to come will be."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from policies.text import Text, local_names, parameters
from sim.policy import ARGUMENTS

#: What draws from a stream, which is its first argument.
_DRAWING = ("sim.rng.below", "sim.rng.uniform", "sim.rng.shuffle")
_PLACE = ARGUMENTS.index("rng")


def check_chance(text: Text) -> None:
    """Follow `rng` from the decisions through the helpers; refuse whatever is done with it but draw or hand it on."""
    coming = [(name, parameters(function)[_PLACE]) for name, function in text.functions.items() if name[0] != "_"]
    seen = set[tuple[str, str]]()
    while coming:
        place = coming.pop()
        if place not in seen:
            seen.add(place)
            coming += _handed_on(text, *place)


def _handed_on(text: Text, name: str, rng: str) -> list[tuple[str, str]]:
    """Return the helpers, with the argument's name, to which a function hands its stream; refuse all other uses."""
    function = text.functions[name]
    local = local_names(function)
    handed, fine = [], set[int]()
    for call in ast.walk(function):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id in local:
            continue
        if text.imported.get(call.func.id) in _DRAWING:
            fine |= {id(argument) for argument in call.args[:1] if _is(argument, rng)}
        elif call.func.id in text.functions:
            for argument, parameter in _matched(call, text.functions[call.func.id]):
                if _is(argument, rng):
                    fine.add(id(argument))
                    handed.append((call.func.id, parameter))
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == rng and id(node) not in fine:
            raise text.refused(
                node,
                f"{rng!r} is only drawn from and handed on: the first argument of below, uniform or shuffle of "
                "sim.rng, or an argument of a helper of this file; what is in it nobody sees",
            )
    return handed


def _matched(call: ast.Call, function: ast.FunctionDef) -> Iterator[tuple[ast.expr, str]]:
    """Yield the arguments of a call with the names that the function gives them, as far as that is plain to see."""
    named = parameters(function)
    for argument, parameter in zip(call.args, named, strict=False):
        if isinstance(argument, ast.Starred):
            break
        yield argument, parameter
    for keyword in call.keywords:
        if keyword.arg in {*named, *(argument.arg for argument in function.args.kwonlyargs)}:
            assert keyword.arg is not None
            yield keyword.value, keyword.arg


def _is(node: ast.expr, name: str) -> bool:
    """Tell whether an expression is a name and nothing more."""
    return isinstance(node, ast.Name) and node.id == name
