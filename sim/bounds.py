"""The simulator's helpers again, with bounds checks: what a policy from outside calls.

The engine's own functions are compiled without checks, since a test runs them with checks on. A stranger's policy may
hand them any number: `draw_chance` with a label of 400 would read what lies 400 words behind the display.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

import numba


def is_jitted(value: object) -> bool:
    """Tell whether something is a jitted function of the simulator without checks (none is, with JIT off)."""
    is_one = hasattr(value, "py_func") and str(getattr(value, "__module__", "")).startswith("sim.")
    return is_one and not getattr(value, "targetoptions", {}).get("boundscheck", False)


@functools.cache
def with_bounds(function: Any) -> Any:
    """Return a jitted function of the simulator with bounds checks, in whatever it calls as well.

    It answers the same as long as no index is out of bounds; then it raises IndexError.
    """
    plain = function.py_func
    named = {name: plain.__globals__.get(name) for name in _names_in(plain.__code__)}
    names = {**plain.__globals__, **{name: with_bounds(value) for name, value in named.items() if is_jitted(value)}}
    copy = types.FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
    copy.__module__, copy.__qualname__ = plain.__module__, plain.__qualname__
    return numba.njit(nogil=True, error_model="numpy", boundscheck=True)(copy)


def _names_in(code: types.CodeType) -> Iterator[str]:
    """Yield the names that a function looks up, those in its comprehensions included."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _names_in(part)
