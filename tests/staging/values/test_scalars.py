"""Python numbers and NumPy scalars: types, promotion, division, overflow, errors at run time."""

import itertools
import math
import operator

import numpy as np
import pytest

from tests.support.oracle import Programs, check, compiled

programs = Programs()


@programs.test
def test_scalars(call):
    call.run()


NUMBERS = [7, -7, 0, 2, 2.5, -0.5, 0.0, np.float64(2.5), np.float32(0.5), np.int32(-3), np.int64(4)]
NUMBERS += [1 + 2j, np.float64(0.0), np.int8(100), np.bool_(True), True]


def arithmetic(a, b):
    return a + b, a - b, a * b


def true_division(a, b):
    return a / b


def floor_division(a, b):
    return a // b


def remainder(a, b):
    return a % b


def power(a, b):
    return a**b


def comparisons(a, b):
    return a == b, a != b


def order(a, b):
    return a < b, a <= b, a > b, a >= b


def bits(a, b):
    return a & b, a | b, a ^ b


def shifts(a, b):
    return a << b, a >> b


def unary(a, b):
    return -a, +a, abs(a), not b


def division_and_remainder(a, b):
    return divmod(a, b)


BINARY = [arithmetic, true_division, floor_division, remainder, comparisons, order, unary]
BINARY += [division_and_remainder]


@pytest.mark.costly
@pytest.mark.parametrize("function", BINARY)
def test_pairs_of_numbers(function):
    for a, b in itertools.product(NUMBERS, NUMBERS):
        check(function, a, b)


INTEGERS = [6, 3, -5, np.int32(3), np.int64(12), np.uint8(200), True, np.bool_(False)]


@pytest.mark.parametrize("function", [bits, shifts, arithmetic, floor_division, remainder])
def test_pairs_of_integers(function):
    for a, b in itertools.product(INTEGERS, INTEGERS):
        check(function, a, b)


@pytest.mark.parametrize("a", [2, -2, 2.5, 0.0, 0, np.float64(-8.0), np.int64(3), np.float32(2)])
@pytest.mark.parametrize("b", [2, 0, 0.5, 3.0, np.int64(2), np.float64(0.5)])
def test_powers(a, b):
    with np.errstate(all="ignore"):
        result = power(a, b)
    if isinstance(result, complex):
        with pytest.raises(ValueError, match="needs a result of type float"):
            compiled(power)(a, b)
    else:
        check(power, a, b)


def test_negative_power_of_an_int():
    check(power, 2, 3)
    with pytest.raises(ValueError, match=r"2 \*\* -1 is 0.5, of type float"):
        compiled(power)(2, -1)


ARRAYS = [np.array([1.5, -2.0], dtype=np.float32), np.array([3, -4], dtype=np.int32)]
ARRAYS += [np.array([1.5, -2.0]), np.array([3, 4]), np.array([True, False])]
ARRAYS += [np.array([1 + 1j, 2], dtype=np.complex64), np.array(2.0, dtype=np.float32)]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_arrays_with_numbers(array):
    for number in NUMBERS:
        if number is True and array.dtype == bool:
            continue  # NumPy has no difference of booleans
        check(operator_sums, array, number)
        check(operator_sums, number, array)


def operator_sums(a, b):
    return a + b, a * b


@programs(3)
@programs(0)
def division_by_zero_is_an_error(n):
    return 6 / n


@programs(0.0)
@programs(np.float64(0.0))
@programs(np.array([0.0, 1.0]))
def division_by_zero_of_floats(x):
    return 1.0 / x


@programs(0)
@programs(np.int64(0))
def remainder_of_zero(n):
    return 7 % n


@programs(-1.0)
@programs(4.0)
def square_root_of_python_float(x):
    return math.sqrt(x)


@programs(-1.0)
@programs(4.0)
def square_root_of_numpy(x):
    return np.sqrt(x)


@programs(2)
def negative_power_of_int(n):
    return n**-1, n**-2


@programs(2, 3)
def traced_power_of_int(n, k):
    return n**k


@programs(2.7)
@programs(-2.7)
@programs(np.float64(-2.5))
def conversions(x):
    return int(x), float(x), bool(x), complex(x), round(x), math.floor(x), math.ceil(x)


@programs(2.675)
def rounding(x):
    return round(x, 2), round(x, 0), np.round(x, 1)


@programs(7)
def int_conversions(n):
    return int(n), float(n), bool(n), round(n), n / 2, n // 2, n * 0.5


@programs(3, 4.0, np.float32(5))
def extremes(a, b, c):
    return min(a, b), max(a, b, c), max([a, 1]), min(np.float64(2.0), b)


@programs(1.0, np.nan)
@programs(np.nan, 1.0)
def extremes_with_nan(a, b):
    return min(a, b), max(a, b), np.minimum(a, b), np.fmax(a, b)


@programs(0.0, -0.0)
def signed_zeros(a, b):
    return min(a, b), max(a, b), np.copysign(1.0, b), a * -1.0, -a


