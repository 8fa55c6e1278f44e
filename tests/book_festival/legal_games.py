"""Hand-written games by the rules, and ways to change one: what the referee itself is judged by."""

from copy import deepcopy
from typing import Any

from tests.trace_changes import Change, Trace, event, find, opening_of

ANIMALS = ["gorilla", "elephant", "cheetah", "panda", "owl", "penguin"]

RULES: dict[str, Any] = {
    "players": 3,
    "extension": False,
    "books_per_genre": 3,
    "starting_hand": 3,
    "hand_limit": 5,
    "actions_per_turn": 2,
    "main_shelf_slots": 2,
    "end_shelf_cost": 1,
    "end_shelf_slots": 1,
    "end_shelves_max": 1,
    "slot_capacity": 3,
    "stars_per_player": 6,
    "genre_pile_size": 2,
    "genre_bonus_stars": 2,
    "pop_cost_recommended": 1,
    "pop_cost_trial": 1,
    "pop_cost_related": 1,
    "pop_cost_booklet": 1,
    "pop_cost_limited": 1,
    "pop_copies": 1,
    "trial_discard": 1,
    "limited_extra_stars": 1,
    "die_gorilla": [1, 2, 2, 3, 3, 4],
    "die_elephant": [1, 1, 2, 2, 3, 3],
    "die_cheetah": [2, 2, 3, 3, 5, 5],
    "die_panda": [1, 2, 3, 3, 4, 5],
    "die_owl": [2, 2, 3, 3, 4, 4],
    "die_penguin": [1, 1, 2, 3, 4, 5],
    "die_camel": [1, 2, 3, 4, 5, 6],
    "die_chameleon": [2, 3, 3, 4, 4, 5],
    "chameleon_limit": 4,
    "mvp_draws": 3,
    "max_rounds": 5,
    "animals": "random",
    "start_player": "fixed",
    "end_bonus_needs_main": True,
    "empty_slots_count": True,
    "camel_adjacent": "one",
    "chameleon_skip": "pass_over",
    "recommended_chain": False,
    "limited_per": "book",
    "mvp_tie": "redraw",
    "extra_stars_from": "supply",
    "trial_needs_books": True,
    "camel_at": "stop",
    "chameleon_counts": "slot",
    "retrieve_from": "slot",
    "slot_genres": "one",
    "end_shelf_side": "right",
    "cleared_piles": "discards",
}


def opening(rules: dict[str, Any]) -> dict[str, Any]:
    return opening_of("book_festival", rules)


def draw(seat: int, genre: str | None, why: str = "action") -> dict[str, Any]:
    return event("draw", seat=seat, genre=genre, why=why)


def place(seat: int, genre: str, count: int, slot: int) -> dict[str, Any]:
    return event("place", seat=seat, genre=genre, count=count, slot=slot)


def retrieve(seat: int, genre: str, count: int, slot: int) -> dict[str, Any]:
    return event("retrieve", seat=seat, genre=genre, count=count, slot=slot)


def buy(seat: int, item: str, slot: int | None = None, **discards: int) -> dict[str, Any]:
    return event("buy", seat=seat, item=item, slot=slot, discards=discards)


def rest(seat: int) -> dict[str, Any]:
    return event("pass", seat=seat)


def roll(*dice: int) -> dict[str, Any]:
    return event("roll", dice=list(dice))


def move(seat: int, owner: int, slot: int) -> dict[str, Any]:
    return event("move", seat=seat, owner=owner, slot=slot)


def trial(seat: int, animal: int, slot: int, **discards: int) -> dict[str, Any]:
    return event("trial", seat=seat, animal=animal, slot=slot, discards=discards)


def sale(
    owner: int,
    slot: int,
    genre: str,
    buyer: int,
    cause: str,
    gave: tuple[int, int, int] = (1, 0, 0),
    pile: str = "",
    cleared: bool = False,
) -> dict[str, Any]:
    return event(
        "sale",
        owner=owner,
        slot=slot,
        genre=genre,
        buyer=buyer,
        cause=cause,
        pile=pile or genre,
        star=gave[0],
        limited=gave[1],
        bonus=gave[2],
        pile_cleared=cleared,
    )


