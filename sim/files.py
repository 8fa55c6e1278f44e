"""Files written whole and read with care, whoever made them: bytes and JSON documents.

A JSON object ends with its own SHA-256, by which a damaged one is told. (Nothing keeps who forges one from making
the hash anew.)
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import stat
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sim.errors import BadInput, RunFailed, printable
from sim.folder import own

Form = TypeVar("Form")

#: A run's totals have a hundred thousand bytes or so.
_MOST_JSON = 64_000_000
#: The longest is a sweep's line-up of sixteen policies, each by its path and its parameters.
_LONGEST_TEXT = 10_000
_DEEPEST = 20
#: How the name of a file in writing ends.
_PART = ".part"
#: The line that ends a sealed document: the SHA-256 of the document without it.
_SEAL = ',\n "sha256": "{}"\n}}\n'
_SEALED = re.compile(_SEAL.replace("}}", "}").replace("{}", "([0-9a-f]{64})").encode())
_SEAL_BYTES = len(_SEAL.format(64 * "0"))
#: What a user cannot mend by another word on the command line.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name in its folder, then rename it.

    Raises BadInput when the file cannot be written, RunFailed when the disk is full or fails.

    Nobody ever reads half of it. Processes and threads that write the same file at once each have a temporary name
    of their own; the last one to finish is the one that stays. A link stays one, and so does a device or a pipe, into
    which the bytes go as they are.
    """
    temporary = None
    try:
        if _is_stream(path):
            with path.open("wb") as stream:
                stream.write(data)
            return
        target = path.resolve()
        temporary = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident():x}{_PART}")
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)  # a link of this name would lead elsewhere
        temporary.write_bytes(data)
        temporary.replace(target)
    except (OSError, RuntimeError) as error:  # the latter is a link to itself
        with contextlib.suppress(OSError):
            if temporary:
                temporary.unlink()
        why = getattr(error, "strerror", None) or "a link that leads nowhere"
        kind = RunFailed if isinstance(error, OSError) and error.errno in _NO_ROOM else BadInput
        raise kind(f"{printable(str(path))}: cannot write: {why}") from None


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write a sealed JSON document as `write_whole` does."""
    write_whole(path, sealed(data))


def sealed(data: Mapping[str, Any]) -> bytes:
    """Return an object that has entries as a JSON document whose last line is its SHA-256 without that line."""
    document = _document(data)
    return document[: -len("\n}\n")] + _SEAL.format(hashlib.sha256(document).hexdigest()).encode()


def digest(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) with which the document of this data is sealed."""
    return hashlib.sha256(_document(data)).hexdigest()


def _document(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, indent=1) + "\n").encode()


def _seal_of(document: bytes) -> str | None:
    """Return the SHA-256 that ends a document, None where there is none or the document is another."""
    found = _SEALED.fullmatch(document[-_SEAL_BYTES:])
    told = found[1].decode() if found else ""
    return told if hashlib.sha256(document[:-_SEAL_BYTES] + b"\n}\n").hexdigest() == told else None


def seal(path: Path) -> str:
    """Return the SHA-256 (hex) of a sealed document; raise BadInput naming the file when it is damaged."""
    if (found := _seal_of(read_bytes(path, "JSON file", _MOST_JSON))) is None:
        raise _damaged(path)
    return found


def _damaged(path: Path) -> BadInput:
    return BadInput(f"{path}: damaged: it is not the file that its SHA-256 was made of")


def is_temporary(path: Path) -> bool:
    """Tell whether a file is one that `write_whole` was ended in writing."""
    return path.name.startswith(".") and path.name.endswith(_PART)


