"""Rows of recurrences that run together compute what they computed one after the other."""

from random import Random

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check, check_text

A, B = np.random.default_rng(0).normal(size=(2, 23, 31))
EXACT = 0.0  # units in the last place: elements are computed in the order that is written


def sweep(a, b):
    for i in range(1, 22):
        for j in range(1, 30):
            above = a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
            a[i, j] = (above + a[i, j - 1] + a[i, j] + a[i, j + 1] + a[i + 1, j]) / 7.0
    return a


def warping(a, b):
    table = np.full((24, 32), np.inf)
    table[0, 0] = 0.0
    for i in range(23):
        for j in range(31):
            cost = abs(a[i, 0] - b[0, j])
            best = min(table[i, j + 1], table[i + 1, j])
            table[i + 1, j + 1] = cost + min(best, table[i, j])
    return table


def skipped(a, b):
    for i in range(1, 23):
        for j in range(1, 29):
            if b[i, j] > 0.0:
                a[i, j] = 0.5 * a[i, j - 1] + a[i - 1, j + 2]
            else:
                a[i, j + 1] -= a[i - 1, j]
    return a


def carried(a, b):
    for i in range(1, 23):
        left = b[i, 0]
        for j in range(30):
            left = 0.5 * left + a[i - 1, j + 1]
            a[i, j] = left
    return a


def filtered(a, b):
    last = np.zeros(23)
    for i in range(23):
        level = 0.0
        for j in range(31):
            level += 0.3 * (a[i, j] - level)
            b[i, j] = level
        last[i] = level
    return b, last


def product(a, b):
    out = np.zeros(23)
    for i in range(23):
        for j in range(31):
            out[i] += a[i, j] * b[0, j]
    return out


def behind_too_far(a, b):
    for i in range(1, 23):
        for j in range(1, 25):
            a[i, j] = 0.5 * a[i, j - 1] + a[i - 1, j + 6]
    return a


def backwards(a, b):
    for i in range(21, -1, -1):
        for j in range(29, -1, -1):
            a[i, j] += 0.5 * a[i, j + 1] + 0.25 * a[i + 1, j]
    return a


def against(a, b):
    for i in range(1, 23):
        for j in range(29, -1, -1):
            a[i, j] += 0.5 * a[i, j + 1] - a[i - 1, 30 - j]
    return a


def integers(a, b):
    table = np.zeros((24, 32), np.int64)
    for i in range(23):
        for j in range(31):
            table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j]) + 1
    return table


TOGETHER = [sweep, warping, skipped, carried, filtered, product, backwards]


@pytest.mark.parametrize("function", [*TOGETHER, behind_too_far, against, integers])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_of_recurrences(function, dtype):
    check(function, A.astype(dtype), B.astype(dtype), ulps=EXACT)


@pytest.mark.parametrize("function", TOGETHER)
def test_rows_run_together(function):
    assert groups(function)


@pytest.mark.parametrize("function", [behind_too_far, against, integers])
def test_rows_that_wait_for_each_other_or_are_quick_stay_alone(function):
    assert not groups(function)


def groups(function):
    """Whether there is a loop over groups of rows."""
    (kernel,) = ag.to_graph(function).kernels(A.copy(), B.copy()).values()
    found = ir.walk(for_host(kernel.kernel).body)
    loops = [s for s in found if isinstance(s, ir.For) or getattr(s, "mode", "") == "parallel"]
    return any(isinstance(s.count, ir.Number) and s.count.value == 5 for s in loops)


def test_rows_that_threads_share_run_together():
    def product(a, x):
        out = np.zeros(403)
        for i in range(403):
            for j in range(500):
                out[i] += a[i, j] * x[j]
        return out

    a, x = np.ones((403, 500)) / 3.0, np.arange(500.0)
    check(product, a, x, ulps=EXACT)
    (kernel,) = ag.to_graph(product).kernels(a, x).values()
    found = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.Each)]
    assert [s.count.value for s in found if s.mode == "parallel"] == [100, 3]


