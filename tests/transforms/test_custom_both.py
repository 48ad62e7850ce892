"""Functions with one rule for reverse mode and one for forward mode: `custom_vjp` with `defjvp`."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import CustomRuleError


@ag.custom_vjp
def cubed(x):
    return x**3


cubed.defvjp(lambda x: (cubed(x), x), lambda x, ct: (3.0 * ct * x**2,))


@cubed.defjvp
def cubed_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return cubed(x), 3.0 * x**2 * t


# It is seen which of the rules is asked: they differ.
@ag.custom_vjp
def marked(x):
    return 1.0 * x


marked.defvjp(lambda x: (marked(x), None), lambda _, ct: (10.0 * ct,))
marked.defjvp(lambda primals, tangents: (marked(*primals), 100.0 * tangents[0]))

X = np.array([0.5, -1.5, 2.0])


def test_each_mode_has_its_rule():
    assert ag.grad(marked)(2.0) == 10.0
    assert ag.jvp(marked, (2.0,), (1.0,)) == (2.0, 100.0)
    np.testing.assert_array_equal(ag.jacfwd(marked)(X), 100.0 * np.eye(3))
    np.testing.assert_array_equal(ag.jacrev(marked)(X), 10.0 * np.eye(3))


def test_derivatives_of_all_orders_in_both_modes():
    total = lambda x: np.sum(cubed(x))
    ag.check_grads(total, (X,), order=3)
    np.testing.assert_allclose(ag.hessian(total)(X), np.diag(6.0 * X))
    np.testing.assert_allclose(ag.jvp(ag.grad(total), (X,), (np.ones(3),))[1], 6.0 * X)
    np.testing.assert_allclose(ag.grad(lambda x: np.sum(ag.jvp(cubed, (x,), (x,))[1]))(X), 9 * X**2)


def test_in_lanes_and_loops():
    found = ag.vmap(ag.grad(cubed))(X)
    np.testing.assert_allclose(found, 3.0 * X**2)
    found = ag.vmap(lambda x: ag.jvp(cubed, (x,), (1.0,))[1])(X)
    np.testing.assert_allclose(found, 3.0 * X**2)
    found = ag.jvp(ag.vmap(lambda x: marked(x) * cubed(x)), (X,), (np.ones(3),))[1]
    np.testing.assert_allclose(found, 100.0 * X**3 + 3.0 * X**3)

    def repeated(x):
        while abs(x) < 100.0:
            x = cubed(x)
        return x

    np.testing.assert_allclose(ag.jvp(repeated, (2.0,), (1.0,))[1], ag.grad(repeated)(2.0))


def test_a_rule_for_forward_mode_alone_is_for_custom_jvp():
    sine = ag.custom_vjp(np.sin)
    with pytest.raises(CustomRuleError, match="AG0520") as raised:
        sine.defjvp(lambda primals, tangents: (np.sin(*primals), tangents[0]))
    assert "defvjp" in str(raised.value)


def test_a_rule_that_is_not_linear_is_refused():
    square = ag.custom_vjp(lambda x: x * x)
    square.defvjp(lambda x: (square(x), x), lambda x, ct: (2.0 * x * ct,))
    square.defjvp(lambda primals, tangents: (square(*primals), tangents[0] + 1.0))
    assert ag.grad(square)(3.0) == 6.0
    with pytest.raises(ag.errors.NonDifferentiableError, match="AG0527"):
        ag.jvp(square, (3.0,), (1.0,))


def test_a_rule_that_may_raise_in_a_branch_is_replayed():
    @ag.custom_vjp
    def checked(x):
        if np.sum(x) > 100.0:
            raise ValueError("large")
        return 2.0 * x

    checked.defvjp(lambda x: (checked(x), None), lambda _, ct: (checked(ct),))
    checked.defjvp(lambda primals, tangents: (checked(*primals), checked(*tangents)))
    np.testing.assert_array_equal(ag.jacfwd(checked)(X), 2.0 * np.eye(3))
    np.testing.assert_array_equal(ag.jacrev(checked)(X), 2.0 * np.eye(3))
    np.testing.assert_array_equal(ag.hessian(lambda x: np.sum(checked(x) ** 2))(X), 8.0 * np.eye(3))
    found = ag.grad(ag.checkpoint(lambda x: np.sum(checked(x) ** 2)))(X)
    np.testing.assert_array_equal(found, 8.0 * X)
    with pytest.raises(ValueError, match="large"):
        ag.jacfwd(checked)(50.0 * np.ones(3))
