"""A slow and obvious count of every metric of a game of Debrium, from nothing but what its trace tells.

It knows neither the kernel nor the engine's row: what a metric means is taken from its meaning. Numerators
are whole numbers as they are counted, so shares of the win are sixtieths.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]

COMPANIES = ("red", "blue", "yellow", "green")
PLACES = ("1st", "2nd", "3rd", "4th")
WHOLE = 60


@dataclass
class Seat:
    """What a seat holds and has done so far."""

    coins: int
    skill_coins: int
    values: list[int] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    debt_cards: int = 0
    did: Counter[str] = field(default_factory=Counter)


@dataclass
class Told:
    """A game as its trace tells it: the seats at the end, round by round, and who led after each round."""

    rules: dict[str, Any]
    policies: list[str]
    companies: list[str] | None
    first_order: list[int]
    seats: list[Seat]
    rounds: list[Counter[str]] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    last_seats: list[int] = field(default_factory=list)
    leaders: list[frozenset[int]] = field(default_factory=list)
    pools: tuple[int, int] = (0, 0)

    def king(self) -> int | None:
        """Most chips; ties to the earliest in the order; nobody without a chip."""
        best = max(len(seat.values) for seat in self.seats)
        return next((seat for seat in self.order if len(self.seats[seat].values) == best), None) if best else None

    def penalty(self, seat: int) -> int:
        """The points lost to debt cards; beyond the list its last entry counts."""
        listed = self.rules["debt_penalty"]
        cards = self.seats[seat].debt_cards
        return listed[min(cards, len(listed)) - 1] if cards else 0

    def score(self, seat: int, without: str = "") -> int:
        """The score, or what it would be without the King's bonus, debt or coins."""
        held = self.seats[seat]
        parts = {
            "chips": sum(held.values),
            "coins": held.coins + held.skill_coins,
            "king": self.rules["mining_king_bonus"] if seat == self.king() else 0,
            "debt": -self.penalty(seat),
        }
        return sum(points for name, points in parts.items() if name != without)

    def winners(self, without: str = "") -> frozenset[int]:
        """The seats with the highest score; with tie = order the earliest of them alone."""
        scores = {seat: self.score(seat, without) for seat in self.order}
        best = [seat for seat in self.order if scores[seat] == max(scores.values())]
        return frozenset(best[:1] if self.rules["tie"] == "order" else best)


def follow(events: Sequence[Event]) -> Told:
    """Follow a trace from its opening line to its end."""
    opening, deal = events[0], events[1]
    held = zip(deal["coins"], deal["skill_coins"], strict=True)
    game = Told(
        opening["rules"], opening["policies"], deal["companies"], deal["order"], [Seat(c, s) for c, s in held]
    )
    for event in events[2:]:
        _TELLERS[event["event"]](game, event)
    return game


def _round(game: Told, _event: Event) -> None:
    _close_round(game)
    game.rounds.append(Counter())


def _close_round(game: Told) -> None:
    if game.rounds:
        game.rounds[-1]["coins"] = sum(seat.coins for seat in game.seats)
        game.leaders.append(game.winners())


def _bids(game: Told, event: Event) -> None:
    game.order = event["order"]
    game.last_seats.append(event["debt"])
    game.seats[event["debt"]].debt_cards += 1
    for seat, coins, skill_coins in zip(game.seats, event["coins"], event["skill_coins"], strict=True):
        seat.coins -= coins
        seat.skill_coins -= skill_coins
        seat.did["coins_bid"] += coins
        seat.did["skill_coins_bid"] += skill_coins
        bid = coins + skill_coins
        seat.did[f"bids_{bid}" if bid < 8 else "bids_8_up"] += 1
    first = event["order"][0]
    game.seats[first].did["times_first"] += 1
    game.rounds[-1]["first_bid"] = event["coins"][first] + event["skill_coins"][first]


def _skill(game: Told, event: Event) -> None:
    seat = game.seats[event["seat"]]
    seat.coins += event["taken"]
    seat.did["skills"] += 1
    seat.did["coins_taken"] += event["taken"]


def _funds(game: Told, event: Event) -> None:
    game.seats[event["seat"]].did["funds"] += 1


def _mine(game: Told, event: Event) -> None:
    seat = game.seats[event["seat"]]
    seat.coins -= event["paid_coins"]
    seat.skill_coins -= event["paid_skill_coins"]
    seat.did["mines"] += 1
    seat.did["idle_mines"] += not event["spaces"]
    seat.did["placements"] += len(event["spaces"])
    seat.did["hired"] += event["hired"]
    seat.did["hire_coins"] += event["paid_coins"]
    seat.did["hire_skill_coins"] += event["paid_skill_coins"]
    seat.did[f"hires_{event['hired']}" if event["hired"] < 3 else "hires_3_up"] += 1
    game.rounds[-1]["placements"] += len(event["spaces"])


