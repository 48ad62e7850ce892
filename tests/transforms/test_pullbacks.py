"""`vjp`, called eagerly and inside of compiled functions: results, cotangents, what it keeps."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import (
    MutationError,
    NonDifferentiableError,
    TangentError,
    UnsupportedFunctionError,
)
from ops.core.registry import Custom
from tests.support.oracle import assert_same
from tests.transforms.programs import factorial_like, newton_sqrt

X = np.array([0.5, -1.2, 2.0])


def rows(x):
    total = np.zeros(3)
    for i in range(3):
        total = total + np.sin(x[i]) * x
    return total


def nested(params, scale, n):
    w, (b, c) = params["w"], params["rest"]
    y = w * b * scale
    return [y, {"n": n, "s": np.sum(y) * c}], "text"


PARAMS = {"w": X, "rest": (2.0, np.float32(1.5))}


@pytest.mark.parametrize(
    ("function", "x", "slope"),
    [
        (newton_sqrt, 2.0, 0.5 / np.sqrt(2.0)),
        (factorial_like, 4.5, 82.3125),
        (lambda x: x * x, 3.0, 6.0),
        (lambda x: x, 3.0, 1.0),
        (lambda x: 5.0, 3.0, 0.0),
        (lambda x: 5, 3.0, None),
    ],
)
def test_scalar_functions(function, x, slope):
    out, pull = ag.vjp(function, x)
    assert out == pytest.approx(function(x))
    if slope is None:
        assert pull(None) == (0.0,)
        return
    for ct in (1.0, 2.0, -1):  # as often as one likes
        (found,) = pull(ct)
        assert type(found) is float and found == pytest.approx(ct * slope)
    assert pull(None) == (0.0,)


def test_nested_arguments_and_results():
    out, pull = ag.vjp(nested, PARAMS, 1.5, 3)
    assert_same(out, nested(PARAMS, 1.5, 3), "out")
    ct = np.array([1.0, 2.0, 3.0])
    params, scale, n = pull(([ct, {"n": None, "s": 10.0}], None))
    full = ct + 10.0 * 1.5
    expected = {
        "w": full * 2.0 * 1.5,
        "rest": (float(np.sum(full * X * 1.5)), np.float32(10.0 * np.sum(X * 2.0 * 1.5))),
    }
    assert_same(params, expected, "params")
    assert scale == pytest.approx(np.sum(full * X * 2.0)) and n is None


def test_the_same_inside_of_a_compiled_function():
    @ag.to_graph
    def f(params, scale, n, ct):
        out, pull = ag.vjp(nested, params, scale, n)
        return (
            out,
            pull(([ct, {"n": None, "s": 10.0}], None)),
            pull(([None, {"n": None, "s": 1}], None)),
        )

    ct = np.array([1.0, 2.0, 3.0])
    found = f(PARAMS, 1.5, 3, ct)
    out, pull = ag.vjp(nested, PARAMS, 1.5, 3)
    expected = (
        out,
        pull(([ct, {"n": None, "s": 10.0}], None)),
        pull(([None, {"n": None, "s": 1}], None)),
    )
    assert_same(found, expected, "all")


def test_one_array_twice_in_the_result():
    _, pull = ag.vjp(lambda x: (lambda y: (y, y))(x * x), X)
    assert_same(pull((np.ones(3), 2 * np.ones(3))), (6 * X,), "gradient")


def test_aux():
    out, pull, aux = ag.vjp(lambda x: (x * x, [x, "aux"]), 3.0, has_aux=True)
    assert (out, pull(1.0), aux) == (9.0, (6.0,), [3.0, "aux"])


def test_integers_and_other_arguments():
    out, pull = ag.vjp(lambda x, n, i, s: x[i] * n, X, 2, np.array([0, 2]), "text")
    assert_same(out, X[[0, 2]] * 2, "out")
    assert_same(pull(np.ones(2)), (np.array([2.0, 0.0, 2.0]), None, None, None), "gradients")


def test_results_without_a_derivative():
    out, pull = ag.vjp(lambda x, n: (x > 0.0, n), X, 2)
    assert out[1] == 2
    assert_same(pull((None, None)), (np.zeros(3), None), "gradients")
    float0 = np.zeros(3, [("float0", np.void, 0)])
    assert_same(pull((float0, None)), (np.zeros(3), None), "gradients")


def test_dtypes_are_those_of_the_arguments():
    x, y = X.astype(np.float32), np.float64(2.0)
    out, pull = ag.vjp(lambda x, y, z: x * y * z, x, y, 3.0)
    assert out.dtype == np.float64
    a, b, c = pull(np.ones(3))
    assert (a.dtype, type(b), type(c)) == (np.float32, np.float64, float)


@pytest.mark.parametrize("function", [lambda x: np.exp(x) * K, lambda x: np.exp(x) @ M, rows])
def test_nothing_that_is_changed_afterwards_changes_the_pullback(function):
    x = X.copy()
    out, pull = ag.vjp(function, x)
    (before,) = pull(np.ones(3))
    kept = before.copy()
    out[:] = 7.0
    x[:] = 9.0
    saved = K.copy(), M.copy()
    K[:], M[:] = 5.0, 5.0
    before[:] = 3.0
    (after,) = pull(np.ones(3))
    K[:], M[:] = saved
    assert_same(after, kept, "gradient")


K, M = np.array([1.0, 2.0, 3.0]), np.eye(3) + 1.0


def test_gradients_are_new_arrays():
    ct = np.ones(3)
    _, pull = ag.vjp(lambda x, y: x + y, X, X)
    a, b = pull(ct)
    assert a.flags.writeable and b.flags.writeable
    for p, q in [(a, b), (a, ct), (b, ct), (a, X), (b, X)]:
        assert not np.shares_memory(p, q)


def test_arguments_of_length_zero():
    out, pull = ag.vjp(lambda x: np.sum(x * x), np.zeros(0))
    assert out == 0.0 and pull(1.0)[0].shape == (0,)


def test_no_argument_and_no_result():
    assert ag.vjp(lambda: 2.0)[1](1.0) == ()
    out, pull = ag.vjp(lambda x: (), 2.0)
    assert out == () and pull(()) == (0.0,)


def test_a_result_that_may_be_none():
    f = lambda x: x * x if x > 0.0 else None
    out, pull = ag.vjp(f, 3.0)
    assert (out, pull(1.0)) == (9.0, (6.0,))
    out, pull = ag.vjp(f, -3.0)
    assert (out, pull(None)) == (None, (0.0,))


def test_a_list_of_unknown_length_is_refused_but_in_a_compiled_function():
    def f(x):
        ys = []
        while x > 1.0:
            ys.append(x * x)
            x = x / 2.0
        return ys

    with pytest.raises(UnsupportedFunctionError, match="AG0508"):
        ag.vjp(f, 6.0)

    def slope(x):
        ys, pull = ag.vjp(f, x)
        return pull([2.0 * y for y in ys])[0]

    assert ag.to_graph(slope)(6.0) == pytest.approx(2 * (36 * 12 + 9 * 3 + 2.25 * 0.75))


@pytest.mark.parametrize(
    ("ct", "message"),
    [
        (1.0j, "complex, but it belongs to result, float"),
        (np.ones(2), r"f64\[2\], but it belongs to result, float"),
        ((1.0,), "tuple, but it belongs to result, float"),
        ("x", "str"),
    ],
)
def test_cotangents_that_do_not_fit(ct, message):
    _, pull = ag.vjp(newton_sqrt, 2.0)
    with pytest.raises(TangentError, match=message):
        pull(ct)
    with pytest.raises(TangentError, match=message):
        ag.to_graph(lambda x: ag.vjp(newton_sqrt, x)[1](ct))(2.0)


def test_cotangents_nested_otherwise():
    _, pull = ag.vjp(lambda x: (x, [x]), 2.0)
    with pytest.raises(TangentError, match="not nested"):
        pull((1.0, (1.0,)))


def test_a_pullback_inside_of_another_compiled_function():
    _, pull = ag.vjp(lambda x: np.sin(x) * x, X)
    found = ag.to_graph(lambda ct: pull(ct * 2.0)[0])(np.ones(3))
    assert_same(found, pull(np.full(3, 2.0))[0], "gradient")
    _, pull = ag.vjp(newton_sqrt, 2.0)  # which holds what a loop has left
    assert ag.to_graph(lambda ct: pull(ct)[0])(1.0) == pull(1.0)[0]
    assert ag.grad(lambda ct: pull(ct)[0])(1.0) == pull(1.0)[0]


def relaxed(x):
    while np.sum(x) > 1.0:
        x = 0.5 * np.sin(x) if x[0] > 0.3 else 0.7 * x
    return x * x


def test_a_jacobian_by_a_batched_pullback():
    _, pull = ag.vjp(relaxed, X)
    assert_same(ag.vmap(pull)(np.eye(3))[0], ag.jacrev(relaxed)(X), "Jacobian")
    _, push = ag.linearize(relaxed, X)
    assert_same(ag.vmap(push, out_axes=-1)(np.eye(3)), ag.jacfwd(relaxed)(X), "Jacobian")


def test_the_forward_pass_runs_once(capsys):
    def f(x):
        print("once")
        return x * x

    _, pull = ag.vjp(f, 3.0)
    assert pull(1.0) == (6.0,) and pull(2.0) == (12.0,)
    assert capsys.readouterr().out == "once\n"


def test_it_is_compiled_once_for_all_calls(caplog):
    f = lambda x: x * x * x
    with caplog.at_level("INFO", logger="autograph"):
        for x in (1.0, 2.0, 3.0):
            assert ag.vjp(f, x)[1](1.0) == (3 * x * x,)
    assert sum("compiled" in record.message for record in caplog.records) == 1


def test_derivatives_of_a_pullback():
    def slope(x):
        return ag.vjp(newton_sqrt, x)[1](1.0)[0]

    ag.check_grads(slope, (2.0,), order=2)
    ag.check_grads(lambda x, ct: ag.vjp(rows, x)[1](ct), (X, X[::-1].copy()), order=1)


def test_arguments_changed_in_place():
    def f(x):
        x[0] = 1.0
        return x

    with pytest.raises(MutationError, match="copy"):
        ag.vjp(f, X)


def test_an_error_while_the_backward_pass_runs():
    vjp = lambda cts, args, outs: (ops.divide(cts[0], ops.subtract(args[0], args[0])),)
    risky = Custom("risky_in_reverse", lambda x: (x,), "{0} * 1", vjp=vjp)
    _, pull = ag.vjp(lambda x: risky(x), 2.0)
    with pytest.raises(ZeroDivisionError) as caught:
        pull(1.0)
    if hasattr(caught.value, "__notes__"):
        assert "AG0601" in caught.value.__notes__[0] and __file__ in caught.value.__notes__[0]


class Point:
    def __init__(self, x):
        self.x = x


def test_objects_with_attributes():
    out, pull = ag.vjp(lambda p, x: p.x * x, Point(2.0), 3.0)
    of_point, of_number = pull(1.0)
    assert (out, of_point.x, of_number) == (6.0, 3.0, 2.0)
    p = Point(2.0)
    assert ag.vjp(lambda x: (p, x), 3.0)[1]((None, 1.0)) == (1.0,)
    out, pull = ag.vjp(lambda x: [Point(x * x)], 3.0)
    assert (out[0].x, pull([Point(1.0)])) == (9.0, (6.0,))


def test_the_derivative_of_a_function_in_itself():
    def f(x):
        if x < 1.0:
            return x * x
        _, pull = ag.vjp(f, x - 1.0)
        return pull(x)[0]

    with pytest.raises(NonDifferentiableError, match="AG0511"):
        ag.to_graph(f)(2.5)


def test_deep_recursion():
    _, pull = ag.vjp(factorial_like, 3000.5)
    assert np.isinf(pull(1.0)[0])
