"""Numbers of several types that dicts hold, or that are their keys: `NumberOfTypes`.

In Python each number is of its own type, whatever stands beside it: after ``d = {0: 0}`` and
``d[1] = 0.5`` there is an int and a float in it. The elements of a list that is kept as rows are of
one type. So where a table gets numbers of several types, what its list has of a number is which of
the types it is of, and the number in each of the dtypes that hold some of them. Of which types they
are is known from another recording; see `autograph.staging.ground.queues.NumberTypes`.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import converted
from autograph.staging.ground.nesting import Structure, TupleOf, is_tuple, make_tuple
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsNumberTypes
from autograph.staging.values.maybe import MaybeNone, none_or
from autograph.staging.values.promoted import (
    PromotedNumber,
    constructor,
    holds,
    in_order,
    joined,
    types_of,
)
from ops.core.types import ArrayType, type_of, weak


class NumberOfTypes(tuple):
    """A number of one of several types; its classes for some types are those of `number_class`.

    Its items are the position of its type, and the number in each of the dtypes of `dtypes`, which
    has a meaning only in the one that holds the type.

    Attributes:
        kinds: the types.
        dtypes: those that the number is kept in.
        columns: for each type the position of its dtype among these.
    """

    __slots__ = ()

    kinds: ClassVar[tuple[ArrayType, ...]]
    dtypes: ClassVar[tuple[np.dtype, ...]]
    columns: ClassVar[tuple[int, ...]]

    @classmethod
    def made_of(cls, number: Any) -> NumberOfTypes:
        """What a table keeps of a number."""
        own = types_of(number) or (number_type(number),)
        places = [cls.kinds.index(kind) for kind in own]
        which: Any = places[0]
        if len(own) > 1:
            which = _looked_up(number.which, places)
        items: list[Any] = []
        for column, dtype in enumerate(cls.dtypes):
            found: Any = None
            for position, place in enumerate(places):
                if cls.columns[place] != column:
                    continue
                part = number.of_kind(position) if len(own) > 1 else number
                part = ops.cast(part, dtype=dtype.name) if isinstance(part, GraphArray) else part
                part = part if isinstance(part, GraphArray) else dtype.type(part)
                if found is not None:
                    found = ops.where(ops.equal(number.which, position), part, found)
                else:
                    found = part
            items.append(dtype.type(0) if found is None else found)
        made: Any = cls
        return made(which, *items)

    def number(self) -> Any:
        """The number, in its type: when the program runs, and while recording if that is known."""
        which, values = self[0], self[1:]
        if isinstance(which, GraphArray):
            return self._of_the_run(which, values)
        kind, value = self.kinds[which], values[self.columns[which]]
        if isinstance(value, GraphArray):
            return GraphArray(converted(value, kind))
        return constructor(kind)(value)

    def _of_the_run(self, which: GraphArray, values: Sequence[Any]) -> PromotedNumber:
        wide = joined(self.kinds)
        parts = [GraphArray(converted(v, wide)) for v in map(_symbolic, values)]
        promoted = parts[0]
        for column, part in enumerate(parts[1:], 1):
            is_here = _looked_up(which, [int(own == column) for own in self.columns])
            promoted = ops.where(ops.equal(is_here, 1), part, promoted)
        exact = []
        for kind, column in zip(self.kinds, self.columns):
            own = GraphArray(converted(_symbolic(values[column]), kind))
            exact.append(None if holds(wide, kind) else own)
        return PromotedNumber(
            recorder().value_of(converted(promoted, wide)),
            self.kinds,
            GraphArray(converted(which, weak(int))),
            exact,
        )


def _symbolic(value: Any) -> Any:
    return value if isinstance(value, GraphArray) else GraphArray(recorder().value_of(value))


def _looked_up(position: GraphArray, table: list[int]) -> Any:
    if table == [*range(len(table))]:
        return position
    found: Any = table[0]
    for place, other in enumerate(table[1:], 1):
        found = ops.where(ops.equal(position, place), other, found)
    return ops.cast(found, dtype="int64", weak=True) if isinstance(found, GraphArray) else found


@functools.cache
def number_class(kinds: tuple[ArrayType, ...]) -> type[NumberOfTypes]:
    """The `NumberOfTypes` of some types."""
    kept = [_kept_in(kind) for kind in kinds]
    dtypes = tuple(dict.fromkeys(kept))
    fields = ["which", *(f"as_{dtype.name}" for dtype in dtypes)]
    named: Any = collections.namedtuple
    plain = named("Number", fields)
    members = {
        "__slots__": (),
        "kinds": kinds,
        "dtypes": dtypes,
        "columns": tuple(map(dtypes.index, kept)),
    }
    return type("Number", (NumberOfTypes, plain), members)


def _kept_in(kind: ArrayType) -> np.dtype:
    """A dtype that has all numbers of a type."""
    if kind.dtype.kind in "bi" or (kind.dtype.kind == "u" and kind.dtype.itemsize < 8):
        return np.dtype(np.int64)
    return np.dtype({"f": np.float64, "c": np.complex128}.get(kind.dtype.kind, kind.dtype))


def number_type(content: Any) -> ArrayType | None:
    """The type of a number; None of what is none, and of what is an array."""
    if isinstance(content, GraphArray):
        is_number = not content.ndim and not content.is_array and content.type.is_static
        return content.type.invariant() if is_number else None
    kind = type_of(content)
    return kind if kind is not None and kind.shape == () and kind.dtype.kind in "biufc" else None


def apart(content: Any, site: Any, path: tuple[int, ...] = ()) -> Any:
    """What a table keeps of something, in which numbers may be of other types than in its like.

    Args:
        site: where the table is made.
        path: where it is in what the table holds.

    Raises:
        NeedsNumberTypes: what the table holds by now is not of all types that come to it.
    """
    if isinstance(content, MaybeNone):
        return none_or(content.present, apart(content.content, site, path))
    if isinstance(content, NumberOfTypes) or site is None or getattr(content, "is_text", False):
        return content
    if is_tuple(content):
        parts = [apart(part, site, (*path, i)) for i, part in enumerate(content)]
        return make_tuple(type(content), parts)
    only = number_type(content)
    own = types_of(content) or (() if only is None else (only,))
    if not own:
        return content
    numbers = recorder().queues.numbers
    kinds = numbers.meet((type(site), site, path), own)
    if numbers.is_outgrown:  # also where another way to record a loop is tried
        raise NeedsNumberTypes(numbers.location)
    return content if len(kinds) == 1 else number_class(in_order(kinds)).made_of(content)


def together(content: Any) -> Any:
    """What Python has for what a table keeps; see `apart`."""
    if isinstance(content, MaybeNone):
        return none_or(content.present, together(content.content))
    if isinstance(content, NumberOfTypes):
        return content.number()
    if not is_tuple(content) or getattr(content, "is_text", False):
        return content
    parts = [together(part) for part in content]
    if all(part is own for part, own in zip(parts, content)):
        return content
    return make_tuple(type(content), parts)


def all_together(items: Sequence[Any]) -> Sequence[Any]:
    """The same of all that a list of a table has when the program has run."""
    if any(issubclass(kind, tuple) for kind in set(map(type, items))):
        return list(map(together, items))
    return items  # as nearly always


def holds_numbers(structure: Structure) -> bool:
    """Whether there are numbers of several types in what is kept."""
    if not isinstance(structure, TupleOf):
        return False
    return is_number(structure) or any(map(holds_numbers, structure.parts))


def is_number(structure: Any) -> bool:
    """Whether a structure is that of a number of several types."""
    kind = getattr(structure, "kind", None)
    return isinstance(kind, type) and issubclass(kind, NumberOfTypes)
