"""NumPy's functions that make grids, differences, polynomials and convolutions, compiled."""

import numpy as np
import pytest

from tests.ops.derivatives import check_complex_derivatives, check_derivatives
from tests.support.oracle import check

V = np.array([0.5, -1.0, 2.0, 3.5])
U = np.array([0.1, 0.4, 1.5, 1.7])
M = np.arange(12.0).reshape(3, 4) ** 1.5 - 2.0
T = np.arange(27.0).reshape(3, 3, 3) ** 1.1


def newton(a):
    """The square root."""
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


SMOOTH = [
    # -- equal distances
    (lambda a, b: (np.linspace(a, b, 4), np.linspace(a, b, 3, endpoint=False)), 0.5, 2.0),
    (lambda a, b: (np.linspace(a, b, 1), np.linspace(a, b, 0), np.linspace(a, 2)), 0.5, 2.0),
    (lambda a, b: np.linspace(a, b, 4, retstep=True), 0.5, 2.0),
    (lambda a, b: (np.linspace(a, b, 3), np.linspace(a, b, 3, axis=1)), V, U),
    (lambda a, b: np.linspace(a, b[:, None], 3, axis=-1, retstep=True), V, U[:2]),
    (lambda a: np.linspace(a, 3, 5, False, True), 1.5),
    (lambda a, b: (np.logspace(a, b, 4), np.logspace(a, b, 3, False, 2.0)), 0.5, 1.2),
    (lambda a, b: (np.logspace(a, b, 3, base=[2.0, 3.0]), np.logspace(a, b, 3, axis=0)), 0.5, 1.2),
    (lambda a, b: (np.geomspace(a, b, 4), np.geomspace(-a, -b, 3)), 0.5, 2.0),
    (lambda a, b: (np.geomspace(a, b, 3, endpoint=False), np.geomspace(a, b, 1)), 0.5, 2.0),
    (lambda a, b: np.geomspace(a, b, 3, axis=1), U, U[::-1]),
    (lambda a: (np.arange(5) * a, np.arange(0, 1, 0.25) * a), 0.5),
    (lambda a: np.arange(np.real(a), np.real(a) + 3), 0.5),
    # -- grids
    (lambda x, y: np.meshgrid(x, y), V, U[:3]),
    (lambda x, y: np.meshgrid(x, y, 2.0, indexing="ij"), V, U[:3]),
    (lambda x, y: np.meshgrid(x, y, sparse=True, copy=False), V, U[:3]),
    (lambda x: (np.meshgrid(x), np.meshgrid()), V),
    (lambda x: x[np.ix_([0, 2], [1, 3])], M),
    (lambda x, i: x[np.ix_(i, [True, False, True, True])], M, np.array([2, 0])),
    (
        lambda x, i: (np.unravel_index(i, (3, 4)), x[np.unravel_index(i, x.shape)]),
        M,
        np.array([5, 11]),
    ),
    (lambda x, i: np.unravel_index(i, (3, 2, 4), order="F"), V, np.array([[5, 11]])),
    (lambda x, i: (np.unravel_index(i, 7), np.unravel_index(3, x.shape)), M, 5),
    (lambda x, i: np.ravel_multi_index((i, [1, 2]), (3, 4)), V, np.array([0, 2])),
    (lambda x, i: np.ravel_multi_index((i, i), (3, 4), order="F"), V, np.array([0, 2])),
    (
        lambda x, i: np.ravel_multi_index((i, i), (3, 4), mode=("clip", "wrap")),
        V,
        np.array([-5, 9]),
    ),
    (lambda x: np.indices((3, 4)) * x, M),
    (lambda x: x * np.fromfunction(lambda i, j: i - j, (3, 4)), M),
    # -- calculus
    (lambda y: (np.trapezoid(y), np.trapezoid(y, dx=0.5, axis=0)), M),
    (
        lambda y, x: (np.trapezoid(y, x), np.trapezoid(y[:, :3], x[:3, None] * y[:, :3], axis=0)),
        M,
        U,
    ),
    (lambda y, x: (np.trapezoid(y, x), np.trapezoid([1.0, 2.0, 3.0, 4.0], x)), V, U),
    (lambda f: np.gradient(f), M),
    (lambda f: (np.gradient(f, 2.0, axis=1), np.gradient(f, 0.5, 2.0)), M),
    (lambda f, x: (np.gradient(f, x), np.gradient(f, x, edge_order=2)), V, U),
    (lambda f, h: (np.gradient(f, h, edge_order=2), np.gradient(f, h, axis=(0, 1))), M, 0.7),
    (lambda f, x: np.gradient(f, [0.0, 1.0, 3.0], x, edge_order=2), M, U),
    (lambda f: np.gradient(f, np.arange(4.0), axis=-1), M),
    (lambda f, x: (np.gradient(f[:2]), np.gradient(f[:2], x[:2])), V, U),
    (lambda p: (np.unwrap(3 * p), np.unwrap(p, discont=2.0), np.unwrap(p, period=2.5)), V),
    (lambda p: (np.unwrap(p, axis=0), np.unwrap(p, axis=1, period=4)), M),
    (lambda x, y: (np.cross(x, y), np.cross(x, y, axis=0), np.cross(x[0, 0], y)), T, T[::-1] + 1),
    (lambda x, y: np.cross(x, y, axisa=0, axisb=1, axisc=0), T, T[::-1] + 1),
    # -- polynomials
    (lambda p, x: (np.polyval(p, x), np.polyval(p, 2), np.polyval([1, 2, 3], x)), V, M / 10),
    (lambda x: np.poly1d([1.0, 2.0, 3.0])(x), V),
    (lambda p, q: (np.polyadd(p, q), np.polysub(q, p), np.polymul(p, q[1:])), V, U[1:]),
    (lambda p: (np.polyder(p), np.polyder(p, 2), np.polyder(p, 5), np.polyder(p, 0)), V),
    (lambda p, k: (np.polyint(p), np.polyint(p, 2, k), np.polyint(p, 2, [k, 1.0])), V, 0.5),
    (lambda z: np.poly(z.real), V),
    (lambda x, c: np.polynomial.polynomial.polyval(x, c), V, U),
    (lambda x, c: np.polynomial.polynomial.polyval(x, c, tensor=False), V, M),
    (lambda x, c: np.polynomial.polynomial.polyval(x, c), V, M),
    (lambda x, c: np.polynomial.chebyshev.chebval(x, c), V, U),
    (lambda x, c: np.polynomial.legendre.legval(x, c), V, U),
    (lambda x, c: np.polynomial.hermite.hermval(x, c), V, U),
    (lambda x, c: np.polynomial.hermite_e.hermeval(x, c), V, U),
    (lambda x, c: np.polynomial.laguerre.lagval(x, c), V, U),
    (lambda c: np.polynomial.polynomial.polyder(c, 2, scl=3.0), V),
    (lambda c: np.polynomial.polynomial.polyder(c, axis=1), M),
    (lambda c, b: np.polynomial.polynomial.polyint(c, 2, [1.0], lbnd=b, scl=2), V, 0.5),
    (lambda x: np.polynomial.polynomial.polyvander(x, 3), V),
    (lambda r: np.polynomial.polynomial.polyfromroots(r), V),
    (lambda x: np.polynomial.Polynomial([1.0, 2.0, 3.0])(x), V),
    (lambda x: np.polynomial.Chebyshev([1.0, 2.0, 3.0], domain=[-1, 3])(x), V),
    (lambda x, y: (np.polyfit(x, y, 2), np.polyfit(x, y, 1, w=[1.0, 2.0, 1.0, 3.0])), V, U),
    (lambda x, y: np.polyfit(x, y.T, 1), V, M),
    # -- functions of slices
    (lambda x: np.apply_along_axis(lambda v: np.sum(v * v), 0, x), M),
    (lambda x: np.apply_along_axis(lambda v, k: np.outer(v, v) * k, 1, x, 2.0), M / 9),
    (lambda x: np.apply_along_axis(np.cumsum, -1, x), T),
    (lambda x: np.apply_along_axis(lambda v: v[v > 1.0].sum() if v[0] > 1 else v[1], 1, x), M),
    (lambda x: np.apply_over_axes(np.sum, x, [0, -1]), T),
    (lambda x: np.apply_over_axes(lambda a, axis: np.mean(a, axis, keepdims=True), x, 1), T),
    (lambda x: np.vectorize(lambda a: a * a if a > 1 else -a)(x), M),
    (lambda x, y: np.vectorize(lambda a, b: newton(a * a + b))(x[:, None], y), V, U),
    # -- convolutions
    *(
        (lambda x, y, m=mode: (np.convolve(x, y, m), np.convolve(y, x, mode=m)), V, y)
        for mode in ("full", "same", "valid")
        for y in (U, U[:3], U[:2], U[:1])
    ),
    *(
        (lambda x, y, m=mode: (np.correlate(x, y, m), np.correlate(y, x, mode=m)), V, y)
        for mode in ("full", "same", "valid")
        for y in (U, U[:3], U[:2], U[:1])
    ),
    (lambda x, y: (np.convolve(x, y), np.convolve(x, [1, 2]), np.convolve(y, y)), V, 2.0),
]


