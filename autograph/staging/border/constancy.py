"""What may be taken for constant while a function is recorded.

A value that comes from outside of a function, as an argument or otherwise, is one of these:

* Arrays and numbers are *traced*: read again at each call.
* What cannot change counts by its value: texts, dates, members of enumerations ...
* Classes, functions and modules count by what they are. What converted code finds in them is
  guarded; see `autograph.staging.border.guards`.
* What is made of parts counts part by part, at each call: containers, objects made of attributes.
* Of anything else nobody can tell whether it has changed. An
  `autograph.staging.border.unknown.Unknown` stands for it, which refuses to be read.

`static_key` says which it is, and is the only place that does. Two values with the same key are
alike to a graph; nothing is ever taken for constant that is not in a key.
"""

from __future__ import annotations

import array
import datetime
import decimal
import enum
import fractions
import functools
import hashlib
import io
import logging
import operator
import pathlib
import re
import sys
import threading
import types
import uuid
from collections import deque
from collections.abc import (
    Callable,
    Collection,
    Container,
    Hashable,
    ItemsView,
    Iterator,
    KeysView,
    ValuesView,
)
from typing import Any

import numpy as np

from autograph.backends.cupy import is_array as is_device_array
from autograph.backends.select import is_array
from autograph.errors import OperandTypeError
from autograph.source.tree.free import NUMPY_DISPATCHERS, is_user_module
from autograph.source.tree.libraries import OWN_PACKAGES, module_of, package_of
from autograph.source.tree.places import CELLS, kept_place
from autograph.staging.classes import specials
from autograph.staging.containers.containers import attributes, contents
from autograph.staging.ground.bound import METHODS
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.nesting import is_tuple
from autograph.staging.ground.ownership import is_user_class, is_user_object, shows_all
from ops.core.operands import Symbolic
from ops.core.types import PYTHON_SCALARS, type_of
from ops.random.numpy_streams import is_generator

# What equal values of the same type share everything with; and what texts tell everything of.
_EQUAL = {str, bytes, int, bool, type(None), type(Ellipsis), type(NotImplemented)}
_TEXTS = {
    *(float, complex, range, decimal.Decimal, fractions.Fraction, uuid.UUID),
    *(datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone),
}
_BASES = (str, bytes, int, float, complex, *_TEXTS)

# What stays what it is.
_NAMES = (
    *(type, types.FunctionType, types.ModuleType, types.CodeType, types.GenericAlias),
    *(types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType),
    *(types.GetSetDescriptorType, types.MemberDescriptorType, property, classmethod, staticmethod),
    *(np.ufunc, operator.itemgetter, operator.attrgetter, operator.methodcaller),
    *(np.finfo, np.iinfo, enum.EnumMeta),
)
# What is bound to an object that may change.
_BOUND = (types.BuiltinFunctionType, types.MethodWrapperType)

# What is the same if it holds the same, or of which there is one.
_WITHOUT_IDENTITY = (
    *(*_NAMES, *_BASES, *_BOUND, *METHODS, np.generic, tuple, enum.Enum, slice),
    *(re.Pattern, pathlib.PurePath, np.dtype),
)

# What other parts of the recorder look after: they refuse to use such things, or know their state.
_LOOKED_AFTER = (
    *(np.random.Generator, np.random.RandomState, np.random.BitGenerator, np.random.SeedSequence),
    *(io.IOBase, type(threading.Lock()), type(threading.RLock())),
)

# NumPy's tools that are indexed, as `np.c_`: what they hold says how, and nothing changes it.
_INDEXED = tuple(map(type, (np.r_, np.c_, np.s_, np.mgrid, np.ogrid)))

# Classes of arrays that behave as those of NumPy. A file that is mapped is one.
_ARRAYS = (np.ndarray, np.memmap)

_DIGESTED = 1 << 12  # of how many bytes on a key holds only a digest
_MOST_OBJECTS = 500  # in what belongs to a library; objects that refer to everything are unknown


class _Unknowable(Exception):
    """Nobody can tell whether something has changed."""


