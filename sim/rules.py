"""The rules of a variant: parameters with provenance and range, a user's changes, TOML in and out.

A game keeps its defaults in `sim/<game>/rules.toml`, one table a parameter, and in `sim/<game>/rules.py` a
function `resolve(values, given)` for what hangs together: it gets every value, each checked on its own, and
the keys that the user gave, and returns the values to play by or raises `BadInput` in one line that names
the keys. A folder with both is a game; nothing else has to be told of it.

Where the rule text can be read in more than one way, the reading is a parameter of provenance "reading", or,
where only one is played, a line of the file's `[[readings]]`: both stand among what a result rests on.

A value that the engine cannot hold is an error; one that is merely outside its plausible range is a note.
"""

from __future__ import annotations

import functools
import importlib
import json
import textwrap
import tomllib
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeGuard

import msgspec

from sim.errors import BadInput, nearest, printable, shortened, unknown
from sim.rules_text import (
    Value,
    found,
    from_text,
    one_of,
    read_rules_file,
    split_set,
    toml_string,
    toml_value,
    value_text,
)

__all__ = [
    "Parameter",
    "Reading",
    "Rules",
    "Value",
    "games",
    "load",
    "restore",
    "to_toml",
    "value_text",
    "with_values",
]

Kind: TypeAlias = Literal["int", "bool", "ints", "word", "words"]
"""A number, an on/off switch, a list of numbers, a switch, or a switch that takes a list of words as well."""

Provenance: TypeAlias = Literal["rulebook", "assumed", "reading"]
"""A source states it; no source does and it is a stand-in; the source can be read in more than one way."""

Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
Resolve: TypeAlias = Callable[[dict[str, Value], set[str]], dict[str, Value]]

LONGEST_NAME = 80
"""Characters in a variant's name: it stands in every table and chart."""


