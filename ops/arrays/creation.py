"""Arrays made from a shape and a value.

Arrays that consist of static values only (`arange`, `eye`, `linspace`) are NumPy's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.batching import Size, require_same
from ops.core.eager import array_module
from ops.core.lengths import (
    as_shape,
    counting,
    extent,
    joined_shape,
    lengths_of,
    made_beside,
    positions,
    split_shape,
)
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dtype_of, is_array, ndim_of, operand_type, shape_of
from ops.core.registry import Linear
from ops.core.symbolic_lengths import is_length, is_symbolic
from ops.core.texts import shape_text
from ops.core.types import ArrayType, as_dtype
from ops.elementwise import (
    add,
    ceil,
    divide,
    equal,
    floor_divide,
    greater,
    multiply,
    sign,
    subtract,
)
from ops.elementwise.conversion import astype, cast, fitting, promote
from ops.structure.broadcasting import broadcast_to, sum_to
from ops.structure.identity import copy
from ops.structure.reshaping import expand_dims, spread

__all__ = [
    "arange",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def _full_infer(
    value: ArrayType,
    *lengths: ArrayType,
    shape: tuple[int | None, ...],
    dtype: str,
    unset: bool = False,
) -> tuple[ArrayType]:
    if value.shape != ():
        raise ValueError(f"the fill value has to be a scalar, not an array of shape {value.shape}")
    return (ArrayType(as_dtype(dtype), shape),)


def require_device(device: Any) -> None:
    """Raise ValueError for a device that NumPy does not have. CuPy's is told by the arrays."""
    if device not in (None, "cpu"):
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')


def _full_prepare(
    shape: Any, fill_value: Any, dtype: Any = None, device: Any = None, unset: bool = False
) -> tuple:
    require_device(device)
    dtype = dtype_of(fill_value) if dtype is None else as_dtype(dtype)
    dims, lengths = split_shape(as_shape(shape))
    if any(n is not None and n < 0 for n in dims):
        raise ValueError("negative dimensions are not allowed")
    attrs = {"shape": dims, "dtype": dtype.name}
    return (fill_value, *lengths), {**attrs, "unset": True} if unset else attrs


_NAMED_FILLS = {"0": "zeros", "0.0": "zeros", "1": "ones", "1.0": "ones"}


def _full_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    number = re.fullmatch(r"(?:np\.\w+\()?([\d.]+)\)?", args[0])
    name = _NAMED_FILLS.get(number[1]) if number else None
    dtype = "" if name and attrs["dtype"] == "float64" else f", dtype='{attrs['dtype']}'"
    shape = shape_text(attrs["shape"], args[1:])
    return f"np.{name or 'full'}({shape}{'' if name else f', {args[0]}'}{dtype})"


def _full_batch(
    size: Size,
    batched: Sequence[bool],
    args: Sequence[Any],
    shape: tuple[int | None, ...],
    dtype: str,
    unset: bool = False,
) -> Any:
    require_same(batched[1:], "the length of an array")
    value, *lengths = args
    if unset:
        return full((size, *joined_shape(shape, lengths)), value, dtype, unset=True)
    value = spread(astype(value, dtype), len(shape))
    return broadcast_to(value, (size, *joined_shape(shape, lengths)))


def _full_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    if types[0].weak and types[0].dtype.kind == "i":
        return fitting(read(0, ()), types[0], attrs["dtype"])
    return kernels.cast(read(0, ()), attrs["dtype"])


full = Linear(
    "full",
    _full_infer,
    _full_code,
    transposes=[lambda ct, value, *lengths, shape, dtype, unset=False: sum_to(ct, ())],
    zeros="moved",
    unknown_lengths=True,
    prepare=_full_prepare,
    batch=_full_batch,
    native=kernels.Element(_full_element),
    creates=True,
    doc="""An array with all elements equal.

    Args:
        shape: a length or a sequence of lengths.
        fill_value: a scalar.
        dtype: by default that of ``fill_value``.
        unset: whether the elements may be anything, as those of ``np.empty``: kernels leave what
            is in memory.
    """,
    aligned=True,
    contiguous=True,
    precision="exact",
)


