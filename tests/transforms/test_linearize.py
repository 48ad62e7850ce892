"""`linearize`: the value, and a linear function that gives the derivatives of `jvp`."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, TangentError
from tests.support.oracle import outcome
from tests.transforms.lanes import assert_same
from tests.transforms.programs import branching, root

X = np.array([0.4, 1.3, 2.2])
V = np.array([1.0, -0.5, 0.25])
MATRIX = np.arange(9.0).reshape(3, 3) * 0.1


def powers(x, n=3):
    if n == 0:
        return np.ones(3)
    return powers(x, n - 1) * x


FUNCTIONS = {
    "elementwise": lambda x: np.sin(x) * x[0],
    "linear": lambda x: MATRIX @ x,
    "scalar": lambda x: np.sum(x) ** 2,
    "nested": lambda x: {"a": x * x, "b": (x[0], [np.cos(x), 3.0])},
    "constant": lambda x: np.ones(2),
    "solve": lambda x: np.linalg.solve(np.diag(x) + MATRIX, x),
    "root": root,
    "branching": branching,
    "recursion": powers,
    "lanes": ag.vmap(lambda t: np.exp(t) if t > 1 else t * t),
    "gradient": ag.grad(lambda x: np.sum(np.exp(x) * x[0])),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_jvp(name):
    function = FUNCTIONS[name]
    value, push = ag.linearize(function, X)
    for v in (V, V * -2.0, np.zeros(3)):
        wanted, change = ag.jvp(function, (X,), (v,))
        assert_close(value, wanted)
        assert_close(push(v), change)
    inside = ag.to_graph(lambda x, v: ag.linearize(function, x)[1](v))
    assert_close(inside(X, V), ag.jvp(function, (X,), (V,))[1])


def assert_close(found, wanted):
    if isinstance(wanted, (tuple, list)):
        assert type(found) is type(wanted)
        for x, y in zip(found, wanted):
            assert_close(x, y)
    elif isinstance(wanted, dict):
        assert_close([*found.items()], [*wanted.items()])
    elif isinstance(wanted, str):
        assert found == wanted
    else:
        assert type(found) is type(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["elementwise", "root", "branching", "recursion", "lanes"])
def test_many_tangents_at_once(name):
    function = FUNCTIONS[name]
    _, push = ag.linearize(function, X)
    found = ag.vmap(push)(np.eye(3))
    np.testing.assert_allclose(found.T, ag.jacfwd(function)(X), atol=1e-12)


@pytest.mark.parametrize("name", ["elementwise", "root", "branching", "recursion", "lanes"])
def test_derivatives_of_it(name):
    function = FUNCTIONS[name]

    def along(x):
        value, push = ag.linearize(function, x)
        return np.sum(value * push(V))

    def by_jvp(x):
        value, change = ag.jvp(function, (x,), (V,))
        return np.sum(value * change)

    np.testing.assert_allclose(ag.grad(along)(X), ag.grad(by_jvp)(X), rtol=1e-9, atol=1e-12)
    _, push = ag.linearize(function, X)
    transposed = ag.vjp(push, V)[1](V)[0]
    np.testing.assert_allclose(transposed, ag.vjp(function, X)[1](V)[0], rtol=1e-9)


@pytest.mark.parametrize("name", ["elementwise", "branching", "root"])
def test_in_lanes(name):
    function = FUNCTIONS[name]
    rows = np.stack([X, X + 1])
    found = ag.vmap(lambda x: ag.linearize(function, x)[1](V))(rows)
    wanted = [ag.jvp(function, (row,), (V,))[1] for row in rows]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_several_arguments():
    def f(a, p, n):
        return a * p["w"][0] ** n, n

    value, push = ag.linearize(f, X, {"w": [2.0, "unused"]}, 3)
    assert_same(value[0], X * 8)
    assert value[1] == 3
    change, nothing = push(V, {"w": [0.5, None]}, None)
    np.testing.assert_allclose(change, V * 8 + X * 12 * 0.5)
    assert nothing is None
    np.testing.assert_allclose(push(None, {"w": [1.0, None]}, None)[0], X * 12)


def test_auxiliary_results():
    value, push, aux = ag.linearize(lambda x: (x * x, {"n": x[0]}), X, has_aux=True)
    assert_same(value, X * X)
    assert_same(push(V), 2 * X * V)
    assert aux == {"n": X[0]}


def test_dtypes():
    x = X.astype(np.float32)
    value, push = ag.linearize(lambda x: np.sin(x) * x[0], x)
    assert value.dtype == push(V.astype(np.float32)).dtype == np.float32
    value, push = ag.linearize(lambda x: x * x, 3.0)
    assert (value, push(1.0)) == (9.0, 6.0)
    assert type(push(1.0)) is float
    value, push = ag.linearize(lambda z: z * z, np.array([1 + 2j]))
    np.testing.assert_allclose(push(np.array([1j])), [2 * (1 + 2j) * 1j])


def test_changes_afterwards_do_not_matter():
    x, w = X.copy(), MATRIX.copy()

    def f(x):
        y = w @ x
        for _ in range(2):
            y = y * x
        return y

    value, push = ag.linearize(f, x)
    wanted = push(V)
    x[:], w[:], value[:] = 0, 0, 0
    assert_same(push(V), wanted)
    first = push(V)
    first[:] = 0
    assert_same(push(V), wanted)


def test_zero_one_and_many_trips():
    def f(x, n):
        for i in range(n):
            x = np.sin(x) * (i + 1)
        return x

    for n in (0, 1, 5):
        value, push = ag.linearize(lambda x, n=n: f(x, n), X)
        wanted, change = ag.jvp(lambda x, n=n: f(x, n), (X,), (V,))
        assert_close((value, push(V)), (wanted, change))


# -- effects happen once, in the first part --------------------------------------------------------


def noisy(x):
    print("begins")
    for i in range(3):
        if x[i] > 1:
            print("large", i)
        x = np.sin(x)
    return x


def noisy_recursion(x, n=2):
    print("depth", n)
    if n == 0:
        return x
    return np.sin(noisy_recursion(x * 1.5, n - 1))


@pytest.mark.parametrize("function", [noisy, noisy_recursion], ids=lambda f: f.__name__)
def test_effects_happen_once(function):
    def all_at_once(x):
        _, push = ag.linearize(function, x)
        return push(V), push(V * 2)

    wanted = ag.jvp(function, (X,), (V,))[1]
    for call in (all_at_once, ag.to_graph(all_at_once)):
        found = outcome(call, (X,))
        assert found.printed == outcome(function, (X,)).printed
        np.testing.assert_allclose(found.result[0], wanted)
        np.testing.assert_allclose(found.result[1], wanted * 2)


def test_one_draw_for_both_parts():
    def drawn(x, generator):
        x = x * generator.normal(size=3)
        for _ in range(3):
            if x[0] < 5:
                x = x * generator.normal()
        return x

    generator, other = np.random.default_rng(0), np.random.default_rng(0)
    value, push = ag.linearize(lambda x: drawn(x, generator), X)
    assert_same(value, drawn(X, other))
    assert_same(push(X), value)
    assert_same(push(X), value)
    assert generator.normal() == other.normal()


# -- what is refused -------------------------------------------------------------------------------


def test_tangents_that_do_not_fit():
    _, push = ag.linearize(lambda x, p: x * p["a"], X, {"a": 2.0})
    for tangents in ((V,), (V[:2], {"a": 1.0}), (V, {"b": 1.0}), (V, 1.0), (V * 1j, {"a": 1.0})):
        with pytest.raises(TangentError) as caught:
            push(*tangents)
        assert caught.value.id == "AG0506"
        assert caught.value.fix


def test_results_that_only_the_run_knows():
    def maybe(x):
        found = None
        if x[0] > 1:
            found = (x, x)
        return found

    def grown(x):
        found = []
        for i in range(300):
            found.append(x * i)
        return found

    for function in (maybe, grown):
        with pytest.raises(AutographError) as caught:
            ag.linearize(function, X)
        assert caught.value.id == "AG0508"
        assert caught.value.location.line == function.__code__.co_firstlineno
