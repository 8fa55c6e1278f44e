"""An independent referee for Book Festival, which re-adjudicates a whole game from its trace.

It derives every rule anew from the rule book and shares nothing with the engine; its numbers are the trace's.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.book_festival.referee_sales import (
    EXTENSION,
    FAVOURITES,
    GENRES,
    Booth,
    Place,
    Slot,
    WrongDraw,
    chances,
    elected,
    purchases,
    route,
)

Event = dict[str, Any]
Tally = dict[str, int]
Test = Callable[[Any], bool]
TRACE_VERSION = 2
TOLERANCE = 1e-6
ANIMALS = {*FAVOURITES, *EXTENSION}
POPS = ["recommended", "trial", "related", "booklet", "limited"]
EVENTS = {
    "game": "game rules_version seed index players policies rules",
    "setup": "deck hands animals start_player",
    "round": "round",
    "draw": "seat genre why",
    "shuffle": "deck",
    "place": "seat genre count slot",
    "buy": "seat item slot discards",
    "retrieve": "seat genre count slot",
    "pass": "seat",
    "roll": "dice",
    "move": "seat owner slot",
    "trial": "seat animal slot discards",
    "sale": "owner slot genre buyer cause pile star limited bonus pile_cleared",
    "mvp": "stars drawn chances win_share",
    "end": "stars supply hands booths piles discards rounds stalled",
}


def of(*types: type) -> Test:
    """Types are compared exactly, since JSON's true is no number although Python's is."""
    return lambda value: type(value) in types


def count(value: Any) -> bool:
    return type(value) is int and value >= 0


def among(*words: object) -> Test:
    return lambda value: (value is None or type(value) is str) and value in words


def each(test: Test) -> Test:
    return lambda value: type(value) is list and all(map(test, value))


def by_genre(test: Test) -> Test:
    return lambda value: type(value) is dict and value.keys() <= set(GENRES) and all(map(test, value.values()))


def slot_told(value: Any) -> bool:
    genre, books, pop = value if type(value) is list and len(value) == 3 else (None, None, None)
    return among(*GENRES, None)(genre) and count(books) and among(*POPS, None)(pop)


Kinds = dict[str, tuple[str, Test]]


def kinds(*table: tuple[str, Test, str]) -> Kinds:
    return {key: (kind, test) for kind, test, keys in table for key in keys.split()}


KIND_OF = kinds(  # a key not listed holds a count
    ("an integer", of(int), "seed"),
    ("true or false", of(bool), "pile_cleared stalled"),
    ("text", of(str), "game why item cause"),
    ("texts", each(of(str)), "policies animals"),
    ("a mapping", of(dict), "rules"),
    ("a genre", among(*GENRES), "genre pile"),
    ("genres", each(among(*GENRES)), "deck"),
    ("cards by genre", by_genre(count), "discards"),
    ("cards by genre and seat", each(by_genre(count)), "hands"),
    ("books by genre and pile", by_genre(by_genre(count)), "piles"),
    ("slots by seat", each(each(slot_told)), "booths"),
    ("counts", each(count), "dice stars drawn supply"),
    ("numbers", each(of(int, float)), "chances win_share"),
)
MAY_BE_NULL = kinds(
    ("a genre or null", among(*GENRES, None), "draw.genre"),
    ("a slot or null", lambda value: value is None or count(value), "buy.slot"),
)
RULE_KIND = kinds(
    (
        "a count",
        count,
        "players books_per_genre starting_hand hand_limit actions_per_turn main_shelf_slots end_shelf_cost "
        "end_shelf_slots end_shelves_max slot_capacity stars_per_player genre_pile_size genre_bonus_stars pop_copies "
        "trial_discard limited_extra_stars chameleon_limit mvp_draws max_rounds "
        + " ".join(f"pop_cost_{pop}" for pop in POPS),
    ),
    (
        "true or false",
        of(bool),
        "extension end_bonus_needs_main empty_slots_count recommended_chain trial_needs_books",
    ),
    (
        "six faces",
        lambda value: each(count)(value) and len(value) == 6,
        " ".join(f"die_{animal}" for animal in sorted(ANIMALS)),
    ),
    ("random or texts", lambda value: value == "random" or each(of(str))(value), "animals"),
    ("fixed or rotates", among("fixed", "rotates"), "start_player"),
    ("one or all", among("one", "all"), "camel_adjacent"),
    ("pass_over or no_sale", among("pass_over", "no_sale"), "chameleon_skip"),
    ("book or sale", among("book", "sale"), "limited_per"),
    ("redraw, stars or shared", among("redraw", "stars", "shared"), "mvp_tie"),
    ("supply or stock", among("supply", "stock"), "extra_stars_from"),
    ("stop or own", among("stop", "own"), "camel_at"),
    ("slot or shelf", among("slot", "shelf"), "chameleon_counts retrieve_from"),
    ("one or any", among("one", "any"), "slot_genres"),
    ("right or left", among("right", "left"), "end_shelf_side"),
    ("discards or out", among("discards", "out"), "cleared_piles"),
)
TURNS = "each seat draws its free cards and takes its actions, in turn order"
FREE_CARDS = "free cards come first: main shelf, end shelves, booklets, each once, none with a full hand"
REFILL = "the deck is refilled if, and only if, it is empty, a card is wanted and there are discards"
SELLING = "the stopped slot sells, then the camel's neighbours, then Recommended, each left before right"


class Foul(AssertionError):
    """A rule was broken; the message names the round (0 before the first), the event and the rule."""


def judge(events: list[Event]) -> None:
    """Raise a Foul unless the events are one whole game played by the rules."""
    referee = Referee(events)
    referee.open_game()
    referee.set_up()
    referee.play_round()
    while not referee.is_over():
        referee.play_round()
    referee.draw_mvp()
    referee.finish()


class Referee:
    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.position = self.round = 0

    def check(self, holds: bool, rule: str) -> None:
        if not holds:
            raise Foul(f"round {self.round}, event {self.position} ({self.event.get('event')}): {rule}")

    def says(self, key: str, truth: object, rule: str) -> None:
        self.check(self.event[key] == truth, f"{rule}: `{key}` is {truth}, not {self.event[key]}")

    def coming(self) -> Any:
        return self.events[self.position].get("event") if self.position < len(self.events) else None

    def take(self, *expected: str, rule: str = "events come in order of play") -> Event:
        """The next event: one of those expected, with every required key, rightly typed."""
        name = self.coming()
        self.event: Event = {} if name is None else self.events[self.position]
        self.position += 1
        self.check(name in expected, f"{rule}: next comes {' or '.join(expected)}")
        for key in EVENTS[name].split():
            own = MAY_BE_NULL.get(f"{name}.{key}", KIND_OF.get(key, ("a count", count)))
            self.check_key(self.event, key, *own)
        if name == "retrieve" and self.takes_several:
            self.check_key(self.event, "continues", "true or false", of(bool))
        return self.event

    def check_key(self, mapping: Event, key: str, kind: str, test: Test) -> None:
        self.check(key in mapping and test(mapping[key]), f"`{key}` is required and holds {kind}")

    # The game and its setup

    def open_game(self) -> None:
        game = self.take("game")
        self.says("game", "book_festival", "this referee judges Book Festival only")
        self.says("rules_version", TRACE_VERSION, "this referee knows one version of the rules")
        self.rules = rules = game["rules"]
        for key, kind in RULE_KIND.items():
            self.check_key(rules, key, *kind)
        self.says("players", rules["players"], "the players are those of the rules")
        self.check(len(game["policies"]) == rules["players"], "every seat has a policy")

    def set_up(self) -> None:
        setup, rules = self.take("setup"), self.rules
        self.seats = list(range(rules["players"]))
        self.deck, self.discards = list(setup["deck"]), Counter[str]()
        self.hands = [Counter(hand) for hand in setup["hands"]]
        self.check(len(self.hands) == len(self.seats), "every seat has a hand")
        dealt = {hand.total() for hand in self.hands}
        self.check(dealt == {rules["starting_hand"]}, "`starting_hand` cards are dealt to each seat")
        cards = sum(self.hands, Counter(self.deck))
        full = all(cards[genre] == rules["books_per_genre"] for genre in GENRES)
        self.check(full, "the deck has `books_per_genre` cards of each genre, before dealing")
        self.says("start_player", 0, "seat 0 is the start player of the first round")
        self.seat_animals(setup["animals"])
        self.booths: list[Booth] = [[Slot() for _ in range(rules["main_shelf_slots"])] for _ in self.seats]
        self.places: list[Place] = [(seat, 0) for seat in self.seats]
        self.takes_several = rules["retrieve_from"] == "shelf" or rules["slot_genres"] == "any"
        self.out, self.from_stock = Counter[str](), [0 for _ in self.seats]
        self.supply = [rules["stars_per_player"] for _ in self.seats]
        self.stars = [0 for _ in self.seats]
        self.piles = {genre: Counter[str]() for genre in GENRES}

    def seat_animals(self, animals: list[str]) -> None:
        known = ANIMALS if self.rules["extension"] else ANIMALS - EXTENSION
        self.check(set(animals) <= known, "animals are known, camel and chameleon only with the extension")
        distinct = len(self.seats) == len(animals) == len(set(animals))
        self.check(distinct, "every seat has an animal of its own")
        self.check(self.rules["animals"] in ("random", animals), "`animals` sit as listed")
        self.animals = animals

    # A round

    def play_round(self) -> None:
        self.take("round", rule="the game lasts until the round in which a supply is empty, or `max_rounds`")
        self.round += 1
        self.says("round", self.round, "rounds are counted from 1")
        first = self.round - 1 if self.rules["start_player"] == "rotates" else 0
        order = [(first + seat) % len(self.seats) for seat in self.seats]
        for seat in order:
            self.turn(seat)
        self.roll()
        for seat in order:
            self.customer(seat)

    def is_over(self) -> bool:
        return 0 in self.supply or self.round >= self.rules["max_rounds"]

    def turn(self, seat: int) -> None:
        rules, booth = self.rules, self.booths[seat]
        lacking = {slot.shelf for slot in booth if not slot.books}
        is_full = 0 not in lacking
        filled = {slot.shelf for slot in booth} - lacking - {0}
        free = ["bonus"] if is_full else []
        free += ["bonus"] * len(filled) if is_full or not rules["end_bonus_needs_main"] else []
        free += ["booklet" for slot in booth if slot.pop == "booklet"]
        for why in free:
            if self.has_room(seat, 1):
                self.draw(seat, why)
        for _ in range(rules["actions_per_turn"]):
            self.action(seat)

    def has_room(self, seat: int, cards: int) -> bool:
        limit = self.rules["hand_limit"]
        return not limit or self.hands[seat].total() + cards <= limit

    def draw(self, seat: int, why: str) -> None:
        is_wanted = not self.deck and bool(self.discards)
        if is_wanted or self.coming() == "shuffle":
            deck = self.take("shuffle", rule=REFILL)["deck"]
            self.check(is_wanted, REFILL)
            self.check(Counter(deck) == self.discards, "exactly the discards are shuffled into a new deck")
            self.deck, self.discards = list(deck), Counter()
        self.take("draw", rule=FREE_CARDS)
        self.says("seat", seat, TURNS)
        self.says("why", why, FREE_CARDS)
        self.check(self.has_room(seat, 1), "nobody draws beyond `hand_limit`")
        self.says("genre", self.deck[0] if self.deck else None, "the deck's next card is drawn")
        self.hands[seat].update(self.deck[:1])
        del self.deck[:1]

    def action(self, seat: int) -> None:
        if self.coming() in ("draw", "shuffle"):
            return self.draw(seat, "action")
        event = self.take("place", "buy", "retrieve", "draw", "pass", rule="a turn has `actions_per_turn` actions")
        self.says("seat", seat, TURNS)
        match event["event"]:
            case "place":
                self.place(seat, event)
            case "buy":
                self.buy(seat, event)
            case "retrieve":
                self.check(not event.get("continues"), "an action that takes books back begins with its first")
                self.retrieve(seat, event)
                while self.takes_several and self.continues():
                    self.retrieve_more(seat, event)
        return None

    def slot(self, seat: int, slot: int) -> Slot:
        self.check(slot < len(self.booths[seat]), "a chosen slot is in the booth")
        return self.booths[seat][slot]

    def place(self, seat: int, event: Event) -> None:
        slot, genre, books = self.slot(seat, event["slot"]), event["genre"], event["count"]
        self.check(books >= 1, "one or more cards are placed")
        self.check(books <= self.hands[seat][genre], "placed cards come from the hand")
        is_mixed = self.rules["slot_genres"] == "any"
        self.check(is_mixed or slot.genre in (None, genre), "a slot holds books of one genre")
        capacity = self.rules["slot_capacity"]
        self.check(not capacity or slot.books + books <= capacity, "a slot holds at most `slot_capacity` books")
        self.hands[seat][genre] -= books
        slot.add(genre, books)

    def retrieve(self, seat: int, event: Event) -> None:
        slot, genre, books = self.slot(seat, event["slot"]), event["genre"], event["count"]
        self.check(books >= 1, "at least one book is retrieved")
        self.check(books <= slot.held[genre], "retrieved books come from the slot")
        self.check(self.has_room(seat, books), "nobody retrieves beyond `hand_limit`")
        self.hands[seat][genre] += books
        slot.add(genre, -books)

    def continues(self) -> bool:
        """Whether the next event takes back more within the same action."""
        return self.coming() == "retrieve" and self.events[self.position].get("continues") is True

    def retrieve_more(self, seat: int, begun: Event) -> None:
        event = self.take("retrieve")
        self.says("seat", seat, TURNS)
        first, more = self.slot(seat, begun["slot"]), self.slot(seat, event["slot"])
        is_there = first.shelf == more.shelf if self.rules["retrieve_from"] == "shelf" else first is more
        self.check(is_there, "one action takes back from one slot, or with `retrieve_from` shelf from one shelf")
        self.retrieve(seat, event)

    def buy(self, seat: int, event: Event) -> None:
        item, rules, booth = event["item"], self.rules, self.booths[seat]
        self.check(item in (*POPS, "end_shelf"), "a POP or an end shelf is bought")
        cost = rules["end_shelf_cost"] if item == "end_shelf" else rules[f"pop_cost_{item}"]
        self.discard(seat, event["discards"], cost, "exactly the cost is discarded, from the hand")
        if item == "end_shelf":
            self.says("slot", None, "an end shelf goes to the end of the booth, not on a slot")
            most = rules["main_shelf_slots"] + rules["end_shelves_max"] * rules["end_shelf_slots"]
            self.check(len(booth) < most, "a booth has at most `end_shelves_max` end shelves")
            self.add_end_shelf(seat)
            return
        self.check(event["slot"] is not None, "a POP goes on a slot")
        slot = self.slot(seat, event["slot"])
        self.check(slot.pop is None, "a slot has one POP, which stays")
        bought = sum(slot.pop == item for booth in self.booths for slot in booth)
        self.check(bought < rules["pop_copies"], "there are `pop_copies` POPs of each kind")
        slot.pop = item

    def add_end_shelf(self, seat: int) -> None:
        booth, wide = self.booths[seat], self.rules["end_shelf_slots"]
        new = [Slot(shelf=1 + max(slot.shelf for slot in booth)) for _ in range(wide)]
        if self.rules["end_shelf_side"] == "right":
            booth.extend(new)
            return
        booth[:0] = new  # what stands in the booth stays where it is, on a slot that counts higher now
        self.places = [(owner, slot + wide if owner == seat else slot) for owner, slot in self.places]

    def discard(self, seat: int, cards: Tally, number: int, rule: str) -> None:
        self.check(sum(cards.values()) == number and Counter(cards) <= self.hands[seat], rule)
        self.hands[seat].subtract(cards)
        self.discards = self.discards + Counter(cards)  # drops zeros, so that it is true when there are cards

    # The sales phase

    def roll(self) -> None:
        self.dice = self.take("roll", rule="all dice are rolled at once when every seat has acted")["dice"]
        self.check(len(self.dice) == len(self.seats), "every seat rolls its die")
        for animal, face in zip(self.animals, self.dice, strict=True):
            self.check(face in self.rules[f"die_{animal}"], f"a roll is a face of the {animal}'s die")

    def customer(self, seat: int) -> None:
        """A roll of 0 enters no slot, just as an animal without any space: it stops nowhere."""
        way = route(self.booths, self.places[seat], self.dice[seat], self.animals[seat], self.rules)
        stop = way[-1] if way else None
        if self.coming() == "trial":
            stop = self.trial(seat, way[:-1])
        self.take("move", rule="in start-player order each animal moves")
        self.says("seat", seat, "in start-player order each animal moves")
        owner, slot = self.places[seat] = stop or self.places[seat]
        rule = "an animal moves its roll, slot by slot, unless a Trial Read stops it"
        self.says("owner", owner, rule)
        self.says("slot", slot, rule)
        bought = purchases(self.booths[owner], slot, self.animals[seat], self.rules, owner == seat) if stop else []
        gave_limited: set[int] = set()
        for place, genre, cause in bought:
            self.sell(seat, owner, place, genre, cause, gave_limited)
        self.check(self.coming() != "sale", f"nothing more is sold: {SELLING}")

    def trial(self, seat: int, passed: list[Place]) -> Place:
        trial = self.take("trial")
        self.says("animal", seat, "a Trial Read stops the animal that is moving")
        place = trial["seat"], trial["slot"]
        self.check(place in passed, "a Trial Read stops an animal that passes, entering with steps left")
        slot = self.booths[place[0]][place[1]]
        is_ready = slot.books > 0 or not self.rules["trial_needs_books"]
        self.check(slot.pop == "trial" and is_ready, "only a Trial Read on a slot with books stops")
        rule = "its owner discards exactly `trial_discard` cards, from the hand"
        self.discard(place[0], trial["discards"], self.rules["trial_discard"], rule)
        return place

    def sell(self, buyer: int, owner: int, place: int, genre: str, cause: str, gave_limited: set[int]) -> None:
        """One book: its star, a Limited Edition's, and the bonus when its pile is complete."""
        sale, rules, slot = self.take("sale", rule=SELLING), self.rules, self.booths[owner][place]
        told = {"owner": owner, "slot": place, "genre": genre, "buyer": buyer, "cause": cause}
        for key, truth in told.items():
            self.says(key, truth, SELLING)
        self.check(sale["pile"] == genre or slot.pop == "related", "only Related Books files under another genre")
        self.give(owner, "star", 1, "a book sold gives one star")
        once = rules["limited_per"] == "sale" and place in gave_limited
        extra = rules["limited_extra_stars"] if slot.pop == "limited" and not once else 0
        gave_limited.add(place)
        self.give(owner, "limited", extra, "a Limited Edition gives its stars, see `limited_per`")
        pile = self.piles[sale["pile"]]
        pile[genre] += 1
        slot.add(genre, -1)
        is_complete = pile.total() >= rules["genre_pile_size"]
        self.says("pile_cleared", is_complete, "a pile is cleared when it reaches `genre_pile_size`")
        bonus = rules["genre_bonus_stars"] if is_complete else 0
        self.give(owner, "bonus", bonus, "the owner of the book that completes a pile gains the bonus")
        if is_complete:
            (self.discards if rules["cleared_piles"] == "discards" else self.out).update(pile)
            pile.clear()

    def give(self, owner: int, reason: str, stars: int, rule: str) -> None:
        if reason != "star" and self.rules["extra_stars_from"] == "stock":
            self.says(reason, stars, f"{rule}, from the stock")
            self.from_stock[owner] += stars
            self.stars[owner] += stars
            return
        given = min(stars, self.supply[owner])
        self.says(reason, given, f"{rule}, as far as the supply has them")
        self.supply[owner] -= given
        self.stars[owner] += given

    # The end

    def near(self, key: str, truth: list[Any], rule: str) -> None:
        near = [abs(said - exact) <= TOLERANCE for said, exact in zip(self.event[key], truth, strict=False)]
        self.check(len(self.event[key]) == len(truth) and all(near), f"{rule}: `{key}` is {[*map(float, truth)]}")

    def draw_mvp(self) -> None:
        rule = "the game ends with the round in which a supply is empty, or with `max_rounds`"
        mvp, draws, tie = self.take("mvp", rule=rule), self.rules["mvp_draws"], self.rules["mvp_tie"]
        self.says("stars", self.stars, "the bag holds the stars that were sent")
        try:
            winners = elected(self.stars, mvp["drawn"], draws, tie)
        except WrongDraw as wrong:
            self.check(False, str(wrong))
        self.near("chances", chances(self.stars, draws, tie), "the lottery's exact chances")
        shares = [1 / len(winners) if seat in winners else 0 for seat in self.seats]
        self.near("win_share", shares, "the colour drawn most is the MVP, see `mvp_tie`")

    def conservation(self, end: Event) -> None:
        """Nothing is made or lost; so supply and discards are right once stars, hands, booths and piles are."""
        books = Counter(self.deck)
        for cards in (*end["hands"], *end["piles"].values(), end["discards"], self.told_out(end)):
            books.update(cards)
        for cards in self.told_shelves(end):
            books.update(cards)
        for genre in GENRES:
            self.check(books[genre] == self.rules["books_per_genre"], f"the {genre} books keep their number")
        sums = [sum(stars) for stars in zip(end["supply"], end["stars"], strict=False)]
        whole = [self.rules["stars_per_player"] + more for more in self.from_stock]
        self.check(sums == whole, "supply and stars of each seat keep their sum, but for stars from the stock")

    def told_out(self, end: Event) -> Tally:
        """The books out of the game, which are told where cleared piles leave it."""
        if self.rules["cleared_piles"] == "discards":
            return {}
        self.check_key(end, "out", "cards by genre", by_genre(count))
        self.says("out", dict(self.out), "the books of cleared piles leave the game")
        return dict(self.out)

    def told_shelves(self, end: Event) -> list[Tally]:
        """The books of every slot by genre; with `slot_genres` any they are told apart."""
        told = [{genre: books} if books else {} for booth in end["booths"] for genre, books, _ in booth]
        if self.rules["slot_genres"] == "any":
            self.check_key(end, "shelved", "books by genre, slot and seat", each(each(by_genre(count))))
            held = [[{g: n for g, n in slot.held.items() if n} for slot in booth] for booth in self.booths]
            self.says("shelved", held, "booths are as played")
            told = [slot for booth in held for slot in booth]
        return told

    def finish(self) -> None:
        end = self.take("end")
        self.conservation(end)
        self.says("stars", self.stars, "stars sent count at the end")
        told = [Counter(hand) for hand in end["hands"]]
        self.check(told == self.hands, "hands are what is left of them")
        booths = [[[slot.genre, slot.books, slot.pop] for slot in booth] for booth in self.booths]
        self.says("booths", booths, "booths are as played")
        piles = {genre: Counter(end["piles"].get(genre, {})) for genre in GENRES}
        self.check(piles == self.piles, "piles are as filed")
        self.says("rounds", self.round, "rounds are counted")
        self.says("stalled", 0 not in self.supply, "a game stalls when `max_rounds` ends it with no empty supply")
        self.check(self.coming() is None, "nothing follows the end")
