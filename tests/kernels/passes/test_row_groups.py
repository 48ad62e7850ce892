"""Rows of a triangle that run together are what they were one after the other."""

from random import Random

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check, check_text

N = 23  # five groups of rows, and three rows
A, B = np.random.default_rng(0).normal(size=(2, N, N))
A = A @ A.T + N * np.eye(N)
EXACT = 0.0  # units in the last place: elements are computed in the order that is written


def cholesky(a, b):
    low = np.zeros_like(a)
    for i in range(N):
        for j in range(i):
            low[i, j] = (a[i, j] - low[i, :j] @ low[j, :j]) / low[j, j]
        low[i, i] = np.sqrt(a[i, i] - np.sum(low[i, :i] ** 2))
    return low


def diagonal_within(a, b):
    for i in range(N):
        for j in range(i + 1):
            total = a[i, j] - np.sum(a[i, :j] * a[j, :j])
            if i == j:
                a[i, i] = np.sqrt(total)
            else:
                a[i, j] = total / a[j, j]
    return a


def lower_and_upper(a, b):
    for i in range(N):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[:j, j]) / a[j, j]
        for j in range(i, N):
            a[i, j] -= a[i, :i] @ a[:i, j]
    return a


def eliminated(a, b):
    for i in range(N):
        for j in range(i):
            a[i, j] /= a[j, j]
            a[i, j + 1 :] -= a[i, j] * a[j, j + 1 :]
    return a


def orthogonal(a, b):
    for i in range(N):
        for j in range(i):
            a[i] -= (a[j] @ a[i]) * a[j]
        a[i] /= np.sqrt(a[i] @ a[i])
    return a


def by_elements(a, b):
    low = np.zeros_like(a)
    for i in range(N):
        for j in range(i):
            total = a[i, j]
            for k in range(j):
                total -= low[i, k] * low[j, k]
            low[i, j] = total / low[j, j]
        total = a[i, i]
        for k in range(i):
            total -= low[i, k] * low[i, k]
        low[i, i] = np.sqrt(total)
    return low


def many_right_hand_sides(a, b):
    x = np.zeros_like(b)
    for r in range(N):
        for j in range(N):
            x[r, j] = (b[r, j] - a[j, :j] @ x[r, :j]) / a[j, j]
    return x


def waits_for_the_row_above(a, b):
    for i in range(1, N):
        for j in range(i):
            b[i, j] = 0.5 * b[i - 1, j] - 0.01 * (b[i, :j] @ a[j, :j])
    return b


def changed_after_each_row(a, b):
    for i in range(N):
        for j in range(i):
            b[i, j] = 0.5 * b[i, j] - 0.01 * (b[i, :j] @ a[j, :j])
        a[3] *= 0.5
    return a, b


def mirrored(a, b):
    for i in range(N):
        for j in range(i):
            b[i, j] = 0.5 * b[i, j] - 0.01 * (b[i, :j] @ a[j, :j])
            b[j, i] = b[i, j]
    return b


def changed_by_rows_below(a, b):
    for i in range(N):
        for j in range(i):
            b[i, j] = 0.5 * b[i, j] - 0.01 * (b[i, :j] @ a[j, :j])
            a[N - 1 - j] *= 0.5
    return a, b


def longer_sums_below(a, b):
    for i in range(N):
        for j in range(i):
            b[i, j] = 0.5 * b[i, j] - 0.01 * (b[i, :i] @ a[j, :i])
    return b


def in_branches(a, b):
    for i in range(N):
        for j in range(i):
            if a[i, j] > 0.0:
                b[i, j] = 0.5 * b[i, j] - 0.01 * (b[i, :j] @ a[j, :j])
    return b


def greatest_of_others(a, b):
    best = np.zeros((N, N), np.int64)
    for i in range(N):
        for j in range(i):
            for k in range(j):
                best[i, j] = max(best[i, j], best[i, k] + 1)
    return best


def pairs(a, b):
    near = a[:, :3]
    pull = np.zeros((N, 3))
    for i in range(N):
        for j in range(N):
            apart = near[j] - near[i]
            pull[i] += b[0, j] * apart / np.sqrt(np.sum(apart**2) + 0.01) ** 3
    return pull


def begun_by_each_row(a, b):
    for i in range(N):
        b[i, 0] = a[i, 0]
        for j in range(i):
            b[i, j] = 0.5 * b[i, j] - 0.01 * (b[i, :j] @ b[j, :j])
    return b


WITH_SUMS = [
    cholesky,
    diagonal_within,
    lower_and_upper,
    orthogonal,
    many_right_hand_sides,
    mirrored,
]
IN_ORDER = [eliminated, by_elements]
ALONE = [
    waits_for_the_row_above,
    changed_after_each_row,
    changed_by_rows_below,
    longer_sums_below,
    begun_by_each_row,
]


