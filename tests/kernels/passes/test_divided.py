"""Quotients, rests and bits of integers: what is known of them leaves out checks of places and of
64 bits, and only those that hold."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels import program
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check, host_statements

A = np.random.default_rng(0).normal(size=(9, 9))


@pytest.fixture(autouse=True)
def native_code_has_to_be_made(monkeypatch):
    monkeypatch.setattr(program, "VERIFY", True)


def checks(function, *args):
    """How many checks the kernels of a function are left with."""
    found = 0
    for made in ag.to_graph(function).kernels(*args).values():
        for s in ir.walk(for_host(made.kernel).body):
            checked = isinstance(s, ir.Compute) and s.function.endswith("_checked")
            found += checked or isinstance(s, ir.Check)
    return found


def cells(a):
    k, total = 0, 0.0
    while 0 <= k < 81:
        total = total * 0.5 + a[k // 9, k % 9]
        k += 1 if total < 3.0 else 2
    return total


def boxes(a):
    total = 0.0
    for i in range(9):
        for j in range(9):
            for t in range(9):
                total = total * 0.5 + a[i // 3 * 3 + t // 3, j // 3 * 3 + t % 3]
    return total


def around(a):
    n, m = a.shape
    total = 0.0
    for i in range(n):
        for j in range(m):
            total = total * 0.5 + a[(i + 1) % n, (j - 1) % m] - a[(i - 2) % n, j]
    return total


def halves(a):
    x = np.cumsum(np.abs(a[0]))
    found = np.zeros(20, np.int64)
    for q in range(20):
        low, high = 0, len(x)
        while low < high:
            middle = (low + high) >> 1
            if x[middle] < q:
                low = middle + 1
            else:
                high = middle
        found[q] = low
    return found


def parents(a):
    x = a[0] * 1.0
    for i in range(1, len(x)):
        j = i
        while j > 0 and x[(j - 1) // 2] < x[j]:
            x[j], x[(j - 1) // 2] = x[(j - 1) // 2], x[j]
            j = (j - 1) // 2
    return x


def masked(a):
    x = np.zeros(16)
    h = 7
    for k in range(50):
        h = (h * 29 + k) & 1023
        x[h & 15] += a[k % 9, (h >> 4) % 9]
        x[(h ^ k) & 7] += 1.0
    return x


INSIDE = [cells, boxes, around, halves, parents, masked]


@pytest.mark.parametrize("function", INSIDE)
def test_no_checks_are_left(function):
    assert np.array_equal(ag.to_graph(function)(A), function(A))
    assert checks(function, A) == 0


def from_the_end(a, k):
    total = 0.0
    for _ in range(20):
        total = total * 0.5 + a[k // 4, -(k % 5) - 1] + a[k >> 2, (k | 1) // 4]
        k -= 3
    return total


@pytest.mark.parametrize("k", [30, 25, 29, 35, 36, -8, 10**18])
def test_places_from_the_end_and_outside(k):
    compiled = ag.to_graph(from_the_end)
    try:
        expected = from_the_end(A, k)
    except IndexError:
        with pytest.raises(IndexError):
            compiled(A, k)
    else:
        assert compiled(A, k) == expected


def table(xs, y):
    found = np.zeros((len(xs), 4), np.int64)
    for i in range(len(xs)):
        found[i, 0] = xs[i] // y
        found[i, 1] = xs[i] % y
        found[i, 2] = 2 * (i - 7) // y * 3 - (i - 7) // y
        found[i, 3] = (i - 9) % y + (9 - i) % y
    return found


XS = np.array([0, 1, 2, 7, 8, 9, 63, 64, 2**31, 2**62, 2**63 - 1])
XS = np.concatenate([XS, -XS, -XS - 1])


@pytest.mark.parametrize("y", [1, 2, 3, 8, 9, 64, 2**40, 2**63 - 1, -1, -2, -3, -9, -(2**62)])
def test_signs(y):
    with np.errstate(all="ignore"):
        expected = table(XS, y)
        assert np.array_equal(ag.to_graph(table)(XS, y), expected)
        fixed = ag.to_graph(lambda xs: table(xs, y))
        assert np.array_equal(fixed(XS), expected)


def bits(xs, y):
    found = np.zeros((len(xs), 4), np.int64)
    for i in range(len(xs)):
        x = xs[i]
        found[i] = [(x >> 3) & 31, x & y, (x & 255) | (y & 63), (x & 255) ^ (i & 7)]
    return found


@pytest.mark.parametrize("y", [0, 1, 63, -1, -64, 2**62])
def test_bits(y):
    assert np.array_equal(ag.to_graph(bits)(XS, y), bits(XS, y))


def lifted_bits(x, n):
    """Python's ``1 << i`` of what is known to fit."""
    new, h = 0, 0
    for i in range(40):
        if x[i] > 0:
            new |= 1 << i
        h = ((h << 5) ^ (h >> 2) ^ i) & 0xFFFFFFFF
        h = (h ^ ((h & 0xFFFF) << i)) & 0xFFFFFFFF if i < 30 else h
    return new, h