@pytest.mark.parametrize("case", SMOOTH, ids=lambda case: f"line {case[0].__code__.co_firstlineno}")
@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
def test_values_and_derivatives(case):
    function, *args = case
    check(function, *args)
    check_derivatives(function, *args)
    check_complex_derivatives(function, *args)


@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "c8", "c16"])
def test_other_dtypes(dtype):
    def numbers(x, y):
        return (
            *(np.convolve(x, y), np.correlate(x, y, "same"), np.correlate(y, x, "same")),
            *(np.polyval(x, y), np.polymul(x, y), np.polyadd(x, y), np.vander(x)),
            *(np.trapezoid(x), np.polyint(x), np.polyder(x)),
            *np.meshgrid(x, y),
        )

    def grids(x, y):
        return (
            *(np.linspace(x, y, 3), np.linspace(x[0], y[0], 4), np.linspace(0, y, 3)),
            *(np.logspace(x / 9, y / 9, 3), np.polynomial.polynomial.polyval(x, y)),
            np.gradient(x),
        )

    x = (np.array([3, 5, 4, 7, 1]) * (1 + 0.5j)).astype(dtype)
    check(numbers, x, x[1:4] + x[0])
    if dtype != "?":
        check(grids, x, x[::-1] + x)
        check(lambda x, y: np.geomspace(x, y, 3), x, x[::-1])
        check(lambda x: np.cross(x[:3], x[2:]), x)


