"""Where a halted game of Debrium says that it stands."""

from tests.debrium.script import random_batch
from tests.games.standing import standing


def test_a_game_halts_before_the_decision_and_says_where() -> None:
    """In the order of the round: every bid, then every turn."""
    batch = random_batch("players=3")
    for decisions in range(12):
        table = standing(batch, 0, decisions).state.table[0]
        assert (table.round_number, table.phase, table.place) == (
            1 + decisions // 6,
            decisions // 3 % 2,
            decisions % 3,
        )
