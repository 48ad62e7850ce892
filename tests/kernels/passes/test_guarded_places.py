"""Places known only at run time, from the end, far outside and beyond 64 bits: programs whose
loops look once whether all are inside give what Python gives."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels import program
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

A, B = np.random.default_rng(0).normal(size=(2, 40))


@pytest.fixture(autouse=True)
def native_code_has_to_be_made(monkeypatch):
    monkeypatch.setattr(program, "VERIFY", True)


def moved(b, a, start, offset, n):
    for q in range(n):
        b[q + start] = a[q + offset] * 2.0
    return b


def backwards(b, a, start, offset, n):
    for q in range(n):
        b[start - q] = a[offset - 2 * q] - b[q]
    return b


def summed(b, a, start, offset, n):
    total = 0.0
    for q in range(n):
        k = q + start
        total += a[k] * b[k + offset - start]
    return b, total


def in_a_branch(b, a, start, offset, n):
    for q in range(n):
        if a[q + offset] > 0.0:
            b[q + start] = a[q + start - 1]
    return b


def in_rows(b, a, start, offset, n):
    x, y = a.reshape(5, 8), 1.0 * b.reshape(5, 8)
    for i in range(5):
        for j in range(n):
            y[i, j + start] = x[i, j + offset] + y[i - 1, j + start]
    return y


def places(b, a, start, offset, n):
    """Numbers that are kept, and overflow before a place is read."""
    last = 0
    for q in range(n):
        last = q + start + offset
        b[q] = a[last - offset - start]
    return b, last


def with_numbers(b, a, start, offset, n):
    for q in range(n):
        b[3 * q + start] = a[start + offset - q]
    return b


def with_a_sign(b, a, start, offset, n):
    numbers = np.arange(40)
    last = 0
    for q in range(n):
        last = -numbers[q] - last
        b[q + start] = a[q + offset] + last
    return b, last


PROGRAMS = [with_a_sign, moved, backwards, summed, in_a_branch, in_rows, places, with_numbers]
INSIDE = [(3, 1, 5), (0, 0, 0), (1, 2, 6), (30, 39, 9)]
FROM_THE_END = [(-6, 3, 5), (3, -1, 2), (-3, -5, 6)]
OUTSIDE = [(39, 0, 2), (0, 39, 3), (-41, 0, 1), (2**62, 2**62, 3), (-(2**63), 5, 4), (50, 50, 0)]


@pytest.mark.parametrize("where", [*INSIDE, *FROM_THE_END, *OUTSIDE, (0, 0, -3)])
@pytest.mark.parametrize("function", PROGRAMS)
def test_what_is_computed_is_what_python_computes(function, where):
    check(function, B.copy(), A, *where, kernels=None)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128, np.int32, np.float32])
def test_of_other_dtypes(dtype):
    a, b = (np.arange(40).astype(dtype) for _ in "ab")
    check(moved, a, b, 3, 4, 30)
    check(moved, a, b, -30, 4, 30)


def quick_loops(function, *args):
    """The loops of a length known only at run time in which nothing is checked."""
    found = []
    for made in ag.to_graph(function).kernels(*args).values():
        for s in ir.walk(for_host(made.kernel).body):
            if not isinstance(s, ir.For | ir.Each) or isinstance(s.count, ir.Number):
                continue
            if not any(
                isinstance(x, ir.Check | ir.For)
                or (isinstance(x, ir.Compute) and x.function.endswith("_checked"))
                for x in ir.walk(s.body)
            ):
                found.append(s)
    return found


@pytest.mark.parametrize("function", [moved, backwards, summed, in_rows, with_numbers])
def test_nothing_is_checked_where_all_is_inside(function):
    assert quick_loops(function, B.copy(), A, 1, 1, 3)


def test_what_other_places_tell_is_checked():
    def scattered(b, a, numbers, n):
        for q in range(n):
            b[numbers[q]] = a[q]
        return b

    numbers = np.arange(40)[::-1].copy()
    assert not quick_loops(scattered, B.copy(), A, numbers, 40)
    check(scattered, B.copy(), A, numbers, 40)
    check(scattered, B.copy(), A, numbers + 1, 40, kernels=None)


def test_loops_in_others_are_vectors_where_they_are_long():
    """Of their trips nothing is known, and vectors take longer to begin than a few trips."""

    def halves(x, y):
        n, length = len(x), len(x) // 2
        while length >= 1:
            for p in range(n // length // 2):
                for q in range(length):
                    y[q + length * p] = x[q + length * p] + x[q + length * (p + 1)]
            length //= 2
        return y

    x = np.random.default_rng(1).normal(size=64)
    check(halves, x, np.zeros(64))
    (made,) = ag.to_graph(halves).kernels(x, np.zeros(64)).values()
    branches = [s for s in ir.walk(for_host(made.kernel).body) if isinstance(s, ir.If)]
    kinds = [[{type(x) for x in block} for block in (s.then, s.orelse)] for s in branches]
    assert [{ir.Each}, {ir.For}] in kinds
