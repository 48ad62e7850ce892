"""Products of matrices with a short inner axis are loops, not calls of the library."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check

R = np.random.default_rng(5)
ULPS, SCALE = 16, 4.0


def calls(compiled, *args):
    """How many products of the library its kernels have."""
    bodies = [native.kernel.body for native in compiled.kernels(*args).values()]
    return sum(isinstance(s, ir.Multiply) for body in bodies for s in ir.walk(body))


def product(x, y):
    return np.maximum(x @ y, 0.5) + 1.0


SHAPES = [
    ((70, 1), (1, 30)),
    ((200, 3), (3, 3)),
    ((40, 8), (8, 40)),
    ((300, 4), (4,)),
    ((9, 30, 5), (9, 5, 6)),
    ((9, 30, 5), (5, 6)),
    ((60, 2), (7, 2, 17)),
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_as_numpy(shapes, dtype):
    x, y = (R.normal(size=shape).astype(dtype) for shape in shapes)
    compiled = check(product, x, y, ulps=ULPS, scale=SCALE)
    assert calls(compiled, x, y) == 0


@pytest.mark.parametrize("columns, expected", [(3, 0), (80, 1)])
def test_of_transposes(columns, expected):
    """Columns of a transpose do not lie together: only few of them are written out."""
    x, y = R.normal(size=(4, 90)), R.normal(size=(columns, 4))
    compiled = check(lambda x, y: product(x.T, y.T), x, y, ulps=ULPS, scale=SCALE)
    assert calls(compiled, x, y) == expected


def test_a_sum_is_added_to_in_place():
    def f(x, w):
        c = np.ones((30, 20))
        for i in range(4):
            c = c + x[i].T @ w
            c = x[i].T @ (2.0 * w) + c
        return c

    x, w = R.normal(size=(4, 5, 30)), R.normal(size=(5, 20))
    compiled = check(f, x, w, ulps=4 * ULPS, scale=SCALE)
    assert calls(compiled, x, w) == 0


def test_what_is_not_finite_and_signs_of_zeros():
    x, y = R.normal(size=(60, 3)), R.normal(size=(3, 20))
    x[3], x[4, 0], y[1, 2], y[:, 7] = 0.0, np.inf, np.nan, -0.0
    check(lambda x, y: (x @ y) * 1.0, x, y, ulps=ULPS, scale=SCALE)
    check(lambda x, y: np.copysign(1.0, x @ y), np.zeros((60, 3)), -np.abs(R.normal(size=(3, 20))))


def test_gradients_and_lanes():
    def f(x, a, b):
        for _ in range(3):
            x = np.tanh(x @ a)
        return np.sum((x @ b) ** 2)

    x, a, b = R.normal(size=(80, 3)), R.normal(size=(3, 3)), R.normal(size=(3, 6))
    ag.check_grads(f, (x, a, b), order=2)
    lanes = ag.vmap(f, (0, None, None))(np.stack([x, 2 * x]), a, b)
    assert np.allclose(lanes, [f(x, a, b), f(2 * x, a, b)])


def test_other_lengths():
    compiled = ag.to_graph(product)
    for n in (200, 201, 7, 1000):
        x, y = R.normal(size=(n, 3)), R.normal(size=(3, 9))
        assert np.allclose(compiled(x, y), product(x, y), rtol=1e-13)
    assert calls(compiled, x, y) == 0


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("length", [2, 7, 16, 17, 60, 239])
def test_vectors_in_a_loop(length, dtype):
    """Their products are sums in vectors, as `np.sum(x * y)` is, of parts of arrays as well."""

    def f(x, w):
        out = np.zeros(len(x), dtype=x.dtype)
        for i in range(len(x)):
            row = x[i] * w
            out[i] = row @ w + row[: length // 2] @ w[length - length // 2 :]
        return out

    x, w = (R.normal(size=shape).astype(dtype) for shape in [(6, length), (length,)])
    compiled = check(f, x, w, ulps=2 * length + ULPS, scale=SCALE)
    assert calls(compiled, x, w) == 0


def test_a_product_of_vectors_does_not_wait_for_its_additions():
    def by_product(x):
        out = np.zeros(len(x))
        for i in range(len(x)):
            row = 0.5 * x[i]
            out[i] = row @ row
        return out

    x = R.normal(size=(6, 200))
    (native,) = ag.to_graph(by_product).kernels(x).values()
    assert "fadd <" in native.text
