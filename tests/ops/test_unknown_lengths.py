"""Arrays whose lengths only the run knows, from masks and from slices: as NumPy, or refused."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import OperandTypeError, UnsupportedFunctionError
from ops.core.types import ArrayType, UnknownLengthError, array
from tests.ops.derivatives import scalar_of
from tests.support.build_graphs import graph_of

X = np.array([0.3, -1.0, 0.7, 1.5, -0.2, 0.9])
M = np.array([[0.5, -1.0, 2.0], [-0.3, 0.2, 0.1], [1.0, 0.4, -2.0]])

# -- functions of a vector -------------------------------------------------------------------------


def positive(x):
    return x[x > 0]


def neighbours(x):
    y = x[x > 0]
    return y[:-1] * y[1:], y[::2], y[::-1], y[1:-1], y[-2:]


def elements(x):
    y = x[x > 0]
    return y[0] + y[-1] * y[int(np.argmin(y))], y[None], y[..., 0], y[:, None], y[..., None, :]


def statistics(x):
    y = x[x > 0]
    return np.sum(y), np.mean(y), np.std(y), np.var(y, ddof=1), np.max(y), np.min(y), np.median(y)


def verdicts(x):
    y = x[x > 0]
    return np.any(y > 1), np.all(y > 0.2), np.argmax(y), np.argmin(y), np.count_nonzero(y > 0.5)


def orders(x):
    y = x[x > 0]
    return np.sort(y), np.argsort(y), np.cumsum(y), np.cumprod(y), np.prod(y), np.diff(y)


def joined(x):
    y = x[x > 0]
    return (
        np.concatenate([y, x, y[::2]]),
        np.stack([y, 2.0 * y]),
        np.vstack([y, y]),
        np.hstack([y, y]),
    )


def shaped(x):
    y = x[x > 0]
    return y.reshape(-1, 1) * y.reshape(1, -1), y[:, None].T, np.expand_dims(y, 0), np.ravel(y)


def filled(x):
    y = x[x > 0]
    return np.zeros_like(y), np.ones_like(y), np.full_like(y, 3.0), np.copy(y), y.astype(np.float32)


def products(x):
    y = x[x > 0]
    return y @ y, np.dot(y, y), np.outer(y, y), np.outer(y, x) @ x, y @ np.outer(y, x)


def lengths(x):
    y = x[x > 0]
    return len(y), y.size, y.shape[0], np.size(y), np.shape(y[:, None])[0], y.nbytes, y.ndim


def chosen(x):
    y = x[x > 0]
    return np.where(y > 0.5, y, 0.0), np.maximum(y, 0.5), y[y > 0.5], y * (y > 0.5)


def places(x):
    i = np.nonzero(x > 0)[0]
    return i, np.flatnonzero(x < 0), np.argwhere(x > 0), np.where(x > 0)[0], x[i], np.take(x, i)


def written(x):
    y = x[x > 0]
    y[0] = 3.0
    y[1:] += y[0]
    y += 1.0
    y *= y
    return y


def writes_back(x):
    x[x > 0] *= 2.0
    x[x < 0] = 5.0
    x[x > 4.0] = x[x > 4.0] + np.arange(2.0)
    return x


def up_to_the_largest(x):
    i = np.argmax(x)
    return x[:i], x[i:], x[i::-1], x[: i + 1 : 2], x[-i:], x[i - 100 : i]


def overwritten_from(x):
    i = np.argmax(x)
    x[:i] = 0.0
    x[i:] += x[i]
    return x


def prefixes(x):
    total = 0.0
    for i in range(len(x)):
        total = total + np.sum(x[:i] * x[:i]) * i
    return total


def empty(x):
    y = x[x > 100.0]
    return y, np.sum(y), len(y), y[:3], np.concatenate([y, y]), y @ y


def loop_state(x):
    y = x[x > 0]
    while np.sum(y) > 0.5:
        y = y[1:] * 0.5
    return y


def rows_of_it(x):
    total = 0.0
    for value in x[x > 0]:
        total = total + value * total + value
    return total


def rearranged(x):
    y = x[x > 0]
    return (
        *(np.roll(y, 1), np.roll(y, -2, axis=0), np.tile(y, 2), np.tile(y, (2, 1)), np.flip(y)),
        *(
            np.repeat(y, 2),
            np.repeat(y[:, None], 3, axis=1),
            np.rot90(y[None]),
            np.moveaxis(y, 0, 0),
        ),
        *(np.atleast_2d(y), np.broadcast_to(y, (2, len(y))), np.append(y, 1.0), y.ravel("F")),
        *(np.squeeze(y[:, None], 1), np.column_stack([y, y]), np.dstack([y, y]), np.copy(y)),
    )


def picked_from(x):
    y = x[x > 0]
    i = np.array([0, -1])
    return (
        *(np.take(y, i), np.take(y, [7, -9], mode="wrap"), np.take(y, 99, mode="clip")),
        *(np.take_along_axis(y, i, 0), np.compress([True], y), np.extract(y > 0.5, y)),
        *(np.clip(y, 0, 1), np.where(y > 1, 1.0, y), np.select([y > 1, y > 0.5], [y, 2 * y])),
        *(np.choose((y > 0.5) * 1, [y, 1.0]), np.nan_to_num(y), np.sinc(y)),
    )


def padded(x):
    y = x[x > 0]
    return (
        *(np.pad(y, (1, 2)), np.pad(y, 3, "edge"), np.pad(y, (5, 3), "wrap")),
        *(np.pad(y, (7, 9), "reflect"), np.pad(y, (6, 8), "symmetric"), np.pad(y, 2, "mean")),
        *(np.pad(y, 1, constant_values=(2.0, 3.0)), np.pad(y[:, None], 1), np.pad(y, 2, "maximum")),
        np.pad(y, 2, "linear_ramp"),
    )


def diagonals(x):
    y = x[x > 0]
    a = np.outer(y, y)
    return (
        *(np.diag(y), np.diag(y, 1), np.diag(y, -2), np.diag(a), np.diag(a, 1), np.diag(a, -1)),
        *(np.trace(a), np.tril(a), np.triu(a, 1), np.diagonal(a), np.diagflat(a)),
    )


def sums_of_neighbours(x):
    y = x[x > 0]
    return (
        *(np.trapezoid(y), np.trapezoid(y, y * 2), np.convolve(y, [1.0, 2.0]), np.gradient(y)),
        *(np.gradient(y, 0.5), np.unwrap(9 * y), np.polyval([1.0, 2.0], y), np.diff(y, prepend=0)),
        *np.meshgrid(y, x[:2]),
        *np.meshgrid(y, y, indexing="ij"),
    )


def sizes_from_the_data(x):
    y = x[x > 0]
    n = len(y)
    return (
        *(np.zeros(n), np.ones((n, 2)), np.full((2, n), 3.0), np.arange(n), np.arange(1.0, n + 1)),
        *(
            np.arange(n, 0, -1),
            np.arange(n - 1, 2 * n, 2),
            np.arange(0, y[0], 0.1),
            np.zeros(y.shape),
        ),
        *(y.reshape(n, 1), np.arange(y[0]), np.arange(n, n + 3)),
        *(np.zeros(np.argmax(x)), np.empty((np.argmax(x), 0)).shape, x[np.arange(n)]),
    )


VECTOR_FUNCTIONS = [
    *(rearranged, picked_from, padded, diagonals, sums_of_neighbours, sizes_from_the_data),
    *(positive, neighbours, elements, statistics, verdicts, orders, joined, shaped, filled),
    *(products, lengths, chosen, places, written, writes_back, up_to_the_largest),
    *(overwritten_from, prefixes, empty, loop_state, rows_of_it),
]


def assert_same(result, expected):
    if isinstance(expected, tuple):
        assert len(result) == len(expected)
        for x, y in zip(result, expected):
            assert_same(x, y)
        return
    x, y = np.asarray(result), np.asarray(expected)
    assert x.dtype == y.dtype
    assert x.shape == y.shape
    np.testing.assert_allclose(x, y, rtol=1e-14)


@pytest.mark.parametrize("function", VECTOR_FUNCTIONS)
@pytest.mark.parametrize("x", [X, X[::-1], np.abs(X)], ids=["mixed", "reversed", "positive"])
def test_as_numpy(function, x):
    if function is writes_back and np.all(x > 0):
        pytest.skip("two elements are greater than 4 in the others only")
    mine, theirs = x.copy(), x.copy()
    assert_same(ag.to_graph(function)(mine), function(theirs))
    assert_same(mine, theirs)


def rows_by_mask(m):
    rows = m[m[:, 0] > 0]
    return (
        rows,
        rows.T,
        rows @ m,
        m @ rows.T,
        rows.sum(axis=0),
        rows.mean(axis=1),
        rows[:, 1],
        rows[0],
    )


def elements_by_mask(m):
    return m[m > 0], m[1:][m[1:] > 0], m[:, m[0] > 0], np.nonzero(m > 0), m[m[:, 0] > 0, 1]


def columns_up_to(m):
    i = np.argmax(m[0])
    return m[:, :i], m[i:, None], m[..., :i].sum(), m[:i].max(axis=1), m[:i].reshape(-1)


def updated_rows(m):
    m[m[:, 0] > 0] += 1.0
    m[m[:, 1] > 0, 0] = 7.0
    m[: np.argmax(m[0])] *= m[0]
    return m


def sorted_rows(m):
    rows = m[m[:, 0] > 0]
    return (
        np.sort(rows, axis=0),
        np.sort(rows, axis=1),
        np.cumsum(rows, axis=0),
        np.median(rows, axis=0),
    )


@pytest.mark.parametrize(
    "function", [rows_by_mask, elements_by_mask, columns_up_to, updated_rows, sorted_rows]
)
def test_matrices_as_numpy(function):
    assert_same(ag.to_graph(function)(M.copy()), function(M.copy()))


# -- errors of the run -----------------------------------------------------------------------------


def lengths_that_differ(x):
    return x[x > 0] + x[x <= 0]


def longer_in_place(x):
    y = x[x > 1.0]
    y += x[x > 0]
    return y


def beyond_the_end(x):
    return x[x > 0][4]


def extremum_of_nothing(x):
    return np.max(x[x > 100.0])


def wrong_size(x):
    return x[x > 0].reshape(3, 2)


def mask_of_another_length(x):
    return x[x > 0][np.arange(3) > 0]


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lengths_that_differ, ValueError),
        (longer_in_place, ValueError),
        (beyond_the_end, IndexError),
        (extremum_of_nothing, ValueError),
        (wrong_size, ValueError),
        (mask_of_another_length, IndexError),
    ],
)
def test_errors_of_the_run_name_the_line(function, error):
    with pytest.raises(error):
        function(X.copy())
    with pytest.raises(error) as caught:
        ag.to_graph(function)(X.copy())
    notes = getattr(caught.value, "__notes__", None) or [str(caught.value.__cause__)]
    assert "test_unknown_lengths.py" in notes[0]


def test_an_error_that_nobody_uses_the_result_of():
    def unused(x):
        x[x > 0] + x[x <= 0]
        return x

    with pytest.raises(ValueError, match="broadcast"):
        ag.to_graph(unused)(X)


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("inv", lambda x: np.linalg.inv(np.outer(x[x > 0], x[x > 0]))),
        ("resize", lambda x: np.resize(x[x > 0], 2)),
        ("cholesky", lambda x: np.linalg.cholesky(np.outer(x[x > 0], x[x > 0]))),
    ],
)
def test_what_has_to_know_the_length_refuses(name, function):
    with pytest.raises(UnsupportedFunctionError) as caught:
        ag.to_graph(function)(X)
    message = str(caught.value)
    assert name in message
    assert "f64[?" in message
    assert "Fix: use" in message


def test_a_slice_from_a_float_refuses():
    with pytest.raises(OperandTypeError, match="slice indices"):
        ag.to_graph(lambda x: x[: x[0] * 2])(X)


def test_the_size_of_a_type_of_unknown_length():
    unknown = array("f8", (None, 3))
    assert not unknown.is_static
    assert array("f8", (2, 3)).is_static
    with pytest.raises(UnknownLengthError, match=r"f64\[\?,3\]"):
        _ = unknown.size


def test_an_operator_that_does_not_say_that_it_takes_them_refuses():
    op = ops.core.registry.REGISTRY["warn"]
    assert not op.unknown_lengths
    with pytest.raises(UnknownLengthError, match=r"'warn'.*f64\[\?,\?\]"):
        op.infer(ArrayType(np.dtype("f8"), (None, None)), texts=(), category="UserWarning")


@pytest.mark.parametrize("name", ["inv", "det", "svdvals", "cholesky_lower"])
def test_matrices_of_unknown_size_are_refused_but_not_an_unknown_number_of_them(name):
    op = ops.core.registry.REGISTRY[name]
    assert op.infer(ArrayType(np.dtype("f8"), (None, 3, 3)))[0].shape[0] is None
    with pytest.raises(UnknownLengthError, match=r"f64\[\?,\?\]"):
        op.infer(ArrayType(np.dtype("f8"), (None, None)))


# -- gradients -------------------------------------------------------------------------------------


def energy(x):
    y = x[x > 0]
    return np.sum(y * y * y) + np.mean(y) * np.std(y) + np.prod(y)


def guarded(x):
    y = x[x > -5.0]
    return np.sum(np.where(y > 0, np.log(y), y))


def broadcast(x):
    y, largest = x[x > 0], x[x >= np.max(x)]
    return np.sum(y * largest + largest / (1.0 + y * y))


def broadcast_columns(x):
    y = x[x > 0]
    return np.sum(np.sin(y[:, None] * x)) + np.sum(np.cos(y[:, None] * y) * y)


def sequence(x):
    y = x[x > 0]
    return np.sum(np.sort(y) * np.cumsum(y)) + np.median(y) ** 2 + np.max(y) * np.min(y)


def parts(x):
    y = x[x > 0]
    joined = np.concatenate([y, x[:2], y[::-1]])
    return np.sum(joined[1:] * joined[:-1]) + joined[0] * y[-1]


def matrices(x):
    y = x[x > 0]
    a = np.outer(y, x)
    return y @ a @ x + np.sum(a.T @ a) + y @ y


def picked(x):
    i = np.nonzero(x > 0)[0]
    y = x * 1.0
    y[i] = x[i] * x[0]
    y[i[1:]] += x[i[:-1]] ** 2
    return np.sum(y * y)


def sliced(x):
    i = np.argmax(x)
    y = x * x
    y[:i] *= x[i]
    return np.sum(y[:i] * y[:i]) + np.sum(y[i:]) * y[i]


def in_a_loop(x):
    total = 0.0
    for i in range(len(x)):
        head = x[:i]
        total = total + np.sum(head * head * x[i])
    return total


@pytest.mark.costly
@pytest.mark.parametrize(
    "function", [rearranged, picked_from, padded, diagonals, sums_of_neighbours]
)
def test_derivatives_of_arrays(function):
    ag.check_grads(scalar_of(function), (X,))


GRADIENTS = [
    *(energy, guarded, broadcast, broadcast_columns, sequence, parts, matrices, picked, sliced),
    *(in_a_loop, prefixes, rows_of_it),
]


def differences(function, x, step=1e-6):
    columns = [(function(x + d) - function(x - d)) / (2 * step) for d in step * np.eye(len(x))]
    return np.stack(columns, axis=-1)


@pytest.mark.filterwarnings("ignore:invalid value encountered in log")  # NumPy's own, in `guarded`
@pytest.mark.parametrize("function", GRADIENTS)
def test_first_and_second_derivatives(function):
    gradient = ag.grad(function)
    np.testing.assert_allclose(gradient(X), differences(function, X), rtol=1e-6, atol=1e-7)
    weights = np.linspace(1.0, 2.0, len(X))

    def weighted(x):
        return np.sum(gradient(x) * weights)

    second = ag.grad(weighted)(X)
    np.testing.assert_allclose(second, differences(weighted, X), rtol=1e-5, atol=1e-6)


def test_the_product_of_the_others_where_some_are_zero():
    x = np.array([0.0, 2.0, 0.0, 3.0])
    known = ag.grad(lambda x: np.sum(ag.grad(lambda x: np.prod(x))(x) ** 2 + x))
    unknown = ag.grad(lambda x: np.sum(ag.grad(lambda x: np.prod(x[x > -1]))(x) ** 2 + x))
    np.testing.assert_allclose(unknown(x), known(x))


# -- types and graphs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "result", "may_raise"),
    [
        ((None,), (), (None,), False),
        ((None,), (1,), (None,), False),
        ((None,), (None,), (None,), True),
        ((None,), (3,), (3,), True),
        ((None, 1), (3,), (None, 3), False),
        ((None, 3), (None, 1), (None, 3), True),
        ((2, None), (None, 1, 1), (None, 2, None), False),
    ],
)
def test_broadcasting(x, y, result, may_raise):
    types = array("f8", x), array("f8", y)
    assert ops.add.infer(*types) == (array("f8", result),)
    assert ops.add.infer(*types[::-1]) == (array("f8", result),)
    assert ops.add.may_raise(types, {}) == may_raise
    assert ops.where.infer(array("?", x), *types) == (array("f8", result),)


def test_printed_types():
    graph = graph_of(lambda x: ops.sin(x), "f", x=array("f4", (None, 3)))
    assert str(graph).splitlines()[0] == "graph f(x: f32[?,3]) -> f32[?,3]"


def test_the_gradient_of_a_function_of_one_length_adds_nothing_up():
    """That all operands have the same length is found out, so none can have been broadcast."""

    def f(x):
        y = x[x > 0]
        return np.sum(np.sin(y) * y + np.where(y > 0.5, y, y * y))

    assert "summed_to" not in str(ag.grad(f).program(X))
