"""Functions that call themselves, or each other, as native functions."""

import math
import signal
import threading
import time

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
import ops
from autograph.codegen.trampoline import available_memory
from benchmarks.recursive.peers import by_hand, ours
from benchmarks.recursive.programs import merge_parts, place
from benchmarks.recursive.rows import ROWS
from samples.nuts import sampler
from samples.posteriors import POSTERIORS
from tests.kernels.kernel_check import ALL, assert_kernels, check

# -- numbers ---------------------------------------------------------------------------------------


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def divisor(a, b):
    return a if b == 0 else divisor(b, a % b)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1.0)


def pairs(n):
    if n == 0:
        return 0, 1, 0.5
    a, b, c = pairs(n - 1)
    return b, a + b, c * 1.5


def sums(n):
    total = 0
    for i in range(n):
        total += sums(i) + 1
    return total


def takeuchi(x, y, z):
    if y >= x:
        return z
    return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (fibonacci, (15,)),
        (divisor, (1071, 462)),
        (ackermann, (2, 5)),
        (power, (1.5, 13)),
        (pairs, (20,)),
        (sums, (8,)),
        (takeuchi, (9, 6, 3)),
        (is_even, (41,)),
    ],
)
def test_numbers(function, args):
    check(function, *args)


def scaled(x, n):
    return x if n == 0 else scaled(x * np.float32(1.5), n - 1)


def test_types_of_numbers():
    check(scaled, np.float32(2.0), 3, kernels=None)
    check(lambda n: scaled(np.float32(n) * np.float32(2), 4), 3)


class Doubling:
    def __init__(self, least):
        self.least = least

    def at(self, n):
        return self.least if n == 0 else self.at(n - 1) * 2


def test_methods_and_inner_functions():
    doubling = Doubling(3)
    check(lambda n: doubling.at(n) + 1, 5)

    def total(x, n):
        def below(i):
            return 0.0 if i == n else x[i] + below(i + 1)

        return below(0)

    check(total, np.arange(6.0), 4)


def test_what_int64_cannot_hold_is_computed_by_python():
    def factorial(n):
        return 1 if n == 0 else n * factorial(n - 1)

    compiled = check(factorial, 20)
    assert compiled(30) == math.factorial(30)


# -- arrays that are read --------------------------------------------------------------------------


def search(x, value, low, high):
    if low >= high:
        return -1
    middle = (low + high) // 2
    if x[middle] == value:
        return middle
    if x[middle] < value:
        return search(x, value, middle + 1, high)
    return search(x, value, low, middle)


def walk(left, right, value, i):
    if i < 0:
        return 0.0
    return value[i] + walk(left, right, value, left[i]) + walk(left, right, value, right[i])


def knapsack(weights, values, i, room):
    if i < 0:
        return 0.0
    best = knapsack(weights, values, i - 1, room)
    if weights[i] <= room:
        best = max(best, values[i] + knapsack(weights, values, i - 1, room - weights[i]))
    return best


def simpson(a, b, fa, fm, fb, tolerance):
    middle, h = (a + b) / 2, b - a
    fl, fr = 1.0 / (1.0 + (a + middle) ** 2), 1.0 / (1.0 + (middle + b) ** 2)
    whole = h / 6 * (fa + 4 * fm + fb)
    parts = h / 12 * (fa + 4 * fl + fm) + h / 12 * (fm + 4 * fr + fb)
    if abs(parts - whole) <= 15 * tolerance:
        return parts + (parts - whole) / 15
    left = simpson(a, middle, fa, fl, fm, tolerance / 2)
    return left + simpson(middle, b, fm, fr, fb, tolerance / 2)


def integral(a, b):
    fa, fb, fm = 1.0 / (1.0 + 4 * a * a), 1.0 / (1.0 + 4 * b * b), 1.0 / (1.0 + (a + b) ** 2)
    return simpson(a, b, fa, fm, fb, 1e-10)


