"""Parts of arrays whose lengths only the run knows, such as ``x[:i]``: taken, written, and the same
elements in another shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.graph.graph import Constant, Node
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Buffer, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand, growing, measured
from autograph.kernels.lowering.arrays.changes import changeable
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import (
    CannotLower,
    GrowingRows,
    Measured,
    Memory,
    is_growing,
    shape_of,
)
from ops.arrays.indexing import increased_element, set_element
from ops.core import kernels
from ops.core.index_maps import place

_LARGE_STEP = 1 << 32


class _Cut:
    """What subscripts select of an array."""

    def __init__(
        self, state: State, node: Node, first: int, lengths: Sequence[Operand], most: tuple
    ):
        """Compute bounds.

        Args:
            first: the node's operand that subscripts count from.
            lengths: of the array.
            most: what these are at most.
        """
        # Indices, and for slices where they start, and their steps.
        self.axes: list[tuple[Operand, Operand] | Operand] = []
        self.lengths: list[Operand] = []
        self.most: list[int] = []
        b, spec = state.b, node.attrs["index"]

        def number(given: Any) -> Operand:
            if not isinstance(given, tuple):
                return b.long(given)
            value = node.inputs[first + given[0]]
            if value.type.shape or value.type.dtype.kind not in "iu":
                raise CannotLower(reasons.UNKNOWN.of(node.location))
            return b.cast(demand.scalar(state, value), LONG)

        def bound(given: Any, length: Operand, default: Operand) -> Operand:
            if given is None:
                return default
            i = number(given)
            i = kernels.select(i < 0, i + length, i)
            i = kernels.select(i < 0, b.long(0), i)
            return kernels.select(i > length, length, i)

        for axis, (length, n) in enumerate(zip(lengths, most)):
            entry: Any = spec[axis] if axis < len(spec) else ("slice", None, None, None)
            match entry:
                case ("int", k):
                    i = b.long(k)
                    self._require_inside(i, length)
                    self.axes.append(kernels.select(i < 0, i + length, i))
                case ("arg", j, *rest):
                    value = node.inputs[first + j]
                    if value.type.shape or value.type.dtype.kind not in "iu":
                        raise CannotLower(reasons.UNKNOWN.of(node.location))
                    i = place(demand.scalar(state, value), value.type, length, rest == ["distinct"])
                    self.axes.append(i)
                case ("slice", start, stop, step):
                    low = bound(start, length, b.long(0))
                    high = bound(stop, length, length)
                    count = kernels.select(high > low, high - low, b.long(0))
                    known = step or 1
                    step = number(known)
                    kernels.require((step > 0) & (step < _LARGE_STEP))
                    if not isinstance(step, ir.Number) or step.value > 1:
                        count = b.compute("quotient", count + (step - 1), step)
                    self.axes.append((low, step))
                    self.lengths.append(count)
                    self.most.append(-(-n // known) if isinstance(known, int) and n else n)

    @staticmethod
    def _require_inside(i: Operand, length: Operand) -> None:
        kernels.require((i >= -length) & (i < length))

    def place(self, index: Sequence[Operand]) -> tuple[Operand, ...]:
        """Where in the array an element of the part is."""
        inner = iter(index)
        return tuple(
            next(inner) * axis[1] + axis[0] if isinstance(axis, tuple) else axis
            for axis in self.axes
        )


def part(state: State, node: Node) -> Measured | Operand:
    """``x[index]``."""
    source = demand.as_measured(state, node.inputs[0])
    cut = _Cut(state, node, 1, source.lengths, source.most)
    if not cut.lengths:
        return source.element(cut.place(()))
    return Measured(
        tuple(cut.lengths), tuple(cut.most), lambda index: source.element(cut.place(index))
    )


def reshaped(state: State, node: Node) -> Measured:
    """Axes of length 1 added, or taken away."""
    source = demand.as_measured(state, node.inputs[0])
    given, wanted = node.inputs[0].type.shape, node.outputs[0].type.shape
    axes = [axis for axis, n in enumerate(given) if n != 1]
    places = [axis for axis, n in enumerate(wanted) if n != 1]
    if len(axes) != len(places):
        raise CannotLower(reasons.UNKNOWN.of(node.location))
    operands = iter(node.inputs[1:])
    for axis, target in zip(axes, places):
        length: int | Operand | None = wanted[target]
        if length is None and len(node.inputs) > 1:
            length = state.b.cast(demand.scalar(state, next(operands)), LONG)
        if length is not None:
            kernels.require(source.lengths[axis] == state.b.long(length))
    b = state.b
    lengths: list[Operand] = [b.long(1)] * len(wanted)
    most: list[int | None] = [1] * len(wanted)
    for axis, target in zip(axes, places):
        lengths[target], most[target] = source.lengths[axis], source.most[axis]

    def element(index: Sequence[Operand]) -> Operand:
        at = [b.long(0)] * len(given)
        for axis, target in zip(axes, places):
            at[axis] = index[target]
        return source.element(at)

    return Measured(tuple(lengths), tuple(most), element, source.settled)


def transposed(state: State, node: Node) -> Measured:
    """The same elements with the axes in another order."""
    source, axes = demand.as_measured(state, node.inputs[0]), node.attrs["axes"]

    def element(index: Sequence[Operand]) -> Operand:
        return source.element([index[axes.index(axis)] for axis in range(len(axes))])

    return Measured(
        tuple(source.lengths[axis] for axis in axes),
        tuple(source.most[axis] for axis in axes),
        element,
        source.settled,
    )


def write(state: State, node: Node) -> Memory | GrowingRows:
    """``x[index] = value``, or ``x[index] += value``, for a part of unknown length."""
    b = state.b
    array, value = node.inputs[:2]
    if isinstance(array, Constant):
        raise CannotLower(reasons.CONSTANT.of(node.location))
    shape = shape_of(array)
    source = None if array.type.is_static else demand.as_measured(state, array)
    lengths = tuple(map(b.long, shape)) if source is None else source.lengths
    cut = _Cut(state, node, 2, lengths, shape if source is None else source.most)
    given = number = None
    if value.type.shape:
        given = measured.in_memory(state, value, demand.as_measured(state, value))
        if is_growing(value):
            state.env[value] = given
    else:
        number = demand.scalar(state, value)
    measured.settle(state)
    result, place_of, buffer = _to_change(state, node)
    own = value.type.shape
    if len(own) > len(cut.lengths):
        raise CannotLower(reasons.UNKNOWN.of(node.location))
    behind = len(cut.lengths) - len(own)
    if given is not None:
        for n, length, wanted in zip(own, given.lengths, cut.lengths[behind:]):
            if n != 1:
                kernels.require(length == wanted)

    adds, one = node.op is ops.index_add, array.type._replace(shape=())

    def change(index: tuple[Operand, ...]) -> None:
        element = number
        if given is not None:
            element = given.element(
                [b.long(0) if n == 1 else i for n, i in zip(own, index[behind:])]
            )
        at = place_of(cut.place(index))
        if adds:
            element = increased_element(b.load(buffer, at), element, one, value.type, (), ())
        else:
            element = set_element(element, array.type, value.type)
        b.store(buffer, at, element)

    if cut.lengths:
        measured.over(state, cut.lengths, change)
    else:
        change(())
    return result


def _to_change(
    state: State, node: Node
) -> tuple[Memory | GrowingRows, Callable[[Sequence[Operand]], Operand], Buffer]:
    """The array that a node changes, or a copy of it, where an element of it is, and in what."""
    array = node.inputs[0]
    if is_growing(array):
        rows = growing.changeable(state, node, array)
        shape = (1, *array.type.known(range(1, array.type.ndim)))
        memory = measured.rows_at(state, array.type, rows.address)
        return rows, lambda index: measured.flat(state.b, index, shape), memory
    place = changeable(state, node, array)
    lengths = shape_of(array)
    return (
        place,
        lambda index: place.start + measured.flat(state.b, index, lengths),
        place.buffer,
    )
