"""Sums of Python's ints are vectors, and right where parts of them, or all, leave 64 bits."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host


def total(x, t):
    for v in x:
        t += int(v)
    return t


def less(x, t):
    for i in range(len(x)):
        t -= int(x[i])
    return t


def some(x, t):
    c = 0
    for i in range(len(x)):
        if x[i] > t:
            c += int(x[i])
        else:
            c -= int(x[i])
    return c


def products(x, t):
    s = 0
    for i in range(len(x)):
        s += int(x[i]) * (int(x[i]) ^ 5)
    return s + t


def multiples(x, t):
    s, m = t, 0
    for i in range(len(x)):
        s += int(x[i]) * i
        s += int(x[i]) * -7
        m = max(m, int(x[i]) - i)
    return s, m


def counted(x, n):
    s = 0
    for i in range(n):
        v = i ^ (i >> 1)
        while v:
            v &= v - 1
            s += 1
    return s


def of_rows(x, t):
    s = t
    for i in range(len(x)):
        for j in range(i):
            s += int(x[j]) ^ i
    return s


PROGRAMS = [total, less, some, products, multiples, of_rows]


def outcome(function, *args):
    """What a function gives; None if that has more than 64 bits."""
    try:
        found = function(*args)
    except (OverflowError, ag.errors.AutographError):
        return None
    numbers = found if isinstance(found, tuple) else (found,)
    return None if any(not -(2**63) <= x < 2**63 for x in numbers) else repr(found)


@pytest.mark.parametrize("program", PROGRAMS)
def test_sums_are_pythons(program):
    r = np.random.default_rng(0)
    compiled = ag.to_graph(program)
    for size in (100, 40, 5, 1, 0, 64):
        for bits in (4, 31, 40, 53, 57, 62):
            x = r.integers(-(2**bits), 2**bits, size)
            for y in (x, np.abs(x)):
                assert outcome(compiled, y, 7) == outcome(program, y, 7)


def test_what_leaves_64_bits_on_the_way_comes_back():
    x = np.array([2**62] * 40 + [-(2**62)] * 40)
    assert outcome(ag.to_graph(total), x, 3) == outcome(total, x, 3) == "3"
    assert outcome(ag.to_graph(less), x, 3) == outcome(less, x, 3) == "3"


def test_numbers_of_trips_that_only_the_run_knows():
    compiled = ag.to_graph(counted)
    for n in (0, -3, 1, 31, 32, 33, 1000):
        assert compiled(None, n) == counted(None, n)


@pytest.mark.parametrize("program", [*PROGRAMS, counted])
def test_they_are_vectors(program):
    (function,) = ag.to_graph(program).kernels(np.arange(100), 3).values()
    kernel = for_host(function.kernel)
    assert any(isinstance(s, ir.Each) and s.reductions for s in ir.walk(kernel.body))