class Parameter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One number or switch of a game, as its table in `rules.toml` says.

    `holds` is what the engine can hold, entry by entry for a list, and `length` how long that list may be.
    `plausible` is a range when it has two entries and a list of sensible values when it has more; those of
    the parameters in `plausible_with` belong together, position by position. `plausible_shift` says how far
    the whole default list may be shifted. `only_with` names the switch without which this has no effect.
    """

    key: Text
    value: bool | int | str | tuple[int, ...]
    provenance: Provenance
    unit: Text
    meaning: Text
    plausible: Annotated[tuple[int, ...], msgspec.Meta(min_length=2)] | None = None
    plausible_with: tuple[str, ...] = ()
    plausible_shift: tuple[int, int] | None = None
    holds: tuple[int, int] | None = None
    length: tuple[int, int] | None = None
    options: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    only_with: str = ""

    def __post_init__(self) -> None:
        if self.kind in ("int", "ints") and self.holds is None:
            raise ValueError("a number needs `holds`")
        if self.kind in ("word", "words") and not self.options:
            raise ValueError("a word needs `options`")
        if not (self.meaning.isprintable() and self.unit.isprintable()):
            raise ValueError("`unit` and `meaning` are one line each")

    @property
    def kind(self) -> Kind:
        """What values it takes, as its default shows."""
        if isinstance(self.value, bool):
            return "bool"
        if isinstance(self.value, int):
            return "int"
        if isinstance(self.value, str):
            return "words" if self.entries else "word"
        return "ints"

    def allowed_text(self) -> str:
        """Return what the engine takes, such as "a whole number from 3 to 4"."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "word":
            return one_of(self.options)
        if self.kind == "words":
            return f"{one_of(self.options)}, or a list by seat of {one_of(self.entries)}"
        low, high = self._limits()
        if self.kind == "int":
            return f"a whole number from {low} to {high}"
        return f"a list of {self._length_text()}whole numbers from {low} to {high}"

    def plausible_text(self) -> str:
        """Return the range that makes sense, such as "5 to 15"; "" where the source leaves no doubt."""
        if self.plausible_shift:
            low, high = self.plausible_shift
            return f"the default list shifted by {low:+d} to {high:+d}"
        if not self.plausible:
            return ""
        if len(self.plausible) == 2:
            return f"{self.plausible[0]} to {self.plausible[1]}"
        return one_of([str(value) for value in sorted(set(self.plausible))])

    def check(self, given: object, where: str) -> Value:
        """Return a value as TOML or `--set` gave it, once it is of the kind and size the engine can hold.

        Lists come back as tuples. Raises `BadInput` saying what is allowed and what was found; `where`
        begins its line, the file or option and the key.
        """
        if self.kind == "bool" and isinstance(given, bool):
            return given
        if self.kind == "int" and self._can_hold(given):
            return given
        if self.kind in ("word", "words") and isinstance(given, str) and given in self.options:
            return given
        if isinstance(given, list | tuple) and self.kind == "ints":
            return self._check_numbers(given, where)
        if isinstance(given, list | tuple) and self.kind == "words":
            return self._check_words(given, where)
        raise self._refusal(given, where)

    def is_plausible(self, value: Value) -> bool:
        """Return whether a value lies in the plausible range; True where there is none."""
        entries = value if isinstance(value, tuple) else (value,)
        numbers = [entry for entry in entries if isinstance(entry, int)]
        if self.plausible_shift and isinstance(self.value, tuple):
            low, high = self.plausible_shift
            # By rank: a list says which chips there are, not in which order they lie.
            listed = sorted(self.value[i % len(self.value)] for i in range(len(numbers)))
            return all(low <= mine - other <= high for mine, other in zip(sorted(numbers), listed, strict=True))
        if not self.plausible:
            return True
        if len(self.plausible) == 2:
            return all(self.plausible[0] <= number <= self.plausible[1] for number in numbers)
        return all(number in self.plausible for number in numbers)

    def _check_numbers(self, given: Sequence[object], where: str) -> tuple[int, ...]:
        shortest, longest = self.length or (0, len(given))
        if not shortest <= len(given) <= longest:
            raise BadInput(f"{where} must be {self.allowed_text()}, not a list of {len(given)}")
        numbers = []
        for place, entry in enumerate(given, start=1):
            if not self._can_hold(entry):
                raise self._refusal(entry, where, f"entry {place} is ")
            numbers.append(entry)
        return tuple(numbers)

    def _check_words(self, given: Sequence[object], where: str) -> tuple[str, ...]:
        words = []
        for place, entry in enumerate(given, start=1):
            if not isinstance(entry, str) or entry not in self.entries:
                raise self._refusal(entry, where, f"entry {place} is ")
            words.append(entry)
        return tuple(words)

    def _refusal(self, given: object, where: str, found_as: str = "not ") -> BadInput:
        words = [*self.options, *self.entries]
        is_misspelt = isinstance(given, str) and given not in words
        hint = nearest(shortened(str(given)), words) if is_misspelt else ""
        return BadInput(f"{where} must be {self.allowed_text()}, {found_as}{found(given)}{hint}")

    def _can_hold(self, given: object) -> TypeGuard[int]:
        low, high = self._limits()
        return isinstance(given, int) and not isinstance(given, bool) and low <= given <= high

    def _limits(self) -> tuple[int, int]:
        return self.holds or (0, 0)  # a number always has `holds`: __post_init__

    def _length_text(self) -> str:
        if self.length is None:
            return ""
        shortest, longest = self.length
        return f"{shortest} " if shortest == longest else f"{shortest} to {longest} "


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way in which an open rule is played that is no parameter, as an entry of `[[readings]]` says it.

    `text` is one sentence; `only_with` names the switch without which it has no effect.
    """

    text: Text
    only_with: str = ""

    def __post_init__(self) -> None:
        if not self.text.isprintable() or not self.text.endswith("."):
            raise ValueError("`text` is a sentence of one line")


@dataclass(frozen=True)
class Rules:
    """The rules of one variant of a game.

    `values` are what is played, every key resolved; lists are tuples. `changed` are the keys whose value
    differs from the default, those that follow from another change included; `given` are those that the user
    set, even to the default. `name` is shown in every output. `lines` are the readings that are no parameter.
    """

    game: str
    version: int
    parameters: Mapping[str, Parameter]
    values: dict[str, Value]
    changed: frozenset[str]
    name: str
    given: frozenset[str] = field(default=frozenset(), compare=False)
    lines: tuple[Reading, ...] = field(default=(), compare=False)

    def provenance(self, key: str) -> Provenance | Literal["changed"]:
        """Return where a key's value comes from: a source, a stand-in, a reading of the source, or the user."""
        return "changed" if key in self.changed else self.parameters[key].provenance

    def assumptions(self) -> list[str]:
        """Return the keys in play whose value no source states or leaves no doubt about, in the game's order.

        A stand-in or a reading that the user replaced is among them: no source states the new value either. A number
        without effect, such as a skill's while the skills are off, is not: no result rests on it.
        """
        return [
            key
            for key, parameter in self.parameters.items()
            if parameter.provenance != "rulebook" and self.is_in_play(key)
        ]

    def readings(self) -> list[str]:
        """Return the readings in play that are no parameter, a sentence each, in the game's order."""
        return [line.text for line in self.lines if not line.only_with or self.values[line.only_with] is True]

    def is_in_play(self, key: str) -> bool:
        """Return whether a key has an effect, which some have only with a switch that is on."""
        needed = self.parameters[key].only_with
        return not needed or self.values[needed] is True

    def notes(self) -> list[str]:
        """Return a line for each value outside its plausible range and each change without effect."""
        return [note for key in self.parameters if (note := self._note(key))]

    def identity(self) -> str:
        """Return game, version and values, not the name, as canonical JSON: equal text, equal play."""
        parts = {"game": self.game, "version": self.version, "values": self.values}
        return json.dumps(parts, sort_keys=True, separators=(",", ":"))

    def diff(self, other: Rules) -> dict[str, tuple[Value, Value]]:
        """Return `{key: (mine, theirs)}` for the values that differ; raises `BadInput` for another game's."""
        if self.game != other.game:
            raise BadInput(f"rules of {self.game} and of {other.game} cannot be compared")
        return {key: (mine, other.values[key]) for key, mine in self.values.items() if mine != other.values[key]}

    def _note(self, key: str) -> str:
        parameter, value = self.parameters[key], self.values[key]
        said = f"{key} = {shortened(value_text(value))}"
        if not self.is_in_play(key):
            return f"{said} has no effect while {parameter.only_with} = false" if key in self.changed else ""
        if parameter.is_plausible(value):
            return ""
        return f"{said} is outside its plausible range: {parameter.plausible_text()}"


