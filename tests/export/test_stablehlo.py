"""The text of modules of StableHLO. `make peers` compiles and runs them."""

import sys

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MissingLibraryError, UnsupportedFunctionError
from autograph.export.stablehlo_module.trips import most_trips
from autograph.graph.graph import walk
from autograph.graph.wiring import is_loop, loop_of
from tests.export.programs import height, newton


def test_inputs_and_outputs_have_names():
    def f(model, x):
        y = model["w"][0] @ x
        return y, 2 * x

    made = ag.export.stablehlo(f, {"w": [np.eye(2)]}, np.ones(2), name="a model")
    assert made.inputs == ("model['w'][0]", "x")
    assert made.outputs == ("y", "result")
    assert "module @a_model {" in made.text and "tensor<2x2xf64>" in made.text
    assert not made.checked and str(made) == made.text


def test_control_flow_is_there():
    text = ag.export.stablehlo(height, 0.5, 700).text
    assert text.count("stablehlo.while") == 1 and '"stablehlo.if"' in text


def test_the_line_stands_behind_an_operation():
    text = ag.export.stablehlo(newton, np.float64(2.0)).text
    assert 'loc("programs.py":' in text


def test_constants():
    large = np.arange(20.0)
    text = ag.export.stablehlo(
        lambda x: (x + large, x * np.inf, x + np.zeros(20), x * 1e-300), np.ones(20)
    ).text
    assert large.tobytes().hex().upper() in text
    for shown in ("0x7FF0000000000000", "dense<0.0>", "dense<1.0e-300>"):
        assert shown in text


def stopping(x):
    for _ in range(2, 9):
        if x < 0.1:
            break
        x = x * 0.5
    return x


def waiting(x):
    while x > 1.0:
        x = x * 0.5
    return x


@pytest.mark.parametrize(("function", "most"), [(stopping, 7), (waiting, None)])
def test_how_many_trips_there_are_at_most(function, most):
    main = ag.to_graph(function).lower(np.float64(2.0)).graph.main
    (loop,) = (loop_of(node) for node in walk(main) if is_loop(node))
    assert most_trips(loop) == most


def falling(x):
    while x > 1.0:
        x = x - np.sin(x) ** 2 - 0.1
    return x


REFUSED = {
    "a shape": (lambda x: x[x > 0], np.ones(3), "the shape of .* is known only at run time"),
    "an operator": (lambda x: np.linalg.inv(x), np.eye(3), "no form in StableHLO"),
    "a gradient": (lambda x: ag.grad(falling)(x), np.float64(9.0), "how much a loop keeps"),
    "a change": (lambda x: x.sort(), np.ones(3), "changes its arguments"),
    "nothing": (lambda x: None, np.ones(3), "returns nothing"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    function, arg, message = REFUSED[name]
    with pytest.raises(UnsupportedFunctionError, match=message) as caught:
        ag.export.stablehlo(function, arg)
    assert caught.value.id == "AG0753" and caught.value.fix
    assert "test_stablehlo.py" in str(caught.value)


def test_an_artifact_needs_jaxlib(monkeypatch):
    made = ag.export.stablehlo(newton, np.float64(2.0))
    monkeypatch.setitem(sys.modules, "jaxlib", None)
    with pytest.raises(MissingLibraryError, match="jaxlib") as caught:
        made.serialize()
    assert "pip install" in caught.value.fix