def test_integers_at_equal_distances():
    check(
        lambda a, b: (np.linspace(a, b, 4, dtype=int), np.linspace(a, b, 3, dtype="f4")), 1.5, 9.2
    )
    check(lambda a, b: (np.linspace(a, b, 4), np.linspace(a, b, 7, dtype="i8")), -3, 5)
    check(lambda a: np.unwrap(a, period=6), np.array([1, 2, 3, 4, 5, 6, 1, 2, 3]))
    check(lambda a: np.unwrap(a, period=5), np.array([1, 2, 3, 4, 5, 1, 2, 3]))
    check(lambda f: np.gradient(f), np.array([1, 4, 9, 16]))
    check(lambda f: np.gradient(f, np.array([1, 2, 4, 8])), np.array([1, 4, 9, 16]))


ERRORS = [
    lambda x: np.linspace(x, 1, -1),
    lambda x: np.linspace(x, 1, 2.5),
    lambda x: np.linspace(x, np.zeros(7), 2),
    lambda x: np.geomspace(x, 0.0, 3),
    lambda x: np.geomspace(x * 0, x, 3),
    lambda x: np.meshgrid(x, x, indexing="yx"),
    lambda x: np.meshgrid(x, x, order="C"),
    lambda x: x[np.ix_([0], [0], [0])],
    lambda x: np.ix_(x),
    lambda x: np.unravel_index(12, x.shape),
    lambda x: np.unravel_index(np.argmax(x) + 9, x.shape),
    lambda x: np.unravel_index(x, (3, 4)),
    lambda x: np.ravel_multi_index((np.argmax(x), 9), x.shape),
    lambda x: np.ravel_multi_index((np.argmax(x),), x.shape),
    lambda x: np.ravel_multi_index((np.argmax(x), 1), x.shape, mode="x"),
    lambda x: np.trapezoid(x, axis=3),
    lambda x: np.trapezoid(x, [1.0, 2.0]),
    lambda x: np.gradient(x, 1.0, 2.0, 3.0),
    lambda x: np.gradient(x, [1.0, 2.0]),
    lambda x: np.gradient(x, [1.0, 2.0], axis=1),
    lambda x: np.gradient(x, edge_order=3),
    lambda x: np.gradient(x[:1]),
    lambda x: np.gradient(x[:2], edge_order=2),
    lambda x: np.gradient(x, axis=2),
    lambda x: np.cross(x, x),
    lambda x: np.cross(x[0, 0], x),
    lambda x: np.cross(x[:, :3], x[0, :3], axisa=5),
    lambda x: np.polyder(x[0], -1),
    lambda x: np.polyint(x[0], -1),
    lambda x: np.polyint(x[0], 3, [1.0, 2.0]),
    lambda x: np.poly(x),
    lambda x: np.convolve(x, x),
    lambda x: np.convolve(x[0], []),
    lambda x: np.convolve(x[0, :0], x[0]),
    lambda x: np.convolve(x[0], x[0], "middle"),
    lambda x: np.correlate(x[0], x[0], "middle"),
    lambda x: np.correlate(x[0], x[0, 0]),
    lambda x: np.arange(x[0, 0], 3, 0),
    lambda x: np.polyfit(x, x, 1),
]


