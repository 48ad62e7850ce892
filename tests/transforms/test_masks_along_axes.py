"""Rows and matrices that ``where`` does not choose make no derivative NaN, through operators that
take each of them for itself."""

import numpy as np
import pytest

import autograph as ag

MASK = np.array([True, True, False, True])
START = {  # what is NaN or has an infinite derivative where the mask is false
    "nan": (np.log, np.array([0.5, 1.2, -0.3, 2.0])),
    "infinite slope": (np.sqrt, np.array([0.5, 1.2, 0.0, 2.0])),
}


def rows(y):
    return np.stack([y, y + 1.0, y * y], axis=0)


def matrices(y):
    return np.stack([y, y + 1.0, y * 0.0 + 1.0, y * 0.0 + 3.0], axis=-1).reshape(-1, 2, 2)


def positive_definite(y):
    return np.stack([np.exp(y) + 3.0, y, y, y * y + 3.0], axis=-1).reshape(-1, 2, 2)


FUNCTIONS = {
    "max": lambda y: np.max(rows(y), axis=0),
    "min": lambda y: np.min(rows(y), axis=0, keepdims=True)[0],
    "norm": lambda y: np.linalg.norm(rows(y), axis=0),
    "prod": lambda y: np.prod(rows(y), axis=0),
    "cumprod": lambda y: np.cumprod(rows(y), axis=0)[1:],
    "cummax": lambda y: np.maximum.accumulate(rows(y), axis=0),
    "sort": lambda y: np.sort(rows(y), axis=0)[1],
    "median": lambda y: np.median(rows(y), axis=0),
    "var": lambda y: np.var(rows(y), axis=0),
    "det": lambda y: np.linalg.det(matrices(y)),
    "inv": lambda y: np.linalg.inv(matrices(y))[:, 0, 1],
    "solve": lambda y: np.linalg.solve(matrices(y), np.ones((2, 3)))[:, 0, 1],
    "solve a vector": lambda y: np.linalg.solve(matrices(y), np.ones(2))[:, 0],
    "solve for b": lambda y: np.linalg.solve(np.eye(2) + 1.0, rows(y)[:2].T[..., None])[:, 0, 0],
    "cholesky": lambda y: np.linalg.cholesky(positive_definite(y))[:, 1, 1],
    "fft": lambda y: np.real(np.fft.fft(rows(y), axis=0))[1],
    "rfft": lambda y: np.abs(np.fft.rfft(rows(y), axis=0))[1],
    "irfft": lambda y: np.fft.irfft(rows(y), axis=0)[1],
    "fft2": lambda y: np.real(np.fft.fft2(matrices(y)))[:, 1, 0],
}
# The rules of the others have products of matrices, or running ones, in them.
TWICE = ("max", "norm", "prod", "fft", "rfft")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("start", START)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_elements_that_are_not_chosen(name, start):
    make, x = START[start]
    if name == "cholesky" and start == "nan":
        pytest.skip("NumPy raises a LinAlgError")
    f = lambda x: np.sum(np.where(MASK, FUNCTIONS[name](make(x)) ** 2, 0.0))
    harmless = np.where(MASK, x, 0.7)
    slopes = ag.grad(f)(harmless)
    assert np.all(np.isfinite(slopes)) and slopes[2] == 0
    np.testing.assert_allclose(ag.grad(f)(x), slopes, rtol=1e-12)
    if name in TWICE:
        second = ag.grad(lambda x: np.sum(ag.grad(f)(x)[MASK]))
        np.testing.assert_allclose(second(x), second(harmless), rtol=1e-9, atol=1e-12)


def test_determinants_of_nan_have_a_derivative_that_is_nan():
    a = np.stack([np.eye(2), np.full((2, 2), np.nan)])
    slopes = ag.grad(lambda a: np.sum(np.linalg.det(a)))(a)
    np.testing.assert_array_equal(slopes, np.stack([np.eye(2), np.full((2, 2), np.nan)]))
