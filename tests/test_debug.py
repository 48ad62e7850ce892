"""`ag.debug`: compiled functions that stop at the first NaN or infinity."""

import threading

import numpy as np
import pytest

import autograph as ag
from autograph.errors import NonFiniteError

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
X = np.array([1.0, 0.2, 3.0])


@ag.to_graph
def logarithms(x):
    y = 2 * x
    z = np.log(y - 1)  # the logarithm
    total = 0.0
    for i in range(len(z)):
        total += z[i]
    return np.where(total > 0, total, 1.0)


def line_of(text):
    with open(__file__, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


def stops(call, mark, match="what this line gives"):
    with pytest.raises(NonFiniteError, match=match) as caught:
        call()
    assert isinstance(caught.value, FloatingPointError) and caught.value.id == "AG0622"
    assert caught.value.location.line == line_of(mark)


def test_in_the_block_only(with_and_without_kernels):
    for _ in range(3):
        assert logarithms(X) == 1.0
    with ag.debug.nans():
        stops(lambda: logarithms(X), "# the logarithm", r"in 1 of 3 elements, the first at \[1\]")
        stops(lambda: logarithms(X), "# the logarithm")
        assert logarithms(X + 1) == logarithms(X + 1)
    for _ in range(3):
        assert logarithms(X) == 1.0


def test_other_threads_go_on():
    found = []
    with ag.debug.nans():
        thread = threading.Thread(target=lambda: found.append(logarithms(X)))
        thread.start()
        thread.join()
    assert found == [1.0]


def test_infinities():
    divide = ag.to_graph(lambda a, b: a / b)  # the quotient
    zero = np.zeros(2)
    with ag.debug.infinities():
        stops(lambda: divide(np.ones(2), zero), "# the quotient", "infinity")
        assert np.isnan(divide(zero, zero)).all()
        with ag.debug.nans():
            stops(lambda: divide(zero, zero), "# the quotient", "NaN")
    with ag.debug.nans():
        assert np.isinf(divide(np.ones(2), zero)).all()


def test_changes_in_place():
    @ag.to_graph
    def changed(x, y):
        z = x.copy()
        z[1:] -= y  # a difference
        z[0] = 1.0
        return np.sum(z[:1])

    inf = np.full(3, np.inf)
    assert changed(inf, inf[1:]) == 1.0
    with ag.debug.nans():
        stops(lambda: changed(inf, inf[1:]), "# a difference")


def root(x):
    if x < 0:
        return np.sqrt(x)  # the end of a recursion
    return 2 * root(x - 1)


@pytest.mark.parametrize("depth", [3, 20_000])
def test_recursion(depth):
    with ag.debug.nans():
        stops(lambda: ag.to_graph(root)(np.float64(depth + 0.5)), "# the end of a recursion")


def test_recursion_that_has_been_deep_before(with_and_without_kernels):
    function, x = ag.to_graph(root), np.float64(20_000.5)
    assert np.isnan(function(x))
    for _ in range(2):
        with ag.debug.nans():
            stops(lambda: function(x), "# the end of a recursion")
    assert np.isnan(function(x))


def test_derivatives_and_lanes():
    length = lambda x: np.sqrt(x * x)  # a length
    with ag.debug.nans():
        assert ag.grad(length)(2.0) == 1.0
        stops(lambda: ag.grad(length)(0.0), "# a length")
        _, pull = ag.vjp(length, 0.0)
        stops(lambda: pull(1.0), "# a length")
        stops(lambda: ag.vmap(ag.grad(length))(np.array([1.0, 0.0])), "# a length", r"at \[1\]")


def test_numbers_and_lists():
    @ag.to_graph
    def collected(x):
        found = []
        while x < 10:
            found.append(x * 0.5)
            x = x * 3
        return found, abs(x - np.inf) * 0  # a number

    with ag.debug.nans():
        stops(lambda: collected(2.0), "# a number", "is NaN")
