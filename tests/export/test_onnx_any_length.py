"""Models for arrays of any length: what has a name in a shape is a dimension of that name."""

import numpy as np
import onnxruntime
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError

VECTOR, ROWS = (ag.ShapeDtypeStruct(shape, float) for shape in [("n",), ("n", 3)])
OTHERS = ag.ShapeDtypeStruct(("m", 3), float)


def normalised(x):
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1.0)


def parts(x):
    return x[1:] - x[:-1], x[::-1], x[-1], len(x)


def made(x):
    return x.reshape(-1), np.concatenate([x, x]), np.zeros(len(x)), np.arange(len(x)) * 2.0


def looped(x):
    total = 0.0
    for i in range(len(x)):
        if x[i, 0] > 0.0:
            total = total + x[i, 1] * i
    return total


def of_two(x, y):
    return x @ y.T, np.ones((len(x), len(y))) * x.sum(), x.sum(axis=0) + y.mean(axis=0)


def listed(x):
    found = []
    for i in range(len(x)):
        found.append(x[i] * 2.0)
    return np.array(found)


def ordered(x):
    return np.sort(x), np.argmax(x), np.cumsum(x), np.var(x), x[:, None] * x[None, :]


CALLS = [
    *((f, (ROWS,)) for f in (normalised, parts, made, looped, ag.grad(looped))),
    *((of_two, (ROWS, OTHERS)), (listed, (VECTOR,)), (ordered, (VECTOR,))),
    (ag.vmap(lambda row: row * np.sum(row)), (ROWS,)),
]


def session(function, *specs):
    model = ag.export.onnx(function, *specs)
    return model, onnxruntime.InferenceSession(model.SerializeToString())


def shapes(values):
    return [[d.dim_param or d.dim_value for d in v.type.tensor_type.shape.dim] for v in values]


@pytest.mark.parametrize(("function", "specs"), CALLS)
def test_each_length(function, specs):
    model, run = session(function, *specs)
    assert shapes(model.graph.input) == [list(spec.shape) for spec in specs]
    for n in (2, 3, 8):
        numbers = np.random.default_rng(n)
        lengths = {"n": n, "m": 5}
        args = [numbers.standard_normal([lengths.get(k, k) for k in s.shape]) for s in specs]
        names = [given.name for given in model.graph.input]
        found = run.run(None, dict(zip(names, args)))
        expected = function(*args)
        expected = expected if isinstance(expected, tuple) else (expected,)
        assert len(found) == len(expected)
        for ours, theirs in zip(found, expected):
            assert ours.shape == np.shape(theirs) and ours.dtype == np.asarray(theirs).dtype
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def test_lengths_of_results():
    model, _ = session(lambda x, y: (x[1:], x.reshape(-1), x @ y.T), ROWS, OTHERS)
    assert shapes(model.graph.output) == [["n - 1", 3], ["3*n"], ["n", "m"]]


@pytest.mark.parametrize(
    ("function", "n", "says"),
    [
        (lambda x: x * 2.0, 1, "n is at least 2"),
        (lambda x: x[:4] * 2.0, 3, "n - 3 > 0"),
    ],
)
def test_what_was_assumed_is_checked(function, n, says):
    model, run = session(function, VECTOR)
    with pytest.raises(Exception, match=f"compiled for arrays of other lengths: {says}"):
        run.run(None, {model.graph.input[0].name: np.ones(n)})


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: np.tile(x, 2), "no form in ONNX of the operator 'tile'"),
        (lambda x: np.repeat(x, 2), "to be for arrays of any length, and the number"),
    ],
)
def test_what_needs_the_number_is_refused(function, says):
    with pytest.raises(UnsupportedFunctionError, match=says):
        ag.export.onnx(function, VECTOR)
