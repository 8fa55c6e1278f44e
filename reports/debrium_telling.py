"""A game of Debrium told round by round: bids, turns, the board with the workers on it, the fall, the finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reports.telling import Event, counted, listed, table, wrapped
from sim.errors import printable

_NAME_WIDTH = 32
_PILE_LEVEL = 4
_ROWS = "ABCDEFGHIJ"


def tell(events: Sequence[Event]) -> Iterator[str]:
    """Yield a game's telling line by line, from its opening event on."""
    game = _Game(events[0])
    for event in events[1:]:
        told = getattr(game, f"tell_{event['event']}", None)
        if told is not None:
            yield from told(event)


@dataclass
class _Game:
    """What lies on the table as far as the events have come, and how each of them is told."""

    opening: Event
    stacks: list[list[list[int]]] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    coins: list[int] = field(default_factory=list)
    skill_coins: list[int] = field(default_factory=list)
    debt: list[int] = field(default_factory=list)
    chips: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    companies: list[str] = field(default_factory=list)
    workers: dict[int, int] = field(default_factory=dict)
    shown: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    pools: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def rules(self) -> Any:
        """The rule values, by key."""
        return self.opening["rules"]

    @property
    def seats(self) -> range:
        """The seats."""
        return range(int(self.opening["players"]))

    @property
    def has_skills(self) -> bool:
        """Whether the expansion is played."""
        return bool(self.rules["expansion"])

    # Setup and rounds ------------------------------------------------------------------------------

    def tell_setup(self, event: Event) -> Iterator[str]:
        """Who plays, with what, and in which order they start."""
        self.stacks = [[list(chip) for chip in stack] for stack in event["stacks"]]
        self.order = list(event["order"])
        self.coins, self.skill_coins = list(event["coins"]), list(event["skill_coins"])
        self.debt, self.chips, self.points = ([0 for _ in self.seats] for _ in range(3))
        self.companies = list(event["companies"] or [])
        self.pools = [int(self.rules["starting_pool"]), 0]
        what = "with company skills" if self.has_skills else "base game"
        yield f"Debrium: Treasure, game {self.opening['index']} of seed {self.opening['seed']}, {what}"
        yield ""
        head = ["seat", *(["company"] if self.has_skills else []), "policy", "coins", "starts"]
        rows = []
        for seat in self.seats:
            company = [self.companies[seat]] if self.has_skills else []
            rows.append([seat, *company, self._policy(seat), self.coins[seat], _nth(self.order.index(seat))])
        yield from table(head, rows, left=len(head) - 2)
        if self.has_skills:
            yield f"  Each has {counted(self.skill_coins[0], 'skill coin')}."

    def tell_round(self, event: Event) -> Iterator[str]:
        """A round begins."""
        self.workers = {}
        if event["round"] > 1:
            yield from self._holdings()
        yield ""
        yield f"=== Round {event['round']} of {self.rules['chips_level_4']} ".ljust(72, "=")

    def tell_bids(self, event: Event) -> Iterator[str]:
        """The bids, the order that they make, the debt card."""
        said = []
        for seat in self.order:
            coins, skill = event["coins"][seat], event["skill_coins"][seat]
            self.coins[seat] -= coins
            self.skill_coins[seat] -= skill
            self.pools[0] += coins
            self.pools[1] += skill
            parts = [counted(coins, "coin")] if coins or not skill else []
            parts += [counted(skill, "skill coin")] if skill else []
            said.append(f"seat {seat} {' and '.join(parts) if coins or skill else 'nothing'}")
        last = event["debt"]
        self.order = list(event["order"])
        self.debt[last] += 1
        yield from wrapped(f"Bids: {', '.join(said)}.")
        order = ", ".join(str(seat) for seat in self.order)
        cards = counted(self.debt[last], "card")
        yield from wrapped(f"Order: {order}. Seat {last} is last and takes a debt card ({cards} now).")

    # Turns -----------------------------------------------------------------------------------------

    def tell_skill(self, event: Event) -> Iterator[str]:
        """A seat uses its company's skill."""
        seat, company, taken = event["seat"], str(event["company"]), event["taken"]
        self.coins[seat] += taken
        self.pools[0] -= taken
        what = f": {counted(taken, 'coin')} from the pool" if company == "yellow" else ""
        yield f"Seat {seat} uses {company.capitalize()}'s skill{what}."

    def tell_funds(self, event: Event) -> Iterator[str]:
        """A seat takes additional funds."""
        yield f"Seat {event['seat']} takes additional funds."

    def tell_mine(self, event: Event) -> Iterator[str]:
        """A seat places workers."""
        seat, spaces = event["seat"], event["spaces"]
        paid, skill_paid = event["paid_coins"], event["paid_skill_coins"]
        self.coins[seat] -= paid
        self.skill_coins[seat] -= skill_paid
        self.pools[0] += paid
        self.pools[1] += skill_paid
        self.workers |= dict.fromkeys(spaces, seat)
        where = [f"{self._space(space)} (level {self.stacks[space][-1][0]})" for space in spaces]
        price = [counted(paid, "coin")] if paid or not skill_paid else []
        price += [counted(skill_paid, "skill coin")] if skill_paid else []
        needed = max(0, event["workers"] - self.rules["free_workers"])
        hired = f", {needed} of them hired for {' and '.join(price)}" if event["hired"] else ""
        if idle := event["hired"] - needed:
            of_them = f"{needed} of them and " if needed else ""
            hired = f", {of_them}{idle} to stand idle hired for {' and '.join(price)}"
        mines = f"mines {listed(where)} with {counted(event['workers'], 'worker')}" if spaces else "mines nothing"
        yield from wrapped(f"Seat {seat} {mines}{hired}.")

    def tell_payout(self, event: Event) -> Iterator[str]:
        """The pools are shared out; the board as it lies before the fall."""
        takers, each, skill_each = event["takers"], event["coins_each"], event["skill_coins_each"]
        pool, skill_pool = self.pools
        for seat in takers:
            self.coins[seat] += each
            self.skill_coins[seat] += skill_each
        self.pools = [event["pool"], event["skill_pool"]]
        yield from self._board()
        if not takers:
            yield f"Nobody takes funds; {counted(self.pools[0], 'coin')} in the pool."
            return
        who = listed([f"seat {seat}" for seat in takers])
        gets = f"{counted(each, 'coin')}{' each' if len(takers) > 1 else ''}"
        skill = f", and {counted(skill_each, 'skill coin')} of {skill_pool}" if skill_pool else ""
        left = f"; {counted(self.pools[0], 'coin')} left" if self.pools[0] else ""
        get = "get" if len(takers) > 1 else "gets"
        yield from wrapped(f"Funds: {who} {get} {gets} of {pool} in the pool{skill}{left}.")

    # Fall and finds --------------------------------------------------------------------------------

    def tell_fall(self, event: Event) -> Iterator[str]:
        """The debris falls: impact, bursts, workers lost."""
        space, column, row = event["space"], event["column"], event["row"]
        bursts = [f"column {column + 1}"] if event["burst_column"] else []
        bursts += [f"row {_ROWS[row]}"] if event["burst_row"] else []
        yield f"The debris falls on {self._space(space)}: a chip of level {_PILE_LEVEL} (worth {event['value']})."
        if bursts:
            yield f"BURST in {listed(bursts)}!"
        if event["lost"]:
            lost = [
                f"seat {seat} on {self._space(at)} ({'impact' if at == space else 'burst'})"
                for seat, at in event["lost"]
            ]
            yield from wrapped(f"Lost: {', '.join(lost)}.")
        elif self.workers:
            yield "No worker is hit."
        for shown, label, is_burst in (
            (self.shown[0], column, event["burst_column"]),
            (self.shown[1], row, event["burst_row"]),
        ):
            if is_burst:
                shown.clear()
            else:
                shown.add(label)
        self.stacks[space].append([_PILE_LEVEL, event["value"]])

    def tell_collect(self, event: Event) -> Iterator[str]:
        """A chip is collected."""
        seat, space = event["seat"], event["space"]
        if self.stacks[space]:
            self.stacks[space].pop()
        self.chips[seat] += 1
        self.points[seat] += event["value"]
        extra = " as well, with Blue's skill" if event["extra"] else ""
        points = counted(event["value"], "point")
        yield f"Seat {seat} digs up {self._space(space)}: level {event['level']}, {points}{extra}."

    def tell_end(self, event: Event) -> Iterator[str]:
        """The final count."""
        yield from self._holdings()
        yield ""
        yield "=== The end ".ljust(72, "=")
        king = event["king"]
        chips = "" if king is None else counted(event["chips"][king], "chip")
        yield f"Mining King: seat {king} with {chips}." if chips else "Nobody is Mining King."
        skills = ["skill coins"] if self.has_skills else []
        head = ["seat", "policy", "chips", "points", "coins", *skills, "King", "debt", "score", "win"]
        rows = []
        for seat in sorted(self.seats, key=lambda seat: -event["score"][seat]):
            bonus = self.rules["mining_king_bonus"] if seat == king else 0
            skill = [event["skill_coins"][seat]] if self.has_skills else []
            rows.append(
                [
                    *(
                        seat,
                        self._policy(seat),
                        event["chips"][seat],
                        event["chip_points"][seat],
                        event["coins"][seat],
                    ),
                    *skill,
                    *(bonus, -event["debt_penalty"][seat], event["score"][seat], _win(event["win_share"][seat])),
                ]
            )
        yield from table(head, rows, left=2)

    # Drawing ---------------------------------------------------------------------------------------

    def _board(self) -> Iterator[str]:
        """Draw the board: in each space the top chip's level, the stack's height, whose workers stand there."""
        rows, columns = self.rules["rows"], self.rules["columns"]
        rule = f"      +{'-----------+' * columns}"
        heads = "".join(f"{'*' if k in self.shown[0] else ' '}{k + 1}".center(12) for k in range(columns))
        yield ""
        yield f"       {heads}".rstrip()
        yield rule
        for row in range(rows):
            cells = "|".join(self._cell(row * columns + column) for column in range(columns))
            yield f"   {'*' if row in self.shown[1] else ' '}{_ROWS[row]} |{cells}|"
        yield rule
        yield "      level x chips in the stack, @ whose workers; * a coordinate chip on display"
        yield ""

    def _cell(self, space: int) -> str:
        stack = self.stacks[space]
        chip = f"{stack[-1][0]} x{len(stack)}" if stack else "."
        who = f"@{self.workers[space]}" if space in self.workers else ""
        return f" {chip:<6}{who:<3} "[:11]

    def _holdings(self) -> Iterator[str]:
        """Draw what each seat holds after a round, and what its score would be."""
        yield ""
        king = max(self.order, key=lambda seat: (self.chips[seat], -self.order.index(seat)))
        rows = []
        for seat in self.order:
            skill = [self.skill_coins[seat]] if self.has_skills else []
            crowned = seat == king and (self.chips[king] or not self.rules["king_needs_chip"])
            bonus = self.rules["mining_king_bonus"] if crowned else 0
            score = self.points[seat] + self._coins_points(seat) + bonus - self._penalty(seat)
            is_king = " K" if bonus else "  "
            held = (
                self.coins[seat],
                *skill,
                self.debt[seat],
                f"{self.chips[seat]}{is_king}",
                self.points[seat],
                score,
            )
            rows.append([f"seat {seat}", *held])
        skills = ["skill coins"] if self.has_skills else []
        yield from table(["", "coins", *skills, "debt", "chips  ", "points", "score if it ended now"], rows)

    def _coins_points(self, seat: int) -> int:
        coins = self.coins[seat] * self.rules["coin_points"]
        return int(coins + self.skill_coins[seat] * self.rules["skill_coin_points"])

    def _penalty(self, seat: int) -> int:
        costs = [0, *self.rules["debt_penalty"]]
        return int(costs[min(self.debt[seat], len(costs) - 1)])

    def _space(self, space: int) -> str:
        row, column = divmod(space, self.rules["columns"])
        return f"{_ROWS[row]}{column + 1}"

    def _policy(self, seat: int) -> str:
        return printable(str(self.opening["policies"][seat]), _NAME_WIDTH)


def _nth(place: int) -> str:
    return ("1st", "2nd", "3rd")[place] if place < 3 else f"{place + 1}th"


def _win(share: float) -> str:
    return "-" if share == 0 else "wins" if share == 1 else f"{share:.0%} of it"
