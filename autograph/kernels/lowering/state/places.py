"""Where in memory the arrays of a block are put."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.graph.graph import Value
from autograph.kernels.ir.builder import KernelBuilder, flat_index
from autograph.kernels.ir.ir import Buffer, Operand
from autograph.kernels.lowering.values import Memory, shape_of
from ops.core.symbolic_lengths import NeedsNumber, is_length


class Places:
    """The places of arrays that are not computed yet, or are computed now.

    * An array is given its place before it is computed, and then computed there. Only `want` gives
      it another one.
    * A place is for all of an array, or for one row of it, if nobody needs another row later.

    Attributes:
        serial: whether memory is that of one lane.
        replaced: of the next contents of arrays that a loop changes, which are computed in their
            place, the present ones.
    """

    def __init__(self, b: KernelBuilder, serial: bool):
        self.b = b
        self.serial = serial
        self.replaced: dict[Value, Value] = {}
        self._memory: dict[Value, Memory] = {}
        self._rows: dict[Value, int] = {}  # arrays of which one row is in memory: the axes outside

    def allocate(self, dtype: Any, size: int, name: str | None = None) -> Memory:
        """New memory, for an array of the block."""
        if self.serial and is_length(size):
            raise NeedsNumber(size)
        make = self.b.local if self.serial else self.b.temporary
        return Memory(make(dtype, size, name), self.b.long(0))

    def wanted(self, value: Value) -> Memory | None:
        """The place that an array has been given already."""
        return self._memory.get(value)

    def want(self, value: Value, memory: Memory) -> None:
        """Say where an array that will be computed shall be."""
        self._memory[value] = memory

    def give(self, value: Value) -> Memory:
        """The place of an array, new memory if it has none yet."""
        if value not in self._memory:
            self._memory[value] = self.allocate(value.type.dtype, value.type.size, value.name)
        return self._memory[value]

    def give_row(self, value: Value, length: int, rows: int) -> None:
        """Give an array a place for one of its rows. ``rows`` is how many axes are outside."""
        buffer = self.b.local(value.type.dtype, length, value.name)
        self._memory[value] = Memory(buffer, self.b.long(0))
        self._rows[value] = rows

    def is_whole(self, value: Value) -> bool:
        """Whether there is a place for all of an array."""
        return value in self._memory and value not in self._rows

    def load(self, value: Value, index: Sequence[Operand | int]) -> Operand:
        """An element that has been written to its place."""
        return self.b.load(*self._of_element(value, index))

    def store(self, value: Value, index: Sequence[Operand | int], element: Operand) -> None:
        """Write an element to its place."""
        self.b.store(*self._of_element(value, index), element)

    def _of_element(self, value: Value, index: Sequence[Operand | int]) -> tuple[Buffer, Operand]:
        memory, shape, outside = self._memory[value], shape_of(value), self._rows.get(value, 0)
        return memory.buffer, memory.start + flat_index(index[outside:], shape[outside:])