def _payout(game: Told, event: Event) -> None:
    takers = event["takers"]
    game.pools = event["pool"], event["skill_pool"]
    paid = event["coins_each"] * len(takers)
    game.rounds[-1].update(pool=event["pool"] + paid, takers=len(takers), paid=paid)
    for number in takers:
        seat = game.seats[number]
        seat.coins += event["coins_each"]
        seat.skill_coins += event["skill_coins_each"]
        seat.did["funds_coins"] += event["coins_each"]
        seat.did["funds_skill_coins"] += event["skill_coins_each"]


def _fall(game: Told, event: Event) -> None:
    game.rounds[-1].update(burst_column=event["burst_column"], burst_row=event["burst_row"], lost=len(event["lost"]))
    for seat, space in event["lost"]:
        game.seats[seat].did["lost_impact" if space == event["space"] else "lost_burst"] += 1


def _collect(game: Told, event: Event) -> None:
    seat = game.seats[event["seat"]]
    seat.values.append(event["value"])
    seat.levels.append(event["level"])
    seat.did["extra_chips"] += event["extra"]
    if event["seat"] == game.order[0]:
        game.rounds[-1]["first_points"] += event["value"]


def _end(game: Told, event: Event) -> None:
    _close_round(game)
    scores = [game.score(seat) for seat in range(len(game.seats))]
    assert event["score"] == scores
    assert event["king"] == game.king()


_TELLERS = {
    "round": _round,
    "bids": _bids,
    "skill": _skill,
    "funds": _funds,
    "mine": _mine,
    "payout": _payout,
    "fall": _fall,
    "collect": _collect,
    "end": _end,
}

GAME_COLUMNS = (
    "bursts_column", "bursts_row", "winners", "margin", "king_awarded", "king_margin", "king_tied", "king_decided",
    "debt_decided", "coins_decided", "lead_changes", "led_from", "last_again", "pool_left", "skill_pool_left",
)  # fmt: skip
ROUND_COLUMNS = (
    "burst_column", "burst_row", "pool", "takers", "paid", "coins", "placements", "lost", "first_bid", "first_points",
)  # fmt: skip
DONE = (
    "placements", "lost_impact", "lost_burst", "mines", "idle_mines", "funds", "funds_coins", "funds_skill_coins",
    "hired", "hire_coins", "hire_skill_coins", "coins_bid", "skill_coins_bid", "times_first", "skills",
    "coins_taken", "extra_chips", "hires_0", "hires_1", "hires_2", "hires_3_up",
    *(f"bids_{bid}" for bid in range(8)), "bids_8_up",
)  # fmt: skip
WIN_RATES = {
    "mining": ["mines"],
    "funding": ["funds"],
    "using_skill": ["skills"],
    "hiring": ["hires_0", "hires_1", "hires_2", "hires_3_up"],
    "bidding": [*(f"bids_{bid}" for bid in range(8)), "bids_8_up"],
}


def game_numbers(game: Told) -> dict[str, int]:
    """One number a game for each of its columns."""
    king, winners = game.king(), game.winners()
    scores = sorted((game.score(seat) for seat in range(len(game.seats))), reverse=True)
    chips = [len(seat.values) for seat in game.seats]
    others = [count for seat, count in enumerate(chips) if seat != king]
    lead = chips[king] - max(others) if king is not None else 0
    changes = [k for k in range(1, len(game.leaders)) if game.leaders[k] != game.leaders[k - 1]]
    numbers = {
        "bursts_column": sum(each["burst_column"] for each in game.rounds),
        "bursts_row": sum(each["burst_row"] for each in game.rounds),
        "winners": len(winners),
        "margin": scores[0] - scores[1],
        "king_awarded": king is not None,
        "king_margin": lead,
        "king_tied": king is not None and lead == 0,
        "king_decided": game.winners("king") != winners,
        "debt_decided": game.winners("debt") != winners,
        "coins_decided": game.winners("coins") != winners,
        "lead_changes": len(changes),
        "led_from": (changes[-1] if changes else 0) + 1,
        "last_again": sum(a == b for a, b in zip(game.last_seats, game.last_seats[1:], strict=False)),
        "pool_left": game.pools[0],
        "skill_pool_left": game.pools[1],
    }
    return {name: int(number) for name, number in numbers.items()}


