"""Which batched functions are kept for one lane, as what, and the rules that their nodes obey."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import VerificationError
from autograph.graph.builder import Builder
from autograph.graph.graph import Graph, Value, exchanged
from autograph.graph.verify import verify
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.native import available
from autograph.kernels.selection.eligible import refusal
from autograph.transforms.simplify.simplify import simplify
from ops.control import regions
from ops.core.types import ArrayType, PackType
from tests.kernels.lowering.lane_programs import FUNCTIONS, X, loops, newton, nodes_of

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_recorded_as_one_node(name):
    assert len(nodes_of(ag.vmap(FUNCTIONS[name]), X)) == 1


def test_gradient_of_a_loop_is_one_node_with_two_loops():
    for function in (ag.vmap(ag.grad(newton)), ag.grad(lambda x: np.sum(ag.vmap(newton)(x)))):
        (node,) = nodes_of(function, X)
        assert loops(node) == ["while_loop", "for_loop"]


def test_lanes_of_lanes_are_one_node():
    rows = np.ones((3, 5)) + X
    (node,) = nodes_of(ag.vmap(ag.vmap(newton)), rows)
    assert node.attrs["sizes"] == (3, 5)
    (node,) = nodes_of(ag.vmap(ag.vmap(ag.grad(newton))), rows)
    assert node.attrs["sizes"] == (3, 5)


def trips(x):
    y = x * x
    while y < 100.0:
        y = y * y
    return y


def test_directions_of_a_python_number_are_arrays(monkeypatch):
    """`jacfwd` pushes a direction for each lane, the tangents of a Python number among them."""
    monkeypatch.setenv("AUTOGRAPH_VERIFY", "1")
    jacobian = ag.jacfwd(lambda x, y: trips(x) * y, argnums=(0, 1))
    assert len(nodes_of(jacobian, 1.5, 2.0)) == 1
    np.testing.assert_allclose(jacobian(1.5, 2.0), [32 * 1.5**15, 1.5**16])


def test_one_direction_of_a_python_number_needs_no_lanes(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_VERIFY", "1")
    jacobian = ag.jacfwd(lambda x: trips(x))
    assert not nodes_of(jacobian, 1.5)
    np.testing.assert_allclose(jacobian(1.5), 16 * 1.5**15)
    x = X[X > 2]
    np.testing.assert_allclose(ag.vmap(ag.jacfwd(trips))(x), ag.vmap(ag.grad(trips))(x))


def smooth(x):
    return np.exp(-x) * x


def rectified(x):
    return x if x > 0 else -0.5 * x


def big_state(x):
    v = np.zeros(5000) + x
    while v[0] < 3:
        v = v + 1
    return v


def printing(x):
    while x > 1:
        x = x / 2
        print(x)
    return x


@pytest.mark.parametrize("function", [smooth, rectified, big_state])
def test_batched_as_a_whole(function):
    vmapped = ag.vmap(function)
    assert not nodes_of(vmapped, X)
    np.testing.assert_allclose(vmapped(X), [function(x) for x in X])


def frames(x):
    """Writes down where it was when, as a film does: 182 numbers."""
    seen = np.zeros((91, 2))
    i, y = 0, x
    while i < 91:
        seen[i, 0] = y
        seen[i, 1] = y * y
        i, y = i + 1, (y if y < 0.5 * x else 0.9 * y)
    return np.sum(seen)


def test_a_loop_that_fills_an_array_is_one_node():
    """Operators on all lanes, which gather those still in the loop, take 500 times as long."""
    for function in (frames, ag.grad(frames)):
        vmapped = ag.vmap(function)
        assert len(nodes_of(vmapped, X)) == 1
        np.testing.assert_allclose(vmapped(X), [function(x) for x in X], rtol=1e-12)


def test_prints_are_those_of_each_lane(capsys):
    vmapped = ag.vmap(printing)
    assert not nodes_of(vmapped, X)
    vmapped(X)
    assert len(capsys.readouterr().out.split()) == 2 + 2 + 4


def test_no_nodes_without_kernels(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")
    assert not nodes_of(ag.vmap(lambda x: newton(x)), X)


def test_the_text_shows_one_lane():
    text = str(ag.vmap(ag.grad(newton)).graph(X))
    assert "lane(a: f64[])" in text
    assert "batched" not in text and "graph newton_lanes" not in text


# -- rules of the graph ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": (4,)}, "does not have the axes"),
        ({"sizes": 5}, "numbers of lanes"),
        ({"axes": ()}, "axes for each operand"),
        ({"axes": ((1,),)}, "are not some of those of 1 in order"),
        ({"axes": ((0, 0),)}, "are not some of those of 1 in order"),
        ({"axes": ((),)}, "the inputs of the lane"),
    ],
)
def test_verifier_refuses(change, message):
    (node,) = nodes_of(ag.vmap(newton), X)
    broken = exchanged(node, attrs={**node.attrs, **change}, regions=node.regions[:1])
    with pytest.raises(VerificationError, match=message):
        verify(Graph("broken", node.inputs, (broken,), broken.outputs))


def test_verifier_refuses_captures():
    (node,) = nodes_of(ag.vmap(newton), X)
    lane = node.regions[0]
    outside = Value(lane.outputs[0].type)
    region = Graph(lane.name, lane.inputs, lane.nodes, (outside,))
    broken = exchanged(node, regions=(region,))
    with pytest.raises(VerificationError, match="capture nothing"):
        verify(Graph("broken", (*node.inputs, outside), (broken,), broken.outputs))


def why_refused(function, *types):
    with Builder("lane") as builder:
        inputs = [builder.input(type) for type in types]
        return refusal(builder.finish([function(*inputs)]), {})


def test_what_is_no_part_of_a_kernel():
    number, small = ArrayType(np.dtype(float)), ArrayType(np.dtype(float), (8,))
    large, several = ArrayType(np.dtype(float), (65,)), ArrayType(np.dtype(float), (None,))
    assert why_refused(lambda x: ops.exp(x) + 1, number) is None
    assert why_refused(lambda x: ops.sum(ops.multiply(x, x)), small) is None
    assert why_refused(ops.sum, large) is None
    assert "65 elements" in why_refused(lambda x: x + 1, large)
    assert "known only at run time" in why_refused(ops.sum, several)
    assert "float16" in why_refused(lambda x: x + x, ArrayType(np.dtype("float16")))
    assert why_refused(ops.real, ArrayType(np.dtype(complex))) is None
    assert "'arcsin' of c128" in why_refused(ops.arcsin, ArrayType(np.dtype(complex)))
    assert why_refused(ops.sort, small) is None
    matrix = ArrayType(np.dtype(float), (4, 4))
    assert why_refused(ops.matmul, matrix, matrix) is None
    matrix = ArrayType(np.dtype(float), (8, 8))
    assert "'matmul'" in why_refused(ops.matmul, matrix, matrix)


def test_cotangents_that_nobody_wants_are_not_unpacked():
    """An array may be packed where the side that unpacks says Pack for what it does not use."""
    row = ArrayType(np.dtype(float), (3,))
    types = (row, PackType(), row)
    with Builder("unpacked") as builder:
        x, y, z = (builder.input(row, name) for name in "xyz")
        pack = regions.pack(x, y, z, cotangents=True)
        first, _, last = builder.add(regions.unpack_ct, [pack], {"types": types}, types)
        graph = builder.finish([ops.add(first, last)])
    (node,) = simplify(graph).nodes
    assert [v.name for v in node.inputs] == ["x", "z"]
    rows = [np.arange(3.0), np.ones(3), np.full(3, 10.0)]
    out = np.zeros(3)
    interpret(lower(graph, "unpacked", {}), rows, [out])
    np.testing.assert_array_equal(out, rows[0] + rows[2])
