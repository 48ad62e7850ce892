"""Bad input to the transforms: each mistake is an error with an id, the user's place and a fix.

The place is the function that is transformed, or the line marked ``# here`` in it.
"""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import errors
from ops.core.registry import Custom
from tests.support.lines import first_line, line_of

X = np.array([1.0, 2.0, 3.0])
ROWS = np.arange(12.0).reshape(3, 4)

# Each transform as a function of a function and one argument.
GRADIENTS = {
    "grad": lambda f, x: ag.grad(f)(x),
    "value_and_grad": lambda f, x: ag.value_and_grad(f)(x),
    "hvp": lambda f, x: ag.hvp(f)(x, x),
}
JACOBIANS = {
    "jacfwd": lambda f, x: ag.jacfwd(f)(x),
    "jacrev": lambda f, x: ag.jacrev(f)(x),
    "hessian": lambda f, x: ag.hessian(f)(x),
}
MAPS = {
    "vjp": lambda f, x: ag.vjp(f, x),
    "jvp": lambda f, x: ag.jvp(f, (x,), (x,)),
    "linearize": lambda f, x: ag.linearize(f, x),
}
DERIVATIVES = {**GRADIENTS, **JACOBIANS, **MAPS}
ALL = {
    **DERIVATIVES,
    "vmap": lambda f, x: ag.vmap(f)(np.stack([x, x])),
    "grad of checkpoint": lambda f, x: ag.grad(ag.checkpoint(f))(x),
    "vmap of grad": lambda f, x: ag.vmap(ag.grad(f))(np.stack([x, x])),
    "grad of to_graph": lambda f, x: ag.grad(ag.to_graph(f))(x),
    "to_graph of grad": lambda f, x: ag.to_graph(lambda x: ag.grad(f)(x))(x),
}


def fails(call, id, says="", at=None, kind=errors.AutographError):
    """The call fails in this way, at the marked line of ``at`` or where that begins; if it is None,
    anywhere in this file."""
    with pytest.raises(kind) as caught:
        call()
    error = caught.value
    assert isinstance(error, errors.AutographError)
    assert error.id == id, str(error)
    assert says in str(error), str(error)
    assert error.fix
    line = "" if at is None else str(line_of(at) or first_line(at))
    assert f"{__file__}:{line}" in str(error), str(error)


def squares(x):
    return np.sum(x * x)


def vector(x):
    return x * 2.0


def integer(x):
    return 3


def text(x):
    return "x"


def nothing(x):
    return None


def pair(x):
    return np.sum(x), np.sum(x)


def turned(x):
    return np.sum(x) * 1j


class Holder:
    def __init__(self, x):
        self.x = x


def held(x):
    return Holder(x)


# -- results ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", [vector, integer, text, nothing, pair, turned])
@pytest.mark.parametrize("name", GRADIENTS)
def test_results_that_are_no_real_scalar(name, result):
    fails(lambda: GRADIENTS[name](result, X), "AG0501", "real scalar", result, TypeError)


@pytest.mark.parametrize("name", GRADIENTS)
def test_results_that_are_objects(name):
    fails(lambda: GRADIENTS[name](held, X), "AG0501", "Holder", held)


@pytest.mark.parametrize("name", [*GRADIENTS, *JACOBIANS])
def test_no_pair_with_has_aux(name):
    wrong = [squares, lambda x: (squares(x), 1, 2), lambda x: [squares(x), 1]]
    for f in wrong:
        transform = getattr(ag, name)(f, has_aux=True)
        fails(lambda t=transform: t(X, X) if name == "hvp" else t(X), "AG0502", "pair", f)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ag.vjp(squares, X, has_aux=True),
        lambda: ag.jvp(squares, (X,), (X,), has_aux=True),
        lambda: ag.linearize(squares, X, has_aux=True),
    ],
)
def test_no_pair_in_maps_with_has_aux(call):
    fails(call, "AG0502", "pair", squares)