def is_plain(value: Any) -> bool:
    """Whether a value is an array or number that does what those of Python and NumPy do.

    Raises:
        OperandTypeError: it is an array of another class.
    """
    kind = type(value)
    if kind in PYTHON_SCALARS or kind in _ARRAYS or isinstance(value, Symbolic):
        return True
    if isinstance(value, np.generic):
        return not is_user_class(kind)
    if not is_array(value):
        return False
    if isinstance(value, np.ndarray) and not is_device_array(value):
        masked = isinstance(value, np.ma.MaskedArray)
        raise OperandTypeError(
            f"an array is a {kind.__module__}.{kind.__qualname__}: what its class does besides "
            "holding elements would be left out",
            user_location(),
            id="AG0352",
            fix="use x.filled(value), or the arrays x.data and x.mask"
            if masked
            else "use np.asarray(x)",
        )
    return True


def static_key(value: Any, inputs: Container[int] = ()) -> Hashable:
    """A key that two static values share only if converted code cannot tell them apart, now and
    here: containers count by which they are and by what they hold.

    Args:
        inputs: the identities of containers whose contents are inputs of the graph: these count by
            which they are.
    """
    kind = type(value)
    if kind in _EQUAL:  # the most frequent ones first
        return kind, value
    return _Keys(inputs=inputs).of(value)


def changing_parts(value: Any, inputs: Container[int] = ()) -> list[Any]:
    """What a static value has to be asked for: it has the same `static_key` as long as it is the
    same object and each of these has its own. Tuples and bound methods can't change themselves, nor
    can numbers, texts and names in them.

    Args:
        inputs: see `static_key`.
    """
    kind = type(value)
    if kind in _EQUAL or kind in _TEXTS or isinstance(value, _NAMES) or id(value) in inputs:
        return []
    if isinstance(value, METHODS):
        return [*changing_parts(value.__func__, inputs), *changing_parts(value.__self__, inputs)]
    if isinstance(value, tuple) and is_tuple(value) and not hasattr(value, "__dict__"):
        return [part for item in value for part in changing_parts(item, inputs)]
    return [value]


def stays(value: Any) -> bool:
    """Whether a static value has the same `static_key` as long as it is the same object."""
    if not changing_parts(value):
        return True
    key = static_key(value)
    return key is value or key == id(value) or isinstance(key, UnknownKey)


def raw_key(value: Any) -> Hashable:
    """The key of something that converted code sees itself: the contents of arrays count.

    Returns:
        An `UnknownKey` if nobody can tell whether it has changed.
    """
    return _Keys().known(value, True)


def argument_key(leaf: Any) -> Hashable:
    """The key of an argument that is not traced. Other objects with the same contents share it:
    the program uses those that it is given."""
    kind = type(leaf)
    return (kind, leaf) if kind in _EQUAL else _Keys(leaf).of(leaf)


def is_unknown(value: Any) -> bool:
    """Whether nobody can tell whether a value has changed."""
    return isinstance(static_key(value), UnknownKey)


def stands_for_itself(value: Any) -> bool:
    """Whether nothing is known of a value while recording but that it is there."""
    return is_generator(value) or is_unknown(value)


def has_identity(value: Any) -> bool:
    """Whether it matters which object a value is, besides what it holds."""
    kind = type(value)
    if kind in _EQUAL or kind in _TEXTS:
        return False
    return not isinstance(value, _WITHOUT_IDENTITY)


class UnknownKey(tuple):
    """The key of a value of which nobody can tell whether it has changed."""

    __slots__ = ()


