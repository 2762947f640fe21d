"""Accounts, what they sign in with, and their progress."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _account() -> sa.Column[str]:
    return sa.Column("account", sa.String(32), nullable=False)


def _goes_with_account(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account"], ["account.id"], name=f"fk_{table}_account", ondelete="CASCADE"
    )


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_account"),
        sa.UniqueConstraint("name_key", name="uq_account_name_key"),
    )
    op.create_table(
        "credential",
        sa.Column("id", sa.Text, nullable=False),
        _account(),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_credential"),
        _goes_with_account("credential"),
    )
    op.create_index("ix_credential_account_kind", "credential", ["account", "kind"])
    op.create_table(
        "session",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("id", sa.String(16), nullable=False),
        _account(),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_session"),
        _goes_with_account("session"),
    )
    op.create_index("ix_session_account", "session", ["account"])
    op.create_index("ix_session_expires", "session", ["expires"])
    op.create_table(
        "progress",
        _account(),
        sa.Column("board", sa.String(64), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("accused", sa.Boolean, nullable=False),
        sa.Column("hints", sa.BigInteger, nullable=False),
        sa.Column("checks", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("best", sa.Double),
        sa.Column("about", sa.LargeBinary, nullable=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", "board", name="pk_progress"),
        _goes_with_account("progress"),
    )
    op.create_index("ix_progress_account_rev", "progress", ["account", "rev"])
    op.create_table(
        "drawing",
        _account(),
        sa.Column("board", sa.String(64), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("stamp", sa.BigInteger, nullable=False),
        sa.Column("device", sa.String(16), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", "board", name="pk_drawing"),
        _goes_with_account("drawing"),
    )
    op.create_index("ix_drawing_account_rev", "drawing", ["account", "rev"])
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_attempt"),
    )
    op.create_index("ix_attempt_since", "attempt", ["since"])
    op.create_table(
        "challenge",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_challenge"),
    )
    op.create_index("ix_challenge_expires", "challenge", ["expires"])
