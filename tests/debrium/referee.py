"""An independent referee for Debrium: Treasure, which re-adjudicates a whole game from its trace.

It derives every rule anew from the rule book and shares nothing with the engine; its numbers are the trace's.
"""

from collections.abc import Callable
from typing import Any

Event = dict[str, Any]
Test = Callable[[Any], bool]
TRACE_VERSION = 2
COMPANIES = {"red", "blue", "yellow", "green"}
POOLS = {"coins": "pool", "skill_coins": "skill_pool"}
TOLERANCE = 1e-9
RULES = (
    "players expansion rows columns stack_height coordinate_copies starting_coins starting_pool free_workers "
    "max_workers hire_cost debt_penalty mining_king_bonus starting_skill_coins yellow_take red_workers "
    "green_discount green_surcharge initial_order companies coins_public skill_with_funds tie "
    "blue_takes red_needs green_per coin_points skill_coin_points king_needs_chip hire_idle "
    + " ".join(f"chips_level_{level} values_level_{level}" for level in (1, 2, 3, 4))
)
EVENTS = {
    "game": "game rules_version seed index players policies rules",
    "setup": "stacks pile order coins skill_coins companies",
    "round": "round",
    "bids": "coins skill_coins order debt",
    "skill": "seat company taken",
    "funds": "seat",
    "mine": "seat spaces workers hired paid_coins paid_skill_coins",
    "payout": "takers coins_each skill_coins_each pool skill_pool",
    "fall": "column row burst_column burst_row space value lost",
    "collect": "seat space level value extra",
    "end": "chip_points coins skill_coins debt_cards debt_penalty chips score win_share king",
}


def of(*types: type) -> Test:
    """Types are compared exactly, since JSON's true is no number although Python's is."""
    return lambda value: type(value) in types


def count(value: Any) -> bool:
    return type(value) is int and value >= 0


def each(test: Test) -> Test:
    return lambda value: type(value) is list and all(map(test, value))


VALUES = " ".join(f"values_level_{level}" for level in (1, 2, 3, 4))
KINDS: list[tuple[str, Test, str]] = [  # a key not listed holds a count
    ("an integer", of(int), "seed value mining_king_bonus"),
    ("true or false", of(bool), "expansion burst_column burst_row extra king_needs_chip hire_idle"),
    ("yes or no", lambda value: of(bool)(value) or value in ("yes", "no"), "coins_public skill_with_funds"),
    ("random or seat", lambda value: value in ("random", "seat"), "initial_order"),
    ("shared or order", lambda value: value in ("shared", "order"), "tie"),
    ("must or may", lambda value: value in ("must", "may"), "blue_takes"),
    ("most or exactly", lambda value: value in ("most", "exactly"), "red_needs"),
    ("turn or worker", lambda value: value in ("turn", "worker"), "green_per"),
    ("text", of(str), "game company"),
    ("a mapping", of(dict), "rules"),
    ("a seat or null", lambda value: value is None or count(value), "king"),
    ("counts", each(count), "order coins skill_coins spaces takers debt_cards chips hire_cost"),
    ("integers", each(of(int)), f"pile chip_points score debt_penalty {VALUES}"),
    ("numbers", each(of(int, float)), "win_share"),
    ("texts", each(of(str)), "policies"),
    ("texts, random or null", lambda value: value in (None, "random") or each(of(str))(value), "companies"),
    ("pairs of seat and space", each(each(count)), "lost"),
    ("stacks of level and value", each(each(each(of(int)))), "stacks"),
]
KIND_OF = {key: (kind, test) for kind, test, keys in KINDS for key in keys.split()}


class Foul(AssertionError):
    """A rule was broken; the message names the round (0 before the first), the event and the rule."""


