"""NumPy's functions on series of polynomials, compiled."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check, check_grad

FAMILIES = {
    "poly": np.polynomial.polynomial,
    "cheb": np.polynomial.chebyshev,
    "leg": np.polynomial.legendre,
    "herm": np.polynomial.hermite,
    "herme": np.polynomial.hermite_e,
    "lag": np.polynomial.laguerre,
}
C = np.array([1.0, -2.0, 3.0, 0.5])
D = np.array([0.5, 1.0])
X = np.array([0.1, -0.2, 0.3, 0.7, 0.9])
GRID = np.outer(C, D)


@pytest.fixture(params=FAMILIES)
def family(request):
    """The function of one family by its name without the prefix."""
    prefix = request.param  # not the request, from which all of pytest can be reached
    return lambda name: getattr(FAMILIES[prefix], prefix + name)


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_arithmetic(family, name):
    f = family(name)
    for c1, c2 in [(C, D), (D, C), (C, C[::-1]), (C.astype(np.float32), D), ([1, 2], [3])]:
        check(lambda c1, c2: f(c1, c2), np.asarray(c1), np.asarray(c2))
    check(lambda c: f(c, [1, 2, 0]), C)
    check(lambda c: f([1.5], c), [1, 2])
    check(lambda c: f(c, c), GRID)
    check_grad(lambda c1, c2: np.sum(f(c1, c2) ** 2), C, D, argnums=(0, 1))


@pytest.mark.parametrize("name", ["add", "mul"])
def test_a_zero_at_the_end_would_change_the_length(family, name):
    f = family(name)
    with pytest.raises(ValueError, match="ends with a coefficient that is zero"):
        ag.to_graph(lambda c: f(c, [1.0]))(np.array([1.0, 0.0]))


def test_a_sum_may_lose_its_end(family):
    f = family("sub")
    with pytest.raises(ValueError, match="ends with a coefficient that is zero"):
        ag.to_graph(lambda c: f(c, [1.0, 2.0]))(np.array([3.0, 2.0]))


@pytest.mark.parametrize("c", [C, C.astype(np.float32), np.arange(3), GRID, [1.0], 2.0], ids=repr)
def test_derivatives(family, c):
    f = family("der")
    for m in (0, 1, 2, 5, -1):
        check(lambda c, m=m: f(c, m), c)
    check(lambda c, scl: f(c, 2, scl), c, 0.5)
    check(lambda c: f(c, axis=-1), c)


@pytest.mark.parametrize("c", [C, C.astype(np.float32), np.arange(3), GRID, [1.0], 2.0], ids=repr)
def test_integrals(family, c):
    f = family("int")
    for m in (0, 1, 2, -1):
        check(lambda c, m=m: f(c, m), c)
    check(lambda c, k, lbnd, scl: f(c, 2, [k, 3.0], lbnd, scl), c, 0.5, 0.25, 2.0)
    check(lambda c, k: f(c, 1, k), c, 0.5)
    check(lambda c: f(c, 1, [1, 2]), c)
    check(lambda c, lbnd: f(c, lbnd=lbnd), c, [0.0])
    check(lambda c: f(c, axis=-1), c)


@pytest.mark.costly
def test_gradients_of_derivatives_and_integrals(family):
    der, integral = family("der"), family("int")
    check_grad(lambda c: np.sum(der(c, 2) ** 2), C)
    check_grad(
        lambda c, k, lbnd: np.sum(integral(c, 2, k, lbnd) ** 2), C, 0.5, 0.25, argnums=(0, 1, 2)
    )


def test_the_integral_of_zero_has_another_length(family):
    f = family("int")
    with pytest.raises(ValueError, match="the integral of a series that is zero"):
        ag.to_graph(lambda c: f(c))(np.zeros(1))


@pytest.mark.parametrize("name", ["lbnd", "scl"])
def test_what_an_integral_takes_one_number_for(family, name):
    f = family("int")
    for run in (f, ag.to_graph(lambda c, **kwargs: f(c, **kwargs))):
        with pytest.raises(ValueError, match=f"{name} must be a scalar"):
            run(np.ones(2), **{name: np.zeros(2)})


@pytest.mark.costly
def test_values_in_several_variables(family):
    cube = np.multiply.outer(GRID, D)
    for dtype in (float, np.float32, int):
        x, c = X.astype(dtype), GRID.astype(dtype)
        check(lambda x, c: family("val2d")(x, x + 1, c), x, c)
        check(lambda x, c: family("grid2d")(x, x[:2], c), x, c)
    check(lambda x, c: family("val3d")(x, x + 1, x, c), X, cube)
    check(lambda x, c: family("grid3d")(x, x[:2], x[:3], c), X, cube)
    check(lambda x, c: family("val2d")(x, x[:2], c), X, GRID)
    check_grad(lambda x, c: np.sum(family("grid2d")(x, x, c) ** 2), X, GRID, argnums=(0, 1))


@pytest.mark.parametrize("x", [X, X.astype(np.float32), np.arange(3), GRID, 0.5], ids=repr)
def test_matrices_of_polynomials(family, x):
    f = family("vander")
    for deg in (0, 1, 4, -1):
        check(lambda x, deg=deg: f(x, deg), x)
    check_grad(lambda x: np.sum(f(x, 3) ** 2), X)


@pytest.mark.costly
def test_fits(family):
    f = family("fit")
    y = np.exp(X)
    check(lambda x, y: f(x, y, 0), X, y)
    check(lambda x, y: f(x, y, [0, 2]), X, y)
    check(lambda x, y: f(x, y, np.array([3, 1])), X, y)
    check(lambda x, y, w: f(x, y, 2, w=w), X, np.outer(y, D), X + 1)
    check(lambda x, y, w: f(x, y, [1, 2], w=w), X, y, X + 1)
    check(lambda x, y: f(x, y, 1), X, y[:3])
    check(lambda x, y: f(x, y, -1), X, y)
    check(lambda x, y: f(x, y, 1.5), X, y)
    check_grad(lambda x, y: np.sum(f(x, y, 2) ** 2), X, y, argnums=(0, 1))
    with pytest.raises(NotImplementedError, match="'full'"):
        ag.to_graph(lambda x: f(x, x, 1, full=True))(X)
