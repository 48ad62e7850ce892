"""Looking for an object in a list, whose class may say itself what it is equal to.

Elements that are numbers are compared all at once, by `autograph.staging.lists.searching`. Objects
are asked one after the other, as Python does, up to the first that is equal: by their ``__eq__``,
or by identity. Objects that are kept as rows are copies, of which nobody knows which they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ops
from autograph.staging.ground.nesting import Structure, TupleOf, is_tuple, parts_of
from autograph.staging.ground.ownership import is_user_class, is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.elements import RecordOf
from autograph.staging.values.maybe import ObjectOrNone


def holds_objects(structure: Structure) -> bool:
    """Whether there are objects of the user's classes in elements that are rows."""
    return bool(_classes(structure))


def are_told_by_identity(structure: Structure) -> bool:
    """Whether there are some whose class does not say what they are equal to."""
    return any(map(_is_by_identity, _classes(structure)))


def _is_by_identity(kind: Any) -> bool:
    return kind.__eq__ is object.__eq__


def _classes(structure: Structure) -> list[type]:
    if isinstance(structure, RecordOf) and is_user_class(structure.kind):
        return [structure.kind]
    parts = structure.parts if isinstance(structure, (TupleOf, RecordOf)) else ()
    return [kind for part in parts for kind in _classes(part)]


def is_or_has_object(value: Any) -> bool:
    """Whether a value is an object of a user's class, or a tuple with one in it."""
    if is_tuple(value):
        return any(map(is_or_has_object, parts_of(value)))
    return is_user_object(value) and is_user_class(type(value))


def place_among(items: Any, value: Any, start: Any, stop: Any) -> Any:
    """The first place, from ``start`` on and before ``stop``, of an element that is equal to a
    value; ``stop`` if there is none.

    Args:
        items: what has the method ``item``, which gives the element at a place.
    """

    def step(place: Any, found: Any) -> tuple:
        is_here = is_equal(items.item(place), value)
        return ops.cond(is_here, lambda: place, lambda: place + 1), is_here

    goes_on = lambda place, found: ops.and_(place < stop, lambda: ops.not_(found))
    place, _ = ops.while_loop(goes_on, step, (start, False), ("place", "found"))
    return place


def place_in(items: Sequence[Any], value: Any, start: Any, stop: Any) -> Any:
    """The same for a list of which it is known how many elements it has."""
    place: Any = stop
    found: Any = False
    same = [recorder().is_(item, value) for item in items]  # in branches they are others
    for i, item in enumerate(items):
        if same[i] is False and _are_other(item, value):
            continue
        is_here = _is_first(found, i, (start, stop), (same[i], item, value))
        place = _either(is_here, i, place)
        found = _or(found, is_here)
    return place


def _is_first(found: Any, i: int, bounds: tuple, compared: tuple) -> Any:
    """Whether an element is the first that is equal, where others may have been found before it."""
    start, stop = bounds
    same, item, value = compared
    within = ops.and_(ops.not_(found), lambda: ops.and_(start <= i, lambda: i < stop))
    return ops.and_(within, lambda: _equal(same, item, value))


def _either(is_here: Any, i: int, place: Any) -> Any:
    return ops.cond(is_here, lambda: i, lambda: place)


def _or(found: Any, is_here: Any) -> Any:
    return ops.or_(found, lambda: is_here)


def _are_other(item: Any, value: Any) -> bool:
    """Whether two things that are not the same can't be equal."""
    return all(is_user_object(x) and _is_by_identity(type(x)) for x in (item, value))


def count_among(items: Any, value: Any) -> Any:
    """How many elements of a list are equal to a value."""

    def step(place: Any, count: Any = 0) -> tuple:
        return (ops.cond(is_equal(items.item(place), value), lambda: count + 1, lambda: count),)

    (count,) = ops.for_loop(ops.call(range, items.length), step, (0,), ("count",))
    return count


def is_equal(element: Any, value: Any) -> Any:
    """Whether an element is a value, or equal to it."""
    return _equal(recorder().is_(element, value), element, value)


def _equal(same: Any, element: Any, value: Any) -> Any:
    if same is True:
        return True
    if isinstance(element, ObjectOrNone):
        content = lambda: _equal(False, element.content, value)
        return ops.or_(same, lambda: ops.and_(element.present, content))
    equals = lambda: ops.cond(ops.eq_(element, value), lambda: True, lambda: False)
    return equals() if same is False else ops.or_(same, equals)