@covers(np.full_like, "a fill_value dtype order=* subok=* shape device=cpu")
def full_like(
    x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, device: Any = None
) -> Any:
    """An array with all elements equal.

    It is made where ``x`` is: in the graph that is being built if ``x`` is symbolic, on the same
    device if it is not.

    Args:
        x: the array whose shape and dtype to take.
        fill_value: a scalar, converted to the dtype, or an array that broadcasts.
        dtype, shape: what to take instead.
        device: None or "cpu".
    """
    require_device(device)
    dtype = dtype_of(x) if dtype is None else as_dtype(dtype)
    fill_value = np.asarray(fill_value) if isinstance(fill_value, (list, tuple)) else fill_value
    if ndim_of(fill_value):
        whole = lengths_of(x) if shape is None else shape
        return copy(broadcast_to(astype(fill_value, dtype), whole))
    operands, attrs = _full_prepare(lengths_of(x) if shape is None else shape, fill_value, dtype)
    value, *lengths = operands
    if isinstance(value, Symbolic):
        return value.__apply__(full, operands, attrs)
    if isinstance(x, Symbolic):
        value = np.full((), value, dtype)[()]  # as NumPy converts it, with its warnings
        return x.__apply__(full, (value, *lengths), attrs)
    return full.evaluate(array_module([x]), operands, attrs)


@covers(np.zeros_like, "a dtype order=* subok=* shape device=cpu")
def zeros_like(x: Any, dtype: Any = None, shape: Any = None, device: Any = None) -> Any:
    """Zeros in the shape and dtype of ``x``, made where ``x`` is; see `full_like`."""
    return full_like(x, 0, dtype, shape, device)


@covers(np.ones_like, "a dtype order=* subok=* shape device=cpu")
def ones_like(x: Any, dtype: Any = None, shape: Any = None, device: Any = None) -> Any:
    """Ones in the shape and dtype of ``x``, made where ``x`` is; see `full_like`."""
    return full_like(x, 1, dtype, shape, device)


@covers(np.empty_like, "a dtype order=* subok=* shape device=cpu")
def empty_like(x: Any, dtype: Any = None, shape: Any = None, device: Any = None) -> Any:
    """An array whose elements nobody has set, in the shape and dtype of ``x``; see `empty`."""
    require_device(device)
    dtype = dtype_of(x) if dtype is None else as_dtype(dtype)
    lengths = lengths_of(x) if shape is None else shape
    if not isinstance(x, Symbolic):
        return zeros_like(x, dtype, lengths)
    operands, attrs = _full_prepare(lengths, dtype.type(0), unset=True)
    return x.__apply__(full, operands, attrs)


@covers(np.zeros, "shape dtype order=* device=cpu like", creates=True)
def zeros(shape: Any, dtype: Any = None, device: Any = None) -> Any:
    """An array of zeros."""
    return full(shape, as_dtype(dtype).type(0), device=device)


@covers(np.ones, "shape dtype order=* device=cpu like", creates=True)
def ones(shape: Any, dtype: Any = None, device: Any = None) -> Any:
    """An array of ones."""
    return full(shape, as_dtype(dtype).type(1), device=device)


@covers(np.empty, "shape dtype order=* device=cpu like", creates=True)
def empty(shape: Any, dtype: Any = None, device: Any = None) -> Any:
    """An array whose elements nobody has set: zeros, or what a kernel finds in memory."""
    return full(shape, as_dtype(dtype).type(0), device=device, unset=True)


def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, device: Any = None
) -> Any:
    """``np.arange``. If a bound or the step is symbolic, only the run knows the length."""
    require_device(device)
    start, stop, step = bounds(start, stop, step)
    if not any(isinstance(x, Symbolic) for x in (start, stop, step)):
        return np.arange(start, stop, step, dtype=dtype)
    kinds = "".join(dtype_of(x).kind for x in (start, stop, step))
    distance = subtract(stop, start)
    if set(kinds) <= set("iu"):
        count = floor_divide(add(distance, subtract(step, sign(step))), step)
    else:
        count = ceil(divide(distance, step))
    count = cast(count, int, weak=True)
    places = positions(multiply(count, greater(count, 0)))
    return progression(start, stop, step, places, dtype)


