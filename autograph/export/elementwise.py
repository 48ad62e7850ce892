"""Elementwise operators: by what they declare for kernels.

Between Python's numbers Python's arithmetic holds: where it raises, or an int leaves 64 bits, the
run ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ops
from autograph.export.bounds import Bounds
from autograph.export.format import ExportFormat
from autograph.graph.graph import Constant, Node, Value
from ops.core import kernels
from ops.core.registry import Elementwise
from ops.core.types import ArrayType

DOUBLE, LONG, BOOL = map(np.dtype, (np.float64, np.int64, bool))
_MOST = 2**63 - 1
_COMPARISONS = frozenset(
    (ops.equal, ops.not_equal, ops.less, ops.less_equal, ops.greater, ops.greater_equal)
)
_PROMISED = "a Python int of more than 64 bits"


def is_term(value: Any) -> bool:
    """Whether something is a term, not a number."""
    return hasattr(value, "__kernel__")


def differs(x: Any, y: Any) -> Any:
    """Whether a term is not equal to another, or to a number."""
    return x.__kernel__("!=", (x, y))


def result_of(value: Any, form: ExportFormat, dtype: Any) -> Any:
    """What an expression of the language gives, which may be a number, in a dtype."""
    return value.cast(np.dtype(dtype)) if is_term(value) else form.known(value, dtype)


def computed_in(op: Elementwise, types: Sequence[ArrayType], form: ExportFormat) -> list[np.dtype]:
    """The dtypes of the operands in which an operator computes.

    Raises:
        UnsupportedFunctionError: it says nothing for kernels in these.
    """
    if op.python is not None and all(t.weak for t in types):
        dtype = np.result_type(*(t.dtype for t in types))
        result = op.infer(*types)[0].dtype
        dtype = LONG if dtype == BOOL and result == LONG else dtype
        if dtype.kind in "bi" and result == DOUBLE:  # of ints, whose quotient is a float
            dtype = DOUBLE
        dtypes = [dtype] * len(types)
    else:
        all_weak = all(t.weak for t in types)
        given = [t.dtype if all_weak or t.scalar is bool else t.scalar for t in types]
        loop = op.ufunc.resolve_dtypes((*given, *[None] * op.ufunc.nout))
        dtypes = [np.dtype(d) for d in loop[: len(types)]]
    if dtypes[0].kind not in op.kernels or (len(set(dtypes)) > 1 and not op.mixed):
        shown = ", ".join(map(str, types))
        raise form.refuse(f"there is no form in {form.name} of the operator '{op.name}' of {shown}")
    return dtypes


def elementwise(form: ExportFormat, bounds: Bounds, node: Node, operands: Sequence[Any]) -> Any:
    """What an elementwise operator becomes."""
    op: Any = node.op
    types = [v.type for v in node.inputs]
    (output,) = node.outputs
    result = output.type.dtype
    dtypes = computed_in(op, [t._replace(shape=()) for t in types], form)
    whole = dtypes[0].kind in "iu" and dtypes[0] != np.uint64
    if whole and op in _COMPARISONS and any(t.weak for t in types):
        dtypes = [LONG] * len(types)  # NumPy compares with the int itself, in range or not
    given = [fitted(form, v, x, d) for v, x, d in zip(node.inputs, operands, dtypes)]
    power = node.inputs[1].literal() if op is ops.power and _is_constant(node.inputs[1]) else None
    if power is not None:
        if power == 0.5 and types[0].shape:
            return result_of(kernels.sqrt(given[0]), form, result)
        if given[0].dtype.kind in "iu" and 0 <= power <= 64:
            return _whole_power(form, bounds, node, given[0], int(power))
    if op.python is not None and all(t.weak for t in types):
        return _of_python(form, bounds, node, given)
    return _computed(op, given, form, result)


def _computed(op: Elementwise, given: Sequence[Any], form: ExportFormat, dtype: np.dtype) -> Any:
    """By what the operator declares for kernels."""
    kind = given[0].dtype.kind
    if op is ops.remainder and kind in "iu":  # which is what Mod is, but for a divisor that is 0
        x, y = given
        found: Any = form.remainder(x, kernels.select(y == 0, 1, y))
        return result_of(kernels.select(y == 0, 0, found), form, dtype)
    return result_of(op.kernels[kind](*given), form, dtype)


def _is_constant(value: Any) -> bool:
    return isinstance(value, Constant) and value.is_scalar


def fitted(form: ExportFormat, value: Value, x: Any, dtype: np.dtype) -> Any:
    """An operand in another dtype, in which a Python int has to fit."""
    type = value.type
    if type.weak and type.dtype == LONG and dtype.kind in "iu" and dtype != LONG:
        info = np.iinfo(dtype)
        if x.value is not None:
            fits: Any = info.min <= int(x.value) <= info.max
        else:
            fits = (x >= max(info.min, -_MOST - 1)) & (x <= min(info.max, _MOST))
        _require(form, fits, f"OverflowError: Python integer out of bounds for {dtype}")
    return x.cast(dtype)


def _require(form: ExportFormat, flag: Any, message: str) -> None:
    """Args: flag: a scalar, or what is known."""
    form.require(flag if is_term(flag) else form.known(flag, bool), message)


def _of_python(form: ExportFormat, bounds: Bounds, node: Node, given: Sequence[Any]) -> Any:
    """An operator between numbers of Python's."""
    op: Any = node.op
    python, dtype = op.python, given[0].dtype
    types = [v.type for v in node.inputs]
    if python.of_zero is not None and _may_be_zero(node.inputs[1]):
        message = python.of_zero[dtype.kind == "f"]
        _require(form, differs(given[1], 0), f"ZeroDivisionError: {message}")
        given = [given[0], kernels.select(given[1] == 0, 1, given[1])]
    if python.exact and dtype == DOUBLE:
        for value, x, type in zip(node.inputs, given, types):
            if type.dtype == LONG and not bounds.below(value, 2**53):
                _require(form, kernels.fabs(x) < 2.0**53, "an int that no float is equal to")
    found = _computed(op, given, form, node.outputs[0].type.dtype)
    if dtype == LONG and node.outputs[0].type.dtype == LONG:
        if not bounds.below(node.outputs[0], _MOST):
            _require_64_bits(form, op, given, found)
    elif op is ops.power:
        _require_real_power(form, given[0], given[1], found)
    return found


