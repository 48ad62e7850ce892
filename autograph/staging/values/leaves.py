"""What is known of one leaf of a variable where control flow joins.

=============  ====================================================================  ==============
kind           the leaf                                                              graph values
=============  ====================================================================  ==============
`ArrayType`    is an array or number of that type                                    it
`Known`        is the same object on every path                                      none
`OneOf`        is one of several static objects                                      which
`Optional`     is None on some paths, and of a type on the others                    whether, what
`Promoted`     is a number of one of several types, and promoted to one              which, what
`ColumnOf`     is a part of the elements of a list of unknown length                 the rows
=============  ====================================================================  ==============
"""

from __future__ import annotations

import enum
import reprlib
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.exactness import refuse_promotion
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.choice import MOST_OBJECTS, is_choosable, is_same_object
from autograph.staging.values.maybe import MaybeNone
from autograph.staging.values.promoted import Promoted, in_order, join_types, types_of
from autograph.staging.values.templates import ABSENT
from ops.core.records import dataclass
from ops.core.symbolic_lengths import is_same
from ops.core.types import ArrayType, type_of, weak


class Mismatch(Exception):
    """Two facts that cannot be joined; the text says what differs."""


@dataclass(frozen=True, eq=False)
class Known:
    """A leaf that is the same object whichever path was taken: static, or an untouched array."""

    content: Any

    @property
    def type(self) -> ArrayType | None:
        if isinstance(self.content, enum.Enum):  # it is that member, not the number that it equals
            return None
        return self.content.type if isinstance(self.content, GraphArray) else type_of(self.content)

    @property
    def changing(self) -> ArrayType | Promoted | None:
        """What is known of the leaf if it is another number or array on other paths."""
        kinds = types_of(self.content)
        return Promoted(kinds, self.content.type.varies) if kinds else self.type

    def same(self, other: Known) -> bool:
        return is_same_object(self.content, other.content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.same(other)

    def __hash__(self) -> int:
        return hash(type(self.content))

    def __str__(self) -> str:
        if self.content is None or isinstance(self.content, (str, bytes)):
            return reprlib.repr(self.content)
        return str(self.type) if self.type is not None else f"{type(self.content).__name__} object"


@dataclass(frozen=True, eq=False)
class OneOf:
    """A leaf that is one of several static objects; see `autograph.staging.values.choice`."""

    objects: tuple
    varies: frozenset = frozenset()  # along which axes of a mesh it is another one

    type = None

    def position(self, content: Any) -> int:
        return next(i for i, item in enumerate(self.objects) if is_same_object(item, content))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OneOf) or len(self.objects) != len(other.objects):
            return False
        same = all(map(is_same_object, self.objects, other.objects))
        return same and self.varies == other.varies

    def __hash__(self) -> int:
        return hash(len(self.objects))

    def __str__(self) -> str:
        shown = [str(Known(item)) for item in self.objects[:3]]
        return " or ".join(shown + ["..."] * (len(self.objects) > 3))


@dataclass(frozen=True)
class Optional:
    """A leaf that is None, or an array or number of a type.

    Attributes:
        numbers: the types that a number of several is of, which ``type`` holds.
    """

    type: ArrayType
    numbers: tuple[ArrayType, ...] = ()

    @property
    def present(self) -> ArrayType | Promoted:
        """What the leaf is where it is not None."""
        return Promoted(self.numbers, self.type.varies) if self.numbers else self.type

    def __str__(self) -> str:
        return f"{self.present} or None"


@dataclass(frozen=True)
class ColumnOf:
    """A part of the elements of a list, of this type in each of them.

    ``length`` is the number of elements if it is known.
    """

    element: ArrayType
    length: int | None = None

    @property
    def type(self) -> ArrayType:
        return self.element._replace(shape=(self.length, *self.element.shape), weak=False)

    def __str__(self) -> str:
        return f"list of {self.element}"


Leaf = ArrayType | Known | OneOf | Optional | Promoted | ColumnOf


def carried(leaf: Leaf) -> list[ArrayType]:
    """The types of the graph values that carry a leaf."""
    if isinstance(leaf, ArrayType):
        return [leaf]
    if isinstance(leaf, Optional):
        return [weak(bool).along(leaf.type.varies), *carried(leaf.present)]
    if isinstance(leaf, OneOf):
        return [weak(int).along(leaf.varies)]
    if isinstance(leaf, Promoted):
        parts = [weak(int), *leaf.apart]
        return [*(part.along(leaf.varies) for part in parts), leaf.type]
    return [leaf.type] if isinstance(leaf, ColumnOf) else []


def axes_of(leaf: Leaf) -> frozenset:
    """Along which axes of a mesh a leaf varies."""
    if isinstance(leaf, OneOf):
        return leaf.varies
    if isinstance(leaf, ColumnOf):
        return leaf.element.varies
    if isinstance(leaf, ArrayType):
        return leaf.varies
    return frozenset() if leaf.type is None else leaf.type.varies


