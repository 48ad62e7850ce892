"""Python's operators on symbolic values, in terms of the registered ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.registry import REGISTRY
from ops.types import ArrayType


def _binary(name: str):
    def forward(self: Any, other: Any) -> Any:
        return REGISTRY[name](self, other)

    def reflected(self: Any, other: Any) -> Any:
        return REGISTRY[name](other, self)

    return forward, reflected


def _unary(name: str):
    def method(self: Any) -> Any:
        return REGISTRY[name](self)

    return method


class Operators:
    """A mixin: arithmetic, comparison and bitwise operators, each an application of one operator.

    ``==`` compares elements, as it does on arrays, so instances hash by identity. What its type
    tells, an instance tells as an array would.
    """

    __slots__ = ()
    type: ArrayType

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    @property
    def dtype(self) -> np.dtype:
        return self.type.dtype

    @property
    def ndim(self) -> int:
        return len(self.type.shape)

    __add__, __radd__ = _binary("add")
    __sub__, __rsub__ = _binary("subtract")
    __mul__, __rmul__ = _binary("multiply")
    __truediv__, __rtruediv__ = _binary("divide")
    __floordiv__, __rfloordiv__ = _binary("floor_divide")
    __mod__, __rmod__ = _binary("remainder")
    __pow__, __rpow__ = _binary("power")
    __matmul__, __rmatmul__ = _binary("matmul")
    __and__, __rand__ = _binary("bitwise_and")
    __or__, __ror__ = _binary("bitwise_or")
    __xor__, __rxor__ = _binary("bitwise_xor")
    __lshift__, __rlshift__ = _binary("left_shift")
    __rshift__, __rrshift__ = _binary("right_shift")
    __lt__, _ = _binary("less")
    __le__, _ = _binary("less_equal")
    __gt__, _ = _binary("greater")
    __ge__, _ = _binary("greater_equal")
    __eq__, _ = _binary("equal")
    __ne__, _ = _binary("not_equal")
    __neg__ = _unary("negative")
    __pos__ = _unary("positive")
    __abs__ = _unary("absolute")
    __invert__ = _unary("invert")
    __hash__ = object.__hash__
    del _
