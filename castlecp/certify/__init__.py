"""Certificates that anyone can check, and runs over whole banks.

`prove` makes a certificate, `verify` checks one: the latter's own formula of rules and clues
(`formula`, `rules`) shares nothing with the models and engines. `batch` does either to many
boards at once, on this machine or a cluster.
"""
