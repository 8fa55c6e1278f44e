"""What a sweep varies, as the user writes it: each `--vary` text read into an axis of values.

An axis is one key with its values, or several keys that move together. Everything that can be said of a text
alone is said here, before a game is played; what values of different axes do to one another, `sim.design` finds.
Numbers are read exactly, as fractions: floating point would make 0.30000000000000004 of the third step of 0.1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from sim.errors import BadInput, printable, shortened, unknown
from sim.rules import Parameter, Rules, value_text
from sim.rules_text import Value, from_text

if TYPE_CHECKING:  # it brings numba along, which reading texts has no use for
    from sim.policy import Param

Setting: TypeAlias = Value | float
"""What a varied key is set to: a rule's value, or a real number for a policy's parameter."""

ParamOf: TypeAlias = Callable[[str, str], "Param"]
"""Gives a policy's parameter by both names, its default being what the base plays; raises `BadInput`."""

MOST = 10_000
"""Values of an axis, and cells of a design: more than anyone could read or wait for."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
# Neither so many digits nor so large that sums, widths and logarithms of such numbers leave a double's range.
_REAL = re.compile(r"[+-]?(?=\.?[0-9])[0-9]{0,18}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,2})?")
# What stands before a comma that is outside brackets: `5,[1,3,5],` are two values.
_BEFORE_COMMA = re.compile(r"((?:\[[^\[\]]*\]|[^,])*),")


@dataclass(frozen=True)
class Varied:
    """A key that is varied: a rule, or a policy's parameter as "policy.param".

    `base` is its value before anything is varied. With `is_shift` numbers are added to the base; to a list,
    entry by entry, only when the cell is made: by then the list has been fitted to the other values.
    """

    key: str
    of: Parameter | Param
    base: Setting
    is_shift: bool = False

    @property
    def kind(self) -> str:
        """What values it takes: a parameter's kind, or "real"."""
        return self.of.kind if isinstance(self.of, Parameter) else "real"

    @property
    def is_list_shift(self) -> bool:
        """Whether its values are yet to be added to the entries of a list."""
        return self.is_shift and self.kind == "ints"

    @property
    def takes_numbers(self) -> bool:
        """Whether its values are single numbers, so that a range makes sense."""
        return self.kind in ("int", "real") or self.is_list_shift

    def allowed_text(self) -> str:
        """Return what it takes, such as "a whole number from 3 to 4"."""
        if isinstance(self.of, Parameter):
            return self.of.allowed_text()
        return f"a number from {self.of.low:g} to {self.of.high:g}"

    def number(self, text: str, where: str) -> Fraction:
        """Return the number that a text says, plus the base if it shifts; raises `BadInput` where it says none."""
        is_real = self.kind == "real"
        if not (_REAL if is_real else _WHOLE).fullmatch(text):
            what = "number" if is_real else "whole number"
            self.refuse(f"{shortened(text)!r} is not a {what}", where)
        is_added_now = self.is_shift and not self.is_list_shift
        return Fraction(text) + (Fraction(str(self.base)) if is_added_now else 0)

    def take(self, number: Fraction, where: str) -> Setting:
        """Return a number as the key's value, checked; what a list is shifted by is checked with the list."""
        if self.is_list_shift:
            return int(number)
        if isinstance(self.of, Parameter):
            return self.of.check(int(number), f"{where}: {self.key}")
        value = float(number)
        if not self.of.low <= value <= self.of.high:
            raise BadInput(f"{where}: {self.key} must be {self.allowed_text()}, not {value:g}")
        return value

    def read(self, text: str, where: str) -> Setting:
        """Return the value that a text says, checked."""
        if not text:
            self.refuse("a value is empty", where)
        if self.is_shift or not isinstance(self.of, Parameter):
            return self.take(self.number(text, where), where)
        return self.of.check(from_text(text, is_list=self.kind == "ints"), f"{where}: {self.key}")

    def refuse(self, why: str, where: str) -> NoReturn:
        """Raise `BadInput` that says what is wrong and what the key takes."""
        raise BadInput(f"{where}: {why}; {self.key} must be {self.allowed_text()}")


