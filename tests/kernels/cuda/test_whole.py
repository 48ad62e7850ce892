"""Programs as graphs of CUDA's as a whole, on a stand-in that holds calls to its rules."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU
from tests.kernels.cuda.noted import stand_in
from tests.kernels.cuda.test_graphs import started

pytestmark = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")


@pytest.fixture
def gpu(monkeypatch):
    with stand_in(monkeypatch) as made:
        yield made


def same(found, expected):
    for x, y in zip(found, expected):
        np.testing.assert_allclose(on_host(x), y, rtol=1e-12)


X = np.random.default_rng(0).normal(size=300)
N = np.arange(12.0).reshape(3, 4)


def parts(x, scale=0.5):
    """Kernels, and between them what is none: a view of strides that kernels do not take."""
    a = np.tanh(x * scale)
    b = np.sinc(a)
    c = np.sin(np.i0(b))
    return c, np.sum(c)
