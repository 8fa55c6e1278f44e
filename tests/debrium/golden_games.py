"""Golden games: whole traces that are kept, one a variant, and must come out the same line by line.

`python -m tests.debrium.golden_games` names those that do not (exit code 1); with `--write` it writes what is
played now, which is right only together with a raised rules_version or a changed random_legal.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.debrium.script import tell_random

FOLDER = Path(__file__).parent / "golden"
GAMES = {
    "base_3": ("players=3",),
    "base_4": (),
    "expansion_3": ("players=3", "expansion=true", "starting_skill_coins=3"),
    "expansion_4": ("expansion=true", "starting_skill_coins=3"),
    "odd": (
        "expansion=true", "rows=3", "columns=5", "stack_height=1", "chips_level_1=4", "chips_level_2=6",
        "chips_level_3=5", "chips_level_4=14", "coordinate_copies=3", "starting_skill_coins=2", "starting_pool=6",
        "free_workers=1", "max_workers=6", "hire_cost=[1, 2, 4, 6, 9]", "debt_penalty=[2, 5]", "red_workers=1",
        "mining_king_bonus=6", "green_surcharge=1", "coins_public=false", "skill_with_funds=false", "tie=order",
        'companies=["yellow", "green", "blue", "red"]', "initial_order=seat",
    ),
}  # fmt: skip
SEED, INDEX = 2026, 11


def lines(name: str) -> list[str]:
    """A golden game as it is played now, one event a line."""
    return [json.dumps(event, separators=(",", ":")) for event in tell_random(*GAMES[name], index=INDEX, seed=SEED)]


def kept(name: str) -> list[str]:
    """The same game as it was kept."""
    return (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


def main() -> int:
    """Compare all, or write them."""
    if "--write" in sys.argv[1:]:
        FOLDER.mkdir(exist_ok=True)
        for name in GAMES:
            text = "\n".join(lines(name)) + "\n"
            (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")
        return 0
    changed = [name for name in GAMES if lines(name) != kept(name)]
    for name in changed:
        print(f"{name}: differs from {FOLDER / name}.jsonl")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
