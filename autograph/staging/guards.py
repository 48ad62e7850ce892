"""Guards: what a graph depends on outside of the function, checked at each call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, FunctionType
from typing import Any

from autograph.backends.select import is_array
from autograph.source.free import MISSING, Bound, is_data, is_user_module
from autograph.source.load import is_inner
from autograph.source.parse import nested_codes
from autograph.staging import specials
from autograph.staging.ownership import is_user_class
from autograph.staging.retracing import Binding, Guard
from autograph.staging.signature import static_key

Variable = tuple[str, bool, Callable[[], Any]]  # see `Converted.bindings`

# Values that cannot change: the same object has the same contents.
_UNCHANGING = {str, bytes, bool, int, float, complex, type(None), BuiltinFunctionType}


def guards_of(function: FunctionType, bindings: Iterable[Variable]) -> Iterator[Guard]:
    """The guards on what the free variables of a function are bound to now, and its defaults."""
    attributes = {name for code in nested_codes(function.__code__) for name in code.co_names}
    for name, data, get in bindings:
        yield from _guards_on(name, get, data, attributes, set())
    for name, default in () if is_inner(function.__code__) else _defaults(function):
        if is_data(default):
            yield same_contents(lambda default=default: default, name)


def _defaults(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The default values of a function's parameters, with the names of these."""
    code = function.__code__
    values = function.__defaults__ or ()
    yield from zip(code.co_varnames[code.co_argcount - len(values) : code.co_argcount], values)
    yield from (function.__kwdefaults__ or {}).items()


def _guards_on(
    name: str, get: Callable[[], Any], data: bool, attributes: set[str], seen: set[int]
) -> Iterator[Guard]:
    """The guards on what ``get`` gives; if that is a function, or a module or class of the user's,
    also on those of ``attributes`` that it has."""
    value = get()
    if data and not is_array(value) and not is_user_module(value):
        yield same_contents(get, name)
        return
    yield Guard(name, get, lambda: get() is value, _binding(get, value))
    if id(value) in seen or not _is_namespace(value):
        return
    own = vars(value) if isinstance(value, FunctionType) else dir(value)
    for part in attributes.intersection(own):
        look_up = specials.attribute if isinstance(value, type) else getattr
        attribute = functools.partial(look_up, value, part)
        inside = seen | {id(value)}
        yield from _guards_on(f"{name}.{part}", attribute, is_data(attribute()), attributes, inside)


def same_contents(get: Callable[[], Any], name: str = "the function that is called") -> Guard:
    """Whether ``get`` still gives the same value, or the same object with the same contents."""
    value = get()  # kept, so that no other object can get its identity
    key = static_key(value)
    binding = _binding(get, value) if type(value) in _UNCHANGING else None
    return Guard(name, get, lambda value=value: static_key(get()) == key, binding)


def _binding(get: Callable[[], Any], value: Any) -> Binding | None:
    """That a free variable is bound to a value, if it is one that ``get`` reads."""
    if not isinstance(get, Bound) or value is MISSING:
        return None
    return Binding(get.place, get.name, value)


def _is_namespace(value: Any) -> bool:
    """Whether a value is a module or a class that the user wrote, or a function."""
    if isinstance(value, FunctionType):
        return True
    return is_user_module(value) or (isinstance(value, type) and is_user_class(value))
