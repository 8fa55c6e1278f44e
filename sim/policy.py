"""A policy as the simulator plays it: source text, parameters, compiled functions.

The source travels, not the path: it is copied into the folder of compiled code, imported from there and
compiled, so that a thread, another process or another machine all do the same. (numba cannot load, in the
next process, what was compiled from a module made by `exec`.)
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numba

from sim.errors import BadInput, RunFailed
from sim.files import write_whole
from sim.game import Game
from sim.jit import cache_folder, compile_to, is_compiled, is_disabled
from sim.kernel import policy_signature

#: The names of a decision function's arguments, in order.
ARGUMENTS = ("rules", "table", "own", "rng", "choice")


@dataclass(frozen=True)
class Policy:
    """A policy to play: `label` is what results call it, `origin` the file that errors name.

    params are the values in the order of the file's PARAMS; settings those that are no defaults, as key=value
    texts. A policy from outside the package is not `is_trusted`: it is compiled with bounds checks and its writes
    are watched.
    """

    name: str
    label: str
    origin: str
    source: str
    params: tuple[float, ...] = ()
    is_trusted: bool = True
    settings: tuple[str, ...] = ()

    @property
    def spec(self) -> str:
        """What a command line names it by, parameters included."""
        return ":".join([self.name if self.is_trusted else self.origin, *self.settings])

    @property
    def digest(self) -> str:
        """A hash of the source text (hex, 16 digits)."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Param:
    """A number of a policy that can be tuned: its default, its bounds, and what it means."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Entry:
    """A policy as lists show it: its first docstring line and its parameters."""

    name: str
    summary: str
    doc: str
    params: tuple[Param, ...]
    decisions: tuple[str, ...]


def default_decision(rules, table, own, rng, choice):  # type: ignore[no-untyped-def]
    """Leave the choice as it was made ready: the safe legal answer."""


def import_source(policy: Policy) -> ModuleType:
    """Import a policy's source from its copy in the cache folder; raise BadInput naming file and line."""
    name = f"policy_{policy.digest}_{'fast' if policy.is_trusted else 'checked'}"
    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder(not policy.is_trusted) / f"{name}.py"
    if not path.exists() or path.read_text(encoding="utf-8") != policy.source:
        write_whole(path, policy.source.encode())
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a file may even raise SystemExit
        del sys.modules[name]
        line = _line_of(error, str(path))
        raise BadInput(f"{policy.origin}{line}: {type(error).__name__}: {_one_line(error)}") from None
    return module


def _line_of(error: BaseException, file: str) -> str:
    """Return ":line" of the last place in a file that an exception came through, "" when there is none."""
    if isinstance(error, SyntaxError):
        return f":{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f":{lines[-1]}" if lines else ""


def compile_policy(game: Game, policy: Policy) -> tuple[Any, ...]:
    """Return a policy's functions in the order of the game's decisions, compiled for the game's signature.

    Raises BadInput, naming the file and where known the line, for what numba cannot compile: a wrong
    argument, an unknown field, an unsupported feature of Python.
    """
    # Parameters are data to the compiled code: a policy with other ones is the same code.
    return _compiled(game, replace(policy, label=policy.name, params=(), settings=()))


@functools.cache
def _compiled(game: Game, policy: Policy) -> tuple[Any, ...]:
    """Compile a policy's decisions once."""
    module = import_source(policy)
    _compile_helpers(module, policy)
    return tuple(_compile_decision(game, policy, module, decision.name) for decision in game.decisions)


def _compile_helpers(module: ModuleType, policy: Policy) -> None:
    """Make the file's own helpers callable from its decisions."""
    for name, value in list(vars(module).items()):
        if inspect.isfunction(value) and value.__module__ == module.__name__ and name.startswith("_"):
            is_checked = not policy.is_trusted
            options = {"boundscheck": is_checked, "error_model": "python", "forceinline": policy.is_trusted}
            setattr(module, name, numba.njit(nogil=True, **options)(value))


def _compile_decision(game: Game, policy: Policy, module: ModuleType, name: str) -> Any:
    """Compile one decision, or the game's default where the file has none."""
    function: Callable[..., None] = getattr(module, name, default_decision)
    if is_disabled():
        return function
    options = {"boundscheck": not policy.is_trusted, "error_model": "python"}
    try:
        return compile_to(cache_folder(not policy.is_trusted), function, policy_signature(game), **options)
    except (RunFailed, MemoryError):  # for want of room, not through the policy
        raise
    except Exception as error:
        line = getattr(getattr(error, "loc", None), "line", None)
        where = f"{policy.origin}:{line}" if line else policy.origin
        raise BadInput(f"{where}: cannot compile `{name}`: {_one_line(error)}") from None


def needs_compiling(policy: Policy) -> bool:
    """Tell whether a policy has yet to be compiled in this cache."""
    folder = cache_folder(not policy.is_trusted)
    return not is_compiled(folder, f"policy_{policy.digest}_")


def _one_line(error: BaseException) -> str:
    """Return the line of an error's text that says most: numba puts it after its own headings."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in nopython", "File ", "During:"))]
    return (telling or lines or [type(error).__name__])[0]
