"""The only place that sets numba's options and chooses where compiled code is kept.

numba's disk cache looks neither at edits in other files nor at compile options: after a changed rule it
gives the old answer, and a bounds-checked build loads the unchecked one. So compiled code lives in a
folder named by a hash of everything that it depends on: the sources that it can freeze (see `sim.sources`), the
options, every NUMBA_ variable, and the versions of numba and Python. Old folders are pruned.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import platformdirs
from llvmlite import binding

from sim import kept
from sim.errors import RunFailed, visible
from sim.sources import all_files, code_files, hash_of

_KEPT_FOLDERS = 12
_UNUSED_DAYS = 14
_COMPILING = threading.RLock()

#: Decorator of every jitted function of the engine: compiled on first use, into the kernel that calls it. Left to
#: itself LLVM calls the longer ones, which costs more than what they do: their arguments and results go by memory.
jit: Callable[[Any], Any] = numba.njit(nogil=True, error_model="numpy", forceinline=True)


def is_disabled() -> bool:
    """Tell whether NUMBA_DISABLE_JIT is set: everything then runs as plain Python."""
    return bool(numba.config.DISABLE_JIT)


@functools.cache
def source_hash() -> str:
    """Return a hash of all of the simulator's sources, a part of what a run's results rest on (hex, 16 digits)."""
    return hash_of(all_files())


@functools.cache
def code_hash(game: str = "", *modules: str) -> str:
    """Return a hash of what code of the kernel, of a game and of further modules can freeze (hex, 16 digits)."""
    return hash_of(code_files(["sim.kernel", *modules], game))


@functools.cache
def cache_root() -> Path:
    """Return the folder for compiled code: STEELYARD_CACHE_DIR, the user's cache, or a temporary one."""
    root = _chosen_root()
    if root is None:
        return _temporary_root("there is no home directory")
    return root if _can_use(root) else _temporary_root(f"cannot write to {visible(str(root))}")


def _chosen_root() -> Path | None:
    """Return where compiled code is to lie, None when that is in the home of a user who has none."""
    home = Path.home() if os.environ.get("HOME") != "" and os.path.isabs(os.path.expanduser("~")) else None
    chosen = os.environ.get("STEELYARD_CACHE_DIR")
    if chosen:
        if chosen.startswith("~") and home is None:
            return None
        # Once and for all: a process of ours may have another current folder.
        return Path(os.path.abspath(os.path.expanduser(chosen)))
    root = Path(platformdirs.user_cache_dir("steelyard"))
    is_at_home = not root.is_absolute() or home is None or home in root.parents
    if is_at_home and "XDG_CACHE_HOME" not in os.environ and (home is None or not home.is_dir()):
        return None
    return root


@functools.cache
def _temporary_root(why: str) -> Path:
    """Make a folder that is removed at the end, and say once why."""
    print(f"note: {why}; compiled code is not kept", file=sys.stderr)
    temporary = Path(tempfile.mkdtemp(prefix="steelyard-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


def _can_use(folder: Path) -> bool:
    """Tell whether a file can be made in `folder` (numba would silently write elsewhere), and nobody else made it.

    What lies there is run: a folder of another user's, root excepted, could hold anything.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid not in (os.getuid(), 0):
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.cache
def cache_folder(checked: bool, game: str = "", *modules: str) -> Path:
    """Return the folder of code compiled from the kernel, a game, further modules and with these options."""
    numba_variables = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    machine = [platform.machine(), binding.get_host_cpu_name(), str(binding.get_host_cpu_features().flatten())]
    made_by = [numba.__version__, llvmlite.__version__, sys.version, *machine]
    told = "\0".join([code_hash(game, *modules), str(checked), *made_by, *numba_variables])
    name = hashlib.sha256(told.encode()).hexdigest()[:16]
    folder = cache_root() / name
    is_new = not folder.exists()
    if not folder.is_dir():
        kept.remove(folder)
    if not _can_use(folder):
        folder = _temporary_root(f"cannot write to {visible(str(folder))}") / name
        folder.mkdir(exist_ok=True)
    os.utime(folder)
    if is_new:
        _prune(cache_root())
    return folder


def _prune(root: Path) -> None:
    """Delete the folders that have not been used for long; another process may be doing the same."""
    folders = []
    for path in root.iterdir():
        with contextlib.suppress(FileNotFoundError):  # gone since it was listed
            if path.is_dir() and len(path.name) == 16:
                folders.append((path.stat().st_mtime, path))
    oldest = time.time() - _UNUSED_DAYS * 86400
    for used, path in sorted(folders, reverse=True)[_KEPT_FOLDERS:]:
        if used < oldest:
            shutil.rmtree(path, ignore_errors=True)


def compile_to(folder: Path, function: Callable[..., Any], signature: Any, **options: Any) -> Any:
    """Compile `function` for one signature now, kept in `folder`; return numba's dispatcher.

    What is kept and whole is loaded; what is damaged is removed and compiled again. Raises RunFailed when what was
    compiled cannot be written, and numba's errors for what cannot be compiled.
    """
    with _COMPILING:
        function = kept.from_copy(folder, function)
        place = kept.place_of(folder, function, signature, options)
        if kept.is_whole(place):
            # Whole, and yet not to be loaded: made by something that calls itself the same version.
            with contextlib.suppress(Exception):
                return _compile(place, function, signature, options)
        kept.remove(place)
        new = kept.new_place(folder)
        try:
            compiled = _compile(new, function, signature, options)
            if not kept.publish(new, place):
                print(f"note: cannot write to {visible(str(place))}; compiled code is not kept", file=sys.stderr)
            return compiled
        except OSError as error:  # numba's and ours that write what was compiled; they may name no file
            why = error.strerror or str(error)
            said = f"cannot keep compiled code in {visible(str(folder))}: {why}"
            raise RunFailed(f"{said}; STEELYARD_CACHE_DIR names another folder") from None
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _compile(place: Path, function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> Any:
    """Compile a function, or load it where `place` holds it.

    numba reads the cache folder when it decorates, and resets it whenever a NUMBA_ variable changed
    since, so it is set around each compile and put back afterwards.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(place)
    try:
        compiled = numba.njit(signature, nogil=True, cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    if compiled.stats.cache_misses:
        kept.seal(place)
    return compiled


def is_compiled(folder: Path, prefix: str) -> bool:
    """Tell whether `folder` holds code compiled from a file or module whose name begins with `prefix`."""
    places = list(folder.glob(f"{prefix}*"))
    return bool(places) and all(kept.is_whole(place) for place in places)
