"""Who computes a call of an operator: a recording, or the array library whose arrays it is given.

The code of an operator is a Python expression, the same as in generated programs. For ordinary
arrays a function of it is made, once for each library, and for the types and attributes.
"""

from __future__ import annotations

import functools
import inspect
import sys
import textwrap
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Protocol

import numpy

from ops.core.operands import Symbolic


class WithCode(Protocol):
    """What is asked of an operator here."""

    helpers: tuple[Callable, ...]

    def expression(self, operands: Sequence[str], types: Sequence[Any], attrs: dict) -> str:
        """The Python expression that applies it to operands given as text."""
        ...


def symbolic_operand(args: Sequence[Any]) -> Symbolic | None:
    """The operand that records the call, if one does."""
    found = None
    for arg in args:
        if isinstance(arg, Symbolic) and (
            found is None or arg.apply_priority > found.apply_priority
        ):
            found = arg
    return found


def array_module(args: Sequence[Any]) -> ModuleType:
    """CuPy if one of the arguments is a CuPy array, else NumPy."""
    cupy = sys.modules.get("cupy")
    if cupy is not None and any(isinstance(arg, cupy.ndarray) for arg in args):
        return cupy
    return numpy


@functools.lru_cache(maxsize=4096)
def eager_function(op: WithCode, np: ModuleType, types: tuple, attrs: tuple) -> Callable:
    """An operator as a function of arrays of the library ``np``.

    Args:
        types: of the operands; None for each where the code does not depend on them.
        attrs: pairs of names and values.
    """
    operands = [f"x{i}" for i in range(len(types))]
    namespace: dict[str, Any] = {"np": np}
    for helper in op.helpers:
        exec(helper_source(helper), namespace)
    expression = op.expression(operands, types, dict(attrs))
    return eval(f"lambda {', '.join(operands)}: {expression}", namespace)


@functools.cache
def helper_source(helper: Callable) -> str:
    """The source text of a helper function, as it is pasted into generated programs."""
    return textwrap.dedent(inspect.getsource(helper))
