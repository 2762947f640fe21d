"""Settings for every test."""

from contextlib import redirect_stderr
from io import StringIO

from hypothesis import settings

from castlecp import kernels

# The first call of compiled code takes as long as the compiler does.
settings.register_profile("castlecp", settings(), deadline=None)
settings.load_profile("castlecp")

# Tests look at standard error; what the compiler says there is tested in a process of its own.
with redirect_stderr(StringIO()):
    kernels._say_so()
