"""The warning that a derivative is zero because the result is decided by comparisons alone."""

import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ZeroGradientWarning


def bisected(a):
    low, high = 0.0, 10.0
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        if middle * middle < a:
            low = middle
        else:
            high = middle
    return low


def halvings(a):
    n = 0
    while a > 1.0:
        a, n = a / 2.0, n + 1
    return float(n)


def coins(p):
    return np.sum(np.where(np.array([0.1, 0.4, 0.9]) < p, 1.0, 0.0))


def step(x):
    return 1.0 if x > 0.0 else 2.0


def called(a):
    return bisected(a + 1.0) * 2.0


def above(a):
    x = np.array([1.0, 2.0, 3.0])
    return np.sum(x[x > a])


class Problem:
    def solved(self, a):
        return bisected(a)


MODES = {
    "grad": lambda f: ag.grad(f)(4.0),
    "vjp": lambda f: ag.vjp(f, 4.0)[1](1.0),
    "jvp": lambda f: ag.jvp(f, (4.0,), (1.0,))[1],
    "vmap of grad": lambda f: ag.vmap(ag.grad(f))(np.array([4.0, 5.0])),
    "grad of vmap": lambda f: ag.grad(lambda a: np.sum(ag.vmap(f)(a)))(np.array([4.0, 5.0])),
    "compiled": lambda f: ag.to_graph(lambda a: ag.grad(f)(a))(4.0),
}
DECIDED = [bisected, halvings, coins, step, called, above, Problem().solved]


@pytest.mark.parametrize("function", DECIDED)
@pytest.mark.parametrize("mode", ["grad", "vjp", "jvp", "compiled"])
def test_what_comparisons_decide(function, mode):
    with pytest.warns(ZeroGradientWarning, match="zero.*comparisons alone") as found:
        assert not np.any(MODES[mode](lambda a: function(a)))  # a new one, which is recorded
    assert found[0].filename == __file__


@pytest.mark.parametrize("function", [bisected, coins, above])
@pytest.mark.parametrize("mode", ["vmap of grad", "grad of vmap"])
def test_in_lanes(function, mode):
    with pytest.warns(ZeroGradientWarning, match="zero.*comparisons alone"):
        MODES[mode](lambda a: function(a))


def test_it_names_the_line_and_the_argument():
    def chosen(price):
        limit = 2.0 * price
        return 1.0 if limit < 9.0 else 0.0

    with pytest.warns(ZeroGradientWarning, match="of 'chosen' by 'price'") as found:
        ag.grad(chosen)(4.0)
    assert [w.lineno for w in found] == [chosen.__code__.co_firstlineno + 2]


def test_one_of_several_arguments():
    def loss(x, threshold):
        return np.sum(np.where(x > threshold, x, 0.0))

    with pytest.warns(ZeroGradientWarning, match="by 'threshold'") as found:
        ag.grad(loss, (0, 1))(np.ones(3), 0.5)
    assert len(found) == 1


def test_it_is_said_once():
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = lambda *args, **kwargs: found.append(args)
        for x in (2.0, np.float64(3.0), 4.0):
            ag.grad(lambda a: step(a))(x)
            ag.grad(lambda a: step(a))(x)
    assert len(found) == 1


def polished(a):
    x = bisected(a)
    return x - (x * x - a) / (2.0 * x)


def halved(x):
    while x > 1.0:
        x = x / 2.0
    return x


def clipped(x):
    return x if x < 10.0 else 10.0


def checked(x):
    assert x > 0.0
    print(x < 3.0)
    return 2.0


def raised(x, n=4):
    return x if n == 0 else raised(1.5 * x if x < 3.0 else x, n - 1)


@pytest.mark.parametrize(
    "function",
    [
        polished,
        halved,
        clipped,
        checked,
        raised,
        lambda a: bisected(ag.stop_gradient(a)),
        lambda x: 3.0,
        lambda x: np.floor(x),
        lambda x: np.sum(np.where(x > 1.0, x, 0.0)),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_where_it_is_not_said(function, mode):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ZeroGradientWarning)
        MODES[mode](function)


def test_second_derivatives_of_kinks_are_zero():
    """The slope of a rectifier is a comparison, and rightly constant."""
    rectified = lambda x: np.sum(np.maximum(x, 0.0) + np.where(x > 0.0, x, 0.0) + np.abs(x))
    x = np.array([1.0, -2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error", ZeroGradientWarning)
        assert not ag.hessian(rectified)(x).any()
        assert not ag.jacfwd(ag.grad(rectified))(x).any()
        assert not ag.hvp(rectified)(x, x).any()
        assert ag.grad(ag.grad(lambda x: x if x > 0.0 else 0.0))(1.0) == 0.0
