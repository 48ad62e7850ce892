"""What rules of custom derivatives may return, and what is refused; with the place of the rule."""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import CustomRuleError, UnsupportedFunctionError
from tests.support.oracle import assert_same

X = np.array([0.5, -1.2, 2.0])


def with_backward(backward, function=lambda x: x * 2.0, residuals=lambda *args: args):
    f = ag.custom_vjp(function)
    f.defvjp(lambda *args: (f(*args), residuals(*args)), backward)
    return f


def with_forward(forward, function=lambda x: x * 2.0):
    f = ag.custom_vjp(function)
    f.defvjp(forward, lambda residuals, ct: (ct,))
    return f


def with_rule(rule, function=lambda x: x * 2.0):
    f = ag.custom_jvp(function)
    f.defjvp(rule)
    return f


def refused(message, rule, derivative, *args):
    """Check that the error names the mistake and where the rule is defined."""
    with pytest.raises(CustomRuleError, match=message) as raised:
        derivative(*args)
    error = raised.value
    assert error.id == "AG0521" and error.fix
    assert (error.location.file, error.location.line) == (__file__, rule.__code__.co_firstlineno)
    assert isinstance(error, TypeError) and isinstance(error, ValueError)


# -- backward rules --------------------------------------------------------------------------------

ONE = lambda x: x * 2.0
TWO = lambda x, y: x * y


@pytest.mark.parametrize(
    ("function", "rule", "message"),
    [
        (ONE, lambda r, ct: ct, r"returns float, not a tuple with one for each argument: 1"),
        (ONE, lambda r, ct: None, r"returns a NoneType, not a tuple"),
        (ONE, lambda r, ct: {"x": ct}, r"returns a dict, not a tuple"),
        (ONE, lambda r, ct: (ct, ct), r"returns 2 cotangents, not a tuple with .*: 1"),
        (TWO, lambda r, ct: (ct,), r"returns 1 cotangents, not a tuple with .*: 2"),
        (TWO, lambda r, ct: (), r"returns 0 cotangents"),
        (ONE, lambda r, ct: ((ct,),), r"cotangent of argument 0 that is not nested as it has to"),
        (
            ONE,
            lambda r, ct: ("x",),
            r"returns a str as the cotangent of argument 0, which is float",
        ),
        (ONE, lambda r, ct: (1j * ct,), r"returns complex as the cotangent of argument 0"),
        (ONE, lambda r, ct: (np.float32(ct),), r"returns f32\[\] as the cotangent of argument 0"),
        (TWO, lambda r, ct: (ct, np.ones(2) * ct), r"f64\[2\] as the cotangent of argument 1"),
    ],
)
def test_backward_rules(function, rule, message):
    f = with_backward(rule, function)
    wanted = tuple(range(function.__code__.co_argcount))
    arguments = (2.0, 3.0)[: len(wanted)]
    refused(message, rule, ag.grad(f, argnums=wanted), *arguments)
    refused(message, rule, ag.grad(lambda *args: np.sum(f(*args)), argnums=wanted), *arguments)
    refused(message, rule, lambda: ag.vjp(f, *arguments)[1](1.0))
    f(*arguments)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda r, ct: (np.sum(ct),), r"f32\[\] as the cotangent of argument 0, which is f32\[3\]"),
        (lambda r, ct: (np.ones(3) * ct,), r"f64\[3\] as the cotangent of argument 0"),
        (lambda r, ct: (ct[:2],), r"f32\[2\] as the cotangent of argument 0, which is f32\[3\]"),
        (lambda r, ct: (ct[None],), r"f32\[1,3\] as the cotangent"),
        (lambda r, ct: ([ct],), r"not nested as it has to be"),
        (lambda r, ct: (0.0,), r"float as the cotangent of argument 0"),
    ],
)
def test_backward_rules_of_arrays(rule, message):
    f = with_backward(rule)
    refused(message, rule, ag.grad(lambda x: np.sum(f(x))), np.float32(X))


def test_cotangents_of_nested_arguments():
    function = lambda d, n: d["a"] * d["b"] * n
    wrong = {
        r"argument 0 that is not nested": lambda r, ct: ({"a": ct}, None),
        r"returns float as the cotangent of argument 1, which is int, which has no": (
            lambda r, ct: ({"a": ct, "b": ct}, ct)
        ),
        r"returns a tuple as the|argument 0 that is not nested": lambda r, ct: ((ct, ct), None),
        r"f64\[2\] as the cotangent of argument 0, in it of float": (
            lambda r, ct: ({"a": ct, "b": np.ones(2)}, None)
        ),
    }
    for message, rule in wrong.items():
        f = with_backward(rule, function)
        refused(message, rule, ag.grad(f), {"a": 2.0, "b": 3.0}, 2)
    right = lambda r, ct: ({"b": ct, "a": None}, None)
    f = with_backward(right, function)
    assert ag.grad(f)({"a": 2.0, "b": 3.0}, 2) == {"a": 0.0, "b": 1.0}


