"""Methods of the user's classes that Python calls by itself: ``__init__``, ``__add__``, properties.

Converted code calls functions through `ops.call`, but ``a + b`` and ``account.balance`` reach the
class's own function. While a function is recorded that refers to a class, such functions of the
class are replaced by ones that convert them when they are called by recorded code. Other threads,
and code that is not being recorded, find them as they were.
"""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable
from typing import Any

from autograph.source.tree.free import MISSING
from autograph.source.tree.libraries import is_library_file
from autograph.staging.classes.derived import derived
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.lists import family_operators
from autograph.staging.lists.placed_objects import each_class
from ops.core.locks import lock_over_forks
from ops.core.recording import raises_as_python
from ops.core.special_methods import ARITHMETIC

SPECIAL = {
    *(f"__{prefix}{name}__" for name in ARITHMETIC for prefix in ("", "r", "i")),
    *(f"__{name}__" for name in ("neg", "pos", "abs", "invert", "round")),
    *(f"__{name}__" for name in ("lt", "le", "gt", "ge", "eq", "ne")),
    *(f"__{name}__" for name in ("getitem", "setitem", "delitem", "contains", "len", "bool")),
    *(f"__{name}__" for name in ("getattr", "setattr", "delattr", "get", "set", "delete")),
    *(f"__{name}__" for name in ("missing", "reversed")),
    *(f"__{name}__" for name in ("init", "post_init", "enter", "exit", "iter", "next")),
}
# Besides these there are some that are not converted.
CALLED_BY_PYTHON = SPECIAL | {
    *(f"__{name}__" for name in ("new", "call", "hash", "str", "repr", "format", "bytes")),
    *(f"__{name}__" for name in ("int", "float", "complex", "index", "trunc", "floor", "ceil")),
    *(f"__{name}__" for name in ("getattribute", "dir", "length_hint", "match_args", "array")),
    *(f"__{name}__" for name in ("array_ufunc", "array_function", "instancecheck")),
    *(f"__{name}__" for name in ("subclasscheck", "class_getitem", "prepare", "del", "slots")),
}

_lock = lock_over_forks()
_replaced: dict[type, tuple[int, dict[str, tuple[Any, Any]]]] = {}


def replace(kind: type) -> None:
    """Replace the special methods and properties of a class; undone by `put_back`."""
    with _lock:
        users, replaced = _replaced.get(kind, (0, {}))
        if not users:
            own = dict(vars(kind))
            stand_ins = {name: _stand_in(name, value) for name, value in own.items()}
            for name, version in derived(kind).items():
                made = _while_recording(version, getattr(kind, name))
                stand_ins[name] = _among_others(name, made)
            if issubclass(kind, type):  # tables of the recorder have classes as their keys
                stand_ins |= dict.fromkeys(("__eq__", "__hash__"))
            for name, stand_in in stand_ins.items():
                if stand_in is not None:
                    replaced[name] = own.get(name, MISSING), stand_in
                    setattr(kind, name, stand_in)
        _replaced[kind] = users + 1, replaced


def is_replaced(kind: type) -> bool:
    """Whether the class is one of those that `replace` was called for."""
    return kind in _replaced


def stand_in(kind: type, name: str, value: Any) -> None:
    """Give a class of which functions are replaced an attribute until `put_back`."""
    with _lock:
        _, replaced = _replaced[kind]
        if name not in replaced:
            replaced[name] = vars(kind).get(name, MISSING), value
            setattr(kind, name, value)


def assign(kind: type, name: str, value: Any) -> None:
    """Assign an attribute of a class, or delete it if ``value`` is MISSING; what stands in its
    place meanwhile stays there."""
    with _lock:
        _, replaced = _replaced.get(kind, (0, {}))
        if name in replaced and vars(kind).get(name) is replaced[name][1]:
            replaced[name] = value, replaced[name][1]
        elif value is not MISSING:
            setattr(kind, name, value)
        elif name in vars(kind):
            delattr(kind, name)


def put_back(kind: type) -> None:
    with _lock:
        users, replaced = _replaced[kind]
        if users > 1:
            _replaced[kind] = users - 1, replaced
            return
        del _replaced[kind]
        for name, (value, stand_in) in replaced.items():
            if vars(kind).get(name) is not stand_in:
                continue
            if value is MISSING:
                delattr(kind, name)
            else:
                setattr(kind, name, value)


def own(kind: type) -> dict[str, Any]:
    """The attributes of a class, as they are when nothing is replaced."""
    _, replaced = _replaced.get(kind, (0, {}))
    attributes = dict(vars(kind))
    for name, (value, stand_in) in replaced.items():
        if attributes.get(name) is stand_in:
            attributes[name] = value
            if value is MISSING:
                del attributes[name]
    return attributes


def _stand_in(name: str, value: Any) -> Any:
    if name == "__module__":  # where it is assigned, Python 3.13 forgets the line of the class
        return None
    if isinstance(value, property):
        functions = (value.fget, value.fset, value.fdel)
        if any(map(_is_convertible, functions)):
            made: Any = property(*map(_recorded, functions), value.__doc__)
            made.__set_name__(None, name)  # which errors name, as those of the class's own
            return made
    if isinstance(value, functools.cached_property) or name not in SPECIAL:
        return None
    if not _is_convertible(value):
        return None
    if name in ("__enter__", "__exit__"):
        return _manager_method(name, value)
    return _among_others(name, _recorded(value))


def _among_others(name: str, method: Any) -> Any:
    """A method that Python calls, which may be given what is of one of several classes."""
    made = family_operators.among_others(name, method, each_class)
    if made is None:
        return method
    _originals[made] = original(method)
    return made


def _is_convertible(function: Any) -> bool:
    if not isinstance(function, types.FunctionType):
        return False
    file = function.__code__.co_filename
    return not (is_library_file(file) or file.startswith("<string>"))


def _recorded(function: Callable | None) -> Callable | None:
    """A function that becomes part of the recording, if there is one."""
    if not _is_convertible(function):
        return function

    @functools.wraps(function)
    @raises_as_python
    def call(*args: Any, **kwargs: Any) -> Any:
        if active_recorder() is None:
            return function(*args, **kwargs)
        return recorder().call(function, args, kwargs)

    _originals[call] = function
    return call


def _manager_method(name: str, function: Callable) -> Callable:
    """``__enter__`` or ``__exit__``; see `autograph.staging.classes.managers`."""
    method = _recorded(function)

    @functools.wraps(function)
    def call(self: Any, *args: Any) -> Any:
        if active_recorder() is None:
            return function(self, *args)
        if name == "__enter__":
            return recorder().managers.enter(self, lambda: method(self, *args))
        return recorder().managers.exit(self, lambda: method(self, *args), args[1])

    _originals[call] = function
    return call


def _while_recording(version: Callable, function: Callable) -> Callable:
    """``function``, or our ``version`` of it while a function is recorded."""

    @functools.wraps(function)
    @raises_as_python
    def call(*args: Any, **kwargs: Any) -> Any:
        chosen = function if active_recorder() is None else version
        return chosen(*args, **kwargs)

    _originals[call] = version
    return call


_originals: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def original(function: Any) -> Any:
    """What a function stands in for, or the function itself."""
    return _originals.get(function, function)


@raises_as_python
def attribute(kind: type, name: str) -> Any:
    """What a class or one it derives from has under ``name``, when nothing is replaced."""
    for owner in kind.__mro__:
        attributes = own(owner) if owner in _replaced else vars(owner)
        if name in attributes:
            return attributes[name]
    return getattr(kind, name)
