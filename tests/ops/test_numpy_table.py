"""The table between NumPy and the operators: arguments, methods, creation."""

import numpy as np
import pytest

import ops
from ops.core.numpy_table import CREATORS, ENTRIES, FUNCTIONS, METHODS, adapt, covers
from ops.core.registry import REGISTRY, Elementwise
from ops.core.types import type_of
from ops.names.ufuncs import UFUNCS
from tests.ops.recorded import record, run
from tests.support.oracle import check, check_grad

X = np.arange(6.0).reshape(2, 3)


def same(result, expected):
    assert type_of(result) == type_of(expected)
    np.testing.assert_array_equal(result, expected)


def test_every_elementwise_operator_is_reached_by_its_ufunc():
    for op in REGISTRY.values():
        if isinstance(op, Elementwise) and op.name == op.ufunc.__name__ and op is not ops.sign:
            assert UFUNCS[op.ufunc] is op


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_misspelt_argument_is_an_error(function):
    if function not in (np.ndim, np.iscomplexobj, np.isrealobj, np.shape):
        with pytest.raises((TypeError, ValueError)):
            FUNCTIONS[function](X, X, no_such_argument=1)


def test_an_unsupported_argument_is_an_error_that_names_it():
    def total(x, axis=None, dtype=None):
        return np.sum(x, axis, dtype)

    adapted = adapt(total, "a axis dtype out keepdims=False order=C like=*")
    same(adapted(X, 0, None, None, False, "C", X), np.sum(X, 0))
    same(adapted(X, order="C", like=X), np.sum(X))
    for options in ({"keepdims": True}, {"order": "F"}, {"axis": 0, "order": X}):
        with pytest.raises(NotImplementedError, match=[*options][-1]):
            adapted(X, **options)


def test_out():
    """Also for functions that do not take it."""
    x = np.array([[0.75, 1.5], [0.75, 2.0]])
    check(lambda x: np.sum(x, 0, out=np.zeros(2)), x)
    check(lambda x: np.sum(x, 0, None, np.zeros(2)), x)
    check(lambda x: x.sum(1, out=np.zeros(2, int)), x)  # added up as floats, then converted
    check(lambda x: np.sum(x, 0, out=np.zeros(2)), x.astype("f4"))
    check(lambda x: np.cumsum(x, out=np.zeros(4, int)), x)
    check(lambda x: np.mean(x, 0, out=np.zeros(2, "f4")), x)
    check(lambda x: np.max(x, 0, out=np.zeros(2, "f4")), x)
    check(lambda x: np.round(x, out=np.zeros((2, 2), int)), x)
    check(lambda x: np.sum(x, 0, out=np.zeros(3)), x)
    check(lambda x: np.sum(x, 0, out=np.zeros((1, 2))), x)
    check(lambda x: np.sum(x, 0, out=3), x)
    check(lambda x: np.fix(x, out=np.zeros((2, 2))), x)

    def written(x):
        store = np.zeros(2)
        returned = np.sum(x, axis=0, out=store)
        total = np.zeros(())
        np.sum(x, out=total)
        np.max(x, axis=1, out=x[0])
        return store, returned is store, total, x

    check(written, x)


def test_gradients_go_through_out():
    def total(x):
        store = np.zeros((2, 2))
        np.cumsum(x, axis=0, out=store)
        return np.sum(store**2)

    check_grad(total, np.array([[0.75, 1.5], [0.75, 2.0]]))


def test_out_that_the_graph_does_not_know():
    kept = np.zeros(2)

    with pytest.raises(NotImplementedError, match="not part of the computation"):
        record(lambda x: FUNCTIONS[np.sum](x, 0, out=kept), [X[:, :2]])
    assert not kept.any()


def test_defaults_may_be_given():
    same(FUNCTIONS[np.sum](X, 0, None, None, np._NoValue), np.sum(X, 0))
    same(FUNCTIONS[np.reshape](X, (3, 2), "C"), X.reshape(3, 2))
    same(FUNCTIONS[np.take](X, [0], 1, mode="raise"), np.take(X, [0], 1))
    same(FUNCTIONS[np.sum]([1, 2]), np.sum([1, 2]))
    same(FUNCTIONS[np.clip](X, min=2), np.clip(X, 2, None))
    with pytest.raises(TypeError, match="misses the argument 'shape'"):
        FUNCTIONS[np.reshape](X)
    with pytest.raises(TypeError, match="multiple values for"):
        FUNCTIONS[np.sum](X, a=X)
    with pytest.raises(TypeError, match="at most"):
        FUNCTIONS[np.squeeze](X, 0, 0)


