"""The method ``__call__`` of functions in machine code, and the records that it tries.

See ``call.c``, which is the method, and `autograph.api.calls.quick`, which uses it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from autograph.kernels import floating_errors
from autograph.kernels.native import python_api
from autograph.kernels.native.availability import available
from autograph.kernels.native.matching import (
    NONE_PACKED,
    Inside,
    ObjectParts,
    OpenLengths,
    never,
    no_parts,
    pattern,
)
from autograph.kernels.native.parts import link_c
from autograph.kernels.native.tiers import OPTIMISED, tier
from ops.core.recording import threads_recording

Record = tuple[Any, ...]

_PYTHON = (
    *("PyTuple_Type", "PyList_Type", "PyDict_Type", "PyFloat_Type", "Py_IncRef", "Py_DecRef"),
    *("_Py_NoneStruct", "_Py_TrueStruct"),
    *("PyTuple_Size", "PyTuple_New", "PyList_Size", "PyList_GetItem", "PyCell_Get"),
    *("PyDict_Size", "PyDict_Next", "PyDict_New", "PyDict_SetItem"),
    *("PyDict_GetItemWithError", "PyErr_Clear"),
    *("PyObject_RichCompareBool", "PyObject_VectorcallDict", "PyObject_IsTrue"),
    *("PyObject_GenericGetDict", "PyFloat_AsDouble"),
    *("PyContextVar_Get", "PyErr_Fetch", "PyErr_NormalizeException", "PyException_SetTraceback"),
)

_kept: list[Any] = []  # what the machine code refers to

# How many calls are looked up before machine code is linked for others not to be. That takes 1 ms,
# as long as 50 look-ups, and many a process makes no more calls than these.
_LOOK_UPS = 50
_looked_up: dict[type, int] = {}
_begun: set[type] = set()  # by a thread, while others look calls up
_installed: set[type] = set()


def record(
    call: tuple[tuple, dict[str, Any]],
    leaves: Sequence[Any],
    traced: Sequence[int],
    *,
    outside: Iterable[tuple[Any, str, Any]],
    guards: Iterable[Callable[[], bool]],
    function: Callable[[], Callable[..., Any]],
    finish: Callable[[], Callable[..., Any] | None],
    failed: Callable[[BaseException], Any],
    parts_of: Callable[[Any], ObjectParts | None] = no_parts,
    roots: Sequence[Any] = (),
    stays: Callable[[Any], bool] = never,
    inside: Iterable[Inside] = (),
    versions: Callable[[], Iterable[tuple[type, int]]] = tuple,
    whole: bool = False,
    lengths: OpenLengths | None = None,
    unread: Collection[int] = (),
    packed: Mapping[int, int] = NONE_PACKED,
    objects: Collection[int] = (),
) -> Record | None:
    """What is done at calls that are like one.

    Args:
        call, leaves, traced, outside, parts_of, roots, stays, inside, versions, lengths,
            unread, packed: see
            `autograph.kernels.native.matching.pattern`.
        guards: what else has to hold.
        function: gives what is called with the traced leaves.
        finish: gives what makes the result of what that returns; None if that is the result.
        failed: called with an exception that one of both raised; raises one, or returns, if the
            call is to be made as if no record fitted.
        whole: whether that takes more: the traced leaves, and the lists, dicts, objects and
            cells, in the order in which they are met, those of roots first.
        objects: the identities of objects that are leaves.

    Returns:
        None where there is no machine code, or no pattern for arguments like these.
    """
    if not available() or not python_api.usable() or floating_errors.setting() is None:
        return None
    found = pattern(
        *(*call, leaves, traced, outside, parts_of, roots, stays, inside, versions, lengths),
        *(unread, packed, objects),
    )
    if found is None:
        return None
    needed = (*guards, *found.guards)
    held = found.used, found.versions
    return (found.data, function(), finish(), whole, failed, needed, held)


def is_stale(made: Record) -> bool:
    """Whether a record fits no call any more since classes have been changed, if only in what is
    nothing to the function."""
    _, versions = made[-1]
    return any(python_api.class_version(kind) != version for kind, version in versions)


def is_installed(cls: type) -> bool:
    """Whether a class has the method ``__call__`` in machine code."""
    return cls in _installed


def install(cls: type, look_up: Callable[[Any, tuple, dict[str, Any]], Any]) -> None:
    """Give a class the method ``__call__`` in machine code, once it has been asked for often, or at
    once where code is to be optimised.

    Args:
        cls: a class with one slot, for the tuple of records.
        look_up: called with the object, positional and keyword arguments if no record fits.
    """
    if cls in _installed or cls in _begun:
        return
    _looked_up[cls] = times = _looked_up.get(cls, 0) + 1
    if tier() == OPTIMISED or times >= _LOOK_UPS:
        _begun.add(cls)
        _install(cls, look_up)
        _installed.add(cls)


def _install(cls: type, look_up: Callable[[Any, tuple, dict[str, Any]], Any]) -> None:
    offset = ctypes.c_int64(python_api.first_slot(cls))
    symbols = python_api.addresses(_PYTHON, ("PyArray_Type",)) | {
        "ag_recording": ctypes.addressof(threads_recording),
        "ag_records_offset": ctypes.addressof(offset),
        "ag_look_up": id(look_up),
        "ag_setting": id(floating_errors.setting()),
        "ag_quiet": ctypes.addressof(floating_errors.quiet),
    }

    code = link_c(("call",), ("ag_call",), symbols, python_api.CONSTANTS)
    _kept.append((offset, look_up))
    floating_errors.matter()  # which tells the machine code what is quiet
    type.__setattr__(cls, "__call__", python_api.method(cls, "__call__", code.address))
