"""Products of Python's ints of more than 64 bits, of which no more than 64 bits are needed.

``a * b % m``, ``(h * base + c) % m``, ``(a * b - c) // m`` and ``a * b >> 32`` have results of 64
bits where what they are made of may have twice as many. Such a product is no value of its own here:
both become one operator, which computes the product in two halves. Where its operands are so small
that it fits in one, as most do, it is one of int64.

Halves are divided by one of 64 bits as in Moeller & Granlund, "Improved division by invariant
integers", 2011: by a product with a reciprocal, which is a number where the divisor is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.python_ints import WideProduct, divided_product
from autograph.graph.rewrite import Env, rewrite
from autograph.graph.unsigned import may_leave
from ops.core import kernels
from ops.core.op import Unlisted
from ops.core.records import NamedTuple
from ops.core.types import ArrayType

_LONG, _BITS = np.dtype("int64"), np.dtype("uint64")

# Sizes of operands: a product, or a sum with one, has 64 bits if both are of half of all, and so
# has one that leaves as much as a number of 32 bits takes. So have a product of the third and the
# fourth, and one of the fourth more, a sum of two of the first, and the square of the last, and one
# of the fourth more.
_HALF_OF_ALL = (1 << 62) - 1
_ALL = (1 << 63) - 1
_MORE_THAN_HALF = (1 << 32) - 1
_LESS_THAN_HALF = (1 << 31) - 1
_ROOT_OF_HALF = 3_037_000_498


def wide_products(graph: Graph) -> Graph:
    """A graph in which such a product, if it may have more than 64 bits, and what is made of it are
    one node; the given one if there is none."""
    found = _products(graph)
    if not found:
        return graph
    large = may_leave(graph)
    found = {
        node: product
        for node, product in found.items()
        if any(maker.outputs[0] in large for maker in product.made_by)
    }
    left_out = _only_for(graph, found)

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node in left_out:
            return ()
        product = found.get(node)
        if product is None:
            return None
        values = (product.x, product.y, product.z, node.inputs[1])
        attrs = {"how": node.op.name, "subtracts": product.subtracts}
        operands = [env.get(v, v) for v in values]
        return [current_builder().apply(wide_product, operands, attrs, node.required)]

    return rewrite(graph, change) if found else graph


def _products(graph: Graph) -> dict[Node, WideProduct]:
    """The products, by the node that makes something of less bits of one."""
    found = {}
    for node in walk(graph):
        product = divided_product(node)
        if product is not None:
            found[node] = product
    return found


def _only_for(graph: Graph, found: dict[Node, WideProduct]) -> set[Node]:
    """The nodes that compute products for nothing else but what is made of them. Others need them
    as an int64: what is made of such products is taken out of those that were found."""
    while True:
        makers = {maker for product in found.values() for maker in product.made_by}
        read = set(graph.outputs)
        for node in walk(graph):
            if node in found:
                product = found[node]
                read.update((product.x, product.y, product.z, node.inputs[1]))
            elif node not in makers:
                read.update(node.inputs)
            for region in node.regions:
                read.update(region.outputs)
        kept = {maker for maker in makers if maker.outputs[0] in read}
        if not kept:
            return makers
        for node, product in list(found.items()):
            if not kept.isdisjoint(product.made_by):
                del found[node]


# -- how it is computed ----------------------------------------------------------------------------


class _Halves(NamedTuple):
    """An integer of 128 bits: two int64, of which the sign of the lower one is a bit as others."""

    high: Any
    low: Any


def _total(x: Any, y: Any, z: Any, subtracts: bool) -> _Halves:
    """``x * y + z``, or ``x * y - z``."""
    high, low = kernels.multiply_high(x, y), x * y
    sign = kernels.shift_right(z, 63)
    total = low - z if subtracts else low + z
    before, after = (total, low) if subtracts else (low, total)
    carry = kernels.cast(kernels.cast(after, _BITS) < kernels.cast(before, _BITS), _LONG)
    return _Halves(high - sign - carry if subtracts else high + sign + carry, total)


def _element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    x, y, z, by = (read(k, index) for k in range(4))
    how, subtracts = attrs["how"], attrs["subtracts"]
    if how == "right_shift":
        count = int(kernels.known_number(by))

        def short(total: Any) -> Any:
            return kernels.shift_right(total, min(count, 63))

        def long(total: _Halves) -> Any:
            return _shifted(total, count)

    else:
        kernels.require(by > 0)

        def short(total: Any) -> Any:
            return (_quotient if how == "floor_divide" else _rest)(total, by)

        def long(total: _Halves) -> Any:
            return (_long_quotient if how == "floor_divide" else _long_rest)(total, by)

    def found(fits: Callable[..., Any], otherwise: Callable[[], Any]) -> Any:
        return kernels.choose(
            fits(x, y, z), lambda: short(x * y - z if subtracts else x * y + z), otherwise
        )

    def halves() -> Any:
        return long(_total(x, y, z, subtracts))

    if x is y or _is_same_in_loops(x) or _is_same_in_loops(y):
        return found(_fits, halves)
    return found(_fits, lambda: found(_fits_unevenly, halves))


def _is_same_in_loops(x: Any) -> bool:
    """Whether it pays to divide by a factor once, since others are multiplied by it."""
    return kernels.known_number(x) is not None or kernels.is_given(x)


def _fits(x: Any, y: Any, z: Any) -> Any:
    """Whether operands are so small that a product, and a sum with it, have 64 bits for sure."""
    for a, b in ((x, y), (y, x)):
        if x is not y and _is_same_in_loops(b):
            return _fit_beside(b, a, z)
    return _within(x, _ROOT_OF_HALF) & _within(y, _ROOT_OF_HALF) & _within(z, _LESS_THAN_HALF)


def _fit_beside(factor: Any, x: Any, z: Any) -> Any:
    """The same where a factor is so often the same that it may be divided by. A small one leaves
    half of all to what is added."""
    small = (_HALF_OF_ALL, _HALF_OF_ALL)
    large = (_ALL - _MORE_THAN_HALF, _MORE_THAN_HALF)
    if kernels.known_number(z) == 0:
        small = large = (_ALL, 0)
    known = kernels.known_number(factor)
    if known is not None:
        size = max(abs(int(known)), 1)
        product, added = small if size <= _LESS_THAN_HALF else large
        return _within(x, product // size) & _within(z, added)

    def sizes(factor: Any) -> tuple[Any, Any]:
        bits = kernels.cast(factor, _BITS)
        size = kernels.select(factor < 0, 0 - bits, bits) | 1
        is_small = size <= _LESS_THAN_HALF
        product = kernels.select(is_small, np.uint64(small[0]), np.uint64(large[0]))
        added = kernels.select(is_small, np.int64(small[1]), np.int64(large[1]))
        return kernels.cast(kernels.quotient(product, size), _LONG), added

    most, added = kernels.of_given(factor, sizes)
    return _within_given(x, most) & _within_given(z, added)


def _fits_unevenly(x: Any, y: Any, z: Any) -> Any:
    """The same where one of both may be larger, as in a product with a multiplier of 32 bits. This
    takes longer to ask."""
    is_small = _within(y, _LESS_THAN_HALF)
    most = kernels.select(is_small, _MORE_THAN_HALF, _LESS_THAN_HALF)
    return _within(x, most) & _within(y, _MORE_THAN_HALF) & _within(z, _LESS_THAN_HALF)


def _within(x: Any, most: Any) -> Any:
    return (x >= -most) & (x <= most)


def _within_given(x: Any, most: Any) -> Any:
    """The same by one comparison, as LLVM makes it where it knows the number."""
    return kernels.cast(x + most, _BITS) <= kernels.cast(most + most, _BITS)


def _shifted(total: _Halves, count: int) -> Any:
    """``total >> count``."""
    high, low = total
    if count >= 64:
        return high if count == 64 else kernels.shift_right(high, count - 64)
    above = kernels.shift_left(high, 64 - count)
    kernels.require(kernels.shift_right(above, 64 - count) == high)
    below = kernels.shift_right(kernels.cast(low, _BITS), count)
    return above | kernels.cast(below, _LONG)


def _quotient(x: Any, by: Any) -> Any:
    quotient = kernels.quotient(x, by)
    return kernels.select(x - quotient * by < 0, quotient - 1, quotient)


def _rest(x: Any, by: Any) -> Any:
    rest = kernels.rest(x, by)
    return kernels.select(rest < 0, rest + by, rest)


def _long_quotient(total: _Halves, by: Any) -> Any:
    sign, high, low, divisor = _without_sign(total, by)
    kernels.require(high < divisor)
    quotient = kernels.cast(_divided(high, low, divisor)[0], _LONG)
    kernels.require(quotient >= 0)
    return quotient ^ sign


def _long_rest(total: _Halves, by: Any) -> Any:
    sign, high, low, divisor = _without_sign(total, by)
    high = kernels.choose(high < divisor, lambda: high, lambda: kernels.rest(high, divisor))
    rest = kernels.cast(_divided(high, low, divisor)[1], _LONG)
    return kernels.select(sign < 0, by - 1 - rest, rest)


def _without_sign(total: _Halves, by: Any) -> tuple[Any, Any, Any, Any]:
    """The sign, -1 or 0, and as uint64 the halves of what has the same quotient and rest but for
    it: ``~x`` for ``x`` below 0."""
    sign = kernels.shift_right(total.high, 63)
    return sign, *(kernels.cast(x, _BITS) for x in (total.high ^ sign, total.low ^ sign, by))


def _divided(high: Any, low: Any, divisor: Any) -> tuple[Any, Any]:
    """The quotient and rest of two halves by a uint64 above the higher one, and below 2**63."""
    known = kernels.known_number(divisor)
    if known is not None:
        count = 64 - int(known).bit_length()
        scaled = np.uint64(int(known) << count)
        reciprocal = np.uint64(((1 << 128) - 1) // int(scaled) - (1 << 64))
        shift: Any = np.uint64(count)
    else:
        ones = divisor
        for distance in (1, 2, 4, 8, 16, 32):
            ones = ones | kernels.shift_right(ones, distance)
        shift = kernels.cast(kernels.popcount(~ones), _BITS)
        scaled = kernels.shift_left(divisor, shift)
        reciprocal = _reciprocal(scaled)
    upper = kernels.shift_left(high, shift) | kernels.shift_right(low, 64 - shift)
    lower = kernels.shift_left(low, shift)
    near = reciprocal * upper + lower
    carry = kernels.cast(near < lower, _BITS)
    quotient = kernels.multiply_high(reciprocal, upper) + upper + carry + 1
    rest = lower - quotient * scaled
    above = rest > near
    quotient = kernels.select(above, quotient - 1, quotient)
    rest = kernels.select(above, rest + scaled, rest)
    below = rest >= scaled
    quotient = kernels.select(below, quotient + 1, quotient)
    rest = kernels.select(below, rest - scaled, rest)
    return quotient, kernels.shift_right(rest, shift)


def _reciprocal(d: Any) -> Any:
    """``(2**128 - 1) // d - 2**64`` of a uint64 whose highest bit is set: a quotient of 11 bits,
    and three steps of Newton's."""
    odd, high = d & 1, kernels.multiply_high
    above, half = kernels.shift_right(d, 24) + 1, kernels.shift_right(d, 1) + odd
    first = kernels.cast(2**19 - 3 * 2**8, _BITS)
    v = kernels.quotient(first, kernels.shift_right(d, 55))
    v = kernels.shift_left(v, 11) - kernels.shift_right(v * v * above, 40) - 1
    v = kernels.shift_left(v, 13) + kernels.shift_right(v * (2**60 - v * above), 47)
    error = (kernels.shift_right(v, 1) & (0 - odd)) - v * half
    v = kernels.shift_left(v, 31) + kernels.shift_right(high(v, error), 1)
    carry = kernels.cast(v * d + d < d, _BITS)
    return v - high(v, d) - carry - d


def _infer(*types: ArrayType, **attrs: Any) -> tuple[ArrayType]:
    return (types[0],)


wide_product = Unlisted(
    "wide_product",
    _infer,
    "",
    cost=20,
    raises=True,
    errors=(ZeroDivisionError, OverflowError),
    texts=("how",),
    native=kernels.Element(_element),
    doc="""``x * y + z``, or ``x * y - z``, of Python's ints, divided or shifted.

    Args:
        x, y, z, by: Python's ints.
        how: the name of the operator that is applied to that and ``by``.
        subtracts: whether ``z`` is subtracted.
    """,
)
