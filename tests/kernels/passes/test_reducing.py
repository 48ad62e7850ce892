"""Loops that combine integers become vectors, and give what they gave before."""

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check, host_statements


def above(x, t):
    c = 0
    for i in range(len(x)):
        if x[i] > t:
            c += 1
    return c


def matches(x, t):
    same, diff = 0, 5
    for i in range(len(x)):
        if x[i] == t:
            same += 1
        else:
            diff -= 2
    return same, diff


def total(x, t):
    s = t
    for i in range(len(x)):
        s = x[i] - 3 + s
    return s


def bits(x, t):
    a, o, e = -1, 0, t
    for i in range(len(x)):
        a &= x[i]
        o |= x[i]
        e ^= x[i]
    return a, o, e


def extent(x, t):
    low, high = x[0], t
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
        high = x[i] if x[i] > high else high
    return low, high


def first_of_the_greatest(x, t):
    best, where, found = t, -1, False
    for i in range(len(x)):
        if x[i] > best:
            best, where, found = x[i], i, True
    return best, where, found


def first_of_the_least_remainders(x, t):
    best, where, other = 100, -1, 0
    for i in range(len(x)):
        v = x[i] & 63
        if v < best:
            best = v
            where = i + t
            other = x[i]
    return best, where, other


def last_of_the_greatest(x, t):
    best, where = t, -1
    for i in range(len(x)):
        if x[i] >= best:
            best, where = x[i], i
    return best, where


def of_a_matrix(x, t):
    a = x[: len(x) // 8 * 8].reshape(-1, 8)
    best, bi, bj = t, 0, 0
    for i in range(a.shape[1]):
        for j in range(a.shape[0]):
            if a[j, i] > best:
                best, bi, bj = a[j, i], i, j
    return best, bi, bj


def pairs(x, t):
    s, most = 0, 0
    for i in range(len(x)):
        d = 0
        for j in range(i):
            if x[j] > x[i]:
                d += 1
        s += d
        most = max(most, d)
    return s, most


def signs(x, t):
    s = 0
    for i in range(len(x)):
        for j in range(i):
            a = (x[i] > x[j]) - 0 if x[i] >= x[j] else -1
            s += a
    return s


def orders(x, t):
    same, less, other = 0, 0, 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] == x[j] or x[j] == t:
                same += 1
            elif x[i] < x[j]:
                if x[i] + x[j] > t:
                    less += 1
                else:
                    less += 3
            else:
                other -= 2
    return same, less, other


PROGRAMS = [orders, above, matches, total, bits, extent, first_of_the_greatest]
PROGRAMS += [first_of_the_least_remainders, last_of_the_greatest, of_a_matrix, pairs, signs]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_integers_are_combined(program, dtype):
    r = np.random.default_rng(0)
    compiled = ag.to_graph(program)
    for size in (100, 61, 33, 100):  # the first by itself, the others as any length
        for most in (5, 100):
            x = r.integers(0, most, size).astype(dtype)
            for t in (0, 3, most):
                try:
                    wanted = program(x, t)
                except OverflowError:
                    continue
                assert repr(compiled(x, t)) == repr(wanted)


@pytest.mark.parametrize(
    "program", [above, matches, total, extent, first_of_the_greatest, pairs, orders]
)
def test_they_are_vectors(program):
    (function,) = ag.to_graph(program).kernels(np.arange(100), 3).values()
    kernel = for_host(function.kernel)
    assert any(isinstance(s, ir.Each) and s.reductions for s in ir.walk(kernel.body))


def stored(x, t):
    y, count = np.zeros(len(x), np.int64), t
    for i in range(len(x)):
        left = x[i - 1] if i > 0 else x[len(x) - 1]
        y[i] = (110 >> (left & 7)) & 1
        count += y[i]
    return y, count


def stored_where_it_is_read(x, t):
    y, count, most = x.copy(), 0, t
    for i in range(len(x)):
        if y[i] > t:
            y[i] = y[i] * 3 + 1
            count += 1
        most = max(most, y[i])
    return y, count, most


def of_the_one_before(x, t):
    y, count = x.copy(), 0
    for i in range(1, len(x)):
        y[i] = y[i - 1] ^ x[i]
        count += y[i] & 1
    return y, count


def running_counts(x, t):
    y, count = np.zeros(len(x), np.int64), 0
    for i in range(len(x)):
        if x[i] > t:
            count += 1
        y[i] = count
    return y, count


def at_places_that_are_read(x, t):
    y, count = np.zeros(len(x), np.int64), 0
    for i in range(len(x)):
        y[x[i] % len(x)] = i
        count += x[i] & 1
    return y, count


def first_of_the_greatest_and_stored(x, t):
    y, best, where = x.copy(), t, -1
    for i in range(len(x)):
        y[i] = y[i] * 2 - 1
        if y[i] > best:
            best, where = y[i], i
    return y, best, where


