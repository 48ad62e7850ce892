"""Models of ONNX, run by ONNX Runtime, give what Python does."""

import copy
import re
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

import autograph as ag
import ops
from autograph.errors import UnsupportedFunctionError
from tests.contexts.programs_of_all import all_calls
from tests.export.onnx_runs import check, feeds_of, run, session
from tests.export.programs import PROGRAMS, low, newton, rnn
from tests.export.results import assert_same, leaves_of
from tests.nn.models import MODELS
from tests.support.oracle import outcome

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    "function", [f for f in PROGRAMS if f is not low], ids=lambda f: f.__name__
)
def test_it_gives_what_python_does(function):
    check(function, *PROGRAMS[function])


# -- the programs of the language ------------------------------------------------------------------

CALLS = all_calls(("tests/language",))

# What programs of the language tests do that a model can't.
REFUSED = re.compile(
    r"'\w+' changes its arguments"
    r"|'\w+' returns something that is neither an array nor a number"
    r"|'\w+' returns nothing"
    r"|'\w+' calls itself"
    r"|there is no form in ONNX of the operator '(print|solve|python_order)'"
)


@pytest.mark.parametrize("name", CALLS)
def test_programs(name):
    """They have the same results, raise where Python does, or are refused with the line."""
    call = CALLS[name]
    expected = outcome(call.function, call.args)
    try:
        made = ag.export.onnx(call.function, *copy.deepcopy(call.args))
    except UnsupportedFunctionError as error:
        assert error.id == "AG0752" and error.location and REFUSED.match(error.message), error
        return
    except Exception as error:
        assert type(error) is type(expected.error), error
        return
    feeds = feeds_of(made, call.function, copy.deepcopy(call.args))
    if expected.error is not None:
        with pytest.raises(Exception, match=r"indices element out of data bounds"):
            session(made).run(None, feeds)
        return
    assert_same(session(made).run(None, feeds), leaves_of(expected.result), promoted=True)


def test_most_programs_have_a_model():
    """A refusal that is not expected would not be seen above."""
    refused = 0
    names = list(CALLS)[::10]
    for name in names:
        try:
            ag.export.onnx(CALLS[name].function, *copy.deepcopy(CALLS[name].args))
        except UnsupportedFunctionError:
            refused += 1
        except Exception:
            assert outcome(CALLS[name].function, CALLS[name].args).error is not None
    assert refused < 0.3 * len(names)


# -- layers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_layers(name):
    check(*MODELS[name])


def single(leaf):
    return leaf.astype(np.float32) if getattr(leaf, "dtype", None) == np.float64 else leaf


@pytest.mark.parametrize("name", MODELS)
def test_layers_in_single_precision(name):
    """For which ONNX Runtime has other operators."""
    function, layer, x = MODELS[name]
    layer, x = ag.tree.map(single, layer), single(x)
    found = run(ag.export.onnx(function, layer, x), function, (layer, x))
    for ours, theirs in zip(found, leaves_of(function(layer, x))):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-6)


def test_parameters_that_are_found_outside_are_initializers():
    function, layer, x = MODELS["Dense"]

    def closed(x):
        return function(layer, x)

    made = check(closed, x)
    assert [given.name for given in made.graph.input] == ["x"]
    held = [onnx.numpy_helper.to_array(data) for data in made.graph.initializer]
    for leaf in ag.tree.leaves(layer):
        assert any(np.array_equal(data, leaf) for data in held)


def test_inputs_have_the_names_of_their_paths():
    made = ag.export.onnx(lambda model, x: model["w"][0] @ x, {"w": [np.eye(2)]}, np.ones(2))
    assert [given.name for given in made.graph.input] == ["model['w'][0]", "x"]


# -- gradients -------------------------------------------------------------------------------------


def nested(a):
    s = a
    for _ in range(4):
        x, k = s, 0
        while x > 1.0:
            if x > 3.0:
                x = x * 0.5
            else:
                x = np.sin(x) * x * 0.7
            k = k + 1
        s = s + x * k
    return s


def of_a_list(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v * v)
    total = 0.0
    for v in found:
        total = total + np.sin(v)
    return total


def counted(x):
    total = 0.0
    for i in range(3):
        y = x
        for _ in range(i + 1):
            while y < 10.0:
                y = y * 1.7
            y = y / 2.0
        total = total + y
    return total


def of_newton(a):
    return ag.grad(newton)(a)


def of_nested(a):
    return ag.grad(nested)(a)


def of_lists(x):
    return ag.grad(of_a_list)(x)


def of_counted(x):
    return ag.grad(counted)(x)


def twice(a):
    return ag.grad(ag.grad(newton))(a)


def forward_over_reverse(a):
    return ag.jvp(ag.grad(nested), (a,), (1.0,))[1]


def in_lanes(x):
    return ag.vmap(ag.grad(nested))(x)


GRADIENTS = {
    of_newton: (2.0,),
    nested: (7.3,),
    of_nested: (7.3,),
    of_lists: (RNG.normal(size=6),),
    of_counted: (1.2,),
    twice: (2.0,),
    forward_over_reverse: (7.3,),
    in_lanes: (np.array([2.0, 7.3, 0.5]),),
}


@pytest.mark.parametrize("function", GRADIENTS, ids=lambda f: f.__name__)
def test_gradients_through_loops(function):
    check(function, *GRADIENTS[function])


def test_a_gradient_runs_for_other_numbers_of_trips():
    made = ag.export.onnx(ag.grad(newton), 2.0)
    runs = session(made)
    for a in (1.0, 2.0, 1e4, 1e-3):  # 1.0 needs none
        (found,) = runs.run(None, {"a": np.array(a)})
        assert found == pytest.approx(ag.grad(newton)(a), rel=1e-12)


