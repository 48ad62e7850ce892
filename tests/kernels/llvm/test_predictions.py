"""Branches of which it is known which way they go, or that nobody knows it."""

import math

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag


def crc(data, poly):
    crc = 0xFFFF
    for byte in data:
        byte = int(byte)
        for _ in range(8):
            if (crc ^ byte) & 1:
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            byte >>= 1
    return crc


def odd_ones(x, poly):
    total = 0
    for k in range(len(x)):
        if x[k] % 2 == 1:  # in order: neither sums nor bits alone
            total = (total ^ k) + 1
    return total & poly


def larger(x, poly):
    best = 0
    for k in range(len(x)):
        if x[k] > best:
            best = int(x[k]) | 1
    return best & poly


@pytest.mark.parametrize("program, is_random", [(crc, True), (odd_ones, True), (larger, False)])
def test_bits_of_data_are_not_foreseen(program, is_random):
    compiled, x = ag.to_graph(program), np.random.default_rng(0).integers(0, 256, 50)
    for data in (x, x.astype(np.uint8)):
        assert compiled(data, 0x8408) == program(data, 0x8408)
        assert ("!unpredictable" in str(compiled.kernels(data, 0x8408))) is is_random


def eigenvalues_below(d, e, x):
    count, q = 0, 1.0
    for i in range(len(d)):
        q = d[i] - x - e[i] / q
        if q == 0:
            q = 1e-300
        if q < 0:
            count += 1
    return count, q


def continued_fraction(d, e, x):
    f, c = 1.0, 1.0
    for i in range(len(d)):
        c = d[i] + e[i] / c
        if abs(c) < 1e-30:
            c = 1e-30
        f *= c
    return f, x


def clipped(d, e, x):
    for i in range(len(d)):
        x = x * d[i] + e[i]
        if x < 0.0:
            x = 0.0
    return x, x


@pytest.mark.parametrize(
    "program, is_guard", [(eigenvalues_below, True), (continued_fraction, True), (clipped, False)]
)
def test_what_is_not_divided_by_is_rare(program, is_guard):
    compiled = ag.to_graph(program)
    d, e = np.random.default_rng(0).integers(-2, 3, (2, 30)).astype(float)
    for x in (0.0, 1.0, -0.0, np.nan):
        np.testing.assert_array_equal(compiled(d, e, x), program(d, e, x))
    assert ("rare:" in str(compiled.kernels(d, e, 1.0))) is is_guard


def trips_to_one(start, step):
    x, trips = start, 0
    while x > 1:
        if x % 2 == 0:
            x //= 2
        else:
            x = step * x + 1
        trips += 1
    return x, trips


def test_a_side_that_is_not_taken_may_leave_64_bits():
    compiled = ag.to_graph(trips_to_one)
    assert "!unpredictable" in str(compiled.kernels(27, 3))
    # Three times the even numbers on the way is more than 64 bits hold; those of the last, which
    # are odd, as well.
    for start in (27, 2**62, 3 * 2**60, 2**62 - 1, 2**63 - 1):
        assert compiled(start, 3) == trips_to_one(start, 3)


def lengths_of_trips(starts):
    lengths = np.zeros(len(starts), dtype=np.int64)
    for i in range(len(starts)):
        x, trips = int(starts[i]), 0
        while x > 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            trips += 1
        lengths[i] = trips
    return lengths


def test_products_in_lanes_may_leave_64_bits():
    compiled = ag.to_graph(lengths_of_trips)
    for starts in (np.arange(100), np.array([2**62, 3 * 2**60, 2**63 - 1])):
        np.testing.assert_array_equal(compiled(starts), lengths_of_trips(starts))


def multiples(factor):
    def program(x):
        out = np.zeros(len(x), dtype=np.int64)
        for i in range(len(x)):
            v = int(x[i]) * factor
            while v % 2 == 1:
                v -= 1
            out[i] = v
        return out

    return program


@pytest.mark.parametrize("factor", [1, -1, 2, 3, -3, -4, 7, 2**31, 2**62, 2**63 - 1, -(2**63)])
def test_known_multiples_in_lanes_are_checked(factor):
    compiled = ag.to_graph(multiples(factor))
    assert "mul <" in str(compiled.kernels(np.arange(64))) or factor in (1, -1)
    for end in (-(2**63), 2**63 - 1):
        near = end // factor
        for delta in (-1, 0, 1):
            x = np.zeros(64, np.int64)
            x[5] = min(max(near + delta, -(2**63)), 2**63 - 1)
            try:
                wanted = multiples(factor)(x)
            except OverflowError:
                with pytest.raises(OverflowError):
                    compiled(x)
            else:
                np.testing.assert_array_equal(compiled(x), wanted)


def slots(keys, empty):
    table = np.full(256, empty, dtype=np.int64)
    where = np.zeros(len(keys), dtype=np.int64)
    for i in range(len(keys)):
        key = int(keys[i])
        h = (key * 2654435761) & 255
        while table[h] != empty and table[h] != key:
            h = (h + 1) & 255
        table[h] = key
        where[i] = h
    return where


