"""Fixtures of the tests of Debrium."""

import pytest

from sim.game import Game, load_game
from tests.debrium.script import Event, idle_game


@pytest.fixture(scope="session")
def game() -> Game:
    """Debrium as the toolkit sees it."""
    return load_game("debrium")


@pytest.fixture(scope="session")
def idle() -> list[Event]:
    """The first game of the base rules with nobody doing anything: its deal and its falls."""
    return idle_game(())
