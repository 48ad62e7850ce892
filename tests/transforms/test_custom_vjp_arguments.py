"""The arguments, results and places of definition of functions made by `custom_vjp`.

Many rules here give a wrong derivative on purpose: that is how one sees that they are followed.
"""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.api.derivatives.common import FLOAT0
from autograph.errors import CustomRuleError, MutationError, NonDifferentiableError
from tests.support.oracle import assert_same, check, check_grad

X = np.array([0.5, -1.2, 2.0])


@functools.partial(ag.custom_vjp, nondiff_argnums=(0, 1))
def clip_gradient(lo, hi, x):
    return x


clip_gradient.defvjp(
    lambda lo, hi, x: (x, None), lambda lo, hi, _, ct: (np.minimum(np.maximum(ct, lo), hi),)
)


# -- arguments -------------------------------------------------------------------------------------


def test_gradients_clipped():
    f = lambda x: 10.0 * clip_gradient(-1.0, 1.0, x)
    assert ag.value_and_grad(f)(2.0) == (20.0, 1.0)
    assert_same(
        ag.grad(lambda x: np.sum(x * clip_gradient(-1.0, 1.0, x)))(X), X + np.clip(X, -1, 1), ""
    )
    assert ag.grad(lambda x, hi: 10.0 * clip_gradient(-hi, hi, x))(2.0, 4) == 4.0


def test_functions_as_arguments():
    @functools.partial(ag.custom_vjp, nondiff_argnums=0)
    def apply(f, x):
        return f(x)

    apply.defvjp(lambda f, x: (f(x), x), lambda f, x, ct: (10.0 * ag.grad(f)(x) * ct,))
    assert ag.grad(lambda x: apply(lambda y: y**3, x))(2.0) == pytest.approx(120.0)
    assert ag.grad(ag.grad(lambda x: apply(np.sin, x)))(2.0) == pytest.approx(-10 * np.sin(2.0))


def test_arguments_apart_keep_their_order_and_may_count_from_the_end():
    @functools.partial(ag.custom_vjp, nondiff_argnums=(-1, 0))
    def f(name, x, y, n):
        return x * y if name == "product" else x + n

    def backward(n, name, residuals, ct):
        assert name == "product"
        x, y = residuals
        return n * y * ct, n * x * ct

    f.defvjp(lambda name, x, y, n: (f(name, x, y, n), (x, y)), backward)
    assert ag.grad(f, argnums=(1, 2))("product", 2.0, 3.0, 7) == (21.0, 14.0)


def test_nested_arguments_and_results():
    @ag.custom_vjp
    def f(params, pair):
        w, (b, text) = params["w"], pair
        return {"out": np.sum(w) * b, "parts": [w, text]}

    def forward(params, pair):
        return f(params, pair), {"params": params, "label": "kept", "none": None}

    def backward(residuals, ct):
        assert residuals["label"] == "kept" and residuals["none"] is None
        assert ct["parts"][1] is None
        w = residuals["params"]["w"]
        return {"w": ct["out"] * w + ct["parts"][0], "n": None}, (7.0 * ct["out"], None)

    f.defvjp(forward, backward)

    def total(params, pair):
        result = f(params, pair)
        return 2.0 * result["out"] + np.sum(result["parts"][0] ** 2)

    def objective(w, b):
        return total({"w": w, "n": 3}, (b, "text"))

    w_bar, b_bar = ag.grad(objective, argnums=(0, 1))(X, 1.5)
    assert_same(w_bar, 2.0 * X + 2.0 * X, "w")
    assert b_bar == 14.0


def test_none_is_zero():
    @ag.custom_vjp
    def f(x, y):
        return x["a"] * y

    f.defvjp(lambda x, y: (f(x, y), x), lambda x, ct: ({"a": None, "b": ct}, None))
    gradient = ag.grad(f, argnums=(0, 1))({"a": 2.0, "b": 5.0}, 3.0)
    assert gradient == ({"a": 0.0, "b": 1.0}, 0.0)


def test_integers_and_booleans_have_no_cotangents():
    zero = np.zeros((), FLOAT0)

    @ag.custom_vjp
    def f(x, n, mask):
        return np.where(mask, x * n, 0.0), n + 1, mask

    def forward(x, n, mask):
        return f(x, n, mask), (n, mask)

    def backward(residuals, cts):
        n, mask = residuals
        assert cts[1:] == (None, None)
        return np.where(mask, 10.0 * n * cts[0], 0.0), zero, None

    f.defvjp(forward, backward)
    mask = np.array([True, False, True])
    total = lambda x, n: np.sum(f(x, n, mask)[0]) * f(x, n, mask)[1]
    assert_same(ag.grad(total)(X, 3), 120.0 * mask, "gradient")
    out, pull = ag.vjp(f, X, 3, mask)
    assert_same(out[1:], (4, mask), "other results")
    assert_same(pull((np.ones(3), None, zero))[0], 30.0 * mask, "cotangent")


