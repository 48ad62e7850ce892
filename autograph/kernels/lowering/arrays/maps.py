"""Groups of arrays of one shape, and single reductions along any axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.analysis.groups import Root
from autograph.kernels.lowering.arrays.nest import Nest
from autograph.kernels.lowering.loops import FEW_LAST, Body, depends_on_parts, is_few
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
            shape, few = shape[:outer], shape[outer:]
            size = math.prod(shape)
            outer = self._outer_axes(roots, shape, few)
            work *= math.prod(few)
        inner = math.prod(shape[outer:])
        if outer and is_few(inner, 7) and not is_few(size, 64):
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
        flat = ir.Var(ir.LONG)
        row = tuple(ir.Var(ir.LONG) for _ in shape[:outer])
        with self.b.block() as block:
            index = (*row, *split_index(flat, shape[outer:]), *[self.b.long(0)] * few)
            for root in roots:
                self.compute(root, index)
        return depends_on_parts(block, flat)


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

        def total(flat: Operand) -> None:
            outside = split_index(flat, outer)

            def add(i: Operand) -> list:
                index = dict(zip(kept, outside)) | dict(zip(axes, split_index(i, inner)))
                return [self.contribution(root, tuple(index[a] for a in range(len(domain))))]

            (result,) = self.loops.loop(length, "serial", add)
            self.b.store(memory.buffer, memory.start + flat, result)

        self.loops.each(math.prod(outer), total, self.work([root]) * example_of(length))
        self.bind([root])
