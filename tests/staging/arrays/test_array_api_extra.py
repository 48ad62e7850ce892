"""The functions of array_api_extra, written for arrays of any library, in compiled functions."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same, check_grad

xpx = pytest.importorskip("array_api_extra")

X = np.array([1.0, 2.0, 4.0, 3.0])
Y = np.array([2.0, 1.0, 0.5, 5.0])
M = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 7.0]])
WHOLE = np.array([3, 1, 2, 1])


@pytest.mark.parametrize(
    "function, args",
    [
        (lambda x: xpx.atleast_nd(x, ndim=3), (X,)),
        (lambda x: xpx.at(x)[1].set(9.0), (X,)),
        (lambda x: xpx.at(x, slice(0, 2)).add(1.0), (X,)),
        (lambda x: xpx.at(x)[x > 2].set(0.0, copy=True), (X,)),
        (lambda m: xpx.cov(m), (M,)),
        (lambda x: xpx.create_diagonal(x, offset=1), (X,)),
        (lambda m, x: xpx.kron(m, x), (M, X)),
        (lambda x, y: xpx.isclose(x, y), (X, Y)),
        (lambda i: xpx.one_hot(i, 4), (WHOLE,)),
        (lambda x: xpx.pad(x, 1, constant_values=2.0), (X,)),
        (lambda x, y: xpx.setdiff1d(x, y, assume_unique=True), (X, Y)),
        (lambda x: xpx.sinc(x), (X,)),
        (lambda x, y: xpx.apply_where(x > y, (x, y), lambda a, b: a / b, lambda a, b: a), (X, Y)),
        (lambda x: xpx.nan_to_num(x - np.inf), (X,)),
        (lambda i: xpx.isin(i, np.array([1, 2])), (WHOLE,)),
        (lambda x: xpx.partition(x, 2), (X,)),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_array_api_extra(function, args):
    found = ag.to_graph(function)(*(x.copy() for x in args))
    assert_same(found, function(*(x.copy() for x in args)), "result")


def test_gradients_through_array_api_extra():
    check_grad(lambda m: np.sum(xpx.cov(m) ** 2), M)
    check_grad(lambda x, y: np.sum(xpx.kron(x, y) * xpx.sinc(y[0])), X, Y, argnums=(0, 1))
    check_grad(lambda x: np.sum(xpx.at(x)[1].set(x[0] ** 2, copy=True) * x), X)
