"""Truths that hold for every policy: what is conserved, and chances that nobody has a hand in."""

import dataclasses
import functools
from math import sqrt

import pytest

from sim.batch import Batch, LineUp
from sim.blocks import Totals
from sim.game import Game
from sim.jit import is_disabled
from sim.kernel import SUM_D, SUM_N
from sim.run import play
from tests.book_festival.script import dice, random_batch, rules_of, seated, tell, tell_random
from tests.games.chance import mean_and_error
from tests.games.stage import SEED, of
from tests.games.standing import every_decision, play_on, standing, told

VARIANTS = [
    (),
    ("players=3", "pop_cost_trial=0", "pop_cost_booklet=0", "pop_copies=20", "hand_limit=8"),
    ("players=6", "extension=true", "recommended_chain=true", "camel_adjacent=all", "end_shelf_slots=2"),
    ("players=5", "extension=true", "books_per_genre=3", "starting_hand=2", "genre_pile_size=2", "end_shelf_cost=0",
     "pop_cost_related=0", "end_shelves_max=3"),
]  # fmt: skip
#: Enough for the chances, and for a run with JIT off not too many.
GAMES = 100 if is_disabled() else 20_000
WHOLE = 1 << 24


# --- What is conserved -------------------------------------------------------------------------------


@pytest.mark.parametrize("sets", VARIANTS)
@pytest.mark.parametrize("index", [0, 1])
def test_cards_in_deck_discards_hands_slots_and_piles_are_constant_genre_by_genre(
    sets: tuple[str, ...], index: int
) -> None:
    books = rules_of(*sets).values["books_per_genre"]
    for call in every_decision(random_batch(*sets), index):
        state = call.state[0]
        table, booths = state.table, state.table.booths
        for genre in range(6):
            in_deck = (state.hidden.deck[: table.deck_size] == genre).sum()
            on_slots = booths["books"][booths["genre"] == genre].sum()
            in_hands = state.owns["hand"][:, genre].sum()
            assert in_deck + on_slots + in_hands + table.discards[genre] + table.filed[:, genre].sum() == books


@pytest.mark.parametrize("sets", VARIANTS)
@pytest.mark.parametrize("index", [0, 1])
def test_what_is_counted_twice_agrees(sets: tuple[str, ...], index: int) -> None:
    """Hand sizes with hands, piles with the books filed there, slots without books with those without a genre."""
    for call in every_decision(random_batch(*sets), index):
        table, booths = call.state[0].table, call.state[0].table.booths
        assert booths["hand_size"].tolist() == call.state[0].owns["hand"].sum(axis=1).tolist()
        assert table.pile.tolist() == table.filed.sum(axis=1).tolist()
        used = booths["books"][: call.batch.rules.values["players"]] > 0
        assert (used == (booths["genre"][: len(used)] >= 0)).all()


@pytest.mark.parametrize("sets", VARIANTS)
@pytest.mark.parametrize("index", [0, 1])
def test_stars_in_supply_and_stars_sent_are_constant_per_player(sets: tuple[str, ...], index: int) -> None:
    values = rules_of(*sets).values
    for call in every_decision(random_batch(*sets), index):
        booths = call.state[0].table.booths[: values["players"]]
        assert (booths["supply"] + booths["stars"]).tolist() == [values["stars_per_player"]] * values["players"]
        assert (booths["supply"] >= 0).all()


@pytest.mark.parametrize("sets", VARIANTS)
@pytest.mark.parametrize("index", [0, 1])
def test_a_booth_never_holds_more_slots_than_allowed_nor_books_beyond_them(sets: tuple[str, ...], index: int) -> None:
    values = rules_of(*sets).values
    main, width, most = (values[key] for key in ("main_shelf_slots", "end_shelf_slots", "end_shelves_max"))
    for call in every_decision(random_batch(*sets), index):
        for booth in call.state[0].table.booths[: values["players"]]:
            assert booth.slots == main + width * booth.end_shelves <= main + width * most
            assert not booth.books[booth.slots :].any()
            assert (booth.pop[booth.slots :] < 0).all()
            assert booth.at_slot < values["main_shelf_slots"] + width * most


@pytest.mark.parametrize("sets", VARIANTS)
def test_pops_in_the_booths_and_the_supply_are_constant(sets: tuple[str, ...]) -> None:
    values = rules_of(*sets).values
    for call in every_decision(random_batch(*sets), 0):
        table = call.state[0].table
        pops = table.booths["pop"][: values["players"]]
        assert [(pops == pop).sum() + table.pop_left[pop] for pop in range(5)] == [values["pop_copies"]] * 5


# --- Chance ------------------------------------------------------------------------------------------