def test_arguments_apart_are_not_counted():
    rule = lambda n, r, ct: (ct, None)
    f = ag.custom_vjp(lambda x, n: x * n, nondiff_argnums=(1,))
    f.defvjp(lambda x, n: (f(x, n), None), rule)
    message = r"2 cotangents, .* each argument that is not in nondiff_argnums: 1"
    refused(message, rule, ag.grad(f), 2.0, 3)


def test_lists_and_named_tuples_are_taken_for_tuples():
    assert ag.grad(with_backward(lambda r, ct: [5.0 * ct]))(1.0) == 5.0


def test_python_numbers_fit_scalars_and_dtypes():
    assert ag.grad(with_backward(lambda r, ct: (7,)))(1.0) == 7.0
    f = with_backward(lambda r, ct: (ct * 2 + 1,))
    assert_same(ag.grad(lambda x: np.sum(f(x)))(np.float32(X)), np.full(3, 3, np.float32), "")


# -- forward rules ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda x: x * 2.0, r"the forward rule returns f64\[3\], not a pair"),
        (lambda x: (x * 2.0, x, x), r"returns a tuple of 3, not a pair"),
        (lambda x: None, r"returns a NoneType, not a pair"),
        (lambda x: (np.sum(x), x), r"returns f64\[\] where the function returns f64\[3\]"),
        (lambda x: (np.float32(x), x), r"returns f32\[3\] where the function returns f64\[3\]"),
        (lambda x: ((x, x), x), r"returns a result that is not nested as it has to be"),
        (lambda x: (None, x), r"returns a NoneType where the function returns f64\[3\]"),
        (lambda x: ("text", x), r"returns a str where the function returns f64\[3\]"),
    ],
)
def test_forward_rules(rule, message):
    f = with_forward(rule)
    refused(message, rule, ag.grad(lambda x: np.sum(f(x))), X)


def test_forward_rules_of_nested_results():
    function = lambda x: {"y": x * 2.0, "n": 3, "t": "text"}
    wrong = {
        r"not nested as it has to be": lambda x: ({"y": x}, x),
        r"returns float where the function returns int": (
            lambda x: ({"y": x, "n": 3.0, "t": "text"}, x)
        ),
        r"returns int where the function returns something else": (
            lambda x: ({"y": x, "n": 3, "t": 3}, x)
        ),
    }
    for message, rule in wrong.items():
        f = with_forward(rule, function)
        refused(message, rule, ag.grad(lambda x: f(x)["y"]), 2.0)


# -- rules of custom_jvp ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda p, t: t[0], r"the rule returns f64\[3\], not a pair"),
        (lambda p, t: (p[0], t[0], 1), r"returns a tuple of 3, not a pair"),
        (lambda p, t: (np.sum(p[0]), t[0]), r"f64\[\] where the function returns f64\[3\]"),
        (lambda p, t: (p, t[0]), r"returns a result that is not nested"),
        (lambda p, t: (p[0], np.sum(t[0])), r"f64\[\] as the tangent of f64\[3\]"),
        (lambda p, t: (p[0], np.float32(t[0])), r"f32\[3\] as the tangent of f64\[3\]"),
        (lambda p, t: (p[0], t), r"returns a tangent that is not nested"),
        (lambda p, t: (p[0], "text"), r"a str as the tangent of f64\[3\]"),
    ],
)
def test_jvp_rules(rule, message):
    f = with_rule(rule)
    refused(message, rule, lambda: ag.jvp(f, (X,), (X,)))
    refused(message, rule, ag.grad(lambda x: np.sum(f(x))), X)


def test_tangents_of_integers():
    rule = lambda p, t: ((p[0], 2), (t[0], t[0]))
    f = with_rule(rule, lambda x: (x, 2))
    refused(r"as the tangent of int, which has no derivative", rule, lambda: ag.jvp(f, (X,), (X,)))


# -- arguments and results -------------------------------------------------------------------------


def test_positions_that_are_not_there():
    f = ag.custom_vjp(lambda x: x, nondiff_argnums=(1,))
    f.defvjp(lambda x: (x, None), lambda r, ct: (ct,))
    with pytest.raises(CustomRuleError, match=r"AG0525.*names argument 1, but .* 1 arguments"):
        ag.grad(f)(2.0)
    assert f(2.0) == 2.0


