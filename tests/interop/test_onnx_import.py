"""What can be done with imported models of ONNX."""

import sys

import numpy as np
import onnx
import pytest
from onnx import helper

import autograph as ag
from autograph import nn, train
from autograph.errors import ConcreteValueError, MissingLibraryError, OptionError
from tests.export import programs
from tests.export.onnx_runs import session
from tests.export.programs import PROGRAMS
from tests.export.results import assert_same, leaves_of
from tests.interop.onnx_models import INT64, array, folders, model, of_floats
from tests.nn.models import MODELS

RNG = np.random.default_rng(0)
X, Y = of_floats("x", 3), of_floats("y", 3)


def node(operator, inputs, outputs, **attributes):
    return helper.make_node(operator, inputs, outputs, **attributes)


# -- the text --------------------------------------------------------------------------------------


def test_the_source_of_a_layer():
    made = ag.interop.from_onnx(folders()["Linear"] / "model.onnx")
    source = made.source.replace(" alpha=1.0, beta=1.0, broadcast=1,", "")
    assert (
        source
        == """\
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.interop.onnx_operators.checks import checked
from autograph.interop.onnx_operators.products import Gemm_before_7


@dataclass
class torch_jit_export:
    weight_1: Any  # float32 (8, 10)
    weight_2: Any  # float32 (8,)

    def __call__(self, x_0):
        x_0 = checked('0', x_0, np.float32, (4, 10))
        gemm_3 = Gemm_before_7(x_0, self.weight_1, self.weight_2, transB=1)
        return gemm_3
"""
    )
    assert "def __call__(self, x_0):" in made.__call__.converted


def test_operators_of_one_expression_are_written_in_place():
    nodes = [
        node("Add", ["x", "w"], ["sum"]),
        node("Relu", ["sum"], ["positive"]),
        node("Transpose", ["positive"], ["y"], perm=[0]),
    ]
    made = ag.interop.from_onnx(model(nodes, [X], [Y], [array("w", [1, 2, 3])]))
    assert "sum_2 = x + self.w\n" in made.source  # sum is a function of Python's
    assert "positive = ops.nn.relu(sum_2)\n" in made.source
    assert "y = np.transpose(positive, (0,))\n" in made.source
    assert made(np.float32([-9, 0, 1])).tolist() == [0, 2, 4]


def branches():
    """Branches that name their values alike, and read what is around them."""
    then = helper.make_graph(
        [node("Mul", ["x", "two"], ["found"])], "then", [], [of_floats("found", 3)]
    )
    orelse = helper.make_graph(
        [node("Neg", ["x"], ["half"]), node("Sub", ["half", "two"], ["found_else"])],
        "orelse",
        [],
        [of_floats("found_else", 3)],
    )
    nodes = [
        node("ReduceSum", ["x"], ["total"], keepdims=0),
        node("Greater", ["total", "zero"], ["test"]),
        node("If", ["test"], ["y"], then_branch=then, else_branch=orelse),
    ]
    return model(nodes, [X], [Y], [array("two", 2.0), array("zero", 0.0)])


def test_if():
    made = ag.interop.from_onnx(branches())
    assert "if truth(test):" in made.source
    for x in ([1, 2, 3], [-1, -2, -3]):
        x = np.array(x, np.float32)
        expected = x * 2 if x.sum() > 0 else -x - 2
        np.testing.assert_array_equal(made(x), expected)
        assert_same(session(branches()).run(None, {"x": x}), [made(x)])
        gradient = ag.grad(lambda x: np.sum(made(x)))(x)
        np.testing.assert_array_equal(gradient, [2 if x.sum() > 0 else -1] * 3)


