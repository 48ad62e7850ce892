"""Functions of numbers of few bits as models of ONNX, with QuantizeLinear and DequantizeLinear."""

import numpy as np
import onnx
import pytest

import autograph as ag
import ops
from autograph import nn
from tests.export.onnx_runs import run
from tests.export.results import leaves_of

RNG = np.random.default_rng(0)
INT4, INT8, UINT8 = (
    onnx.TensorProto.INT4,
    onnx.TensorProto.INT8,
    onnx.TensorProto.UINT8,
)


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


# More products than 16 bits hold, weights of all sizes, and numbers outside of what was seen.
W, B, X = normal(256, 48), normal(48), normal(4, 256)
SAMPLES = [X, 0.5 * X]


def layer(x):
    return np.tanh(0.1 * (x @ W) + B)


def ops_of(made):
    """How often there is each operator, in subgraphs, too."""
    found = {}

    def count(graph):
        for node in graph.node:
            found[node.op_type] = found.get(node.op_type, 0) + 1
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    count(attribute.g)

    count(made.graph)
    return found


def stored(made, *shape):
    """The types of initializers of a shape."""
    return {data.data_type for data in made.graph.initializer if tuple(data.dims) == shape}


def check(function, *args):
    """A function's model, which gives what it gives, but for the order of sums."""
    made = ag.export.onnx(function, *args)
    found = run(made, function, args)
    expected = leaves_of(function(*args))
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        size = max(1.0, np.max(np.abs(b)))
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=2e-6 * size)
    return made


@pytest.mark.parametrize("options", [{}, {"symmetric": True}, {"activations": 5}], ids=str)
def test_pairs_for_activations_and_weights(options):
    small = ag.quantize(layer, SAMPLES, **options)
    made = check(small, 2.0 * X)
    counts = ops_of(made)
    assert (counts["QuantizeLinear"], counts["DequantizeLinear"]) == (1, 2)
    assert not {"Div", "Round", "Cast"} & set(counts)
    assert stored(made, *W.shape) == {UINT8}
    (scale,) = [i for i in made.graph.initializer if tuple(i.dims) == (48,) and i.data_type == 1][
        :1
    ]
    axes = [a.i for n in made.graph.node for a in n.attribute if a.name == "axis"]
    assert axes == [1] and np.all(onnx.numpy_helper.to_array(scale) > 0)


@pytest.mark.parametrize("bits, kind", [(8, UINT8), (7, INT8), (6, INT8), (4, INT4), (2, INT4)])
def test_how_weights_are_stored(bits, kind):
    small = ag.quantize(layer, SAMPLES, weights=bits)
    made = check(small, X)
    assert stored(made, *W.shape) == {kind}
    size = sum(len(i.raw_data) for i in made.graph.initializer if tuple(i.dims) == W.shape)
    assert size == W.size // (2 if kind == INT4 else 1)


@pytest.mark.parametrize("bits", [4, 7, 8])
@pytest.mark.parametrize("group", [16, 64])
def test_groups_are_blocks(bits, group):
    small = ag.quantize(layer, SAMPLES, weights=bits, group=group)
    made = check(small, X)
    attributes = [
        {a.name: a.i for a in node.attribute}
        for node in made.graph.node
        if node.op_type == "DequantizeLinear" and node.attribute
    ]
    if bits == 4:
        assert attributes == [{"axis": 0, "block_size": group}]
        assert stored(made, *W.shape) == {INT4}
    else:  # ONNX Runtime takes blocks of bytes for channels, if they are part of a product
        assert attributes == [{"axis": 1, "block_size": group}]
        assert stored(made, 1, *W.shape) == {INT8 if bits == 7 else UINT8}


@pytest.mark.parametrize("options", [{}, {"weights": 4, "group": 32}], ids=str)
def test_weights_alone(options):
    small = ag.quantize(layer, SAMPLES, activations=None, **options)
    counts = ops_of(check(small, X))  # of a product that ONNX Runtime saw it would round X
    assert counts["DequantizeLinear"] == 1 and "QuantizeLinear" not in counts


