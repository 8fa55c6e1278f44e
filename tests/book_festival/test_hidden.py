"""Who sees what in Book Festival: a policy is handed what its player may see."""

import numpy as np
import pytest

from sim.batch import Batch, LineUp
from sim.book_festival.state import GENRES
from sim.policy import Policy
from sim.task import Call
from tests.book_festival.scene import QUIET, Scene, lay
from tests.book_festival.script import acts, batch_of, dice, draw, random_batch, rules_of
from tests.games.stage import SEED
from tests.games.standing import play_on, standing, told, twin


def turn_of(call: Call) -> int:
    """The seat whose action comes next."""
    table = call.state.table[0]
    return int(table.start + table.place) % int(call.rules.players[0])


def seen(call: Call) -> tuple[bytes, bytes]:
    """What the player whose action comes next is handed: the table and the own record."""
    return call.state.table.tobytes(), call.state.owns[0, turn_of(call)].tobytes()


def scramble(call: Call) -> None:
    """Change all that the next player may not see: the deck's order, the others' hands and their policies' own."""
    table, hidden, owns = call.state.table[0], call.state.hidden[0], call.state.owns
    hidden.deck[: table.deck_size] = hidden.deck[: table.deck_size][::-1].copy()
    for seat in range(int(call.rules.players[0])):
        if seat != turn_of(call):
            owns.hand[0, seat] = np.roll(owns.hand[0, seat], 1)
            owns.memory[0, seat] += 1.0
            owns.param[0, seat] += 1.0


@pytest.mark.parametrize("sets", [(), ("players=6", "extension=true", "start_player=rotates")])
def test_nobody_sees_the_decks_order_or_anothers_hand(sets: tuple[str, ...]) -> None:
    """What a player is handed and therefore does, and what the table shows then, does not depend on them."""
    batch = random_batch(*sets, "main_shelf_slots=6", "pop_copies=0")
    for decisions in range(40):
        plain = standing(batch, 1, decisions)
        changed = twin(plain)
        scramble(changed)
        assert changed.state.tobytes() != plain.state.tobytes()
        assert seen(changed) == seen(plain)
        assert not play_on(plain, 1)
        assert not play_on(changed, 1)
        assert plain.state.table.tobytes() == changed.state.table.tobytes()


def test_the_table_shows_how_many_cards_a_hand_and_the_deck_have_not_which() -> None:
    """Over a whole game in which everybody draws, whatever is dealt."""
    batch = batch_of(["players=3", "max_rounds=4"], [acts(*[draw()] * 12)] * 3)
    plain, changed = standing(batch, 0), standing(batch, 0)
    hidden = changed.state.hidden[0]
    hidden.deck[:57] = (hidden.deck[:57] + 1) % len(GENRES)
    for _ in range(35):
        assert plain.state.table.tobytes() == changed.state.table.tobytes()
        assert not play_on(plain, 1)
        assert not play_on(changed, 1)
    assert plain.state.owns.tobytes() != changed.state.owns.tobytes()


def test_a_player_sees_the_own_hand_by_genre() -> None:
    call = standing(random_batch(), 3)
    setup = told(call)[0]
    for seat, hand in enumerate(setup["hands"]):
        own = call.state.owns[0, seat]
        assert own.seat == seat
        assert own.hand.tolist() == [hand.get(genre, 0) for genre in GENRES]


SPY = '''"""Stops every animal, and remembers what it was handed at each kind of question of the sales phase."""


def stop(rules, table, own, rng, choice):
    own.memory[0] += 1
    _look(table, own, 10)
    choice.stop = 1
    choice.discards[5] = 2


def file(rules, table, own, rng, choice):
    own.memory[1] += 1
    _look(table, own, 20)
    own.memory[24] = choice.genre


def _look(table, own, first):
    own.memory[first] = own.seat
    own.memory[first + 1] = table.buyer
    own.memory[first + 2] = table.at_booth * 100 + table.at_slot
    own.memory[first + 3] = own.hand[5]
'''


def test_questions_of_the_sales_phase_go_to_the_owner_and_say_whose_animal_and_which_slot() -> None:
    """Trial Read is asked of seat 1 on slot 1 and stops; the next animal's book is filed by seat 2."""
    quiet = [item for item in QUIET if not item.startswith(("die_gorilla", "die_cheetah"))]
    rules = rules_of(*quiet, *dice(gorilla=6, cheetah=1))
    spies = tuple(Policy("spy", f"spy {seat}", "spy.py", SPY) for seat in range(3))
    call = standing(Batch("book_festival", rules, LineUp(spies, "fixed"), SEED), 0)
    booths = {1: ["", "1 sports trial", ""], 2: ["", "1 mystery related", ""]}
    lay(call, Scene(booths, {1: "3 picture", 2: "4 picture"}, at={0: (0, 2), 2: (2, 0)}))
    assert play_on(call)
    memory = call.state.owns.memory[0, :3]
    assert memory[:, :2].tolist() == [[0, 0], [1, 0], [0, 1]]
    assert memory[1, 10:14].tolist() == [1, 0, 101, 3]
    assert memory[2, 20:25].tolist() == [2, 2, 201, 4, GENRES.index("mystery")]
