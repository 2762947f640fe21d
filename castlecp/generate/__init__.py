"""Making boards: random loops, and clues about them."""
