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

_WORK = 0.3  # nanoseconds, of an element that is copied
# Not measured yet. To wait takes some 20 microseconds, in which a GPU copies about as many bytes.
_FEW_BYTES, _MANY_USES = 16 * 2**20, 256


def with_known_places(kernel: Kernel) -> Kernel:
    """The kernel, whose products are where the host knows. Those of lengths that only the run
    knows stay as they are. The given kernel's blocks are left as they are."""
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
        if not all(isinstance(x, int) for x in s.measures()):
            return [s]
        rows, columns, inner, *strides, batch, a_step, b_step, c_step = map(int, s.measures())  # type: ignore[arg-type]
        a_shape = (inner, rows) if s.a_transposed else (rows, inner)
        b_shape = (columns, inner) if s.b_transposed else (inner, columns)
        shapes, steps = (a_shape, b_shape, (rows, columns)), (a_step, b_step, c_step)
        before: list[Statement] = []
        after: list[Statement] = []
        changes: dict[str, Any] = {}
        used = (columns, rows, inner)  # how often an element is
        for name, shape, stride, step, uses in zip("abc", shapes, strides, steps, used):
            buffer, start = getattr(s, name), getattr(s, f"{name}_start")
            if self._is_known(buffer.base) and self._is_known(start):
                continue
            count = (batch - 1) * step + (shape[0] - 1) * stride + shape[1]
            if count * buffer.dtype.itemsize > _FEW_BYTES and uses < _MANY_USES:
                continue
            placed = Buffer(buffer.dtype, count, "temporary", buffer.name)
            changes |= {name: placed, f"{name}_start": Number(0, LONG)}
            if name != "c" or s.beta or count != batch * rows * columns:
                before.append(_copy(buffer, start, placed, Number(0, LONG), count))
            if name == "c":
                after.append(_copy(placed, Number(0, LONG), buffer, start, count))
        return [*before, dataclasses.replace(s, **changes), *after]


def _copy(source: Buffer, first: Operand, to: Buffer, to_first: Operand, count: int) -> ir.Each:
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
    return ir.Each(index, Number(count, LONG), Block(body), "vector", (), _WORK)
