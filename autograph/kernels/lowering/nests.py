"""The loops that compute a group of arrays.

Loops over several axes are one loop where the elements lie in a row. Whether they do shows when the
body is built with one index for all axes: if no quotients of that index are left (`flat_index`
undoes `split_index`), nothing needs to know the axes. Otherwise the outer axes get a loop of their
own.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from autograph.kernels import ir
from autograph.kernels.builder import split_index
from autograph.kernels.dead import needed
from autograph.kernels.ir import Operand
from autograph.kernels.lowering.groups import Group, Root
from autograph.kernels.lowering.values import Memory, shape_of
from ops import kernels

if TYPE_CHECKING:
    from autograph.kernels.lowering.block import Lowering

_FEW_LAST = 8  # elements along the last axes, that are computed one after the other in a lane
_FEW = 16  # elements in a row for which lanes are rows rather than elements
_TINY = 32  # elements of which the compiler makes scalars, which stay in registers
_NS = 0.06  # of one unit of cost, for an element of a vector
_CHUNKS = 16  # into which the rows of a long reduction along columns are split, for threads
_ROWS = 4  # that are added at a time to totals in memory, where all lies in the cache
_CHEAP = 12  # the cost of an element of which that many are computed at a time
_LONG = 1 << 16  # elements that make it long

Body = Callable[[Operand], Sequence[tuple[str, Operand, object]]]


def combined(combine: str, x: Operand, y: Operand) -> Operand:
    """Two values of a reduction as one."""
    if combine in ("min", "max"):
        first = x < y if combine == "min" else x > y
        if x.dtype.kind == "f":
            first = first | (x != x)
        return kernels.select(first, x, y)
    return x.__kernel__(combine, (x, y))


class Nests:
    """Computes groups by adding loops to the kernel of a `Lowering`."""

    def __init__(self, lowering: Lowering):
        self.lowering = lowering
        self.b = lowering.b
        self.serial = lowering.serial

    def emit(self, group: Group) -> None:
        """Compute a group; afterwards its roots are known to the lowering as what they are."""
        self.lowering.settle_scalars(group.roots)
        self.serial = self.lowering.serial or math.prod(group.domain) <= _TINY
        match group.kind:
            case "map":
                self._map(group)
            case "row":
                self._rows(group)
            case "column":
                self._columns(group)
            case _:
                self._other(group)

    # -- loops -------------------------------------------------------------------------------------

    def _loop(self, count: int, mode: str, body: Body, work: float = 1.0) -> list[Operand]:
        """A loop whose trips are independent but for reductions.

        Args:
            body: adds the statements of a trip; returns (combine, value, start) for each reduction.

        Returns:
            The results of the reductions.
        """
        if mode == "serial" and not self.serial and 0 < count <= _FEW_LAST:
            return self._written_out(count, body)
        if self.serial or mode == "serial":
            return self._serial(count, body)
        reductions: list[ir.Reduction] = []
        with self.b.each(count, mode, reductions, work) as index:
            for combine, value, start in body(index):
                reductions.append(self.b.reduction(combine, value, start))
        return [reduction.out for reduction in reductions]

    def _written_out(self, count: int, body: Body) -> list[Operand]:
        """The trips one after the other, without a loop."""
        results: list[Operand] = []
        for i in range(count):
            values = body(self.b.long(i))
            found = results or [ir.Number(start, value.dtype) for _, value, start in values]
            results = [combined(c, x, value) for (c, value, _), x in zip(values, found)]
        return results

    def _serial(self, count: int, body: Body) -> list[Operand]:
        made: list[tuple[str, Operand, object]] = []
        with self.b.block():  # to learn what there is to reduce; what it adds is forgotten
            made = list(body(ir.Var(ir.LONG)))
        combines = [combine for combine, _, _ in made]
        init = [ir.Number(start, value.dtype) for _, value, start in made]

        def trip(index: Operand, *state: Operand) -> list[Operand]:
            values = [value for _, value, _ in body(index)]
            return [combined(c, x, y) for c, x, y in zip(combines, state, values)]

        return list(self.b.for_(count, init, trip))

    def over(self, shape: Sequence[int], visit: Callable[[tuple[Operand, ...]], None]) -> None:
        """Do something for each index of an array, in any order, or at the same time."""
        size = math.prod(shape)
        if self.serial or size <= _TINY:
            if size:
                self._nested(shape, visit)
            return
        outer = next(n for n in range(len(shape)) if self._is_flat(shape, n, visit))
        inner = math.prod(shape[outer:])
        if inner < 8 and size > 64:
            outer, inner = 0, size

        def row(flat: Operand) -> tuple:
            lead = split_index(flat, shape[:outer])

            def body(flat: Operand) -> tuple:
                visit((*lead, *split_index(flat, shape[outer:])))
                return ()

            self._loop(inner, "vector", body)
            return ()

        if outer:
            self._loop(size // inner, "parallel", row, inner)
        else:
            row(self.b.long(0))

    def _is_flat(
        self, shape: Sequence[int], outer: int, visit: Callable[[tuple[Operand, ...]], None]
    ) -> bool:
        """Whether nothing has to know the indices along the axes from ``outer`` on."""
        if sum(n != 1 for n in shape[outer:]) < 2:
            return True
        flat = ir.Var(ir.LONG)
        row = tuple(ir.Var(ir.LONG) for _ in shape[:outer])
        with self.b.block() as block:
            visit((*row, *split_index(flat, shape[outer:])))
        return not _depends_on_parts(block, flat)

    def _work(self, roots: Sequence[Root]) -> float:
        costs = self.lowering.plan.costs
        total = sum(
            4 + costs.get(r.value if r.axes is None else r.node.inputs[0], 0) for r in roots
        )
        return total * _NS

    # -- maps --------------------------------------------------------------------------------------

    def _map(self, group: Group) -> None:
        shape, roots = group.domain, group.roots
        size = math.prod(shape)
        for root in roots:
            self.lowering.give_memory(root.value)
        if size == 0:
            self._done(roots)
            return
        work = self._work(roots)
        outer = 0 if self.serial else self._outer_axes(roots, shape)
        few: Sequence[int] = ()  # the last axes, whose elements are computed one after the other
        if outer and math.prod(shape[outer:]) <= _FEW_LAST < size // _FEW_LAST:
            shape, few = shape[:outer], shape[outer:]
            size = math.prod(shape)
            outer = self._outer_axes(roots, shape, few)
            work *= math.prod(few)
        inner = math.prod(shape[outer:])
        if outer and (inner < 8 and size > 64):
            outer, inner = 0, size

        def store(index: tuple[Operand, ...]) -> None:
            for last in itertools.product(*map(range, few)):
                place = (*index, *map(self.b.long, last))
                for root in roots:
                    element = self.lowering.element(root.value, place)
                    self.lowering.store(root.value, place, element)

        def vector(row: tuple[Operand, ...]) -> Body:
            def body(flat: Operand) -> tuple:
                store((*row, *split_index(flat, shape[outer:])))
                return ()

            return body

        if size == 1:
            store(tuple(self.b.long(0) for _ in shape))
        elif self.serial:
            self._nested(shape, store)
        elif not outer:
            self._loop(size, "vector", vector(()), work)
        else:

            def rows(flat: Operand) -> tuple:
                row = split_index(flat, shape[:outer])
                self._loop(inner, "vector", vector(row), work)
                return ()

            self._loop(size // inner, "parallel", rows, work * inner)
        self._done(roots)

    def _nested(
        self, shape: Sequence[int], body: Callable[[tuple], None], index: tuple = ()
    ) -> None:
        """A loop for each axis, in order."""
        if len(index) == len(shape):
            body(index)
        elif shape[len(index)] == 1:
            self._nested(shape, body, (*index, self.b.long(0)))
        else:

            def trip(i: Operand) -> tuple:
                self._nested(shape, body, (*index, i))
                return ()

            self.b.for_(shape[len(index)], (), trip)

    def _outer_axes(
        self, roots: Sequence[Root], shape: Sequence[int], few: Sequence[int] = ()
    ) -> int:
        """How many axes need loops of their own: as few as possible. ``few`` are axes behind them,
        of which each element is computed by itself."""
        last = max((i for i, n in enumerate(shape) if n != 1), default=0)
        for outer in range(last + 1):
            if outer and shape[outer - 1] == 1:
                continue
            if not self._needs_axes(roots, shape, outer, len(few)):
                return outer
        return last

    def _needs_axes(
        self, roots: Sequence[Root], shape: Sequence[int], outer: int, few: int
    ) -> bool:
        """Whether a loop over all axes from ``outer`` on has to know their indices; see
        `_outer_axes`."""
        inside = [n for n in shape[outer:] if n != 1]
        if len(inside) < 2:
            return False
        flat = ir.Var(ir.LONG)
        row = tuple(ir.Var(ir.LONG) for _ in shape[:outer])
        with self.b.block() as block:
            index = (*row, *split_index(flat, shape[outer:]), *[self.b.long(0)] * few)
            for root in roots:
                value = self.lowering.element(root.value, index)
                self.lowering.store(root.value, index, value)
        return _depends_on_parts(block, flat)

    def _done(self, roots: Sequence[Root]) -> None:
        for root in roots:
            self.lowering.computed(root.value)

    # -- rows --------------------------------------------------------------------------------------

    def _rows(self, group: Group) -> None:
        rows, columns = group.domain[: group.rows], group.domain[group.rows :]
        count, length = math.prod(rows), math.prod(columns)
        for root in group.roots:
            if self.lowering.is_needed_outside(root.value, group) and root.value.type.shape:
                self.lowering.give_memory(root.value)
        if count:
            work = self._work(group.roots) * max(length, 1)
            few = length < _FEW and count >= _FEW
            if not rows or count == 1:
                self._row(group, tuple(self.b.long(0) for _ in rows), columns, "vector")
            else:
                outer = self._outer_rows(group, rows, columns) if few else len(rows)
                lead, lanes = rows[:outer], rows[outer:]

                def in_lanes(flat: Operand, row: tuple[Operand, ...] = ()) -> tuple:
                    self._row(group, (*row, *split_index(flat, lanes)), columns, "serial")
                    return ()

                def body(flat: Operand) -> tuple:
                    row = split_index(flat, lead)
                    if few:
                        trip = functools.partial(in_lanes, row=row)
                        self._loop(math.prod(lanes), "vector", trip, work)
                    else:
                        self._row(group, row, columns, "vector")
                    return ()

                if outer:
                    self._loop(math.prod(lead), "parallel", body, work * math.prod(lanes))
                else:
                    self._loop(count, "vector", in_lanes, work)
        self._finish_rows(group)

    def _outer_rows(self, group: Group, rows: Sequence[int], columns: Sequence[int]) -> int:
        """How many axes of the rows need loops of their own, where lanes are rows: as few as
        possible, and none if the others have few elements."""
        first = group.levels()[0]
        column = tuple(self.b.long(0) for _ in columns)
        for outer in range(len(rows)):
            if math.prod(rows[outer:]) < _FEW_LAST:
                break
            flat = ir.Var(ir.LONG)
            lead = tuple(ir.Var(ir.LONG) for _ in rows[:outer])
            with self.b.block() as block:
                index = (*lead, *split_index(flat, rows[outer:]), *column)
                used = [self._reduced(root, index)[1] for root in first if root.axes is not None]
            if not _depends_on_parts(block, flat, used):
                return outer
        return 0

    def _row(
        self, group: Group, row: tuple[Operand, ...], columns: Sequence[int], mode: str
    ) -> None:
        """The passes over one row."""
        lowering = self.lowering
        length = math.prod(columns)
        lowering.in_row = {}
        for roots in group.levels():
            single = [r for r in roots if r.axes is None and r.domain != group.domain]
            single += [
                r for r in roots if r.axes is None and r.domain == group.domain and not columns
            ]
            passes = [r for r in roots if r not in single]
            for root in single:
                self._single(root, row)
            if not passes:
                continue
            if not group.rows:
                lowering.settle_scalars(passes)
            kept = [r for r in passes if r.axes is None]
            reduced = [r for r in passes if r.axes is not None]
            for root in kept:
                if not lowering.has_memory(root.value):
                    lowering.give_row(root.value, length, shape_of(root.value), group.rows)

            def body(flat: Operand, kept=kept, reduced=reduced) -> list:
                index = (*row, *split_index(flat, columns))
                for root in kept:
                    lowering.store(root.value, index, lowering.element(root.value, index))
                return [self._reduced(root, index) for root in reduced]

            outer = 0
            alone = math.prod(group.domain[: group.rows]) == 1
            if alone and mode == "vector" and not self.serial:
                outer = self._outer_columns(row, columns, kept, reduced)
            if length == 1:
                results = [value for _, value, _ in body(self.b.long(0))]
            elif outer:
                results = self._row_by_axes(row, columns, outer, kept, reduced)
            else:
                results = self._loop(length, mode, body, self._work(passes))
            for root in kept:
                lowering.in_row[root.value] = None  # it is in the memory given
            for root, result in zip(reduced, results):
                lowering.in_row[root.value] = result
                self._store_row(root, row, result)
        if not group.rows:
            for root in group.roots:
                if root.axes is not None and not root.value.type.shape:
                    lowering.env[root.value] = lowering.in_row[root.value]

    def _row_by_axes(
        self,
        row: tuple[Operand, ...],
        columns: Sequence[int],
        outer: int,
        kept: Sequence[Root],
        reduced: Sequence[Root],
    ) -> list[Operand]:
        """A pass over the only row, with a loop over its first axes; the results of reductions."""
        lead, rest = columns[:outer], columns[outer:]
        work = self._work([*kept, *reduced])

        def outside(i: Operand) -> list:
            def inside(j: Operand) -> list:
                index = (*row, *split_index(i, lead), *split_index(j, rest))
                for root in kept:
                    self.lowering.store(root.value, index, self.lowering.element(root.value, index))
                return [self._reduced(root, index) for root in reduced]

            parts = self._loop(math.prod(rest), "vector", inside, work)
            return [
                (r.node.op.fold.combine, part, r.node.op.fold.start(r.value.type.dtype))
                for r, part in zip(reduced, parts)
            ]

        return self._loop(math.prod(lead), "parallel", outside, work * math.prod(rest))

    def _outer_columns(
        self,
        row: tuple[Operand, ...],
        columns: Sequence[int],
        kept: Sequence[Root],
        reduced: Sequence[Root],
    ) -> int:
        """How many axes of the only row need loops of their own: as few as possible, and none
        if the others have few elements."""
        for outer in range(len(columns)):
            inner = math.prod(columns[outer:])
            if outer and (inner < 64 or math.prod(columns[:outer]) == 1):
                continue
            flat = ir.Var(ir.LONG)
            lead = tuple(ir.Var(ir.LONG) for _ in columns[:outer])
            with self.b.block() as block:
                index = (*row, *lead, *split_index(flat, columns[outer:]))
                used = [self.lowering.element(root.value, index) for root in kept]
                used += [self._reduced(root, index)[1] for root in reduced]
            if not _depends_on_parts(block, flat, used):
                return outer
        return 0

    def _single(self, root: Root, row: tuple[Operand, ...]) -> None:
        """An array with one element for each row."""
        index = (*row, *(self.b.long(0) for _ in range(len(root.domain) - len(row))))
        result = self.lowering.element(root.value, index)
        self.lowering.in_row[root.value] = result
        if self.lowering.has_memory(root.value):
            self.lowering.store(root.value, index, result)

    def _reduced(self, root: Root, index: tuple[Operand, ...]) -> tuple[str, Operand, object]:
        """What one element contributes to a reduction."""
        fold, dtype = root.node.op.fold, root.value.type.dtype
        element = self.lowering.element(root.node.inputs[0], index)
        return fold.combine, fold.before(element, dtype), fold.start(dtype)

    def _store_row(self, root: Root, row: tuple[Operand, ...], result: Operand) -> None:
        if self.lowering.has_memory(root.value):
            shape = shape_of(root.value)
            index = (*row, *(self.b.long(0) for _ in range(len(shape) - len(row))))
            self.lowering.store(root.value, index[: len(shape)], result)

    def _finish_rows(self, group: Group) -> None:
        self.lowering.in_row = {}
        for root in group.roots:
            self.lowering.computed(root.value)

    # -- columns -----------------------------------------------------------------------------------

    def _columns(self, group: Group) -> None:
        axes = group.rows
        leading, kept = group.domain[:axes], group.domain[axes:]
        count, length = math.prod(leading), math.prod(kept)
        maps = [r for r in group.roots if r.axes is None]
        reduced = [r for r in group.roots if r.axes is not None]
        for root in group.roots:
            self.lowering.give_memory(root.value)
        targets = [self.lowering.memory_of(r.value) for r in reduced]
        chunks = _CHUNKS if count * length >= _LONG and count >= 4 * _CHUNKS else 1
        partial = targets
        if chunks > 1:
            partial = [
                Memory(self.b.temporary(t.buffer.dtype, chunks * length), self.b.long(0))
                for t in targets
            ]
        starts = [
            ir.Number(r.node.op.fold.start(r.value.type.dtype), r.value.type.dtype) for r in reduced
        ]
        work = self._work(group.roots)
        cheap = work <= _CHEAP * _NS and not self.serial
        at_once = _ROWS if cheap and chunks == 1 and count >= _ROWS else 1

        def add_rows(chunk: Operand) -> tuple:
            base = chunk * length

            def clear(column: Operand) -> tuple:
                for memory, start in zip(partial, starts):
                    self.b.store(memory.buffer, memory.start + base + column, start)
                return ()

            self._loop(length, "vector", clear)
            first = self.b.compute("quotient", chunk * count, chunks)
            last = self.b.compute("quotient", (chunk + 1) * count, chunks)

            def add(row: Operand, rows: int) -> tuple:
                indices = [split_index(row + i, leading) for i in range(rows)]

                def add_each(column: Operand) -> tuple:
                    index = [(*row, *split_index(column, kept)) for row in indices]
                    for root in maps:
                        for at in index:
                            value = self.lowering.element(root.value, at)
                            self.lowering.store(root.value, at, value)
                    for root, memory in zip(reduced, partial):
                        place = memory.start + base + column
                        total = self.b.load(memory.buffer, place)
                        for at in index:
                            combine, value, _ = self._reduced(root, at)
                            total = combined(combine, total, value)
                        self.b.store(memory.buffer, place, total)
                    return ()

                self._loop(length, "vector", add_each, work * rows)
                return ()

            if at_once == 1:
                self.b.for_(last - first, (), lambda i: add(first + i, 1))
                return ()
            self.b.for_(count // at_once, (), lambda i: add(i * at_once, at_once))
            done = count - count % at_once
            if done < count:
                self.b.for_(count - done, (), lambda i: add(i + done, 1))
            return ()

        if chunks == 1:
            add_rows(self.b.long(0))
        else:
            self._loop(chunks, "parallel", add_rows, work * count * length / chunks)

            def join(column: Operand) -> tuple:
                for root, memory, target, start in zip(reduced, partial, targets, starts):
                    total: Operand = start
                    for chunk in range(chunks):
                        value = self.b.load(memory.buffer, column + chunk * length)
                        total = combined(root.node.op.fold.combine, total, value)
                    self.b.store(target.buffer, target.start + column, total)
                return ()

            self._loop(length, "vector", join)
        self._done(group.roots)

    # -- others ------------------------------------------------------------------------------------

    def _other(self, group: Group) -> None:
        """A reduction along any axes: for each element of the result, the loops over the others."""
        (root,) = group.roots
        memory = self.lowering.give_memory(root.value)
        kept = [axis for axis in range(len(group.domain)) if axis not in root.axes]
        outer = [group.domain[axis] for axis in kept]
        inner = [group.domain[axis] for axis in root.axes]
        length = math.prod(inner)

        def body(flat: Operand) -> tuple:
            outside = split_index(flat, outer)

            def add(i: Operand) -> list:
                index = dict(zip(kept, outside)) | dict(zip(root.axes, split_index(i, inner)))
                return [self._reduced(root, tuple(index[a] for a in range(len(group.domain))))]

            (total,) = self._loop(length, "serial", add)
            self.b.store(memory.buffer, memory.start + flat, total)
            return ()

        self._loop(math.prod(outer), "vector", body, self._work([root]) * length)
        self._done([root])


def _depends_on_parts(block: ir.Block, flat: ir.Var, results: Sequence[Operand] = ()) -> bool:
    """Whether statements use quotients or rests of an index, for anything."""
    used = needed(block, results)
    parts: set[Operand] = {flat}
    for statement in ir.walk(block):
        divides = isinstance(statement, ir.Compute) and statement.function in ("quotient", "rest")
        if divides and statement.operands[0] in parts:
            parts.add(statement.out)
    return any(part in used for part in parts - {flat})
