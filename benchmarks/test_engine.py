"""Speed of the engine's parts, by pytest-benchmark: `python -m pytest benchmarks`. Compares runs; asserts nothing."""

from __future__ import annotations

from typing import Any

import pytest

from policies import load
from sim.batch import Batch, LineUp
from sim.game import load_game
from sim.rules import load as load_rules
from sim.task import new_call, play_task


@pytest.mark.parametrize("policy", ["random_legal", "greedy", "prospector"])
@pytest.mark.parametrize("settings", [(), ("expansion=true",)], ids=["base", "expansion"])
def test_block(benchmark: Any, policy: str, settings: tuple[str, ...]) -> None:
    """One block of 1000 games of four of a policy, played and counted on one thread."""
    game = load_game("debrium")
    batch = Batch("debrium", load_rules("debrium", sets=settings), LineUp((load(game, policy),) * 4, "fixed"), 1)
    call, layout = new_call(batch), batch.layout()
    result = benchmark(play_task, call, layout, 0, 1)
    assert result.games == 1000
