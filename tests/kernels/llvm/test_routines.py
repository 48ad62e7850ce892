"""Kernels that call others of their own: once in the text, and with the same results."""

import numpy as np
import pytest

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.mathematics import expanded
from autograph.kernels.passes.splitting import split
from autograph.kernels.report import report
from ops.core import kernels

pytest.importorskip("llvmlite")

from tests.kernels.llvm.support import check

N = 7  # numbers that native code adds up one after another, as the interpreter does


def scaled_sum(least=None, table=False):
    """A routine: ``y = exp(x) * scale`` and the sum of it; with ``least`` it gives up below."""
    b = KernelBuilder("scaled_sum")
    x, scale = b.input("float64", N, "x"), b.parameter("float64", "scale")
    y, total = b.output("float64", N, "y"), b.output("float64", 1, "total")
    own = b.temporary("float64", N, "own")
    with b.each(N) as i:
        b.store(own, i, kernels.exp(b.load(x, i)))
    reductions: list = []
    with b.each(N, reductions=reductions) as i:
        value = b.load(own, i) * scale
        if table:
            value = value + b.load(b.constant(np.arange(float(N))), i)
        b.store(y, i, value)
        reductions.append(b.reduction("+", value, 0.0))
    if least is not None:
        b.check(reductions[0].out > least)
    b.store(total, 0, reductions[0].out)
    return b.finish()


def called_twice(routine):
    """A kernel that calls a routine for a part of its argument, and in a loop for the result."""
    b = KernelBuilder("twice")
    x, scale = b.input("float64", 12, "x"), b.parameter("float64", "scale")
    out, trips = b.output("float64", N + 1, "out"), b.output("int64", 1, "trips")
    y, total = b.temporary("float64", N, "y"), b.temporary("float64", 1, "total")
    z, last = b.temporary("float64", N, "z"), b.temporary("float64", 1, "last")
    b.call(routine, [(x, b.long(3)), scale], [y, total])

    def body(count, scale):
        b.call(routine, [(y, b.long(0)), scale], [z, last])
        with b.each(N) as i:
            b.store(y, i, b.load(z, i) * 0.125)
        return count + 1, b.load(last, 0) * 0.01

    count, scale = b.while_(
        [b.long(0), b.load(total, 0) * 0.01], lambda n, scale: (n < 5) & (scale < 1e3), body
    )
    with b.each(N) as i:
        b.store(out, i, b.load(y, i))
    b.store(out, N, scale)
    b.store(trips, 0, count)
    return b.finish()


X = np.linspace(-1.0, 1.0, 12)


@pytest.mark.parametrize("table", [False, True])
def test_it_is_called_for_parts_of_arrays_and_in_loops(table):
    kernel = expanded(split(called_twice(scaled_sum(table=table))))
    native = check(kernel, X, 0.5)
    assert native.text.count("define internal i32") == 1
    assert native.text.count("call i32 @scaled_sum(") == 2


@pytest.mark.parametrize("least", [0.0, 2.0, 1e9])
def test_what_gives_up_gives_up_for_all(least):
    for scale in (0.5, -1.0):
        check(expanded(called_twice(scaled_sum(least))), X, scale)


def test_routines_that_call_routines():
    inner = scaled_sum()
    b = KernelBuilder("outer")
    x, y = b.input("float64", N, "x"), b.output("float64", N, "y")
    made, total = b.temporary("float64", N), b.temporary("float64", 1)
    b.call(inner, [(x, b.long(0)), kernels.cast(b.long(2), np.dtype("float64"))], [made, total])
    with b.each(N) as i:
        b.store(y, i, b.load(made, i) - b.load(total, 0))
    outer = b.finish()
    b = KernelBuilder("kernel")
    x, y = b.input("float64", N, "x"), b.output("float64", N, "y")
    first, second = b.temporary("float64", N), b.temporary("float64", N)
    total = b.temporary("float64", 1)
    b.call(outer, [(x, b.long(0))], [first])
    b.call(inner, [(first, b.long(0)), b.load(x, 1)], [second, total])
    with b.each(N) as i:
        b.store(y, i, b.load(second, i) * b.load(total, 0))
    kernel = b.finish()
    assert set(kernel.routines) == {"outer", "scaled_sum"}
    assert not any(routine.routines for routine in kernel.routines.values())
    check(expanded(kernel), X[:N] * 0.1)


def test_what_the_results_held_before_is_forgotten():
    b = KernelBuilder("again")
    x, y = b.input("float64", N, "x"), b.output("float64", 1, "y")
    made, total = b.temporary("float64", N), b.temporary("float64", 1)
    b.store(total, 0, b.load(x, 0))
    before = b.load(total, 0)
    b.call(scaled_sum(), [(x, b.long(0)), before], [made, total])
    b.store(y, 0, b.load(total, 0) - before)
    check(expanded(b.finish()), X[:N])


def test_what_they_do_with_memory_is_reported():
    found = report(called_twice(scaled_sum()))
    in_loops = [p.in_loop for p in found.passes]
    assert in_loops == [False, False, True, True, True, False]
