"""What a game hands to the checks that every game must pass: its `KIT`, in `tests/<game>/kit.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sim.batch import Batch
from sim.task import PolicyFault
from tests.games.stage import Event, Stage

#: Changes of the rules, as `--set` takes them.
Sets = tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """A decision and a seat, and the round of the meddlers' game in which it is asked of that seat first."""

    decision: str
    seat: int
    round: int

    def __str__(self) -> str:
        return f"{self.decision} of seat {self.seat}"


@dataclass(frozen=True)
class Meddling:
    """A policy that plays so that every decision is asked, and can do there what no policy may do.

    plays: its source, after which `below` and `_meddle` can be called. It counts in `own.memory[0]` and divides by
    that at a later decision; each of its functions ends with `_meddle(k, rules, table, own, rng, choice)`, k being
    the decision's number. sets: the rules of its game. places: where each decision is asked; that of the first
    place is asked in every round. ready: the fields of `choice` that are made ready, by decision; the others are 0.
    writes: statements that write what a policy may only read, by what that is.
    reads_at, writes_at: statements that read and write at index `own.param[2]` of an array of `length` entries.
    """

    plays: str
    sets: Sets
    places: tuple[Place, ...]
    ready: Mapping[str, tuple[str, ...]]
    writes: Mapping[str, str]
    reads_at: str
    writes_at: str
    length: int


@dataclass(frozen=True)
class Breach:
    """A legal game, and numbers of which each, in one answer of it, breaks a rule.

    fault: plays the game with that number, or None to leave it legal, by a policy that is trusted or not;
    where: game, round, seat and decision as a fault tells them; says: a pattern of what it says then.
    """

    numbers: Sequence[float]
    where: str
    says: str
    fault: Callable[[float | None, bool], PolicyFault | None]


@dataclass(frozen=True)
class Kit:
    """What the checks of every game need to know of one.

    golden: the rules of its golden games, by name. variants: rules of random games that are halted, copied and
    played one after another; halts: before which decisions; stepped: rules of a game that is played decision by
    decision, and steps: how many that takes by its events. counting: a game of scripts which count in
    `own.memory[0]` up to `counted`. dealt: the key of the setup's event that no two games share.
    breaches: for every rule that an answer can break, games in which one does.
    """

    stage: Stage
    golden: Mapping[str, Sets]
    variants: tuple[Sets, ...]
    halts: tuple[int, ...]
    stepped: Sets
    steps: Callable[[list[Event]], int]
    counting: Batch
    counted: int
    dealt: str
    meddling: Meddling
    breaches: Mapping[str, Breach]

    @property
    def game(self) -> str:
        """The game's name."""
        return self.stage.game
