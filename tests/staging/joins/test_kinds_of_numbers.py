"""Where Python tells its own numbers from NumPy's, and scalars from arrays without axes."""

import math

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_kinds_of_numbers(call):
    call.run()


class Above:
    """An object that is true above two."""

    def __init__(self, x):
        self.x = x

    def __bool__(self):
        return self.x > 2


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


@programs(3.0)
@programs(np.float64(3.0))
@programs(np.array(3.0))
def truth_of_an_object(x):
    return 1 if Above(x) else 2


@programs(np.float32(1.0))
def truth_in_a_loop(x):
    steps = 0
    while not Above(x):
        x += 1
        steps += 1
    return steps


@programs(3)
@programs(0)
@programs(-1)
@programs(np.True_)
def length_of_an_object(n):
    return 1 if Sized(n) else 2


@programs(3)
@programs(True)
@programs(np.int64(3))
@programs(np.True_)
@programs(np.array(2))
@programs(np.array(True))
def integers_of_math(n):
    return math.isqrt(n), math.gcd(n, 2), math.factorial(n), math.comb(3, n)


@programs(3)
@programs(True)
@programs(np.int64(3))
@programs(np.array(3))
def an_exponent(n):
    return math.ldexp(1.5, n)


@programs(3)
@programs(np.uint8(3))
@programs(np.True_)
@programs(np.array(True))
@programs(np.float64(3.0))
@programs(3.0)
def bounds_of_a_range(n):
    return sum(i for i in range(n))


@programs(2**63 - 1)
@programs(np.int64(2**63 - 1))
@programs(np.uint64(2**64 - 1))
@programs(np.array(7))
def floors_of_integers(n):
    return math.floor(n), math.ceil(n)


@programs(True)
@programs(np.True_)
@programs(np.complex64(2))
@programs(1 + 2j)
def rounded_to_one_digit(x):
    return round(x, 1)


@programs(2.0, 3)
@programs(2.0, np.int64(3))
@programs(2.0, np.True_)
def a_width_of_a_text(x, n):
    return "%*.*f" % (n, n, x)  # noqa: UP031


@programs(3.0)
@programs(np.array([3]))
def a_text_for_integers(n):
    return f"{n:d}"


# -- scalars and arrays ----------------------------------------------------------------------------


@programs(np.array(2.0))
@programs(np.float64(2.0))
@programs(2.0)
@programs(np.arange(3.0))
def scalar_types(x):
    return np.float32(x), np.int8(x), np.bool_(x), np.complex64(x), np.float64(x), x


@programs(np.array(2.0))
def a_cast_is_an_array(x):
    y = x.astype(np.float32)
    return isinstance(y, np.ndarray), isinstance(np.float32(x), np.ndarray), y


@programs(np.arange(3.0))
def a_scalar_type_copies_nothing(x):
    y = np.float64(x)
    y[0] = 5.0
    return y


@programs(7)
@programs(2.5)
def rounded_by_numpy(x):
    return np.round(x), np.round(x, 1), np.clip(x, 1, 5)


@programs(2, np.array([0, 3], np.uint32))
@programs(2.5, np.array([0, 3], np.float32))
def clipped_numbers(x, bounds):
    return np.clip(x, bounds, bounds + 1)


@programs(np.array([25.5, 7.0]))
def rounded_to_many_digits(x):
    return np.round(x, 309), np.round(x, -400)


@programs(np.uint8(254), 300)
@programs(np.uint8(254), -129)
@programs(np.array([1, 2], np.uint64), -7)
def close_to_an_int(x, y):
    return np.isclose(x, y), np.allclose(x, y)


@programs(2.5)
def rounded_without_computing_the_power(x):
    return np.round(x, 100000), np.round(x, -100000)


@programs(3, 2.0)
@programs(1, 2.0)
def the_name_of_the_type(a, b):
    m = max(a, b)
    return type(m).__name__, type(m).__qualname__


@programs(1.0)
@programs(-1.0)
def the_name_of_a_function(x):
    f = np.sin if x > 0.0 else np.cos
    return f.__name__, f(x)
