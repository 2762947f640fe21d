"""What the clues of each genre say, as a board: one module a genre, with `read` and SEARCH."""
