"""The warning that float32 became float64 because of one NumPy scalar."""

import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import WideningWarning

X = np.ones(3, np.float32)


def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return [w for w in found if issubclass(w.category, WideningWarning)]


def line_of(text):
    with open(__file__, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


def test_a_step_that_is_fed_its_own_results():
    @ag.to_graph
    def step(w, rate):
        y = w * 2
        return y - rate * w  # the first step

    w = X

    def train():
        nonlocal w
        for i in range(5):
            w = step(w, 1e-3 * np.cos(i / 10))

    (warning,) = warned(train)
    assert w.dtype == np.float64
    assert "argument 'w' is f32[3], and f64[3] in the next call: 'rate'" in str(warning.message)
    assert (warning.filename, warning.lineno) == (__file__, line_of("# the first step"))
    assert not warned(train)


def test_parameters_in_containers_and_gradients():
    def loss(params, x):
        return np.sum((params["w"] * x) ** 2)

    @ag.to_graph
    def step(params, rate):
        gradient = ag.grad(loss)(params, X)
        return ag.tree.map(lambda p, g: p - rate * g, params, gradient)  # of a tree

    def train():
        params = {"w": X}
        for i in range(3):
            params = step(params, np.float64(0.1))

    (warning,) = warned(train)
    assert warning.lineno == line_of("# of a tree")


def test_a_loop():
    @ag.to_graph
    def loop(w, n):
        for i in range(n):
            rate = 1e-3 * np.cos(i / 10)
            w = w - rate * X  # in a loop
        return w

    (warning,) = warned(lambda: loop(X, 4))
    assert "a variable of a loop is f32[3], and f64[3] from the first trip on" in str(
        warning.message
    )
    assert warning.lineno == line_of("# in a loop")


@pytest.mark.parametrize("rate", [0.1, np.float32(0.1)])
def test_what_keeps_the_dtype(rate):
    step = ag.to_graph(lambda w, rate: w - rate * w)

    def train():
        w = X
        for _ in range(3):
            w = step(w, rate)
        assert w.dtype == np.float32

    assert not warned(train)


def test_what_is_meant():
    widened = ag.to_graph(lambda w: w.astype(np.float64) * np.float64(2.0))
    assert not warned(lambda: widened(widened(X)))
    by_array = ag.to_graph(lambda w, v: w + v)
    assert not warned(lambda: by_array(by_array(X, np.ones(3)), np.ones(3)))

    @ag.to_graph
    def loop(w, n):
        w = w.astype(np.float64)
        for _ in range(n):
            w = w - np.float64(0.5) * X
        return w

    assert not warned(lambda: loop(X, 3))
