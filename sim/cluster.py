"""Who plays the tasks of a run: the workers of a Dask scheduler that the user named.

Tasks go through Dask's `concurrent.futures` executor and nothing else, each with all that it takes (see
`sim.parcel`), so that workers may come, leave or die at any time. Every failure is told in one line.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import operator
import pkgutil
import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from types import TracebackType
from typing import Any

from sim.batch import Batch
from sim.blocks import TaskResult
from sim.errors import BadInput, RunFailed
from sim.parcel import SAME_VERSION, makers, pack, play_parcel

#: How long a scheduler may take to answer, and how long there may be no worker before that is told.
CONNECT_SECONDS = 5.0
MISSING_SECONDS = 30.0
_SUCH_AS = "tcp://host:8786"
#: How often the workers' threads are counted.
_COUNT_SECONDS = 1.0
#: Tasks in flight for each of those threads: one is played while the next is on its way.
_IN_FLIGHT = 2
#: What a worker looks up and calls. It travels as a name, because a worker or scheduler breaks down when a task
#: arrives that names what it cannot import.
_PLAYER = f"{play_parcel.__module__}:{play_parcel.__name__}"


class Cluster:
    """The workers of a scheduler; leaving the `with` cancels what waits and closes the connection."""

    def __init__(self, batches: Sequence[Batch], address: str, is_kept: bool, say: Callable[[str], None]) -> None:
        """Connect; `is_kept` has every game's row come with the results, `say` is told what a user should know.

        Raises BadInput when Dask is not installed or no scheduler answers at the address.
        """
        self._address = address
        self._is_kept = is_kept
        self._say = say
        self._parcels = [pack(batch) for batch in batches]
        self._makers = makers()
        self._client = _connect(address, say)
        self._executor = self._client.get_executor(pure=False)  # pure tasks would be merged with equal ones
        self._threads = 0
        self._counted = float("-inf")
        self._seen = time.monotonic()
        self._is_told = False
        policies = (policy for batch in batches for policy in batch.line_up.pool)
        for origin in dict.fromkeys(policy.origin for policy in policies if not policy.is_trusted):
            say(f"note: {origin} is sent to the workers of {address} and runs there with their rights")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        # A scheduler that is gone cannot be told that nothing is wanted of it any more.
        with contextlib.suppress(Exception):
            self._executor.shutdown(wait=False)
        with contextlib.suppress(Exception):
            self._client.close(CONNECT_SECONDS)

    def places(self) -> int:
        """Return how many tasks may wait or be played; raise RunFailed when the scheduler is lost."""
        if self._client.status != "running":
            raise self._lost()
        if time.monotonic() - self._counted >= _COUNT_SECONDS:
            self._count()
        return max(1, _IN_FLIGHT * self._threads)

    def submit(self, batch: int, first_block: int, blocks: int, games: int) -> Future[tuple[TaskResult, float]]:
        """Let blocks be played by whichever worker is free; the future fails with BadInput or RunFailed."""
        from toolz import pipe

        call = operator.methodcaller(
            "__call__", self._makers, self._parcels[batch], first_block, blocks, games, self._is_kept
        )
        told: Future[tuple[TaskResult, float]] = Future()
        answer = self._executor.submit(pipe, _PLAYER, pkgutil.resolve_name, call)
        answer.add_done_callback(lambda answer: self._hand_on(answer, told))
        return told

    def stop(self) -> None:
        """Let every task end: those in play last a moment, and leaving the `with` cancels the others."""

    def stuck(self) -> str | None:
        """Say which policy holds up a stopped run: none does, for only its worker waits for it."""
        return None

    def _count(self) -> None:
        """Count the workers' threads; tell when there have been none for long."""
        try:
            self._threads = sum(self._client.nthreads().values())
        except OSError:
            raise self._lost() from None
        self._counted = time.monotonic()
        if self._threads:
            self._seen, self._is_told = self._counted, False
        elif self._counted - self._seen >= MISSING_SECONDS and not self._is_told:
            self._is_told = True
            self._say(f"waiting for workers at {self._address}; start one with: dask worker {self._address}")

    def _hand_on(self, answer: Future[Any], told: Future[tuple[TaskResult, float]]) -> None:
        """Give a task's result to who waits for it, or what went wrong in one line."""
        error = CancelledError() if answer.cancelled() else answer.exception()
        if error is None:
            told.set_result(answer.result())
        else:
            told.set_exception(self._in_one_line(error))

    def _in_one_line(self, error: BaseException) -> BaseException:
        """Return why a task was not played: what the worker says, or what Dask says in words of ours."""
        from distributed import KilledWorker

        if isinstance(error, BadInput | RunFailed):
            return error
        if isinstance(error, CancelledError):
            return self._lost()
        if isinstance(error, KilledWorker):
            return RunFailed(
                f"{error.allowed_failures + 1} workers of {self._address} died of the same task, the last of them "
                f"{error.last_worker.address}; what it wrote to its log may say why"
            )
        if isinstance(error, ImportError):
            return RunFailed(f"a worker of {self._address} cannot play ({error}); {SAME_VERSION}")
        return RunFailed(f"a worker of {self._address} failed: {type(error).__name__}: {error}")

    def _lost(self) -> RunFailed:
        """Return the error for a scheduler that has gone, or was told to forget the run."""
        return RunFailed(
            f"the scheduler at {self._address} is lost or gave up; with --out the same command goes on from here"
        )