def judge(events: list[Event]) -> None:
    """Raise a Foul unless the events are one whole game played by the rules."""
    referee = Referee(events)
    referee.open_game()
    referee.set_up()
    while referee.pile:
        referee.play_round()
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
        self.check_keys(self.event, EVENTS[name])
        return self.event

    def check_keys(self, mapping: Event, keys: str) -> None:
        for key in keys.split():
            kind, test = KIND_OF.get(key, ("a count", count))
            self.check(key in mapping and test(mapping[key]), f"`{key}` is required and holds {kind}")

    def play_round(self) -> None:
        self.take("round", rule="the game lasts until the round in which the pile runs out")
        self.round += 1
        self.says("round", self.round, "rounds are counted from 1")
        self.activated: set[int] = set()
        self.takers: list[int] = []
        self.owner: dict[int, int] = {}  # whose workers stand on a space
        self.bidding()
        for seat in self.order:
            self.action(seat)
        self.additional_funds()
        self.debris_fall()
        self.mining()

    def open_game(self) -> None:
        game = self.take("game")
        self.says("game", "debrium", "this referee judges Debrium only")
        self.says("rules_version", TRACE_VERSION, "this referee knows one version of the rules")
        self.rules = rules = game["rules"]
        self.check_keys(rules, RULES)
        self.says("players", rules["players"], "the players are those of the rules")
        self.check(len(game["policies"]) == rules["players"], "every seat has a policy")
        for level in (1, 2, 3, 4):
            values, chips = f"values_level_{level}", rules[f"chips_level_{level}"]
            self.check(len(rules[values]) == chips, f"`{values}` lists a value for each chip of the level")
        hireable = rules["max_workers"] - rules["free_workers"]
        self.check(len(rules["hire_cost"]) >= hireable, "`hire_cost` prices all workers one may hire")

    def set_up(self) -> None:
        setup, rules, players = self.take("setup"), self.rules, self.rules["players"]
        self.deal(setup["stacks"])
        self.seats, self.order, self.pile = list(range(players)), setup["order"], list(setup["pile"])
        self.check(sorted(self.pile) == sorted(rules["values_level_4"]), "the pile holds the level-4 chips")
        self.check(sorted(self.order) == self.seats, "the turn order names every seat once")
        if rules["initial_order"] == "seat":
            self.says("order", self.seats, "with `initial_order` seat the first order is that of the seats")
        skill_coins = rules["starting_skill_coins"] if rules["expansion"] else 0
        self.held = {"coins": [rules["starting_coins"]] * players, "skill_coins": [skill_coins] * players}
        for kind in POOLS:
            self.says(kind, self.held[kind], f"every seat starts with the same {kind}")
        self.pool = {"coins": rules["starting_pool"], "skill_coins": 0}
        self.total = {kind: sum(self.held[kind]) + self.pool[kind] for kind in POOLS}
        self.found_companies(setup["companies"])
        self.chips = sum(map(len, self.stacks)) + len(self.pile)
        self.display: dict[str, list[int]] = {"column": [], "row": []}
        self.debt_cards = [0] * players
        self.collected: list[list[int]] = [[] for _ in self.seats]

    def deal(self, stacks: list[list[list[int]]]) -> None:
        """Each space starts with a stack of equal height; all chips of levels 1 to 3 are dealt."""
        self.stacks = [list(stack) for stack in stacks]
        rules, chips = self.rules, [chip for stack in stacks for chip in stack]
        self.check(len(stacks) == rules["rows"] * rules["columns"], "the board has rows x columns spaces")
        self.check({*map(len, stacks)} == {rules["stack_height"]}, "every stack is `stack_height` chips high")
        dealable = all(len(chip) == 2 and chip[0] in (1, 2, 3) for chip in chips)
        self.check(dealable, "only chips of levels 1 to 3 are dealt")
        for level in (1, 2, 3):
            dealt = sorted(value for chip_level, value in chips if chip_level == level)
            self.check(dealt == sorted(rules[f"values_level_{level}"]), f"level-{level} chips are as listed")

    def found_companies(self, companies: list[str] | None) -> None:
        if not self.rules["expansion"]:
            return self.says("companies", None, "only the expansion has companies")
        self.companies = companies if isinstance(companies, list) else []
        distinct = len(self.seats) == len(self.companies) == len(set(self.companies) & COMPANIES)
        self.check(distinct, "every seat has a company of its own")
        return self.check(self.rules["companies"] in ("random", companies), "`companies` sit as listed")

    def bidding(self) -> None:
        """Bids are paid into the pools and make the new order; the last takes a debt card."""
        bids = self.take("bids")
        for kind in POOLS:
            self.check(len(bids[kind]) == len(self.seats), "every seat bids")
            for seat in self.seats:
                self.pay(seat, kind, bids[kind][seat], "nobody bids more than they hold")
        self.skill_bid = bids["skill_coins"]
        self.order = sorted(self.order, key=lambda seat: -bids["coins"][seat] - self.skill_bid[seat])
        self.says("order", self.order, "the highest bid acts first, ties keep their current relative order")
        self.says("debt", self.order[-1], "the player who acts last takes the debt card")
        self.debt_cards[self.order[-1]] += 1

    def pay(self, seat: int, kind: str, amount: int, rule: str = "") -> None:
        """Whatever is paid goes to the pool of its kind; a negative amount comes from there."""
        self.check(amount <= self.held[kind][seat], f"{rule} ({kind} of seat {seat})")
        self.held[kind][seat] -= amount
        self.pool[kind] += amount

    def action(self, seat: int) -> None:
        while self.coming() == "skill":
            self.skill(seat)
        event = self.take("mine", "funds", rule="each seat takes exactly one action")
        self.says("seat", seat, "each seat takes exactly one action, in turn order")
        if event["event"] == "mine":
            return self.mine(seat, event)
        allowed = self.rules["skill_with_funds"] in (True, "yes") or seat not in self.activated
        self.check(allowed, "without `skill_with_funds` only a player who then mines uses a skill")
        return self.takers.append(seat)

    def skill(self, seat: int) -> None:
        taken = self.take("skill")["taken"]
        self.check(self.rules["expansion"], "only the expansion has skills")
        self.says("seat", seat, "a skill is activated at the start of its owner's turn")
        self.check(seat not in self.activated, "a skill is activated once a round")
        self.check(self.skill_bid[seat] >= 1, "a skill needs a skill coin in this round's bid")
        self.says("company", self.companies[seat], "a player has only their own company's skill")
        self.activated.add(seat)
        limit = min(self.rules["yellow_take"], self.pool["coins"]) if self.uses(seat, "yellow") else 0
        self.check(taken <= limit, "only Yellow takes coins, up to `yellow_take` and no more than the pool's")
        self.pay(seat, "coins", -taken)

    def uses(self, seat: int, company: str) -> bool:
        return seat in self.activated and self.companies[seat] == company

    def mine(self, seat: int, event: Event) -> None:
        spaces, rules = event["spaces"], self.rules
        self.check(len(spaces) == len(set(spaces)), "a space is chosen once")
        for space in spaces:
            self.check(space < len(self.stacks), "a chosen space is on the board")
            self.check(space not in self.owner, "a chosen space holds nobody's workers yet")
            self.check(bool(self.stacks[space]), "a chosen space has a chip to mine")
        workers = sum(self.workers_needed(seat, space) for space in spaces)
        self.says("workers", workers, "a space takes exactly as many workers as its top chip's level")
        self.check(workers <= rules["max_workers"], "nobody uses more than `max_workers` workers in a round")
        hired = max(0, workers - rules["free_workers"])
        if rules["hire_idle"]:  # no fewer than needed, and no more than one can have
            self.check(hired <= event["hired"], f"the extra workers needed are hired, {hired} of them")
            hired = event["hired"]
            have = rules["free_workers"] + hired
            self.check(have <= rules["max_workers"], "nobody has more than `max_workers` workers in a round")
        self.says("hired", hired, "exactly the extra workers needed are hired")
        price = self.hiring_price(seat, hired)
        self.check(sum(event[f"paid_{kind}"] for kind in POOLS) == price, f"hiring costs {price} here")
        for kind in POOLS:
            self.pay(seat, kind, event[f"paid_{kind}"], "hiring is paid from what one holds")
        self.owner |= dict.fromkeys(spaces, seat)

    def workers_needed(self, seat: int, space: int) -> int:
        """Red lowers the number to at most `red_workers`, or places just as many on any level (`red_needs`)."""
        level: int = self.stacks[space][-1][0]
        if not self.uses(seat, "red"):
            return level
        red: int = self.rules["red_workers"]
        return red if self.rules["red_needs"] == "exactly" else min(level, red)

    def hiring_price(self, seat: int, hired: int) -> int:
        """Green pays less, never below 0; whoever acts after Green pays more, but only when hiring.

        By `green_per` the whole turn is dearer or cheaper once, or as often as workers are hired.
        """
        price: int = self.rules["hire_cost"][hired - 1] if hired else 0
        each = {"turn": 1, "worker": hired}[self.rules["green_per"]]
        if hired and any(self.uses(earlier, "green") for earlier in self.activated - {seat}):
            price += each * self.rules["green_surcharge"]
        return max(0, price - each * self.rules["green_discount"]) if self.uses(seat, "green") else price

    def additional_funds(self) -> None:
        """Each pool is split evenly among the takers, on its own; the remainder stays."""
        self.take("payout", rule="funds are paid when every seat has acted")
        self.says("takers", self.takers, "those who chose funds are paid, in turn order")
        for kind, pool in POOLS.items():
            share = self.pool[kind] // len(self.takers) if self.takers else 0
            self.says(f"{kind}_each", share, "a pool is split evenly among the takers")
            for seat in self.takers:
                self.pay(seat, kind, -share)
            self.says(pool, self.pool[kind], "what is not paid out stays in the pool")

    def debris_fall(self) -> None:
        fall, columns = self.take("fall"), self.rules["columns"]
        column, row = fall["column"], fall["row"]
        burst = {shape: self.draw(shape, fall[shape]) for shape in self.display}
        impact = row * columns + column
        self.says("space", impact, "the drawn column and row name the impact space")
        struck = {impact}
        if burst["column"]:
            struck |= set(range(column, len(self.stacks), columns))
        if burst["row"]:
            struck |= set(range(row * columns, (row + 1) * columns))
        lost = sorted([seat, space] for space, seat in self.owner.items() if space in struck)
        self.check(sorted(fall["lost"]) == lost, f"workers on the impact or in a burst line fail: {lost}")
        self.owner = {space: seat for space, seat in self.owner.items() if space not in struck}
        self.says("value", self.pile[0], "the pile's next chip falls")
        self.stacks[impact].append([4, self.pile.pop(0)])

    def draw(self, shape: str, label: int) -> bool:
        """Put a coordinate chip on display; a burst returns all chips of its shape to the bag."""
        display = self.display[shape]
        self.check(label < self.rules[f"{shape}s"], f"the drawn {shape} is on the board")
        in_bag = self.rules["coordinate_copies"] - display.count(label)
        self.check(in_bag > 0, f"the drawn {shape} chip is still in the bag")
        burst = label in display
        self.says(f"burst_{shape}", burst, f"a {shape} bursts when its second chip comes on display")
        self.display[shape] = [] if burst else [*display, label]
        return burst

    def mining(self) -> None:
        """The top chips are still those of the placement: the fallen one lies where no workers are left."""
        for seat in self.order:
            standing = {space for space, owner in self.owner.items() if owner == seat}
            mined: set[int] = set()
            while mined < standing:
                mined.add(self.collect(seat, standing - mined, "every placement still standing collects"))
            beneath = {space for space in mined if self.stacks[space]}
            if beneath and self.uses(seat, "blue") and not self.declines():
                self.collect(seat, beneath, "Blue also takes a chip left beneath a space just mined", True)
        self.check(self.coming() != "collect", "only placements still standing and Blue's extra collect")

    def declines(self) -> bool:
        """Where `blue_takes` is may, Blue leaves the chip, which shows in that no extra one comes next."""
        comes = self.events[self.position] if self.position < len(self.events) else {}
        return self.rules["blue_takes"] == "may" and comes.get("extra") is not True

    def collect(self, seat: int, spaces: set[int], rule: str, extra: bool = False) -> int:
        space: int = self.take("collect", rule=rule)["space"]
        self.says("seat", seat, rule)
        self.says("extra", extra, rule)
        self.check(space in spaces, f"{rule}: the space is one of {sorted(spaces)}")
        level, value = self.stacks[space].pop()
        self.says("level", level, "the space's top chip is collected")
        self.says("value", value, "the space's top chip is collected")
        self.collected[seat].append(value)
        return space

    def conservation(self, end: Event) -> None:
        """Nothing is made or lost: what the seats claim at the end is what the pools and the board lack."""
        for kind, pool in self.pool.items():
            self.check(sum(end[kind]) + pool == self.total[kind], f"{kind} and their pool keep their sum")
        self.check(sum(end["chips"]) + sum(map(len, self.stacks)) == self.chips, "chips keep their sum")

    def finish(self) -> None:
        end = self.take("end", rule="the game ends after the round in which the pile runs out")
        self.conservation(end)
        points = [sum(values) for values in self.collected]
        self.says("chip_points", points, "the numbers on one's chips add up to one's chip points")
        for kind in POOLS:
            self.says(kind, self.held[kind], f"{kind} held count at the end")
        self.says("debt_cards", self.debt_cards, "every debt card taken is kept")
        curve = [0, *self.rules["debt_penalty"]]
        penalty = [curve[min(cards, len(curve) - 1)] for cards in self.debt_cards]
        self.says("debt_penalty", penalty, "the penalty follows the number of cards, its last step repeats")
        chips = [len(values) for values in self.collected]
        self.says("chips", chips, "collected chips are counted")
        crowned = any(chips) or not self.rules["king_needs_chip"]
        king = max(self.order, key=chips.__getitem__) if crowned else None  # the first of equals
        self.says("king", king, "the King has most chips, the earliest in the final order among equals")
        bonus = [self.rules["mining_king_bonus"] if seat == king else 0 for seat in self.seats]
        worth = {"coins": self.rules["coin_points"], "skill_coins": self.rules["skill_coin_points"]}
        purses = [[worth[kind] * number for number in self.held[kind]] for kind in POOLS]
        assets = zip(points, *purses, bonus, strict=True)
        score = [sum(own) - debt for own, debt in zip(assets, penalty, strict=True)]
        self.says("score", score, "chip points, coins of both kinds and the King's bonus less the penalty")
        winners = [seat for seat in self.order if score[seat] == max(score)]
        winners = winners[:1] if self.rules["tie"] == "order" else winners
        due = [1 / len(winners) if seat in winners else 0.0 for seat in self.seats]
        shares = end["win_share"]
        near = [abs(said - exact) <= TOLERANCE for said, exact in zip(shares, due, strict=False)]
        self.check(len(shares) == len(due) and all(near), f"the highest score wins, see `tie`: {due}")
        self.check(self.coming() is None, "nothing follows the end")
