"""Linear operators that act on each element by itself: casts, choices, conjugates.

Complex derivatives are C-linear, as everywhere in this package: a cotangent is multiplied, never
conjugated. So the cotangent of the real part of ``z = x + iy`` is ``df/dx - i df/dy``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.batching import Size
from ops.core.complex_scalars import ComplexScalar
from ops.core.conditions import Conditions, raised_by
from ops.core.numpy_table import covers
from ops.core.operands import broadcast_shapes, dims_of, dtype_of, may_not_broadcast, operand_type
from ops.core.registry import Custom, Linear
from ops.core.types import ArrayType, as_dtype, python_type
from ops.elementwise.comparison import isinf, isnan
from ops.structure.lanes import with_same_attributes

__all__ = [
    "bitcast",
    "cast",
    "conjugate",
    "integers",
    "stop_gradient",
    "where",
]


def promote(*types: ArrayType) -> np.dtype:
    """The dtype that holds operands of these types, with Python scalars weak, as in NEP 50."""
    return np.result_type(*(python_type(t.dtype)(0) if t.weak else t.dtype for t in types))


# -- cast ------------------------------------------------------------------------------------------


def _cast_infer(x: ArrayType, dtype: str, weak: bool) -> tuple[ArrayType]:
    if not weak:
        return (ArrayType(np.dtype(dtype), x.shape),)
    if x.shape != ():
        raise TypeError(
            f"only a scalar can become a Python number, not an array of shape {x.shape}"
        )
    kind = python_type(np.dtype(dtype))
    if x.dtype.kind == "c" and kind not in (complex, bool):
        raise TypeError(f"{kind.__name__}() of a complex number")
    return (operand_type(kind(1)),)


def _cast_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    dtype = np.dtype(attrs["dtype"])
    if attrs["weak"]:
        return f"{python_type(dtype).__name__}({args[0]})"
    if types[0].weak:
        name = "bool_" if dtype.kind == "b" else dtype.name
        return f"np.{name}({args[0]})"
    return f"{args[0]}.astype('{dtype.name}')"


def _cast_raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """``int(nan)`` raises, and so does a Python int that the dtype is too small for."""
    wanted, given = np.dtype(attrs["dtype"]), types[0].dtype
    if wanted.kind not in "iu" or not (attrs["weak"] or types[0].weak):
        return False
    return not np.can_cast(given, python_type(wanted) if attrs["weak"] else wanted)


def _cast_prepare(x: Any, dtype: Any = None, weak: bool = False) -> tuple:
    if dtype is None:
        dtype = dtype_of(x)
    return (x,), {"dtype": as_dtype(dtype).name, "weak": bool(weak)}


def _cast_batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], dtype: str, weak: bool
) -> Any:
    if not weak:
        return cast(args[0], dtype)
    found = np.dtype(python_type(np.dtype(dtype)))
    return integers(args[0]) if found.kind == "i" else cast(args[0], found)


def fitting(value: Any, type: ArrayType, dtype: Any) -> Any:
    """A scalar of a kernel as one of another dtype; the kernel gives up if that is an integer's and
    does not hold the number, as Python and its numbers would.

    Args:
        value, type: the scalar and the type of the operand that it comes from.
        dtype: the dtype wanted.
    """
    dtype = np.dtype(dtype)
    if dtype.kind in "iu" and not np.can_cast(type.dtype, dtype):
        limits = np.iinfo(dtype)
        if type.dtype.kind == "f":
            kernels.require(_holds(limits, type.dtype, value))
        else:
            held = np.iinfo(type.dtype)
            least, most = max(limits.min, held.min), min(limits.max, held.max)
            kernels.require((value >= least) & (value <= most))
    return kernels.cast(value, dtype)


def _holds(limits: np.iinfo, dtype: np.dtype, value: Any) -> Any:
    """Whether an integer's limits hold a float of some dtype without its fraction."""
    least, under = float(limits.min), float(limits.min - 1)
    # What is cut off below the least integer counts, where the dtype has numbers there.
    has_part = int(dtype.type(under)) == limits.min - 1
    return (value > under if has_part else value >= least) & (value < float(limits.max + 1))


