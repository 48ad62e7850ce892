"""How the elementwise operators are declared.

A partial derivative is a function of the operands and the result, a number if it is constant, or
None if it is zero or does not exist. Partials must keep the dtype of what they multiply: numbers in
them are Python scalars, which are weak, and comparisons are cast or subtracted, never multiplied by
a fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core.python_numbers import PythonOperator
from ops.core.registry import Elementwise
from ops.core.types import ArrayType

Partial = Callable[..., Any] | float | None


def unary(name: str, partial: Partial, doc: str, **options: Any) -> Elementwise:
    """The operator that stands for the ufunc ``np.name`` of one operand."""
    options.setdefault("code", f"np.{name}({{0}})")
    return Elementwise(name, getattr(np, name), partials=[partial], doc=doc, **options)


def binary(
    name: str, partial_x: Partial, partial_y: Partial, doc: str, **options: Any
) -> Elementwise:
    """The operator that stands for the ufunc ``np.name`` of two operands."""
    options.setdefault("code", f"np.{name}({{0}}, {{1}})")
    return Elementwise(name, getattr(np, name), partials=[partial_x, partial_y], doc=doc, **options)


def discrete(name: str, doc: str, **options: Any) -> Elementwise:
    """An operator whose results are integers or booleans: it has no derivative."""
    if getattr(np, name).nin == 1:
        return unary(name, None, doc, **options)
    return binary(name, None, None, doc, **options)


def infix(symbol: str, python: Callable, **limits: Any) -> dict[str, Any]:
    """The options of an operator that is written between its operands, with those of
    `PythonOperator`."""
    return {"code": f"{{0}} {symbol} {{1}}", "python": PythonOperator(python, **limits)}


def all_weak(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Python's own arithmetic raises where NumPy's gives inf or nan."""
    return all(t.weak for t in types)
