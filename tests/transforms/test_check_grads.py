"""`check_grads` finds derivatives that are wrong, in every place, and lets right ones pass."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import DerivativeCheckError, OptionError
from ops.core.registry import Custom, Elementwise

X = np.array([0.5, -1.2, 2.0])


def test_right_derivatives_pass():
    def f(params, n):
        return [np.sin(params["x"]) * n, params["k"] ** 2, "text", n]

    ag.check_grads(f, ({"x": X, "k": 1.5}, 3), order=3)
    ag.check_grads(ag.to_graph(lambda x: x * x), [2.0], order=1, modes="fwd")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_tolerances_fit_the_dtype(dtype):
    x = (X * 0.5).astype(dtype)
    ag.check_grads(lambda x: np.exp(x) * x + x / (x * x + 2), (x,), order=2)
    with pytest.raises(DerivativeCheckError):
        ag.check_grads(lambda x: slanted(x) * 3, (x,), order=1)


# The sine with a derivative 20 % too large at first order, or right at first and wrong at second.
slanted = Elementwise(
    "slanted_sine", np.sin, "np.sin({0})", partials=[lambda x, out: ops.multiply(1.2, ops.cos(x))]
)
wrong_cosine = Elementwise(
    "wrong_cosine", np.cos, "np.cos({0})", partials=[lambda x, out: ops.multiply(-1.2, ops.sin(x))]
)
bent = Elementwise("bent_sine", np.sin, "np.sin({0})", partials=[lambda x, out: wrong_cosine(x)])

one_sided = Custom(
    "one_sided_square",
    lambda x: (x,),
    "{0} * {0}",
    jvp=lambda tangents, args, outs: (ops.multiply(tangents[0], ops.multiply(2, args[0])),),
    vjp=lambda cts, args, outs: (ops.multiply(cts[0], args[0]),),
)


@pytest.mark.parametrize("modes", ["fwd", "rev", ("fwd", "rev")])
def test_a_wrong_first_derivative(modes):
    with pytest.raises(DerivativeCheckError, match=r"order 1 of '<lambda>'"):
        ag.check_grads(lambda x: slanted(x), (X,), modes=modes)


@pytest.mark.parametrize("modes", ["fwd", "rev"])
def test_a_wrong_second_derivative(modes):
    f = lambda x: bent(x)
    ag.check_grads(f, (X,), order=1, modes=modes)
    with pytest.raises(DerivativeCheckError, match=f"order 2 .* in mode {modes} over {modes}"):
        ag.check_grads(f, (X,), order=2, modes=modes)


def test_a_wrong_rule_for_one_mode():
    f = lambda x: one_sided(x)
    ag.check_grads(f, (X,), order=2, modes="fwd")
    with pytest.raises(DerivativeCheckError, match=r"order 1 .* in mode rev"):
        ag.check_grads(f, (X,), order=1)


def test_one_wrong_element():
    def f(x):
        y = np.sin(x)
        y[2] = slanted(x[2])
        return {"y": y}

    with pytest.raises(DerivativeCheckError, match=r"at \[2\], but differences say"):
        ag.check_grads(f, (X,), order=1, modes="fwd")


def test_a_wrong_derivative_by_one_argument():
    f = lambda x, y: np.sin(x) * 1e3 + slanted(y) * 1e3
    with pytest.raises(DerivativeCheckError):
        ag.check_grads(f, (1.0, 2.0), order=1)


def test_a_complex_function_with_a_conjugate_too_many():
    turned = Elementwise(
        "turned_square",
        np.square,
        "np.square({0})",
        partials=[lambda x, out: ops.multiply(2, ops.conjugate(x))],
    )
    z = np.array([1.0 + 2.0j])
    for mode in ("fwd", "rev"):
        with pytest.raises(DerivativeCheckError):
            ag.check_grads(lambda z: turned(z), (z,), order=1, modes=mode)
    ag.check_grads(lambda z: np.square(z), (z,), order=2)


def test_a_derivative_that_is_nan():
    with np.errstate(all="ignore"), pytest.raises(DerivativeCheckError, match="nan"):
        ag.check_grads(lambda x: np.cbrt(x * x), (np.zeros(2),), order=1, modes="fwd")


def test_tolerances_and_step():
    f = lambda x: slanted(x)
    ag.check_grads(f, (X,), order=1, rtol=0.5)
    ag.check_grads(f, (X,), order=1, atol=5.0)
    with pytest.raises(DerivativeCheckError):
        ag.check_grads(lambda x: np.sin(x), (X,), order=1, eps=2.0)


def test_it_is_an_assertion_error():
    with pytest.raises(AssertionError, match="AG0507"):
        ag.check_grads(lambda x: slanted(x), (X,))


@pytest.mark.parametrize("options", [{"modes": ("fwd", "back")}, {"order": 0}, {"modes": ()}])
def test_options_that_make_no_sense(options):
    with pytest.raises(OptionError, match="AG0608"):
        ag.check_grads(lambda x: x, (1.0,), **options)


def test_functions_without_anything_to_differentiate():
    ag.check_grads(lambda n: n * 2, (3,))
    ag.check_grads(lambda x: 3, (3.0,))
    ag.check_grads(lambda x: x, (np.zeros(0),))
