"""Operators on arrays: NumPy's results, types known beforehand, and right derivatives."""

import numpy as np
import pytest

from ops.arrays.creation import zeros_like
from ops.core.operands import shape_of
from ops.core.registry import Elementwise, Linear
from ops.core.types import type_of
from ops.elementwise import multiply
from ops.structure.broadcasting import sum_to
from tests.ops import array_cases
from tests.ops.forward_mode import derivative, difference, tangent_of
from tests.ops.recorded import record, run

DTYPES = ["bool", "int32", "int64", "float32", "float64", "complex128"]
ALL = pytest.mark.parametrize("case", array_cases.CASES, ids=lambda case: case.name)
SMOOTH = pytest.mark.parametrize(
    "case", [c for c in array_cases.CASES if c.smooth], ids=lambda case: case.name
)


def arguments(case, dtype="float64", seed=0):
    """Random arrays for the shapes of a case; its other arguments as they are."""
    rng = np.random.default_rng(seed)
    return [
        (rng.normal(size=shape) * 3).astype(dtype) if isinstance(shape, tuple) else shape
        for shape in case.shapes
    ]


def is_float(x):
    return np.asarray(x).dtype.kind == "f"


def outcome(function, args):
    try:
        return function(*args)
    except (TypeError, NotImplementedError):
        return TypeError


@ALL
@pytest.mark.filterwarnings("ignore")
def test_result_and_inferred_type_are_those_of_numpy(case):
    """Recording the case infers its type; running the record checks each node's type."""
    for dtype in DTYPES:
        args = arguments(case, dtype)
        expected = outcome(case.oracle, args)
        result = outcome(case.ours, args)
        if result is TypeError:
            assert expected is TypeError or dtype in ("bool", "complex128"), dtype
            continue
        results = [result, *run(record(case.ours, args), args)]
        for result in results:
            assert type_of(result) == type_of(expected), dtype
            np.testing.assert_allclose(result, expected, rtol=2e-5, atol=1e-6, err_msg=dtype)


def with_integers_bound(function, args):
    """``function`` of its floating-point arguments only."""

    def of_floats(*floats):
        floats = iter(floats)
        return function(*(next(floats) if is_float(x) else x for x in args))

    return of_floats


@SMOOTH
def test_first_and_second_derivatives(case):
    args = arguments(case)
    ours, oracle = (with_integers_bound(f, args) for f in (case.ours, case.oracle))
    floats = [x for x in args if is_float(x)]
    rng = np.random.default_rng(1)
    tangents = [np.asarray(rng.normal(size=np.shape(x))) for x in floats]

    def first(*floats):
        return derivative(ours, floats, tangents)

    expected = difference(oracle, floats, tangents)
    np.testing.assert_allclose(first(*floats), expected, rtol=1e-5, atol=1e-6)
    second = derivative(first, floats, tangents)
    np.testing.assert_allclose(second, difference(first, floats, tangents), rtol=1e-5, atol=1e-5)


def cotangents_of(op, ct, operands, out, attrs):
    """The cotangents of the operands, by the operator's own rule."""
    if isinstance(op, Elementwise):
        return [
            None
            if partial is None
            else multiply(ct, partial(*operands, out) if callable(partial) else partial)
            for partial in op.partials
        ]
    if isinstance(op, Linear):
        if callable(op.transposes):
            return op.transposes(ct, *operands, **attrs)
        return [t and t(ct, *operands, **attrs) for t in op.transposes]
    return op.vjp((ct,), operands, (out,), **attrs)


def check_transposed(node, operands, out):
    """What the rule for reverse mode gives is the transpose of what that for forward mode gives."""
    op, attrs = node.op, node.attrs
    if not is_float(out) or not (isinstance(op, (Elementwise, Linear)) or op.differentiable):
        return
    rng = np.random.default_rng(2)
    ct = np.asarray(rng.normal(size=np.shape(out)))
    for i, x in enumerate(operands):
        if not is_float(x):
            continue
        tangents = [None] * len(operands)
        tangents[i] = rng.normal(size=np.shape(x))
        tangent = tangent_of(op, operands, tangents, out, attrs)

        def pulled(x, i=i):
            values = [*operands]
            values[i] = x
            out = op.apply(values, attrs)
            cotangents = cotangents_of(op, ct, values, out, attrs)
            found = cotangents[i] if i < len(cotangents) else None
            return zeros_like(x) if found is None else sum_to(found, shape_of(x))

        forward = 0 if tangent is None else np.sum(ct * tangent)
        backward = np.sum(pulled(x) * tangents[i])
        np.testing.assert_allclose(forward, backward, rtol=1e-6, atol=1e-9, err_msg=op.name)
        second = derivative(pulled, [x], [tangents[i]])
        expected = difference(pulled, [x], [tangents[i]])
        np.testing.assert_allclose(second, expected, rtol=1e-4, atol=1e-5, err_msg=op.name)


@SMOOTH
def test_reverse_mode_is_the_transpose_of_forward_mode(case):
    args = arguments(case)
    run(record(case.ours, args), args, check_transposed)
