"""A database by its URL: SQLite or PostgreSQL, its migrations, a backup, a check."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from castlecp.accounts.tables import metadata
from castlecp.errors import CastlecpError

#: Rows that are copied at a time.
PIECE = 1_000
#: Milliseconds that a writer of SQLite waits for another.
PATIENCE = 10_000


class DatabaseError(CastlecpError):
    """The database does not do what is asked of it; the sentence says why, and no password."""


class Conflict(DatabaseError):
    """What is written contradicts what is there."""


class Database:
    """Connections to one database."""

    def __init__(self, url: str) -> None:
        self.url = _parsed(url)
        self.engine = _engine(self.url)

    @property
    def name(self) -> str:
        """Its address without a password."""
        return self.url.render_as_string(hide_password=True)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is kept whole or not at all. Raises DatabaseError."""
        with self._said(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state. Raises DatabaseError."""
        with self._said(), self.engine.connect() as connection:
            yield connection.execution_options(reads=True)

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            kind = Conflict if isinstance(error, IntegrityError) else DatabaseError
            raise kind(f"{self.name}: {_reason(error)}") from None

    def close(self) -> None:
        """Let all connections go."""
        self.engine.dispose()

    def revision(self) -> str | None:
        """The migration that it is at; None of a database that has no table of ours."""
        from alembic.runtime.migration import MigrationContext

        with self.reading() as connection:
            return MigrationContext.configure(connection).get_current_revision()

    def upgrade(self, to: str = "head") -> None:
        """Make its tables what this version wants. Raises DatabaseError."""
        from alembic import command

        with self.writing() as connection:
            config = _migrations()
            config.attributes["connection"] = connection
            command.upgrade(config, to)

    def ready(self) -> None:
        """Make an empty database ready. Raises DatabaseError for one of another version."""
        at, wanted = self.revision(), newest()
        if at is None:
            self.upgrade()
        elif at != wanted:
            raise DatabaseError(
                f"{self.name} is at revision {at} and {wanted} is wanted: run `castlecp db upgrade`"
            )

    def check(self) -> dict[str, int]:
        """How many rows each table has. Raises DatabaseError for what is not as it should be."""
        at, wanted = self.revision(), newest()
        if at != wanted:
            raise DatabaseError(f"{self.name} is at revision {at or 'none'}, not {wanted}")
        with self.reading() as connection:
            if self.url.get_backend_name() == "sqlite":
                for question in ("integrity_check", "foreign_key_check"):
                    wrong = connection.execute(text(f"PRAGMA {question}")).fetchall()
                    if wrong not in ([], [("ok",)]):
                        raise DatabaseError(f"{self.name}: {question} says {wrong[0][0]!r}")
            return {
                name: connection.execute(select(func.count()).select_from(table)).scalar_one()
                for name, table in metadata.tables.items()
            }

    def copy_to(self, other: Database) -> int:
        """Copy all rows into an empty database; how many. Raises DatabaseError."""
        other.ready()
        count = 0
        with self.reading() as source, other.writing() as target:
            for table in metadata.sorted_tables:
                if target.execute(select(func.count()).select_from(table)).scalar_one():
                    raise DatabaseError(f"{other.name} has rows already: {table.name}")
            for table in metadata.sorted_tables:
                rows = source.execute(select(table)).mappings()
                for piece in rows.partitions(PIECE):
                    target.execute(table.insert(), [dict(row) for row in piece])
                    count += len(piece)
        return count


def newest() -> str:
    """The migration that this version wants."""
    from alembic.script import ScriptDirectory

    head = ScriptDirectory.from_config(_migrations()).get_current_head()
    assert head is not None
    return head


def sqlite(file: Path) -> str:
    """The URL of a file."""
    return URL.create("sqlite", database=str(file)).render_as_string()


def _migrations() -> Any:
    from alembic.config import Config

    config = Config()
    folder = str(Path(__file__).parent / "migrations").replace("%", "%%")
    config.set_main_option("script_location", folder)
    config.set_main_option("path_separator", "os")
    return config


def _parsed(text: str) -> URL:
    try:
        url = make_url(text)
    except ArgumentError:
        raise DatabaseError(
            "the address of a database is sqlite:///FILE or postgresql://USER@HOST/NAME"
        ) from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseError(f"a database is sqlite or postgresql, not {url.drivername}")
    return url


def _engine(url: URL) -> Engine:
    try:
        if url.get_backend_name() == "sqlite":
            engine = create_engine(url, connect_args={"timeout": PATIENCE / 1000})
            event.listen(engine, "connect", _connected)
            event.listen(engine, "begin", _began)
            _private(url)
            return engine
        return create_engine(url, pool_pre_ping=True, isolation_level="READ COMMITTED")
    except ModuleNotFoundError as error:
        raise DatabaseError(
            f"PostgreSQL needs `pip install castlecp[postgres]`: {error.name} is missing"
        ) from None
    except (NoSuchModuleError, SQLAlchemyError) as error:
        raise DatabaseError(_reason(error)) from None


def _private(url: URL) -> None:
    """Nobody else on the machine is to read the file."""
    if url.database and url.database != ":memory:":
        try:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(url.database, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise DatabaseError(f"{url.database}: {error.strerror}") from None


def _connected(connection: Any, _: Any) -> None:
    # The transactions are ours: sqlite3 would begin them too late to read and write as one.
    connection.isolation_level = None
    cursor = connection.cursor()
    for line in (
        "journal_mode = WAL",
        "foreign_keys = ON",
        f"busy_timeout = {PATIENCE}",
        "synchronous = FULL",
    ):
        cursor.execute(f"PRAGMA {line}")
    cursor.close()


def _began(connection: Connection) -> None:
    # Who reads first and then writes would otherwise be refused when another has written.
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _reason(error: BaseException) -> str:
    """What the database says, in its first line; of statements and their values nothing."""
    said = str(error.orig) if isinstance(error, DBAPIError) and error.orig else str(error)
    return said.strip().partition("\n")[0] or type(error).__name__