def seat_numbers(game: Told, number: int) -> dict[str, int]:
    """One number a seat for each of its columns."""
    seat, winners = game.seats[number], game.winners()
    scores = [game.score(other) for other in range(len(game.seats))]
    return {
        "win": WHOLE // len(winners) if number in winners else 0,
        "rank": 1 + sum(score > scores[number] for score in scores),
        "score": scores[number],
        "chip_points": sum(seat.values),
        "coins": seat.coins,
        "skill_coins": seat.skill_coins,
        "debt_cards": seat.debt_cards,
        "debt_penalty": game.penalty(number),
        "king": int(game.king() == number),
        "chips": len(seat.values),
        **{f"chips_level_{level}": seat.levels.count(level) for level in (1, 2, 3, 4)},
        **{name: seat.did[name] for name in DONE},
    }


def metrics(game: Told) -> dict[str, tuple[int, int]]:
    """Every metric's numerator and denominator of one game; one that is not here has neither."""
    of_game = game_numbers(game)
    seats = [seat_numbers(game, number) for number in range(len(game.seats))]
    found = {name: (of_game[name], 1) for name in GAME_COLUMNS}
    found |= {name: (sum(seat[name] for seat in seats), len(seats)) for name in seats[0]}
    for k, each in enumerate(game.rounds, start=1):
        found |= {f"{name}_by_round[{k}]": (each[name], 1) for name in ROUND_COLUMNS}
    return found | _win_rates(seats) | _sorted_seats(game, seats) | _ratios(game, of_game)


def _win_rates(seats: list[dict[str, int]]) -> dict[str, tuple[int, int]]:
    """The win share of the seats that did something, each counted as often as it did."""
    found = {}
    for what, columns in WIN_RATES.items():
        for name in columns:
            entry = name.partition("_")[2]
            done = sum(seat[name] for seat in seats)
            wins = sum(seat[name] * seat["win"] for seat in seats)
            found[f"win_rate_when_{what}" + (f"_{entry}" if entry else "")] = wins, done
    return found


def _sorted_seats(game: Told, seats: list[dict[str, int]]) -> dict[str, tuple[int, int]]:
    """What is counted by policy, seat, company, place, debt cards and King."""
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])

    def count(name: str, category: object, number: int) -> None:
        pair = found[f"{name}[{category}]"]
        pair[0] += number
        pair[1] += 1

    for number, seat in enumerate(seats):
        sorts = {
            "policy": game.policies[number],
            "seat": number,
            "company": game.companies[number] if game.companies else None,
            "start_place": PLACES[game.first_order.index(number)],
            "final_place": PLACES[game.order.index(number)],
            "debt_cards": seat["debt_cards"],
            "king": "yes" if seat["king"] else "no",
        }
        for name, category in sorts.items():
            count(f"win_rate_by_{name}", category, seat["win"])
        count("score_by_policy", sorts["policy"], seat["score"])
        count("king_by_policy", sorts["policy"], seat["king"])
        count("score_by_company", sorts["company"], seat["score"])
        count("skills_by_company", sorts["company"], seat["skills"])
    shares = {f"seats_by_debt_cards[{k}]": (sum(s["debt_cards"] == k for s in seats), len(seats)) for k in range(15)}
    return {name: (pair[0], pair[1]) for name, pair in found.items()} | shares


def _ratios(game: Told, of_game: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Losses by placements, payouts by takers, points by the first bid, and what is said of crowned games."""
    found = {"loss_rate": (sum(r["lost"] for r in game.rounds), sum(r["placements"] for r in game.rounds))}
    for k, each in enumerate(game.rounds, start=1):
        found[f"loss_rate_by_round[{k}]"] = each["lost"], each["placements"]
    for takers in (1, 2, 3, 4):
        those = [each for each in game.rounds if each["takers"] == takers]
        found[f"payout_by_takers[{takers}]"] = sum(r["paid"] for r in those), takers * len(those)
    for name in (*map(str, range(8)), "8_up"):
        those = [
            each for each in game.rounds if (str(each["first_bid"]) if each["first_bid"] < 8 else "8_up") == name
        ]
        found[f"first_points_by_bid[{name}]"] = sum(r["first_points"] for r in those), len(those)
        found[f"rounds_by_first_bid[{name}]"] = len(those), len(game.rounds)
    for name in ("king_decided", "king_tied"):
        found[f"{name}_if_king"] = of_game[name] * of_game["king_awarded"], of_game["king_awarded"]
    return found
