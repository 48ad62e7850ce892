"""A traced number to the left of an object whose class says what the operator does; and numbers
that are made of parts."""

import statistics

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs
from tests.support.refusals import refused

programs = Programs()


class Scaled:
    def __init__(self, value):
        self.value = value

    def __mul__(self, other):
        return Scaled(self.value * other)

    def __rmul__(self, other):
        return Scaled(other * self.value)

    def __radd__(self, other):
        return other + self.value

    def __rtruediv__(self, other):
        if other > 1.0:
            return other / self.value
        return -self.value

    def __rpow__(self, other):
        return other**2 + self.value

    def __rmod__(self, other):
        return "modulo", other


class Above(Scaled):
    __array_ufunc__ = None


@programs(2.0)
@programs(3)
def of_a_python_number(x):
    s = Scaled(4.0)
    return (x * s).value, x + s, x / s, x**s, x % s, (s * x).value


@programs(2.0)
@programs(np.float64(2.0))
@programs(np.float32(2.0))
@programs(np.arange(3.0))
def of_what_has_the_last_word(x):
    s = Above(x)
    return (x * s).value, x + s, (s * x).value


@programs(0.5)
@programs(3.0)
def in_a_loop(x):
    total = 0.0
    for _ in range(3):
        total = total + x / Scaled(x + 1.0)
        x = x + Scaled(0.5)
    return total, x


@programs(2.0, 3)
@programs(np.float32(0.5), -1.5)
@programs(float("inf"), float("nan"))
@programs(True, 2)
def complex_of_parts(x, y):
    return complex(x, y), complex(x, 1), complex(1, y), complex(imag=2.0, real=1.0), complex(x)


@programs(2.0, 0.1)
@programs(1e16, 1.0)
@programs(0.1, 0.7)
def averages(x, y):
    return statistics.mean([x, y, 2.5]), statistics.fmean([x, 3, y, x])


@programs.test
def test_programs(call):
    call.run()


def mean_with_one(x):
    return statistics.mean([x, 1])


def test_derivatives():
    assert ag.grad(lambda x: (x * Scaled(x)).value)(3.0) == 6.0
    assert ag.grad(lambda x: abs(complex(x, 4.0)))(3.0) == pytest.approx(0.6)
    assert ag.grad(lambda x: statistics.fmean([x * x, x, 1]))(3.0) == pytest.approx(7 / 3)
    assert "statistics" in refused(ag.errors.UnsupportedFunctionError, mean_with_one, 2)
    lanes = ag.vmap(lambda x: float(x) + Scaled(1.0))(np.arange(3.0))
    np.testing.assert_array_equal(lanes, [1.0, 2.0, 3.0])


def test_an_object_that_says_nothing_is_refused():
    class Nothing:
        pass

    nothing = Nothing()
    with pytest.raises(TypeError, match="AG0401"):
        ag.to_graph(lambda x: x * nothing)(2.0)