def games() -> tuple[str, ...]:
    """Return the names of the games: the folders here that hold a `rules.toml`."""
    return tuple(sorted(file.parent.name for file in Path(__file__).parent.glob("*/rules.toml")))


def load(game: str, file: str | Path | None = None, sets: Sequence[str] = (), name: str | None = None) -> Rules:
    """Return a game's rules: the defaults, changed by a rules file, changed by `key=value` texts.

    The file is flat TOML and may be partial; beside parameters it may hold `name`, `game` and
    `rules_version`. The variant is called `name`, else what the file calls it, else by what changed.
    Raises `BadInput`, in one line that names the file or `--set`, the key and what is allowed.
    """
    version, parameters, _ = _defaults(game)
    from_file, file_name = _read_file(game, version, parameters, file) if file is not None else ({}, None)
    from_sets = _read_sets(parameters, sets)
    givers = ([printable(str(file))] if file is not None else []) + (["--set"] if sets else [])
    rules = _resolved(game, from_file | from_sets, " with ".join(givers) or game)
    if name is not None:
        title = _checked_name(name, "--name")
    elif file_name is not None:
        title = _title(rules, [key for key in from_sets if from_sets[key] != from_file.get(key)], file_name)
    else:
        title = _title(rules, rules.changed)
    return replace(rules, name=title)


