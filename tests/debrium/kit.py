"""What the checks of every game need to know of Debrium."""

from tests.debrium.script import PASS, STAGE, batch_of
from tests.debrium.test_faults import BREACHES
from tests.games.kit import Kit, Meddling, Place

GOLDEN = {
    "base_3": ("players=3",),
    "base_4": (),
    "expansion_3": ("players=3", "expansion=true", "starting_skill_coins=3"),
    "expansion_4": ("expansion=true", "starting_skill_coins=3"),
    "odd": (
        "expansion=true", "rows=3", "columns=5", "stack_height=1", "chips_level_1=4", "chips_level_2=6",
        "chips_level_3=5", "chips_level_4=14", "coordinate_copies=3", "starting_skill_coins=2", "starting_pool=6",
        "free_workers=1", "max_workers=6", "hire_cost=[1, 2, 4, 6, 9]", "debt_penalty=[2, 5]", "red_workers=1",
        "mining_king_bonus=6", "green_surcharge=1", "coins_public=false", "skill_with_funds=false", "tie=order",
        'companies=["yellow", "green", "blue", "red"]', "initial_order=seat",
    ),
}  # fmt: skip

VARIANTS = (
    (),
    ("players=3",),
    ("expansion=true", "starting_skill_coins=3"),
    ("players=3", "expansion=true", "starting_skill_coins=3"),
    ("players=3", "expansion=true", "starting_skill_coins=3", "coins_public=false", "chips_level_4=6"),
    ("expansion=true", "starting_skill_coins=2", "coins_public=false", "initial_order=seat"),
    ("rows=2", "columns=3", "stack_height=1", "chips_level_1=3", "chips_level_2=2", "chips_level_3=1"),
)

PLAYS = """
def bid(rules, table, own, rng, choice):
    own.memory[0] += 1
    choice.coins = 1 if own.coins else 0
    choice.skill_coins = 1 if own.skill_coins else 0
    _meddle(0, rules, table, own, rng, choice)


def turn(rules, table, own, rng, choice):
    own.memory[1] = 1 / own.memory[0]
    choice.action = 1
    choice.skill = 1 if table.seats[own.seat].skill_bid else 0
    for space in range(rules.spaces):
        if table.level[space] == 1 and table.holder[space] < 0 and choice.placements < 2:
            choice.spaces[int(choice.placements)] = space
            choice.placements += 1
    _meddle(1, rules, table, own, rng, choice)


def extra(rules, table, own, rng, choice):
    own.memory[31] = own.memory[0]
    choice.space = choice.spaces[1]
    _meddle(2, rules, table, own, rng, choice)
"""

MEDDLING = Meddling(
    plays=PLAYS,
    sets=("expansion=true", 'companies=["blue", "red", "yellow", "green"]'),
    places=(
        Place("bid", seat=0, round=1),
        Place("bid", seat=3, round=1),
        Place("turn", seat=0, round=1),
        Place("turn", seat=2, round=1),
        Place("extra", seat=0, round=1),
    ),
    ready={"bid": (), "turn": ("taken", "pay_skill_coins"), "extra": ("placements", "spaces", "space")},
    writes={
        "a price in rules": "rules.hire_cost[1] = 0",
        "a switch in rules": "rules.tie = 1 - rules.tie",
        "the pool on the table": "table.pool += 1",
        "another seat's debt": "table.seats[(own.seat + 1) % 4].debt_cards += 1",
        "a level on the board": "table.level[15] = 1 + table.level[15]",
        "its own coins": "own.coins += 5",
        "the values of its chips": "own.chip_values[0] = 99",
    },
    reads_at="choice.coins = table.stack[int(own.param[2])]",
    writes_at="choice.spaces[int(own.param[2])] = 0",
    length=36,
)

KIT = Kit(
    stage=STAGE,
    golden=GOLDEN,
    variants=VARIANTS,
    halts=(0, 1, 3, 4, 5, 7, 8, 9, 20, 23),
    stepped=("expansion=true", "starting_skill_coins=2"),
    steps=lambda events: 4 * 2 * 10,
    counting=batch_of([], [{1: PASS}]),
    counted=10,
    dealt="stacks",
    meddling=MEDDLING,
    breaches=BREACHES,
)
