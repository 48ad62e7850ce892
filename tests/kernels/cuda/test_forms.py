"""What lowering makes of scalars and short arrays, on a GPU: a kernel does it, or CuPy does."""

import heapq

import numpy as np
import pytest

import autograph as ag
from tests.kernels.cuda.cupy_stand_in import on_device, on_host


def chosen(x):
    """What a branch decides about numbers is an expression."""
    best, at = -1.0, 0
    for i in range(len(x)):
        v = x[i] if i % 2 == 0 else -x[i]
        if v > best:
            best, at = v, i
    return x * best + at


def turned(x):
    """Rows of three are written out."""
    out = np.zeros((len(x), 3))
    for i in range(len(x)):
        a, b, c = x[i]
        out[i] = np.array([b, c, a]) / (1.0 + abs(a))
    return out


def scaled(x):
    return np.sum(x * x, axis=1)[:, None] + x


def sorted_rows(x):
    return np.sort(x, axis=1)


def packed(x):
    """A list of tuples, as columns."""
    kept = []
    for i in range(len(x)):
        if x[i] > 0:
            kept.append((x[i], float(i)))
    total = 0.0
    for a, b in kept:
        total += a * b
    return x + total


def by_heap(x):
    heap = []
    for i in range(len(x)):
        heapq.heappush(heap, (x[i], i))
    out = np.zeros(len(x))
    k = 0
    while heap:
        value, i = heapq.heappop(heap)
        out[k] = value + 0.5 * i
        k += 1
    return out


def counted(n):
    """A dict whose keys are known only at run time."""
    counts = {}
    for v in n:
        counts[int(v)] = counts.get(int(v), 0) + 1
    total = 0
    for key in counts:
        total += key * counts[key]
    return n + total


def powers(x):
    z = x + 1j * x[::-1]
    return np.abs(z**2.5)


X = np.random.default_rng(0).normal(size=60)
ROWS = X.reshape(20, 3)
# With the number of launches, at least: 0 where all is CuPy's.
FORMS = {
    "chosen": (chosen, X, 1),
    "rows": (turned, ROWS, 1),
    "gradient of rows": (ag.grad(lambda x: np.sum(turned(x) ** 2)), ROWS, 1),
    "short rows": (scaled, ROWS, 1),
    "sorted rows": (sorted_rows, ROWS, 1),
    "packed": (packed, X, 0),
    "heap": (by_heap, X[:12], 0),
    "dict": (counted, np.arange(15) % 4, 0),
    "complex powers": (powers, X, 0),
    "float16": (lambda x: np.tanh(x) * x, X.astype(np.float16), 0),
    "small integers": (lambda x: x.astype(np.int8) * np.int16(3) + np.uint8(2), 20 * X, 1),
    "no elements": (lambda x: np.tanh(x) * 2.0, X[:0], 0),
    "rows of no elements": (lambda x: np.sum(np.tanh(x), axis=1), X[:0].reshape(3, 0), 1),
}


@pytest.mark.costly
@pytest.mark.parametrize("form", FORMS)
def test_forms(gpu, form):
    function, x, launches = FORMS[form]
    f = ag.to_graph(function)
    expected = function(x)
    for _ in range(3):
        found = on_host(f(on_device(x)))
        assert found.dtype == expected.dtype and found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=1e-2 if x.dtype == np.float16 else 1e-10)
    assert len(gpu.launches) >= launches
    if not launches:
        assert not gpu.launches
