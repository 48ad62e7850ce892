"""Index maps: which element of an operand an element of the result is.

Indices are tuples of int64 scalars of the language of `ops.core.kernels`, or of Python's ints where
they are known. Lengths are known. None of them divides where the shapes show that it need not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.operands import broadcast_shapes
from ops.core.subscripts import Bound, Spec, arranged, axes_of, slice_range
from ops.core.types import ArrayType

Index = tuple[Any, ...]
Shape = tuple[int, ...]


def quotient(i: Any, n: int) -> Any:
    """``i // n`` of a number that is not negative."""
    return i // n if isinstance(i, int) else i if n == 1 else kernels.quotient(i, n)


def rest(i: Any, n: int) -> Any:
    """``i % n`` of a number that is not negative."""
    return i % n if isinstance(i, int) else 0 if n == 1 else kernels.rest(i, n)


def scaled(i: Any, factor: int, offset: Any = 0) -> Any:
    """``i * factor + offset``."""
    i = i if factor == 1 else i * factor
    return i if isinstance(offset, int) and offset == 0 else i + offset


# -- reshaping -------------------------------------------------------------------------------------


def reshaped(index: Index, shape: Shape, own: Shape) -> Index:
    """The index into an array of the shape ``own`` of what is at an index of the same elements in
    another shape.

    Axes are taken together as few as possible: from the left, as many of both shapes until they
    hold as many elements.
    """
    if 0 in shape:
        return (0,) * len(own)
    found: dict[int, Any] = {}
    new = [axis for axis, n in enumerate(shape) if n != 1]
    old = [axis for axis, n in enumerate(own) if n != 1]
    while new:
        some, others = [new.pop(0)], [old.pop(0)]
        while (a := math.prod(shape[i] for i in some)) != (b := math.prod(own[i] for i in others)):
            (some if a < b else others).append((new if a < b else old).pop(0))
        number = kernels.flat_index([index[i] for i in some], [shape[i] for i in some])
        for axis in reversed(others):
            first = axis == others[0]
            found[axis] = number if first else rest(number, own[axis])
            number = number if first else quotient(number, own[axis])
    return tuple(found.get(axis, 0) for axis in range(len(own)))


def wrapped(i: Any, n: int) -> Any:
    """``i % n``, of a number that may be negative."""
    i = kernels.rest(i, n)
    return kernels.select(i < 0, i + n, i)


# -- parts of the result ---------------------------------------------------------------------------


def one_of(i: Any, starts: Sequence[int], element: Callable[[int], Any]) -> Any:
    """What ``element`` gives for the last of the parts that start at or before ``i``, by halving.

    Args:
        starts: where each part starts, the first at 0.
    """

    def among(first: int, last: int) -> Any:
        if first == last:
            return element(first)
        middle = (first + last + 1) // 2
        return kernels.choose(
            i < starts[middle], lambda: among(first, middle - 1), lambda: among(middle, last)
        )

    return among(0, len(starts) - 1)


def within(i: Any, start: int, stop: int, size: int) -> Any:
    """Whether ``start <= i < stop``, for ``i`` from 0 to below ``size``."""
    found: Any = True if start <= 0 else i >= start
    return found if stop >= size else found & (i < stop)


# -- subscripts ------------------------------------------------------------------------------------

OperandReader = Callable[[int, Index], Any]


def place(value: Any, type: ArrayType, size: Any, distinct: bool = False) -> Any:
    """Where in an axis an element of an index array is; the kernel gives up if it is outside.

    Args:
        value: the element.
        type: that of the index array.
        size: the length of the axis, which in a kernel may be known to the run only.
        distinct: it is known to be in range.
    """
    i = kernels.cast(value, np.int64)
    if distinct:
        return i
    if type.dtype.kind == "u":
        kernels.require((i >= 0) & (i < size))
        return i
    kernels.require((i >= -size) & (i < size))
    return kernels.select(i < 0, i + size, i)


def from_start(k: int, size: int) -> int:
    """The place that an integer in a subscript is, which is in range."""
    return k if k >= 0 else k + size


def _start(read: OperandReader, entry: tuple) -> Any:
    """Where a window starts; the kernel gives up if it does not fit."""
    _, j, length, size = entry
    i = kernels.cast(read(j, ()), np.int64)
    kernels.require((i >= 0) & (i <= size - length))
    return i


def with_axes(ndim: int, operands: Sequence[ArrayType], spec: Spec) -> list[tuple[int, tuple]]:
    """The entries of a spec, each with the first axis of the array that it stands for."""
    lengths = [axes_of(entry, operands) for entry in spec]
    found, axis = [], 0
    for entry, n in zip(spec, lengths):
        found.append((axis, entry))
        axis += ndim - sum(lengths) if entry[0] == "ellipsis" else n
    return found


def is_plain(spec: Spec) -> bool:
    """Whether a subscript selects as many elements whatever its operands are."""
    kinds = [entry[0] for entry in spec]
    bounds = [b for e in spec if e[0] == "slice" for b in e[1:]]
    return "mask" not in kinds and not any(isinstance(b, Bound) for b in bounds)


