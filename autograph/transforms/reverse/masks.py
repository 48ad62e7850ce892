"""Which elements of a cotangent are zero because ``where`` did not choose what they belong to.

``where(x > 0, x * log(x), 0)`` sends a cotangent to ``x * log(x)`` that is zero where x is 0. Zero
times the infinite derivative there is NaN, not zero. So a cotangent has a *mask* if it comes out of
a ``where``: it is known to be zero where the mask is false. What is computed from it may be *dirty*
there, and is cleaned, by another ``where``, before it meets anything that is not.

The mask is the one of the program, not ``ct != 0``: a cotangent that happens to be zero has a
derivative all the same. Since cleaning is itself a ``where``, derivatives of any order are right.

A value that is also a residual of an earlier backward pass has a cotangent from there, which comes
out of a pack and has lost its mask. It has the mask of the value's other cotangents.

Masks follow cotangents through elementwise operators, and through those that only move, copy and
add elements: each says what it does with ``zeros``, see `ops.core.registry.Linear`. They do not
follow into loops, branches, convolutions and matrix products.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

import ops
from autograph.graph.graph import Node, Value
from ops.core.operands import literal
from ops.core.registry import Custom, Linear
from ops.core.symbolic_lengths import are_equal
from ops.core.types import ArrayType


class Mask:
    """Where a cotangent may be other than zero.

    Args:
        make: computes it, a boolean array that broadcasts to the cotangent. Most are never asked
            for.
        scalar: whether it is a scalar, one for all elements.
        dirty: whether the cotangent may be NaN or infinite where it ought to be zero.
    """

    def __init__(self, make: Callable[[], Value], scalar: bool, dirty: bool = False):
        self._make = make
        self._value: Value | None = None
        self.scalar = scalar
        self.dirty = dirty

    @property
    def value(self) -> Value:
        if self._value is None:
            self._value = self._make()
        return self._value

    def of(self, dirty: bool) -> Mask:
        """The same mask for a cotangent that may be dirty."""
        return self if dirty == self.dirty else _Same(self, dirty)


class _Same(Mask):
    """The mask of another cotangent; computed once for both."""

    def __init__(self, origin: Mask, dirty: bool):
        super().__init__(lambda: origin.value, origin.scalar, dirty)
        self.origin = getattr(origin, "origin", origin)


class Masks:
    """The masks of the cotangents of one backward pass."""

    def __init__(self) -> None:
        self._masks: dict[Value, Mask] = {}

    def of(self, ct: Value | None) -> Mask | None:
        return None if ct is None else self._masks.get(ct)

    def give(self, ct: Value | None, mask: Mask | None) -> None:
        """Say that a cotangent has a mask."""
        if mask is not None and isinstance(ct, Value) and isinstance(ct.type, ArrayType):
            self._masks[ct] = mask

    @overload
    def clean(self, ct: Value) -> Value: ...

    @overload
    def clean(self, ct: None) -> None: ...

    @overload
    def clean(self, ct: Value | None) -> Value | None: ...

    def clean(self, ct: Value | None) -> Value | None:
        """The cotangent with zeros where it ought to be zero."""
        mask = None if ct is None else self._masks.get(ct)
        if ct is None or mask is None or not mask.dirty:
            return ct
        cleaned = ops.where(mask.value, ct, ct.type.dtype.type(0))
        if cleaned.type != ct.type:
            cleaned = ops.cast(cleaned, dtype=ct.type.dtype.name, weak=ct.type.weak)
        self.give(cleaned, mask.of(False))
        return cleaned

    def sum(self, x: Value, y: Value, add: Callable[[Value, Value], Value]) -> Value:
        """``add(x, y)`` of two cotangents of the same value."""
        a, b = self.of(x), self.of(y)
        if a is not None and b is not None and _origin(a) is _origin(b):
            total = add(x, y)
            self.give(total, a.of(a.dirty or b.dirty))
            return total
        total = add(self.clean(x), self.clean(y))
        if a is not None and b is not None:
            either = Mask(lambda: ops.logical_or(a.value, b.value), a.scalar and b.scalar)
            self.give(total, either)
        return total

    def with_residual(
        self, ct: Value | None, residual: Value | None, add: Callable[[Value, Value], Value]
    ) -> Value | None:
        """The sum of all other cotangents of a value, and of that which an earlier backward pass
        has for it as a residual.

        That pass used the residual only where the forward pass used the value, so this part is zero
        where all others are, and has their mask.
        """
        if ct is None or residual is None:
            return ct if residual is None else residual
        total = add(ct, residual)
        self.give(total, self.of(ct))
        return total

    def choose(
        self, ct: Value, condition: Value, chosen: Value, test: Callable[[Value], Value]
    ) -> None:
        """Give ``chosen``, which is ``ct`` where ``test(condition)`` and zero elsewhere, its
        mask."""
        before = self.of(ct)
        scalar = condition.type.shape == ()
        if before is None:
            mask = Mask(lambda: test(condition), scalar)
        else:
            both = lambda: ops.logical_and(before.value, test(condition))
            mask = Mask(both, scalar and before.scalar, before.dirty)
        self.give(chosen, mask)

    def follow(
        self,
        node: Node,
        inputs: Sequence[Value],
        outputs: Sequence[Value],
        ct: Value,
        results: Sequence[Value | None],
    ) -> None:
        """Give the cotangents of an operator's operands the masks that follow from that of ``ct``,
        its result's, which is clean."""
        mask, op = self.of(ct), node.op
        if mask is None or not isinstance(op, (Custom, Linear)):
            return
        # The other factor of a product may be infinite or NaN.
        dirty = not (isinstance(op, Linear) and op.joint)
        if mask.scalar or op.zeros == "kept":
            for result in results:
                self.give(result, mask.of(dirty))
        elif op.zeros == "moved":
            moved = _Moved(op, node, inputs, outputs, ct, mask)
            for position, result in enumerate(results):
                self.give(result, Mask(functools.partial(moved.mask, position), False, dirty))

    def reduced(self, ct: Value, reduce: Callable[[Value], Value]) -> Value:
        """``reduce(ct)``, which adds elements, of a clean cotangent, with its mask."""
        mask = self.of(ct)
        result = reduce(ct)
        if mask is not None and not mask.scalar:
            some = lambda: ops.not_equal(reduce(as_numbers(mask, ct)), 0)
            self.give(result, Mask(some, False))
        else:
            self.give(result, mask)
        return result


