"""Compiled code on disk: found again wherever the sources lie, and never loaded once it is damaged.

numba keeps an index and the code of a function as pickles, and takes what it finds there for its own: a flipped bit
is a traceback or the end of the process. So each compiled function has a folder, with a file's SHA-256 beside every
file. It is made under another name and renamed when it is whole; one that is not whole is removed and made again.
This guards against damage, not against forgery.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import shutil
import tempfile
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sim.files import write_whole

_HASH = ".sha256"


def from_copy(folder: Path, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as if it came from a copy of its file in `folder`, where it is the same from any place.

    What numba keeps is tied to the path of the function's file.
    """
    source = Path(inspect.getfile(function))
    text = source.read_bytes()
    copy = folder / f"source-{hashlib.sha256(text).hexdigest()[:16]}" / source.name
    put(copy, text)
    assert isinstance(function, types.FunctionType)
    code = function.__code__.replace(co_filename=str(copy))
    moved = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    functools.update_wrapper(moved, function)
    del moved.__wrapped__  # type: ignore[attr-defined]  # it leads back to the file
    return moved


def place_of(folder: Path, function: Callable[..., Any], signature: Any, options: Mapping[str, Any]) -> Path:
    """Return the folder of a function as it is compiled for one signature with these options."""
    source = Path(inspect.getfile(function))
    told = "\0".join([source.parent.name, str(signature), *(f"{key}={options[key]!r}" for key in sorted(options))])
    name = f"{source.stem}.{function.__qualname__.replace('<', '').replace('>', '')}"
    return folder / f"{name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}"


def put(path: Path, data: bytes) -> None:
    """Have a file with these bytes at a path, whatever is there; raise BadInput when it cannot be written."""
    if not _is_plain(path) or path.read_bytes() != data:
        if not _is_plain(path):
            remove(path)
        if path.parent.exists() and not path.parent.is_dir():
            remove(path.parent)
        write_whole(path, data)


def is_whole(place: Path) -> bool:
    """Tell whether a place holds compiled code and every file of it is as it was made."""
    try:
        files = _files(place)
        return bool(files) and all(hash_file.read_bytes() == _hash(path) for path, hash_file in files.items())
    except OSError:
        return False


def seal(place: Path) -> None:
    """Put its hash beside each file of a place."""
    for path in [path for path in place.rglob("*") if path.is_file() and path.suffix != _HASH]:
        path.with_name(path.name + _HASH).write_bytes(_hash(path))


def new_place(folder: Path) -> Path:
    """Make a folder to compile into, next to where it will be."""
    return Path(tempfile.mkdtemp(prefix=".new-", dir=folder))


def publish(new: Path, place: Path) -> bool:
    """Seal what was compiled and give it its name, in one step; tell whether what is there now is whole.

    Another process may have been faster: its code is as good.
    """
    seal(new)
    with contextlib.suppress(OSError):
        new.rename(place)
    return is_whole(place)


def remove(path: Path) -> None:
    """Remove a file, a link or a folder with all that it holds, in one step, if it is there and may be removed."""
    if not os.path.lexists(path):
        return
    with contextlib.suppress(OSError):
        if path.is_symlink() or not path.is_dir():
            path.unlink()
            return
        aside = Path(tempfile.mkdtemp(prefix=".old-", dir=path.parent))
        with contextlib.suppress(OSError):
            path.rename(aside / path.name)
        shutil.rmtree(aside, ignore_errors=True)


def _files(place: Path) -> dict[Path, Path]:
    """Return a place's files, each with that of its hash; raise OSError for anything that does not belong there."""
    if place.is_symlink():
        raise OSError(f"{place}: a link")
    found, hashes = {}, set()
    for path in place.rglob("*"):
        if path.is_dir() and not path.is_symlink() and path.parent == place:
            continue  # the only folder is numba's own, see `from_copy`
        if not _is_plain(path):
            raise OSError(f"{path}: no file")
        if path.suffix == _HASH:
            hashes.add(path)
        else:
            found[path] = path.with_name(path.name + _HASH)
    if hashes != set(found.values()):
        raise OSError(f"{place}: a file without its hash, or a hash without its file")
    return found


def _is_plain(path: Path) -> bool:
    """Tell whether there is an ordinary file at a path, no link to one."""
    return path.is_file() and not path.is_symlink()


def _hash(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).hexdigest().encode()
