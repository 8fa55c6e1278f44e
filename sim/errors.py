"""The two ways a command can fail, and the words and checks they share.

`BadInput` is the user's to mend (exit code 2): a file, a key or an option says something that cannot be.
`RunFailed` is found while playing (exit code 1): a policy broke a rule, a checkpoint does not match.
Both carry one line of text, made for a person, and no traceback is shown for them.
"""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Iterable


class BadInput(ValueError):
    """Something the user gave cannot be used; the message names it and says what is allowed."""


class RunFailed(RuntimeError):
    """A run stopped for a reason that lies in what it ran."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return `word`'s nearest known name as " (did you mean 'name'?)", or "" when none is near."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def unknown(what: str, word: str, known: Iterable[str]) -> BadInput:
    """Return the error for a name that does not exist: what it should be one of, nearest first."""
    names = list(known)
    return BadInput(f"unknown {what} {word!r}{nearest(word, names)}; known: {', '.join(names)}")


def shortened(text: str, longest: int = 60) -> str:
    """Return the text, cut with an ellipsis where it is longer than `longest` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def visible(text: str) -> str:
    """Return text whose control characters are escaped, so that it moves no cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable(text: str, longest: int = 300) -> str:
    """Return text that a terminal shows in one line: escaped if it holds control characters, cut if long."""
    text = text if text and text.isprintable() else repr(text)
    return shortened(text, longest)


def bounded(text: str, longest_word: int = 500, longest: int = 3000) -> str:
    """Return a line for a terminal: a long word, such as a value of 100 kB, keeps its two ends, and so does all."""
    words = re.sub(rf"\S{{{longest_word + 1},}}", lambda found: _ends(found[0], longest_word), text)
    return _ends(words, longest)


def _ends(text: str, longest: int) -> str:
    """Return a text's two ends, two thirds and one of what may stand, where it is longer."""
    if len(text) <= longest:
        return text
    return f"{text[: longest * 2 // 3]} … {text[-longest // 3 :]}"


def whole(name: str, value: int, least: int) -> int:
    """Return `value` as a plain int (it may be any integer type), or raise BadInput that names it."""
    try:
        number = operator.index(value)
    except TypeError:
        raise BadInput(f"{name} must be a whole number, not {value!r}") from None
    if number < least:
        raise BadInput(f"{name} must be at least {least}, not {number}")
    return number
