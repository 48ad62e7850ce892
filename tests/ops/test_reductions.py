"""Reductions, statistics and running totals: as NumPy, and their derivatives."""

import numpy as np
import pytest

import autograph as ag
import ops
from ops.core.registry import REGISTRY
from tests.ops.expressions import arrays, table
from tests.support.oracle import check

SHAPES = [(3, 4), (), (0, 3), (2, 0), (5,)]

PLAIN = table(
    lambda x: np.sum(x),
    lambda x: np.sum(x, axis=0),
    lambda x: np.sum(x, axis=-1, keepdims=True),
    lambda x: np.sum(x, axis=(0, 1)),
    lambda x: np.sum(x, axis=()),
    lambda x: np.sum(x, axis=2),
    lambda x: np.sum(x, axis=(0, 0)),
    lambda x: np.sum(x, axis=1.5),
    lambda x: np.sum(x, dtype=np.float32, axis=0),
    lambda x: x.sum(0, keepdims=True),
    lambda x: np.prod(x),
    lambda x: np.prod(x, axis=0),
    lambda x: np.prod(x, axis=(-1, 0), keepdims=True),
    lambda x: x.prod(axis=-1, dtype=complex),
    lambda x: np.max(x),
    lambda x: np.max(x, axis=0),
    lambda x: np.max(x, axis=()),
    lambda x: np.amin(x, axis=(0, 1), keepdims=True),
    lambda x: x.min(-1),
    lambda x: np.argmax(x),
    lambda x: np.argmax(x, axis=0),
    lambda x: np.argmin(x, axis=-1, keepdims=True),
    lambda x: np.argmin(x, keepdims=True),
    lambda x: np.argmax(x, axis=(0,)),
    lambda x: np.all(x),
    lambda x: np.any(x, axis=0),
    lambda x: np.all(x, axis=(0, 1), keepdims=True),
    lambda x: np.count_nonzero(x),
    lambda x: np.count_nonzero(x, axis=0, keepdims=True),
    lambda x: np.mean(x),
    lambda x: np.mean(x, axis=0),
    lambda x: np.mean(x, axis=(0, -1), keepdims=True),
    lambda x: np.mean(x, dtype=np.float32),
    lambda x: x.mean(-1),
    lambda x: np.var(x),
    lambda x: np.var(x, axis=0, ddof=1),
    lambda x: np.var(x, correction=1, keepdims=True),
    lambda x: np.var(x, ddof=1, correction=1),
    lambda x: np.var(x, ddof=20, axis=-1),
    lambda x: np.var(x, dtype=int),
    lambda x: np.var(x, axis=0, mean=np.mean(x, axis=0, keepdims=True)),
    lambda x: np.std(x),
    lambda x: x.std(axis=0, ddof=1),
    lambda x: np.ptp(x),
    lambda x: np.ptp(x, axis=0, keepdims=True),
    lambda x: np.average(x),
    lambda x: np.average(x, axis=0, returned=True),
    lambda x: np.average(x, axis=-1, weights=np.abs(x) + 1, returned=True, keepdims=True),
    lambda x: np.average(x, axis=1, weights=[1, 2, 3, 4.5]),
    lambda x: np.average(x, axis=(1, 0), weights=np.ones((4, 3)), returned=True),
    lambda x: np.average(x, weights=[1, 2, 3, 4, 5]),
    lambda x: np.average(x, axis=0, weights=[0, 0, 0]),
)

MASKED = table(
    lambda x: np.sum(x, initial=2),
    lambda x: np.sum(x, axis=0, initial=2.5),
    lambda x: np.sum(x, axis=-1, where=x > 0),
    lambda x: np.sum(x, where=[True], keepdims=True),
    lambda x: np.sum(x, where=np.ones((2, 3, 4), bool)),
    lambda x: np.sum(x, initial=1j),
    lambda x: np.prod(x, axis=-1, where=x > 0, initial=2),
    lambda x: np.max(x, initial=2),
    lambda x: np.max(x, axis=0, initial=1.5),
    lambda x: np.min(x, axis=-1, initial=1, where=x > 0, keepdims=True),
    lambda x: np.max(x, where=x > 0),
    lambda x: x.max(initial=x.sum()),
    lambda x: np.mean(x, where=x > 0),
    lambda x: np.mean(x, axis=0, where=x > 0, keepdims=True),
    lambda x: np.var(x, axis=-1, where=x > 0, ddof=1),
    lambda x: np.std(x, where=x > 0, keepdims=True),
    lambda x: np.all(x, axis=0, where=x > 0),
    lambda x: np.any(x, where=np.abs(x) < 1, keepdims=True),
)

