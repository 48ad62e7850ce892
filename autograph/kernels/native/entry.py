"""Kernels as functions that Python calls.

A kernel is wrapped in a built-in function, which checks its arguments, makes the results, releases
the GIL and calls the kernel, all in machine code (``entry.c``). It reads NumPy's arrays as NumPy's
C API lays them out, and calls NumPy and CPython by the addresses of their C API.
"""

from __future__ import annotations

import ctypes
import functools
import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.kernels.native import python_api
from autograph.kernels.native.length_table import LengthTable
from autograph.kernels.native.loader import Code
from autograph.kernels.native.parts import link_c
from autograph.kernels.native.runtime import library_addresses, runtime
from autograph.kernels.native.signature import (
    NEVER,
    PYTHON_TYPES,
    Alias,
    Array,
    GrownArray,
    Into,
    KernelResult,
    KernelScalar,
    KernelSignature,
    LongFrom,
)
from ops.core.symbolic_lengths import is_symbolic

# What `entry.c` calls and refers to.
_PYTHON = (
    *("PyFloat_Type", "PyLong_Type", "_Py_TrueStruct", "_Py_FalseStruct"),
    *("PyLong_AsLongLongAndOverflow", "PyFloat_FromDouble", "PyLong_FromLongLong", "PyTuple_New"),
    *("PyLong_AsUnsignedLongLong", "PyLong_AsUnsignedLongLongMask", "PyLong_FromUnsignedLongLong"),
    *("PyErr_Occurred", "PyErr_Clear"),
    *("PyComplex_Type", "PyComplex_FromDoubles"),
    *("PyObject_VectorcallDict", "PyErr_NoMemory", "Py_IncRef", "Py_DecRef"),
    *("PyEval_SaveThread", "PyEval_RestoreThread", "PyTraceMalloc_Track"),
)
_NUMPY = ("PyArray_Type", "PyArray_Scalar", "PyArray_NewFromDescr", "PyArray_Empty")

# From so many bytes on, the memory of a result is kept for the next one when the array goes.
_BIG = 1 << 16

# How many parameters or results are at most passed through the stack.
_MANY = 1000


def make(
    name: str,
    code: Code,
    signature: KernelSignature,
    slow: Callable[..., Any],
    *,
    long_from: LongFrom = NEVER,
) -> Callable[..., Any]:
    """A function that runs a kernel.

    Args:
        name: of the function.
        code: of the kernel.
        signature: what it takes and returns.
        slow: called with the same arguments if they are not exactly those of the signature, or if
            the kernel gave up. One that was made quickly does so in one call to be optimised, see
            `autograph.kernels.native.tiers`.
        long_from: when other Python threads may run meanwhile, which is worth it from about 20
            microseconds on.

    Returns:
        A function of positional arguments. It raises MemoryError if there is no memory for results
        or for the kernel, and what ``slow`` raises.
    """
    count = max(len(signature.parameters), len(signature.results))
    if not python_api.usable() or count > _MANY:
        from autograph.kernels.native.ctypes_entry import make_with_ctypes

        return make_with_ctypes(name, code, signature, slow)
    tiers = code.tiers
    address = code.address if tiers is None else tiers.address(code)
    plan, used = _plan(address, signature, long_from)
    if tiers is not None:
        tiers.add(plan)
    entry = _entry(any(map(_is_ours, signature.results)))
    return python_api.builtin_function(name, entry.address, (plan, slow, code, used))


