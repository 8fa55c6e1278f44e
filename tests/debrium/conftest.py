"""Fixtures of the tests of Debrium."""

import pytest

from tests.debrium.script import idle_game
from tests.games.stage import Event


@pytest.fixture(scope="session")
def idle() -> list[Event]:
    """The first game of the base rules with nobody doing anything: its deal and its falls."""
    return idle_game(())
