"""What Python's operators require where 64 bits take the place of its numbers, in the scalar
language of kernels and in lanes. Python itself is asked, at the ends of what 64 bits hold."""

import itertools
import math

import numpy as np
import pytest

from ops.core import kernels
from ops.core.registry import REGISTRY, Elementwise
from ops.core.types import weak
from ops.numbers import overflow

LEAST, MOST = -(2**63), 2**63 - 1
INTS = [0, 1, -1, 2, -3, 62, 64, 2**53 + 1, 2**62, LEAST, LEAST + 1, MOST]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e200, -1e200, math.inf, -math.inf]
DTYPES = {int: np.int64, float: np.float64}


def takes(op, kind):
    try:
        return bool(op.infer(*[weak(kind)] * len(op.partials)))
    except TypeError:
        return False


OPERATORS = [
    pytest.param(op, kind, id=f"{op.name} of {kind.__name__}s")
    for op in REGISTRY.values()
    if isinstance(op, Elementwise) and op.python is not None
    for kind in DTYPES
    if takes(op, kind)
]


def of_python(op, kind, operands):
    """What Python gives: a number of 64 bits, or the class of an exception, `OverflowError` for
    larger ints and `ValueError` for a result of another type than that of the operands."""
    if kind is int and op.name in ("left_shift", "power"):  # larger exponents need much memory
        operands = (operands[0], max(-4096, min(operands[1], 4096)))
    try:
        found = op.python.compute(*operands)
    except (ZeroDivisionError, OverflowError, ValueError) as error:
        return type(error)
    if type(found) is not type(op.python.compute(*[kind(1)] * len(operands))):
        return ValueError
    return OverflowError if type(found) is int and not LEAST <= found <= MOST else found


def cases(op, kind):
    """Operands, and what Python gives for them."""
    numbers = INTS if kind is int else FLOATS
    for operands in itertools.product(numbers, repeat=len(op.partials)):
        yield operands, of_python(op, kind, operands)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("op", "kind"), OPERATORS)
def test_kernels_give_up_where_python_has_no_result(op, kind):
    raising = [operands for operands, found in cases(op, kind) if isinstance(found, type)]
    if op.python.checked is not None or not raising:
        return  # kernels have instructions that tell
    for operands in raising:
        with pytest.raises(kernels.GiveUp):
            op.python.native(*map(DTYPES[kind], operands))
            raise AssertionError(operands)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("op", "kind"), OPERATORS)
def test_lanes_are_refused_where_python_has_no_result(op, kind):
    dtype = DTYPES[kind]
    for operands, expected in cases(op, kind):
        if expected is ZeroDivisionError and op.python.of_zero is not None:
            assert operands[1] == 0
            continue
        arrays = [np.array([x], dtype) for x in operands]
        if kind is int and op.name == "power" and operands[1] < 0:
            continue  # NumPy raises
        result = op.evaluate(np, arrays, {})
        wrong = op.python.wrong(*arrays, result) if op.python.wrong and kind is float else []
        refused = any(np.any(flags) for flags, *_ in wrong)
        try:
            overflow.exact(op, arrays, result)
        except OverflowError:
            refused = True
        if kind is float:
            assert refused >= isinstance(expected, type), (operands, expected)
        elif expected is not ValueError:  # NumPy's shifts take negative counts
            # Ints of 2**53 or more are refused where Python's own would be divided, or compared.
            large = op.python.exact and any(abs(x) >= 2**53 for x in operands)
            assert refused == isinstance(expected, type) or large, (operands, expected)


@pytest.mark.parametrize(("op", "kind"), OPERATORS)
def test_operators_of_numbers_say_that_python_raises(op, kind):
    types = [weak(kind)] * len(op.partials)
    errors = {found for _, found in cases(op, kind) if isinstance(found, type)} - {OverflowError}
    assert not errors or op.may_raise(types, {})
    assert all(issubclass(error, op.errors_of(types, {})) for error in errors)
