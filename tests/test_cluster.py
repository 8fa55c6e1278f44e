"""Playing on the workers of a Dask scheduler: the bytes of a local run, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import cluster as cluster_module
from sim.batch import Batch, LineUp, compile_all
from sim.cluster import Cluster
from sim.errors import RunFailed
from sim.groups import groups
from sim.parcel import makers
from sim.rules import load
from sim.run import Run
from sim.store import Writer
from sim.sweep import Goal, Sweep
from sim.workers import Threads, Workers
from tests.cli.runner import COMMAND, refusal, steelyard
from tests.support import ROOT, assert_same, batch, outside

pytest.importorskip("distributed")

FOUR = ("--policies", "prospector,greedy,never_bids,random_legal")
ALL_IN = "def bid(rules, table, own, rng, choice):\n    choice.coins = own.coins\n"


@dataclass
class Site:
    """A scheduler and its workers on loopback, each a process of the test's own; `logs` is where they write."""

    logs: Path
    variables: dict[str, str] = field(default_factory=dict)
    address: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def begin(self) -> Site:
        """Start the scheduler and learn its address."""
        file = self.logs / "scheduler.json"
        scheduler = self._start("dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(file))
        while not (file.exists() and file.read_text().endswith("}")):
            assert scheduler.poll() is None, self.said()
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]
        return self

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker with one thread; it joins when it is ready."""
        return self._start(
            "dask_worker", self.address, "--nthreads", "1", "--nworkers", "1", "--no-nanny", "--host", "127.0.0.1",
            "--local-directory", str(self.logs), "--death-timeout", "60",
        )  # fmt: skip

    def has_workers(self, count: int) -> None:
        """Wait until so many workers have joined."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, 60)

    def end(self) -> None:
        """End every process that is still there."""
        for process in self.processes:
            process.kill()
            process.wait()

    def said(self) -> str:
        """What the processes have logged."""
        return "\n".join(path.read_text() for path in sorted(self.logs.glob("*.log")))

    def _start(self, module: str, *words: str) -> subprocess.Popen[bytes]:
        env = {**os.environ, "PYTHONPATH": str(ROOT), **self.variables}
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words, "--dashboard-address", "127.0.0.1:0"]
        with open(self.logs / f"{len(self.processes)}.log", "wb") as log:
            process = subprocess.Popen(command, cwd=self.logs, env=env, stdout=log, stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A scheduler with two workers, which find on disk what this process has compiled."""
    compile_all([batch(FOUR[1].split(","))])
    site = Site(tmp_path_factory.mktemp("site"))
    try:
        site.begin()
        site.add_worker()
        site.add_worker()
        site.has_workers(2)
        yield site
    finally:
        site.end()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A scheduler for a test to ruin, without workers, which gives a task up when one worker dies of it."""
    folder = tmp_path / "site"
    folder.mkdir()
    site = Site(folder, {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"})
    try:
        yield site.begin()
    finally:
        site.end()


def nothing(text: str) -> None:
    """Is told what no test looks at."""


def played(
    workers: Workers, batches: list[Batch], goal: Goal, folder: Path | None = None,
    on_games: Callable[[int], None] = lambda games: None,
) -> Sweep:  # fmt: skip
    """Play a sweep, kept in a folder for each cell when one is given."""
    writers = [Writer(folder / str(k), of) for k, of in enumerate(batches)] if folder else []
    sweep = Sweep(batches, goal, writers=writers)
    sweep.play(workers, on_games)
    sweep.finish()
    return sweep


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert found
    return found


def untimed(text: str) -> Any:
    """A JSON answer without its timings."""
    return {key: value for key, value in json.loads(text).items() if key not in ("seconds", "games_per_second")}


# Results.


def test_a_run_has_the_bytes_of_a_local_one(site, tmp_path):
    words = ("run", "debrium", "--games", "20500", "--seed", "3", "--set", "expansion=true", *FOUR, "--json")
    there = steelyard(*words, "--out", str(tmp_path / "there"), "--dask", site.address)
    here = steelyard(*words, "--out", str(tmp_path / "here"))
    assert (there.exit_code, here.exit_code) == (0, 0), there.output
    assert untimed(there.stdout) == untimed(here.stdout)
    assert files(tmp_path / "there") == files(tmp_path / "here")


@pytest.mark.parametrize(
    "words", [("compare", "debrium", "--set", "starting_coins=12"), ("ask", "seat-advantage", "--game", "debrium")]
)
def test_other_commands_answer_as_locally(site, words):
    words = (*words, "--games", "3k", *FOUR, "--json")
    there, here = steelyard(*words, "--dask", site.address), steelyard(*words)
    assert there.exit_code == 0, there.output
    assert untimed(there.stdout) == untimed(here.stdout)


@pytest.mark.parametrize(
    "goal", [Goal(5500), Goal(half_width=0.02, watched=("win_rate_by_seat",))], ids=["games", "precision"]
)
def test_a_sweep_has_the_bytes_of_a_local_one(site, tmp_path, goal):
    cells = [batch(seed=6), batch(seed=6, sets=["starting_coins=20"])]
    with Cluster(cells, site.address, False, nothing) as workers:
        there = played(workers, cells, goal, tmp_path / "there")
    with Threads(cells, 2) as threads:
        here = played(threads, cells, goal, tmp_path / "here")
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert there.differences(1) == here.differences(1)


def test_every_games_row_comes_back(site):
    of = batch(seed=2, block_games=20)

    def rows(workers: Workers) -> np.ndarray:
        return np.concatenate([part.result.rows for part in Run([of], 90, workers).parts()])

    with Cluster([of], site.address, True, nothing) as there, Threads([of], 1, True) as here:
        expected = rows(here)
        assert len(expected) == 90
        np.testing.assert_array_equal(rows(there), expected)


def test_a_policy_travels_as_text(site, tmp_path, monkeypatch):
    """A worker has no such file; two that compile it at once get along; the user is told where it runs."""
    (tmp_path / "mine.py").write_text(f"# {tmp_path}\n{ALL_IN}")
    monkeypatch.chdir(tmp_path)
    words = ("run", "debrium", "--games", "5k", "--policies", "mine.py", "--json")
    there = steelyard(*words, "--dask", site.address)
    here = steelyard(*words)
    assert there.exit_code == 0, there.output
    assert untimed(there.stdout) == untimed(here.stdout)
    sent = f"note: mine.py is sent to the workers of {site.address} and runs there with their rights"
    assert sent in there.stderr.splitlines()
    assert "is sent" not in here.stderr


def test_a_fault_is_told_as_locally(site, tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(
        "def bid(rules, table, own, rng, choice):\n    choice.coins = own.coins + table.round_number // 3\n"
    )
    words = ("run", "debrium", "--games", "20k", "--policies", str(file))
    line = refusal(*words, "--dask", site.address, code=1)
    assert re.match(r"policy 'bad' \(game 0, round 3, seat \d, decision 'bid', seed 1\): answers coins \d+;", line)
    assert line.endswith(f"see it with: steelyard trace debrium --seed 1 --game 0 --policies "
                         f"{file},{file},{file},{file} --seats shuffled")  # fmt: skip
    assert line == refusal(*words, code=1)


def test_a_policy_that_does_not_compile_is_told_as_locally(site, tmp_path):
    file = tmp_path / "bad.py"
    file.write_text("def bid(rules, table, own, rng, choice):\n    choice.coins = len({}.union)\n")
    words = ("run", "debrium", "--games", "1k", "--policies", str(file))
    line = refusal(*words, "--dask", site.address)
    assert line.startswith(f"{file}")
    assert line == refusal(*words)


# Workers that die, come late, or are not ours.


def test_a_killed_worker_changes_nothing(site):
    of = batch(["prospector"], seed=5)
    killed = site.add_worker()
    site.has_workers(3)

    def kill(games: int) -> None:
        killed.kill()

    with Cluster([of], site.address, False, nothing) as workers:
        there = played(workers, [of], Goal(30_000), on_games=kill)
    assert killed.wait() != 0
    with Threads([of], 2) as threads:
        here = played(threads, [of], Goal(30_000))
    assert_same(there.cells[0].totals, here.cells[0].totals)


def test_missing_workers_are_told_once_and_waited_for(own_site, monkeypatch):
    monkeypatch.setattr(cluster_module, "MISSING_SECONDS", 0.5)
    of, said = batch(), []

    def start_one(text: str) -> None:
        said.append(text)
        own_site.add_worker()

    with Cluster([of], own_site.address, False, start_one) as workers:
        assert workers.places() == 1
        sweep = played(workers, [of], Goal(3000))
        time.sleep(1.0)
        assert workers.places() == 2
    assert sweep.cells[0].totals.games == 3000
    assert said == [f"waiting for workers at {own_site.address}; start one with: dask worker {own_site.address}"]


def test_a_policy_that_workers_die_of_is_given_up(own_site):
    deadly = outside("import os\nos._exit(1)\n" + ALL_IN, "deadly")
    of = Batch("debrium", load("debrium"), LineUp((deadly,) * 4, "fixed"), 1)
    own_site.add_worker()
    with Cluster([of], own_site.address, False, nothing) as workers, pytest.raises(RunFailed) as caught:
        played(workers, [of], Goal(1000))
    assert re.fullmatch(
        rf"1 workers of {own_site.address} died of the same task, the last of them tcp://127\.0\.0\.1:\d+; .*",
        str(caught.value),
    )


def test_a_lost_scheduler_ends_the_run_with_what_is_finished(own_site, tmp_path):
    of = batch(seed=4)
    own_site.add_worker()

    told: list[int] = []

    def kill(games: int) -> None:
        told.append(games)
        own_site.processes[0].kill()

    with Cluster([of], own_site.address, False, nothing) as workers, pytest.raises(RunFailed) as caught:
        played(workers, [of], Goal(10**9), tmp_path / "run", kill)
    assert str(caught.value).startswith(f"the scheduler at {own_site.address} is lost or gave up; ")
    kept = list(groups(tmp_path / "run" / "0", of.layout(), of.schedule))
    assert sum(part.games for part in kept) == sum(told) > 0


def test_a_worker_of_other_sources_refuses(site, monkeypatch):
    monkeypatch.setattr(cluster_module, "makers", lambda: {**makers(), "sources": "0123456789abcdef"})
    line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", site.address, code=1)
    assert re.fullmatch(
        rf"worker tcp://127\.0\.0\.1:\d+ has sources {makers()['sources']} and this run 0123456789abcdef; "
        "install the same version of steelyard on every machine",
        line,
    )


def test_a_worker_without_steelyard_is_told_and_goes_on(site, monkeypatch):
    monkeypatch.setattr(cluster_module, "_PLAYER", "steelyard_is_not_here:play")
    line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", site.address, code=1)
    assert line == (
        f"a worker of {site.address} cannot play (No module named 'steelyard_is_not_here'); "
        "install the same version of steelyard on every machine"
    )
    site.has_workers(2)


def test_other_versions_of_dask_are_told_in_one_line(site, monkeypatch):
    import distributed.versions

    real = distributed.versions.get_package_info
    monkeypatch.setattr(distributed.versions, "get_package_info", lambda of: {**real(of), "toolz": "0", "dask": "1"})
    said: list[str] = []
    with Cluster([batch()], site.address, False, said.append):
        pass
    assert said == [f"note: other versions at {site.address} than here: dask, toolz"]


# Addresses and endings.


def test_no_scheduler_is_told_within_seconds(monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1.0)
    started = time.monotonic()
    line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", "tcp://127.0.0.1:9")
    assert re.fullmatch(r"--dask tcp://127\.0\.0\.1:9: no scheduler answers there \(.+\)", line)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("localhost", "missing port number in address 'localhost'"),
        ("carrier://pigeon:1", "unknown address scheme 'carrier'"),
        ("tls://127.0.0.1:9", "needs certificates; name them in Dask's configuration: distributed.comm.tls.ca-file"),
        ("inproc://10/20/1", "is within one process; give a scheduler's own address (tcp://host:8786)"),
        ("inproc://", "is within one process; give a scheduler's own address (tcp://host:8786)"),
        ("tcp://127.0.0.1:x", "'x' is no port; give an address such as tcp://host:8786"),
        ("tcp://127.0.0.1:99999", "'99999' is no port; give an address such as tcp://host:8786"),
    ],
)
def test_what_is_no_address_is_refused(address, said):
    line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", address)
    assert line.startswith(f"--dask {address}: {said}")


def test_certificates_that_cannot_be_read_are_told(tmp_path):
    from dask import config

    none = str(tmp_path / "none.pem")
    with config.set({f"distributed.comm.tls.{key}": none for key in ("ca-file", "client.cert", "client.key")}):
        line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", "tls://127.0.0.1:9")
    assert line.startswith("--dask tls://127.0.0.1:9: the certificates of Dask's configuration cannot be read: ")


@pytest.mark.parametrize(
    "greeting",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff" * 64,
        bytes(64),
        (1).to_bytes(8, "little") + (5).to_bytes(8, "little") + b"abcde",
    ],
    ids=["ssh", "http", "ones", "zeros", "short"],
)
def test_a_server_that_speaks_first_is_told_in_one_line(greeting):
    """What it says is read as Dask's protocol: sizes of exabytes, records that end too early."""

    def greet(server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                guest, _ = server.accept()
                guests.append(guest)
                guest.sendall(greeting)

    guests: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        greeter = threading.Thread(target=greet, args=(server,), daemon=True)
        greeter.start()
        line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", address)
        server.shutdown(socket.SHUT_RDWR)
    greeter.join()
    for guest in guests:
        guest.close()
    assert line == f"--dask {address}: what answers there is no Dask scheduler"


def test_a_workers_address_is_refused(site):
    address = re.findall(r"Start worker at: +(tcp://\S+)", site.said())[0]
    line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", address)
    assert line == f"--dask {address}: is the address of a worker, not of a scheduler"


def test_threads_are_the_workers_own():
    assert "give one" in refusal("run", "debrium", "--threads", "2", "--dask", "tcp://127.0.0.1:9")


def test_without_dask_it_is_told_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    line = refusal("run", "debrium", "--games", "1k", *FOUR, "--dask", "tcp://127.0.0.1:9")
    assert line == "--dask: needs Dask; install it with: python -m pip install 'steelyard[dask]'"


def test_ctrl_c_keeps_what_is_finished_and_frees_the_workers(site, tmp_path):
    words = ["run", "debrium", "--games", "1000M", "--policies", "random_legal", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        [*COMMAND, *words, "--dask", site.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        while not list(tmp_path.glob("run/blocks/*.npy")):
            assert process.poll() is None
            time.sleep(0.05)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert time.monotonic() - pressed < 10
    assert (process.returncode, err) == (130, "steelyard: interrupted; what was finished is kept\n")
    assert json.loads((tmp_path / "run" / "totals.json").read_text())["games"] > 0
    of = batch(seed=12)
    with Cluster([of], site.address, False, nothing) as workers:
        assert played(workers, [of], Goal(1000)).cells[0].totals.games == 1000
