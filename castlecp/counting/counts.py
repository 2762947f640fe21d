"""How many loops there are: in all, by weight, and by length.

All three are values of one polynomial: the sum of y^(length / 2) over the loops. A loop visits
dark and light vertices of the chessboard in turn, so a sweep finds the value at y modulo a prime
when a visit to a dark vertex weighs y. Values modulo enough primes are the number, by the Chinese
remainder theorem; values at enough places are the polynomial.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count as integers
from math import gcd

from castlecp.budget import Budget
from castlecp.counting.residues import REACH
from castlecp.counting.sweep import MOST_WEIGHT, Sweep
from castlecp.errors import CastlecpError
from castlecp.grid import Lattice, Vertex

#: Primes are below this where nothing is weighed.
MOST_PRIME = 2**63


def count(
    lattice: Lattice,
    *,
    take: int = 1,
    skip: int = 1,
    blocked: Iterable[Vertex] = (),
    inside: Iterable[Vertex] = (),
    outside: Iterable[Vertex] = (),
    threads: int | None = None,
    budget: Budget | None = None,
) -> int:
    """The exact number of loops of a lattice, or their exact weight.

    A loop of length L on a lattice of E edges weighs take^L * skip^(E - L). Only loops count
    that visit none of the vertices named, and have the `inside` ones inside and the `outside`
    ones outside. Memory grows by a factor of about 2.8 with each column of the shorter side, time
    by somewhat more, and with the square of the longer side. A cell of a sweep is a step of the
    `budget`, and there is a sweep for each prime that the number needs. Each of several `threads`
    has a table; None for all cores.

    Raises OutOfBudget, PuzzleError for a vertex that is not there, CastlecpError for weights that
    are not from 1 to 2^24 in lowest terms or when the lattice is too wide for this machine's
    memory.
    """
    sweep = Sweep(lattice, frozenset(blocked), frozenset(inside), frozenset(outside), threads)
    take, skip, outer = weights(lattice, take, skip)
    vertices = lattice.rows * lattice.cols
    bound = most_loops(lattice) * max(take, skip) ** vertices
    plain = take == skip
    primes = primes_beyond(bound, MOST_PRIME if plain else 2 ** (REACH // 2))
    places = [(pow(take * pow(skip, -1, prime), 2, prime), prime) for prime in primes]
    values = sweep.values(places, budget)
    residues = [
        value * pow(skip, vertices, prime) % prime
        for value, prime in zip(values, primes, strict=True)
    ]
    return outer * from_residues(residues, primes)


def weights(lattice: Lattice, take: int, skip: int) -> tuple[int, int, int]:
    """Weights of a vertex on the loop and off it, and a factor for the loop as a whole.

    A loop has as many edges as vertices, so the weight of its edges is a weight of vertices and
    a power of `skip` for the edges that outnumber the vertices. What `take` and `skip` have in
    common goes into the factor too.
    """
    common = gcd(take, skip)
    if min(take, skip) < 1 or max(take, skip) // common > MOST_WEIGHT:
        raise CastlecpError(f"weights are from 1 to {MOST_WEIGHT}, not {take} and {skip}")
    edges, vertices = lattice.number_of_edges, lattice.rows * lattice.cols
    if edges < vertices:
        # A single row or column: there is no loop to weigh.
        return 1, 1, 0
    skip //= common
    return take // common, skip, common**edges * skip ** (edges - vertices)


def count_by_length(
    lattice: Lattice,
    *,
    blocked: Iterable[Vertex] = (),
    inside: Iterable[Vertex] = (),
    outside: Iterable[Vertex] = (),
    budget: Budget | None = None,
) -> dict[int, int]:
    """The exact number of loops of each length (in edges) that occurs, shortest first.

    The vertices named and `budget` are those of `count`, and so are the errors. It takes a sweep
    for every length there may be, modulo as many primes as all loops together need; all loops
    are counted first.
    """
    sweep = Sweep(lattice, frozenset(blocked), frozenset(inside), frozenset(outside))
    # From y^2 on, up to all dark vertices or all light ones.
    terms = lattice.rows * lattice.cols // 2 - 1
    if terms < 1:
        return {}
    plain = primes_beyond(most_loops(lattice), MOST_PRIME)
    loops = from_residues(sweep.values([(1, prime) for prime in plain], budget), plain)
    primes = primes_beyond(loops, 2**REACH // terms)
    places = [(y, prime) for prime in primes for y in range(1, terms + 1)]
    values = sweep.values(places, budget)
    by_prime = [
        coefficients([value * pow(y, -2, prime) for y, value in enumerate(some, 1)], prime)
        for prime, at in zip(primes, integers(0, terms), strict=False)
        for some in [values[at : at + terms]]
    ]
    counts = (from_residues(residues, primes) for residues in zip(*by_prime, strict=True))
    return {length: many for length, many in zip(integers(4, 2), counts, strict=False) if many}


def most_loops(lattice: Lattice) -> int:
    """As many loops as a lattice has, or more.

    A loop is a set of faces, those inside it, and faces that touch only at a corner are not alone
    on their side. These are the sets for each two rows of faces by themselves, multiplied.
    """
    rows, cols = sorted((lattice.rows - 1, lattice.cols - 1))
    # Of two rows, by whether the last two faces are on the same side.
    same, apart = 1, 0
    for _ in range(cols):
        same, apart = 2 * (same + apart), 2 * same + apart
    pairs, single = divmod(rows, 2)
    bound: int = (same + apart) ** pairs * 2 ** (cols * single)
    return bound


def primes_beyond(bound: int, below: int) -> list[int]:
    """The largest primes below a number, as many as have a product above `bound`."""
    found: list[int] = []
    product = 1
    for n in integers(below - 1, -1):
        if product > bound:
            return found
        if is_prime(n):
            found.append(n)
            product *= n
    raise AssertionError


def is_prime(n: int) -> bool:
    """Whether a number from 38 to 2^64 is prime: the test of Miller and Rabin.

    The first twelve primes suffice as bases (J. Sorenson, J. Webster, Math. Comp. 86 (2017)).
    """
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if any(n % base == 0 for base in bases):
        return False
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in bases:
        powers = [pow(base, odd << k, n) for k in range(twos)]
        if powers[0] != 1 and n - 1 not in powers:
            return False
    return True


def from_residues(residues: Sequence[int], primes: Sequence[int]) -> int:
    """The least natural number that leaves these residues."""
    number, product = 0, 1
    for residue, prime in zip(residues, primes, strict=True):
        number += product * ((residue - number) * pow(product, -1, prime) % prime)
        product *= prime
    return number


def coefficients(values: Sequence[int], prime: int) -> list[int]:
    """The polynomial that has these values at 1, 2, ..., constant first: Newton's way."""
    differences = list(values)
    for step in range(1, len(values)):
        inverse = pow(step, -1, prime)
        for k in range(len(values) - 1, step - 1, -1):
            differences[k] = (differences[k] - differences[k - 1]) * inverse % prime
    found = [0] * len(values)
    for k in range(len(values) - 1, -1, -1):
        # What there is so far times (y - k - 1), and a constant.
        shifted = [0, *found[:-1]]
        found = [(up - (k + 1) * here) % prime for up, here in zip(shifted, found, strict=True)]
        found[0] = (found[0] + differences[k]) % prime
    return found
