"""Finding policies: by name in the package, by path anywhere, with parameters set as `name:key=value`."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from policies.source import MAX_BYTES, check_source
from sim.errors import BadInput, nearest, printable, unknown
from sim.files import read_bytes
from sim.game import Game
from sim.policy import Entry, Param, Policy, import_source

_FOLDER = Path(__file__).parent

#: The line-up that draws different policies for each game.
MIXED = "mixed"

#: So many commas may be in a policy file's path.
_MOST_COMMAS = 8


def names(game: Game) -> tuple[str, ...]:
    """Return the names of the package's policies for a game: its files, without those that begin with `_`."""
    return tuple(sorted(path.stem for path in (_FOLDER / game.name).glob("*.py") if path.stem[0] != "_"))


def load(game: Game, spec: str) -> Policy:
    """Return the policy that a command-line word names: a name or a path to a .py file, with `:key=value`s.

    Raises BadInput for an unknown name (with the nearest), an unreadable or wrong file, an unknown
    parameter or a value outside its bounds.
    """
    head, *settings = spec.split(":")
    if len(head) == 1 and settings and settings[0][:1] in ("\\", "/"):  # a Windows drive: C:\policy.py
        head, settings = f"{head}:{settings[0]}", settings[1:]
    is_file = head.endswith(".py") or "/" in head or "\\" in head
    if not is_file and head not in names(game):
        raise unknown(f"policy of {game.name}", head, names(game))
    path = Path(head) if is_file else _FOLDER / game.name / f"{head}.py"
    plain = load_file(game, path, is_trusted=not is_file)
    return _with_settings(plain, settings, game) if settings else plain


def pool(game: Game, specs: str, seats: int) -> tuple[Policy, ...]:
    """Return the policies that a list names: one a seat, one for all, or "mixed": all but random_legal.

    What follows "mixed" is added to it. Raises BadInput for a wrong one, for a wrong number, for different policies
    of one name, whose results would be counted together, and for one that mixed has already.
    """
    listed = split_specs(specs)
    if MIXED in listed[1:]:
        raise BadInput(f"--policies: {MIXED} stands first: {MIXED},./mine.py adds to the policies that it draws from")
    if is_drawn(specs):
        usual = tuple(load(game, name) for name in names(game) if name != "random_legal")
        found = (*usual, *(load(game, spec) for spec in listed[1:]))
    elif len(listed) in (1, seats):
        usual, found = (), tuple(load(game, spec) for spec in listed)
    else:
        raise BadInput(f"--policies: {len(listed)} given for {seats} players; give {seats}, or one for all seats")
    first = {policy.label: policy for policy in reversed(found)}
    for policy in found:
        other = first[policy.label]
        if (policy.digest, policy.params) != (other.digest, other.params):
            both = f"{other.spec} and {policy.spec}"
            raise BadInput(f"--policies: {both} differ and are both called {policy.label!r}; give one another name")
    if usual and len(first) < len(found):
        labels = [policy.label for policy in found]
        twice = next(label for label in labels if labels.count(label) > 1)
        raise BadInput(f"--policies: {MIXED} has {twice} already; each of its policies is drawn as often")
    return found * seats if len(found) == 1 else found


def is_drawn(specs: str) -> bool:
    """Tell whether a list names a pool from which each game draws, not who sits at the table."""
    return split_specs(specs)[0] == MIXED


def split_specs(specs: str) -> list[str]:
    """Return the words of a list of policies; a comma in the path of a file that there is does not part them."""
    pieces = specs.split(",")
    found: list[str] = []
    at = 0
    while at < len(pieces):
        words = (",".join(pieces[at : at + length]) for length in range(_MOST_COMMAS + 1, 1, -1))
        found.append(next(filter(_is_policy_file, words), pieces[at]))
        at += found[-1].count(",") + 1
    return [spec.strip() for spec in found]