# -- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GRADIENTS, *JACOBIANS])
@pytest.mark.parametrize("argument", [np.arange(3), 2, True, "x", [1, "x"], Holder(2)])
def test_arguments_without_a_derivative(name, argument):
    fails(lambda: DERIVATIVES[name](squares, argument), "AG0503", "argument 0", squares, TypeError)


@pytest.mark.parametrize("name", ["grad", "value_and_grad", *JACOBIANS])
@pytest.mark.parametrize("argnums", [1, -2, (0, 1)])
def test_argnums_that_are_not_there(name, argnums):
    transform = getattr(ag, name)
    fails(lambda: transform(squares, argnums)(X), "AG0504", "1 positional", squares)


@pytest.mark.parametrize("name", ["grad", "value_and_grad", "hvp", *JACOBIANS])
@pytest.mark.parametrize("argnums", ["x", 1.5, None, (0, "y")])
def test_argnums_that_are_no_positions(name, argnums):
    transform = getattr(ag, name)
    fails(lambda: transform(squares, argnums), "AG0504", "an int, or a tuple", squares, TypeError)


@pytest.mark.parametrize("name", ["grad", "value_and_grad", *JACOBIANS])
@pytest.mark.parametrize("argnums", [(0, 0), (0, -2)])
def test_argnums_that_name_an_argument_twice(name, argnums):
    def product(x, y):
        return np.sum(x * y)

    fails(lambda: getattr(ag, name)(product, argnums)(X, X), "AG0504", "twice", product)


@pytest.mark.parametrize("name", ["grad", "value_and_grad", *JACOBIANS])
def test_holomorphic_of_real(name):
    def real(z):
        return np.sum(z.real)

    transform = getattr(ag, name)
    fails(lambda: transform(squares, holomorphic=True)(X), "AG0509", "argument 0", squares)
    fails(lambda: transform(real, holomorphic=True)(X * 1j), "AG0509", "result", real)


@pytest.mark.parametrize("name", JACOBIANS)
def test_jacobians_of_complex_numbers(name):
    fails(lambda: JACOBIANS[name](squares, X * 1j), "AG0549", "holomorphic=True", squares)


@pytest.mark.parametrize("transform", [ag.grad, ag.value_and_grad, ag.jacfwd, ag.jacrev, ag.vmap])
@pytest.mark.parametrize("function", [3, None, X])
def test_what_is_no_function(transform, function):
    with pytest.raises(errors.NoSourceError, match="not a function"):
        transform(function)


# -- tangents and cotangents -----------------------------------------------------------------------


def several(x, y):
    return {"a": x * y, "b": (np.sum(x), 3)}


TANGENTS = {
    "too few": ((X,), "expected: 2, got: 1"),
    "too many": ((X, X, X), "expected: 2, got: 3"),
    "shape": ((X, X[:2]), "f64[2]"),
    "a number": ((X, 1.0), "is float"),
    "nested": ((X, (X,)), "a tuple"),
    "complex": ((X, X * 1j), "c128[3]"),
    "text": ((X, "x"), "a str"),
}


@pytest.mark.parametrize("name", TANGENTS)
def test_tangents(name):
    tangents, says = TANGENTS[name]
    _, push = ag.linearize(several, X, X)
    recorded = {
        "jvp": lambda x: ag.jvp(several, (x, x), tangents)[1]["a"],
        "linearize": lambda x: ag.linearize(several, x, x)[1](*tangents)["a"],
    }
    fails(lambda: ag.jvp(several, (X, X), tangents), "AG0506", says, several, ValueError)
    fails(lambda: push(*tangents), "AG0506", says, several, TypeError)
    for call in recorded.values():
        fails(lambda call=call: ag.to_graph(call)(X), "AG0506", says, several)