def test_a_changed_rule_leaves_the_other_kinds_of_chance_alike() -> None:
    seats = ["players=4", seated("camel", "owl", "panda", "penguin"), "extension=true", "max_rounds=9"]
    rolls = [[event["dice"] for event in of(tell(seats, index=index), "roll")] for index in range(3)]
    for sets in (["starting_hand=2"], ["books_per_genre=9"], ["mvp_draws=9"], ["actions_per_turn=1"]):
        for index in range(3):
            assert [event["dice"] for event in of(tell([*seats, *sets], index=index), "roll")] == rolls[index]
    plain, other = (of(tell([*seats, *sets]), "setup")[0] for sets in ([], dice(owl=0)))
    assert plain == other


def test_the_setup_does_not_depend_on_what_the_players_do() -> None:
    for index in range(5):
        assert of(tell_random(index=index), "setup") == of(tell([], index=index), "setup")


# --- The MVP -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tie", ["redraw", "stars", "shared"])
def test_with_one_draw_the_mvp_chance_is_the_star_share_exactly(tie: str) -> None:
    for index in range(30):
        mvp = of(tell_random("mvp_draws=1", f"mvp_tie={tie}", index=index), "mvp")[0]
        assert mvp["chances"] == pytest.approx([own / sum(mvp["stars"]) for own in mvp["stars"]], abs=1e-15)


def test_mvp_chances_sum_to_1(game: Game) -> None:
    for sets in ((), *game.odd):
        for index in range(10):
            call = standing(random_batch(*sets), index)
            assert play_on(call)
            assert sum(of(told(call), "mvp")[0]["chances"]) == pytest.approx(1, abs=1e-12)
            assert call.row[0].seats["chance"].sum() == WHOLE


@functools.cache
def totals_of(*sets: str) -> tuple[Totals, dict[str, int]]:
    """Many games of random play in which the seats have names of their own."""
    rules = rules_of(*sets)
    policy = random_batch().line_up.pool[0]
    pool = tuple(dataclasses.replace(policy, label=f"seat {seat}") for seat in range(rules.values["players"]))
    totals = play(Batch("book_festival", rules, LineUp(pool, "fixed"), SEED), GAMES)
    return totals, totals.layout.index()


#: What a card spent on an item brings is one column over another, for the seats of all games.
BROUGHT = {
    "recommended": "sales_recommended", "trial": "trial_sales", "related": "related_bonus",
    "booklet": "drawn_booklet", "limited": "stars_by_limited", "end_shelf": "shelf_sales",
}  # fmt: skip


def test_what_a_card_brings_is_all_that_came_over_all_cards_spent() -> None:
    totals, slots = totals_of()
    for item, column in BROUGHT.items():
        brought = totals.sums[slots[f"brought_per_card[{item}]"]]
        assert brought[SUM_N] == totals.sums[slots[column]][SUM_N] > 0, item
        assert brought[SUM_D] == totals.sums[slots[f"spent_{item}"]][SUM_N] > 0, item


ODD = ("players=6", "extension=true", "stars_per_player=4", "mvp_draws=3", "start_player=rotates")


@pytest.mark.parametrize("sets", [(), ("players=3", "mvp_tie=stars"), (*ODD, "mvp_tie=shared"), ODD])
def test_exact_and_drawn_mvp_estimates_agree(sets: tuple[str, ...]) -> None:
    """Within 4 standard errors of the drawn one, seat by seat and for the star leader."""
    totals, slots = totals_of(*sets)
    pairs = [("leader_loses", "leader_lost")]
    seats = range(rules_of(*sets).values["players"])
    pairs += [(f"win_rate_by_policy[seat {seat}]", f"drawn_wins_by_policy[seat {seat}]") for seat in seats]
    for exact, drawn in pairs:
        expected, precise = mean_and_error(totals, slots[exact])
        found, error = mean_and_error(totals, slots[drawn])
        assert abs(found - expected) <= 4 * error, exact
        assert precise < error


@pytest.mark.parametrize("sets", [(), ("players=3", "mvp_tie=stars"), (*ODD, "mvp_tie=shared"), ODD])
def test_exact_and_drawn_losses_of_the_leader_agree_at_each_lead(sets: tuple[str, ...]) -> None:
    """Within 4 standard errors, which given the stars are at most those of as many tosses with the mean exact chance.

    Compared are leads with games enough for both to be expected some ten times (twice with JIT off).
    """
    totals, slots = totals_of(*sets)
    enough, compared = 2 if is_disabled() else 10, 0
    for margin in range(21):
        exact, drawn = (slots[f"leader_{word}_by_margin[{margin}]"] for word in ("loses", "lost"))
        games = totals.sums[exact][SUM_D]
        assert games == totals.sums[drawn][SUM_D]
        chance, found = (
            float(totals.sums[slot][SUM_N] / games * totals.layout.metrics[slot].scale) if games else 0.0
            for slot in (exact, drawn)
        )
        if games * chance * (1 - chance) >= enough:
            compared += 1
            assert abs(found - chance) <= 4 * sqrt(chance * (1 - chance) / games), margin
    assert compared >= (1 if is_disabled() else 3)
