"""What an attribute is kept in that is a number, of all objects in a heap: where it is None in some
of them, or of another type, as an int that becomes a float; see
`autograph.staging.lists.object_heap`.
"""

from __future__ import annotations

from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.ownership import Recorded
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pool_places import element_at, write_at
from autograph.staging.values.maybe import MaybeNone, none_or
from autograph.staging.values.promoted import Promoted, PromotedNumber, carry, constructor, types_of
from ops.core.types import ArrayType, type_of


def number_types(value: Any) -> tuple[ArrayType, ...]:
    """The types that a number may be of; () of what is no number, such as an array."""
    if types_of(value):
        return types_of(value)
    if isinstance(value, GraphArray):
        return () if value.ndim or value.is_array else (value.type.invariant(),)
    kind = type_of(value)
    return () if kind is None or kind.shape else (kind,)


def zero(kind: ArrayType) -> Any:
    """The zero of a type of numbers."""
    found = kind.dtype.type(0)
    return found.item() if kind.weak else found


class Numbers(Recorded):
    """What an attribute is of all objects that is a number or None.

    Attributes:
        present: whether it is a number.
        values: the numbers; where it is None, any.
        other: one of them.
    """

    def __init__(self, other: Any) -> None:
        self.other = other
        self.present = TrackedList()
        self.values = TrackedList()

    def append(self, value: Any) -> None:
        present, content = _apart(value, self.other)
        self.present.append(present)
        self.values.append(content)

    def element(self, place: Any) -> Any:
        present = element_at(self.present, place)
        return none_or(present, element_at(self.values, place))

    def replace(self, place: Any, value: Any) -> None:
        present, content = _apart(value, self.other)
        write_at(self.present, place, present)
        write_at(self.values, place, content)

    def item(self, place: int) -> Any:
        """The same for callers, when both are lists of Python's."""
        return self.values[place] if self.present[place] else None


class TypedNumbers(Recorded):
    """What an attribute is of all objects that is a number of one of several types, or None.

    Attributes:
        kinds: the types.
        present: whether it is a number, for each object; None if it always is.
        parts: for each object what carries the number, see `autograph.staging.values.promoted`;
            where it is None, any.
    """

    def __init__(self, kinds: tuple[ArrayType, ...], with_none: bool) -> None:
        self.kinds = kinds
        self.present = TrackedList() if with_none else None
        self.parts = TrackedList()

    def append(self, value: Any) -> None:
        present, content = self._apart(value)
        if self.present is not None:
            self.present.append(present)
        self.parts.append(self._parts(content))

    def element(self, place: Any) -> Any:
        which, *exact, promoted = element_at(self.parts, place)
        own = dict(zip(Promoted(self.kinds).apart, exact))
        exact_of = [own.get(kind) for kind in self.kinds]
        number = PromotedNumber(promoted.value, self.kinds, which, exact_of)
        return number if self.present is None else none_or(element_at(self.present, place), number)

    def replace(self, place: Any, value: Any) -> None:
        present, content = self._apart(value)
        if self.present is not None:
            write_at(self.present, place, present)
        write_at(self.parts, place, self._parts(content))

    def item(self, place: int) -> Any:
        """The same for callers, when these are lists of Python's."""
        if self.present is not None and not self.present[place]:
            return None
        which, *exact, promoted = self.parts[place]
        kind = self.kinds[which]
        return constructor(kind)(dict(zip(Promoted(self.kinds).apart, exact)).get(kind, promoted))

    def _apart(self, value: Any) -> tuple[Any, Any]:
        return _apart(value, zero(self.kinds[0]))

    def _parts(self, number: Any) -> tuple[Any, ...]:
        return tuple(map(GraphArray, carry(number, Promoted(self.kinds), lambda box: box.value)))


def _apart(value: Any, other: Any) -> tuple[Any, Any]:
    """Whether a value is a number, and that, or another one where it is none."""
    if value is None:
        return False, other
    if isinstance(value, MaybeNone):
        return value.present, value.content
    return True, value
