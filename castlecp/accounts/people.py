"""Accounts: names, passwords, recovery codes, sessions; all of mine, and nothing of mine."""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

import msgspec
from sqlalchemy import Connection, and_, delete, insert, select, update

from castlecp.accounts import passwords, throttle
from castlecp.accounts.database import Conflict, Database
from castlecp.accounts.progress import everything
from castlecp.accounts.records import Drawing, Progress
from castlecp.accounts.tables import account, credential, session
from castlecp.accounts.throttle import Rate
from castlecp.errors import CastlecpError

#: Seconds that a session lasts after it was used last, and between two notes that it was used.
SESSION, NOTED = 30 * 86_400, 3_600
#: Seconds after a sign-in in which what cannot be undone needs no new one.
FRESH = 600
#: Tries to sign in with a name, and from an address; accounts that an address may make.
OF_NAME, OF_ADDRESS, NEW_OF_ADDRESS = Rate(5, 60), Rate(20, 60), Rate(5, 3_600)
#: Letters of a name and of what is noted of a browser; credentials of an account.
LONGEST_NAME, LONGEST_AGENT, MOST_CREDENTIALS = 32, 200, 20


class NotSignedIn(CastlecpError):
    """Nobody is signed in, or the name and what proves it do not go together."""


class NotFresh(CastlecpError):
    """Somebody is signed in for too long for what is wanted."""


class Taken(CastlecpError):
    """A name that somebody has."""


class BadName(CastlecpError):
    """What is no name; the sentence says why."""


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is signed in: the account, and the session by which that is known."""

    account: str
    name: str
    session: str
    created: int

    def fresh(self) -> None:
        """Raise NotFresh unless the sign-in was just now."""
        if self.created < time.time() - FRESH:
            raise NotFresh("sign in again first: this cannot be undone")


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A session, for its owner; times are seconds since 1970."""

    id: str
    created: int
    seen: int
    expires: int
    agent: str
    is_this: bool


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """A way to sign in, for its owner."""

    id: str
    kind: str
    label: str
    created: int
    used: int | None


