"""`jacfwd`, `jacrev`, `hessian` and `hvp`: values, nesting, dtypes, effects, what is refused."""

import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import NonDifferentiableError, TangentError
from tests.support.oracle import outcome
from tests.transforms.lanes import assert_same
from tests.transforms.programs import branching, root

X = np.array([0.4, 1.3, 2.2])
MATRIX = np.arange(6.0).reshape(2, 3) * 0.3 - 0.5
MODES = pytest.mark.parametrize("jacobian", [ag.jacfwd, ag.jacrev], ids=["forward", "reverse"])


def differences(function, x, step=1e-6):
    """The Jacobian of a function of one array by central differences."""
    columns = []
    for index in np.ndindex(x.shape):
        moved = np.zeros(x.shape)
        moved[index] = step
        columns.append((function(x + moved) - function(x - moved)) / (2 * step))
    columns = np.stack(columns, -1) if columns else np.zeros((*function(x).shape, 0))
    return columns.reshape(*np.shape(function(x)), *x.shape)


def powers(x, n):
    if n == 0:
        return np.ones(3)
    return powers(x, n - 1) * x


FUNCTIONS = {
    "elementwise": lambda x: np.sin(x) * x[0],
    "contraction": lambda x: MATRIX @ x,
    "scalar": lambda x: np.sum(x) ** 2,
    "matrix": lambda x: np.outer(x, np.cos(x)),
    "part": lambda x: x[1:] * x[:-1],
    "sorted": lambda x: np.cumsum(np.sort(x)[::-1]),
    "inverse": lambda x: np.linalg.inv(np.diag(x) + np.outer(x, x)),
    "nothing": lambda x: x[:0],
    "constant": lambda x: np.ones(2),
    "root": root,
    "branching": branching,
    "recursion": lambda x: powers(x, 3),
    "lanes": lambda x: ag.vmap(lambda t: np.exp(t) if t > 1 else t * t)(x),
    "gradient": ag.grad(lambda x: np.sum(np.exp(x) * x[0])),
}


@MODES
@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_differences(jacobian, name):
    function = FUNCTIONS[name]
    found = jacobian(function)(X)
    wanted = differences(function, X)
    assert (found.dtype, found.shape) == (np.float64, wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["elementwise", "scalar", "matrix", "root", "branching", "lanes"])
