"""The command `schema`."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from castlecp.cli.streams import write, write_json


def schema(
    name: Annotated[
        str | None, typer.Argument(help="A report; without it their names.", metavar="[NAME]")
    ] = None,
) -> None:
    """The JSON Schema of what --json prints, or the names of all reports."""
    from castlecp import wire

    if name is None:
        for known in wire.REGISTRY:
            write(known)
    else:
        write_json(msgspec.json.encode(wire.schema(name)).decode())