def is_finite_number(factor: Any) -> bool:
    """Whether a derivative is a number that is known and neither infinite nor NaN."""
    known = literal(factor)
    return known is not None and bool(np.isfinite(known))


def as_numbers(mask: Mask, ct: Value) -> Value:
    """The mask as zeros and ones, of the shape and dtype of the cotangent."""
    numbers = ops.cast(mask.value, dtype=ct.type.dtype.name)
    if not are_equal(numbers.type.shape, ct.type.shape):
        numbers = ops.broadcast_to(numbers, ops.lengths_of(ct))
    return numbers


class _Moved:
    """A mask moved as an operator's rule moves cotangents."""

    def __init__(
        self,
        op: Custom | Linear,
        node: Node,
        inputs: Sequence[Value],
        outputs: Sequence[Value],
        ct: Value,
        mask: Mask,
    ):
        self._op = op
        self._node = node
        self._inputs = inputs
        self._outputs = outputs
        self._ct = ct
        self._mask = mask
        self._numbers: Value | None = None

    def mask(self, position: int) -> Value:
        """That of the operand at a position."""
        if self._numbers is None:
            self._numbers = as_numbers(self._mask, self._ct)
        return ops.not_equal(self._moved(position, self._numbers), 0)

    def _moved(self, position: int, numbers: Value) -> Value:
        op, attrs = self._op, self._node.attrs
        if op.moves is not None:
            return op.moves(numbers, *self._inputs, **attrs)[position]
        if not isinstance(op, Linear):
            assert op.vjp is not None  # it has given the cotangents
            return op.vjp([numbers], self._inputs, self._outputs, **attrs)[position]
        if callable(op.transposes):
            return op.transposes(numbers, *self._inputs, **attrs)[position]
        transpose = op.transposes[position]
        assert transpose is not None
        return transpose(numbers, *self._inputs, **attrs)


def _origin(mask: Mask) -> Mask:
    return getattr(mask, "origin", mask)