# -- what it looks like ----------------------------------------------------------------------------


def kinds(graph):
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from kinds(attribute.g)


def test_control_flow_is_that_of_onnx():
    def branch(x):
        if x > 0:
            return np.exp(x)
        return x - 1.0

    assert "If" in kinds(check(branch, 2.0).graph) and "If" in kinds(check(branch, -2.0).graph)
    assert [*kinds(check(newton, 2.0).graph)].count("Loop") == 1


def test_a_loop_that_stacks_is_a_scan():
    def states(w, x):
        h, found = np.zeros(2), []
        for row in x:
            h = np.tanh(w @ h + row)
            found.append(h)
        return np.stack(found), h

    made = check(states, 0.5 * np.eye(2), RNG.normal(size=(5, 2)))
    (scan,) = [node for node in made.graph.node if node.op_type == "Scan"]
    body = next(a.g for a in scan.attribute if a.HasField("g"))
    assert "x" in scan.input and "ScatterElements" not in kinds(body)
    assert "w" in [name for node in body.node for name in node.input]  # from around it
    assert "Scan" not in kinds(check(rnn, *PROGRAMS[rnn]).graph)


def test_names_and_lines():
    made = check(newton, 2.0)
    loop = next(node for node in made.graph.node if node.op_type == "Loop")
    assert re.fullmatch(r"programs\.py:\d+", loop.doc_string)
    assert made.graph.name == "newton"
    assert ag.export.onnx(newton, 2.0, name="root").graph.name == "root"


def test_other_arguments_take_the_same_model():
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    runs = session(ag.export.onnx(collatz, 6))
    for n in (1, 6, 27, 97):
        assert runs.run(None, {"n": np.array(n)})[0] == collatz(n)


# -- what raises -----------------------------------------------------------------------------------


def checked(x):
    if x < 0:
        raise ValueError("no root of a negative number")
    return np.sqrt(x)


def in_a_loop(x):
    for i in range(5):
        x = x - 1.0
        assert x > 0, "it went below zero"
    return x


ENDS = {
    "ValueError: no root": (checked, 4.0, -4.0),
    "AssertionError: it went below": (in_a_loop, 6.0, 4.5),
    "ZeroDivisionError": (lambda x: 7 // x, 2, 0),
    "OverflowError": (lambda x: x * x, 3, 2**40),
    "64 bits": (lambda x: x + 2**62, 1, 2**62),
    "complex": (lambda x: x**0.5, 2.0, -2.0),
    "out of data bounds": (lambda i: np.arange(3.0)[i], -3, 3),
}


@pytest.mark.parametrize("message", ENDS)
def test_the_run_ends_where_python_raises(message):
    function, right, wrong = ENDS[message]
    made = ag.export.onnx(function, right)
    runs = session(made)
    name = made.graph.input[0].name
    assert_same(runs.run(None, {name: np.asarray(right)}), leaves_of(function(right)))
    with pytest.raises(Exception, match=message):
        runs.run(None, {name: np.asarray(wrong)})


def test_what_always_raises_has_a_model():
    def fails(x):
        raise RuntimeError("never")

    made = ag.export.onnx(lambda x: x * 2.0 if x > 0 else fails(x), 1.0)
    name = made.graph.input[0].name
    assert session(made).run(None, {name: np.array(1.0)}) == [2.0]
    with pytest.raises(Exception, match="RuntimeError: never"):
        session(made).run(None, {name: np.array(-1.0)})


# -- refusals --------------------------------------------------------------------------------------


def recursive(n):
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


REFUSALS = {
    "an operator": (
        lambda x: np.linalg.inv(x @ x.T),
        np.ones((3, 4)),
        "no form in ONNX of the operator 'inv'",
    ),
    "recursion": (recursive, 5, "calls itself"),
    "complex numbers": (lambda x: np.real(np.fft.fft(x)), np.ones(3), "value of complex128"),
    "text": (lambda x: (x * 2, "two"), np.ones(3), "'two'"),
    "a text of a number": (lambda x: f"{x:.3f}", 2.0, "a text"),
    "nothing": (lambda x: None, np.ones(3), "returns nothing"),
    "another type on each path": (
        lambda x: np.float32(0.5) if x > 0 else x,
        2.0,
        "a number of float or f32|f32.* or float",
    ),
    "what may be none": (lambda x: x * 2 if x[0] > 0 else None, np.ones(3), "may be None"),
    "a change": (lambda x: x.sort(), np.ones(3), "changes its arguments"),
    "low precision": (lambda x: ops.round_to(x, "bfloat16"), np.ones(3), "for 'bits'"),
    "a callback": (
        lambda x: ag.pure_callback(np.sin, ag.ShapeDtypeStruct((3,), float), x),
        np.ones(3),
        "operator 'pure_callback'",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name):
    function, arg, message = REFUSALS[name]
    with pytest.raises(UnsupportedFunctionError, match=message) as caught:
        ag.export.onnx(function, arg)
    assert caught.value.id == "AG0752" and caught.value.fix
    assert "test_onnx.py" in str(caught.value)


def test_without_the_package():
    program = """
import sys
sys.modules["onnx"] = None
import numpy as np, autograph as ag
try:
    ag.export.onnx(np.sin, 1.0)
except ag.errors.MissingLibraryError as error:
    print(error.id, "pip install" in error.fix)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["AG0604", "True"], done.stderr


def test_it_is_imported_when_asked_for():
    program = "import sys, autograph; print('onnx' in sys.modules, 'onnxruntime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_file(tmp_path):
    path = tmp_path / "newton.onnx"
    onnx.save(ag.export.onnx(newton, 2.0), path)
    (found,) = onnxruntime.InferenceSession(path).run(None, {"a": np.array(2.0)})
    assert found == pytest.approx(np.sqrt(2.0))
