"""The referee is judged first: it must pass games played by the rules and name the rule when one is broken."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from tests.book_festival.legal_games import (
    ANIMALS,
    GAMES,
    IDLE_RULES,
    base_game,
    before,
    buy,
    draw,
    drop,
    instead,
    move,
    opening,
    place,
    rest,
    retrieve,
    roll,
    sale,
    swap,
    trial,
)
from tests.book_festival.referee import Foul, judge
from tests.trace_changes import Change, Trace, both, drop_key, drop_rule, event, find, rule, say


def shelf_game(slots: list[int], free: int, **rules: Any) -> Trace:
    """Seat 0 places 3 books on each of these slots in round 1 and draws so many free cards in round 2; no more."""
    rules = IDLE_RULES | {"books_per_genre": 5, "starting_hand": 3 * len(slots), "hand_limit": 0} | rules
    players, dealt = rules["players"], rules["starting_hand"]
    genres = ["comedy", "business", "sports", "cooking", "mystery", "picture"]
    deck = [genre for genre in genres for _ in range(2 if genre in genres[: len(slots)] else 5)]
    hands = [dict.fromkeys(genres[: len(slots)], 3)]
    for start in range(0, dealt * (players - 1), dealt):
        cards = deck[start : start + dealt]
        hands.append({genre: cards.count(genre) for genre in genres})
    del deck[: dealt * (players - 1)]
    rules |= {f"die_{animal}": [0] * 6 for animal in ANIMALS} | {"max_rounds": 2}
    rules["actions_per_turn"] = 2 + len(slots)
    idle = [rest(seat) for seat in range(1, players) for _ in range(2 + len(slots))]
    stay = [roll(*[0] * players), *(move(seat, seat, 0) for seat in range(players))]
    drawn = deck[:free]
    ends = [{genre: drawn.count(genre) for genre in set(drawn)}, *hands[1:]]
    booth: list[list[Any]] = [[None, 0, None], [None, 0, None], [None, 0, None]]
    for genre, slot in zip(genres, slots, strict=False):
        booth[slot] = [genre, 3, None]
    return deepcopy(
        [
            opening(rules),
            event("setup", deck=deck, hands=hands, animals=ANIMALS[:players], start_player=0),
            event("round", round=1),
            buy(0, "end_shelf"),
            buy(0, "end_shelf"),
            *(place(0, genre, 3, slot) for genre, slot in zip(genres, slots, strict=False)),
            *idle,
            *stay,
            event("round", round=2),
            *(draw(0, genre, "bonus") for genre in drawn),
            *[rest(0)] * (2 + len(slots)),
            *idle,
            *stay,
            event(
                "mvp",
                stars=[0] * players,
                drawn=[],
                chances=[1 / players] * players,
                win_share=[1 / players] * players,
            ),
            event(
                "end",
                stars=[0] * players,
                supply=[6] * players,
                hands=ends,
                booths=[booth, *[[[None, 0, None]]] * (players - 1)],
                piles={},
                discards={},
                rounds=2,
                stalled=True,
            ),
        ]
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_the_rules_passes(game: str) -> None:
    judge(GAMES[game]())


def test_cards_told_with_zeros_or_without_are_the_same() -> None:
    trace = base_game()
    find(trace, "setup")["hands"][0]["owl"] = 0
    with pytest.raises(Foul, match="`hands` is required and holds cards by genre"):
        judge(trace)
    trace = base_game()
    find(trace, "setup")["hands"][0]["picture"] = 0
    find(trace, "buy")["discards"]["comedy"] = 0
    find(trace, "end")["discards"]["picture"] = 0
    find(trace, "end")["piles"]["picture"] = {"picture": 0}
    judge(trace)


TWO_ENDS = {"end_shelves_max": 2, "players": 3}


@pytest.mark.parametrize(
    ("slots", "free", "free_without_main"), [([0], 1, 1), ([1], 0, 1), ([0, 2], 2, 2), ([1, 2], 0, 2)]
)
def test_each_filled_end_shelf_gives_a_card_if_the_main_shelf_is_filled(
    slots: list[int], free: int, free_without_main: int
) -> None:
    for needs_main, due in ((True, free), (False, free_without_main)):
        for told in range(4):
            trace = shelf_game(slots, told, end_bonus_needs_main=needs_main, **TWO_ENDS)
            if told == due:
                judge(trace)
                continue
            with pytest.raises(Foul, match="free cards come first"):
                judge(trace)


def test_an_end_shelf_of_two_slots_is_filled_when_both_are() -> None:
    shelves = {"main_shelf_slots": 1, "end_shelf_slots": 2, "end_shelves_max": 1}
    for slots, free in (([0, 1], 1), ([0, 2], 1), ([0, 1, 2], 2)):
        trace = shelf_game(slots, free, **shelves)
        trace[4] = rest(0)  # the one end shelf has both slots
        judge(trace)


def test_six_seats_have_the_six_animals_and_a_slot_as_many_books_as_it_may() -> None:
    judge(shelf_game([0], 1, players=6, slot_capacity=3, end_shelves_max=2, starting_hand=3))


# What the rules determine is checked.


BROKEN: dict[str, tuple[str, Change, str]] = {
    # The game and its setup
    "another game": ("base", say("game", game="debrium"), "judges Book Festival only"),
    "another version": ("base", say("game", rules_version=3), "one version of the rules"),
    "a player too many": ("base", say("game", players=4), "the players are those of the rules"),
    "a policy missing": ("base", say("game", policies=["by hand"]), "every seat has a policy"),
    "a rule missing": ("base", drop_rule("limited_per"), "`limited_per` is required"),
    "a flag as a word": ("base", rule(extension="no"), "`extension` is required and holds true or false"),
    "a die of five faces": ("base", rule(die_owl=[1, 2, 3, 4, 5]), "`die_owl` is required and holds six faces"),
    "an unknown tie rule": ("base", rule(mvp_tie="order"), "redraw, stars or shared"),
    "a hand missing": (
        "base",
        say("setup", hands=[{"comedy": 2, "business": 1}, {"business": 2, "sports": 1}]),
        "every seat has a hand",
    ),
    "a card too many dealt": ("base", rule(starting_hand=2), "`starting_hand` cards are dealt"),
    "a card not in the deck": ("base", say("setup", deck=["comedy"] * 9), "`books_per_genre` cards of each genre"),
    "a card short": ("base", rule(books_per_genre=4), "`books_per_genre` cards of each genre"),
    "an unknown genre": ("base", say("setup", deck=["poetry"] * 9), "`deck` is required and holds genres"),
    "another start": ("base", say("setup", start_player=1), "seat 0 is the start player"),
    "an animal twice": ("base", say("setup", animals=["owl", "owl", "panda"]), "an animal of its own"),
    "an animal missing": ("base", say("setup", animals=["owl", "panda"]), "an animal of its own"),
    "a camel in the base game": ("base", say("setup", animals=["owl", "camel", "panda"]), "only with the extension"),
    "a chameleon in the base game": ("extension", rule(extension=False), "only with the extension"),
    "a wolf": ("base", say("setup", animals=["owl", "wolf", "panda"]), "animals are known"),
    "not the animals listed": ("base", rule(animals=["owl", "panda", "cheetah"]), "`animals` sit as listed"),
    # Free cards
    "no bonus": ("base", drop("draw", 5), "free cards come first"),
    "a bonus for nothing": ("base", before("place", 0, draw(0, "comedy", "bonus")), "free cards come first"),
    "a bonus as an action": ("base", say("draw", 5, why="action"), "free cards come first"),
    "an action as a bonus": ("base", say("draw", 0, why="bonus"), "free cards come first"),
    "the bonus in the middle of a turn": ("base", swap("draw", 5, 6), "free cards come first"),
    "a bonus for an empty end shelf": (
        "base",
        before("place", 7, draw(2, "mystery", "bonus")),
        "free cards come first",
    ),
    "another bonus's seat": ("base", say("draw", 5, seat=1), "in turn order"),
    "no booklet": ("extension", drop("draw", 2), "free cards come first"),
    "a booklet for the bonus": ("extension", say("draw", 2, why="bonus"), "free cards come first"),
    "the booklet before the bonus": ("idle", swap("draw", 3, 4), "free cards come first"),
    "a bonus denied when nothing is left": ("idle", drop("draw", 3), "free cards come first"),
    "a booklet's card with a full hand": (
        "idle",
        before("place", 2, draw(1, "picture", "booklet")),
        "free cards come first",
    ),
    "a second bonus with a full hand": ("idle", before("pass", 6, draw(0, None, "bonus")), "free cards come first"),
    "the limit lifted, no card for the booklet": ("idle", rule(hand_limit=0), "free cards come first"),
    # The deck
    "another card": ("base", say("draw", 0, genre="mystery"), "the deck's next card"),
    "a card from an empty deck": ("idle", say("draw", 5, genre="picture"), "the deck's next card"),
    "nothing from a full deck": ("base", say("draw", 0, genre=None), "the deck's next card"),
    "no refill": ("base", drop("shuffle"), "the deck is refilled if, and only if"),
    "a refill too early": ("base", before("draw", 1, event("shuffle", deck=["sports"])), "refilled if, and only if"),
    "a refill of nothing": ("idle", before("draw", 5, event("shuffle", deck=[])), "refilled if, and only if"),
    "a refill nobody wants": (
        "base",
        before("mvp", 0, event("shuffle", deck=["comedy", "comedy"])),
        "the game ends with the round",
    ),
    "a card hidden in the refill": (
        "base",
        say("shuffle", deck=["business", "comedy", "sports", "mystery", "business", "picture"]),
        "exactly the discards",
    ),
    "a card slipped into the refill": (
        "base",
        say("shuffle", deck=["business", "sports", "comedy", "sports", "mystery", "business", "comedy"]),
        "exactly the discards",
    ),
    # Actions
    "an action too few": ("base", drop("pass"), "turn order"),
    "an action too many": ("base", before("roll", 0, rest(2)), "all dice are rolled at once when every seat"),
    "another number of actions": ("base", rule(actions_per_turn=1), "turn order"),
    "out of turn": ("base", say("place", 1, seat=1), "turn order"),
    "a fixed start rotates": ("base", rule(start_player="rotates"), "turn order"),
    "a rotating start stays": ("extension", rule(start_player="fixed"), "turn order"),
    "a card not held": ("base", say("place", 0, count=3), "placed cards come from the hand"),
    "no card placed": ("base", say("place", 0, count=0), "one or more cards are placed"),
    "two genres on a slot": ("base", say("place", 1, slot=0), "books of one genre"),
    "an overfull slot": ("base", rule(slot_capacity=1), "at most `slot_capacity` books"),
    "a slot outside the booth": ("base", say("place", 0, slot=2), "a chosen slot is in the booth"),
    "a slot beyond the end shelf": ("base", say("place", 7, slot=3), "a chosen slot is in the booth"),
    "a POP in the air": ("base", say("buy", 0, slot=None), "a POP goes on a slot"),
    "a POP outside the booth": ("base", say("buy", 0, slot=2), "a chosen slot is in the booth"),
    "an unknown item": ("base", say("buy", 0, item="poster"), "a POP or an end shelf is bought"),
    "a POP too cheap": ("base", say("buy", 0, discards={}), "exactly the cost is discarded"),
    "a POP too dear": ("base", rule(pop_cost_trial=0), "exactly the cost is discarded"),
    "paid with another's cards": ("base", say("buy", 0, discards={"comedy": 1}), "exactly the cost is discarded"),
    "an end shelf too cheap": ("base", say("buy", 1, discards={}), "exactly the cost is discarded"),
    "two POPs on a slot": ("base", say("buy", 3, slot=0), "a slot has one POP"),
    "a copy too many": ("base", say("buy", 3, item="trial"), "`pop_copies` POPs of each kind"),
    "no copies at all": ("base", rule(pop_copies=0), "`pop_copies` POPs of each kind"),
    "an end shelf on a slot": ("base", say("buy", 1, slot=1), "goes to the end of the booth"),
    "an end shelf too many": ("base", rule(end_shelves_max=0), "at most `end_shelves_max`"),
    "nothing retrieved": ("base", say("retrieve", count=0), "at least one book is retrieved"),
    "more retrieved than there is": ("base", say("retrieve", count=2), "retrieved books come from the slot"),
    "another genre retrieved": ("base", say("retrieve", genre="mystery"), "retrieved books come from the slot"),
    "retrieved from an empty slot": ("base", say("retrieve", slot=0), "retrieved books come from the slot"),
    "retrieved beyond the limit": (
        "idle",
        instead("pass", 6, retrieve(0, "comedy", 1, 0)),
        "nobody retrieves beyond `hand_limit`",
    ),
    "drawn beyond the limit": ("idle", instead("pass", 1, draw(2, "mystery")), "nobody draws beyond `hand_limit`"),
    "a card refused by an empty deck, beyond the limit": (
        "idle",
        instead("pass", 6, draw(0, None)),
        "nobody draws beyond `hand_limit`",
    ),
    # Moves
    "a die missing": ("base", say("roll", dice=[2, 2]), "every seat rolls its die"),
    "not a face": ("base", say("roll", 1, dice=[3, 3, 1]), "a roll is a face of the cheetah's die"),
    "a step short": ("base", say("move", 0, owner=0, slot=1), "an animal moves its roll, slot by slot"),
    "backwards": ("base", say("move", 2, owner=1, slot=0), "an animal moves its roll, slot by slot"),
    "past the end shelf in one": ("base", say("move", 4, slot=1), "an animal moves its roll, slot by slot"),
    "empty slots as no spaces": ("base", rule(empty_slots_count=False), "moves its roll, slot by slot"),
    "a move out of order": ("base", swap("move", 0, 1), "in start-player order each animal moves"),
    "no move": ("base", drop("move", 1), "in start-player order each animal moves"),
    "an animal that stays moves": ("idle", say("move", 0, slot=1), "an animal moves its roll"),
    "a trial denied": ("base", drop("trial"), "an animal moves its roll"),
    "a trial that does not stop": ("base", say("move", 5, owner=2, slot=2), "unless a Trial Read stops it"),
    "a trial on the last step": (
        "base",
        before("move", 0, trial(1, 0, 0, business=1)),
        "stops an animal that passes, entering with steps left",
    ),
    "a trial elsewhere": ("base", say("trial", slot=1), "only a Trial Read on a slot with books stops"),
    "a trial not passed": ("base", say("trial", seat=0, slot=1), "stops an animal that passes"),
    "a trial without books": (
        "base",
        before("move", 9, trial(1, 0, 0, picture=1)),
        "only a Trial Read on a slot with books stops",
    ),
    "a trial for another animal": ("base", say("trial", animal=1), "stops the animal that is moving"),
    "a trial for nothing": ("base", say("trial", discards={}), "exactly `trial_discard` cards"),
    "a trial too dear": ("base", rule(trial_discard=2), "exactly `trial_discard` cards"),
    "a trial with cards unheld": ("base", say("trial", discards={"comedy": 1}), "exactly `trial_discard` cards"),
    # Sales
    "nothing bought": ("base", drop("sale"), "the stopped slot sells"),
    "a second book": ("base", before("move", 4, sale(2, 1, "cooking", 0, "single")), "nothing more is sold"),
    "a sale without a stop": (
        "idle",
        before("move", 1, sale(0, 0, "comedy", 0, "favourite")),
        "nothing more is sold",
    ),
    "a sale on an empty slot": ("base", before("move", 2, sale(2, 0, "comedy", 1, "single")), "nothing more is sold"),
    "another slot": ("base", say("sale", slot=1), "the stopped slot sells"),
    "another owner": ("base", say("sale", owner=2), "the stopped slot sells"),
    "another buyer": ("base", say("sale", buyer=1), "the stopped slot sells"),
    "another genre": ("base", say("sale", genre="comedy", pile="comedy"), "the stopped slot sells"),
    "a favourite that is none": ("base", say("sale", cause="favourite"), "the stopped slot sells"),
    "a favourite as a single": ("base", say("sale", 6, cause="single"), "the stopped slot sells"),
    "a chameleon sated": ("extension", drop("sale", 5), "the stopped slot sells"),
    "a camel's right before its left": ("extension", swap("sale", 1, 2), "the camel's neighbours"),
    "a camel's own book as a neighbour's": ("extension", say("sale", 0, cause="camel"), "the stopped slot sells"),
    "a camel's neighbour forgotten": ("extension", drop("sale", 1), "the camel's neighbours"),
    "a chameleon buys one": ("extension", say("sale", 3, cause="single"), "the stopped slot sells"),
    "a chameleon too shy": ("extension", rule(chameleon_limit=3), "an animal moves its roll"),
    "a chameleon shy without passing over": (
        "extension",
        both(rule(chameleon_limit=3, chameleon_skip="no_sale")),
        "nothing more is sold",
    ),
    "Recommended forgotten": ("extension", drop("sale", 15), "then Recommended"),
    "Recommended before the sale": ("extension", swap("sale", 11, 12), "the stopped slot sells"),
    "Recommended as a single": ("extension", say("sale", 12, cause="single"), "then Recommended"),
    "filed elsewhere without Related": ("base", say("sale", pile="sports"), "only Related Books files"),
    "filed under no genre": ("extension", say("sale", 8, pile="poetry"), "`pile` is required and holds a genre"),
    # Stars and piles
    "no star": ("base", say("sale", star=0), "a book sold gives one star"),
    "a star the supply lacks": (
        "extension",
        both(rule(stars_per_player=3, genre_bonus_stars=0), say("sale", 2, bonus=0)),
        "a book sold gives one star, as far as the supply has them",
    ),
    "Limited without the POP": ("base", say("sale", limited=1), "a Limited Edition gives its stars"),
    "Limited from an empty supply": ("base", say("sale", 7, limited=1), "as far as the supply has them"),
    "Limited forgotten": ("extension", say("sale", 3, limited=0), "a Limited Edition gives its stars"),
    "Limited for every book": ("extension", rule(limited_per="book"), "see `limited_per`"),
    "Limited with the second book": (
        "extension",
        both(say("sale", 3, limited=0), say("sale", 4, limited=1)),
        "a Limited Edition gives its stars",
    ),
    "another Limited": ("extension", rule(limited_extra_stars=2), "a Limited Edition gives its stars"),
    "no bonus for a pile": ("base", say("sale", 1, bonus=0), "the owner of the book that completes a pile"),
    "a bonus too early": ("base", say("sale", 0, bonus=2), "the owner of the book that completes a pile"),
    "a bonus beyond the supply": ("base", say("sale", 7, bonus=2), "as far as the supply has them"),
    "a pile not cleared": ("base", say("sale", 1, pile_cleared=False), "reaches `genre_pile_size`"),
    "a pile cleared early": ("base", say("sale", 0, pile_cleared=True), "reaches `genre_pile_size`"),
    "another size of piles": ("base", rule(genre_pile_size=3), "reaches `genre_pile_size`"),
    # The end
    "a round too many": ("base", before("mvp", 0, event("round", round=5)), "the game ends with the round"),
    "an early end": ("base", rule(stars_per_player=4), "the game ends with the round"),
    "a bonus cut short for nothing": (
        "base",
        both(rule(stars_per_player=9), say("sale", 7, limited=1, bonus=1)),
        "the owner of the book that completes a pile",
    ),
    "no end at max_rounds": ("idle", rule(max_rounds=2), "or with `max_rounds`"),
    "an end before max_rounds": ("idle", rule(max_rounds=4), "the game lasts until the round"),
    "a round miscounted": ("base", say("round", 1, round=3), "rounds are counted from 1"),
    "stars too many in the bag": ("base", say("mvp", stars=[6, 2, 3]), "the bag holds the stars"),
    "a chip not in the bag": ("base", say("mvp", drawn=[1, 1, 1]), "chips come out of the bag"),
    "a draw short": ("base", say("mvp", drawn=[0, 0]), "`mvp_draws` chips are drawn"),
    "a draw too many": ("base", say("mvp", drawn=[0, 0, 1, 0]), "only a tie is drawn on"),
    "a tie left as it is": ("base", say("mvp", drawn=[0, 1, 2]), "a tie is drawn on until"),
    "a tie drawn on too far": ("base", say("mvp", drawn=[0, 1, 2, 0, 0]), "a tie is drawn on until"),
    "a redraw without the rule": ("base", rule(mvp_tie="shared"), "only a tie is drawn on"),
    "another MVP": ("base", say("mvp", win_share=[0, 1, 0]), "the colour drawn most is the MVP"),
    "a redraw's MVP ignored": ("base", say("mvp", win_share=[1 / 3] * 3), "the colour drawn most is the MVP"),
    "an empty bag won": ("idle", say("mvp", win_share=[1, 0, 0]), "the colour drawn most is the MVP"),
    "chances not exact": (
        "base",
        say("mvp", chances=[17 / 21 + 2e-6, 2 / 21 - 1e-6, 2 / 21 - 1e-6]),
        "the lottery's exact chances",
    ),
    "chances of one draw": ("base", say("mvp", chances=[0.6, 0.2, 0.2]), "the lottery's exact chances"),
    "a chance missing": ("idle", say("mvp", chances=[1 / 3] * 2), "the lottery's exact chances"),
    "no number for a chance": ("idle", say("mvp", chances=[1 / 3, float("nan"), 1 / 3]), "exact chances"),
    "a book made": ("base", say("end", discards={"comedy": 3}), "the comedy books keep their number"),
    "a book lost": ("base", say("end", hands=[{}, {}, {}]), "books keep their number"),
    "a star made": ("base", say("end", supply=[1, 4, 4]), "supply and stars of each seat keep their sum"),
    "another's stars": ("base", say("end", stars=[5, 2, 2], supply=[1, 4, 4]), "stars sent count at the end"),
    "another's hand": (
        "base",
        say("end", hands=[{"picture": 1}, {}, {"mystery": 1, "cooking": 1, "business": 1}]),
        "hands are what is left",
    ),
    "another pile": (
        "base",
        say("end", piles={"sports": dict.fromkeys(("business", "cooking", "mystery", "sports"), 1)}),
        "piles are as filed",
    ),
    "a cleared pile kept": (
        "base",
        say(
            "end",
            piles={genre: {genre: 1} for genre in ("business", "cooking", "mystery", "sports")}
            | {"comedy": {"comedy": 2}},
            discards={},
        ),
        "piles are as filed",
    ),
    "a POP moved": (
        "idle",
        say(
            "end",
            booths=[[["comedy", 2, "booklet"], ["business", 1, None]], [["sports", 1, None]], [[None, 0, None]]],
        ),
        "booths are as played",
    ),
    "rounds miscounted": ("base", say("end", rounds=3), "rounds are counted"),
    "stalled with an empty supply": ("base", say("end", stalled=True), "a game stalls when `max_rounds`"),
    "not stalled": ("idle", say("end", stalled=False), "a game stalls when `max_rounds`"),
    "an empty supply in the last round": (
        "base",
        both(rule(max_rounds=4), say("end", stalled=True)),
        "a game stalls",
    ),
    "something after the end": ("base", lambda trace: trace.append(rest(0)), "nothing follows the end"),
    "no end": ("base", drop("end"), "next comes end"),
    # The form of the trace
    "a key missing": ("base", drop_key("sale", "bonus"), "`bonus` is required"),
    "a flag for a number": ("base", say("sale", star=True), "`star` is required and holds a count"),
    "a number for a flag": ("base", say("sale", pile_cleared=0), "`pile_cleared` is required"),
    "a slot without a number": ("base", say("place", slot=None), "`slot` is required and holds a count"),
    "a slot told short": ("idle", say("end", booths=[[["comedy", 2]], [], []]), "holds slots by seat"),
    "a slot of no genre": ("idle", say("end", booths=[[["poetry", 2, None]], [], []]), "holds slots by seat"),
    "a slot told as a number": ("idle", say("end", booths=[[3], [], []]), "holds slots by seat"),
    "an unknown event": ("base", before("roll", 0, event("nap")), "all dice are rolled at once"),
    "no setup": ("base", drop("setup"), "events come in order of play: next comes setup"),
    "nothing at all": ("base", lambda trace: trace.clear(), "next comes game"),
}


@pytest.mark.parametrize(("game", "change", "broken"), BROKEN.values(), ids=BROKEN)
def test_a_broken_rule_is_named(game: str, change: Change, broken: str) -> None:
    trace = GAMES[game]()
    change(trace)
    with pytest.raises(Foul, match=broken):
        judge(trace)


def test_a_foul_names_round_and_event() -> None:
    trace = base_game()
    find(trace, "sale", 1)["bonus"] = 1
    with pytest.raises(Foul, match=r"^round 1, event 15 \(sale\): the owner of the book that completes a pile"):
        judge(trace)


def leaves(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every container and key under which a number, flag, text or null stands."""
    for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
        if isinstance(value, (dict, list)):
            yield from leaves(value)
        else:
            yield node, key


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("step", [1, -1])
def test_nothing_told_after_the_opening_is_free(game: str, step: int) -> None:
    """Change any single word of the play, and it is no longer a game by the rules."""
    trace = GAMES[game]()
    for entry in trace[1:]:
        for node, key in leaves(entry):
            truth = node[key]
            if isinstance(truth, bool):
                node[key] = not truth
            else:
                node[key] = truth + step if isinstance(truth, int | float) else f"not {truth}"
            with pytest.raises(Foul):
                judge(trace)
            node[key] = truth
    judge(trace)


@pytest.mark.parametrize("game", GAMES)
def test_no_event_can_be_dropped_or_told_twice(game: str) -> None:
    for index, entry in enumerate(GAMES[game]()):
        dropped, doubled = GAMES[game](), GAMES[game]()
        del dropped[index]
        doubled.insert(index, entry)
        for trace in (dropped, doubled):
            with pytest.raises(Foul):
                judge(trace)
