"""The referee is judged first: it must pass games played by the rules and name the rule when one is broken."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.debrium.legal_games import (
    GAMES,
    Draw,
    base_game,
    collect,
    drop,
    funds,
    idle_game,
    insert,
    mine,
    revalue,
    skill,
    swap,
)
from tests.debrium.referee import Foul, judge
from tests.trace_changes import Change, both, drop_key, drop_rule, event, find, rule, say


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_the_rules_passes(game: str) -> None:
    trace = GAMES[game]()
    judge(trace)
    assert trace == GAMES[game](), "the referee leaves the trace as it was"


ALLOWED = {
    "keys may be added": ("base", say("fall", remark="close")),
    "lost is listed in any order": ("base", say("fall", 2, lost=[[0, 2], [2, 1]])),
    "a seat collects its own in any order": ("base", swap(9, 10)),
    "coins_public leaves no trace": ("base", rule(coins_public="no")),
    "initial_order seat": ("expansion", rule(initial_order="seat")),
    "companies by seat": ("expansion", rule(companies=["red", "blue", "yellow", "green"])),
    "the base game has no use for companies": ("base", rule(companies=["red", "blue", "yellow"])),
    "skill_with_funds as a word": ("expansion", rule(skill_with_funds="yes")),
    "a tie by order": ("idle", both(rule(tie="order"), say("end", win_share=[0, 0, 1]))),
    "win shares are floats": ("idle", say("end", win_share=[0.0, 0.5 - 1e-12, 0.5])),
    "the last debt step repeats": (
        "base",
        both(rule(debt_penalty=[1]), say("end", debt_penalty=[0, 1, 1], score=[9, 16, 40])),
    ),
    "hiring is paid in either coin": (
        "expansion",
        both(
            say("mine", 3, paid_coins=0, paid_skill_coins=1),
            say("payout", 1, skill_coins_each=2, skill_pool=0, pool=0),
            say("end", coins=[4, 8, 22, 7], skill_coins=[0, 3, 3, 2], score=[35, 22, 24, 13]),
        ),
    ),
    "Yellow may take nothing": (
        "expansion",
        both(
            say("skill", 3, taken=0),
            say("payout", 1, coins_each=1, pool=0),
            say("end", coins=[4, 9, 20, 8], score=[35, 22, 23, 13]),
        ),
    ),
    "Blue leaves the chip": (
        "expansion",
        both(
            rule(blue_takes="may"),
            drop("collect", 3),
            # The chip left, of level 2, is what seat 0 mines there in the next round, for 4 coins.
            say("end", chip_points=[16, 6, 0, 4], chips=[3, 2, 0, 1], score=[35, 15, 24, 12]),
        ),
    ),
    "Red needs just as many": ("expansion", rule(red_needs="exactly")),
    "Green for each worker": ("expansion", rule(green_per="worker", hire_cost=[1, 0, 5])),
    "coins count double": ("base", both(rule(coin_points=2), say("end", score=[18, 25, 49]))),
    "coins count nothing": ("base", both(rule(coin_points=0), say("end", score=[0, 3, 31]))),
    "skill coins count nothing": (
        "expansion",
        both(rule(skill_coin_points=0), say("end", score=[35, 19, 20, 11])),
    ),
    "a King without a chip": (
        "idle",
        both(
            rule(king_needs_chip=False),
            say("end", king=2, score=[9, 10, 25], win_share=[0, 0, 1]),
        ),
    ),
    "idle workers": ("base", both(rule(hire_idle=True, hire_cost=[1, 1, 5]), say("mine", 1, hired=2))),
    "Blue chooses among the spaces mined": (
        "expansion",
        both(
            say("collect", 3, space=3, level=1, value=3),
            say("mine", 4, spaces=[2, 5], workers=3, hired=1, paid_coins=4),
            # Seat 0 now mines the level 2 that Blue left, pays Green's surcharge and is a chip point richer.
            say("payout", 1, coins_each=2),
            say("collect", 6, space=5, level=2, value=6),
            say("end", chip_points=[19, 9, 0, 4], coins=[0, 10, 21, 9], score=[34, 20, 24, 14]),
        ),
    ),
}


@pytest.mark.parametrize(("game", "change"), ALLOWED.values(), ids=ALLOWED)
def test_what_the_rules_allow_passes(game: str, change: Change) -> None:
    trace = GAMES[game]()
    change(trace)
    judge(trace)


BROKEN = {
    # The rules and the setup
    "another game": ("base", say("game", game="book_festival"), "judges Debrium only"),
    "another version": ("base", say("game", rules_version=3), "one version of the rules"),
    "a seat too many": ("base", say("game", players=4), "players are those of the rules"),
    "a policy short": ("base", say("game", policies=["by hand"]), "every seat has a policy"),
    "a rule is missing": ("base", drop_rule("yellow_take"), "`yellow_take` is required"),
    "an unknown tie": ("base", rule(tie="duel"), "`tie` is required and holds shared or order"),
    "a value short": ("base", rule(values_level_3=[7]), "`values_level_3` lists a value for each chip"),
    "an unpriced worker": ("base", rule(hire_cost=[1, 3]), "`hire_cost` prices all workers"),
    "a board too large": ("base", rule(rows=3), "rows x columns spaces"),
    "stacks too high": ("base", rule(stack_height=3), "every stack is `stack_height` chips high"),
    "uneven stacks": (
        "base",
        lambda trace: trace[1]["stacks"][0].append(trace[1]["stacks"][1].pop()),
        "every stack is `stack_height` chips high",
    ),
    "a level 4 dealt": ("base", revalue((0, 0, [4, 1])), "only chips of levels 1 to 3 are dealt"),
    "a level too often": ("base", revalue((0, 0, [2, 1])), "level-1 chips are as listed"),
    "a value not listed": ("base", revalue((2, 1, [3, 9])), "level-3 chips are as listed"),
    "another pile": ("base", say("setup", pile=[12, 10, 10]), "pile holds the level-4 chips"),
    "a seat twice in order": ("base", say("setup", order=[2, 2, 0]), "turn order names every seat once"),
    "not the seats' order": ("base", rule(initial_order="seat"), "first order is that of the seats"),
    "a rich start": ("base", say("setup", coins=[11, 10, 10]), "starts with the same coins"),
    "skill coins in the base game": ("base", say("setup", skill_coins=[2, 2, 2]), "the same skill_coins"),
    "skill coins short": ("expansion", say("setup", skill_coins=[1, 2, 2, 2]), "the same skill_coins"),
    "companies in the base game": (
        "base",
        say("setup", companies=["red", "blue", "green"]),
        "only the expansion has companies",
    ),
    "no companies": ("expansion", say("setup", companies=None), "a company of its own"),
    "a company twice": ("expansion", say("setup", companies=["red", "red", "blue", "green"]), "of its own"),
    "not the company listed": (
        "expansion",
        rule(companies=["blue", "red", "yellow", "green"]),
        "`companies` sit as listed",
    ),
    # Bidding
    "a bid too high": ("base", say("bids", coins=[11, 3, 0]), "bids more than they hold"),
    "a bid of skill coins unheld": (
        "base",
        say("bids", skill_coins=[1, 0, 0]),
        "bids more than they hold .skill_coins of seat 0",
    ),
    "a skill bid too high": ("expansion", say("bids", 1, skill_coins=[1, 0, 2, 1]), "more than they hold"),
    "a negative bid": ("base", say("bids", coins=[-1, 3, 0]), "`coins` is required and holds counts"),
    "a missing bid": ("base", say("bids", coins=[3, 3]), "every seat bids"),
    "a tie turned over": ("base", say("bids", order=[0, 1, 2]), "ties keep their current relative order"),
    "a low bid first": ("base", say("bids", 1, order=[0, 2, 1]), "the highest bid acts first"),
    "skill coins count in a bid": ("expansion", say("bids", order=[3, 1, 2, 0]), "highest bid acts first"),
    "another's debt card": ("base", say("bids", debt=1), "acts last takes the debt card"),
    # Actions and skills
    "out of turn": ("base", swap(5, 6), "one action, in turn order"),
    "an action twice": ("base", insert(5, mine(1, [], 0)), "one action, in turn order"),
    "an action missing": ("base", drop("funds"), "exactly one action"),
    "a skill in the base game": ("base", insert(4, skill(1, "blue")), "only the expansion has skills"),
    "a skill not paid for": ("expansion", insert(10, skill(2, "yellow")), "needs a skill coin in this round"),
    "a skill twice": ("expansion", insert(4, skill(3, "green")), "activated once a round"),
    "a skill after the action": ("expansion", swap(6, 7), "at the start of its owner's turn"),
    "another's skill": ("expansion", say("skill", company="red"), "only their own company's skill"),
    "a skill before funds": ("expansion", rule(skill_with_funds="no"), "only a player who then mines"),
    "a skill before funds, as a flag": ("expansion", rule(skill_with_funds=False), "who then mines"),
    "Yellow beyond the limit": ("expansion", rule(yellow_take=0), "up to `yellow_take`"),
    "Yellow beyond the pool": ("expansion", say("skill", 3, taken=2), "no more than the pool's"),
    "Green takes coins": ("expansion", say("skill", taken=1), "only Yellow takes coins"),
    # Mining preparation
    "a space twice": ("base", say("mine", spaces=[3, 3], workers=2, hired=0), "a space is chosen once"),
    "off the board": ("base", say("mine", spaces=[0, 6]), "a chosen space is on the board"),
    "an occupied space": ("base", say("mine", 1, spaces=[0], workers=2), "nobody's workers yet"),
    "an empty space": ("base", say("mine", 4, spaces=[0]), "has a chip to mine"),
    "workers too few": ("base", say("mine", 1, workers=2, hired=0), "as many workers as its top chip's level"),
    "workers too many": ("base", say("mine", 1, workers=4), "as many workers as its top chip's level"),
    "Red does not raise": ("expansion", say("mine", 2, spaces=[2, 4], workers=5), "exactly as many workers"),
    "Red without the skill": ("expansion", drop("skill", 2), "as many workers as its top chip's level"),
    "beyond max_workers": (
        "base",
        both(rule(max_workers=4), say("mine", 2, workers=5)),
        "more than `max_workers` workers",
    ),
    "Red on a level below": (
        "expansion",
        both(rule(red_needs="exactly"), say("mine", 2, spaces=[2], workers=1, hired=0)),
        "exactly as many workers",
    ),
    "Green's surcharge for each worker": ("expansion", rule(green_per="worker"), "hiring costs 9 here"),
    "idle beyond max_workers": (
        "base",
        both(rule(hire_idle=True), say("mine", hired=4, paid_coins=5)),
        "has more than `max_workers` workers",
    ),
    "idle, but too few": ("base", both(rule(hire_idle=True), say("mine", hired=0)), "needed are hired, 1"),
    "idle for nothing": ("base", both(rule(hire_idle=True), say("mine", hired=2)), "hiring costs 3 here"),
    "hired for nothing": ("base", say("mine", hired=2, paid_coins=3), "exactly the extra workers needed"),
    "a worker for free": ("base", say("mine", paid_coins=0), "hiring costs 1 here"),
    "a step for a total": ("base", say("mine", 2, paid_coins=9), "hiring costs 5 here"),
    "Green pays in full": ("expansion", say("mine", paid_coins=1), "hiring costs 0 here"),
    "no discount without the skill": ("expansion", drop("skill"), "hiring costs 1 here"),
    "no surcharge paid": ("expansion", say("mine", 2, paid_coins=2), "hiring costs 6 here"),
    "a surcharge without hiring": ("expansion", say("mine", 1, paid_coins=3), "hiring costs 0 here"),
    "a surcharge before Green": ("expansion", say("mine", 3, paid_coins=4), "hiring costs 1 here"),
    "paid from nothing": (
        "base",
        say("mine", paid_coins=0, paid_skill_coins=1),
        "paid from what one holds .skill_coins of seat 1",
    ),
    # Additional funds
    "another taker": ("base", say("payout", takers=[1]), "those who chose funds are paid"),
    "takers out of order": ("base", say("payout", 1, takers=[1, 0]), "in turn order"),
    "an uneven share": ("base", say("payout", 1, coins_each=7), "a pool is split evenly among the takers"),
    "a share of too little": ("expansion", say("payout", 1, coins_each=1), "split evenly among the takers"),
    "no share of skill coins": ("expansion", say("payout", skill_coins_each=0), "split evenly"),
    "a remainder lost": ("base", say("payout", 1, pool=0), "not paid out stays in the pool"),
    "a skill remainder lost": ("expansion", say("payout", 1, skill_pool=0), "stays in the pool"),
    "no payout": ("base", drop("payout", 2), "funds are paid when every seat has acted"),
    # Debris fall
    "a column off the board": ("base", say("fall", column=3), "the drawn column is on the board"),
    "a row off the board": ("base", say("fall", row=2), "the drawn row is on the board"),
    "a chip not in the bag": ("base", rule(coordinate_copies=1), "the drawn row chip is still in the bag"),
    "a burst of one": ("base", say("fall", burst_column=True), "a column bursts when its second chip"),
    "a burst denied": ("base", say("fall", 2, burst_row=False), "a row bursts when its second chip"),
    "another impact": ("base", say("fall", space=1), "column and row name the impact space"),
    "a miracle on the impact": ("base", say("fall", lost=[]), "workers on the impact .* fail"),
    "a miracle in the burst": ("base", say("fall", 2, lost=[[2, 1]]), "in a burst line fail"),
    "lost elsewhere": ("base", say("fall", lost=[[0, 2], [1, 0]]), "workers on the impact .* fail"),
    "lost twice": ("base", say("fall", 2, lost=[[2, 1], [2, 1], [0, 2]]), "in a burst line fail"),
    "another's loss": ("base", say("fall", lost=[[1, 2]]), "workers on the impact .* fail"),
    "another chip falls": ("base", say("fall", value=10), "the pile's next chip falls"),
    # Mining
    "a chip not collected": ("base", drop("collect", 1), "every placement still standing collects"),
    "the last one not collected": ("base", drop("collect", 4), "every placement still standing collects"),
    "the lost collect": ("base", insert(28, collect(0, 2, 3, 8)), "only placements still standing"),
    "the fallen chip at once": ("base", insert(11, collect(0, 2, 4, 12)), "only placements still standing"),
    "another space": ("base", say("collect", space=1), "every placement still standing collects"),
    "another's collection": ("base", say("collect", seat=0), "every placement still standing collects"),
    "another level": ("base", say("collect", level=1), "the space's top chip is collected"),
    "another value": ("base", say("collect", value=5), "the space's top chip is collected"),
    "an extra that is none": ("base", say("collect", extra=True), "every placement still standing collects"),
    "collected out of turn": ("expansion", swap(13, 14), "every placement still standing collects"),
    "Blue declines": ("expansion", drop("collect", 3), "Blue also takes a chip left beneath"),
    "Blue leaves it and takes it later": (
        "expansion",
        both(rule(blue_takes="may"), swap(16, 17)),
        "every placement still standing collects",
    ),
    "Blue's extra before the others": ("expansion", swap(15, 16), "every placement still standing collects"),
    "Blue's extra elsewhere": ("expansion", say("collect", 3, space=0, level=1), "Blue also takes a chip"),
    "Blue's extra as another": ("expansion", say("collect", 3, extra=False), "Blue also takes a chip"),
    "two extras": ("expansion", insert(17, collect(1, 3, 1, 3, extra=True)), "every placement still standing"),
    "an extra without the skill": ("expansion", drop("skill", 1), "every placement still standing collects"),
    "an extra for Red": ("expansion", insert(19, collect(0, 4, 3, 7, extra=True)), "Blue's extra collect"),
    # The end
    "an early end": ("base", lambda trace: trace.__delitem__(slice(20, 28)), "in which the pile runs out"),
    "a late end": ("base", insert(28, event("round", round=4)), "in which the pile runs out"),
    "a round miscounted": ("base", say("round", 1, round=3), "rounds are counted from 1"),
    "something after the end": ("base", insert(29, event("round", round=4)), "nothing follows the end"),
    "no end": ("base", drop("end"), "in which the pile runs out: next comes end"),
    "coins made": ("base", say("end", coins=[10, 11, 9]), "coins and their pool keep their sum"),
    "skill coins lost": (
        "expansion",
        say("end", skill_coins=[0, 2, 4, 0]),
        "skill_coins and their pool keep their sum",
    ),
    "chips lost": ("base", say("end", chips=[0, 1, 3]), "chips keep their sum"),
    "another's coins": ("base", say("end", coins=[11, 9, 9]), "coins held count at the end"),
    "another's skill coins": ("expansion", say("end", skill_coins=[1, 2, 4, 0]), "skill_coins held count"),
    "another's chips": ("base", say("end", chips=[1, 1, 3]), "collected chips are counted"),
    "points miscounted": ("base", say("end", chip_points=[0, 6, 16]), "one's chip points"),
    "a debt forgiven": ("base", say("end", debt_cards=[0, 1, 1]), "every debt card taken is kept"),
    "a penalty off the curve": ("base", say("end", debt_penalty=[0, 2, 1]), "penalty follows the number"),
    "a last step that grows": ("base", rule(debt_penalty=[1]), "its last step repeats"),
    "another King": ("base", say("end", king=1), "the King has most chips"),
    "a later King": ("expansion", say("end", king=1), "the earliest in the final order among equals"),
    "a King without chips": ("idle", say("end", king=2), "the King has most chips"),
    "no King's bonus": ("base", say("end", score=[9, 14, 25]), "the King's bonus"),
    "a King where none needs a chip": ("idle", rule(king_needs_chip=False), "the King has most chips"),
    "coins at another worth": ("base", rule(coin_points=2), "coins of both kinds"),
    "skill coins at another worth": ("expansion", rule(skill_coin_points=0), "coins of both kinds"),
    "skill coins without worth": ("expansion", say("end", score=[35, 19, 24, 12]), "coins of both kinds"),
    "another winner": ("base", say("end", win_share=[0, 1, 0]), "the highest score wins"),
    "a win not shared": ("idle", say("end", win_share=[0, 0, 1]), "the highest score wins"),
    "a share for nobody": ("idle", say("end", win_share=[0, 0.5]), "the highest score wins"),
    "no number for a share": ("idle", say("end", win_share=[0, float("nan"), 0.5]), "highest score wins"),
    "a tie not by order": ("idle", rule(tie="order"), "the highest score wins"),
    # The form of the trace
    "a key missing": ("base", drop_key("fall", "lost"), "`lost` is required"),
    "a flag for a number": ("base", say("round", round=True), "`round` is required and holds a count"),
    "a number for a flag": ("base", say("fall", burst_row=0), "`burst_row` is required"),
    "an unknown event": ("base", insert(4, event("nap")), "next comes mine or funds"),
    "no setup": ("base", drop("setup"), "events come in order of play: next comes setup"),
    "nothing at all": ("base", lambda trace: trace.clear(), "next comes game"),
}


@pytest.mark.parametrize(("game", "change", "broken"), BROKEN.values(), ids=BROKEN)
def test_a_broken_rule_is_named(game: str, change: Change, broken: str) -> None:
    trace = GAMES[game]()
    change(trace)
    with pytest.raises(Foul, match=broken):
        judge(trace)


BURSTS: list[Draw] = [
    (0, 0, False, False),
    (1, 0, False, True),
    (0, 0, True, False),  # the row's burst has cleared the rows and left the columns
    (1, 0, False, True),  # the column's burst has returned the other columns too
    (2, 1, False, False),
    (2, 1, True, True),
    (1, 1, False, False),
]


def test_a_burst_clears_its_own_display_only() -> None:
    judge(idle_game(BURSTS))


@pytest.mark.parametrize("wrong", range(len(BURSTS)))
@pytest.mark.parametrize("shape", ["column", "row"])
def test_bursts_are_told_truly(wrong: int, shape: str) -> None:
    trace = idle_game(BURSTS)
    find(trace, "fall", wrong)[f"burst_{shape}"] ^= True
    with pytest.raises(Foul, match=f"round {wrong + 1}, .* a {shape} bursts when its second chip"):
        judge(trace)


def test_a_third_copy_still_bursts_at_the_second_chip() -> None:
    trace = idle_game(BURSTS)
    find(trace, "game")["rules"]["coordinate_copies"] = 3
    judge(trace)


def test_a_foul_names_round_and_event() -> None:
    trace = base_game()
    find(trace, "fall", 1)["space"] = 0
    with pytest.raises(Foul, match=r"^round 2, event 18 \(fall\): "):
        judge(trace)


def leaves(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every container and key under which a number, flag or text stands."""
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
        # Green's skill before funds changes nothing when nobody hires later: it might as well be declined.
        declined = entry == skill(3, "green") and dropped[index] == funds(3)
        for trace in [doubled] if declined else [dropped, doubled]:
            with pytest.raises(Foul):
                judge(trace)
