"""The C APIs of CPython and NumPy, for machine code to call: addresses, the layout of objects, and
built-in functions made of machine code."""

from __future__ import annotations

import ctypes
import functools
import importlib
import sys
import sysconfig
import types
from collections.abc import Callable, Iterable
from typing import Any

# Positions in NumPy's table of its C API, which do not change.
_NUMPY = {
    "PyArray_Type": 2,
    "PyArray_Scalar": 60,
    "PyArray_NewFromDescr": 94,
    "PyArray_Empty": 184,
    "PyArray_Partition": 296,
    "PyArray_ArgPartition": 297,
    "_PyDataType_GetArrFuncs": 365,
}

# What `c/objects.h` leaves to the version of Python. A bytes object ends with its contents and a
# zero, a tuple with its items.
CONSTANTS = {"ag_tuple_head": tuple.__basicsize__, "ag_bytes_head": bytes.__basicsize__ - 1}

_KEYWORDS, _FASTCALL = 0x0002, 0x0080  # METH_KEYWORDS, METH_FASTCALL


def usable() -> bool:
    """Whether objects are laid out as `c/objects.h` says. Builds of CPython without a GIL have
    other ones."""
    return sys.version_info < (3, 13) or not sysconfig.get_config_var("Py_GIL_DISABLED")


def addresses(python: Iterable[str], numpy: Iterable[str] = ()) -> dict[str, int]:
    """Where functions and objects of the C APIs are.

    Args:
        python: the names of those of CPython.
        numpy: of those of NumPy.
    """
    found = {
        name: ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, name)) for name in python
    }
    table = _numpy_table()
    return found | {name: table[_NUMPY[name]] for name in numpy}


def numpy_function(name: str) -> int:
    """The address of a function of NumPy's C API."""
    return _numpy_table()[_NUMPY[name]]


def _numpy_table() -> Any:
    """The addresses of NumPy's C API."""
    module: Any = importlib.import_module("numpy._core._multiarray_umath")
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype = ctypes.c_void_p
    get.argtypes = (ctypes.py_object, ctypes.c_char_p)
    address = get(module._ARRAY_API, None)
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_size_t))


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def builtin_function(name: str, address: int, data: tuple) -> Callable[..., Any]:
    """A built-in function of positional arguments.

    Args:
        name: of the function.
        address: of ``PyObject *f(PyObject *self, PyObject *const *args, Py_ssize_t nargs)``.
        data: the first items of the tuple that the function gets as ``self``. They live as long as
            it does.
    """
    definition = _MethodDef(name.encode(), address, _FASTCALL, None)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    return new(ctypes.addressof(definition), (*data, definition), "autograph")


def method(cls: type, name: str, address: int) -> Any:
    """A method of a class, which is never freed.

    Args:
        address: of ``PyObject *f(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject
            *names)``, with the names of the last arguments, or null.
    """
    definition = _MethodDef(name.encode(), address, _FASTCALL | _KEYWORDS, None)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(definition))
    new = ctypes.pythonapi.PyDescr_NewMethod
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.py_object, ctypes.c_void_p)
    return new(cls, ctypes.addressof(definition))


@functools.cache
def function_fields() -> dict[str, int]:
    """Where functions hold what they are made of, in bytes, by the names of the attributes.

    Raises:
        NotImplementedError: they hold it somewhere else.
    """

    def probe(x: Any = "", *, y: Any = "") -> None:
        pass

    count = types.FunctionType.__basicsize__ // ctypes.sizeof(ctypes.c_size_t)
    words = list((ctypes.c_size_t * count).from_address(id(probe)))
    found = {}
    for name in ("__code__", "__defaults__", "__kwdefaults__"):
        if id(getattr(probe, name)) not in words:
            raise NotImplementedError(f"functions do not have {name} where it should be")
        found[name] = ctypes.sizeof(ctypes.c_size_t) * words.index(id(getattr(probe, name)))
    return found


def slot_offsets(cls: type, names: tuple[str, ...]) -> dict[str, int] | None:
    """Where the attributes of a class that are in slots lie in its objects, in bytes, by name; None
    if that can't be told."""
    try:
        probe: Any = object.__new__(cls)
        count = cls.__basicsize__ // ctypes.sizeof(ctypes.c_size_t)
        found = {}
        for name in names:
            value = object()
            object.__setattr__(probe, name, value)
            words = list((ctypes.c_size_t * count).from_address(id(probe)))
            if words.count(id(value)) != 1:
                return None
            found[name] = ctypes.sizeof(ctypes.c_size_t) * words.index(id(value))
    except (AttributeError, TypeError):
        return None
    return found


# Where a class keeps the number of its version, which becomes another one when an attribute of the
# class, or of one that it derives from, is assigned; as 8 bytes, of which 4 are zeros.
_VERSION = 384


def class_version(cls: type) -> int | None:
    """The version of a class; None if it has none."""
    if not _has_versions():
        return None
    getattr(cls, "__autograph_version__", None)  # a class gets one when it is looked into
    return _version_of(cls) or None


def version_place(cls: type) -> int:
    """The address of the version of a class."""
    return id(cls) + _VERSION


def _version_of(cls: type) -> int:
    return ctypes.c_uint64.from_address(version_place(cls)).value


@functools.cache
def _has_versions() -> bool:
    """Whether classes have versions where they should be."""

    class Base:
        pass

    class Probe(Base):
        pass

    versions = []
    for change in (Probe, Base, Probe):
        getattr(Probe, "missing", None)
        versions.append(_version_of(Probe))
        type.__setattr__(change, "attribute", None)
        versions.append(_version_of(Probe))
    before, after = versions[::2], versions[1::2]
    return 0 not in before and len({*before}) == 3 and not any(after) and max(before) < 1 << 32


def first_slot(cls: type) -> int:
    """Where the only one of ``__slots__`` of a class lies in its objects, in bytes."""
    (name,) = vars(cls)["__slots__"]
    probe: Any = object.__new__(cls)
    value = object()
    setattr(probe, name, value)
    offset = object.__basicsize__
    if ctypes.c_void_p.from_address(id(probe) + offset).value != id(value):
        raise NotImplementedError(f"the slot of {cls} is not where it should be")
    return offset
