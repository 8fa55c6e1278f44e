"""A batch as plain data: it comes back equal, plays the same blocks elsewhere, and another simulator refuses it."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from sim import parcel
from sim.batch import Batch, LineUp
from sim.errors import BadInput, RunFailed
from sim.parcel import makers, pack, play_parcel, unpack
from sim.rules import load
from sim.task import PolicyFault
from tests.support import MIXED, ROOT, batch, outside, parts_of

#: Takes all its coins to the bid, which no default does.
ALL_IN = "def bid(rules, table, own, rng, choice):\n    choice.coins = own.coins\n"


def of_outside(source: str, params: tuple[float, ...] = ()) -> Batch:
    return Batch("debrium", load("debrium"), LineUp((outside(source, params=params),) * 4, "fixed"), 5, 100)


@pytest.mark.parametrize(
    "of",
    [
        batch(MIXED, "drawn", ["expansion=true", "initial_order=seat"], seed=2**63 - 1),
        batch(["prospector"], "fixed", ["players=3", "values_level_1=1,1,1,2,2,2,2,3,3,3,4,9"], block_games=10),
        of_outside(ALL_IN, (0.1, 1e300, -0.0)),
    ],
    ids=["drawn", "three players", "outside"],
)
def test_a_batch_comes_back_equal(of):
    assert unpack(pack(of)) == of


def test_equal_batches_make_equal_parcels_and_others_do_not():
    assert pack(batch(seed=3)) == pack(batch(seed=3))
    assert len({pack(batch(seed=3)), pack(batch(seed=4)), pack(batch(seed=3, sets=["starting_coins=11"]))}) == 3


def test_a_parcel_is_text_with_the_source_and_no_code():
    source = "# mine\n" + ALL_IN
    found = json.loads(zlib.decompress(pack(of_outside(source))))
    assert [policy["source"] for policy in found["policies"]] == [source] * 4
    assert [policy["is_trusted"] for policy in found["policies"]] == [False] * 4


def test_a_parcels_rules_are_checked_like_a_users():
    contents = json.loads(zlib.decompress(pack(batch())))
    contents["rules"]["starting_coins"] = -1
    with pytest.raises(BadInput, match="starting_coins must be a whole number"):
        unpack(zlib.compress(json.dumps(contents).encode()))


def test_a_parcel_plays_the_blocks_of_its_batch():
    of = batch(["prospector"], seed=8, block_games=50)
    (here,) = parts_of(of, (3, 2))
    there, seconds = play_parcel(makers(), pack(of), 3, 2, 100, True)
    assert seconds > 0
    assert (there.first_block, there.games) == (3, 100)
    np.testing.assert_array_equal(there.sums, here.sums)
    np.testing.assert_array_equal(there.totals, here.totals)
    assert len(there.rows) == 100


def test_threads_that_begin_together_play_the_same(tmp_path):
    """None may see a policy that another has only begun to import: it would leave the choice as it is."""
    of = of_outside(f"# {tmp_path}\nimport time\ntime.sleep(0.2)\n{ALL_IN}")
    with ThreadPoolExecutor(4) as pool:
        played = list(pool.map(lambda _: play_parcel(makers(), pack(of), 0, 1, 0, False)[0], range(4)))
    (alone,) = parts_of(of_outside(ALL_IN), (0, 1))
    for part in played:
        np.testing.assert_array_equal(part.sums, alone.sums)


def test_processes_that_compile_the_same_at_once_do_not_disturb_each_other(tmp_path):
    """As two workers on one machine do; afterwards nothing has to be compiled again."""
    policy = outside(ALL_IN)
    code = (
        "from sim.policy import Policy, compile_policy, needs_compiling; from sim.game import load_game; "
        f"policy = {policy!r}; print(needs_compiling('debrium', policy)); "
        "compile_policy(load_game('debrium'), policy)"
    )
    env = {**os.environ, "STEELYARD_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def begun() -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True)

    together = [begun() for _ in range(2)]
    said = [process.communicate()[0] for process in together]
    assert [process.returncode for process in together] == [0, 0]
    assert said == ["True\n", "True\n"]
    assert begun().communicate()[0] == "False\n"
    assert not list(Path(tmp_path).rglob(".*"))


@pytest.mark.parametrize("name", ["sources", "numba", "numpy"])
def test_another_simulator_refuses_in_one_line(name, monkeypatch):
    monkeypatch.setattr(parcel, "_own_name", lambda: "worker tcp://there:1")
    with pytest.raises(RunFailed) as caught:
        play_parcel({**makers(), name: "0123"}, pack(batch()), 0, 1, 0, False)
    line = str(caught.value)
    assert line.startswith(f"worker tcp://there:1 has {name} {makers()[name]} and this run 0123; ")
    assert "\n" not in line


def test_a_fault_travels_whole():
    of = outside(ALL_IN)
    fault = pickle.loads(pickle.dumps(PolicyFault("policy 'mine' bids too much", of, 17)))
    assert (type(fault), str(fault), fault.policy, fault.game) == (PolicyFault, "policy 'mine' bids too much", of, 17)
