"""Boards and levels that come with castlecp; `castlecp.service.shipped` gives them out."""
