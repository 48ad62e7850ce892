"""What compiles a program with numba."""

from __future__ import annotations

from collections.abc import Callable

from numba import njit

# Sums in any order, products and sums in one rounding: without these no sum is vectorised.
RELAXED = {"reassoc", "nsz", "contract"}


def maker(function: Callable, parallel: bool = False) -> Callable:
    """Compile a function; ``parallel`` where that is faster: in small loops threads cost
    more than they save."""

    def make(*args):
        compiled = njit(parallel=parallel, fastmath=RELAXED)(function)
        return lambda: compiled(*args)

    return make
