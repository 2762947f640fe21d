"""Settings for every test."""

from hypothesis import settings

# The first call of compiled code takes as long as the compiler does.
settings.register_profile("castlecp", settings(), deadline=None)
settings.load_profile("castlecp")
