"""Signs are taken from the operands of odd and even functions, and no bit of a result changes."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from ops.special import erf

ODD = {
    "arcsin": np.arcsin,
    "arcsinh": np.arcsinh,
    "arctan": np.arctan,
    "arctanh": np.arctanh,
    "cbrt": np.cbrt,
    "erf": erf,
    "sin": np.sin,
    "sinh": np.sinh,
    "tan": np.tan,
    "tanh": np.tanh,
}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1e-320, 1e-9, 0.3, -0.7, 5.0, 1e5, 1e300, np.inf, -np.inf, np.nan]


def bits_but_of_nan(x):
    return np.where(np.isnan(x), 0, x.view(np.int64 if x.itemsize == 8 else np.int32))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ODD)
def test_odd_functions(name, dtype):
    function = ODD[name]

    @ag.to_graph
    def both(x):
        return function(x), function(-x)

    with np.errstate(all="ignore"):
        x = np.array(SPECIAL, np.float64).astype(dtype)
        x = np.concatenate([x, np.linspace(-3, 3, 101).astype(dtype)])
    there, back = both(x)
    np.testing.assert_array_equal(bits_but_of_nan(-there), bits_but_of_nan(back))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_quotients_and_even_functions(dtype):
    def f(x, y):
        m, n = -x, -y
        products = m * y, x * n, m * n, 2.0 * m
        return *products, m / y, x / n, m / n, -m, np.abs(m), m - y

    with np.errstate(all="ignore"):
        special = np.array(SPECIAL).astype(dtype)
        x, y = (a.ravel().copy() for a in np.meshgrid(special, special))
        expected, results = f(x, y), ag.to_graph(f)(x, y)
    for result, wanted in zip(results, expected):
        np.testing.assert_array_equal(bits_but_of_nan(result), bits_but_of_nan(wanted))


def test_an_odd_function_of_both_signs_is_computed_once():
    b = KernelBuilder("prices")
    x, out = b.input("float64", 8, "x"), b.output("float64", 8, "out")
    with b.each(8) as i:
        d = b.load(x, i)
        there, back = (b.compute("erf", y / 2.0) for y in (d, -d))
        b.store(out, i, there - back)
    functions = [s.function for s in ir.walk(b.finish().body) if isinstance(s, ir.Compute)]
    assert functions.count("erf") == functions.count("/") == 1