def test_keywords_and_defaults_become_positions():
    @ag.custom_vjp
    def f(x, y=2.0, *, z=3.0):
        return x * y * z

    @ag.custom_vjp
    def g(x, y=2.0, *more):
        return x * y * len(more)

    g.defvjp(lambda x, y, *more: (g(x, y), y), lambda y, ct: (10.0 * y * ct, 0.0))
    f.defvjp(lambda x, y: (f(x, y), y), lambda y, ct: (ct, ct))
    assert ag.grad(lambda x: g(y=x, x=3.0) + g(x))(2.0) == 20.0
    assert ag.grad(f)(2.0) == 1.0
    with pytest.raises(CustomRuleError, match=r"AG0525.*'z' can be given by keyword only"):
        ag.grad(lambda x: f(x, z=1.0))(2.0)


def test_functions_of_libraries():
    f = ag.custom_vjp(np.sin)
    f.defvjp(lambda x: (np.sin(x), x), lambda x, ct: (3.0 * np.cos(x) * ct,))
    assert f(0.7) == np.sin(0.7)
    assert ag.value_and_grad(f)(0.7) == pytest.approx((np.sin(0.7), 3.0 * np.cos(0.7)))


def test_float32_stays_float32():
    x = np.float32(X)

    @ag.custom_vjp
    def f(x):
        return 2.0 * x

    f.defvjp(lambda x: (f(x), None), lambda _, ct: (3.0 * ct,))
    gradient = ag.grad(lambda x: np.sum(f(x)))
    assert_same(gradient(x), np.full(3, 3.0, np.float32), "gradient")
    assert "64" not in str(gradient.graph(x))


def test_complex_numbers():
    @ag.custom_vjp
    def f(z):
        return z * z

    f.defvjp(lambda z: (f(z), z), lambda z, ct: (3.0 * z * ct,))
    z = 1.0 + 2.0j
    assert ag.grad(f, holomorphic=True)(z) == 3.0 * z
    assert ag.grad(lambda z: np.abs(f(z)) ** 2)(z) == pytest.approx(6.0 * np.conj(z**2) * z)


def test_the_same_argument_twice():
    @ag.custom_vjp
    def f(x, y):
        return x * y

    f.defvjp(lambda x, y: (f(x, y), None), lambda _, ct: (ct, 10.0 * ct))
    assert ag.grad(lambda x: f(x, x))(5.0) == 11.0


def test_known_arguments():
    @ag.custom_vjp
    def f(x, n, c):
        for _ in range(n):
            x = x * c
        return x

    f.defvjp(lambda x, n, c: (f(x, n, c), c), lambda c, ct: (n_times(c, ct), None, c))
    n_times = lambda c, ct: c[0] * ct if isinstance(c, tuple) else 10.0 * ct
    assert ag.value_and_grad(lambda x: f(x, 3, 2.0))(1.0) == (8.0, 10.0)


def test_a_constant_result_has_the_derivative_of_the_rule():
    @ag.custom_vjp
    def f(x):
        return 1.0

    f.defvjp(lambda x: (1.0, None), lambda _, ct: (5.0 * ct,))
    assert ag.value_and_grad(lambda x: f(x) * 2.0)(3.0) == (2.0, 10.0)


# -- methods, closures, places of definition -------------------------------------------------------


class Layer:
    def __init__(self, factor):
        self.factor = factor

    @functools.partial(ag.custom_vjp, nondiff_argnums=(0,))
    def scale(self, x):
        return self.factor * x

    def scale_forward(self, x):
        return self.scale(x), None

    def scale_backward(self, _, ct):
        return (100.0 * self.factor * ct,)

    scale.defvjp(scale_forward, scale_backward)


def test_methods():
    layer = Layer(2.0)
    assert layer.scale(3.0) == 6.0
    assert ag.grad(layer.scale)(3.0) == 200.0
    assert ag.grad(lambda x: layer.scale(x) + x)(3.0) == 201.0
    assert ag.to_graph(layer.scale)(3.0) == 6.0


def test_defined_inside_the_function():
    def f(x, n):
        @ag.custom_vjp
        def inner(y):
            return y**n

        def forward(y):
            return inner(y), y

        inner.defvjp(forward, lambda y, ct: (n * y * ct,))
        return inner(x) * 2.0

    assert f(3.0, 2) == 18.0
    assert ag.value_and_grad(f)(3.0, 2) == (18.0, 12.0)


def test_of_a_compiled_function_and_compiled_rules():
    f = ag.custom_vjp(ag.to_graph(lambda x: x * x))
    f.defvjp(ag.to_graph(lambda x: (f(x), x)), ag.to_graph(lambda x, ct: (7.0 * x * ct,)))
    assert ag.value_and_grad(f)(2.0) == (4.0, 14.0)


def test_new_rules_count():
    f = ag.custom_vjp(lambda x: np.sin(x))
    f.defvjp(lambda x: (f(x), x), lambda x, ct: (2.0 * np.cos(x) * ct,))
    gradient = ag.grad(f)
    assert gradient(0.0) == 2.0
    f.defvjp(lambda x: (f(x), x), lambda x, ct: (9.0 * np.cos(x) * ct,))
    assert gradient(0.0) == 9.0


