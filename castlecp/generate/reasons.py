"""Why a loop makes no board."""

from __future__ import annotations


class NotThisLoop(Exception):
    """The loop is not one for the board that is asked for: another is to be drawn.

    Its text names what was found, "a loop that is too short"; reasons are counted by it.
    """