def base_game() -> Trace:
    """Four rounds: places, POPs, an end shelf, a trial, cleared piles, a refill, a short supply, a redraw."""
    return deepcopy(
        [
            opening(RULES),
            event(
                "setup",
                deck=[
                    "comedy",
                    "sports",
                    "mystery",
                    "mystery",
                    "picture",
                    "cooking",
                    "mystery",
                    "picture",
                    "picture",
                ],
                hands=[{"comedy": 2, "business": 1}, {"business": 2, "sports": 1}, {"sports": 1, "cooking": 2}],
                animals=["gorilla", "elephant", "cheetah"],
                start_player=0,
            ),
            event("round", round=1),
            place(0, "comedy", 2, 0),
            place(0, "business", 1, 1),
            buy(1, "trial", 0, sports=1),
            place(1, "business", 1, 0),
            place(2, "cooking", 2, 1),
            draw(2, "comedy"),
            roll(2, 2, 3),
            move(0, 1, 0),  # the last step onto a Trial Read is no passing
            sale(1, 0, "business", 0, "single"),
            move(1, 2, 0),
            move(2, 0, 1),
            sale(0, 1, "business", 2, "single", (1, 0, 2), cleared=True),
            event("round", round=2),
            draw(0, "sports"),
            draw(0, "mystery"),
            place(1, "business", 1, 0),
            draw(1, "mystery"),
            place(2, "sports", 1, 0),
            buy(2, "end_shelf", comedy=1),
            roll(3, 3, 5),
            move(0, 2, 1),
            sale(2, 1, "cooking", 0, "single"),
            move(1, 0, 0),  # over the end shelf
            sale(0, 0, "comedy", 1, "single"),
            trial(1, 2, 0, mystery=1),
            move(2, 1, 0),
            sale(1, 0, "business", 2, "single"),
            event("round", round=3),
            place(0, "mystery", 1, 1),
            buy(0, "limited", 0, sports=1),
            draw(1, "picture"),
            rest(1),
            draw(2, "cooking", "bonus"),
            place(2, "cooking", 1, 2),
            draw(2, "mystery"),
            roll(3, 1, 2),
            move(0, 0, 1),
            sale(0, 1, "mystery", 0, "single"),
            move(1, 0, 1),
            move(2, 2, 0),
            sale(2, 0, "sports", 2, "favourite"),
            event("round", round=4),
            draw(0, "picture"),
            place(0, "picture", 1, 1),
            buy(1, "related", 1, picture=1),
            draw(1, "picture"),
            retrieve(2, "cooking", 1, 1),
            event("shuffle", deck=["business", "sports", "comedy", "sports", "mystery", "business", "picture"]),
            draw(2, "business"),
            roll(4, 1, 3),
            move(0, 2, 1),
            move(1, 1, 0),
            move(2, 0, 0),
            sale(0, 0, "comedy", 2, "single", cleared=True),  # the last star; none for Limited, none as bonus
            event("mvp", stars=[6, 2, 2], drawn=[1, 0, 2, 0], chances=[17 / 21, 2 / 21, 2 / 21], win_share=[1, 0, 0]),
            event(
                "end",
                stars=[6, 2, 2],
                supply=[0, 4, 4],
                hands=[{}, {"picture": 1}, {"mystery": 1, "cooking": 1, "business": 1}],
                booths=[
                    [[None, 0, "limited"], ["picture", 1, None]],
                    [[None, 0, "trial"], [None, 0, "related"]],
                    [[None, 0, None], [None, 0, None], ["cooking", 1, None]],
                ],
                piles={genre: {genre: 1} for genre in ("business", "cooking", "mystery", "sports")},
                discards={"comedy": 2},
                rounds=4,
                stalled=False,
            ),
        ]
    )


