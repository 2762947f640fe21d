"""Exact counts and exact samples of the loops of a lattice."""
