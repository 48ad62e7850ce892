"""``np.linalg`` in compiled functions: NumPy's results, and right derivatives."""

import itertools

import numpy as np
import pytest

import autograph as ag
import ops
from tests.support.oracle import check

RNG = np.random.default_rng(0)


def matrices(shape, dtype="float64", definite=False):
    """Random numbers; with ``definite``, Hermitian matrices without eigenvalues below 1."""
    x = np.asarray(RNG.normal(size=shape) * 3)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.normal(size=shape)
    x = x.astype(dtype)
    if definite and len(shape) > 1 and shape[-1] == shape[-2]:
        one = np.eye(shape[-1], dtype=dtype)
        x = (x @ np.conj(np.swapaxes(x, -1, -2)) + one).astype(dtype)
    return x


def weights(*shape):
    """The same numbers for each shape, so that functions can be called repeatedly."""
    rng = np.random.default_rng(len(shape) + sum(shape))
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def total(x):
    """A real number that depends on all of ``x``, differently on each element."""
    return np.sum(np.real(x * weights(*x.shape)))


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


# -- values ----------------------------------------------------------------------------------------

NORMS = [None, "fro", "nuc", "f", 1, -1, 2, -2, 0, 3, np.inf, -np.inf, "none"]
AXES = [None, -1, (0, 1), (-1, -2), 0, (0, 0), (0, 1, 2), 5]

OF_ONE_MATRIX = {
    "inv": lambda a: np.linalg.inv(a),
    "det": lambda a: np.linalg.det(a),
    "slogdet": lambda a: np.linalg.slogdet(a),
    "cholesky": lambda a: (np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True)),
    "qr": lambda a: [np.linalg.qr(a, mode) for mode in ("reduced", "complete", "r")],
    "qr mode": lambda a: np.linalg.qr(a, "other"),
    "svd": lambda a: (np.linalg.svd(a), np.linalg.svd(a, False)),
    "svd values": lambda a: (np.linalg.svdvals(a), np.linalg.svd(a, compute_uv=False)),
    "svd hermitian": lambda a: np.linalg.svd(a, hermitian=True).S,
    "svd hermitian values": lambda a: np.linalg.svd(a, compute_uv=False, hermitian=True),
    "eigh": lambda a: [np.linalg.eigh(a, which) for which in "LU"],
    "eigvalsh": lambda a: (np.linalg.eigvalsh(a), np.linalg.eigvalsh(a, "u")),
    "eigh triangle": lambda a: np.linalg.eigh(a, "X"),
    "eig": lambda a: np.linalg.eig(a * 1j),
    "eigvals": lambda a: np.linalg.eigvals(a * 1j),
    "pinv": lambda a: [np.linalg.pinv(a), np.linalg.pinv(a, 0.3), np.linalg.pinv(a, rtol=0.2)],
    "pinv rtol": lambda a: np.linalg.pinv(a, rtol=None),
    "pinv hermitian": lambda a: np.linalg.pinv(a, hermitian=True),
    "pinv twice": lambda a: np.linalg.pinv(a, rcond=1, rtol=2),
    "matrix_rank": lambda a: np.linalg.matrix_rank(a),
    "matrix_rank tol": lambda a: [
        np.linalg.matrix_rank(a, 4.0),
        np.linalg.matrix_rank(a, rtol=0.5),
        np.linalg.matrix_rank(a, hermitian=True),
    ],
    "matrix_power": lambda a: [np.linalg.matrix_power(a, n) for n in range(8)],
    "matrix_power negative": lambda a: np.linalg.matrix_power(a, -2),
    "matrix_power float": lambda a: np.linalg.matrix_power(a, 1.5),
    "tensorinv": lambda a: np.linalg.tensorinv(a, 1),
    "tensorinv ind": lambda a: np.linalg.tensorinv(a, 0),
    "parts": lambda a: (
        np.linalg.diagonal(a, offset=1),
        np.linalg.trace(a),
        np.linalg.matrix_transpose(a),
    ),
    **{
        f"cond {p}": lambda a, p=p: np.linalg.cond(a, p)
        for p in (None, 1, -1, 2, -2, "fro", np.inf, -np.inf, "nuc", 3)
    },
    **{
        f"norm {order} {axis}": lambda a, order=order, axis=axis: (
            np.linalg.norm(a, order, axis),
            np.linalg.norm(a, order, axis, keepdims=True),
        )
        for order in NORMS
        for axis in (AXES if order in (None, 1) else AXES[:4])
    },
    **{
        f"matrix_norm {order}": lambda a, order=order: (
            np.linalg.matrix_norm(a, ord=order),
            np.linalg.matrix_norm(a, ord=order, keepdims=True),
        )
        for order in NORMS
    },
    **{
        f"vector_norm {order}": lambda a, order=order: [
            np.linalg.vector_norm(a, ord=order),
            np.linalg.vector_norm(a, ord=order, axis=-1),
            np.linalg.vector_norm(a, ord=order, axis=(0, -1), keepdims=True),
        ]
        for order in NORMS
    },
}
SHAPES = [(3, 3), (2, 3, 3), (4, 3), (2, 2, 3), (0, 0), (2, 0, 0), (0, 2, 2), (3, 0), (1, 1), (3,)]