# Here nothing is gained: loops that each row has to run for itself, integers of the rows alone, and
# what vectors do before a loop over pairs.
NOT_WORTH_IT = [in_branches, greatest_of_others, pairs]


@pytest.mark.parametrize("function", NOT_WORTH_IT)
def test_rows_that_gain_nothing(function):
    check(function, A, B, ulps=8, scale=10.0)


@pytest.mark.parametrize("function", [*WITH_SUMS, *ALONE])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_whose_sums_have_no_order(function, dtype):
    check(function, A.astype(dtype), B.astype(dtype), ulps=8, scale=10.0)


@pytest.mark.parametrize("function", IN_ORDER)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_whose_sums_have_an_order(function, dtype):
    check(function, A.astype(dtype), B.astype(dtype), ulps=EXACT)


def groups(function, rows=N):
    """How many loops over groups of rows there are."""
    a, b = np.ones((2, rows, rows))
    (kernel,) = ag.to_graph(function).kernels(a, b).values()
    found = ir.walk(for_host(kernel.kernel).body)
    loops = [s for s in found if isinstance(s, ir.For) or getattr(s, "mode", "") == "parallel"]
    counts = [s.count for s in loops if isinstance(s.count, ir.Number)]
    return sum(count.value == (rows + 3) // 4 for count in counts)


@pytest.mark.parametrize("function", [*WITH_SUMS, *IN_ORDER])
def test_rows_run_together(function):
    assert groups(function) == 1


@pytest.mark.parametrize("function", [*ALONE, *NOT_WORTH_IT])
def test_other_rows_stay_alone(function):
    assert groups(function) == 0


def sized(a):
    n = len(a)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        a[i, i] += 1.0
    return a


def test_any_number_of_rows():
    compiled = ag.to_graph(sized)
    for n in range(1, N + 1):
        np.testing.assert_array_equal(compiled(A[:n, :n].copy()), sized(A[:n, :n].copy()))


def test_integers():
    whole = np.arange(N * N).reshape(N, N) % 7

    def numbers(a):
        for i in range(N):
            for j in range(i):
                a[i, j] = (a[i, j] + np.sum(a[i, :j] * a[j, :j])) % 100
        return a

    check(numbers, whole, ulps=EXACT)


def test_called_differentiated_and_in_lanes():
    check(lambda a, b: cholesky(cholesky(a, b) + a, b), A, B, ulps=8, scale=10.0)

    def loss(a):
        return np.sum(cholesky(a, None) * B)

    slope = ag.jvp(loss, (A,), (B,))[1]
    np.testing.assert_allclose(np.sum(ag.grad(loss)(A) * B), slope, rtol=1e-10)
    moved = (loss(A + 1e-6 * B) - loss(A - 1e-6 * B)) / 2e-6
    np.testing.assert_allclose(slope, moved, rtol=1e-6)
    several = ag.vmap(cholesky, (0, None))(np.stack([A, A + np.eye(N)]), B)
    expected = [cholesky(A, B), cholesky(A + np.eye(N), B)]
    np.testing.assert_allclose(several, expected, rtol=1e-12, atol=1e-14)


def random_program(seed):
    """A triangle whose elements take sums from places that are random."""
    r = Random(seed)

    def element():
        return f"{r.choice('aab')}[{r.choice('ijj')}, {r.choice('ijj')}]"

    def factor():
        row = r.choice(["i", "i", "j", "j", "i - 1", "j + 1"])
        return f"{r.choice('aab')}[{row}, k]"

    target = r.choice(["a[i, j]"] * 6 + ["a[j, i]", "b[i, j]", "a[i, j + 1]"])
    lines = [f"for i in range({r.choice([0, 1])}, N - 1):"]
    lines += [f"    for j in range({r.choice([0, 1])}, {r.choice(['i', 'i', 'i + 1', 'N - 2'])}):"]
    lines += [f"        total = {r.choice([target, element()])}"]
    lines += [f"        for k in range({r.choice(['j', 'j', 'j + 1', '3', 'i'])}):"]
    lines += [f"            total -= 0.01 * {factor()} * {factor()}"]
    lines += [f"        {target} = total * {r.choice(['0.5', element()])}"]
    if r.random() < 0.2:
        lines += ["        if i == j:", "            a[i, i] = 0.25"]
    after = ["a[i, i] += 0.5", "a[i, i] = b[i, i] * a[i, 0]", "a[i] *= 0.5", "a[:, i] *= 0.5"]
    lines += ["    " + x for x in [r.choice(after)][: r.randint(0, 1)]]
    body = "\n    ".join(lines)
    return f"def program(a, b):\n    {body}\n    return a, b\n"


def compare(seed):
    check_text(random_program(seed), f"rows {seed}", B, A, N=N)


def test_random_rows():
    for seed in range(16):
        compare(seed)


@pytest.mark.slow
def test_more_random_rows():
    for seed in range(1000, 1100):
        compare(seed)
