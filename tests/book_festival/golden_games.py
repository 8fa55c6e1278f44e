"""Golden games: whole traces that are kept, one a variant, and must come out the same line by line.

`python -m tests.book_festival.golden_games` names those that do not (exit code 1); with `--write` it writes what
is played now, which is right only together with a raised rules_version or a changed random_legal.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.book_festival.script import tell_random

FOLDER = Path(__file__).parent / "golden"
GAMES = {
    "base_3": ("players=3",),
    "base_4": (),
    "base_6": ("players=6",),
    "extension_4": ("extension=true", 'animals=["camel","owl","chameleon","panda"]'),
    "odd": (
        "players=5", "extension=true", "books_per_genre=9", "starting_hand=4", "hand_limit=9", "actions_per_turn=4",
        "main_shelf_slots=2", "end_shelf_cost=1", "end_shelf_slots=2", "slot_capacity=5", "stars_per_player=11",
        "genre_pile_size=3", "genre_bonus_stars=1", "pop_cost_recommended=0", "pop_cost_trial=0",
        "pop_cost_related=0", "pop_cost_booklet=1", "pop_cost_limited=1", "pop_copies=3", "trial_discard=1",
        "limited_extra_stars=2", "chameleon_limit=3", "mvp_draws=2", "start_player=rotates",
        "end_bonus_needs_main=false", "empty_slots_count=false", "camel_adjacent=all", "chameleon_skip=no_sale",
        "recommended_chain=true", "limited_per=sale", "mvp_tie=redraw",
        'animals=["chameleon","camel","cheetah","penguin","gorilla"]', "die_gorilla=[0,1,2,7,9,12]",
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
