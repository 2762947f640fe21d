"""Progress in the database: one statement merges a record into what is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    and_,
    case,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from castlecp.accounts.database import Database
from castlecp.accounts.records import Drawing, Progress
from castlecp.accounts.tables import account, drawing, progress
from castlecp.errors import CastlecpError

#: Rows of an answer, after which it says that there are more; what one push wrote stays together.
ROWS, DRAWINGS = 500, 50
#: How far a push may be ahead of what is there. A forged number could else never be passed again.
EPOCHS, STAMPS = 1_000, 10_000_000

Record = TypeVar("Record", Progress, Drawing)


class Synced(msgspec.Struct, frozen=True, kw_only=True):
    """What has changed up to `rev`; `more` says that more has changed after it."""

    rev: int
    more: bool
    progress: tuple[Progress, ...]
    drawings: tuple[Drawing, ...]


class Ahead(CastlecpError):
    """A record that is further ahead of what is known than any honest device could be."""


def sync(
    database: Database,
    owner: str,
    since: int,
    pushed: Sequence[Progress] = (),
    drawn: Sequence[Drawing] = (),
) -> Synced:
    """Merge what a device says into what is there, and say what has changed after `since`.

    Raises Ahead, and DatabaseError; then nothing was changed. KeyError when there is no account.
    """
    if not pushed and not drawn:
        with database.reading() as connection:
            rev = connection.execute(
                select(account.c.rev).where(account.c.id == owner)
            ).scalar_one_or_none()
            return _changed(connection, owner, since, _there(rev))
    with database.writing() as connection:
        # Who writes to an account waits here for whoever does so too.
        rev = connection.execute(
            update(account)
            .where(account.c.id == owner)
            .values(rev=account.c.rev + 1)
            .returning(account.c.rev)
        ).scalar_one_or_none()
        now = _there(rev)
        for table, records in ((progress, pushed), (drawing, drawn)):
            _merge(connection, table, owner, now, records)
        told = _changed(connection, owner, since, now)
    known: set[Any] = {*pushed, *drawn}
    return msgspec.structs.replace(
        told,
        progress=tuple(one for one in told.progress if one not in known),
        drawings=tuple(one for one in told.drawings if one not in known),
    )


def _there(rev: int | None) -> int:
    if rev is None:
        raise KeyError("there is no such account")
    return rev


def _merge(
    connection: Connection, table: Table, owner: str, rev: int, records: Sequence[Any]
) -> None:
    """Put records into a table, each joined with what is there."""
    if not records:
        return
    boards = sorted({one.board for one in records})
    there = {
        row.board: row
        for row in connection.execute(
            select(table).where(table.c.account == owner, table.c.board.in_(boards))
        )
    }
    for one in records:
        row = there.get(one.board)
        if one.epoch > (row.epoch if row else 0) + EPOCHS:
            raise Ahead(f"epoch {one.epoch} of a board is too far ahead")
        if isinstance(one, Drawing) and one.stamp > (row.stamp if row else 0) + STAMPS:
            raise Ahead(f"stamp {one.stamp} of a drawing is too far ahead")
    # One statement may touch a row once; of several records of one board each has its own.
    statement = _upsert(connection.dialect.name, table)
    values = [msgspec.structs.asdict(one) | {"account": owner, "rev": rev} for one in records]
    connection.execute(statement, values)


def _upsert(dialect: str, table: Table) -> Any:
    insert = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    new = insert.excluded
    joined = _joined_progress(new) if table is progress else _later_drawing(new)
    changed = or_(*(value.is_distinct_from(table.c[name]) for name, value in joined.items()))
    return insert.on_conflict_do_update(
        index_elements=[table.c.account, table.c.board],
        set_=joined | {"rev": new.rev},
        where=changed,
    )


def _joined_progress(new: Any) -> dict[str, ColumnElement[Any]]:
    """`records.joined`, as expressions."""
    old = progress.c

    def greater(name: str) -> ColumnElement[Any]:
        return case((new[name] > old[name], new[name]), else_=old[name])

    both = {name: greater(name) for name in ("hints", "checks", "seconds")}
    both |= {name: or_(new[name], old[name]) for name in ("solved", "accused")}
    both["best"] = case(
        (old.best.is_(None), new.best),
        (new.best.is_(None), old.best),
        (new.best < old.best, new.best),
        else_=old.best,
    )
    joined: dict[str, ColumnElement[Any]] = {
        name: case(
            (new.epoch > old.epoch, new[name]), (new.epoch == old.epoch, value), else_=old[name]
        )
        for name, value in both.items()
    }
    empty = literal(b"")
    about = case(
        (old.about == empty, new.about),
        (new.about == empty, old.about),
        (new.about < old.about, new.about),
        else_=old.about,
    )
    return joined | {"epoch": greater("epoch"), "about": about}


def _later_drawing(new: Any) -> dict[str, ColumnElement[Any]]:
    """`records.later`, as expressions."""
    old = drawing.c
    order = ("epoch", "stamp", "device", "body")
    later: ColumnElement[bool] = literal(False)
    for name in reversed(order):
        later = or_(new[name] > old[name], and_(new[name] == old[name], later))
    return {name: case((later, new[name]), else_=old[name]) for name in order}


def _changed(connection: Connection, owner: str, since: int, rev: int) -> Synced:
    """What has changed after `since`; all of it for a device that knows of a later database."""
    after = since if since <= rev else 0
    upto = rev
    for table, most in ((progress, ROWS), (drawing, DRAWINGS)):
        last = connection.execute(
            select(table.c.rev)
            .where(table.c.account == owner, table.c.rev > after)
            .order_by(table.c.rev)
            .offset(most - 1)
            .limit(1)
        ).scalar_one_or_none()
        upto = min(upto, rev if last is None else last)
    return Synced(
        rev=upto,
        more=upto < rev,
        progress=_rows(connection, progress, Progress, owner, after, upto),
        drawings=_rows(connection, drawing, Drawing, owner, after, upto),
    )


def _rows(
    connection: Connection, table: Table, kind: type[Record], owner: str, after: int, upto: int
) -> tuple[Record, ...]:
    names = kind.__struct_fields__
    rows = connection.execute(
        select(*(table.c[name] for name in names))
        .where(table.c.account == owner, table.c.rev > after, table.c.rev <= upto)
        .order_by(table.c.rev, table.c.board)
    )
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)


def everything(database: Database, owner: str) -> tuple[tuple[Progress, ...], tuple[Drawing, ...]]:
    """All that is kept of somebody's boards."""
    with database.reading() as connection:
        rev = connection.execute(
            select(func.coalesce(func.max(account.c.rev), 0)).where(account.c.id == owner)
        ).scalar_one()
        return (
            _rows(connection, progress, Progress, owner, -1, rev),
            _rows(connection, drawing, Drawing, owner, -1, rev),
        )
