"""The engine plays by every rule: none is left out of the record that it reads them from."""

from __future__ import annotations

import pytest

from sim.game import load_game
from sim.rules import Parameter, games, load
from sim.rules_text import Value


def other(parameter: Parameter, players: int) -> Value:
    """Another value than the default that the engine can hold; of a list, one entry."""
    if isinstance(parameter.value, bool):
        return not parameter.value
    if parameter.kind == "word":
        return next(word for word in parameter.options if word != parameter.value)
    if parameter.kind == "words":
        return parameter.entries[:players]
    assert parameter.holds is not None
    now = parameter.value[0] if isinstance(parameter.value, tuple) else parameter.value
    number = next(number for number in parameter.holds if number != now)
    return (number,) if isinstance(parameter.value, tuple) else number


@pytest.mark.parametrize(
    ("game", "key"), [(game, key) for game in games() for key in load(game).parameters], ids=lambda name: str(name)
)
def test_every_parameter_reaches_the_engine(game: str, key: str) -> None:
    """A changed value alone changes the record; no parameter is excepted.

    Lists are cut to one entry, which goes with any number: what hangs together is not the record's to say.
    """
    rules = load(game)
    values = {name: value[:1] if isinstance(value, tuple) else value for name, value in rules.values.items()}
    record = load_game(game).rules_record
    changed = values | {key: other(rules.parameters[key], int(str(values["players"])))}
    assert record(changed).tobytes() != record(values).tobytes()
