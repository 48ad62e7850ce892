"""Parts of arrays that are computed where they are written, and those that may not be."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir, uses
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check, host_statements


def other_memory(a):
    b = a * 2.0
    for i in range(3):
        b[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1]) * i
        a = a + b[1, 1]
    return b


def same_part(a):
    a = a * 1.0
    for j in range(1, a.shape[1]):
        a[1:-1, j] = 0.5 / (1.5 + np.abs(a[1:-1, j - 1])) - a[1:-1, j]
    for i in range(a.shape[0] - 2, -1, -1):
        a[i, 1:] += a[i + 1, 1:] * a[i, 1:]
    return a


def rows_of_it(a):
    a = a * 1.0
    for i in range(1, a.shape[0]):
        a[i, 1:-1] = 0.5 / (1.5 + np.abs(a[i - 1, 1:-1])) - a[i, 1:-1]
        a[i, ::-2] -= a[i - 2, ::-2] * a[i, ::-2]
    return a


def around_the_end(a):
    a = a * 1.0
    for j in range(a.shape[1]):
        a[::-2, j] = a[::-2, j - 1] - a[::-2, j]
    return a


def shifted(a):
    a = a * 1.0
    for i in range(3):
        a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1]) + i
        a[:, 1:] -= a[:, :-1]
    return a


def across(a):
    n = min(a.shape)
    a = a[:n, :n] * 1.0
    for i in range(n):
        a[:, i] = a[i, :] - 0.5 * a[:, i]
    return a


def reversed_part(a):
    a = a * 1.0
    for j in range(1, a.shape[1]):
        a[:, j] = a[::-1, j - 1] + a[::-1, j]
    return a


def one_element_of_it(a):
    a = a * 1.0
    for j in range(a.shape[1]):
        a[:, j] = a[:, j] * a[3, j] - a[-1, j - 1]
    return a


def its_sum(a):
    a = a * 1.0
    for i in range(1, a.shape[0]):
        a[i, :] = a[i] - np.mean(a[i]) + np.max(a, axis=0)
    return a


def repeated_row(a):
    a = a * 1.0
    for i in range(a.shape[0] - 6):
        a[i : i + 6] = a[i + 3] / 2.0 + i
        a[i + 1 :, 2:4] = a[i, 2:4] * a[i, 0]
    return a


def whole_array_kept(a):
    b = a * 1.0
    total = a * 0.0
    for j in range(1, a.shape[1]):
        before = b
        b = b * 1.0
        b[:, j] = before[:, j - 1] + b[:, j]
        total += before * b
    return b, total


def used_twice(a):
    a = a * 1.0
    total = 0.0
    for j in range(1, a.shape[1]):
        row = np.sqrt(np.abs(a[:, j - 1])) + a[:, j]
        a[:, j] = row
        total += row.sum()
    return a, total


def reshaped(a):
    a = a[:20, :20] * 1.0
    for j in range(1, 4):
        a[:, j] = a.reshape(400)[:20] + a.reshape(400)[5:105:5] * a.T[j]
    return a


def chosen(a):
    a = a * 1.0
    for j in range(1, a.shape[1]):
        a[2:, j] = np.where(a[2:, j - 1] > 0.5, a[2:, j], -a[2:, j - 1])
        a[:, 0] = a[:, j] if j % 2 else a[:, 0] * 0.5
    return a


PROGRAMS = [
    *(other_memory, same_part, rows_of_it, around_the_end, shifted, across, reversed_part),
    *(one_element_of_it, its_sum, repeated_row, whole_array_kept, used_twice, reshaped, chosen),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_parts(program, dtype):
    a = np.random.default_rng(1).random((43, 41)).astype(dtype)
    check(program, a, scale=10.0)


@pytest.mark.costly
@pytest.mark.parametrize("program", [same_part, shifted, across, chosen], ids=lambda p: p.__name__)
def test_lanes_and_derivatives(program):
    a = np.random.default_rng(2).random((3, 21, 20))
    np.testing.assert_allclose(ag.vmap(program)(a), [program(x) for x in a], rtol=1e-12)
    ag.check_grads(lambda x: np.sum(np.sin(program(x))), (a[0, :20],))


def test_indices_out_of_range():
    def ahead(a, n):
        a = a * 1.0
        for j in range(n):
            a[:, j] = a[:, j + 1] * 2.0
        return a

    a = np.ones((20, 20))
    compiled = check(ahead, a, 19)
    with pytest.raises(IndexError):
        compiled(a, 20)


@pytest.mark.parametrize(
    "program, passes",
    [(other_memory, 3), (rows_of_it, 2), (across, 2), (reversed_part, 2)],
    ids=lambda p: getattr(p, "__name__", p),
)
def test_passes_over_memory(program, passes):
    """How many passes there are in the trips of a program's loops, one for each statement if
    nothing waits in memory in between."""
    (kernel,) = ag.to_graph(program).kernels(np.ones((83, 81))).values()
    loops = [s for s in kernel.kernel.body.statements if isinstance(s, ir.For)]
    inside = [s for loop in loops for s in ir.walk(loop.body) if isinstance(s, ir.Each)]
    rows = [s for s in inside if any(isinstance(inner, ir.Each) for inner in ir.walk(s.body))]
    assert len(inside) - len(rows) == passes


def lengths_of_runs(x):
    n, k, i = len(x), 0, 0
    values, lengths = np.zeros(n), np.zeros(n, np.int64)
    while i < n:
        j = i
        while j < n and x[j] == x[i]:
            j += 1
        values[k], lengths[k] = x[i], j - i
        k, i = k + 1, j
    return values, lengths, k


def test_arrays_that_are_filled_before_a_loop_are_in_their_place_at_once():
    x = np.repeat(np.arange(40.0), np.arange(40) % 5)
    f = check(lengths_of_runs, x)
    (kernel,) = f.kernels(x).values()
    assert not uses.temporaries(for_host(kernel.kernel))


def votes(a):
    counts = np.zeros((30, 40))
    c = np.cos(np.arange(30) * np.pi / 30)
    for i in range(a.shape[0]):
        for t in range(30):
            counts[t, int(20 + 10 * a[i, 0] * c[t])] += 1.0
    return counts


def test_what_is_filled_before_a_loop_is_filled_where_the_result_is():
    a = np.random.default_rng(0).random((20, 3))
    np.testing.assert_array_equal(ag.to_graph(votes)(a), votes(a))
    (function,) = ag.to_graph(votes).kernels(a).values()
    outputs = set(function.kernel.outputs)
    kept = {b for s in ir.walk(function.kernel.body) for b in uses.buffers(s)} - outputs
    assert not any(b.size == 30 * 40 for b in kept)


def steps_beside_the_old_array(u, n):
    """The copy is needed in any case: what is written reads that, and is not put aside."""
    u = u * 1.0
    change = 0.0
    for _ in range(n):
        old = u.copy()
        u[1:-1] = old[1:-1] + 0.1 * (old[2:] - 2.0 * old[1:-1] + old[:-2])
        u[0] = old[-1] + old[1]
        change += np.sum(u) - np.sum(old) * 0.5
    return u, change


def a_part_beside_the_old_array(u, n):
    u = u * 1.0
    for i in range(n):
        old = u * 2.0
        middle = old[1:-1]
        u[1:-1] = middle - old[2:] * i
        u[:-2] += middle
        u[-1] = np.max(old)
    return u


def test_what_reads_a_copy_that_is_needed_is_not_put_aside():
    u = np.random.default_rng(0).normal(size=400)
    for f in (steps_beside_the_old_array, a_part_beside_the_old_array):
        check(f, u, 5)
        check(f, u, 0)
    found = {
        s.buffer: s.buffer.nbytes
        for s in host_statements(steps_beside_the_old_array, u, 5)
        if isinstance(s, ir.Load | ir.Store) and s.buffer.kind == "temporary"
    }
    assert sum(found.values()) == u.nbytes