@pytest.mark.parametrize("name", OF_ONE_MATRIX)
def test_values(name):
    for shape in SHAPES if "norm" not in name else [(3, 3), (2, 3, 3), (0, 2), (3,)]:
        check(OF_ONE_MATRIX[name], matrices(shape, definite=True))


@pytest.mark.parametrize("name", [n for n in OF_ONE_MATRIX if "norm" not in n or "-1" in n])
def test_dtypes(name):
    for dtype in ("float32", "complex64", "int32", "bool", "float16"):
        if name in ("eig", "eigvals") and dtype == "float16":
            continue  # whose product with 1j LAPACK has a routine for
        definite = matrices((3, 3), dtype, definite=dtype not in ("bool", "int32"))
        if dtype in ("bool", "int32"):
            definite = (np.eye(3) * 5 + np.tri(3)).astype(dtype)
        check(OF_ONE_MATRIX[name], definite)


@pytest.mark.parametrize(
    "a, b",
    [((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (3,)), ((2, 3, 3), (2, 3, 1))]
    + [((3, 3), (2, 3, 2)), ((3, 3), (2,)), ((3, 3), ()), ((3, 4), (3,)), ((0, 0), (0,))]
    + [((2, 0, 0), (2, 0, 1)), ((3, 3), (3, 0)), ((2, 3, 3), (4, 3, 2))],
)
def test_solve(a, b):
    check(np.linalg.solve, matrices(a, definite=True), matrices(b))
    check(np.linalg.tensorsolve, matrices(a, definite=True), matrices(b))


def test_solve_promotes_as_numpy_does():
    names = ["float64", "float32", "complex64", "int32", "int16", "bool", "float16"]
    for a, b in itertools.product(names, repeat=2):
        check(np.linalg.solve, (np.eye(3) + np.tri(3)).astype(a), matrices((3, 2), b))


@pytest.mark.parametrize(
    "a, b",
    [((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 5), (3,)), ((3, 3), (3, 2)), ((5, 3), (4,))]
    + [((5, 3), ()), ((2, 5, 3), (5,)), ((3, 2), (3, 0)), ((3, 0), (3, 2))],
)
def test_lstsq(a, b):
    for dtype in ("float64", "float32", "complex64", "int32", "float16"):
        x, y = matrices(a, dtype), matrices(b, dtype)
        check(lambda x, y: np.linalg.lstsq(x, y), x, y)
        check(lambda x, y: np.linalg.lstsq(x, y, rcond=0.1)[0], x, y)


def test_lstsq_without_full_rank():
    check(lambda x, y: np.linalg.lstsq(x, y), np.ones((5, 3)), matrices(5))


@pytest.mark.parametrize(
    "shapes",
    [((3,), (3, 4), (4,)), ((3,), (3, 4), (4, 2)), ((2, 3), (3, 4), (4, 5), (5,)), ((2, 3), (3, 4))]
    + [((3,), (3,)), ((2, 3), (4, 4), (4, 2)), ((2, 3), (2, 3, 4), (4, 2)), ((2, 3),)]
    + [((10, 2), (2, 30), (30, 3), (3, 1), (1, 4))],
    ids=str,
)
def test_multi_dot(shapes):
    check(lambda *arrays: np.linalg.multi_dot(arrays), *(matrices(shape) for shape in shapes))


def test_multi_dot_takes_the_best_order():
    arrays = [np.ones(shape) for shape in ((1, 50), (50, 50), (50, 50))]
    program = str(ag.to_graph(lambda *arrays: np.linalg.multi_dot(arrays)).program(*arrays))
    assert "arg0 @ arg1 @ arg2" in program


@pytest.mark.parametrize(
    "function",
    [np.linalg.vecdot, np.linalg.matmul, np.linalg.outer, np.linalg.cross, np.linalg.tensordot],
)
def test_products(function):
    shapes = [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (2, 3)), ((2, 3), (3, 2)), ((), (3,))]
    for x, y in [*shapes, ((4, 2, 3), (2, 3)), ((2, 3, 4), (3, 4, 2)), ((0, 3), (3,))]:
        for dtypes in [("float64",) * 2, ("float32", "complex64"), ("int32", "int8")]:
            check(function, *map(matrices, (x, y), dtypes))


