"""Differences and sums that stand for derivatives and integrals, and angles made continuous."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ops.arrays.cumulative import cumsum
from ops.arrays.differences import diff
from ops.arrays.indexing import assigned, getitem, subscript
from ops.arrays.joining import array, axis_slice, concatenate
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dims_of, dtype_of, ndim_of, operand_type
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    floor_divide,
    greater,
    less,
    logical_and,
    multiply,
    negative,
    remainder,
    subtract,
)
from ops.elementwise.conversion import astype, promote, where
from ops.structure.broadcasting import sum
from ops.structure.reshaping import reaxed

__all__ = [
    "gradient",
    "trapezoid",
    "unwrap",
]


def _part(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    return getitem(x, index=axis_slice(ndim_of(x), axis, start, stop))


@covers(np.trapezoid, "y x dx axis")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral of ``y`` along an axis by the trapezoidal rule.

    Args:
        y: the values of the integrand.
        x: where they were taken: a vector, or an array that broadcasts to the shape of ``y``.
        dx: the distance between them if ``x`` is None.
        axis: the axis.
    """
    ndim = ndim_of(y)
    place = normalize_axis_index(axis, ndim)
    if x is not None:
        x = array(x) if isinstance(x, (list, tuple)) else x
        if ndim_of(x) == 1:
            dx = diff(x)
            dx = reaxed(dx, (1,) * place + lengths_of(dx) + (1,) * (ndim - place - 1))
        else:
            dx = diff(x, axis=axis)
    pairs = add(_part(y, place, 1, None), _part(y, place, None, -1))
    return sum(divide(multiply(dx, pairs), 2.0), axis=place)


# -- gradient --------------------------------------------------------------------------------------


