"""Means and deviations of Python's module ``statistics``, which computes with fractions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import ones_like
from ops.core.lengths import length
from ops.core.operands import ndim_of
from ops.core.registry import Custom
from ops.core.types import ArrayType, weak
from ops.elementwise import divide, multiply, subtract
from ops.structure.broadcasting import sum
from ops.structure.lanes import with_same_attributes
from ops.structure.reshaping import expand_dims


def of_statistics(name, x):
    """The function of this name in ``statistics`` of each vector along the last axis."""
    import statistics

    function = getattr(statistics, name)
    if x.ndim == 1:
        return function(x.tolist())
    found = [function(x[i].tolist()) for i in np.ndindex(*x.shape[:-1])]
    return np.array(found, "float64").reshape(x.shape[:-1])


def _infer(x: ArrayType, of: str) -> tuple[ArrayType]:
    if x.ndim == 1:
        return (weak(float),)
    return (ArrayType(np.dtype(np.float64), x.shape[:-1]),)


def _along(number: Any, x: Any) -> Any:
    """One number for each vector, such that it broadcasts to ``x``."""
    return number if ndim_of(x) == 1 else expand_dims(number, -1)


def _slopes(x: Any, out: Any, of: str) -> Any:
    """The derivative of the result by each element."""
    count = length(x, axis=ndim_of(x) - 1)
    if of == "mean":
        return divide(ones_like(x), count)
    distances = subtract(x, _along(exact_statistic(x, of="mean"), x))
    freedom = count if of.startswith("p") else subtract(count, 1)
    if of.endswith("variance"):
        return divide(multiply(distances, 2.0), freedom)
    return divide(divide(distances, freedom), _along(out, x))


def _vjp(cts: Sequence, args: Sequence, outs: Sequence, of: str) -> tuple:
    (x,) = args
    return (multiply(_along(cts[0], x), _slopes(x, outs[0], of)),)


def _jvp(tangents: Sequence, args: Sequence, outs: Sequence, of: str) -> tuple:
    (x,) = args
    return (sum(multiply(tangents[0], _slopes(x, outs[0], of)), axis=-1),)


exact_statistic = Custom(
    "exact_statistic",
    _infer,
    "of_statistics({of!r}, {0})",
    vjp=_vjp,
    jvp=_jvp,
    linear=(),
    zeros="lost",
    helpers=[of_statistics],
    raises=True,
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="""A function of Python's module ``statistics``: the exact result, rounded once.

    Args:
        x: an array of one axis, float64.
        of: "mean", "variance", "pvariance", "stdev" or "pstdev".
    """,
)
