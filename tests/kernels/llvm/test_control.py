"""Control flow in kernels as LLVM code, on scalars and under masks, against the interpreter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.llvm import Target
from ops.core import kernels
from tests.kernels.llvm.support import Native, check, host
from tests.kernels.random_kernels import RandomKernel

WIDTHS = [
    {},
    {"vector_bytes": 16, "masked_memory": False},
    {"vector_bytes": 32},
]


@pytest.fixture(params=range(len(WIDTHS)), ids=["host", "sse", "avx2"])
def target(request) -> Target:
    return replace(host(), **WIDTHS[request.param])


def collatz(b: KernelBuilder, n):
    def step(n, steps):
        (following,) = b.if_(
            kernels.rest(n, 2) == 0, lambda: (kernels.quotient(n, 2),), lambda: (3 * n + 1,)
        )
        return following, steps + 1

    return b.while_((n, b.long(0)), lambda n, steps: n != 1, step, ("n", "steps"))[1]


def test_a_loop_of_scalars():
    b = KernelBuilder("collatz")
    n, steps = b.parameter("int64", "n"), b.output("int64", 1, "steps")
    b.store(steps, 0, collatz(b, n))
    check(b.finish(), 27)


@pytest.mark.parametrize("count", [1, 7, 100])
def test_a_loop_of_each_lane(count, target):
    b = KernelBuilder("collatz")
    n, steps = b.input("int64", count, "n"), b.output("int64", count, "steps")
    with b.each(count) as i:
        b.store(steps, i, collatz(b, b.load(n, i)))
    check(b.finish(), np.arange(1, count + 1), target=target)


def mandelbrot(count: int, dtype: str, limit: int = 40) -> ir.Kernel:
    b = KernelBuilder("mandelbrot")
    re, im = b.input(dtype, count, "re"), b.input(dtype, count, "im")
    trips, last = b.output("int64", count, "trips"), b.output(dtype, count, "last")
    zero = ir.Number(0, dtype)
    with b.each(count) as i:
        cr, ci = b.load(re, i), b.load(im, i)
        zr, _, n = b.while_(
            (zero, zero, b.long(0)),
            lambda zr, zi, n: (zr * zr + zi * zi <= 4) & (n < limit),
            lambda zr, zi, n: (zr * zr - zi * zi + cr, 2 * (zr * zi) + ci, n + 1),
            ("zr", "zi", "n"),
        )
        b.store(trips, i, n)
        b.store(last, i, zr)
    return b.finish()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [3, 64, 133])
def test_lanes_leave_a_loop_at_different_times(count, dtype, target):
    points = np.linspace(-2, 0.7, count)
    check(mandelbrot(count, dtype), points, points / 3, target=target)


def test_a_side_without_lanes_is_skipped_and_reads_nothing(target):
    """The table has one element: only lanes that want it may read it."""
    b = KernelBuilder("guarded")
    n, table, y = b.input("int64", 50, "n"), b.input("float32", 1, "t"), b.output("float32", 50)
    with b.each(50) as i:
        v = b.load(n, i)
        (found,) = b.if_(
            v == 0,
            lambda: (b.load(table, v * 1_000_000_000_000),),
            lambda: (ir.Number(2, "float32"),),
        )
        b.store(y, i, found)
    check(b.finish(), np.arange(50) % 3, np.array([5.0]), target=target)


def test_lanes_that_are_not_active_do_not_divide_by_zero(target):
    for dtype in ("int64", "int32", "uint8"):
        b = KernelBuilder("divided")
        n, y = b.input(dtype, 50, "n"), b.output(dtype, 50, "y")
        with b.each(50) as i:
            v = b.load(n, i)
            (found,) = b.if_(
                v != 0, lambda: (kernels.quotient(ir.Number(100, dtype), v),), lambda: (v,)
            )
            b.store(y, i, found)
        check(b.finish(), np.arange(50) % 4, target=target)


def test_a_check_fails_in_active_lanes_only(target):
    def kernel(limit: int) -> ir.Kernel:
        b = KernelBuilder("checked")
        n, y = b.input("int64", 50, "n"), b.output("int64", 50, "y")
        with b.each(50) as i:
            v = b.load(n, i)
            b.if_(v > limit, lambda: (b.check(v != 3), ())[1])
            b.store(y, i, v)
        return b.finish()

    check(kernel(3), np.arange(50), target=target)
    native = check(kernel(2), np.arange(50), target=target)
    assert native(np.arange(50))[0] == 1


@pytest.mark.parametrize("function", ["add_checked", "subtract_checked", "multiply_checked"])
def test_overflow_is_noticed(function, target):
    for big in (5, 2**62 + 1, -(2**63)):
        b = KernelBuilder("overflow")
        n, m, y = b.input("int64", 9), b.parameter("int64"), b.output("int64", 9)
        with b.each(9) as i:
            b.store(y, i, b.compute(function, b.load(n, i), m))
        last = b.output("int64", 1)
        b.store(last, 0, b.compute(function, m, ir.Number(1, "int64")))
        check(b.finish(), np.arange(9) * 2 - 5, big, target=target)


def test_a_check_in_a_chunk_of_a_thread():
    b = KernelBuilder("late")
    x, y = b.input("float64", 300_000), b.output("float64", 300_000)
    with b.each(300_000, work=10) as i:
        v = b.load(x, i)
        b.check(v >= 0)
        b.store(y, i, v)
    native = Native(b.finish())
    data = np.ones(300_000)
    assert native(data)[0] == 0
    data[-1] = -1
    assert native(data)[0] == 1


def test_local_memory_of_each_lane(target):
    """A stack that each lane fills and empties, with heights that differ."""
    b = KernelBuilder("stacks")
    n, y = b.input("int64", 77, "n"), b.output("float64", 77, "y")
    with b.each(77) as i:
        height = b.load(n, i)
        stack = b.local("float64", 8, "stack")

        def push(k, x):
            b.store(stack, k, x)
            return (x * 2 + b.cast(k, "float64"),)

        (top,) = b.for_(height, [b.cast(i, "float64")], push)

        def pop(k, total):
            return (total / 2 + b.load(stack, height - 1 - k),)

        b.store(y, i, b.for_(height, [top], pop)[0])
    check(b.finish(), np.arange(77) * 5 % 9, target=target)


@pytest.mark.parametrize("lanes", [None, 60])
def test_records_of_a_loop_of_unknown_length(lanes, target):
    """A list of records, from the last to the first, as gradients of loops read them."""
    b = KernelBuilder("records")
    n, y = b.input("int64", lanes or 1, "n"), b.output("float64", lanes or 1, "y")

    def trip(i):
        limit = b.load(n, i)

        def grow(k, x, last):
            at = b.reserve(16)
            b.store(b.record("int64", 1, at, 0), 0, last)
            b.store(b.record("float64", 1, at, 8), 0, x)
            return k + 1, x * 1.5 + 1, at

        _, x, last = b.while_(
            [b.long(0), b.cast(i, "float64"), b.long(0)], lambda k, x, last: k < limit, grow
        )

        def shrink(at, total):
            value = b.load(b.record("float64", 1, at, 8), 0)
            return b.load(b.record("int64", 1, at, 0), 0), total * 0.5 + value

        _, total = b.while_([last, x], lambda at, total: at != 0, shrink)
        b.store(y, i, total)

    if lanes:
        with b.each(lanes) as i:
            trip(i)
    else:
        trip(b.long(0))
    data = np.arange(60) * 7 % 40 if lanes else np.array([300])
    check(b.finish(), data, target=target)


@pytest.mark.parametrize("pairs", [False, True])
def test_records_read_back_by_a_loop_whose_trips_are_counted(pairs, target):
    """Lanes that left the first loop early join the second one late. With ``pairs``, every second
    lane starts at another record than its neighbours."""
    b = KernelBuilder("read_back")
    n, y, z = b.input("int64", 60), b.output("float64", 60), b.output("bool", 60)
    with b.each(60) as i:
        limit = b.load(n, i)

        def grow(k, x, last):
            at = b.reserve(24)
            b.store(b.record("int64", 1, at, 0), 0, last)
            b.store(b.record("float64", 1, at, 8), 0, x)
            b.store(b.record("bool", 1, at, 16), 0, x > 10)
            return k + 1, x * 1.5 + 1, at

        count, x, last = b.while_(
            [b.long(0), b.cast(i, "float64"), b.long(0)], lambda k, x, last: k < limit, grow
        )
        if pairs:
            odd = (i & 1) * kernels.select(count > 0, ir.Number(1, "int64"), b.long(0))
            (last,) = b.if_(
                odd == 1, lambda: (b.load(b.record("int64", 1, last, 0), 0),), lambda: (last,)
            )
            count = count - odd

        def shrink(k, at, total, flag):
            value = b.load(b.record("float64", 1, at, 8), 0)
            flag = flag ^ b.load(b.record("bool", 1, at, 16), 0)
            return b.load(b.record("int64", 1, at, 0), 0), total * 0.5 + value, flag

        start = [last, x, x > 3]
        _, total, flag = b.for_(count, start, shrink)
        b.store(y, i, total)
        b.store(z, i, flag)
    native = check(b.finish(), np.arange(60) * 7 % 23, target=target)
    assert "%remaining = phi" in native.text


def test_long_integers_are_divided_exactly(target):
    """As floats if they are small, else one by one."""
    edges = [1, 2, 3, 7, 2**31, 2**50 - 1, 2**51 - 1, 2**51, 2**53 + 1, 2**63 - 1]
    values = np.array([*edges, *(-x for x in edges), -(2**63)])
    x, y = (v.ravel() for v in np.meshgrid(values, [v for v in values if v != -1]))
    small = np.abs(np.where(x == -(2**63), 0, x)) < 2**51
    small &= np.abs(np.where(y == -(2**63), 0, y)) < 2**51
    for p, q in ((x, y), (x[small], y[small]), (x[small] * 3 - 1, y[small])):
        b = KernelBuilder("long_division")
        dividend, divisor = b.input("int64", p.size), b.input("int64", p.size)
        outputs = [b.output("int64", p.size) for _ in range(2)]
        with b.each(p.size) as i:
            u, v = b.load(dividend, i), b.load(divisor, i)
            b.store(outputs[0], i, kernels.quotient(u, v))
            b.store(outputs[1], i, kernels.rest(u, v))
        check(b.finish(), p, q, target=target)


def test_a_loop_without_end_for_lanes_that_are_not_active(target):
    """Lanes that do not enter keep a state with which the loop would never end."""
    b = KernelBuilder("endless")
    n, y = b.input("int64", 40, "n"), b.output("int64", 40, "y")
    with b.each(40) as i:
        v = b.load(n, i)
        (found,) = b.if_(
            v > 0, lambda: b.while_([v], lambda k: k != 0, lambda k: (k - 1,)), lambda: (v,)
        )
        b.store(y, i, found)
    check(b.finish(), np.arange(40) % 5 - 2, target=target)


COUNTS = [0, 1, 7, 33, 64, 70]


@pytest.mark.parametrize("seed", range(48))
def test_random_kernels(seed):
    mode = ["vector", "vector", "parallel", "none"][seed % 4]
    made = RandomKernel(seed, COUNTS[seed % len(COUNTS)], mode)
    check(made.kernel, *made.inputs, target=replace(host(), **WIDTHS[seed % 3]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 1500))
def test_more_random_kernels(seed):
    mode = ["vector", "vector", "parallel", "none"][seed % 4]
    made = RandomKernel(seed, COUNTS[seed % len(COUNTS)], mode)
    check(made.kernel, *made.inputs, target=replace(host(), **WIDTHS[seed % 3]))
