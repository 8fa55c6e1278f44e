"""The only place that sets numba's options and chooses where compiled code is kept.

numba's disk cache looks neither at edits in other files nor at compile options: after a changed rule it
gives the old answer, and a bounds-checked build loads the unchecked one. So compiled code lives in a
folder named by a hash of everything that it depends on: the sources, the options, every NUMBA_
variable, and the versions of numba and Python. Old folders are pruned.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import platformdirs

from sim.errors import RunFailed

_KEPT_FOLDERS = 12
_UNUSED_DAYS = 14
_SIM = Path(__file__).parent
_COMPILING = threading.RLock()

#: Decorator of every jitted function of the engine: compiled on first use, into the kernel that calls it. Left to
#: itself LLVM calls the longer ones, which costs more than what they do: their arguments and results go by memory.
jit: Callable[[Any], Any] = numba.njit(nogil=True, error_model="numpy", forceinline=True)


def is_disabled() -> bool:
    """Tell whether NUMBA_DISABLE_JIT is set: everything then runs as plain Python."""
    return bool(numba.config.DISABLE_JIT)


@functools.cache
def source_hash(*more: str) -> str:
    """Return a hash of the simulator's sources and of the texts in `more` (hex, 16 digits)."""
    digest = hashlib.sha256()
    for path in sorted(_SIM.rglob("*.py")):
        digest.update(str(path.relative_to(_SIM)).encode() + b"\0" + path.read_bytes())
    for text in more:
        digest.update(b"\0" + text.encode())
    return digest.hexdigest()[:16]


@functools.cache
def cache_root() -> Path:
    """Return the folder for compiled code: STEELYARD_CACHE_DIR, the user's cache, or a temporary one."""
    chosen = os.environ.get("STEELYARD_CACHE_DIR") or platformdirs.user_cache_dir("steelyard")
    root = Path(chosen)
    if _can_write(root):
        return root
    print(f"note: cannot write to {root}; compiled code is not kept", file=sys.stderr)
    temporary = Path(tempfile.mkdtemp(prefix="steelyard-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


def _can_write(folder: Path) -> bool:
    """Tell whether a file can be made in `folder` (numba would silently write elsewhere)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.cache
def cache_folder(checked: bool, *more: str) -> Path:
    """Return the folder of code compiled from the simulator's sources, `more` sources and these options."""
    numba_variables = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    options = [str(checked), numba.__version__, sys.version, *numba_variables]
    name = hashlib.sha256((source_hash(*more) + "\0".join(options)).encode()).hexdigest()[:16]
    folder = cache_root() / name
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
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

    numba reads the cache folder when it decorates, and resets it whenever a NUMBA_ variable changed
    since, so it is set around each compile and put back afterwards.
    """
    with _COMPILING:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            return numba.njit(signature, nogil=True, cache=True, **options)(function)
        except OSError as error:  # numba writes what it compiled; its errors name no file
            why = error.strerror or str(error)
            raise RunFailed(
                f"cannot keep compiled code in {folder}: {why}; STEELYARD_CACHE_DIR names another folder"
            ) from None
        finally:
            numba.config.CACHE_DIR = before


def is_compiled(folder: Path, prefix: str) -> bool:
    """Tell whether `folder` holds code compiled from a file or module whose name begins with `prefix`."""
    return any(folder.rglob(f"{prefix}*.nbc"))
