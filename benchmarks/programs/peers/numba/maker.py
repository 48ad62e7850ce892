"""What compiles a program with numba."""

from __future__ import annotations

from collections.abc import Callable

from numba import njit

from benchmarks.beside.rotation import in_rotation

# Sums in any order, products and sums in one rounding: without these no sum is vectorised.
RELAXED = {"reassoc", "nsz", "contract"}


def maker(function: Callable, parallel: bool = False) -> Callable:
    """Compile a function; ``parallel`` where that is faster: in small loops threads cost
    more than they save."""

    def make(*args, others=()):
        compiled = njit(parallel=parallel, fastmath=RELAXED)(function)
        return in_rotation(compiled, (args, *others))

    return make
