"""How NumPy's generators draw orders and choices without replacement, in Python: what kernels do.

The algorithms are lines of Cython in NumPy, which another version might change: whether this one's
are these is tried once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from autograph.kernels.ir import draws
from autograph.kernels.native import random

_MANY = 10_000  # of so many, choices are made by exchanges if they are not few:
_PARTS = {True: 50, False: 20}  # more than one of so many, if they come in any order, or not


def by_exchanges(count: int, size: int, shuffle: bool) -> bool:
    """Whether a choice without replacement is made by exchanges."""
    return count > _MANY and size > count // _PARTS[shuffle]


@functools.cache
def are_numpys() -> bool:
    """Whether NumPy's generators draw orders and choices in this way."""
    if not random.available(draws.INTERVAL):
        return False
    tries: list[tuple[Callable, Callable]] = [
        (lambda rng: rng.permutation(9), lambda rng: _order(rng, 9)),
        (lambda rng: rng.choice(40, 9, replace=False), lambda rng: _choice(rng, 40, 9)),
        (lambda rng: rng.choice(10_001, 201, False), lambda rng: _choice(rng, 10_001, 201)),
    ]
    return all(_is_same(*pair) for pair in tries)


def _is_same(method: Callable, own: Callable) -> bool:
    first, second = np.random.default_rng(3), np.random.default_rng(3)
    same = np.array_equal(method(first), own(second))
    return same and first.bit_generator.state == second.bit_generator.state


def _bounded(rng: np.random.Generator, last: int) -> int:
    return int(rng.integers(0, last, endpoint=True))


def _order(rng: np.random.Generator, count: int) -> list[int]:
    return _exchanged(rng, [*range(count)], 1, draws.at_most)


def _choice(rng: np.random.Generator, count: int, size: int) -> list[int]:
    if by_exchanges(count, size, True):
        return _exchanged(rng, [*range(count)], max(count - size, 1), _bounded)[count - size :]
    found: list[int] = []
    for last in range(count - size, count):
        drawn = _bounded(rng, last)
        found.append(last if drawn in found else drawn)
    return _exchanged(rng, found, 1, _bounded)


def _exchanged(
    rng: np.random.Generator, numbers: list[int], first: int, draw: Callable
) -> list[int]:
    for last in range(len(numbers) - 1, first - 1, -1):
        other = draw(rng, last)
        numbers[last], numbers[other] = numbers[other], numbers[last]
    return numbers