@covers(np.gradient)
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Slopes by central differences, and one-sided ones at the edges.

    Args:
        f: the values of a function on a grid.
        varargs: the distances of the grid points: nothing for 1, a number for all axes, or for
            each axis a number or a vector of coordinates.
        axis: an axis, or a tuple of those for which to return slopes; by default all.
        edge_order: the order of the differences at the edges, 1 or 2.

    Returns:
        An array for a single axis, else a tuple of arrays.

    Raises:
        ValueError: an axis is too short, or coordinates do not fit.
        TypeError: the number of distances is not that of the axes.
    """
    f = array(f) if isinstance(f, (list, tuple)) else f
    ndim = ndim_of(f)
    axes = tuple(range(ndim)) if axis is None else normalize_axis_tuple(axis, ndim)
    if len(varargs) not in (0, 1, len(axes)) or (len(varargs) == 1 and not _is_one(varargs, axes)):
        raise TypeError("invalid number of arguments")
    distances = [1.0] * len(axes) if not varargs else list(varargs)
    if len(distances) == 1:
        distances = distances * len(axes)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    dtype = dtype_of(f) if dtype_of(f).kind in "fc" else np.dtype(np.float64)
    if dtype_of(f).kind in "iu":
        f = astype(f, dtype)
    results = []
    for place, distance in zip(axes, distances):
        n = dims_of(f)[place]
        if n is not None and n < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least "
                "(edge_order + 1) elements are required."
            )
        results.append(astype(_slopes(f, place, _steps(distance, n), edge_order), dtype))
    return results[0] if len(axes) == 1 else tuple(results)


def _is_one(varargs: tuple, axes: tuple) -> bool:
    """Whether a single argument serves: a number for all axes, or what is for the only one."""
    given = varargs[0]
    return len(axes) == 1 or not (isinstance(given, (list, tuple)) or ndim_of(given))


def _steps(distance: Any, n: int | None) -> Any:
    """The distance of neighbours: a number, or a vector with that of each pair."""
    if isinstance(distance, (list, tuple)):
        distance = array(distance)
    if not ndim_of(distance):
        return distance
    if ndim_of(distance) != 1:
        raise ValueError("distances must be either scalars or 1d")
    if n is not None and dims_of(distance)[0] not in (n, None):
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if dtype_of(distance).kind in "iu":
        distance = astype(distance, np.float64)
    steps = diff(distance)
    if not isinstance(steps, Symbolic) and steps.size and np.all(steps == steps[0]):
        return steps[0]
    return steps


def _slopes(f: Any, axis: int, steps: Any, edge_order: int) -> Any:
    ndim = ndim_of(f)
    before, here, after = (
        _part(f, axis, start, stop) for start, stop in ((None, -2), (1, -1), (2, None))
    )
    if not ndim_of(steps):
        inner = divide(subtract(after, before), multiply(2.0, steps))
        left = right = further_left = further_right = steps
    else:
        shape = (1,) * axis + (-1,) + (1,) * (ndim - axis - 1)
        behind = reaxed(_part(steps, 0, None, -1), _fitted(shape, steps, -1))
        ahead = reaxed(_part(steps, 0, 1, None), _fitted(shape, steps, -1))
        both = add(behind, ahead)
        a = divide(negative(ahead), multiply(behind, both))
        b = divide(subtract(ahead, behind), multiply(behind, ahead))
        c = divide(behind, multiply(ahead, both))
        inner = add(add(multiply(a, before), multiply(b, here)), multiply(c, after))
        left, right = subscript(steps, 0), subscript(steps, -1)
        if edge_order == 2:
            further_left, further_right = subscript(steps, 1), subscript(steps, -2)
    if edge_order == 1:
        first = divide(subtract(_part(f, axis, 1, 2), _part(f, axis, None, 1)), left)
        last = divide(subtract(_part(f, axis, -1, None), _part(f, axis, -2, -1)), right)
    else:
        first = _parabola([_part(f, axis, i, i + 1) for i in range(3)], left, further_left)
        ends = [_part(f, axis, -i - 1, -i or None) for i in range(3)]
        last = negative(_parabola(ends, right, further_right))
    return concatenate([first, inner, last], axis)


def _fitted(shape: tuple[int, ...], steps: Any, change: int) -> tuple:
    """A shape with the length of ``steps``, changed by so much, where it says -1."""
    n = dims_of(steps)[0]
    return shape if n is None else tuple(n + change if m == -1 else m for m in shape)


def _parabola(values: list[Any], near: Any, far: Any) -> Any:
    """The slope at the first of three points, ``near`` before the second, that ``far`` before the
    third, of the parabola through them."""
    both = add(near, far)
    a = divide(negative(add(multiply(2.0, near), far)), multiply(near, both))
    b = divide(both, multiply(near, far))
    c = divide(negative(near), multiply(far, both))
    x, y, z = values
    return add(add(multiply(a, x), multiply(b, y)), multiply(c, z))


# -- angles ----------------------------------------------------------------------------------------


@covers(np.unwrap, "p discont axis period")
def unwrap(p: Any, discont: Any = None, axis: int = -1, period: Any = 2 * math.pi) -> Any:
    """``p`` with multiples of the period added, so that neighbours differ by half of it at most.

    Args:
        p: angles, or other numbers that are periodic.
        discont: the smallest difference that is changed, if that is more than half a period.
        axis: the axis along which neighbours lie.
        period: of the numbers.
    """
    p = array(p) if isinstance(p, (list, tuple)) else p
    axis = normalize_axis_index(axis, ndim_of(p))
    steps = diff(p, axis=axis)
    if discont is None:
        discont = divide(period, 2)
    dtype = promote(operand_type(steps), operand_type(period))
    if dtype.kind in "iu":
        high, odd = floor_divide(period, 2), remainder(period, 2)
        ambiguous = equal(odd, 0)
    else:
        high, ambiguous = divide(period, 2), True
    low = negative(high)
    wrapped = add(remainder(subtract(steps, low), period), low)
    at_end = logical_and(logical_and(equal(wrapped, low), greater(steps, 0)), ambiguous)
    wrapped = where(at_end, high, wrapped)
    correction = subtract(wrapped, steps)
    correction = where(less(absolute(steps), discont), dtype_of(correction).type(0), correction)
    turned = add(_part(p, axis, 1, None), cumsum(correction, axis))
    whole = (*[slice(None)] * axis, slice(1, None))
    return assigned(astype(p, dtype), whole, turned)