class Mine(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept of an account, but for what proves who it is."""

    format: str = "castlecp-account-1"
    name: str
    created: int
    ways: tuple[Way, ...]
    sessions: tuple[Session, ...]
    progress: tuple[Progress, ...]
    drawings: tuple[Drawing, ...]


def named(name: str) -> tuple[str, str]:
    """A name as it is shown, and what tells it from others. Raises BadName."""
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 1 <= len(shown) <= LONGEST_NAME:
        raise BadName(f"a name has 1 to {LONGEST_NAME} characters")
    for sign in shown:
        if sign != " " and unicodedata.category(sign)[0] not in "LMNPS":
            raise BadName(f"a name has no U+{ord(sign):04X}")
    return shown, unicodedata.normalize("NFKC", shown.casefold())


@contextmanager
def naming(database: Database, key: str) -> Iterator[Connection]:
    """A transaction that makes an account. Raises Taken."""
    try:
        with database.writing() as connection:
            if connection.execute(select(account.c.id).where(account.c.name_key == key)).first():
                raise Taken("somebody has this name already")
            yield connection
    except Conflict:
        raise Taken("somebody has this name already") from None


class People:
    """All accounts of a database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def register(
        self, name: str, password: str, address: str, agent: str = ""
    ) -> tuple[str, tuple[str, ...]]:
        """A new account: the token of its first session, and its recovery codes.

        Raises BadName, Weak, Taken, TooOften.
        """
        shown, key = named(name)
        fit = passwords.fit(password, shown)
        throttle.take(self.database, [(f"new {address}", NEW_OF_ADDRESS)])
        kept = passwords.hashed(fit)
        with naming(self.database, key) as connection:
            owner = create(connection, shown, key)
            _add(connection, owner, "password", kept)
            codes = _new_codes(connection, owner)
            return begun(connection, owner, agent), codes

    def sign_in(self, name: str, password: str, address: str, agent: str = "") -> str:
        """The token of a new session, by a password or a recovery code.

        Raises NotSignedIn, in the same words and after the same work whatever is wrong, and
        TooOften.
        """
        key = _key_of(name)
        throttle.take(self.database, [(f"name {key}", OF_NAME), (f"address {address}", OF_ADDRESS)])
        with self.database.reading() as connection:
            its_password = and_(
                credential.c.account == account.c.id, credential.c.kind == "password"
            )
            found = connection.execute(
                select(account.c.id, credential.c.secret)
                .join(credential, its_password, isouter=True)
                .where(account.c.name_key == key)
            ).first()
        right = passwords.is_right(password, found.secret if found else None)
        with self.database.writing() as connection:
            used = _used_code(connection, found.id if found else "", password)
            if found is None or not (right or used):
                raise NotSignedIn("the name and the password do not go together")
            token = begun(connection, found.id, agent)
        throttle.forgive(self.database, f"name {key}")
        return token

    def signed(self, token: str) -> Signed:
        """Who has a session. Raises NotSignedIn."""
        now, kept = int(time.time()), hashed(token)
        with self.database.reading() as connection:
            row = connection.execute(
                select(
                    session.c.account,
                    session.c.id,
                    session.c.created,
                    session.c.seen,
                    session.c.expires,
                    account.c.name,
                )
                .join(account, account.c.id == session.c.account)
                .where(session.c.token == kept)
            ).first()
        if row is None or row.expires <= now:
            raise NotSignedIn("nobody is signed in")
        if row.seen < now - NOTED:
            with self.database.writing() as connection:
                connection.execute(
                    update(session)
                    .where(session.c.token == kept)
                    .values(seen=now, expires=now + SESSION)
                )
        return Signed(account=row.account, name=row.name, session=row.id, created=row.created)

    def sign_out(self, token: str) -> None:
        """End a session."""
        with self.database.writing() as connection:
            connection.execute(delete(session).where(session.c.token == hashed(token)))

    def sessions(self, who: Signed) -> tuple[Session, ...]:
        """The sessions of an account, the latest first."""
        with self.database.reading() as connection:
            rows = connection.execute(
                select(session)
                .where(session.c.account == who.account, session.c.expires > int(time.time()))
                .order_by(session.c.created.desc(), session.c.id)
            )
            return tuple(
                Session(
                    id=row.id,
                    created=row.created,
                    seen=row.seen,
                    expires=row.expires,
                    agent=row.agent,
                    is_this=row.id == who.session,
                )
                for row in rows
            )

    def revoke(self, who: Signed, name: str) -> bool:
        """End one of an account's sessions; whether there was such a one."""
        with self.database.writing() as connection:
            gone = connection.execute(
                delete(session).where(session.c.account == who.account, session.c.id == name)
            )
            return gone.rowcount > 0

    def set_password(self, who: Signed, password: str, agent: str = "") -> str:
        """Give an account another password; all sessions end, and a new one begins.

        Raises Weak and NotFresh.
        """
        who.fresh()
        kept = passwords.hashed(passwords.fit(password, who.name))
        with self.database.writing() as connection:
            connection.execute(delete(session).where(session.c.account == who.account))
            connection.execute(
                delete(credential).where(
                    credential.c.account == who.account, credential.c.kind == "password"
                )
            )
            _add(connection, who.account, "password", kept)
            return begun(connection, who.account, agent)

    def new_codes(self, who: Signed) -> tuple[str, ...]:
        """New recovery codes; the old ones are void. Raises NotFresh."""
        who.fresh()
        with self.database.writing() as connection:
            return _new_codes(connection, who.account)

    def ways(self, who: Signed) -> tuple[Way, ...]:
        """How an account signs in."""
        with self.database.reading() as connection:
            rows = connection.execute(
                select(credential)
                .where(credential.c.account == who.account)
                .order_by(credential.c.created, credential.c.id)
            )
            return tuple(
                Way(id=row.id, kind=row.kind, label=row.label, created=row.created, used=row.used)
                for row in rows
            )

    def everything(self, who: Signed) -> Mine:
        """All that is kept of an account."""
        with self.database.reading() as connection:
            created = connection.execute(
                select(account.c.created).where(account.c.id == who.account)
            ).scalar_one()
        records, drawings = everything(self.database, who.account)
        return Mine(
            name=who.name,
            created=created,
            ways=self.ways(who),
            sessions=self.sessions(who),
            progress=records,
            drawings=drawings,
        )

    def delete(self, who: Signed) -> None:
        """Delete an account and all that is its own. Raises NotFresh."""
        who.fresh()
        with self.database.writing() as connection:
            connection.execute(delete(account).where(account.c.id == who.account))

    def tidy(self) -> None:
        """Take away what is over."""
        with self.database.writing() as connection:
            connection.execute(delete(session).where(session.c.expires <= int(time.time())))


def hashed(token: str) -> str:
    """What is kept of the token of a session."""
    return sha256(token.encode(errors="replace")).hexdigest()


def create(connection: Connection, name: str, key: str) -> str:
    """A new account; its id."""
    owner = secrets.token_hex(16)
    connection.execute(
        insert(account).values(id=owner, name=name, name_key=key, rev=0, created=int(time.time()))
    )
    return owner


def _add(connection: Connection, owner: str, kind: str, secret: bytes) -> None:
    connection.execute(
        insert(credential).values(
            id=secrets.token_hex(16),
            account=owner,
            kind=kind,
            secret=secret,
            sign_count=0,
            label="",
            created=int(time.time()),
        )
    )


def _new_codes(connection: Connection, owner: str) -> tuple[str, ...]:
    connection.execute(
        delete(credential).where(credential.c.account == owner, credential.c.kind == "recovery")
    )
    codes = passwords.codes()
    for code in codes:
        _add(connection, owner, "recovery", passwords.kept_code(code))
    return tuple(codes)


def _used_code(connection: Connection, owner: str, code: str) -> bool:
    """Whether it is one of the account's recovery codes, which is void from now on."""
    gone = connection.execute(
        delete(credential).where(
            credential.c.account == owner,
            credential.c.kind == "recovery",
            credential.c.secret == passwords.kept_code(code),
        )
    )
    return gone.rowcount > 0


def begun(connection: Connection, owner: str, agent: str) -> str:
    """A new session of an account; its token."""
    token, now = secrets.token_urlsafe(32), int(time.time())
    connection.execute(
        insert(session).values(
            token=hashed(token),
            id=secrets.token_hex(8),
            account=owner,
            created=now,
            seen=now,
            expires=now + SESSION,
            agent=agent[:LONGEST_AGENT],
        )
    )
    return token


def _key_of(name: str) -> str:
    try:
        return named(name)[1]
    except BadName:
        return ""
