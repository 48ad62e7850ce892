"""Large functions that are called several times in a function of one lane are called there."""

import numpy as np
import pytest

import autograph as ag
from autograph.graph import shared
from autograph.kernels.native import available
from autograph.transforms.lanes import bodies
from tests.transforms.repeated_calls.test_programs import bends, other_numbers

needs_kernels = pytest.mark.skipif(not available(), reason="there are no native kernels here")

VS, D = np.array([0.1, 0.31, -0.45, 1e-3, 1.2]), np.float64(0.05)


@pytest.fixture(autouse=True)
def little_may_be_built_in(monkeypatch):
    monkeypatch.setattr(bodies, "_MOST", 300)
    monkeypatch.setattr(bodies, "_MUCH", 100)
    monkeypatch.setattr(shared, "_MUCH", 100)


def is_one_kernel(function, *args):
    kernels = function.kernels(*args)
    assert len(kernels) == 1
    return "\n".join(map(str, kernels.values()))


@needs_kernels
def test_values():
    batched = ag.vmap(other_numbers, (0, None))
    found = batched(VS, D)
    np.testing.assert_allclose(found, [other_numbers(v, D) for v in VS], rtol=1e-13)
    assert str(batched.graph(VS, D)).count("tanh(") == 6
    assert "bends" in is_one_kernel(batched, VS, D)


@needs_kernels
def test_gradients():
    def of_lanes(v, d):
        return ag.grad(other_numbers)(v, d)

    batched = ag.vmap(of_lanes, (0, None))
    expected = [of_lanes(v, D) for v in VS]
    np.testing.assert_allclose(batched(VS, D), expected, rtol=1e-11)
    is_one_kernel(batched, VS, D)


@pytest.mark.slow
def test_derivatives_of_lanes():
    def total(vs):
        return np.sum(ag.vmap(other_numbers, (0, None))(vs, D))

    expected = [ag.grad(other_numbers)(v, D) for v in VS]
    np.testing.assert_allclose(ag.grad(total)(VS), expected, rtol=1e-11)
    found = ag.jvp(total, (VS,), (np.ones_like(VS),))[1]
    np.testing.assert_allclose(found, np.sum(expected), rtol=1e-11)


@pytest.mark.slow
def test_lanes_of_lanes():
    found = ag.vmap(ag.vmap(ag.grad(other_numbers), (0, None)), (None, 0))(VS, np.array([D, 0.2]))
    expected = [[ag.grad(other_numbers)(v, d) for v in VS] for d in (D, 0.2)]
    np.testing.assert_allclose(found, expected, rtol=1e-11)


def guarded(v, d, scale):
    if v > 100.0:
        raise ValueError("too fast")
    return bends(v, d, scale)


def of_guarded(v, d):
    s = guarded(v, d, 1.0) + guarded(v * 10.0, d, 1.1)
    return s + guarded(v * 11.0, d, 1.2) + guarded(v * 12.0, d, 1.3)


def test_the_first_lane_that_raises():
    def several(vs):
        return ag.vmap(of_guarded, (0, None))(vs, D)

    compiled = ag.to_graph(several)
    expected = [of_guarded(v, D) for v in VS]
    np.testing.assert_allclose(compiled(VS), expected, rtol=1e-13)
    with pytest.raises(ValueError, match="too fast"):
        compiled(np.array([0.1, 9.0, 0.2]))
    np.testing.assert_allclose(compiled(VS), expected, rtol=1e-13)


def test_what_lanes_do_not_part_in_is_computed_for_all_at_once():
    def smooth(x, scale):
        y = np.sin(x)
        for k in range(1, 60):
            y = np.tanh(y) * scale + np.exp(-y * y) * (1.0 / k) - x
        return y

    def unrolled(x, scale):
        y = np.sin(x)
        for k in tuple(1.0 / k for k in range(1, 60)):
            y = np.tanh(y) * scale + np.exp(-y * y) * k - x
        return y

    for function, lanes in ((smooth, True), (unrolled, False)):

        def several(x, f=function):
            y = f(x, 1.1)
            for scale in (1.2, 1.3, 1.4, 1.5):
                y = y + f(x + y, scale)
            return y

        batched = ag.vmap(several)
        np.testing.assert_allclose(batched(VS), [several(v) for v in VS], rtol=1e-12)
        if available():
            assert ("lanes(" in str(batched.graph(VS))) == lanes
