"""Kernels for arrays of any lengths."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.native.runtime import runtime
from autograph.kernels.passes.host import for_host


def open_forms(f):
    return [form for form in f.compiled_forms() if form.open_shapes is not None]


PROGRAMS = [
    lambda x: x - x.mean(0),
    lambda x: (x - x.mean(1, keepdims=True)) / x.std(),
    lambda x: np.sum(x, axis=0) if len(x) != 23 else x[0],
    lambda x: x * x.shape[0] + len(x) ** 2,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_calls_are_quick_whatever_is_assumed(program):
    f = ag.to_graph(program)
    for n in (10, 11, 12, 22, 24, 23, 300):
        x = np.random.default_rng(n).random((n, 20))
        np.testing.assert_allclose(f(x), program(x), rtol=1e-12, atol=1e-14)
    assert all(form.record(((x,), {}, {}), [x]) for form in f.compiled_forms())


def edit_distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1))
    d[0], d[:, 0] = np.arange(len(b) + 1), np.arange(len(a) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            new = d[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, new)
    return d


def test_places_are_not_checked_that_lengths_bound():
    f = ag.to_graph(edit_distance)
    for n, m in ((5, 6), (9, 4), (6, 6), (30, 41), (2, 2), (1, 8)):
        a, b = (np.random.default_rng(n).integers(0, 3, k) for k in (n, m))
        np.testing.assert_array_equal(f(a, b), edit_distance(a, b))
    (native,) = f.kernels(np.zeros(50, int), np.zeros(61, int)).values()
    assert not any(isinstance(s, ir.Check) for s in ir.walk(for_host(native.kernel).body))


def test_lengths_are_numbers_in_kernels():
    f = ag.to_graph(lambda x: np.sum((x - np.sum(x) / len(x)) ** 2) / (len(x) - 1))
    for n in (5, 6, 9, 1000):
        x = np.random.default_rng(n).random(n)
        np.testing.assert_allclose(f(x), x.var(ddof=1), rtol=1e-12)
    (form,) = open_forms(f)
    assert len(form.program.kernels) == 1  # for all of it


def test_rows_of_two_symbols_in_a_loop_over_both():
    f = ag.jacrev(lambda x: x[1:] * x[:-1])
    for n in (4, 5, 9, 40):
        x = np.random.default_rng(n).random(n)
        wanted = np.eye(n - 1, n) * x[1:, None] + np.eye(n - 1, n, 1) * x[:-1, None]
        np.testing.assert_allclose(f(x), wanted, rtol=1e-12)
    assert all(form.program.kernels for form in open_forms(f))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [lambda n: (n, 5), lambda n: (5, n), lambda n: (n, n)])
def test_running_totals_in_blocks(axis, shape):
    f = ag.to_graph(lambda x: np.cumsum(x * 2, axis=axis))
    for n in (5, 6, 7, 8, 9, 2, 3, 4, 40, 1025):
        x = np.random.default_rng(n).random(shape(n))
        np.testing.assert_allclose(f(x), np.cumsum(x * 2, axis=axis), rtol=1e-12)
    assert len(open_forms(f)) <= 2  # for one block of columns, and for more


def test_few_and_many_trips_of_a_loop_for_threads():
    f = ag.to_graph(lambda x: (np.sum(x * x, axis=1), np.sum(np.exp(-x))))
    for n in (2, 3, 4, 10_000, 100_000):
        x = np.random.default_rng(n).random((n, 3))
        rows, total = f(x)
        np.testing.assert_allclose(rows, np.sum(x * x, axis=1), rtol=1e-12)
        np.testing.assert_allclose(total, np.sum(np.exp(-x)), rtol=1e-12)
    assert len(open_forms(f)) <= 2


def root(a):
    x = a
    while abs(x * x - a) > 1e-10 * a:
        x = 0.5 * (x + a / x)
    return x


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1.0)


LANES = {
    "loops": (ag.vmap(root), np.sqrt),
    "their derivatives": (ag.vmap(ag.grad(root)), lambda x: 0.5 / np.sqrt(x)),
    "the derivative of all": (
        ag.grad(lambda x: np.sum(ag.vmap(root)(x) ** 2)),
        lambda x: np.ones_like(x),
    ),
    "recursion": (ag.vmap(lambda x: power(x, 5)), lambda x: x**5),
    "its derivatives": (ag.vmap(ag.grad(lambda x: power(x, 5))), lambda x: 5 * x**4),
}


@pytest.mark.parametrize("name", LANES)
def test_any_number_of_lanes(name):
    f, wanted = LANES[name]
    for n in (5, 6, 9, 2, 300):
        x = np.linspace(1.5, 3.0, n)
        np.testing.assert_allclose(f(x), wanted(x), rtol=1e-7)
    (form,) = open_forms(f)
    assert len(form.program.kernels) == 1


def by_slices(x, k):
    n = len(x) - len(k) + 1
    y = np.zeros(n)
    for j in range(len(k)):
        y += k[j] * x[j : j + n] * y + x[j : j + n]
    return np.sum(np.tanh(y) ** 2)


def by_windows(x, k):
    n = len(x) - len(k) + 1
    y = np.zeros(n)
    for i in range(n):
        y[i] = np.tanh(x[i : i + len(k)] @ k)
    return np.sum(y**2)


@pytest.mark.parametrize("convolution", [by_slices, by_windows])
def test_second_derivatives_of_a_convolution_free_records_of_any_length(convolution):
    first = ag.grad(convolution)
    slope = lambda x, k: np.sum(first(x, k) ** 2)
    second, k = ag.grad(slope), np.array([0.3, -0.5, 0.2])
    for n in (11, 12, 17, 23, 40, 5):
        x, along = np.random.default_rng(n).normal(size=(2, n))
        by_differences = (slope(x + 1e-6 * along, k) - slope(x - 1e-6 * along, k)) / 2e-6
        np.testing.assert_allclose(second(x, k) @ along, by_differences, rtol=1e-6)
    assert any(form.program.kernels for form in open_forms(second))


@pytest.mark.costly
@pytest.mark.parametrize("loops", [4, "sqrt"])
def test_snapshots_of_any_length_are_freed(loops):
    def steps(x, n):
        for _ in range(n):
            x = x + 0.001 * np.sin(x)
        return np.sum(x)

    gradient, plain = ag.grad(ag.checkpoint(steps, loops=loops)), ag.grad(steps)
    for n in (5000, 4000, 3000):
        x = np.linspace(0.0, 1.0, n)
        np.testing.assert_allclose(gradient(x, 300), plain(x, 300), rtol=1e-12)
    assert all(form.program.kernels for form in open_forms(gradient)) and open_forms(gradient)
    runtime().trim()
    gradient(x, 300)
    assert runtime().memory_kept < 130 * x.nbytes  # of 300 steps


def test_temporaries_of_any_length_share_memory():
    def chain(x, w):
        for _ in range(2):
            x = np.cumsum(np.tanh(x @ w), axis=0) @ w.T
        y = np.cumsum(x, axis=1)
        return np.cumsum(np.tanh(y @ w), axis=0) @ w + np.sum(x)

    f, w = ag.to_graph(chain), np.random.default_rng(0).normal(size=(20, 20))
    for n in (30, 31, 2, 5, 5000):
        x = np.random.default_rng(n).normal(size=(n, 20))
        np.testing.assert_allclose(f(x, w), chain(x, w), rtol=1e-9)
    assert open_forms(f)[0].program.kernels
    runtime().trim()
    f(x, w)
    assert runtime().memory_kept < 5 * x.nbytes  # of eight arrays and the result


def test_bytes_of_any_length_are_explained():
    @ag.to_graph
    def sums(u):
        made = [0.0]
        for x in u:
            made.append(made[-1] + x)
        return made

    assert "arguments and results have 16*n + 8 bytes" in str(sums.explain([0.5] * 300))


def generations(a):
    a = a.copy()
    for _ in range(3):
        n = a[:-2, :-2] + a[:-2, 1:-1] + a[:-2, 2:] + a[1:-1, :-2]
        n = n + a[1:-1, 2:] + a[2:, :-2] + a[2:, 1:-1] + a[2:, 2:]
        a[1:-1, 1:-1] = ((n == 3) | ((n == 2) & (a[1:-1, 1:-1] == 1))).astype(np.int64)
    return a


def test_what_is_kept_in_memory_is_another_choice_for_large_arrays():
    f = ag.to_graph(generations)
    cells = {n: np.random.default_rng(n).integers(0, 2, (n, n)) for n in (20, 30, 31, 200, 210)}
    for x in cells.values():
        np.testing.assert_array_equal(f(x), generations(x))
    small, large = cells[31], cells[210]
    assert loads(f, large) == loads(ag.to_graph(generations), large)
    assert loads(f, small) == loads(ag.to_graph(generations), small) != loads(f, large)
    assert len(open_forms(f)) == 2


def loads(f, x):
    """Of each loop how many elements a trip of it loads."""
    (native,) = f.kernels(x).values()
    loops = [s for s in ir.walk(native.kernel.body) if isinstance(s, ir.Each)]
    return [sum(isinstance(s, ir.Load) for s in loop.body) for loop in loops]


def smoothed(x, steps):
    x = x.copy()
    for _ in range(steps):
        x[1:] = 0.5 * (x[1:] + x[:-1])
    return x


def test_long_loops_in_loops_are_shared_by_threads_at_any_length():
    f = ag.to_graph(smoothed)
    for n in (300, 400, 20000, 500, 50000, 70000):
        x = np.random.default_rng(n).random(n)
        np.testing.assert_array_equal(f(x, 5), smoothed(x, 5))
    assert len(open_forms(f)) == 2
    assert shares_in_loops(f, np.zeros(60000))
    assert not shares_in_loops(f, np.zeros(600))


def shares_in_loops(f, x):
    """Whether loops that the loop over steps repeats are shared by threads."""
    (native,) = f.kernels(x, 5).values()
    own = str(native).partition("define internal")[0]
    return "ag_parallel" in own[own.index("\nfor:") : own.index("\nafter:")]
