"""Groups in which one row after the other is computed, in a few passes over each row."""

from __future__ import annotations

import functools
import math
from collections.abc import Container, Sequence

from autograph.graph.graph import Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.analysis.groups import FusionGroup, Root
from autograph.kernels.lowering.arrays.nest import Nest, settle_scalars
from autograph.kernels.lowering.loops import FEW_LAST, depends_on_parts, is_few
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Deferred, shape_of
from ops.core.symbolic_lengths import example_of, is_length, is_same

_FEW = 16  # elements in a row for which lanes are rows rather than elements
_CHEAP = 1.0  # nanoseconds for an element


class RowNest(Nest):
    """Arrays and reductions by rows: the leading axes number them, the others are their columns."""

    def __init__(self, state: State, group: FusionGroup, waiting: Container[Value]):
        super().__init__(state, group, waiting)
        self.rows = group.domain[: group.rows]
        self.columns = group.domain[group.rows :]

    def emit(self) -> None:
        """Compute the rows: in parallel, or, if they are short, in the lanes of vectors."""
        rows, columns, group = self.rows, self.columns, self.group
        count, length = math.prod(rows), math.prod(columns)
        for root in group.roots:
            if self._is_needed_outside(root.value) and root.value.type.shape:
                self.places.give(root.value)
        if count:
            work = self.work(group.roots) * max(example_of(length), 1)
            if not rows or count == 1:
                self._row(tuple(self.b.long(0) for _ in rows), "vector")
            elif is_few(length, _FEW - 1) and not is_few(count, _FEW - 1):
                self._in_lanes(count, work)
            else:
                self._in_parallel(count, work)
        self.elements.in_row = {}
        self.bind(group.roots)

    def _in_parallel(self, count: int, work: float) -> None:
        def body(flat: Operand) -> tuple:
            self._row(split_index(flat, self.rows), "vector")
            return ()

        self.loops.loop(count, "parallel", body, work)

    def _in_lanes(self, count: int, work: float) -> None:
        outer = self._outer_rows()
        lead, lanes = self.rows[:outer], self.rows[outer:]

        def in_lane(flat: Operand, row: tuple[Operand, ...] = ()) -> tuple:
            self._row((*row, *split_index(flat, lanes)), "serial")
            return ()

        def body(flat: Operand) -> tuple:
            trip = functools.partial(in_lane, row=split_index(flat, lead))
            self.loops.loop(math.prod(lanes), "vector", trip, work)
            return ()

        if outer:
            self.loops.loop(math.prod(lead), "parallel", body, work * example_of(math.prod(lanes)))
        else:
            self.loops.loop(count, "vector", in_lane, work)

    def _outer_rows(self) -> int:
        """How many axes of the rows need loops of their own, where lanes are rows: as few as
        possible, and none if the others have few elements."""
        rows = self.rows
        reduced = [root for root in self.group.levels()[0] if root.axes is not None]
        column = tuple(self.b.long(0) for _ in self.columns)
        for outer in range(len(rows)):
            if is_few(math.prod(rows[outer:]), FEW_LAST - 1):
                break
            flat = ir.Var(ir.LONG)
            lead = tuple(ir.Var(ir.LONG) for _ in rows[:outer])
            with self.b.block() as block:
                index = (*lead, *split_index(flat, rows[outer:]), *column)
                used = [self.contribution(root, index)[1] for root in reduced]
            if not depends_on_parts(block, flat, used):
                return outer
        return 0

    def _row(self, row: tuple[Operand, ...], mode: str) -> None:
        """The passes over one row."""
        group = self.group
        in_row: dict[Value, Operand | None] = {}
        self.elements.in_row = in_row
        for roots in group.levels():
            whole = [r for r in roots if r.axes is None and is_same(r.domain, group.domain)]
            single = [r for r in roots if r.axes is None and r not in whole]
            if not self.columns:
                single += whole
            for root in single:
                self._single(root, row)
            kept = [r for r in roots if r.axes is None and r not in single]
            reduced = [r for r in roots if r.axes is not None]
            if not kept and not reduced:
                continue
            if not group.rows:
                settle_scalars(self.state, [r for r in roots if r not in single])
            results = self._pass(row, mode, kept, reduced)
            in_row.update(dict.fromkeys(root.value for root in kept))  # in the memory given
            for root, result in zip(reduced, results):
                in_row[root.value] = result
                self._store_row(root, row, result)
        if not group.rows:
            for root in group.roots:
                known = in_row.get(root.value)
                if known is not None and root.axes is not None and not shape_of(root.value):
                    self.state.env[root.value] = known

    def _pass(
        self, row: tuple[Operand, ...], mode: str, kept: Sequence[Root], reduced: Sequence[Root]
    ) -> list[Operand]:
        """One pass over a row: it computes arrays, and gives the results of reductions."""
        length = math.prod(self.columns)
        for root in kept:
            if is_length(length):  # nobody knows how much memory a row takes
                self.places.give(root.value)
            elif not self.places.is_whole(root.value):
                self.places.give_row(root.value, length, self.group.rows)

        def body(flat: Operand) -> list:
            return self._element((*row, *split_index(flat, self.columns)), kept, reduced)

        outer = 0
        if math.prod(self.rows) == 1 and mode == "vector" and not self.loops.serial:
            outer = self._outer_columns(row, kept, reduced)
        if length == 1:
            return [value for _, value, _ in body(self.b.long(0))]
        if outer:
            return self._by_axes(row, outer, kept, reduced)
        work = self.work([*kept, *reduced])
        # What two passes read, they then read once.
        most = _FEW - 1 if reduced and not kept and work < _CHEAP else FEW_LAST
        return self.loops.loop(length, mode, body, work, most)

    def _element(
        self, index: tuple[Operand, ...], kept: Sequence[Root], reduced: Sequence[Root]
    ) -> list:
        """Compute an element of arrays; what it contributes to reductions."""
        for root in kept:
            self.compute(root, index)
        return [self.contribution(root, index) for root in reduced]

    def _by_axes(
        self, row: tuple[Operand, ...], outer: int, kept: Sequence[Root], reduced: Sequence[Root]
    ) -> list[Operand]:
        """A pass over the only row, with a loop over its first axes; the results of reductions."""
        lead, rest = self.columns[:outer], self.columns[outer:]
        one = work = self.work([*kept, *reduced])

        def outside(i: Operand) -> list:
            def inside(j: Operand) -> list:
                index = (*row, *split_index(i, lead), *split_index(j, rest))
                return self._element(index, kept, reduced)

            parts = self.loops.loop(math.prod(rest), "vector", inside, one)
            return [
                (r.fold.combine, part, r.fold.start(r.value.type.dtype))
                for r, part in zip(reduced, parts)
            ]

        work *= example_of(math.prod(rest))
        return self.loops.loop(math.prod(lead), "parallel", outside, work)

    def _outer_columns(
        self, row: tuple[Operand, ...], kept: Sequence[Root], reduced: Sequence[Root]
    ) -> int:
        """How many axes of the only row need loops of their own: as few as possible, and none
        if the others have few elements."""
        columns = self.columns
        for outer in range(len(columns)):
            inner = math.prod(columns[outer:])
            if outer and (is_few(inner, 63) or is_few(math.prod(columns[:outer]), 1)):
                continue
            flat = ir.Var(ir.LONG)
            lead = tuple(ir.Var(ir.LONG) for _ in columns[:outer])
            with self.b.block() as block:
                index = (*row, *lead, *split_index(flat, columns[outer:]))
                used = [self.elements.at(root.value, index) for root in kept]
                used += [self.contribution(root, index)[1] for root in reduced]
            if not depends_on_parts(block, flat, used):
                return outer
        return 0

    def _single(self, root: Root, row: tuple[Operand, ...]) -> None:
        """An array with one element for each row."""
        index = (*row, *(self.b.long(0) for _ in range(len(root.domain) - len(row))))
        result = self.elements.at(root.value, index)
        self.elements.in_row[root.value] = result
        if self.places.is_whole(root.value):
            self.places.store(root.value, index, result)

    def _store_row(self, root: Root, row: tuple[Operand, ...], result: Operand) -> None:
        if self.places.is_whole(root.value):
            shape = shape_of(root.value)
            index = (*row, *(self.b.long(0) for _ in range(len(shape) - len(row))))
            self.places.store(root.value, index[: len(shape)], result)

    def _is_needed_outside(self, value: Value) -> bool:
        """Whether anything besides the group reads an array of it."""
        plan, env = self.state.plan, self.state.env
        seen = {root.value for root in self.group.roots}
        pending = [value]
        while pending:
            read = pending.pop()
            if read in plan.outputs or self.places.wanted(read) is not None:
                return True
            for node in plan.uses.get(read, ()):
                if plan.position[node] >= self.state.progress.position:
                    return True
                for result in node.outputs:
                    if result in seen:
                        continue
                    if result in self.waiting or not isinstance(env.get(result), Deferred):
                        return True
                    seen.add(result)
                    pending.append(result)
        return False
