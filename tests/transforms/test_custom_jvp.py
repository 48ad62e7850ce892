"""`custom_jvp`: a derivative in forward mode that the user writes, honoured in both modes.

Many rules here give a wrong derivative on purpose: that is how one sees that they are followed.
"""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.api.derivatives.common import FLOAT0
from autograph.errors import CustomRuleError, NonDifferentiableError
from tests.support.oracle import assert_same, check, check_grad
from tests.transforms.programs import in_a_branch, in_a_for, in_a_while, recursive, sine_with_slope

X = np.array([0.5, -1.2, 2.0])


def scaled(slope=3.0):
    """``sin`` with a derivative that is ``slope`` times as large."""

    @ag.custom_jvp
    def sine(x):
        return np.sin(x)

    @sine.defjvp
    def rule(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        return sine(x), slope * np.cos(x) * x_dot

    return sine


sine = scaled()


@ag.custom_jvp
def log1pexp(x):
    return np.log(1.0 + np.exp(x))


@log1pexp.defjvp
def log1pexp_rule(primals, tangents):
    (x,), (x_dot,) = primals, tangents
    return log1pexp(x), (1.0 - 1.0 / (1.0 + np.exp(x))) * x_dot


# -- orders and transforms -------------------------------------------------------------------------


def test_without_a_derivative_it_is_the_function():
    assert_same(sine(1.0), np.sin(1.0), "plain")
    assert_same(ag.to_graph(sine)(X), np.sin(X), "compiled")
    check(lambda x: sine(x) * 2.0, X)
    missing = ag.custom_jvp(lambda x: x * x)
    assert ag.to_graph(missing)(3.0) == 9.0
    with pytest.raises(CustomRuleError, match=r"AG0520.*rule of its derivative is missing"):
        ag.grad(missing)(3.0)
    with pytest.raises(CustomRuleError, match=r"AG0520"):
        ag.jvp(missing, (3.0,), (1.0,))


def test_both_modes():
    assert ag.jvp(sine, (0.7,), (2.0,)) == pytest.approx((np.sin(0.7), 6.0 * np.cos(0.7)))
    assert_same(ag.jvp(sine, (X,), (X,)), (np.sin(X), 3.0 * np.cos(X) * X), "jvp")
    assert ag.grad(sine)(0.7) == pytest.approx(3.0 * np.cos(0.7))
    assert_same(ag.grad(lambda x: np.sum(sine(x)))(X), 3.0 * np.cos(X), "gradient")
    out, pull = ag.vjp(sine, X)
    assert_same(out, np.sin(X), "out")
    assert_same(pull(X), (3.0 * np.cos(X) * X,), "cotangent")


def forward(f):
    return lambda x: ag.jvp(f, (x,), (1.0,))[1]


MODES = {"forward": forward, "reverse": ag.grad}


@pytest.mark.parametrize("third", MODES)
@pytest.mark.parametrize("second", MODES)
@pytest.mark.parametrize("first", MODES)
def test_all_orders_in_all_modes(first, second, third):
    derivative = MODES[first](sine)
    assert derivative(0.7) == pytest.approx(3.0 * np.cos(0.7))
    derivative = MODES[second](derivative)
    assert derivative(0.7) == pytest.approx(-3.0 * np.sin(0.7))
    assert MODES[third](derivative)(0.7) == pytest.approx(-3.0 * np.cos(0.7))


def test_a_stable_derivative():
    plain = lambda x: np.log(1.0 + np.exp(x))
    with np.errstate(all="ignore"):
        assert np.isnan(ag.grad(plain)(1000.0))
    for derivative in (ag.grad(log1pexp), forward(log1pexp)):
        with np.errstate(all="ignore"):
            assert derivative(1000.0) == 1.0
        assert derivative(0.0) == 0.5
    ag.check_grads(log1pexp, (0.3,), order=3, modes=("fwd", "rev"))
    ag.check_grads(lambda x: np.sum(log1pexp(x)), (X,), order=2, modes=("fwd", "rev"))


def test_a_rule_that_follows_itself():
    """The derivative of exp is exp: each order finds the rule again."""

    @ag.custom_jvp
    def f(x):
        return np.exp(x)

    @f.defjvp
    def rule(primals, tangents):
        y = f(primals[0])
        return y, 2.0 * y * tangents[0]

    for mode in MODES.values():
        derivative = f
        for order in range(1, 5):
            derivative = mode(derivative)
            assert derivative(0.5) == pytest.approx(2.0**order * np.exp(0.5))


def test_custom_functions_in_each_other():
    inner = ag.custom_vjp(lambda x: np.cos(x))
    inner.defvjp(lambda x: (inner(x), x), lambda x, ct: (-5.0 * np.sin(x) * ct,))

    @ag.custom_jvp
    def f(x):
        return np.sin(x) + 0.0 * sine(x)

    f.defjvp(lambda primals, tangents: (f(*primals), inner(*primals) * tangents[0]))
    assert ag.grad(f)(0.7) == pytest.approx(np.cos(0.7))
    assert ag.grad(ag.grad(f))(0.7) == pytest.approx(-5.0 * np.sin(0.7))
    assert ag.grad(forward(f))(0.7) == pytest.approx(-5.0 * np.sin(0.7))
    with pytest.raises(NonDifferentiableError, match=r"AG0523"):
        forward(forward(f))(0.7)


# -- control flow ----------------------------------------------------------------------------------


def test_control_flow_in_the_function_and_in_the_rule():
    @ag.custom_jvp
    def f(x):
        if x > 0.0:
            return np.sin(x)
        return np.cos(x)

    @f.defjvp
    def rule(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        if x > 0.0:
            return f(x), 2.0 * x * x_dot
        total = 0.0
        for _ in range(3):
            total = total + x * x_dot
        while np.abs(total) > 100.0:
            total = total * 0.5
        return f(x), total

    for mode in MODES.values():
        assert mode(f)(2.0) == 4.0
        assert mode(f)(-2.0) == -6.0
        assert mode(mode(f))(2.0) == 2.0
        assert mode(mode(f))(-2.0) == 3.0


def test_loops_and_recursion_in_the_rule():
    """The tangent of ``x ** n`` by the product rule, trip by trip, and by recursion."""

    @functools.partial(ag.custom_jvp, nondiff_argnums=(1,))
    def power(x, n):
        return x**n

    @power.defjvp
    def loop(n, primals, tangents):
        (x,), (x_dot,) = primals, tangents
        y, y_dot, i = 1.0, 0.0, 0
        while i < n:
            y, y_dot, i = y * x, y * x_dot + y_dot * x, i + 1
        return y, y_dot

    def by_recursion(n, primals, tangents):
        (x,), (x_dot,) = primals, tangents

        def step(k):
            if k == 0:
                return 1.0, 0.0 * x_dot
            y, y_dot = step(k - 1)
            return y * x, y * x_dot + y_dot * x

        return step(n)

    for rule in (loop, by_recursion):
        power.defjvp(rule)
        for n in (0, 1, 4):
            for mode in MODES.values():
                assert mode(lambda x: power(x, n))(1.5) == pytest.approx(n * 1.5 ** (n - 1))
            second = ag.grad(ag.grad(lambda x: power(x, n)))(1.5)
            assert second == pytest.approx(n * (n - 1) * 1.5 ** (n - 2))


@pytest.mark.parametrize("function", [in_a_while, in_a_for, in_a_branch, recursive])
@pytest.mark.parametrize("x", [0.2, 0.9, 7.0])
def test_in_control_flow(function, x):
    step = 1e-30
    expected = function(np.complex128(complex(x, step)), sine_with_slope(3.0)).imag / step
    assert ag.grad(function)(x, sine) == pytest.approx(expected, rel=1e-9)
    assert forward(lambda x: function(x, sine))(x) == pytest.approx(expected, rel=1e-9)


@pytest.mark.costly
@pytest.mark.parametrize("function", [in_a_while, in_a_for, in_a_branch, recursive])
def test_in_control_flow_to_second_order(function):
    right = scaled(1.0)
    check_grad(lambda x: function(x, right), 0.9)
    ag.check_grads(lambda x: function(x, right), (0.9,), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
def test_what_where_does_not_choose_leaks_nothing(kind):
    if kind == "jvp":
        f = ag.custom_jvp(lambda x: x * np.log(x))
        f.defjvp(lambda p, t: (f(*p), (1.0 + np.log(p[0])) * t[0]))
    else:
        f = ag.custom_vjp(lambda x: x * np.log(x))
        f.defvjp(lambda x: (f(x), x), lambda x, ct: (ct * (1.0 + np.log(x)),))
    safe = lambda x: np.where(x > 0.0, f(x), 0.0)
    with np.errstate(all="ignore"):
        assert ag.grad(lambda x: safe(x) + x)(0.0) == 1.0
        assert ag.grad(lambda x: safe(x) + x)(1.0) == 2.0
        assert ag.grad(ag.grad(safe))(0.0) == 0.0
        if kind == "jvp":  # what a backward rule does to each element is not known
            x = np.array([0.0, 1.0])
            assert_same(ag.grad(lambda x: np.sum(safe(x)))(x), x, "gradient")
            assert_same(ag.jvp(safe, (x,), (np.ones(2),))[1], x, "tangent")


# -- arguments -------------------------------------------------------------------------------------


def test_rules_for_each_argument():
    @ag.custom_jvp
    def f(x, y, n):
        return {"p": x * y * n, "s": x + y}

    f.defjvps(
        lambda x_dot, out, x, y, n: {"p": 10.0 * out["p"] * x_dot, "s": x_dot},
        lambda y_dot, out, x, y, n: {"p": x * n * y_dot, "s": 5.0 * y_dot},
        None,
    )

    def total(x, y, n):
        out = f(x, y, n)
        return out["p"] + out["s"]

    expected = 10.0 * 2.0 * 3.0 * 4 + 1.0, 2.0 * 4 + 5.0
    assert ag.grad(total, argnums=(0, 1))(2.0, 3.0, 4) == expected
    assert ag.jvp(total, (2.0, 3.0, 4), (1.0, 2.0, None))[1] == expected[0] + 2.0 * expected[1]
    square = ag.custom_jvp(lambda x: x * x)
    square.defjvps(lambda t, out, x: 7.0 * t * x)
    assert ag.grad(ag.grad(square))(3.0) == 7.0
    with pytest.raises(CustomRuleError, match=r"AG0521.*1 rules, but the call has 2 arguments"):
        two = ag.custom_jvp(lambda x, y: x)
        two.defjvps(lambda t, out, x, y: t)
        ag.grad(two)(1.0, 2.0)
    with pytest.raises(CustomRuleError, match=r"AG0525.*nondiff_argnums"):
        ag.custom_jvp(lambda x, y: x, nondiff_argnums=1).defjvps(None)


def test_no_rule_for_any_argument():
    f = ag.custom_jvp(lambda x: x * x)
    f.defjvps(None)
    assert ag.grad(lambda x: f(x) + x)(3.0) == 1.0
    assert ag.jvp(f, (3.0,), (1.0,)) == (9.0, 0.0)


def test_functions_as_arguments():
    @functools.partial(ag.custom_jvp, nondiff_argnums=(0,))
    def apply(f, x):
        return f(x)

    @apply.defjvp
    def rule(f, primals, tangents):
        out, change = ag.jvp(f, primals, tangents)
        return out, 10.0 * change

    for mode in MODES.values():
        assert mode(lambda x: apply(lambda y: y**3, x))(2.0) == pytest.approx(120.0)
        assert mode(mode(lambda x: apply(np.sin, x)))(2.0) == pytest.approx(-10 * np.sin(2.0))


def test_nested_arguments_and_results():
    @ag.custom_jvp
    def f(params, pair):
        w, (b, text) = params["w"], pair
        return {"out": np.sum(w) * b, "parts": [w, text]}

    @f.defjvp
    def rule(primals, tangents):
        params, (b, text) = primals
        params_dot, (b_dot, none) = tangents
        assert text == "text" and none is None and params_dot["n"] is None
        out_dot = b * np.sum(params_dot["w"] * params["w"]) + 7.0 * b_dot
        return f(*primals), {"out": out_dot, "parts": [2.0 * params_dot["w"], None]}

    def objective(w, b):
        result = f({"w": w, "n": 3}, (b, "text"))
        return 2.0 * result["out"] + np.sum(result["parts"][0] ** 2)

    w_bar, b_bar = ag.grad(objective, argnums=(0, 1))(X, 1.5)
    assert_same(w_bar, 2.0 * 1.5 * X + 4.0 * X, "w")
    assert b_bar == 14.0
    change = ag.jvp(objective, (X, 1.5), (X, 1.0))[1]
    assert change == pytest.approx(np.sum(w_bar * X) + b_bar)


def test_integers_and_booleans_have_no_tangents():
    zero = np.zeros((), FLOAT0)

    @ag.custom_jvp
    def f(x, n, mask):
        return np.where(mask, x * n, 0.0), n + 1, mask

    @f.defjvp
    def rule(primals, tangents):
        x, n, mask = primals
        assert tangents[1:] == (None, None)
        return f(x, n, mask), (np.where(mask, 10.0 * n * tangents[0], 0.0), zero, None)

    mask = np.array([True, False, True])
    total = lambda x, n: np.sum(f(x, n, mask)[0]) * f(x, n, mask)[1]
    assert_same(ag.grad(total)(X, 3), 120.0 * mask, "gradient")
    assert ag.jvp(total, (X, 3), (np.ones(3), None))[1] == 240.0


def test_none_is_zero():
    f = ag.custom_jvp(lambda x, y: (x * y, x + y))
    f.defjvp(lambda p, t: (f(*p), (None, t[0])))
    total = lambda x, y: f(x, y)[0] + 5.0 * f(x, y)[1]
    assert ag.grad(total, argnums=(0, 1))(2.0, 3.0) == (5.0, 0.0)
    assert ag.jvp(total, (2.0, 3.0), (1.0, 1.0))[1] == 5.0


def test_tangents_of_what_does_not_move_are_zero():
    f = ag.custom_jvp(lambda x, y, z: x * y * z)

    @f.defjvp
    def rule(primals, tangents):
        return f(*primals), tangents[0] + 10.0 * tangents[1] + 100.0 * tangents[2]

    assert ag.jvp(lambda x, y: f(x, y, 5.0), (2.0, 3.0), (1.0, None))[1] == 1.0
    assert ag.grad(lambda x, y: f(x, y, 5.0), argnums=1)(2.0, 3.0) == 10.0
    known = np.ones(3)
    assert_same(ag.grad(lambda x: np.sum(f(known, x, x)))(X), np.full(3, 110.0), "gradient")


def test_keywords_and_defaults_become_positions():
    f = ag.custom_jvp(lambda x, y=2.0: x * y)
    f.defjvp(lambda p, t: (f(*p), 10.0 * p[1] * t[0] + t[1]))
    assert ag.grad(lambda x: f(y=x, x=3.0) + f(x))(2.0) == 1.0 + 20.0


def test_float32_stays_float32():
    x = np.float32(X)
    f = ag.custom_jvp(lambda x: 2.0 * x)
    f.defjvp(lambda p, t: (f(*p), 3.0 * t[0]))
    gradient = ag.grad(lambda x: np.sum(f(x)))
    assert_same(gradient(x), np.full(3, 3.0, np.float32), "gradient")
    assert "64" not in str(gradient.graph(x))


def test_complex_numbers():
    f = ag.custom_jvp(lambda z: z * z)
    f.defjvp(lambda p, t: (f(*p), 3.0 * p[0] * t[0]))
    z = 1.0 + 2.0j
    assert ag.grad(f, holomorphic=True)(z) == 3.0 * z
    assert ag.jvp(f, (z,), (1.0j,))[1] == 3.0j * z


class Layer:
    def __init__(self, factor):
        self.factor = factor

    @functools.partial(ag.custom_jvp, nondiff_argnums=(0,))
    def scale(self, x):
        return self.factor * x

    @scale.defjvp
    def rule(self, primals, tangents):
        return self.scale(*primals), 100.0 * self.factor * tangents[0]


def test_methods():
    layer = Layer(2.0)
    assert layer.scale(3.0) == 6.0
    for mode in MODES.values():
        assert mode(layer.scale)(3.0) == 200.0
        assert mode(lambda x: layer.scale(x) + x)(3.0) == 201.0


def test_gradients_blocked_and_passed_through():
    """The straight-through estimator."""

    @ag.custom_jvp
    def rounded(x):
        return np.rint(x)

    rounded.defjvp(lambda p, t: (rounded(*p), t[0]))
    f = lambda x: np.sum(rounded(x) ** 2)
    assert_same(ag.grad(f)(X), 2.0 * np.rint(X), "gradient")
    assert_same(ag.jvp(f, (X,), (X,))[1], np.sum(2.0 * np.rint(X) * X), "tangent")


# -- what is refused -------------------------------------------------------------------------------


cubed = ag.custom_jvp(lambda y: y * y * y)
cubed.defjvp(lambda p, t: (cubed(*p), 3.0 * p[0] ** 2 * t[0]))

doubled = ag.custom_jvp(lambda y: y + y)
doubled.defjvp(lambda p, t: (doubled(*p), 2.0 * t[0]))


def to_the(n, y):
    if n == 0:
        return 1.0
    return y * to_the(n - 1, y) if n > 0 else y


def multiplied(n, y):
    return 0.0 if n == 0 else y + multiplied(n - 1, y)


def not_linear(tangent):
    f = ag.custom_jvp(lambda x: x * x)
    f.defjvp(lambda p, t: (f(*p), tangent(p[0], t[0])))
    return f


@pytest.mark.parametrize(
    ("tangent", "operator"),
    [
        (lambda x, t: t * t, "multiply"),
        (lambda x, t: x / t, "divide"),
        (lambda x, t: np.sin(t) * x, "sin"),
        (lambda x, t: np.sign(t) * x, "sign"),
        (lambda x, t: np.where(t > 0.0, t, 0.0), "greater"),
        (lambda x, t: np.maximum(t, 0.0), "maximum"),
        (lambda x, t: t if t > 0.0 else 2.0 * t, "greater"),
        (lambda x, t: np.max(np.stack([t, 2.0 * t])), "max"),
        (lambda x, t: np.stack([t, t]) @ np.stack([t, x]), "matmul"),
        (lambda x, t: np.linalg.solve(np.eye(2) * t, np.stack([x, x]))[0], "solve"),
        (lambda x, t: np.linalg.eigvalsh(np.eye(2) * t)[0], "eigvalsh"),
        (lambda x, t: np.linalg.eigh(np.eye(2) * t)[0][1], "eigh_factors"),
        (lambda x, t: np.linalg.svd(np.eye(2) * t)[1][0], "svd_factors"),
        (lambda x, t: np.linalg.cholesky(np.eye(2) * t)[0, 0], "cholesky_lower"),
        (lambda x, t: np.linalg.qr(np.eye(2) * t)[1][0, 0], "qr_factors"),
        (lambda x, t: np.linalg.pinv(np.eye(2) * t)[0, 0], "pseudo_inverse"),
        (lambda x, t: np.linalg.slogdet(np.eye(2) * t)[1], "sign_and_log_det"),
        (lambda x, t: np.modf(t)[0], "fraction"),
        (lambda x, t: t % 0.75, "remainder"),
        (lambda x, t: np.fmod(t, 0.75), "fmod"),
        (lambda x, t: np.median(np.stack([t, x, 2.0 * t])), "sort"),
        (lambda x, t: np.array([x, x * x])[np.argmax(np.stack([t, -t]))], "argmax"),
        (lambda x, t: np.stack([t]).astype(int)[0] * x, "cast"),
        (lambda x, t: float(int(t)) * x, "cast"),
        (lambda x, t: np.round(t, 1) * x, "rint"),
        (lambda x, t: cubed(t), "multiply"),
        (lambda x, t: to_the(2, t), "multiply"),
    ],
)
def test_tangents_that_are_not_linear(tangent, operator):
    f = not_linear(tangent)
    with pytest.raises(NonDifferentiableError, match=rf"AG0524.*applies '{operator}'") as raised:
        ag.grad(f)(3.0)
    lines = [g.__code__.co_firstlineno for g in (tangent, cubed.__wrapped__)]
    assert raised.value.location.line in (*lines, to_the.__code__.co_firstlineno + 3)
    assert ag.jvp(f, (3.0,), (1.0,))[1] == pytest.approx(tangent(3.0, 1.0))


@pytest.mark.parametrize(
    "tangent",
    [
        lambda x, t: -(t * x) + t / x - 2.0 * t,
        lambda x, t: np.where(x > 0.0, t, 0.0),
        lambda x, t: t if x > 0.0 else 2.0 * t,
        lambda x, t: np.sum(np.outer(np.array([1.0, x]), np.stack([t, t]))),
        lambda x, t: np.linalg.solve(np.eye(2) * x, np.stack([t, t]))[0],
        lambda x, t: ag.stop_gradient(x) * t,
        lambda x, t: np.sum(np.zeros(len(np.stack([t, t]))) + t),
        lambda x, t: np.degrees(t) + np.ldexp(t, 2) + 2.0 * +t,
        lambda x, t: doubled(t),
        lambda x, t: multiplied(3, t),
        lambda x, t: np.choose(1, [x * t, t])[()],
    ],
)
def test_tangents_that_are_linear(tangent):
    f = not_linear(tangent)
    assert ag.grad(f)(3.0) == pytest.approx(tangent(3.0, 1.0))


@pytest.mark.parametrize("mode", [ag.grad, lambda f: lambda x: ag.jvp(f, (x,), (1.0,))])
@pytest.mark.parametrize(
    "tangent",
    [
        lambda x, t: t + 1,
        lambda x, t: np.cos(x) - 2.0 * t,
        lambda x, t: 1.0,
        lambda x, t: np.cos(x),
        lambda x, t: np.where(x > 0.0, t, x),
        lambda x, t: np.sum(np.stack([t, x])),
        lambda x, t: 3.0 * (t + x) / 2.0,
    ],
)
def test_tangents_with_an_offset(tangent, mode):
    with pytest.raises(NonDifferentiableError, match=r"AG0527.*not zero where") as raised:
        mode(not_linear(tangent))(3.0)
    assert raised.value.location.line in (
        tangent.__code__.co_firstlineno,
        not_linear.__code__.co_firstlineno + 2,
        raised.value.others[0][1].line,
    )


@pytest.mark.parametrize(
    "tangent",
    [
        lambda x, t: 0.0,
        lambda x, t: np.zeros_like(x),
        lambda x, t: t + 0.0 * x,
        lambda x, t: t + x - x,
        lambda x, t: t if x > 0.0 else 0.0,
        lambda x, t: np.sum(np.stack([t, 0.0])),
    ],
)
def test_tangents_without_an_offset(tangent):
    expected = pytest.approx(tangent(3.0, 1.0))
    assert ag.grad(not_linear(tangent))(3.0) == expected
    assert ag.jvp(not_linear(tangent), (3.0,), (1.0,))[1] == expected


def test_by_what_it_refers_to_it_has_no_derivative():
    def through_closure(x):
        f = ag.custom_jvp(lambda y: x * y)
        f.defjvp(lambda p, t: (f(*p), t[0]))
        return f(2.0)

    for mode in MODES.values():
        with pytest.raises(NonDifferentiableError, match=r"AG0522.*depends on 'x"):
            mode(through_closure)(3.0)
