"""Kernels of the kinds that graphs become, built by hand."""

from __future__ import annotations

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder, flat_index, split_index
from autograph.kernels.ir.ir import Kernel, Number
from ops.core import kernels

SINGLE, DOUBLE, LONG = "float32", "float64", "int64"
INFINITY = float("inf")


def selu(count: int = 5000) -> Kernel:
    """A map."""
    b = KernelBuilder("selu")
    x, y = b.input(SINGLE, count, "x"), b.output(SINGLE, count, "y")
    with b.each(count) as i:
        v = b.load(x, i, "v")
        negative = 1.6732632 * (kernels.exp(v) - 1.0)
        b.store(y, i, 1.050701 * kernels.select(v > 0, v, negative))
    return b.finish()


def broadcast(rows: int = 50, columns: int = 60) -> Kernel:
    """``a[:, None] * b + c.T``: index arithmetic in two dimensions."""
    b = KernelBuilder("broadcast")
    x, y = b.input(DOUBLE, rows, "x"), b.input(DOUBLE, columns, "y")
    c = b.input(DOUBLE, rows * columns, "c")
    out = b.output(DOUBLE, rows * columns, "out")
    with b.each(rows * columns) as i:
        row, column = split_index(i, (rows, columns))
        turned = b.load(c, flat_index((column, row), (columns, rows)))
        b.store(out, i, b.load(x, row) * b.load(y, column) + turned)
    return b.finish()


def softmax(rows: int = 6, columns: int = 1000) -> Kernel:
    """Rows for teams: a largest element, a sum of exponentials, a quotient."""
    b = KernelBuilder("softmax")
    x, y = (f(SINGLE, rows * columns, n) for f, n in ((b.input, "x"), (b.output, "y")))
    with b.each(rows, "parallel", work=columns * 2.0) as row:
        largest: list = []
        with b.each(columns, reductions=largest) as j:
            v = b.load(x, row * columns + j)
            largest.append(b.reduction("max", v, -INFINITY, "largest"))
        total: list = []
        with b.each(columns, reductions=total) as j:
            e = kernels.exp(b.load(x, row * columns + j) - largest[0].out)
            b.store(y, row * columns + j, e)
            total.append(b.reduction("+", e, 0, "total"))
        with b.each(columns) as j:
            at = row * columns + j
            b.store(y, at, b.load(y, at) / total[0].out)
    return b.finish()


def layer_norm(rows: int = 40, columns: int = 100) -> Kernel:
    """Rows for warps: mean and variance, through a local buffer of the row."""
    b = KernelBuilder("layer_norm")
    x, scale = b.input(SINGLE, rows * columns, "x"), b.input(SINGLE, columns, "scale")
    y = b.output(SINGLE, rows * columns, "y")
    with b.each(rows, "parallel", work=columns * 2.0) as row:
        centred = b.local(SINGLE, columns, "centred")
        mean: list = []
        with b.each(columns, reductions=mean) as j:
            mean.append(b.reduction("+", b.load(x, row * columns + j), 0, "total"))
        average = mean[0].out / float(columns)
        squares: list = []
        with b.each(columns, reductions=squares) as j:
            v = b.load(x, row * columns + j) - average
            b.store(centred, j, v)
            squares.append(b.reduction("+", v * v, 0, "squares"))
        deviation = kernels.sqrt(squares[0].out / float(columns) + 1e-5)
        with b.each(columns) as j:
            # Reads what another lane wrote: the row from its end.
            v = b.load(centred, (columns - 1) - j)
            b.store(y, row * columns + j, v / deviation * b.load(scale, j))
    return b.finish()


def mean(count: int = 40_000) -> Kernel:
    """A reduction of a whole array, and what follows from it."""
    b = KernelBuilder("mean")
    x, y = b.input(SINGLE, count, "x"), b.output(SINGLE, 1, "y")
    total: list = []
    with b.each(count, reductions=total) as i:
        total.append(b.reduction("+", b.load(x, i), 0, "total"))
    b.store(y, 0, total[0].out / float(count))
    return b.finish()


def normalised(count: int = 3000) -> Kernel:
    """Two reductions of one loop, then a map that uses both."""
    b = KernelBuilder("normalised")
    x, y = b.input(DOUBLE, count, "x"), b.output(DOUBLE, count, "y")
    found: list = []
    with b.each(count, reductions=found) as i:
        v = b.load(x, i)
        found.append(b.reduction("min", v, INFINITY, "low"))
        found.append(b.reduction("max", v, -INFINITY, "high"))
    width = found[1].out - found[0].out
    with b.each(count) as i:
        b.store(y, i, (b.load(x, i) - found[0].out) / width)
    return b.finish()


def column_sums(rows: int = 20, columns: int = 1100) -> Kernel:
    """A loop in order in each thread."""
    b = KernelBuilder("column_sums")
    x, y = b.input(SINGLE, rows * columns, "x"), b.output(SINGLE, columns, "y")
    with b.each(columns, work=rows * 1.0) as j:
        add = lambda i, total: [total + b.load(x, i * columns + j)]
        (total,) = b.for_(rows, [Number(0, SINGLE)], add, ["total"])
        b.store(y, j, total)
    return b.finish()


