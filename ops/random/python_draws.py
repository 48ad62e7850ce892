"""Draws from the random numbers of Python's module `random`, when the program runs.

They come from the module itself, in the order of the program: what the function draws, the caller's
next draw goes on from, as if Python had run it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.registry import Custom
from ops.core.types import ArrayType, weak

# The methods, with what they give.
METHODS = {
    **dict.fromkeys(("random", "gauss", "normalvariate", "expovariate"), float),
    **dict.fromkeys(("betavariate", "gammavariate", "vonmisesvariate"), float),
    **dict.fromkeys(("paretovariate", "weibullvariate"), float),
    **dict.fromkeys(("randrange", "randint", "getrandbits"), int),
    "seed": bool,
}

SAMPLE = "sample"  # gives the places of what is drawn, of a number of things and how many are drawn


def drawn_by_python(method, *given):
    """A draw from Python's random numbers; of a seed, that it was set; of a sample the places."""
    import random

    if method == "sample":
        return np.array(random.sample(range(int(given[0])), given[1]), np.int64)
    known = [x.item() if hasattr(x, "item") else x for x in given]
    result = getattr(random, method)(*known)
    if isinstance(result, int) and not -(2**63) <= result < 2**63:
        raise OverflowError(f"random.{method} gives an integer of more than 64 bits")
    return method == "seed" or result


def _infer(*types: ArrayType, method: str, given: tuple) -> tuple[ArrayType]:
    if any(type.shape for type in types):
        raise NotImplementedError(f"random.{method} of arrays")
    if method == SAMPLE:
        ((count,),) = given[1:]
        return (ArrayType(np.dtype(np.int64), (max(count, 0),)),)
    return (weak(METHODS[method]),)


def _code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    operands = iter(args)
    given = [next(operands) if known is None else repr(known[0]) for known in attrs["given"]]
    return f"drawn_by_python({', '.join([repr(attrs['method']), *given])})"


def _no_derivative(*args: Any, method: str, **attrs: Any) -> Any:
    raise NotImplementedError(
        f"the derivative of random.{method} by its parameters; write it with random.random(), or "
        "draw with ops.random"
    )


python_draw = Custom(
    "python_draw",
    _infer,
    _code,
    vjp=_no_derivative,
    jvp=_no_derivative,
    linear=(),
    zeros="lost",
    helpers=(drawn_by_python,),
    backends=("numpy",),
    instead="draw with ops.random, whose streams are the same on every backend",
    effect="draws",
    raises=True,
    doc="""A draw from the random numbers of Python's module ``random``.

    Args:
        method: the name of its function.
        given: for each argument of that a tuple of its value, or None if it is the next operand.
            Of a sample they are of how many things how many are drawn, and their places are given.
    """,
)
