"""The command `serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from castlecp.cli.streams import write
from castlecp.errors import CastlecpError


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for all.", metavar="HOST")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="0 for any that is free.", min=0, max=65_535, metavar="N")
    ] = 8000,
    workers: Annotated[
        int | None,
        typer.Option(help="Processes for slow questions; one a core by default.", min=1),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="The address that people see, if it is another.", metavar="URL"),
    ] = None,
    limits: Annotated[
        Path | None, typer.Option(help="Limits, in TOML; see the README.", metavar="FILE")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Where jobs are kept; among your own data by default.", metavar="DIR"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Run jobs on the Dask scheduler at this address.", metavar="ADDRESS"),
    ] = None,
    trusted_proxy: Annotated[
        str | None,
        typer.Option(help="Whose X-Forwarded-For is believed.", metavar="ADDRESS"),
    ] = None,
) -> None:
    """Answer over HTTP what the other commands answer, until Ctrl-C."""
    try:
        from castlecp.service import limits as settings
        from castlecp.service import server
    except ImportError as error:
        missing = f"serve needs `pip install castlecp[service]`: {error.name} is missing"
        raise CastlecpError(missing) from None
    bounds = settings.read(limits)
    held = server.listening(host, port)
    server.run(
        held,
        bounds,
        workers or server.cores(),
        data or server.data_folder(),
        cluster=cluster,
        base_url=None if base_url is None else base_url.rstrip("/"),
        trusted_proxy=trusted_proxy,
        say=write,
    )