@dataclass(frozen=True)
class Axis:
    """What one `--vary` says: keys that move together and the values they take, one tuple a step.

    `where` begins error lines. A range may be sampled; an open one, without a step, can be nothing else, and
    one of real numbers has its two ends in `span` and no values.
    """

    where: str
    varied: tuple[Varied, ...]
    values: tuple[tuple[Setting, ...], ...]
    span: tuple[float, float] | None = None
    is_range: bool = False
    is_open: bool = False

    def told(self) -> tuple[str, tuple[str, ...]]:
        """Return the axis as `--vary` takes it, the same however it was written: its keys, and each value's text."""
        shift = "+" if self.varied[0].is_list_shift else ""
        keys = ",".join(each.key for each in self.varied) + shift
        if self.is_open:
            low, high = self.span or (self.values[0][0], self.values[-1][0])
            return keys, (f"{_text(low)}:{_text(high)}",)
        together = (tuple(map(_text, values)) for values in self.values)
        if len(self.varied) == 1:
            return keys, tuple(text for (text,) in together)
        lists = [each.kind in ("ints", "words") for each in self.varied]
        return keys, tuple(
            ",".join(f"[{text}]" if is_list else text for text, is_list in zip(texts, lists, strict=True))
            for texts in together
        )

    def at(self, share: float) -> tuple[Setting, ...]:
        """Return the values at a share (0..1) of the range, of which every listed value has an equal part.

        Real numbers get the digits that tell a millionth of the range apart: a person will read them.
        """
        if self.span is None:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        low, high = self.span
        digits = 6 - math.floor(math.log10(high - low))
        return (min(max(round(low + share * (high - low), digits), low), high),)


def read_axes(base: Rules, varies: Sequence[str], param_of: ParamOf) -> tuple[Axis, ...]:
    """Return an axis for each `--vary` text, in their order.

    Raises `BadInput`, in one line that names `--vary` and its text, the key and what is allowed, for an unknown
    key, one that is varied twice, or a value or range that cannot be.
    """
    axes = tuple(_read_axis(base, text, param_of) for text in varies)
    seen = set()
    for axis in axes:
        for varied in axis.varied:
            if varied.key in seen:
                raise BadInput(f"{axis.where}: {varied.key} is varied twice; vary each key once")
            seen.add(varied.key)
    return axes


def settings_text(chosen: Iterable[tuple[Varied, Setting]]) -> str:
    """Return keys with their values, such as "rows=3, columns=5"; what a list is shifted by as "hire_cost+=1"."""
    return ", ".join(
        f"{each.key}{'+' if each.is_list_shift else ''}={value if isinstance(value, float) else value_text(value)}"
        for each, value in chosen
    )


def _text(value: Setting) -> str:
    """Return a value as a person writes it: a real number with as few digits as say it exactly."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return value_text(value)


def _read_axis(base: Rules, text: str, param_of: ParamOf) -> Axis:
    """Read one text: keys, how they are given, values."""
    where = f"--vary {printable(text, 100)}"
    keys, equals, said = (part.strip() for part in text.partition("="))
    is_shift = keys.endswith("+")
    names = [name.strip() for name in keys.removesuffix("+").split(",")]
    if not equals or not all(names):
        raise BadInput(f"{where}: write it as key=a,b,c, key=lo:hi:step, key+=a,b,c or key,key=a,b / c,d")
    varied = tuple(_varied(base, name, is_shift, param_of, where) for name in names)
    if is_shift:
        _check_shift(varied, where)
    if len(varied) > 1:
        values = [_read_together(varied, part, where) for part in said.split("/")]
    elif ":" in said:
        return _read_range(varied[0], said, where)
    else:
        values = [(varied[0].read(part.strip(), where),) for part in _parts(varied[0], said)]
    return Axis(where, varied, _checked(varied, values, where))


def _varied(base: Rules, key: str, is_shift: bool, param_of: ParamOf, where: str) -> Varied:
    """Return what a key stands for; a dot tells a policy's parameter from a rule."""
    policy, dot, name = key.rpartition(".")
    if dot:
        try:
            param = param_of(policy, name)
        except BadInput as error:
            raise BadInput(f"{where}: {printable(key, 60)}: {error}") from None
        return Varied(key, param, float(param.default), is_shift)
    if key not in base.parameters:
        raise BadInput(f"{where}: {unknown('parameter', shortened(key), base.parameters)}")
    return Varied(key, base.parameters[key], base.values[key], is_shift)