TREE = np.random.default_rng(0).random(31)
CHILD = np.arange(31)
LEFT, RIGHT = (np.where(2 * CHILD + k < 31, 2 * CHILD + k, -1) for k in (1, 2))


def test_arrays_that_are_read():
    check(search, np.arange(50.0) ** 2, 36.0, 0, 50)
    check(search, np.arange(50.0) ** 2, 37.0, 0, 50)
    check(walk, LEFT, RIGHT, TREE, 0)
    check(knapsack, np.array([3, 4, 2, 7]), np.array([1.0, 2.5, 1.5, 4.0]), 3, 10)
    check(integral, 0.0, 3.0, kernels=ALL)


def test_any_length():
    compiled = ag.to_graph(search)
    for n in (50, 20, 33, 70):
        x = np.arange(float(n))
        assert compiled(x, 7.0, 0, n) == 7
    assert_kernels(compiled, (np.arange(90.0), 7.0, 0, 90), ALL)


def test_arrays_from_outside_are_as_they_are_at_each_call():
    table = np.arange(6.0)

    def above(i):
        return table[i] * 2.0 + total(i - 1)

    def total(i):
        return 0.0 if i < 0 else above(i)

    compiled = check(total, 4, kernels=1)
    table[2] = 10.0
    assert compiled(4) == total(4)


# -- arrays that are changed -----------------------------------------------------------------------


def quicksort(a, low, high):
    if low >= high:
        return
    i = low
    for j in range(low, high):
        if a[j] < a[high]:
            t = a[i]
            a[i] = a[j]
            a[j] = t
            i += 1
    t = a[i]
    a[i] = a[high]
    a[high] = t
    quicksort(a, low, i - 1)
    quicksort(a, i + 1, high)


def flood(grid, i, j):
    if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1] or grid[i, j] != 0:
        return 0
    grid[i, j] = 2
    found = 1 + flood(grid, i + 1, j) + flood(grid, i - 1, j)
    return found + flood(grid, i, j + 1) + flood(grid, i, j - 1)


def permutations(p, k, seen):
    n = len(p)
    if k == n:
        seen[p[0]] += p[n - 1]
        return 1
    count = 0
    for i in range(k, n):
        p[k], p[i] = p[i], p[k]
        count += permutations(p, k + 1, seen)
        p[k], p[i] = p[i], p[k]
    return count


def colouring(edges, colours, node):
    if node == len(colours):
        return True
    for colour in range(1, 4):
        fits = True
        for other in range(node):
            if edges[node, other] and colours[other] == colour:
                fits = False
        if fits:
            colours[node] = colour
            if colouring(edges, colours, node + 1):
                return True
            colours[node] = 0
    return False


def exchanging(a, b, n):
    if n == 0:
        return
    a[0] += 1
    b[1] += 2 * a[0]
    exchanging(b, a, n - 1)


def down(a, n):
    if n > 0:
        a[n] += 1
        up(a, n - 1)


def up(a, n):
    a[0] -= 2
    down(a, n)


GRID = (np.random.default_rng(1).random((9, 12)) < 0.3).astype(int)
EDGES = np.random.default_rng(2).random((7, 7)) < 0.5
NUMBERS = np.random.default_rng(3).random(60)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (quicksort, (NUMBERS, 0, 59)),
        (merge_parts, (NUMBERS, np.zeros(60), 0, 60)),
        (flood, (GRID, 4, 5)),
        (place, (np.zeros(6, int), 0)),
        (permutations, (np.arange(5), 0, np.zeros(5, int))),
        (colouring, (EDGES, np.zeros(7, int), 0)),
        (exchanging, (np.zeros(3), np.ones(3), 5)),
        (down, (np.zeros(6, np.float32), 4)),
    ],
)
def test_arrays_that_are_changed(function, args):
    check(function, *args)


def test_new_arrays():
    def halves(x, n):
        if n == 0:
            return x * 2
        y = halves(x + 1, n - 1)
        return y * 0.5 + x

    check(halves, np.arange(4.0), 3)


