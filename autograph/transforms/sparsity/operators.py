"""On which elements of its operands an element of an operator's result depends.

It follows from what the operator declares:

=====================  ========================================================================
declared               dependence
=====================  ========================================================================
`Elementwise`          on the element at the same place, where there is a partial derivative
`Element`, ``reads``   on what its formula reads, see `elements`
`Scattered`            on what the transpose takes from there
`Fold`, `Scan`         on what is along the axes, or before it
`Expansion`            as in the operators that it stands for
zeros are "kept"       on the element at the same place
nothing                on all
=====================  ========================================================================

By what is not differentiable there is none. All this is an upper bound: what is left out is zero
for all values of the operands that are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.transforms.sparsity.elements import (
    OperandFacts,
    Reading,
    TooMany,
    Undecided,
    indices,
)
from autograph.transforms.sparsity.sets import gathered, relation
from ops.core.reads import Scattered
from ops.core.registry import Custom, Elementwise, Linear, Op
from ops.core.types import ArrayType


class _All:
    """The relation of each element to all."""

    def __repr__(self) -> str:
        return "ALL"


class _Same:
    """The relation of each element to the one at the same place, of as many."""

    def __repr__(self) -> str:
        return "SAME"


ALL, SAME = _All(), _Same()

Relation = Any  # one of these, or sets
Relations = dict[int, Relation]  # by the positions of the operands

_LONGEST_SCAN = 30_000_000


class OperatorDependence:
    """How the results of an operator depend on its operands.

    Args:
        op, attrs: the operator.
        operands: of known shape.
        results: the types of the results, likewise.

    Attributes:
        consulted: the positions of operands whose elements this depends on.
    """

    def __init__(
        self,
        op: Op,
        attrs: dict[str, Any],
        operands: Sequence[OperandFacts],
        results: Sequence[ArrayType],
    ):
        self._op = op
        self._attrs = attrs
        self._operands = operands
        self._types = [operand.type for operand in operands]
        self._results = results
        self._varying = [i for i, operand in enumerate(operands) if operand.varies]
        self.consulted: set[int] = set()

    def relations(self) -> list[Relations]:
        """For each result the relations to the operands that vary."""
        return [self._of_result(type) if type.inexact else {} for type in self._results]

    def _of_result(self, result: ArrayType) -> Relations:
        op = self._op
        if isinstance(op, Elementwise):
            return self._elementwise(result)
        positions = [i for i in self._varying if has_derivative(op, i)]
        if not positions:
            return {}
        try:
            found = self._declared(result)
        except (Undecided, TooMany):
            found = None
        if found is None:
            return dict.fromkeys(positions, ALL)
        return {i: relation for i, relation in found.items() if i in positions}

    def _declared(self, result: ArrayType) -> Relations | None:
        op, types = self._op, self._types
        if isinstance(op.reads, Scattered):
            found = self._scattered(op.reads, result)
            if found is not None:
                return found
        if op.has_element(types, self._attrs) and op.element is not None:
            if op.aligned and getattr(op, "zeros", None) != "chosen":
                return self._aligned(result)
            return self._formula(op.element, result)
        if op.fold is not None:
            return {0: _folded(types[0], op.fold.axes(types[0], self._attrs))}
        if op.scan is not None:
            axis = op.scan.axis(types[0], **self._attrs)
            return {i: _scanned(types[i], result, axis) for i in self._varying}
        if op.reads is not None and not isinstance(op.reads, Scattered):
            return self._formula(op.reads, result)
        if op.aligned or getattr(op, "zeros", None) == "kept":
            return self._aligned(result)
        return None

    # -- at the same place ------------------------------------------------------------------------

    def _aligned(self, result: ArrayType) -> Relations:
        return {i: _broadcast(self._types[i], result) for i in self._varying}

    def _elementwise(self, result: ArrayType) -> Relations:
        op = self._op
        assert isinstance(op, Elementwise)
        found: Relations = {}
        for i in self._varying:
            if has_derivative(op, i):
                found[i] = _broadcast(self._types[i], result, self._nonzero(op, i))
        return found

    def _nonzero(self, op: Elementwise, position: int) -> Any:
        """Where a partial derivative is not zero, of an operator that is linear in that argument,
        if all others are known; None if it may be anywhere."""
        partial = op.partials[position]
        others = [i for i in range(len(self._operands)) if i != position]
        data = [operand.data for operand in self._operands]
        if not callable(partial) or any(data[i] is None for i in others):
            return None
        if data[position] is None:
            if position not in op.linear:
                return None
            data[position] = np.ones(self._types[position].known_shape)
        try:
            with np.errstate(all="ignore"):
                slope = np.asarray(partial(*data, op.evaluate(np, data, self._attrs)))
        except (ArithmeticError, TypeError, ValueError):
            return None
        if slope.all():
            return None
        self.consulted.update(others)
        return slope != 0

    # -- by formulas ------------------------------------------------------------------------------

    def _formula(self, compute: Callable, result: ArrayType) -> Relations:
        reading = Reading(self._operands, result.size)
        number = compute(reading, indices(result.known_shape), self._types, self._attrs)
        self.consulted |= reading.consulted
        return reading.relations(number)

    def _scattered(self, scattered: Scattered, result: ArrayType) -> Relations | None:
        """By the transposes: that of what is put somewhere, applied to the numbers of the elements
        of the result, says where each of its elements is put."""
        op, which = self._op, scattered.position
        assert isinstance(op, Linear) and not callable(op.transposes)
        transpose = op.transposes[which]
        assert transpose is not None
        values: list[Any] = [operand.data for operand in self._operands]
        shape: Any = scattered.shape(self._types, self._attrs)
        used = [i for i in range(len(values)) if i != which and not (i == 0 and scattered.starts)]
        if None in shape or any(values[i] is None for i in used):
            return None
        self.consulted.update(used)
        if scattered.starts:
            values[0] = np.zeros(result.known_shape)
        values[which] = np.zeros(shape)
        numbers = np.arange(1.0, result.size + 1.0).reshape(result.known_shape)
        places = np.asarray(transpose(numbers, *values, **self._attrs)).reshape(-1)
        is_there = places > 0
        of_whole = _broadcast_places(self._types[which].known_shape, shape).reshape(-1)
        found: Relations = {
            which: relation(
                places[is_there].astype(np.int64) - 1,
                of_whole[is_there],
                (result.size, self._types[which].size),
            )
        }
        if scattered.starts:
            found[0] = SAME
            first = op.transposes[0]
            if callable(first):
                stays = np.asarray(first(np.ones(result.known_shape), *values, **self._attrs))
                if not stays.all():
                    found[0] = gathered(np.arange(result.size), result.size, stays != 0)
        return found


def has_derivative(op: Op, position: int) -> bool:
    """Whether an operator has a derivative by an operand."""
    if isinstance(op, Elementwise):
        return op.partials[position] not in (None, 0)
    if isinstance(op, Linear):
        if callable(op.transposes):
            return True
        return position < len(op.transposes) and op.transposes[position] is not None
    if isinstance(op, Custom):
        return op.differentiable and not (op.vjp is None and op.jvp is None)
    return True


def _broadcast_places(own: tuple[int, ...], shape: Sequence[Any]) -> np.ndarray:
    """The element of an array that is at each place when it is broadcast; axes of length 1 in
    front may be too many."""
    places = np.arange(int(np.prod(own))).reshape(own)
    while places.ndim > len(shape) and places.shape[0] == 1:
        places = places[0]
    return np.broadcast_to(places, tuple(shape))


def _broadcast(own: ArrayType, result: ArrayType, kept: Any = None) -> Relation:
    """The relation to an operand that is broadcast; of the elements ``kept`` only, if given."""
    shape = result.known_shape
    if kept is None and own.known_shape == shape:
        return SAME
    kept = None if kept is None else np.broadcast_to(kept, shape)
    return gathered(_broadcast_places(own.known_shape, shape), own.size, kept)


def _folded(own: ArrayType, axes: Sequence[int]) -> Relation:
    shape = own.known_shape
    lengths = tuple(1 if axis in axes else n for axis, n in enumerate(shape))
    count = int(np.prod(lengths))
    rows = _broadcast_places(lengths, shape).reshape(-1)
    return relation(rows, np.arange(own.size), (count, own.size))


def _scanned(own: ArrayType, result: ArrayType, axis: int) -> Relation:
    """Each total depends on the elements up to it."""
    length = result.known_shape[axis]
    if result.size * length > _LONGEST_SCAN:
        return ALL
    places = np.arange(own.size).reshape(own.known_shape)
    lines = np.moveaxis(places, axis, -1).reshape(-1, length) if length else places.reshape(0, 0)
    last, first = np.tril_indices(length)
    return relation(
        lines[:, last].reshape(-1), lines[:, first].reshape(-1), (result.size, own.size)
    )
