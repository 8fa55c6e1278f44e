"""Where a halted game of Book Festival says that it stands, and what has happened there."""

from tests.book_festival.scene import QUIET, Scene, lay
from tests.book_festival.script import batch_of, random_batch
from tests.games.stage import of
from tests.games.standing import play_on, standing, told


def test_a_game_halts_before_the_action_and_says_where() -> None:
    batch = random_batch("players=3", "start_player=rotates")
    for decisions in range(27):
        table = standing(batch, 0, decisions).state.table[0]
        assert (table.round_number, table.place, table.actions) == (
            1 + decisions // 9,
            decisions // 3 % 3,
            decisions % 3,
        )
        assert table.start == decisions // 9 % 3


def test_free_cards_are_drawn_once_though_the_game_stands_still_before_the_turns_first_action() -> None:
    call = standing(batch_of(QUIET), 0)
    lay(call, Scene({1: ["1 comedy", "1 business", "1 sports"]}))
    assert not play_on(call, 1)
    assert play_on(call)
    assert [(event["seat"], event["why"]) for event in of(told(call), "draw")] == [(1, "bonus")]