def _is_policy_file(spec: str) -> bool:
    """Tell whether a word names a policy file that there is, its settings aside."""
    named = re.fullmatch(r"(.+\.py)(:[^/\\]*)?", spec.strip())
    try:
        return named is not None and Path(named[1]).is_file()
    except (OSError, ValueError):  # no file's name
        return False


def param_of(game: Game, pools: Sequence[Sequence[Policy]], policy: str, name: str) -> Param:
    """Return a policy's parameter as line-ups play it, its default being its value in the first of them.

    Raises BadInput for a policy that a line-up lacks, an unknown parameter, and one of which players of that name
    have different values: there would be no telling which of them is meant.
    """
    found = [_called(policy, pool) for pool in pools]
    for players in found:
        values = {(player.digest, player.params[_place_in(game, player, name)]) for player in players}
        if len(values) > 1:
            labels = ", ".join(dict.fromkeys(player.label for player in players))
            raise BadInput(f"policy {policy!r} plays with different values of {name} at once ({labels})")
    first = found[0][0]
    place = _place_in(game, first, name)
    return replace(_params(first, game.max_params)[place], default=first.params[place])


def with_params(game: Game, players: Sequence[Policy], params: Mapping[tuple[str, str], float]) -> tuple[Policy, ...]:
    """Return a pool with parameters set, by (policy, parameter), wherever it has the policy.

    A label tells what the line-up sets, but nothing that is set here, be it to its default: a policy is called the
    same whatever values it is given here, so that its results can be paired. Raises BadInput for a policy that the
    pool lacks, an unknown parameter and a value outside its bounds.
    """
    for name, _ in params:
        _called(name, players)
    return tuple(
        _varied(game, player, {param: value for (name, param), value in params.items() if name == player.name})
        for player in players
    )


def load_file(game: Game, path: Path, is_trusted: bool = False) -> Policy:
    """Return the policy in a file with its default parameters."""
    bare = read_file(game, path, is_trusted)
    return replace(bare, params=tuple(param.default for param in _params(bare, game.max_params)))


def read_file(game: Game, path: Path, is_trusted: bool = False) -> Policy:
    """Return the policy in a file as it stands there, its text checked, nothing of it run and no parameter known."""
    source = _read(path)
    check_source(game, source, str(path))
    return Policy(path.stem, path.stem, str(path), source, (), is_trusted)


def entry(game: Game, policy: Policy) -> Entry:
    """Return what the catalogue says of a policy."""
    tree = check_source(game, policy.source, policy.origin)
    doc = ast.get_docstring(tree) or ""
    decisions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return Entry(
        policy.name,
        doc.split("\n\n")[0].replace("\n", " "),
        doc,
        _params(policy, game.max_params),
        tuple(d.name for d in game.decisions if d.name in decisions),
    )


def _read(path: Path) -> str:
    """Return a policy file's text."""
    try:
        text = read_bytes(path, "policy file", MAX_BYTES).decode()
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not text in UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")  # a policy is the same, whatever ends its lines


def _params(policy: Policy, most: int) -> tuple[Param, ...]:
    """Return a file's PARAMS, each checked."""
    params = getattr(import_source(policy), "PARAMS", ())
    if not isinstance(params, tuple) or not all(isinstance(p, Param) for p in params):
        raise BadInput(f"{policy.origin}: PARAMS is a tuple of Param(name, default, low, high, meaning)")
    if len(params) > most:
        raise BadInput(f"{policy.origin}: {len(params)} parameters; a policy has at most {most}")
    params = tuple(_checked(param, policy.origin) for param in params)
    if len({param.name for param in params}) != len(params):
        raise BadInput(f"{policy.origin}: PARAMS names a parameter twice")
    return params


