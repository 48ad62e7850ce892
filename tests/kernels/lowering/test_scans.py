"""Running totals, places of extrema and norms as parts of kernels."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.ir.ir import Buffer
from autograph.kernels.ir.uses import temporaries
from autograph.kernels.native import available
from ops.arrays.cumulative import recurrence
from tests.kernels.cuda.compare import check as check_cuda
from tests.kernels.kernel_check import check

if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

R = np.random.default_rng(5)
SHAPES = [(1,), (7,), (3, 4), (5, 9), (1, 6), (6, 1), (2, 3, 4), (3, 33, 2), (9, 2, 1)]
DTYPES = ["float64", "float32", "int64", "int8", "uint8", "bool"]


def values(shape, dtype):
    """Small numbers of both signs, many of them equal."""
    return R.integers(-3, 4, shape).astype(dtype)


def special(shape, dtype="float64"):
    """NaN, infinities and zeros of both signs among others."""
    pool = np.array([0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan, 1e300, 2.0, 3.0])
    with np.errstate(all="ignore"):
        return R.choice(pool, shape, p=[0.1] * 6 + [0.03, 0.07, 0.15, 0.15]).astype(dtype)


def check_both(function, *args, ulps=0):
    """Natively, and through the interpreter."""
    compiled = check(function, *args, ulps=ulps)
    (native,) = compiled.kernels(*args).values()
    kernel = native.kernel
    inputs = [x if isinstance(p, Buffer) else p.dtype.type(x) for p, x in zip(kernel.inputs, args)]
    outputs = [np.empty(buffer.size, buffer.dtype) for buffer in kernel.outputs]
    with np.errstate(all="ignore"):
        interpret(kernel, inputs, outputs)
        expected = function(*args)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for found, value in zip(outputs, expected):
        found = found.reshape(np.shape(value))
        if ulps:
            np.testing.assert_allclose(found, value, rtol=ulps * np.finfo(found.dtype).eps)
        else:
            np.testing.assert_array_equal(found, value)


# -- running totals --------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_products_and_extrema(shape, dtype):
    last = len(shape) - 1

    def f(x):
        sums = np.cumsum(x, axis=0), np.cumsum(x, axis=last), np.cumsum(x)
        products = np.cumprod(x, axis=last), np.cumprod(x)
        return (*sums, *products, np.maximum.accumulate(x), np.minimum.accumulate(x, axis=last))

    check_both(f, values(shape, dtype))


@pytest.mark.parametrize("shape", [(40,), (5, 40), (40, 21), (4, 5, 6)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_numbers(shape, dtype):
    x = special(shape, dtype)

    def f(x):
        axes = range(len(shape))
        totals = [total(x, axis) for axis in axes for total in (np.cumsum, np.cumprod)]
        extrema = (np.maximum.accumulate, np.minimum.accumulate)
        return (*totals, *[extremum(x, axis) for axis in axes for extremum in extrema])

    check(f, x, ulps=0)


def test_rounding_is_that_of_one_after_the_other():
    x = R.normal(size=(7, 999))
    check_both(lambda x: (np.cumsum(x, axis=1), np.cumsum(x, axis=0), np.cumprod(x)), x)


def test_dtypes_of_results():
    x = values((6, 5), "int8")
    check_both(lambda x: (np.cumsum(x, axis=1, dtype=np.float32), np.cumsum(x, dtype=np.int8)), x)
    check_both(lambda x: (np.cumsum(x, dtype=bool), np.cumprod(x, dtype=bool)), x)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_nothing_to_add(shape):
    check_both(lambda x: (np.cumsum(x, axis=0), np.cumprod(x, axis=-1)), np.zeros(shape))


@pytest.mark.parametrize("shape", [(3, 1030), (2, 3, 1500), (1, 4, 1025)])
def test_many_columns(shape):
    x = R.normal(size=shape)
    check_both(lambda x: (np.cumsum(x, axis=-2), np.maximum.accumulate(x, axis=-2)), x)


def test_what_is_added_is_computed_where_it_is_read():
    def f(x, y):
        total = np.sum(x)
        return np.cumsum(x * 2.0 + y.T / total, axis=1) - 1.0

    x, y = R.integers(1, 5, (6, 8)).astype(float), R.normal(size=(8, 6))
    compiled = check(f, x, y)
    (native,) = compiled.kernels(x, y).values()
    assert [buffer.size for buffer in temporaries(native.kernel)] in ([], [48])


def test_after_a_reduction_and_before_one():
    def f(x):
        e = np.exp(x - np.max(x, axis=1, keepdims=True))
        p = np.cumsum(e / np.sum(e, axis=1, keepdims=True), axis=1)
        return np.sum(p > 0.5, axis=1), p

    check(f, R.normal(size=(9, 30)), ulps=40)


def test_in_loops_and_branches():
    def f(x, n):
        for _ in range(n):
            if np.sum(x) > 0:
                x = np.cumsum(x, axis=0) * 0.25
            else:
                x = np.cumsum(x, axis=1) * 0.25 + 1.0
        return x

    check(f, R.normal(size=(6, 7)), 5, ulps=100, scale=1.0)


def test_state_of_a_loop_that_is_read_by_its_own_total():
    def f(x):
        for _ in range(3):
            x = np.cumsum(x[::-1] + 1.0)
        return x

    check_both(f, R.integers(0, 5, 9).astype(float))


def test_an_index_out_of_range_is_an_error():
    def f(x, i):
        return np.cumsum(x[i] * 2.0)

    x = R.normal(size=5)
    check(f, x, np.array([0, 4, 2]))
    check(f, x, np.array([0, 5, 2]))


@pytest.mark.parametrize("axis", [0, 1])
def test_gradients(axis):
    def losses(x):
        return (
            np.sum(np.cumsum(x, axis=axis) ** 2)
            + np.sum(np.cumprod(x, axis=axis) * 0.5)
            + np.sum(np.maximum.accumulate(x, axis=axis) ** 3)
        )

    x = np.array([[1.0, -2.0, 0.5], [0.3, 1.5, 2.5]])
    gradient = ag.grad(losses)
    step = 1e-6
    expected = np.empty_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += step
        down[place] -= step
        expected[place] = (losses(up) - losses(down)) / (2 * step)
    np.testing.assert_allclose(gradient(x), expected, rtol=1e-7)
    assert len(gradient.kernels(x)) == 1


def test_linear_recurrences():
    a, b = R.integers(-2, 3, (3, 12)).astype(float), R.integers(-2, 3, (3, 12)).astype(float)
    compiled = ag.to_graph(lambda a, b: recurrence(a, b + 1.0) - 1.0)
    expected = np.empty_like(b)
    expected[:, 0] = b[:, 0] + 1.0
    for j in range(1, 12):
        expected[:, j] = a[:, j] * expected[:, j - 1] + b[:, j] + 1.0
    np.testing.assert_array_equal(compiled(a, b), expected - 1.0)
    assert len(compiled.kernels(a, b)) == 1


def test_lanes_with_loops():
    def f(x):
        while np.sum(x) < 50.0:
            x = np.cumsum(x + 1.0)
        return np.argmax(np.maximum.accumulate(x)), x

    rows = R.integers(0, 9, (17, 4)).astype(float)
    places, totals = ag.vmap(f)(rows)
    for row, place, total in zip(rows, places, totals):
        expected_place, expected = f(row)
        assert place == expected_place
        np.testing.assert_array_equal(total, expected)


# -- places of extrema -----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_of_equal_elements(shape, dtype):
    def f(x):
        axes = (None, *range(len(shape)))
        largest = [np.argmax(x, axis=axis) for axis in axes]
        return (*largest, *[np.argmin(x, axis=axis, keepdims=True) for axis in axes])

    check_both(f, values(shape, dtype))


@pytest.mark.parametrize("shape", [(40,), (5, 40), (40, 21), (4, 5, 6)])
def test_nan_comes_first(shape):
    x = special(shape)
    for axis in (None, *range(len(shape))):
        check_both(lambda x, axis=axis: np.argmax(x, axis=axis) + 1, x)
        check_both(lambda x, axis=axis: np.argmin(x, axis=axis) + 1, x)


def test_nothing_to_find_a_place_in():
    check_both(lambda x: np.argmax(x, axis=1) + 1, np.zeros((0, 3)))


def test_accuracy_of_a_classifier():
    def accuracy(x, w, labels):
        return np.mean(np.argmax(x @ w, axis=1) == labels)

    check(accuracy, R.normal(size=(50, 8)), R.normal(size=(8, 5)), R.integers(0, 5, 50))


def test_the_derivative_of_what_is_found():
    def loss(x):
        return np.sum(x[np.arange(8), np.argmax(x, axis=1)] ** 2)

    x = R.normal(size=(8, 6))
    gradient = ag.grad(loss)
    expected = np.where(x == x.max(axis=1, keepdims=True), 2 * x, 0.0)
    np.testing.assert_array_equal(gradient(x), expected)
    assert len(gradient.kernels(x)) == 1


# -- norms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_norms(axis, dtype):
    x = values((13, 21), dtype)
    ulps = 8  # NumPy adds in another order
    check_both(lambda x: np.linalg.norm(x, axis=axis, keepdims=True) * 2.0, x, ulps=ulps)
    check_both(lambda x: np.linalg.norm(x, axis=axis) * 2.0, x, ulps=ulps)


def test_the_gradient_of_norms():
    gradient = ag.grad(lambda x: np.sum(np.linalg.norm(x, axis=1)))
    x = R.normal(size=(6, 5))
    x[2] = 0.0
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    expected = np.divide(x, lengths, out=np.zeros_like(x), where=lengths > 0)
    np.testing.assert_allclose(gradient(x), expected, rtol=1e-15)
    assert len(gradient.kernels(x)) == 1


# -- sums of columns -------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rows", [1, 3, 4, 5, 8, 11, 200])
def test_rows_are_added_one_after_the_other(rows, dtype):
    x = R.normal(size=(rows, 33)).astype(dtype)
    check_both(lambda x: (np.sum(x * 2.0, axis=0), np.max(x, axis=0)), x)


def test_rows_that_are_kept_and_added():
    x = R.normal(size=(11, 40))
    check_both(lambda x: (y := x * 3.0, np.sum(y, axis=0)), x)


# -- changes of elements where they are read -------------------------------------------------------


def memory_of(compiled, *args):
    """The sizes of the arrays that a kernel makes for itself."""
    (native,) = compiled.kernels(*args).values()
    return [buffer.size for buffer in temporaries(native.kernel)]


def test_a_change_of_what_is_computed_needs_no_memory():
    def f(x, i, v):
        y = np.tanh(x) * 2.0
        y[i, 3] = v
        return np.sum(y, axis=1)

    args = R.normal(size=(40, 20)), 7, 0.5
    compiled = check(f, *args, ulps=30, scale=8.0)
    assert memory_of(compiled, *args) == []
    check(f, args[0], 40, 0.5)  # is an error
    check(f, args[0], -40, 0.5, ulps=30, scale=8.0)


def test_the_gradient_of_cross_entropy_needs_no_memory():
    def loss(x, labels):
        x = x - np.max(x, axis=1, keepdims=True)
        return np.mean(np.log(np.sum(np.exp(x), axis=1)) - x[np.arange(30), labels])

    x, labels = R.normal(size=(30, 20)), R.integers(0, 20, 30)
    gradient = ag.grad(loss)
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    expected = (e / np.sum(e, axis=1, keepdims=True) - np.eye(20)[labels]) / 30
    np.testing.assert_allclose(gradient(x, labels), expected, atol=1e-16)
    assert memory_of(gradient, x, labels) == []
    with pytest.raises(IndexError):
        gradient(x, labels + 20)


def test_many_changes_are_made_in_memory():
    def f(x):
        y = x * 2.0
        for i in [3, 1, 4, 1, 5, 9, 2, 6]:
            y[i] = y[i - 1] + 1.0
            y[:, i] += 0.5
        return y

    check_both(f, R.normal(size=(20, 30)))


def test_a_change_of_an_argument_that_is_read_again():
    def f(x):
        y = x.copy()
        y[::2] = x[::-2] + 1.0
        return y * x, y

    check_both(f, R.normal(size=(20, 30)))


def test_a_loop_changes_its_array_in_place():
    def f(x, n):
        y = np.zeros(400)
        for i in range(n):
            y[i] = x[i] * 2.0 + y[i - 1]
        return y

    args = R.normal(size=400), 400
    compiled = check(f, *args)
    assert memory_of(compiled, *args) in ([], [400])


def test_what_is_replaced_may_raise():
    def f(x, i):
        y = x[i] * 2.0
        y[3] = 1.0
        return np.sum(y)

    x, i = R.normal(size=300), np.arange(300)
    check(f, x, i, ulps=100, scale=8.0)
    i[3] = 300
    check(f, x, i)


# -- as CUDA C -------------------------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.cumsum(x * 2.0, axis=1) + 1,
        lambda x: np.cumsum(x * 2.0, axis=0) + 1,
        lambda x: np.maximum.accumulate(x, axis=1) + np.argmax(x, axis=1)[:, None],
        lambda x: np.sum(x * 2.0, axis=0) + np.argmin(x),
    ],
    ids=["along rows", "along columns", "extrema", "sums"],
)
def test_on_the_device(function):
    x = values((33, 40), "float64")
    (native,) = ag.to_graph(function).kernels(x).values()
    check_cuda(native.kernel, x)