def test_arguments_that_do_not_fit_the_function():
    f = ag.custom_vjp(lambda x: x)
    f.defvjp(lambda x: (x, None), lambda r, ct: (ct,))
    with pytest.raises(TypeError, match=r"too many positional arguments|takes 1 positional"):
        ag.grad(lambda x: f(x, 2.0))(2.0)


class Box:
    def __init__(self, content):
        self.content = content


def test_results_of_which_only_the_run_knows_what_they_are():
    maybe = ag.custom_vjp(lambda x: x * 2.0 if x > 0.0 else None)
    maybe.defvjp(lambda x: (maybe(x), None), lambda r, ct: (ct,))
    assert ag.to_graph(maybe)(2.0) == maybe(2.0)
    with pytest.raises(UnsupportedFunctionError, match="AG0526"):
        ag.grad(maybe)(2.0)


def test_objects_in_rules():
    """A rule has an object's cotangents and tangents in an object of its class."""
    boxed = ag.custom_vjp(lambda x: Box(x))
    boxed.defvjp(lambda x: (boxed(x), None), lambda r, ct: (3.0 * ct.content,))
    assert ag.grad(lambda x: boxed(x * x).content)(2.0) == 12.0
    scaled = ag.custom_vjp(lambda box, x: box.content * x)
    scaled.defvjp(
        lambda box, x: (scaled(box, x), (box, x)),
        lambda r, ct: (Box(5.0 * ct * r[1]), ct * r[0].content),
    )
    found = ag.grad(lambda box, x: scaled(box, x), argnums=(0, 1))(Box(2.0), 3.0)
    assert (found[0].content, found[1]) == (15.0, 2.0)
    pushed = ag.custom_jvp(lambda box: box.content**2)
    pushed.defjvp(lambda p, t: (pushed(*p), 7.0 * p[0].content * t[0].content))
    assert ag.grad(pushed)(Box(2.0)).content == 14.0


def test_residuals_of_any_kind():
    """What the backward rule is given is what the forward rule left: lists of unknown length, None
    on some paths, objects, functions."""

    @functools.partial(ag.custom_vjp)
    def f(x):
        return x * x

    def forward(x):
        trips, n = [], 0
        while n < x:
            trips.append(x * n)
            n = n + 1
        maybe = x if x > 2.0 else None
        return f(x), (trips, maybe, Box(x * 3.0), np.cos, "text", X)

    def backward(residuals, ct):
        trips, maybe, box, function, text, array = residuals
        assert text == "text"
        total = ct * function(0.0) * (box.content + array[2])
        for trip in trips:
            total = total + trip
        if maybe is not None:
            total = total + 100.0 * maybe
        return (total,)

    f.defvjp(forward, backward)
    assert ag.grad(f)(3.0) == 9.0 + 2.0 + (0.0 + 3.0 + 6.0) + 300.0
    assert ag.grad(f)(2.0) == 6.0 + 2.0 + (0.0 + 2.0)
    assert ag.grad(ag.grad(f))(3.0) == 3.0 + 3.0 + 100.0


@pytest.mark.parametrize("used", [True, False])
def test_functions_as_residuals(used):
    """The pullback of a `vjp`, and a function that refers to what the forward rule computed."""
    f = ag.custom_vjp(lambda x, y: np.sin(x) * y)

    def forward(x, y):
        out, pull = ag.vjp(lambda x, y: np.sin(x) * y, x, y)
        twice = 2.0 * out
        return out, (pull, lambda ct: ct * twice)

    def backward(residuals, ct):
        pull, scaled = residuals
        x_bar, y_bar = pull(ct)
        return x_bar + scaled(ct), 10.0 * y_bar

    f.defvjp(forward, backward)
    g = f if used else lambda x, y: f(x, y) + 0.0 * ag.stop_gradient(f(2.0 * x, y))

    def slopes(x, y):
        return np.cos(x) * y + 2.0 * np.sin(x) * y, 10.0 * np.sin(x)

    assert ag.grad(g, argnums=(0, 1))(0.7, 2.0) == pytest.approx(slopes(0.7, 2.0))
    second = -np.sin(0.7) * 2.0 + 2.0 * np.cos(0.7) * 2.0
    assert ag.grad(ag.grad(g))(0.7, 2.0) == pytest.approx(second)
    total = lambda x: np.sum(ag.vmap(g, in_axes=(0, None))(x, 2.0))
    assert_same(ag.grad(total)(X), slopes(X, 2.0)[0], "gradient of lanes")


def test_what_may_be_none_is_passed_on_as_such():
    def given(y, maybe):
        return y if maybe is None else y * maybe

    def f(x):
        maybe = x if x > 2.0 else None
        return ag.grad(given)(x, maybe)

    assert ag.to_graph(f)(3.0) == 3.0
    assert ag.to_graph(f)(1.0) == 1.0