def too_many_bits(x, n):
    new = 0
    for i in range(70):
        if i < n:
            new |= 3 << i
    return new


def bits_of_the_run(x, n):
    h = 1
    for i in range(n):
        h = (h << 1) | 1
    return h


def test_bits_that_fit_are_not_checked():
    x = np.random.default_rng(0).normal(size=40)
    assert ag.to_graph(lifted_bits)(x, 3) == lifted_bits(x, 3)
    assert checks(lifted_bits, x, 3) == 0


@pytest.mark.parametrize("function", [too_many_bits, bits_of_the_run])
def test_bits_beyond_64_are_pythons(function):
    x = np.zeros(3)
    compiled = ag.to_graph(function)
    for n in (3, 61, 62, 63, 64, 69):
        assert compiled(x, n) == function(x, n)
    assert checks(function, x, 3) > 0


def goes_around(x, n, before, after, most):
    """Places that go around once, or more often, or are no places."""
    y, places = np.zeros(max(n, 0)), 0
    for i in range(n):
        y[i] = x[(i + 1) % n] - 2 * x[i] + 3 * x[(i - 1) % n]
        y[i] += 5 * x[(i + n) % n] + 7 * x[(i - n) % n] + 11 * x[(2 * i) % n]
        places += (i + n) // n + 10 * ((i - n) // n) + 100 * ((i - 1) // n)
        places += (i + before) % n - 3 * ((i - after) % n) + (i + before) // n
    k = 0
    for i in range(12):
        k = (k + 1) % most if i % 5 else (k - 1) % most
        places = 3 * places + k + 7 * (k // most) + (k - most) // most
    return y, places, k


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 3, 7, 16])
def test_what_goes_around(n):
    x = np.arange(20.0) ** 2
    compiled = ag.to_graph(goes_around)
    for before, after, most in ((1, 1, 1), (0, 2, 3), (5, 40, 5), (-30, 17, 16)):
        expected, found = (f(x, n, before, after, most) for f in (goes_around, compiled))
        assert np.array_equal(found[0], expected[0]) and found[1:] == expected[1:]


def ring(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[(i + 1) % n] - x[(i - 1) % n]
    return y


def test_neighbours_on_a_ring_are_found_without_a_division():
    x = np.arange(30.0)
    f = ag.to_graph(ring)
    assert np.array_equal(f(x, 30), ring(x, 30))
    (kernel,) = f.kernels(x, 30).values()
    functions = {getattr(s, "function", "") for s in ir.walk(for_host(kernel.kernel).body)}
    assert "-" in functions and not {"rest", "quotient"} & functions


def multiples(x):
    found = 0
    for v in x:
        k = int(v)
        if k % 100 == 0 and k % -7 != 0:
            found += 1
        found ^= k % 3 == 0
        found += 2 * (k % -12 == 0) + (k % 4 != 0)
    return found


def test_a_multiple_is_one_whichever_the_sign_of_a_rest():
    """The rest was rounded down to ask whether it is 0."""
    x = np.arange(-3000, 3000)
    check(multiples, x)
    statements = [s for s in host_statements(multiples, x) if isinstance(s, ir.Compute)]
    rests = {s.out: s.operands[1].value for s in statements if s.function == "rest"}
    asked = [s.operands[0] for s in statements if s.function in ("==", "!=")]
    assert {100, -7, 3, -12} <= {rests.get(operand) for operand in asked}
