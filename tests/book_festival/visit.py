"""An animal of seat 0 comes to a slot of seat 1's booth: the scene of the tests of sales."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.book_festival.state import ANIMALS
from tests.book_festival.scene import Scene, play_scene
from tests.book_festival.script import IDLE, Script, dice, seated
from tests.games.stage import Event, of


def visit(
    booth: Sequence[str],
    stop: int,
    animal: str = "penguin",
    sets: Sequence[str] = (),
    files: Sequence[str] = (),
    piles: Mapping[str, str] | None = None,
    supply: int | None = None,
) -> list[Event]:
    """The events of a round in which the animal stops there, and no other moves."""
    others = [name for name in ANIMALS[:3] if name != animal][:2]
    given = ["extension=true", seated(animal, *others), *dice(**{animal: 1, others[0]: 0, others[1]: 0})]
    before = (1, stop - 1) if stop else (0, 2)
    supplies = {} if supply is None else {1: supply}
    scene = Scene({1: booth}, {1: ""}, at={0: before}, piles=piles or {}, supply=supplies)
    return play_scene(scene, [*given, *sets], IDLE, Script(files=tuple(files)))


def sales(*arguments: object, **keys: object) -> list[Event]:
    """The sales of a visit."""
    return of(visit(*arguments, **keys), "sale")  # type: ignore[arg-type]


def sold(booth: Sequence[str], stop: int, animal: str = "penguin", *sets: str) -> str:
    """What a visit sells, book by book, as "1 single 2 recommended": slot and cause."""
    return " ".join(f"{sale['slot']} {sale['cause']}" for sale in sales(booth, stop, animal, sets))
