"""Finding policies: by name in the package, by path anywhere, with parameters set as `name:key=value`."""

from __future__ import annotations

import ast
import math
from pathlib import Path

from policies.source import MAX_BYTES, check_source
from sim.errors import BadInput, nearest, unknown
from sim.game import Game
from sim.policy import Entry, Param, Policy, import_source

_FOLDER = Path(__file__).parent

#: The line-up that draws different policies for each game.
MIXED = "mixed"


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
    """Return the policies that a list names: one a seat, one for all, or "mixed": all but random_legal."""
    if specs == MIXED:
        return tuple(load(game, name) for name in names(game) if name != "random_legal")
    listed = [spec.strip() for spec in specs.split(",")]
    if len(listed) not in (1, seats):
        raise BadInput(f"--policies: {len(listed)} given for {seats} players; give {seats}, or one for all seats")
    found = tuple(load(game, spec) for spec in listed)
    return found * seats if len(found) == 1 else found


def load_file(game: Game, path: Path, is_trusted: bool = False) -> Policy:
    """Return the policy in a file with its default parameters."""
    source = _read(path)
    check_source(game, source, str(path))
    bare = Policy(path.stem, path.stem, str(path), source, (), is_trusted)
    params = _params(bare, game.max_params)
    return Policy(path.stem, path.stem, str(path), source, tuple(p.default for p in params), is_trusted)


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
        if path.exists() and not path.is_file():
            raise BadInput(f"{path}: cannot read the policy file: is not an ordinary file")
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path}: larger than a policy file may be ({MAX_BYTES >> 20} MiB)")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not text in UTF-8") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot read the policy file: {error.strerror}") from None


def _params(policy: Policy, most: int) -> tuple[Param, ...]:
    """Return a file's PARAMS, each checked."""
    params = getattr(import_source(policy), "PARAMS", ())
    if not isinstance(params, tuple) or not all(isinstance(p, Param) for p in params):
        raise BadInput(f"{policy.origin}: PARAMS is a tuple of Param(name, default, low, high, meaning)")
    if len(params) > most:
        raise BadInput(f"{policy.origin}: {len(params)} parameters; a policy has at most {most}")
    for param in params:
        bounds = (param.low, param.default, param.high)
        if not all(isinstance(b, int | float) and math.isfinite(b) for b in bounds) or sorted(bounds) != list(bounds):
            raise BadInput(f"{policy.origin}: parameter {param.name!r}: needs numbers low <= default <= high")
    if len({param.name for param in params}) != len(params):
        raise BadInput(f"{policy.origin}: PARAMS names a parameter twice")
    return params


def _with_settings(policy: Policy, settings: list[str], game: Game) -> Policy:
    """Return the policy with parameters set, and a label that says so."""
    params = _params(policy, game.max_params)
    known = {param.name: param for param in params}
    values = {param.name: param.default for param in params}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if key not in known:
            allowed = ", ".join(known) or "it has none"
            raise BadInput(
                f"--policies {policy.name}: unknown parameter {key!r}{nearest(key, known)}; parameters: {allowed}"
            )
        low, high = known[key].low, known[key].high
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not equals or not low <= value <= high:
            raise BadInput(f"--policies {policy.name}:{key}: {text!r} is not a number from {low:g} to {high:g}")
        values[key] = value
    changed = [f"{key}={values[key]:g}" for key in values if values[key] != known[key].default]
    label = ":".join([policy.name, *changed])
    return Policy(policy.name, label, policy.origin, policy.source, tuple(values.values()), policy.is_trusted)
