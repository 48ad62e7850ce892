"""Elements of Python's own containers by an index or a key known only at run time.

A container that has an element for it whichever it is, a tuple, a text, a dict ..., gives the one
at a position that the program computes. Where integer arguments determine an index, or a loop can
run as Python, it is a plain number instead, but for one of many texts.
"""

from __future__ import annotations

import enum
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.errors import ConcreteValueError
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import converted
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.elements import is_changeable
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.picked import are_chosen_texts, at_place, at_place_in_one, picked
from autograph.staging.lists.tables import KeyTable
from autograph.staging.sequences.items import as_items
from autograph.staging.values.choice import Choice, as_number
from autograph.staging.values.maybe import ArrayOrNone, MaybeNone
from autograph.staging.values.promoted import are_no_places, by_kind, types_of
from ops.core.operands import is_array
from ops.core.recording import raises_as_python
from ops.core.types import is_supported, weak

# Keys that are compared with one after the other; more are compared with in one go.
_FEW_KEYS = 8
_MISSING: Any = vars(enum.Enum)["_missing_"].__func__


@raises_as_python
def item_of(container: Any, index: Any) -> Any:
    """``container[index]`` by a symbolic index.

    Raises:
        IndexError, KeyError: there is no such element; if only the run can tell, when it runs.
    """
    if isinstance(container, Choice):
        if _is_place(index) and _are_texts(container.objects):
            return at_place_in_one(container, index)
        return container.decide(lambda own: item_of(own, index))
    if isinstance(index, Choice):
        known = _is_dict(container) or isinstance(container, (Counter, enum.EnumMeta))
        if known:
            return _at_choice(container, index)
        place = as_number(index)
        return container[index] if place is index else item_of(container, place)
    if type(index) is tuple and any(isinstance(part, GraphArray) for part in index):
        copied = type(container) is np.ndarray and _is_copied(container, *index)
        return (GraphArray(Constant(container.copy())) if copied else container)[index]
    if not isinstance(index, GraphArray) or isinstance(index, MaybeNone):
        return container[index]
    if types_of(index):
        number: Any = index
        if isinstance(container, GraphArray) and not are_no_places(number.kinds):
            return container[GraphArray(index.value)]  # integers of any type select the same
        return by_kind(number, lambda own: item_of(container, own))
    if _is_copied(container, index):
        return GraphArray(Constant(container.copy()))[index]
    if _is_dict(container):
        return _or_as_python(lambda: container[index], lambda: _at_key(container, index))
    plain = lambda: container[index]
    if isinstance(container, range):
        items: Any = as_items(container)
        return _or_as_python(plain, lambda: items[index])
    if isinstance(container, dict):  # it may make what is missing
        return plain()
    if type(container) in (list, deque) or _has_own(container, "__getitem__"):
        if are_chosen_texts(container):
            return _in_sequence(container, index)
        return _or_as_python(plain, lambda: _in_sequence(container, index))
    return plain()


def _is_place(index: Any) -> bool:
    """Whether an index is a number that the run knows, and nothing else."""
    return (
        isinstance(index, GraphArray) and not isinstance(index, MaybeNone) and not types_of(index)
    )


def _are_texts(objects: Sequence[Any]) -> bool:
    kinds = set(map(type, objects))
    return kinds in ({str}, {bytes})


def _is_copied(container: Any, *index: Any) -> bool:
    """Whether an index picks of an array that a library has made what is no view of it: a number,
    or the elements at places that an array tells."""
    is_of_numbers = type(container) is np.ndarray and is_supported(container.dtype)
    parts = [part for part in index if isinstance(part, (GraphArray, int, np.integer))]
    is_number = len(parts) == len(index) == container.ndim if is_of_numbers else False
    return is_of_numbers and (is_number or any(np.ndim(part) > 0 for part in parts))


def _has_own(container: Any, name: str) -> bool:
    """Whether the method of a tuple, text or dict is that of the class of Python's own."""
    bases = (kind for kind in (tuple, str, bytes, dict) if isinstance(container, kind))
    return any(getattr(type(container), name) is getattr(kind, name) for kind in bases)


def _is_dict(container: Any) -> bool:
    if not isinstance(container, dict) or hasattr(type(container), "__missing__"):
        return False
    return _has_own(container, "__getitem__")


def _or_as_python(plain: Callable[[], Any], ours: Callable[[], Any]) -> Any:
    """What Python does where it can be had, by a loop that runs as Python or arguments that become
    static; ours elsewhere."""
    try:
        return plain()
    except ConcreteValueError:
        if recorder().attempts:
            raise
    return ours()


@raises_as_python
def _at_choice(container: Any, key: Choice) -> Any:
    """``container[key]`` by one of several objects, each of which is known."""
    values = list(container.values()) if _is_dict(container) else []
    if values and all(isinstance(value, (dict, list, KeyTable)) for value in values):
        places = {own: place for place, own in enumerate(container)}
        place = key.each(lambda own: places[own])
        if isinstance(place, int):
            return values[place]
        found = _gathered(values, place)
        if found is not None:
            return found
    return key.each(lambda own: container[own])