@programs(-7, 3)
@programs(7, -3)
@programs(-7.5, 2.0)
@programs(7.5, -2.0)
def signs_of_division(a, b):
    return a // b, a % b, divmod(a, b), math.fmod(a, b)


@programs(np.int8(127))
def overflow_wraps(n):
    return n + np.int8(1)


@programs(np.uint8(3))
def python_int_out_of_bounds(n):
    return n + 300


@programs(np.float32(1.0))
def float32_with_python_float(x):
    y = x * 0.1 + 1e-3
    return y, y * np.float64(1.0)


@programs(2.0)
def number_has_no_shape(x):
    return np.shape(x), np.ndim(x), np.size(x)


@programs(np.float64(2.0))
def numpy_scalar_has_a_shape(x):
    return x.shape, x.ndim, x.dtype, x.size, x.item(), x.astype(int)


@programs(np.array([1.0, 2.0]))
def elements_are_numpy_scalars(x):
    return x[0], x.sum(), x[0] + 1, float(x[1]), x.max() > 1


@programs(np.array([1, 2]))
def integer_reductions(x):
    return x.sum(), x.mean(), x.prod(), x.dot(x), x @ x, np.cumsum(x)


@programs(np.array([1, 2], dtype=np.int8))
def small_integer_reductions(x):
    return x.sum(), x.mean(), x.max(), x.prod(), np.var(x)


@programs(np.array([1, 2], dtype=np.float32))
def float32_reductions(x):
    return x.sum(), x.mean(), np.linalg.norm(x), np.dot(x, x), x.std()


@programs(np.array([True, False, True]))
def boolean_arithmetic(x):
    return x.sum(), x.mean(), x * 2, ~x, x & True, x.any(), x.all(), x + x


@programs(3)
def bool_of_comparison_in_arithmetic(n):
    return (n > 2) + 1, (n > 2) * 2.5, -(n > 5), (n > 2) / 2, True + n


@programs(True)
@programs(False)
def static_bool_in_arithmetic(b):
    return b + 1, b * 2.5, np.where(b, 1, 2)


@programs(3)
def isinstance_of_numbers(n):
    return isinstance(n, int), isinstance(n, float), isinstance(n, (int, str))


@programs(np.float64(1.5))
def isinstance_of_numpy(x):
    return isinstance(x, float), isinstance(x, np.floating), isinstance(x, np.ndarray)


@programs(np.array([1.5]))
def isinstance_of_arrays(x):
    return isinstance(x, np.ndarray), isinstance(x, float), isinstance(x[0], float)


@programs(1e308)
def float_overflow(x):
    return x * 10, np.exp(x)


@programs(700.0)
@programs(800.0)
def math_overflow_is_an_error(x):
    return math.exp(x)


@programs(0.0)
@programs(-1.0)
@programs(1.0)
def math_domain_is_an_error(x):
    return math.log(x)


@programs(1.5)
def math_functions(x):
    return math.sin(x), math.atan2(x, 2), math.hypot(x, 1.0), math.exp(x), math.pi * x, math.tanh(x)


@programs(1.5)
def numpy_function_of_python_float(x):
    return np.sin(x), np.exp(x) * x, np.abs(x), np.floor(x), np.add(x, 1), np.maximum(x, 2)


@programs(3)
def numpy_function_of_python_int(n):
    return np.sqrt(n), np.abs(n), np.add(n, 1), np.sum(n), np.square(n), np.sign(n)


@programs(3 + 4j)
def complex_numbers(z):
    return abs(z), z.real, z.imag, z.conjugate(), z * 2, z == 3 + 4j, z**2


@programs(2, 3)
def where_of_python_numbers(a, b):
    return np.where(a > b, a, b), np.where(a > b, 1, 2.5)


@programs(5)
def sums(n):
    return sum([n, 1.5, 2]), sum((n, n)), sum([])


@programs(np.array([1.0, 2.0, 3.0]))
def sum_of_an_array(x):
    return sum(x), max(x), min(x), len(x), any(x > 2), all(x > 2)


@programs(5)
def big_literals(n):
    return n + 2**40, n * 1e300


@pytest.mark.parametrize("name", ["add", "mul", "truediv", "floordiv", "mod", "pow"])
def test_operator_module(name):
    function = getattr(operator, name)

    def f(a, b):
        return function(a, b)

    check(f, 7.5, 2.0)
    check(f, 7, 2)


BOOLEANS = {
    "square": lambda b: b**2,
    "third power": lambda b: b**3,
    "real part": lambda b: (b.real, b.imag, b.conjugate()),
    "first of a range": lambda b: range(b, 5)[0],
    "bounds of a range": lambda b: (range(b, 5).start, range(b).stop),
    "element of a range": lambda b: range(3, 5)[b],
}


@pytest.mark.parametrize("name", BOOLEANS)
def test_pythons_booleans_are_ints(name):
    for n in (1, -1):
        check(lambda n: BOOLEANS[name](n > 0), n)


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint16])
def test_elements_of_ranges_are_pythons_ints(kind):
    check(lambda i: (range(3, 9)[i], range(i)[1]), kind(2))
