"""When operators raise: of those that may raise at run time, for each exception the condition under
which they do."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ops.batching import Size, all_with_lanes, apply
from ops.conversion import cast
from ops.elementwise import (
    equal,
    greater_equal,
    isfinite,
    isinf,
    isnan,
    less,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
    power,
)
from ops.registry import REGISTRY, Custom, dims_of, operand_type
from ops.types import ArrayType, weak

Conditions = list[tuple[Exception, Any]]


class Message(NamedTuple):
    """The argument of an exception, a text with values in it.

    Attributes:
        template: of `str.format`.
        operands: what goes into its fields.
    """

    template: str
    operands: tuple


def linalg_error(compute):
    """Whether ``compute()`` raises a LinAlgError."""
    try:
        compute()
    except np.linalg.LinAlgError:
        return True
    return False


def linalg_errors(compute, axes, *args):
    """Whether ``compute(*lane)`` raises a LinAlgError, for each lane in the first axes of the
    arguments."""
    found = np.zeros(args[0].shape[:axes], bool)
    for i in np.ndindex(found.shape):
        found[i] = linalg_error(lambda i=i: compute(*(x[i] for x in args)))
    return found


def _fails_infer(*types: ArrayType, of: str, lanes: int) -> tuple[ArrayType]:
    return (ArrayType(np.dtype(bool), types[0].shape[:lanes]) if lanes else weak(bool),)


def _fails_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    op, lanes = REGISTRY[attrs["of"]], attrs["lanes"]
    if not lanes:
        return f"linalg_error(lambda: {op.expression(args, types, {})})"
    names = [f"x{i}" for i in range(len(args))]
    inner = [type._replace(shape=type.shape[lanes:]) for type in types]
    function = f"lambda {', '.join(names)}: {op.expression(names, inner, {})}"
    return f"linalg_errors({function}, {lanes}, {', '.join(args)})"


def _fails_batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], of: str, lanes: int
) -> Any:
    args = all_with_lanes(size, batched, args)
    return apply("linalg_fails", *args, of=of, lanes=lanes + 1)


linalg_fails = Custom(
    "linalg_fails",
    _fails_infer,
    _fails_code,
    helpers=[linalg_error, linalg_errors],
    differentiable=False,
    backends=("numpy",),
    unknown_lengths=True,
    batch=_fails_batch,
    doc="""Whether NumPy finds a matrix singular, or not positive definite.

    Args:
        operands: those of the operator.
        of: the operator's name.
        lanes: how many first axes of the operands are lanes, each for itself.
    """,
)


def conditions(name: str, operands: Sequence[Any], attrs: dict[str, Any]) -> Conditions | None:
    """The exceptions that an operator raises for some operands, each with a scalar that is true if
    it does and none before it is raised; None for operators of which that is not known."""
    found = _CONDITIONS.get(name)
    return None if found is None else found(*operands, **attrs)


def raised_by(function: Callable, *args: Any) -> Exception:
    """The exception that a function raises, with Python's or NumPy's own text."""
    try:
        function(*args)
    except Exception as error:
        return error.with_traceback(None)
    raise AssertionError


def _sample(operand: Any, value: float) -> Any:
    """A Python number of the type of an operand."""
    return operand_type(operand).dtype.type(value).item()


def _of_zero(function: Callable) -> Callable[..., Conditions]:
    """Of divisions of Python numbers. Ints that are too large for a float are left out."""

    def found(x: Any, y: Any) -> Conditions:
        error = raised_by(function, _sample(x, 1), _sample(y, 0))
        return [(error, equal(y, 0))]

    return found


def _of_cast(x: Any, dtype: str, weak: bool) -> Conditions | None:
    if dims_of(x) or operand_type(x).dtype.kind != "f":
        return None
    if not weak:
        return []
    # A finite number that is too large for 64 bits is no error of Python's.
    return [(raised_by(int, math.nan), isnan(x)), (raised_by(int, math.inf), isinf(x))]


def _of_power(x: Any, y: Any) -> Conditions | None:
    """What is complex in Python is an error of ours, as is a float for an int."""
    if not all(operand_type(z).weak for z in (x, y)):
        return None
    zero = raised_by(operator.pow, _sample(x, 0), _sample(y, -1))
    ints = all(operand_type(z).dtype.kind in "bi" for z in (x, y))
    found = [(zero, logical_and(equal(x, 0), less(y, 0)))]
    if not ints:
        x, y = (cast(z, dtype="float64") for z in (x, y))
        finite = logical_and(logical_and(isfinite(x), isfinite(y)), not_equal(x, 0))
        large = raised_by(operator.pow, 1e200, 2.0)
        found.append((large, logical_and(isinf(power(x, y)), finite)))
    return found


def _of_subscript(x: Any, *operands: Any, index: tuple) -> Conditions | None:
    """Of subscripts by integers only."""
    found = []
    for axis, (kind, *rest) in enumerate(index):
        if kind not in ("arg", "int") or dims_of(x)[axis] is None:
            return None
        size = dims_of(x)[axis]
        if kind == "arg":
            place = operands[rest[0]]
            outside = logical_or(less(place, -size), greater_equal(place, size))
            text: Any = Message(
                f"index {{}} is out of bounds for axis {axis} with size {size}", (place,)
            )
            if dims_of(place):
                return None
            found.append((IndexError(text), outside))
    return found


def _of_update(x: Any, value: Any, *operands: Any, index: tuple) -> Conditions | None:
    return _of_subscript(x, *operands, index=index)


def _of_linalg(name: str, compute: Callable) -> Callable[..., Conditions]:
    def found(*operands: Any, **attrs: Any) -> Conditions:
        error = raised_by(compute, np.zeros((2, 2)))
        return [(error, linalg_fails(*operands, of=name, lanes=0))]

    return found


def _of_check(flag: Any, error: str, message: str) -> Conditions:
    return [(getattr(builtins, error)(message), logical_not(flag))]


_CONDITIONS: dict[str, Callable[..., Conditions | None]] = {
    "divide": _of_zero(operator.truediv),
    "floor_divide": _of_zero(operator.floordiv),
    "remainder": _of_zero(operator.mod),
    "cast": _of_cast,
    "power": _of_power,
    "check": _of_check,
    "getitem": _of_subscript,
    "index_update": _of_update,
    "inv": _of_linalg("inv", np.linalg.inv),
    "solve": _of_linalg("solve", lambda a: np.linalg.solve(a, a)),
    "cholesky_lower": _of_linalg("cholesky_lower", np.linalg.cholesky),
}
