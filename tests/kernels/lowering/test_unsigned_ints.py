"""Ints of 64 bits without a sign, beside Python: nothing wraps that Python does not mask."""

import logging

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag

MASK = 2**64 - 1
EDGES = [0, 1, 2**63 - 1, 2**63, MASK]
OUTSIDE = [-1, -(2**63), -(2**63) - 1, 2**64, 2**70 + 3]


def xorshift(x, n):
    total = 0
    for _ in range(n):
        x ^= (x << 13) & MASK
        x ^= x >> 7
        x ^= (x << 17) & MASK
        total ^= x
    return x, total


def splitmix(x, n):
    total = 0
    while n > 0:
        n -= 1
        x = (x + 0x9E3779B97F4A7C15) & MASK
        z = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        total ^= z ^ (z >> 31)
    return total


def congruential(x, n):
    least, total = 1.0, 0.0
    for i in range(n):
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        least = min(least, x / 2**64)
        total += (x >> 11) / 2**53 + x * 0.5 + float(x)
        if x % 1000 == i and x > 5:
            break
    return x, least, total


def rotated(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK


def xoshiro(x, n):
    a, b, c, d = x, 2, 3, 4
    found = 0
    for i in range(n):
        found += rotated((b * 5) & MASK, 7) * 9 & MASK & 1023
        t = (b << 17) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = rotated(d, 45 + i % 3)
    return found, a, d


def automaton(x, n):
    ones = 0
    for _ in range(n):
        left = ((x << 1) | (x >> 63)) & MASK
        right = ((x >> 1) | (x << 63)) & MASK
        x = left ^ (x | right)
        rest = x & MASK
        while rest:
            rest &= rest - 1
            ones += 1
        ones += x.bit_count()
    return x, ones


def quotients(x, n):
    """Divisions and comparisons of what is beyond 2**63."""
    found = 0
    for i in range(n):
        x = (x * 0x5851F42D4C957F2D + i) & MASK
        if x >= 2**63 or x == i:
            found += x // 2**60 + x % 10
        elif x < 12345 * (i + 1):
            found -= 1
        x = x // (i + 1) if x != 7 else x
    return x, found


class Stream:
    def __init__(self, state):
        self.state = state

    def draw(self):
        self.state = (self.state * 6364136223846793005 + 1) & MASK
        return self.state >> 33


def drawn(x, n):
    stream, counts = Stream(x), np.zeros(7, np.int64)
    for _ in range(n):
        counts[stream.draw() % 7] += 1
    return stream.state, counts


def written(x, n):
    found, rounded = np.zeros(4, np.uint64), np.zeros(4)
    for i in range(min(n, 4)):
        x = (x * 6364136223846793005 + 1) & MASK
        found[i], rounded[i] = x, x
    return found, rounded


def hashed(x, n):
    """FNV-1a, of signed and unsigned elements of arrays."""
    found = 14695981039346656037 ^ (x & MASK)
    for number in (np.arange(n) - 2) * 1234567890123:
        found = ((found ^ int(number)) * 1099511628211) & MASK
    return found


def short(x, n):
    """Products of 32 bits leave 64 bits with a sign."""
    h = x & 0xFFFFFFFF
    for i in range(n):
        k = ((i * 0xCC9E2D51) & 0xFFFFFFFF) * 0x1B873593
        h = ((h ^ k) * 0xE6546B64 + 5) & 0xFFFFFFFF
        h ^= h >> 16
    return h


PROGRAMS = [xorshift, splitmix, congruential, xoshiro, automaton, quotients, drawn, written]
PROGRAMS += [hashed, short]


def told(caplog):
    """Whether NumPy's program has run instead of a kernel."""
    return any("gives up" in record.getMessage() for record in caplog.records)


def same(found, expected):
    if isinstance(expected, tuple):
        return type(found) is tuple and all(map(same, found, expected))
    if isinstance(expected, np.ndarray):
        return found.dtype == expected.dtype and np.array_equal(found, expected)
    return type(found) is type(expected) and found == expected


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_python(program, caplog):
    compiled = ag.to_graph(program)
    with caplog.at_level(logging.DEBUG, "autograph"):
        for x in [*EDGES, 88172645463325252]:
            for n in (0, 1, 20):
                assert same(compiled(x, n), program(x, n)), (x, n)
        assert not told(caplog) and len(compiled.kernels(1, 2)) == 1
    for x in OUTSIDE:
        assert same(compiled(x, 5), program(x, 5)), x


def overflowing(x, n):
    total = 0
    for _ in range(n):
        x = (x * 3935559000370003845 + 1) & MASK
        total += x
    return total, -x, x + 1, x - 2**63, ~x, x * x


def test_results_beyond_64_bits_are_exact():
    compiled = ag.to_graph(overflowing)
    for x in (*EDGES, *OUTSIDE):
        for n in (0, 1, 9):
            assert same(compiled(x, n), overflowing(x, n)), (x, n)


def counted(x, count, n):
    for _ in range(n):
        x = ((x << count) ^ (x >> 3)) & MASK
        x |= 1 << (count & 31)
        x = x // (count - 1) if x & 2 else x % (count - 1)
    return x


@pytest.mark.parametrize("count", [-1, 0, 1, 2, 63, 64, 65, 200])
def test_counts_and_divisors_that_the_run_knows(count):
    """Negative ones and zeros raise, and divisors may be negative."""
    compiled = ag.to_graph(counted)
    for x in (0, 5, MASK):
        outcomes = []
        for function in (counted, compiled):
            try:
                outcomes.append(function(x, count, 4))
            except (ValueError, ZeroDivisionError) as error:
                outcomes.append((type(error), str(error)))
        assert same(*outcomes), (x, outcomes)


def weighed(w, seed, n):
    total, x = 0.0, seed
    for _ in range(n):
        x = (6364136223846793005 * x + 1442695040888963407) & MASK
        total += w * w * ((x >> 11) / 2**53)
    return total


def test_derivatives():
    def slope(w):
        return 2 * w * weighed(1.0, 7, 20)

    assert np.isclose(ag.grad(weighed)(1.5, 7, 20), slope(1.5))
    assert np.isclose(ag.jvp(lambda w: weighed(w, 7, 20), (1.5,), (1.0,))[1], slope(1.5))
    mapped = ag.vmap(lambda w: weighed(w, 7, 20))(np.array([1.0, 2.0]))
    assert np.allclose(mapped, [weighed(1.0, 7, 20), weighed(2.0, 7, 20)])
