"""What compiles a program with numba."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from numba import njit, prange

from benchmarks.beside.rotation import in_rotation

# Sums in any order, products and sums in one rounding: without these no sum is vectorised.
RELAXED = {"reassoc", "nsz", "contract"}


def in_parallel(function: Callable) -> Callable:
    """A function whose first loop, over a ``range``, is parallel."""
    tree = ast.parse(inspect.getsource(function))
    loop = next(x for x in ast.walk(tree) if isinstance(x, ast.For))  # outer ones come first
    assert isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "range"
    loop.iter.func = ast.copy_location(ast.Name("prange", ast.Load()), loop.iter.func)
    scope: dict[str, Any] = {**function.__globals__, "prange": prange}
    exec(compile(tree, inspect.getfile(function), "exec"), scope)
    return scope[function.__name__]


def maker(function: Callable, parallel: bool = False) -> Callable:
    """Compile a function; ``parallel`` where that is faster: in small loops threads cost
    more than they save."""

    def make(*args, others=()):
        compiled = njit(parallel=parallel, fastmath=RELAXED)(function)
        return in_rotation(compiled, (args, *others))

    return make
