"""Subscripts: specs and their text, windows, symbolic masks, errors, and random mixtures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph as ag
import ops
from ops.arrays.indexing import update_statement
from ops.core.subscripts import encode_index, spec_text
from ops.core.types import type_of
from tests.ops.forward_mode import derivative, difference
from tests.ops.recorded import record, run

X = np.arange(24.0).reshape(2, 3, 4)


def text_of(index, shape):
    operands, spec = encode_index(index, shape)
    return spec_text(spec, [f"i{j}" for j in range(len(operands))])


@pytest.mark.parametrize(
    "index, text",
    [
        ((), "()"),
        (1, "1"),
        ((slice(1, None), slice(None, None, -2)), "1:, ::-2"),
        ((None, ..., -1), "None, ..., -1"),
        (([0, 1], slice(None)), "i0, :"),
        ((ops.Window(np.int64(1), 2), 0), "window(i0, 2, 3), 0"),
        ((np.array([True, False, True]),), "i0"),
    ],
)
def test_text_of_a_subscript(index, text):
    assert text_of(index, (3, 4)) == text


@pytest.mark.parametrize(
    "index, add, statement",
    [
        ((0, slice(1, 3)), False, "x[0, 1:3] = v"),
        ((0, slice(1, 3)), True, "x[0, 1:3] += v"),
        ((np.array([0, 0]), slice(None)), False, "x[i0, :] = v"),
        ((np.array([0, 0]), slice(None)), True, "np.add.at(x, (i0, slice(None, None, None)), v)"),
        (np.array(0), True, "x[i0] += v"),
    ],
)
def test_update_statements_do_what_the_operators_do(index, add, statement):
    x, value = np.ones((3, 4)), np.float64(2)
    operands, spec = encode_index(index, x.shape)
    types, names = [type_of(o) for o in operands], [f"i{j}" for j in range(len(operands))]
    assert update_statement(spec, names, types, "x", "v", add) == statement
    op = ops.index_add if add else ops.index_update
    expected = op(x, value, *operands, index=spec)
    exec(statement, {"np": np, "x": x, "v": value, **dict(zip(names, operands))})
    np.testing.assert_array_equal(x, expected)


ITEMS = st.one_of(
    st.just(None),
    st.just(...),
    st.integers(-2, 1),
    st.slices(3),
    st.sampled_from([np.array([0, 1]), np.array([[1], [-1]]), np.array(1), np.zeros(0, int)]),
)


@pytest.mark.slow
@given(st.lists(ITEMS, max_size=5).map(tuple))
@settings(max_examples=300, deadline=None)
def test_random_subscripts(index):
    """The result, its inferred shape, or an error of the same type."""
    try:
        expected = X[index]
    except IndexError:
        with pytest.raises(IndexError):
            ops.subscript(X, index)
        return
    (result,) = run(record(lambda x: ops.subscript(x, index), [X]), [X])
    assert type_of(result) == type_of(expected)
    np.testing.assert_array_equal(result, expected)
    updated = X.copy()
    updated[index] = -1
    np.testing.assert_array_equal(ops.assigned(X, index, -1), updated)


@pytest.mark.parametrize("start", [0, 1])
def test_windows(start):
    index = (slice(None), ops.Window(np.int64(start), 2))
    part = (slice(None), slice(start, start + 2))
    np.testing.assert_array_equal(ops.subscript(X, index), X[part])
    updated = X.copy()
    updated[part] = 0
    np.testing.assert_array_equal(ops.assigned(X, index, 0), updated)


@pytest.mark.parametrize("start", [-1, 2, 5])
def test_windows_that_do_not_fit_raise_when_the_program_runs(start):
    index = (slice(None), ops.Window(np.int64(start), 2))
    for use in (lambda: ops.subscript(X, index), lambda: ops.assigned(X, index, 0)):
        with pytest.raises(IndexError, match="does not fit an axis of size 3"):
            use()


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4)])
def test_assigning_a_number_where_a_symbolic_mask_is_true(shape):
    x = np.arange(float(np.prod(shape))).reshape(shape)
    mask = np.array([[True, False, True], [False, False, True]])
    expected = x.copy()
    expected[mask] = 7
    (result,) = run(record(lambda x, m: ops.assigned(x, m, 7), [x, mask]), [x, mask])
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    "index, error, message",
    [
        (2, IndexError, "index 2 is out of bounds for axis 0 with size 2"),
        ((0, -4), IndexError, "index -4 is out of bounds for axis 1 with size 3"),
        ([0, 5], IndexError, "index 5 is out of bounds for axis 0"),
        ((0, 0, 0, 0), IndexError, "too many indices for array: array is 3-dimensional, but 4"),
        ((..., ...), IndexError, "single ellipsis"),
        (1.0, IndexError, "only integers"),
        ("a", IndexError, "only integers"),
        (np.array([True]), IndexError, "boolean index did not match"),
        ((True, np.array([0, 5])), IndexError, "index 5 is out of bounds"),
        (([0, 1], [0, 1, 2]), IndexError, "shape mismatch"),
        ((slice(None), ops.Window(0, 4)), IndexError, "does not fit an axis of size 3"),
    ],
)
def test_errors_before_the_program_runs(index, error, message):
    with pytest.raises(error, match=message):
        record(lambda x: ops.subscript(x, index), [X])


def test_a_symbolic_mask_of_another_shape():
    with pytest.raises(IndexError, match="did not match indexed array along axis 0"):
        record(lambda x, m: ops.subscript(x, m), [X, np.ones(5, bool)])
    with pytest.raises(IndexError, match="did not match indexed array along axis 1"):
        record(lambda x, m: ops.assigned(x, m, 0), [X, np.ones((2, 5), bool)])


def test_values_that_do_not_fit():
    with pytest.raises(ValueError, match=r"input array from shape \(2,\) into shape \(3, 4\)"):
        record(lambda x, v: ops.assigned(x, 0, v), [X, np.ones(2)])
    with pytest.raises(TypeError, match="not subscriptable"):
        record(lambda x: ops.getitem(x, index=()), [1.0])
    with pytest.raises(TypeError, match="cannot add float64"):
        record(lambda x, v: ops.added(x, 0, v), [np.ones(2, int), 1.5 * np.ones(())])


def test_an_out_of_range_array_of_indices_raises_when_the_program_runs():
    graph = record(lambda x, i: ops.subscript(x, i), [X, np.array([0])])
    with pytest.raises(IndexError):
        run(graph, [X, np.array([9])])


def test_values_are_converted_as_numpy_does():
    x = np.arange(3)
    np.testing.assert_array_equal(ops.assigned(x, 0, 2.7), [2, 1, 2])
    assert ops.assigned(x, 0, 2.7).dtype == x.dtype


def test_a_value_that_was_written_over_has_no_derivative():
    x, value, places = np.zeros(3), np.array([1.0, 2.0, 3.0]), np.array([1, 0, 1])
    operands, spec = encode_index(places, x.shape)
    ct = np.array([10.0, 20.0, 30.0])
    pulled = ops.index_update.transposes[1](ct, x, value, *operands, index=spec)
    np.testing.assert_array_equal(pulled, [0, 10, 20])
    tangent = [np.ones(3)]
    write = lambda v: ops.assigned(x, places, v)
    np.testing.assert_allclose(
        derivative(write, [value], tangent), difference(write, [value], tangent)
    )


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "uint64", "bool"])
@pytest.mark.parametrize(
    "x",
    [
        np.arange(60.0),
        np.arange(120).reshape(60, 2)[::-1].T.copy().T,
        np.arange(60) * (1 - 2j),
        np.arange(240.0).reshape(60, 2, 2).transpose(0, 2, 1),
    ],
    ids=["row", "columns", "complex", "turned"],
)
def test_many_elements_that_are_taken(x, dtype):
    """They have the values and the order in memory of a subscript, or raise what it raises."""

    def rows(x, places):
        return x[places]

    count = 60 if dtype == "bool" else 1200
    places = np.random.default_rng(0).integers(0, 60, count).astype(dtype)
    found, expected = ag.to_graph(rows)(x, places), rows(x, places)
    np.testing.assert_array_equal(found, expected)
    assert (found.dtype, found.strides) == (expected.dtype, expected.strides)
    if dtype == "int64":
        assert (".take(" in str(ag.to_graph(rows).program(x, places))) == (x.ndim < 3)
        for place in (60, -61):
            places[7] = place
            with pytest.raises(IndexError) as raised:
                rows(x, places)
            with pytest.raises(IndexError, match=str(raised.value)):
                ag.to_graph(rows)(x, places)


def test_nothing_to_be_taken():
    x, places = np.zeros((0, 3)), np.zeros(1200, dtype=np.int64)
    with pytest.raises(IndexError, match="index 0 is out of bounds for axis 0 with size 0"):
        ag.to_graph(lambda x, places: x[places])(x, places)


PUT_IN = {
    "behind": lambda x: np.exp(x)[:, None] * x,
    "before": lambda x: np.exp(x)[None] - x[:, None],
    "ellipsis": lambda x: np.sin(x[..., None, None]),
    "number": lambda x: np.sum(x)[None, None] * x,
    "whole": lambda x: x[:] * x[...],
}


@pytest.mark.parametrize("name", PUT_IN)
def test_the_derivative_of_axes_that_are_put_in(name):
    """It is a change of shape: nothing is added to zeros."""
    f, x = PUT_IN[name], np.linspace(0.2, 1.1, 4)
    ag.check_grads(f, (x,), order=2)
    gradient = ag.grad(lambda x: np.sum(f(x) ** 2))
    assert "index_add" not in str(gradient.graph(x))
    lanes = ag.vmap(gradient)(np.stack([x, 2 * x]))
    np.testing.assert_allclose(lanes[1], gradient(2 * x))
    for length in (5, 6):  # of any length from then on
        longer = np.linspace(0.1, 0.7, length)
        ag.check_grads(f, (longer,), order=1)
        assert gradient(longer).shape == (length,)


def test_the_derivative_of_axes_that_are_put_in_within_a_loop():
    def forward(a, move):
        for k in range(9):
            a = np.log(np.sum(np.exp(a[:, None] + move), axis=0)) - 0.1 * k
        return np.sum(a)

    a, move = np.linspace(0.1, 0.4, 3), np.linspace(-0.2, 0.3, 9).reshape(3, 3)
    assert "index_add" not in str(ag.grad(forward, (0, 1)).graph(a, move))
    ag.check_grads(forward, (a, move), order=2)
