"""Memory of one thread's own: what two threads write side by side in a cache line slows both down."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

#: Bytes that a core may fetch together: a line of 64 and, on many processors, its neighbour.
LINES = 128


def apart(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros that begins with a cache line and shares none with any other."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 2 * LINES, np.uint8)
    first = -memory.ctypes.data % LINES
    return memory[first : first + size].view(dtype).reshape(shape)
