"""What subscripts select of an array, if it is known only at run time how much that is.

Slices have a start, a step and a count, which the kernel computes as Python does; integer arrays
say element by element where in an axis a part lies. These are looked through once, when the part is
taken: whatever of it is read later, a place outside of the axis is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.graph.graph import Node
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Buffer, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays.totals import total_of_all
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Measured
from ops.core import kernels
from ops.core.index_maps import place, with_axes
from ops.core.subscripts import arranged, may_repeat
from ops.core.types import ArrayType

_LARGE_STEP = 1 << 32

Index = Sequence[Operand]


class Cut:
    """What subscripts select of an array.

    Attributes:
        lengths: of the part.
        most: what these are at most; None of one that may be any.
        reads: the memory of the integer arrays among the subscripts.
        repeats: whether an element may be selected more than once.
    """

    def __init__(
        self,
        state: State,
        node: Node,
        first: int,
        lengths: Sequence[Operand],
        most: Sequence[int | None],
        given: Callable[[int], Operand | Measured],
    ):
        """Compute bounds.

        Args:
            first: the node's operand that subscripts count from.
            lengths: of the array.
            most: what these are at most.
            given: an operand of the subscript, a number or an array.
        """
        self._state, self._node, self._given = state, node, given
        self._types: list[ArrayType] = [v.type for v in node.inputs[first:]]
        self.lengths: list[Operand] = []
        self.most: list[int | None] = []
        self.reads: frozenset[Buffer] = frozenset()
        spec = node.attrs["index"]
        self.repeats = may_repeat(self._types, spec)
        self._places: dict[int, Callable[[Index], Operand]] = {}
        axes, where = arranged(len(lengths), self._types, spec)
        for number, (position, axis) in enumerate(axes):
            if number == where:
                self._make_room(spec)
            entry = spec[position] if position < len(spec) else ("ellipsis",)
            if entry[0] == "none":
                self._add(state.b.long(1), 1)
            else:
                self._slice(entry, axis, lengths[axis], most[axis])
        if where == len(axes):
            self._make_room(spec)
        for axis, entry in with_axes(len(lengths), self._types, spec):
            if entry[0] == "int":
                i = state.b.long(entry[1])
                kernels.require((i >= -lengths[axis]) & (i < lengths[axis]))
                self._fix(axis, kernels.select(i < 0, i + lengths[axis], i))
            elif entry[0] == "arg":
                self._point(entry, axis, lengths[axis])

    def place(self, index: Index) -> tuple[Operand, ...]:
        """Where in the array an element of the part is."""
        return tuple(self._places[axis](index) for axis in range(len(self._places)))

    def _add(self, length: Operand, most: int | None) -> int:
        """One more axis of the part; which one it is."""
        self.lengths.append(length)
        self.most.append(most)
        return len(self.lengths) - 1

    def _fix(self, axis: int, i: Operand) -> None:
        self._places[axis] = lambda index: i

    # -- slices ------------------------------------------------------------------------------------

    def _slice(self, entry: tuple, axis: int, length: Operand, most: int | None) -> None:
        b = self._state.b
        if entry[0] == "window":
            _, j, size, whole = entry
            start, step, count = self._number(j), b.long(1), b.long(size)
            kernels.require((start >= 0) & (start <= b.long(whole - size)))
        elif entry[0] == "slice":
            start, step, count = self._bounds(entry, length)
            known = abs(step.value) if isinstance(step, ir.Number) else 1
            most = most if most is None else -(-most // known)
        else:
            start, step, count = b.long(0), b.long(1), length
        at = self._add(count, entry[2] if entry[0] == "window" else most)
        self._places[axis] = lambda index: index[at] * step + start

    def _bounds(self, entry: tuple, length: Operand) -> tuple[Operand, Operand, Operand]:
        """Where a slice starts, its step, and how many elements it has, as in ``slice.indices``."""
        b = self._state.b
        first, stop, given = entry[1:]
        step = b.long(1) if given is None else self._bound(given)
        size = kernels.select(step < 0, -step, step)
        kernels.require((size > 0) & (size < _LARGE_STEP))
        backwards = step < 0
        lowest = kernels.select(backwards, b.long(-1), b.long(0))
        highest = kernels.select(backwards, length - 1, length)

        def bound(given: Any, default: Operand) -> Operand:
            if given is None:
                return default
            i = self._bound(given)
            i = kernels.select(i < 0, i + length, i)
            i = kernels.select(i < lowest, lowest, i)
            return kernels.select(i > highest, highest, i)

        start = bound(first, kernels.select(backwards, highest, lowest))
        end = bound(stop, kernels.select(backwards, lowest, highest))
        count = kernels.select(backwards, start - end, end - start)
        count = kernels.select(count > 0, count, b.long(0))
        if not isinstance(size, ir.Number) or size.value > 1:
            count = b.compute("quotient", count + (size - 1), size)
        return start, step, count

    def _bound(self, given: Any) -> Operand:
        """A bound of a slice, or its step: an int, or the `Bound` at an operand."""
        return self._number(given[0]) if isinstance(given, tuple) else self._state.b.long(given)

    def _number(self, j: int) -> Operand:
        found = self._given(j)
        if not isinstance(found, Operand) or self._types[j].dtype.kind not in "iu":
            raise CannotLower(reasons.UNKNOWN.of(self._node.location))
        return self._state.b.cast(found, LONG)

    # -- integers, and arrays of these -------------------------------------------------------------

    def _make_room(self, spec: Sequence[tuple]) -> None:
        """The axes that integer arrays have together, in the part."""
        arrays = [entry[1] for entry in spec if entry[0] == "arg" and self._types[entry[1]].shape]
        rank = max(len(self._types[j].shape) for j in arrays)
        self._first, self._rank = len(self.lengths), rank
        for _ in range(rank):
            self._add(self._state.b.long(1), 1)
        for j in arrays:
            shape, found = self._types[j].shape, self._array(j)
            self.reads |= found.reads
            start = self._first + rank - len(shape)
            for at, (n, length, most) in enumerate(zip(shape, found.lengths, found.most), start):
                before = self.lengths[at]
                if n == 1:
                    continue
                if isinstance(before, ir.Number) and before.value == 1:
                    self.lengths[at], self.most[at] = length, most
                else:
                    kernels.require(before == length)

    def _array(self, j: int) -> Measured:
        found = self._given(j)
        assert isinstance(found, Measured)
        return found

    def _point(self, entry: tuple, axis: int, length: Operand) -> None:
        """An integer, or an array of integers."""
        b, j, distinct = self._state.b, entry[1], entry[2:] == ("distinct",)
        type = self._types[j]
        if type.dtype.kind not in "iu":
            raise CannotLower(reasons.UNKNOWN.of(self._node.location))
        if not type.shape:
            found = self._given(j)
            assert isinstance(found, Operand)
            self._fix(axis, place(found, type, length, distinct))
            return
        found = self._array(j)
        if not distinct:
            self._require_inside(j, found, length)
        start = self._first + self._rank - len(type.shape)

        def at(index: Index) -> Operand:
            own = zip(type.shape, index[start:])
            i = b.cast(found.element([b.long(0) if n == 1 else k for n, k in own]), LONG)
            if distinct or type.dtype.kind == "u":
                return i
            return kernels.select(i < 0, i + length, i)

        self._places[axis] = at

    def _require_inside(self, j: int, array: Measured, length: Operand) -> None:
        """Give up if an element of an array is no place in an axis."""
        b = self._state.b
        operands = self._node.inputs
        value = operands[len(operands) - len(self._types) + j]
        known = length.value if isinstance(length, ir.Number) else length
        key = ("inside", self._state.elements.call, value, known)
        if b.recall(key) is not None:
            return

        def outside(index: Index) -> Operand:
            i = b.cast(array.element(index), LONG)
            lowest = -length if array_is_signed else b.long(0)
            return b.cast((i < lowest) | (i >= length), LONG)

        array_is_signed = self._types[j].dtype.kind == "i"
        outsiders = total_of_all(self._state, array.lengths, "max", 0, outside)
        kernels.require(outsiders == 0)
        b.remember(key, outsiders)