def _check_shift(varied: Sequence[Varied], where: str) -> None:
    """Refuse to shift what is no number, or several keys in one text."""
    if len(varied) > 1:
        raise BadInput(f"{where}: {varied[0].key} and {varied[1].key}: += shifts one key; give each its own --vary")
    if not varied[0].takes_numbers:
        varied[0].refuse("+= shifts numbers and lists of numbers", where)


def _parts(varied: Varied, said: str) -> list[str]:
    """Split a text into values: at bars, or at the commas of single values."""
    is_whole_list = varied.kind in ("ints", "words") and not varied.is_shift
    return said.split("|" if is_whole_list or "|" in said else ",")


def _read_together(varied: Sequence[Varied], said: str, where: str) -> tuple[Setting, ...]:
    """Read one value for each of the keys that move together."""
    parts = [part.strip() for part in _BEFORE_COMMA.findall(f"{said},")]
    if len(parts) != len(varied):
        keys = ",".join(each.key for each in varied)
        raise BadInput(
            f"{where}: {shortened(said.strip())!r} gives {len(parts)} for the {len(varied)} keys {keys}; "
            "write one value for each, with / between steps and a list in brackets"
        )
    return tuple(each.read(part, where) for each, part in zip(varied, parts, strict=True))


def _read_range(varied: Varied, said: str, where: str) -> Axis:
    """Read `lo:hi:step`, both ends included where the step meets them, or `lo:hi`, a range to sample."""
    if not varied.takes_numbers:
        varied.refuse("a range needs a key that takes single numbers", where)
    parts = [part.strip() for part in said.split(":")]
    if len(parts) > 3:
        varied.refuse("write a range as lo:hi:step, or lo:hi to sample it", where)
    low, high = (varied.number(part, where) for part in parts[:2])
    is_open = len(parts) == 2
    if float(low) >= float(high) if is_open else low > high:
        varied.refuse(f"a range goes up from its low end, not from {parts[0]} to {parts[1]}", where)
    if varied.kind == "real" and is_open:
        for end in (low, high):
            varied.take(end, where)
        return Axis(where, (varied,), (), (float(low), float(high)), is_range=True, is_open=True)
    step = Fraction(1) if is_open else _read_step(varied, parts[2], where)
    count = int((high - low) // step) + 1
    if count > MOST:
        varied.refuse(f"the range has more than {MOST} values", where)
    values = [(varied.take(low + k * step, where),) for k in range(count)]
    return Axis(where, (varied,), _checked((varied,), values, where), is_range=True, is_open=is_open)


def _read_step(varied: Varied, said: str, where: str) -> Fraction:
    """Read a step, a number above 0; nothing is added to it when the range is a shift."""
    step = replace(varied, is_shift=False).number(said, where)
    if step <= 0:
        varied.refuse(f"a step must be above 0, not {said}", where)
    return step


def _checked(
    varied: Sequence[Varied], values: Sequence[tuple[Setting, ...]], where: str
) -> tuple[tuple[Setting, ...], ...]:
    """Return the values of an axis, once there are not too many and none is there twice."""
    if len(values) > MOST:
        raise BadInput(f"{where}: {varied[0].key} has {len(values)} values, and at most {MOST} can be varied")
    seen = set()
    for value in values:
        if value in seen:
            twice = shortened(settings_text(zip(varied, value, strict=True)))
            raise BadInput(f"{where}: {twice} is listed twice; list each value once")
        seen.add(value)
    return tuple(values)
