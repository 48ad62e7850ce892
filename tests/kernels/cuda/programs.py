"""Random kernels, whose results are the same to the bit however they are computed.

Scalars of all dtypes, control flow of all kinds at all levels, local and temporary buffers,
reductions. Sums of floats are of small integers, so that their order does not matter. A loop of
independent trips writes to its own elements, and reads what loops before wrote.
"""

from __future__ import annotations

import random

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Buffer, Number, Operand
from ops.core import kernels

INTEGERS = [d for d in ir.DTYPES if d.kind in "iu"]
FLOATS = [d for d in ir.DTYPES if d.kind == "f"]
_HUGE = 1e9  # nanoseconds: a loop that is worth a grid


class Program:
    """A random kernel, with arguments.

    Attributes:
        kernel: the kernel.
        inputs: arrays and numbers.

    Args:
        reserves: whether memory is reserved, at any level.
    """

    def __init__(self, seed: int, most: int = 14, reserves: bool = False):
        self.random = random.Random(seed)
        self.reserves = reserves
        self.b = KernelBuilder(f"random_{seed}")
        self.budget = most
        self.scope: list[Operand] = []
        self.readable: list[Buffer] = []
        generator = np.random.default_rng(seed)
        self.inputs: list = []
        self.outputs: list[Buffer] = []
        for i, dtype in enumerate(self.random.sample(ir.DTYPES, 3)):
            size = self.random.choice((1, 7, 33))
            self.readable.append(self.b.input(dtype, size, f"x{i}"))
            self.inputs.append(_some(generator, dtype, size))
        for i, dtype in enumerate(self.random.sample(ir.DTYPES, 2)):
            self.scope.append(self.b.parameter(dtype, f"n{i}"))
            self.inputs.append(_some(generator, dtype, 1)[0])
        for _ in range(self.random.randint(2, 4)):
            self.top()
        self.put_scalar()
        self.kernel = self.b.finish()

    # -- scalars -----------------------------------------------------------------------------------

    def scalar(self, dtype: np.dtype, depth: int = 2) -> Operand:
        """A random expression."""
        known = [x for x in self.scope if x.dtype == dtype]
        if depth == 0 or self.random.random() < 0.2:
            if known and self.random.random() < 0.8:
                return self.random.choice(known)
            return self.number(dtype)
        if dtype == ir.BOOL:
            return self.condition(depth)
        if self.random.random() < 0.25:
            return self.converted(dtype, depth)
        if self.random.random() < 0.15:
            test = self.condition(depth - 1)
            return kernels.select(
                test, self.scalar(dtype, depth - 1), self.scalar(dtype, depth - 1)
            )
        x = self.scalar(dtype, depth - 1)
        return self.of_float(x, depth) if dtype.kind == "f" else self.of_integer(x, depth)

    def number(self, dtype: np.dtype) -> Number:
        if dtype.kind == "b":
            return Number(self.random.random() < 0.5, dtype)
        if dtype.kind == "f":
            values = (0.0, -0.0, 1.0, -2.5, 0.1, 3.0, np.inf, np.nan, 1e-40, 7.0)
            return Number(self.random.choice(values), dtype)
        limits = np.iinfo(dtype)
        some = [x for x in (0, 1, 2, 3, 7, -1, -5, 100) if limits.min <= x]
        return Number(self.random.choice([*some, int(limits.min), int(limits.max)]), dtype)

    def of_float(self, x: Operand, depth: int) -> Operand:
        functions = "+ - * / min max copysign neg fabs sqrt floor ceil trunc rint".split()
        function = self.random.choice(functions)
        if function == "neg":
            return -x
        if function in ("fabs", "sqrt", "floor", "ceil", "trunc", "rint"):
            return self.b.compute(function, x)
        y = self.scalar(x.dtype, depth - 1)
        if function in ("min", "max"):  # which of two zeros is the smaller is open
            x, y = x + 0.25, y + 0.25
        if function == "copysign":  # the sign of a NaN that was computed is open
            y = kernels.select(y == y, y, Number(1, y.dtype))
        return self.b.compute(function, x, y)

    def of_integer(self, x: Operand, depth: int) -> Operand:
        functions = "+ - * & | ^ ~ neg min max quotient rest shift_left shift_right".split()
        function = self.random.choice(functions)
        if function == "neg":
            return -x
        if function == "~":
            return ~x
        y = self.scalar(x.dtype, depth - 1)
        if function in ("quotient", "rest"):
            positive = kernels.select(y > 0, y, Number(3, y.dtype))
            return self.b.compute(function, x, self.random.choice((positive, Number(7, x.dtype))))
        if function.startswith("shift"):
            y = y & Number(x.dtype.itemsize * 8 - 1, x.dtype)
        return self.b.compute(function, x, y)

    def converted(self, dtype: np.dtype, depth: int) -> Operand:
        source = self.random.choice(ir.DTYPES)
        x = self.scalar(source, depth - 1)
        if source.kind == "f" and dtype.kind in "iu":
            low = -1.0 if dtype.kind == "u" else -100.0  # more has no value, or an unsigned one
            x = kernels.select((x > low) & (x < 100.0), x, Number(0, source))
        return self.b.cast(x, dtype)

    def condition(self, depth: int) -> Operand:
        if depth > 1 and self.random.random() < 0.3:
            sign = self.random.choice("&|^")
            return self.b.compute(sign, self.condition(depth - 1), self.condition(depth - 1))
        if self.random.random() < 0.1:
            return ~self.condition(depth - 1) if depth else self.number(ir.BOOL)
        dtype = self.random.choice(INTEGERS + FLOATS)
        x, y = self.scalar(dtype, max(depth - 1, 0)), self.scalar(dtype, max(depth - 1, 0))
        return self.b.compute(self.random.choice("< <= > >= == !=".split()), x, y)

    def position(self, size: int) -> Operand:
        """An index into a buffer."""
        if size == 1:
            return self.b.long(0)
        longs = [x for x in self.scope if x.dtype == ir.LONG]
        x = self.random.choice(longs) if longs else self.b.long(5)
        x = x * self.random.choice((1, 1, 3)) + self.random.choice((0, 0, 1))
        return self.b.compute("rest", x & (2**40 - 1), size)

    # -- statements --------------------------------------------------------------------------------

    def dtype(self) -> np.dtype:
        return self.random.choice(ir.DTYPES)

    def statements(self, most: int = 4) -> None:
        """Scalars, loads and control flow that add to the scope."""
        for _ in range(self.random.randint(1, most)):
            self.budget -= 1
            kinds = ["let", "load", "load"]
            if self.budget > 0:
                kinds += ["if", "for", "while", "local"]
                kinds += ["chain"] * self.reserves
            getattr(self, f"_{self.random.choice(kinds)}")()

    def _let(self) -> None:
        self.scope.append(self.scalar(self.dtype(), 3))

    def _load(self) -> None:
        if self.readable:
            buffer = self.random.choice(self.readable)
            self.scope.append(self.b.load(buffer, self.position(buffer.size)))

    def _inner(self, given: list[Operand], returned: list[np.dtype]):
        """Statements in a block of their own, and what they return."""
        scope, readable = list(self.scope), list(self.readable)
        self.scope += given
        self.statements(2)
        values = tuple(self.scalar(dtype) for dtype in returned)
        self.scope, self.readable = scope, readable
        return values

    def _state(self) -> tuple[list[np.dtype], list[Operand], list[str | None]]:
        dtypes = [self.dtype() for _ in range(self.random.randint(1, 2))]
        names = [self.random.choice((None, "x", "total", "for")) for _ in dtypes]
        return dtypes, [self.scalar(d) for d in dtypes], names

    def _if(self) -> None:
        dtypes, _, names = self._state()
        test = self.condition(2)
        sides = [lambda: self._inner([], dtypes)] * 2
        found = self.b.if_(test, *sides, names)
        self.scope += found

    def _for(self) -> None:
        dtypes, init, names = self._state()
        count = self.random.choice((0, 1, 3, self.scalar(ir.LONG, 1) & 3))
        body = lambda i, *state: self._inner([i, *state], dtypes)
        found = self.b.for_(count, init, body, names)
        self.scope += found

    def _while(self) -> None:
        dtypes, init, names = self._state()
        most = self.random.choice((1, 4))

        def test(*state):
            scope = list(self.scope)
            self.scope += state
            found = (state[-1] < most) & (self.condition(1) | (state[-1] < 1))
            self.scope = scope
            return found

        def body(*state):
            return (*self._inner(list(state), dtypes), state[-1] + 1)

        start = [*init, self.b.long(0)]
        found = self.b.while_(start, test, body, [*names, "trips"])
        self.scope += found

    def _local(self) -> None:
        dtype, size = self.dtype(), self.random.choice((1, 3, 5))
        buffer = self.b.local(dtype, size, self.random.choice((None, "stack")))

        def body(i, *state):
            scope = list(self.scope)
            self.scope += [i, *state]
            self.b.store(buffer, i, self.scalar(dtype))
            self.scope = scope
            return ()

        self.b.for_(size, (), body)
        self.readable.append(buffer)
        self.b.store(buffer, self.position(size), self.scalar(dtype))

    def _chain(self) -> None:
        """Records, each with the address of the one before, and what they hold from the last on. An
        array that later statements read, those of loops inside too."""
        b, dtype = self.b, self.dtype()
        size = self.random.choice((1, 3, 5))
        array = b.record(dtype, size, b.reserve(size * 8), 0, "reserved")
        for k in range(size):
            b.store(array, k, self.scalar(dtype))
        self.readable.append(array)

        def push(k, last):
            at = b.reserve(16 + (k & 1) * 24)
            b.store(b.record(ir.LONG, 1, at, 0, "below"), 0, last)
            b.store(b.record(dtype, 1, at, 8, "kept"), 0, self.scalar(dtype, 1))
            return [at]

        def pop(k, at, found):
            kept = b.load(b.record(dtype, 1, at, 8, "kept"), 0)
            below = b.load(b.record(ir.LONG, 1, at, 0, "below"), 0)
            return below, kernels.select(self.condition(1), found, kept)

        count = self.random.choice((2, self.scalar(ir.LONG, 1) & 3))
        (last,) = b.for_(count, [b.long(0)], push)
        self.scope.append(b.for_(count, [last, self.scalar(dtype)], pop)[1])

    # -- loops of independent trips ----------------------------------------------------------------

    def reduction(self) -> ir.Reduction:
        """A reduction of a random value."""
        dtype = self.random.choice(INTEGERS + FLOATS)
        if dtype.kind == "f":
            combine = self.random.choice(("+", "min", "max"))
            value = self.b.cast(self.scalar(np.dtype("int8")), dtype)
            start = {"+": 0.0, "min": np.inf, "max": -np.inf}[combine]
            return self.b.reduction(combine, value, start, "total")
        combine = self.random.choice(("+", "*", "&", "|", "^", "min", "max"))
        limits = np.iinfo(dtype)
        starts = {"*": 1, "&": -1 if limits.min else limits.max, "min": limits.max}
        start = starts.get(combine, limits.min if combine == "max" else 0)
        return self.b.reduction(combine, self.scalar(dtype), start)

    def vector(self, count: int, offset: Operand | int, written: list[Buffer], work: float) -> None:
        """A vector loop that writes to elements of buffers from ``offset`` on."""
        reductions: list[ir.Reduction] = []
        scope, readable = list(self.scope), list(self.readable)
        # What this loop writes other trips of it must not read.
        self.readable = [x for x in self.readable if x not in written]
        with self.b.each(count, "vector", reductions, work) as i:
            self.scope.append(i)
            self.statements()
            for buffer in written:
                self.b.store(buffer, i + offset, self.scalar(buffer.dtype, 3))
            reductions += [self.reduction() for _ in range(self.random.randint(0, 2))]
        self.scope, self.readable = scope, readable
        self.scope += [r.out for r in reductions]

    def memory(self, size: int, dtype: np.dtype | None = None) -> Buffer:
        """A buffer to be written."""
        dtype = dtype or self.dtype()
        if self.random.random() < 0.5:
            return self.b.temporary(dtype, size, "kept")
        self.outputs.append(self.b.output(dtype, size, f"y{len(self.outputs)}"))
        return self.outputs[-1]

    def top(self) -> None:
        """A statement outside of all loops."""
        self.budget = 8
        kinds = ("scalars", "vector", "vector", "rows", "rows", "coarse", "columns", "columns")
        match self.random.choice(kinds):
            case "columns":
                self.columns()
            case "scalars":
                self.statements()
                self.put_scalar()
            case "vector":
                self.top_vector()
            case "rows":
                self.rows()
            case "coarse":
                self.coarse()

    def top_vector(self) -> None:
        count = self.random.choice((0, 1, 7, 100, 300))
        written = [self.memory(max(count, 1)) for _ in range(self.random.randint(1, 2))]
        self.vector(count, 0, written, self.random.choice((1.0, _HUGE)))
        if count:
            self.readable += written

    def rows(self) -> None:
        """A parallel loop over rows, vector loops in it that read each other's results."""
        count, length = self.random.choice(((1, 40), (3, 200), (6, 33), (9, 5), (20, 1)))
        written = [self.memory(count * length) for _ in range(2)]
        row = None
        scope, readable = list(self.scope), list(self.readable)
        reductions: list[ir.Reduction] = []
        with self.b.each(count, "parallel", reductions, _HUGE) as r:
            self.scope.append(r)
            if self.random.random() < 0.5:
                row = self.b.local(self.dtype(), length, "row")
            self.statements(2)
            for buffer in written:
                self.vector(length, r * length, [buffer], 1.0)
                if row is not None:
                    self.vector(length, 0, [row], 1.0)
                    if row not in self.readable:
                        self.readable.append(row)
                j = self.position(length)
                self.scope.append(self.b.load(buffer, r * length + j))
            if row is not None and self.random.random() < 0.5:
                self.b.store(row, self.position(length), self.scalar(row.dtype))
                self.vector(length, r * length, [written[0]], 1.0)
            reductions += [self.reduction() for _ in range(self.random.randint(0, 2))]
        self.scope, self.readable = scope, readable
        self.scope += [x.out for x in reductions]
        self.readable += written

    def coarse(self) -> None:
        """Control flow around loops of independent trips."""
        size = self.random.choice((5, 70))
        buffer = self.memory(size)
        self.vector(size, 0, [buffer], 1.0)
        work = self.random.choice((1.0, _HUGE))
        dtypes, init, names = self._state()

        def inside(*given):
            scope, readable = list(self.scope), list(self.readable)
            self.scope += given
            self.readable.append(buffer)
            self.statements(2)
            other = self.b.temporary(buffer.dtype, size)
            self.vector(size, 0, [other], work)
            with self.b.each(size, work=work) as i:
                self.b.store(buffer, i, self.b.load(other, i))
            values = tuple(self.scalar(d) for d in dtypes)
            self.scope, self.readable = scope, readable
            return values

        kind = self.random.choice(("for", "while", "if"))
        if kind == "for":
            found = self.b.for_(self.scalar(ir.LONG, 1) & 3, init, inside, names)
        elif kind == "while":
            test = lambda *state: state[-1] < 2
            body = lambda *state: (*inside(*state), state[-1] + 1)
            found = self.b.while_([*init, self.b.long(0)], test, body)
        else:
            orelse = lambda: tuple(self.scalar(d) for d in dtypes)
            found = self.b.if_(self.condition(2), inside, orelse)
        self.scope += found
        self.readable.append(buffer)

    def columns(self) -> None:
        """Loops of independent trips in a loop in order, and beside each other, which can be
        exchanged or joined, or cannot: where they read each other's elements."""
        size = self.random.choice((5, 70))
        dtype = self.random.choice((ir.LONG, ir.SINGLE))
        buffers = [self.memory(size, dtype), self.memory(size, dtype)]
        work = self.random.choice((1.0, _HUGE))
        for buffer in buffers:
            self.vector(size, 0, [buffer], work)

        def add(own: Buffer, other: Buffer, row: Operand) -> None:
            scope = list(self.scope)
            with self.b.each(size, work=work) as i:
                at = self.random.choice((i, i, (size - 1) - i, self.b.compute("rest", row, size)))
                values = (self.b.load(own, i), self.b.load(other, at), i, row)
                self.scope = [*scope, *values]
                more = self.scalar(dtype, 2) if dtype == ir.LONG else self.b.cast(row, dtype)
                self.b.store(own, i, values[0] * 3 + values[1] + more)
            self.scope = scope

        def body(row: Operand) -> tuple:
            add(*buffers, row)
            if self.random.random() < 0.6:
                add(*self.random.sample(buffers, 2), row)
            return ()

        self.b.for_(self.random.choice((1, 3, self.scalar(ir.LONG, 1) & 3)), (), body)
        add(*buffers[::-1], self.b.long(1))
        self.readable += buffers

    def put_scalar(self) -> None:
        """Write scalars to outputs."""
        for _ in range(2):
            self.outputs.append(self.b.output(self.dtype(), 1, "result"))
            self.b.store(self.outputs[-1], 0, self.scalar(self.outputs[-1].dtype, 3))


def _some(generator: np.random.Generator, dtype: np.dtype, size: int) -> np.ndarray:
    """Random elements, some of them special."""
    if dtype.kind == "b":
        return generator.random(size) < 0.5
    if dtype.kind == "f":
        values = generator.standard_normal(size).astype(dtype)
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, 1e-42, 3.0], dtype)
    else:
        limits = np.iinfo(dtype)
        values = generator.integers(-9, 9, size).astype(dtype)
        special = np.array([limits.min, limits.max, 0, 1], dtype)
    return np.where(generator.random(size) < 0.3, generator.choice(special, size), values)
