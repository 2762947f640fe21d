"""The ladder of each genre: one module a genre, with LADDER, pairs of a rule and its rung."""
