"""Tangents and cotangents that differ between the parts of a mesh, of what is the same in all."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import P
from autograph.errors import CustomRuleError, TangentError

MESH = ag.Mesh.lanes(data=2)
SPECS = (P(), P(), P("data"))
rng = np.random.default_rng(4)
W, M, X = rng.normal(size=3), rng.normal(size=(3, 3)), rng.normal(size=(2, 3))


def repeated(a, m):
    for _ in range(3):
        a = np.tanh(a @ m)
    return a


FUNCTIONS = {
    "product": lambda a, m: np.sin(a @ m),
    "sum": lambda a, m: np.sum(a * m, 0),
    "joined": lambda a, m: np.concatenate([a, m[0]]),
    "cast": lambda a, m: np.sin(a[1] + a[1]) * m,
    "loop": repeated,
}


def by_jvp(function, w, x):
    return ag.jvp(function, (w,), (x,))[1]


def by_linearize(function, w, x):
    return ag.linearize(function, w)[1](x)


def by_vjp(function, w, x):
    out, pull = ag.vjp(function, w)
    return pull(x[0] * np.ones_like(out))[0]


@pytest.mark.costly
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("way", [by_jvp, by_linearize, by_vjp])
def test_what_varies_moves_differently(name, way):
    """Values and gradients, which forward mode gave wrongly where the argument was the same."""
    function = FUNCTIONS[name]

    def along(w, m, x):
        return np.sum(np.sin(way(lambda a: function(a, m), w, x)))

    def part(w, m, x):
        return ops.psum(along(ops.pvary(w, "data"), m, x[0]), "data")

    def whole(w, m, x):
        return along(w, m, x[0]) + along(w, m, x[1])

    over_parts = ag.shard_map(part, MESH, SPECS, P())
    np.testing.assert_allclose(over_parts(W, M, X), whole(W, M, X))
    expected = ag.grad(whole, argnums=(0, 1, 2))(W, M, X)
    inside = ag.shard_map(ag.grad(part, argnums=(0, 1, 2)), MESH, SPECS, SPECS)
    for gradient in (ag.grad(over_parts, argnums=(0, 1, 2)), inside):
        for found, wanted in zip(gradient(W, M, X), expected):
            np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize("way", [by_jvp, by_linearize, by_vjp])
def test_what_is_the_same_does_not(way):
    def part(w, m, x):
        return ops.psum(way(lambda a: np.sin(a @ m), w, x[0]), "data")

    with pytest.raises(
        TangentError, match=r"may differ .* along 'data'.*the same in all"
    ) as caught:
        ag.shard_map(part, MESH, SPECS, P())(W, M, X)
    assert caught.value.id == "AG0506" and "ops.pvary(x, 'data')" in str(caught.value)


def test_where_parts_go_different_ways_all_varies():
    def part(w, m, x):
        total = 0.0
        if x[0, 0] > 0.0:
            total = np.sum(ag.jvp(lambda a: np.sin(a @ m), (w,), (x[0],))[1])
        return ops.psum(total, "data")

    def whole(w, m, x):
        rows = [row for row in x if row[0] > 0.0]
        return sum(np.sum(ag.jvp(lambda a: np.sin(a @ m), (w,), (row,))[1]) for row in rows)

    x = np.abs(X) * [[1.0], [-1.0]]
    over_parts = ag.shard_map(part, MESH, SPECS, P())
    np.testing.assert_allclose(over_parts(W, M, x), whole(W, M, x))
    for found, wanted in zip(
        ag.grad(over_parts, argnums=(0, 1, 2))(W, M, x), ag.grad(whole, argnums=(0, 1, 2))(W, M, x)
    ):
        np.testing.assert_allclose(found, wanted)


# -- derivatives of the user's ---------------------------------------------------------------------


def weighted(a, x):
    return np.sum(a * x)


def with_backward(backward):
    function = ag.custom_vjp(weighted)
    function.defvjp(lambda a, x: (weighted(a, x), (a, x)), backward)
    return function


def by_part(residuals, ct):
    a, x = residuals
    return ct * x, ct * a


def summed(residuals, ct):
    a, x = residuals
    return ops.psum(ct * x, "data"), ct * a


def test_a_rule_adds_what_the_parts_have():
    """It is a cotangent of what is the same in all of them."""
    own = with_backward(summed)

    def part(w, x):
        return ops.psum(own(w, x[0]), "data")

    over_parts = ag.shard_map(part, MESH, (P(), P("data")), P())
    inside = ag.shard_map(ag.grad(part), MESH, (P(), P("data")), P())
    for gradient in (ag.grad(over_parts), inside):
        np.testing.assert_allclose(gradient(W, X), np.sum(X, axis=0))


def test_a_rule_with_a_cotangent_that_differs():
    own = with_backward(by_part)

    def part(w, x):
        return ag.grad(lambda a: ops.psum(own(a, x[0]), "data"))(w)

    with pytest.raises(CustomRuleError, match=r"the same in all parts .* along 'data'") as caught:
        ag.shard_map(part, MESH, (P(), P("data")), P())(W, X)
    assert caught.value.id == "AG0521" and "ops.psum(x, 'data')" in str(caught.value)

    def varied(w, x):
        loss = lambda a: ops.psum(own(ops.pvary(a, "data"), x[0]), "data")
        return ag.grad(loss)(w)

    found = ag.shard_map(varied, MESH, (P(), P("data")), P())(W, X)
    np.testing.assert_allclose(found, np.sum(X, axis=0))


def test_a_rule_with_a_tangent_that_differs():
    sine = ag.custom_jvp(np.sin)

    @sine.defjvp
    def rule(primals, tangents):
        (a,), (da,) = primals, tangents
        return sine(a), np.cos(a) * da * (1 + ops.axis_index("data"))

    def part(w, x):
        return ag.grad(lambda a: np.sum(sine(a)))(w)

    with pytest.raises(CustomRuleError, match=r"the same in all parts .* along 'data'"):
        ag.shard_map(part, MESH, (P(), P("data")), P())(W, X)