class _Keys:
    """Makes the key of one value.

    Args:
        given: an object that counts by what it holds alone.
        inputs: see `static_key`.
    """

    def __init__(self, given: Any = None, inputs: Container[int] = ()):
        self._given = given
        self._inputs = inputs
        self._path: list[int] = []  # the identities of what the present value is a part of
        self._objects = 0

    def of(self, value: Any, raw: bool = False) -> Hashable:
        """The key of a value.

        Args:
            raw: converted code sees the value itself, not a copy with symbolic arrays in it: the
                contents of arrays count.
        """
        kind = type(value)
        if kind in _EQUAL:
            return kind, value
        if kind in _TEXTS or isinstance(value, np.dtype):
            return kind, repr(value)
        if isinstance(value, _NAMES) or kind.__name__ in NUMPY_DISPATCHERS:
            return (value, self._inside_name(value)) if raw else value
        if id(value) in self._inputs and not raw:
            return "input", id(value)
        if id(value) in self._path:
            return "cycle", self._path.index(id(value))
        self._path.append(id(value))
        depth = len(self._path)
        try:
            return self._parts(value, kind, raw)
        except _Unknowable:
            if raw:  # then neither is known what it is a part of
                raise
            return UnknownKey((kind, *self._which(value)))
        finally:
            del self._path[depth - 1 :]

    def _inside_name(self, value: Any) -> Hashable:
        """What code may read of a class or module that nobody else looks after."""
        if isinstance(value, type) and is_user_class(value):
            return _class_key(value, self, raw=True)
        if not is_user_module(value) or id(value) in self._path:
            return None
        self._path.append(id(value))
        inside = [(name, part) for name, part in vars(value).items() if not name.startswith("__")]
        key = tuple(
            (name, id(part) if isinstance(part, types.ModuleType) else self.known(part, True))
            for name, part in inside
        )
        self._path.pop()
        return key

    def known(self, value: Any, raw: bool) -> Hashable:
        """The key of a value, which may be unknown."""
        depth = len(self._path)
        try:
            return self.of(value, raw)
        except _Unknowable:
            del self._path[depth:]
            return UnknownKey((type(value), id(value)))

    def _which(self, value: Any) -> tuple:
        return () if value is self._given else (id(value),)

    def _all(self, values: Any, raw: bool) -> tuple:
        return tuple([self.of(value, raw) for value in values])

    def _parts(self, value: Any, kind: type, raw: bool) -> Hashable:
        if kind.__name__ == "MaskedConstant" and value is np.ma.masked:  # nobody can change it
            return (kind,)
        if is_array(value):
            return self._array(value, kind, raw)
        if isinstance(value, np.generic):
            return kind, value.dtype, repr(value) if kind is not np.void else value.tobytes()
        if isinstance(value, enum.Enum):
            # Of many members only the name can be read, and a value that cannot change.
            own = {k: v for k, v in vars(value).items() if k not in ("__objclass__", "_name_")}
            return kind, value.name, self._all(own.values(), True)
        if isinstance(value, _BOUND):
            owner = value.__self__
            if owner is None or isinstance(owner, (type, types.ModuleType)):
                return value
            return kind, value.__name__, self.of(owner, True)
        if isinstance(value, METHODS):
            return kind, value.__func__, self.of(value.__self__, raw)
        if isinstance(value, functools.partial):
            return kind, self._all((value.func, value.args, *value.keywords.items()), raw)
        if kind is slice:
            return kind, self._all((value.start, value.stop, value.step), True)
        if isinstance(value, (tuple, frozenset)):
            raw = raw or not is_tuple(value)
            return kind, self._all(value, raw), self._attributes(value)
        if isinstance(value, set):
            return kind, self._which(value), self._all(value, True), self._attributes(value)
        if isinstance(value, (list, deque, dict, *CELLS)) or is_user_object(value):
            keys, values = contents(value)
            return (
                *(kind, self._which(value), self._all(keys, True), self._all(values, raw)),
                _class_key(kind, self) if is_user_class(kind) else None,
            )
        if isinstance(value, logging.Logger):
            return self._logger(value)
        if isinstance(value, (Iterator, *_LOOKED_AFTER)) or kind is object or _is_name(value):
            return id(value)
        return kind, self._which(value), self._raw(value, kind)

    def _logger(self, logger: logging.Logger | None) -> Hashable:
        """A logger by which it is and by its settings: the loggers of other modules, which it holds
        through its manager, are nothing to it."""
        if logger is None:
            return None
        handlers = [(id(handler), handler.level) for handler in logger.handlers]
        settings = logger.level, logger.disabled, logger.propagate, *map(id, logger.filters)
        return id(logger), settings, tuple(handlers), self._logger(logger.parent)

    def _array(self, value: Any, kind: type, raw: bool) -> Hashable:
        if type_of(value) is not None and not raw:
            return "array", id(value), value.dtype, value.shape
        inside: Hashable
        if value.dtype.hasobject:
            inside = self._all(value.ravel().tolist(), True)
        else:
            inside = _digest(value.tobytes())
        return kind, self._which(value), value.dtype, value.shape, inside

    def _raw(self, value: Any, kind: type) -> Hashable:
        """What something holds that converted code sees as it is."""
        if isinstance(value, (bytearray, array.array)):
            return getattr(value, "typecode", ""), _digest(bytes(value))
        if isinstance(value, memoryview):
            return value.format, value.shape, _digest(value.tobytes())
        if isinstance(value, types.MappingProxyType):
            return self._all([part for item in value.items() for part in item], True)
        if isinstance(value, re.Pattern):
            return value.pattern, value.flags
        if isinstance(value, pathlib.PurePath):
            return str(value)
        if isinstance(value, _BASES):
            base: Any = next(base for base in _BASES if isinstance(value, base))
            return base.__repr__(value), self._attributes(value), _class_key(kind, self)
        if isinstance(value, (KeysView, ValuesView, ItemsView)):
            return self._all(value, True)
        if not shows_all(kind):
            raise _Unknowable
        self._objects += 1
        if self._objects > _MOST_OBJECTS:
            raise _Unknowable
        return self._attributes(value)

    def _attributes(self, value: Any) -> Hashable:
        """What is held by the attributes of an instance."""
        return self._all([part for item in attributes(value) for part in item], True)


