"""Groups with reductions along leading axes: rows are added to totals, which lie in memory. Totals
of few columns stay in registers, where the lanes are rows."""

from __future__ import annotations

import math
from collections.abc import Container

from autograph.graph.graph import Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import split_index
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
        else:
            partial = [
                Memory(self.b.temporary(t.buffer.dtype, _CHUNKS * length), self.b.long(0))
                for t in targets
            ]

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

        def add(column: Operand) -> None:
            index = [(*row, *split_index(column, self.kept)) for row in indices]
            for root in self.maps:
                for at in index:
                    self.compute(root, at)
            for root, memory in zip(self.reduced, totals):
                place = memory.start + base + column
                total = self.b.load(memory.buffer, place)
                for at in index:
                    combine, value, _ = self.contribution(root, at)
                    total = combined(combine, total, value)
                self.b.store(memory.buffer, place, total)

        self.loops.each(self.length, add, self.work(self.group.roots) * rows)

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
