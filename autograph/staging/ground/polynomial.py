"""Integer expressions as polynomials, to find the length of a slice whose bounds are symbolic.

``x[i * b : (i + 1) * b]`` has length b, whatever i is: both bounds are written as sums of products
of values, and their difference is a polynomial in which i no longer occurs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ops
from autograph.graph.graph import Constant, Value
from ops.core.lengths import symbolic

# Coefficients by monomial, a tuple of values in a fixed order; that of () is the constant term.
Polynomial = dict[tuple[Value, ...], int]


def difference(stop: Any, start: Any) -> Polynomial:
    """``stop - start``, without the terms that cancel."""
    return _sum(_polynomial(stop), _polynomial(start), -1)


def constant(polynomial: Polynomial) -> int | None:
    """The value of a polynomial without values in it; None if there are some."""
    if any(polynomial.keys() - {()}):
        return None
    return polynomial.get((), 0)


def of_lengths(polynomial: Polynomial) -> int | None:
    """The value of a polynomial in which there are only lengths of arrays, maybe a symbolic length;
    None if there is something else."""
    total = 0
    for monomial, coefficient in polynomial.items():
        for value in monomial:
            length = symbolic(value)
            if length is None:
                return None
            coefficient = coefficient * length
        total = total + coefficient
    return total


def bounds(operand: Any, below: Mapping[Value, int]) -> tuple[int, int] | None:
    """The least and the greatest number that an integer expression can be, which may be symbolic
    lengths; None where that is not known.

    Args:
        below: for values that are not negative, what they are less than.
    """
    least = greatest = 0
    for monomial, coefficient in _polynomial(operand).items():
        most, is_exact = coefficient, True
        for value in monomial:
            if value.producer is not None and value.producer.op is ops.extent:
                most *= value.producer.attrs["length"]
            elif value in below:
                most, is_exact = most * (below[value] - 1), False
            else:
                return None
        least = least + (most if is_exact or coefficient < 0 else 0)
        greatest = greatest + (most if is_exact or coefficient > 0 else 0)
    return least, greatest


def _polynomial(operand: Any) -> Polynomial:
    if not isinstance(operand, Value):
        return {(): int(operand)}
    if isinstance(operand, Constant):
        return {(): int(operand.data)}
    node = operand.producer
    if node is not None and operand.type.dtype.kind in "iu":
        if node.op is ops.negative:
            return _sum({}, _polynomial(node.inputs[0]), -1)
        if node.op in _COMBINE:
            return _COMBINE[node.op](*(_polynomial(v) for v in node.inputs))
    return {(operand,): 1}


def _sum(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    result = dict(a)
    for monomial, coefficient in b.items():
        result[monomial] = result.get(monomial, 0) + sign * coefficient
    return {monomial: c for monomial, c in result.items() if c}


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for x, c in a.items():
        for y, d in b.items():
            result = _sum(result, {tuple(sorted((*x, *y), key=id)): c * d})
    return result


_COMBINE = {
    ops.add: _sum,
    ops.subtract: lambda a, b: _sum(a, b, -1),
    ops.multiply: _product,
}
