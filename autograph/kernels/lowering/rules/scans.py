"""Running totals along an axis: each is computed from the one before, as NumPy does it.

Along the last axis a row is one chain of operations that wait for each other, so a few rows are
computed at the same time. Along another axis all columns are, in blocks for which the totals so far
stay in the cache.

For a GPU see `autograph.kernels.lowering.rules.gpu_scans`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from autograph.graph.graph import Node
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.analysis.groups import root_of
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.arrays.nest import settle_scalars
from autograph.kernels.lowering.loops import is_few
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import shape_of
from ops.core.symbolic_lengths import example_of, is_length

_ROWS = 4  # chains at a time
_BLOCK = 1024  # columns of a block
_NS = 1.0  # of a step of a chain


def scan(state: State, node: Node) -> None:
    """An operator that declares a `ops.core.kernels.Scan`."""
    demand.flush(state)
    settle_scalars(state, [root_of(node.outputs[0], state.env.get, lambda v: False)])
    _Scan(state, node).emit()


class _Scan:
    """The loops of one scan: over what is outside of the axis, along it, and inside of it."""

    def __init__(self, state: State, node: Node):
        self.state = state
        self.b = state.b
        self.node = node
        (self.result,) = node.outputs
        shape = shape_of(self.result)
        assert node.op.scan is not None
        self.declared = node.op.scan
        self.following = self.declared.following
        axis = self.declared.axis(node.inputs[0].type, **node.attrs)
        self.before, self.length, self.behind = shape[:axis], shape[axis], shape[axis + 1 :]
        self.target = state.places.give(self.result)
        self.loops = state.loops

    def _is_emitted_for_gpu(self, rows: int, columns: int) -> bool:
        """Compute the totals as threads of a GPU do, if these can; whether they do."""
        from autograph.kernels.lowering.rules.gpu_scans import GpuScan  # not needed for a CPU

        scan = GpuScan(self.state, self.declared, self.result.type.dtype)
        if not scan.takes(self.length, columns):
            return False
        scan.emit(rows, self.length, columns, self._elements, self._store)
        return True

    def emit(self) -> None:
        """Compute the totals."""
        rows, columns = math.prod(self.before), math.prod(self.behind)
        if rows * self.length * columns:
            on_gpu = self.state.shared.for_gpu and not self.loops.serial
            if on_gpu and self._is_emitted_for_gpu(rows, columns):
                pass
            elif columns == 1:
                self._chains(rows)
            else:
                self._blocks(rows, columns)
        self.state.env[self.result] = self.target

    def _elements(self, row: Operand, j: Operand, column: Operand) -> list[Operand]:
        """Those of the operands at one place."""
        index = (*split_index(row, self.before), j, *split_index(column, self.behind))
        dtype = self.result.type.dtype
        return [self.b.cast(self.state.elements.at(v, index), dtype) for v in self.node.inputs]

    def _place(self, row: Operand, j: Operand, column: Operand) -> Operand:
        columns = math.prod(self.behind)
        return self.target.start + ((row * self.length + j) * columns + column)

    def _store(self, row: Operand, j: Operand, column: Operand, total: Operand) -> None:
        self.b.store(self.target.buffer, self._place(row, j, column), total)

    # -- along the last axis -----------------------------------------------------------------------

    def _chains(self, rows: int) -> None:
        many = rows - rows % _ROWS if is_length(rows) or rows > _ROWS else 0
        rest = rows - many
        work = _NS * example_of(self.length)

        def some(flat: Operand) -> tuple:
            self._along([flat * _ROWS + i for i in range(_ROWS)])
            return ()

        def one(flat: Operand) -> tuple:
            self._along([flat + many])
            return ()

        if is_length(many) or many:
            self.loops.loop(many // _ROWS, "parallel", some, _ROWS * work)
        if is_length(rest) or rest > 1:
            self.loops.loop(rest, "serial", one)
        elif rest:
            one(self.b.long(0))

    def _along(self, rows: Sequence[Operand]) -> None:
        """All totals of some rows."""
        zero = self.b.long(0)
        totals = [self._elements(row, zero, zero)[-1] for row in rows]
        for row, total in zip(rows, totals):
            self._store(row, zero, zero, total)

        def step(before: Operand, *totals: Operand) -> list[Operand]:
            j = before + 1
            given = [self._elements(row, j, zero) for row in rows]
            found = [self.following(t, *xs) for t, xs in zip(totals, given)]
            for row, total in zip(rows, found):
                self._store(row, j, zero, total)
            return found

        if self.length > 1:
            self.b.for_(self.length - 1, totals, step)

    # -- along another axis ------------------------------------------------------------------------

    def _blocks(self, rows: int, columns: int) -> None:
        blocks = -(-columns // _BLOCK)
        width = _BLOCK if is_length(columns) else -(-columns // blocks)
        last = columns - (blocks - 1) * width

        def block(flat: Operand) -> tuple:
            row, number = split_index(flat, (rows, blocks))
            count = self.b.long(width)
            if is_length(last) or last != width:
                count = self.b.compute("select", number == blocks - 1, self.b.long(last), count)
            self._down(row, number * width, count)
            return ()

        if is_few(rows * blocks, 1):
            block(self.b.long(0))
        else:
            work = _NS * example_of(self.length) * width / 8
            self.loops.loop(rows * blocks, "parallel", block, work)

    def _down(self, row: Operand, first: Operand, count: Operand) -> None:
        """All totals of some columns."""

        def each(body: Callable[[Operand], None]) -> None:
            def trip(i: Operand) -> tuple:
                body(first + i)
                return ()

            self.loops.loop(count, "vector", trip)

        zero = self.b.long(0)
        each(lambda column: self._store(row, zero, column, self._elements(row, zero, column)[-1]))

        def step(before: Operand) -> tuple:
            def total(column: Operand) -> None:
                so_far = self.b.load(self.target.buffer, self._place(row, before, column))
                elements = self._elements(row, before + 1, column)
                self._store(row, before + 1, column, self.following(so_far, *elements))

            each(total)
            return ()

        if self.length > 1:
            self.b.for_(self.length - 1, (), step)
