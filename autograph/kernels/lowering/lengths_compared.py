"""Comparisons of the absolute value of a complex number, without its root where that is clear.

``abs(z) <= r`` is decided by the squares unless these are all but equal, which rounding could turn
round. Then the absolute value is rounded correctly, as that of C libraries nearly always is: by
Borges, "Algorithm 1014: An Improved Algorithm for hypot(x,y)", ACM Transactions on Mathematical
Software 47 (2020). Where squares overflow or vanish, it is computed as elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.graph.graph import Node, Value
from ops.core import kernels
from ops.core.complex_scalars import ComplexScalar
from ops.core.records import NamedTuple
from ops.core.registry import Elementwise
from ops.core.types import ArrayType

_COMPARISONS = (ops.less, ops.less_equal, ops.greater, ops.greater_equal)

_MARGIN = 32  # units of the last place, by which two squares clearly differ


def compared_lengths(nodes: Sequence[Node], results: Sequence[Value]) -> set[Value]:
    """The absolute values of complex numbers in a block that are there to be compared only.

    Args:
        results: of the block.
    """
    users: dict[Value, list[Node]] = {}
    for node in nodes:
        for value in dict.fromkeys(node.uses()):
            users.setdefault(value, []).append(node)
    apart = set(results)
    found = {n.outputs[0] for n in nodes if n.op is ops.absolute and _is_number(n)}
    return {
        value
        for value in found - apart
        if users.get(value) and all(_compares(node, value, found) for node in users[value])
    }


def _is_number(node: Node) -> bool:
    return node.inputs[0].type.dtype.kind == "c" and not node.inputs[0].type.shape


def _compares(node: Node, value: Value, lengths: set[Value]) -> bool:
    """Whether a node compares a value to another real number, in that one's dtype."""
    if not any(node.op is op for op in _COMPARISONS):
        return False
    others = [v for v in node.inputs if v is not value]
    if len(others) != 1 or others[0] in lengths:
        return False
    (other,) = others
    if not isinstance(other.type, ArrayType) or other.type.shape:
        return False
    if other.type.dtype.kind == "f":
        return other.type.weak or other.type.dtype == value.type.dtype
    known = other.literal()
    return type(known) is int and abs(known) < 2**24


class ComparedLength(NamedTuple):
    """What compares the absolute value of a complex number, whose parts are the first operands, to
    a real one.

    Attributes:
        op: the comparison.
        length: the absolute value, of the number.
        swapped: whether the real number is on the left.
        is_python: whether all operands are Python's numbers.
    """

    op: Elementwise
    length: Callable[[ComplexScalar], Any]
    swapped: bool
    is_python: bool
    are_complex: tuple[bool, bool] = (True, False)

    def __call__(self, real: Any, imag: Any, other: Any) -> Any:
        compare = self.op.kernels["f"]

        def compared(x: Any, y: Any) -> Any:
            return compare(y, x) if self.swapped else compare(x, y)

        ends = np.finfo(real.dtype)
        least, most = float(ends.tiny) ** 0.25, float(ends.max) ** 0.25
        squares, square = real * real + imag * imag, other * other
        margin = float(ends.eps) * _MARGIN
        is_usual = (other > least) & (other < most)

        def by_squares() -> Any:
            return compared(squares, square)

        def exactly() -> Any:
            is_near = is_usual & (squares < square * (1 + margin))
            return kernels.choose(
                is_near,
                lambda: compared(_rounded_length(real, imag), other),
                lambda: compared(self.length(ComplexScalar(real, imag)), other),
            )

        def not_below() -> Any:
            is_above = is_usual & (squares > square * (1 + margin)) & (squares < np.inf)
            return kernels.choose(is_above, by_squares, exactly)

        # What loops ask in most of their trips comes first.
        return kernels.choose(is_usual & (squares < square * (1 - margin)), by_squares, not_below)


def _rounded_length(x: Any, y: Any) -> Any:
    """The length of a vector whose square is neither huge nor tiny."""
    x, y = kernels.fabs(x), kernels.fabs(y)
    larger, smaller = kernels.select(x > y, x, y), kernels.select(x > y, y, x)
    square = larger * larger
    root = kernels.sqrt(kernels.fma(larger, larger, smaller * smaller))
    of_root = root * root
    excess = kernels.fma(-smaller, smaller, of_root - square)
    excess = excess + kernels.fma(root, root, -of_root) - kernels.fma(larger, larger, -square)
    return root - excess / (root + root)
