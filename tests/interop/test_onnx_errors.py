"""Models that are none, hold what has no form, or are called with the wrong arrays: each ends with
an error of ours, none with a crash or by running what the model says."""

import random
import re

import numpy as np
import onnx
import pytest
from onnx import helper

import autograph as ag
from autograph.errors import (
    AutographError,
    LoadError,
    OperandShapeError,
    OperandTypeError,
    UnsupportedFunctionError,
)
from tests.interop.onnx_models import INT64, array, folders, model, of_floats

X, Y = of_floats("x", 3), of_floats("y", 3)
ADD = helper.make_node("Add", ["x", "w"], ["y"])
W = array("w", [1, 2, 3])


def refused(proto):
    with pytest.raises(UnsupportedFunctionError) as caught:
        ag.interop.from_onnx(proto)
    assert caught.value.id == "AG0755" and caught.value.fix
    return caught.value.message


def malformed(proto):
    with pytest.raises(LoadError) as caught:
        ag.interop.from_onnx(proto)
    assert caught.value.id == "AG0754" and caught.value.fix
    return caught.value.message


# -- what is no model ------------------------------------------------------------------------------


def test_what_is_no_model(tmp_path):
    for given in (b"", b"\x00\xff" * 50, b"not a model", 3, None, [1]):
        malformed(given)
    path = tmp_path / "text.onnx"
    path.write_text("no model")
    malformed(path)
    with pytest.raises(OSError):
        ag.interop.from_onnx(tmp_path / "none.onnx")


def test_a_file_that_is_cut_off():
    whole = (folders()["Linear"] / "model.onnx").read_bytes()
    for length in range(0, len(whole), 7):
        with pytest.raises(AutographError) as caught:
            ag.interop.from_onnx(whole[:length])
        assert caught.value.id in ("AG0754", "AG0755")


@pytest.mark.parametrize("name", ["Linear", "Conv2d_groups", "operator_pad", "PReLU_1d"])
def test_files_with_wrong_bytes(name):
    """They are refused, or are other models: nothing else happens."""
    whole = bytearray((folders()[name] / "model.onnx").read_bytes())
    rng = random.Random(0)
    for _ in range(60):
        changed = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 8])):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        try:
            ag.interop.from_onnx(bytes(changed))
        except AutographError as error:
            assert error.id in ("AG0754", "AG0755")


@pytest.mark.parametrize(
    "proto",
    [
        onnx.ModelProto(),
        model([helper.make_node("Add", ["x", "nothing"], ["y"])], [X], [Y]),
        model([ADD, ADD], [X], [Y], [W]),
        model([ADD], [X], [of_floats("z", 3)], [W]),
        model([helper.make_node("Add", ["x", "y"], ["y"])], [X], [Y]),
        model(
            [helper.make_node("Add", ["x", "z"], ["y"]), helper.make_node("Neg", ["y"], ["z"])],
            [X],
            [Y],
        ),
        model([helper.make_node("Add", ["x"], ["y"])], [X], [Y]),
        model([helper.make_node("Elu", ["x"], ["y"], alpha="text")], [X], [Y]),
        model([helper.make_node("Elu", ["x"], ["y"], foo=1)], [X], [Y]),
        model([helper.make_node("If", ["x"], ["y"])], [X], [Y]),
    ],
    ids=[
        "empty",
        "unknown",
        "twice",
        "no_result",
        "itself",
        "circle",
        "few",
        "type",
        "attribute",
        "graph",
    ],
)
def test_invalid_models(proto):
    malformed(proto)


def test_a_tensor_of_the_wrong_size():
    held = array("w", [1, 2, 3])
    held.raw_data = held.raw_data[:-2]
    malformed(model([ADD], [X], [Y], [held]))
    held.dims[0] = 2**40
    malformed(model([ADD], [X], [Y], [held]))


def test_a_tensor_in_another_file(tmp_path):
    held = array("w", [1, 2, 3])
    held.ClearField("raw_data")
    held.data_location = onnx.TensorProto.EXTERNAL
    held.external_data.add(key="location", value="/etc/passwd")
    proto = model([ADD], [X], [Y], [held])
    assert "another file" in malformed(proto) or "not valid" in malformed(proto)
    path = tmp_path / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    malformed(path)


def test_functions_that_call_themselves():
    own = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    call = lambda name: helper.make_node(name, ["a"], ["b"], domain="own")
    functions = [
        helper.make_function("own", "f", ["a"], ["b"], [call("g")], own),
        helper.make_function("own", "g", ["a"], ["b"], [call("f")], own),
    ]
    malformed(
        model([helper.make_node("f", ["x"], ["y"], domain="own")], [X], [Y], functions=functions)
    )


def test_graphs_in_graphs():
    """Two dozen `If`, each in the one around it."""
    inner = [helper.make_node("Neg", ["x"], ["r0"])]
    for i in range(1, 25):
        orelse = [helper.make_node("Abs", ["x"], ["r"])]
        branches = [
            helper.make_graph(nodes, "g", [], [of_floats(name, 3)])
            for nodes, name in ((inner, f"r{i - 1}"), (orelse, "r"))
        ]
        inner = [
            helper.make_node(
                "If", ["test"], [f"r{i}"], then_branch=branches[0], else_branch=branches[1]
            )
        ]
    inner[0].output[0] = "y"
    assert "nested" in refused(model(inner, [X], [Y], [array("test", True, bool)]))


# -- what has no form ------------------------------------------------------------------------------


