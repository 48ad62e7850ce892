"""Integers near and beyond the ends of 64 bits, natively and as NumPy's program: Python's results,
or an error, and never what wraps around."""

import itertools
import math
import random

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same_outcome, outcome

ENDS = [-(2**63), -(2**63) + 1, -(2**53) - 1, -1, 0, 1, 6, 2**31, 2**53 + 1, 2**62, 2**63 - 1]
BEYOND = [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**30, -(10**30)]


pytestmark = pytest.mark.usefixtures("with_and_without_kernels")


def check_all(function, choices):
    """Each call has Python's result; both are errors if one is, and that of the same class."""
    compiled = ag.to_graph(function)
    for args in choices:
        found, expected = outcome(compiled, args), outcome(function, args)
        assert_same_outcome(found, expected)
        assert found.result == expected.result, args  # also the last bit of floats


def halved(a):
    return a // 2, a % 7, divmod(a, -1), a >> 70, -a, abs(a), ~a, a * a, a << 3


def as_floats(a):
    return (
        float(a),
        a / 3,
        a < 2.0**53 + 2,
        a == float(a),
        a * 0.5,
        int(float(a)),
        math.sqrt(abs(a)),
    )


def rounded(a):
    return round(a), math.floor(a), math.ceil(a), math.trunc(a), round(a, -2), int(a)


def roots(a):
    return math.isqrt(a) if a >= 0 else math.isqrt(-a)


def bits(a):
    return a.bit_length(), a.bit_count(), (a > 0).bit_length()


def divisors(a):
    return math.gcd(a, 0), math.gcd(a, 6), math.gcd(a, 2**40, 10**30), math.lcm(a, 1)


def lengths(a):
    return len(range(a)), len(range(0, a, 3)), len(range(5, a, -(2**61)))


@pytest.mark.parametrize("function", [halved, as_floats, rounded, roots, bits, divisors, lengths])
def test_of_one(function):
    check_all(function, [(a,) for a in ENDS + BEYOND])


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: (a + b, a - b, a * b, a & b, a | b, a ^ b),
        lambda a, b: (math.gcd(a, b), math.lcm(a, b)),
        lambda a, b: (a < b, a == b, a <= float(b), float(a) > b, a == float(b)),
        lambda a, b: (a // b, a % b, a / b) if b else (0, 0, 0.0),
        lambda a, b: (math.prod([a, b]), sum([a, b, -a]), abs(a - b), a**2 - b**2),
        lambda a, b: (a << (b % 70), a >> (b % 70), (a % 100) ** (b % 8)),
        lambda a, b: math.comb(a % 70, b % 70) + math.perm(a % 30, b % 30),
        lambda a, b: len(range(a, b)),
    ],
)
def test_of_two(function):
    check_all(function, itertools.product(ENDS, ENDS))


def trips(a, b):
    n, last = 0, 0
    for i in range(a, b):
        n, last = n + 1, i
        if n >= 5:
            break
    return n, last


def halvings(x, a, b):
    for i in range(a, b, 2**61):
        x = 0.5 * x + i
    return x


def listed(a, b):
    return [i for i in range(a, b, 2**62)]


@pytest.mark.parametrize("kind", [int, np.int64])
def test_ranges_of_any_width(kind):
    pairs = [(kind(a), kind(b)) for a, b in itertools.product(ENDS[::2], ENDS[::2])]
    check_all(trips, pairs)
    check_all(lambda a, b: halvings(0.5, a, b), pairs)
    check_all(listed, pairs)
    check_all(lambda a, b: len(range(a, b)), pairs)
    check_all(lambda a, b: 5 in range(a, b, 3), pairs)


def test_a_range_that_is_written_out():
    def function(x):
        n = 0
        for i in range(-(2**63), 2**63 - 1):
            n, x = n + 1, x + i
            if n > 3:
                break
        return n, x

    check_all(function, [(0,), (1.5,)])
    check_all(lambda x: (len(range(2**64)), x), [(1,)])
    check_all(lambda x: len(range(x)), [(2**64,), (2**63,), (2**63 - 1,)])


def factorial(n):
    product = 1
    for i in range(1, n + 1):
        product *= i
    return product


def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b, n = b, a + b, n - 1
    return a


def hashed(n):
    h = 5381
    for i in range(n):
        h = (h * 33 + i) % 2**64
    return h


def shifted(n):
    x = 88172645463325252
    for _ in range(n):
        x ^= (x << 13) & (2**64 - 1)
        x ^= x >> 7
        x ^= (x << 17) & (2**64 - 1)
    return x


