"""Functions of NumPy that are given a length, or that depend on one, compiled once for all."""

import numpy as np
import pytest

import autograph as ag
import ops

LENGTHS = (5, 6, 7, 12, 2, 33)


def generator(seed=3):
    return np.random.default_rng(seed)


FUNCTIONS = {
    "linspace": lambda x: np.linspace(x[0], 1.0, len(x)) + np.linspace(0, 9, len(x), dtype=int),
    "linspace, without its end": lambda x: np.linspace(0.0, x, len(x) + 1, endpoint=False),
    "logspace": lambda x: np.logspace(0, 1, len(x)) * np.geomspace(1.0, 2.0, len(x)),
    "indices": lambda x: np.indices((len(x), 3)).sum(0) + sum(np.indices((len(x), 3), sparse=True)),
    "fromfunction": lambda x: np.fromfunction(lambda i, j: i - 2 * j, (len(x), 2)) * x[:, None],
    "diag": lambda x: np.diag(x) @ x,
    "diag, above": lambda x: np.diag(x, 2),
    "diag, below": lambda x: np.diag(x, -1),
    "cov": lambda x: np.cov(x, x**2) + np.cov(x, bias=True),
    "corrcoef": lambda x: np.corrcoef(x, x**2),
    "percentile": lambda x: np.percentile(x, [10, 50]) + np.quantile(x, 0.3, method="hazen"),
    "polyfit": lambda x: np.polyfit(np.arange(len(x)), x, 1),
    "lstsq": lambda x: np.linalg.lstsq(np.stack([x, x**2], 1), x, rcond=None)[0],
    "matrix_rank": lambda x: np.linalg.matrix_rank(np.outer(x, x)),
    "insert": lambda x: np.insert(np.insert(x, 1, 7.0), -1, x[0]),
    "insert several": lambda x: np.insert(x, [0, 2, 2], [1.0, 2.0, 3.0]),
    "delete": lambda x: np.delete(np.delete(x, 0), -1),
    "pad": lambda x: np.pad(x, (3, 40), mode="reflect") + np.pad(x, (3, 40), mode="wrap"),
    "pad by edges": lambda x: np.pad(np.outer(x, x), ((1, 2), (0, 1)), mode="edge"),
    "take_along_axis": lambda x: np.take_along_axis(x, np.argsort(x), 0),
    "searchsorted": lambda x: np.searchsorted(np.cumsum(np.abs(x)), np.array([0.1, 2.0])) * 2,
    "fft": lambda x: np.fft.ifft(np.fft.fft(x, norm="ortho") * 2),
    "fft along a first axis": lambda x: np.fft.fft(np.outer(x, x[:2]), axis=0, norm="forward"),
    "fft2": lambda x: np.fft.fft2(np.outer(x, x)),
    "rfft": lambda x: np.fft.irfft(np.fft.rfft(x) * 2, len(x), norm="ortho"),
    "rfft, longer": lambda x: np.fft.rfft(x, 2 * len(x) - 1, norm="ortho"),
    "irfft": lambda x: np.fft.irfft(x + 1j),
    "hfft": lambda x: np.fft.hfft(x + 1j) * np.sum(np.fft.ihfft(x).real),
    "fft in float32": lambda x: np.fft.rfft(x.astype(np.float32), norm="ortho"),
    "a derivative by frequencies": lambda x: (
        np.fft.ifft(1j * np.fft.fftfreq(len(x), 0.1) * np.fft.fft(x)).real
    ),
    "fftshift": lambda x: np.fft.fftshift(x) + np.fft.ifftshift(x),
    "hanning": lambda x: np.hanning(len(x)) + np.hamming(len(x)) * x,
    "blackman": lambda x: np.blackman(len(x)) + np.bartlett(len(x) + 1)[1:] * x,
    "kaiser": lambda x: np.kaiser(len(x), 3.0) * x,
    "diag_indices": lambda x: np.outer(x, x)[np.diag_indices(len(x))],
    "rng.normal": lambda x: generator().normal(x, 2.0, size=(3, len(x))),
    "rng.random": lambda x: generator().random(x.shape) * x,
    "rng.gamma": lambda x: generator().gamma(x * x + 1),
    "rng.permutation": lambda x: generator().permutation(x)[generator().permutation(len(x))],
    "rng.choice": lambda x: generator().choice(len(x), 2) + generator().choice(x, 2),
    "RandomState": lambda x: np.random.RandomState(1).randn(len(x), 2),
}
DRAWS = {
    "normal": lambda x: ops.random.normal(ops.random.key(0), x.shape) * x,
    "uniform": lambda x: ops.random.uniform(ops.random.key(1), (len(x), 2)),
    "bits": lambda x: ops.random.bits(ops.random.key(2), (3, len(x)), np.uint8),
    "permutation": lambda x: ops.random.permutation(ops.random.key(3), len(x)),
    "choice": lambda x: ops.random.choice(ops.random.key(4), x, (4,), p=x**2 / np.sum(x**2)),
    "split": lambda x: ops.random.split(ops.random.key(5), len(x)),
}
GRADIENTS = {
    "linspace": lambda x: np.sum(np.linspace(x[0], x[1], len(x)) ** 2),
    "diag": lambda x: np.sum(np.linalg.inv(np.diag(x**2 + 1) + 0.1)),
    "cov": lambda x: np.sum(np.cov(x, x**2)),
    "percentile": lambda x: np.percentile(x, 30),
    "insert": lambda x: np.sum(np.insert(x, 1, x[0] ** 2) ** 2),
    "pad": lambda x: np.sum(np.pad(x, 3, mode="reflect") ** 3),
    "take_along_axis": lambda x: np.sum(
        np.take_along_axis(x, np.argsort(x), 0) * np.arange(len(x))
    ),
    "fft": lambda x: np.sum(np.abs(np.fft.fft(x, norm="ortho") * np.arange(len(x))) ** 2),
    "rfft": lambda x: np.sum(np.abs(np.fft.rfft(x) * (2 + np.fft.rfftfreq(len(x)))) ** 2),
    "irfft": lambda x: np.sum(np.fft.irfft(x, norm="forward") ** 3),
    "fftshift": lambda x: np.sum(np.fft.fftshift(x) * x * np.hanning(len(x))),
    "rng.normal": lambda x: np.sum(generator().normal(x, 1.0) ** 2),
    "normal": lambda x: np.sum((x * ops.random.normal(ops.random.key(0), x.shape)) ** 2),
}


