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
    IDLE_WORKERS,
) = range(WROTE_RECORDS + 1, WROTE_RECORDS + 17)

#: The sentence of each broken rule; `{choice}` is the answer's record and `{limit}` a number.
SENTENCES = {
    WROTE_RECORDS: "changes a record that it may only read; a policy writes `choice` and `own.memory` alone",
    BID_COINS: "answers coins {choice.coins:g}; a bid is a whole number from 0 to {limit}, the coins it holds",
    BID_SKILL_COINS: "answers skill_coins {choice.skill_coins:g}; it may bid a whole number from 0 to {limit}",
    ACTION: "chooses action {choice.action:g}; an action is FUNDS (0) or MINE (1)",
    SKILL: "answers skill {choice.skill:g}; it is 0 (not used) or 1 (used)",
    SKILL_UNPAID: "uses a skill without a company or a skill coin in this round's bid",
    SKILL_WITH_FUNDS: "uses its skill and takes funds; with skill_with_funds off a skill is for mining only",
    YELLOW_TAKE: "answers taken {choice.taken:g} for Yellow's skill; it may take a whole number from 0 to {limit}",
    PLACEMENTS: "answers placements {choice.placements:g}; it may make a whole number from 0 to {limit}",
    SPACE: "places on a space that is not on the board; spaces are the whole numbers from 0 to {limit}",
    SPACE_EMPTY: "places on space {limit}, where no chip lies",
    SPACE_OCCUPIED: "places on space {limit}, where workers stand already",
    WORKERS: "places more workers than a player can have, which is {limit}",
    HIRE_PRICE: "hires workers at a price of {limit}, more than the coins and skill coins that it holds",
    PAY_SKILL_COINS: (
        "answers pay_skill_coins {choice.pay_skill_coins:g}; it is a whole number of at most {limit} that "
        "leaves no more to pay than its coins, or COINS_FIRST (-1)"
    ),
    EXTRA_SPACE: (
        "takes Blue's extra chip at {choice.space:g}; the first `choice.placements` ({limit}) of `choice.spaces` may "
        "be taken, and with blue_takes = may none, which is NO_SPACE (-1)"
    ),
    IDLE_WORKERS: (
        "answers idle_workers {choice.idle_workers:g}; it may hire from 0 to {limit} beyond those it places "
        "(with hire_idle off none)"
    ),
}
