"""Passwords and recovery codes: what is taken, how it is kept, and how it is tried."""

from __future__ import annotations

import secrets
import unicodedata
from functools import cache
from hashlib import sha256
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from castlecp.errors import CastlecpError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 10, 256
#: Recovery codes of an account, and letters of one; no letter that looks like another.
CODES, LETTERS, SIGNS = 8, 16, "abcdefghjkmnpqrstuvwxyz23456789"

#: A hash takes 19 MiB, so two at a time.
_hashing = BoundedSemaphore(2)


class Weak(CastlecpError):
    """A password that is not taken; the sentence says why."""


@cache
def _hasher() -> PasswordHasher:
    # As OWASP's Password Storage Cheat Sheet says (2023): 19 MiB, two passes, one lane.
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


@cache
def _nobodys() -> str:
    """A hash of nothing that anybody knows, so that an unknown name takes as long as any."""
    return _hasher().hash(secrets.token_urlsafe(24))


def normal(password: str) -> str:
    """The same password however a keyboard writes it."""
    return unicodedata.normalize("NFKC", password)


def fit(password: str, name: str) -> str:
    """A password as it is hashed. Raises Weak."""
    password = normal(password)
    if len(password) < SHORTEST:
        raise Weak(f"the password is too short: at least {SHORTEST} characters are wanted")
    if len(password) > LONGEST:
        raise Weak(f"the password is too long: at most {LONGEST} characters are taken")
    if password.casefold() == name.casefold():
        raise Weak("the password is the name")
    if len(set(password)) < 4 or password.casefold() in _common():
        raise Weak("the password is one of those that everybody tries first")
    return password


@cache
def _common() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])


def hashed(password: str) -> bytes:
    """What is kept of a password."""
    with _hashing:
        return _hasher().hash(password).encode()


def is_right(password: str, kept: bytes | None) -> bool:
    """Whether it is the password; as much work where there is none."""
    from argon2.exceptions import InvalidHashError, VerificationError

    with _hashing:
        try:
            _hasher().verify(kept.decode() if kept else _nobodys(), normal(password)[: 2 * LONGEST])
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def codes() -> list[str]:
    """New recovery codes, each for once."""
    return ["-".join(_letters() for _ in range(4)) for _ in range(CODES)]


def _letters() -> str:
    return "".join(secrets.choice(SIGNS) for _ in range(LETTERS // 4))


def kept_code(code: str) -> bytes:
    """What is kept of a recovery code: as it is random, a plain hash does."""
    letters = "".join(sign for sign in normal(code).casefold() if sign.isalnum())
    return sha256(letters.encode()).digest()