def stops(x, limit):
    k = 0
    while x > 1 and k != limit:
        x //= 2
        k += 1
    return x, k


def test_searches_have_one_branch():
    compiled = ag.to_graph(slots)
    keys = np.random.default_rng(0).integers(0, 150, 500)
    np.testing.assert_array_equal(compiled(keys, -1), slots(keys, -1))
    assert "!unpredictable" in str(compiled.kernels(keys, -1))
    compiled = ag.to_graph(stops)
    assert compiled(1000, 5) == stops(1000, 5)
    assert "!unpredictable" not in str(compiled.kernels(1000, 5))


def walk(x, start, bound):
    place = start
    for v in x:
        if (int(v) >> 2) & 1:
            place += 1
        else:
            place -= 1
        if place > bound or place == 3 - bound:
            break
    return place


def counted(x, start, bound):
    count = start
    for v in x:
        if int(v) & 1:
            count += 3
        if count == bound:
            break
    return count


def sides_apart(x, start, bound):
    place, other = start, bound
    for v in x:
        if int(v) & 1:
            place += other
        else:
            place = other - 2
        if place == 7:
            break
    return place


@pytest.mark.parametrize("program", [walk, counted, sides_apart])
def test_steps_that_bits_decide_have_no_branch(program):
    """The check of either side was a branch of its own, as hard to foresee as the bit."""
    compiled, x = ag.to_graph(program), np.random.default_rng(0).integers(0, 256, 500)
    for start, bound in ((0, 5), (5, 1000), (-3, 400)):
        assert compiled(x, start, bound) == program(x, start, bound)
    lines = str(compiled.kernels(x, 0, 1000)).splitlines()
    noted = [line for line in lines if "!unpredictable" in line]
    assert noted
    branches = [line for line in noted if "br i1" in line]
    assert all("gave_up" in line for line in branches)
    assert bool(branches) is (program is sides_apart)


@pytest.mark.parametrize("program", [walk, counted, sides_apart])
@pytest.mark.parametrize("start", [2**63 - 2, -(2**63) + 1])
def test_steps_that_leave_64_bits(program, start):
    """Only what the side that is taken leaves counts."""
    compiled, chosen = ag.to_graph(program), np.random.default_rng(1)
    for _ in range(20):
        x = chosen.integers(0, 256, 6)
        assert compiled(x, start, 2**63 - 1) == program(x, start, 2**63 - 1)


def test_a_step_down_by_the_least_integer():
    """Its negative is no int64: the sum wrapped."""

    def steps(x, start):
        place = start
        for v in x:
            if int(v) & 1:
                place -= -9223372036854775808
            else:
                place += 1
        return place

    compiled = ag.to_graph(steps)
    for start in (-(2**63), -1, 0, 5):
        for bits in ([1], [0, 1], [0, 0, 0]):
            x = np.array(bits)
            assert compiled(x, start) == steps(x, start)


def leap_years(years):
    leap = 0
    for y in years:
        if (y % 4 == 0 and y % 100 != 0) or y % 400 == 0:
            leap = (leap ^ int(y)) + 1
    return leap


def fizz(years):
    total = 0
    for y in years:
        if y % 3 == 0 or y % 5 < 2:
            total = (total ^ int(y)) + 1
    return total


def by_what_may_be_zero(years):
    total = 0
    for k in range(len(years)):
        d = int(years[k]) % 5
        if d != 0 and (k % d) % 7 == 0:
            total = (total ^ k) + 1
    return total


@pytest.mark.parametrize(
    "program, is_random", [(leap_years, True), (fizz, True), (by_what_may_be_zero, False)]
)
def test_two_tests_of_rests_are_one(program, is_random):
    compiled = ag.to_graph(program)
    for dtype in (np.int64, np.int32, np.int16):
        years = np.random.default_rng(1).integers(-3000, 3000, 400).astype(dtype)
        assert compiled(years) == program(years)
        text = compiled.kernels(years)[program.__name__].llvm
        assert ("!unpredictable" in text) is is_random


def of_exponentials(xs):
    v = 0.0
    for i in range(len(xs)):
        v = 0.5 * v + math.exp(xs[i] - v)
    return v


def test_what_is_so_mostly_is_asked_first():
    """Only of a result that is not finite it is asked whether it may be infinite."""
    xs = np.linspace(-1.0, 2.0, 200)
    assert ag.to_graph(of_exponentials)(xs) == of_exponentials(xs)
    for last in (np.inf, -np.inf, np.nan):
        xs[-1] = last
        np.testing.assert_equal(ag.to_graph(of_exponentials)(xs), of_exponentials(xs))
    xs[-1] = 1000.0
    with pytest.raises(OverflowError, match="math range error"):
        ag.to_graph(of_exponentials)(xs)
    (kernel,) = ag.to_graph(of_exponentials).kernels(np.zeros(200)).values()
    assert "label %other" in str(kernel)