@pytest.mark.parametrize("function", [factorial, fibonacci, hashed, shifted, math.factorial])
def test_what_grows_in_a_loop(function):
    check_all(lambda n: function(n), [(n,) for n in (0, 1, 3, 20, 21, 30, 95)])


def test_least_common_multiples_of_lanes():
    least = ag.vmap(lambda n: math.lcm(int(n), 3**30))
    assert least(np.array([2, 3])).tolist() == [2 * 3**30, 3**30]
    with pytest.raises(OverflowError):
        least(np.array([1, 2**40]))


EXPONENTS = [0, 3, -3, 5000, 2**31, -(2**31) - 1, 2**32, 2**32 + 1, -(2**40), 2**63 - 1, -(2**63)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_exponents_of_any_size(dtype):
    x = np.array([1.5, np.inf, -0.0, 3.0], dtype)
    kinds = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64]
    exponents = [k(n) for k in kinds for n in EXPONENTS if k(0) == n % 1 and n in range(*ends(k))]
    check_arrays(lambda x, n: np.ldexp(x, n), [(x, n) for n in exponents + EXPONENTS])
    check_arrays(lambda x, n: np.ldexp(x, n), [(x, np.array(EXPONENTS[-4:]))])
    check_arrays(lambda x, n: np.ldexp(x, n), [(x, np.uint32([0, 1, 100, 2**32 - 1]))])


def ends(kind):
    info = np.iinfo(kind)
    return int(info.min), int(info.max) + 1


def check_arrays(function, choices):
    compiled = ag.to_graph(function)
    for args in choices:
        assert_same_outcome(outcome(compiled, args), outcome(function, args))


# -- at random -------------------------------------------------------------------------------------

OPERATIONS = ["{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} // ({b} | 1)", "{a} % ({b} | 1)", "-{a}"]
OPERATIONS += [
    "abs({a})",
    "{a} & {b}",
    "{a} ^ {b}",
    "{a} << ({b} % 9)",
    "{a} >> ({b} % 90)",
    "~{a}",
]
OPERATIONS += ["max({a}, {b})", "math.gcd({a}, {b})", "math.lcm({a} % 99, {b})", "round({a})"]
OPERATIONS += ["{a} if {a} < {b} else {b}", "int({a} < float({b}))", "sum([{a}, {b}])", "{a} ** 2"]
OPERATIONS += ["int({a} / ({b} | 1))", "math.isqrt(abs({a}))", "len(range({a} % 9, {b} % 99, 3))"]


def random_program(rng, tmp_path, number):
    """A function of two ints that is a dozen operations, some of them in a loop."""
    names, lines = ["a", "b"], []
    for i in range(10):
        one, other = rng.choice(names), rng.choice(names)
        lines.append(f"    v{i} = " + rng.choice(OPERATIONS).format(a=one, b=other))
        names.append(f"v{i}")
    step = rng.choice(OPERATIONS).format(a="s", b=rng.choice(names))
    lines += ["    s = a", "    for _ in range(b % 5):", f"        s = {step}"]
    text = "\n".join(
        ["import math", "def program(a, b):", *lines, f"    return s, {names[-1]}, v5"]
    )
    path = tmp_path / f"program_{number}.py"
    path.write_text(text)
    scope = {}
    exec(compile(text, str(path), "exec"), scope)
    return scope["program"]


def near_an_end(rng):
    end = rng.choice([2**31, 2**53, 2**63, 2**64]) * rng.choice([1, -1])
    return end + rng.randint(-3, 3) if rng.random() < 0.7 else rng.randint(-(2**63), 2**63)


def check_random(rng, tmp_path, count):
    for number in range(count):
        function = random_program(rng, tmp_path, number)
        check_all(function, [(near_an_end(rng), near_an_end(rng)) for _ in range(12)])


def test_random_programs(tmp_path):
    check_random(random.Random(0), tmp_path, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 16))
def test_more_random_programs(tmp_path, seed):
    check_random(random.Random(seed), tmp_path, 12)


@pytest.mark.parametrize("distance", [-3, 3])
def test_arange_beyond_64_bits(distance):
    """There NumPy's dtype depends on the values; it never wraps around."""
    up = lambda n: np.arange(n, n + 3)
    down = lambda n: np.arange(n - 3, n)
    f = up if distance > 0 else down
    compiled = ag.to_graph(f)
    for n in (*ENDS, *BEYOND, 2**63 - 3, 2**63 - 4, -(2**63) + 3, -(2**63) + 2):
        if -(2**63) <= min(n, n + distance) and max(n, n + distance) < 2**63:
            np.testing.assert_array_equal(compiled(n), f(n), strict=True)
        else:
            with pytest.raises(OverflowError, match=r"arange\(\) is beyond 64 bits"):
                compiled(n)
