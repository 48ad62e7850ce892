"""Products and sums rounded once: what users ask for by ``fast_math``.

``x * y + z`` becomes one instruction, which is faster and rounded once. It differs from what NumPy
gives in the last place, or by all of a difference that is rounding error only.
"""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import current
from autograph.kernels.ir.ir import Operand
from autograph.kernels.mathematics.expansion import expand


def contracted(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel in which products of floats are contracted with the sums and differences they are
    in."""
    return expand(kernel, {"*": _product, "+": _sum, "-": _difference})


def _product(x: Operand, y: Operand) -> Operand:
    return current().compute("*", x, y)


def _sum(x: Operand, y: Operand) -> Operand:
    for product, other in ((x, y), (y, x)):
        factors = _factors(product)
        if factors is not None:
            return current().compute("fma", *factors, other)
    return current().compute("+", x, y)


def _difference(x: Operand, *others: Operand) -> Operand:
    b = current()
    if not others:
        return b.compute("-", x)
    (y,) = others
    factors = _factors(x)
    if factors is not None:
        return b.compute("fma", *factors, b.compute("-", y))
    factors = _factors(y)
    if factors is not None:
        return b.compute("fma", b.compute("-", factors[0]), factors[1], x)
    return b.compute("-", x, y)


def _factors(value: Operand) -> tuple[Operand, ...] | None:
    """Of what a value is a product."""
    made = current().made(value)
    return made.operands if made is not None and made.function == "*" else None