def test_layers():
    """Convolutions, a vector as a weight, and weights in which several axes have steps."""
    conv = nn.Conv.make(ops.random.key(0), 3, 8, (3, 3))
    images = normal(2, 3, 10, 10)
    counts = ops_of(check(ag.quantize(lambda x: conv(x), [images]), images))
    assert (counts["QuantizeLinear"], counts["DequantizeLinear"]) == (1, 2)
    vector, several = normal(256), normal(3, 5, 7)
    counts = ops_of(check(ag.quantize(lambda x: x @ vector, SAMPLES), X))
    assert counts["DequantizeLinear"] == 2
    batch = normal(3, 2, 5)
    counts = ops_of(check(ag.quantize(lambda x: x @ several, [batch]), batch))
    assert counts["DequantizeLinear"] == 2
    model = nn.MLP.make(ops.random.key(1), [6, 16, 4], np.tanh)
    x = normal(5, 6)
    counts = ops_of(check(ag.quantize(lambda x: model(x), [x]), x))
    assert (counts["QuantizeLinear"], counts["DequantizeLinear"]) == (2, 4)


def test_products_of_what_is_computed():
    small = ag.quantize(lambda x, y: np.tanh(x) @ y.T, [(X, -X)])
    counts = ops_of(check(small, X, -X))
    assert (counts["QuantizeLinear"], counts["DequantizeLinear"]) == (2, 2)


def test_trained_weights():
    """Their steps are computed as the model runs, one for each channel."""
    small = ag.quantize(lambda w, x: x @ w, [(W, X)], train="w")
    counts = ops_of(check(small, 3.0 * W[:, ::-1], X))
    assert (counts["QuantizeLinear"], counts["DequantizeLinear"]) == (2, 2)
    zeros = np.where(np.arange(48) == 3, 0.0, W).astype(np.float32)
    check(small, zeros, X)


def test_in_a_loop():
    w = normal(8, 8)

    def states(x):
        h = np.zeros_like(x[0])
        for row in x:
            h = np.tanh(h @ w + row)
        return h

    x = normal(5, 8)
    counts = ops_of(check(ag.quantize(states, [x]), x))
    assert (counts["QuantizeLinear"], counts["DequantizeLinear"]) == (1, 2)


def test_gradients():
    """The derivative of numbers that are not rounded."""
    small = ag.quantize(lambda x: np.sum(np.tanh(0.1 * (x @ W)) ** 2), SAMPLES)
    check(ag.grad(small), X)


def test_numbers_between_two_of_the_grid():
    """Halves are rounded to even numbers, and what is outside to the ends."""
    w = np.eye(3, dtype=np.float32)
    x = (np.arange(-600, 900) / 4).astype(np.float32).reshape(-1, 3)
    for largest, count in ((126.5, 1), (254.0, 0)):  # a step of a half, and of one: nothing to do
        small = ag.quantize(lambda x: x @ w, [np.float32([[-1.0, 0.0, largest]])])
        assert ops_of(check(small, x)).get("QuantizeLinear", 0) == count


def test_what_has_no_pairs():
    """Steps of float64: computed as they are."""
    w, x = RNG.normal(size=(6, 4)), RNG.normal(size=(2, 6))
    counts = ops_of(check(ag.quantize(lambda x: x @ w, [x]), x))
    assert not {"QuantizeLinear", "DequantizeLinear"} & set(counts)


def test_products_of_integers_that_are_none_of_these():
    """What looks like a weight, and is not known, or not scaled by an array, stays what it is."""
    numbers = np.arange(-4, 5, dtype=np.int8)
    check(lambda i: i.astype(np.float32) * np.float32(0.5), numbers)
    check(lambda x: numbers.astype(np.float32) * x, normal(9))
    check(lambda x: np.rint(x / np.float32(0.1)) * np.float32(0.1), normal(9))
