"""Elementwise operators applied to scalars of a kernel.

The operands are converted to the dtypes in which NumPy's ufunc computes, the operator's kernel
expression is applied, and the result is converted to the dtype that the graph gives it. Between
Python numbers Python's own arithmetic holds: where it raises, or leaves the 64 bits of an integer,
the kernel gives up.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np

import ops
from autograph.errors import Location
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import current
from autograph.kernels.ir.ir import BOOL, DOUBLE, LONG, Number, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.values import CannotLower
from ops.core import kernels
from ops.core.registry import Elementwise
from ops.core.types import ArrayType


@functools.lru_cache(maxsize=4096)
def computed_in(op: Elementwise, types: tuple[ArrayType, ...]) -> tuple[np.dtype, ...]:
    """The dtypes of the operands in which an operator computes.

    Raises:
        CannotLower: no kernel computes in them.
    """
    is_python = op.python is not None and all(t.weak for t in types)
    if is_python:
        dtype = np.result_type(*(t.dtype for t in types))
        result = op.infer(*types)[0].dtype
        # In Python's arithmetic a bool is an int.
        dtypes = (LONG if dtype == BOOL and result == LONG else dtype,) * len(types)
        if dtype.kind in "bi" and result == DOUBLE:  # of ints, whose quotient is a float
            dtypes = (DOUBLE,) * len(types)
    else:
        all_weak = all(t.weak for t in types)
        given = [t.dtype if all_weak or t.scalar is bool else t.scalar for t in types]
        loop = op.ufunc.resolve_dtypes((*given, *[None] * op.ufunc.nout))
        dtypes = tuple(loop[: len(types)])
    if any(d not in ir.DTYPES for d in dtypes) or (len(set(dtypes)) > 1 and not op.mixed):
        raise CannotLower(reasons.of_dtypes(op, dtypes))
    if dtypes[0].kind not in op.kernels:
        raise CannotLower(reasons.of_dtypes(op, dtypes))
    return dtypes


def of_element(type: ArrayType) -> ArrayType:
    """The type of an element of an array."""
    return ArrayType(type.dtype, (), type.weak, type.varies) if type.shape else type


def apply(
    op: Elementwise,
    types: Sequence[ArrayType],
    result: ArrayType,
    operands: Sequence[Operand],
    location: Location | None = None,
) -> Operand:
    """An operator applied to scalars.

    Args:
        types: of the operands in the graph.
        result: the type of the result in the graph.
        operands: scalars of the dtypes of these types.

    Raises:
        CannotLower: no kernel computes it.
    """
    builder = current()
    of_array = bool(types[0].shape)
    types = tuple(map(of_element, types))
    dtypes = computed_in(op, types)
    is_narrow = result.dtype == BOOL and dtypes[0].itemsize < LONG.itemsize
    if is_narrow and not all(map(_may_fit, operands, types, dtypes)):
        dtypes = (LONG,) * len(types)  # a comparison is one of the ints themselves
    converted = [_converted(x, t, d) for x, t, d in zip(operands, types, dtypes)]
    if op is ops.power and of_array and _is_half(converted[1]):
        return builder.cast(kernels.sqrt(converted[0]), result.dtype)  # as NumPy does
    python = op.python
    if python is not None and all(t.weak for t in types):
        if python.native is not None:
            python.native(*converted)
        divides = python.of_zero is not None
        if (
            python.exact
            and dtypes[0] == DOUBLE
            and not (divides and _is_power_of_two(converted[1]))
        ):
            _require_exact(converted, types)
        if python.checked is not None and dtypes[0] == LONG:
            return builder.compute(python.checked, *converted)
    found = op.kernels[dtypes[0].kind](*converted)
    if not isinstance(found, Operand):
        found = Number(found, result.dtype)
    return builder.cast(found, result.dtype)


def _require_exact(operands: Sequence[Operand], types: Sequence[ArrayType]) -> None:
    """Give up where an int is not known to be itself as a float: Python compares, and divides, the
    ints themselves."""
    for operand, type in zip(operands, types):
        known = isinstance(operand, Number) and abs(operand.value) < 2.0**53
        if type.dtype == LONG and not known:
            kernels.require(kernels.fabs(operand) < 2.0**53)


def _is_power_of_two(operand: Operand) -> bool:
    """By which a quotient is as exact as the int that is divided is as a float."""
    if not isinstance(operand, Number):
        return False
    return operand.value >= 1 and math.frexp(operand.value)[0] == 0.5


def _is_half(operand: Operand) -> bool:
    return isinstance(operand, Number) and operand.dtype.kind == "f" and operand.value == 0.5


def _may_fit(operand: Operand, type: ArrayType, dtype: np.dtype) -> bool:
    """Whether the integers in which NumPy computes may hold a Python int: not one that is known,
    and too large."""
    if not (type.weak and isinstance(operand, Number) and dtype.kind in "iu"):
        return True
    info = np.iinfo(dtype)
    return info.min <= int(operand.value) <= info.max


def _converted(operand: Operand, type: ArrayType, dtype: np.dtype) -> Operand:
    """An operand in the dtype of the computation, where a Python int has to fit."""
    if operand.dtype is dtype and dtype.kind == "f":
        return operand
    if type.weak and dtype.kind in "iu" and dtype != LONG:
        info = np.iinfo(dtype)
        if not _may_fit(operand, type, dtype):
            raise CannotLower(reasons.BIG_INT.of())
        if isinstance(operand, Number):
            return current().cast(operand, dtype)
        if type.dtype == LONG and dtype.itemsize < 8:
            kernels.require((operand >= int(info.min)) & (operand <= int(info.max)))
        elif type.dtype == LONG:
            kernels.require(operand >= 0)
    return current().cast(operand, dtype)
