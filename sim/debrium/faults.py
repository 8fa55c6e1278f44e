"""The rules that a policy's answer can break, each with the sentence that the error says."""

from __future__ import annotations

from sim.desk import WROTE_RECORDS

(
    BID_COINS,
    BID_SKILL_COINS,
    ACTION,
    SKILL,
    SKILL_UNPAID,
    SKILL_WITH_FUNDS,
    YELLOW_TAKE,
    PLACEMENTS,
    SPACE,
    SPACE_EMPTY,
    SPACE_OCCUPIED,
    WORKERS,
    HIRE_PRICE,
    PAY_SKILL_COINS,
    EXTRA_SPACE,
) = range(WROTE_RECORDS + 1, WROTE_RECORDS + 16)

#: The sentence of each broken rule; `{choice}` is the answer's record and `{limit}` a number.
SENTENCES = {
    WROTE_RECORDS: "changes a record that it may only read; a policy writes `choice` and `own.memory` alone",
    BID_COINS: "bids {choice.coins:g} coins; a bid is a whole number from 0 to the {limit} coins it holds",
    BID_SKILL_COINS: "bids {choice.skill_coins:g} skill coins; it may bid a whole number from 0 to {limit}",
    ACTION: "chooses action {choice.action:g}; an action is FUNDS (0) or MINE (1)",
    SKILL: "answers skill {choice.skill:g}; it is 0 (not used) or 1 (used)",
    SKILL_UNPAID: "uses a skill without a company or a skill coin in this round's bid",
    SKILL_WITH_FUNDS: "uses its skill and takes funds; with skill_with_funds off a skill is for mining only",
    YELLOW_TAKE: "takes {choice.taken:g} coins with Yellow's skill; it may take a whole number from 0 to {limit}",
    PLACEMENTS: "makes {choice.placements:g} placements; it may make a whole number from 0 to {limit}",
    SPACE: "places on a space that is not on the board; spaces are the whole numbers from 0 to {limit}",
    SPACE_EMPTY: "places on space {limit}, where no chip lies",
    SPACE_OCCUPIED: "places on space {limit}, where workers stand already",
    WORKERS: "places more than the {limit} workers a player can have",
    HIRE_PRICE: "hires workers for {limit} coins, which is more than it holds",
    PAY_SKILL_COINS: (
        "pays {choice.pay_skill_coins:g} skill coins for workers; it is a whole number of at most {limit} that "
        "leaves no more to pay than its coins, or COINS_FIRST (-1)"
    ),
    EXTRA_SPACE: "takes Blue's extra chip at {choice.space:g}; it is one of the {limit} listed in `choice.spaces`",
}