def with_values(rules: Rules, values: Mapping[str, object], where: str) -> Rules:
    """Return the rules with some values changed, as if they had been given along with those that were.

    Lists that nobody gave are fitted anew. A name that only says what changed says what has changed now; one
    that was given is followed by the changes. Raises `BadInput` for a value that the engine cannot hold and
    for values that do not go together; `where` begins its line.
    """
    for key in values:
        if key not in rules.parameters:
            raise BadInput(f"{where}: {unknown('parameter', shortened(key), rules.parameters)}")
    new = {key: rules.parameters[key].check(value, f"{where}: {key}") for key, value in values.items()}
    found = _resolved(rules.game, {key: rules.values[key] for key in rules.given} | new, where)
    if _is_named_by_changes(rules):
        return replace(found, name=_title(found, found.changed))
    return replace(found, name=_title(found, [key for key in new if new[key] != rules.values[key]], rules.name))


def restore(game: str, stored: Mapping[str, object], name: str) -> Rules:
    """Return the rules that a run directory holds: every value, checked like a user's.

    Raises `BadInput` for an unknown game or key, a missing one, or a value that cannot be.
    """
    if game not in games():
        raise unknown("game", game, games())
    _, parameters, _ = _defaults(game)
    for key in stored:
        if key not in parameters:
            raise unknown("parameter", key, parameters)
    if missing := [key for key in parameters if key not in stored]:
        raise BadInput(f"no value for {missing[0]}")
    values = {key: parameter.check(stored[key], key) for key, parameter in parameters.items()}
    return replace(_resolved(game, values, game), name=_checked_name(name, "name"))


def to_toml(rules: Rules) -> str:
    """Return a rules file to edit: every parameter, with meaning, unit, provenance and ranges as comments.

    `load` of it gives equal rules. A name that only says what changed is left as a comment, because it
    would no longer be true after an edit.
    """
    named = "# " if _is_named_by_changes(rules) else ""
    head = [
        f"# Rules of {rules.game}. Edit a value; a parameter that is left out has its default.",
        f"game = {toml_string(rules.game)}",
        f"rules_version = {rules.version}",
        f"{named}name = {toml_string(rules.name)}",
    ]
    blocks = ["\n".join(head), *(_toml_block(rules, key) for key in rules.parameters)]
    if readings := rules.readings():
        blocks.append("\n".join(_comment("Read so, without a parameter:", *readings)))
    return "\n\n".join(blocks) + "\n"


def _toml_block(rules: Rules, key: str) -> str:
    parameter = rules.parameters[key]
    facts = [f"unit: {parameter.unit}", parameter.provenance]
    if key in rules.changed:
        facts[1] = f"changed from {value_text(parameter.value)} ({parameter.provenance})"
    if parameter.plausible_text():
        facts.append(f"plausible: {parameter.plausible_text()}")
    if parameter.plausible_with:
        facts.append(f"in step with {', '.join(parameter.plausible_with)}")
    facts.append(f"allowed: {parameter.allowed_text()}")
    if parameter.only_with:
        facts.append(f"only with {parameter.only_with} = true")
    return "\n".join([*_comment(parameter.meaning, "; ".join(facts)), f"{key} = {toml_value(rules.values[key])}"])


def _comment(*texts: str) -> list[str]:
    """Return the lines of a comment, each text beginning one."""
    return [
        line for text in texts for line in textwrap.wrap(text, 106, initial_indent="# ", subsequent_indent="#   ")
    ]


@functools.cache
def _read_defaults(game: str) -> tuple[int, dict[str, Parameter], tuple[Reading, ...]]:
    """Return the version, the parameters and the readings of a `rules.toml`, each default checked like a user's."""
    file = Path(__file__).parent / game / "rules.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    parameters: dict[str, Parameter] = {}
    key = "rules_version"
    try:
        version = msgspec.convert(tables.pop("rules_version", None), int)
        if tables.pop("game", None) != game:
            raise BadInput(f"{file}: game must be {game!r}")
        key = "readings"
        readings = tuple(msgspec.convert(tables.pop(key, []), list[Reading]))
        for key, table in tables.items():
            fields = msgspec.convert(table, dict[str, object])
            parameters[key] = msgspec.convert({"key": key, **fields}, Parameter)
            parameters[key].check(parameters[key].value, f"{file}: {key}")
    except msgspec.ValidationError as error:
        raise BadInput(f"{file}: {key}: {error}") from None
    for reading in readings:
        if reading.only_with and reading.only_with not in parameters:
            raise BadInput(f"{file}: readings: {unknown('parameter', reading.only_with, parameters)}")
    return version, parameters, readings