def test_other_memory_than_all_of_an_array():
    def increased(row, n):
        if n > 0:
            row[n] += row[0]
            increased(row, n - 1)

    def rows(x):
        for i in range(len(x)):
            increased(x[i], 3)
        return x + 1

    check(rows, np.arange(12.0).reshape(3, 4), kernels=None)
    check(increased, np.arange(10.0)[::2], 3, kernels=None)


def test_an_array_that_comes_back_is_itself():
    def itself(x, y, n):
        if n == 0:
            return x
        return itself(y, x, n - 1)

    x, y = np.arange(3.0), np.ones(3)
    compiled = ag.to_graph(itself)
    for n in range(4):
        assert compiled(x, y, n) is itself(x, y, n)


@pytest.mark.slow
def test_the_no_u_turn_sampler_as_it_is_printed():
    posterior = POSTERIORS["scales"]
    sample = sampler(posterior.log_density)
    key = ops.random.key(0)
    draws, steps = sample(posterior.start, key, 30, 10)
    assert_kernels(sample, (posterior.start, key, 30, 10), 1)
    assert draws.shape == (30, 4) and steps > 40
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRAPH_KERNELS", "0")
        plain = sampler(posterior.log_density)
        expected, count = plain(posterior.start, key, 30, 10)
    assert steps == count
    np.testing.assert_allclose(draws, expected, rtol=1e-6)


# -- errors, depth, and no end ---------------------------------------------------------------------


def test_errors_in_it():
    def counted(a, n):
        if n > 90:
            return 0
        if a[n] > 5:
            raise ValueError(f"{n} is large")
        return counted(a, n + 1) + 1

    check(counted, np.zeros(5), 0)
    check(counted, np.arange(10.0), 0)


def depth(n):
    return 0 if n == 0 else depth(n - 1) + 1


def test_deep_recursion():
    compiled = ag.to_graph(depth)
    assert [compiled(n) for n in (10, 900, 30_000, 5)] == [10, 900, 30_000, 5]


def test_threads_with_small_stacks():
    compiled = ag.to_graph(depth)
    assert compiled(3) == 3  # compiled in this thread
    found: list = []
    before = threading.stack_size(64 << 10)
    try:
        thread = threading.Thread(target=lambda: found.extend(map(compiled, (50, 5_000, 20_000))))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert found == [50, 5_000, 20_000]


