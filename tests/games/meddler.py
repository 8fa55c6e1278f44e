"""The policy that does what no policy may do: how its source is put together from a game's kit."""

from __future__ import annotations

import textwrap

from sim.game import load_game
from sim.policy import Policy
from tests.games.kit import Kit

#: Deeds that are the same in every game, beside the writes and the strays of its own.
OWN_PARAM = "its own parameters"
READS, WRITES, DIVIDES, RAISES, LATE = "reads astray", "writes astray", "divides by zero", "raises", "errs late"

SOURCE = '''"""Plays so that every decision is asked, and does at one kind of them a thing that no policy may do."""

from sim.rng import below
{plays}

def _meddle(decision, rules, table, own, rng, choice):
    if own.param[1] != decision:
        return
    deed = own.param[0]
{branches}'''


def writes(kit: Kit) -> list[str]:
    """The writes that are forbidden, by name."""
    return [*kit.meddling.writes, OWN_PARAM]


def deeds(kit: Kit) -> dict[str, str]:
    """Every deed's statements; LATE waits for chance and the third round."""
    first = next(iter(kit.meddling.writes.values()))
    return {
        **kit.meddling.writes,
        OWN_PARAM: "own.param[-1] = 1.5",
        READS: kit.meddling.reads_at,
        WRITES: kit.meddling.writes_at,
        DIVIDES: "own.memory[0] = 1 // int(own.seat - own.seat)",
        RAISES: 'raise ValueError("I give up")',
        LATE: f"if below(rng, 5) == 0 and table.round_number == 3:\n    {first}",
    }


def source(kit: Kit) -> str:
    """The policy's text: parameters say which deed, at which decision, and at which index it goes astray."""
    branches = [
        f"    if deed == {number}:\n{textwrap.indent(statements, ' ' * 8)}\n"
        for number, statements in enumerate(deeds(kit).values(), start=1)
    ]
    return SOURCE.format(plays=kit.meddling.plays, branches="".join(branches))


def meddler(kit: Kit, deed: str = "", decision: str = "", index: int = 0, is_trusted: bool = False) -> Policy:
    """The policy that does a deed at a decision; without one it only plays."""
    number = 1 + list(deeds(kit)).index(deed) if deed else 0
    at = [known.name for known in load_game(kit.game).decisions].index(decision) if decision else 0
    params = (float(number), float(at), float(index))
    return Policy("meddler", "meddler", "meddler.py", source(kit), params, is_trusted)