@pytest.mark.parametrize("function", ERRORS, ids=lambda f: f"line {f.__code__.co_firstlineno}")
def test_errors(function):
    check(function, M)


BRACKETS = [
    (lambda x, y: (np.r_[x, 1.0, y], np.r_[x, 0, 0, 1:4], np.r_[0.0:y:3j, x]), V, 1.5),
    (lambda x, y: (np.c_[x, y], np.c_[x, np.arange(4)], np.c_[x[:, None], y, 1:5]), V, U),
    (lambda x, y: (np.r_["0,2", x, y], np.r_["1,2,0", x, y], np.r_["-1", x, y]), V, U),
    (lambda x, y: (np.r_[x[:2], y], np.c_[x, y], np.r_["1", x, y]), np.ones((4, 4)), np.eye(4)),
    (lambda a, b: (np.mgrid[a:b:3j, 0:2], np.ogrid[a:b:3j, 0:2], np.mgrid[a:b:4j]), 0.5, 2.0),
    (lambda x: (np.mgrid[0:2, 0:3] * x, np.ogrid[0:3] * x[0, 0], np.r_[1, 2, 3] * x), M[:2, :3]),
    (lambda x: x[np.s_[1, ::2]] + x[np.index_exp[0, ::2]], M),
]


@pytest.mark.parametrize(
    "case", BRACKETS, ids=lambda case: f"line {case[0].__code__.co_firstlineno}"
)
def test_arrays_made_of_what_stands_between_brackets(case):
    function, *args = case
    check(function, *args)
    check_derivatives(function, *args)


def test_brackets_of_integers():
    def of_integers(n):
        a = np.r_[0:n, 5]
        a[0] = n
        b = np.mgrid[0:n, 1:n]
        b[0, 0] = n
        return a, b, np.ogrid[0:n, 1:3], np.c_[0:n, np.ones(n)], np.r_[np.float32(1), 2.5, n]

    check(of_integers, 4)


def test_vectorize():
    def numbers(x, n):
        step = np.vectorize(lambda a, b: 1 if a > b else 0, otypes="d")
        kind = np.vectorize(lambda a: type(a) is float)
        none = np.vectorize(lambda a: a * 2, otypes=[np.float32])
        return step(x, n), step(n, x[0]), np.vectorize(abs)(x), kind(x), none(x[:0]), none(n)

    check(numbers, V, 2)
    check(lambda x: np.vectorize(lambda a: 1 / a)(x), np.array([1.0, 0.0]))
    check(lambda x: np.vectorize(lambda a: 1 / a)(x[:0]), V)