def test_recursion_that_is_too_deep(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_RECURSION_DEPTH", "3000")
    compiled = ag.to_graph(lambda n: depth(n) + 0)
    assert compiled(2000) == 2000
    with pytest.raises(ag.errors.RecursionDepthError, match="3000"):
        compiled(5000)


def test_recursion_without_an_end(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_RECURSION_DEPTH", "5000")

    def endless(a, n):
        if n < 0:
            return
        a[0] += 1
        endless(a, n + 1)

    with pytest.raises(RecursionError):
        ag.to_graph(endless)(np.zeros(2), 1)


def test_it_can_be_interrupted():
    def doubled(n):
        return 0 if n == 0 else doubled(n - 1) + doubled(n - 1)

    compiled = ag.to_graph(doubled)
    assert compiled(3) == 0

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        start = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            compiled(70)
        assert time.perf_counter() - start < 5.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- what stays outside ----------------------------------------------------------------------------


def test_what_stays_outside_says_why():
    def partitioned_often(x, n):
        y = x if n == 0 else partitioned_often(x * 2.0, n - 1)
        return np.argpartition(y + 0j, 1) * 1.0

    compiled = ag.to_graph(partitioned_often)
    found = {part.reason for part in compiled.explain(NUMBERS, 2).plain}
    assert "recursion" in found
    np.testing.assert_array_equal(compiled(NUMBERS, 2), partitioned_often(NUMBERS, 2))


# -- derivatives -----------------------------------------------------------------------------------


def product(x, n):
    return 1.0 if n == 0 else x * product(np.sin(x), n - 1)


def weighted(left, right, value, i):
    if i < 0:
        return 0.0
    below = weighted(left, right, value, left[i]) + weighted(left, right, value, right[i])
    return np.sin(value[i]) * (1.0 + below)


def smoothed(x, n):
    if n == 0:
        return x * 2.0
    y = smoothed(x * x[0], n - 1)
    for i in range(n):
        y = y * np.cos(x[i])
    return y


def even_part(x, n):
    return x if n == 0 else x * odd_part(x * 0.5, n - 1)


def odd_part(x, n):
    return 0.1 if n == 0 else np.exp(even_part(x + 0.25, n - 1))


SLOPES = {
    "a chain": (lambda x, n: product(x, n) + x, 0.7, (6,)),
    "a tree": (lambda v, left, right: weighted(left, right, v, 0), TREE, (LEFT, RIGHT)),
    "arrays": (lambda x, n: np.sum(smoothed(x, n)), NUMBERS[:4] + 0.5, (3,)),
    "each other": (lambda x, n: even_part(x, n) * 2.0, 0.3, (7,)),
    "until it is exact": (lambda b: integral(0.0, b), 2.0, ()),
    "in a loop": (
        lambda x, n: sum(product(x[i] + 0.1, i) for i in range(n)),
        NUMBERS[:5],
        (5,),
    ),
}


@pytest.mark.parametrize("name", SLOPES)
def test_gradients(name):
    function, x, others = SLOPES[name]
    found = ag.value_and_grad(function)
    value, slope = found(x, *others)
    np.testing.assert_allclose(value, function(x, *others), rtol=1e-12)
    direction = np.ones_like(x) if isinstance(x, np.ndarray) else 1.0
    step = 1e-6 * direction
    difference = (function(x + step, *others) - function(x - step, *others)) / 2e-6
    np.testing.assert_allclose(np.sum(slope), difference, rtol=1e-6)
    assert_kernels(found, (x, *others), ALL)


def test_gradients_in_a_loop_free_what_they_kept():
    def descent(x, steps):
        for _ in range(steps):
            x = x - 1e-4 * ag.grad(lambda y: np.sum(smoothed(y, 3)))(x)
        return x

    compiled = ag.to_graph(descent)
    x = NUMBERS[:4]
    assert_kernels(compiled, (x, 10), ALL)
    step = ag.grad(lambda y: np.sum(smoothed(y, 3)))
    expected = x
    for _ in range(10):
        expected = expected - 1e-4 * step(expected)
    np.testing.assert_allclose(compiled(x, 10), expected, rtol=1e-12)
    before = available_memory()
    compiled(x, 200_000)
    assert before is None or before - available_memory() < 200e6


@pytest.mark.costly
@pytest.mark.parametrize("name", SLOPES)
def test_second_derivatives_and_forward_mode(name):
    function, x, others = SLOPES[name]
    slope = ag.grad(function)(x, *others)
    direction = np.ones_like(x) if isinstance(x, np.ndarray) else 1.0
    _, tangent = ag.jvp(lambda y: function(y, *others), (x,), (direction,))
    np.testing.assert_allclose(tangent, np.sum(slope), rtol=1e-9)
    second = ag.grad(lambda y: np.sum(ag.grad(function)(y, *others)))(x)
    step = 1e-5 * direction
    after, before = (ag.grad(function)(x + s, *others) for s in (step, -step))
    np.testing.assert_allclose(np.sum(second), np.sum(after - before) / 2e-5, rtol=1e-5)


# -- the benchmark ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_the_benchmark_give_what_python_gives(name):
    row = ROWS[name]
    assert {row.maker} <= {*ours.MAKERS} & {*by_hand.MAKERS, *by_hand.REFUSES}
    if row.maker in by_hand.MAKERS:
        found, expected = (peer.MAKERS[row.maker](*row.arguments())() for peer in (ours, by_hand))
        np.testing.assert_allclose(found, expected, rtol=1e-9)