def bounds(start: Any = None, stop: Any = None, step: Any = None) -> tuple[Any, Any, Any]:
    """The bounds and the step that arguments of ``np.arange`` stand for.

    Raises:
        TypeError: there is no bound.
        ZeroDivisionError, ValueError: the step is known to be zero.
    """
    if start is None and stop is None:
        raise TypeError("arange() requires stop to be specified.")
    if stop is None:
        start, stop = 0, start
    start, step = 0 if start is None else start, 1 if step is None else step
    if not isinstance(step, Symbolic) and step == 0:
        if all(operand_type(x).weak for x in (start, stop, step)):  # divided by Python
            whole = all(dtype_of(x).kind in "iu" for x in (start, stop, step))
            raise ZeroDivisionError("division by zero" if whole else "float division by zero")
        raise ValueError("Maximum allowed size exceeded")
    return start, stop, step


def progression(start: Any, stop: Any, step: Any, places: Any, dtype: Any) -> Any:
    """``start + step * places``, as ``np.arange`` computes it: with the rounded second element."""
    found = promote(*(operand_type(x).strong() for x in (start, stop, step)))
    dtype = found if dtype is None else as_dtype(dtype)
    step = subtract(add(start, step), start)
    start, step = astype(start, dtype), astype(step, dtype)
    return add(start, multiply(astype(places, dtype), step))


@covers(np.eye, "N M k dtype order=* device=cpu like", creates=True)
def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> np.ndarray:
    """``np.eye``: ones on the ``k``-th diagonal of an ``N`` by ``M`` matrix of zeros."""
    require_device(device)
    dtype = float if dtype is None else dtype
    if is_symbolic((N, M, k)):
        rows, columns = (numbered(n) for n in (N, N if M is None else M))
        diagonal = extent(length=k) if is_length(k) else k
        return astype(equal(subtract(columns, expand_dims(rows, 1)), diagonal), dtype)
    return np.eye(N, M, k, dtype)


def numbered(length: Any, beside: Any = None) -> Any:
    """The integers below a length, which may be symbolic; see `made_beside`."""
    return made_beside(beside, counting, length) if is_length(length) else np.arange(length)


@covers(np.full, "shape fill_value dtype order=* device=cpu like", creates=True)
def filled(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """``np.full``, whose fill value may be an array that broadcasts."""
    if isinstance(fill_value, (list, tuple)):
        fill_value = np.asarray(fill_value)
    elif fill_value is None and dtype is not None:
        fill_value = np.asarray(None, dtype)[()]  # NaN, or False
    if shape_of(fill_value) == ():
        return full(shape, fill_value, dtype)
    value = fill_value if dtype is None else astype(fill_value, dtype)
    return copy(broadcast_to(value, shape))


@covers(np.arange, "start stop step dtype device=cpu like", creates=True)
def arange_by_name(start: Any = None, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """``np.arange``, whose arguments have names."""
    return arange(*bounds(start, stop, step), dtype)


def _scalar_type(dtype: type) -> Callable:
    def convert(value: Any = 0) -> Any:
        if is_array(value) and ndim_of(value) and dtype_of(value) == dtype:
            return value  # NumPy copies nothing here
        return cast(value, dtype)

    convert.__name__ = dtype.__name__
    return covers(dtype, creates=True)(convert)


_SCALAR_TYPES = [
    *(np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
    *(np.float16, np.float32, np.float64, np.complex64, np.complex128),
]

for _dtype in _SCALAR_TYPES:
    _scalar_type(_dtype)


@covers(np.identity, "n dtype like", creates=True)
def identity(n: int, dtype: Any = float) -> np.ndarray:
    """``np.identity``: ones on the diagonal of a square matrix of zeros."""
    return eye(n, dtype=dtype)
