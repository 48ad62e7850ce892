"""What Python asks an object for by itself, where it is of one of several classes.

Operators, ``len``, ``str``, ``x in item``: each class is asked in a branch of its own, but where
all have one method, which is called with the object as it is.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import ops
from autograph.staging.ground.families import Family, members_of
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.lists.elements import PlacedObject, class_of
from autograph.staging.values.choice import Choice
from autograph.staging.values.text import as_text
from ops.core.recording import raises_as_python
from ops.core.special_methods import ARITHMETIC

_ORDER = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
# What the right operand is asked for if the left one does not know.
_REFLECTED = {
    **{f"__{name}__": f"__r{name}__" for name in ARITHMETIC},
    **{f"__{name}__": f"__{other}__" for name, other in _ORDER.items()},
    **{name: name for name in ("__eq__", "__ne__")},
}
_LEFT = {right: left for left, right in _REFLECTED.items() if right not in _REFLECTED}
_IN_PLACE = {f"__i{name}__": f"__{name}__" for name in ARITHMETIC if name != "divmod"}
_TEXTS: dict[str, Callable] = {"__str__": str, "__repr__": repr, "__format__": format}
_BUILT_IN: dict[str, Callable] = {
    **{f"__{name}__": getattr(operator, f"__{name}__") for name in ("neg", "pos", "abs", "invert")},
    **{f"__{name}__": getattr(operator, name) for name in ("getitem", "setitem", "delitem")},
    "__bool__": bool,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    **_TEXTS,
    "__len__": len,
    "__round__": round,
    "__contains__": lambda container, item: ops.in_(item, container),
    "__index__": operator.index,
    "__call__": ops.call,
}


def dispatched(name: str, each: Callable[[Any], Any]) -> Callable | None:
    """A special method of a family; None if there is none of this name.

    Args:
        each: gives an object of a family as a `Choice` among objects of each of its classes, or
            the one of its class where that is known.
    """
    if name in _BUILT_IN:
        return _asked(name, each)
    if name in _REFLECTED or name in _LEFT or name in _IN_PLACE:
        return _operation(name, each)
    return None


@raises_as_python
def _asked(name: str, each: Callable[[Any], Any]) -> Callable:
    function = _BUILT_IN[name]

    def ask(item: Any, *args: Any, **kwargs: Any) -> Any:
        method = _shared(name, [item])
        if method is not None:
            return ops.call(method, item, *args, **kwargs)
        found = _decided(each(item), lambda one: ops.call(function, one, *args, **kwargs))
        return as_text(found) if name in _TEXTS else found

    return ask


@raises_as_python
def _operation(name: str, each: Callable[[Any], Any]) -> Callable:
    left = _LEFT.get(name, name)
    right = _REFLECTED[_IN_PLACE.get(left, left)]
    apply = divmod if left == "__divmod__" else getattr(operator, left)

    def operate(item: Any, other: Any) -> Any:
        operands = [item, other] if is_user_object(other) else [item]
        method = _shared(name, operands)
        if method is not None and (len(operands) == 1 or _is_alike(right, operands)):
            return ops.call(method, item, other)
        a, b = (other, item) if name in _LEFT else (item, other)
        first, second = (each(x) if isinstance(x, Family) else x for x in (a, b))
        return _decided(first, lambda a: _decided(second, lambda b: apply(a, b)))

    return operate


@raises_as_python
def among_others(name: str, method: Callable, each: Callable[[Any], Any]) -> Callable | None:
    """An operator of an object whose class is known, where the other one may be in a heap.

    Python asks the right one first if its class derives from that of the left one, and has a method
    of its own. None if the method is no operator of two objects.
    """
    if name not in _REFLECTED:
        return None
    right = _REFLECTED[name]
    apply = divmod if name == "__divmod__" else getattr(operator, name)

    @functools.wraps(method)
    def operate(item: Any, other: Any) -> Any:
        if not isinstance(other, PlacedObject):
            return method(item, other)
        if isinstance(other, Family) and not _is_alike(right, [item, other]):
            return _decided(each(other), lambda known: apply(item, known))
        kind, others = class_of(item), class_of(other)
        if others is not kind and issubclass(others, kind) and not isinstance(other, type(item)):
            reflected = getattr(others, right, None)
            if reflected is not None and reflected is not getattr(kind, right, None):
                found = ops.call(reflected, other, item)
                if found is not NotImplemented:
                    return found
        return method(item, other)

    return operate


def _shared(name: str, operands: list) -> Callable | None:
    """The method that all classes of some objects have, if it knows what to do with any object."""
    if not _is_alike(name, operands):
        return None
    method = getattr(members_of(class_of(operands[0]))[0], name, None)
    code = getattr(inspect.unwrap(method), "__code__", None) if method else None
    return None if code is None or "NotImplemented" in code.co_names else method


def _is_alike(name: str, operands: list) -> bool:
    """Whether all classes that some objects may be of have one method, or none, of a name."""
    kinds = [kind for one in operands for kind in members_of(class_of(one))]
    return len({getattr(kind, name, None) for kind in kinds}) == 1


def _decided(value: Any, function: Callable[[Any], Any]) -> Any:
    return value.decide(function) if isinstance(value, Choice) else function(value)
