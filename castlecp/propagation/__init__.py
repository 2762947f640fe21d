"""What follows from the clues: propagation, as the backtracker and the ladder use it.

A *rule* is a file in `rules/`: a record of kernels that look for what follows. `board` holds the
clues as flat arrays and `state` what is known of the loop; `trail` settles literals and takes
them back, `fixpoint` settles all that follows by a set of rules, `assume` tries assumptions,
`search` is the backtracker's loop. `genres/NAME.py` has the genre's `read(puzzle)`, which turns
clues into the kinds of data that a `Board` holds, and SEARCH, the rules of its fixpoint.

Kernels are plain functions over integers and flat arrays that allocate nothing and call only
kernels; the arrays are `buffers`. Their modules import nothing that is not Python's own.
"""
