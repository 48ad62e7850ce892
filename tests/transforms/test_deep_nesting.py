"""Control flow that is nested deeper than Python's parser allows becomes functions."""

import importlib.util
import sys

import numpy as np
import pytest

import autograph as ag


@pytest.fixture
def function(tmp_path):
    """Makes the function ``f`` of some source."""

    def make(text):
        path = tmp_path / "deep_module.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location("deep_module", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["deep_module"] = module
        spec.loader.exec_module(module)
        return module.f

    yield make
    sys.modules.pop("deep_module", None)


def chain(count):
    lines = ["def f(x):"]
    for i in range(count):
        lines += [f"    {'elif' if i else 'if'} x < {i}.5:", f"        y = x * x * {i}.25"]
    return "\n".join([*lines, "    else:", "        y = -x", "    return y", ""])


@pytest.mark.slow
def test_a_long_chain_of_branches(function):
    f = function(chain(120))
    for x in (-1.0, 3.0, 57.25, 119.0, 500.0):
        assert ag.to_graph(f)(x) == f(x)
        slope = (f(x + 1e-4) - f(x - 1e-4)) / 2e-4
        assert ag.grad(f)(x) == pytest.approx(slope, rel=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autograph.errors.PerformanceWarning")
def test_a_long_chain_of_branches_in_lanes(function):
    f = function(chain(105))
    x = np.array([-1.0, 0.2, 3.0, 57.25, 104.0, 500.0])
    np.testing.assert_array_equal(ag.vmap(f)(x), [f(v) for v in x])
    np.testing.assert_allclose(ag.vmap(ag.grad(f))(x), [ag.grad(f)(v) for v in x], rtol=1e-12)


def nested_loops(count):
    """Functions that loop over the next one, which becomes a part of them."""
    lines = ["def g0(x):", "    return x * 1.01 + 0.5"]
    for i in range(1, count + 1):
        lines += [f"def g{i}(x):", "    n = 0", "    while n < 1 and x < 1e6:"]
        lines += [f"        x = g{i - 1}(x) * 1.0625", "        n = n + 1", "    return x"]
    return "\n".join([*lines, f"f = g{count}", ""])


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("transform", [ag.to_graph, ag.grad], ids=["to_graph", "grad"])
def test_loops_of_loops(function, transform):
    f = function(nested_loops(26))
    lanes = np.array([0.5, 0.75, 2e6])
    singly = [transform(f)(x) for x in lanes]
    np.testing.assert_allclose(ag.vmap(transform(f))(lanes), singly, rtol=1e-12)
    result = transform(f)(0.75)
    if transform is ag.to_graph:
        assert result == f(0.75)
    else:
        assert result == pytest.approx((f(0.7501) - f(0.7499)) / 2e-4, rel=1e-6)
