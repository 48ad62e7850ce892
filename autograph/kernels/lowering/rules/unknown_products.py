"""Products of vectors and matrices whose lengths are known only at run time.

Small products of matrices are loops, in the place of the matrices. For larger ones both are copied,
so that their rows lie one after the other, and the library multiplies them.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.graph import Node
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import DOUBLE, SINGLE, Number, Operand
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.arrays.totals import total
from autograph.kernels.lowering.rules.unknown_sums import one_by_one, totals
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Measured
from ops.core import kernels

_FEW_TERMS = 4  # of which the sum is computed where an element is used
_TERMS = 4  # that are added to a row in one pass over it
_SMALL = 8192  # multiplications that take no longer than copies and a call of the library


def product(state: State, node: Node) -> Operand | Measured:
    """``x @ y`` of two vectors, of a matrix and a vector, or of two matrices."""
    x, y = (demand.as_measured(state, v) for v in node.inputs)
    dtype = node.outputs[0].type.dtype
    kernels.require(x.lengths[-1] == y.lengths[0])
    if len(x.lengths) == len(y.lengths) == 2:
        return _of_matrices(state, node, x, y)
    if len(x.lengths) + len(y.lengths) == 3:
        matrix = x if len(x.lengths) == 2 else y
        first = matrix is x

        def term(i: Operand, j: Operand) -> Operand:
            a = x.element((i, j) if first else (i,))
            b = y.element((j,) if first else (i, j))
            return state.b.cast(a, dtype) * state.b.cast(b, dtype)

        return totals(state, node.outputs[0], matrix, int(first), ("+", 0), term)

    def element(index: Sequence[Operand]) -> Operand:
        a, b = x.element(index), y.element(index)
        return state.b.cast(a, dtype) * state.b.cast(b, dtype)

    return total(state, x.lengths[0], "+", 0, element)


def convolved(state: State, node: Node) -> Measured:
    """The products of the elements of two vectors, added up by the sum of their places."""
    b, (result,) = state.b, node.outputs
    held = {v: demand.as_measured(state, v) for v in node.inputs}
    for vector in held.values():
        kernels.require(vector.lengths[0] > 0)
    held = measured.all_kept(state, held)
    x, y = (held[v] for v in node.inputs)
    (m,), (n,) = x.lengths, y.lengths
    known = [*x.most, *y.most]
    most = None if None in known else sum(k for k in known if k is not None) - 1

    def element(index: Sequence[Operand]) -> Operand:
        (k,) = index
        first = b.compute("max", k - m + 1, b.long(0))
        last = b.compute("min", k, n - 1)

        def term(at: Sequence[Operand]) -> Operand:
            j = first + at[0]
            a, c = x.element((k - j,)), y.element((j,))
            return b.cast(a, result.type.dtype) * b.cast(c, result.type.dtype)

        return total(state, last - first + 1, "+", 0, term)

    return one_by_one(state, result, (m + n - 1,), (most,), element)


def _of_matrices(state: State, node: Node, x: Measured, y: Measured) -> Measured:
    """A product of two matrices."""
    b, (result,) = state.b, node.outputs
    dtype = result.type.dtype
    lengths, most = (x.lengths[0], y.lengths[1]), (x.most[0], y.most[1])
    x, y = (measured.kept(state, v, held) for v, held in zip(node.inputs, (x, y)))
    inner = x.lengths[1]

    def term(i: Operand, j: Operand, k: Operand) -> Operand:
        return b.cast(x.element((i, k)), dtype) * b.cast(y.element((k, j)), dtype)

    if isinstance(inner, Number) and 0 < inner.value <= _FEW_TERMS:

        def element(index: Sequence[Operand]) -> Operand:
            i, j = index
            first, *others = (term(i, j, b.long(k)) for k in range(int(inner.value)))
            return sum(others, first)

        reads = x.reads | y.reads
        return Measured(lengths, most, element, reads, is_dear=inner.value > 1)

    found = Measured(lengths, most, element=lambda index: b.load(memory.buffer, place(index)))
    memory, sizes = measured.allocated(state, result, lengths, most), measured.sizes_of(found)

    def place(index: Sequence[Operand]) -> Operand:
        return memory.start + measured.flat(b, index, sizes)

    def by_hand() -> tuple:
        def row(i: Operand) -> tuple:
            def add(first: Operand, count: int) -> tuple:
                def to(at: tuple[Operand, ...]) -> None:
                    (j,) = at
                    so_far = b.load(memory.buffer, place((i, j)))
                    terms = (term(i, j, first + n) for n in range(count))
                    b.store(memory.buffer, place((i, j)), sum(terms, so_far))

                measured.over(state, lengths[1:], to)
                return ()

            nothing = Number(0, dtype)
            fill = lambda at: b.store(memory.buffer, place((i, *at)), nothing)
            measured.over(state, lengths[1:], fill)
            groups = b.compute("quotient", inner, b.long(_TERMS))
            b.for_(groups, (), lambda k: add(k * _TERMS, _TERMS))
            b.for_(inner - groups * _TERMS, (), lambda k: add(groups * _TERMS + k, 1))
            return ()

        b.for_(lengths[0], (), row)
        return ()

    def by_library() -> tuple:
        (left, a), (right, c) = (
            measured.placed(state, v, held) for v, held in zip(node.inputs, (x, y))
        )
        starts = left.start, right.start, memory.start
        strides = a[1], c[1], sizes[1]
        measures = (*lengths, inner)
        b.add(ir.Multiply(left.buffer, right.buffer, memory.buffer, *measures, *starts, *strides))
        b.written(memory.buffer)
        return ()

    same = all(v.type.dtype == dtype for v in node.inputs)
    if state.serial or not same or dtype not in (SINGLE, DOUBLE):
        by_hand()
    else:
        is_small = lengths[0] * lengths[1] * inner <= _SMALL
        b.if_(is_small | (inner == 0), by_hand, by_library)
    return found._replace(settled=True)