EXTENSION_RULES = RULES | {
    "players": 4,
    "extension": True,
    "books_per_genre": 5,
    "starting_hand": 6,
    "hand_limit": 0,
    "actions_per_turn": 3,
    "main_shelf_slots": 3,
    "slot_capacity": 0,
    "stars_per_player": 8,
    "genre_pile_size": 3,
    "mvp_draws": 1,
    "animals": ["camel", "chameleon", "owl", "penguin"],
    "start_player": "rotates",
    "limited_per": "sale",
    "mvp_tie": "stars",
}


def extension_game() -> Trace:
    """Two rounds, a rotating start: camel, chameleon, Recommended, Related, a booklet, Limited once a sale."""
    return deepcopy(
        [
            opening(EXTENSION_RULES),
            event(
                "setup",
                deck=["comedy", "picture", "picture", "sports", "sports", "business"],
                hands=[
                    {"comedy": 4, "mystery": 2},
                    {"cooking": 5, "picture": 1},
                    {"mystery": 3, "sports": 3},
                    {"business": 4, "picture": 2},
                ],
                animals=["camel", "chameleon", "owl", "penguin"],
                start_player=0,
            ),
            event("round", round=1),
            place(0, "comedy", 2, 1),
            place(0, "comedy", 1, 0),
            place(0, "comedy", 1, 2),
            place(1, "cooking", 4, 0),
            buy(1, "recommended", 1, picture=1),
            place(1, "cooking", 1, 1),
            place(2, "mystery", 3, 0),
            buy(2, "limited", 0, sports=1),
            place(2, "sports", 1, 1),
            buy(3, "booklet", 2, picture=1),
            place(3, "business", 2, 0),
            buy(3, "related", 1, business=1),
            roll(1, 3, 3, 4),
            move(0, 0, 1),
            sale(0, 1, "comedy", 0, "single"),
            sale(0, 0, "comedy", 0, "camel"),
            sale(0, 2, "comedy", 0, "camel", (1, 0, 2), cleared=True),
            move(1, 2, 0),
            sale(2, 0, "mystery", 1, "chameleon", (1, 1, 0)),
            sale(2, 0, "mystery", 1, "chameleon"),
            sale(2, 0, "mystery", 1, "chameleon", (1, 0, 2), cleared=True),
            move(2, 3, 0),
            sale(3, 0, "business", 2, "single"),
            move(3, 0, 1),
            sale(0, 1, "comedy", 3, "single"),
            event("round", round=2),
            draw(1, "comedy"),
            place(1, "comedy", 1, 2),
            draw(1, "picture"),
            retrieve(2, "sports", 1, 1),
            place(2, "sports", 2, 0),
            rest(2),
            draw(3, "picture", "booklet"),
            place(3, "picture", 2, 1),
            rest(3),
            rest(3),
            place(0, "mystery", 1, 0),
            buy(0, "end_shelf", mystery=1),
            rest(0),
            roll(6, 4, 3, 4),
            move(1, 3, 1),
            sale(3, 1, "picture", 1, "chameleon", pile="business"),
            sale(3, 1, "picture", 1, "chameleon", (1, 0, 2), pile="business", cleared=True),
            move(2, 0, 0),
            sale(0, 0, "mystery", 2, "favourite"),
            move(3, 1, 1),
            sale(1, 1, "cooking", 3, "single"),
            sale(1, 0, "cooking", 3, "recommended"),
            sale(1, 0, "cooking", 3, "recommended", (1, 0, 2), cleared=True),
            sale(1, 0, "cooking", 3, "recommended"),
            sale(1, 0, "cooking", 3, "recommended"),
            move(0, 2, 0),
            sale(2, 0, "sports", 0, "single", (1, 1, 0)),
            event(
                "mvp",
                stars=[7, 7, 8, 5],
                drawn=[2],
                chances=[7 / 27, 7 / 27, 8 / 27, 5 / 27],
                win_share=[0, 0, 1, 0],
            ),
            event(
                "end",
                stars=[7, 7, 8, 5],
                supply=[1, 1, 0, 3],
                hands=[{}, {"picture": 1}, {}, {"business": 1}],
                booths=[
                    [[None, 0, None]] * 4,
                    [[None, 0, None], [None, 0, "recommended"], ["comedy", 1, None]],
                    [["sports", 1, "limited"], [None, 0, None], [None, 0, None]],
                    [["business", 1, None], [None, 0, "related"], [None, 0, "booklet"]],
                ],
                piles={
                    "comedy": {"comedy": 1},
                    "business": {},
                    "sports": {"sports": 1},
                    "cooking": {"cooking": 2},
                    "mystery": {"mystery": 1},
                    "picture": {},
                },
                discards={"comedy": 3, "business": 2, "sports": 1, "cooking": 3, "mystery": 4, "picture": 4},
                rounds=2,
                stalled=False,
            ),
        ]
    )