@pytest.mark.parametrize(
    "program, is_vector",
    [
        (stored, True),
        (stored_where_it_is_read, True),
        (of_the_one_before, False),
        (running_counts, False),
        (at_places_that_are_read, False),
        (first_of_the_greatest_and_stored, False),
    ],
)
def test_trips_that_store_as_well(program, is_vector):
    """Nothing but sums could be vectors, and what was stored went one by one with them."""
    compiled, r = ag.to_graph(program), np.random.default_rng(0)
    for size in (100, 61, 33, 2, 100):
        for t in (-4, 0, 3):
            x = r.integers(-9, 9, size)
            found, wanted = compiled(x, t), program(x, t)
            np.testing.assert_array_equal(found[0], wanted[0], strict=True)
            assert repr(found[1:]) == repr(wanted[1:])
    loops = [s for s in host_statements(program, x, 3) if isinstance(s, ir.Each)]
    assert any(s.reductions for s in loops) is is_vector


def total_and_stored(x, t):
    total = t
    for i in range(len(x)):
        x[i] += 1
        total += int(x[i])
    return total


def test_stores_are_undone_where_a_sum_leaves_64_bits():
    x, y = np.full(100, 2**57), np.full(100, 2**57)
    assert ag.to_graph(total_and_stored)(x, 0) == total_and_stored(y, 0)
    np.testing.assert_array_equal(x, y)


def greatest_float(x):
    best, where = -1.0, -1
    for i in range(len(x)):
        if x[i] > best:
            best, where = x[i], i
    return best, where


def replaced(x):
    best, found = np.float64(x[0]), 0
    for i in range(1, len(x)):
        if best < x[i]:
            best, found = x[i], 1
    return best, found


@pytest.mark.parametrize("program", [greatest_float, replaced])
def test_what_is_noted_of_floats(program):
    nan, zero = np.nan, -0.0
    check(program, np.array([nan, 1.0, 2.0, nan, 2.0]))
    check(program, np.array([3.0, nan, 2.0, 3.0, zero]))
    check(program, np.array([zero, 0.0, -1.0, -np.inf, zero]))
    check(program, np.array([-np.inf, -np.inf, nan, zero, 0.0]))


def wraps(x):
    s = x[0]
    for i in range(1, len(x)):
        s = s + x[i]
    return s


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_sums_wrap_as_they_did():
    for dtype in ("int8", "uint16", "int64", "uint64"):
        x = np.full(77, np.iinfo(dtype).max - 5, dtype)
        check(wraps, x)


TESTS = ["x[i] > y[i]", "x[i] % 4 == 1", "y[i] <= t", "x[i] != y[i]", "x[i] & 2"]
VALUES = ["1", "x[i]", "y[i] - 3", "i", "x[i] * y[i]", "-2"]
CHANGES = [
    "z[i] = {v} + z[i]; {s} += z[i]",
    "z[i] = {v}\n        if {c}: {s} += z[i]; z[i] += 1",
    "{s} += z[i // 2]; z[i] = {v}",
    "{s} += {v}",
    "{s} -= {v}",
    "{s} ^= {v}",
    "{s} = max({s}, {v})",
    "{s} = min({v}, {s})",
    "if {c}: {s} += {v}",
    "if {c}: {s} -= {v}\n        else: {s} += 1",
    "if {v} > {s}: {s} = {v}",
    "if {v} > {s}: {s}, w = {v}, i",
    "if {s} >= {v}: {s}, w = {v}, {v} + i",
    "if {c}: {s} = {v}",
    "{s} = {s} * 2 % 17 + {v}",
]


def random_program(seed):
    chosen = random.Random(seed)
    names = ["a", "b", "c"][: chosen.randint(1, 3)]
    lines = []
    for name in names:
        change = chosen.choice(CHANGES)
        found = {"s": name, "c": chosen.choice(TESTS), "v": chosen.choice(VALUES)}
        lines.append("        " + change.format(**found))
    text = ["def program(x, y, t):", "    a, b, c, w, z = 0, t, 1, -1, x * 2"]
    if chosen.random() < 0.3:
        text += ["    for k in range(3):", "      for i in range(len(x)):", *lines]
    else:
        text += ["    for i in range(len(x)):", *lines]
    return "\n".join([*text, "    return a, b, c, w, z"])


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_random_programs(seed, tmp_path):
    text = random_program(seed)
    path = tmp_path / f"program_{seed}.py"
    path.write_text(text)
    space = {}
    exec(compile(text, str(path), "exec"), space)
    program = space["program"]
    compiled, r = ag.to_graph(program), np.random.default_rng(seed)
    for size in (40, 67, 32, 2):
        x, y = r.integers(-9, 9, (2, size))
        for t in (0, 4):
            assert repr(compiled(x, y, t)) == repr(program(x, y, t)), text