def halving(most, given):
    """``x`` halved until it is small, or so often; and the numbers on the way."""
    body = helper.make_graph(
        [
            node("Mul", ["v", "half"], ["v_out"]),
            node("Greater", ["v_out", "one"], ["on"]),
            node("Identity", ["v_out"], ["row"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", INT64, []),
            helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, []),
            of_floats("v"),
        ],
        [
            helper.make_tensor_value_info("on", onnx.TensorProto.BOOL, []),
            *map(of_floats, ("v_out", "row")),
        ],
    )
    nodes = [node("Loop", [most, given, "x"], ["y", "rows"], body=body)]
    held = [
        array("half", 0.5),
        array("one", 1.0),
        array("most", 3, np.int64),
        array("yes", True, bool),
    ]
    return model(nodes, [of_floats("x")], [of_floats("y"), of_floats("rows", None)], held)


@pytest.mark.parametrize(("most", "given"), [("", "yes"), ("most", "yes"), ("most", "")])
def test_loops(most, given):
    proto = halving(most, given)
    made = ag.interop.from_onnx(proto)
    assert "while " in made.source
    for x in (np.float32(20), np.float32(3)):
        found = made(x)
        assert_same(session(proto).run(None, {"x": np.array(x)}), leaves_of(found))
    assert ag.grad(lambda x: made(x)[0])(np.float32(3)) == 0.25


def test_a_counted_loop_is_a_for():
    body = helper.make_graph(
        [
            node("Cast", ["i"], ["number"], to=1),
            node("Add", ["v", "number"], ["v_out"]),
            node("Identity", ["c"], ["c_out"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", INT64, []),
            helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, []),
            of_floats("v", 3),
        ],
        [helper.make_tensor_value_info("c_out", onnx.TensorProto.BOOL, []), of_floats("v_out", 3)],
    )
    nodes = [node("Loop", ["most", "", "x"], ["y"], body=body)]
    made = ag.interop.from_onnx(model(nodes, [X], [Y], [array("most", 4, np.int64)]))
    assert "for i_count in range(4):" in made.source
    assert made(np.float32([0, 1, 2])).tolist() == [6, 7, 8]


def test_a_scan_is_a_for_over_rows():
    def states(w, x):
        h, found = np.zeros(2), []
        for row in x:
            h = np.tanh(w @ h + row)
            found.append(h)
        return np.stack(found)

    w, x = RNG.normal(size=(2, 2)), RNG.normal(size=(5, 2))
    made = ag.interop.from_onnx(ag.export.onnx(states, w, x))
    assert "for " in made.source
    np.testing.assert_allclose(made(w, x), states(w, x))
    ag.check_grads(made, (w, x))


def test_functions_of_the_model():
    scaled = helper.make_function(
        "own",
        "scaled",
        ["a"],
        ["b"],
        [
            helper.make_node("Constant", [], ["factor"]),
            node("Mul", ["a", "factor"], ["b"]),
        ],
        [helper.make_opsetid("", 21)],
        ["by"],
    )
    value = scaled.node[0].attribute.add()
    value.name, value.ref_attr_name, value.type = "value_float", "by", onnx.AttributeProto.FLOAT
    nodes = [
        node("scaled", ["x"], ["twice"], domain="own", by=2.0),
        node("scaled", ["twice"], ["y"], domain="own", by=3.0),
    ]
    proto = model(nodes, [X], [Y], functions=[scaled])
    made = ag.interop.from_onnx(proto)
    assert "def scaled(a):" in made.source and "def scaled_2(a_2):" in made.source
    assert made(np.float32([1, 2, 3])).tolist() == [6, 12, 18]


def test_numbers_that_decide_shapes_are_no_weights():
    nodes = [helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear")]
    held = [array("scales", [1, 1, 2, 0.5]), array("unused", [1.0])]
    proto = model(nodes, [of_floats("x", 1, 1, 2, 4)], [of_floats("y", 1, 1, 4, 2)], held)
    made = ag.interop.from_onnx(proto)
    assert not vars(made)
    assert "scales=(1.0, 1.0, 2.0, 0.5)" in made.source
    x = RNG.normal(size=(1, 1, 2, 4)).astype(np.float32)
    np.testing.assert_allclose(made(x), session(proto).run(None, {"x": x})[0], rtol=1e-5)


def test_a_number_of_trips_with_an_axis():
    proto = halving("trips", "yes")
    trips = helper.make_tensor_value_info("trips", INT64, [1])
    proto.graph.input.append(trips)
    made = ag.interop.from_onnx(proto)
    assert made(np.float32(64), np.array([2]))[0] == 16


# -- weights and derivatives -----------------------------------------------------------------------


def network(name):
    """A model in double precision, and its input."""
    made = ag.interop.from_onnx(folders()[name] / "model.onnx", dtype=np.float64)
    text = made.source.partition("checked(")[2].partition(")\n")[0]
    return made, RNG.normal(size=eval(text.split(", ", 3)[3]))


SLOW = ("Conv1d_dilated", "Conv2d_groups", "operator_convtranspose")


@pytest.mark.parametrize(
    "name", ["Linear", *[pytest.param(name, marks=pytest.mark.slow) for name in SLOW]]
)
def test_derivatives(name):
    made, x = network(name)

    def loss(made, x):
        return np.sum(np.sin(made(x)))

    gradient, by_x = ag.grad(loss, (0, 1))(made, x)
    names = [path for path, _ in ag.tree.flatten_with_path(made)[0]]
    assert names and type(gradient) is type(made) and by_x.shape == x.shape
    direction = ag.tree.map(lambda w: RNG.normal(size=w.shape), made)

    def along(t):
        return loss(ag.tree.map(lambda w, d: w + t * d, made, direction), x + t)

    ag.check_grads(along, (0.1,), order=2)
    inner = sum(np.sum(g * d) for g, d in zip(ag.tree.leaves(gradient), ag.tree.leaves(direction)))
    step = 1e-6
    np.testing.assert_allclose(
        inner + np.sum(by_x), (along(step) - along(-step)) / (2 * step), rtol=1e-5
    )


def test_lanes():
    made, x = network("Conv1d_dilated")
    xs = RNG.normal(size=(3, *x.shape))
    expected = np.stack([made(x) for x in xs])
    np.testing.assert_allclose(ag.vmap(made)(xs), expected)
    gradients = ag.vmap(ag.grad(lambda x: np.sum(np.tanh(made(x)))))(xs)
    one = ag.grad(lambda x: np.sum(np.tanh(made(x))))(xs[1])
    np.testing.assert_allclose(gradients[1], one)


def test_weights_are_saved_and_trained(tmp_path):
    pytest.importorskip("safetensors")
    made, x = network("Linear")
    train.save_weights(tmp_path / "w.safetensors", made)
    other = ag.tree.map(np.zeros_like, made)
    again = train.load_weights(tmp_path / "w.safetensors", other)
    np.testing.assert_array_equal(again(x), made(x))
    optimiser = ag.optim.sgd(0.1)
    loss = lambda made: np.mean(made(x) ** 2)
    updates, _ = optimiser.update(ag.grad(loss)(made), optimiser.init(made), made)
    assert loss(ag.optim.apply_updates(made, updates)) < loss(made)
    assert "weight_1" in str(nn.summary(made)) or nn.summary(made)[0].parameters == 88


def test_dtypes_of_floats():
    path = folders()["Linear"] / "model.onnx"
    wide = ag.interop.from_onnx(path, dtype=np.float64)
    assert wide(np.ones((4, 10))).dtype == np.float64
    with pytest.raises(OptionError, match="can't be of dtype int32"):
        ag.interop.from_onnx(path, dtype=np.int32)


# -- models go round -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Linear", "Conv2d_padding", "MaxPool2d", "PReLU_2d_multiparam", "operator_chunk"]
)
def test_exported_again(name):
    made = ag.interop.from_onnx(folders()[name] / "model.onnx")
    text = made.source.partition("checked(")[2].partition(")\n")[0]
    x = RNG.normal(size=eval(text.split(", ", 3)[3])).astype(np.float32)
    exported = ag.export.onnx(made, x)
    given = exported.graph.input[0].name
    for ours, theirs in zip(leaves_of(made(x)), session(exported).run(None, {given: x})):
        np.testing.assert_allclose(theirs, ours, rtol=1e-5, atol=1e-6)


# Of the first there is no model; that of the second has lengths known only at run time.
NOT_BACK = (programs.low, programs.lanes)


@pytest.mark.parametrize(
    "function", [f for f in PROGRAMS if f not in NOT_BACK], ids=lambda f: f.__name__
)
def test_exported_programs_come_back(function):
    args = PROGRAMS[function]
    exported = ag.export.onnx(function, *args)
    made = ag.interop.from_onnx(exported)
    found = made(*[np.asarray(x) for x in leaves_of(args)])
    with np.errstate(all="ignore"):
        assert_same(leaves_of(found), leaves_of(function(*args)))


def test_lengths_that_only_the_run_knows():
    args = PROGRAMS[programs.lanes]
    made = ag.interop.from_onnx(ag.export.onnx(programs.lanes, *args))
    with pytest.raises(ConcreteValueError, match="known only at run time"):
        made(*args)


@pytest.mark.parametrize("name", MODELS)
def test_exported_layers_come_back(name):
    function, layer, x = MODELS[name]
    exported = ag.export.onnx(lambda x: function(layer, x), x)
    made = ag.interop.from_onnx(exported)
    found = made(*[np.asarray(x) for x in leaves_of(x)])
    assert_same(leaves_of(found), leaves_of(function(layer, x)))


# -- how a model is given --------------------------------------------------------------------------


def test_a_path_bytes_or_a_proto():
    path = folders()["Linear"] / "model.onnx"
    x = np.ones((4, 10), np.float32)
    ways = (path, str(path), path.read_bytes(), onnx.load(path))
    results = [ag.interop.from_onnx(way)(x) for way in ways]
    assert all(np.array_equal(y, results[0]) for y in results)


def test_weights_in_another_file(tmp_path):
    proto = onnx.load(folders()["Linear"] / "model.onnx")
    onnx.save(proto, tmp_path / "m.onnx", save_as_external_data=True, size_threshold=0)
    made = ag.interop.from_onnx(tmp_path / "m.onnx")
    assert made(np.ones((4, 10), np.float32)).shape == (4, 8)


def test_arguments_that_decide_shapes():
    nodes = [node("Reshape", ["x", "shape"], ["y"])]
    shape = helper.make_tensor_value_info("shape", INT64, [2])
    proto = model(nodes, [of_floats("x", 6), shape], [of_floats("y", None, None)])
    made = ag.interop.from_onnx(proto)
    x = np.arange(6, dtype=np.float32)
    assert made(x, np.array([2, 3])).shape == (2, 3)
    assert made(x, np.array([3, -1])).shape == (3, 2)


def test_onnx_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingLibraryError, match="pip install"):
        ag.interop.from_onnx(b"")


def test_a_compiled_call_of_a_class():
    """Objects whose class has a compiled ``__call__`` are functions for transforms."""

    class Scale:
        def __init__(self, factor):
            self.factor = factor

        @ag.to_graph
        def __call__(self, x):
            return self.factor * x

    scale, x = Scale(2.0), np.ones(3)
    assert ag.vmap(scale)(x).tolist() == [2, 2, 2]
    assert ag.to_graph(scale)(x).tolist() == [2, 2, 2]
    assert ag.grad(lambda x: np.sum(scale(x)))(x).tolist() == [2, 2, 2]
    assert ag.jvp(scale, (x,), (x,))[1].tolist() == [2, 2, 2]
