"""Rule values as text: read from a rules file or from `--set`, and shown to a person.

Nothing here knows what a parameter is; `sim.rules` decides which values a parameter takes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from sim.errors import BadInput, printable, shortened
from sim.files import read_bytes

Value: TypeAlias = bool | int | str | tuple[int, ...] | tuple[str, ...]
"""A rule's value: a switch that is on or off, a number, a word, a list of numbers or a list of words."""

LARGEST_FILE = 1_000_000
"""Bytes. A full rules file has about ten thousand; nothing near this size is one."""

LONGEST_LINE = 2000
"""Characters. A list of values needs some hundred; a dotted key of a million keeps tomllib busy for many minutes."""

_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_LINE = re.compile(r"\(at line ([0-9]+)")
_END_OF_FILE = "(at end of document)"


def read_rules_file(file: str | Path) -> dict[str, object]:
    """Return the keys and values of a TOML file, in the file's order and as TOML gave them.

    Raises `BadInput`, in one line that names the file (and the line, where there is one), for a file that
    `read_text` refuses or that is not TOML.
    """
    shown = printable(str(file))
    text = read_text(file, "rules file")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{shown}: not TOML: {_syntax_text(str(error), text)}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, lists in lists without end
        raise BadInput(f"{shown}: not a rules file: a number too long or lists nested too deep") from None


def read_text(file: str | Path, kind: str) -> str:
    """Return a stranger's text file; `kind` is what an error calls it, such as "rules file".

    Raises `BadInput`, in one line that names the file (and the line, where there is one), for a file that
    cannot be read, is no ordinary file, is larger than `LARGEST_FILE`, has a line longer than `LONGEST_LINE`
    or is not UTF-8.
    """
    shown = printable(str(file))
    content = read_bytes(Path(file), kind, LARGEST_FILE)
    try:
        text = content.decode("utf-8-sig")  # some editors put a byte order mark in front
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{shown}: a {kind} must be UTF-8 text, and line {number} is not") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            raise BadInput(f"{shown}: line {number} is longer than {LONGEST_LINE} characters")
    return text


def _syntax_text(error: str, text: str) -> str:
    """Return what tomllib says is wrong, with the line's number and the line, which shows the key."""
    lines = text.rstrip().split("\n")
    said = error.replace(_END_OF_FILE, f"(at line {len(lines)}, the end of the file)")
    where = _LINE.search(said)
    number = min(int(where[1]), len(lines)) if where else len(lines)
    return f"{printable(said)}: {printable(lines[number - 1].strip(), 60)}"


def split_set(item: str) -> tuple[str, str]:
    """Return the key and the text of one `--set key=value`; raises `BadInput` where that form is not met."""
    key, equals, text = item.partition("=")
    key = key.strip()
    if not equals or not key:
        raise BadInput(f"--set {printable(item)}: write it as key=value")
    return key, text.strip()


def from_text(text: str, is_list: bool = False) -> object:
    """Return what the text of a `--set` says: true or false, a whole number, a list, or else the text itself.

    A comma or a pair of brackets makes a list; `is_list` makes one of a lone entry as well, so that
    `debt_penalty=3` is a list of one. What is none of these comes back as it is, for the check to refuse.
    """
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        return [_scalar(entry) for entry in inner.split(",")] if inner else []
    if "," in text or (is_list and text):
        return [_scalar(entry) for entry in text.split(",")]
    return _scalar(text)


def _scalar(text: str) -> bool | int | str:
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def toml_value(value: Value) -> str:
    """Return a value as TOML writes it: `true`, `15`, `"seat"`, `[1, 3, 5]`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return toml_string(value)
    return f"[{', '.join(toml_value(entry) for entry in value)}]"


def toml_string(text: str) -> str:
    """Return printable text as a TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def value_text(value: Value) -> str:
    """Return a value as a person and `--set` write it: `true`, `15`, `seat`, `1,3,5`, for no entries `[]`."""
    if isinstance(value, tuple):
        return ",".join(str(entry) for entry in value) or "[]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def found(value: object) -> str:
    """Return a short description of a value that was refused, such as `2.5`, `'ten'` or `a table`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):  # Python refuses to print more than some thousand digits
        return str(value) if abs(value) < 10**18 else "a number that large"
    if isinstance(value, float):
        return str(value)
    if isinstance(value, str):
        return repr(shortened(value))
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "an empty list" if not value else "a list"
    return "a date or time"  # the only kind left in TOML


def one_of(words: Sequence[str]) -> str:
    """Return words joined for a sentence: "a", "a or b", "a, b or c"."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
