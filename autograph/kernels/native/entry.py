"""Kernels as functions that Python calls.

A kernel is wrapped in a built-in function, which checks its arguments, makes the results, releases
the GIL and calls the kernel, all in machine code (``entry.ll``). It reads NumPy's arrays as NumPy's
C API lays them out, and calls NumPy and CPython by the addresses of their C API.
"""

from __future__ import annotations

import ctypes
import functools
import math
import struct
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from autograph.kernels.native import compiler
from autograph.kernels.native.ctypes_entry import make_with_ctypes
from autograph.kernels.native.loader import Code, link
from autograph.kernels.native.runtime import runtime
from autograph.kernels.native.signature import (
    PYTHON_TYPES,
    Array,
    Into,
    Same,
    Scalar,
    Signature,
)

# Positions in NumPy's table of its C API, which do not change.
_NUMPY_API = {
    "PyArray_Type": 2,
    "PyArray_Scalar": 60,
    "PyArray_NewFromDescr": 94,
    "PyArray_Empty": 184,
}

_PYTHON_API = (
    *("PyFloat_Type", "PyLong_Type", "_Py_TrueStruct", "_Py_FalseStruct"),
    *("PyLong_AsLongLongAndOverflow", "PyFloat_FromDouble", "PyLong_FromLongLong", "PyTuple_New"),
    *("PyObject_VectorcallDict", "PyErr_NoMemory", "Py_IncRef", "Py_DecRef"),
    *("PyEval_SaveThread", "PyEval_RestoreThread", "PyTraceMalloc_Track"),
)

# Objects, of which a bytes object ends with its contents and a zero, a tuple with its items. Then
# PyArray_Descr: kind, type, byte order, flags; number. PyArrayObject_fields: data, ndim,
# dimensions, strides, base, descr, flags, references to it, buffers of it, memory handler.
_LAYOUT = f"""
%object = type {{ i64, ptr }}
%bytes = type {{ [{bytes.__basicsize__ - 1} x i8], [0 x i8] }}
%tuple = type {{ [{tuple.__basicsize__} x i8], [0 x ptr] }}
%descr = type {{ %object, ptr, [4 x i8], i32 }}
%array = type {{ %object, ptr, i32, ptr, ptr, ptr, ptr, i32, ptr, ptr, ptr }}
"""

_FASTCALL = 0x0080  # METH_FASTCALL

# From so many bytes on, the memory of a result is kept for the next one when the array goes.
_BIG = 1 << 16

# How many parameters or results are at most passed through the stack.
_MANY = 1000


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def make(
    name: str,
    code: Code,
    signature: Signature,
    slow: Callable[..., Any],
    *,
    releases_gil: bool = False,
) -> Callable[..., Any]:
    """A function that runs a kernel.

    Args:
        name: of the function.
        code: of the kernel.
        signature: what it takes and returns.
        slow: called with the same arguments if they are not exactly those of the signature, or if
            the kernel gave up.
        releases_gil: whether other Python threads may run meanwhile: worth it from about 20
            microseconds on.

    Returns:
        A function of positional arguments. It raises MemoryError if there is no memory for results
        or for the kernel, and what ``slow`` raises.
    """
    count = max(len(signature.parameters), len(signature.results))
    if sysconfig.get_config_var("Py_GIL_DISABLED") or count > _MANY:
        return make_with_ctypes(name, code, signature, slow)
    definition = _MethodDef(name.encode(), _entry().address, _FASTCALL, None)
    plan, used = _plan(code.address, signature, releases_gil)
    # The function keeps this alive, and with it all that it needs.
    self = (plan, slow, code, definition, used)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    return new(ctypes.addressof(definition), self, "autograph")


class _MemoryHandler(ctypes.Structure):
    """NumPy's PyDataMem_Handler, with its PyDataMemAllocator."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        ("functions", ctypes.c_void_p * 4),
    )


@functools.cache
def _entry() -> Code:
    """The function of all entries, in memory until the process ends."""
    text = (Path(__file__).parent / "entry.ll").read_text()
    symbols = {
        name: ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, name)) for name in _PYTHON_API
    }
    table = _numpy_table()
    symbols.update({name: table[position] for name, position in _NUMPY_API.items()})
    symbols.update(runtime().symbols)
    names = ("ag_entry", "ag_array_memory")
    code = link(compiler.object_code(_LAYOUT + text), names, symbols)
    code.keep()
    handler = ctypes.c_void_p.from_address(code.addresses["ag_array_memory"])
    handler.value = id(_memory_handler())
    return code


@functools.cache
def _memory_handler() -> Any:
    """A capsule with the memory handler of big results; see NumPy's NEP 49."""
    handler = _MemoryHandler(b"autograph", 1, None, runtime().array_memory)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    name = ctypes.create_string_buffer(b"mem_handler")
    capsule = new(ctypes.addressof(handler), ctypes.cast(name, ctypes.c_char_p), None)
    # Arrays may outlive this module: the capsule and what it points to are never freed.
    for kept in (capsule, handler, name):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
    return capsule


def _numpy_table() -> Any:
    """The addresses of NumPy's C API."""
    from numpy._core import _multiarray_umath

    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype = ctypes.c_void_p
    get.argtypes = (ctypes.py_object, ctypes.c_char_p)
    address = get(_multiarray_umath._ARRAY_API, None)
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_size_t))


def _plan(address: int, signature: Signature, releases_gil: bool) -> tuple[bytes, list[Any]]:
    """The table that ``entry.ll`` describes, and the Python objects to which it refers."""
    visible = -1 if signature.single else signature.visible
    words = [address, len(signature.parameters), len(signature.results), visible, releases_gil]
    used: list[Any] = []
    for parameter in signature.parameters:
        dtype = parameter.dtype
        used += [dtype, dtype.type]
        words += [
            _forms(parameter),
            _python_kind(dtype),
            id(dtype.type),
            id(dtype),
            dtype.num,
            dtype.itemsize,
        ]
        words += _shape(parameter)
    for result in signature.results:
        match result:
            case Array():
                used.append(result.dtype)
                nbytes = math.prod(result.shape) * result.dtype.itemsize
                words += [0, id(result.dtype), 0, nbytes if _BIG <= nbytes < 2**62 else 0]
            case Scalar(dtype, ("numpy",)):
                used.append(dtype)
                words += [1, id(dtype), 0, 0]
            case Scalar(dtype):
                words += [1 + _python_kind(dtype), 0, 0, 0]
            case Same(position):
                words += [5, 0, position, 0]
            case Into(position):
                words += [6, 0, position, 0]
        words += _shape(result)
    return struct.pack(f"<{len(words)}q", *words), used


def _shape(described: Any) -> tuple[int, ...]:
    """The number of dimensions and their sizes."""
    shape = described.shape if isinstance(described, Array) else ()
    return len(shape), *shape


def _forms(parameter: Array | Scalar) -> int:
    if isinstance(parameter, Array):
        return 8
    return sum({"python": 1, "numpy": 2, "array": 4}[form] for form in set(parameter.forms))


def _python_kind(dtype: np.dtype) -> int:
    return {float: 1, int: 2, bool: 3}[PYTHON_TYPES[dtype]] if dtype in PYTHON_TYPES else 0
