"""The table between NumPy and the operators: arguments, methods, creation."""

import numpy as np
import pytest
from recorded import record, run

import ops
from ops.numpy_table import CREATORS, FUNCTIONS, METHODS
from ops.registry import REGISTRY, Elementwise
from ops.types import type_of
from ops.ufuncs import UFUNC_METHODS, UFUNCS

X = np.arange(6.0).reshape(2, 3)


def same(result, expected):
    assert type_of(result) == type_of(expected)
    np.testing.assert_array_equal(result, expected)


def test_every_elementwise_operator_is_reached_by_its_ufunc():
    for op in REGISTRY.values():
        if isinstance(op, Elementwise):
            assert UFUNCS[op.ufunc] is op


def test_every_operator_is_in_the_package():
    structured = {"cond", "while_loop", "for_loop", "call"}
    residuals = {"pack", "unpack", "unpack_ct", "push", "pop", "add_ct"}
    effects = {"check", "fail", "print", "warn"}
    for name, op in REGISTRY.items():
        if name not in structured | residuals | effects:
            assert getattr(ops, name) is op


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_misspelt_argument_is_an_error(function):
    if function not in (np.ndim, np.iscomplexobj, np.isrealobj, np.shape):
        with pytest.raises(TypeError):
            FUNCTIONS[function](X, X, no_such_argument=1)


@pytest.mark.parametrize(
    "function, options",
    [
        (np.sum, {"where": X > 1}),
        (np.sum, {"initial": 3}),
        (np.max, {"out": X}),
        (np.reshape, {"shape": 6, "order": "F"}),
        (np.take, {"indices": [0], "mode": "clip"}),
        (np.argsort, {"order": "f"}),
        (np.diff, {"prepend": 0}),
        (np.pad, {"pad_width": 1, "mode": "linear_ramp"}),
        (np.linalg.norm, {"ord": 2}),
    ],
)
def test_an_unsupported_argument_is_an_error_that_names_it(function, options):
    with pytest.raises(NotImplementedError, match=[*options][-1]):
        FUNCTIONS[function](X, **options)


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


@pytest.mark.parametrize("key", UFUNC_METHODS, ids=lambda key: f"{key[0].__name__}.{key[1]}")
def test_ufunc_methods(key):
    ufunc, method = key
    x = X + 1 if "dd->d" in ufunc.types or "dd->?" in ufunc.types else X.astype(int)
    if method == "at":
        return  # changes an array in place: tests/api/test_attributes.py
    args = (x, x[0]) if method == "outer" else (x,)
    same(UFUNC_METHODS[key](*args), getattr(ufunc, method)(*args))


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


def test_sizes_that_depend_on_the_data_are_errors():
    with pytest.raises(TypeError, match="number of elements depends"):
        record(lambda n: CREATORS[np.arange](n), [3])