def test_operators_that_are_not_known():
    assert "'NoSuch'" in refused(model([helper.make_node("NoSuch", ["x"], ["y"])], [X], [Y]))
    foreign = helper.make_node("Gelu", ["x"], ["y"], domain="com.microsoft")
    assert "'com.microsoft.Gelu'" in refused(model([foreign], [X], [Y]))
    assert "'RandomNormal'" in refused(
        model([helper.make_node("RandomNormal", [], ["y"], shape=[3])], [], [Y])
    )


def test_names_of_helpers_are_no_operators():
    for name in ("np", "_aligned", "checked", "math", "__import__", "Add_before_7", "Any", "Known"):
        refused(model([helper.make_node(name, ["x"], ["y"])], [X], [Y]))


def test_versions_that_are_not_known():
    assert "operator set 5" in refused(model([ADD], [X], [Y], [W], opset=5))
    assert "operator set 99" in refused(model([ADD], [X], [Y], [W], opset=99))


def test_types_that_numpy_does_not_have():
    text = helper.make_tensor_value_info("x", onnx.TensorProto.STRING, [3])
    assert "STRING" in refused(model([helper.make_node("Identity", ["x"], ["y"])], [text], [text]))
    low = helper.make_tensor_value_info("x", onnx.TensorProto.BFLOAT16, [3])
    assert "BFLOAT16" in refused(model([helper.make_node("Identity", ["x"], ["y"])], [low], [low]))
    rows = helper.make_tensor_sequence_value_info("x", onnx.TensorProto.FLOAT, None)
    given = model([helper.make_node("Identity", ["x"], ["y"])], [rows], [rows])
    assert "'x' is of the type sequence" in refused(given)


def test_dropout_that_trains():
    nodes = [helper.make_node("Dropout", ["x", "ratio", "training"], ["y"])]
    held = [array("ratio", 0.5), array("training", True, bool)]
    made = ag.interop.from_onnx(model(nodes, [X], [Y], held))
    with pytest.raises(UnsupportedFunctionError, match="draws random numbers"):
        made(np.ones(3, np.float32))


# -- names -----------------------------------------------------------------------------------------

NAMES = [
    "np",
    "self",
    "lambda",
    "len",
    "None",
    "1",
    "",
    "é",
    "a.b/c:0",
    "__class__",
    "x; import os",
    "x\nimport os",
    "'''",
    '"""',
    "\\",
    "#",
    "{x}",
    "ops",
    "Add",
    "checked",
    "a b",
    "a_b",
    "x" * 10_000,
    "it's " * 100,
    "é" * 100,
    "compute",
    "source",
    "truth",
    "\u202ex",
    "ﬁ",
]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:20])
def test_any_name_is_taken(name):
    """As that of an input, a weight, a value, a result, a graph and a node."""
    others = [f"{name}{suffix}" for suffix in (" ", "  ", "   ")]
    x, weight, middle, last = (name or "e", *others)
    nodes = [
        helper.make_node("Add", [x, weight], [middle], name=name),
        helper.make_node("Mul", [middle, weight], [last], name=name),
    ]
    given, result = of_floats(x, 3), of_floats(last, 3)
    made = ag.interop.from_onnx(
        model(nodes, [given], [result], [array(weight, [1, 2, 3])], name=name or "g")
    )
    np.testing.assert_array_equal(made(np.ones(3, np.float32)), [2, 6, 12])
    compile(made.source, "text", "exec")
    for line in made.source.splitlines():  # nothing of the model is a statement of its own
        assert re.match(
            r"( *(#|@|from|import|class|def|return|\w+(: Any|, \w+)* ?=|\w+: Any).*)?$", line
        )


def test_texts_of_the_model_are_no_code():
    evil = "'); __import__('os').system('touch /tmp/evil'); ('"
    node = helper.make_node("Gelu", ["x"], ["y"], approximate=evil, name=evil, doc_string=evil)
    proto = model([node], [X], [Y], name=evil)
    proto.doc_string = proto.producer_name = evil
    made = ag.interop.from_onnx(proto)
    assert "__import__" not in made.source.replace(repr(evil), "")
    assert made(np.zeros(3, np.float32)).tolist() == [0, 0, 0]


# -- what a model is called with -------------------------------------------------------------------


def test_arrays_that_do_not_fit():
    made = ag.interop.from_onnx(model([ADD], [X], [Y], [W]))
    with pytest.raises(OperandShapeError, match=r"input 'x' of the model has the shape \(3\), not"):
        made(np.ones(4, np.float32))
    with pytest.raises(OperandShapeError, match=r"not \(\)"):
        made(np.float32(1))
    with pytest.raises(OperandTypeError, match="'x' of the model is of dtype float32, not float64"):
        made(np.ones(3))
    with pytest.raises(OperandTypeError, match="not complex64"):
        made(np.ones(3, np.complex64))
    with pytest.raises(TypeError):
        made()
    with pytest.raises(TypeError):
        made(np.ones(3, np.float32), np.ones(3, np.float32))
    with pytest.raises(OperandTypeError):
        ag.grad(lambda x: np.sum(made(x)))(np.ones(3))


def test_huge_arrays_are_an_error_of_memory():
    nodes = [
        helper.make_node("ConstantOfShape", ["shape"], ["big"]),
        helper.make_node("Size", ["big"], ["y"]),
    ]
    result = helper.make_tensor_value_info("y", INT64, [])
    proto = model(nodes, [], [result], [array("shape", [2**20, 2**20, 2**10], np.int64)])
    try:
        assert ag.interop.from_onnx(proto)() == 2**50
    except (MemoryError, ValueError):  # of NumPy's
        pass