def called_with_all_lengths(function, expected, tolerance=1e-12):
    for n in LENGTHS:
        x = generator(n).standard_normal(n)
        found, wanted = function(x), expected(x)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
    known = [form for form in function.compiled_forms() if form.open_shapes is None]
    assert len(known) == 1  # for the first length


@pytest.mark.filterwarnings("ignore:.*Polyfit may be poorly conditioned")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_numpy(name):
    called_with_all_lengths(ag.to_graph(FUNCTIONS[name]), FUNCTIONS[name], 1e-9)


@pytest.mark.parametrize("name", DRAWS)
def test_draws_from_keys(name):
    called_with_all_lengths(ag.to_graph(DRAWS[name]), DRAWS[name])


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_are_those_of_known_lengths(name):
    f = ag.grad(GRADIENTS[name])
    for n in LENGTHS:
        x = generator(n).standard_normal(n)
        fresh = ag.grad(lambda y: GRADIENTS[name](y))
        np.testing.assert_allclose(f(x), fresh(x), rtol=1e-9, atol=1e-9)
        step = 1e-6 * generator(n + 1).standard_normal(n)
        difference = GRADIENTS[name](x + step) - GRADIENTS[name](x - step)
        np.testing.assert_allclose(2 * f(x) @ step, difference, rtol=1e-5, atol=1e-11)
    assert sum(form.open_shapes is None for form in f.compiled_forms()) == 1