RUNNING = table(
    lambda x: np.cumsum(x),
    lambda x: np.cumsum(x, axis=0),
    lambda x: np.cumsum(x, axis=-1, dtype=np.float32),
    lambda x: x.cumprod(),
    lambda x: np.cumprod(x, axis=0),
    lambda x: np.cumprod(x, axis=3),
    lambda x: np.cumulative_sum(x),
    lambda x: np.cumulative_sum(x, axis=-1, include_initial=True),
    lambda x: np.cumulative_prod(x, axis=0, include_initial=True, dtype=complex),
    lambda x: np.maximum.accumulate(x),
    lambda x: np.minimum.accumulate(x, axis=-1),
    lambda x: np.diff(x),
    lambda x: np.diff(x, n=2, axis=0),
    lambda x: np.diff(x, n=0),
    lambda x: np.diff(x, n=-1),
    lambda x: np.diff(x, prepend=0),
    lambda x: np.diff(x, axis=0, append=x),
    lambda x: np.diff(x, prepend=1.5, append=[2.5]),
    lambda x: np.ediff1d(x),
    lambda x: np.ediff1d(x, to_end=[1, 2], to_begin=3),
    lambda x: np.ediff1d(x, to_end=1.5),
)

COVARIANCES = table(
    lambda x: np.cov(x),
    lambda x: np.cov(x, rowvar=False),
    lambda x: np.cov(x[:1], rowvar=False) if x.ndim == 2 else 0,
    lambda x: np.cov(x, x[:1], rowvar=False) if x.shape == (3, 4) else 0,
    lambda x: np.cov(x, bias=True),
    lambda x: np.cov(x, ddof=0),
    lambda x: np.cov(x, ddof=1.5),
    lambda x: np.cov(x, x * x),
    lambda x: np.cov(x, x, rowvar=False),
    lambda x: np.cov(x, fweights=[1, 2, 3, 1]),
    lambda x: np.cov(x, fweights=[1, 2, 3, 1.5]),
    lambda x: np.cov(x, aweights=[1, 2, 3, 1.5]),
    lambda x: np.cov(x, aweights=[1, 2, -3, 1.5]),
    lambda x: np.cov(x, aweights=[1, 2, 3, 1.5], fweights=[1, 2, 3, 1], ddof=2),
    lambda x: np.cov(x, dtype=np.float32),
    lambda x: np.corrcoef(x),
    lambda x: np.corrcoef(x, rowvar=False),
    lambda x: np.corrcoef(x, x + 1),
)


@pytest.mark.parametrize("function", [*PLAIN, *MASKED, *RUNNING, *COVARIANCES])
def test_as_numpy(function):
    for x in arrays(SHAPES):
        check(function, x)


def test_an_array_is_no_initial_value():
    for function in (lambda x: np.sum(x, initial=[1.0]), lambda x: np.min(x, initial=x)):
        check(function, np.ones(2))


@pytest.mark.parametrize("function", [*PLAIN[:3], *MASKED[:3], *RUNNING[:2]])
def test_small_dtypes(function):
    for x in arrays([(3, 4), ()], ("float16", "int8", "uint16", "complex64")):
        check(function, x)


UNKNOWN = table(
    lambda x: np.max(x[x > 0], initial=-3.0),
    lambda x: np.min(x[x > 0], initial=3.0, keepdims=True),
    lambda x: np.sum(x[x > 0], where=x[x > 0] > 1),
    lambda x: np.mean(x[x > 0], where=x[x > 0] > 1),
    lambda x: np.average(x[x > 0], weights=x[x > 0] + 1, returned=True),
    lambda x: np.cumprod(x[x > 0]),
    lambda x: np.maximum.accumulate(x[x > 0]),
    lambda x: np.cumulative_sum(x[x > 0], include_initial=True),
    lambda x: np.diff(x[x > 0], prepend=0, append=[1.0]),
    lambda x: np.cov(x[x > 0]),
)


