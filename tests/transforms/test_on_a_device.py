"""`vjp` and `jvp` of functions that run on another array library: nothing comes back by itself."""

import numpy as np
import pytest

import autograph as ag
from autograph.backends.select import BACKENDS
from tests.support import strict_device

X = np.array([0.5, -1.2, 2.0])


@pytest.fixture(autouse=True)
def device(monkeypatch):
    monkeypatch.setitem(BACKENDS, "strict_device", strict_device)


def straight(x):
    return np.exp(x) * x


def loop(x):
    for _ in range(3):
        x = np.sin(x) * x + 0.1
    return x


@pytest.mark.parametrize("function", [straight, loop])
def test_results_are_where_the_function_runs(function):
    on_device = ag.to_graph(function, backend="strict_device")
    out, tangent = ag.jvp(on_device, (X,), (np.ones(3),))
    expected = ag.jvp(function, (X,), (np.ones(3),))
    for found, wanted in zip((out, tangent), expected):
        assert isinstance(found, strict_device.Array)
        np.testing.assert_allclose(strict_device.to_host(found), wanted)
    out, pull = ag.vjp(on_device, X)
    (gradient,) = pull(np.ones(3))
    assert isinstance(out, strict_device.Array) and isinstance(gradient, strict_device.Array)
    wanted = ag.vjp(function, X)[1](np.ones(3))[0]
    np.testing.assert_allclose(strict_device.to_host(gradient), wanted)
