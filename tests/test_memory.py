"""What one thread writes shares no cache line with what another does."""

import numpy as np
import pytest

from sim.memory import LINES, apart
from sim.task import new_call
from tests.support import batch


@pytest.mark.parametrize(("shape", "dtype"), [(3, np.int32), ((5, 7), np.int64), (1, [("a", "i8"), ("b", "i4", 3)])])
def test_an_array_begins_with_a_line_and_has_its_last_one_alone(shape, dtype):
    made = [apart(shape, dtype) for _ in range(20)]
    lines: set[int] = set()
    for array in made:
        assert not array.view(np.uint8).any()
        assert array.dtype == np.dtype(dtype)
        first, last = array.ctypes.data, array.ctypes.data + array.nbytes - 1
        assert first % LINES == 0
        own = set(range(first // LINES, last // LINES + 1))
        assert not lines & own
        lines |= own


def test_records_of_two_calls_share_no_line():
    calls = [new_call(batch()) for _ in range(3)]
    for record in ("state", "row", "desk"):
        assert all(getattr(call, record).ctypes.data % LINES == 0 for call in calls)
