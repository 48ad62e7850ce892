"""Functions that are one call of NumPy: kernels where these take longer to begin than to end."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, check

R = np.random.default_rng(0)
X = R.normal(size=(12, 9))
LARGE = R.normal(size=(300, 200))
PLACES = R.integers(0, 9, 20)

CALLS = {
    "sum": lambda x: np.sum(x),
    "max": lambda x: np.max(x, axis=1),
    "any": lambda x: np.any(x),
    "argmax": lambda x: np.argmax(x, axis=0),
    "take": lambda x: np.take(x, PLACES, axis=1),
    "rows": lambda x: x[PLACES],
    "product": lambda x: x.T @ x,
    "stack": lambda x: np.stack([x, x], axis=1),
    "roll": lambda x: np.roll(x, 3),
}


@pytest.mark.parametrize("name", CALLS)
def test_of_few_elements_they_are_kernels(name):
    f = CALLS[name]
    check(f, X, kernels=None if name in ("take", "rows") else ALL, ulps=16, scale=10.0)


def test_of_many_elements_numpy_is_as_fast():
    for f in (lambda x: np.max(x, axis=1), lambda x: x[PLACES], lambda x: np.any(x)):
        assert len(ag.to_graph(f).kernels(LARGE)) == 0
        check(f, LARGE, kernels=0)


def test_what_places_take_is_not_copied_again():
    one_hot = ag.to_graph(lambda i: np.eye(9)[i])
    assert "np.array(" not in str(one_hot.program(PLACES)).replace("return np.array(np.from", "")
    first = one_hot(PLACES)
    first[:] = 7.0
    assert np.array_equal(one_hot(PLACES), np.eye(9)[PLACES])
    places = ag.to_graph(lambda x, i: x[i])
    taken = places(X, PLACES[:3])
    assert not np.shares_memory(taken, X) and np.array_equal(taken, X[PLACES[:3]])


def test_a_mask_does_not_give_a_view():
    f = ag.to_graph(lambda x, m: x[m])
    m = X > 0
    assert not np.shares_memory(f(X, m), X) and np.array_equal(f(X, m), X[m])
    check(lambda x, m: (x[m], x[m][1:]), X, m, kernels=None)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sums_of_transposes_go_over_rows(dtype):
    x = LARGE.astype(dtype)
    for f in (
        lambda x: x.T.sum(axis=0),
        lambda x: x.T.sum(axis=1),
        lambda x: np.max(np.swapaxes(x, 0, 1), axis=0),
        lambda x: np.mean(x.T),
    ):
        check(f, x, kernels=None, ulps=64, scale=300.0)
        assert "transpose" not in str(ag.to_graph(f).graph(x))
    swapped = np.arange(24.0).reshape(2, 3, 4)
    check(lambda x: np.sum(np.transpose(x, (2, 0, 1)), axis=1), swapped, kernels=None, ulps=8)
