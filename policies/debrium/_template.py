"""Mines the safest chips that its own workers can reach, and takes funds when the pool is rich.

This is a working policy to start from. Each function below answers one decision of the game; leave one out
and the safe default stands for it (bid nothing, take funds). `steelyard policies debrium --check` plays
it through thousands of games; `--policies ./mine.py,prospector,prospector,prospector` plays it in a run.

What a decision is handed, read only: `rules` (every number of the variant), `table` (what everybody
sees) and `own` (what only this seat sees; own.memory is scratch that lasts for the game). It answers by
writing `choice`. `rng` is the only source of chance: below(rng, n) from sim.rng.
"""

from policies import Param
from sim.debrium.view import is_free, loss_chance, mine_at

PARAMS = (
    Param("richness", 6.0, 0.0, 50.0, "coins in the pool for which it takes funds"),
    Param("caution", 0.25, 0.0, 1.0, "chance of losing the workers from which it leaves a space alone"),
)
RICHNESS, CAUTION = range(len(PARAMS))


def bid(rules, table, own, rng, choice):
    """Bid one coin while there are plenty; choice.coins is 0 already."""
    if own.coins > 5:
        choice.coins = 1


def turn(rules, table, own, rng, choice):
    """Take funds from a rich pool, else mine safe spaces with the free workers; choice.action is FUNDS already."""
    if table.pool >= own.param[RICHNESS]:
        return
    workers = rules.free_workers
    for space in range(rules.spaces):
        level = table.level[space]
        if is_free(table, space) and level <= workers and loss_chance(rules, table, space) < own.param[CAUTION]:
            mine_at(choice, space)
            workers -= level
