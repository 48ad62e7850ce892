"""Attributes and methods of numbers and arrays, and NumPy's functions that change arrays."""

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import Programs, check

programs = Programs()
V = np.array([3.0, -1.0, 2.0])
M = np.array([[1.0, -2.0], [3.0, 4.0]])


@programs.test
def test_attributes(call):
    call.run()


@programs(2.0)
@programs(-2.5)
@programs(float("inf"))
@programs(float("nan"))
def of_a_float(x):
    return x.is_integer(), x.real, x.imag, x.conjugate()


@programs(3)
@programs(True)
def of_an_integer(x):
    return x.numerator, x.denominator, x.real, x.imag, x.conjugate()


@programs(3 - 2j)
@programs(np.complex64(3 - 2j))
@programs(np.array([1j, 2.0]))
def of_a_complex_number(x):
    return x.real, x.imag, x.conjugate()


@programs(np.float64(3))
@programs(np.float32(3))
@programs(np.int32(3))
def of_a_numpy_scalar(x):
    return (
        *(x.real, x.imag, x.conjugate(), x.sum(), x.item(), x.tolist(), x.T, x.mean(), x.copy()),
        *(x.astype(int), x.ndim, x.shape, x.size, x.itemsize, x.nbytes, x.dtype.kind, x.max()),
        x.is_integer(),
    )


@programs(np.array(2.0))
def of_an_array_without_dimensions(x):
    return type(x) is np.ndarray, isinstance(x, np.floating), x.item(), x.tolist(), x.shape


@programs(V)
@programs(M)
@programs(np.arange(6).reshape(2, 3))
def of_an_array(x):
    return (
        *(x.T, x.itemsize, x.nbytes, x.size, x.ndim, len(x), x.dtype == np.float64, x.tolist()),
        *(x[0].tolist(), x.flat[1], len(x.flat)),
        sum(a for a in x.flat),
        x.copy() + 1,
        x.astype(np.float32),
    )


@programs(M)
def matrices(m):
    return m.mT, np.matrix_transpose(m), m.trace(), m.diagonal()


@programs(2.0)
def what_a_float_does_not_have(x):
    return x.sum()


@programs(2.0)
@programs(2)
@programs(np.float32(2))
def asked_for_with_a_default(x):
    found = getattr(x, "shape", "none"), getattr(x, "ndim", -1), getattr(x, "real", None)
    return found, getattr(x * 2, "dtype", None), hasattr(x, "T")


@programs(2.0)
@programs(V)
def asked_for_by_name(x):
    return getattr(x, "size")  # noqa: B009


@programs(2.0)
def what_nothing_has(x):
    return x.nonexistent


@programs(V)
def what_no_array_has(v):
    return v.nonexistent


@programs(M)
def elements_with_their_indices(m):
    return sum(i + j * a for (i, j), a in np.ndenumerate(m)), [m[k] for k in np.ndindex(2, 1)]


# -- functions that change arrays ------------------------------------------------------------------


@programs(V, 2 * V)
def copied_to(a, b):
    np.copyto(a, b)
    np.copyto(a, 0.0, where=b > 3)
    return a


@programs(np.zeros(3, int), 1.5)
def copied_to_another_kind(a, x):
    np.copyto(a, x)


@programs(np.zeros((3, 3)), 2.0)
@programs(np.zeros((2, 3)), 2.0)
@programs(np.zeros(3), 2.0)
def filled_diagonal(a, x):
    np.fill_diagonal(a, x)
    return a


@programs(np.zeros(4), 2.0)
@programs(np.zeros((2, 2)), 2.0)
def put(a, x):
    np.put(a, [0, 2], x)
    np.put(a, [3, 1], [x, 1.0])
    return a


@programs(V.copy())
def put_into_views(a):
    np.put(a.reshape(3, 1), np.argsort(a)[:2], 7.0)
    np.fill_diagonal(a[:, None], a + 1)
    return a


@programs(V.copy())
def put_by_mask(a):
    np.putmask(a, a < 0, 0.0)
    np.putmask(a, a > 2, a * 2)
    return a


@programs.smooth(V)
def added_at_places(v):
    a = np.zeros(3)
    np.add.at(a, [0, 0, 1], v)
    np.subtract.at(a, np.array([2, 0]), v[:2] ** 2)
    return np.sum(a**2)


@programs(np.zeros(3), np.array([0, 0, 2]), 1.5)
def added_to_the_same_place(a, places, x):
    np.add.at(a, places, x)
    np.subtract.at(a, (places,), 1)
    return a


@programs(V.copy(), 2.0)
def parts_by_mask(a, k):
    a[a > 0] *= k
    a[a < 0] += 1.0
    a[a > 1] += np.array([10.0, 20.0])
    return a


# -- refused ---------------------------------------------------------------------------------------


def assigns_a_shape(v):
    v.shape = (3, 1)
    return v


def assigns_a_dtype(v):
    v.dtype = np.int64
    return v


@pytest.mark.parametrize(
    "function",
    [
        assigns_a_shape,
        assigns_a_dtype,
        lambda v: v.tobytes(),
        lambda v: v.strides,
        lambda v: v[0].as_integer_ratio(),
        lambda v: int(v[0]).to_bytes(4, "big"),
        lambda v: np.arctan2.reduce(v),
    ],
)
def test_refused(function):
    with pytest.raises(errors.AutographError) as caught:
        ag.to_graph(function)(V.copy())
    assert caught.value.fix


def test_many_numbers_are_no_list():
    with pytest.raises(errors.ConcreteValueError, match="tolist"):
        ag.to_graph(lambda v: v.tolist())(np.ones((500, 2)))


def test_a_list_of_an_array_of_many_elements():
    """Its elements are no values of their own, so that there may be as many as one likes."""

    def f(x):
        counts, listed = {}, x.tolist()
        for v in listed:
            counts[v] = counts.get(v, 0) + 1
        listed.append(listed[3])
        return counts, len(listed), listed[-1], sum(listed), sorted(listed)[:3], x.tolist()

    check(f, np.arange(600) * 7 % 31)
    check(f, np.arange(300) % 7 * 0.5)


@programs(np.arange(4.0))
def resized_to_its_own_shape(x):
    weights = x * 2.0
    weights.resize(len(x))
    x.resize((4,), refcheck=False)
    weights.fill(1.0 / len(weights))
    return weights, x.resize(4)


def test_resizing_to_another_shape_is_refused():
    def f(x):
        x.resize(6)
        return x

    with pytest.raises(errors.UnsupportedFunctionError, match="resized in place"):
        ag.to_graph(f)(np.arange(4.0))
