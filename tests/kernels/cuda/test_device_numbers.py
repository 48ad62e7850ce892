"""Arrays without axes that a kernel is given: it loads them, and no host reads them."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU

pytestmark = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")


X = np.random.default_rng(0).normal(size=300)


def stepped(x, rate):
    return x + rate * np.tanh(x), np.sum(x) * rate


def until(x, limit):
    while np.sum(x * x) > limit:
        x = 0.5 * x
    return x


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "bool"])
@pytest.mark.parametrize("program", [stepped, until])
def test_a_kernel_loads_them(gpu, program, dtype):
    f, number = ag.to_graph(lambda x, n: program(x, n)), np.array(3).astype(dtype)
    for k in range(3):
        before, given = len(gpu.launches), on_device(number)
        found, expected = f(on_device(X * (k + 1)), given), program(X * (k + 1), number[()])
        found, expected = (x if isinstance(x, tuple) else (x,) for x in (found, expected))
        for a, b in zip(found, expected, strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_allclose(on_host(a), b, rtol=1e-6 if dtype == "float32" else 1e-12)
        assert len(gpu.launches) > before
    if program is stepped:
        assert not gpu.copies  # to the host


def test_another_dtype_runs_in_cupys_terms(gpu):
    """What has more axes, or is a number of Python's, is another signature."""
    f = ag.to_graph(lambda x, n: stepped(x, n))
    for rate in (on_device(np.array(0.5)), 0.5, on_device(np.array([0.5])), np.float64(0.5)):
        host = on_host(rate) if hasattr(rate, "get") else rate
        for a, b in zip(f(on_device(X), rate), stepped(X, host)):
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-12)


def test_gradients_and_lanes(gpu):
    loss = lambda x, n: np.sum(stepped(x, n)[0] ** 2)
    f = ag.to_graph(ag.grad(lambda x, n: loss(x, n), argnums=(0, 1)))
    found = f(on_device(X), on_device(np.array(0.3)))
    for a, b in zip(found, ag.grad(loss, argnums=(0, 1))(X, np.array(0.3))):
        np.testing.assert_allclose(on_host(a), b, rtol=1e-10)
    assert gpu.launches and not gpu.copies