def _cast_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    dtype = np.dtype(attrs["dtype"])
    if attrs["weak"]:
        dtype = np.dtype(python_type(dtype))
    if _cast_raises(types, attrs):
        return fitting(read(0, index), types[0], dtype)
    return kernels.cast(read(0, index), dtype)


def _cast_conditions(x: Any, dtype: str, weak: bool) -> Conditions | None:
    if dims_of(x) or operand_type(x).dtype.kind != "f":
        return None
    if not weak:
        return []
    # A finite number that is too large for 64 bits is no error of Python's.
    return [(raised_by(int, math.nan), isnan(x)), (raised_by(int, math.inf), isinf(x))]


cast = Linear(
    "cast",
    _cast_infer,
    _cast_code,
    transposes=[lambda ct, x, dtype, weak: ct],
    zeros="kept",
    raises=_cast_raises,
    errors=(ValueError, OverflowError),
    conditions=_cast_conditions,
    unknown_lengths=True,
    prepare=_cast_prepare,
    batch=_cast_batch,
    native=kernels.Element(_cast_element),
    complex_kernel=lambda x, dtype, weak: x != 0 if np.dtype(dtype).kind == "b" else x,
    complex_when=lambda attrs, literals: np.dtype(attrs["dtype"]).kind in "bc",
    doc="""``x`` converted to ``dtype`` (default: its own, which makes a Python number an array).

    Args:
        x: an array or number.
        dtype: what NumPy takes for a dtype.
        weak: convert a scalar to a Python number instead (bool, int, float or complex, by the kind
            of ``dtype``), as ``float(x)`` does.

    Raises:
        TypeError: a Python number was asked for, of an array or of a complex number.
    """,
    cheap=True,
    aligned=True,
    keeps_shape=True,
)


def int_values(x):
    """The elements as Python's ``int`` has them."""
    if x.dtype.kind not in "biu":
        if bool(np.any(np.isnan(x))):
            raise ValueError("cannot convert float NaN to integer")
        if bool(np.any(np.isinf(x))):
            raise OverflowError("cannot convert float infinity to integer")
        if bool(np.any((x < -(2.0**63)) | (x >= 2.0**63))):
            raise OverflowError("a Python int of a lane is beyond 64 bits")
    return x.astype("int64")


integers = Custom(
    "integers",
    lambda x: (ArrayType(np.dtype(np.int64), x.shape),),
    "int_values({0})",
    helpers=[int_values],
    differentiable=False,
    raises=lambda types, attrs: types[0].inexact,
    errors=(ValueError, OverflowError),
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(
        lambda read, index, types, attrs: fitting(read(0, index), types[0], np.int64)
    ),
    doc="""The elements of an array as integers, rounded towards zero.

    Raises:
        ValueError, OverflowError: as of Python's ``int``, one is NaN or infinite; or does not fit.
    """,
)


def astype(x: Any, dtype: Any) -> Any:
    """``x`` with the given dtype; ``x`` itself if it has it."""
    found = operand_type(x)
    return x if found.dtype == np.dtype(dtype) and not found.weak else cast(x, dtype)


# -- where -----------------------------------------------------------------------------------------


def _where_infer(condition: ArrayType, x: ArrayType, y: ArrayType) -> tuple[ArrayType]:
    return (ArrayType(promote(x, y), broadcast_shapes(condition.shape, x.shape, y.shape)),)


def _where_wraps() -> bool:
    """Whether a Python integer that its result's dtype does not hold wraps around: until NumPy 2.4;
    later ones raise."""
    try:
        return np.where(True, 300, np.int8(0)) == 44
    except OverflowError:
        return False


WHERE_WRAPS = _where_wraps()


def _where_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    test, x, y = (read(i, kernels.aligned(index, t.shape)) for i, t in enumerate(types))
    dtype = promote(*types[1:])
    x, y = (_chosen(v, type, dtype) for v, type in zip((x, y), types[1:]))
    return kernels.select(kernels.cast(test, bool), x, y)