def along(leaf: Leaf, axes: frozenset) -> Leaf:
    """A leaf that varies along some axes, too; one that is the same object does not."""
    if not axes or isinstance(leaf, Known):
        return leaf
    if isinstance(leaf, ArrayType):
        return leaf.along(axes)
    if isinstance(leaf, OneOf):
        return OneOf(leaf.objects, leaf.varies | axes)
    if isinstance(leaf, Optional):
        return Optional(leaf.type.along(axes), leaf.numbers)
    if isinstance(leaf, Promoted):
        return Promoted(leaf.kinds, leaf.varies | axes)
    return ColumnOf(leaf.element.along(axes), leaf.length)


def join_leaves(x: Leaf, y: Leaf) -> Leaf:
    """What is known of a leaf that is either.

    Raises:
        Mismatch: there is no kind for it.
    """
    axes = axes_of(x) | axes_of(y)
    return along(_joined(along(x, axes), along(y, axes)), axes)


def _joined(x: Leaf, y: Leaf) -> Leaf:
    if isinstance(x, Known) and isinstance(y, Known) and x.same(y):
        return x
    for leaf, other in ((x, y), (y, x)):
        if isinstance(leaf, Known) and leaf.content is ABSENT:
            return other
    objects = _united(x, y)
    if objects is not None:
        return OneOf(objects)
    if isinstance(x, ColumnOf) and isinstance(y, ColumnOf):
        element = join_types(x.element, y.element)
        if element is not None and not are_other_numbers(x.element, y.element):
            if not (element == x.element == y.element):
                refuse_promotion()
            return ColumnOf(element, x.length if x.length == y.length else None)
    elif not isinstance(x, (ColumnOf, OneOf)) and not isinstance(y, (ColumnOf, OneOf)):
        x_type, x_optional = _type_or_none(x)
        y_type, y_optional = _type_or_none(y)
        both = x_type if y_type is None else y_type
        kinds = _numbers(x) | _numbers(y)
        optional = x_optional or y_optional
        if len(kinds) > 1 and all(_numbers(leaf) or _is_none(leaf) for leaf in (x, y)):
            promoted = Promoted(in_order(kinds))
            return Optional(promoted.type, promoted.kinds) if optional else promoted
        if x_type is not None and y_type is not None:
            both = _join_arrays(x_type, y_type)
        usable = (x_type is not None or x_optional) and (y_type is not None or y_optional)
        if usable and both is not None:
            return Optional(both) if optional else both
    raise Mismatch(f"{x} and {y}")


def are_other_numbers(a: ArrayType, b: ArrayType) -> bool:
    """Whether elements of lists are numbers of two types, each of which is told: see
    `autograph.staging.lists.number_elements`."""
    return a.shape == b.shape == () and a.invariant() != b.invariant()


def _join_arrays(a: ArrayType, b: ArrayType) -> ArrayType | None:
    """The type that holds arrays of both. One length is one that only the run knows where it knows
    one of them alone, unless a loop around may be run as Python, which may know both; or if all
    else has been tried: see ``joins_lengths`` of the recorder."""
    if a.ndim == b.ndim and a.shape != b.shape:
        axes = [k for k, (n, m) in enumerate(zip(a.shape, b.shape)) if not is_same((n,), (m,))]
        is_unknown = None in [kind.shape[k] for kind in (a, b) for k in axes]
        may_meet = recorder().joins_lengths or (is_unknown and not recorder().attempts)
        if may_meet and len(axes) == 1:
            a, b = (kind.with_length(axes[0], None) for kind in (a, b))
    return join_types(a, b)


def _numbers(leaf: Leaf) -> set[ArrayType]:
    """The types of the numbers that a leaf may be, if it is always a number, or None."""
    kind: Any = leaf.changing if isinstance(leaf, Known) else leaf
    if isinstance(leaf, Known) and isinstance(leaf.content, MaybeNone):
        own = types_of(leaf.content.content)
        kind = Promoted(own) if own else leaf.type
    kind = kind.present if isinstance(kind, Optional) else kind
    if isinstance(kind, Promoted):
        return set(kind.kinds)
    return {kind.invariant()} if isinstance(kind, ArrayType) and not kind.shape else set()


def _is_none(leaf: Leaf) -> bool:
    return isinstance(leaf, Known) and leaf.content is None


def _united(x: Leaf, y: Leaf) -> tuple | None:
    """All objects that either leaf may be, if both are static."""
    objects: list[Any] = []
    for leaf in (x, y):
        if isinstance(leaf, OneOf):
            found = leaf.objects
        elif isinstance(leaf, Known) and is_choosable(leaf.content):
            found = (leaf.content,)
        else:
            return None
        objects += [a for a in found if not any(is_same_object(a, b) for b in objects)]
    largest = max(len(leaf.objects) if isinstance(leaf, OneOf) else 1 for leaf in (x, y))
    # Texts that get longer at each trip of a loop end at one of these.
    most = MOST_OBJECTS if largest <= MOST_OBJECTS else max(largest, 4 * MOST_OBJECTS)
    return tuple(objects) if len(objects) <= most else None


def _type_or_none(leaf: Leaf) -> tuple[ArrayType | None, bool]:
    """The type of a leaf, if it has one, and whether it may be None."""
    if isinstance(leaf, Optional):
        return leaf.type, True
    if isinstance(leaf, Promoted):
        return leaf.type, False
    if isinstance(leaf, Known):
        return leaf.type, leaf.content is None or isinstance(leaf.content, MaybeNone)
    return (leaf if isinstance(leaf, ArrayType) else None), False
