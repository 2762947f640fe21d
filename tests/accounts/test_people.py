"""Who is who: names, passwords, codes, sessions, and how often one may try."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from castlecp.accounts import passwords, people, throttle
from castlecp.accounts.database import Database, DatabaseError, newest, sqlite
from castlecp.accounts.people import BadName, NotFresh, NotSignedIn, People, Taken
from castlecp.accounts.progress import sync
from castlecp.accounts.records import Drawing, Progress
from castlecp.accounts.tables import credential, metadata, session
from castlecp.accounts.throttle import Rate, TooOften

PASSWORD = "a wall of my own"


def name() -> str:
    return f"player {secrets.token_hex(4)}"


def address() -> str:
    return secrets.token_hex(4)


def test_sign_up_out_and_in(people: People) -> None:
    who = name()
    token, codes = people.register(who, PASSWORD, address(), "a browser")
    assert people.signed(token).name == who
    assert len(set(codes)) == 8
    people.sign_out(token)
    with pytest.raises(NotSignedIn, match="nobody is signed in"):
        people.signed(token)
    again = people.sign_in(f"  {who.upper()} ", PASSWORD, address())
    assert people.signed(again).name == who
    assert again != token


def test_a_name_is_taken_once(people: People) -> None:
    who = name()
    people.register(who, PASSWORD, address())
    for other in (who, who.upper(), f" {who} ", who.replace(" ", "\u00a0")):
        with pytest.raises(Taken):
            people.register(other, PASSWORD, address())


@pytest.mark.parametrize(
    "wrong", ["", "   ", "x" * 33, "a\x1bb", "a\u202eb", "a\u200bb", "a\nb\x00"]
)
def test_what_is_no_name(people: People, wrong: str) -> None:
    with pytest.raises(BadName, match="a name has"):
        people.register(wrong, PASSWORD, address())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("short", "too short"),
        ("x" * 257, "too long"),
        ("1111111111", "everybody"),
        ("qwertyuiop", "everybody"),
        ("Football123", "everybody"),
    ],
)
def test_weak_passwords(people: People, wrong: str, why: str) -> None:
    if wrong == "Football123" and wrong.casefold() not in passwords._common():
        pytest.skip("not in this list")
    with pytest.raises(passwords.Weak, match=why):
        people.register(name(), wrong, address())
    who = name()
    with pytest.raises(passwords.Weak, match="is the name"):
        people.register(who, who.upper(), address())


def test_a_password_is_the_same_on_every_keyboard(people: People) -> None:
    who = name()
    people.register(who, "Gr\u00fc\u00dfe aus Turm", address())
    assert people.sign_in(who, "Gru\u0308\u00dfe aus Turm", address())


def test_a_recovery_code_is_good_once(people: People) -> None:
    who = name()
    _, codes = people.register(who, PASSWORD, address())
    token = people.sign_in(who, f" {codes[3].upper().replace('-', ' ')} ", address())
    with pytest.raises(NotSignedIn):
        people.sign_in(who, codes[3], address())
    new = people.new_codes(people.signed(token))
    for old in codes:
        assert old not in new
    with pytest.raises(NotSignedIn):
        people.sign_in(who, codes[4], address())
    assert people.sign_in(who, new[0], address())


def test_unknown_names_get_the_same_answer_and_work(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every sign-in tries one hash, and says the same."""
    who = name()
    people.register(who, PASSWORD, address())
    tried: list[bool] = []
    right = passwords.is_right

    def noted(password: str, kept: bytes | None) -> bool:
        tried.append(kept is None)
        return right(password, kept)

    monkeypatch.setattr(passwords, "is_right", noted)
    said = set()
    for wrong in (who, name(), "\x00"):
        with pytest.raises(NotSignedIn) as caught:
            people.sign_in(wrong, "not this one", address())
        said.add(str(caught.value))
    assert len(said) == 1
    assert tried == [False, True, True]


def test_what_is_kept_proves_nothing(people: People, database: Database) -> None:
    """Neither passwords nor codes nor tokens can be read in the database."""
    who = name()
    token, codes = people.register(who, PASSWORD, address())
    with database.reading() as connection:
        kept = repr(
            [connection.execute(select(table)).fetchall() for table in (credential, session)]
        )
    for secret in (PASSWORD, token, *codes):
        assert secret not in kept
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in kept


def test_sessions_are_listed_and_revoked(people: People) -> None:
    who = name()
    token, _ = people.register(who, PASSWORD, address(), "x" * 1_000)
    other = people.sign_in(who, PASSWORD, address(), "a phone")
    mine = people.sessions(people.signed(token))
    assert {(one.is_this, one.agent) for one in mine} == {(True, "x" * 200), (False, "a phone")}
    (phone,) = [one for one in mine if not one.is_this]
    stranger = people.signed(people.register(name(), PASSWORD, address())[0])
    assert not people.revoke(stranger, phone.id)
    assert people.revoke(people.signed(token), phone.id)
    with pytest.raises(NotSignedIn):
        people.signed(other)


def test_another_password_ends_all_sessions(people: People) -> None:
    who = name()
    token, _ = people.register(who, PASSWORD, address())
    other = people.sign_in(who, PASSWORD, address())
    new = people.set_password(people.signed(token), "another wall altogether")
    for old in (token, other):
        with pytest.raises(NotSignedIn):
            people.signed(old)
    assert people.signed(new)
    with pytest.raises(NotSignedIn):
        people.sign_in(who, PASSWORD, address())
    assert people.sign_in(who, "another wall altogether", address())


