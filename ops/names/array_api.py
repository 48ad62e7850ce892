"""What the Python array API standard asks of a namespace besides functions on arrays: its dtypes,
constants, and questions about dtypes and devices.

The standard is that of 2024.12, https://data-apis.org/array-api/2024.12/. What it calls by another
name than NumPy is in `ops` by both.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ops.arrays.creation import require_device
from ops.core.operands import Symbolic
from ops.core.types import numpy_dtype, type_of
from ops.elementwise import conversion

__all__ = [
    "__array_api_version__",
    "__array_namespace_info__",
    "astype",
    "bool",
    "broadcast_shapes",
    "can_cast",
    "complex64",
    "complex128",
    "e",
    "finfo",
    "float32",
    "float64",
    "from_dlpack",
    "iinfo",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "nan",
    "newaxis",
    "pi",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

__array_api_version__ = "2024.12"

# -- dtypes and constants --------------------------------------------------------------------------

bool = np.bool_
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float32, float64 = np.float32, np.float64
complex64, complex128 = np.complex64, np.complex128

e, pi, inf, nan, newaxis = math.e, math.pi, math.inf, math.nan, None

# -- dtypes ----------------------------------------------------------------------------------------


def _dtype(x: Any) -> np.dtype:
    """The dtype of an array, or the dtype that is given."""
    found = x.type if isinstance(x, Symbolic) else type_of(x)
    return numpy_dtype(x) if found is None else found.dtype


def astype(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Any:
    """``x`` with the given dtype.

    Args:
        x: an array.
        dtype: what NumPy takes for a dtype.
        copy: False to get ``x`` itself if it has the dtype.
        device: None or "cpu".
    """
    require_device(device)
    return conversion.cast(x, dtype) if copy else conversion.astype(x, dtype)


def can_cast(from_: Any, to: Any, /) -> Any:
    """Whether a dtype, or that of an array, can be converted to another without loss.

    Args:
        from_: a dtype or an array.
        to: a dtype.
    """
    return np.can_cast(_dtype(from_), to)


def finfo(type: Any, /) -> np.finfo:
    """The limits of a floating-point dtype, or of that of an array, as ``np.finfo``."""
    return np.finfo(_dtype(type))


def iinfo(type: Any, /) -> np.iinfo:
    """The limits of an integer dtype, or of that of an array, as ``np.iinfo``."""
    return np.iinfo(_dtype(type))


def isdtype(dtype: Any, kind: Any) -> Any:
    """Whether a dtype is of a kind: a dtype, "bool", "signed integer", "unsigned integer",
    "integral", "real floating", "complex floating", "numeric", or a tuple of such."""
    return np.isdtype(numpy_dtype(dtype), kind)


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which arrays of the given shapes broadcast.

    Raises:
        ValueError: they do not.
    """
    return np.broadcast_shapes(*shapes)


def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Any:
    """An array that shares the memory of another library's array, by the DLPack protocol.

    Args:
        x: an array with ``__dlpack__``; a symbolic one is given back, or a copy of it.
        device: where to; None or "cpu" for NumPy.
        copy: whether to copy; None if it has to be.
    """
    if isinstance(x, Symbolic):
        symbolic: Any = x
        return symbolic.copy() if copy else x
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(x, cupy.ndarray) and device is None:
        return cupy.from_dlpack(x)
    return np.from_dlpack(x, device=device, copy=copy)


# -- the namespace ---------------------------------------------------------------------------------


class __array_namespace_info__:
    """What the namespace can do; as `the standard says
    <https://data-apis.org/array-api/2024.12/API_specification/inspection.html>`_."""

    def capabilities(self) -> dict[str, Any]:
        """Boolean masks and data-dependent shapes are there: in a compiled function as lengths
        known only at run time."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """NumPy's."""
        return "cpu"

    def devices(self) -> list[str]:
        """The devices by name. Arrays on a GPU are made by CuPy, and stay there."""
        return ["cpu"]

    def default_dtypes(self, *, device: str | None = None) -> dict[str, np.dtype]:
        """The dtypes that arrays have if nothing else is said."""
        return {
            "real floating": np.dtype(np.float64),
            "complex floating": np.dtype(np.complex128),
            "integral": np.dtype(np.intp),
            "indexing": np.dtype(np.intp),
        }

    def dtypes(self, *, device: str | None = None, kind: Any = None) -> dict[str, np.dtype]:
        """The dtypes by name, all or those of a kind, as for `isdtype`."""
        names = [name for name in __all__ if isinstance(globals()[name], type)]
        found = {name: np.dtype(globals()[name]) for name in names if name[0] in "bcfiu"}
        return {n: d for n, d in found.items() if kind is None or np.isdtype(d, kind)}