COTANGENTS = {
    "a key is missing": ({"a": X}, "missing key(s): ['b']"),
    "of an integer": ({"a": X, "b": (1.0, 1.0)}, "belongs to"),
    "shape": ({"a": X[:2], "b": (1.0, None)}, "f64[2]"),
    "a number": ({"a": 1.0, "b": (1.0, None)}, "is float"),
    "a list": ({"a": X, "b": [1.0, None]}, "tuple"),
    "complex": ({"a": X * 1j, "b": (1.0, None)}, "c128[3]"),
    "text": ({"a": "x", "b": (1.0, None)}, "a str"),
}


@pytest.mark.parametrize("name", COTANGENTS)
def test_cotangents(name):
    cotangent, says = COTANGENTS[name]
    _, pull = ag.vjp(several, X, X)
    fails(lambda: pull(cotangent), "AG0506", says, several, ValueError)
    recorded = ag.to_graph(lambda x: ag.vjp(several, x, x)[1](cotangent))
    fails(lambda: recorded(X), "AG0506", says, several)


def test_messages_do_not_print_what_tangents_hold():
    with pytest.raises(errors.TangentError) as caught:
        ag.jvp(several, (X, X), (X,))
    assert "GraphArray" not in str(caught.value) and "array(" not in str(caught.value)


def test_a_pullback_takes_one_cotangent():
    for call in (
        lambda: ag.vjp(pair, X)[1](1.0, 1.0),
        lambda: ag.vjp(pair, X)[1](),
        lambda: ag.to_graph(lambda x: ag.vjp(pair, x)[1](1.0, 1.0))(X),
    ):
        fails(call, "AG0506", "one argument", pair, TypeError)


def test_jvp_takes_tuples():
    fails(lambda: ag.jvp(squares, X, X), "AG0506", "tuple or list", squares)


def test_vectors_of_hvp():
    def product(x, y):
        return np.sum(x * y)

    fails(lambda: ag.hvp(squares)(X), "AG0506", "a vector", squares)
    fails(lambda: ag.hvp(squares)(X, X[:2]), "AG0506", "f64[2]", squares)
    fails(lambda: ag.hvp(product, (0, 1))(X, X, X), "AG0506", "tuple with 2", product)


# -- lanes -----------------------------------------------------------------------------------------


def both(x, y):
    return x * y, np.sum(x)


LANES = {
    "lengths": (lambda: ag.vmap(both)(X, X[:2]), "AG0542", "argument x has 3, argument y has 2"),
    "lengths of axes": (lambda: ag.vmap(both, (0, 1))(ROWS, ROWS), "AG0542", "argument y has 4"),
    "length of a keyword": (lambda: ag.vmap(both)(X, y=X[:2]), "AG0542", "y has 2"),
    "axis_size": (lambda: ag.vmap(both, axis_size=4)(X, X), "AG0542", "axis_size is 4"),
    "no lanes": (lambda: ag.vmap(both, None)(X, X), "AG0542", "how many"),
    "axis_size is text": (lambda: ag.vmap(both, axis_size="4"), "AG0542", "'4'"),
    "axis_size is negative": (lambda: ag.vmap(both, axis_size=-1), "AG0542", "-1"),
    "a number": (lambda: ag.vmap(both)(X, 1.0), "AG0541", "argument y"),
    "a text": (lambda: ag.vmap(both)(X, "y"), "AG0541", "argument y"),
    "no such axis": (lambda: ag.vmap(both, (0, 2))(X, X), "AG0541", "no axis 2"),
    "no such negative axis": (lambda: ag.vmap(both, (0, -2))(X, X), "AG0541", "no axis -2"),
    "too few axes": (lambda: ag.vmap(both, (0,))(X, X), "AG0540", "1 items"),
    "axes are text": (lambda: ag.vmap(both, "x"), "AG0540", "'x'"),
    "axes are floats": (lambda: ag.vmap(both, (0, 0.5)), "AG0540", "0.5"),
    "axes are nested": (lambda: ag.vmap(both, ((0, 0), 0))(X, X), "AG0540", "nested like"),
    "out_axes are text": (lambda: ag.vmap(both, out_axes="x"), "AG0540", "'x'"),
    "out_axes are nested": (lambda: ag.vmap(both, out_axes=(0, 0, 0))(X, X), "AG0540", "results"),
    "out_axes": (lambda: ag.vmap(both, out_axes=(2, 0))(ROWS[0], X[:1]), "AG0542", "lanes"),
    "no such out_axes": (lambda: ag.vmap(both, out_axes=(0, 1))(X, X), "AG0541", "no axis 1"),
    "out_axes of what differs": (lambda: ag.vmap(both, 0, (None, 0))(X, X), "AG0540", "differs"),
}


