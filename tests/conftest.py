"""What all tests share: hypothesis without deadlines, since a first call compiles, and a mark for what takes long."""

import pytest
from hypothesis import settings

settings.register_profile("steelyard", deadline=None)
settings.load_profile("steelyard")


def pytest_configure(config: pytest.Config) -> None:
    """Name the marks."""
    config.addinivalue_line("markers", "slow: takes more than fifteen seconds; leave out with -m 'not slow'")
