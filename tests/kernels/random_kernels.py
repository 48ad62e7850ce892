"""Random kernels, to hold printers to the interpreter.

What they compute means nothing, but has a value everywhere: divisors are not 0, indices lie inside,
loops end. Each kernel reads a table of 64 elements of some dtypes, at any index, and arrays with an
element per trip; writes arrays, in place or not; has conditionals, loops in each other, local
buffers, memory from arenas, checks, reductions.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import BOOL, LONG, Buffer, Number, Operand
from ops.core import kernels

DTYPES = ir.DTYPES
FLOATS = [d for d in DTYPES if d.kind == "f"]
TABLE = 64
LOCAL = 4


class RandomKernel:
    """A kernel and its inputs.

    Attributes:
        kernel: what was made.
        inputs: arrays and numbers.
    """

    def __init__(
        self,
        seed: int,
        count: int,
        mode: str = "vector",
        gives_up: bool = True,
        reserves: bool = True,
        rows: int = 3,
    ):
        """Make a kernel.

        Args:
            count: of the trips of a loop.
            mode: ``"vector"``, ``"parallel"`` (with a vector loop inside), ``"none"``: no `Each`.
            gives_up: whether there are checks.
            reserves: whether memory is reserved.
            rows: the trips of a parallel loop.
        """
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.gives_up = gives_up
        self.reserves = reserves
        self.count = count
        self.builder = b = KernelBuilder(f"random{seed}")
        try:
            self._make(mode, rows)
            self.kernel = b.finish()
        finally:
            b.close()

    def _make(self, mode: str, rows: int) -> None:
        b, pick = self.builder, self.random
        dtypes = pick.sample(DTYPES, 3) + [LONG, pick.choice(FLOATS)]
        total = max(self.count * (rows if mode == "parallel" else 1), 1)
        self.tables = [b.input(d, TABLE, "table") for d in dtypes]
        self.arrays = [b.input(d, total, "x") for d in dtypes]
        parameters = [b.parameter(d, "a") for d in dtypes[:2]]
        self.outputs = [b.output(d, total, "y") for d in dtypes]
        in_place = pick.random() < 0.3
        if in_place:
            b.share(self.arrays[0], self.outputs[0])
            self.arrays[0] = self.outputs[0]
        self.inputs = [self._data(d, TABLE) for d in dtypes]
        self.inputs += [self._data(d, total) for d in dtypes]
        self.inputs += [self._data(d, 1)[0] for d in dtypes[:2]]
        self.offset: Operand = b.long(0)
        known: list[Operand] = list(parameters)
        totals: list[tuple[Operand, Buffer]] = []
        match mode:
            case "none":
                self.count = max(self.count, 1)
                self.index: Operand = b.long(pick.randrange(self.count))
                self._trip(known)
            case "vector":
                self._loop(known, totals)
            case "parallel":
                with b.each(rows, mode="parallel", work=1e6) as row:
                    self.offset = row * self.count
                    inner: list[tuple[Operand, Buffer]] = []
                    self._loop([*known, row], inner, in_rows=True)
                    for (value, _), buffer in zip(inner, self.outputs):
                        if value.dtype == buffer.dtype and self.count:
                            b.store(buffer, self.offset, value)
        for value, buffer in totals:
            b.store(buffer, 0, value)

    def _data(self, dtype: np.dtype, size: int) -> np.ndarray:
        if dtype.kind == "b":
            return self.numbers.random(size) < 0.5
        if dtype.kind == "f":
            values = self.numbers.normal(size=size) * 10.0 ** self.numbers.integers(-3, 4, size)
            special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0])
            chosen = self.numbers.choice(special, size)
            return np.where(self.numbers.random(size) < 0.15, chosen, values).astype(dtype)
        info = np.iinfo(dtype)
        wide = self.numbers.integers(info.min, info.max, size, dtype, endpoint=True)
        small = self.numbers.integers(0, 10, size).astype(dtype)
        return np.where(self.numbers.random(size) < 0.6, small, wide).astype(dtype)

    def _loop(self, known: list[Operand], totals: list, in_rows: bool = False) -> None:
        b = self.builder
        reductions: list[ir.Reduction] = []
        work = self.random.choice([0.1, 1e5]) if not in_rows else 1.0
        with b.each(self.count, reductions=reductions, work=work) as i:
            self.index = i
            values = self._trip([*known, i])
            for _ in range(self.random.randrange(3)):
                reductions.append(self._reduction(values))
        for r in reductions:
            dtype = r.out.dtype
            if in_rows:
                totals.append((r.out, self.outputs[0]))
            else:
                totals.append((r.out, b.output(dtype, 1, "total")))

    def _reduction(self, values: list[Operand]) -> ir.Reduction:
        value = self.random.choice(values)
        dtype = value.dtype
        if dtype.kind == "b":
            combine = self.random.choice("&|^")
            return self.builder.reduction(combine, value, combine == "&")
        if dtype.kind == "f":
            combine = self.random.choice(["min", "max"])
            # Zeros of both signs are equal: which one is found is not defined.
            value = kernels.select(value == 0, Number(0, dtype), value)
            return self.builder.reduction(combine, value, np.inf if combine == "min" else -np.inf)
        info = np.iinfo(dtype)
        neutral = {"+": 0, "*": 1, "^": 0, "|": 0, "min": info.max, "max": info.min}
        combine = self.random.choice(list(neutral))
        return self.builder.reduction(combine, value, neutral[combine])

    # -- statements --------------------------------------------------------------------------------

    def _trip(self, known: list[Operand]) -> list[Operand]:
        """What a trip computes, from what is known."""
        b = self.builder
        known = list(known)
        here = self._here()
        for array in self.arrays[:3]:
            known.append(b.load(array, here))
        self._block(known, depth=3)
        for output in self.outputs:
            if self.random.random() < 0.8:
                b.store(output, here, self._of(known, output.dtype))
        return known

    def _here(self) -> Operand:
        return self.builder.long(self.index) + self.offset

    def _block(self, known: list[Operand], depth: int) -> None:
        for _ in range(self.random.randrange(2, 6)):
            kind = self.random.random()
            if kind < 0.5 or depth == 0:
                known.append(self._computed(known))
            elif kind < 0.6:
                known.append(self._loaded(known))
            elif kind < 0.7:
                self._if(known, depth - 1)
            elif kind < 0.8:
                self._while(known, depth - 1)
            elif kind < 0.88:
                self._for(known, depth - 1)
            elif kind < 0.94:
                self._local(known, depth - 1)
            elif kind < 0.96 and self.reserves:
                self._reserve(known)
            elif self.gives_up:
                self._check(known)

    def _of(self, known: list[Operand], dtype: np.dtype) -> Operand:
        """A value of a dtype."""
        found = [x for x in known[-12:] if x.dtype == dtype]
        if found and self.random.random() < 0.8:
            return self.random.choice(found)
        if self.random.random() < 0.3:
            return Number(self._data(dtype, 1)[0], dtype)
        return self._cast(self.random.choice(known[-8:]), dtype)

    def _cast(self, x: Operand, dtype: np.dtype) -> Operand:
        if x.dtype.kind == "f" and dtype.kind in "iu":
            small = kernels.fabs(x) < 100
            x = kernels.select(small, x, Number(7, x.dtype))
            if dtype.kind == "u":
                x = kernels.fabs(x)
        return self.builder.cast(x, dtype)

    def _small(self, known: list[Operand], size: int) -> Operand:
        """An int64 from 0 to below a power of 2."""
        return self._of(known, LONG) & (size - 1)

    def _bool(self, known: list[Operand]) -> Operand:
        x = self.random.choice(known)
        if x.dtype == BOOL:
            return x
        y = self._of(known, x.dtype)
        return self.random.choice([x < y, x == y, x >= y, x != y])

    def _loaded(self, known: list[Operand]) -> Operand:
        table = self.random.choice(self.tables)
        return self.builder.load(table, self._small(known, TABLE))

    def _computed(self, known: list[Operand]) -> Operand:
        pick = self.random.choice
        dtype = pick(known[-10:]).dtype
        x, y = self._of(known, dtype), self._of(known, dtype)
        if self.random.random() < 0.15:
            return kernels.select(self._bool(known), x, y)
        if dtype.kind == "b":
            return pick([x & y, x | y, x ^ y, ~x, x == y])
        if self.random.random() < 0.15:
            return pick([x == y, x != y, x < y, x <= y, x > y, x >= y])
        if dtype.kind == "f":
            return pick(_ON_FLOATS)(x, y)
        return pick(_ON_INTEGERS)(x, y)

    def _check(self, known: list[Operand]) -> None:
        if self.random.random() < 0.7:
            x = self._small(known, 64)
            self.builder.check(x < 64 + (x & 1))
        elif self.random.random() < 0.5:
            self.builder.check(self._bool(known) | (self._small(known, 8) != 5))
        else:
            x, y = self._of(known, LONG) & 0xFFFF, self._of(known, LONG) & 0xFFFF
            known.append(self.builder.compute("multiply_checked", x, y))

    def _state(self, known: list[Operand]) -> list[Operand]:
        return [self.random.choice(known) for _ in range(self.random.randrange(1, 4))]

    def _inner(self, known: list[Operand], more: list[Operand], depth: int) -> list[Operand]:
        inside = [*known, *more]
        self._block(inside, depth)
        return inside

    def _if(self, known: list[Operand], depth: int) -> None:
        dtypes = [self.random.choice(known).dtype for _ in range(self.random.randrange(1, 4))]

        def side() -> list[Operand]:
            inside = self._inner(known, [], depth if self.random.random() < 0.7 else 0)
            if self.random.random() < 0.3:
                self.builder.store(
                    self.outputs[1], self._here(), self._of(inside, self.outputs[1].dtype)
                )
            return [self._of(inside, d) for d in dtypes]

        known += self.builder.if_(self._bool(known), side, side)

    def _while(self, known: list[Operand], depth: int) -> None:
        limit = self.builder.long(
            self.random.choice([3, self._small(known, 8), self._small(known, 4)])
        )
        init = self._state(known)
        leaves = self.random.random() < 0.5

        def test(n: Operand, *state: Operand) -> Operand:
            more = n < limit
            return more & self._bool([*known, *state]) if leaves else more

        def body(n: Operand, *state: Operand) -> list[Operand]:
            inside = self._inner(known, list(state), depth)
            return [n + 1, *(self._of(inside, x.dtype) for x in init)]

        known += self.builder.while_([self.builder.long(0), *init], test, body)

    def _for(self, known: list[Operand], depth: int) -> None:
        count = self.builder.long(self.random.choice([0, 2, 5, self._small(known, 4)]))
        init = self._state(known)

        def body(k: Operand, *state: Operand) -> list[Operand]:
            inside = self._inner(known, [k, *state], depth)
            return [self._of(inside, x.dtype) for x in init]

        known += self.builder.for_(count, init, body)

    def _local(self, known: list[Operand], depth: int) -> None:
        dtype = self.random.choice(known).dtype
        buffer = self.builder.local(dtype, LOCAL, "memory")
        self._fill(buffer, known)

        def body(k: Operand) -> list[Operand]:
            inside = self._inner(known, [k], depth)
            at = self._small(inside, LOCAL) if self.random.random() < 0.5 else k & (LOCAL - 1)
            self.builder.store(buffer, at, self._of(inside, dtype))
            return []

        self.builder.for_(self.builder.long(self.random.randrange(1, 4)), [], body)
        known.append(self.builder.load(buffer, self._small(known, LOCAL)))
        known.append(self.builder.load(buffer, self.random.randrange(LOCAL)))

    def _fill(self, buffer: Buffer, known: list[Operand]) -> None:
        for k in range(LOCAL):
            self.builder.store(buffer, k, self._of(known, buffer.dtype))

    def _reserve(self, known: list[Operand]) -> None:
        """A list of records, each with the address of the one before; then read from its end."""
        b = self.builder
        dtype = self.random.choice(known).dtype
        extra = self._small(known, 4) * 8 if self.random.random() < 0.3 else b.long(0)
        value = self._of(known, dtype)
        first = b.reserve(16 + LOCAL * 8)
        self._write(first, b.long(0), known, dtype)

        def push(k: Operand, last: Operand) -> list[Operand]:
            at = b.reserve(extra + (16 + LOCAL * 8))
            self._write(at, last, [*known, k, k + 1], dtype)
            return [at]

        length = b.long(self.random.choice([2, self._small(known, 4)]))
        (last,) = b.for_(length, [first], push)

        counted = self.random.random() < 0.5

        def pop(k: Operand, at: Operand, found: Operand) -> list[Operand]:
            data = b.record(dtype, LOCAL, at, 8, "data")
            index = k & (LOCAL - 1) if counted else b.long(2)
            inside = [found, k] if counted else [found]
            found = kernels.select(self._bool(inside), found, b.load(data, index))
            return [b.load(b.record(LONG, 1, at, 0, "link"), 0), found]

        known.append(b.for_(length, [last, value], pop)[1])

    def _write(self, at: Operand, link: Operand, known: list[Operand], dtype: np.dtype) -> None:
        b = self.builder
        b.store(b.record(LONG, 1, at, 0, "link"), 0, link)
        self._fill(b.record(dtype, LOCAL, at, 8, "data"), known)


_Function = Callable[[Operand, Operand], Operand]


def _guarded(function: Callable) -> _Function:
    def compute(x: Operand, y: Operand) -> Operand:
        bad = y == 0
        if x.dtype.kind == "i":
            bad = bad | (y == -1)
        return function(x, kernels.select(bad, Number(3, x.dtype), y))

    return compute


def _shifted(function: Callable) -> _Function:
    return lambda x, y: function(x, y & (x.dtype.itemsize * 8 - 1))


_ON_FLOATS: list[_Function] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x / y,
    lambda x, y: -x,
    lambda x, y: kernels.fabs(x),
    lambda x, y: kernels.sqrt(kernels.fabs(x)),
    lambda x, y: kernels.copysign(x, y),
    lambda x, y: kernels.floor(x),
    lambda x, y: kernels.ceil(x),
    lambda x, y: kernels.trunc(x),
    lambda x, y: kernels.rint(x),
    lambda x, y: kernels.signbit(x),
    lambda x, y: x != x,
    lambda x, y: kernels.from_bits(kernels.bits(kernels.select(x == x, x, Number(1, x.dtype)))),
]
_ON_INTEGERS: list[_Function] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x & y,
    lambda x, y: x | y,
    lambda x, y: x ^ y,
    lambda x, y: ~x,
    lambda x, y: -x,
    lambda x, y: kernels.popcount(kernels.select(x < 0, -x, x)),
    _guarded(kernels.quotient),
    _guarded(kernels.rest),
    _shifted(kernels.shift_left),
    _shifted(kernels.shift_right),
]
