"""Levels by hand: an author draws which faces are inside, and everything else is made or proved.

`masks` turns the drawing into a loop, or refuses it: an answer that is impossible cannot be
written down. `levels` reads level files, `verify` proves what a level promises, and `prune`
takes clues away. All of it is for any genre.
"""
