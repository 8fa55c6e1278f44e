"""Fixtures of the tests of Book Festival."""

import pytest

from sim.game import Game, load_game


@pytest.fixture(scope="session")
def game() -> Game:
    """Book Festival as the toolkit sees it."""
    return load_game("book_festival")
