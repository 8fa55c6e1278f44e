"""A game of Book Festival told round by round: turns, the booths with their shelves, the animals' way, the stars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from reports.telling import WIDTH, Event, counted, listed, table, wrapped
from sim.book_festival.lottery import mvp_odds
from sim.errors import printable

_NAME_WIDTH = 24
_BAR_WIDTH = 40
_SLOTS = "ABCDEFGHIJKLMNO"
_SHORT = {
    "comedy": "COM", "business": "BUS", "sports": "SPO", "cooking": "COO", "mystery": "MYS", "picture": "PIC",
}  # fmt: skip
_POPS = {
    "recommended": ("Rec", "Recommended Series"),
    "trial": ("Tri", "Trial Read"),
    "related": ("Rel", "Related Books"),
    "booklet": ("Bkl", "With Booklet"),
    "limited": ("Lim", "Limited Edition"),
}
_FAVOURITES = {
    "gorilla": "comedy", "elephant": "business", "cheetah": "sports", "panda": "cooking", "owl": "mystery",
    "penguin": "picture",
}  # fmt: skip
_TURN = ("draw", "place", "buy", "retrieve", "pass", "shuffle")

_NOTHING: Event = {}

#: A space of the way that the animals walk: the seat whose booth it is in, and the slot there.
Space = tuple[int, int]


def tell(events: Sequence[Event]) -> Iterator[str]:
    """Yield a game's telling line by line, from its opening event on."""
    game = _Game(events[0])
    for group in _grouped(events[1:]):
        told = getattr(game, f"tell_{_kind(group[0])}", None)
        if told is not None:
            yield from told(group)


def _kind(event: Event) -> str:
    name = str(event["event"])
    return {"trial": "move", "sale": "move"}.get(name, "turn" if name in _TURN else name)


