"""Accounts and the progress that follows a player, in SQLite or PostgreSQL.

Knows no puzzle and no HTTP: what a board or a drawing is, is for the page to say. Progress only
grows (`records`), so devices may say what they know in any order and as often as they like.
"""