def subscripted(
    read: OperandReader, index: Index, shape: Shape, operands: Sequence[ArrayType], spec: Spec
) -> Index:
    """The index into an array of what is at an index of a part of it.

    Args:
        read: gives the elements of the spec's operands.
        index: into the part.
        shape: that of the array.
        operands: the types of the operands.
        spec: the subscript, one that `is_plain`.
    """
    axes, where = arranged(len(shape), operands, spec)
    block: Index = ()
    if where is not None:
        ranks = [operands[e[1]].ndim if e[0] == "arg" else int(e[0] == "bool") for e in spec]
        block = index[where : where + max(ranks)]
        index = index[:where] + index[where + max(ranks) :]
    found: dict[int, Any] = {}
    for (position, axis), i in zip(axes, index):
        entry = spec[position] if position < len(spec) else ("ellipsis",)
        if entry[0] == "slice":
            start, _, step = slice_range(entry[1:], shape[axis])
            found[axis] = scaled(i, step, start)
        elif entry[0] == "window":
            found[axis] = _start(read, entry) + i
        elif entry[0] == "ellipsis":
            found[axis] = i
    for axis, entry in with_axes(len(shape), operands, spec):
        if entry[0] == "int":
            found[axis] = from_start(entry[1], shape[axis])
        elif entry[0] == "arg":
            type = operands[entry[1]]
            value = read(entry[1], kernels.aligned(block, type.shape))
            found[axis] = place(value, type, shape[axis], entry[2:] == ("distinct",))
    return tuple(found[axis] for axis in range(len(shape)))


def is_invertible(
    shape: Shape, value: ArrayType, operands: Sequence[ArrayType], spec: Spec
) -> bool:
    """Whether `part_position` knows where in a part an element is, and which element of a value
    that is written there belongs to it."""
    kinds = [entry[0] for entry in spec]
    bounds = [b for e in spec if e[0] == "slice" for b in e[1:]]
    if "bool" in kinds or kinds.count("mask") > 1 or any(isinstance(b, Bound) for b in bounds):
        return False
    arrays = [operands[e[1]].shape for e in spec if e[0] == "arg" and operands[e[1]].shape]
    if arrays:
        long = [-k - 1 for k, n in enumerate(reversed(broadcast_shapes(*arrays))) if n != 1]
        return "mask" not in kinds and set(long) <= {*_ranges(shape, operands, spec).values()}
    if "mask" not in kinds:
        return True
    axes, where = arranged(len(shape), operands, spec)
    assert where is not None  # the place of what the mask selects
    behind = len(axes) - where  # the axes of the part behind that of what the mask selects
    return value.ndim <= behind or value.shape[-behind - 1] == 1


def _ranges(shape: Shape, operands: Sequence[ArrayType], spec: Spec) -> dict[int, int]:
    """The axes of an array along which index arrays are expected to be 0, 1, 2 ... up to the axis'
    length; and along which axis they are, counted from the last one of the arrays together."""
    found = {}
    for axis, entry in with_axes(len(shape), operands, spec):
        if entry[2:] in (("range",), ("distinct",)) and entry[0] == "arg":
            own = operands[entry[1]].shape
            if math.prod(own) == max(own, default=0) == shape[axis] > 1:
                found[axis] = own.index(shape[axis]) - len(own)
    return found


def part_position(
    read: OperandReader, index: Index, shape: Shape, operands: Sequence[ArrayType], spec: Spec
) -> tuple[Any, Index]:
    """Whether an element of an array belongs to a part of it, and at which index of the part.

    The other way round than `subscripted`. Along the axis of what a mask selects the index is 0.

    Args:
        read: gives the elements of the spec's operands.
        index: into the array.
        shape: that of the array.
        operands: the types of the operands.
        spec: the subscript, one that `is_invertible`.
    """
    inside: Any = True
    rank = max((operands[e[1]].ndim for e in spec if e[0] == "arg"), default=0)
    ranges = _ranges(shape, operands, spec)
    block: list[Any] = [0] * rank
    for axis, along in ranges.items():
        block[along] = index[axis]
    for axis, entry in with_axes(len(shape), operands, spec):
        if entry[0] == "int":
            inside = inside & (index[axis] == from_start(entry[1], shape[axis]))
        elif entry[0] == "arg":
            type = operands[entry[1]]
            at = place(read(entry[1], kernels.aligned(block, type.shape)), type, shape[axis])
            if axis in ranges and block[ranges[axis]] is index[axis]:
                kernels.require(at == index[axis])
            else:
                inside = inside & (at == index[axis])
        elif entry[0] == "mask":
            own = index[axis : axis + operands[entry[1]].ndim]
            inside = inside & read(entry[1], own)
    found: list[Any] = []
    axes, where = arranged(len(shape), operands, spec)
    rest: tuple = ("ellipsis",)
    for position, axis in axes:
        entry = spec[position] if position < len(spec) else rest
        i = index[axis] if axis < len(shape) else 0
        if entry[0] == "slice":
            start, stop, step = slice_range(entry[1:], shape[axis])
            inside = inside & _is_in(i, start, stop, step, shape[axis])
            forward = scaled(i, 1, -start) if step > 0 else start - i
            i = quotient(forward, abs(step))
        elif entry[0] == "window":
            start = _start(read, entry)
            inside = inside & (start <= i) & (start > scaled(i, 1, -entry[2]))
            i = i - start
        found.append(0 if entry[0] == "none" else i)
    if where is not None:
        found[where:where] = block or [0]
    return inside, tuple(found)


def _is_in(i: Any, start: int, stop: int, step: int, size: int) -> Any:
    """Whether a number from 0 to below ``size`` is one of a range."""
    if start >= stop if step > 0 else start <= stop:
        return False
    if step > 0:
        first, last = start, stop - 1 - (stop - 1 - start) % step
    else:
        first, last = stop + 1 + (start - stop - 1) % -step, start
    inside = within(i, first, last + 1, size)
    return inside & (rest(i - first, abs(step)) == 0) if abs(step) > 1 else inside