def test_sessions_end(people: People, database: Database, monkeypatch: Any) -> None:
    """After 30 days without use, and never while they are used."""
    token, _ = people.register(name(), PASSWORD, address())
    now = time.time()
    for days in (20, 40, 60):
        monkeypatch.setattr(time, "time", lambda days=days: now + 86_400 * days)
        assert people.signed(token)
    monkeypatch.setattr(time, "time", lambda: now + 86_400 * 91)
    with pytest.raises(NotSignedIn):
        people.signed(token)
    people.tidy()
    with database.reading() as connection:
        kept = select(session.c.id).where(session.c.token == people_hash(token))
        assert connection.execute(kept).first() is None


def people_hash(token: str) -> str:
    return people.hashed(token)


def test_what_cannot_be_undone_wants_a_fresh_sign_in(people: People, database: Database) -> None:
    token, _ = people.register(name(), PASSWORD, address())
    with database.writing() as connection:
        connection.execute(
            update(session)
            .where(session.c.token == people_hash(token))
            .values(created=session.c.created - 601)
        )
    who = people.signed(token)
    for act in (
        lambda: people.delete(who),
        lambda: people.set_password(who, "another wall altogether"),
        lambda: people.new_codes(who),
    ):
        with pytest.raises(NotFresh, match="sign in again"):
            act()


def test_everything_and_nothing(people: People, database: Database) -> None:
    """All of mine as one, and after deleting no row of it."""
    who = name()
    token, codes = people.register(who, PASSWORD, address())
    signed, board = people.signed(token), "a" * 64
    progress = Progress(board=board, solved=True, about=b"a board")
    drawn = Drawing(board=board, device="0" * 16, body=b"a line")
    sync(database, signed.account, 0, [progress], [drawn])
    mine = people.everything(signed)
    assert (mine.name, mine.progress, mine.drawings) == (who, (progress,), (drawn,))
    assert [way.kind for way in mine.ways].count("recovery") == len(codes)
    people.delete(signed)
    with pytest.raises(NotSignedIn):
        people.signed(token)
    with database.reading() as connection:
        for table in metadata.tables.values():
            if "account" in table.c:
                rows = select(table).where(table.c.account == signed.account)
                assert connection.execute(rows).first() is None, table.name
    assert people.register(who, PASSWORD, address())


def test_tries_are_few_and_waits_double(database: Database) -> None:
    key, rate = secrets.token_hex(8), Rate(3, 60)
    now = time.time()

    def tries(at: float) -> int:
        try:
            throttle.take(database, [(key, rate)], now + at)
        except TooOften as error:
            return error.retry
        return 0

    assert [tries(0) for _ in range(4)] == [0, 0, 0, 60]
    assert tries(30) == 30
    assert tries(60) == 0
    assert tries(61) == 119
    assert tries(180) == 0
    assert tries(181) == 239
    # Whoever keeps away for long enough begins anew.
    assert [tries(1_000) for _ in range(4)] == [0, 0, 0, 60]


def test_a_throttle_survives_a_restart(empty_url: str) -> None:
    first = Database(empty_url)
    first.ready()
    who, where = name(), address()
    for _ in range(people.OF_NAME.tries):
        with pytest.raises(NotSignedIn):
            People(first).sign_in(who, "not this one", where)
    first.close()
    second = Database(empty_url)
    second.ready()
    with pytest.raises(TooOften):
        People(second).sign_in(who, "not this one", address())
    second.close()


def test_a_sign_in_forgives(people: People) -> None:
    who = name()
    people.register(who, PASSWORD, address())
    for _ in range(3):
        for _ in range(3):
            with pytest.raises(NotSignedIn):
                people.sign_in(who, "not this one", address())
        assert people.sign_in(who, PASSWORD, address())


def test_a_backup_has_all_and_can_be_used(empty_url: str, tmp_path: Path) -> None:
    database = Database(empty_url)
    database.ready()
    people = People(database)
    who = name()
    token, _ = people.register(who, PASSWORD, address())
    mine = people.signed(token).account
    sync(database, mine, 0, [Progress(board="b" * 64, best=1.5)])
    counts = database.check()
    copy = Database(sqlite(tmp_path / "copy.sqlite"))
    database.copy_to(copy)
    assert copy.check() == counts
    assert sync(copy, mine, 0).progress == sync(database, mine, 0).progress
    assert People(copy).sign_in(who, PASSWORD, address())
    with pytest.raises(DatabaseError, match="has rows already"):
        database.copy_to(copy)
    for one in (database, copy):
        one.close()


def test_an_older_database_is_not_used(empty_url: str) -> None:
    database = Database(empty_url)
    database.ready()
    assert database.revision() == newest()
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(DatabaseError, match="castlecp db upgrade"):
        database.ready()
    with pytest.raises(DatabaseError, match="at revision 0000"):
        database.check()
    database.close()


def test_migrations_make_the_tables(empty_url: str) -> None:
    """Column by column, as `tables` has them."""
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    database = Database(empty_url)
    database.upgrade()
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    database.close()


@pytest.mark.parametrize(
    "wrong", ["nonsense", "mysql://x@y/z", "postgresql://nobody:secret@127.0.0.1:1/none"]
)
def test_a_database_that_is_not_there(wrong: str) -> None:
    """One sentence, and no password in it."""
    with pytest.raises(DatabaseError) as caught:
        Database(wrong).ready()
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_file_of_sqlite_is_for_its_owner(tmp_path: Path) -> None:
    database = Database(sqlite(tmp_path / "new" / "x.sqlite"))
    database.ready()
    assert (tmp_path / "new" / "x.sqlite").stat().st_mode & 0o77 == 0
    database.close()