def test_lists_of_traced_numbers_stand_for_arrays():
    def function(x):
        inverse = np.linalg.inv([[x[0], x[1]], [1.0, 2.0]])
        a = [[x[0], x[1]], [1.0, 2.0]]
        norms = np.linalg.norm([x[0], 2.0]), np.linalg.vector_norm([x[0], x[1]]), np.linalg.det(a)
        return inverse, norms, np.linalg.multi_dot([[x[0], 1.0], inverse, [x[1], 2.0]])

    check(function, np.array([3.0, 4.0]))


def test_the_results_have_names():
    def function(a):
        q, e, s = np.linalg.qr(a), np.linalg.eigh(a), np.linalg.svd(a)
        return q.Q @ q.R, e.eigenvalues, s.U * s.S, s.Vh, np.linalg.slogdet(a).logabsdet, q

    check(function, matrices((3, 3), definite=True))


def test_what_is_refused():
    for function, name in [
        (lambda a: np.linalg.qr(a, "raw"), "mode='raw'"),
        (lambda a: np.linalg.eig(a), "astype"),
        (lambda a: np.linalg.eigvals(a), "astype"),
        (lambda a: np.linalg.norm(a[0], a[0, 0] + 1.5), "order"),
    ]:
        with pytest.raises(NotImplementedError, match=name):
            ag.to_graph(function)(np.eye(2))


