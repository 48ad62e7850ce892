"""Loops over elements, in which nothing depends on what another trip does but for reductions.

Loops over several axes are one loop where the elements lie in a row. Whether they do shows when the
body is built with one index for all axes: if no quotients of that index are left (`flat_index`
undoes `split_index`), nothing needs to know the axes. Otherwise the outer axes get a loop of their
own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder, split_index
from autograph.kernels.ir.dead import needed
from autograph.kernels.ir.ir import Operand
from autograph.kernels.ir.work import WORTH_SHARING
from autograph.kernels.lowering.values import Memory
from ops.core import kernels
from ops.core.symbolic_lengths import example_of, is_below, is_length, is_symbolic

FEW_LAST = 8  # elements along the last axes, that fill a vector; fewer are written out in a lane
TINY = 32  # elements of which the compiler makes scalars, which stay in registers

_CHEAP = 0.75  # nanoseconds, which take no longer than to read the operands of an element


def is_few(count: int, most: int) -> bool:
    """Whether there are at most so many elements. A length that has a symbol in it is many: what is
    done for few of them is only a matter of speed."""
    return not is_length(count) and count <= most


Body = Callable[[Operand], Sequence[tuple[str, Operand, object]]]
Visit = Callable[[tuple[Operand, ...]], None]


def combined(combine: str, x: Operand, y: Operand) -> Operand:
    """Two values of a reduction as one."""
    if combine in ("min", "max") and x.dtype.kind == "f":
        # NaN stays, and is taken. What is asked of y alone need not wait for x.
        beyond = y <= x if combine == "min" else y >= x
        return kernels.select((y == y) & ~beyond, x, y)
    if combine in ("min", "max"):
        return kernels.select(x < y if combine == "min" else x > y, x, y)
    return x.__kernel__(combine, (x, y))


class ElementLoops:
    """Adds loops to a kernel.

    Attributes:
        serial: whether they run one trip after the other, as in a lane, or over few elements.

    Args:
        for_gpu: whether they are for the threads of a GPU.
    """

    def __init__(self, b: KernelBuilder, serial: bool, *, for_gpu: bool = False):
        self.b = b
        self.serial = serial
        self._for_gpu = for_gpu

    def loop(
        self,
        count: int | Operand,
        mode: str,
        body: Body,
        work: float = 1.0,
        most_written_out: int = FEW_LAST,
    ) -> list[Operand]:
        """A loop whose trips are independent but for reductions.

        Args:
            body: adds the statements of a trip; returns (combine, value, start) for each reduction.
            most_written_out: trips in a lane, which are written one after the other.

        Returns:
            The results of the reductions.
        """
        if is_length(count):
            if mode == "vector" and self.b.is_in_order and not self.serial and not self._for_gpu:
                is_below(count, WORTH_SHARING)  # the kernel is another one if not
            count = self.b.long(count)
        few = not isinstance(count, Operand) and 0 < count <= most_written_out
        if mode == "serial" and not self.serial and few and not isinstance(count, Operand):
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

    def _serial(self, count: int | Operand, body: Body) -> list[Operand]:
        made: list[tuple[str, Operand, object]] = []
        with self.b.block():  # to learn what there is to reduce; what it adds is forgotten
            made = list(body(ir.Var(ir.LONG)))
        combines = [combine for combine, _, _ in made]
        init = [ir.Number(start, value.dtype) for _, value, start in made]

        def trip(index: Operand, *state: Operand) -> list[Operand]:
            values = [value for _, value, _ in body(index)]
            return [combined(c, x, y) for c, x, y in zip(combines, state, values)]

        return list(self.b.for_(count, init, trip))

    def over(self, shape: Sequence[int], visit: Visit, work: float = 1.0) -> None:
        """Do something for each index of an array, in any order, or at the same time."""
        if is_few(math.prod(shape), TINY):
            if math.prod(shape):
                self.nested(shape, visit)
            return
        self.in_lanes(shape, visit, work, work)

    def in_lanes(self, shape: Sequence[int], visit: Visit, work: float, one: float) -> None:
        """The same in lanes, also of few elements.

        Args:
            one: the work of a visit but for how often loops in it go around.
        """
        if self.serial:
            self.nested(shape, visit)
            return
        size = math.prod(shape)
        outer = next(n for n in range(len(shape)) if self._is_flat(shape, n, visit))
        inner = math.prod(shape[outer:])
        if is_few(inner, self.least_lanes(one) - 1) and not is_few(size, 64):
            outer, inner = 0, size

        def row(lead: tuple[Operand, ...]) -> None:
            def body(flat: Operand) -> tuple:
                visit((*lead, *split_index(flat, shape[outer:])))
                return ()

            self.loop(inner, "vector", body, work)

        if outer:
            self.rows(shape[:outer], row, work * example_of(inner))
        else:
            row(())

    def least_lanes(self, work: float) -> int:
        """How many elements along the last axes are worth a vector of their own, which they may not
        fill, where vectors over all axes would be full, but read operands one by one.

        Args:
            work: of an element.
        """
        if self._for_gpu:
            return FEW_LAST
        return 2 if work <= _CHEAP else FEW_LAST // 2

    def rows(self, shape: Sequence[int], row: Visit, work: float) -> None:
        """Do something for each index along outer axes, shared by threads.

        Args:
            work: of a row.
        """
        if is_symbolic(shape[1:]) and not is_few(shape[0], FEW_LAST):
            # A loop for each axis: a division by a number that is not known takes long.

            def plane(i: Operand) -> tuple:
                self.nested(shape, row, (i,))
                return ()

            rows = example_of(math.prod(shape[1:]))
            self.loop(shape[0], "parallel", plane, work * rows)
            return

        def one(flat: Operand) -> tuple:
            row(split_index(flat, shape))
            return ()

        self.loop(math.prod(shape), "parallel", one, work)

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
        return not depends_on_parts(block, flat)

    def nested(
        self, shape: Sequence[int], body: Callable[[tuple], None], index: tuple = ()
    ) -> None:
        """A loop for each axis, in order."""
        if len(index) == len(shape):
            body(index)
        elif shape[len(index)] == 1:
            self.nested(shape, body, (*index, self.b.long(0)))
        else:

            def trip(i: Operand) -> tuple:
                self.nested(shape, body, (*index, i))
                return ()

            self.b.for_(shape[len(index)], (), trip)

    def each(self, count: int, visit: Callable[[Operand], None], work: float = 1.0) -> None:
        """A loop without reductions."""

        def body(i: Operand) -> tuple:
            visit(i)
            return ()

        self.loop(count, "vector", body, work)

    def copy(self, source: Memory, target: Memory, size: int) -> None:
        """Copy elements."""
        if source.buffer is target.buffer and source.start is target.start:
            return

        def one(i: Operand) -> None:
            element = self.b.load(source.buffer, source.start + i)
            self.b.store(target.buffer, target.start + i, element)

        if size:
            self.each(size, one, 0.3)


def depends_on_parts(block: ir.Block, flat: ir.Var, results: Sequence[Operand] = ()) -> bool:
    """Whether statements use quotients or rests of an index, for anything."""
    used = needed(block, results)
    parts: set[Operand] = {flat}
    for statement in ir.walk(block):
        if not isinstance(statement, ir.Compute):
            continue
        if statement.function in ("quotient", "rest") and statement.operands[0] in parts:
            parts.add(statement.out)
    return any(part in used for part in parts - {flat})


def strides(block: ir.Block, index: ir.Var) -> set[int | None]:
    """How far apart in memory statements read and write for an index and the next one; None is in
    it if that is not known of some."""
    steps: dict[Operand, int | None] = {index: 1}
    found: set[int | None] = set()

    def step(x: Operand) -> int | None:
        return 0 if isinstance(x, ir.Number) else steps.get(x, 0)

    for statement in ir.walk(block):
        match statement:
            case ir.Compute(function="+", operands=[x, y]):
                a, b = step(x), step(y)
                steps[statement.out] = None if a is None or b is None else a + b
            case ir.Compute(function="*", operands=[x, ir.Number(value=n)]):
                a = step(x)
                steps[statement.out] = a and a * int(n)
            case ir.Compute():
                same = all(step(x) == 0 for x in statement.operands)
                steps[statement.out] = 0 if same else None
            case ir.Load():
                at = step(statement.index)
                found.add(at)
                steps[statement.out] = 0 if at == 0 else None
            case ir.Store():
                found.add(step(statement.index))
    return found
