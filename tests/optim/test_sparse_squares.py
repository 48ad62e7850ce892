"""`optim.least_squares` where most of the Jacobian is zero: as with the whole one, and SciPy's."""

import numpy as np
import pytest

import autograph as ag
from autograph import optim
from autograph.errors import ConvergenceError, OptionError

scipy_optimize = pytest.importorskip("scipy.optimize")

METHODS = ["gauss-newton", "levenberg-marquardt", "dogleg"]
COUNT = 40
RNG = np.random.default_rng(0)
DATA = np.sin(0.2 * np.cumsum(RNG.normal(size=COUNT))) + 0.05 * RNG.normal(size=COUNT)


def chain(x, data):
    """Numbers that fit data, and their neighbours."""
    d = x[1:] - x[:-1]
    return {"fit": np.sin(x) - data, "smooth": 3.0 * d * np.cosh(0.1 * d)}


def smoothed(data, jacobian, method="levenberg-marquardt", tol=1e-11):
    start = np.zeros(len(data))
    residuals = lambda x: chain(x, data)
    return optim.least_squares(residuals, start, method=method, jacobian=jacobian, tol=tol)


def by_scipy(residuals, start):
    function = lambda x: np.concatenate([np.ravel(part) for part in ag.tree.leaves(residuals(x))])
    options = {"xtol": 1e-14, "ftol": 1e-15, "gtol": 1e-14}
    return scipy_optimize.least_squares(function, start, **options).x


@pytest.mark.costly
@pytest.mark.parametrize("method", METHODS)
def test_a_chain(method):
    found = ag.to_graph(lambda data: smoothed(data, "sparse", method))(DATA)
    np.testing.assert_allclose(found, smoothed(DATA, "dense", method), rtol=1e-9, atol=1e-9)
    wanted = by_scipy(lambda x: chain(x, DATA), np.zeros(COUNT))
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


def test_as_plain_python():
    found = ag.to_graph(lambda data: smoothed(data, "sparse"))(DATA)
    np.testing.assert_allclose(smoothed(DATA, "sparse"), found, rtol=1e-10, atol=1e-12)


CAMERAS, POINTS, SEEN = 5, 30, 4
OF_POINT = np.repeat(np.arange(POINTS), SEEN)
OF_CAMERA = np.concatenate([RNG.permutation(CAMERAS)[:SEEN] for _ in range(POINTS)])


def pictures(cameras, points):
    """Where points are in the pictures of cameras that are turned about two axes, and moved."""
    a, b, tx, ty, tz = cameras[:, OF_CAMERA]
    x, y, z = points[:, OF_POINT]
    y, z = np.cos(a) * y - np.sin(a) * z, np.sin(a) * y + np.cos(a) * z
    x, z = np.cos(b) * x + np.sin(b) * z, np.cos(b) * z - np.sin(b) * x
    return np.stack([(x + tx) / (z + tz), (y + ty) / (z + tz)])


@pytest.mark.parametrize(
    "method", [METHODS[0], *(pytest.param(m, marks=pytest.mark.slow) for m in METHODS[1:])]
)
def test_bundle_adjustment(method):
    """Unknowns of other sizes, in which all pictures of a camera and of a point share."""
    cameras, points = 0.1 * RNG.normal(size=(5, CAMERAS)), RNG.normal(size=(3, POINTS))
    cameras[4] += 5.0
    seen = pictures(cameras, points) + 1e-3 * RNG.normal(size=(2, POINTS * SEEN))
    start = cameras, points + 0.05 * RNG.normal(size=points.shape)
    known = lambda cameras: 1e-1 * (cameras - start[0])
    off = lambda place: [pictures(*place) - seen, known(place[0])]

    @ag.to_graph
    def adjusted(start):
        return optim.least_squares(off, start, method=method, tol=1e-10)

    assert "svd" not in str(adjusted.graph(start)) and "lstsq" not in str(adjusted.graph(start))
    found = np.concatenate([part.ravel() for part in adjusted(start)])
    parts = lambda x: (x[: 5 * CAMERAS].reshape(5, -1), x[5 * CAMERAS :].reshape(3, -1))
    wanted = by_scipy(lambda x: off(parts(x)), np.concatenate([part.ravel() for part in start]))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def difference(function, x, along, h=1e-4):
    return (function(x + h * along) - function(x - h * along)) / (2 * h)


