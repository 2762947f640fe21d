"""`python -m castlecp` is the command line."""

from castlecp.cli import main

main()
