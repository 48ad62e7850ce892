"""`sparse_jacobian` and `sparse_hessian`: the elements, and what they are used in."""

import logging

import numpy as np
import pytest
import scipy.sparse as sparse

import autograph as ag
from autograph.errors import (
    BatchingError,
    NonDifferentiableError,
    NonScalarOutputError,
    OptionError,
    PatternError,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=7)


def differences(x):
    return x[:-2] - 2.0 * x[1:-1] ** 2 + x[2:]


def banded(x):
    """Each element in a loop, with a branch."""
    y = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        if x[i] > 0.0:
            y[i] = x[i - 1] * x[i]
        else:
            y[i] = np.sin(x[i + 1])
    return y


def grid(u):
    """A reaction that diffuses on a grid of 4 by 5."""
    u = u.reshape(4, 5)
    padded = np.pad(u, 1, mode="edge")
    around = padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2]
    return (around - 4.0 * u + u * (1.0 - u**2)).reshape(-1)


def arrow(x):
    return np.concatenate([[np.sum(x**2)], x[1:] * x[0]])


JACOBIANS = {
    "differences": (differences, X),
    "banded": (banded, X),
    "grid": (grid, RNG.normal(size=20)),
    "arrow": (arrow, X),
    "one number": (lambda x: np.sum(x * x), X),
    "of one number": (lambda a: a * X, 2.0),
    "numbers": (lambda a: a * a, 3.0),
    "dense": (lambda x: np.outer(x, x).reshape(-1) @ RNG_MATRIX, X),
    "matrix": (lambda x: x.T @ FIXED, RNG.normal(size=(4, 3))),
    "float32": (differences, X.astype(np.float32)),
    "no columns": (lambda x: x, np.zeros(0)),
    "constant": (lambda x: np.sign(x) + np.floor(x), X),
}
RNG_MATRIX = RNG.normal(size=(49, 3))
FIXED = np.triu(RNG.normal(size=(4, 4)), 2)


@pytest.mark.parametrize("name", JACOBIANS)
@pytest.mark.parametrize("colouring", ["auto", "columns", "rows", "both"])
def test_a_jacobian_has_the_elements_of_the_dense_one(name, colouring):
    function, x = JACOBIANS[name]
    found = ag.sparse_jacobian(function, colouring=colouring)(x)
    assert type(found) is sparse.csr_array
    dense = np.asarray(ag.jacfwd(function)(x))
    assert found.dtype == dense.dtype
    size = np.size(x)
    np.testing.assert_allclose(
        found.toarray(), dense.reshape(-1, size) if size else np.zeros((0, 0)), atol=1e-12
    )
    assert found.has_sorted_indices and found.has_canonical_format


HESSIANS = {
    "chain": (lambda x: np.sum((x[1:] - x[:-1] ** 2) ** 2), X),
    "separable": (lambda x: np.sum(np.sin(x)), X),
    "arrow": (lambda x: np.sum(x[1:] ** 2 * x[0]), X),
    "grid": (lambda u: np.sum(grid(u) ** 2), RNG.normal(size=20)),
    "dense": (lambda x: np.prod(x), X),
    "linear": (lambda x: np.sum(3.0 * x), X),
    "loop": (lambda x: np.sum(banded(x) ** 2), X),
}


@pytest.mark.parametrize("name", HESSIANS)
@pytest.mark.parametrize("colouring", ["auto", "star", "acyclic", "columns"])
@pytest.mark.parametrize("order", ["natural", "largest_first", "smallest_last", "incidence"])
def test_a_hessian_has_the_elements_of_the_dense_one(name, colouring, order):
    function, x = HESSIANS[name]
    found = ag.sparse_hessian(function, colouring=colouring, order=order)(x)
    np.testing.assert_allclose(found.toarray(), ag.hessian(function)(x), rtol=1e-9, atol=1e-9)


def products(caplog, derivative, *args):
    """How many products a derivative takes."""
    with caplog.at_level(logging.DEBUG, logger="autograph"):
        derivative(*args)
    (told,) = [r.getMessage() for r in caplog.records if " products, by " in r.getMessage()]
    return int(told.split(" in ")[1].split()[0])