def test_values_from_outside():
    table = np.array([1.0, 2.0, 3.0])

    @ag.custom_vjp
    def f(x):
        return np.sum(table * x)

    f.defvjp(lambda x: (f(x), None), lambda _, ct: (10.0 * ct * np.sum(table),))
    gradient = ag.grad(f)
    assert gradient(1.0) == 60.0
    table[0] = 2.0
    assert gradient(1.0) == 70.0


def test_by_what_it_refers_to_it_has_no_derivative():
    def through_closure(x):
        f = ag.custom_vjp(lambda y: x * y)
        f.defvjp(lambda y: (f(y), None), lambda _, ct: (ct,))
        return f(2.0)

    def through_the_forward_rule(x):
        f = ag.custom_vjp(lambda y: y)
        f.defvjp(lambda y: (x + y, None), lambda _, ct: (ct,))
        return f(2.0)

    def through_an_argument(x):
        return power(x, x)

    def in_a_loop(x):
        for _ in range(3):
            x = power(x, x) * 2.0
        return x

    power = ag.custom_vjp(lambda x, n: x**n, nondiff_argnums=1)
    power.defvjp(lambda x, n: (power(x, n), x), lambda n, x, ct: (n * x ** (n - 1) * ct,))
    for f in (through_closure, through_the_forward_rule, through_an_argument, in_a_loop):
        with pytest.raises(NonDifferentiableError, match=r"AG0522.*not among its differentiable"):
            ag.grad(f)(3.0)
    assert ag.grad(lambda x: power(x, ag.stop_gradient(x)))(3.0) == pytest.approx(27.0)


def test_rules_may_refer_to_what_the_result_does_not_depend_on():
    f = lambda x: 10.0 * clip_gradient(-2.0 * x, x, x * 1.0)
    assert ag.value_and_grad(f)(3.0) == (30.0, 3.0)
    assert ag.grad(ag.grad(f))(3.0) == 1.0
    assert ag.grad(ag.grad(lambda x: -f(x)))(3.0) == -2.0


# -- arrays that are changed in place --------------------------------------------------------------


def test_a_result_that_is_the_argument_still_is():
    def changed_after(x):
        y = clip_gradient(-1.0, 1.0, x * 1.0)
        y[0] = 5.0
        return np.sum(3.0 * y)

    def both(x):
        x = x * 1.0
        y = clip_gradient(-1.0, 1.0, x)
        y[0] = 5.0
        return np.sum(x * y)

    check(changed_after, X)
    assert_same(ag.grad(changed_after)(X), np.array([0.0, 1.0, 1.0]), "gradient")
    check(both, X)
    with pytest.raises(MutationError):
        ag.grad(both)(X)


def test_local_arrays_may_change():
    @ag.custom_vjp
    def f(x):
        y = x.copy()
        y[0] = 0.0
        return np.sum(y)

    def backward(shape, ct):
        (n,) = shape
        g = np.zeros(n)
        for i in range(n):
            g[i] = i * ct
        return (g,)

    f.defvjp(lambda x: (f(x), x.shape), backward)
    assert_same(ag.grad(f)(X), np.arange(3.0), "gradient")


def test_changes_of_what_is_outside_are_refused():
    seen = []

    @ag.custom_vjp
    def f(x):
        return x * x

    def forward(x):
        seen.append(1)
        return f(x), x

    f.defvjp(forward, lambda x, ct: (x * ct,))
    with pytest.raises(MutationError, match="AG0321"):
        ag.grad(f)(2.0)
    assert seen == []


# -- implicit differentiation ----------------------------------------------------------------------


@functools.partial(ag.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, x):
    before, x = x, f(a, x)
    while np.abs(x - before) > 1e-12:
        before, x = x, f(a, x)
    return x


def fixed_point_forward(f, a, guess):
    x = fixed_point(f, a, guess)
    return x, (a, x)


def fixed_point_backward(f, residuals, ct):
    a, x = residuals
    _, pull_a = ag.vjp(lambda a: f(a, x), a)
    (a_bar,) = pull_a(fixed_point(functools.partial(adjoint_step, f), (a, x, ct), ct))
    return a_bar, 0.0


def adjoint_step(f, packed, u):
    a, x, ct = packed
    _, pull_x = ag.vjp(lambda x: f(a, x), x)
    return ct + pull_x(u)[0]


fixed_point.defvjp(fixed_point_forward, fixed_point_backward)


def test_a_fixed_point_by_the_implicit_function_theorem():
    root = lambda a: fixed_point(lambda a, x: 0.5 * (x + a / x), a, a)
    cosine = lambda a: fixed_point(lambda a, x: np.cos(a * x), a, 0.7)
    assert ag.grad(root)(2.0) == pytest.approx(0.5 / np.sqrt(2.0))
    assert ag.grad(ag.grad(root))(2.0) == pytest.approx(-0.25 * 2.0**-1.5)
    check_grad(cosine, 0.9)
    assert "stack" not in str(ag.grad(root).graph(2.0))  # the trips leave nothing
