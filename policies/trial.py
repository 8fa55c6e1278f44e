"""Importing a policy file for the first time: in a process of its own, which may take too long or too much memory.

What stands at the top of a file is constants, but `10**10**10` is one as well. So `steelyard policies --check` lets
another process work them out first.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from sim.errors import BadInput, RunFailed
from sim.policy import Policy, import_source

#: The memory that constants may take, in bytes, beyond which making them fails.
_MOST_MEMORY = 2 << 30
_ROOT = Path(__file__).parents[1]
#: Exit code of a file that raised an exception, which is then told on standard output.
_RAISED = 3


def try_import(policy: Policy, seconds: float) -> None:
    """Import a policy's source in a process of its own.

    Raises BadInput, with the file and the line, for what it raises, and RunFailed when it takes more than `seconds`
    or ends the process.
    """
    # -P: a folder `policies` where the user stands is not ours.
    command = [sys.executable, "-P", "-m", "policies.trial"]
    paths = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    try:
        done = subprocess.run(
            command,
            input=policy.source.encode(),
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            timeout=max(0.0, seconds),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RunFailed(
            f"policy {policy.name!r}: its constants were not worked out when the time was over; "
            "simplify them, or allow more with --seconds"
        ) from None
    if done.returncode == _RAISED:
        raise BadInput(policy.origin + done.stdout.decode(errors="replace").strip())
    if done.returncode:
        raise RunFailed(f"policy {policy.name!r}: working out its constants ended Python (code {done.returncode})")


def main() -> int:
    """Import the source on standard input; print what it raises, from the line's number on."""
    source = sys.stdin.buffer.read().decode()
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limits
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = _MOST_MEMORY if hard == resource.RLIM_INFINITY else min(_MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        import_source(Policy("policy", "policy", "", source, (), False))
    except BadInput as error:
        sys.stdout.buffer.write(str(error).encode(errors="replace"))
        return _RAISED
    return 0


if __name__ == "__main__":
    sys.exit(main())