def test_as_few_products_are_taken_as_there_are_colours(caplog):
    x = np.ones(50)
    assert products(caplog, ag.sparse_jacobian(differences), x) == 3
    caplog.clear()
    assert products(caplog, ag.sparse_jacobian(arrow), np.ones(100)) <= 4
    caplog.clear()
    assert products(caplog, ag.sparse_jacobian(np.sin), x) == 1
    caplog.clear()
    chain = HESSIANS["chain"][0]
    assert products(caplog, ag.sparse_hessian(chain), x) == 3
    caplog.clear()
    assert products(caplog, ag.sparse_hessian(chain, colouring="acyclic", order="natural"), x) == 2


def test_each_call_gives_a_matrix_of_its_own():
    jacobian = ag.sparse_jacobian(differences)
    first = jacobian(X)
    expected = first.toarray()
    first.data[:] = 0.0
    first.indices[:] = 0
    first.indptr[:] = 0
    np.testing.assert_allclose(jacobian(X).toarray(), expected)


def test_nested_arguments_are_columns_and_nested_results_rows():
    def model(parameters, x):
        return {"a": parameters["w"] * x, "b": (parameters["c"] * 2.0, 3)}

    parameters, x = {"c": 0.5, "w": np.array([1.0, 2.0])}, np.array([3.0, 4.0])
    found = ag.sparse_jacobian(model)(parameters, x)
    expected = [[0.0, 3.0, 0.0], [0.0, 0.0, 4.0], [2.0, 0.0, 0.0]]
    np.testing.assert_allclose(found.toarray(), expected)
    both = ag.sparse_jacobian(model, argnums=(0, 1))(parameters, x)
    expected = [[0.0, 3.0, 0.0, 1.0, 0.0], [0.0, 0.0, 4.0, 0.0, 2.0], [2.0, 0.0, 0.0, 0.0, 0.0]]
    np.testing.assert_allclose(both.toarray(), expected)


def test_a_hessian_by_several_arguments():
    f = lambda x, y: np.sum(x**2 * y)
    x, y = X[:3], X[3:6]
    found = ag.sparse_hessian(f, argnums=(0, 1))(x, y).toarray()
    blocks = ag.hessian(f, argnums=(0, 1))(x, y)
    np.testing.assert_allclose(found, np.block([list(row) for row in blocks]))


def test_the_auxiliary_result_comes_along():
    found, aux = ag.sparse_jacobian(lambda x: (x * x, {"sum": np.sum(x)}), has_aux=True)(X)
    np.testing.assert_allclose(found.toarray(), np.diag(2.0 * X))
    np.testing.assert_allclose(aux["sum"], np.sum(X))
    found, aux = ag.sparse_hessian(lambda x: (np.sum(x**3), 7), has_aux=True)(X)
    np.testing.assert_allclose(found.toarray(), np.diag(6.0 * X))
    assert aux == 7


def test_what_depends_on_nothing_has_empty_rows():
    outside = np.ones(2)
    for colouring in ("columns", "rows", "both"):
        found = ag.sparse_jacobian(lambda x: (x * x, 2.0, outside), colouring=colouring)(X)
        np.testing.assert_allclose(found.toarray(), np.vstack([np.diag(2.0 * X), np.zeros((3, 7))]))
    unused = lambda x, y: x * 3.0
    found = ag.sparse_jacobian(unused, argnums=(0, 1))(X[:2], X[2:4])
    np.testing.assert_allclose(found.toarray(), 3.0 * np.eye(2, 4))


# -- in compiled functions, and under other transforms ---------------------------------------------


def test_in_a_compiled_function_it_is_a_matrix_like_others():
    @ag.to_graph
    def step(x):
        jacobian = ag.sparse_jacobian(differences)(x)
        return jacobian @ x, jacobian.T @ differences(x), jacobian.data

    forwards, backwards, data = step(X)
    dense = ag.jacfwd(differences)(X)
    np.testing.assert_allclose(forwards, dense @ X)
    np.testing.assert_allclose(backwards, dense.T @ differences(X))
    np.testing.assert_allclose(data, ag.sparse_jacobian(differences)(X).data)


