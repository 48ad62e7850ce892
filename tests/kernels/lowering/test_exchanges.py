"""Arrays that a loop exchanges from trip to trip, which is done without copies."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check


def two(x, n):
    a, b = x * 1, x * 2
    for i in range(n):
        for j in range(1, x.shape[0] - 1):
            b[j] = a[j - 1] + a[j + 1] - i
        a, b = b, a
    return a + 0, b + 0


def three(x, n):
    a, b, c = x * 1, x * 2, x * 3
    for i in range(n):
        c[1:] = a[:-1] - b[1:] + i
        a, b, c = b, c, a
    return a - 2 * b, c + 0


def nested(x, n):
    a, b = x * 1, x * 2
    for _ in range(n):
        for i in range(3):
            b[i] = a[i + 1] % 5
            a, b = b, a
        a[0] += b[1]
        a, b = b, a
    return a + b, a - b


def with_a_shift(x, n):
    a, b, c = x * 1, x * 2, x * 3
    for i in range(n):
        c[i] += a[i + 1]
        a, b = b, a
        b[2:4] = c[1:3]
        c = a + b
    return a + 0, b + 0, c


def as_long_as(x, n):
    a, b = x * 1, x * 2
    i = 0
    while i < n:
        for j in range(1, x.shape[0] - 1):
            b[j] = a[j - 1] + a[j + 1] - i
        a, b = b, a
        i += 1
    return a + 0, b + 0, i


def as_long_as_a_number_is_not_zero(x, n):
    a, b = x * 1, x * 2
    while n:
        b[1:] = a[:-1] - n
        a, b = b, a
        n -= 1
    return a + 0, b + 0


def asks_arrays(x, n):
    a, b, c = x * 1, x * 2, x * 3
    left = n
    while a[1] + 100 * left > b[2]:
        b[1:] = a[:-1] // 2 + c[1:]
        c[left] = a[0] + b[left]
        a, b = b, a
        left -= 1
    return a - 2 * b, c + 0, left


def one_that_comes_from_another(x, n):
    a, b, c = x * 1, x * 2, x * 3
    i = 0
    while i < n:
        b[i] += a[i + 1] + c[i]
        c = a + 1
        a, b = b, a
        i += 1
    return a + 0, b + 0, c


def inside_of_another(x, n):
    a, b = x * 1, x * 2
    k = 0
    while k < n:
        i = 0
        while i < k:
            b[i] = a[i + 1] % 5
            a, b = b, a
            i += 1
        a[0] += b[1]
        a, b = b, a
        k += 1
    return a + b, a - b


PROGRAMS = [two, three, nested, with_a_shift]
PROGRAMS += [
    as_long_as_a_number_is_not_zero,
    as_long_as,
    asks_arrays,
    one_that_comes_from_another,
    inside_of_another,
]


@pytest.mark.parametrize("count", [0, 1, 4, 5])
@pytest.mark.parametrize("function", PROGRAMS)
def test_exchanges(function, count):
    x = np.random.default_rng(0).integers(-3, 6, 40)
    check(function, x, count)
    check(lambda x: function(x, count), x.astype(float), kernels="some")


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("count", [0, 3, 4])
def test_complex_numbers(count, dtype):
    check(as_long_as, np.arange(40).astype(dtype) * (1 - 2j), count)


def test_an_error_in_a_trip_is_that_of_python():
    check(two, np.arange(3), 4)
    check(with_a_shift, np.arange(9.0), 9, kernels=None)


@pytest.mark.parametrize("function", [two, three, as_long_as])
def test_nothing_is_copied_in_a_trip(function):
    compiled = ag.to_graph(lambda x: function(x, 6))
    (kernel,) = (k.kernel for k in compiled.kernels(np.arange(300.0)).values())
    (loop,) = (s for s in kernel.body.statements if isinstance(s, ir.For | ir.While))
    copies = [s for s in ir.walk(loop.body) if isinstance(s, ir.Each) and s.count.value == 300]
    assert not copies
