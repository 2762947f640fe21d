"""How Alembic runs migrations: within the transaction that `Database.upgrade` has."""

from alembic import context

from castlecp.accounts.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
