"""Functions of ``scipy.linalg`` in compiled functions: values, errors, derivatives, lanes."""

import decimal

import numpy as np
import pytest
import scipy.linalg as sl

import autograph as ag
from autograph.errors import UnsupportedFunctionError
from tests.ops.derivatives import check_derivatives

RNG = np.random.default_rng(0)
A = RNG.normal(size=(3, 3)) + 3.0 * np.eye(3)
S = A @ A.T
B = RNG.normal(size=3)
C = RNG.normal(size=(3, 2))

REAL = {
    "solve": (lambda a, b: sl.solve(a, b), A, B),
    "solve, several sides": (lambda a, b: sl.solve(a, b, transposed=True), A, C),
    "solve, positive definite": (lambda a, b: sl.solve(a, b, assume_a="pos", lower=True), S, B),
    "solve, symmetric": (lambda a, b: sl.solve(a, b, assume_a="sym"), S, C),
    "solve_triangular": (lambda a, b: sl.solve_triangular(a, b), A, B),
    "solve_triangular, lower": (lambda a, b: sl.solve_triangular(a, b, lower=True), A, C),
    "solve_triangular, turned": (
        lambda a, b: sl.solve_triangular(a, b, trans="T", unit_diagonal=True),
        A,
        B,
    ),
    "cholesky": (lambda a: sl.cholesky(a + a.T), S),
    "cholesky, lower": (lambda a: sl.cholesky(a + a.T, lower=True), S),
    "cho_factor": (lambda a: sl.cho_factor(a + a.T)[0], S),
    "cho_solve": (lambda a, b: sl.cho_solve(sl.cho_factor(a + a.T), b), S, B),
    "cho_solve, lower": (lambda a, b: sl.cho_solve(sl.cho_factor(a + a.T, lower=True), b), S, C),
    "det": (lambda a: sl.det(a), A),
    "inv": (lambda a: sl.inv(a), A),
    "pinv": (lambda a: sl.pinv(a), RNG.normal(size=(3, 2))),
    "norm": (lambda a: sl.norm(a, 2), A),
    "norm of rows": (lambda a: sl.norm(a, axis=1, keepdims=True), A),
    "lu": (lambda a: sl.lu(a), A),
    "lu, permuted": (lambda a: sl.lu(a, permute_l=True), A[:, :2]),
    "lu_factor": (lambda a: sl.lu_factor(a), A),
    "lu_factor, more rows": (lambda a: sl.lu_factor(a), np.vstack([A, C.T @ A])),
    "lu_factor, more columns": (lambda a: sl.lu_factor(a), A[:2]),
    "lu_solve": (lambda a, b: sl.lu_solve(sl.lu_factor(a), b), A, B),
    "lu_solve, several sides": (lambda a, b: sl.lu_solve(sl.lu_factor(a), b), A, C),
    "lu_solve, turned": (lambda a, b: sl.lu_solve(sl.lu_factor(a), b, trans=1), A, B),
    "expm": (lambda a: sl.expm(a), A),
    "expm, stacked": (lambda a: sl.expm(a), np.stack([A, 5.0 * (A - 4.0 * np.eye(3)), 1e-3 * A])),
    "expm of one": (lambda a: sl.expm(a), A[:1, :1]),
    "svdvals": (lambda a: sl.svdvals(a), A),
    "eigvalsh": (lambda a: sl.eigvalsh(a + a.T), A),
    "block_diag": (lambda a, b: sl.block_diag(a, b, 2.0, C), A, B),
    "toeplitz": (lambda c: sl.toeplitz(c), B),
    "toeplitz of two": (lambda c, r: sl.toeplitz(c, r), B, C[:, 0]),
}


def same(found, expected):
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            same(a, b)
        return
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    assert np.shape(found) == np.shape(expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype


@pytest.mark.parametrize("name", REAL)
def test_values_and_derivatives(name):
    function, *args = REAL[name]
    same(ag.to_graph(function)(*args), function(*args))
    check_derivatives(function, *args)


@pytest.mark.parametrize(
    "name",
    [*("solve", "cho_solve", "inv", "det", "toeplitz"), *("lu", "lu_factor", "lu_solve", "expm")],
)
@pytest.mark.parametrize("dtype", [np.float32, np.complex128])
def test_other_dtypes(name, dtype):
    function, *args = REAL[name]
    args = [x.astype(dtype) for x in args]
    same(ag.to_graph(function)(*args), function(*args))


def test_integers_and_lists():
    a = np.array([[2, 1], [1, 3]])
    same(ag.to_graph(lambda a: sl.solve(a, [1, 2]))(a), sl.solve(a, [1, 2]))
    same(ag.to_graph(lambda x: sl.inv([[x, 1.0], [0.0, x]]))(2.0), sl.inv([[2.0, 1.0], [0.0, 2.0]]))


@pytest.mark.parametrize(
    ("function", "args", "kind"),
    [
        (lambda a, b: sl.solve(a, b), (np.zeros((2, 2)), np.ones(2)), np.linalg.LinAlgError),
        (lambda a, b: sl.solve(a, b), (np.eye(2), np.array([1.0, np.nan])), ValueError),
        (lambda a: sl.inv(a), (np.full((2, 2), np.inf),), ValueError),
        (lambda a: sl.cholesky(a), (-np.eye(2),), np.linalg.LinAlgError),
        (lambda a: sl.inv(a), (np.ones((2, 3)),), ValueError),
        (lambda a, b: sl.solve(a, b), (np.eye(2), np.ones(3)), ValueError),
    ],
)
def test_errors(function, args, kind):
    with pytest.raises(kind):
        function(*args)
    with pytest.raises(kind):
        ag.to_graph(function)(*args)


def test_without_a_check():
    function = lambda a, b: sl.solve(a, b, check_finite=False)
    args = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, np.nan])
    np.testing.assert_array_equal(ag.to_graph(function)(*args), function(*args))


