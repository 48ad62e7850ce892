"""Objects of the standard library that keep in C what their methods change: hashes, generators,
compressors, locks, memory of `ctypes`.

Such a change happens once, when the code is recorded, and nobody can see or undo it: that is right
only in the region that made the object.
"""

from __future__ import annotations

import datetime
import decimal
import functools
import io
import operator
import re
import struct
import sys
import types
import weakref
from typing import Any

from autograph.errors import MutationError
from autograph.source.tree.libraries import package_of
from autograph.staging.containers.containers import is_container
from autograph.staging.ground.recorder import recorder
from autograph.staging.sequences.iteration import Iterators, consume, is_native_iterator
from ops.core.operands import Symbolic

_METHODS = (types.BuiltinMethodType, types.MethodWrapperType)
_UNCHANGED: tuple[type, ...] = (
    *(str, bytes, int, float, complex, tuple, frozenset, range, slice, type(None)),
    *(type, types.ModuleType, types.FunctionType, types.MethodType, types.CodeType),
    *(types.BuiltinMethodType, types.MethodWrapperType, types.MappingProxyType),
    *(type(Ellipsis), type(NotImplemented), type({}.keys()), type({}.values()), type({}.items())),
    *(property, staticmethod, classmethod, types.GetSetDescriptorType, types.MemberDescriptorType),
    *(types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType),
    *(types.GenericAlias, types.UnionType, BaseException, types.TracebackType, types.FrameType),
    *(re.Pattern, re.Match, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo),
    *(decimal.Decimal, struct.Struct, weakref.ref, functools.partial),
    *(operator.itemgetter, operator.attrgetter, operator.methodcaller),
)
_ASKS = ("__iter__", "__length_hint__", "__sizeof__", "__repr__", "__str__", "__hash__", "__eq__")


def is_hidden(value: Any) -> bool:
    """Whether an object keeps what its methods change where nobody sees it."""
    kind = type(value)
    if isinstance(value, io.IOBase):
        return True
    if kind is object or isinstance(value, (Symbolic, *_UNCHANGED)) or is_container(value):
        return False
    package = package_of(kind)
    return package == "builtins" or package in sys.stdlib_module_names


def refuse_change(function: Any) -> None:
    """Refuse a method of such an object where Python may call it another number of times.

    Raises:
        MutationError: the object was made elsewhere.
    """
    if not isinstance(function, _METHODS) or function.__name__ in _ASKS:
        return
    owner = function.__self__
    if is_native_iterator(owner):
        consume(owner)
    elif is_hidden(owner) and not isinstance(owner, io.IOBase):
        _refuse_elsewhere(owner, function.__name__)


def _refuse_elsewhere(owner: Any, method: str) -> None:
    frame = recorder().state(Iterators).frame_of(owner)
    if frame is recorder().frame:
        return
    kind = f"{type(owner).__module__}.{type(owner).__qualname__}"
    where = "outside of the function" if frame is None else "before this branch or loop"
    raise MutationError(
        f"the method '{method}' of an object of {kind}, which is made {where}, would be called "
        "only once, when the code is recorded",
        recorder().location(),
        id="AG0379",
        fix="call it outside of the function, or make the object where it is used",
    )