def _checked(param: Param, origin: str) -> Param:
    """Return a parameter with its numbers as floats; raise BadInput for one that cannot be set or shown."""
    if not isinstance(param.name, str) or not param.name.isidentifier():
        raise BadInput(
            f"{origin}: Param: the name of a parameter is letters, digits and underscores, not {_shown(param.name)}"
        )
    if not isinstance(param.meaning, str):
        raise BadInput(f"{origin}: parameter {param.name!r}: its meaning is a text")
    bounds = [_as_float(bound) for bound in (param.low, param.default, param.high)]
    if not all(map(math.isfinite, bounds)) or sorted(bounds) != bounds:
        raise BadInput(f"{origin}: parameter {param.name!r}: needs numbers low <= default <= high")
    low, default, high = bounds
    return replace(param, low=low, default=default, high=high)


def _as_float(value: object) -> float:
    """Return a plain number as a float, NaN for anything else, be it True or a number beyond all floats."""
    try:
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return math.nan


def _shown(value: object) -> str:
    """Return a wrong value as an error shows it."""
    return printable(value) if isinstance(value, str) else f"a value of type {type(value).__name__}"


def _called(name: str, players: Sequence[Policy]) -> list[Policy]:
    """Return the players of a name; there is at least one."""
    found = [player for player in players if player.name == name]
    if not found:
        known = tuple(dict.fromkeys(player.name for player in players))
        raise BadInput(f"no policy {name!r} in the line-up{nearest(name, known)}; in it: {', '.join(known)}")
    return found


def _varied(game: Game, policy: Policy, values: Mapping[str, float]) -> Policy:
    """Return a policy with values that its label does not tell."""
    params, where = _params(policy, game.max_params), f"policy {policy.name}"
    for name, value in values.items():
        _check_bounds(params[_place(params, name, where)], value, f"{value:g}", where)
    return _with_values(policy, params, values, untold=values)


def _place_in(game: Game, policy: Policy, name: str) -> int:
    """Return where a parameter stands among those of a policy in a line-up."""
    return _place(_params(policy, game.max_params), name, f"policy {policy.name}")


def _place(params: Sequence[Param], name: str, where: str) -> int:
    """Return where a parameter stands among a policy's; `where` begins the error line."""
    known = [param.name for param in params]
    if name not in known:
        allowed = ", ".join(known) or "it has none"
        raise BadInput(f"{where}: unknown parameter {name!r}{nearest(name, known)}; parameters: {allowed}")
    return known.index(name)


def _check_bounds(param: Param, value: float, said: str, where: str) -> None:
    """Refuse what is not within a parameter's bounds, NaN included."""
    if not param.low <= value <= param.high:
        raise BadInput(f"{where}:{param.name}: {said} is not a number from {param.low:g} to {param.high:g}")


def _with_settings(policy: Policy, settings: Sequence[str], game: Game) -> Policy:
    """Return the policy with parameters set as `key=value` texts, and a label that says so."""
    where = f"--policies {policy.name}"
    params = _params(policy, game.max_params)
    values = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        param = params[_place(params, key, where)]
        if key in values:
            raise BadInput(f"{where}: {key} is given twice; give each parameter once")
        try:
            values[key] = float(text) if equals else math.nan
        except ValueError:
            values[key] = math.nan
        _check_bounds(param, values[key], repr(text), where)
    return _with_values(policy, params, values)


def _with_values(
    policy: Policy, params: Sequence[Param], values: Mapping[str, float], untold: Container[str] = ()
) -> Policy:
    """Return the policy with values by parameter; its label tells its settings that are not `untold`."""
    now = [values.get(param.name, before) for param, before in zip(params, policy.params, strict=True)]
    settings = {
        param.name: f"{param.name}={_number_text(value)}"
        for param, value in zip(params, now, strict=True)
        if value != param.default
    }
    told = [text for name, text in settings.items() if name not in untold]
    label = ":".join([policy.name, *told])
    return replace(policy, label=label, params=tuple(now), settings=tuple(settings.values()))


def _number_text(value: float) -> str:
    """Return a number as short as it can be written without becoming another one."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
