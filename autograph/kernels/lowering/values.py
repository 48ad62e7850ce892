"""What a value of the graph is while a kernel is being built.

==============  ==================================================================================
`Operand`       a scalar that has been computed; the address of a pack, or of a stack's top
`Memory`        an array whose elements are in memory
`Deferred`      an array that is not computed yet, or only where something reads its elements
`Measured`      an array whose lengths are known only at run time
`GrowingRows`   such an array that may grow by rows, in memory
==============  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Buffer, Number, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.reasons import NoKernel
from ops.core.records import NamedTuple
from ops.core.types import ArrayType


class CannotLower(Exception):
    """There is no native form of something; ``why`` says of what."""

    def __init__(self, why: NoKernel):
        super().__init__(why)
        self.why = why


class Memory(NamedTuple):
    """A C-contiguous array in memory: a buffer's elements from number ``start`` on."""

    buffer: Buffer
    start: Operand


class Deferred(NamedTuple):
    """An array that a node computes, element by element."""

    node: Node


class Measured(NamedTuple):
    """An array whose lengths only the run knows; see `autograph.kernels.lowering.arrays.measured`.

    Attributes:
        most: what the lengths are at most; None of one that may be any.
        element: computes the element at an index.
        reads: the memory that elements are computed from.
        settled: whether all of it is in memory that nothing else is written to.
        is_dear: whether an element takes long to compute.
        is_plain: whether it is known that it is computed from none that do.
        is_loaded: whether an element is read from memory as it is: copies of such are left out of
            kernels where nobody can tell, if they are loops over all axes and nothing else.
        visit: does something with each index and element, if there is a better way than one loop
            for each axis.
    """

    lengths: tuple[Operand, ...]
    most: tuple[int | None, ...]
    element: Callable[[Sequence[Operand]], Operand]
    reads: frozenset[Buffer] = frozenset()
    settled: bool = False
    is_dear: bool = False
    is_plain: bool = False
    is_loaded: bool = False
    visit: Callable[[Callable[[Sequence[Operand], Operand], None]], None] | None = None

    def may_read(self, written: Iterable[Buffer]) -> bool:
        """Whether some memory is, or may be, what elements are computed from. Records are at
        addresses that the run knows."""
        return any(
            buffer is other or buffer.kind == other.kind == "record"
            for buffer in written
            for other in self.reads
        )


class GrowingRows(NamedTuple):
    """An array whose lengths only the run knows, in memory, and that may grow along its first axis;
    see `autograph.kernels.lowering.arrays.growing`.

    Attributes:
        address: of its rows.
        length: how many there are.
        room: how many there is room for. If it is as long as that, it may be somebody else's too;
            in a kernel that takes rows away, that is told by its being 0.
        front: how many have been taken away before these, whose room nobody else uses.
        others: those of the lengths of a row known only at run time, in order.
        table: where the table is in which rows are looked for, 0 if there is none; None if none is
            ever, see `autograph.kernels.lowering.arrays.lookups`.
        is_alone: whether it is known before the run that nobody else has its memory, which has
            room for one more row.
    """

    address: Operand
    length: Operand
    room: Operand
    front: Operand
    others: tuple[Operand, ...] = ()
    table: Operand | None = None
    is_alone: bool = False


Held = Operand | Memory | Deferred | Measured | GrowingRows


def number(constant: Constant) -> Number:
    """A constant that is a scalar; 0 for the empty stack, and for the zero of packs and stacks.

    Raises:
        CannotLower: no kernel can hold it.
    """
    if not isinstance(constant.type, ArrayType):
        if constant.data is not None:
            raise CannotLower(reasons.EARLIER.of())
        return Number(0, LONG)
    if not constant.is_scalar:
        raise CannotLower(reasons.CONSTANT.of())
    dtype = constant.type.dtype
    if dtype not in ir.DTYPES:
        raise CannotLower(reasons.DTYPE.of(dtype=dtype.name))
    if constant.type.weak and dtype.kind == "i" and not -(2**63) <= constant.data < 2**63:
        raise CannotLower(reasons.BIG_INT.of())
    return Number(np.asarray(constant.data), dtype)


def element_dtype(value: Value) -> np.dtype:
    """The dtype of an array's elements.

    Raises:
        CannotLower: no kernel can hold it, or only the run knows how many there are.
    """
    if not isinstance(value.type, ArrayType):
        raise CannotLower(reasons.KEPT.of(what="goes in or out here"))
    if not value.type.is_static:
        raise CannotLower(reasons.UNKNOWN.of())
    if value.type.dtype not in ir.DTYPES:
        raise CannotLower(reasons.DTYPE.of(dtype=value.type.dtype.name))
    return value.type.dtype


def scalar_dtype(value: Value) -> np.dtype:
    """The dtype of the scalar that a value is: of an address, for packs and stacks."""
    return element_dtype(value) if isinstance(value.type, ArrayType) else LONG


def shape_of(value: Value) -> tuple[Any, ...]:
    """The shape of an array; ``()`` of packs and stacks. There is None in it for lengths that only
    the run knows, which rules for arrays of known shapes do not meet."""
    return value.type.shape if isinstance(value.type, ArrayType) else ()


def is_growing(value: Value) -> bool:
    """Whether a value is an array of which only the run knows a length."""
    return isinstance(value.type, ArrayType) and not value.type.is_static


def is_array(value: Value) -> bool:
    """Whether a value has elements to be kept in memory, rather than being a scalar."""
    return isinstance(value.type, ArrayType) and value.type.shape != ()
