"""Products of Python's ints that have more than 64 bits, of which less are needed."""

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

EDGES = (0, 1, -1, 2, 3, 10**9 + 7, 2**31, 2**32 - 1, 2**61 - 1, 2**62, 2**63 - 1, -(2**63))
EDGES += (3_037_000_498, -3_037_000_499, 3_037_000_500, 2**31 - 1, 2**32)  # of products of 64 bits


def rest(a, b, c, m):
    return a * b % m, (a * b + c) % m, (c + a * b) % m, (a * b - c) % m


def known_rest(a, b, c, m):
    return a * b % (2**61 - 1), (a * b + c) % 1000000007, (a * b - c) % (2**63 - 1)


def quotient(a, b, c, m):
    return (a * b + c) // m


def known_quotient(a, b, c, m):
    return (a * b - c) // (2**61 - 1)


def shifted(a, b, c, m):
    return a * b >> 64, (a * b + c) >> 65, (a * b - c) >> 100, (a * b + c) >> 127


def shifted_less(a, b, c, m):
    return (a * b + c) >> 32


def numbers(count, programs_seed):
    chosen = random.Random(programs_seed)
    for _ in range(count):
        yield tuple(
            chosen.choice(EDGES) if chosen.random() < 0.5 else chosen.getrandbits(64) - 2**63
            for _ in range(4)
        )


@pytest.mark.parametrize(
    "program", [rest, known_rest, quotient, known_quotient, shifted, shifted_less]
)
def test_products_of_128_bits(program):
    compiled = ag.to_graph(program)
    (function,) = compiled.kernels(3, 4, 5, 7).values()
    assert "i128" in str(function)
    for given in numbers(400, program.__name__):
        try:
            wanted = program(*given)
        except ZeroDivisionError:
            with pytest.raises(ZeroDivisionError):
                compiled(*given)
            continue
        assert compiled(*given) == wanted, given


@pytest.mark.parametrize("program", [rest, known_rest, known_quotient, shifted])
def test_the_kernel_does_not_give_up(program):
    (function,) = ag.to_graph(program).kernels(3, 4, 5, 7).values()
    kernel = function.kernel
    for a, b, c, m in numbers(40, program.__name__):
        given = (a, b, c, abs(m) % 2**63 or 1)
        wanted = np.atleast_1d(np.array(program(*given), object))
        if any(not -(2**63) <= x < 2**63 for x in wanted):
            continue
        results = [np.zeros(1, np.int64) for _ in wanted]
        used = [next(x for x, n in zip(given, "abcm") if v.name == n) for v in kernel.inputs]
        interpret(kernel, used, results)
        assert [int(x[0]) for x in results] == [*wanted]


def generator(seed, n):
    x, s = seed, 0
    for _ in range(n):
        x = x * 437799614237992725 % (2**61 - 1)
        s ^= x
    return s


def hashed(text, base):
    m, h = 2**61 - 1, 0
    for i in range(len(text)):
        h = (h * base + int(text[i])) % m
    return h


def rolling(text, n):
    m, base = 2**61 - 1, 911382323
    power, h, found = 1, 0, 0
    for i in range(n - 1):
        power = power * base % m
    for i in range(len(text)):
        if i >= n:
            h = (h - int(text[i - n]) * power) % m
        h = (h * base + int(text[i])) % m
        found ^= h
    return found


def power(b, e, m):
    r, b = 1, b % m
    while e > 0:
        if e & 1:
            r = r * b % m
        b = b * b % m
        e >>= 1
    return r


def is_prime(numbers):
    found = np.zeros(len(numbers), bool)
    for i in range(len(numbers)):
        n = int(numbers[i])
        d, s = n - 1, 0
        while d % 2 == 0:
            d //= 2
            s += 1
        good = True
        for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
            x, y, e = 1, a, d
            while e > 0:
                if e & 1:
                    x = x * y % n
                y = y * y % n
                e >>= 1
            if x == 1 or x == n - 1:
                continue
            witness = True
            for _ in range(s - 1):
                x = x * x % n
                if x == n - 1:
                    witness = False
                    break
            if witness:
                good = False
                break
        found[i] = good
    return found


def binomial(n, k):
    r = 1
    for i in range(k):
        r = r * (n - i) // (i + 1)
    return r


@pytest.mark.slow
@pytest.mark.parametrize(
    "program, arguments",
    [
        (generator, (12345, 100)),
        (hashed, (np.arange(100) % 26, 131313131)),
        (rolling, (np.arange(200) ** 2 % 26, 10)),
        (power, (123456789123, 2**60 + 12345, 2**61 - 1)),
        (power, (3, 10**18, 2**62 + 1)),
        (is_prime, (np.array([2**61 - 1, 2**62 + 1, 67280421310721, 10**18 + 9, 97]),)),
        (binomial, (66, 33)),
        (binomial, (70, 30)),
    ],
)
def test_programs(program, arguments):
    wanted = program(*arguments)
    compiled = ag.to_graph(program)
    found = compiled(*arguments)
    np.testing.assert_array_equal(found, wanted)
    assert type(found) is type(wanted)
    assert len(compiled.kernels(*arguments)) == 1


