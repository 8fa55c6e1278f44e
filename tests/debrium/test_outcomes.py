"""Every number of a game's row of outcomes, counted again from the game's events alone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from sim.debrium.state import COMPANIES
from tests.debrium.script import random_batch
from tests.games.rows import differing, is_blank, outcomes_of
from tests.games.stage import Event, in_round, of
from tests.games.standing import told, whole

VARIANTS = [
    "",
    "players=3 tie=order debt_penalty=[3,1,9]",
    "expansion=true starting_skill_coins=4",
    "expansion=true starting_skill_coins=9 starting_coins=2 mining_king_bonus=40 chips_level_4=14 free_workers=4",
    "chips_level_4=2 debt_penalty=[0] starting_coins=0 players=3 free_workers=0 max_workers=0 hire_cost=[]",
]


class Ledger:
    """What an accountant writes down who reads the events of a game in order."""

    def __init__(self, values: dict[str, Any], events: list[Event]) -> None:
        self.values, self.events = values, events
        self.seats = range(values["players"])
        setup = of(events, "setup")[0]
        self.coins, self.skill_coins = list(setup["coins"]), list(setup["skill_coins"])
        self.points, self.chips, self.cards = ([0] * len(self.seats) for _ in range(3))
        self.order = setup["order"]
        self.counts = [Counter[str]() for _ in self.seats]
        self.rounds: list[dict[str, int]] = []
        self.standings: list[set[int]] = []
        for number in range(1, values["chips_level_4"] + 1):
            self.play_round(in_round(events, number))

    def play_round(self, events: list[Event]) -> None:
        bids, payout, fall = (of(events, name)[0] for name in ("bids", "payout", "fall"))
        self.order = bids["order"]
        self.cards[bids["debt"]] += 1
        offers = [one + other for one, other in zip(bids["coins"], bids["skill_coins"], strict=True)]
        for seat in self.seats:
            count = self.counts[seat]
            self.pay(seat, bids["coins"][seat], bids["skill_coins"][seat])
            count["coins_bid"] += bids["coins"][seat]
            count["skill_coins_bid"] += bids["skill_coins"][seat]
            count[f"bids {min(offers[seat], 8)}"] += 1
            count["times_first"] += seat == self.order[0]
        for event in of(events, "skill"):
            self.pay(event["seat"], -event["taken"], 0)
            self.counts[event["seat"]]["skills"] += 1
            self.counts[event["seat"]]["coins_taken"] += event["taken"]
        for event in of(events, "mine"):
            self.mine(event)
        for seat in payout["takers"]:
            self.pay(seat, -payout["coins_each"], -payout["skill_coins_each"])
            self.counts[seat]["funds"] += 1
            self.counts[seat]["funds_coins"] += payout["coins_each"]
            self.counts[seat]["funds_skill_coins"] += payout["skill_coins_each"]
        for seat, space in fall["lost"]:
            self.counts[seat]["lost_impact" if space == fall["space"] else "lost_burst"] += 1
        for event in of(events, "collect"):
            seat = event["seat"]
            self.points[seat] += event["value"]
            self.chips[seat] += 1
            self.counts[seat][f"chips_level {event['level']}"] += 1
            self.counts[seat]["extra_chips"] += event["extra"]
        self.standings.append(self.winners())
        paid = payout["coins_each"] * len(payout["takers"])
        self.rounds.append(
            {
                "burst_column": fall["burst_column"],
                "burst_row": fall["burst_row"],
                "pool": payout["pool"] + paid,
                "takers": len(payout["takers"]),
                "paid": paid,
                "coins": sum(self.coins),
                "placements": sum(len(event["spaces"]) for event in of(events, "mine")),
                "lost": len(fall["lost"]),
                "last_seat": bids["debt"],
                "first_bid": offers[self.order[0]],
                "first_bid_size": min(offers[self.order[0]], 8),
                "first_points": sum(event["value"] for event in of(events, "collect", seat=self.order[0])),
            }
        )

    def pay(self, seat: int, coins: int, skill_coins: int) -> None:
        self.coins[seat] -= coins
        self.skill_coins[seat] -= skill_coins

    def mine(self, event: Event) -> None:
        count = self.counts[event["seat"]]
        self.pay(event["seat"], event["paid_coins"], event["paid_skill_coins"])
        count["mines"] += 1
        count["idle_mines"] += not event["spaces"]
        count["placements"] += len(event["spaces"])
        count["hired"] += event["hired"]
        count[f"hires {min(event['hired'], 3)}"] += 1
        count["hire_coins"] += event["paid_coins"]
        count["hire_skill_coins"] += event["paid_skill_coins"]

    # Scores of the state so far, as if the game ended now.

    def king(self) -> int | None:
        return max(self.order, key=self.chips.__getitem__) if any(self.chips) else None

    def penalty(self, seat: int) -> int:
        curve = [0, *self.values["debt_penalty"]]
        return curve[min(self.cards[seat], len(curve) - 1)]

    def score(self, seat: int, without: str = "") -> int:
        score = self.points[seat]
        score += 0 if without == "coins" else self.coins[seat] + self.skill_coins[seat]
        score -= 0 if without == "debt" else self.penalty(seat)
        return score + (self.values["mining_king_bonus"] if seat == self.king() and without != "king" else 0)

    def winners(self, without: str = "") -> set[int]:
        scores = {seat: self.score(seat, without) for seat in self.order}
        best = [seat for seat in self.order if scores[seat] == max(scores.values())]
        return set(best[:1] if self.values["tie"] == "order" else best)

    # The row.

    def game_row(self) -> dict[str, int]:
        scores = sorted((self.score(seat) for seat in self.seats), reverse=True)
        chips = sorted(self.chips, reverse=True)
        is_king = self.king() is not None
        lasts = [entry["last_seat"] for entry in self.rounds]
        turns = [now != before for before, now in pairwise(self.standings)]
        payout = of(self.events, "payout")[-1]
        return {
            "bursts_column": sum(entry["burst_column"] for entry in self.rounds),
            "bursts_row": sum(entry["burst_row"] for entry in self.rounds),
            "winners": len(self.winners()),
            "margin": scores[0] - scores[1],
            "king_awarded": is_king,
            "king_margin": chips[0] - chips[1] if is_king else 0,
            "king_tied": is_king and chips[0] == chips[1],
            "king_decided": self.winners("king") != self.winners(),
            "debt_decided": self.winners("debt") != self.winners(),
            "coins_decided": self.winners("coins") != self.winners(),
            "lead_changes": sum(turns),
            "led_from": max([number for number, turned in enumerate(turns, start=2) if turned], default=1),
            "last_again": sum(one == other for one, other in pairwise(lasts)),
            "pool_left": payout["pool"],
            "skill_pool_left": payout["skill_pool"],
        }

    def seat_row(self, seat: int) -> dict[str, Any]:
        setup, count = of(self.events, "setup")[0], self.counts[seat]
        scores = [self.score(other) for other in self.seats]
        plain = (
            "placements lost_impact lost_burst mines idle_mines funds funds_coins funds_skill_coins hired hire_coins "
            "hire_skill_coins coins_bid skill_coins_bid times_first skills coins_taken extra_chips"
        )
        return {
            "company": COMPANIES.index(setup["companies"][seat]) if setup["companies"] else -1,
            "start_place": setup["order"].index(seat),
            "final_place": self.order.index(seat),
            "win": 60 // len(self.winners()) if seat in self.winners() else 0,
            "rank": 1 + sum(score > scores[seat] for score in scores),
            "score": scores[seat],
            "chip_points": self.points[seat],
            "coins": self.coins[seat],
            "skill_coins": self.skill_coins[seat],
            "debt_cards": self.cards[seat],
            "debt_penalty": self.penalty(seat),
            "king": seat == self.king(),
            "chips": self.chips[seat],
            "chips_level": [count[f"chips_level {level}"] for level in (1, 2, 3, 4)],
            "hires": [count[f"hires {hired}"] for hired in range(4)],
            "bids": [count[f"bids {bid}"] for bid in range(9)],
            **{name: count[name] for name in plain.split()},
        }


@pytest.mark.parametrize("sets", VARIANTS)
def test_every_column_is_what_the_events_say(sets: str) -> None:
    batch = random_batch(*sets.split())
    for index in range(30):
        call = whole(batch, index)
        ledger, row = Ledger(batch.rules.values, told(call)), call.row[0]
        assert differing(row, ledger.game_row()) == []
        for seat in ledger.seats:
            assert differing(row["seats"][seat], ledger.seat_row(seat)) == [], (index, seat)
        for number, entry in enumerate(ledger.rounds):
            assert differing(row["rounds"][number], entry) == [], (index, number)
        for spare in (row["seats"][len(ledger.seats) :], row["rounds"][len(ledger.rounds) :]):
            assert is_blank(spare)


def test_no_column_is_left_unread() -> None:
    """The row has no outcome that the test above does not count again (which policy sits where is the batch's)."""
    batch = random_batch("expansion=true")
    call = whole(batch, 0)
    ledger, row = Ledger(batch.rules.values, told(call)), call.row.dtype
    parts = [
        (row, {*ledger.game_row(), "seats", "rounds"}),
        (row["seats"].base, {*ledger.seat_row(0), "policy"}),
        (row["rounds"].base, set(ledger.rounds[0])),
    ]
    for record, counted in parts:
        assert outcomes_of(record) == counted


def test_the_rare_outcomes_occur_in_what_is_compared() -> None:
    rows = [whole(random_batch(*VARIANTS[k].split()), index).row[0] for k in range(3) for index in range(30)]
    for name in ("king_tied", "king_decided", "debt_decided", "coins_decided", "lead_changes", "last_again"):
        assert any(row[name] for row in rows), name
    for name in ("lost_impact", "lost_burst", "idle_mines", "hire_skill_coins", "coins_taken", "extra_chips"):
        assert any(row["seats"][name].any() for row in rows), name
    idle = whole(random_batch(*VARIANTS[-1].split()), 0).row[0]
    assert (idle["king_awarded"], idle["margin"], idle["winners"]) == (0, 0, 3)
