"""Branches that give arrays of different shapes, decided by ints: these become static."""

import numpy as np
import pytest
from oracle import Programs

import autograph as ag
from autograph.errors import AutographError

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
def test_floats_and_arrays_that_decide_are_refused(decides):
    def function(x, decides):
        return x[1:] if np.sum(decides) > 1 else x

    with pytest.raises(AutographError) as error:
        ag.to_graph(function)(X, decides)
    assert error.value.id == "AG0311"
