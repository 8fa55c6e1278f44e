"""Which games make which block, and which blocks a group.

A *block* is a run of consecutive games, the unit of work, of pairing and of what an interruption keeps. How many
games it has depends on where it lies, never on how many are asked for: a short run has blocks enough to be compared
by, and a longer one has the same and more. A *group* is the unit of what is kept on disk and of looks at a precision.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

#: Games of a block once a run is long.
BLOCK_GAMES = 1000
#: Blocks of that size in a group; no kernel call has more games, as its sums of squares must stay within int64.
GROUP_BLOCKS = 16
#: Before, blocks are smaller: (games of a block, the game up to which).
_GRADES = ((10, 2_000), (100, 20_000))


@dataclass(frozen=True)
class Stretch:
    """Blocks of `size` games each, from `first_block` on, which begins with `first_game`."""

    first_block: int
    first_game: int
    size: int


@dataclass(frozen=True)
class Schedule:
    """The blocks of a run: stretches of blocks of one size, the last of them endless."""

    stretches: tuple[Stretch, ...]

    @property
    def group_games(self) -> int:
        """Games of a group."""
        return GROUP_BLOCKS * self.stretches[-1].size

    def first_game(self, block: int) -> int:
        """Return a block's first game."""
        found = [stretch for stretch in self.stretches if stretch.first_block <= block][-1]
        return found.first_game + (block - found.first_block) * found.size

    def block_of(self, game: int) -> int:
        """Return the block that a game is in: as many whole blocks are before it."""
        found = [stretch for stretch in self.stretches if stretch.first_game <= game][-1]
        return found.first_block + (game - found.first_game) // found.size

    def sizes(self, first_block: int, blocks: int, games: int = 0) -> npt.NDArray[np.int64]:
        """Return how many games each of some blocks has; of `games` in all the last one may have fewer."""
        edges = [self.first_game(block) for block in range(first_block, first_block + blocks + 1)]
        if games:
            edges[-1] = edges[0] + games
        return np.array([end - start for start, end in pairwise(edges)], np.int64)

    def games(self, first_block: int, blocks: int) -> int:
        """Return how many games some blocks have together."""
        return self.first_game(first_block + blocks) - self.first_game(first_block)

    def blocks_for(self, games: int) -> int:
        """Return how many blocks that many games take, the last perhaps not whole."""
        return self.block_of(games - 1) + 1 if games else 0

    def group_of(self, block: int) -> int:
        """Return the group that a block is in."""
        return self.first_game(block) // self.group_games

    def group_start(self, group: int) -> int:
        """Return a group's first block."""
        return self.block_of(group * self.group_games)

    def group_size(self, group: int) -> int:
        """Return how many blocks a group has."""
        return self.group_start(group + 1) - self.group_start(group)


@functools.cache
def schedule(block_games: int) -> Schedule:
    """Return the blocks of `block_games` games each, or (0) of sizes that depend on where they lie."""
    if block_games:
        return Schedule((Stretch(0, 0, block_games),))
    stretches, block, game = [], 0, 0
    for size, end in _GRADES:
        stretches.append(Stretch(block, game, size))
        block, game = block + (end - game) // size, end
    return Schedule((*stretches, Stretch(block, game, BLOCK_GAMES)))