METHOD_CALLS = [
    *[(name, (), {}) for name in ("sum", "prod", "mean", "var", "std", "max", "min", "argmax")],
    *[(name, (), {}) for name in ("all", "any", "cumsum", "ravel", "flatten", "copy", "squeeze")],
    *[(name, (), {}) for name in ("transpose", "conj", "round", "trace", "diagonal", "argsort")],
    ("sum", (0,), {"keepdims": True}),
    ("reshape", (3, 2), {}),
    ("reshape", ((3, -1),), {}),
    ("reshape", (-1,), {"order": "C"}),
    ("transpose", (1, 0), {}),
    ("transpose", ((1, 0),), {}),
    ("astype", (np.float32,), {"copy": False}),
    ("clip", (1, 3), {}),
    ("clip", (), {"max": 3}),
    ("dot", (X.T,), {}),
    ("repeat", (2,), {"axis": 1}),
    ("take", ([0, 2],), {"axis": 1}),
    ("swapaxes", (0, 1), {}),
    ("std", (0,), {"ddof": 1}),
]


@pytest.mark.parametrize("name, args, options", METHOD_CALLS)
def test_methods(name, args, options):
    result = METHODS[name](X, *args, **options)
    same(result, getattr(X, name)(*args, **options))


def test_item():
    for value in (np.array([[2.5]]), np.float32(1.5), np.array(3)):
        (result,) = run(record(METHODS["item"], [value]), [value])
        assert type(result) is type(value.item()) and result == value.item()
    with pytest.raises(ValueError, match="size 1"):
        METHODS["item"](X)


@pytest.mark.parametrize(
    "function, args, options",
    [
        (np.zeros, (3,), {}),
        (np.zeros, ((2, 3), np.int32), {}),
        (np.ones, (), {"shape": [2, 1], "dtype": "f4"}),
        (np.empty, ((0, 2),), {}),
        (np.full, ((2, 3), 7), {}),
        (np.full, ((2, 3), 2.5, int), {}),
        (np.full, ((2, 3), X[0]), {}),
        (np.arange, (5,), {}),
        (np.arange, (1, 2, 0.25), {"dtype": "f4"}),
        (np.eye, (3, 4, 1), {}),
        (np.identity, (2,), {}),
        (np.array, ([[1, 2], [3, 4.5]],), {}),
        (np.array, (X,), {"ndmin": 3}),
        (np.asarray, ([1, 2],), {"dtype": "f4"}),
        (np.asarray, (X,), {}),
        (np.float32, (2,), {}),
        (np.int64, (2.5,), {}),
        (np.bool_, (3,), {}),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_creation(function, args, options):
    same(CREATORS[function](*args, **options), function(*args, **options))


@pytest.mark.parametrize(
    "data, dtype",
    [
        (lambda x, y: [x, y], None),
        (lambda x, y: [x, 2.5, 1], None),
        (lambda x, y: [[x, 1], [2, y]], None),
        (lambda x, y: [[x, 1], (2, y)], np.float32),
        (lambda x, y: x, np.int32),
        (lambda x, y: [True, y], None),
    ],
)
@pytest.mark.parametrize("values", [(1, 2), (0.5, 2), (np.float32(0.5), 1.5), (np.int8(1), 2)])
def test_arrays_of_symbolic_numbers(data, dtype, values):
    graph = record(lambda x, y: CREATORS[np.array](data(x, y), dtype), values)
    same(*run(graph, values), np.array(data(*values), dtype))


def test_ragged_data_is_an_error():
    with pytest.raises(ValueError, match="same shape"):
        record(lambda x: CREATORS[np.array]([x, [1, 2]]), [1.0])


def test_functions_of_types_and_shapes_are_answered_at_once():
    seen = []

    def look(x, y):
        seen.append(FUNCTIONS[np.shape](x))
        seen.append(FUNCTIONS[np.ndim](x))
        seen.append(FUNCTIONS[np.size](x, 1))
        seen.append(FUNCTIONS[np.result_type](x, y, np.float32(1)))
        seen.append(FUNCTIONS[np.iscomplexobj](x))
        return x

    record(look, [X.astype("f4"), 2.0])
    assert seen == [(2, 3), 2, 3, np.dtype("float32"), False]


def test_a_function_that_this_numpy_lacks_is_left_out():
    before = len(ENTRIES)
    ours = covers(None, "x axis")(lambda x, axis=0: x)
    assert ours(1) == 1
    assert len(ENTRIES) == before
