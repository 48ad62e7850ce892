"""Medians and quantiles do not sort what they do not read."""

import numpy as np
import pytest

import autograph as ag

R = np.random.default_rng(0)
X = R.normal(size=(90, 71))
WITH_NAN = np.where(R.random(X.shape) < 0.01, np.nan, X)
ZEROS = np.where(R.random(90) < 0.8, 0.0, -0.0)

FUNCTIONS = {
    "median": lambda x: np.median(x),
    "rows": lambda x: np.median(x, axis=1),
    "columns": lambda x: np.median(x, axis=0, keepdims=True),
    "quantile": lambda x: np.quantile(x, 0.3, axis=0),
    "quantiles": lambda x: np.percentile(x, [5, 50, 95]),
    "deviation": lambda x: np.median(np.abs(x - np.median(x))),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("x", [X, WITH_NAN, (X * 9).astype(int), X.astype("float32")])
def test_they_are_partitions_with_numpys_values(name, x):
    f = FUNCTIONS[name]
    compiled = ag.to_graph(f)
    expected, found = f(x), compiled(x)
    assert np.allclose(found, expected, rtol=1e-6, equal_nan=True)
    assert np.shape(found) == np.shape(expected)
    program = str(compiled.program(x))
    assert "partition" in program and "np.sort" not in program


def test_derivatives_are_those_of_the_elements():
    for f in (np.median, lambda x: np.quantile(x, 0.3)):
        ag.check_grads(lambda x, f=f: f(x), (X[:, 0],), order=2)
    found = ag.value_and_grad(np.median)(X[:, 0])
    assert found[0] == np.median(X[:, 0]) and np.count_nonzero(found[1]) == 2
    lanes = ag.vmap(ag.grad(np.median))(X)
    assert np.count_nonzero(lanes, axis=1).tolist() == [1] * 90


def test_what_else_is_sorted_stays_sorted():
    for f in (
        lambda x: np.sort(x)[3],
        lambda x, i: np.quantile(x, i),
        lambda x: np.median(x[:20]),
    ):
        args = (ZEROS, np.array(0.5))[: f.__code__.co_argcount]
        compiled = ag.to_graph(f)
        assert compiled(*args) == f(*args)
        assert "partition" not in str(compiled.program(*args))
    assert np.array_equal(ag.to_graph(lambda x: np.sort(x))(X), np.sort(X))


def test_in_loops_and_for_other_lengths():
    def f(x):
        total = 0.0
        for i in range(3):
            total = total + np.median(x * (1.0 - i))
        return total

    compiled = ag.to_graph(f)
    for n in (70, 71, 80, 81, 3, 70):
        assert np.isclose(compiled(X[:n, 0]), f(X[:n, 0]))
    assert "partition" not in str(compiled.program(X[:80, 0]))
    many = np.resize(X, 3000)
    assert np.isclose(compiled(many), f(many))
    assert "partition" in str(ag.to_graph(f).program(many))


def test_partitions_in_loops_that_are_read_where_they_are_sorted():
    def f(x, read):
        total = 0.0
        for i in range(3):
            y = np.partition(x * (1.0 - i), (4, -2))
            total = total + y[4] * y[-2] + (np.sum(y[:4]) if read else 0.0)
        return total

    x = X[:80, 0]
    for read in (False, True):
        compiled = ag.to_graph(f)
        assert np.isclose(compiled(x, read), f(x, read))
        assert ("partition" in str(compiled.program(x, read))) is read
