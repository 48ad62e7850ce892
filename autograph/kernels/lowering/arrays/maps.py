"""Groups of arrays of one shape, and single reductions along any axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import flat_index, split_index
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.analysis.groups import Root
from autograph.kernels.lowering.arrays.nest import Nest
from autograph.kernels.lowering.loops import FEW_LAST, Body, depends_on_parts, is_few, strides
from ops.core.symbolic_lengths import example_of


class MapNest(Nest):
    """All elements of arrays of one shape, each by itself."""

    def emit(self) -> None:
        """Compute the arrays."""
        shape, roots = self.group.domain, self.group.roots
        size = math.prod(shape)
        for root in roots:
            self.places.give(root.value)
        if size == 0:
            self.bind(roots)
            return
        work = self.work(roots)
        outer = 0 if self.loops.serial else self._outer_axes(roots, shape)
        few: Sequence[int] = ()  # the last axes, whose elements are computed one after the other
        last = math.prod(shape[outer:])
        if outer and is_few(last, FEW_LAST - 1) and example_of(size) // FEW_LAST > FEW_LAST:
            lead = self._outer_axes(roots, shape[:outer], shape[outer:])
            if not lead or self._are_in_order(roots, shape, lead, outer):
                shape, few, outer = shape[:outer], shape[outer:], lead
                size = math.prod(shape)
                work *= math.prod(few)
        inner = math.prod(shape[outer:])
        least = self.loops.least_lanes(self.work(roots))
        if outer and is_few(inner, least - 1) and not is_few(size, 64):
            outer, inner = 0, size

        def store(index: tuple[Operand, ...]) -> None:
            for last in itertools.product(*map(range, few)):
                place = (*index, *map(self.b.long, last))
                for root in roots:
                    self.compute(root, place)

        def vector(row: tuple[Operand, ...]) -> Body:
            def body(flat: Operand) -> tuple:
                store((*row, *split_index(flat, shape[outer:])))
                return ()

            return body

        if size == 1:
            store(tuple(self.b.long(0) for _ in shape))
        elif self.loops.serial:
            self.loops.nested(shape, store)
        elif not outer:
            self.loops.loop(size, "vector", vector(()), work)
        else:

            def one(row: tuple[Operand, ...]) -> None:
                self.loops.loop(inner, "vector", vector(row), work)

            self.loops.rows(shape[:outer], one, work * example_of(inner))
        self.bind(roots)

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
        block, flat = self._one(roots, shape[:outer], shape[outer:], few)
        return depends_on_parts(block, flat)

    def _are_in_order(
        self, roots: Sequence[Root], shape: Sequence[int], lead: int, few: int
    ) -> bool:
        """Whether vectors over the axes from ``lead`` up to ``few`` read and write for all elements
        along the others what lies in a row, or else what is the same in all lanes."""
        last = shape[few:]
        block, flat = self._one(roots, shape[:lead], shape[lead:few], len(last))
        return strides(block, flat) <= {0, math.prod(last)}

    def _one(
        self, roots: Sequence[Root], lead: Sequence[int], shape: Sequence[int], few: int
    ) -> tuple[ir.Block, ir.Var]:
        """What computes an element, which is forgotten, and its number along the axes in ``shape``;
        it is the first one along ``few`` others."""
        flat = ir.Var(ir.LONG)
        row = tuple(ir.Var(ir.LONG) for _ in lead)
        with self.b.block() as block:
            index = (*row, *split_index(flat, shape), *[self.b.long(0)] * few)
            for root in roots:
                self.compute(root, index)
        return block, flat


class AnyAxesNest(Nest):
    """A reduction along any axes: for each element of the result, the loops over the others."""

    def emit(self) -> None:
        """Compute the reduction."""
        (root,), domain = self.group.roots, self.group.domain
        memory, axes = self.places.give(root.value), root.axes
        assert axes is not None  # it is a reduction
        kept = [axis for axis in range(len(domain)) if axis not in axes]
        outer = [domain[axis] for axis in kept]
        inner = [domain[axis] for axis in axes]
        length = math.prod(inner)

        def total(outside: tuple[Operand, ...]) -> None:
            def add(i: Operand) -> list:
                index = dict(zip(kept, outside)) | dict(zip(axes, split_index(i, inner)))
                return [self.contribution(root, tuple(index[a] for a in range(len(domain))))]

            (result,) = self.loops.loop(length, "serial", add)
            self.b.store(memory.buffer, memory.start + flat_index(outside, outer), result)

        one = self.work([root])
        self.loops.in_lanes(outer, total, one * example_of(length), one)
        self.bind([root])
