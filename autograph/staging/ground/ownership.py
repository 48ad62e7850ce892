"""Which functions, classes and objects are the user's, and not part of a library."""

from __future__ import annotations

import enum
import functools
import sys
import types
from collections.abc import Iterable
from typing import Any

from autograph.backends.foreign import is_foreign
from autograph.backends.select import is_array
from autograph.source.tree.libraries import (
    OWN_PACKAGES,
    depends_on_libraries,
    is_library_file,
    module_of,
    package_of,
)
from autograph.staging.ground.sparse_kinds import is_sparse
from ops.core.lazy import KnownWhileAlive

_MADE_BY_STATEMENT = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_WORD = object.__basicsize__ // 2

# What calls code that may be the user's, besides objects with ``__call__``.
CALLABLES = (types.FunctionType, types.MethodType, functools.partial)


def _is_of_c(kind: type) -> bool:
    """Whether C code says where a class keeps the modules of its instances."""
    return type(vars(kind).get("__module__")) is types.MemberDescriptorType


@KnownWhileAlive
def is_user_class(kind: type) -> bool:
    """A class made by a class statement outside of this package and libraries."""
    if not kind.__flags__ & _MADE_BY_STATEMENT:
        return False
    package = package_of(kind)
    if package in (*OWN_PACKAGES, "numpy"):
        return False
    # What functions of libraries in Cython are made of: instances of older ones have modules.
    if package.startswith("_cython_") or _is_of_c(kind):
        return False
    file = getattr(sys.modules.get(module_of(kind)), "__file__", None)
    if file is None:
        return package not in sys.stdlib_module_names
    return not is_library_file(file)


def truth_method(kind: type) -> str | None:
    """Which method of a class of the user's Python asks for the truth of an object, if any."""
    if is_user_class(kind):
        if hasattr(kind, "__bool__"):
            return "__bool__"
        if isinstance(getattr(kind, "__len__", None), types.FunctionType):
            return "__len__"
    return None


depends_on_libraries(is_user_class.forget)


class Recorded:
    """Base of those of our own classes whose instances are, while a function is recorded, what
    objects of the user's are: made of attributes that the function may change."""

    has_derivative = False  # whether its arrays are leaves of trees that there are derivatives by

    def as_array(self) -> Any:
        """What functions that make arrays make of it: by default nothing but itself."""
        return self


def is_user_object(value: Any) -> bool:
    """An instance of a user's class that can be copied attribute by attribute; or what is seen as
    one, a sparse matrix."""
    kind: type = type(value)
    if kind is types.SimpleNamespace or issubclass(kind, Recorded):
        return True
    if not (is_user_class(kind) and is_made_of_attributes(kind)):
        return is_sparse(value)
    return not (is_array(value) or is_foreign(value))


@KnownWhileAlive
def is_made_of_attributes(kind: type) -> bool:
    """Whether instances of a class have nothing but attributes, unlike those of ``list`` or enums,
    also if the class has a ``__new__`` of its own."""
    makes: Any = kind.__new__
    if makes is object.__new__:
        return shows_all(kind)
    bases = [base for base in kind.__mro__ if base is not object]
    makers = [vars(base).get("__new__") for base in bases]
    return (
        all(base.__flags__ & _MADE_BY_STATEMENT for base in bases)
        and all(maker is None or isinstance(maker, staticmethod) for maker in makers)
        and not issubclass(kind, enum.Enum)
    )


def shows_all(kind: type) -> bool:
    """Whether instances of a class have no state but attributes: nothing that C code keeps."""
    slots = len(slots_of(kind))
    own = kind.__basicsize__ - object.__basicsize__
    links = (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    return not kind.__itemsize__ and own <= _WORD * (slots + links)


@KnownWhileAlive
def slots_of(kind: type) -> tuple[str, ...]:
    """The attributes of a class's instances that are not kept in a dict."""
    names: list[str] = []
    for owner in kind.__mro__:
        slots = vars(owner).get("__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            private = name.startswith("__") and not name.endswith("__")
            names.append(f"_{owner.__name__.lstrip('_')}{name}" if private else name)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def hidden_by(kind: type, names: Iterable[str]) -> list[str]:
    """Those of some names of what objects of a class keep in their dicts under which the class has
    a property, or another descriptor that comes first."""
    found = []
    for name in names:
        held = next((vars(o)[name] for o in kind.__mro__ if name in vars(o)), None)
        is_slot = type(held) is types.MemberDescriptorType
        if held is not None and not is_slot and hasattr(type(held), "__set__"):
            found.append(name)
    return found
