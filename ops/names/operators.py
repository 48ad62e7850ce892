"""Python's operators on symbolic values, in terms of the registered ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.core.operands import Symbolic, literal
from ops.core.registry import Op
from ops.core.types import ArrayType, array, type_of, weak
from ops.elementwise import (
    absolute,
    add,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    divide,
    equal,
    floor_divide,
    greater,
    greater_equal,
    invert,
    left_shift,
    less,
    less_equal,
    multiply,
    negative,
    not_equal,
    positive,
    power,
    remainder,
    right_shift,
    square,
    subtract,
)
from ops.elementwise.conversion import cast

BinaryMethod = Callable[[Any, Any], Any]

_COMPLEX, _FLOAT64 = weak(complex), array(np.float64)


_ORDERS = (less, less_equal, greater, greater_equal)


def _binary(op: Op) -> tuple[BinaryMethod, BinaryMethod]:
    # Complex numbers have no order, so a comparison is left to the other operand.
    operands = _as_they_are if op in _ORDERS else _as_python_has_it

    def forward(self: Any, other: Any) -> Any:
        return op(*operands(self, other))

    def reflected(self: Any, other: Any) -> Any:
        return op(*operands(other, self))

    return forward, reflected


def _as_they_are(x: Any, y: Any) -> tuple[Any, Any]:
    return x, y


def _as_python_has_it(x: Any, y: Any) -> tuple[Any, Any]:
    """The operands of an operator. A ``np.float64`` is a Python float too, and `complex`, if it
    stands on the left, does not ask for more."""
    if type(x) is not complex and not (isinstance(x, Symbolic) and _is_of(x.type, _COMPLEX)):
        return x, y
    if isinstance(y, np.ndarray) or getattr(y, "is_array", False):
        return x, y
    if _is_of(y.type if isinstance(y, Symbolic) else type_of(y), _FLOAT64):
        y = cast(y, dtype="float64", weak=True)
    return x, y


def _is_of(kind: Any, wanted: ArrayType) -> bool:
    return isinstance(kind, ArrayType) and kind.invariant() == wanted


def _power_of(power: BinaryMethod) -> BinaryMethod:
    """``x ** y``. NumPy's operator squares arrays of booleans by `np.square`, as int8, where
    ``np.power`` and other exponents give int64."""

    def method(self: Any, other: Any) -> Any:
        exponent = literal(other)
        own = self.type
        is_bool = own.dtype == np.bool_ and not own.weak
        if type(exponent) is int and exponent == 2 and is_bool:
            if own.shape:
                return square(self)
            other = other if getattr(self, "is_array", False) else np.int64(2)
        return power(self, other)

    return method


def _unary(op: Op) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return op(self)

    return method


class Operators:
    """A mixin: arithmetic, comparison and bitwise operators, each an application of one operator.

    ``==`` compares elements, as it does on arrays, so instances hash by identity. What its type
    tells, an instance tells as an array would.
    """

    __slots__ = ()
    type: ArrayType

    @property
    def shape(self) -> tuple[int | None, ...]:
        return self.type.shape

    @property
    def dtype(self) -> np.dtype:
        return self.type.dtype

    @property
    def ndim(self) -> int:
        return len(self.type.shape)

    __add__, __radd__ = _binary(add)
    __sub__, __rsub__ = _binary(subtract)
    __mul__, __rmul__ = _binary(multiply)
    __truediv__, __rtruediv__ = _binary(divide)
    __floordiv__, __rfloordiv__ = _binary(floor_divide)
    __mod__, __rmod__ = _binary(remainder)
    __pow__, __rpow__ = _binary(power)
    __pow__ = _power_of(__pow__)
    __matmul__, __rmatmul__ = _binary(matmul)
    __and__, __rand__ = _binary(bitwise_and)
    __or__, __ror__ = _binary(bitwise_or)
    __xor__, __rxor__ = _binary(bitwise_xor)
    __lshift__, __rlshift__ = _binary(left_shift)
    __rshift__, __rrshift__ = _binary(right_shift)
    __lt__, _ = _binary(less)
    __le__, _ = _binary(less_equal)
    __gt__, _ = _binary(greater)
    __ge__, _ = _binary(greater_equal)
    __eq__, _ = _binary(equal)
    __ne__, _ = _binary(not_equal)
    __neg__ = _unary(negative)
    __pos__ = _unary(positive)
    __abs__ = _unary(absolute)
    __invert__ = _unary(invert)
    __hash__ = object.__hash__
    del _