def sized(a, rows, columns):
    for i in range(1, rows):
        for j in range(1, columns):
            a[i, j] += 0.5 * a[i, j - 1] - 0.25 * a[i - 1, j + 1]
    return a


def test_any_number_of_rows_and_columns():
    compiled = ag.to_graph(sized)
    for rows in range(11):
        for columns in range(14):
            found = compiled(A.copy(), rows, columns)
            np.testing.assert_array_equal(found, sized(A.copy(), rows, columns))


def smoothed(u, f, sweeps):
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + f[i])
    return u


@pytest.mark.parametrize("sweeps", range(10))
@pytest.mark.parametrize("length", [9, 10, 12, 15, 31])
def test_few_sweeps_run_together(sweeps, length):
    compiled = ag.to_graph(lambda u, f: smoothed(u, f, sweeps))
    u, f = A[0, :length], B[0, :length]
    np.testing.assert_array_equal(compiled(u.copy(), f), smoothed(u.copy(), f, sweeps))
    for kernel in compiled.kernels(u.copy(), f).values():
        loops = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.For)]
        stores = [sum(isinstance(x, ir.Store) for x in s.body) for s in loops]
        together = min(sweeps, 4 if length > 9 else 1)
        assert max(stores, default=0) == together


def cells(a, weights):
    total = 0.0
    for _ in range(3):
        a = relaxed(a, weights)
        total = total + np.sum(a)
    return a, total


def relaxed(a, weights):
    a = a.copy()
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            a[i, j] += weights[0] * a[i, j - 1] + weights[1] * a[i - 1, j] - 0.1 * a[i + 1, j + 1]
    return a


def test_in_called_functions_and_loops_around():
    check(cells, A, np.array([0.1, 0.2]))
    gradient = ag.grad(lambda a: cells(a, np.array([0.1, 0.2]))[1])
    direction = np.ones_like(A)
    slope = ag.jvp(lambda a: cells(a, np.array([0.1, 0.2]))[1], (A,), (direction,))[1]
    np.testing.assert_allclose(np.sum(gradient(A)), slope, rtol=1e-12)


def test_places_that_checks_guard():
    def outside(a, n):
        for i in range(1, 23):
            for j in range(n):
                a[i, j] = a[i, j - 1] * 0.5 + a[i - 1, j]
        return a

    check(outside, A, 31, ulps=EXACT)
    check(outside, A, 32)


def random_program(seed):
    """A recurrence with places that are random, in one or two matrices."""
    r = Random(seed)

    def place(matrix):
        i, j = r.randint(-1, 1), r.randint(-2, 2)
        return f"{matrix}[i + {i}, j + {j}]"

    columns = r.choice(["range(2, 12)", "range(2, 29)", "range(28, 1, -1)", "range(2, n)"])
    lines = [f"for i in {r.choice(['range(1, 22)', 'range(21, 0, -1)', 'range(1, 10)'])}:"]
    if r.random() < 0.3:
        lines.append("    level = b[i, 0]")
    state = len(lines) > 1
    lines.append(f"    for j in {columns}:")
    inner = " " * 8
    if r.random() < 0.3:
        lines.append(f"{inner}if b[i, j] > 0.3:")
        inner += "    "
    terms = [f"{r.choice([0.5, -0.25])} * {place('a')}" for _ in range(r.randint(1, 3))]
    terms += [f"0.125 * {place(r.choice('ab'))}"]
    if state:
        lines.append(f"{inner}level = 0.5 * level + {place('b')}")
        terms.append("level")
    lines.append(f"{inner}{place('a')} = {' + '.join(terms)}")
    if r.random() < 0.2:
        lines.append(f"{inner}{place('b')} -= {place('a')}")
    body = "\n    ".join(lines)
    text = f"def program(a, b, n):\n    {body}\n    return a, b\n"
    return text


def compare(seed):
    check_text(random_program(seed), f"recurrence {seed}", A, B, 29)


@pytest.mark.parametrize("part", range(2))
def test_random_recurrences(part):
    for seed in range(part * 10, part * 10 + 10):
        compare(seed)


@pytest.mark.slow
def test_more_random_recurrences():
    for seed in range(1000, 1100):
        compare(seed)
