"""Linear algebra, transforms and convolutions run on another array library than NumPy as well.

The library is a stand-in for CuPy that refuses NumPy's arrays and counts what is read back.
"""

import numpy as np
import pytest

import autograph as ag
import ops
from tests.support import strict_device

RNG = np.random.default_rng(0)
SQUARE = RNG.normal(size=(3, 3)) + 4 * np.eye(3)
TALL = RNG.normal(size=(4, 3))
STACK = RNG.normal(size=(2, 3, 3))
IMAGES = RNG.normal(size=(2, 4, 6, 6))
KERNEL = np.linspace(-1, 1, 108).reshape(6, 2, 3, 3)


pytestmark = pytest.mark.usefixtures("device")


CASES = {
    "inv": (lambda a: np.sum(np.linalg.inv(a)), SQUARE),
    "det": (lambda a: np.sum(np.linalg.det(a)), STACK),
    "det of a singular matrix": (lambda a: np.linalg.det(a), np.ones((3, 3))),
    "slogdet": (lambda a: np.linalg.slogdet(a)[1], SQUARE),
    "solve": (lambda a: np.sum(np.linalg.solve(a, a[0, 0])), STACK),
    "cholesky": (lambda a: np.sum(np.linalg.cholesky(a @ a.T)), SQUARE),
    "qr": (lambda a: np.sum(np.linalg.qr(a, "complete").R), TALL),
    "svd": (lambda a: np.sum(np.abs(np.linalg.svd(a).U)) + np.linalg.norm(a, 2), TALL),
    "eigh": (lambda a: np.sum(np.abs(np.linalg.eigh(a)[1]) + np.linalg.eigvalsh(a)), SQUARE),
    "pinv": (lambda a: np.sum(np.linalg.pinv(a)), TALL),
    "norm": (lambda a: np.linalg.norm(a) + np.sum(np.linalg.norm(a, 3, axis=0)), TALL),
    "cond": (lambda a: np.linalg.cond(a) + np.linalg.cond(a, 1), SQUARE),
    "lu": (lambda a: np.sum(ops.linalg.lu(a)[1]), STACK),
    "matrix_power": (lambda a: np.sum(np.linalg.matrix_power(a, 5)), SQUARE),
    "fft": (lambda a: np.sum(np.abs(np.fft.fftn(np.fft.fftshift(a))) ** 3), TALL),
    "rfft": (lambda a: np.sum(np.abs(np.fft.rfft(a)) ** 3), TALL),
    "irfft": (lambda a: np.sum(np.fft.irfft(a, 5) ** 2), TALL),
    "einsum": (lambda a: np.einsum("ij,kj,kl->", a, a, a), TALL),
    "conv": (lambda x: np.sum(np.tanh(ops.conv(x, KERNEL, 2, 1, 1, 2))), IMAGES),
    "conv_transpose": (lambda x: np.sum(ops.conv_transpose(x, KERNEL[:4], 2) ** 2), IMAGES),
    "max_pool": (lambda x: np.sum(ops.max_pool(x, 3, 2, 1) ** 2), IMAGES),
    "avg_pool": (lambda x: np.sum(ops.avg_pool(x, 3, 2, 1, False) ** 2), IMAGES),
    "windows": (
        lambda x: np.sum(ops.strided_windows(x, window=(2,), strides=(3,), dilation=(2,)) ** 2),
        IMAGES,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(name):
    function, x = CASES[name]
    for wanted in (function, ag.grad(function)):
        found = ag.to_graph(wanted, backend="strict_device")(strict_device.from_host(x))
        np.testing.assert_allclose(strict_device.to_host(found), wanted(x), rtol=1e-8, atol=1e-10)
    # The gradient of a determinant asks whether the matrices are regular. Nothing else is read.
    assert sum(strict_device.reads.values()) <= (name == "det")
