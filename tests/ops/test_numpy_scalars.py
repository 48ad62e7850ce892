"""Where NumPy's functions of scalars are not Python's operators, or not the best algorithms."""

import itertools

import numpy as np
import pytest

import autograph as ag

NAN = float("nan")
COMPLEX = [complex(*p) for p in ((1, NAN), (NAN, 1), (NAN, NAN), (1, 2), (1, 1), (2, 0), (0, NAN))]
ORDERS = [np.greater, np.greater_equal, np.less, np.less_equal]


@pytest.mark.parametrize("ufunc", ORDERS, ids=lambda ufunc: ufunc.__name__)
@pytest.mark.parametrize("kind", [complex, np.complex128, np.complex64])
def test_orders_of_complex_scalars_with_nan(ufunc, kind):
    compiled = ag.to_graph(lambda x, y: ufunc(x, y))
    with_float = ag.to_graph(lambda x, y: ufunc(x, y))
    for x, y in itertools.product(map(kind, COMPLEX), repeat=2):
        assert type(compiled(x, y)) is np.bool_
        assert compiled(x, y) == ufunc(x, y), (x, y)
        assert with_float(x, y.real) == ufunc(x, y.real), (x, y.real)


@pytest.mark.filterwarnings("ignore")
def test_operators_of_complex_scalars_are_those_of_scalars():
    compiled = ag.to_graph(lambda x, y: (x > y, x >= y, x < y, x <= y))
    for x, y in itertools.product(map(np.complex128, COMPLEX), repeat=2):
        assert compiled(x, y) == (x > y, x >= y, x < y, x <= y), (x, y)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "bool"])
def test_i0_is_numpys(dtype):
    x = np.linspace(-30.0, 30.0, 201).astype(dtype)
    if dtype != "bool":
        x[:2] = 0, 8
    if x.dtype.kind == "f":
        x = np.append(x, np.array([np.inf, -np.inf, np.nan, 600.0], dtype))
    found = ag.to_graph(lambda x: np.i0(x))(x)
    assert found.dtype == np.i0(x).dtype
    np.testing.assert_array_equal(found, np.i0(x))


def test_i0_of_numbers():
    compiled = ag.to_graph(lambda x: np.i0(x))
    for x in (0.0, 2, True, np.float32(2.5), np.float16(2.5), np.array(3.0), -9.5):
        found, expected = compiled(x), np.i0(x)
        assert (type(found), found.dtype, found) == (np.ndarray, expected.dtype, expected)
    with pytest.raises(TypeError, match="i0 not supported for complex values"):
        compiled(1j)
    total = lambda x: np.sum(np.i0(x))
    ag.check_grads(total, (np.array([0.3, 2.0, 9.0]),), order=2)
