"""A working policy to start from: the game's own template file, under the new name."""

from __future__ import annotations

from pathlib import Path

from sim.errors import BadInput
from sim.files import write_whole
from sim.game import Game


def write(game: Game, file: Path) -> None:
    """Write a template policy to a new .py file; raise BadInput when it exists or has another ending."""
    if file.suffix != ".py" or not file.stem.isidentifier():
        raise BadInput(f"--new {file}: a policy's file is named like mine.py, letters, digits and underscores")
    if file.exists():
        raise BadInput(f"--new {file}: exists already")
    template = Path(__file__).parent / game.name / "_template.py"
    write_whole(file, template.read_bytes())
