"""Derivatives where a function has a kink, a pole or an end: what each operator documents."""

import numpy as np
import pytest

import autograph as ag

inf, nan = np.inf, np.nan

pytestmark = pytest.mark.filterwarnings("ignore")

# function, point, first derivatives, matrix of second derivatives or None
EDGES = [
    (lambda x: np.sqrt(x), [0], [inf], [-inf]),
    (lambda x: np.cbrt(x), [0], [inf], None),
    (lambda x: np.log(x), [0], [inf], [-inf]),
    (lambda x: np.log1p(x), [-1], [inf], [-inf]),
    (lambda x: np.reciprocal(x), [0], [-inf], [inf]),
    (lambda x: abs(x), [0], [0], [0]),
    (lambda x: np.fabs(x), [0], [0], [0]),
    (lambda x: np.sign(x), [0], [0], [0]),
    (lambda x: x**0, [0], [0], [0]),
    (lambda x: x**1, [0], [1], [0]),
    (lambda x: x**2, [0], [0], [2]),
    (lambda x: x**2.0, [0], [0], [2]),
    (lambda x: x**0.5, [0], [inf], [-inf]),
    (lambda x: x**-1, [0], [-inf], [inf]),
    (lambda x: np.square(x), [0], [0], [2]),
    (lambda x: np.float_power(x, 2), [0], [0], [2]),
    (lambda x: 0.0**x, [2], [0], [0]),
    (lambda x: 2**x, [0], [np.log(2)], [np.log(2) ** 2]),
    (lambda x, y: x**y, [0, 1], [1, 0], None),
    (lambda x, y: x**y, [0, 2], [0, 0], [2, 0, 0, 0]),
    (lambda x, y: x**y, [0, 0], [0, 0], None),
    (lambda x, y: x**y, [2, 0], [0, np.log(2)], [0, 0.5, 0.5, np.log(2) ** 2]),
    (lambda x, y: x**y, [-2, 3], [12, nan], None),
    (lambda x, y: np.arctan2(x, y), [0, 0], [nan, nan], None),
    (lambda x, y: np.arctan2(x, y), [0, -1], [-1, 0], [0, -1, -1, 0]),
    (lambda x, y: np.arctan2(x, y), [1e200, 1e200], [5e-201, -5e-201], [0, 0, 0, 0]),
    (lambda x, y: np.hypot(x, y), [0, 0], [0, 0], [0, 0, 0, 0]),
    (lambda x, y: np.hypot(x, y), [0, 2], [0, 1], [0.5, 0, 0, 0]),
    (lambda x, y: np.hypot(x, y), [3e200, 4e200], [0.6, 0.8], None),
    (lambda x, y: np.logaddexp(x, y), [-inf, -inf], [0.5, 0.5], [0, 0, 0, 0]),
    (lambda x, y: np.logaddexp(x, y), [-inf, 1], [0, 1], [0, 0, 0, 0]),
    (lambda x, y: np.logaddexp(x, y), [inf, 1], [1, 0], [0, 0, 0, 0]),
    (lambda x, y: np.logaddexp(x, y), [inf, inf], [0.5, 0.5], [0, 0, 0, 0]),
    (lambda x, y: np.logaddexp(x, y), [-inf, inf], [0, 1], [0, 0, 0, 0]),
    (lambda x, y: np.logaddexp(x, y), [0, 0], [0.5, 0.5], [0.25, -0.25, -0.25, 0.25]),
    (lambda x, y: np.logaddexp(x, y), [1000, -1000], [1, 0], [0, 0, 0, 0]),
    (lambda x, y: np.logaddexp2(x, y), [-inf, -inf], [0.5, 0.5], [0, 0, 0, 0]),
    (lambda x, y: np.maximum(x, y), [nan, 1], [0, 0], [0, 0, 0, 0]),
    (lambda x, y: np.maximum(x, y), [1, 1], [0.5, 0.5], [0, 0, 0, 0]),
    (lambda x, y: np.minimum(x, y), [inf, inf], [0.5, 0.5], [0, 0, 0, 0]),
    (lambda x, y: np.fmax(x, y), [nan, 1], [0, 1], [0, 0, 0, 0]),
    (lambda x, y: np.copysign(x, y), [-2, -0.0], [1, 0], [0, 0, 0, 0]),
    (lambda x, y: np.copysign(x, y), [0, -1], [0, 0], [0, 0, 0, 0]),
    (lambda x, y: x % y, [-5.5, 2], [1, 3], [0, 0, 0, 0]),
    (lambda x, y: np.fmod(x, y), [-5.5, 2], [1, 2], [0, 0, 0, 0]),
    (lambda x, y: np.fmod(x, y), [1, 0.1], [1, -9], [0, 0, 0, 0]),
    (lambda x, y: np.heaviside(x, y), [0, 0.5], [0, 1], [0, 0, 0, 0]),
    (lambda x, y: np.nextafter(x, y), [1, 2], [1, 0], [0, 0, 0, 0]),
    (lambda x: np.arcsin(x), [1], [inf], None),
    (lambda x: np.arccos(x), [-1], [-inf], None),
    (lambda x: np.arctanh(x), [1], [inf], None),
    (lambda x: np.arccosh(x), [1], [inf], None),
    (lambda x: np.arcsin(x), [1 - 2.0**-50], [2.0**24.5], None),
    (lambda x: np.arcsinh(x), [1e200], [1e-200], [0]),
    (lambda x: np.tan(x), [1.5], [1 / np.cos(1.5) ** 2], [2 * np.tan(1.5) / np.cos(1.5) ** 2]),
    (lambda x: np.tanh(x), [1000], [0], [0]),
    (lambda x: np.exp(x), [-inf], [0], [0]),
    (lambda x: np.sinc(x), [0], [0], [-(np.pi**2) / 3]),
    (lambda x: np.sinc(x), [1e-5], [-3.2898681336431e-05], [-(np.pi**2) / 3]),
    (lambda x: np.sinc(x), [1], [-1], [2]),
    (lambda x: np.frexp(x)[0], [0], [1], [0]),
    (lambda x: np.modf(x)[0], [-2.5], [1], [0]),
    (lambda x: np.where(x > 0, np.log(x), 0.0), [0], [0], [0]),
    (lambda x: np.where(x > 0, np.sqrt(x), 0.0), [0], [0], [0]),
    (lambda x: np.where(x > 0, x**-1.5, 0.0), [0], [0], [0]),
    (lambda x: np.where(x != 0, np.sin(x) / x, 1.0), [0], [0], [0]),
    (lambda x: np.where(x > 0, np.logaddexp(x, -inf), 0.0), [-inf], [0], [0]),
]


@pytest.mark.parametrize("function, point, first, second", EDGES)
def test_derivatives(function, point, first, second):
    args = [np.float64(x) for x in point]
    every = tuple(range(len(args)))
    gradient = ag.grad(function, argnums=every)
    np.testing.assert_allclose(gradient(*args), first, rtol=1e-9, atol=1e-300)
    for i in every:
        tangents = tuple(np.float64(i == j) for j in every)
        _, along = ag.jvp(function, tuple(args), tangents)
        assert np.isnan(along) or np.isnan(first[i]) or along == pytest.approx(first[i], rel=1e-9)
    if second is not None:
        rows = [ag.grad(lambda *x: gradient(*x)[i], argnums=every)(*args) for i in every]
        np.testing.assert_allclose(np.ravel(rows), second, rtol=1e-9, atol=1e-300)


def test_float32_stays_float32():
    for function, point, first, _ in EDGES:
        if "float_power" in function.__code__.co_names:
            continue
        args = [np.array([x], "f4") for x in point]
        total = lambda *args: np.sum(function(*args))
        graph = ag.grad(total, argnums=tuple(range(len(args)))).graph(*args)
        assert "f64[" not in str(graph), graph
