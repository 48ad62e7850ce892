"""Sums with products of matrices, which cuBLASLt computes in one call.

    t = x @ w             y = x @ w + b
    y[i, j] = t[i, j] + b[j]

The library adds what has the product's shape, or a vector to each of its rows, before it writes a
result (``C`` and ``CUBLASLT_EPILOGUE_BIAS`` of "cuBLAS Library"): the product is not written, nor
read again, and one launch is left out. That is so only where a launch does nothing but such a sum,
and nobody else reads the product. A launch that computes more with it reads a product from memory
that it would read a sum from otherwise, and so there is nothing to gain.

A library may know no such call for a product. So the launch is there as well: the host runs it
where the library has not added.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Sequence

from autograph.kernels.cuda.indices import Made, place_of
from autograph.kernels.cuda.plan import Launch, Sum
from autograph.kernels.cuda.split import Segment
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Number, Operand

_IN_MEMORY = ("input", "output", "temporary")  # for the host, too


@dataclasses.dataclass(frozen=True)
class _Place:
    """Where a loop over rows and one over their columns touch memory.

    Attributes:
        start: of the first element.
        stride: from row to row; 0 if all touch the same elements.
    """

    start: int
    stride: int


@dataclasses.dataclass(frozen=True)
class _Shape:
    """Of a product's result, where nobody but the run has to know more than how many rows it has.

    Attributes:
        rows: of all matrices of the batch.
    """

    rows: int | Operand
    columns: int
    batch: int
    place: _Place

    @staticmethod
    def of(s: ir.Multiply) -> _Shape | None:
        """The shape; None if it is another, such as of a batch whose matrices lie apart."""
        rows, columns, stride, batch, start = s.rows, s.columns, s.c_stride, s.batch, s.c_start
        if not (isinstance(columns, int) and isinstance(stride, int) and isinstance(batch, int)):
            return None
        if not isinstance(start, Number):
            return None
        if batch != 1:
            if not isinstance(rows, int) or stride != columns or s.c_step != rows * columns:
                return None
            rows *= batch
        return _Shape(rows, columns, batch, _Place(int(start.value), stride))

    def covers(self, loops: list[ir.Each]) -> bool:
        """Whether loops go over all elements."""
        if len(loops) == 2:
            return _is(loops[0].count, self.rows) and _is(loops[1].count, self.columns)
        return isinstance(self.rows, int) and _is(loops[0].count, self.rows * self.columns)

    def place_at(self, index: Operand, loops: list[ir.Each], made: Made) -> _Place | None:
        """What an index of loops touches, if they go along rows, whose columns lie together."""
        found = place_of(index, loops[0].index, made)
        if found is None:
            return None
        start, stride = found.pop(1, 0), found.pop(None, 0)
        if len(loops) == 1:  # over all elements
            return _Place(start, self.columns) if stride == 1 and not found else None
        return _Place(start, stride) if found == {loops[1].index: 1} else None


def _is(count: Operand, n: int | Operand) -> bool:
    return int(count.value) == n if isinstance(count, Number) else count is n


class Sums:
    """The sums with products in a kernel."""

    def __init__(self, kernel: ir.Kernel):
        self._kernel = kernel
        self._memory = {written: given for given, written in kernel.shared}

    @functools.cached_property
    def _touched(self) -> Counter[Buffer]:
        return Counter(uses.touched(self._kernel.body))

    def of(self, product: ir.Multiply, segment: Segment, launch: Launch) -> Sum | None:
        """What the library can add to a product, and where it leaves the sum; None if it cannot.

        Args:
            segment: what follows.
            launch: which computes that.
        """
        if product.beta or product.c.kind != "temporary" or self._touched[product.c] != 2:
            return None
        shape = _Shape.of(product)
        if shape is None or segment.combined:
            return None
        found = _Added.read(product, shape, segment.statements)
        if found is None or not self._may_be_written(product, found):
            return None
        # A batch is of as many rows as are known.
        each = product.rows if shape.batch != 1 and isinstance(product.rows, int) else 0
        into = dataclasses.replace(
            product,
            c=found.into,
            c_start=Number(found.written.start, ir.LONG),
            c_stride=found.written.stride,
            c_step=each * found.written.stride,
        )
        start, stride = Number(found.added.start, ir.LONG), found.added.stride
        return Sum(into, found.other, start, stride, each * stride, launch)

    def _may_be_written(self, product: ir.Multiply, found: _Added) -> bool:
        """Whether the sum is in memory that is no factor's, and no part of what is added: the whole
        of that it may be."""
        every = (product.a, product.b, found.other, found.into)
        if any(x.kind not in _IN_MEMORY or x.base is not None for x in every):
            return False
        a, b, other, into = (self._memory.get(x, x) for x in every)
        if into is a or into is b:
            return False
        return into is not other or found.written == found.added


@dataclasses.dataclass(frozen=True, eq=False)
class _Added:
    """A loop that only adds something to a product.

    Attributes:
        other, added: what it adds, and where that is.
        into, written: where it stores.
    """

    other: Buffer
    added: _Place
    into: Buffer
    written: _Place

    @staticmethod
    def read(product: ir.Multiply, shape: _Shape, statements: list[ir.Statement]) -> _Added | None:
        """What a segment does; None if it is something else."""
        if len(statements) != 1 or not isinstance(statements[0], ir.Each):
            return None
        outer = statements[0]
        loops = [outer, *(s for s in outer.body if isinstance(s, ir.Each))]
        if len(loops) > 2 or any(x.reductions or x.flags for x in loops):
            return None
        inside = [s for x in loops for s in x.body if not isinstance(s, ir.Each)]
        made, loads, stores = _sorted(inside)
        if made is None or len(stores) != 1 or not shape.covers(loops):
            return None
        (store,) = stores
        total = made.get(store.value)
        if total is None or total.function != "+" or not all(x in loads for x in total.operands):
            return None
        one, two = (loads[x] for x in total.operands)
        of_product, other = (one, two) if one.buffer is product.c else (two, one)
        if of_product.buffer is not product.c or other.buffer is product.c:
            return None
        indices = (of_product.index, other.index, store.index)
        read, added, written = (shape.place_at(x, loops, made) for x in indices)
        if read != shape.place or added is None or written is None:
            return None
        if written.stride < shape.columns or 0 < added.stride < shape.columns or added.stride < 0:
            return None
        return _Added(other.buffer, added, store.buffer, written)


def _sorted(
    statements: Sequence[ir.Statement],
) -> tuple[Made | None, dict[Operand, ir.Load], list[ir.Store]]:
    """What statements compute, load and store; no computations if there is something else."""
    made: Made = {}
    loads: dict[Operand, ir.Load] = {}
    stores: list[ir.Store] = []
    for s in statements:
        match s:
            case ir.Compute() if not s.function.endswith("_checked"):
                made[s.out] = s
            case ir.Load():
                loads[s.out] = s
            case ir.Store():
                stores.append(s)
            case _:
                return None, {}, []
    return made, loads, stores
