"""The tables: the same ones in SQLite and PostgreSQL. Times are whole seconds since 1970."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _of_account(*, key: bool = False) -> Column[str]:
    """Whose a row is; it goes with the account."""
    return Column(
        "account",
        String(32),
        ForeignKey("account.id", ondelete="CASCADE"),
        nullable=False,
        primary_key=key,
    )


#: `name_key` is what tells names apart; `rev` orders all that was written to an account.
account = Table(
    "account",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("rev", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
)

#: What an account signs in with: `kind` is passkey, password or recovery, `secret` a public key or
#: a hash.
credential = Table(
    "credential",
    metadata,
    Column("id", Text, primary_key=True),
    _of_account(),
    Column("kind", String(16), nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
    Index(None, "account", "kind"),
)

#: Of its token a session has only the SHA-256; `id` is its name for its owner.
session = Table(
    "session",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("id", String(16), nullable=False),
    _of_account(),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("agent", Text, nullable=False),
    Index(None, "account"),
    Index(None, "expires"),
)

progress = Table(
    "progress",
    metadata,
    _of_account(key=True),
    Column("board", String(64), primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("accused", Boolean, nullable=False),
    Column("hints", BigInteger, nullable=False),
    Column("checks", BigInteger, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("best", Double),
    Column("about", LargeBinary, nullable=False),
    Column("rev", BigInteger, nullable=False),
    Index(None, "account", "rev"),
)

drawing = Table(
    "drawing",
    metadata,
    _of_account(key=True),
    Column("board", String(64), primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("stamp", BigInteger, nullable=False),
    Column("device", String(16), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("rev", BigInteger, nullable=False),
    Index(None, "account", "rev"),
)

#: How often somebody tried, by the SHA-256 of who it was; `until` is when the next try is taken.
attempt = Table(
    "attempt",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index(None, "since"),
)

#: What an authenticator is to sign, once; `account` is nobody's while somebody registers.
challenge = Table(
    "challenge",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index(None, "expires"),
)