def _chosen(value: Any, type: ArrayType, dtype: np.dtype) -> Any:
    if type.weak and type.dtype.kind == "i" and not WHERE_WRAPS:
        return fitting(value, type, dtype)
    return kernels.cast(value, dtype)


where: Linear = Linear(
    "where",
    _where_infer,
    "np.where({0}, {1}, {2})",
    transposes=[
        None,
        lambda ct, condition, x, y: where(condition, ct, dtype_of(ct).type(0)),
        lambda ct, condition, x, y: where(condition, dtype_of(ct).type(0), ct),
    ],
    zeros="chosen",
    raises=may_not_broadcast,
    unknown_lengths=True,
    batch=with_same_attributes(core=0),
    native=kernels.Element(_where_element),
    doc="""``x`` where ``condition`` is true, ``y`` elsewhere.

    Args:
        condition, x, y: arrays or numbers that broadcast; ``x`` and ``y`` are promoted.
    """,
    cheap=True,
    aligned=True,
    slow=True,
    precision="exact",
)


# -- complex numbers -------------------------------------------------------------------------------


def _conjugate_infer(x: ArrayType) -> tuple[ArrayType]:
    _, dtype = np.conjugate.resolve_dtypes((x.dtype, None))
    return (ArrayType(dtype, x.shape),)


conjugate: Linear = Linear(
    "conjugate",
    _conjugate_infer,
    "np.conjugate({0})",
    transposes=[lambda ct, x: conjugate(ct)],
    zeros="kept",
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(
        lambda read, index, types, attrs: kernels.cast(
            read(0, index), _conjugate_infer(*types)[0].dtype
        )
    ),
    complex_kernel=lambda x: ComplexScalar(x.real, -x.imag),
    doc="The complex conjugate.",
    cheap=True,
    keeps_shape=True,
)


# -- constants for derivatives ---------------------------------------------------------------------

stop_gradient = Custom(
    "stop_gradient",
    lambda x: (x,),
    "{0}",
    differentiable=False,
    unknown_lengths=True,
    view=True,
    batch=with_same_attributes(),
    native=kernels.Element(kernels.itself),
    complex_kernel=lambda x: x,
    doc="``x``, taken as a constant by derivatives.",
    aligned=True,
    precision="exact",
)


# -- the same bits ---------------------------------------------------------------------------------


def _bitcast_infer(x: ArrayType, dtype: str) -> tuple[ArrayType]:
    found = np.dtype(dtype)
    if found.itemsize != x.dtype.itemsize:
        raise NotImplementedError(
            f"view() of {x.dtype} as {found}, which has elements of another size; use reshape and "
            "arithmetic, or x.real and x.imag"
        )
    return (ArrayType(found, x.shape),)


def _bitcast_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    value, dtype = read(0, index), np.dtype(attrs["dtype"])
    if types[0].dtype.kind == "f":
        value = value if dtype.kind == "f" else kernels.bits(value)
    elif dtype.kind == "f":
        return kernels.from_bits(kernels.cast(value, f"i{dtype.itemsize}"))
    return kernels.cast(value, dtype)


bitcast = Custom(
    "bitcast",
    _bitcast_infer,
    "{0}.view('{dtype}')",
    differentiable=False,
    view=True,
    unknown_lengths=True,
    prepare=lambda x, dtype: ((x,), {"dtype": as_dtype(dtype).name}),
    batch=with_same_attributes(),
    native=kernels.Element(_bitcast_element, when=lambda types, attrs: attrs["dtype"] != "bool"),
    doc="""The bits of the elements of ``x``, taken for elements of another dtype of that size.

    It has no derivative.
    """,
)


@covers(method="conj")
def conj(a: Any) -> Any:
    """``a.conj()``, which is ``a`` itself if that is real."""
    return conjugate(a) if dtype_of(a).kind == "c" else a


covers(method="conjugate")(conj)
