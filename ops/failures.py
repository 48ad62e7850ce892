"""When operators raise: of those that may raise at run time, for each class of exceptions the
condition under which they do."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

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
from ops.reduction import any as any_
from ops.registry import REGISTRY, Custom, dims_of, operand_type
from ops.types import ArrayType, weak

Conditions = dict[type[BaseException], Any]


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
    """For each class of exceptions that an operator raises for some operands, a scalar that is true
    if it does; None for operators of which that is not known."""
    found = _CONDITIONS.get(name)
    return None if found is None else found(*operands, **attrs)


def _of_zero(x: Any, y: Any) -> Conditions:
    return {ZeroDivisionError: equal(y, 0)}


def _of_quotient(x: Any, y: Any) -> Conditions | None:
    floats = any(operand_type(z).dtype.kind == "f" for z in (x, y))
    return _of_zero(x, y) if floats else None  # Python's ints may be too large for a float


def _of_cast(x: Any, dtype: str, weak: bool) -> Conditions | None:
    if dims_of(x) or operand_type(x).dtype.kind != "f":
        return None
    # A finite number that is too large for 64 bits is no error of Python's.
    return {ValueError: isnan(x), OverflowError: isinf(x)} if weak else None


def _of_power(x: Any, y: Any) -> Conditions | None:
    """Of floats. What is complex in Python is an error of ours."""
    if any(operand_type(z).dtype.kind != "f" for z in (x, y)):
        return None
    x, y = (cast(z, dtype="float64") for z in (x, y))
    finite = logical_and(logical_and(isfinite(x), isfinite(y)), not_equal(x, 0))
    return {
        ZeroDivisionError: logical_and(equal(x, 0), less(y, 0)),
        OverflowError: logical_and(isinf(power(x, y)), finite),
    }


def _of_subscript(x: Any, *operands: Any, index: tuple) -> Conditions | None:
    """Of subscripts by integers only."""
    wrong: Any = False
    for axis, (kind, *rest) in enumerate(index):
        if kind not in ("arg", "int") or dims_of(x)[axis] is None:
            return None
        size = dims_of(x)[axis]
        if kind == "arg":
            place = operands[rest[0]]
            outside = logical_or(less(place, -size), greater_equal(place, size))
            outside = any_(outside) if dims_of(place) else outside
            wrong = outside if wrong is False else logical_or(wrong, outside)
    return {IndexError: wrong}


def _of_linalg(name: str) -> Callable[..., Conditions]:
    return lambda *operands: {np.linalg.LinAlgError: linalg_fails(*operands, of=name, lanes=0)}


_CONDITIONS: dict[str, Callable[..., Conditions | None]] = {
    "divide": _of_quotient,
    "floor_divide": _of_zero,
    "remainder": _of_zero,
    "cast": _of_cast,
    "power": _of_power,
    "check": lambda flag, error, message: {getattr(builtins, error): logical_not(flag)},
    "getitem": _of_subscript,
    **{name: _of_linalg(name) for name in ("inv", "solve", "cholesky_lower")},
}
