"""Arrays in Fortran order are read where they are once they have come twice, not copied."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels import program
from tests.kernels.kernel_check import assert_same, run

R = np.random.default_rng(0)
X = np.asfortranarray(R.normal(size=(70, 50)))
Y = R.normal(size=(70, 50))
V = np.asfortranarray(R.normal(size=(9, 30, 20)))
WHERE = np.array([3, -1, 49])


def swept(x):
    y = x * 2.0
    for i in range(1, x.shape[0]):
        y[i] = y[i - 1] * 0.5 + x[i]
    return y, np.max(y, axis=0)


FUNCTIONS = {
    "elements": (lambda x: np.tanh(x) * 2.0, (X,)),
    "lone": (lambda x: x + 1.0, (X,)),
    "sums": (lambda x: (np.sum(x * x), np.sum(np.exp(x), axis=0), x.sum(axis=1)), (X,)),
    "volume": (lambda x: (np.sum(x, axis=1), np.max(x * x, axis=(0, 2)), x - 1.0), (V,)),
    "row": (lambda x: x[0] * 2.0 + 1.0, (X,)),
    "both": (lambda x, y: (x * y + np.sum(y, axis=0), x @ y.T), (X, Y)),
    "two": (lambda x, y: x * y - x, (X, np.asfortranarray(Y))),
    "loop": (swept, (X,)),
    "places": (lambda x, i: np.sum(x[:, i] * 2.0, axis=1), (X, WHERE)),
    "same": (lambda x: (x * 2.0, (x * 2.0).T), (X,)),
}


@pytest.fixture
def made(monkeypatch):
    """The positions for which there are kernels of transposes."""
    found = []
    new = program._OfTransposed._new

    def noted(self, positions):
        found.append(positions)
        return new(self, positions)

    monkeypatch.setattr(program._OfTransposed, "_new", noted)
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_give_what_numpy_does(name, made):
    f, args = FUNCTIONS[name]
    compiled = ag.to_graph(f)
    expected = run(f, args).result
    for _ in range(4):
        assert_same(run(compiled, args).result, expected, 64, 30.0)
    assert made
    in_order = tuple(np.array(a, order="C") for a in args)
    assert_same(run(compiled, in_order).result, expected, 64, 30.0)
    assert_same(run(compiled, args).result, expected, 64, 30.0)


def test_results_are_in_the_order_that_numpys_are_in():
    compiled = ag.to_graph(lambda x: x * 2.0 + 1.0)
    found = [compiled(X) for _ in range(4)][-1]
    assert found.flags.f_contiguous and not np.shares_memory(found, X)


def test_gradients_and_other_lengths(made):
    f = lambda x: np.sum(np.sin(x) * x)
    gradient = ag.grad(f)
    for n in (60, 61, 61, 61, 62, 62, 62):
        x = np.asfortranarray(R.normal(size=(n, 50)))
        assert np.allclose(gradient(x), np.cos(x) * x + np.sin(x))
    assert made


def test_what_is_raised_is_raised(made):
    compiled = ag.to_graph(lambda x, i: np.sum(x[:, i] * 2.0))
    for _ in range(4):
        compiled(X, WHERE)
    assert made
    with pytest.raises(IndexError, match="index 50 is out of bounds for axis 1 with size 50"):
        compiled(X, WHERE + 1)


def test_arguments_that_are_changed():
    def changes(x):
        x[1:] += 2.0 * x[:-1]
        return np.sum(x)

    compiled = ag.to_graph(changes)
    for _ in range(4):
        found, expected = X.copy(order="F"), X.copy(order="F")
        assert np.isclose(compiled(found), changes(expected))
        assert np.array_equal(found, expected)


def test_small_ones_are_copied(made):
    compiled = ag.to_graph(lambda x: x * 2.0 + 1.0)
    for _ in range(4):
        assert np.array_equal(compiled(X[:5]), X[:5] * 2.0 + 1.0)
    assert not made
