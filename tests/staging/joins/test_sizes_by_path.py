"""Branches that give arrays of different shapes, decided by ints: these become static."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import Programs

programs = Programs()
X = np.arange(8.0)


@programs(X, 3)
@programs(X, 1)
def rest_or_all(x, n):
    if n > 1:
        return x[1:]
    return x


@programs(X, 2)
@programs(X, 0)
@programs(X, -1)
def recursion_that_shortens(x, n):
    if n == 0:
        return x
    elif n > 0:
        return recursion_that_shortens(x[1:], n - 1)
    else:
        raise ValueError("a negative number")


@programs(2)
@programs(0)
@programs(-1)
def hadamard(n):
    if n == 0:
        return np.array([[1.0]])
    elif n > 0:
        half = hadamard(n - 1)
        return np.block([[half, half], [half, -half]])
    else:
        raise ValueError("a negative number")


@programs(X, 2)
@programs(X, 0)
def function_inside(x, n):
    def shorter(n):
        return x if n == 0 else shorter(n - 1)[1:]

    return np.sum(shorter(n)) + shorter(1)


@programs(X, 2)
def decided_in_a_loop(x, n):
    for i in range(3):
        if n > i:
            x = x[1:]
    return x


@programs(X, 2, True)
@programs(X, 2, False)
def decided_by_several(x, n, whole):
    size = n * 2 - 1
    return x if whole or size > 5 else x[:2]


@programs.test
def test_sizes_by_path(call):
    call.run()


def test_a_number_that_decides_truth_alone_stays_traced():
    def both(n, names):
        return 1 if n > 3 and names else 2

    compiled = ag.to_graph(both)
    assert [compiled(n, "ab") for n in (1, 5)] == [2, 1]
    assert "n: int" in str(compiled.program(7, "ab"))


@pytest.mark.parametrize("decides", [2.5, np.array([3, 4])])
def test_floats_and_arrays_that_decide(decides):
    def function(x, decides):
        return x[1:] if np.sum(decides) > 1 else x

    compiled = ag.to_graph(function)
    for given in (decides, decides * 0):
        np.testing.assert_array_equal(compiled(X, given), function(X, given))

    def of_other_axes(x, decides):
        return np.outer(x, x) if np.sum(decides) > 1 else x

    with pytest.raises(AutographError) as error:
        ag.to_graph(of_other_axes)(X, decides)
    assert error.value.id == "AG0311"


# -- loops -----------------------------------------------------------------------------------------

loops = Programs()


@loops(X)
@loops(X[:5])
def a_length_that_a_loop_finds(x):
    size = 1
    while size < len(x):
        size *= 2
    padded = np.zeros(size)
    padded[: len(x)] = x
    return padded.reshape(size // 2, -1), [1, 2, 3, 4, 5, 6, 7, 8, 9][size]


@loops(X)
def a_length_beside_what_is_traced(x):
    levels, size = 0, len(x)
    while size > 1:
        x = x * 1.5
        levels, size = levels + 1, size // 2
    return x.reshape((2,) * levels)


@loops(X)
def a_length_that_a_for_loop_finds(x):
    rows = 1
    for i in range(3):
        if i > 0:
            rows *= 2
    return np.ones(rows), x.reshape(rows, -1)


@loops(X, 4)
@loops(X, 0)
def a_while_that_needs_its_number(x, n):
    rows = 1
    while rows < n:
        x = x.reshape(rows, -1) * 2
        rows *= 2
    return x


@loops(X, 3)
@loops(X, 0)
def a_for_that_needs_its_number(x, n):
    for i in range(n):
        x = x.reshape(2**i, -1) + i
    return x


@loops.test
def test_sizes_by_loops(call):
    call.run()


def test_what_a_long_loop_finds_is_not_looked_for():
    def column(x):
        size = 0
        for _ in range(10**5):
            size = (size + 3) % 9
        return x.reshape(size, -1)

    with pytest.raises(AutographError) as error:
        ag.to_graph(column)(X)
    assert error.value.id == "AG0302"


def test_a_loop_that_floats_end_is_refused():
    def rows(x, most):
        rows = 1
        while np.sum(x) < most:
            x = x.reshape(rows, -1) * 2
            rows *= 2
        return x

    with pytest.raises(AutographError) as error:
        ag.to_graph(rows)(X, 60.0)
    assert error.value.id == "AG0302"
