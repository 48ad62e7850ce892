"""Arrays of which a trip of a loop reads only what it has written itself before: what the trips
before have left there is of no use to it (the arrays that can be privatised of Tu & Padua,
"Automatic array privatization", 1993).

Which elements a nest of loops writes is known if it makes numbers of trips that are written in the
kernel, and if places are sums of multiples of their indices: then they are ``constant + sum(step *
index)``. Together with others that differ in the constant they may be all elements between two.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import LONG, Buffer, Number, Operand, Statement, Var
from ops.core.inner_loops import core_axes, ufunc_named
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import is_length

_Axis = tuple[int | None, int | None]  # step and count, where they are known

_MOST = 64  # groups of elements of one array; of more nothing is known


def trip(loop: ir.For | ir.While) -> list[Statement]:
    """The statements of a trip of a loop, in order."""
    return [*loop.test, *loop.body] if isinstance(loop, ir.While) else loop.body.statements


def filled(loop: ir.For | ir.While, asked: Iterable[Buffer]) -> set[Buffer]:
    """Those arrays, of some that are asked for, of which each trip reads only what it has written
    before."""
    found = _Trip(set(asked))
    found.block(trip(loop))
    return found.asked


class _Place(NamedTuple):
    """``constant + sum(step * variable)``."""

    constant: int
    steps: Mapping[Var, int]

    def plus(self, other: _Place, factor: int = 1) -> _Place:
        steps = dict(self.steps)
        for var, step in other.steps.items():
            total = steps.get(var, 0) + factor * step
            if total:
                steps[var] = total
            else:
                steps.pop(var, None)
        return _Place(self.constant + factor * other.constant, steps)

    def times(self, factor: int) -> _Place:
        return _Place(0, {}).plus(self, factor) if factor else _Place(0, {})


class _Written(NamedTuple):
    """Elements that are written for sure.

    Attributes:
        first: the place of the one at which all of ``axes`` begin.
        axes: (step, count) of each, steps above 0.
    """

    buffer: Buffer
    first: _Place
    axes: tuple[tuple[int, int], ...] = ()

    def after(self, index: Var, count: int) -> _Written:
        """What a loop writes of which this is a trip."""
        step = self.first.steps.get(index, 0)
        if not step:
            return self
        rest = {var: s for var, s in self.first.steps.items() if var is not index}
        start = self.first.constant + min(step * (count - 1), 0)
        return _Written(self.buffer, _Place(start, rest), (*self.axes, (abs(step), count)))


class _Trip:
    """Goes through a trip.

    Attributes:
        asked: the arrays for which nothing was found yet that speaks against it.
    """

    def __init__(self, asked: set[Buffer]):
        self.asked = asked
        self.places: dict[Var, _Place] = {}
        self.counts: dict[Var, int] = {}
        # What is written, where a statement stands: of each block around it.
        self.written: list[list[_Written]] = []

    def block(self, statements: Iterable[Statement]) -> list[_Written]:
        """What statements, those in them included, write of the arrays that are asked for."""
        self.written.append([])
        for s in statements:
            if not self.asked:
                break
            self.statement(s)
        return self.written.pop()

    def statement(self, s: Statement) -> None:
        match s:
            case ir.Compute():
                self.compute(s)
            case ir.Load():
                if s.buffer in self.asked:
                    self.read(s.buffer, self.place(s.index))
            case ir.Store():
                self.write(s.buffer, self.place(s.index))
            case ir.For() | ir.Each():
                self.loop(s)
            case ir.While():
                self.block([*s.test, *s.body])
            case ir.If():
                self.branch(s)
            case ir.Multiply():
                self.multiply(s)
            case ir.InnerLoopCall():
                self.inner_loop(s)
            case _:
                for buffer in uses.buffers(s):  # of what is written, nothing is known
                    self.read(buffer, None)

    def loop(self, s: ir.For | ir.Each) -> None:
        count = int(s.count.value) if isinstance(s.count, Number) else 0
        if count > 0:
            self.counts[s.index] = count
        found = self.block(s.body)
        self.counts.pop(s.index, None)
        if count > 0:
            inner = {var for x in ir.walk([s]) for var in uses.defined(x)}
            after = (w.after(s.index, count) for w in found)
            self.written[-1] += [w for w in after if inner.isdisjoint(w.first.steps)]

    def branch(self, s: ir.If) -> None:
        then, orelse = self.block(s.then), self.block(s.orelse)
        self.written[-1] += [w for w in then if w in orelse]

    def multiply(self, s: ir.Multiply) -> None:
        """Of a product whose measures are numbers it is known what it reads and writes."""
        rows, columns, inner, a_stride, b_stride, c_stride, batch, a_step, b_step, c_step = (
            x if isinstance(x, int) else None for x in s.measures()
        )
        a_shape = (inner, rows) if s.a_transposed else (rows, inner)
        b_shape = (columns, inner) if s.b_transposed else (inner, columns)
        result = ((c_stride, rows), (1, columns), (c_step, batch))
        self.read(
            s.a, self.place(s.a_start), ((a_stride, a_shape[0]), (1, a_shape[1]), (a_step, batch))
        )
        self.read(
            s.b, self.place(s.b_start), ((b_stride, b_shape[0]), (1, b_shape[1]), (b_step, batch))
        )
        if s.beta != 0.0:
            self.read(s.c, self.place(s.c_start), result)
        self.write_all(s.c, s.c_start, result)

    def inner_loop(self, s: ir.InnerLoopCall) -> None:
        """The loop of a generalised ufunc reads what it is given, and writes all of its results."""
        times, *lengths = (n if isinstance(n, int) else None for n in s.lengths)
        steps = iter([n if isinstance(n, int) else None for n in s.steps])
        places, core = (*s.operands, *s.results), core_axes(ufunc_named(s.ufunc))
        size = dict(zip(dict.fromkeys(name for names in core for name in names), lengths))
        outer = [(next(steps), times) for _ in places]
        for k, ((buffer, start), names) in enumerate(zip(places, core)):
            nbytes = buffer.dtype.itemsize
            in_bytes = [outer[k], *((next(steps), size[name]) for name in names)]
            axes = [(None if step is None else step // nbytes, n) for step, n in in_bytes]
            axes.append((1, np.dtype(s.types[k]).itemsize // nbytes))  # two of a complex number
            if k < len(s.operands):
                self.read(buffer, self.place(start), axes)
            else:
                self.write_all(buffer, start, axes)

    # -- places ------------------------------------------------------------------------------------

    def compute(self, s: ir.Compute) -> None:
        """Know the place that a statement computes."""
        if s.out.dtype != LONG or s.function not in ("+", "-", "*", "shift_left"):
            return
        if any(x.dtype != LONG for x in s.operands):
            return
        places = [self.place(x) for x in s.operands]
        first, other = places[0], places[-1]
        if s.function in "+-":
            alone = first.times(-1) if s.function == "-" else first
            factor = -1 if s.function == "-" else 1
            self.places[s.out] = alone if len(places) == 1 else first.plus(other, factor)
        elif s.function == "shift_left":
            if not other.steps and 0 <= other.constant < 63:
                self.places[s.out] = first.times(1 << other.constant)
        elif not other.steps:
            self.places[s.out] = first.times(other.constant)
        elif not first.steps:
            self.places[s.out] = other.times(first.constant)

    def place(self, x: Operand) -> _Place:
        if isinstance(x, Number):
            return _Place(int(x.value), {})
        assert isinstance(x, Var)
        found = self.places.get(x)
        return _Place(0, {x: 1}) if found is None else found

    # -- reads and writes --------------------------------------------------------------------------

    def write_all(self, buffer: Buffer, start: Operand, along: Sequence[_Axis]) -> None:
        """Note that elements are written, if it is known which."""
        axes = [(step, n) for step, n in along if step is not None and n is not None]
        if len(axes) == len(along) and all(n > 0 for _, n in axes):
            self.write(buffer, self.place(start), tuple(x for x in axes if x[0] > 0 and x[1] > 1))

    def write(self, buffer: Buffer, first: _Place, axes: tuple[tuple[int, int], ...] = ()) -> None:
        if buffer in self.asked:
            self.written[-1].append(_Written(buffer, first, axes))

    def read(
        self,
        buffer: Buffer,
        first: _Place | None,
        axes: Sequence[_Axis] = (),
    ) -> None:
        """Note that elements are read: of which nothing is known if there is no first."""
        if buffer not in self.asked:
            return
        written = [w for block in self.written for w in block if w.buffer is buffer]
        if len(written) > _MOST or not self.are_written(written, buffer, first, axes):
            self.asked.discard(buffer)

    def are_written(
        self,
        written: Sequence[_Written],
        buffer: Buffer,
        first: _Place | None,
        axes: Sequence[_Axis],
    ) -> bool:
        whole = 0 if is_length(buffer.size) else buffer.size
        by_steps: list[tuple[Mapping[Var, int], list[_Written]]] = []
        for w in written:
            same = next((ws for steps, ws in by_steps if steps == w.first.steps), None)
            if same is None:
                by_steps.append((w.first.steps, [w]))
            else:
                same.append(w)
        for steps, together in by_steps:
            ranges = _ranges(together)
            if whole and not steps and any(low <= 0 and whole <= end for low, end in ranges):
                return True
            if first is None:
                continue
            span = self.span(first.plus(_Place(0, steps), -1), axes)
            if span and any(low <= span[0] and span[1] <= end for low, end in ranges):
                return True
        return False

    def span(self, first: _Place, axes: Sequence[_Axis]) -> tuple[int, int] | None:
        """Between which places elements are, the second not included."""
        low = high = first.constant
        known = [(step, self.counts.get(var)) for var, step in first.steps.items()]
        for step, count in (*known, *axes):
            if step is None or count is None:
                return None
            far = step * max(count - 1, 0)
            low, high = low + min(far, 0), high + max(far, 0)
        return low, high + 1


def _ranges(written: Iterable[_Written]) -> list[tuple[int, int]]:
    """The ranges, without gaps, that groups of elements are together."""
    by_axes: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for w in written:
        by_axes.setdefault(tuple(sorted(w.axes)), []).append(w.first.constant)
    found: list[tuple[int, int]] = []
    for axes, starts in by_axes.items():
        starts = sorted(set(starts))
        for start in starts:
            length = _length(axes)
            if length is not None:
                found.append((start, start + length))
        # As the parts of complex numbers, side by side: one more axis.
        steps = {b - a for a, b in itertools.pairwise(starts)}
        if len(steps) == 1:
            length = _length(tuple(sorted((*axes, (steps.pop(), len(starts))))))
            if length is not None:
                found.append((starts[0], starts[0] + length))
    joined: list[tuple[int, int]] = []
    for low, end in sorted(found):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((low, end))
    return joined


def _length(axes: Sequence[tuple[int, int]]) -> int | None:
    """How many elements there are from the first on without a gap, which are all; None if there
    are gaps.

    Args:
        axes: sorted by their steps.
    """
    length = 1
    for step, count in axes:
        if count > 1:
            if step > length:
                return None
            length += step * (count - 1)
    return length
