"""What a policy file may import: names from a list, none of which reads, draws or gets at memory.

A policy sees what its seat sees, and its answers follow from that and the seed alone. What its text cannot name it
can neither look at nor depend on.
"""

from __future__ import annotations

import ast
import functools
import importlib
import math
from collections.abc import Mapping
from types import ModuleType

import numpy as np

from policies.text import Text, source_of
from sim.errors import BadInput, nearest

#: The modules that a policy may import as a whole and name by a dot, one level deep.
MODULES = ("math", "numpy")

#: numpy's types of numbers, which make constants as well.
SCALARS = frozenset(
    ("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
)
NUMPY_CONSTANTS = frozenset(("e", "euler_gamma", "inf", "nan", "newaxis", "pi"))

#: What a policy may name of numpy. Left out is what holds whatever lay in memory (`empty`), what gets at memory
#: (numba's `transpose` reads beyond an array whose axis is named twice), what draws, and what counts otherwise from
#: machine to machine (`dot`).
NUMPY = frozenset(
    """
    abs absolute add all any append arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort
    around array array_equal asarray bitwise_and bitwise_not bitwise_or bitwise_xor cbrt ceil clip column_stack
    concatenate copy copysign cos cosh count_nonzero cumprod cumsum deg2rad degrees diff divide equal exp exp2 expm1
    eye fabs flatnonzero flip floor floor_divide fmax fmin fmod full full_like gcd greater greater_equal hstack hypot
    identity invert isclose isfinite isin isinf isnan lcm left_shift less less_equal linspace log log10 log1p log2
    logical_and logical_not logical_or logical_xor max maximum mean median min minimum mod multiply nan_to_num nanmax
    nanmean nanmin nansum ndim negative nonzero not_equal ones ones_like outer positive power prod ptp ravel
    reciprocal remainder reshape right_shift rint round searchsorted shape sign signbit sin sinh size sort sqrt square
    stack std subtract sum tan tanh trace true_divide trunc unique var vstack where zeros zeros_like
    """.split()  # noqa: SIM905
) | (SCALARS | NUMPY_CONSTANTS)

#: What draws otherwise than from `rng`.
OTHER_CHANCE = ("random", "secrets")


def read_imports(text: Text) -> None:
    """Note what the file's imported names stand for; raise BadInput for one that is not on the list."""
    for node in text.tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name not in MODULES:
                    raise _refused(text, node, alias.name)
                text.modules[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                check_name(text, node, module, alias.name)
                text.imported[alias.asname or alias.name] = f"{module}.{alias.name}"


def check_name(text: Text, node: ast.AST, module: str, name: str) -> None:
    """Refuse a name of a module that a policy may not use; `node` is where it stands."""
    allowed = importable(text.game.name)
    if module not in allowed:
        raise _refused(text, node, module)
    if name in allowed[module]:
        return
    if name in OTHER_CHANCE:
        raise other_chance(text, node)
    if module in MODULES:
        why = "a policy uses of it what makes an answer of numbers, and nothing that reads, draws or gets at memory"
        if name in ("empty", "empty_like"):
            why = f"it holds whatever lay in memory; make it with {name.replace('empty', 'zeros')}"
        raise text.refused(node, f"{module}.{name} is not for policies{nearest(name, allowed[module])}: {why}")
    raise text.refused(
        node,
        f"a policy cannot import {name!r} from {module}{nearest(name, allowed[module])}; "
        f"to be had from there: {', '.join(sorted(allowed[module]))}",
    )


@functools.cache
def importable(game: str) -> Mapping[str, frozenset[str]]:
    """Return the names that a policy of a game may import, by module."""
    own = [f"sim.{game}.{part}" for part in ("state", "view", "planning")]
    return {
        "policies": frozenset({"Param"}),
        "sim.rng": frozenset({"below", "uniform", "shuffle"}),
        **{module: _public(importlib.import_module(module), f"sim.{game}.") for module in own},
        "math": frozenset(name for name in vars(math) if name[0] != "_"),
        "numpy": NUMPY,
        "__future__": frozenset({"annotations"}),
    }


def value_of(full_name: str) -> object:
    """Return what an allowed "module.name" stands for."""
    module, _, name = full_name.rpartition(".")
    return getattr(importlib.import_module(module), name)


def other_chance(text: Text, node: ast.AST) -> BadInput:
    """Return the error of chance that no seed decides."""
    return text.refused(node, "chance comes from `rng` alone (sim.rng: below, uniform, shuffle)")


def _public(module: ModuleType, family: str) -> frozenset[str]:
    """Return a module's numbers, lists and helpers: what it says itself or has from the game's other modules."""
    return frozenset(
        name
        for name, value in vars(module).items()
        if name[0] != "_"
        and (
            isinstance(value, int | float | str | tuple | np.generic)
            or (callable(value) and str(getattr(value, "__module__", "")).startswith(family))
        )
    )


def _refused(text: Text, node: ast.AST, module: str) -> BadInput:
    """Return the error of a module that no policy imports."""
    if module.split(".")[-1] in OTHER_CHANCE:
        return other_chance(text, node)
    game = text.game.name
    return text.refused(
        node,
        f"{source_of(node)}: not for policies{nearest(module, importable(game))}; a policy imports names from "
        f"policies (Param), sim.rng, sim.{game}.state, sim.{game}.view, sim.{game}.planning, and math and numpy",
    )