def test_errors_of_shapes_are_those_of_numpy():
    for shape in ((2, 3), (3,)):
        with pytest.raises(np.linalg.LinAlgError):
            ag.to_graph(np.linalg.inv)(np.ones(shape))
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        ag.to_graph(lambda a: np.linalg.inv(a))(np.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        ag.to_graph(lambda a: np.linalg.cholesky(a))(-np.eye(2))


# -- derivatives -----------------------------------------------------------------------------------


def of_qr(a, mode):
    if mode == "r":
        return total(np.linalg.qr(a, "r") ** 2)
    q, r = np.linalg.qr(a, mode)
    k = min(a.shape[-2:])
    result = total(r[..., :k, :] ** 2) + total(q[..., :k] ** 3)
    rest = q[..., k:]  # any basis of what is orthogonal to the columns
    return result + total(np.abs(rest @ adjoint(rest)) ** 2)


def of_svd(a, full_matrices):
    u, s, vh = np.linalg.svd(a, full_matrices)
    k = min(a.shape[-2:])
    first, last = u[..., :k], vh[..., :k, :]
    result = np.sum(s**3 * np.arange(1, k + 1)) + total((first * s**2) @ last)
    result = result + total(np.abs(adjoint(first) @ weights(a.shape[-2], 2)) ** 2)
    left, right = u[..., k:], vh[..., k:, :]
    return result + total(left @ adjoint(left)) + total(adjoint(right) @ right)


def of_eigh(a, triangle="L"):
    w, v = np.linalg.eigh(a, triangle)
    return np.sum(w**3) + total((v * np.arange(3.0)) @ adjoint(v))


def of_eig(a):
    w, v = np.linalg.eig(a + 0j)
    matrix = (v * np.exp(w / 4)[..., None, :]) @ np.linalg.inv(v)
    return np.real(np.sum(w**3)) + np.sum(np.abs(v) ** 4) + total(matrix)


def of_lstsq(a, b):
    x, squares, _, s = np.linalg.lstsq(a, b)
    return total(x**2) + np.sum(squares**2) + np.sum(s**3)


def of_slogdet(a):
    sign, logdet = np.linalg.slogdet(a)
    return total(sign) + total(logdet)


def definite(a):
    return a @ adjoint(a) + 2 * np.eye(a.shape[-1])


SMOOTH = {
    "cholesky": (lambda a: total(np.linalg.cholesky(definite(a))), (2, 3, 3)),
    "cholesky lower": (lambda a: total(np.linalg.cholesky(a + 30 * np.eye(3))), (3, 3)),
    "cholesky upper": (
        lambda a: total(np.linalg.cholesky(a + 30 * np.eye(3), upper=True)),
        (3, 3),
    ),
    "solve": (lambda a, b: total(np.linalg.solve(definite(a), b)), (2, 3, 3), (3, 2)),
    "solve vector": (lambda a, b: total(np.linalg.solve(definite(a), b) ** 2), (2, 3, 3), (3,)),
    "inv": (lambda a: total(np.linalg.inv(definite(a))), (2, 3, 3)),
    "det": (lambda a: total(np.linalg.det(a)), (2, 3, 3)),
    "slogdet": (of_slogdet, (2, 3, 3)),
    **{
        f"qr {shape} {mode}": (lambda a, mode=mode: of_qr(a, mode), shape)
        for shape in ((3, 3), (4, 3), (2, 2, 4))
        for mode in ("reduced", "complete", "r")
    },
    **{
        f"svd {shape} {full}": (lambda a, full=full: of_svd(a, full), shape)
        for shape in ((3, 3), (4, 3), (2, 2, 3))
        for full in (False, True)
    },
    "svdvals": (lambda a: np.sum(np.linalg.svdvals(a) ** 3 * np.arange(3.0)), (2, 3, 4)),
    "svd hermitian": (
        lambda a: total((lambda r: (r.U * r.S**2) @ r.Vh)(np.linalg.svd(a, hermitian=True))),
        (3, 3),
    ),
    "eigh": (of_eigh, (2, 3, 3)),
    "eigh upper": (lambda a: of_eigh(a, "U"), (3, 3)),
    "eigvalsh": (lambda a: np.sum(np.linalg.eigvalsh(a) ** 3 * np.arange(3.0)), (2, 3, 3)),
    "eig": (of_eig, (2, 3, 3)),
    "eigvals": (lambda a: np.sum(np.abs(np.linalg.eigvals(a + 0j) ** 2)), (2, 3, 3)),
    "pinv tall": (lambda a: total(np.linalg.pinv(a)), (4, 3)),
    "pinv wide": (lambda a: total(np.linalg.pinv(a)), (2, 2, 3)),
    "pinv hermitian": (lambda a: total(np.linalg.pinv(a, hermitian=True)), (3, 3)),
    "lstsq": (of_lstsq, (5, 3), (5, 2)),
    "lstsq vector": (of_lstsq, (5, 3), (5,)),
    "lstsq wide": (of_lstsq, (3, 5), (3, 2)),
    "matrix_power": (lambda a: total(np.linalg.matrix_power(a / 3, 5)), (2, 3, 3)),
    "matrix_power negative": (
        lambda a: total(np.linalg.matrix_power(definite(a), -2)),
        (3, 3),
    ),
    "multi_dot": (lambda *x: total(np.linalg.multi_dot(x)), (2,), (2, 3), (3, 4), (4, 2)),
    "tensorsolve": (lambda a, b: total(np.linalg.tensorsolve(a, b)), (2, 3, 6), (2, 3)),
    "tensorinv": (lambda a: total(np.linalg.tensorinv(a, 1)), (6, 2, 3)),
    **{
        f"norm {order} of matrices": (
            lambda a, order=order: np.sum(np.linalg.norm(a, order, (0, 2)) ** 2),
            (3, 2, 4),
        )
        for order in (None, "nuc", 1, -1, 2, -2, np.inf, -np.inf)
    },
    **{
        f"norm {order} of vectors": (
            lambda a, order=order: (
                np.sum(np.linalg.norm(a, order, 1) ** 2) + np.linalg.vector_norm(a, ord=order)
            ),
            (3, 4),
        )
        for order in (0, 1, -1, 2, 3, 2.5, -2, np.inf, -np.inf)
    },
    **{
        f"cond {p}": (lambda a, p=p: np.sum(np.linalg.cond(a, p)), (2, 3, 3))
        for p in (None, 1, -2, "fro", np.inf)
    },
    "products": (
        lambda a, b: (
            total(np.linalg.cross(a, b))
            + total(np.linalg.vecdot(a, b))
            + total(np.linalg.outer(a[0], b[1]))
            + np.real(np.linalg.trace(a @ b, offset=1))
        ),
        (3, 3),
        (3, 3),
    ),
}


REAL_ONLY = ("matrix_power", "tensor", "multi_dot", "cond", "pinv wide", "inv", "qr (3, 3)")
KINDS = [
    (name, kind)
    for name in SMOOTH
    for kind in ("real", "complex")
    if kind == "real" or not name.startswith(REAL_ONLY)
]


@pytest.mark.costly
@pytest.mark.parametrize("name, kind", KINDS)
def test_derivatives(name, kind):
    """To second order in both modes, all four ways."""
    function, *shapes = SMOOTH[name]
    rng = np.random.default_rng(3)
    args = [rng.normal(size=shape) for shape in shapes]
    if kind == "complex":
        args = [x + 1j * rng.normal(size=x.shape) for x in args]
    check(function, *args)
    ag.check_grads(function, args, rtol=2e-5, atol=2e-5)


SINGLE = {
    "cholesky": lambda a: np.sum(np.linalg.cholesky(a @ adjoint(a)).real),
    "solve": lambda a: np.sum(np.linalg.solve(a, a[0]).real),
    "inv": lambda a: np.sum(np.linalg.inv(a).real),
    "det": lambda a: np.linalg.det(a).real,
    "slogdet": lambda a: np.linalg.slogdet(a)[1],
    "qr": lambda a: np.sum(np.linalg.qr(a).R.real),
    "svd": lambda a: np.sum(np.abs(np.linalg.svd(a).U @ np.linalg.svd(a).Vh)),
    "eigh": lambda a: np.sum(np.abs(np.linalg.eigh(a)[1])) + np.sum(np.linalg.eigvalsh(a)),
    "pinv": lambda a: np.sum(np.linalg.pinv(a).real),
    "norm": lambda a: np.linalg.norm(a) + np.linalg.norm(a, 2) + np.linalg.norm(a[0], 3),
    "cond": lambda a: np.linalg.cond(a, 1),
    "lu": lambda a: np.sum(ops.linalg.lu(a)[1].real),
}


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("name", SINGLE)
def test_gradients_stay_in_single_precision(name, dtype):
    a = (matrices((3, 3), dtype) + 4 * np.eye(3)).astype(dtype)
    gradient = ag.grad(SINGLE[name])
    assert gradient(a).dtype == dtype
    constants = "f64[] = 1.0"  # of the seed, at most
    graph = str(gradient.graph(a)).replace(constants, "")
    assert "f64" not in graph and "c128" not in graph, graph


# -- where matrices are special --------------------------------------------------------------------


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_derivatives_of_the_determinant_of_singular_matrices(rank):
    rng = np.random.default_rng(rank)
    a = rng.normal(size=(4, rank)) @ rng.normal(size=(rank, 4))
    ag.check_grads(np.linalg.det, [a])
    cofactors = ag.grad(np.linalg.det)(a).T
    np.testing.assert_allclose(cofactors, ops.linalg.adjugate(a), atol=1e-12)
    np.testing.assert_allclose(a @ cofactors, np.zeros((4, 4)), atol=1e-12)


def test_the_adjugate_of_regular_matrices_takes_the_inverse():
    for a in (matrices((2, 3, 3)), matrices((4, 4), "complex128"), np.diag([1.0, 1e-9, 2.0])):
        expected = np.linalg.det(a)[..., None, None] * np.linalg.inv(a)
        np.testing.assert_allclose(ops.linalg.adjugate(a), expected, rtol=1e-9, atol=1e-12)


def test_equal_eigenvalues():
    """The gradient is finite, and right for functions of the space that the vectors span."""
    a = np.diag([1.0, 1.0, 3.0])
    c = matrices((3, 3))

    def of_the_spaces(a):
        w, v = np.linalg.eigh(a)
        projection = v[:, :2] @ v[:, :2].T
        return np.sum(w**2) + np.sum(projection * c)

    ag.check_grads(of_the_spaces, [a], order=1)
    assert np.all(np.isfinite(ag.grad(lambda a: total(np.linalg.eigh(a).eigenvectors))(a)))


def test_equal_and_vanishing_singular_values():
    for a in (np.eye(3), np.zeros((3, 2)), np.ones((3, 3))):
        gradient = ag.grad(lambda a: total(np.linalg.svd(a, full_matrices=False).U))(a)
        assert np.all(np.isfinite(gradient))
        gradient = ag.grad(lambda a: np.linalg.norm(a, "nuc"))(a)
        assert np.all(np.isfinite(gradient))
    np.testing.assert_allclose(ag.grad(lambda a: np.linalg.norm(a, "nuc"))(np.eye(3)), np.eye(3))
    spread = ag.grad(lambda a: np.sum(np.linalg.svdvals(a)[:2] ** 2))(np.diag([2.0, 2.0, 1.0]))
    np.testing.assert_allclose(spread, np.diag([4.0, 4.0, 0.0]), atol=1e-12)


def test_small_singular_values_that_differ():
    rng = np.random.default_rng(5)
    left, right = (np.linalg.qr(rng.normal(size=(3, 3))).Q for _ in range(2))
    a = left @ np.diag([1.0, 2e-4, 1e-4]) @ right
    turned = lambda a: np.sum(np.abs(np.linalg.svd(a).U[:, 1]) ** 3)
    ag.check_grads(lambda a: turned(a) * 1e-5, [a], order=1, eps=1e-7)
    near = ag.grad(turned)(left @ np.diag([1.0, 2e-9, 1e-9]) @ right)
    assert np.max(np.abs(near)) > 1e6  # of the order of one over the gap


@pytest.mark.parametrize("order", [None, 1, 2, 3, 2.5, np.inf])
def test_the_derivative_of_norms_of_zeros_is_zero(order):
    for x in (np.zeros(3), np.zeros(3, complex)):
        gradient = ag.grad(lambda x: np.linalg.norm(x, order))
        np.testing.assert_array_equal(gradient(x), x)
    second = ag.grad(lambda x: np.sum(ag.grad(np.linalg.norm)(x)))
    np.testing.assert_array_equal(second(np.zeros(3)), np.zeros(3))


def test_norms_of_some_zeros():
    x = np.array([[0.0, 3.0, 4.0], [0.0, 0.0, 0.0]])
    gradient = ag.grad(lambda x: np.sum(np.linalg.norm(x, axis=1)))(x)
    np.testing.assert_allclose(gradient, [[0.0, 0.6, 0.8], [0.0, 0.0, 0.0]])
    gradient = ag.grad(lambda x: np.sum(np.linalg.norm(x, 3, axis=1)))(x)
    assert np.all(gradient[1] == 0) and gradient[0, 0] == 0


def test_the_condition_of_singular_matrices_is_infinite():
    a = np.stack([np.zeros((2, 2)), np.eye(2), np.full((2, 2), np.nan)])
    for p in (None, 1, "fro"):
        check(lambda a: np.linalg.cond(a[:2], p), a)
    check(lambda a: np.linalg.cond(a, 1), a)


def test_lstsq_in_the_middle_of_a_rank():
    """The derivative of the solution is that along matrices of the same rank."""
    left, right = matrices((5, 2)), matrices((2, 3))
    b = matrices(5)
    ag.check_grads(lambda u: total(np.linalg.lstsq(u @ right, b)[0]), [left], order=1)


# -- operators that NumPy lacks --------------------------------------------------------------------


def test_triangular_solve():
    a, b = matrices((2, 3, 3)) + 5 * np.eye(3), matrices((3, 2))
    for lower, unit in itertools.product((True, False), repeat=2):
        part = np.tril(a) if lower else np.triu(a)
        if unit:
            part = part * (1 - np.eye(3)) + np.eye(3)
        options = {"lower": lower, "unit_diagonal": unit}
        found = ops.linalg.triangular_solve(a, b, **options)
        np.testing.assert_allclose(part @ found, np.broadcast_to(b, found.shape), atol=1e-11)
        ag.check_grads(
            lambda a, b, o=options: total(ops.linalg.triangular_solve(a, b, **o)), [a, b]
        )


@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 3), (2, 3, 4), (0, 0), (2, 0, 3), (1, 1)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int32"])
def test_lu(shape, dtype):
    a = matrices(shape, dtype)
    left, right, order = ag.to_graph(ops.linalg.lu)(a)
    rows = np.take_along_axis(a, order[..., None], -2)
    np.testing.assert_allclose(left @ right, rows, rtol=1e-4, atol=1e-5)
    # Of complex numbers the pivot is that of the largest |re| + |im|, as LAPACK chooses it.
    assert np.all(np.abs(left) <= (2**0.5 if dtype == "complex128" else 1) + 1e-6)
    np.testing.assert_array_equal(np.tril(right, -1), 0 * right)


def test_lu_of_singular_matrices():
    a = np.ones((3, 3))
    left, right, _ = ops.linalg.lu(a)
    np.testing.assert_allclose(left @ right, a)


@pytest.mark.costly
@pytest.mark.parametrize("kind", ["real", "complex"])
def test_derivatives_of_lu(kind):
    def function(a):
        left, right, _ = ops.linalg.lu(a)
        return total(left**2) + total(right)

    for shape in ((2, 3, 3), (4, 3), (3, 4)):
        ag.check_grads(function, [matrices(shape, "float64" if kind == "real" else "complex128")])
