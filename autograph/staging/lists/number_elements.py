"""Numbers of several types among the elements of lists that are kept as rows.

In Python each number in a list is of its own type, whatever stands beside it: ``xs = [0]`` and
``xs.append(0.5)`` give an int and a float. A column has one type. So an element that is of one type
in some rows and of another in others is kept, in each row, as such a number is carried over the
borders of regions: which of the types it is of, what it is in those that the promoted type does not
hold, and the promoted number; see `autograph.staging.values.promoted`. Who needs numbers only, as
`np.array` does, takes the promoted ones, and the rest is not computed where nobody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.lists.elements import ElementType, ListOf, RecordOf, leaf_count
from autograph.staging.values.promoted import Promoted, in_order
from autograph.staging.values.templates import ABSENT
from ops.core.types import ArrayType, weak

_WIDEST = {"f": "float64", "c": "complex128"}


def is_of_types(structure: Any) -> bool:
    """Whether a structure is that of a number of several types."""
    return isinstance(structure, TupleOf) and isinstance(structure.kind, Promoted)


def holds_numbers_of_types(structure: Structure) -> bool:
    """Whether there are such in elements."""
    if is_of_types(structure):
        return True
    if isinstance(structure, ListOf):
        return holds_numbers_of_types(structure.part)
    parts = structure.parts if isinstance(structure, (TupleOf, RecordOf)) else ()
    return any(map(holds_numbers_of_types, parts))


def number_kinds(kind: ElementType) -> tuple[ArrayType, ...]:
    """The types that an element may be of, if it is a number; none if it is something else."""
    if is_of_types(kind.structure):
        return kind.structure.kind.kinds
    only = kind.types[0] if kind.structure is LEAF and kind.types else None
    is_number = only is not None and only.shape == () and only.dtype.kind in "biufc"
    return (only.invariant(),) if is_number and only is not None else ()


def of_kinds(number: Promoted) -> ElementType:
    """What is known of an element that is such a number."""
    types = (weak(int), *number.apart, number.type)
    structure = TupleOf(Promoted(number.kinds), (LEAF,) * len(types))
    return ElementType(structure, tuple(type.along(number.varies) for type in types))


def united_numbers(a: ElementType, b: ElementType) -> ElementType | None:
    """The `ElementType` of a number that is like either of two; None if they are no numbers, of one
    type, or of such that no type holds what is known of either."""
    mine, others = number_kinds(a), number_kinds(b)
    if not mine or not others or (a.structure is b.structure is LEAF and mine == others):
        return None
    kinds = Promoted(in_order((*mine, *others)))
    if any(_would_round(kind, kinds) for kind in (a, b)):
        return None
    axes = frozenset().union(*(type.varies for type in (*a.types, *b.types)))
    return of_kinds(Promoted(kinds.kinds, axes))


def _would_round(kind: ElementType, wanted: Promoted) -> bool:
    """Whether numbers have been rounded to a promoted type that are not in a larger one."""
    if not is_of_types(kind.structure):
        return False
    own: Promoted = kind.structure.kind
    dtype = own.type.dtype
    is_short = dtype.name != _WIDEST.get(dtype.kind, "int64")
    return bool(own.apart) and is_short and dtype != wanted.type.dtype


def as_number(
    leaves: Sequence[Any], own: ElementType, wanted: ElementType, moved: Callable
) -> list[Any]:
    """The leaves of a number as those of one of more types, which are converted to these where they
    are put into columns.

    Args:
        moved: makes the position of a type from that among others, and the new positions.
    """
    kinds: Promoted = wanted.structure.kind
    before = number_kinds(own)
    if own.structure is LEAF:
        which: Any = kinds.kinds.index(before[0])
        exact, promoted = {before[0]: leaves[0]}, leaves[0]
    else:
        position, *apart, promoted = leaves
        places = tuple(map(kinds.kinds.index, before))
        which = places[position] if isinstance(position, int) else moved(position, places)
        # What the type before held is what the promoted number is.
        exact = {**dict.fromkeys(before, promoted), **dict(zip(own.structure.kind.apart, apart))}
    return [which, *(exact.get(kind, ABSENT) for kind in kinds.apart), promoted]


def promoted(structure: Structure, columns: Sequence[Any]) -> tuple[Structure, list[Any]]:
    """Elements, of which these are the columns, whose numbers are of one type."""
    if is_of_types(structure):
        return LEAF, [columns[-1]]
    if not holds_numbers_of_types(structure):
        return structure, list(columns)
    if isinstance(structure, ListOf):
        part, found = promoted(structure.part, columns)
        return ListOf(structure.length, part), found
    parts, found, start = [], [], 0
    for part in structure.parts:
        stop = start + leaf_count(part)
        made, own = promoted(part, columns[start:stop])
        parts.append(made)
        found += own
        start = stop
    return structure._replace(parts=tuple(parts)), found
