"""NumPy's functions that join the elements of a list, of lists that are kept as rows."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()
M = np.arange(6.0).reshape(2, 3)
T = np.arange(24.0).reshape(2, 3, 4)


@programs.smooth(M)
def smooth(x):
    parts = [np.sin(row)[None] for row in x]
    return np.sum(np.concatenate(parts, axis=-1) * np.arange(6.0))


@programs(M)
@programs(T)
def joined(x):
    rows = [row * 2.0 for row in x]
    last = np.concatenate(rows, axis=-1)
    return np.concatenate(rows), last, np.concatenate(rows, axis=None)


@programs(M)
@programs(T)
def stacked(x):
    rows = [row * 2.0 for row in x]
    return np.stack(rows), np.stack(rows, axis=-1), np.stack(rows, 1), np.stack(rows, dtype="f4")


@programs(np.arange(3.0))
@programs(M)
@programs(T)
@programs(np.arange(48.0).reshape(2, 3, 4, 2))
def beside_each_other(x):
    rows = [row * 2.0 for row in x]
    return np.hstack(rows), np.vstack(rows), np.dstack(rows), np.column_stack(rows), np.block(rows)


@programs(M, -1.0)
@programs(M, 1.0)
def as_many_as_the_run_finds(x, least):
    rows = [row * 2.0 for row in x[x[:, 0] > least]]
    last = np.concatenate([row[:, None] for row in x[x[:, 0] > least]], axis=1)
    return np.concatenate(rows, axis=-1), last, np.hstack(rows), np.block(rows)


@programs(M, 9.0)
def none_at_all(x, least):
    return np.concatenate([row * 2.0 for row in x[x[:, 0] > least]], axis=-1)


@programs(np.arange(4.0), 9.0)
def no_numbers(x, least):
    return np.stack([a * 2.0 for a in x if a > least])


@programs(M)
def points(x):
    counts, _ = np.histogramdd([row * 1.0 for row in x], bins=2)
    return counts


@programs(np.arange(3.0))
def numbers(x):
    return np.concatenate([a * 2.0 for a in x])


@programs(M)
def with_a_dtype(x):
    rows = [row * 2.0 for row in x]
    return np.concatenate(rows, axis=-1, dtype=np.float32), np.hstack(rows, dtype=np.float32)


@programs(np.arange(6.0), 3)
def slices(x, n):
    return np.concatenate([x[2 * i : 2 * i + 2] for i in range(n)], axis=-1)


@programs.test
def test_joined_lists(call):
    call.run()


def test_blocks_of_lists_are_refused():
    def blocks(x):
        return np.block([[row, row * 2.0] for row in x])

    try:
        check(blocks, M)
    except ag.errors.UnsupportedFunctionError as error:
        assert error.id == "AG0337"


# -- arrays of no axes, and np.ndarray ------------------------------------------------------------

parts = Programs()
X = np.arange(6.0)


@parts(X)
def a_part_of_no_axes(y):
    y[..., 2] *= 2.0
    z = y[..., 1]
    z += y[3]
    y[2, ...] **= 2
    return y, z


@parts(X, 3)
def in_a_loop(y, n):
    for i in range(n):
        y[..., i] -= 0.5
        if y[0] > 0:
            y[..., 0] /= 2.0
    return y


@parts(np.arange(6))
def ints(y):
    y[..., 2] //= 2
    y[..., 2] += 0.5
    return y


@parts(X)
def new_arrays(x):
    a, b = np.ndarray(3), np.ndarray((2, 2), dtype=np.float32, order="F")
    a[:], b[...] = x[:3], x[0]
    return a, b


@parts.test
def test_parts_and_new_arrays(call):
    call.run()


def test_the_derivative_of_a_part():
    def f(x):
        x = x * x
        x[..., 2] *= x[1]
        return np.sum(x)

    assert ag.grad(f)(X) == pytest.approx([0, 2 + 2 * 4, 2 * 2 * 1, 6, 8, 10])


def test_an_array_over_a_buffer_is_refused():
    def f(x):
        return np.ndarray(2, buffer=b"\0" * 16) + x[:2]

    with pytest.raises(ag.errors.UnsupportedFunctionError):
        ag.to_graph(f)(X)


@programs(np.arange(8.0) - 2)
def lists_among_arguments(x):
    found = []
    for value in x:
        if value > 0:
            found.append(value)
    average = np.average(np.arange(len(found)), weights=found)
    among = np.concatenate((found, found)), np.stack([found, found])
    beside = np.column_stack((found, x[3:]))
    return (
        average,
        among,
        beside,
        np.interp(1.5, xp=found, fp=found),
        np.hstack((found, [1.0, 2.0])),
    )