def mandelbrot(size: int = 30, most: int = 40) -> Kernel:
    """A loop of each thread's own, whose number of trips depends on the data."""
    b = KernelBuilder("mandelbrot")
    re, im = b.input(DOUBLE, size, "re"), b.input(DOUBLE, size, "im")
    out = b.output("int32", size * size, "counts")
    with b.each(size * size, work=500.0) as i:
        row, column = split_index(i, (size, size))
        a, c = b.load(re, column), b.load(im, row)
        inside = lambda x, y, n: (x * x + y * y <= 4.0) & (n < most)
        step = lambda x, y, n: (x * x - y * y + a, 2.0 * x * y + c, n + 1)
        start = (Number(0, DOUBLE), Number(0, DOUBLE), Number(0, "int32"))
        *_, n = b.while_(start, inside, step, ("x", "y", "n"))
        b.store(out, i, n)
    return b.finish()


def _collatz_steps(b: KernelBuilder, start: ir.Operand) -> ir.Operand:
    def step(n: ir.Operand, steps: ir.Operand) -> tuple:
        even = b.compute("rest", n, 2) == 0
        half, odd = (lambda: [b.compute("quotient", n, 2)]), (lambda: [n * 3 + 1])
        return b.if_(even, half, odd)[0], steps + 1

    return b.while_((start, b.long(0)), lambda n, _: n != 1, step, ("n", "steps"))[1]


def collatz() -> Kernel:
    """A program of scalars: one thread."""
    b = KernelBuilder("collatz")
    n, out = b.parameter(LONG, "n"), b.output(LONG, 1, "out")
    b.store(out, 0, _collatz_steps(b, n))
    return b.finish()


def collatz_each(count: int = 300) -> Kernel:
    """The same in each thread; the number of its steps for the longest."""
    b = KernelBuilder("collatz_each")
    out, most = b.output(LONG, count, "steps"), b.output(LONG, 1, "most")
    longest: list = []
    with b.each(count, reductions=longest, work=300.0) as i:
        steps = _collatz_steps(b, i + 1)
        b.store(out, i, steps)
        longest.append(b.reduction("max", steps, 0, "longest"))
    b.store(most, 0, longest[0].out)
    return b.finish()


def rotation(count: int = 300) -> Kernel:
    """Small matrices in local arrays, with loops that have to be unrolled: none is in memory."""
    b = KernelBuilder("rotation")
    x, y = b.input(SINGLE, count * 9, "x"), b.output(SINGLE, count * 9, "y")
    with b.each(count, work=30.0) as i:
        m, product = b.local(SINGLE, 9, "m"), b.local(SINGLE, 9, "product")

        def fill(k):
            b.store(m, k, b.load(x, i * 9 + k))
            return []

        def entry(k):
            row, column = split_index(k, (3, 3))
            add = lambda n, t: [t + b.load(m, row * 3 + n) * b.load(m, n * 3 + column)]
            (total,) = b.for_(3, [Number(0, SINGLE)], lambda n, t: add(n, t), ["total"])
            b.store(product, k, total)
            return []

        def back(k):
            b.store(y, i * 9 + k, b.load(product, k))
            return []

        b.for_(9, [], fill)
        b.for_(9, [], entry)
        b.for_(9, [], back)
    return b.finish()


def newton_gradient(count: int = 200) -> Kernel:
    """The gradient of a loop in each thread: records, linked from the last to the first."""
    b = KernelBuilder("newton_gradient")
    given, out = b.input(DOUBLE, count, "a"), b.output(DOUBLE, count, "gradient")
    with b.each(count, work=500.0) as i:
        a = b.load(given, i, "a")
        unsolved = lambda x, n, at: (kernels.fabs(x * x - a) > 1e-9 * a) & (n < 100)

        def forward(x, n, last):
            at = b.reserve(16)
            b.store(b.record(LONG, 1, at, 0, "link"), 0, last)
            b.store(b.record(DOUBLE, 1, at, 8, "kept"), 0, x)
            return 0.5 * (x + a / x), n + 1, at

        _, n, last = b.while_((a, b.long(0), b.long(0)), unsolved, forward, ("x", "n", "last"))

        def backward(_, at, cotangent, gradient):
            x = b.load(b.record(DOUBLE, 1, at, 8, "kept"), 0, "x")
            before = b.load(b.record(LONG, 1, at, 0, "link"), 0)
            half = 0.5 * cotangent
            return before, half - half * a / (x * x), gradient + half / x

        start = (last, Number(1, DOUBLE), Number(0, DOUBLE))
        _, rest, gradient = b.for_(n, start, backward, ("at", "cotangent", "gradient"))
        b.store(out, i, gradient + rest)
    return b.finish()