@pytest.mark.parametrize("name", LANES)
def test_lanes(name):
    call, id, says = LANES[name]
    fails(call, id, says, both, ValueError)


def test_lanes_that_differ_in_shape():
    def below(x):
        return x[x > 1.0]  # here

    fails(lambda: ag.vmap(below)(ROWS), "AG0545", "lengths", below)


def test_names_of_lanes():
    def added(x):
        return ops.psum(x, "i")  # here

    fails(lambda: ag.to_graph(added)(X), "AG0547", "'i'", added, NameError)
    fails(lambda: ag.vmap(added, axis_name="j")(X), "AG0547", "'j'", added)


def test_what_all_lanes_would_change():
    found = []

    def append(x):
        found.append(x)
        return x

    fails(lambda: ag.vmap(append)(X), "AG0546", "overwrite", append)


# -- functions that cannot be transformed ----------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_arguments_changed_in_place(name):
    def overwrites(x):
        x[0] = 2.0  # here
        return np.sum(x)

    x = X.copy()
    fails(lambda: ALL[name](overwrites, x), "AG0322", "in place", overwrites)
    np.testing.assert_array_equal(x, X)


rigid = Custom("rigid", lambda x: (x,), "np.abs({0})", differentiable=True)


@pytest.mark.parametrize("name", [name for name in ALL if name != "vmap"])
def test_operators_without_a_derivative(name):
    def through(x):
        return np.sum(rigid(x))  # here

    fails(lambda: ALL[name](through, X), "AG0505", "'rigid'", through)


def test_lanes_of_operators_without_a_derivative():
    np.testing.assert_allclose(ag.vmap(lambda x: rigid(x) * 2.0)(-X), 2.0 * X)


@pytest.mark.parametrize(
    "result",
    [
        lambda x: ag.vjp(vector, x)[1],
        lambda x: ag.linearize(vector, x),
        lambda x: (np.sum(x), [ag.vjp(squares, x)[1]]),
    ],
)
def test_linear_maps_are_not_returned(result):
    for transform in (ag.to_graph, ag.vmap):
        fails(lambda t=transform: t(result)(ROWS), "AG0345", "traced values", result)
    aux = lambda x: (np.sum(x), result(x))
    fails(lambda: ag.grad(aux, has_aux=True)(X), "AG0345", "traced values", aux)


# -- rules of the user's ---------------------------------------------------------------------------


def good_forward(x, y):
    return x * np.sum(y), (x, y)


def good_backward(residuals, ct):
    x, y = residuals
    return ct * np.sum(y), np.sum(ct * x) * np.ones(3)