def _defaults(game: str) -> tuple[int, dict[str, Parameter], tuple[Reading, ...]]:
    if game not in games():  # before the name becomes part of a path or an import
        raise unknown("game", shortened(game), games())
    return _read_defaults(game)


def _read_file(
    game: str, version: int, parameters: Mapping[str, Parameter], file: str | Path
) -> tuple[dict[str, Value], str | None]:
    """Return the values that a rules file gives, and its name for the variant if it has one."""
    shown = printable(str(file))
    content = read_rules_file(file)
    its_game = content.pop("game", game)
    if its_game != game:
        raise BadInput(f"{shown}: game must be {game!r} here, not {found(its_game)}")
    its_version = content.pop("rules_version", version)
    if not isinstance(its_version, int) or isinstance(its_version, bool) or its_version < 1:
        raise BadInput(f"{shown}: rules_version must be a whole number from 1, not {found(its_version)}")
    if its_version > version:
        raise BadInput(f"{shown}: rules_version {found(its_version)} is newer than {version}, the one played here")
    name = _checked_name(content.pop("name"), f"{shown}: name") if "name" in content else None
    values = {}
    for key, given in content.items():
        if key not in parameters:
            raise BadInput(f"{shown}: {unknown('parameter', shortened(key), parameters)}")
        values[key] = parameters[key].check(given, f"{shown}: {key}")
    return values, name


def _read_sets(parameters: Mapping[str, Parameter], sets: Sequence[str]) -> dict[str, Value]:
    """Return the values that `--set key=value` texts give."""
    values: dict[str, Value] = {}
    for item in sets:
        key, text = split_set(item)
        if key not in parameters:
            raise BadInput(f"--set: {unknown('parameter', shortened(key), parameters)}")
        if key in values:
            raise BadInput(f"--set: {key} is given twice; give each key once")
        given = from_text(text, is_list=parameters[key].kind == "ints")
        values[key] = parameters[key].check(given, f"--set: {key}")
    return values


def _resolved(game: str, given: Mapping[str, Value], where: str) -> Rules:
    """Return the rules, yet without a name, of the values that are given, each checked on its own.

    The game's own `resolve` has the last word; `where` leads its complaint, to say who gave the values.
    """
    version, parameters, lines = _defaults(game)
    defaults: dict[str, Value] = {key: parameter.value for key, parameter in parameters.items()}
    resolve: Resolve = importlib.import_module(f"sim.{game}.rules").resolve
    try:
        values = resolve(defaults | dict(given), set(given))
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    changed = frozenset(key for key in parameters if values[key] != defaults[key])
    return Rules(game, version, parameters, values, changed, "", frozenset(given), lines)


def _is_named_by_changes(rules: Rules) -> bool:
    """Tell whether nobody gave the variant a name, so that it only says what changed."""
    return rules.name == _title(rules, rules.changed)


def _checked_name(name: object, where: str) -> str:
    """Return a variant's name; it reaches terminals and tables, so it is one short printable line."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadInput(f"{where} must be 1 to {LONGEST_NAME} printable characters in one line")
    return name.strip()


def _title(rules: Rules, keys: Sequence[str] | frozenset[str], first: str = "") -> str:
    """Return a variant's name made of values: "base", "mining_king_bonus=10", or a start and a count.

    Where not all fits, a mark made from the values keeps the names of two variants apart.
    """
    parts = [first] if first else []
    parts += [f"{key}={value_text(rules.values[key])}" for key in rules.parameters if key in keys]
    whole = ", ".join(parts)
    if len(whole) <= LONGEST_NAME:
        return whole or "base"
    mark = f"[{zlib.crc32(rules.identity().encode()):08x}]"
    shown = [shortened(parts[0], 50)]
    while len(shown) < len(parts) and len(", ".join([*shown, parts[len(shown)]])) <= 50:
        shown.append(parts[len(shown)])
    more = len(parts) - len(shown)
    return f"{', '.join(shown)} and {more} more {mark}" if more else f"{shown[0]} {mark}"
