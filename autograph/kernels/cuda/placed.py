"""Products of matrices at places that only the device knows, such as in records that a loop
reserves for its backward pass, and at indices that are read from arrays.

The host has to tell cuBLAS where a matrix is. It would read the place from the device, wait for
that at each trip, and no graph could have such a kernel (`autograph.kernels.cuda.graphs`). So the
matrix is copied by a launch, which knows its place, to one that the host knows, or a result from
there. Of a large matrix that is so done only if each element meets many of the other operand's, as
otherwise the copy would take longer than to wait.

    c[at : at + n] = a[start:] @ b  ->  x = a[start : start + m]; y = x @ b; c[at : at + n] = y
"""

from __future__ import annotations

import dataclasses
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Block, Buffer, Kernel, Number, Operand, Statement, Var
from ops.core.symbolic_lengths import example_of, is_length

_WORK = 0.3  # nanoseconds, of an element that is copied
# Not measured yet. To wait takes some 20 microseconds, in which a GPU copies about as many bytes.
_FEW_BYTES, _MANY_USES = 16 * 2**20, 256


def with_known_places(kernel: Kernel) -> Kernel:
    """The kernel, whose products are where the host knows, but for parts, of lengths that only the
    run knows, of arrays. The given kernel's blocks are left as they are."""
    if not any(isinstance(s, ir.Multiply) for s in ir.walk(kernel.body)):
        return kernel
    return dataclasses.replace(kernel, body=_Copies(kernel).block(kernel.body))


class _Copies:
    def __init__(self, kernel: Kernel):
        self._known: dict[Operand, bool] = {x: True for x in kernel.inputs if isinstance(x, Var)}
        self._made: dict[Operand, ir.Compute] = {}
        for s in ir.walk(kernel.body):
            if isinstance(s, ir.For):  # those around a product are the host's
                self._known[s.index] = True
            elif isinstance(s, ir.Compute):
                self._made[s.out] = s

    def block(self, block: Block) -> Block:
        """A block with copies around its products."""
        done: list[Statement] = []
        for s in block:
            match s:
                case ir.Multiply():
                    done += self._product(s)
                case ir.For():
                    done.append(dataclasses.replace(s, body=self.block(s.body)))
                case ir.While():
                    test, body = self.block(s.test), self.block(s.body)
                    done.append(dataclasses.replace(s, test=test, body=body))
                case ir.If():
                    then, orelse = self.block(s.then), self.block(s.orelse)
                    done.append(dataclasses.replace(s, then=then, orelse=orelse))
                case _:
                    done.append(s)
        return Block(done)

    def _is_known(self, operand: Operand | None) -> bool:
        """Whether the host can compute a scalar."""
        if operand is None or isinstance(operand, Number):
            return True
        if operand not in self._known:
            s = self._made.get(operand)
            self._known[operand] = (
                s is not None
                and not s.function.endswith("_checked")
                and all(map(self._is_known, s.operands))
            )
        return self._known[operand]

    def _product(self, s: ir.Multiply) -> list[Statement]:
        """A product with what is copied before and after."""
        a_shape = (s.inner, s.rows) if s.a_transposed else (s.rows, s.inner)
        b_shape = (s.columns, s.inner) if s.b_transposed else (s.inner, s.columns)
        sides = {
            "a": _Side(s.a, s.a_start, (*a_shape, s.a_stride, s.batch, s.a_step), s.columns),
            "b": _Side(s.b, s.b_start, (*b_shape, s.b_stride, s.batch, s.b_step), s.rows),
            "c": _Side(s.c, s.c_start, (s.rows, s.columns, s.c_stride, s.batch, s.c_step), s.inner),
        }
        before: list[Statement] = []
        after: list[Statement] = []
        changes: dict[str, Any] = {}
        for name, side in sides.items():
            if self._is_known(side.buffer.base) and self._is_known(side.start):
                continue
            size = side.size
            if size is None or side.is_slow(size):
                continue
            placed = Buffer(side.buffer.dtype, size, "temporary", side.buffer.name)
            changes |= {name: placed, f"{name}_start": Number(0, LONG)}
            count = side.count(before)
            if name != "c" or s.beta or not side.is_dense:
                before.append(_copy(side.buffer, side.start, placed, Number(0, LONG), count))
            if name == "c":
                after.append(_copy(placed, Number(0, LONG), side.buffer, side.start, count))
        return [*before, dataclasses.replace(s, **changes), *after]


@dataclasses.dataclass(frozen=True, eq=False)
class _Side:
    """An operand or the result of a product.

    Attributes:
        measures: rows, columns, stride, batch and step, as it lies in memory.
        uses: how often an element is used.
    """

    buffer: Buffer
    start: Operand
    measures: tuple[int | Operand, ...]
    uses: int | Operand

    @property
    def _span(self) -> int | None:
        """How many elements there are from the first to the last, where that is known."""
        if not all(isinstance(x, int) for x in self.measures):
            return None
        rows, columns, stride, batch, step = self.measures
        return (batch - 1) * step + (rows - 1) * stride + columns

    @property
    def size(self) -> Any:
        """How many elements a copy has room for, a length if the run knows; None if only the device
        does, or if what it is a part of is much larger."""
        if self._span is not None:
            return self._span
        is_own = self.buffer.kind == "record" and is_length(self.buffer.size)
        return self.buffer.size if is_own else None

    def is_slow(self, size: Any) -> bool:
        """Whether to copy it takes longer than to wait."""
        few = isinstance(self.uses, int) and self.uses < _MANY_USES
        return few and example_of(size) * self.buffer.dtype.itemsize > _FEW_BYTES

    @property
    def is_dense(self) -> bool:
        """Whether nothing is known to lie between its elements."""
        rows, columns, _, batch, _ = self.measures
        return self._span is not None and self._span == batch * rows * columns

    def count(self, before: list[Statement]) -> Operand:
        """How many elements there are from the first to the last.

        Args:
            before: takes what computes it.
        """
        if self._span is not None:
            return Number(self._span, LONG)
        rows, columns, stride, batch, step = (
            Number(x, LONG) if isinstance(x, int) else x for x in self.measures
        )

        def computed(function: str, x: Operand, y: Operand) -> Operand:
            before.append(ir.Compute(out := Var(LONG), function, (x, y)))
            return out

        one = Number(1, LONG)
        others = computed("*", computed("-", batch, one), step)
        own = computed("+", computed("*", computed("-", rows, one), stride), columns)
        return computed("+", others, own)


def _copy(source: Buffer, first: Operand, to: Buffer, to_first: Operand, count: Operand) -> ir.Each:
    """Elements of a buffer, from one on, written to another."""
    index, value = Var(LONG, "i"), Var(source.dtype)
    body: list[Statement] = []

    def at(start: Operand) -> Operand:
        if isinstance(start, Number) and not start.value:
            return index
        body.append(ir.Compute(place := Var(LONG), "+", (start, index)))
        return place

    read, written = at(first), at(to_first)
    body += [ir.Load(value, source, read), ir.Store(to, written, value)]
    return ir.Each(index, count, Block(body), "vector", (), _WORK)
