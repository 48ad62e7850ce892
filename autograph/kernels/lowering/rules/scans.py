"""Running totals along an axis: each is computed from the one before, as NumPy does it.

Along the last axis a row is one chain of operations that wait for each other, so a few rows are
computed at the same time. Along another axis all columns are, in blocks for which the totals so far
stay in the cache.

A GPU has a thread for each column, and for each chunk of a long row or column, if elements may be
combined in groups: the totals of chunks, then those totals' running totals, the same way, then the
running totals of each chunk, which go on from those of the chunks before (Blelloch, "Prefix sums
and their applications", 1990). Neighbouring threads have neighbouring columns, so that they read
neighbouring memory. Which elements are combined in which order depends on the lengths alone; where
a kernel is for any lengths, on those of the call that it was made for.
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
# Of a GPU: chunks that keep all its threads busy, elements of a chunk, elements of a row or column
# that one thread adds, and rows and columns of which each has a thread.
_CHUNKS, _LEAST, _SHORT, _MANY_ROWS = 1 << 18, 64, 512, 1 << 14


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
        self.following = node.op.scan.following
        axis = node.op.scan.axis(node.inputs[0].type, **node.attrs)
        self.before, self.length, self.behind = shape[:axis], shape[axis], shape[axis + 1 :]
        self.target = state.places.give(self.result)
        self.loops = state.loops

    def emit(self) -> None:
        """Compute the totals."""
        rows, columns = math.prod(self.before), math.prod(self.behind)
        if rows * self.length * columns:
            free = self.state.shared.for_gpu and not self.loops.serial
            if free and (columns != 1 or self._has_chunks(rows, self.length)):
                self._in_chunks(rows, self.length, columns, self._of_operands, self._store)
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

    def _of_operands(self, row: Operand, j: Operand, column: Operand) -> Operand:
        return self._elements(row, j, column)[-1]

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

    # -- of a GPU ----------------------------------------------------------------------------------

    def _has_chunks(self, lanes: int, length: int) -> bool:
        """Whether rows or columns are cut into chunks: they are long, and not so many that each may
        have a thread of its own."""
        scan = self.node.op.scan
        assert scan is not None
        few = example_of(lanes) < _MANY_ROWS
        return scan.associative and few and example_of(length) > _SHORT

    def _in_chunks(
        self,
        rows: int,
        length: int,
        columns: int,
        element: Callable[[Operand, Operand, Operand], Operand],
        store: Callable[[Operand, Operand, Operand, Operand], None],
    ) -> None:
        """All running totals of the columns of some rows, one thread for each chunk of each.

        Args:
            element: gives one, of its row, its place there and its column.
            store: puts the total where it belongs.
        """
        cut, size = self._has_chunks(rows * columns, length), length
        if cut:
            size = max(_LEAST, -(-example_of(rows * length * columns) // _CHUNKS))
        chunks = -(-length // size) if cut else 1
        whole = not cut or (not is_length(length) and length % size == 0)
        shape = (rows, chunks, columns)
        dtype = self.result.type.dtype
        of_chunks, so_far = (
            self.b.temporary(dtype, rows * chunks * columns if cut else 1) for _ in range(2)
        )

        def each(body: Callable[[Operand, Operand, Operand, Operand], None]) -> None:
            def trip(flat: Operand) -> tuple:
                body(flat, *split_index(flat, shape))
                return ()

            work = _NS * example_of(size)
            self.loops.loop(rows * chunks * columns, "vector", trip, work)

        def go_on(
            row: Operand, first: Operand, column: Operand, total: Operand, stores: bool
        ) -> Operand:
            """The total of a chunk's elements, of which the first has been taken."""

            def step(before: Operand, total: Operand) -> tuple[Operand]:
                j = first + before + 1

                def add() -> tuple[Operand]:
                    given = self._given(row, j, column, element)
                    found = self.following(total, *given)
                    if stores:
                        store(row, j, column, found)
                    return (found,)

                (found,) = add() if whole else self.b.if_(j < length, add, lambda: (total,))
                return (found,)

            (result,) = self.b.for_(size - 1, (total,), step)
            return result

        def add_up(flat: Operand, row: Operand, chunk: Operand, column: Operand) -> None:
            first = chunk * size
            start = element(row, first, column)
            self.b.store(of_chunks, flat, go_on(row, first, column, start, stores=False))

        def run(flat: Operand, row: Operand, chunk: Operand, column: Operand) -> None:
            first = chunk * size
            own = element(row, first, column)

            def after() -> tuple[Operand]:
                return (self.following(self.b.load(so_far, flat - columns), own),)

            (total,) = self.b.if_(chunk > 0, after, lambda: (own,)) if cut else (own,)
            store(row, first, column, total)
            go_on(row, first, column, total, stores=True)

        if cut:
            flat_index = lambda row, j, column: (row * chunks + j) * columns + column
            each(add_up)
            self._in_chunks(
                rows,
                chunks,
                columns,
                lambda row, j, column: self.b.load(of_chunks, flat_index(row, j, column)),
                lambda row, j, column, total: self.b.store(
                    so_far, flat_index(row, j, column), total
                ),
            )
        each(run)

    def _given(
        self,
        row: Operand,
        j: Operand,
        column: Operand,
        element: Callable[[Operand, Operand, Operand], Operand],
    ) -> list[Operand]:
        """What the next total follows from: of the operands, all elements, which a scan of several
        needs, and is not cut."""
        if len(self.node.inputs) > 1:
            return self._elements(row, j, column)
        return [element(row, j, column)]

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