def test_second_derivatives_in_all_orders_of_modes(name):
    function = FUNCTIONS[name]
    wanted = differences(ag.jacrev(function), X)
    for outer, inner in itertools.product((ag.jacfwd, ag.jacrev), repeat=2):
        np.testing.assert_allclose(outer(inner(function))(X), wanted, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(ag.hessian(function)(X), wanted, rtol=1e-6, atol=1e-6)


def test_third_derivatives():
    def f(x):
        return np.sum(x**4) + np.prod(x)

    found = ag.jacfwd(ag.jacrev(ag.jacfwd(f)))(X)
    wanted = np.zeros((3, 3, 3))
    for i in range(3):
        wanted[i, i, i] = 24 * X[i]
    for i, j, k in itertools.permutations(range(3)):
        wanted[i, j, k] = 1.0
    np.testing.assert_allclose(found, wanted)


@MODES
def test_shapes(jacobian):
    def f(x, y):
        return np.tensordot(x, y, 0)

    x, y = MATRIX, np.arange(4.0)
    by_x, by_y = jacobian(f, (0, 1))(x, y)
    assert (by_x.shape, by_y.shape) == ((2, 3, 4, 2, 3), (2, 3, 4, 4))
    identity = np.eye(6).reshape(2, 3, 2, 3)
    np.testing.assert_allclose(by_x, identity[:, :, None] * y[:, None, None])
    np.testing.assert_allclose(by_y, x[:, :, None, None] * np.eye(4))
    assert jacobian(f, 1)(x, y).shape == (2, 3, 4, 4)
    assert jacobian(f, -1)(x, y).shape == (2, 3, 4, 4)
    (only,) = jacobian(f, (1,))(x, y)
    assert only.shape == (2, 3, 4, 4)


@MODES
def test_nesting(jacobian):
    def f(p, s):
        return {"y": p["a"] * p["b"][0], "z": (p["a"][0], s)}

    p = {"a": X, "b": [2.0, np.float32(1.0)]}
    found = jacobian(f)(p, 3.0)
    assert_same(found["y"]["a"], np.eye(3) * 2)
    assert_same(found["y"]["b"][0], X)
    assert_same(found["z"][0]["a"], np.array([1.0, 0, 0]))
    assert found["z"][0]["b"][0] == 0.0
    assert found["z"][1]["b"] == [0.0, 0.0]
    assert found["y"]["b"][1].shape == (3,)
    both = jacobian(f, (0, 1))(p, 3.0)
    assert both["z"][1][1] == 1.0
    assert both["z"][1][0]["b"][0] == 0.0


@MODES
def test_numbers_and_dtypes(jacobian):
    slope = jacobian(lambda x: x * x)(3.0)
    assert (type(slope), slope) == (float, 6.0)
    assert type(jacobian(lambda x: x * x)(np.float32(3.0))) is np.float32
    x = np.array([1.0, 2.0], np.float32)
    assert jacobian(lambda x: x * x[0])(x).dtype == np.float32
    assert jacobian(lambda x: np.sum(x * x))(x).dtype == np.float32
    assert ag.hessian(lambda x: np.sum(x**3))(x).dtype == np.float32


@MODES
def test_what_has_no_derivative(jacobian):
    by_x, no, text = jacobian(lambda x: (x * 2, np.argmax(x), "a"))(X)
    assert_same(by_x, np.eye(3) * 2)
    assert (no, text) == (None, None)


@MODES
def test_auxiliary_results(jacobian):
    found, aux = jacobian(lambda x: (x * x, {"s": x[0] * 3, "name": "a"}), has_aux=True)(X)
    assert_same(found, np.diag(2 * X))
    assert aux == {"s": X[0] * 3, "name": "a"}


def test_hessian_of_several_arguments():
    def f(a, b):
        return np.sum(a * b) ** 2

    a, b = X, X[::-1] + 1
    (aa, ab), (ba, bb) = ag.hessian(f, (0, 1))(a, b)
    s = np.sum(a * b)
    np.testing.assert_allclose(aa, 2 * np.outer(b, b))
    np.testing.assert_allclose(bb, 2 * np.outer(a, a))
    np.testing.assert_allclose(ab, 2 * np.outer(b, a) + 2 * s * np.eye(3))
    np.testing.assert_allclose(ba, ab.T)
    found, aux = ag.hessian(lambda x: (np.sum(x**3), x[0]), has_aux=True)(X)
    np.testing.assert_allclose(found, np.diag(6 * X))
    assert aux == X[0]


@MODES
def test_holomorphic(jacobian):
    z = np.array([1 + 2j, -0.5j])
    found = jacobian(lambda z: np.exp(z) * z[0], holomorphic=True)(z)
    wanted = np.diag(np.exp(z) * z[0])
    wanted[:, 0] += np.exp(z)
    np.testing.assert_allclose(found, wanted)
    assert jacobian(lambda z: z**2, holomorphic=True)(3j) == 6j
    np.testing.assert_allclose(
        ag.hessian(lambda z: z[0] ** 2 * z[1], holomorphic=True)(z),
        [[2 * z[1], 2 * z[0]], [2 * z[0], 0]],
    )


def test_real_function_of_a_complex_array():
    z = np.array([1 + 2j, -0.5j])
    f = lambda z: np.real(z * np.conj(z))
    found = ag.jacrev(f)(z)
    rows = [ag.grad(lambda z, i=i: f(z)[i])(z) for i in range(2)]
    np.testing.assert_allclose(found, rows)


@MODES
def test_in_lanes_and_around_them(jacobian):
    rows = np.stack([X, X + 0.5])
    for function in (branching, lambda x: powers(x, 2), root):
        found = ag.vmap(jacobian(function))(rows)
        np.testing.assert_allclose(found, [jacobian(function)(row) for row in rows], atol=1e-12)
        around = jacobian(ag.vmap(function))(rows)
        for i, j in itertools.product(range(2), repeat=2):
            wanted = found[i] if i == j else np.zeros((3, 3))
            np.testing.assert_allclose(around[i, :, j], wanted, atol=1e-12)


@MODES
def test_in_a_compiled_function(jacobian):
    @ag.to_graph
    def newton(x):
        for _ in range(20):
            residual = x**3 - X
            x = x - np.linalg.solve(jacobian(lambda x: x**3 - X)(x), residual)
        return x

    np.testing.assert_allclose(newton(np.ones(3)), np.cbrt(X))
    assert jacobian(newton)(np.ones(3)).shape == (3, 3)


def test_products_with_hessians():
    def f(a, b):
        total = 0.0
        for i in range(3):
            if a[i] > 1:
                total = total + np.log(a[i]) * b[i]
            else:
                total = total + a[i] ** 3 * b[0]
        return total

    v, w = np.array([0.3, -1.0, 2.0]), np.array([1.0, 0.5, -0.25])
    full = ag.hessian(f, (0, 1))(X, X)
    np.testing.assert_allclose(ag.hvp(f)(X, X, v), full[0][0] @ v)
    by_both = ag.hvp(f, (0, 1))(X, X, (v, w))
    np.testing.assert_allclose(by_both[0], full[0][0] @ v + full[0][1] @ w)
    np.testing.assert_allclose(by_both[1], full[1][0] @ v + full[1][1] @ w)
    rows = ag.vmap(ag.hvp(f), (None, None, 0))(X, X, np.eye(3))
    np.testing.assert_allclose(rows, full[0][0], atol=1e-12)
    found, aux = ag.hvp(lambda x: (np.sum(x**3), x[0]), has_aux=True)(X, v)
    np.testing.assert_allclose(found, 6 * X * v)
    assert aux == X[0]
    assert ag.hvp(lambda x: x**3)(2.0, 0.5) == 6.0
    nested = ag.hvp(lambda p: np.sum(p["a"] ** 2 * p["b"]))({"a": X, "b": 2.0}, {"a": v, "b": 1.0})
    np.testing.assert_allclose(nested["a"], 4 * v + 2 * X)
    np.testing.assert_allclose(nested["b"], np.sum(2 * X * v))
    assert ag.hvp(lambda x: np.sum(x**3))(np.float32([1, 2]), np.float32([1, 1])).dtype == "f4"


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("transform", [ag.jacfwd, ag.jacrev, ag.hessian], ids=lambda f: f.__name__)
def test_effects_happen_once(transform, n):
    def noisy(x):
        print("begins")
        for i in range(2):
            if i < len(x):
                print("takes", i)
                x = np.sin(x)
        return x

    found = outcome(transform(noisy), (X[:n],))
    assert found.printed == outcome(noisy, (X[:n],)).printed
    assert found.result.shape == (n,) * (3 if transform is ag.hessian else 2)


def test_one_draw_for_all_directions():
    def noisy(x, generator):
        x = x * generator.normal(size=3)
        for _ in range(2):
            x = x * generator.normal()
        return x

    for transform in (ag.jacfwd, ag.jacrev):
        generator, other = np.random.default_rng(0), np.random.default_rng(0)
        found = transform(noisy)(X, generator)
        np.testing.assert_allclose(np.diag(found) * X, noisy(X, other))
        assert generator.normal() == other.normal()


# -- what is refused -------------------------------------------------------------------------------


def unknown_length(x):
    return x[x > 1]


def grown(x):
    found = []
    for i in range(300):
        found.append(x * i)
    return found


REFUSED = [
    (NonDifferentiableError, "AG0503", lambda J: J(lambda x: x * 2.0)(3)),
    (NonDifferentiableError, "AG0503", lambda J: J(lambda x: x * 2.0)(np.arange(3))),
    (NonDifferentiableError, "AG0548", lambda J: J(unknown_length)(X)),
    (NonDifferentiableError, "AG0549", lambda J: J(lambda z: z * 2)(1j)),
    (NonDifferentiableError, "AG0509", lambda J: J(np.sin, holomorphic=True)(1.0)),
    (NonDifferentiableError, "AG0509", lambda J: J(lambda z: z.real, holomorphic=True)(1j)),
]


@MODES
@pytest.mark.parametrize(("kind", "id", "call"), REFUSED)
def test_errors(jacobian, kind, id, call):
    with pytest.raises(kind) as caught:
        call(jacobian)
    assert caught.value.id == id
    assert caught.value.fix


@MODES
def test_a_list_of_unknown_length(jacobian):
    with pytest.raises(ag.errors.AutographError) as caught:
        jacobian(grown)(X)
    assert caught.value.id == "AG0548"


def test_vectors_that_do_not_fit():
    f = lambda x: np.sum(x**2)
    for args in ((X,), (X, X[:2]), (X, (X, X))):
        with pytest.raises(TangentError) as caught:
            ag.hvp(f)(*args)
        assert caught.value.id == "AG0506"
    with pytest.raises(TangentError, match="a tuple with 2 items"):
        ag.hvp(lambda a, b: np.sum(a * b), (0, 1))(X, X, X)
