"""What numba has no words for: calling a policy by its address, looking at a record's bytes and clearing them.

So one compiled kernel plays any line-up, and can tell whether a policy changed what it was only to read.

A policy's functions all have their game's one signature. The kernel gets their addresses in an integer
array and calls them with numba's own calling convention, so that an exception raised in a policy
comes out of the kernel. (numba's first-class functions do the same, but a tuple of them costs 90 µs a
function and call to unbox, is copied wherever the tuple goes, and fixes the pool's length.)
With NUMBA_DISABLE_JIT=1 an "address" is the function's number in a list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.jit import is_disabled, jit

_FUNCTIONS: list[Callable[..., None]] = []


def addresses(functions: Sequence[Any]) -> Any:
    """Return the addresses of compiled functions as int64 (n,); the functions must outlive their use."""
    if is_disabled():
        return np.array([_number(function) for function in functions], dtype=np.int64)
    return np.array([_address(function) for function in functions], dtype=np.int64)


def _number(function: Callable[..., None]) -> int:
    """Return a Python function's number in the list that `call_at` looks in with JIT off."""
    if function not in _FUNCTIONS:
        _FUNCTIONS.append(function)
    return _FUNCTIONS.index(function)


def _address(dispatcher: Any) -> int:
    """Return the entry point of a dispatcher that was compiled for exactly one signature."""
    (compiled,) = dispatcher.overloads.values()
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


@intrinsic
def _call_compiled(typing_context, address, rules, table, own, rng, choice):
    """Call the function at `address` and pass on what it raises."""
    arguments = (rules, table, own, rng, choice)

    def code(context, builder, signature, values):
        function_type = context.call_conv.get_function_type(types.none, arguments)
        function = builder.inttoptr(values[0], function_type.as_pointer())
        status, _ = context.call_conv.call_function(builder, function, types.none, arguments, values[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(address, *arguments), code


def _call_python(number, rules, table, own, rng, choice):
    """Call a policy's Python function, as the compiled call does with an address."""
    _FUNCTIONS[number](rules, table, own, rng, choice)


call_at: Any = _call_python if is_disabled() else _call_compiled


@intrinsic
def _pointer_to(typing_context, record):
    """The address of a record's first word."""

    def code(context, builder, signature, values):
        return builder.bitcast(values[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.int64)(record), code


def _words_compiled(record, count):
    """The first `count` 64-bit words of a record, as an array on its memory."""
    return carray(_pointer_to(record), count)


def _words_python(record, count):
    """A copy of the first `count` 64-bit words of a record."""
    return np.frombuffer(record.tobytes(), np.int64)[:count]


words: Any = _words_python if is_disabled() else jit(_words_compiled)


@intrinsic
def _words_in(typing_context, record):
    """How many 64-bit words a record has, known when it is compiled."""
    count = record.size // 8

    def code(context, builder, signature, values):
        return context.get_constant(types.int64, count)

    return types.int64(record), code


def _clear_compiled(record):
    """Set all of a record to 0."""
    count = _words_in(record)
    memory = carray(_pointer_to(record), count)
    for k in range(count):
        memory[k] = 0


def _clear_python(record):
    """Set all of a record to 0."""
    for name in record.dtype.names:
        record[name] = 0


clear: Any = _clear_python if is_disabled() else jit(_clear_compiled)
