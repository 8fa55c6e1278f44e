"""Every number of a game's row of outcomes, counted again from the game's events alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sim.book_festival.lottery import exact_chances, first_chances
from sim.book_festival.state import ANIMALS, CAUSES, GENRES, ITEMS
from tests.book_festival.script import random_batch
from tests.games.rows import differing, is_blank, outcomes_of
from tests.games.stage import Event, of
from tests.games.standing import told, whole

VARIANTS = [
    "",
    "players=3 mvp_tie=stars mvp_draws=2 stars_per_player=6",
    "players=6 extension=true pop_cost_trial=0 pop_cost_booklet=0 pop_copies=6 trial_discard=1",
    "players=5 mvp_tie=shared mvp_draws=3 genre_pile_size=2 limited_extra_stars=3 pop_cost_related=0 max_rounds=9",
    "players=4 books_per_genre=2 starting_hand=1 max_rounds=6 actions_per_turn=1",
]
ACTIONS = ("pass", "place", "buy", "retrieve", "draw")
PLAIN = ("own_sales", "bought_books", "piles", "placed", "trials", "trial_sales", "related_bonus", "shelf_sales")
WHOLE, WEIGHT = 1 << 24, 1 << 12
GAMES = 20


class Ledger:
    """What an accountant writes down who reads the events of a game in order."""

    def __init__(self, values: dict[str, Any], events: list[Event]) -> None:
        self.values, self.events = values, events
        self.seats = range(values["players"])
        self.setup, self.mvp = of(events, "setup")[0], of(events, "mvp")[0]
        self.stars = [0] * len(self.seats)
        self.hands = [sum(hand.values()) for hand in self.setup["hands"]]
        self.counts = [Counter[tuple[str, object]]() for _ in self.seats]
        self.piles = Counter[str]()
        self.stopped: int | None = None
        for event in events:
            reader = getattr(self, f"read_{event['event']}", None)
            if reader:
                reader(event)
        chances = exact_chances(self.stars, values["mvp_draws"], values["mvp_tie"])
        self.exact = [float(chance * WHOLE) for chance in chances]

    def add(self, seat: int, name: str, kind: object = None, number: int = 1) -> None:
        self.counts[seat][name, kind] += number

    def read_draw(self, event: Event) -> None:
        if event["why"] == "action":
            self.add(event["seat"], "actions", "draw")
        if event["genre"]:
            self.add(event["seat"], "drawn", event["why"])
            self.hands[event["seat"]] += 1

    def read_place(self, event: Event) -> None:
        self.add(event["seat"], "actions", "place")
        self.add(event["seat"], "placed", number=event["count"])
        self.hands[event["seat"]] -= event["count"]

    def read_retrieve(self, event: Event) -> None:
        self.add(event["seat"], "actions", "retrieve")
        self.hands[event["seat"]] += event["count"]

    def read_buy(self, event: Event) -> None:
        self.add(event["seat"], "actions", "buy")
        self.add(event["seat"], "bought", event["item"])
        self.add(event["seat"], "spent", event["item"], sum(event["discards"].values()))
        self.hands[event["seat"]] -= sum(event["discards"].values())

    def read_pass(self, event: Event) -> None:
        self.add(event["seat"], "actions", "pass")

    def read_trial(self, event: Event) -> None:
        self.stopped = event["animal"]
        self.add(event["seat"], "trials")
        self.add(event["seat"], "spent", "trial", sum(event["discards"].values()))
        self.hands[event["seat"]] -= sum(event["discards"].values())

    def read_move(self, event: Event) -> None:
        if event["seat"] != self.stopped:
            self.stopped = None

    def read_sale(self, event: Event) -> None:
        owner, buyer = event["owner"], event["buyer"]
        self.add(owner, "sales", event["cause"])
        for kind in ("star", "limited", "bonus"):
            self.add(owner, "stars_by", kind, event[kind])
            self.stars[owner] += event[kind]
        self.add(owner, "trial_sales", number=int(buyer == self.stopped))
        self.add(owner, "related_bonus", number=event["bonus"] if event["pile"] != event["genre"] else 0)
        self.add(owner, "own_sales", number=int(owner == buyer))
        self.add(owner, "shelf_sales", number=int(event["slot"] >= self.values["main_shelf_slots"]))
        self.add(buyer, "bought_books")
        self.add(owner, "piles", number=int(event["pile_cleared"]))
        self.piles[event["pile"]] += event["pile_cleared"]

    # The row.

    def leaders(self) -> list[int]:
        return [seat for seat in self.seats if self.stars[seat] == max(self.stars)]

    def wins(self) -> list[int]:
        return [round(60 * share) for share in self.mvp["win_share"]]

    def first_units(self, among: list[int], draws: int) -> int:
        """The chance that any of these seats is first after the draws, in the row's units."""
        chances = first_chances(self.stars, draws)
        return round(WHOLE * sum(chance for (first, _), chance in chances.items() if set(first) & set(among)))

    def game_row(self, units: list[int]) -> dict[str, Any]:
        """`units` are the seats' chances as the row has them: they are checked on their own."""
        best, second = sorted(self.stars, reverse=True)[:2]
        leaders = self.leaders()
        last = [seat for seat in self.seats if self.stars[seat] == min(self.stars)]
        draws = min(self.values["mvp_draws"], sum(self.stars))
        if self.values["mvp_tie"] == "shared":  # a leader and a last one may be MVP together
            wins, last_wins = (self.first_units(among, draws) for among in (leaders, last))
        else:
            wins, last_wins = (sum(units[seat] for seat in among) for among in (leaders, last))
        loses = WHOLE - wins
        drawn = Counter(dict.fromkeys(self.seats, 0))
        drawn.update(self.mvp["drawn"][:draws])
        empty = [stars == self.values["stars_per_player"] for stars in self.stars]
        return {
            "lasted": len(of(self.events, "round")),
            "stalled": not any(empty),
            "ran_out": sum(empty),
            "bag": sum(self.stars),
            "leaders": len(leaders),
            "leader_margin": best - second,
            "unique_leader": len(leaders) == 1,
            "leader_loses": loses,
            "unique_leader_loses": loses if len(leaders) == 1 else 0,
            "leader_lost": 0 if any(self.wins()[seat] for seat in leaders) else 60,
            "last_wins": last_wins,
            "tied_draw": list(drawn.values()).count(max(drawn.values())) > 1,
            "redrawn": len(self.mvp["drawn"]) - draws,
            "piles": [self.piles[genre] for genre in GENRES],
        }

    def share(self, seat: int) -> int:
        """The seat's part of the bag, of an empty one an equal part, so rounded that all parts add up."""
        stars = self.stars if sum(self.stars) else [1] * len(self.stars)
        before = [WHOLE * sum(stars[:count]) // sum(stars) for count in (seat, seat + 1)]
        return before[1] - before[0]

    def seat_row(self, seat: int, units: int) -> dict[str, Any]:
        count = self.counts[seat]
        return {
            "animal": ANIMALS.index(self.setup["animals"][seat]),
            "chance": units,
            "weight": (2 * units * WEIGHT + WHOLE) // (2 * WHOLE),
            "win": self.wins()[seat],
            "stars": self.stars[seat],
            "rank": 1 + sum(stars > self.stars[seat] for stars in self.stars),
            "share": self.share(seat),
            "sales": [count["sales", cause] for cause in CAUSES],
            "stars_by": [count["stars_by", kind] for kind in ("star", "limited", "bonus")],
            "actions": [count["actions", action] for action in ACTIONS],
            "drawn": [count["drawn", why] for why in ("bonus", "booklet", "action")],
            "bought": [count["bought", item] for item in ITEMS],
            "spent": [count["spent", item] for item in ITEMS],
            "hand_left": self.hands[seat],
            "is_empty": self.stars[seat] == self.values["stars_per_player"],
            **{name: count[name, None] for name in PLAIN},
        }


@pytest.mark.parametrize("sets", VARIANTS)
def test_every_column_is_what_the_events_say(sets: str) -> None:
    batch = random_batch(*sets.split())
    for index in range(GAMES):
        call = whole(batch, index)
        ledger, row = Ledger(batch.rules.values, told(call)), call.row[0]
        units = [int(row["seats"][seat]["chance"]) for seat in ledger.seats]
        assert sum(units) == WHOLE
        assert units == pytest.approx(ledger.exact, abs=1)
        assert differing(row, ledger.game_row(units)) == []
        for seat in ledger.seats:
            assert differing(row["seats"][seat], ledger.seat_row(seat, units[seat])) == [], (index, seat)
        assert is_blank(row["seats"][len(ledger.seats) :])


def test_no_column_is_left_unread() -> None:
    """The row has no outcome that the test above does not count again (which policy sits where is the batch's)."""
    batch = random_batch()
    call = whole(batch, 0)
    ledger, row = Ledger(batch.rules.values, told(call)), call.row.dtype
    parts = [
        (row, {*ledger.game_row([0] * 4), "seats", "rounds"}),
        (row["seats"].base, {*ledger.seat_row(0, 0), "policy"}),
        (row["rounds"].base, set()),
    ]
    for record, counted in parts:
        assert outcomes_of(record) == counted


def test_the_rare_outcomes_occur_in_what_is_compared() -> None:
    rows = [whole(random_batch(*sets.split()), index).row[0] for sets in VARIANTS for index in range(GAMES)]
    for name in ("stalled", "tied_draw", "redrawn", "unique_leader_loses", "leader_lost", "last_wins"):
        assert any(row[name] for row in rows), name
        assert not all(row[name] for row in rows), name
    for name in ("own_sales", "piles", "trials", "trial_sales", "related_bonus", "shelf_sales"):
        assert any(row["seats"][name].any() for row in rows), name
    for name in ("sales", "stars_by", "actions", "drawn", "bought", "spent"):
        assert all(sum(row["seats"][name].sum(axis=0) for row in rows)), name
    assert any(row["leaders"] > 1 for row in rows)
    assert any(row["ran_out"] > 1 for row in rows)
