"""Settings for every test."""

from hypothesis import settings

# Without the compiled kernels the first call takes as long as numba does.
settings.register_profile("castlecp", settings(), deadline=None)
settings.load_profile("castlecp")
