"""The command as it is installed, and `python -m steelyard`: the command line with its own folder first on the path.

A folder `policies/` or a file `cli.py` of the user's own, in the current folder or on PYTHONPATH, is then not taken
for one of ours.
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    """Run the command that the words of the command line name."""
    own = str(Path(__file__).resolve().parent)
    if sys.path[:1] != [own]:
        sys.path.insert(0, own)
    from cli import main as command

    command()


if __name__ == "__main__":
    main()
