"""What `jvp` takes and gives: nested arguments, integers, dtypes, aux, methods, errors."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import NonDifferentiableError, NonScalarOutputError, TangentError
from ops.core.registry import Custom
from tests.support.oracle import assert_same

X = np.array([0.5, -1.2, 2.0])
FLOAT0 = np.dtype([("float0", np.void, 0)])


def test_nested_arguments_and_results():
    def f(params, scale):
        w, (b, c) = params["w"], params["rest"]
        y = w * b * scale
        return [y, {"n": c, "s": np.sum(y)}], "text"

    params = {"w": X, "rest": (2.0, 3)}
    moves = {"w": np.ones(3), "rest": (0.5, None)}
    out, tangent = ag.jvp(f, (params, 1.5), (moves, None))
    assert_same(out, f(params, 1.5), "out")
    y_dot = (np.ones(3) * 2.0 + X * 0.5) * 1.5
    assert_same(tangent, ([y_dot, {"n": None, "s": np.sum(y_dot)}], None), "tangent")


def test_the_order_of_a_dict_does_not_matter():
    f = lambda d: d["a"] * d["b"]
    assert ag.jvp(f, ({"b": 2.0, "a": 3.0},), ({"a": 1.0, "b": 10.0},)) == (6.0, 32.0)


def test_lists_of_converted_code():
    @ag.to_graph
    def f(x):
        (value, slopes) = ag.jvp(lambda p: [p[0] * p[1], p[1]], ([x, 2.0],), ([1.0, x],))
        return value, slopes

    assert f(3.0) == ([6.0, 2.0], [2.0 + 9.0, 3.0])


@pytest.mark.parametrize("zero", [None, np.zeros((), FLOAT0)])
def test_integers_have_no_tangents(zero):
    out, tangent = ag.jvp(lambda x, n: (x * n, n + 1), (2.0, 3), (1.0, zero))
    assert (out, tangent) == ((6.0, 4), (3.0, None))


def test_arrays_of_integers_and_booleans():
    out, tangent = ag.jvp(
        lambda x, i, m: np.where(m, x[i], 0.0),
        (X, np.array([2, 0]), np.array([True, False])),
        (X, None, None),
    )
    assert_same((out, tangent), (np.array([2.0, 0.0]), np.array([2.0, 0.0])), "both")


def test_no_tangent_at_all():
    out, tangent = ag.jvp(lambda x, n: (x * x, n), (X, 3), (None, None))
    assert_same((out, tangent), ((X * X, 3), (np.zeros(3), None)), "both")


def test_results_that_do_not_depend_on_the_arguments():
    k = np.array([1.0, 2.0])
    out, tangent = ag.jvp(lambda x: (k, 2.0, 5, None, k * 2), (1.0,), (1.0,))
    assert out[0] is k
    assert_same(tangent, (np.zeros(2), 0.0, None, None, np.zeros(2)), "tangent")


def test_results_that_are_arguments():
    t = np.ones(3)
    out, tangent = ag.jvp(lambda x: (x, x[1:], x), (X,), (t,))
    assert_same(tangent, (t, t[1:], t), "tangent")
    arrays = [*tangent, t]
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])


def test_a_result_that_may_be_none():
    f = lambda x: x * x if x > 0.0 else None
    assert ag.jvp(f, (3.0,), (1.0,)) == (9.0, 6.0)
    assert ag.jvp(f, (-3.0,), (1.0,)) == (None, None)


def test_a_tuple_that_may_be_none():
    f = lambda x: (x * x, x) if x > 0.0 else None
    assert ag.jvp(f, (3.0,), (1.0,)) == ((9.0, 3.0), (6.0, 1.0))
    assert ag.jvp(f, (-3.0,), (1.0,)) == (None, None)


def test_a_list_of_unknown_length():
    def f(x):
        ys = []
        while x > 1.0:
            ys.append((x * x, 1))
            x = x / 2.0
        return ys

    assert ag.jvp(f, (6.0,), (1.0,)) == (
        [(36.0, 1), (9.0, 1), (2.25, 1)],
        [(12.0, 0), (3.0, 0), (0.75, 0)],
    )


def test_aux():
    f = lambda x: (x * x, {"double": x * 2, "name": "f"})
    assert ag.jvp(f, (3.0,), (1.0,), has_aux=True) == (9.0, 6.0, {"double": 6.0, "name": "f"})
    with pytest.raises(NonScalarOutputError, match="AG0502"):
        ag.jvp(lambda x: x, (3.0,), (1.0,), has_aux=True)


def test_python_numbers_fit_any_dtype_of_their_kind():
    _, tangent = ag.jvp(lambda x: x * 2, (2.0,), (np.float32(1.0),))
    assert type(tangent) is float
    _, tangent = ag.jvp(lambda x: x * 2, (np.float32(2.0),), (1,))
    assert type(tangent) is np.float32
    _, tangent = ag.jvp(lambda x: x * 2, (2.0j,), (1,))
    assert tangent == 2.0 and type(tangent) is complex


@pytest.mark.parametrize(
    ("primals", "tangents", "message"),
    [
        ((X,), (np.ones(2),), r"f64\[2\], but it belongs to args\[0\], f64\[3\]"),
        ((X,), (1.0,), r"float, but it belongs to args\[0\], f64\[3\]"),
        ((X,), (X.astype(np.float32),), r"f32\[3\], but it belongs to args\[0\], f64\[3\]"),
        ((X,), (np.ones(3, int),), r"i64\[3\], but it belongs to args\[0\], f64\[3\]"),
        ((2.0,), (1.0j,), r"complex, but it belongs to args\[0\], float"),
        ((2.0,), ("x",), r"a str, but it belongs to args\[0\], float"),
        ((2,), (1,), r"int, but it belongs to args\[0\], int, which has no derivative"),
        (("x",), (1.0,), "no array or number"),
        ((2.0,), (1.0, 1.0), "not nested"),
        (({"a": 2.0},), ({"b": 2.0},), "not nested"),
        (((2.0, 3.0),), ([2.0, 3.0],), "not nested"),
        (2.0, (1.0,), "primals as a tuple or list"),
        ((2.0,), np.ones(1), "tangents as a tuple or list"),
    ],
)
def test_tangents_that_do_not_fit(primals, tangents, message):
    with pytest.raises(TangentError, match=message) as caught:
        ag.jvp(lambda *args: args, primals, tangents)
    assert isinstance(caught.value, (TypeError, ValueError)) and caught.value.id == "AG0506"


def test_arguments_changed_in_place():
    def f(x):
        x[0] = 1.0
        return x

    with pytest.raises(ag.errors.MutationError, match="copy"):
        ag.jvp(f, (X,), (X,))


def test_a_custom_operator_without_a_rule():
    tripled = Custom(
        "tripled", lambda x: (x,), "{0} * 3", vjp=lambda cts, args, outs: (3 * cts[0],)
    )
    with pytest.raises(NonDifferentiableError, match=r"AG0505.*no derivative in forward mode"):
        ag.jvp(lambda x: tripled(x), (1.0,), (1.0,))
    assert ag.grad(lambda x: tripled(x))(1.0) == 3.0


def test_methods_and_compiled_functions():
    class Model:
        def __init__(self, w):
            self.w = w

        def apply(self, x):
            return self.w * x * x

    model = Model(3.0)
    assert ag.jvp(model.apply, (2.0,), (1.0,)) == (12.0, 12.0)
    model.w = 5.0
    assert ag.jvp(model.apply, (2.0,), (1.0,)) == (20.0, 20.0)
    f = ag.to_graph(lambda x: x * x)
    assert ag.jvp(f, (2.0,), (1.0,)) == (4.0, 4.0)


def test_it_is_compiled_once_for_all_calls(caplog):
    f = lambda x: x * x
    with caplog.at_level("INFO", logger="autograph"):
        for x in (1.0, 2.0, 3.0):
            ag.jvp(f, (x,), (1.0,))
    assert sum("compiled" in record.message for record in caplog.records) == 1


def test_the_derivative_of_a_method_is_compiled_once(caplog):
    class Model:
        def apply(self, x):
            return x * x

    model = Model()
    with caplog.at_level("INFO", logger="autograph"):
        for x in (1.0, 2.0, 3.0):
            assert ag.jvp(model.apply, (x,), (1.0,)) == (x * x, 2 * x)
    assert sum("compiled" in record.message for record in caplog.records) == 1


def test_it_sees_what_changes_outside():
    values = {"k": 2.0}
    f = lambda x: x * x * values["k"]
    assert ag.jvp(f, (1.0,), (1.0,)) == (2.0, 4.0)
    values["k"] = 5.0
    assert ag.jvp(f, (1.0,), (1.0,)) == (5.0, 10.0)


def test_closures_over_traced_values():
    @ag.to_graph
    def f(x, y):
        _, slope = ag.jvp(lambda v: v * v * y, (x,), (1.0,))
        return slope

    assert f(2.0, 3.0) == 12.0
    assert ag.grad(f, argnums=(0, 1))(2.0, 3.0) == (6.0, 4.0)


@pytest.mark.filterwarnings("ignore")
def test_powers_of_python_numbers_at_zero():
    """The derivative is infinite, as that of the square root; it raises nothing."""
    for root in (lambda x: x**0.5, lambda x: np.sqrt(x)):
        assert ag.jvp(root, (0.0,), (1.0,)) == (0.0, np.inf)
        assert ag.grad(root)(0.0) == np.inf
    assert ag.jvp(lambda x: np.where(x > 0.0, x**0.5, 1.0), (0.0,), (1.0,))[1] == 0.0
    assert ag.jvp(lambda x, y: np.where(x > 0.0, x**y, 1.0), (0.0, 0.5), (1.0, 1.0))[1] == 0.0


def test_none_stands_for_a_whole_container():
    def f(x, weights, named):
        return np.sum(x**2) * weights[0] * named["a"][1]

    x = np.ones(3)
    arguments = (x, [2.0, 3], {"a": (1, 2.0)})
    assert ag.jvp(f, arguments, (x, None, None))[1] == 24.0
    assert ag.jvp(f, arguments, (None, [1.0, None], {"a": None}))[1] == 6.0
    assert ag.jvp(f, (x, [2, 3], {"a": (1, 2.0)}), (None, None, {"a": (None, 1.0)}))[1] == 6.0
    for tangents in ((x, (None, None), None), (x, [None], None), (x, None, {"b": None})):
        with pytest.raises(TangentError) as caught:
            ag.jvp(f, arguments, tangents)
        assert caught.value.id == "AG0506"
    _, pull = ag.vjp(lambda x: (x * 2.0, [x * 3.0, x * 4.0]), x)
    np.testing.assert_array_equal(pull((x, None))[0], 2.0 * x)
    np.testing.assert_array_equal(pull((None, [x, None]))[0], 3.0 * x)