def remove(path: Path) -> None:
    """Remove a file if there is one; raise BadInput when that fails."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot remove: {error.strerror}") from None


def _is_stream(path: Path) -> bool:
    """Tell whether a path leads to a device or a pipe, which is written into and not replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def check_writable(option: str, file: str | None) -> None:
    """Raise BadInput, naming the option, when a file could not be written: before hours of play, not after."""
    if file is None:
        return
    said = f"{option} {printable(file)}"
    try:
        path = Path(file)
        needed = [path]
        if not _is_stream(path):
            path = path.resolve()
            if path.is_dir():
                raise BadInput(f"{said}: is a folder; name a file")
            path.parent.mkdir(parents=True, exist_ok=True)
            # A new file takes the place of an old one, which takes leave to write both.
            needed = [path, path.parent] if path.exists() else [path.parent]
    except (OSError, RuntimeError) as error:
        raise BadInput(f"{said}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    if not all(os.access(each, os.W_OK) for each in needed):
        raise BadInput(f"{said}: cannot be written")


def check_folder(option: str, folder: str, names: Sequence[str] = ()) -> None:
    """Raise BadInput when a folder cannot be made or written to, or holds a page that is not ours.

    None of its page and of what else is written there, by `names`, may be a link, a pipe or a device.
    """
    path, said = Path(folder), f"{option} {printable(folder)}"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{said}: cannot make the folder: {error.strerror}") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise BadInput(f"{said}: cannot be written to")
    for name in (*names, "index.html"):
        own(path, name)
    page = path / "index.html"
    if page.is_file():
        with page.open("rb") as stream:
            if b"steelyard" not in stream.read(1_000_000):
                raise BadInput(f"{said}: holds an index.html that is no report; name another folder")


def read_bytes(path: Path, kind: str, most: int) -> bytes:
    """Return a file's bytes, of which there may be `most`; its kind and size are asked for before anything is read.

    Raises BadInput, in one line that names the file, for what cannot be read, is no ordinary file or is larger;
    `kind` is what that line calls it, such as "rules file".
    """
    shown = printable(str(path))
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BadInput(f"{shown}: is {_special(status.st_mode)}; a {kind} is needed")
        if status.st_size <= most:
            with path.open("rb") as stream:  # it may be growing, so the read is bounded as well
                data = stream.read(most + 1)
            if len(data) <= most:
                return data
    except OSError as error:
        raise BadInput(f"{shown}: cannot read the {kind}: {error.strerror or 'no access'}") from None
    except BadInput:
        raise
    except ValueError:
        raise BadInput(f"{shown}: not a file's name") from None
    raise BadInput(f"{shown}: too large for a {kind} (at most {most // 1_000_000} MB)")


def _special(mode: int) -> str:
    """Return what is no ordinary file in words."""
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a device"


def read_json(path: Path) -> Any:
    """Return a JSON file's data: the numbers finite, every text and key short and printable in one line.

    Raises BadInput naming the file, and the place in it. The seal is taken off; one that does not fit is an error,
    and none is none.
    """
    found, document = _decoded(path)
    _check_texts(found, path)
    if isinstance(found, dict) and found.pop("sha256", None) is not None and _seal_of(document) is None:
        raise _damaged(path)
    return found


def read_struct(path: Path, form: type[Form], is_sealed: bool = True) -> Form:
    """Return a JSON file's data as a struct of this form; raise BadInput naming the file and the field.

    The document must be sealed unless `is_sealed` is false.
    """
    data, document = _decoded(path)
    if isinstance(data, dict):
        data.pop("sha256", None)
    found = as_struct(data, form, path)
    if is_sealed and _seal_of(document) is None:
        raise _damaged(path)
    return found


def as_struct(data: Any, form: type[Form], path: Path) -> Form:
    """Return the struct that `read_struct` makes of a file with this data; raise BadInput as it does."""
    _check_texts(data, path)
    try:
        return msgspec.convert(data, form)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: {printable(str(error))}") from None


def _decoded(path: Path) -> tuple[Any, bytes]:
    """Return what a JSON file holds, whatever that is, and its bytes."""
    data = read_bytes(path, "JSON file", _MOST_JSON)
    try:
        return msgspec.json.decode(data), data
    except RecursionError:
        raise BadInput(f"{path}: not JSON: nested too deep") from None
    except msgspec.MsgspecError as error:
        raise BadInput(f"{path}: not JSON: {printable(str(error))}") from None


def _check_texts(data: Any, path: Path) -> None:
    """Refuse a text that a terminal would obey or that fills it, and lists in lists without end."""
    waiting = [("$", data, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        shown = printable(place)
        if isinstance(value, str) and not (value.isprintable() and len(value) <= _LONGEST_TEXT):
            raise BadInput(f"{path}: `{shown}` must be at most {_LONGEST_TEXT} printable characters in one line")
        if depth > _DEEPEST:
            raise BadInput(f"{path}: `{shown}` is nested too deep")
        if isinstance(value, dict):
            waiting += [(f"a key of {place}", key, depth) for key in value]
            waiting += [(f"{place}.{printable(key, 60)}", entry, depth + 1) for key, entry in value.items()]
        elif isinstance(value, list | tuple):
            nested = ((k, entry) for k, entry in enumerate(value) if isinstance(entry, str | dict | list | tuple))
            waiting += [(f"{place}[{number}]", entry, depth + 1) for number, entry in nested]
