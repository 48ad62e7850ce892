"""Products of one row with weights of few bits, which kernels compute as sums over columns."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.graph.graph import walk
from autograph.transforms.narrow_products import as_sums

RANDOM = np.random.default_rng(3)
WEIGHT = RANDOM.normal(size=(96, 80)).astype(np.float32)
SQUARE = RANDOM.normal(size=(80, 80)).astype(np.float32)
KINDS = {
    "8 bits": {"weights": 8},
    "3 bits": {"weights": 3},
    "4 bits": {"weights": 4},
    "4 bits in groups": {"weights": 4, "group": 16},
    "8 bits in groups": {"weights": 8, "group": 32},
    "4 bits in one group": {"weights": 4, "group": 96},
    "weights alone": {"weights": 8, "activations": None},
}
SHAPES = [(96,), (1, 96), (1, 1, 96)]


def layer(x):
    return np.tanh(x @ WEIGHT * 0.1)


def operators(module):
    return [node.op.name for node in walk(module.main)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_one_row_is_a_sum(kind, shape):
    x = RANDOM.normal(size=shape).astype(np.float32)
    small = ag.quantize(layer, [(x,)], **KINDS[kind])
    module = small.graph(x)
    assert "matmul" in operators(module)
    assert "matmul" not in operators(as_sums(module))
    text = small.program(x).text
    assert "np.sum" in text and "@" not in text
    by_product = ag.quantize(layer, [(x,)], **KINDS[kind])(np.repeat(x.reshape(1, 96), 3, 0))
    assert small(x).shape == (*shape[:-1], 80)
    assert small(x).ravel() == pytest.approx(by_product[0], abs=1e-5)


def test_many_rows_are_a_product():
    x = RANDOM.normal(size=(5, 96)).astype(np.float32)
    module = ag.quantize(layer, [(x,)]).graph(x)
    assert as_sums(module) is module


def test_floats_are_a_product():
    x = RANDOM.normal(size=96).astype(np.float32)
    module = ag.to_graph(layer).graph(x)
    assert as_sums(module) is module


def test_rows_in_a_loop():
    """As in the generation of a text."""

    def steps(x):
        for _ in range(5):
            x = np.tanh(0.2 * (x @ SQUARE))
        return x

    x = RANDOM.normal(size=80).astype(np.float32)
    small = ag.quantize(steps, [(x,)])
    assert "@" not in small.program(x).text
    assert small(x) == pytest.approx(small(np.stack([x, x]))[0], abs=1e-4)
