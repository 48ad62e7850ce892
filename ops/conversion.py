"""Linear operators that act on each element by itself: casts, choices, parts of complex numbers.

Complex derivatives are C-linear, as everywhere in this package: a cotangent is multiplied, never
conjugated. So the cotangent of the real part of ``z = x + iy`` is ``df/dx - i df/dy``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.numpy_table import covers
from ops.registry import (
    REGISTRY,
    Linear,
    broadcast_shapes,
    dtype_of,
    may_not_broadcast,
    operand_type,
)
from ops.types import ArrayType, Type, type_of, weak

__all__ = [
    "astype",
    "cast",
    "conjugate",
    "imag",
    "real",
    "where",
]

_PYTHON_TYPES = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def promote(*types: ArrayType) -> np.dtype:
    """The dtype that holds operands of these types, with Python scalars weak, as in NEP 50."""
    return np.result_type(*(t.scalar(0) if t.weak else t.dtype for t in types))


def array_text(text: str, type: Type) -> str:
    """An operand as text, made an array if it is a Python scalar: array libraries other than NumPy
    insist on arrays."""
    return f"np.asarray({text})" if type.weak else text


# -- cast ------------------------------------------------------------------------------------------


def _cast_infer(x: ArrayType, dtype: str, weak: bool) -> tuple[ArrayType]:
    if not weak:
        return (ArrayType(np.dtype(dtype), x.shape),)
    if x.shape != ():
        raise TypeError(
            f"only a scalar can become a Python number, not an array of shape {x.shape}"
        )
    kind = np.dtype(dtype).kind
    if x.dtype.kind == "c" and kind not in "cb":
        raise TypeError(f"{_PYTHON_TYPES[kind].__name__}() of a complex number")
    return (_weak(kind),)


def _weak(kind: str) -> ArrayType:
    return weak(_PYTHON_TYPES[kind])


def _cast_code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
    dtype = np.dtype(attrs["dtype"])
    if attrs["weak"]:
        return f"{_PYTHON_TYPES[dtype.kind].__name__}({args[0]})"
    if types[0].weak:
        name = "bool_" if dtype.kind == "b" else dtype.name
        return f"np.{name}({args[0]})"
    return f"{args[0]}.astype('{dtype.name}')"


def _cast_raises(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    """``int(nan)`` raises, and so does a Python int that the dtype is too small for."""
    to_int = np.dtype(attrs["dtype"]).kind in "iu"
    return to_int and (attrs["weak"] or types[0].weak)


def _cast_prepare(x: Any, dtype: Any = None, weak: bool = False) -> tuple:
    if dtype is None:
        dtype = dtype_of(x)
    return (x,), {"dtype": np.dtype(dtype).name, "weak": bool(weak)}


cast = Linear(
    "cast",
    _cast_infer,
    _cast_code,
    transposes=[lambda ct, x, dtype, weak: ct],
    raises=_cast_raises,
    unknown_lengths=True,
    prepare=_cast_prepare,
    doc="""``x`` converted to ``dtype`` (default: its own, which makes a Python number an array).

    Args:
        x: an array or number.
        dtype: what NumPy takes for a dtype.
        weak: convert a scalar to a Python number instead (bool, int, float or complex, by the kind
            of ``dtype``), as ``float(x)`` does.

    Raises:
        TypeError: a Python number was asked for, of an array or of a complex number.
    """,
)


def astype(x: Any, dtype: Any) -> Any:
    """``x`` with the given dtype; ``x`` itself if it has it."""
    found = operand_type(x)
    return x if found.dtype == np.dtype(dtype) and not found.weak else cast(x, dtype)


# -- where -----------------------------------------------------------------------------------------


def _where_infer(condition: ArrayType, x: ArrayType, y: ArrayType) -> tuple[ArrayType]:
    return (ArrayType(promote(x, y), broadcast_shapes(condition.shape, x.shape, y.shape)),)


where = Linear(
    "where",
    _where_infer,
    "np.where({0}, {1}, {2})",
    transposes=[
        None,
        lambda ct, condition, x, y: where(condition, ct, dtype_of(ct).type(0)),
        lambda ct, condition, x, y: where(condition, dtype_of(ct).type(0), ct),
    ],
    raises=may_not_broadcast,
    unknown_lengths=True,
    doc="""``x`` where ``condition`` is true, ``y`` elsewhere.

    Args:
        condition, x, y: arrays or numbers that broadcast; ``x`` and ``y`` are promoted.
    """,
)


# -- complex numbers -------------------------------------------------------------------------------


def _part_infer(part: str):
    def infer(x: ArrayType) -> tuple[ArrayType]:
        if x.weak:
            return (type_of(getattr(x.scalar(1), part)),)
        real = np.dtype(f"f{x.dtype.itemsize // 2}") if x.dtype.kind == "c" else x.dtype
        return (ArrayType(real, x.shape),)

    return infer


real = Linear(
    "real",
    _part_infer("real"),
    "np.real({0})",
    transposes=[lambda ct, x: ct],
    view=True,
    unknown_lengths=True,
    doc="The real part.",
)

covers(np.real, "val")(real)

imag = Linear(
    "imag",
    _part_infer("imag"),
    "np.imag({0})",
    transposes=[
        lambda ct, x: REGISTRY["multiply"](ct, -1j) if dtype_of(x).kind == "c" else None,
    ],
    view=True,
    unknown_lengths=True,
    doc="The imaginary part.",
)

covers(np.imag, "val")(imag)


def _conjugate_infer(x: ArrayType) -> tuple[ArrayType]:
    _, dtype = np.conjugate.resolve_dtypes((x.dtype, None))
    return (ArrayType(dtype, x.shape),)


conjugate = Linear(
    "conjugate",
    _conjugate_infer,
    "np.conjugate({0})",
    transposes=[lambda ct, x: conjugate(ct)],
    unknown_lengths=True,
    doc="The complex conjugate.",
)

covers("a dtype order=* casting=unsafe subok=* copy=*", method="astype")(cast)
covers(method="conj")(conjugate)
covers(method="conjugate")(conjugate)