BAD_FORWARD = {
    "no pair": (lambda x, y: x * 2.0, "not a pair"),
    "shape": (lambda x, y: (x[:2], None), "f64[2]"),
    "dtype": (lambda x, y: (x.astype(np.float32), None), "f32[3]"),
    "structure": (lambda x, y: ((x, x), None), "a tuple"),
}
BAD_BACKWARD = {
    "too few": (lambda r, ct: (ct,), "1 cotangents"),
    "too many": (lambda r, ct: (ct, ct, ct), "3 cotangents"),
    "no tuple": (lambda r, ct: ct, "not a tuple"),
    "None": (lambda r, ct: None, "not a tuple"),
    "shape": (lambda r, ct: (ct[:2], ct), "f64[2]"),
    "dtype": (lambda r, ct: (ct * 1j, ct), "c128[3]"),
    "structure": (lambda r, ct: ({"a": ct}, ct), "a dict"),
}
BAD_JVP = {
    "no pair": (lambda p, t: t[0], "not a pair"),
    "shape of the result": (lambda p, t: (p[0][:2], t[0][:2]), "f64[2]"),
    "shape": (lambda p, t: (p[0] * 1.0, t[0][:2]), "f64[2]"),
    "dtype": (lambda p, t: (p[0] * 1.0, t[0] * 1j), "c128[3]"),
    "structure": (lambda p, t: (p[0] * 1.0, (t[0], t[0])), "a tuple"),
}


def with_rules(forward, backward):
    @ag.custom_vjp
    def scaled(x, y):
        return x * np.sum(y)

    scaled.defvjp(forward, backward)
    return scaled


def with_jvp(rule):
    @ag.custom_jvp
    def scaled(x, y):
        return x * np.sum(y)

    scaled.defjvp(rule)
    return scaled


def through(f, reverse=True):
    """Calls that differentiate ``f`` in reverse mode, or also in forward mode."""
    loss = lambda x: np.sum(f(x, X))
    calls = [
        lambda: ag.grad(loss)(X),
        lambda: ag.jacrev(loss)(X),
        lambda: ag.vjp(loss, X),
        lambda: ag.vmap(ag.grad(loss))(np.stack([X, X])),
        lambda: ag.grad(ag.checkpoint(loss))(X),
    ]
    forward = [
        lambda: ag.jvp(loss, (X,), (X,)),
        lambda: ag.jacfwd(loss)(X),
        lambda: ag.linearize(loss, X),
    ]
    return calls if reverse else calls + forward


@pytest.mark.parametrize("name", BAD_FORWARD)
def test_forward_rules(name):
    rule, says = BAD_FORWARD[name]
    for call in through(with_rules(rule, good_backward)):
        fails(call, "AG0521", says, rule, ValueError)


@pytest.mark.parametrize("name", BAD_BACKWARD)
def test_backward_rules(name):
    rule, says = BAD_BACKWARD[name]
    for call in through(with_rules(good_forward, rule)):
        fails(call, "AG0521", says, rule, TypeError)


@pytest.mark.parametrize("name", BAD_JVP)
def test_jvp_rules(name):
    rule, says = BAD_JVP[name]
    for call in through(with_jvp(rule), reverse=False):
        fails(call, "AG0521", says, rule)


def test_rules_that_are_missing():
    def scaled(x, y):
        return x * np.sum(y)

    for call in through(ag.custom_vjp(scaled)) + through(ag.custom_jvp(scaled), reverse=False):
        fails(call, "AG0520", "'scaled'", scaled)


def test_a_rule_for_reverse_mode_in_forward_mode():
    f = with_rules(good_forward, good_backward)
    loss = lambda x: np.sum(f(x, X))
    for call in (
        lambda: ag.jvp(loss, (X,), (X,)),
        lambda: ag.jacfwd(loss)(X),
        lambda: ag.linearize(loss, X)[1](X),
        lambda: ag.vmap(lambda x: ag.jvp(loss, (x,), (x,))[1])(ROWS.reshape(4, 3)),
    ):
        fails(call, "AG0523", "reverse mode only", loss)


def test_a_rule_that_is_not_linear():
    rule = lambda p, t: (p[0] * 1.0, t[0] * t[0])
    fails(lambda: ag.grad(lambda x: np.sum(with_jvp(rule)(x, X)))(X), "AG0524", "not linear", rule)
