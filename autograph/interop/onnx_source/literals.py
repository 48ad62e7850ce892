"""Values and dtypes of a model as text of Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.interop.onnx_source.refusals import malformed, refuse, shown

MOST = 32  # elements of an array that is written out


def value_text(value: Any) -> str:
    """A number, a text, None or a nesting of tuples or lists of these."""
    if isinstance(value, (list, tuple)):
        items = [value_text(item) for item in value]
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    if isinstance(value, (str, bytes)):
        return ascii(value)
    if isinstance(value, complex):
        return f"complex({value_text(value.real)}, {value_text(value.imag)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
    assert value is None or isinstance(value, (bool, int, float))
    return repr(value)


def array_text(array: np.ndarray) -> str:
    """A small array; its dtype is written where that of its elements would be another one."""
    if not array.size:
        return f"np.zeros({value_text(array.shape)}, {numpy_text(array.dtype)})"
    text = _nested_text(array.tolist())
    plain = array.dtype in (np.int64, bool)  # which the elements have by themselves
    return f"np.array({text})" if plain else f"np.array({text}, {numpy_text(array.dtype)})"


def _nested_text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_nested_text, value))}]"
    return value_text(value)


def numpy_text(dtype: np.dtype) -> str:
    """How a dtype is written."""
    return "bool" if dtype.kind == "b" else f"np.{dtype.name}"


class Dtypes:
    """The dtypes of a model.

    Args:
        onnx: the library.
        floats: what all dtypes of floats are replaced with, or None.
    """

    def __init__(self, onnx: Any, floats: np.dtype | None):
        self._onnx = onnx
        self._floats = floats

    def of(self, element_type: int, what: str) -> np.dtype:
        """The dtype of a type of elements.

        Args:
            what: has such elements, for the message.

        Raises:
            UnsupportedFunctionError: NumPy has none.
        """
        kinds = self._onnx.TensorProto.DataType
        if element_type not in kinds.values():
            raise refuse(f"{what} has elements of the unknown type {element_type}")
        name = kinds.Name(element_type)
        found = _BY_NAME.get(name)
        if found is None:
            raise refuse(f"{what} has elements of type {name}, which NumPy does not have")
        return self.replaced(np.dtype(found))

    def replaced(self, dtype: np.dtype) -> np.dtype:
        """The dtype that a model's floats have."""
        return self._floats if self._floats is not None and dtype.kind == "f" else dtype

    def array(self, tensor: Any, what: str) -> np.ndarray:
        """What a tensor holds.

        Raises:
            LoadError: it does not hold what it says.
            UnsupportedFunctionError: NumPy has no such dtype.
        """
        dtype = self.of(tensor.data_type, what)
        return held(self._onnx, tensor, what).astype(dtype, copy=False)


_BY_NAME = {
    "FLOAT": np.float32,
    "DOUBLE": np.float64,
    "FLOAT16": np.float16,
    "COMPLEX64": np.complex64,
    "COMPLEX128": np.complex128,
    "BOOL": np.bool_,
    "INT8": np.int8,
    "INT16": np.int16,
    "INT32": np.int32,
    "INT64": np.int64,
    "UINT8": np.uint8,
    "UINT16": np.uint16,
    "UINT32": np.uint32,
    "UINT64": np.uint64,
}


def held(onnx: Any, tensor: Any, what: str) -> np.ndarray:
    """The elements of a tensor of a model."""
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        raise malformed(f"{what} is in another file, which is read with the path of the model only")
    try:
        return np.array(onnx.numpy_helper.to_array(tensor))
    except Exception as error:
        raise malformed(f"{what} does not hold what it says: {shown(str(error))}") from None