def _connect(address: str, say: Callable[[str], None]) -> Any:
    """Return a client of the scheduler at an address, encrypted as Dask's configuration says."""
    try:
        from distributed import Client, Security
        from distributed.versions import VersionMismatchWarning
    except ModuleNotFoundError:
        raise BadInput("--dask: needs Dask; install it with: python -m pip install 'steelyard[dask]'") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what they log, tracebacks and all, is told in one line
    security = Security()
    connection = _connection(address, security)
    try:
        # A client of anything but a scheduler fails in ways of its own, or never.
        asked = _ask_who(address, connection)
        if (who := asyncio.run(asyncio.wait_for(asked, 2 * CONNECT_SECONDS))) != "Scheduler":
            raise ValueError(f"is the address of a {who.lower()}, not of a scheduler")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", VersionMismatchWarning)
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
    except OSError as error:
        raise BadInput(f"--dask {address}: no scheduler answers there ({_first_cause(error)})") from None
    except (ValueError, TypeError) as error:
        raise BadInput(f"--dask {address}: {error}") from None
    for warning in (warning for warning in caught if warning.category is VersionMismatchWarning):
        packages = re.findall(r"^\| (?!Package )(\S+)", str(warning.message), re.MULTILINE)
        say(f"note: other versions at {address} than here: {', '.join(packages)}")
    return client


def _connection(address: str, security: Any) -> Mapping[str, Any]:
    """Return how to connect to an address; raise BadInput for one that no command can connect to."""
    from distributed.comm.addressing import get_address_host_port

    scheme, _, rest = address.rpartition("://")
    if scheme == "inproc":
        raise BadInput(f"--dask {address}: is within one process; give a scheduler's own address ({_SUCH_AS})")
    port = rest.rpartition(":")[2] if re.search(r":[^\]]*$", rest) else ""
    if port and not (port.isdecimal() and 0 < int(port) < 65536):
        raise BadInput(f"--dask {address}: {port!r} is no port; give an address such as {_SUCH_AS}")
    try:
        get_address_host_port(address)
    except (ValueError, TypeError, NotImplementedError) as error:
        raise BadInput(f"--dask {address}: {error}") from None
    try:
        connection: Mapping[str, Any] = security.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise BadInput(
            f"--dask {address}: the certificates of Dask's configuration cannot be read: {error}"
        ) from None
    if scheme == "tls" and connection.get("ssl_context") is None:
        raise BadInput(
            f"--dask {address}: needs certificates; name them in Dask's configuration: distributed.comm.tls.ca-file, "
            "distributed.comm.tls.client.cert and distributed.comm.tls.client.key"
        )
    return connection


async def _ask_who(address: str, connection: Mapping[str, Any]) -> str:
    """Return what kind of Dask server is at an address; raise ValueError or TypeError when it cannot be one.

    What another server says is read as Dask's protocol first: there is no end to the errors that this can give.
    """
    from distributed.core import connect, send_recv

    try:
        comm = await connect(address, timeout=CONNECT_SECONDS, **connection)
        try:
            return str((await send_recv(comm, op="identity"))["type"])
        finally:
            comm.abort()
    except (OSError, TypeError):
        raise
    except Exception:
        raise ValueError("what answers there is no Dask scheduler") from None


def _first_cause(error: OSError) -> str:
    """Return what an error of the network came from in the first place."""
    if isinstance(error.__cause__, OSError):
        return _first_cause(error.__cause__)
    return str(error) or type(error).__name__
