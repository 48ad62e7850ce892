"""What may be None among the elements of lists that are kept as rows.

After ``xs.append(v if c else None)`` only the run knows which elements are None. Of such an element
it is known, in each row, whether it is there, and what it is then: a number, an array, a tuple of
such, or a text. Where it is None, that may be anything. A list that had only numbers, or only None,
becomes one of these where the other comes to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.lists.elements import ElementType, ListOf, RecordOf
from autograph.staging.values.maybe import OrNone
from autograph.staging.values.templates import ABSENT
from ops.core.types import weak

ONLY_NONE = ElementType(TupleOf(OrNone(), (LEAF,)), (weak(bool),))


def may_be_none(structure: Any) -> bool:
    """Whether a structure is that of what may be None."""
    return isinstance(structure, TupleOf) and isinstance(structure.kind, OrNone)


def holds_none(structure: Structure) -> bool:
    """Whether there is such in elements."""
    if may_be_none(structure):
        return True
    if isinstance(structure, ListOf):
        return holds_none(structure.part)
    parts = structure.parts if isinstance(structure, (TupleOf, RecordOf)) else ()
    return any(map(holds_none, parts))


def or_none(kind: ElementType) -> ElementType:
    """What is known of an element that is of a kind, or None."""
    if may_be_none(kind.structure):
        return kind
    types = (weak(bool).along(_axes(kind)), *kind.types)
    return ElementType(TupleOf(OrNone(), (LEAF, kind.structure)), types)


def present(kind: ElementType) -> ElementType | None:
    """What is known of an element where it is not None; None if it always is."""
    structure: Any = kind.structure
    if not may_be_none(structure):
        return kind
    return ElementType(structure.parts[1], kind.types[1:]) if len(structure.parts) > 1 else None


def united_with_none(a: ElementType, b: ElementType, united: Callable) -> ElementType | None:
    """The `ElementType` of what is like either of two, of which one may be None; None if there is
    none.

    Args:
        united: finds that of two that may not.
    """
    known = [kind for kind in (present(a), present(b)) if kind is not None]
    if not all(_is_value(kind.structure) for kind in known):
        return None
    kind = united(*known) if len(known) == 2 else known[0] if known else None
    if kind is None:
        return None if known else ONLY_NONE
    axes = _axes(a) | _axes(b)
    found = or_none(kind)
    return ElementType(found.structure, (weak(bool).along(axes), *found.types[1:]))


def _axes(kind: ElementType) -> frozenset:
    """Along which axes of a mesh it is another one."""
    return frozenset().union(*(type.varies for type in kind.types if type is not None))


def _is_value(structure: Structure) -> bool:
    """Whether there is nothing in it that can be changed, but arrays."""
    if isinstance(structure, TupleOf):
        return all(map(_is_value, structure.parts))
    return structure is LEAF


def as_maybe_none(
    leaves: Sequence[Any], own: ElementType, wanted: ElementType, moved: Callable, as_kind: Callable
) -> list[Any]:
    """The leaves of an element as those of one that may be None.

    Args:
        moved, as_kind: see `autograph.staging.lists.text_elements.as_kind`.
    """
    is_there: Any = True
    if may_be_none(own.structure):
        is_there, *leaves = leaves
    mine, others = present(own), present(wanted)
    if mine is None or others is None:
        return [is_there, *[ABSENT] * (len(wanted.types) - 1)]
    return [is_there, *as_kind(leaves, mine, others, moved)]