def recurrence(steps: int = 7, batch: int = 110, width: int = 40) -> Kernel:
    """A loop of the host around products of matrices and maps."""
    b = KernelBuilder("recurrence")
    size = batch * width
    x, w = b.input(SINGLE, steps * size, "x"), b.input(SINGLE, width * width, "w")
    out, h = b.output(SINGLE, size, "h"), b.temporary(SINGLE, size, "product")
    with b.each(size) as i:
        b.store(out, i, Number(0, SINGLE))

    def step(t):
        zero = b.long(0)
        strides = (width, width, width)
        b.add(ir.Multiply(out, w, h, batch, width, width, zero, zero, zero, *strides))
        b.written(h)
        with b.each(size) as i:
            b.store(out, i, kernels.tanh(b.load(h, i) + b.load(x, t * size + i)))
        return []

    b.for_(steps, [], step)
    return b.finish()


def power_iteration(size: int = 10_000) -> Kernel:
    """A loop of the host that ends when a reduction says so."""
    b = KernelBuilder("power_iteration")
    x, y = b.input(DOUBLE, size, "x"), b.output(DOUBLE, size, "y")
    count = b.output(LONG, 1, "trips")
    with b.each(size) as i:
        b.store(y, i, b.load(x, i))

    def halve(residual, n):
        found: list = []
        with b.each(size, reductions=found) as i:
            v = b.load(y, i) * 0.5
            b.store(y, i, v)
            found.append(b.reduction("max", kernels.fabs(v), 0, "residual"))
        return found[0].out, n + 1

    start = (Number(INFINITY, DOUBLE), b.long(0))
    _, n = b.while_(start, lambda r, n: r > 1e-3, halve, ("residual", "n"))
    b.store(count, 0, n)
    return b.finish()


def gather(count: int = 3000, table: int = 17) -> Kernel:
    """Indices of the caller's, checked: a kernel that may give up."""
    b = KernelBuilder("gather")
    indices, x = b.input(LONG, count, "indices"), b.input(SINGLE, table, "x")
    y, total = b.output(SINGLE, count, "y"), b.output(SINGLE, 1, "total")
    found: list = []
    with b.each(count, reductions=found) as i:
        at = b.load(indices, i)
        at = kernels.select(at < 0, at + table, at)
        b.check((at >= 0) & (at < table))
        v = b.load(x, at)
        b.store(y, i, v)
        found.append(b.reduction("+", v, 0))
    b.store(total, 0, found[0].out)
    return b.finish()


def gather_rows(rows: int = 30, columns: int = 50) -> Kernel:
    """Checked indices that one loop of a team stores and the next one uses unchecked."""
    b = KernelBuilder("gather_rows")
    indices, x = b.input(LONG, rows * columns, "indices"), b.input(SINGLE, columns, "x")
    y = b.output(SINGLE, rows * columns, "y")
    with b.each(rows, "parallel", work=1e5) as row:
        kept = b.local(LONG, columns, "kept")
        with b.each(columns) as j:
            at = b.load(indices, row * columns + j)
            b.check((at >= 0) & (at < columns))
            b.store(kept, j, at)
        with b.each(columns) as j:
            b.store(y, row * columns + j, b.load(x, b.load(kept, (columns - 1) - j)))
    return b.finish()


def sum_checked() -> Kernel:
    """An int64 that may overflow, in one thread."""
    b = KernelBuilder("sum_checked")
    x, y = b.parameter(LONG, "x"), b.parameter(LONG, "y")
    out = b.output(LONG, 3, "out")
    for k, name in enumerate(("add", "subtract", "multiply")):
        b.store(out, k, b.compute(f"{name}_checked", x, y))
    return b.finish()


def in_place(count: int = 3000) -> Kernel:
    """An output that is an input's memory."""
    b = KernelBuilder("in_place")
    x, y = b.input(DOUBLE, count, "x"), b.output(DOUBLE, count, "y")
    b.share(x, y)
    with b.each(count) as i:
        b.store(y, i, b.load(x, i) * 2.0)
    with b.each(count) as i:
        b.store(y, i, b.load(y, i) + 1.0)
    return b.finish()


# Kernels whose threads must not use local memory, on any architecture.
STANDARD = {
    f.__name__: f
    for f in (
        selu,
        broadcast,
        softmax,
        layer_norm,
        mean,
        normalised,
        column_sums,
        mandelbrot,
        collatz,
        collatz_each,
        rotation,
        newton_gradient,
        recurrence,
        power_iteration,
        gather,
        gather_rows,
        in_place,
    )
}


def arguments(kernel: Kernel, seed: int = 0) -> list:
    """Arrays of numbers from the normal distribution, positive ones for what needs them."""
    generator = np.random.default_rng(seed)
    given: list = []
    for x in kernel.inputs:
        if isinstance(x, ir.Var):
            given.append(27)
        elif x.dtype.kind == "i":
            given.append(generator.integers(0, 17, x.size).astype(x.dtype))
        else:
            values = generator.standard_normal(x.size)
            if kernel.name == "newton_gradient":
                values = np.abs(values) + 0.1
            if kernel.name == "recurrence":
                values *= 0.1
            given.append(values.astype(x.dtype))
    return given
