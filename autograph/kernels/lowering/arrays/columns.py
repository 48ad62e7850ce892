"""Groups with reductions along leading axes: rows are added to totals, which lie in memory. Totals
of few columns stay in registers, where the lanes are rows; on a GPU, those of any number do."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

from autograph.graph.graph import Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import flat_index, split_index
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.analysis.groups import FusionGroup
from autograph.kernels.lowering.arrays.nest import NS, Nest
from autograph.kernels.lowering.loops import combined, is_few
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Memory
from ops.core.symbolic_lengths import example_of, is_below, is_length

_CHUNKS = 16  # into which the rows of a long reduction along columns are split, for threads
_ROWS = 4  # that are added at a time to totals in memory, where all lies in the cache
_CHEAP = 12  # the cost of an element of which that many are computed at a time
_LONG = 1 << 16  # elements that make it long
_TOTALS = 8  # that fit in registers, each with its lanes
_LEAST_ROWS = 64  # for which that is worth it
# As many as a large GPU holds at once, 2,048 on each of 132 multiprocessors; each adds so many rows
# at least that its totals, which are written and read again, are 1/16 of what it reads.
_GPU_THREADS, _GPU_ROWS = 1 << 18, 32


class ColumnNest(Nest):
    """Reductions along leading axes, and arrays of the shape that they reduce.

    Attributes:
        leading, kept: the lengths of the axes that are reduced, and of the others.
        count, length: how many rows there are, and how long they are.
        maps, reduced: the arrays, and the reductions.
    """

    def __init__(self, state: State, group: FusionGroup, waiting: Container[Value]):
        super().__init__(state, group, waiting)
        self.leading, self.kept = group.domain[: group.rows], group.domain[group.rows :]
        self.count, self.length = math.prod(self.leading), math.prod(self.kept)
        self.maps = [r for r in group.roots if r.axes is None]
        self.reduced = [r for r in group.roots if r.axes is not None]

    def emit(self) -> None:
        """Add the rows, those of long arrays in chunks, whose totals are added in the end."""
        count, length = self.count, self.length
        for root in self.group.roots:
            self.places.give(root.value)
        targets = [self.places.give(r.value) for r in self.reduced]
        few = not is_length(length) and 0 < length * len(self.reduced) <= _TOTALS
        if few and not self.loops.serial and not is_below(count, _LEAST_ROWS):
            self._in_lanes(targets)
        elif is_below(count * length, _LONG) or is_below(count, 4 * _CHUNKS):
            self._add_chunk(self.b.long(0), 1, targets)
        elif self.state.shared.for_gpu and not self.loops.serial:
            self._in_threads(targets)
        else:
            partial = self._partial(targets, _CHUNKS)

            def add(chunk: Operand) -> tuple:
                self._add_chunk(chunk, _CHUNKS, partial)
                return ()

            work = self.work(self.group.roots) * example_of(count * length) / _CHUNKS
            self.loops.loop(_CHUNKS, "parallel", add, work)
            self._join(partial, targets)
        self.bind(self.group.roots)

    def _in_lanes(self, targets: list[Memory]) -> None:
        """All rows in one loop, with a total in registers for each column."""
        columns = [split_index(self.b.long(i), self.kept) for i in range(self.length)]

        def add(flat: Operand) -> list[tuple[str, Operand, object]]:
            row = split_index(flat, self.leading)
            for root in self.maps:
                for column in columns:
                    self.compute(root, (*row, *column))
            return [self.contribution(r, (*row, *c)) for r in self.reduced for c in columns]

        work = self.work(self.group.roots) * self.length
        totals = iter(self.loops.loop(self.count, "vector", add, work))
        for memory in targets:
            for column in range(self.length):
                self.b.store(memory.buffer, memory.start + column, next(totals))

    def _partial(self, targets: list[Memory], chunks: int) -> list[Memory]:
        """Memory for the totals of chunks."""
        return [
            Memory(self.b.temporary(t.buffer.dtype, chunks * self.length), self.b.long(0))
            for t in targets
        ]

    def _in_threads(self, targets: list[Memory]) -> None:
        """Each thread has a column of a chunk, whose rows are as many apart as there are chunks, so
        that at any time all threads read neighbouring rows, and their totals in registers. The
        totals of a column's chunks are added by a team. Which numbers are added in which order
        depends on the lengths alone."""
        count, length = self.count, self.length
        wanted = _GPU_THREADS // example_of(length)
        chunks = max(min(wanted, example_of(count) // _GPU_ROWS), 1)
        partial = targets if chunks == 1 else self._partial(targets, chunks)
        together = _ROWS if self.work(self.group.roots) <= _CHEAP * NS else 1

        def thread(flat: Operand) -> tuple:
            chunk, column = split_index(flat, (chunks, length))
            for memory, total in zip(partial, self._column(chunk, chunks, column, together)):
                self.b.store(memory.buffer, memory.start + flat, total)
            return ()

        rows = max(example_of(count) // chunks, 1)
        self.loops.loop(chunks * length, "vector", thread, self.work(self.group.roots) * rows)
        if chunks > 1:
            self._join_in_teams(partial, targets, chunks)

    def _column(
        self, chunk: Operand, chunks: int, column: Operand, together: int
    ) -> Sequence[Operand]:
        """The totals of a chunk's elements in a column.

        Args:
            together: rows of a trip.
        """
        trips = self.count // chunks
        groups = trips // together
        done, last = groups * together, self.count - trips * chunks
        kept = split_index(column, self.kept)

        def add(totals: Sequence[Operand], numbers: Sequence[Operand | int]) -> list[Operand]:
            rows = [split_index(number * chunks + chunk, self.leading) for number in numbers]
            for root in self.maps:
                for row in rows:
                    self.compute(root, (*row, *kept))
            found = list(totals)
            for k, root in enumerate(self.reduced):
                for row in rows:
                    combine, value, _ = self.contribution(root, (*row, *kept))
                    found[k] = combined(combine, found[k], value)
            return found

        totals: Sequence[Operand] = self._starts()
        if is_length(groups) or groups:
            totals = self.b.for_(
                groups, totals, lambda k, *t: add(t, [k * together + i for i in range(together)])
            )
        if is_length(trips) and together > 1:
            totals = self.b.for_(trips - done, totals, lambda k, *t: add(t, [k + done]))
        elif not is_length(trips) and trips > done:
            totals = add(totals, range(done, trips))
        if is_length(last) or last:
            before = totals
            more = chunk < self.b.long(last)
            totals = self.b.if_(more, lambda: add(before, [self.b.long(trips)]), lambda: before)
        return totals

    def _join_in_teams(self, partial: list[Memory], targets: list[Memory], chunks: int) -> None:
        """Add the totals of the chunks, those of a column by a team of threads."""

        def join(column: Operand) -> tuple:
            def total(chunk: Operand) -> list[tuple[str, Operand, object]]:
                place = chunk * self.length + column
                return [
                    (root.fold.combine, self.b.load(memory.buffer, memory.start + place), start)
                    for root, memory, start in zip(
                        self.reduced, partial, (x.value for x in self._starts())
                    )
                ]

            for target, found in zip(targets, self.loops.loop(chunks, "vector", total)):
                self.b.store(target.buffer, target.start + column, found)
            return ()

        self.loops.loop(self.length, "parallel", join, float(chunks))

    def _starts(self) -> list[ir.Number]:
        """What the totals are before something is added."""
        dtypes = [r.value.type.dtype for r in self.reduced]
        return [ir.Number(r.fold.start(dtype), dtype) for r, dtype in zip(self.reduced, dtypes)]

    def _add_chunk(self, chunk: Operand, chunks: int, totals: list[Memory]) -> None:
        """Add the rows of a chunk to its totals."""
        count, base = self.count, chunk * self.length

        def clear(column: Operand) -> None:
            for memory, start in zip(totals, self._starts()):
                self.b.store(memory.buffer, memory.start + base + column, start)

        def add(row: Operand, rows: int = 1) -> tuple:
            self._add_rows(row, rows, base, totals)
            return ()

        self.loops.each(self.length, clear)
        first = self.b.compute("quotient", chunk * count, chunks)
        last = self.b.compute("quotient", (chunk + 1) * count, chunks)
        cheap = self.work(self.group.roots) <= _CHEAP * NS and not self.loops.serial
        if not cheap or is_few(count, _ROWS * chunks - 1):
            self.b.for_(last - first, (), lambda i: add(first + i))
            return
        groups = self.b.compute("quotient", last - first, _ROWS)
        self.b.for_(groups, (), lambda i: add(first + i * _ROWS, _ROWS))
        done = first + groups * _ROWS
        self.b.for_(last - done, (), lambda i: add(done + i))

    def _add_rows(self, first: Operand, rows: int, base: Operand, totals: list[Memory]) -> None:
        """Add a few rows to totals, which start at ``base``."""
        indices = [split_index(first + i, self.leading) for i in range(rows)]

        def add(column: tuple[Operand, ...]) -> None:
            index = [(*row, *column) for row in indices]
            for root in self.maps:
                for at in index:
                    self.compute(root, at)
            for root, memory in zip(self.reduced, totals):
                place = memory.start + base + flat_index(column, self.kept)
                total = self.b.load(memory.buffer, place)
                for at in index:
                    combine, value, _ = self.contribution(root, at)
                    total = combined(combine, total, value)
                self.b.store(memory.buffer, place, total)

        one = self.work(self.group.roots)
        self.loops.in_lanes(self.kept, add, one * rows, one)

    def _join(self, partial: list[Memory], targets: list[Memory]) -> None:
        """Add the totals of the chunks."""

        def join(column: Operand) -> None:
            for root, memory, target, start in zip(self.reduced, partial, targets, self._starts()):
                total: Operand = start
                for chunk in range(_CHUNKS):
                    value = self.b.load(memory.buffer, column + chunk * self.length)
                    total = combined(root.fold.combine, total, value)
                self.b.store(target.buffer, target.start + column, total)

        self.loops.each(self.length, join)