@pytest.mark.parametrize("function", UNKNOWN)
@pytest.mark.parametrize("x", [[1.0, -2.0, 3.0, 0.5], [2.0], [1.0, 1.0, 3.0]])
def test_lengths_only_the_run_knows(function, x):
    check(function, np.array(x))


# -- derivatives -----------------------------------------------------------------------------------

REAL = np.array([[0.3, -1.2, 2.2, 0.9], [1.5, 0.4, -0.7, 3.1], [-2.0, 1.1, 0.6, -0.2]])
COMPLEX = REAL + 1j * np.array([[0.5, -0.3, 1.2, 0.4], [-1.1, 0.8, 0.2, 0.6], [0.9, -0.6, 0.3, 1]])

SMOOTH = table(
    lambda x: np.sum(x, axis=0, initial=2.0, where=np.real(x) > 0),
    lambda x: np.prod(x, axis=1, initial=2.0, where=np.real(x) > 0),
    lambda x: np.max(x, axis=0, initial=0.45, where=np.real(x) > 0),
    lambda x: np.min(x, axis=(0, 1), keepdims=True),
    lambda x: np.mean(x, axis=0, where=np.real(x) > -1),
    lambda x: np.var(x, axis=0, where=np.real(x) > -1.9, ddof=1),
    lambda x: np.std(x, axis=1, ddof=1),
    lambda x: np.var(x, axis=0, mean=x[:1]),
    lambda x: np.average(x, axis=0, weights=x + 5.0),
    lambda x: np.ptp(x, axis=0),
    lambda x: np.cumsum(x, axis=1),
    lambda x: np.cumprod(x, axis=1),
    lambda x: np.cumprod(x),
    lambda x: np.cumulative_prod(x, axis=0, include_initial=True),
    lambda x: np.maximum.accumulate(x, axis=1),
    lambda x: np.minimum.accumulate(x, axis=0),
    lambda x: np.diff(x, n=2, axis=0, prepend=x),
    lambda x: np.ediff1d(x, x[0], 2.0),
    lambda x: np.cov(x),
    lambda x: np.cov(x, x * x, aweights=[1.0, 2.0, 0.5, 1.5]),
    lambda x: np.corrcoef(x),
    lambda x: np.cumprod(x[np.real(x) > 0]) * np.max(x[np.real(x) > 0]),
)


@pytest.mark.parametrize("function", SMOOTH)
@pytest.mark.parametrize("x", [REAL, COMPLEX], ids=["real", "complex"])
def test_derivatives(function, x):
    ag.check_grads(function, (x,))


def test_derivatives_by_weights_and_starts():
    w = np.array([0.5, 1.5, 2.0])
    ag.check_grads(lambda w: np.average(REAL, axis=0, weights=w, returned=True), (w,))
    ag.check_grads(lambda w: np.cov(REAL, aweights=np.append(w, 1.0)), (w,))
    ag.check_grads(lambda s: np.sum(REAL, initial=s) * np.prod(REAL, initial=s), (2.0,))
    ag.check_grads(lambda s: np.max(REAL, axis=0, initial=s), (1.3,))


@pytest.mark.costly
@pytest.mark.parametrize("axis", [0, 1, None])
def test_products_with_zeros(axis):
    x = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [0.5, 2.0, 0.0]])
    ag.check_grads(lambda x: np.cumprod(x, axis=axis), (x,))
    ag.check_grads(lambda x: np.prod(x, axis=axis), (x,))
    ag.check_grads(lambda x: np.cumprod(x[x[:, 0] > -1.0], axis=axis), (x,))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_derivatives_of_nothing(shape):
    def total(x):
        first = np.sum(np.cumprod(x, axis=0)) + np.sum(np.maximum.accumulate(x, axis=1))
        return first + np.sum(np.cumsum(x, axis=0)) + np.prod(x) + np.max(x, initial=3.0)

    assert ag.grad(total)(np.zeros(shape)).shape == shape
    assert ag.grad(lambda x: np.sum(np.mean(x, axis=0)))(np.zeros(shape)).shape == shape