def test_its_elements_have_derivatives():
    of_elements = lambda x: np.sum(ag.sparse_jacobian(differences)(x).data ** 2)
    of_dense = lambda x: np.sum(ag.jacfwd(differences)(x) ** 2)
    np.testing.assert_allclose(ag.grad(of_elements)(X), ag.grad(of_dense)(X))
    np.testing.assert_allclose(ag.hessian(of_elements)(X), ag.hessian(of_dense)(X))
    v = RNG.normal(size=7)
    for colouring in ("star", "acyclic"):
        chain = HESSIANS["chain"][0]
        curvature = lambda x: np.sum(
            ag.sparse_hessian(chain, colouring=colouring)(x).toarray() ** 2
        )
        dense = lambda x: np.sum(ag.hessian(chain)(x) ** 2)
        np.testing.assert_allclose(ag.grad(curvature)(X), ag.grad(dense)(X))
        moved = [ag.jvp(f, (X,), (v,))[1] for f in (curvature, dense)]
        np.testing.assert_allclose(moved[0], moved[1])


def test_its_elements_have_lanes():
    many = RNG.normal(size=(5, 7))
    for colouring in ("columns", "rows", "both"):
        of_one = lambda x: ag.sparse_jacobian(differences, colouring=colouring)(x).data
        found = ag.vmap(of_one)(many)
        np.testing.assert_allclose(found, [of_one(x) for x in many])
    of_one = lambda x: ag.sparse_hessian(HESSIANS["chain"][0], colouring="acyclic")(x).data
    np.testing.assert_allclose(ag.vmap(of_one)(many), [of_one(x) for x in many])


def test_a_matrix_has_no_lanes():
    with pytest.raises(BatchingError, match="no axis for lanes"):
        ag.vmap(ag.sparse_jacobian(differences))(RNG.normal(size=(5, 7)))


def test_a_jacobian_of_lanes_is_in_blocks():
    def root(a):
        x = a
        while abs(x * x - a) > 1e-12:
            x = 0.5 * (x + a / x)
        return x

    x = np.linspace(1.5, 5.0, 6)
    found = ag.sparse_jacobian(ag.vmap(root))(x)
    assert found.nnz == 6
    np.testing.assert_allclose(found.toarray(), np.diag(0.5 / np.sqrt(x)))


def test_a_solve_by_scipy():
    """Newton's method on a boundary value problem, with its sparse Jacobian."""
    from scipy.sparse.linalg import spsolve

    n = 200
    h = 1.0 / (n + 1)

    def residual(u):
        left, right = np.append(0.0, u[:-1]), np.append(u[1:], 0.0)
        return (left - 2.0 * u + right) / h**2 + np.exp(u)

    jacobian = ag.sparse_jacobian(residual)
    u = np.zeros(n)
    for _ in range(6):
        u = u - spsolve(jacobian(u).tocsc(), residual(u))
    assert np.max(np.abs(residual(u))) < 1e-8


def test_effects_happen_once(capsys):
    def loud(x):
        print("called")
        return differences(x)

    found = ag.sparse_jacobian(loud)(X)
    assert capsys.readouterr().out == "called\n"
    np.testing.assert_allclose(found.toarray(), ag.jacfwd(differences)(X))


def test_a_rule_for_reverse_mode_only_is_enough():
    @ag.custom_vjp
    def doubled(x):
        return 2.0 * x

    doubled.defvjp(lambda x: (2.0 * x, None), lambda _, ct: (2.0 * ct,))
    found = ag.sparse_jacobian(lambda x: doubled(x)[1:] * x[:-1])(X)
    np.testing.assert_allclose(found.toarray(), ag.jacrev(lambda x: 2.0 * x[1:] * x[:-1])(X))


def test_second_derivatives_that_are_not_symmetric():
    """A rule says what the first derivative is: what there is is what `hessian` gives."""

    @ag.custom_jvp
    def odd(x):
        return np.sum(x)

    odd.defjvp(lambda primals, tangents: (odd(*primals), np.sum(tangents[0][1:] * primals[0][:-1])))
    f = lambda x: odd(x) + np.sum(x**2)
    found = ag.sparse_hessian(f)(X).toarray()
    np.testing.assert_allclose(found, ag.hessian(f)(X))
    assert not np.allclose(found, found.T)


# -- patterns that are given -----------------------------------------------------------------------


def test_a_pattern_may_be_given():
    pattern = ag.sparsity(differences)(X)
    for given in (pattern, pattern.tocoo(), pattern.toarray(), pattern.astype(float)):
        found = ag.sparse_jacobian(differences, pattern=given)(X)
        np.testing.assert_allclose(found.toarray(), ag.jacfwd(differences)(X))