def in_lanes(x, y):
    out = np.zeros(len(x), np.int64)
    for i in range(len(x)):
        v, k = int(x[i]), 0
        while k < 5:
            v = (v * int(y[i]) + k) % (2**61 - 1)
            k += 1
        out[i] = v
    return out


def test_in_lanes():
    r = np.random.default_rng(0)
    x, y = r.integers(-(2**63), 2**63 - 1, (2, 50))
    np.testing.assert_array_equal(ag.to_graph(in_lanes)(x, y), in_lanes(x, y))
    check(in_lanes, x, y)


def also_read(a, b, m):
    p = a * b
    return (p + a) % m, p


def of_products(a, b, m):
    return (a * b % m) * (a * b % m) % m, (a * b + b * m) % m


@pytest.mark.parametrize("program", [also_read, of_products])
def test_products_that_are_needed_themselves(program):
    for given in ((3, 4, 5), (2**40, 2**41, 2**61 - 1), (2**62, 7, 10)):
        assert ag.to_graph(program)(*given) == program(*given)


def small(x, n):
    for _ in range(n):
        x = (1103 * x + 12345) % 65537
    return x


def test_what_fits_64_bits_is_divided_so():
    compiled = ag.to_graph(lambda x, n: small(x % 65537, n))
    assert compiled(12, 100) == small(12, 100)
    assert "i128" not in str(compiled.kernels(12, 100))


def shifted_by_63(x, y):
    high = (x * y) >> 63
    return (x - high * x) % 6364136223846793005


def quotient_of_a_sum(x, y):
    high = (x * y - 1) // 2**62
    return (x - high * x) % 6364136223846793005


def rest_of_a_mask(x, y):
    low = (x * y + 2**62) % 2**62
    return (x - low * x) % 6364136223846793005


@pytest.mark.parametrize("program", [shifted_by_63, quotient_of_a_sum, rest_of_a_mask])
def test_what_is_made_of_a_product_is_as_large_as_it_is(program):
    """The product was taken for one that is checked to have 64 bits: so `high` was 0."""
    compiled = ag.to_graph(program)
    chosen = random.Random(7)
    large = [2**63 - 2, 3_037_000_499, 1_518_500_249, -(2**63) + 1, *EDGES]
    for _ in range(200):
        x, y = chosen.choice(large), chosen.choice(large)
        assert compiled(x, y) == program(x, y)


def by_an_argument(x, y, c, m):
    out = np.zeros((5, len(x)), np.int64)
    for i in range(len(x)):
        out[0, i] = int(x[i]) * c >> 64
        out[1, i] = (int(x[i]) * c + int(y[i])) % m
        out[2, i] = (c * int(x[i]) - int(y[i])) % m
        out[3, i] = (int(x[i]) * c + 5) % 1000003
        out[4, i] = int(x[i]) * c % m
    return out


def shifted_by_an_argument(x, c):
    total = 0
    for i in range(len(x)):
        total ^= int(x[i]) * c >> 32
    return total


def test_products_with_an_argument():
    chosen = random.Random(3)
    compiled, shifted = ag.to_graph(by_an_argument), ag.to_graph(shifted_by_an_argument)
    x, y = np.repeat(EDGES, len(EDGES)), np.tile(EDGES, len(EDGES))
    for c in EDGES:
        m = chosen.choice([1, 3, 10**9 + 7, 2**32, 2**61 - 1, 2**63 - 1])
        np.testing.assert_array_equal(compiled(x, y, c, m), by_an_argument(x, y, c, m))
        few = [v for v in EDGES if -(2**63) <= v * c >> 32 < 2**63]
        assert shifted(np.array(few), c) == shifted_by_an_argument(few, c)


def test_an_argument_is_divided_by_once():
    """Two bounds of each element were asked, one after the other."""
    (function,) = ag.to_graph(shifted_by_an_argument).kernels(np.arange(100), 3).values()
    kernel = for_host(function.kernel)
    *before, loop = [s for s in kernel.body if isinstance(s, ir.Each | ir.Compute)][:8]
    assert [s.function for s in before].count("quotient") == 1
    inside = [*ir.walk(loop.body)]
    assert sum(isinstance(s, ir.If) for s in inside) == 1
    assert not any(isinstance(s, ir.Compute) and s.function == "quotient" for s in inside)


def read_twice(x, y):
    product = x * y
    return product % 6364136223846793005, product >> 63, (x - (product >> 3)) % 6364136223846793005


def shifted_by_a_number(x, y, k):
    high = (x * y) >> k
    return (x - high * x) % 6364136223846793005


def taken_from(x, y):
    high = (y - x * y) >> 63
    return (x - high * x) % 6364136223846793005


def test_other_products_are_of_64_bits():
    """What is not computed in halves is checked: that bounds what is made of it."""
    chosen = random.Random(8)
    large = [2**63 - 2, 3_037_000_499, 1_518_500_249, -(2**63) + 1, *EDGES]
    compiled = {f: ag.to_graph(f) for f in (read_twice, shifted_by_a_number, taken_from)}
    for _ in range(100):
        x, y = chosen.choice(large), chosen.choice(large)
        assert compiled[read_twice](x, y) == read_twice(x, y)
        assert compiled[taken_from](x, y) == taken_from(x, y)
        k = chosen.choice([1, 31, 32, 63])
        assert compiled[shifted_by_a_number](x, y, k) == shifted_by_a_number(x, y, k)
