"""What `grad` takes and gives: nested arguments, argnums, aux, dtypes, methods, errors."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import NonDifferentiableError, NonScalarOutputError
from tests.support.oracle import assert_near, check_grad

X = np.array([0.5, -1.2, 2.0])


def branch(x):
    return np.sin(x) * x if x > 0 else x**4


def halving(x):
    y = x
    while y > 1:
        y = y * 0.5 + 0.01 * y * y / x
    return y * y


def nested_arguments(params, scale):
    w, (b, c) = params["w"], params["rest"]
    y = np.tanh(w @ np.ones(2) + b) * scale
    return np.sum(y) * c[0] + c[1]


PARAMS = {"w": np.array([[0.1, 0.2], [0.3, -0.4]]), "rest": (np.array([1.0, 2.0]), [3.0, 4.0])}


def test_nested_arguments():
    found = check_grad(nested_arguments, PARAMS, 1.5)
    assert isinstance(found["rest"][1][0], float)


def test_several_arguments():
    check_grad(nested_arguments, PARAMS, 1.5, argnums=1)
    check_grad(nested_arguments, PARAMS, 1.5, argnums=(0, 1))
    check_grad(lambda x, y: x * y * y, 2.0, 3.0, argnums=(1, 0))
    assert ag.grad(lambda x, y: x * y * y, argnums=-1)(2.0, 3.0) == 12.0


def test_keywords_are_not_differentiated():
    def f(x, *, k):
        return x * x * k

    assert ag.grad(f)(3.0, k=2.0) == 12.0


def test_aux():
    def f(x):
        y = x * x
        return np.sum(y), {"squares": y, "name": "squares"}

    gradient, aux = ag.grad(f, has_aux=True)(X)
    assert_near(gradient, 2 * X, 1e-12)
    assert_near(aux["squares"], X * X, 1e-12)
    assert aux["name"] == "squares"
    (value, aux), gradient = ag.value_and_grad(f, has_aux=True)(X)
    assert_near([value, gradient], [np.sum(X * X), 2 * X], 1e-12)


def test_value_and_grad():
    value, gradient = ag.value_and_grad(branch)(1.5)
    assert isinstance(value, np.float64) and isinstance(gradient, float)
    assert_near([value, gradient], [branch(1.5), np.cos(1.5) * 1.5 + np.sin(1.5)], 1e-12)


def test_dtype_of_the_gradient():
    x = X.astype(np.float32)
    gradient = ag.grad(lambda v: np.sum(v * v * 0.5))(x)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, x)
    slope = ag.grad(lambda v: v * v)(np.float32(3))
    assert type(slope) is np.float32 and slope == 6


def test_float64_result_of_float32_argument():
    gradient = ag.grad(lambda v: np.sum(v.astype(np.float64) ** 2))(X.astype(np.float32))
    assert gradient.dtype == np.float32


def test_third_derivative():
    f = lambda x: x**5 if x > 0 else x
    third = ag.grad(ag.grad(ag.grad(f)))
    np.testing.assert_allclose(third(2.0), 60 * 4.0)
    assert third(-2.0) == 0.0


def test_gradient_of_a_compiled_function():
    f = ag.to_graph(halving)
    assert ag.grad(f)(30.0) == ag.grad(halving)(30.0)
    assert ag.to_graph(ag.grad(f))(30.0) == ag.grad(halving)(30.0)


def test_gradient_of_a_method():
    class Model:
        def __init__(self, w):
            self.w = w

        def loss(self, x):
            return np.sum(self.w * x * x)

    model = Model(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(ag.grad(model.loss)(X), 2 * model.w * X)
    model.w = np.array([0.0, 0.0, 1.0])
    np.testing.assert_allclose(ag.grad(model.loss)(X), 2 * model.w * X)


def test_gradient_by_an_argument_that_is_a_result():
    assert ag.grad(lambda x: x)(2.0) == 1.0
    assert ag.grad(lambda x, y: y)(2.0, 3.0) == 0.0
    np.testing.assert_array_equal(ag.grad(lambda x: x[1])(X), [0.0, 1.0, 0.0])


def test_the_gradient_does_not_change_its_arguments():
    x = X.copy()
    gradient = ag.grad(lambda v: np.sum(v))(x)
    gradient[0] = 100
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(ag.grad(lambda v: np.sum(v))(x), [1.0, 1.0, 1.0])


def test_gradients_are_new_arrays():
    x, y, k = np.ones(3), np.full(3, 2.0), np.full(3, 3.0)
    gradients = ag.grad(lambda x, y: np.sum(x * y + x * k) + np.sum(y), argnums=(0, 1))(x, y)
    arrays = [*gradients, *ag.grad(lambda x, y: np.sum(x * y), argnums=(0, 1))(x, y)]
    arrays += [ag.grad(lambda x: np.sum(x * k))(x), *ag.grad(lambda x, y: np.sum(x), (0, 1))(x, y)]
    for i, a in enumerate(arrays):
        assert a.flags.writeable
        assert not any(np.shares_memory(a, b) for b in (x, y, k, *arrays[:i]))


def test_the_same_array_as_two_arguments():
    a, b = ag.grad(lambda x, y: np.sum(x * x * y), argnums=(0, 1))(X, X)
    assert_near([a, b], [2 * X * X, X * X], 1e-12)


def test_effects_run_once(capsys):
    def f(x):
        print("x is", x)
        return x * x

    assert ag.grad(f)(3.0) == 6.0
    assert capsys.readouterr().out == "x is 3.0\n"


@pytest.mark.parametrize("argument", [3, np.array([1, 2]), True, "text", np.bool_(True)])
def test_arguments_without_a_derivative(argument):
    with pytest.raises(NonDifferentiableError, match="argument 0"):
        ag.grad(lambda x: x)(argument)


@pytest.mark.parametrize(
    "result", [lambda x: x, lambda x: (x[0], x[1]), lambda x: 3 if x[0] else 4]
)
def test_results_that_are_not_scalar(result):
    with pytest.raises(NonScalarOutputError, match="scalar"):
        ag.grad(result)(X)


def test_argument_changed_in_place():
    def f(x):
        x[0] = 1.0
        return np.sum(x)

    with pytest.raises(ag.errors.MutationError, match="copy"):
        ag.grad(f)(X)