def class_key(kind: type, inputs: Container[int] = ()) -> Hashable:
    """What the attributes that instances of a class share are.

    Args:
        inputs: see `static_key`; places in which attributes are may be among them.
    """
    return _class_key(kind, _Keys(inputs=inputs))


def _class_key(kind: type, keys: _Keys, raw: bool = False) -> Hashable:
    if id(kind) in keys._path:  # an instance of a class is an attribute of the class
        return "cycle", id(kind)
    keys._path.append(id(kind))
    try:
        return tuple(
            (name, keys.known(value, raw))
            for owner in kind.__mro__
            if is_user_class(owner)
            for name, value in specials.own(owner).items()
            if not name.startswith("__") and id(kept_place(owner, name)) not in keys._inputs
        )
    finally:
        keys._path.remove(id(kind))


def shared_parts(kind: type) -> list[Any] | None:
    """What may change of what instances of a class share, as long as no attribute of the class, or
    of one that it derives from, is assigned; None if that does not tell."""
    metaclass: Any = type(kind)
    if any(map(is_user_class, metaclass.__mro__)):
        return None
    return [
        value
        for owner in kind.__mro__
        if is_user_class(owner)
        for name, value in specials.own(owner).items()
        if not (name.startswith("__") or stays(value))
    ]


def same_class(kind: type) -> Callable[[], bool]:
    """A function that tells whether what instances of a class share is what it is now."""
    key = class_key(kind)
    owners = [owner for owner in kind.__mro__ if is_user_class(owner)]
    before = [(vars(owner), list(vars(owner)), list(vars(owner).values())) for owner in owners]
    plain = shared_parts(kind) == []

    def is_as_before() -> bool:
        same = plain and all(
            list(namespace) == names and all(map(operator.is_, namespace.values(), values))
            for namespace, names, values in before
        )
        return same or class_key(kind) == key

    return is_as_before


def _digest(data: bytes) -> bytes:
    return data if len(data) < _DIGESTED else hashlib.blake2b(data, digest_size=16).digest()


def _is_name(value: Any) -> bool:
    """Whether something is a function in all but type, a descriptor, belongs to this package, or is
    a library's own, which the library holds as well."""
    kind = type(value)
    package = package_of(kind)
    if package in (*OWN_PACKAGES, "typing") or kind in _INDEXED:
        return True
    if is_user_class(kind):
        return False
    if callable(value) and isinstance(getattr(value, "__name__", None), str):
        return True
    if hasattr(kind, "__get__"):
        return True
    if isinstance(value, Collection) or shows_all(kind):
        return False
    module = sys.modules.get(module_of(kind))
    return any(value is held for held in getattr(module, "__dict__", {}).values())