def _grouped(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Yield the events of one seat's turn together, and those of one animal's move; every other one alone."""
    group: list[Event] = []
    last: tuple[str, object] = ("", None)
    for event, following in zip_longest(events, events[1:], fillvalue=_NOTHING):
        kind = _kind(event)
        seat = event.get("seat", following.get("seat")) if kind == "turn" else None  # a shuffle is the next draw's
        is_on_its_way = kind == "turn" or event["event"] == "sale" or (group and group[-1]["event"] == "trial")
        if group and not (last == (kind, seat) and is_on_its_way):
            yield group
            group = []
        group.append(event)
        last = (kind, seat)
    if group:
        yield group


@dataclass
class _Slot:
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SHORT, 0))
    pop: str | None = None


@dataclass
class _Game:
    """What lies on the table as far as the events have come, and how each group of them is told."""

    opening: Event
    animals: list[str] = field(default_factory=list)
    hands: list[int] = field(default_factory=list)
    booths: list[list[_Slot]] = field(default_factory=list)
    places: list[Space] = field(default_factory=list)
    supply: list[int] = field(default_factory=list)
    stars: list[int] = field(default_factory=list)
    sold: list[int] = field(default_factory=list)
    gained: list[int] = field(default_factory=list)
    piles: dict[str, int] = field(default_factory=dict)
    dice: list[int] = field(default_factory=list)
    rounds: int = 0

    @property
    def rules(self) -> Any:
        """The rule values, by key."""
        return self.opening["rules"]

    @property
    def seats(self) -> range:
        """The seats."""
        return range(int(self.opening["players"]))

    # Setup and rounds ------------------------------------------------------------------------------

    def tell_setup(self, group: Sequence[Event]) -> Iterator[str]:
        """Who plays, with which animal, and what every hand holds."""
        event = group[0]
        self.animals = [str(animal) for animal in event["animals"]]
        self.hands = [sum(hand.values()) for hand in event["hands"]]
        self.booths = [[_Slot() for _ in range(self.rules["main_shelf_slots"])] for _ in self.seats]
        self.places = [(seat, 0) for seat in self.seats]
        self.supply = [self.rules["stars_per_player"] for _ in self.seats]
        self.stars, self.sold, self.gained = ([0 for _ in self.seats] for _ in range(3))
        self.piles = dict.fromkeys(_SHORT, 0)
        yield f"Book Festival, game {self.opening['index']} of seed {self.opening['seed']}"
        yield ""
        head = ["seat", "animal", "favourite", "die", "policy", "hand"]
        rows = [
            [
                *(seat, animal, _FAVOURITES.get(animal, "-"), " ".join(map(str, self.rules[f"die_{animal}"]))),
                *(printable(str(self.opening["policies"][seat]), _NAME_WIDTH), _short_cards(event["hands"][seat])),
            ]
            for seat, animal in enumerate(self.animals)
        ]
        lines = table(head, rows, left=len(head))
        if max(map(len, lines)) > WIDTH:  # hands of a variant with many cards
            lines = table(head[:-1], [row[:-1] for row in rows], left=len(head))
        yield from lines
        yield f"  Seat {event['start_player']} begins; each has {counted(self.rules['stars_per_player'], 'star')}."

    def tell_round(self, group: Sequence[Event]) -> Iterator[str]:
        """A round begins; before it, how the last one left the stars."""
        if self.rounds:
            yield from self._standing()
        self.rounds = group[0]["round"]
        self.sold, self.gained = ([0 for _ in self.seats] for _ in range(2))
        yield ""
        yield f"=== Round {self.rounds} ".ljust(72, "=")

    # Turns -----------------------------------------------------------------------------------------

    def tell_turn(self, group: Sequence[Event]) -> Iterator[str]:
        """What a seat does in its turn, in one sentence."""
        said = [getattr(self, f"_{event['event']}")(event) for event in group]
        seat = next((event["seat"] for event in group if "seat" in event), None)
        parts = [f"{text} (x{times})" if times > 1 else text for text, times in _runs(said)]
        who = "" if seat is None else f"{self._name(seat)}: "
        yield from wrapped(f"{who}{'; '.join(parts)}.")

    def _draw(self, event: Event) -> str:
        why = {"bonus": "for the full shelf", "booklet": "for the booklet"}.get(event["why"])
        if event["genre"] is None:
            return "finds no card to draw"
        self.hands[event["seat"]] += 1
        return f"draws {event['genre']}{f' {why}' if why else ''}"

    def _shuffle(self, event: Event) -> str:
        return f"the discards become a new deck of {counted(len(event['deck']), 'card')}"

    def _place(self, event: Event) -> str:
        seat, count = event["seat"], event["count"]
        self.booths[seat][event["slot"]].held[event["genre"]] += count
        self.hands[seat] -= count
        return f"places {count} {event['genre']} on {_SLOTS[event['slot']]}"

    def _buy(self, event: Event) -> str:
        seat, item = event["seat"], event["item"]
        self.hands[seat] -= sum(event["discards"].values())
        price = _cards(event["discards"]) or "nothing"
        if event["slot"] is None:
            self._add_end_shelf(seat)
            return f"buys an END SHELF for {price}"
        self.booths[seat][event["slot"]].pop = item
        return f"buys {_POPS[item][1].upper()} for {_SLOTS[event['slot']]} ({price})"

    def _retrieve(self, event: Event) -> str:
        seat, count = event["seat"], event["count"]
        self.booths[seat][event["slot"]].held[event["genre"]] -= count
        self.hands[seat] += count
        return f"takes {count} {event['genre']} back from {_SLOTS[event['slot']]}"

    def _pass(self, _event: Event) -> str:
        return "passes"

    def _add_end_shelf(self, seat: int) -> None:
        """Add slots at an end of a booth; at the left all others, and who stands there, count higher then."""
        new = [_Slot() for _ in range(self.rules["end_shelf_slots"])]
        if self.rules["end_shelf_side"] == "right":
            self.booths[seat] += new
            return
        self.booths[seat] = new + self.booths[seat]
        self.places = [(owner, at + len(new) if owner == seat else at) for owner, at in self.places]

    # Sales -----------------------------------------------------------------------------------------

    def tell_roll(self, group: Sequence[Event]) -> Iterator[str]:
        """The booths before anybody moves, and the dice."""
        self.dice = list(group[0]["dice"])
        yield from self._shelves()
        rolled = ", ".join(f"{animal} {self.dice[seat]}" for seat, animal in enumerate(self.animals))
        yield from wrapped(f"Dice: {rolled}.")

    def tell_move(self, group: Sequence[Event]) -> Iterator[str]:
        """An animal's way, who stops it, what it buys and what that brings."""
        trial, move = (next((e for e in group if e["event"] == name), None) for name in ("trial", "move"))
        said = []
        seat = trial["animal"] if trial else group[0]["seat"]
        if trial:
            owner = trial["seat"]
            self.hands[owner] -= sum(trial["discards"].values())
            said.append(f"seat {owner} stops it with TRIAL READ for {_cards(trial['discards']) or 'nothing'}")
        before = self.places[seat]
        sales = [event for event in group if event["event"] == "sale"]
        way = f"leaves {_space(before)}"
        if move:
            self.places[seat] = (move["owner"], move["slot"])
            way = f"{_space(before)} -> {_space(self.places[seat])}"
            if self.places[seat] == before and trial is None:  # it found no space, or walked a whole lap
                way = f"comes round to {_space(before)} again" if sales else f"ends on {_space(before)} as before"
        said += self._sales(sales) if sales else ["buys nothing"]
        yield from wrapped(f"{self._name(seat)} {way}: {'; '.join(said)}.", "  ")

    def _sales(self, sales: Sequence[Event]) -> list[str]:
        """Return what an animal buys, slot by slot, what that brings, and which piles fill up."""
        said = []
        by_slot: dict[tuple[int, str, str], list[Event]] = {}
        for sale in sales:
            by_slot.setdefault((sale["slot"], sale["cause"], sale["genre"]), []).append(sale)
        owner = sales[0]["owner"]
        for (at, cause, _), books in by_slot.items():
            how = {
                "favourite": "its favourite",
                "recommended": "as recommended",
                "camel": "next door",
                "chameleon": "the whole stack",
            }.get(cause)
            where = f" from {_SLOTS[at]}" if cause in ("recommended", "camel") else ""
            filed = [sale["pile"] for sale in books if sale["pile"] != sale["genre"]]
            under = f", filed under {listed(list(dict.fromkeys(filed)))}" if filed else ""
            said.append(f"buys {len(books)} {books[0]['genre']}{where}{f' ({how})' if how else ''}{under}")
        for sale in sales:
            self.booths[owner][sale["slot"]].held[sale["genre"]] -= 1
            self.supply[owner] -= sum(sale[name] for name in self._from_supply())
            self.sold[owner] += 1
            self.piles[sale["pile"]] += 1
            if sale["pile_cleared"]:
                self.piles[sale["pile"]] = 0
                is_out = self.rules["cleared_piles"] == "out"
                said.append(f"the {sale['pile']} pile is FULL{' and leaves the game' if is_out else ''}")
        extras = {name: sum(sale[name] for sale in sales) for name in ("star", "limited", "bonus")}
        total = sum(extras.values())
        self.stars[owner] += total
        self.gained[owner] += total
        parts = [f"{extras['limited']} limited"] if extras["limited"] else []
        parts += [f"{extras['bonus']} for the pile"] if extras["bonus"] else []
        of_which = f" ({', '.join(parts)})" if parts else ""
        said.append(f"{counted(total, 'star')} for seat {owner}{of_which}")
        return said

    def _from_supply(self) -> tuple[str, ...]:
        """Return the reasons for which a sale takes stars from its owner's supply."""
        return ("star",) if self.rules["extra_stars_from"] == "stock" else ("star", "limited", "bonus")

    # The end ---------------------------------------------------------------------------------------

    def tell_mvp(self, group: Sequence[Event]) -> Iterator[str]:
        """The vote bag, the draw chip by chip, and who is MVP."""
        event = group[0]
        yield from self._standing()
        yield ""
        yield "=== The MVP draw ".ljust(72, "=")
        yield from wrapped(self._why_over())
        stars, drawn = event["stars"], list(event["drawn"])
        bag, most = sum(stars), max(stars)
        draws = min(self.rules["mvp_draws"], bag)
        chips_drawn = f"{counted(draws, 'chip')} {'is' if draws == 1 else 'are'} drawn"
        yield (
            f"The bag holds {counted(bag, 'star')}; {chips_drawn}."
            if bag
            else "The bag is empty: all share the title."
        )
        yield ""
        first, redrawn = drawn[:draws], drawn[draws:]
        chips = [drawn.count(seat) for seat in self.seats]
        head = ["", "policy", "stars", "share", "chance", "drawn", ""]
        rows = []
        for seat in sorted(self.seats, key=lambda seat: (-event["win_share"][seat], -chips[seat], -stars[seat])):
            share = f"{stars[seat] / bag:.1%}" if bag else "-"
            told = f"{first.count(seat)}{f' +{redrawn.count(seat)}' if redrawn.count(seat) else ''}"
            leads = "star leader" if stars[seat] == most else ""
            rows.append(
                [
                    *(self._name(seat), printable(str(self.opening["policies"][seat]), _NAME_WIDTH), stars[seat]),
                    *(share, f"{event['chances'][seat]:.1%}", told, f"{_win(event['win_share'][seat]):<7}{leads}"),
                ]
            )
        if first:
            yield from wrapped(f"Drawn: {', '.join(self.animals[seat] for seat in first)}.")
        if redrawn:
            again = ", ".join(self.animals[seat] for seat in redrawn)
            yield from wrapped(f"A tie for most, so chips are drawn on: {again}.")
        yield ""
        yield from table(head, [[*row[:-1], str(row[-1]).ljust(18)] for row in rows], left=2)
        yield ""
        yield from wrapped(self._verdict(event))

    def _why_over(self) -> str:
        empty = [self._name(seat) for seat in self.seats if self.supply[seat] == 0]
        if empty:
            have, their = ("have", "their") if len(empty) > 1 else ("has", "its")
            return f"{listed(empty)} {have} sent {their} last star: the festival ends after round {self.rounds}."
        return f"After {self.rounds} rounds no supply has run out: the game is stopped there."

    def _verdict(self, event: Event) -> str:
        """Return who is MVP, and what the star leaders make of it."""
        won = [seat for seat in self.seats if event["win_share"][seat] > 0]
        most = max(event["stars"])
        leaders = [seat for seat in self.seats if event["stars"][seat] == most]
        chances = event["chances"]
        if len(won) == 1:
            said = f"MVP: {self._name(won[0])}, with a chance of {chances[won[0]]:.1%} before the draw."
        else:
            who = listed([f"{self._name(seat)} ({chances[seat]:.1%})" for seat in won])
            said = f"MVP in equal parts: {who}; in brackets the part of it that each could expect before the draw."
        if not set(won) & set(leaders):
            names = listed([self._name(seat) for seat in leaders])
            said += f" {names}, with most stars, {'come' if len(leaders) > 1 else 'comes'} away with nothing"
            lost = mvp_odds(event["stars"], self.rules["mvp_draws"], self.rules["mvp_tie"]).leader_loses
            said += f", as happens with a chance of {float(lost):.1%}."
        return said

    # Drawing ---------------------------------------------------------------------------------------

    def _shelves(self) -> Iterator[str]:
        """Draw the booths: in each slot genre and books, the POP, and the seats whose animals stand there."""
        cells = [[self._cell(seat, at) for at in range(len(self.booths[seat]))] for seat in self.seats]
        label = max(map(len, self.animals)) + 3
        width = max(15, *(len(cell) for row in cells for cell in row))
        across = max(1, (WIDTH - label - 1) // (width + 3))
        most = min(across, max(map(len, self.booths)))
        heads = "".join(f"{_SLOTS[at]}".center(width + 3) for at in range(most))
        rule = f"{' ' * label}+{('-' * (width + 2) + '+') * most}"
        yield ""
        yield f"{' ' * label} {heads}".rstrip()
        yield rule
        for seat in self.seats:
            for first in range(0, len(cells[seat]), across):
                name = self._name(seat) if first == 0 else f"  from {_SLOTS[first]}"
                row = "|".join(f" {cell:<{width}} " for cell in cells[seat][first : first + across])
                yield f"{name:<{label}}|{row}|"
        yield rule
        yield from self._key()
        yield ""

    def _cell(self, seat: int, at: int) -> str:
        slot = self.booths[seat][at]
        books = ", ".join(f"{_SHORT[genre]} x{count}" for genre, count in slot.held.items() if count) or "."
        pop = _POPS[slot.pop][0] if slot.pop else ""
        who = "".join(str(other) for other in self.seats if self.places[other] == (seat, at))
        return f"{books:<7} {pop:<3} {f'@{who}' if who else ''}".rstrip()

    def _key(self) -> Iterator[str]:
        """Say what the marks in the drawing stand for, and how many books the piles hold."""
        pops = dict.fromkeys(slot.pop for booth in self.booths for slot in booth if slot.pop)
        marks = ["@ whose animals", *(f"{_POPS[pop][0]} {pop}" for pop in _POPS if pop in pops)]
        size = self.rules["genre_pile_size"]
        piles = ", ".join(f"{_SHORT[genre]} {books}" for genre, books in self.piles.items() if books)
        yield from wrapped(" \N{MIDDLE DOT} ".join(marks), "  ")
        yield from wrapped(f"piles, full with {size}: {piles or 'all empty'}", "  ")

    def _standing(self) -> Iterator[str]:
        """Draw each seat's stars after a round: those sent to the bag, of all that there are."""
        yield ""
        most = max(self.stars)
        longest = max(self.rules["stars_per_player"], most)  # stars of a stock may go beyond the supply
        length = min(longest, _BAR_WIDTH)
        for seat in self.seats:
            filled = self.stars[seat] * length // longest
            bar = f"{'*' * filled}{'.' * (length - filled)}"
            gained = f"+{self.gained[seat]}" if self.gained[seat] else ""
            leads = " leads" if self.stars[seat] == most and most else ""
            yield (
                f"  {self._name(seat):<11} {bar} {self.stars[seat]:>2} {gained:<4}"
                f"{counted(self.hands[seat], 'card')} in hand{leads}"
            )

    def _name(self, seat: int) -> str:
        return f"{seat} {self.animals[seat]}"


def _runs(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Return texts, each with how often it stands in a row."""
    found: list[tuple[str, int]] = []
    for text in texts:
        if found and found[-1][0] == text:
            found[-1] = (text, found[-1][1] + 1)
        else:
            found.append((text, 1))
    return found


def _space(space: Space) -> str:
    return f"{space[0]}{_SLOTS[space[1]]}"


def _cards(cards: Mapping[str, int]) -> str:
    """Return cards as a person lists them: "2 comedy and 1 sports"."""
    return listed([f"{count} {genre}" for genre, count in cards.items()]) if cards else ""


def _short_cards(cards: Mapping[str, int]) -> str:
    return " ".join(f"{count}{_SHORT[genre]}" for genre, count in cards.items()) or "-"


def _win(share: float) -> str:
    return "" if share == 0 else "MVP" if share == 1 else f"{share:.0%}"
