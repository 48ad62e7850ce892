"""Elements that wait for all before them in a row, in strips, are what they were one by one."""

from random import Random

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check, check_text

N = 37  # two strips, a group in the third, and one element
A, B = np.random.default_rng(0).normal(size=(2, N, N))
A += 2.0 * N * np.eye(N)
EXACT = 0.0  # units in the last place: elements are computed in the order that is written


def factors(a, b):
    for i in range(N):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, N):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def factors_by_totals(a, b):
    for i in range(N):
        for j in range(i):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[k, j]
            a[i, j] = total / a[j, j]
        for j in range(i, N):
            total = a[i, j]
            for k in range(i):
                total -= a[i, k] * a[k, j]
            a[i, j] = total
    return a


def solution(a, b):
    x = b[0].copy()
    for j in range(N):
        for k in range(j):
            x[j] -= x[k] * a[k, j]
        x[j] = x[j] / a[j, j]
    return x


def unit_diagonal(a, b):
    b = b.copy()
    for i in range(5):
        for j in range(N):
            for k in range(j):
                b[i, j] += 0.01 * b[i, k] * a[k, j]
    return b


def along_columns(a, b):
    for j in range(N):
        for k in range(j):
            b[0, j] -= b[0, k] * a[j, k]
        b[0, j] /= a[j, j]
    return b


def from_the_other_end(a, b):
    for j in range(N):
        for k in range(j):
            b[0, j] -= 0.01 * b[0, j - 1 - k] * a[k, j]
    return b


def written_ahead(a, b):
    for j in range(N - 1):
        for k in range(j):
            b[0, j] -= 0.01 * b[0, k] * a[k, j]
        b[0, j + 1] = b[0, j]
    return b


IN_STRIPS = [factors, factors_by_totals, solution, unit_diagonal]
ONE_BY_ONE = [along_columns, from_the_other_end, written_ahead]


@pytest.mark.parametrize("function", [*IN_STRIPS, *ONE_BY_ONE])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_triangular_recurrences(function, dtype):
    check(function, A.astype(dtype), B.astype(dtype), ulps=EXACT)


def test_integers():
    check(unit_diagonal, np.arange(N * N).reshape(N, N) % 7, B, ulps=EXACT)


def strips(function):
    """How many loops over strips there are."""
    (kernel,) = ag.to_graph(function).kernels(A.copy(), B.copy()).values()
    found = ir.walk(for_host(kernel.kernel).body)
    quarters = {"quotient": 4, "shift_right": 2}
    computed = [s for s in found if isinstance(s, ir.Compute) and s.function in quarters]
    by_numbers = [s for s in computed if isinstance(s.operands[1], ir.Number)]
    return sum(s.operands[1].value == quarters[s.function] for s in by_numbers)


@pytest.mark.parametrize("function", IN_STRIPS)
def test_strips(function):
    assert strips(function) == 1


@pytest.mark.parametrize("function", ONE_BY_ONE)
def test_what_waits_otherwise_stays_as_it_is(function):
    assert strips(function) == 0


def sized(a, n):
    for j in range(n):
        for k in range(j):
            a[0, j] -= 0.01 * a[0, k] * a[k, j]
        a[0, j] += 1.0
    return a


def test_any_number_of_elements():
    compiled = ag.to_graph(sized)
    for n in range(N + 1):
        np.testing.assert_array_equal(compiled(A.copy(), n), sized(A.copy(), n))


def solved(a, b):
    x = b.copy()
    for i in range(3):
        for j in range(N):
            for k in range(j):
                x[i, j] -= x[i, k] * a[k, j]
            x[i, j] /= a[j, j]
    return x


def test_called_differentiated_and_in_lanes():
    check(lambda a, b: solved(a, solved(a, b)) + b, A, B, ulps=EXACT)

    def loss(a):
        return np.sum(solved(a, B))

    slope = ag.jvp(loss, (A,), (B,))[1]
    np.testing.assert_allclose(np.sum(ag.grad(loss)(A) * B), slope, rtol=1e-10)
    several = ag.vmap(solved, (0, None))(np.stack([A, A + 1.0]), B)
    np.testing.assert_array_equal(several, [solved(A, B), solved(A + 1.0, B)])


def random_program(seed):
    """A recurrence with places that are random."""
    r = Random(seed)

    def place():
        rows = [r.choice("ijk"), f"{r.randint(0, 3)}"]
        row = r.choice(rows)
        return f"{r.choice('aab')}[{row}, {r.choice('jjk')} + {r.choice([0, 0, 0, 1, 2])}]"

    target = r.choice(["a[i, j]", "a[i, j]", "b[i, j + 1]", place()])
    finished = r.choice([target, target, place()]).replace("k", "j")
    lines = [f"for i in range({r.choice(['N - 2', '4'])}):", "    for j in range(N - 2):"]
    if r.random() < 0.3:
        lines += [f"        total = {target.replace('k', 'j')}", "        for k in range(j):"]
        lines += [f"            total -= 0.01 * {place()} * {place()}"]
        lines += [f"        {finished} = total"]
    else:
        lines += ["        for k in range(j):"]
        lines += [f"            {target} -= 0.01 * {place()} * {place()}"]
        if r.random() < 0.7:
            lines += [f"        {finished} *= {place().replace('k', 'j')}"]
    body = "\n    ".join(lines)
    return f"def program(a, b):\n    {body}\n    return a, b\n"


def compare(seed):
    check_text(random_program(seed), f"triangle {seed}", A, B, N=N)


def test_random_triangles():
    for seed in range(16):
        compare(seed)


@pytest.mark.slow
def test_more_random_triangles():
    for seed in range(1000, 1100):
        compare(seed)