IDLE_RULES = RULES | {
    "books_per_genre": 2,
    "hand_limit": 3,
    "main_shelf_slots": 1,
    "end_shelf_cost": 0,
    "pop_cost_booklet": 0,
    "die_gorilla": [0] * 6,
    "die_elephant": [0] * 6,
    "die_cheetah": [0] * 6,
    "max_rounds": 3,
}


def idle_game() -> Trace:
    """Nothing is sold, since no animal moves; free cards lapse with a full hand or find nothing left."""
    stay = [roll(0, 0, 0), *(move(seat, seat, 0) for seat in range(3))]
    return deepcopy(
        [
            opening(IDLE_RULES),
            event(
                "setup",
                deck=["mystery", "picture", "picture"],
                hands=[{"comedy": 2, "business": 1}, {"business": 1, "sports": 2}, {"cooking": 2, "mystery": 1}],
                animals=["gorilla", "elephant", "cheetah"],
                start_player=0,
            ),
            event("round", round=1),
            buy(0, "end_shelf"),
            place(0, "comedy", 2, 0),
            buy(1, "booklet", 0),
            rest(1),
            rest(2),
            rest(2),
            *stay,
            event("round", round=2),
            draw(0, "mystery", "bonus"),
            place(0, "business", 1, 1),
            draw(0, "picture"),
            place(1, "sports", 1, 0),  # the booklet's card lapsed
            rest(1),
            rest(2),
            rest(2),
            *stay,
            event("round", round=3),
            draw(0, "picture", "bonus"),  # the end shelf's card lapsed
            rest(0),
            rest(0),
            draw(1, None, "bonus"),
            draw(1, None, "booklet"),
            draw(1, None),
            rest(1),
            rest(2),
            rest(2),
            *stay,
            event("mvp", stars=[0, 0, 0], drawn=[], chances=[1 / 3] * 3, win_share=[1 / 3] * 3),
            event(
                "end",
                stars=[0, 0, 0],
                supply=[6, 6, 6],
                hands=[
                    {"mystery": 1, "picture": 2},
                    {"business": 1, "sports": 1},
                    {"cooking": 2, "mystery": 1},
                ],
                booths=[
                    [["comedy", 2, None], ["business", 1, None]],
                    [["sports", 1, "booklet"]],
                    [[None, 0, None]],
                ],
                piles={},
                discards={},
                rounds=3,
                stalled=True,
            ),
        ]
    )


GAMES = {"base": base_game, "extension": extension_game, "idle": idle_game}


def instead(name: str, nth: int, *entries: dict[str, Any]) -> Change:
    """Other events in place of the nth of a name."""

    def change(trace: Trace) -> None:
        at = next(at for at, entry in enumerate(trace) if entry is find(trace, name, nth))
        trace[at : at + 1] = entries

    return change


def before(name: str, nth: int, entry: dict[str, Any]) -> Change:
    return lambda trace: instead(name, nth, entry, find(trace, name, nth))(trace)


def drop(name: str, nth: int = 0) -> Change:
    return instead(name, nth)


def swap(name: str, first: int, second: int) -> Change:
    def change(trace: Trace) -> None:
        one, other = deepcopy(find(trace, name, first)), deepcopy(find(trace, name, second))
        find(trace, name, first).update(other)
        find(trace, name, second).update(one)

    return change
