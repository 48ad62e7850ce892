"""A compiled function as one of JAX's, beside JAX's own."""

from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy

X = np.array([0.3, 0.7])


def grown(x):
    y = x
    while np.sum(y * y) < 10.0:
        y = y * 1.5 + np.sin(x)
    return np.sum(y**2)


def grown_jax(x):
    y = jax.lax.while_loop(
        lambda y: jnp.sum(y * y) < 10.0, lambda y: y * 1.5 + jnp.sin(x), jnp.asarray(x)
    )
    return jnp.sum(y**2)


def fitted(params, x, name):
    y = np.tanh(x @ params["w"] + params["b"])
    return {"loss": np.mean(y**2), "best": np.argmax(y[0]), "name": name, "rows": len(x)}


def fitted_jax(params, x):
    return jnp.mean(jnp.tanh(x @ params["w"] + params["b"]) ** 2)


RNG = np.random.default_rng(0)
PARAMS = {"w": RNG.normal(size=(3, 2)), "b": RNG.normal(size=2)}
DATA = RNG.normal(size=(5, 3))
TRANSFORMS: dict[str, Callable] = {
    "grad": jax.grad,
    "jit of grad": lambda f: jax.jit(jax.grad(f)),
    "grad of jit": lambda f: jax.grad(jax.jit(f)),
    "second": lambda f: jax.jacrev(jax.grad(f)),
    "third": lambda f: jax.jacrev(jax.jacrev(jax.grad(f))),
    "value": lambda f: f,
    "jit": jax.jit,
}


def same(found, wanted, rtol=1e-12):
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert isinstance(a, jax.Array) and a.dtype == b.dtype and a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-12)


def waves(x):
    y = x
    for i in range(4):
        y = np.sin(y * (i + 1.0)) if np.sum(y) > 0 else y * y
    return np.sum(y * x)


def waves_jax(x):
    y = x
    for i in range(4):
        y = jnp.where(jnp.sum(y) > 0, jnp.sin(y * (i + 1.0)), y * y)
    return jnp.sum(y * x)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms(name):
    transform = TRANSFORMS[name]
    same(transform(ag.interop.to_jax(waves))(X), transform(waves_jax)(X))


def test_the_gradient_through_a_while():
    """Which JAX has no reverse mode for."""
    same(jax.grad(ag.interop.to_jax(grown))(jnp.array(X)), jnp.array(ag.grad(grown)(X)))
    with pytest.raises(ValueError, match="Reverse-mode"):
        jax.grad(grown_jax)(X)


def test_trees():
    f = ag.interop.to_jax(fitted)
    found = f(PARAMS, DATA, "net")
    assert found["name"] == "net" and found["rows"] == 5
    assert isinstance(found["best"], jax.Array) and found["best"].dtype == jnp.int64
    loss = lambda p, x: f(p, x, "net")["loss"]
    same(jax.grad(loss, argnums=(0, 1))(PARAMS, DATA), jax.grad(fitted_jax, (0, 1))(PARAMS, DATA))


@pytest.mark.parametrize("transform", [lambda f: f, jax.grad, lambda f: jax.jit(jax.grad(f))])
def test_lanes(transform):
    xs = np.stack([X, 2 * X, X - 1.0])
    found = jax.vmap(transform(ag.interop.to_jax(waves)))(xs)
    same(found, jax.vmap(transform(waves_jax))(xs))


def test_lanes_are_batched_at_once():
    compiled = ag.to_graph(waves)
    jax.vmap(ag.interop.to_jax(compiled))(np.ones((100, 2)))
    assert "compiled by calls so far: 0 signatures" in str(compiled.explain(X))


def test_lanes_in_lanes():
    f = ag.interop.to_jax(lambda a, b: np.sum(a * b) + a[0])
    plain = lambda a, b: jnp.sum(a * b) + a[0]
    a, b = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 3))
    both = lambda f: jax.vmap(jax.vmap(f, (None, 0)), (0, None))
    same(both(f)(a, b), both(plain)(a, b))
    same(both(jax.grad(f))(a, b), both(jax.grad(plain))(a, b))


def test_complex_numbers():
    f = ag.interop.to_jax(lambda z: np.sum(z * z * 1j))
    plain = lambda z: jnp.sum(z * z * 1j)
    z = np.array([1.0 + 2.0j, 3.0])
    same(jax.vjp(f, z)[1](1.0 + 0.5j), jax.vjp(plain, z)[1](1.0 + 0.5j))
    same(jax.grad(lambda z: f(z).real)(z), jax.grad(lambda z: plain(z).real)(z))


def test_arguments_that_are_no_floats():
    f = ag.interop.to_jax(lambda x, i, flag: x[i] * 2.0 if flag else x[0])
    loss = lambda x, i, flag: f(x, i, flag)
    same(jax.grad(loss)(X, jnp.int32(1), jnp.bool_(True)), jnp.array([0.0, 2.0]))
    grads = jax.grad(loss, argnums=1, allow_int=True)(X, jnp.int32(1), jnp.bool_(True))
    assert grads.dtype == jax.dtypes.float0


def test_dtypes():
    f = ag.interop.to_jax(lambda x: x * np.float64(2.0))
    assert f(jnp.ones(2, jnp.float32)).dtype == jnp.float64
    assert ag.interop.to_jax(lambda x: x * 2.0)(jnp.ones(2, jnp.float32)).dtype == jnp.float32
    assert jax.grad(lambda x: f(x).sum())(jnp.ones(2, jnp.float32)).dtype == jnp.float32


def test_results_that_are_arguments_or_known():
    f = ag.interop.to_jax(lambda x, n: (x, n, np.zeros(n), None, [x * i for i in range(3)]))
    x, n, zeros, nothing, rows = f(X, 3)
    same([x, *rows], [jnp.array(X), *(jnp.array(X) * i for i in range(3))])
    assert n == 3 and nothing is None and (np.asarray(zeros) == np.zeros(3)).all()


@pytest.mark.parametrize(
    "function", [lambda x: x[x > 0.5], lambda x: None if x[0] > 0 else x[0], lambda x: change(x)]
)
def test_what_jax_cannot_have(function):
    with pytest.raises(UnsupportedFunctionError):
        ag.interop.to_jax(function)(X)


def change(x):
    x[0] = 1.0
    return x


def test_no_forward_mode():
    with pytest.raises(TypeError, match="custom_vjp"):
        jax.jvp(ag.interop.to_jax(waves), (X,), (X,))


def test_an_error_of_the_function():
    def function(x):
        if x[0] > 0:
            raise ValueError("too large")
        return x

    with pytest.raises(Exception, match="too large"):
        ag.interop.to_jax(function)(X).block_until_ready()
