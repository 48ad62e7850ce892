"""Operations whose results nobody uses still raise, where Python would."""

import numpy as np
import pytest

import autograph as ag


def reads(x, i):
    x[i]
    return x * 2.0


def reads_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return x


def divides_in_a_callee(x, n):
    def harmonic(k):
        return 0.0 if k < 0 else 1 / k + harmonic(k - 1)

    harmonic(n)
    return x


@pytest.mark.parametrize(
    ("function", "good", "bad", "kind"),
    [
        (reads, 1, 7, IndexError),
        (reads_in_a_loop, 3, 4, IndexError),
        (divides_in_a_callee, -1, 2, ZeroDivisionError),
    ],
)
def test_unused_operations_raise(function, good, bad, kind):
    x = np.ones(3)
    compiled = ag.to_graph(function)
    assert np.array_equal(compiled(x, good), function(x, good))
    with pytest.raises(kind):
        function(x, bad)
    with pytest.raises(kind):
        compiled(x, bad)


def test_a_gradient_drops_them():
    program = str(ag.grad(lambda x, i: np.sum(reads(x, i))).program(np.ones(3), 1))
    assert "x[i]" not in program