@raises_as_python
def _in_sequence(container: Sequence[Any], index: GraphArray) -> Any:
    if any(map(is_changeable, container)):
        return TrackedList(container)[index]
    return at_place(container, index)


# -- keys ------------------------------------------------------------------------------------------


def _at_key(container: dict, key: GraphArray) -> Any:
    def absent() -> Any:
        raise KeyError(key)

    return _by_key(container, key, absent)


def get(container: dict) -> Callable | None:
    """``container.get`` for symbolic keys; None if that is a method of the user's."""
    if not _has_own(container, "get"):
        return None

    def found(key: Any, default: Any = None) -> Any:
        if types_of(key):
            return by_kind(key, lambda own: found(own, default))
        if not isinstance(key, GraphArray):
            return container.get(key, default)
        return _or_as_python(
            lambda: container.get(key, default), lambda: _by_key(container, key, lambda: default)
        )

    return found


def _by_key(container: dict, key: GraphArray, absent: Callable[[], Any]) -> Any:
    values = list(container.values())
    found, place = _place_of(list(container), key)
    if found is False:
        return absent()
    return ops.cond(found, lambda: _one_of(values, place), absent)


def _gathered(values: Sequence[Any], place: GraphArray) -> Any:
    """See `autograph.staging.sequences.gathered`."""
    from autograph.staging.sequences.gathered import gathered  # which few programs need

    return gathered(values, place)


def _one_of(values: Sequence[Any], place: GraphArray) -> Any:
    """The value at a place that there is."""
    found = _gathered(values, place)
    return picked(values, place) if found is None else found


def has(container: Any, key: GraphArray) -> Any:
    """``key in container``, a dict or a set."""
    plain = lambda: key in container
    return _or_as_python(plain, lambda: _place_of(list(container), key)[0])


def is_of_the_run(kind: type[enum.Enum], args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether ``kind(*args)`` asks for a member by a symbolic value, as `member` does."""
    if len(args) != 1 or kwargs or issubclass(kind, enum.Flag):
        return False
    number = isinstance(args[0], GraphArray) and not isinstance(args[0], ArrayOrNone)
    known = isinstance(args[0], Choice) or (number and not types_of(args[0]))
    return known and getattr(kind._missing_, "__func__", None) is _MISSING


def member(kind: type[enum.Enum], value: GraphArray | Choice) -> Any:
    """``kind(value)``: the member of an enumeration with a value.

    Raises:
        ValueError: there is none, when the program runs.
    """

    if isinstance(value, Choice):
        return value.each(kind)

    def ours() -> Any:
        members = {one.value: one for one in kind}

        def absent() -> Any:
            raise ValueError(ops.text(f"{{!r}} is not a valid {kind.__qualname__}", value))

        return _by_key(members, value, absent)

    return _or_as_python(lambda: kind(value.as_place()), ours)


@raises_as_python
def _place_of(keys: Sequence[Any], key: GraphArray) -> tuple[Any, GraphArray]:
    """Whether a number is among the keys, and the position that it has there, if so.

    Raises:
        ConcreteValueError: it would have to be compared with keys of a kind that cannot be had.
        TypeError: it is an array, without axes, which is no key.
    """
    if is_array(key):
        raise TypeError("unhashable type: 'numpy.ndarray'")
    is_double = key.dtype == np.float64
    numbers = [(_number(k), i) for i, k in enumerate(keys) if _is_compared(k, is_double)]
    texts = (str, bytes, type(None))
    others = [k for k in keys if not _is_compared(k, is_double) and not isinstance(k, texts)]
    exact = key.dtype.kind in "bi" or all(
        isinstance(k, float) or abs(k) < 2**53 for k, _ in numbers
    )
    if others or not exact or key.dtype.kind not in "biuf":
        hash(key)  # which is refused
    if not numbers:
        return False, key
    known = [k for k, _ in numbers]
    if len(numbers) <= _FEW_KEYS:
        found: Any = False
        place: Any = 0
        for k, i in numbers:
            is_it = ops.equal(key, k)
            found = ops.logical_or(found, is_it)
            place = ops.where(is_it, i, place)
    else:
        matches = ops.equal(GraphArray(key.value), Constant(np.array(known)))
        found = ops.any(matches)
        place = GraphArray(Constant(np.array([i for _, i in numbers])))[ops.argmax(matches)]
    return (
        GraphArray(converted(found, weak(bool))),
        GraphArray(converted(place, weak(int))),
    )


def _number(key: Any) -> int | float:
    return float(key) if isinstance(key, float) else int(key)


def _is_compared(key: Any, is_double: bool) -> bool:
    """Whether a known key is equal to a number if that number is; one that is a float in double
    precision. NaN is not."""
    return _is_whole(key) or (is_double and isinstance(key, float) and key == key)


def _is_whole(key: Any) -> bool:
    return isinstance(key, (int, np.integer)) and -(2**63) <= int(key) < 2**63