def test_a_pattern_for_some_arguments():
    """Which elements an index picks is known of these arguments only."""
    picked = lambda x, i: x[i] ** 2
    i = np.array([4, 0, 2])
    pattern = ag.sparsity(picked, local=True)(X, i)
    assert pattern.nnz == 3 and ag.sparsity(picked)(X, i).nnz == 21
    found = ag.sparse_jacobian(picked, pattern=pattern, check=True)(X, i)
    np.testing.assert_allclose(found.toarray(), ag.jacfwd(picked)(X, i))


@pytest.mark.parametrize("colouring", ["columns", "rows"])
def test_a_pattern_that_does_not_hold_is_found_out(colouring):
    jacobian = ag.sparse_jacobian(
        lambda x: x[::-1] * 2.0, pattern=np.eye(7), colouring=colouring, check=True
    )
    with pytest.raises(PatternError, match=r"\[AG0562\]"):
        jacobian(X)
    holds = ag.sparse_jacobian(differences, colouring=colouring, check=True)
    np.testing.assert_allclose(holds(X).toarray(), ag.jacfwd(differences)(X))


def test_a_pattern_of_a_hessian_is_checked_too():
    f = lambda x: np.sum(x[1:] * x[:-1])
    with pytest.raises(PatternError):
        ag.sparse_hessian(f, pattern=np.eye(7), check=True)(X)
    ag.sparse_hessian(f, check=True)(X)


def test_indices_from_outside_may_change():
    """What a pattern depends on outside is compared at each call."""
    places = np.array([0, 1, 2])
    jacobian = ag.sparse_jacobian(lambda x: x[places] ** 2)
    pick = np.zeros((3, 7))
    for i in ((0, 1, 2), (5, 5, 0)):
        places[:] = i
        pick[:] = np.eye(7)[list(i)]
        np.testing.assert_allclose(jacobian(X).toarray(), 2.0 * pick * X)


# -- bad input -------------------------------------------------------------------------------------


def test_what_cannot_be_a_matrix_is_refused():
    with pytest.raises(NonDifferentiableError, match="complex"):
        ag.sparse_jacobian(lambda z: z * z)(np.array([1j]))
    with pytest.raises(NonDifferentiableError, match="complex"):
        ag.sparse_jacobian(lambda x: x * 1j)(X)
    with pytest.raises(NonDifferentiableError, match="known only at run time"):
        ag.sparse_jacobian(lambda x: x[x > 0.0])(X)
    with pytest.raises(NonDifferentiableError, match="AG0503"):
        ag.sparse_jacobian(lambda x: x)(np.arange(3))
    with pytest.raises(NonScalarOutputError):
        ag.sparse_hessian(differences)(X)


def test_options_that_there_are_not():
    for options in (
        {"colouring": "star"},
        {"order": "alphabetical"},
        {"colouring": "both", "order": "saturation"},
        {"pattern": "banded"},
        {"pattern": np.ones(3)},
    ):
        with pytest.raises(OptionError, match=r"\[AG0561\]"):
            ag.sparse_jacobian(differences, **options)
    with pytest.raises(OptionError, match=r"\[AG0561\]"):
        ag.sparse_hessian(differences, colouring="rows")
    with pytest.raises(OptionError, match="5 floats in the result and 7 in the arguments"):
        ag.sparse_jacobian(differences, pattern=np.eye(4))(X)
    with pytest.raises(OptionError, match="local"):
        ag.to_graph(lambda x: ag.sparsity(differences, local=True)(x).nnz)(X)


@pytest.mark.parametrize("derivative", [ag.sparse_jacobian, ag.sparse_hessian])
def test_results_are_independent_of_each_other(derivative):
    """SciPy's methods change the indices of a matrix in place, too."""
    function = differences if derivative is ag.sparse_jacobian else lambda x: np.sum(x[1:] ** 3)
    compiled = derivative(function)
    first, second = compiled(X), compiled(X)
    expected = second.toarray()
    parts = ("data", "indices", "indptr")
    for name in parts:
        assert not np.shares_memory(getattr(first, name), getattr(second, name))
    first.data[::2] = 0.0
    first.eliminate_zeros()
    first.indices[:] = first.indices[::-1].copy()
    first.sort_indices()
    first.sum_duplicates()
    first.resize((3, 3))
    first.indptr[:] = 0
    for matrix in (second, compiled(X)):
        matrix.check_format(full_check=True)
        np.testing.assert_array_equal(matrix.toarray(), expected)
        assert all(getattr(matrix, name).flags.writeable for name in parts)