class _MemoryHandler(ctypes.Structure):
    """NumPy's PyDataMem_Handler, with its PyDataMemAllocator."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        ("functions", ctypes.c_void_p * 4),
    )


class _Entry:
    """The function of all entries, in memory until the process ends.

    Args:
        memory: whether they may give results memory of the runtime's, which many kernels need not,
            and which is made when it is first needed.

    Attributes:
        address: where calls begin.
    """

    def __init__(self, memory: bool) -> None:
        if memory:
            own = {name: runtime().address(name) for name in ("ag_take", "ag_give")}
        else:  # they are not called
            library = library_addresses(("malloc", "free"))
            own = {"ag_take": library["malloc"], "ag_give": library["free"]}
        symbols = python_api.addresses(_PYTHON, _NUMPY) | own
        names = ("ag_entry", "ag_array_memory")
        code = link_c(("entry",), names, symbols, python_api.CONSTANTS)
        if memory:
            place = ctypes.c_void_p.from_address(code.addresses["ag_array_memory"])
            place.value = id(_memory_handler())
        self.address = code.address


_entries: dict[bool, _Entry] = {}  # without and with memory of the runtime's


def _entry(memory: bool = True) -> _Entry:
    found = _entries.get(True) or _entries.get(memory)
    if found is None:
        found = _entries[memory] = _Entry(memory)
    return found


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


def _plan(address: int, signature: KernelSignature, long_from: LongFrom) -> tuple[bytes, list[Any]]:
    """The table that ``entry.c`` describes, and the Python objects to which it refers."""
    visible = -1 if signature.single else signature.visible
    lengths = LengthTable(signature.symbols)
    words: list[int] = []
    used: list[Any] = []
    for parameter in signature.parameters:
        dtype = parameter.dtype
        used += [dtype, dtype.type]
        words += [
            _forms(parameter),
            _python_kind(dtype, parameter),
            id(dtype.type),
            dtype.itemsize,
            id(dtype),
            dtype.num,
        ]
        words += _shape(parameter, lengths)
    for result in signature.results:
        match result:
            case Array():
                used.append(result.dtype)
                words += [0, id(result.dtype), 0, _bytes_of_ours(result)]
            case GrownArray():
                used.append(result.dtype)
                words += [7, id(result.dtype), 0, result.dtype.itemsize]
            case KernelScalar(dtype, ("numpy",)):
                used.append(dtype)
                words += [1, id(dtype), 0, 0]
            case KernelScalar(dtype):
                kind = {"c": 8, "u": 9}.get(dtype.kind) or 1 + _python_kind(dtype)
                words += [kind, 0, 0, 0]
            case Alias(position):
                words += [5, 0, position, 0]
            case Into(position):
                words += [6, 0, position, 0]
        words += _shape(result, lengths)
    head = [address, len(signature.parameters), len(signature.results), visible]
    head += [long_from.least, sum(1 << position for position in long_from.inputs)]
    numbers = sum(2 + _shape(result, lengths)[0] for result in signature.results)
    head += [len(signature.symbols), lengths.count, numbers]
    words = [*head, *words, *lengths.words]
    return struct.pack(f"<{len(words)}q", *words), used


def _is_ours(result: KernelResult) -> bool:
    """Whether a result may be in memory of the runtime's."""
    return isinstance(result, GrownArray) or (
        isinstance(result, Array) and _bytes_of_ours(result) != 0
    )


def _bytes_of_ours(result: Array) -> int:
    """What ``bytes`` of a new array is."""
    if is_symbolic(result.shape):
        return -result.dtype.itemsize
    nbytes = math.prod(result.shape) * result.dtype.itemsize
    return nbytes if _BIG <= nbytes < 2**62 else 0


def _shape(described: Any, lengths: LengthTable) -> tuple[int, ...]:
    """The number of dimensions and their sizes."""
    if isinstance(described, GrownArray):
        return len(described.shape), *(-1 if n is None else n for n in described.shape)
    shape = described.shape if isinstance(described, Array) else ()
    return len(shape), *map(lengths.size, shape)


def _forms(parameter: Array | KernelScalar) -> int:
    if isinstance(parameter, Array):
        return 8
    kinds = {"python": 1, "bits": 1, "numpy": 2, "array": 4}
    forms = sum(kinds[form] for form in set(parameter.forms))
    return forms + 16 * (parameter.dtype.kind == "c")


def _python_kind(dtype: np.dtype, parameter: Array | KernelScalar | None = None) -> int:
    kinds = {float: 1, int: 2, bool: 3, complex: 4}
    if dtype == np.uint64:
        return 6 if isinstance(parameter, KernelScalar) and "bits" in parameter.forms else 5
    return kinds[PYTHON_TYPES[dtype]] if dtype in PYTHON_TYPES else 0