ALONG = np.cos(np.arange(COUNT))
WEIGHTS = np.linspace(-1.0, 2.0, COUNT)


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("method", METHODS)
def test_derivatives(method):
    function = lambda data: np.sum(WEIGHTS * smoothed(data, "sparse", method) ** 2)
    gradient = ag.grad(function)
    found = gradient(DATA)
    wanted = difference(ag.to_graph(function), DATA, ALONG)
    assert found @ ALONG == pytest.approx(wanted, rel=1e-6)
    assert ag.jvp(function, (DATA,), (ALONG,))[1] == pytest.approx(wanted, rel=1e-6)
    whole = ag.grad(lambda data: np.sum(WEIGHTS * smoothed(data, "dense", method) ** 2))
    np.testing.assert_allclose(found, whole(DATA), rtol=1e-7, atol=1e-9)
    second = ag.grad(lambda data: gradient(data) @ ALONG)(DATA)
    np.testing.assert_allclose(second, difference(gradient, DATA, ALONG), rtol=1e-5, atol=1e-7)
    over = ag.jvp(gradient, (DATA,), (ALONG,))[1]
    np.testing.assert_allclose(over, second, rtol=1e-7, atol=1e-9)


@pytest.mark.slow
def test_lanes():
    function = lambda data: np.sum(WEIGHTS * smoothed(data, "sparse") ** 2)
    many = np.stack([DATA, 0.5 * DATA, 0.9 * np.roll(DATA, 3)])
    each = np.array([ag.to_graph(function)(data) for data in many])
    np.testing.assert_allclose(ag.vmap(function)(many), each, rtol=1e-10)
    each = np.stack([ag.grad(function)(data) for data in many])
    np.testing.assert_allclose(ag.vmap(ag.grad(function))(many), each, rtol=1e-8, atol=1e-10)


def test_when_it_is_sparse():
    """By default large Jacobians are compressed, where few of their elements are not zero."""

    def text(residuals, count, **options):
        return str(
            ag.to_graph(lambda x: optim.least_squares(residuals, x, **options)).graph(
                np.zeros(count)
            )
        )

    neighbours = lambda x: np.diff(np.sin(x) - 1.0)
    full = lambda x: np.sin(x) - np.sum(x)
    assert "svd" in text(neighbours, 100)
    assert "svd" not in text(neighbours, 130)
    assert "svd" in text(full, 130)
    assert "svd" in text(neighbours, 130, jacobian="dense")
    assert "svd" not in text(full, 20, jacobian="sparse")


def test_without_scipy(monkeypatch):
    monkeypatch.setattr("autograph.api.minimizing.find_spec", lambda name: None)
    fitted = ag.to_graph(lambda x: optim.least_squares(lambda x: np.sin(x) - 0.5, x))
    assert "svd" in str(fitted.graph(np.zeros(130)))


@pytest.mark.parametrize("method", METHODS)
def test_columns_that_count_nothing(method):
    """Of what no residual depends on, nothing changes."""
    start = np.arange(4.0)
    residuals = lambda x: x[1:3] ** 2 - 2.0
    found = optim.least_squares(residuals, start, method=method, jacobian="sparse")
    np.testing.assert_allclose(found, [0.0, 2.0**0.5, 2.0**0.5, 3.0], rtol=1e-6)
    constant = optim.least_squares(lambda x: np.ones(3), start, method=method, jacobian="sparse")
    np.testing.assert_array_equal(constant, start)


@pytest.mark.parametrize("jacobian", ["sparse", "dense"])
@pytest.mark.parametrize("method", METHODS)
def test_float32_and_numbers(method, jacobian):
    start = np.full(30, 0.5, np.float32)
    residuals = lambda x: x**2 - np.float32(2.0)
    found = optim.least_squares(residuals, start, method=method, jacobian=jacobian)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.full(30, 2.0**0.5), rtol=1e-3)
    found = optim.least_squares(lambda x: x * x - 2.0, 1.0, method=method, jacobian=jacobian)
    assert found == pytest.approx(2.0**0.5, rel=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_fewer_residuals_than_unknowns(method):
    start = np.linspace(0.0, 1.0, 20)
    residuals = lambda x: np.diff(x) - 0.1
    found = optim.least_squares(residuals, start, method=method, jacobian="sparse")
    np.testing.assert_allclose(np.diff(found), np.full(19, 0.1), rtol=1e-6)


def test_what_does_not_converge():
    with pytest.raises(ConvergenceError, match="least_squares by levenberg-marquardt has not"):
        optim.least_squares(
            lambda x: chain(x, DATA), np.zeros(COUNT), jacobian="sparse", max_steps=2
        )


def test_an_unknown_option():
    with pytest.raises(OptionError, match="no Jacobian 'banded'"):
        optim.least_squares(np.sin, np.ones(3), jacobian="banded")
