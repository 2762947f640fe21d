"""`castlecp serve`: what the command line does for one board, and for banks, over HTTP.

Thin: a question is an address and bytes. The server (`app`, `gate`) hands them to a process of a
lane (`lanes`), which reads them as a struct (`asks`), calls the library (`questions`) and gives
bytes back, a report of `castlecp.wire` or a `Problem`. The event loop computes nothing, and
whatever a worker does ends with its client, its deadline or its memory. Banks are jobs (`jobs`).
"""
