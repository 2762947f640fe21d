"""How each genre is constrained: one file a genre, `post(puzzle, model)`."""