def _may_be_zero(divisor: Any) -> bool:
    return not (_is_constant(divisor) and divisor.literal() != 0)


def _require_64_bits(form: ExportFormat, op: Elementwise, given: Sequence[Any], found: Any) -> None:
    """What has wrapped around ends the run."""
    x, y = given[0], given[-1]
    flag: Any = None
    if op is ops.add:
        flag = ((x ^ found) & (y ^ found)) >= 0
    elif op is ops.subtract:
        flag = ((x ^ y) & (x ^ found)) >= 0
    elif op is ops.multiply:
        estimate = x.cast(DOUBLE) * y.cast(DOUBLE)
        flag = kernels.fabs(estimate - found.cast(DOUBLE)) < 2.0**62
    elif op in (ops.negative, ops.absolute):
        flag = differs(x, -_MOST - 1)
    elif op is ops.floor_divide:
        flag = differs(x, -_MOST - 1) | differs(y, -1)
    elif op is ops.left_shift:
        flag = (y >= 0) & (y < 63) & ((found >> kernels.select((y >= 0) & (y < 63), y, 0)) == x)
    elif op is ops.right_shift:
        flag = y >= 0
    elif op is ops.power:
        size = kernels.power(kernels.fabs(x.cast(DOUBLE)), y.cast(DOUBLE))
        flag = (y >= 0) & (size < 2.0**62)
    if flag is not None:
        _require(form, flag, f"OverflowError: {_PROMISED}")


def _require_real_power(form: ExportFormat, x: Any, y: Any, found: Any) -> None:
    """Python's floats have no powers that are complex, or infinite of finite operands."""
    real = (x > 0) | differs(x, x) | (kernels.trunc(y) == y)
    finite = (kernels.fabs(x) < np.inf) & (kernels.fabs(y) < np.inf)
    overflows = finite & (kernels.fabs(found) == np.inf)
    power = float("nan") if y.value is None else float(y.value)
    if not (power >= 0 and power.is_integer()):
        real = real | (x == 0)
        _require(form, real, "a negative number to a power that is no integer is complex")
        zero = ~((x == 0) & (y < 0))
        message = "ZeroDivisionError: zero to a negative power"
        _require(form, zero, message)
    _require(form, ~overflows, "OverflowError: Numerical result out of range")


def _whole_power(form: ExportFormat, bounds: Bounds, node: Node, x: Any, power: int) -> Any:
    """An integer to a power that is known, by squaring."""
    weak = all(v.type.weak for v in node.inputs)
    if weak and not bounds.below(node.outputs[0], _MOST):
        size = kernels.power(kernels.fabs(x.cast(DOUBLE)), float(power))
        _require(form, size < 2.0**62, f"OverflowError: {_PROMISED}")
    found: Any = None
    square = x
    while power:
        if power & 1:
            found = square if found is None else found * square
        power >>= 1
        if power:
            square = square * square
    found = x * 0 + 1 if found is None else found
    return result_of(found, form, node.outputs[0].type.dtype)
