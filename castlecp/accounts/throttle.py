"""How often somebody may try, kept in the database, so that a restart forgives nothing."""

from __future__ import annotations

import time
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection, case, delete
from sqlalchemy.dialects import postgresql, sqlite

from castlecp.accounts.database import Database
from castlecp.accounts.tables import attempt
from castlecp.errors import CastlecpError

#: The longest time, in seconds, that anybody has to wait.
LONGEST = 3_600


class Rate(NamedTuple):
    """`tries` within `window` seconds; each more than that doubles the wait from there on."""

    tries: int
    window: int


class TooOften(CastlecpError):
    """Too many tries; the next is taken after `retry` seconds."""

    def __init__(self, retry: int) -> None:
        super().__init__("too many tries; wait and try again")
        self.retry = retry


def take(database: Database, who: Iterable[tuple[str, Rate]], now: float | None = None) -> None:
    """Count a try of each of these. Raises TooOften, also while another waits for the same."""
    at = int(time.time() if now is None else now)
    with database.writing() as connection:
        retry = max((_counted(connection, name, rate, at) for name, rate in who), default=0)
        connection.execute(delete(attempt).where(attempt.c.since < at - 2 * LONGEST))
    if retry:
        raise TooOften(retry)


def forgive(database: Database, name: str) -> None:
    """Forget the tries of somebody who has made it."""
    with database.writing() as connection:
        connection.execute(delete(attempt).where(attempt.c.key == _key(name)))


def _key(name: str) -> str:
    return sha256(name.encode(errors="replace")).hexdigest()


def _counted(connection: Connection, name: str, rate: Rate, now: int) -> int:
    """Seconds to wait, after this try is counted if it may be made."""
    insert = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(attempt)
    over = attempt.c.since <= now - rate.window
    row = connection.execute(
        insert.values(key=_key(name), count=1, since=now, until=0)
        .on_conflict_do_update(
            index_elements=[attempt.c.key],
            set_={
                # While one has to wait, tries do not count.
                "count": case(
                    (attempt.c.until > now, attempt.c.count),
                    (over & (attempt.c.until <= now - rate.window), 1),
                    else_=attempt.c.count + 1,
                ),
                "since": case(
                    (over & (attempt.c.until <= now - rate.window), now), else_=attempt.c.since
                ),
            },
        )
        .returning(attempt.c.count.label("tries"), attempt.c.until)
    ).one()
    if row.until > now:
        return int(row.until - now)
    if row.tries >= rate.tries:
        # This one is still taken, and the next has to wait.
        wait = min(LONGEST, rate.window * 2 ** min(int(row.tries) - rate.tries, 12))
        connection.execute(
            attempt.update().where(attempt.c.key == _key(name)).values(until=now + wait)
        )
    return 0
