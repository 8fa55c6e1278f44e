"""Games in which every seat does what a test says or plays at random, and what a test reads from their events.

Chance does not depend on policies: what is dealt, rolled or drawn in game `k` is the same whoever plays.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from policies import load as load_policy
from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.policy import Policy
from sim.replay import replay
from sim.rules import Rules, load
from sim.task import PolicyFault

Event = dict[str, Any]
SEED = 7


@dataclass(frozen=True)
class Stage:
    """A game whose seats follow scripts, which every game writes in its own way.

    scripted: makes a policy of a script, and without one a policy that does nothing; judge: the game's referee;
    plain: changes of the rules under which scripts are written, unless a test says otherwise.
    """

    game: str
    scripted: Callable[..., Policy]
    judge: Callable[[list[Event]], None]
    plain: tuple[str, ...] = ()

    def rules_of(self, *sets: str) -> Rules:
        """The rules with these `key=value` changes."""
        return _rules_of(self.game, *over(self.plain, sets))

    def batch_of(self, sets: Sequence[str], scripts: Sequence[Any] = ()) -> Batch:
        """A batch in which seat by seat the scripts are played; seats without one do nothing."""
        return self._seat(self.rules_of(*sets), map(self.scripted, scripts))

    def tell(self, sets: Sequence[str], *scripts: Any, index: int = 0) -> list[Event]:
        """The events of a scripted game."""
        return _events(self.batch_of(sets, scripts), index)

    def fault_of(self, sets: Sequence[str], *policies: Policy, index: int = 0) -> PolicyFault | None:
        """The fault that ends a game of these policies; the other seats do nothing."""
        return replay(self._seat(self.rules_of(*sets), policies), index)[1]

    def random_batch(self, *sets: str, seed: int = SEED) -> Batch:
        """A batch in which every seat plays random_legal, under the default rules with these changes."""
        rules = _rules_of(self.game, *sets)
        policy = load_policy(load_game(self.game), "random_legal")
        return Batch(self.game, rules, LineUp((policy,) * rules.values["players"], "fixed"), seed)

    def tell_random(self, *sets: str, index: int = 0, seed: int = SEED) -> list[Event]:
        """The events of a game of random_legal."""
        return _events(self.random_batch(*sets, seed=seed), index)

    def referee_judges(self, events: Sequence[Event]) -> None:
        """Hand a game to the referee as a trace prints it."""
        self.judge(json.loads(json.dumps(events)))

    def _seat(self, rules: Rules, policies: Iterable[Policy]) -> Batch:
        """A batch of these policies seat by seat."""
        pool = [*policies]
        pool += [self.scripted()] * (rules.values["players"] - len(pool))
        return Batch(self.game, rules, LineUp(tuple(pool), "fixed"), SEED)


@functools.cache
def _rules_of(game: str, *sets: str) -> Rules:
    return load(game, sets=list(sets))


def _events(batch: Batch, index: int) -> list[Event]:
    """The events of a game that must come to its end."""
    events, fault = replay(batch, index)
    assert fault is None, fault
    return events


def over(plain: Iterable[str], sets: Sequence[str]) -> list[str]:
    """`key=value` changes, with those of the plain ones that they leave alone before them."""
    given = {item.partition("=")[0] for item in sets}
    return [*[item for item in plain if item.partition("=")[0] not in given], *sets]


def of(events: Sequence[Event], name: str, **keys: Any) -> list[Event]:
    """The events of one name with these values."""
    return [e for e in events if e["event"] == name and all(e[key] == value for key, value in keys.items())]


def in_round(events: Sequence[Event], number: int) -> list[Event]:
    """The events of one round."""
    starts = [at for at, event in enumerate(events) if event["event"] in ("round", "end")]
    return list(events[starts[number - 1] : starts[number]])