@pytest.mark.parametrize(
    "a",
    [
        np.zeros((2, 2)),
        np.array([[1.0, 1e8], [0.0, -1.0]]),  # far from normal
        np.array([[0.0, 1e200], [0.0, 0.0]]),  # whose powers are large
        np.array([[-49.0, 24.0], [-64.0, 31.0]]),
        np.array([[0.0, 40.0], [-40.0, 0.0]]) * (1.0 + 1.0j),
        np.zeros((0, 2, 2)),
        np.zeros((0, 0)),
        np.full((2, 2), np.nan),
    ],
)
def test_exponentials_of_matrices_that_are_hard(a):
    np.testing.assert_allclose(ag.to_graph(lambda x: sl.expm(x))(a), sl.expm(a), rtol=1e-12)


def exponential_of_decimals(a):
    """By Taylor's series, of a 64th of the matrix, with 60 digits."""
    with decimal.localcontext() as context:
        context.prec = 60
        step = np.array([[decimal.Decimal(float(x)) / 64 for x in row] for row in a])
        term = result = np.array([[decimal.Decimal(int(x)) for x in row] for row in np.eye(len(a))])
        for k in range(1, 60):
            term = term @ step / k
            result = result + term
        for _ in range(6):
            result = result @ result
    return result.astype(float)


def test_exponential_of_a_matrix_with_a_large_negative_trace():
    a = -30.0 * np.eye(2) + A[:2, :2]  # SciPy's is off by 1e-12
    found = ag.to_graph(lambda x: sl.expm(x))(a)
    np.testing.assert_allclose(found, exponential_of_decimals(a), rtol=2e-13)


def test_exponential_is_exact_at_zero():
    assert (ag.to_graph(lambda x: sl.expm(x))(np.zeros((3, 3))) == np.eye(3)).all()


def test_orders_of_rows():
    rng = np.random.default_rng(3)
    both = ag.to_graph(lambda a, b: (sl.lu_factor(a), sl.lu_solve(sl.lu_factor(a), b)))
    for _ in range(20):
        a, b = rng.normal(size=(7, 7)), rng.normal(size=7)
        same(both(a, b), (sl.lu_factor(a), sl.lu_solve(sl.lu_factor(a), b)))
    outside = sl.lu_factor(a)
    same(ag.to_graph(lambda b: sl.lu_solve(outside, b, trans=1))(b), np.linalg.solve(a.T, b))
    factor = ag.vmap(lambda a: sl.lu_factor(a)[1])
    stack = rng.normal(size=(5, 4, 4))
    same(factor(stack), np.stack([sl.lu_factor(a)[1] for a in stack]))


def test_linear_flow_of_a_network():
    """A chain of states by its generator: probabilities, and their derivatives by a rate."""

    def chance(rate, time):
        generator = np.array([[-rate, rate, 0.0], [0.0, -1.0, 1.0], [0.0, 0.0, 0.0]])
        return sl.expm(time * generator)[0, 1]

    def exact(rate, time):
        return rate / (1 - rate) * (np.exp(-rate * time) - np.exp(-time))

    assert abs(ag.grad(chance)(0.3, 2.0) - ag.grad(exact)(0.3, 2.0)) < 1e-12
    second = ag.grad(ag.grad(chance, argnums=1))(0.3, 2.0)
    assert abs(second - ag.grad(ag.grad(exact, argnums=1))(0.3, 2.0)) < 1e-12


def test_in_lanes_loops_and_branches():
    def steps(a, b, n):
        for _ in range(n):
            b = sl.solve(a, b) if np.sum(b) > 0.0 else sl.cho_solve(sl.cho_factor(a), b)
        return b

    same(ag.to_graph(steps)(S, B, 3), steps(S, B, 3))
    lanes = np.stack([B, -B, 2 * B])
    found = ag.vmap(steps, in_axes=(None, 0, None))(S, lanes, 3)
    same(found, np.stack([steps(S, b, 3) for b in lanes]))
    ag.check_grads(lambda a, b: np.sum(steps(a @ a.T, b, 2) ** 2), (A, B))


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(
    "structure", ["diagonal", "tridiagonal", "banded", "upper triangular", "lower triangular"]
)
def test_what_is_read_of_a_matrix(structure, transposed):
    def solved(a, b):
        return sl.solve(a, b, assume_a=structure, transposed=transposed)

    try:
        expected = solved(A, C)
    except ValueError:
        pytest.skip("SciPy has it from 1.15 on")
    same(ag.to_graph(solved)(A, C), expected)
    check_derivatives(solved, A, B)


def test_what_is_not_supported():
    with pytest.raises(UnsupportedFunctionError, match=r"scipy\.linalg\.logm of traced arrays"):
        ag.to_graph(lambda a: sl.logm(a))(A)
    with pytest.raises(UnsupportedFunctionError, match="assume_a"):
        ag.to_graph(lambda a, b: sl.solve(a, b, assume_a="circulant"))(A, B)
