"""Migrations of the database, in order of their numbers; Alembic runs them."""
