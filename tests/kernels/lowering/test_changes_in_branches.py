"""Elements of arrays that are changed in conditionals, in loops: in place, and rightly so."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
import ops
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check


def exchanged(x):
    n = x.shape[0]
    moved = True
    while moved:
        moved = False
        for i in range(n - 1):
            if x[i] > x[i + 1]:
                t = x[i]
                x[i] = x[i + 1]
                x[i + 1] = t
                moved = True
        n -= 1


def one_way_or_another(x):
    y = x * 1
    for i in range(x.shape[0] - 1):
        y[i] += 1
        if y[i] > 2:
            y[i] = -1
        elif y[i] > 0:
            y[i + 1] = y[i]
            y[i] = 5
    return y


def two_changes_and_the_old_array(x):
    y = x * 1
    total = 0
    for i in range(x.shape[0] - 1):
        before = y * 1
        if y[i] > 1:
            y[i] = 7
            y[i + 1] = before[i]
            total += before[i] + before[i + 1]
    return y, total


def kept_on_one_path(x):
    y = x * 1
    z = x * 2
    for i in range(x.shape[0] - 1):
        if y[i] > 1:
            z = y * 1
            y[i] = 7
            y[i + 1] = z[i]
        else:
            y[i] = z[i + 1]
            z[i] = y[i]
    return y, z


def read_between_changes(x):
    y = x * 1
    s = 0
    for i in range(x.shape[0] - 1):
        if y[i] > 1:
            a = y[i]
            y[i] = 3
            s = s * 3 + y[i] + np.sum(y)
            y[i + 1] = a + y[i]
            s = s * 3 + y[i] + y[i + 1]
    return y, s


def nested_branches(x):
    y = x * 1
    for i in range(x.shape[0] - 2):
        y[i] += 1
        if y[i] > 1:
            if y[i + 1] > 1:
                y[i + 1] = y[i]
                if y[i + 2] > y[i]:
                    y[i] = y[i + 2]
                    y[i + 2] = 0
            y[i] -= 1
    return y


def loops_in_branches(x):
    y = x * 1
    for i in range(x.shape[0] - 1):
        if y[i] > 0:
            for j in range(i, x.shape[0]):
                y[j] = y[j] - y[i] + j
        else:
            y[i + 1] += 2
    return y


def old_array_in_a_loop_in_a_branch(x):
    y = x * 1
    for i in range(x.shape[0] - 1):
        old = y * 1
        if y[i] > 0:
            z = y
            y = y * 1
            for j in range(1, x.shape[0]):
                y[j] = z[j - 1] + old[j]
            y[0] = z[1]
        elif y[i] < -2:
            y = y + 1
    return y


def one_of_two_in_a_loop_in_a_branch(x):
    a, b = x * 1, x * 2
    for i in range(x.shape[0] - 1):
        if a[i] > b[i + 1]:
            for j in range(x.shape[0]):
                a[j], b[j] = b[j] - 1, a[j]
        elif a[i] > 2:
            a = b * 2
    return a + b, a - b


def one_branch_after_another(x):
    y = x * 1
    for i in range(1, x.shape[0]):
        if y[i - 1] > 0:
            y[i] = max(y[i], y[i - 1])
        if i % 3 > 0:
            if y[i] > y[i - 1]:
                y[i] += y[i - 1]
            else:
                y[i - 1] -= 1
        for j in range(i):
            y[i] = max(y[i], y[j] - j)
    return y


PROGRAMS = [
    one_branch_after_another,
    loops_in_branches,
    old_array_in_a_loop_in_a_branch,
    one_of_two_in_a_loop_in_a_branch,
    exchanged,
    one_way_or_another,
    two_changes_and_the_old_array,
    kept_on_one_path,
    read_between_changes,
    nested_branches,
]


@pytest.mark.parametrize("size", [9, 300])
@pytest.mark.parametrize("function", PROGRAMS)
def test_changes_in_branches(function, size):
    x = np.random.default_rng(0).integers(-3, 6, size)
    check(function, x)
    check(function, x.astype(float))


@pytest.mark.parametrize("function", PROGRAMS)
def test_changes_in_branches_of_lanes(function):
    x = np.random.default_rng(1).integers(-3, 6, (20, 9)).astype(float)

    def of_copy(x):
        y = x * 1
        out = function(y)
        return y if out is None else out

    found = ag.vmap(of_copy)(x)
    expected = [of_copy(row) for row in x]
    if isinstance(found, tuple):
        expected = tuple(map(np.array, zip(*expected)))
        assert all(np.array_equal(a, b) for a, b in zip(found, expected))
    else:
        assert np.array_equal(found, np.array(expected))


@pytest.mark.parametrize("function", PROGRAMS)
def test_gradients_of_changes_in_branches(function):
    def of_copy(x):
        y = x * 1.0
        out = function(y)
        y = y if out is None else out
        return np.sum(y * y) if not isinstance(y, tuple) else np.sum(y[0] * y[0]) + np.sum(y[1])

    x = np.random.default_rng(2).normal(size=9) * 3
    steps = np.eye(9) * 1e-6
    expected = [(of_copy(x + d) - of_copy(x - d)) / 2e-6 for d in steps]
    assert np.allclose(ag.grad(of_copy)(x), expected, rtol=1e-4, atol=1e-4)


UNCOPIED = [exchanged, nested_branches, loops_in_branches, one_branch_after_another]


@pytest.mark.parametrize("function", UNCOPIED)
def test_nothing_is_copied_in_a_trip(function):
    """The loops of the kernel do not contain loops over all elements."""
    kernel = ag.to_graph(function).kernels(np.arange(300.0))[function.__name__].kernel
    loops = [s for s in ir.walk(kernel.body) if isinstance(s, (ir.For, ir.While))]
    assert loops
    inside = [s for loop in loops for s in ir.walk(loop.body) if isinstance(s, ir.Each)]
    assert not inside


def replaced(x, value, i):
    """A row of an array, or an element, replaced in a new array."""
    return ops.index_update(x, value, i, index=(("arg", 0),))


def part_read_after_a_branch(x):
    y = np.cumsum(x, axis=1)
    for i in range(2):
        row = y[i]
        if y[i, 0] > 1:
            y = replaced(y, y[i + 1], i)
        y = replaced(y, row, i + 1)
    return y


def part_read_in_a_branch(x):
    y = np.cumsum(x, axis=1)
    for i in range(2):
        row = y[i]
        if y[i, 0] > 1:
            y = replaced(replaced(y, y[i + 1], i), row, i + 1)
    return y


def parts_read_in_a_loop(x):
    y = np.cumsum(x, axis=1)
    row, flat = y[1], y.reshape(-1)
    for i in range(3):
        y = replaced(y, row + flat[i], i)
        if y[i, 1] > 3:
            y = replaced(y, row, 0)
    return y


def two_views_changed_in_a_branch(x):
    y = np.cumsum(x, axis=1)
    flat = y.reshape(-1)
    if flat[1] < 100:
        y = replaced(y, y[2], 0)
        flat = replaced(flat, 7, 2)
    return y, flat + 0


PARTS = [
    part_read_after_a_branch,
    part_read_in_a_branch,
    parts_read_in_a_loop,
    two_views_changed_in_a_branch,
]


@pytest.mark.parametrize("size", [3, 300])
@pytest.mark.parametrize("function", PARTS)
def test_parts_of_arrays_that_are_changed(function, size):
    """Values in the memory of another are copied if they are read after that has changed."""
    x = np.random.default_rng(3).integers(-3, 6, (3, size))
    check(function, x)
    check(function, x.astype(float))
