"""The module ``math``: values, types and errors on every kind of number, and derivatives."""

import itertools
import math
import operator
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import Programs, check, check_grad

programs = Programs()
V = np.array([3.0, -1.0, 2.0])
NAN, INF = float("nan"), float("inf")
NUMBERS = [0.5, -0.5, 2.0, -2.5, 0.0, -0.0, 1.0, -1.0, 3, -3, 0, 40.2, 200.5, 800.0, INF, -INF, NAN]
NUMBERS += [np.float64(0.3), np.float32(0.3), np.array(0.25), np.array([0.25]), True, np.int32(2)]
UNARY = """sqrt exp expm1 log log2 log10 log1p sin cos tan sinh cosh tanh asin acos atan asinh acosh
atanh fabs degrees radians floor ceil trunc erf erfc gamma lgamma isnan isinf isfinite modf cbrt
exp2""".split()
BINARY = "atan2 fmod hypot copysign pow remainder isclose log".split()
REALS = [0.0, -0.0, 2.0, -2.5, INF, -INF, NAN, 3, 1e308, -1.0, 0.5, 1]
OF_INTEGERS = "gcd lcm comb perm".split()


@programs.test
def test_mathematics(call):
    call.run()


def of_module(name):
    """The function of ``math``, called from code of the user's."""
    if not hasattr(math, name):
        pytest.skip(f"this Python has no math.{name}")
    function = getattr(math, name)
    return lambda *args: function(*args)


@pytest.mark.parametrize("name", UNARY)
def test_of_one_number(name):
    function = of_module(name)
    for x in NUMBERS:
        check(function, x)


@pytest.mark.parametrize("name", BINARY)
def test_of_two_numbers(name):
    function = of_module(name)
    for args in itertools.product(REALS, REALS):
        check(function, *args)


@pytest.mark.parametrize("name", OF_INTEGERS)
def test_of_two_integers(name):
    function = of_module(name)
    for args in itertools.product((0, 4, 6, -3, 12, 2.0, 50), (0, 3, 8, -2, 12, True)):
        check(function, *args)


@pytest.mark.parametrize("n", [0, 1, 5, 20, -1, 2.0, True, 15, 16, 17])
def test_factorial_and_root(n):
    check(lambda n: math.factorial(n), n)
    check(lambda n: math.isqrt(n), n)
    check(lambda n: math.perm(n), n)


@pytest.mark.parametrize("n", [10**15 - 1, 10**15, 3037000499**2, 3037000499**2 - 1])
def test_roots_of_large_integers(n):
    check(lambda n: math.isqrt(n), n)


SMOOTH = [
    *(("sqrt", 2.0), ("exp", 0.5), ("expm1", 0.5), ("log", 2.0), ("log2", 2.0), ("log10", 2.0)),
    *(("log1p", 0.5), ("sin", 0.5), ("cos", 0.5), ("tan", 0.5), ("sinh", 0.5), ("cosh", 0.5)),
    *(("tanh", 0.5), ("asin", 0.5), ("acos", 0.5), ("atan", 0.5), ("asinh", 0.5), ("acosh", 1.5)),
    *(("atanh", 0.5), ("fabs", -0.5), ("degrees", 0.5), ("radians", 30.0), ("cbrt", 2.0)),
    *(("erf", 0.5), ("erfc", -0.5), ("gamma", 2.5), ("gamma", -1.5), ("lgamma", 0.3)),
    *(("lgamma", 12.5), ("exp2", 1.5)),
]


@pytest.mark.parametrize("name, x", SMOOTH)
def test_derivatives(name, x):
    check_grad(of_module(name), x)


@programs.smooth(1.5, 2.5)
def derivatives_of_two_numbers(x, y):
    return (
        math.hypot(x, y)
        + math.atan2(x, y) * math.pow(x, y)
        + math.log(x, y) * math.dist([x, 1.0], (y, x))
    )


@programs.smooth(7.3, 2.5)
def derivatives_of_remainders(x, y):
    return math.fmod(x, y) * math.remainder(x, y) + math.ldexp(x, 3) * math.copysign(x, -y)


@programs.smooth(V)
def derivatives_of_sums(v):
    return math.fsum(v) * math.prod(v) + math.fsum(a * a for a in v) + math.prod([v[0], 2], start=3)


@programs(1e16, 1.0)
def a_sum_rounded_once(x, y):
    return math.fsum([x, y, -x]), math.fsum([]), math.fsum([1, 2])


@programs(4, V)
def products(n, v):
    return math.prod(range(1, n)), math.prod([n, 2], start=2), math.prod([]), math.prod(v)


@programs(1.0, 2.0, 2.0)
def many_coordinates(x, y, z):
    return math.hypot(x, y, z), math.hypot(x), math.dist((x, y, z), [1, 2, 3]), math.hypot()


@programs(V)
def distance_between_arrays(v):
    return math.dist(v, v + 1.0)


@programs((1.0,), (2.0, 3.0))
def distance_between_points_of_different_dimensions(p, q):
    return math.dist(p, q)


@programs(1.0, 1.05)
@programs(1.0, 1.5)
def closeness(x, y):
    return math.isclose(x, y, rel_tol=0.1), math.isclose(x, y, abs_tol=0.1), math.isclose(x, x)


@programs(1.0)
def tolerances_below_zero(x):
    return math.isclose(x, 2.0, rel_tol=-0.1)


@programs(1.5, 3)
@programs(0.0, 3)
@programs(INF, 3)
@programs(1.0, 5000)
@programs(1.0, -5000)
@programs(1.5, 2.0)
def scaled_by_a_power_of_two(x, i):
    return math.ldexp(x, i)


@programs(12, 8)
@programs(-12, 0)
def common_divisors(x, y):
    return math.gcd(x, y, 4), math.gcd(x), math.lcm(x, y, 4), math.gcd(), math.lcm(y)


@programs("a")
@programs(1j)
def not_a_number(x):
    return math.sqrt(x)


@programs(2.0)
def constants(x):
    return math.pi * x + math.e + math.tau, math.inf > x, math.nan


@programs(3.0, 2.0)
def operators_as_functions(x, y):
    return (
        operator.add(x, y) * operator.sub(x, y) / operator.truediv(x, y),
        operator.lt(x, y),
        operator.eq(x, y),
        operator.neg(operator.pow(x, y)),
        operator.truth(x),
        operator.not_(x),
        operator.abs(-x),
        operator.floordiv(x, y),
        operator.mod(x, y),
    )


@pytest.mark.parametrize(
    "function",
    [lambda x: math.frexp(x), lambda x: math.nextafter(x, 3.0), lambda x: math.ulp(x)],
)
def test_refused(function):
    with pytest.raises(errors.ConcreteValueError) as caught:
        ag.to_graph(function)(2.0)
    assert caught.value.fix


@pytest.mark.parametrize(
    "function, x",
    ((math.exp, 1000.0), (math.log, 0.0), (math.sqrt, -1.0), (math.acos, 2.0), (math.sin, INF)),
)
def test_what_has_no_value_is_an_error_without_a_warning(function, x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(lambda x: function(x), x)
