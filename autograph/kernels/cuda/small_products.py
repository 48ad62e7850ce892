"""Small products of matrices as loops, where a loop around them then runs as one launch.

A loop whose steps are short, as of a recurrent network or an iterative solver, is run by one block
that waits for itself between them (`autograph.kernels.cuda.split.is_small`), rather than by
launches of some microseconds each. A product would be the library's, which only the host can call.
So it is a loop with a thread for each element of the result if all else in the loop around is
small, too:

    for t in range(50):                    for t in range(50):
        z = x[t] @ w          ->               each element: z[i] = sum over k of x[t, k] * w[k, i]
        h = tanh(z)                            each element: h[i] = tanh(z[i])

Its numbers are added one after the other. The library is left what one block would take longer for
than a launch takes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from autograph.kernels.cuda.split import is_coarse
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder, split_index
from autograph.kernels.ir.ir import Block, Kernel, Number, Operand, Statement

_NS = 0.5  # of a multiplication and an addition, on the scale of the work of loops


def with_small_products(kernel: Kernel) -> Kernel:
    """The kernel with loops in the place of products in such loops. The given kernel's blocks are
    left as they are."""
    if not any(isinstance(s, ir.Multiply) for s in ir.walk(kernel.body)):
        return kernel
    return dataclasses.replace(kernel, body=_block(kernel.body))


def _block(block: Block) -> Block:
    return Block([_statement(s) for s in block])


def _statement(s: Statement) -> Statement:
    """A statement, of which the outermost loops that are small without products have none."""
    if isinstance(s, ir.For | ir.While) and any(isinstance(x, ir.Multiply) for x in ir.walk([s])):
        written_out = _inside(s, lambda block: Block(_written_out(block)))
        if not is_coarse(written_out):
            return written_out
    return _inside(s, _block)


def _inside(s: Statement, change: Callable[[Block], Block]) -> Statement:
    """A statement with its blocks changed, if it is control flow."""
    match s:
        case ir.For():
            return dataclasses.replace(s, body=change(s.body))
        case ir.While():
            return dataclasses.replace(s, test=change(s.test), body=change(s.body))
        case ir.If():
            return dataclasses.replace(s, then=change(s.then), orelse=change(s.orelse))
    return s


def _written_out(block: Iterable[Statement]) -> list[Statement]:
    """Statements with loops in the place of products whose lengths are known."""
    found: list[Statement] = []
    for s in block:
        if isinstance(s, ir.Multiply) and all(isinstance(n, int) for n in s.measures()):
            found += _loop(s)
        else:
            found.append(_inside(s, lambda inner: Block(_written_out(inner))))
    return found


def _known(*lengths: int | Operand) -> list[int]:
    return [n for n in lengths if isinstance(n, int)]


def _loop(s: ir.Multiply) -> list[Statement]:
    """A product as a loop over the elements of its result."""
    b = KernelBuilder("product")
    dtype = s.c.dtype
    batch, rows, columns, inner = _known(s.batch, s.rows, s.columns, s.inner)
    shape, count = (batch, rows, columns), batch * rows * columns
    in_a_row = s.c_stride == columns and (batch == 1 or s.c_step == rows * columns)
    with b.block() as block, b.each(count, work=max(inner, 1) * _NS) as flat:
        number, row, column = split_index(flat, shape)

        def multiplied(k: Operand, total: Operand) -> list[Operand]:
            at = (k, row) if s.a_transposed else (row, k)
            x = b.load(s.a, s.a_start + number * s.a_step + at[0] * s.a_stride + at[1])
            at = (column, k) if s.b_transposed else (k, column)
            y = b.load(s.b, s.b_start + number * s.b_step + at[0] * s.b_stride + at[1])
            return [total + x * y]

        (total,) = b.for_(inner, [Number(0, dtype)], multiplied)
        if s.alpha != 1:
            total = total * Number(s.alpha, dtype)
        at = flat if in_a_row else number * s.c_step + row * s.c_stride + column
        if s.beta:
            before = b.load(s.c, s.c_start + at)
            total = total + (before if s.beta == 1 else before * Number(s.beta, dtype))
        b.store(s.c, s.c_start + at, total)
    return list(block)