def test_equal_extrema_have_equal_shares():
    x = np.array([1.0, 2.0, 2.0, 0.0, 0.0])
    np.testing.assert_array_equal(ag.grad(lambda x: np.max(x))(x), [0, 0.5, 0.5, 0, 0])
    np.testing.assert_array_equal(ag.grad(lambda x: np.min(x))(x), [0, 0, 0, 0.5, 0.5])
    np.testing.assert_array_equal(ag.grad(lambda x: np.max(x, initial=1.0))(x[:1]), [0.5])


def test_of_equal_elements_so_far_the_first_counts():
    x = np.array([1.0, 2.0, 2.0, np.nan, 3.0])
    pick = np.array([0.0, 0.0, 1.0, 0.0, 1.0])
    gradient = ag.grad(lambda x: np.sum(np.where(pick, np.maximum.accumulate(x), 0.0)))(x)
    np.testing.assert_array_equal(gradient, [0, 1, 0, 1, 0])


def test_the_deviation_of_equal_elements_has_the_derivative_zero():
    x = np.array([2.0, 2.0, 2.0])
    np.testing.assert_array_equal(ag.grad(lambda x: np.std(x))(x), [0, 0, 0])
    np.testing.assert_array_equal(ag.grad(lambda x: np.nanstd(x))(x), [0, 0, 0])


def test_the_logarithm_of_a_sum_of_exponentials():
    def function(x):
        top = np.max(x)
        return top + np.log(np.sum(np.exp(x - top)))

    x = np.array([1.0, -np.inf, 2.0])
    expected = np.exp(x) / np.sum(np.exp(x))
    np.testing.assert_allclose(ag.grad(function)(x), expected)


@pytest.mark.parametrize(
    "function",
    table(
        lambda x: np.sum(np.cumprod(x)),
        lambda x: np.std(x),
        lambda x: np.mean(x, where=x > 0.6),
        lambda x: np.nanmean(x),
        lambda x: np.nanstd(x),
        lambda x: np.average(x, weights=x * x),
        lambda x: np.sum(np.maximum.accumulate(x) * x),
    ),
)
def test_float32_stays_float32(function):
    program = ag.grad(function).program(np.array([1.5, 2.0, 0.5], np.float32))
    assert "float64" not in str(program)


def test_in_a_wider_dtype():
    x = np.array([0.1, 0.2, 0.3], np.float32)
    for function in (
        lambda x: np.prod(x, dtype=np.float64),
        lambda x: np.sum(np.cumprod(x, dtype=np.float64)),
        lambda x: np.sum(x, dtype=np.float64) ** 2,
        lambda x: np.var(x, dtype=np.float64),
    ):
        gradient = ag.grad(function)(x)
        assert gradient.dtype == np.float32
        np.testing.assert_allclose(gradient, ag.grad(function)(x.astype(float)), rtol=1e-6)
    check(lambda x: np.var(x, dtype=np.float64), x)


def test_recurrence():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 9))
    y = np.empty((3, 9))
    y[:, 0] = b[:, 0]
    for j in range(1, 9):
        y[:, j] = a[:, j] * y[:, j - 1] + b[:, j]
    np.testing.assert_allclose(ops.recurrence(a, b), y)
    ag.check_grads(lambda a, b: ops.recurrence(a, b), (a, b))
    for wrong, error in ((b.astype(complex), TypeError), (b[:, 1:], ValueError)):
        with pytest.raises(error, match="recurrence"):
            ag.to_graph(lambda a, b: ops.recurrence(a, b))(a, wrong)


def test_helpers_of_one_name_are_one_function():
    """A program contains the text of each helper once."""
    found = {}
    for op in REGISTRY.values():
        for helper in op.helpers:
            assert found.setdefault(helper.__name__, helper) is helper


def test_running_extrema_without_the_method():
    """CuPy's ufuncs have no ``accumulate`` for extrema."""

    class Library:
        __name__ = "other"

        def __getattr__(self, name):
            return getattr(np, name)

    for x in arrays([(5, 4), (1, 2), (0, 2)], ["float64"]):
        for axis in (0, 1):
            found = REGISTRY["cummax"].evaluate(Library(), [x], {"axis": axis})
            np.testing.assert_array_equal(found, np.maximum.accumulate(x, axis))
