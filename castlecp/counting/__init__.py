"""Exact counts and exact samples of the loops of a lattice.

A loop is a word of brackets at a time: a sweep over the lattice, cell by cell, needs to know of
the drawn part only how its loose ends are paired. `frontier` numbers those words, `steps` has
one cell as kernels, `sweep` all cells, `counts` and `sampler` are what for.
"""

from castlecp.counting.counts import count, count_by_length
from castlecp.counting.sampler import Sampler

__all__ = ["Sampler", "count", "count_by_length"]
