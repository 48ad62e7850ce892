"""Functions and arrays of other compilers, called by compiled functions."""

import functools
import types

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from autograph.staging.ground.ownership import is_made_of_attributes, is_user_class

X = np.array([0.3, 1.7, 4.1, 3.2])


class Dispatcher:
    """As Numba's: what it wraps takes no symbolic values, and gives Python's numbers."""

    def __init__(self, function):
        self.py_func = function
        functools.update_wrapper(self, function)

    def __call__(self, *args):
        if any(type(arg).__module__.startswith("autograph") for arg in args):
            raise TypeError("cannot determine Numba type")
        return python_number(self.py_func(*args))


def python_number(result):
    if isinstance(result, tuple):
        return tuple(map(python_number, result))
    return result.item() if isinstance(result, np.generic) else result


Dispatcher.__module__ = "numba.core.registry"


def compilers():
    yield pytest.param(Dispatcher, id="stand-in")
    try:
        import numba
    except ImportError:
        return
    yield pytest.param(numba.njit, id="numba")


@pytest.fixture(params=compilers())
def njit(request):
    return request.param


def alike(function, *args):
    compiled = ag.to_graph(function)
    for _ in range(2):
        found, expected = compiled(*args), function(*args)
        assert repr(found) == repr(expected)


def test_numbers_of_compiled_functions_are_pythons(njit):
    @njit
    def total(x):
        s = 0.0
        for i in range(x.shape[0]):
            if x[i] > 1:
                s += x[i] ** 2
        return s

    @njit
    def first_and_count(x):
        return x[0], x.shape[0]

    @njit
    def larger(x):
        return x[0] > x[1]

    alike(lambda x: total(x), X)
    alike(lambda x: first_and_count(x), X)
    alike(lambda x: larger(x), X)
    alike(lambda x: total(x) * np.float32(2), X)
    alike(lambda f, x: f(x), total, X)


def test_arrays_and_calls_of_one_another(njit):
    @njit
    def doubled(x):
        return x * 2

    @njit
    def both(x):
        y = doubled(x)
        return y + doubled(y)

    @njit
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    class Methods:
        twice = staticmethod(doubled)

    alike(lambda x: both(x), X)
    alike(lambda n: fibonacci(n), 7)
    alike(lambda x: Methods.twice(x), X)


def test_transforms_of_compiled_functions(njit):
    @njit
    def squares(x):
        s = 0.0
        for i in range(x.shape[0]):
            s += x[i] * x[i]
        return s

    np.testing.assert_allclose(ag.grad(squares)(X), 2 * X)
    np.testing.assert_allclose(ag.to_graph(lambda x: ag.grad(squares)(x))(X), 2 * X)
    np.testing.assert_allclose(ag.vmap(squares)(np.stack([X, X])), [squares(X)] * 2)
    assert ag.to_graph(squares)(X) == pytest.approx(squares(X))


class Equal(type):
    """As the metaclass of jax.numpy.float32: equal to NumPy's."""

    def __eq__(cls, other):
        return other is np.float32

    def __hash__(cls):
        return hash(np.float32)


class Other(metaclass=Equal):
    def __init__(self, value):
        self.value = value

    def __radd__(self, other):
        return "of another library"


@pytest.mark.parametrize("is_met", [False, True])
def test_a_class_that_equals_one_of_numpys_is_another(is_met):
    """Whether or not NumPy's has been met before."""
    for question in (is_user_class, is_made_of_attributes) if is_met else ():
        question(np.float32)
    assert ag.to_graph(lambda x: 1.0 + Other(2))(X) == "of another library"


def of_jax(function):
    """As a function of JAX's own."""
    module = {**function.__globals__, "__name__": "jax._src.numpy"}
    made = types.FunctionType(function.__code__, module, function.__name__)
    made.__module__ = "jax._src.numpy"
    return made


def sin(x):
    return f"{x}"


def test_functions_of_jax_are_refused(monkeypatch):
    function = of_jax(sin)
    monkeypatch.setattr("autograph.staging.calls.calls.belongs_to_library", lambda f: f is function)
    with pytest.raises(errors.UnsupportedFunctionError, match="arrays of JAX's") as caught:
        ag.to_graph(lambda x: function(x))(X)
    assert caught.value.fix == "use np.sin"


def test_functions_and_arrays_of_jax_itself_are_refused():
    jax = pytest.importorskip("jax")
    jnp, array = jax.numpy, jax.numpy.arange(4.0)
    for function in (
        lambda x: jnp.sin(x),
        lambda x: jax.grad(lambda v: (v * v).sum())(x),
        lambda x: jax.jit(lambda v: v * 2)(x),
        lambda x: jax.lax.fori_loop(0, 3, lambda i, v: v + 1, x),
        lambda x: x + jnp.float32(2),
        lambda x: x * array,
        lambda x: np.sin(array) + x,
    ):
        with pytest.raises(errors.AutographError, match=r"AG0404|AG0350|AG0401") as caught:
            ag.to_graph(function)(X)
        assert "formatted" not in str(caught.value)


def test_objects_of_pandas_are_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": X})
    for function, id in (
        (lambda d, x: d["a"].to_numpy() + x, "AG0350"),
        (lambda d, x: len(d) * x, "AG0350"),
        (lambda d, x: x * d.a, "AG0350"),
        (lambda d, x: pandas.Series(x).mean(), "AG0305"),
        (lambda d, x: pandas.isna(x), "AG0305"),
    ):
        with pytest.raises(errors.AutographError, match=id):
            ag.to_graph(function)(frame, X)


def test_an_array_of_traced_values_as_objects_is_refused():
    with pytest.raises(errors.UnsupportedFunctionError, match="array of objects"):
        ag.to_graph(lambda x: np.array([x[0], 1.0], dtype=object))(X)
