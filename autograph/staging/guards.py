"""Guards: what a graph depends on outside of the function, checked at each call.

A graph holds as long as each of its guards, a function without arguments, returns True.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from autograph.backends.select import is_array
from autograph.source.free import is_data
from autograph.source.load import Converted
from autograph.source.parse import nested_codes
from autograph.staging.shadows import is_user_class, is_user_module
from autograph.staging.signature import static_key

Guard = Callable[[], bool]


def guards_of(function: FunctionType, converted: Converted) -> Iterator[Guard]:
    """The guards on what the free variables of a converted function are bound to now."""
    attributes = {name for code in nested_codes(function.__code__) for name in code.co_names}
    for data, get in converted.bindings(function):
        yield from _guards_on(get, data, attributes, set())


def _guards_on(
    get: Callable[[], Any], data: bool, attributes: set[str], seen: set[int]
) -> Iterator[Guard]:
    """The guards on what ``get`` gives; if that is a module or class of the user's, also on those
    of ``attributes`` that it has."""
    value = get()
    if data and not is_array(value) and not is_user_module(value):
        yield same_contents(get)
        return
    yield lambda: get() is value
    if id(value) in seen or not _is_namespace(value):
        return
    for name in attributes.intersection(dir(value)):
        attribute = functools.partial(getattr, value, name)
        yield from _guards_on(attribute, is_data(attribute()), attributes, seen | {id(value)})


def same_contents(get: Callable[[], Any]) -> Guard:
    """Whether ``get`` still gives the same value, or the same object with the same contents."""
    key = static_key(get())
    return lambda: static_key(get()) == key


def _is_namespace(value: Any) -> bool:
    """Whether a value is a module or a class that the user wrote."""
    return is_user_module(value) or (isinstance(value, type) and is_user_class(value))
