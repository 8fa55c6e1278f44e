"""What all tests share: hypothesis without deadlines, since a first call compiles."""

from hypothesis import settings

settings.register_profile("steelyard", deadline=None)
settings.load_profile("steelyard")
