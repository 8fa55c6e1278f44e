"""Golden games: whole traces that are kept, one a variant, and must come out the same line by line.

`python -m tests.games.golden [GAME...]` names those that do not (exit code 1); with `--write` it writes what is
played now, which is right only together with a raised rules_version or a changed random_legal.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.games.every import KITS
from tests.games.kit import Kit

SEED, INDEX = 2026, 11


def lines(kit: Kit, name: str) -> list[str]:
    """A golden game as it is played now, one event a line."""
    events = kit.stage.tell_random(*kit.golden[name], index=INDEX, seed=SEED)
    return [json.dumps(event, separators=(",", ":")) for event in events]


def kept(kit: Kit, name: str) -> list[str]:
    """The same game as it was kept."""
    return file_of(kit, name).read_text(encoding="utf-8").splitlines()


def file_of(kit: Kit, name: str) -> Path:
    """Where a golden game is kept: among its game's tests."""
    return Path(__file__).parents[1] / kit.game / "golden" / f"{name}.jsonl"


def write(kit: Kit, name: str) -> None:
    """Keep a golden game as it is played now."""
    file = file_of(kit, name)
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(lines(kit, name)) + "\n", encoding="utf-8", newline="\n")


def main() -> int:
    """Compare all games, or those that are named, or write them."""
    named = [argument for argument in sys.argv[1:] if argument != "--write"]
    golden = [(KITS[game], name) for game in named or KITS for name in KITS[game].golden]
    if "--write" in sys.argv[1:]:
        for kit, name in golden:
            write(kit, name)
        return 0
    changed = [file_of(kit, name) for kit, name in golden if lines(kit, name) != kept(kit, name)]
    for file in changed:
        print(f"differs: {file}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
